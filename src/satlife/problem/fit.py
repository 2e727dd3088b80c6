"""Whether the parts of a problem fit each other: symmetry, motion, torus and named cells.

A problem that does not fit is refused when it is made, with the nearest right choice, so that the
encoder, the verifier and the audit need not agree on what nonsense would mean.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from satlife.errors import RuleError, UsageError
from satlife.life.box import Box
from satlife.life.cells import Cells
from satlife.life.motion import Motion
from satlife.life.rule import Rule
from satlife.life.symmetry import Symmetry, needs_square
from satlife.life.torus import Torus
from satlife.life.transforms import IDENTITY, Transform
from satlife.problem.background import look, make_film
from satlife.problem.statement import LETTERS, Statement

MOST_DRAWN: Final = len(LETTERS)
"""States that known cells have letters for."""


def check_rule(rule: Rule) -> Rule:
    """Return a rule that searches can take; raise :class:`~satlife.errors.RuleError` for others."""
    if rule.table[0] and not rule.is_strobing:
        other = Rule.from_table(rule.phases[0].table)
        raise RuleError(
            f"search does not support rules with B0 yet: {rule}. Its background is alive, and the "
            f"cells that differ from it live by {other}: search in {other}"
        )
    return rule


def check_fit(problem: Statement) -> None:
    """Raise :class:`~satlife.errors.UsageError` unless the parts of the problem fit each other."""
    _check_slow_rule(problem)
    box, moved = problem.all_boxes[0], problem.motion
    symmetry, turn = problem.parsed.symmetry, Transform(moved.transform if moved else "identity")
    check_symmetry(symmetry, box, moved)
    if symmetry.time_operation and turn != Transform("identity"):
        raise UsageError(f"{symmetry} has a time operation; it needs a motion that only shifts")
    if turn.swaps_axes and (box.width - box.height) % 2:
        raise UsageError(f"a {turn} about the centre of a {box} box misses the cells")
    _check_boundary(problem)
    _check_background(problem)
    for each in problem.constraints:
        each.check(problem, box)
    if problem.boundary == "torus":
        torus = Torus(box.width, box.height, *problem.wrap)
        for name, turns in ((str(symmetry), symmetry.full_group), (f"a {turn}", {turn})):
            if not all(map(torus.is_kept_by, turns)):
                raise UsageError(f"{name} does not map this torus onto itself")


def _check_slow_rule(problem: Statement) -> None:
    """Raise if dying cells or a strobing background contradict the rest of the problem."""
    rule, motion = problem.slow_rule, problem.motion
    if rule is None:
        return
    if motion is None and rule.is_strobing:
        why = "what is searched must come back: an oscillator or a ship"
    elif rule.states > MOST_DRAWN and (motion is None or problem.known):
        why = f"states have letters up to {MOST_DRAWN - 1}"
    elif problem.links:
        why = "cells cannot be linked"
    elif refusals := [each.slow_refusal for each in problem.constraints if each.slow_refusal]:
        why = refusals[0]
    elif problem.exempt:
        why = "every cell must follow by the rule"
    elif motion is None and not _is_determined(problem):
        why = "with a free outside each box must lie inside the one before, a cell from its edge"
    elif motion is None:
        return
    elif not motion.only_shifts:
        why = "a motion can only shift the pattern, not turn it"
    elif rule.states > 2 and problem.boundary == "torus" and (motion.dx or motion.dy):
        why = "nothing moves on a torus; leave the displacement out"
    elif rule.is_strobing and motion.period % 2:
        raise RuleError(
            f"the background of {rule} flashes, so every pattern comes back after an even number "
            f"of generations; got the period {motion.period}, use {2 * motion.period}"
        )
    else:
        return
    what = "a rule with dying cells" if rule.states > 2 else "a rule with a strobing background"
    raise RuleError(f"in {what} ({rule}), {why}; more is not supported yet")


def _is_determined(problem: Statement) -> bool:
    """Whether generation 0 determines all cells of the others."""
    inner = [box.grow(-1) if min(box.width, box.height) > 2 else None for box in problem.all_boxes]
    later = problem.all_boxes[1:]
    boxes = zip(inner, later, strict=False)
    return problem.boundary != "free" or all(big and big.contains_box(box) for big, box in boxes)


def check_open(problem: Statement) -> None:
    """Raise unless the problem makes sense in a box of open height: a motion, and rows kept."""
    symmetry = problem.parsed.symmetry
    for wrong, words in (
        (len(problem.boxes) > 1, "a box of open height is the only one, for all generations"),
        (problem.width < 1, f"the box {problem.boxes[0]} has no cells"),
        (problem.motion is None, "an open height needs a motion; give a period or a speed"),
        (problem.boundary != "dead", "an open height needs an outside that is dead"),
        (problem.include_last, "an open height holds every generation; leave include_last out"),
        (
            problem.links or problem.exempt,
            "cells cannot be linked, or exempt from the rule, where the height is open",
        ),
        (
            problem.known and problem.has_slanted_width,
            "cells cannot be given by their place where the width counts lines along the motion",
        ),
    ):
        if wrong:
            raise UsageError(words)
    moved, slanted = problem.motion, problem.has_slanted_width
    mirror = Transform("flip-diagonal" if slanted else "flip-left-right")
    if moved is not None:
        _check_moves(symmetry, moved.displacement)
    if not symmetry.full_group <= {IDENTITY, mirror} or (slanted and symmetry.factor > 1):
        fitting = "C1 or D2\\" if slanted else "C1, D2| or C1:D2|"
        raise UsageError(f"{symmetry} needs a height; with an open height it may be {fitting}")
    if slanted and len(symmetry.group) > 1 and problem.width % 2 == 0:
        raise UsageError(
            f"a ship with the mirror {symmetry} meets an odd number of diagonals; "
            f"write {problem.width - 1}x* or {problem.width + 1}x*"
        )
    _check_slow_rule(problem)
    if moved is not None:
        if not moved.only_shifts:
            raise UsageError("an open height needs a motion that only shifts")
        stand_in = Box(0, 0, problem.width, problem.width)  # rows are kept: any height fits
        check_symmetry(symmetry, stand_in, moved)
        for each in problem.constraints:
            each.check(problem, stand_in)


def check_made(problem: Statement) -> None:
    """Raise if a field is given that means nothing: then one question would have several names.

    Earlier versions took such a problem, so one that is read from a ledger or a certificate may
    have these fields, and keeps its name.
    """
    for name in ("background", "wrap"):
        if any(getattr(problem, name)) and problem.has_open_height:
            raise UsageError(f"with an open height, all outside is dead; leave {name} out")


def check_symmetry(symmetry: Symmetry, box: Box, motion: Motion | None) -> None:
    """Raise unless the box and the motion fit the symmetry; the message says what would."""
    symmetry.check(box)
    displacement = motion.displacement if motion else (0, 0)
    _check_moves(symmetry, displacement)
    k = symmetry.factor
    if k == 1:
        return
    if motion is None:
        raise UsageError(f"{symmetry} has a time operation, so it needs a period")
    if motion.period % k:
        raise UsageError(
            f"{symmetry} needs a period that {k} divides, got {motion.period}: "
            f"it is {symmetry.describe()}"
        )
    if not needs_square(symmetry.full_group) and any(part % k for part in displacement):
        raise UsageError(
            f"a glide of {symmetry} moves 1/{k} of the displacement, so {k} must divide it; "
            f"got {displacement}"
        )


def _check_moves(symmetry: Symmetry, displacement: tuple[int, int]) -> None:
    """Raise unless a pattern with this symmetry can move so."""
    for name, group in ((symmetry.static, symmetry.group), (str(symmetry), symmetry.full_group)):
        if any(g.apply_to_point(*displacement) != displacement for g in group):
            raise UsageError(_cannot_move(name, displacement))


def _check_boundary(problem: Statement) -> None:
    torus, moves = problem.boundary == "torus", problem.motion is not None
    refusals = (each.refusals.get(problem.boundary) for each in problem.constraints)
    for wrong, words in (
        (torus and len(problem.boxes) > 1, "a torus has one box for all generations"),
        (torus and all(problem.wrap), "a torus can be twisted one way only"),
        (torus and problem.include_last, "nothing leaves a torus, so include_last says nothing"),
        (any(problem.wrap) and not torus, "only a torus is twisted: wrap needs boundary torus"),
        *((True, words) for words in refusals if words),
        (problem.include_last and not moves, "include_last needs a motion"),
        (problem.boundary == "free" and moves, "a motion needs an outside that is dead"),
        (torus and _strays(problem), "on a torus cells are named by their place in the box"),
        (
            problem.boundary == "free" and not moves and _strays(problem),
            "a known or linked cell lies outside the boxes, where nothing is asked of any cell",
        ),
    ):
        if wrong:
            raise UsageError(words)


def _check_background(problem: Statement) -> None:
    """Raise if a constraint is refused with a background, or the background with the motion."""
    agar, motion, symmetry = problem.boundary == "agar", problem.motion, problem.parsed.symmetry
    if agar != bool(problem.background):
        raise UsageError("a background is for boundary agar, and for nothing else")
    if not agar:
        return
    still = motion is None or (motion.dx, motion.dy, motion.transform) == (0, 0, "identity")
    for wrong, words in (
        (
            problem.has_open_rule,
            f"a background needs one rule, and {problem.rule} is a set of rules",
        ),
        (problem.slow_rule is not None, f"a background is not supported in {problem.rule} yet"),
        (len(problem.boxes) > 1, "with a background, there is one box for all generations"),
        (not still, "with a background, nothing moves: ask for a still life or an oscillator"),
        (problem.include_last, "with a background, include_last says nothing"),
        (symmetry.factor > 1, f"{symmetry} has a time operation, which no background has here"),
        (_strays(problem), "a known or linked cell lies outside the box, in the background"),
    ):
        if wrong:
            raise UsageError(words)
    film = make_film(problem.background, problem.rule, problem.steps)
    if motion is not None and not np.array_equal(film[0], film[-1]):
        raise UsageError(
            f"the background is not itself again after {motion.period} "
            f"generation{'s' if motion.period > 1 else ''}, so nothing in it is"
        )
    box = problem.all_boxes[0]
    for turn in symmetry.group:
        if not all(keeps_background(tile, turn, box) for tile in film):
            raise UsageError(f"the background does not have the symmetry {symmetry} about {box}")


def keeps_background(tile: Cells, turn: Transform, box: Box) -> bool:
    """Whether a repeated tile is the same after a turn about the centre of a box."""
    height, width = tile.shape
    if turn.swaps_axes and width != height:  # it is the smallest tile, so no other would do
        return False
    u, v = 2 * box.x + box.width - 1, 2 * box.y + box.height - 1
    y, x = np.mgrid[:height, :width]
    i, j = turn.apply_to_point(2 * x - u, 2 * y - v)
    if np.any((i + u) % 2) or np.any((j + v) % 2):
        return False
    return np.array_equal(look(tile, x, y), look(tile, (i + u) // 2, (j + v) // 2))


def _strays(problem: Statement) -> bool:
    """Whether a known or linked cell (on a torus any named cell) lies outside the boxes."""
    torus = problem.boundary == "torus"
    named = [place for link in problem.links for place in (link.first, link.second)]
    if torus:
        drawings = (cells for each in problem.constraints for cells in each.drawings)
        named += [*problem.exempt, *(place for cells in drawings for place, _ in cells)]
    for known in problem.known:
        if known.rows:
            right, bottom = known.x + max(map(len, known.rows)) - 1, known.y + len(known.rows) - 1
            named += [(known.x, known.y, known.t), (right, bottom, known.t)]
    boxes = problem.all_boxes
    return any((x, y) not in boxes[0 if torus else t % len(boxes)] for x, y, t in named)


def _cannot_move(name: str, displacement: tuple[int, int]) -> str:
    dx, dy = displacement
    if dx == dy:
        where, fitting = "diagonally", "C1, D2\\ or C1:D2\\"
    elif dx == -dy:
        where, fitting = "diagonally", "C1, D2/ or C1:D2/"
    elif not dx:
        where, fitting = "north or south", "C1, D2|, C1:D2|"
    elif not dy:
        where, fitting = "west or east", "C1, D2-, C1:D2-"
    else:
        where, fitting = "obliquely", "C1 only"
    return f"a pattern with symmetry {name} cannot move {where}; it may have {fitting}"
