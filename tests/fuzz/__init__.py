"""Small random problems, and everything satlife says of them against the brute force.

    drawing.py     problems at random; most are made around a solution
    objects.py     problems around objects that everybody knows
    kindred.py     problems of the kinds that people ask for
    mutants.py     problems that differ from one in one place
    checks.py      what is compared: the searches, the listings, the verifier
    proofs.py      what is compared: the plain formula, certificates, other solvers
    northward.py   ships to the north: the row engine against SAT
    shrinking.py   a failing problem made small, as a test to paste
    running.py     the loop, its numbers, its jobs

``python -m tests.fuzz --minutes 10`` runs it; the same seed draws the same problems.
"""
