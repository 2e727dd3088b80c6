"""The verification of a solution, by the simulator and independent of the encoder.

This module knows neither literals nor clauses nor folding.  It takes the generations of a claimed
solution, as arrays, and checks every condition of the problem in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from satlife.life import Pattern
from satlife.problem import Problem
from satlife.problem.statement import LETTERS
from satlife.quantities import write_count
from satlife.verifier.boundaries import STEPS, background_recurs
from satlife.verifier.constraints import HOLDS
from satlife.verifier.generations import Cell, Generations, States, VerificationError, elements

if TYPE_CHECKING:
    from satlife.life.rulespaces import RuleSpace


def verify(problem: Problem, history: tuple[States, ...], *, every: bool = False) -> None:
    """Raise :class:`VerificationError` unless the generations solve the problem.

    ``history[t]`` holds the states of the box of generation t, indexed [y, x].
    """
    for complaint in complaints(problem, history, every=every):
        raise VerificationError(f"the solution fails its check: {complaint}")


def complaints(
    problem: Problem, history: tuple[States, ...], *, every: bool = False
) -> Iterator[str]:
    """Yield the errors of a solution.

    If the rule is open, some rule of the set must have these generations; with ``every``, all.
    """
    if len(history) != problem.generations:
        yield f"{write_count(len(history), 'generation')} instead of {problem.generations}"
        return
    if problem.has_open_height and len(history[0]):
        yield from _slanted_complaints(problem, history)
        problem = problem.with_height(len(history[0]))
    shaped = [_describe_misfit(problem, t, states) for t, states in enumerate(history)]
    if any(shaped):
        yield from filter(None, shaped)
        return
    if problem.has_open_rule:
        yield from _open_complaints(problem, history, every)
        return
    life = Generations(problem, history)
    yield from _step_complaints(problem, life)
    yield from _symmetry_complaints(problem, life)
    yield from _known_complaints(problem, life)
    for constraint in problem.constraints:
        if not HOLDS[type(constraint)](life, constraint):
            yield f"it is not true that {constraint}"


def _slanted_complaints(problem: Problem, history: tuple[States, ...]) -> Iterator[str]:
    """Yield if a diagonal or oblique ship meets more lines along its motion than its width."""
    if not problem.has_slanted_width:
        return
    cells = [place for states in history for place in zip(*np.nonzero(states), strict=True)]
    met = {int(y - problem.shear * x) for y, x in cells}
    number = max(met) - min(met) + 1 if met else 0
    if number > problem.width:
        lines = "diagonals" if problem.shear == 1 else "lines"
        yield f"it meets {number} {lines} in the direction of its motion, not {problem.width}"


def pattern_complaints(problem: Problem, pattern: Pattern, *, every: bool = False) -> Iterator[str]:
    """Yield why a pattern, as generation 0, does not become a solution.

    If the rule is open, the pattern is run by its own rule; with ``every``, the generations that
    come of it must be those of every rule of the set.
    """
    space = problem.parsed.space
    if space is not None and pattern.rule not in space:
        yield f"its rule {pattern.rule} is not one of {space}"
        return
    first = pattern.with_rule(problem.rule) if space is None else pattern
    history, now, motion = [], first, problem.motion
    for t, box in enumerate(problem.all_boxes):
        # A solution says of dying cells only when they lived; generation 0 may say their states.
        has_states = t == 0 and problem.shows_dying
        seen = now if has_states else Pattern(now.cells == 1, now.x, now.y, now.rule)
        if not box.contains_box(seen.box):
            yield f"generation {t} is not in its box {box} at ({box.x}, {box.y})"
            return
        history.append(seen.in_box(box))
        now = now[1]
    yield from complaints(problem, tuple(history), every=every)
    if motion is not None and first.rule.states > 2 and now != first.shift(motion.dx, motion.dy):
        yield f"the dying cells of generation {problem.steps} are not those of generation 0"


def find_rules(problem: Problem, history: tuple[States, ...]) -> RuleSpace | None:
    """Return the rules of an open problem that have these generations; None if none has."""
    from satlife.life.rulespaces import RuleSpace, narrow  # noqa: PLC0415 - few are open
    from satlife.verifier.open_rules import read_step  # noqa: PLC0415 - as above

    whole = problem.with_height(len(history[0]))
    life = Generations(whole, history)
    return narrow(RuleSpace(whole.rule), (read_step(whole, life, t) for t in range(whole.steps)))


def settle_rule(problem: Problem, history: tuple[States, ...]) -> Problem:
    """Return a problem for the least rule with these generations; with one rule, as it is."""
    if not problem.has_open_rule:
        return problem
    rules = find_rules(problem, history)
    if rules is None:
        raise VerificationError(f"no rule of {problem.rule} has these generations")
    return problem.with_rule(str(rules.least))


def _describe_misfit(problem: Problem, t: int, states: States) -> str:
    """Return why the array is not a filling of its generation's box, if it is not."""
    box = problem.all_boxes[t]
    if states.shape != (box.height, box.width):
        height, width = (*states.shape, 0, 0)[:2]
        return f"generation {t} is {width}x{height}, its box {box}"
    most = problem.states - 1 if t == 0 and problem.shows_dying else 1
    if states.size and int(states.max()) > most:
        return f"generation {t} has a cell in state {int(states.max())}"
    return ""


