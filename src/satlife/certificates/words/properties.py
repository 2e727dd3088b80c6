"""The properties that a problem requires, in complete words, and those that it does not exclude.

Everything here is derived from the problem alone.  Two problems with the same words have the same
solutions: that is what makes the words of a certificate trustworthy, and a test checks it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import groupby
from math import gcd

from satlife.audit.formula import SYMMETRIES, Map, find_maps
from satlife.kinds import kind_of
from satlife.life import Box, Rule
from satlife.life.motion import Motion
from satlife.life.rulespaces import RuleSpace, read_rules
from satlife.problem import Link, Problem
from satlife.problem.constraints import (
    Bound,
    Constraint,
    FullPeriod,
    NotEmpty,
    PatternPeriod,
)
from satlife.problem.statement import LETTERS
from satlife.problem.words import count_words


def name_solutions(problem: Problem) -> str:
    """Return the name of the wanted patterns for a statement's title, without an article.

    >>> from satlife.kinds import oscillator
    >>> name_solutions(oscillator(3, box="6x6"))
    'oscillator of period 3'
    """
    motion = problem.motion
    if motion is None or not motion.only_shifts:
        return f"such {kind_of(problem).noun}"
    # A p2 beside a p3 has period 6, and no cell that has; such a pattern is not what is asked for.
    cell = any(isinstance(each, FullPeriod) for each in problem.constraints)
    mixed = "with a cell " if cell and has_several_roots(problem) else ""
    also = _name_others(problem, motion)
    if motion.dx or motion.dy:
        return f"ship {mixed}of speed {motion} going {name_direction(motion.dx, motion.dy)}{also}"
    if motion.period == 1:
        return f"still life{also}"
    return f"oscillator {mixed}of period {motion.period}{also}"


def _name_others(problem: Problem, motion: Motion) -> str:
    """Return the degenerate patterns that no constraint excludes, in words.

    >>> from satlife.kinds import oscillator
    >>> from msgspec.structs import replace
    >>> name_solutions(replace(oscillator(7, box="3x3"), constraints=()))
    'oscillator of period 7 (or of a smaller period, or nothing at all)'
    """
    moves = bool(motion.dx or motion.dy)
    can_be_shorter = gcd(motion.period, motion.dx, motion.dy) > 1 if moves else motion.period > 1
    periods = [each for each in problem.constraints if isinstance(each, FullPeriod | PatternPeriod)]
    others = [] if periods or not can_be_shorter else ["of a smaller period"]
    is_alive = (
        (bool(periods) and motion.period > 1)
        or any(isinstance(each, NotEmpty) for each in problem.constraints)
        or any(
            # Nothing at all may differ from a drawing; in a background, something does.
            isinstance(each, Bound) and each.least and (problem.background or not each.drawn_as)
            for each in problem.constraints
        )
        or any(known.alive for known in problem.known)
    )
    others += [] if is_alive else ["nothing at all"]
    return f" (or {', or '.join(others)})" if others else ""


def has_several_roots(problem: Problem) -> bool:
    """Whether patterns of different smaller motions can together have the whole motion."""
    motion = problem.motion
    if motion is None or not motion.only_shifts:
        return False
    common = gcd(motion.period, motion.dx, motion.dy)
    primes = [
        q for q in range(2, common + 1) if common % q == 0 and all(q % d for d in range(2, q))
    ]
    return len(primes) > 1


def name_direction(dx: int, dy: int) -> str:
    """Return the direction of a nonzero move.

    >>> name_direction(0, -1), name_direction(2, 2), name_direction(-1, -2)
    ('north', 'south-east', 'by (-1, -2)')
    """
    if dx and dy and abs(dx) != abs(dy):
        return f"by ({dx}, {dy})"
    upright = "south" if dy > 0 else "north" if dy else ""
    level = "east" if dx > 0 else "west" if dx else ""
    return "-".join(filter(None, [upright, level]))


def properties(problem: Problem) -> Iterator[str]:
    """Yield every required property, one at a time."""
    yield _rule_words(read_rules(problem.rule))
    yield from _slow_words(problem)
    yield _space_words(problem)
    yield from _motion_words(problem)
    yield from _symmetry_words(problem)
    for known in problem.known:
        cells = sum(state != "?" for row in known.rows for state in row)
        yield (
            f"**Given cells.** {count_words(cells, 'cell')} of generation {known.t} as drawn: "
            f"`o` alive, `.` dead,{_dying_letters(problem)} `?` not given."
        )
    for words, links in _group_links(problem):
        places = _list_places([link.first[:2] for link in links])
        yield f"**Linked cells.** {words}: {places}."
    for t in sorted({t for _, _, t in problem.exempt}):
        places = _list_places([(x, y) for x, y, u in problem.exempt if u == t])
        yield (
            f"**Exempt cells.** These cells of generation {t} need not follow from generation "
            f"{t - 1}: {places}."
        )
    for name, constraint in name_drawings(problem):
        which = f" It is {name}." if name else ""
        yield f"**Condition.** {_condition_words(problem, constraint)}{which}"


def name_drawings(problem: Problem) -> Iterator[tuple[str, Constraint]]:
    """Yield every constraint; drawn ones have a name such as "drawing 1"."""
    numbers: Counter[str] = Counter()
    for constraint in problem.constraints:
        numbers[constraint.drawn_as] += 1
        name = f"{constraint.drawn_as} {numbers[constraint.drawn_as]}"
        yield name if constraint.drawn_as else "", constraint


def _condition_words(problem: Problem, constraint: Constraint) -> str:
    words = f"{str(constraint)[0].upper()}{str(constraint)[1:]}."
    if lacked := constraint.excluded_symmetry:
        turns = ", ".join(TURN_WORDS[turn] for turn in SYMMETRIES[lacked][1:])
        return f"{words} That is: about no centre does each of these leave it as it is: {turns}."
    if isinstance(constraint, FullPeriod | PatternPeriod):
        earlier = _earlier_returns(problem)
        if not earlier:  # no smaller period is excluded, so none is mentioned
            return f"{str(NotEmpty()).capitalize()}."
        if isinstance(constraint, FullPeriod):
            each = (f"not what {there} is {lag} later" for lag, there in earlier)
            return f"{words} That is: there is one cell that is, at some time, " + (
                f"{' and, at some time, '.join(each)}."
            )
        each = (f"some cell is not what {there} is {lag} later" for lag, there in earlier)
        last = problem.states - 2  # these generations determine the states of all cells
        when = f"in one of the generations 0 to {last}" if last else "in generation 0"
        return f"{words} That is: {when}, {' and '.join(each)}."
    return words + constraint.note(problem)


def _earlier_returns(problem: Problem) -> list[tuple[str, str]]:
    """Return the excluded earlier returns of the pattern: how much earlier, and where."""
    motion = problem.motion
    if motion is None or not motion.only_shifts:
        return []
    p, dx, dy = motion.period, motion.dx, motion.dy
    slow = problem.slow_rule
    beats = 2 if slow and slow.is_strobing else 1
    parts = [q for q in range(2, p + 1) if p % (q * beats) == dx % q == dy % q == 0]
    return [
        (
            count_words(p // q, "generation"),
            f"the cell {_move_words(dx // q, dy // q)} from it" if dx or dy else "it",
        )
        for q in parts
    ]


def _rule_words(rule: Rule | RuleSpace) -> str:
    if isinstance(rule, RuleSpace):
        return (
            f"**Rule.** Each generation follows from the one before by one and the same rule of "
            f"{rule}, a set of {count_rules(rule)}: {', '.join(rule.free)} may be on or off."
        )
    if rule.births is None or rule.survivals is None:
        return f"**Rule.** Each generation follows from the one before by the rule {rule}."
    born, stays = (_list_numbers(counts) for counts in (rule.births, rule.survivals))
    around = " live neighbours of its eight"
    births = f"a dead cell with {born}{around} becomes alive" if born else "no cell becomes alive"
    again = "" if born else around
    survivals = f"a live cell with {stays}{again} stays alive" if stays else "no cell stays alive"
    return (
        f"**Rule.** Each generation follows from the one before by {rule}: {births}, {survivals}, "
        "all other cells are dead."
    )


def _slow_words(problem: Problem) -> Iterator[str]:
    """Yield the meaning of a rule with dying cells or a strobing background."""
    rule = problem.slow_rule
    if rule is not None and rule.is_strobing:
        yield (
            "**Background.** Far away, all cells are dead in even generations and alive in odd "
            "ones. In drawings, and in all that follows, a cell is called alive if it differs from "
            "that background, and dead if it does not."
        )
    if rule is not None and rule.states > 2:
        dying = count_words(rule.states - 2, "generation")
        yield (
            f"**Dying cells.** A live cell that does not stay alive is dying for {dying}: it does "
            "not count as alive, and it cannot become alive before it is dead. Cells may be dying "
            "outside the boxes of live cells."
        )
        if problem.motion is None:
            yield (
                "**Generation 0.** Each cell of its box may be dead, alive, or dying in any way; "
                "outside, none is dying."
            )


def _dying_letters(problem: Problem) -> str:
    """Return the letters of dying cells, if there are any."""
    letters = LETTERS[2 : problem.states]
    return f" {', '.join(f'`{letter}`' for letter in letters)} dying;" if letters else ""


def count_rules(space: RuleSpace) -> str:
    """Return the number of rules in words."""
    free = len(space.places)
    return f"{space.size:,} rules" if free < 30 else f"2^{free} rules"


def _list_numbers(counts: Collection[int]) -> str:
    *others, last = [str(n) for n in sorted(counts)] or [""]
    return " or ".join(filter(None, [", ".join(others), last]))


def _space_words(problem: Problem) -> str:
    last = problem.generations - 1
    if problem.has_slanted_width:
        is_diagonal = problem.shear == 1
        lines = "diagonals" if is_diagonal else "lines along the motion"
        number = "x - y" if is_diagonal else f"y - {problem.shear}x"
        return (
            f"**Space.** For the live cells (x, y) of generations 0 to {last}, "
            f"{number} is one of {problem.width} successive numbers: they lie on {problem.width} "
            f"{lines}, of any length. Every other cell is dead in these generations."
        )
    if problem.has_open_height:
        return (
            f"**Space.** Generations 0 to {last} lie in one box of {problem.width} columns and any "
            "number of rows. Every cell outside is dead in these generations."
        )
    boxes = problem.all_boxes
    if problem.boundary == "torus":
        down, right = problem.wrap
        twist = f"; the copy to the right of the box lies {down} rows lower" if down else ""
        twist += f"; the copy below the box lies {right} columns further right" if right else ""
        return f"**Space.** A torus: one box, {_box_words(boxes[0])}, that repeats{twist}."
    when = "Generation 0 lies" if last == 0 else f"Generations 0 to {last} lie"
    if len(set(boxes)) == 1:
        where = f"{when} in one box, {_box_words(boxes[0])}."
    else:
        where = f"There is a box for each generation: {'; '.join(_run_words(boxes))}."
    outside = {
        "dead": f"Every cell outside is dead in {'these generations' if last else 'it'}.",
        "free": "Cells outside are unconstrained: a cell must follow by the rule only where all of "
        "its neighbours lie in the box of the generation before, and only the cells of the boxes "
        "are counted.",
        "agar": "Every cell outside is as in the background drawn below, which repeats over the "
        "whole plane in generation 0 and follows by the rule. Only the cells of the box are "
        "counted and compared.",
    }[problem.boundary]
    return f"**Space.** {where} {outside}"


def _run_words(boxes: tuple[Box, ...]) -> Iterator[str]:
    """Yield the boxes of the generations; consecutive ones with the same box together."""
    for box, same in groupby(range(len(boxes)), key=boxes.__getitem__):
        first, *rest = same
        which = f"generations {first} to {rest[-1]}" if rest else f"generation {first}"
        yield f"{which} in a box {_box_words(box)}"


def box_size(box: Box) -> str:
    """Return the size of a box, as ``6×6``."""
    return f"{box.width}×{box.height}"


def _box_words(box: Box) -> str:
    columns, rows = (
        f"{name}s {first} to {first + count - 1}" if count > 1 else f"{name} {first}"
        for name, first, count in (("column", box.x, box.width), ("row", box.y, box.height))
    )
    return f"{box.width} wide and {box.height} high ({columns}, {rows})"


def _motion_words(problem: Problem) -> Iterator[str]:
    motion = problem.motion
    if motion is None:
        if problem.steps:
            yield f"**Time.** There are the generations 0 to {problem.steps}."
        return
    moved = f", moved {_move_words(motion.dx, motion.dy)}" if motion.dx or motion.dy else ""
    turned = ""
    if not motion.only_shifts:
        turn = TURN_WORDS[motion.transform]
        turned = f", after {turn} about the centre of the {_first(problem)}box"
    inside = f" and lies in the {_first(problem)}box" if problem.include_last else ""
    yield f"**Motion.** Generation {motion.period} is generation 0{moved}{turned}{inside}."


def _move_words(dx: int, dy: int) -> str:
    """Return a nonzero move, as ``2 cells right and 1 up``.

    >>> _move_words(2, -1), _move_words(0, 1)
    ('2 cells right and 1 up', '1 cell down')
    """
    level = [(abs(dx), "right" if dx > 0 else "left")] if dx else []
    steps = [*level, *([(abs(dy), "down" if dy > 0 else "up")] if dy else [])]
    (first, way), *rest = steps
    return " and ".join([f"{count_words(first, 'cell')} {way}", *(f"{n} {w}" for n, w in rest)])


def _first(problem: Problem) -> str:
    return "first " if len(problem.boxes) > 1 else ""


TURN_WORDS = {
    "half-turn": "a half-turn",
    "quarter-turn-clockwise": "a clockwise quarter-turn",
    "quarter-turn-anticlockwise": "an anticlockwise quarter-turn",
    "flip-left-right": "a left-right flip",
    "flip-top-bottom": "a top-bottom flip",
    "flip-diagonal": "a flip across the diagonal \\",
    "flip-antidiagonal": "a flip across the diagonal /",
}


def _symmetry_words(problem: Problem) -> Iterator[str]:
    """Yield the requirements of the symmetry, from the maps of the audit formula itself."""
    if problem.symmetry == "C1":
        return
    maps = [g for words, g in find_maps(problem) if words.startswith("symmetry")]
    name = f"**Symmetry {problem.symmetry}**, about the centre of the {_first(problem)}box."
    kept = [TURN_WORDS[g.turn] for g in maps if not g.dt]
    if kept:
        inside = " (where cell and image both lie in the box)" * (problem.boundary == "free")
        name += f" Each of these leaves every generation as it is{inside}: {', '.join(kept)}."
    for g in maps:
        if g.dt:
            name += f" {_glide_words(problem, g)}"
    yield name


def _glide_words(problem: Problem, g: Map) -> str:
    """Return the words of a map forward in time; an odd diagonal glide names its axis."""
    motion = problem.motion
    odd = motion is not None and motion.dx % 2 and motion.dy % 2
    where = " through the point half a cell above the centre" if odd else ""
    moved = ""
    if motion is not None and (motion.dx or motion.dy):
        moved = f" and a move by half of ({motion.dx}, {motion.dy}) along its axis"
    return (
        f"Every generation, after {TURN_WORDS[g.turn]}{where}{moved}, is the one "
        f"{count_words(g.dt, 'generation')} later."
    )


def _group_links(problem: Problem) -> Iterator[tuple[str, list[Link]]]:
    groups: dict[tuple[int, int, int, int, bool], list[Link]] = {}
    for link in problem.links:
        (x, y, t), (x2, y2, t2) = link.first, link.second
        groups.setdefault((t, t2, x2 - x, y2 - y, link.opposite), []).append(link)
    for (t, t2, dx, dy, opposite), links in groups.items():
        same = "are the opposite of" if opposite else "are the same as"
        shift = f", {_move_words(dx, dy)} from them" if dx or dy else ""
        yield f"These cells of generation {t} {same} those of generation {t2}{shift}", links


def _list_places(places: list[tuple[int, int]]) -> str:
    """Write runs of cells in a row as ``(3..9, 4)``."""
    runs: list[list[int]] = []  # y, first x, last x
    for x, y in sorted(places, key=lambda place: place[::-1]):
        if runs and runs[-1][0] == y and runs[-1][2] == x - 1:
            runs[-1][2] = x
        else:
            runs.append([y, x, x])
    return ", ".join(f"({a if a == b else f'{a}..{b}'}, {y})" for y, a, b in runs)


def limits(problem: Problem) -> Iterator[str]:
    """Yield the patterns that a reader may wrongly think excluded."""
    if problem.boundary == "dead":
        yield "Patterns with a phase that leaves the box are not excluded."
    if problem.boundary == "agar":
        yield "Patterns that change cells outside the box are not excluded."
        yield "Patterns in other backgrounds, or elsewhere in this one, are not excluded."
    if problem.boundary == "torus":
        yield "Patterns on other tori, and those that are not repeated, are not excluded."
    motion = problem.motion
    moves = motion is not None and (motion.dx, motion.dy, motion.transform) != (0, 0, "identity")
    if motion is not None and moves and not problem.include_last and problem.boundary == "dead":
        yield f"It is not asked that generation {motion.period} lies in the box."
    if problem.symmetry != "C1":
        yield "Patterns without this symmetry, or with another centre, are not excluded."
    kinds = {type(constraint) for constraint in problem.constraints}
    if FullPeriod in kinds and has_several_roots(problem):
        yield (
            "Patterns whose cells all have smaller periods, though the whole has this one, are not "
            "excluded (an oscillator of period 2 beside one of period 3 has period 6)."
        )
    if not kinds & {NotEmpty, FullPeriod, PatternPeriod} and not problem.known:
        yield "The empty pattern is not excluded by a condition of its own."
    yield "Nothing is said of other rules."
