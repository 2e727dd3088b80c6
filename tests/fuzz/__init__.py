"""Small random problems and plans, and everything satlife says of them against the brute force.

    sorts.py       what is drawn, how often, and what is compared: the table to begin with
    drawing.py     problems at random; most are made around a solution
    objects.py     problems around objects that everybody knows
    kindred.py     problems of the kinds that people ask for
    mutants.py     problems that differ from one in one place
    worded.py      reactions and backgrounds, in a person's words
    ancestral.py   what becomes some cells, whatever is around
    forcing.py     patches that force themselves, and their cores
    wanted.py      what --reject and --only-connected leave out
    plans.py       plans of campaigns
    campaigns.py   campaigns, played from the beginning to the end, with proofs, merged
    divided.py     tasks that split: by cells, by rows, by rules
    killed.py      searches by rows that are saved, killed and continued
    checks.py      what is compared: the searches, the listings, the verifier
    proofs.py      what is compared: the plain formula, certificates, other solvers
    northward.py   ships to the north: the row engine against SAT
    shrinking.py   something that fails, made small, as a test to paste
    running.py     the loop, its numbers, its jobs

``python -m tests.fuzz --minutes 10`` runs it; the same seed draws the same problems, and ``--sort
campaign-split`` only those of one sort.
"""
