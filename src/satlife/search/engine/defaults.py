"""Listing and optimising by any engine that can list solutions: skip what is known, keep the best.

An engine that can do better, as SAT can by adding clauses, does not use these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable

from satlife.search.checking.evaluate import evaluate
from satlife.search.engine.goals import Goal
from satlife.search.engine.rotors import name_rotor
from satlife.search.engine.wanting import Sieve, Wanted
from satlife.search.formula.classes import History, history_key, images
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.problem import Problem

Solutions = Generator[History, None, str]


def filter_classes(
    solutions: Solutions, problem: Problem, wanted: Wanted, sieve: Sieve, skipped: Counter[str]
) -> Solutions:
    """Yield the first of each class that is wanted; a raw class is one solution."""
    spacetime = SpaceTime(problem)

    def alike(history: History) -> Iterable[History]:
        return (history,) if wanted.raw else images(spacetime, history)

    by_rotor = wanted.same == "rotor"
    seen = {history_key(image) for each in wanted.already_found for image in alike(each)}
    rotors = {name_rotor(problem, each) for each in wanted.already_found} if by_rotor else set()
    while True:
        try:
            history = next(solutions)
        except StopIteration as end:
            return str(end.value or "")
        if history_key(history) in seen:
            skipped["copies"] += not by_rotor  # of the same rotor, nobody can count them
            continue
        rotor = name_rotor(problem, history) if by_rotor else None
        if rotor in rotors:
            continue
        seen.update(map(history_key, alike(history)))
        if sieve.leaves_out(history) is False:
            if rotor is not None:
                rotors.add(rotor)
            yield history


def keep_better(solutions: Solutions, problem: Problem, goals: Iterable[Goal]) -> Solutions:
    """Yield each solution that is better than all before; the last one is the best."""
    best: tuple[int, ...] | None = None
    wanted = [(goal.measure.what, -1 if goal.maximize else 1) for goal in goals]
    while True:
        try:
            history = next(solutions)
        except StopIteration as end:
            return str(end.value or "")
        values = tuple(sign * evaluate(problem, history, what) for what, sign in wanted)
        if best is None or values < best:
            best = values
            yield history
