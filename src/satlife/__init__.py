"""Find patterns in Conway's Game of Life, and in other cellular automata, with SAT solvers.

Ask a question, get a verified pattern, or the answer that there is none:

>>> import satlife
>>> outcome = satlife.find(satlife.ship("c/4d", box="4x4"))
>>> outcome.pattern.population, outcome.finding.identity.name
(5, 'glider')

Questions, each a ``Problem``
    still_life, oscillator, ship     objects, by period or speed, in a box
    parent, orphan                   what becomes a pattern, and whether anything does
    forced                           whether all that becomes a pattern contains it
    complete                         a pattern of which only a part is known
    agar, wick                       patterns that fill the plane, or repeat in one direction
    eater, reaction, perturbation    catalysts
    Problem                          any other question, from a file or field by field

Answers
    find                             one solution: Found, Impossible or Undecided
    find_all                         all of them: a Listing, each a Finding; it ends as Listed
    find_best                        the best, by population, rotor, area …: Best
    start                            a running Search: its events, stop(), result()
    prove, check                     a certificate that anyone can check: Proved, Judgement

Patterns
    Pattern, PartialPattern, read    cells, known and unknown, from files and texts
    identify                         what a pattern is: apgcode, name, period, symmetry
    save, play                       a picture in a file, a player in a notebook
    Rule, Box, Motion, Symmetry, Transform
    RuleSpace, rules_of              sets of rules; in which rules a pattern works

Events of a running search
    Started, Built, Progress, Improved, Found, Finished

Fields of a Problem
    Known, Link, Motion, Bounds    cells that are given or equal, the motion, bounds of a kind
    Constraint                       bounds, periods …: see help(satlife.problem.constraints)
    Grid, problem_schema             search patterns of LLS; the schema of problem files

More
    ENGINES, Engine, GaveUp, Options ways to search, and one of your own
    KINDS, Kind                      the kinds of questions
    ENCODINGS, Encoding, build       formulas, and how they are made
    MEASURES, Goal, evaluate         numbers of a solution, to be bounded, minimised, maximised
    find_known, find_first           without a box: a known object, or a search with growing room
    grow                             the smallest box, by growing it
    verify, VerificationError        does a pattern solve a problem?
    describe, answers_yes            a problem in words; whether an answer is a yes
    catalyst, can_arrive             what stays in a reaction; whether its input can get there
    find_arrivals                    when and where something came
    Outcome                          Found, Impossible or Undecided
    Formula, Limits                  for work with solvers
    SatlifeError                     the root of all errors

Packages
    satlife.life                     patterns, rules, symmetries, file formats
    satlife.sat                      formulas, solvers, proofs
    satlife.problem, satlife.kinds   what is asked, and the kinds of questions
    satlife.engine                   engines, and running searches
    satlife.formula                  encodings and measures: from a problem to clauses
    satlife.certificates             claims with proofs
    satlife.records                  answers as records and files
    satlife.show                     pictures
    satlife.knuth                    Knuth's sat-life programs
    satlife.errors                   the tree of errors

A name is imported when it is first used, so ``import satlife`` itself costs next to nothing.
"""

from __future__ import annotations

from satlife._lazy import lazy_names as _lazy_names


def _kinds() -> dict[str, object]:
    from satlife.kinds import KINDS  # noqa: PLC0415 - only for names that are not in the stub

    return {kind.function.__name__: kind.function for kind in KINDS}


__getattr__, __dir__ = _lazy_names(__name__, __file__, _kinds)
