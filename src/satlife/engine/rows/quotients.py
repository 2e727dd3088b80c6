"""Problems as quotients: which the row engine accepts, and how rows become generations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd

import numpy as np

from satlife.errors import UsageError
from satlife.formula.classes import History
from satlife.life.motion import Motion
from satlife.life.symmetry import Symmetry
from satlife.life.transforms import Transform
from satlife.problem import Problem
from satlife.problem.constraints import FullPeriod, NotEmpty, PatternPeriod
from satlife.rows.quotient import TABLED, WIDEST, Fold, Quotient

_MIRROR, _DIAGONAL = Transform("flip-left-right"), Transform("flip-diagonal")


def reasons(problem: Problem) -> Iterator[tuple[bool, str]]:
    """Yield each limitation of the engine, with the remedy, and whether the problem meets it."""
    motion, symmetry = problem.motion, problem.parsed.symmetry
    north = motion is not None and motion.dx == 0 and motion.dy < 0
    diagonal = motion is not None and motion.dx == motion.dy < 0
    yield not (north or diagonal), "it finds ships that travel north or north-west"
    if motion is None or not (north or diagonal):
        return
    named = problem.known or problem.links or problem.exempt or problem.include_last
    yield problem.boundary != "dead" or bool(named), "it takes no given cells and no torus"
    yield not motion.only_shifts, "it takes motions that only shift"
    yield len(problem.boxes) > 1, "it takes one box for all generations"
    yield from _shape_reasons(problem, motion, symmetry)
    yield problem.has_open_rule, f"it needs one rule, and {problem.rule} is a set of rules"
    if problem.has_open_rule:
        return
    rule = problem.parsed.rule
    yield rule.states > 2, "it takes rules of two states"
    if rule.states > 2:
        return
    yield bool(rule.table[0]), "it takes rules without births from nothing"
    folded, mirror = len(symmetry.full_group) > 1, _DIAGONAL if motion.dx else _MIRROR
    name = "diagonal" if motion.dx else "left-right"
    yield folded and mirror not in rule.symmetries, f"{rule} has no {name} mirror symmetry"
    filled = NotEmpty | FullPeriod | PatternPeriod
    bounds = [
        each for each in problem.constraints if not (isinstance(each, filled) or each.clears_axes)
    ]
    yield bool(bounds), f"it takes no bounds ({', '.join(map(str, bounds))})"
    excludes_empty = any(isinstance(each, filled) for each in problem.constraints)
    yield not excludes_empty, "it finds patterns that are not empty, and an empty one would do here"


def check_rows(problem: Problem) -> None:
    """Raise :class:`~satlife.errors.UsageError` if the engine cannot take a problem."""
    why = next((why for wrong, why in reasons(problem) if wrong), None)
    if why is not None:
        raise UsageError(f"the engine rows does not take {problem.boxes[0]}: {why}")


def _shape_reasons(
    problem: Problem, motion: Motion, symmetry: Symmetry
) -> Iterator[tuple[bool, str]]:
    """Yield reasons that concern speed, symmetry and width."""
    k, p = -motion.dy, motion.period
    if motion.dx:
        fits = symmetry.factor == 1 and symmetry.group <= {Transform("identity"), _DIAGONAL}
        yield not fits, f"of diagonal ships it takes the symmetries C1 and D2\\, not {symmetry}"
    else:
        yield (
            not symmetry.full_group <= {Transform("identity"), _MIRROR},
            f"it takes the symmetries C1, D2| and C1:D2|, not {symmetry}",
        )
    yield p <= k, "it takes speeds below the speed of light"
    divisor = gcd(k, p) // symmetry.factor
    yield (
        divisor > 1 and symmetry.factor > 1,
        f"{k} and {p} have the common divisor {gcd(k, p)}, and half of a glide may have none",
    )
    _, width = _fold(problem)
    cells = width * (divisor if symmetry.factor == 1 else 1)
    most = TABLED if symmetry.factor > 1 else WIDEST
    yield (
        cells > most,
        f"rows of {cells} free cells are too wide, {most} is the most"
        + (f" (at {k}c/{p} it searches {divisor} rows at once)" if cells > width else "")
        + (f" (D2{'b' if motion.dx else 'v'} halves them)" * (len(symmetry.full_group) == 1)),
    )


def _fold(problem: Problem) -> tuple[Fold, int]:
    """Return the folding and the free cells of a row; of a diagonal ship, one for each diagonal."""
    width = problem.width
    if problem.motion is not None and problem.motion.dx and not problem.has_open_height:
        width += problem.all_boxes[0].height - 1
    if len(problem.parsed.symmetry.group) == 1:
        return "none", width
    if problem.has_gutter:
        return "gutter", width // 2
    return ("odd" if width % 2 else "even"), (width + 1) // 2


def make_quotient(problem: Problem) -> Quotient:
    """Return the quotient of a problem."""
    motion, symmetry = problem.motion, problem.parsed.symmetry
    if motion is None:
        raise UsageError("the engine rows finds ships")
    fold, width = _fold(problem)
    divisor = gcd(motion.period, motion.dy)
    return Quotient(
        width=width,
        period=motion.period // divisor,
        step=-motion.dy // divisor,
        table=problem.parsed.rule.table.tobytes(),
        fold=fold,
        glide=symmetry.factor > 1,
        slanted=motion.dx != 0,
        lanes=divisor // symmetry.factor,
        any_period=not any(
            isinstance(each, FullPeriod | PatternPeriod) for each in problem.constraints
        ),
    )


def find_longest(quotient: Quotient, height: int) -> int:
    """Return the maximum number of rows of a ship in a box of this height."""
    height = quotient.full_width // 2 + 1 if quotient.slanted else height
    return quotient.period * height + quotient.step * quotient.generations


def fit(quotient: Quotient, ship: Sequence[int], width: int, height: int | None) -> History | None:
    """Return the generations in the smallest box, or a box of this height; None if too small.

    The smallest box of a diagonal ship is a square.
    """
    best: History | None = None
    for late in range(quotient.period):
        _, frames = quotient.unfold((0,) * late + tuple(ship))
        filled = np.flatnonzero(np.any([frame.any(axis=1) for frame in frames], axis=0))
        cut = tuple(frame[filled[0] : filled[-1] + 1] for frame in frames)
        if quotient.slanted:
            columns = np.flatnonzero(np.any([frame.any(axis=0) for frame in cut], axis=0))
            across, side = int(columns[-1] - columns[0]) + 1, len(cut[0])
            if height is not None and across > width:
                continue
            cut = tuple(frame[:, columns[0] : columns[-1] + 1] for frame in cut)
            wide, high = (width, side) if height is not None else [max(across, side)] * 2
            cut = tuple(np.pad(cells, ((0, high - side), (0, wide - across))) for cells in cut)
        if best is None or len(cut[0]) < len(best[0]):
            best = cut
    if best is None or height is None:
        return best
    rows = height - len(best[0])
    return None if rows < 0 else tuple(np.pad(cells, ((0, rows), (0, 0))) for cells in best)


def find_key(problem: Problem, history: History) -> tuple[int, bytes]:
    """Return a key equal for all phases, shifts and, if the rule allows, reflections of a ship."""
    diagonal = problem.motion is not None and problem.motion.dx
    mirror = _DIAGONAL if diagonal else _MIRROR
    mirrored = mirror in problem.parsed.rule.symmetries
    keys = []
    for cells in history:
        rows, columns = (np.flatnonzero(cells.any(axis=axis)) for axis in (1, 0))
        least = cells[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        images = [least]
        if mirrored:
            images.append(least.T if diagonal else least[:, ::-1])
        keys += [(len(image), image.tobytes()) for image in images]
    return min(keys)
