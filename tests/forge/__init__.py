"""Forge certificates, maps and exported ledgers, and see that satlife takes nothing false.

    pool.py          small problems of every family of rules, and valid folders, once for a seed
    certificates.py  how the valid certificates of the pool are made
    forging.py       the forgeries of certificates
    widths.py        the widths without ships, valid ones and forgeries; so maps.py, width_maps.py
                     and exports.py
    changes.py       other numbers, words, lines and bytes than there were
    folders.py       proofs, formulas, statements and hashes that fit, as a forger would make them
    truth.py         whether what a folder says is true: by tests/reference, never by satlife
    judging.py       what satlife says of a folder, in this process and by the command
    defects.py       checkers as weak as they once were, to see that forgeries find that
    running.py       the loop

A folder says something by its problem and its claim, its states, its regions or its events.  It is
FALSE if satlife calls it valid and the brute force knows better.
"""