def _open_complaints(problem: Problem, history: tuple[States, ...], every: bool) -> Iterator[str]:
    """Yield what is wrong with a solution in the rules that have these generations.

    The answer is the same in all of them.  The least and the greatest are simulated, which also
    shows whether the rules were found right.
    """
    rules = find_rules(problem, history)
    if rules is None:
        yield f"no rule of {problem.rule} has these generations"
        return
    if every and rules != problem.parsed.space:
        yield f"only {rules} has these generations, not all of {problem.rule}"
        return
    for rule in dict.fromkeys((rules.least, rules.greatest)):
        for complaint in complaints(problem.with_rule(str(rule)), history):
            yield f"by {rule}, {complaint}"


def _step_complaints(problem: Problem, life: Generations) -> Iterator[str]:
    if problem.states > 2:
        from satlife.verifier import dying  # noqa: PLC0415 - few rules have dying cells

        yield from dying.step_complaints(problem, life)
        return
    exempt = set(problem.exempt)
    for t in range(problem.steps):
        expected, box = STEPS[problem.boundary](problem, life, t)
        for x, y in sorted(expected ^ life.at(t + 1)):
            if (x, y, t + 1) not in exempt and (box is None or (x, y) in box):
                yield f"cell ({x}, {y}) of generation {t + 1} does not follow from generation {t}"
                break
    if problem.motion is None:
        return
    if problem.boundary == "agar" and not background_recurs(problem):
        yield "the background does not come back"
    outside = [cell for cell in life.at(problem.steps) if cell not in life.boxes[0]]
    if problem.include_last and outside:
        yield f"generation {problem.steps} leaves the box at {outside[0]}"


_TURNS_IN_FOUR = {"quarter-turn-clockwise": 1, "half-turn": 2, "quarter-turn-anticlockwise": 3}
"""If a quarter of the period turns the pattern clockwise: after how many quarters each turn is."""


def _symmetry_complaints(problem: Problem, life: Generations) -> Iterator[str]:
    static, _, temporal = problem.symmetry.partition(":")
    kept, motion = elements(static), problem.motion
    for turn in kept:
        for state in sorted(set(life.dying.values())):
            cells = frozenset(cell for cell, now in life.dying.items() if now == state)
            if not _is_kept(problem, life, 0, turn, cells):
                yield f"generation 0 lacks the symmetry {static} in its dying cells: {turn}"
                return
    for t in range(problem.generations):
        for turn in kept:
            if not _is_kept(problem, life, t, turn, life.at(t)):
                yield f"generation {t} lacks the symmetry {static}: {turn}"
                return
    if not temporal or motion is None:
        return
    moving = [turn for turn in elements(temporal) if turn not in kept]
    parts = (len(elements(temporal)) + 1) // (len(kept) + 1)
    # A diagonal glide by an odd number of cells has its axis half a cell above the centre.
    above = bool(motion.dx % 2 and motion.dy % 2)
    for t in range(problem.generations):
        for turn in moving:
            share = _TURNS_IN_FOUR[turn] if parts == 4 else 1
            later = life.at(t + share * motion.period // parts)
            if life.carry(life.at(t), turn, (motion.dx, motion.dy), above) != later:
                yield f"generation {t} lacks the symmetry {problem.symmetry}: {turn}"
                return


def _is_kept(
    problem: Problem, life: Generations, t: int, turn: str, alive: frozenset[Cell]
) -> bool:
    image = life.carry(alive, turn, (0, 0))
    if problem.boundary != "free":
        return image == alive
    # Only cells that have their image in the box can be compared.
    box = life.boxes[t]
    cells = [(x, y) for y in range(box.y, box.bottom) for x in range(box.x, box.right)]
    seen = life.carry(cells, turn, (0, 0)) & frozenset(cells)
    return image & seen == alive & seen


def _known_complaints(problem: Problem, life: Generations) -> Iterator[str]:
    film = None
    if problem.known and problem.states > 2:
        from satlife.verifier.dying import simulate_states  # noqa: PLC0415 - as above

        film = simulate_states(problem, life)
    for known in problem.known:
        states = dict.fromkeys(life.at(known.t), 1) if film is None else film[known.t]
        for y, row in enumerate(known.rows, known.y):
            for x, letter in enumerate(row, known.x):
                is_asked = problem.boundary != "free" or (x, y) in life.boxes[known.t]
                if letter != "?" and is_asked and LETTERS.index(letter) != states.get((x, y), 0):
                    yield f"cell ({x}, {y}) of generation {known.t} is not as given"
                    return
    for link in problem.links:
        (x, y, t), (i, j, k) = link.first, link.second
        if (((x, y) in life.at(t)) == ((i, j) in life.at(k))) == link.opposite:
            yield f"cells {link.first} and {link.second} are not as linked"
