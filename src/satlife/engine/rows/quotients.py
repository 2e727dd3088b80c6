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
from satlife.problem.constraints import FullPeriod, NotEmpty, PatternPeriod, Population
from satlife.problem.statement import Condition
from satlife.rows.conditions import GREATEST_LIMIT, NO_LIMIT, Given, Limits
from satlife.rows.quotient import MOST_SHEAR, TABLED, WIDEST, Fold, Quotient

_NEVER = Given(alive=1)
"""Of no row."""
_FILLED = NotEmpty | FullPeriod | PatternPeriod
_MIRROR, _DIAGONAL = Transform("flip-left-right"), Transform("flip-diagonal")


def reasons(problem: Problem) -> Iterator[tuple[bool, str]]:
    """Yield each limitation of the engine, with the remedy, and whether the problem meets it."""
    motion, symmetry = problem.motion, problem.parsed.symmetry
    if motion is not None and motion.is_still and problem.has_open_height:
        yield (
            True,
            "it finds ships; the engine strips finds oscillators of any height, without a "
            "certificate",
        )
        return
    if motion is None or motion.dy >= 0 or motion.dx > 0:
        yield True, "it finds ships that travel north or north-west"
        return
    yield from _oblique_reasons(problem, motion)
    is_given = bool(problem.known) and not problem.has_open_height
    named = is_given or problem.links or problem.exempt or problem.include_last
    yield problem.boundary != "dead" or bool(named), "it takes no given cells and no torus"
    yield not motion.only_shifts, "it takes motions that only shift"
    yield len(problem.boxes) > 1, "it takes one box for all generations"
    yield from _shape_reasons(problem, motion, symmetry)
    yield from rule_reasons(problem)
    yield from _bound_reasons(problem)


def rule_reasons(problem: Problem) -> Iterator[tuple[bool, str]]:
    """Yield reasons that concern the rule, and whether an empty pattern would do."""
    motion, symmetry = problem.motion, problem.parsed.symmetry
    yield problem.has_open_rule, f"it needs one rule, and {problem.rule} is a set of rules"
    if problem.has_open_rule:
        return
    rule = problem.parsed.rule
    yield rule.states > 2, "it takes rules of two states"
    if rule.states > 2:
        return
    yield bool(rule.table[0]), "it takes rules without births from nothing"
    is_diagonal = motion is not None and motion.dx != 0
    mirror, name = (_DIAGONAL, "diagonal") if is_diagonal else (_MIRROR, "left-right")
    folded = len(symmetry.full_group) > 1
    yield folded and mirror not in rule.symmetries, f"{rule} has no {name} mirror symmetry"
    excludes_empty = any(isinstance(each, _FILLED) for each in problem.constraints)
    yield not excludes_empty, "it finds patterns that are not empty, and an empty one would do here"


def _bound_reasons(problem: Problem) -> Iterator[tuple[bool, str]]:
    """Yield reasons that concern bounds; where the height is open, cells may be at most so many."""
    asked = [each for each in problem.constraints if not each.clears_axes]
    bounds = [each for each in asked if not isinstance(each, _FILLED)]
    others = [each for each in bounds if not (problem.has_open_height and _is_upper(each))]
    few = " but on the most live cells" * problem.has_open_height
    yield bool(others), f"it takes no bounds{few} ({', '.join(map(str, others))})"
    alone = [str(each) for each in bounds if problem.known and each.generations]
    yield (
        bool(alone),
        f"with given cells, bounds are on @least, @every or @sum, not on one ({', '.join(alone)})",
    )


def _is_upper(bound: Condition) -> bool:
    """Whether a bound says only how many cells live at most."""
    is_upper = isinstance(bound, Population) and not bound.least and bound.most is not None
    return is_upper and bound.most <= GREATEST_LIMIT  # type: ignore[attr-defined]


def check_rows(problem: Problem) -> None:
    """Raise :class:`~satlife.errors.UsageError` if the engine cannot take a problem."""
    why = next((why for wrong, why in reasons(problem) if wrong), None)
    if why is not None:
        raise UsageError(f"the engine rows does not take {problem.boxes[0]}: {why}")


def _oblique_reasons(problem: Problem, motion: Motion) -> Iterator[tuple[bool, str]]:
    """Yield reasons that concern ships that go neither straight on nor diagonally."""
    if motion.dx in (0, motion.dy):
        return
    if motion.dy % motion.dx:
        yield (
            True,
            "of oblique ships it takes those whose way up is a multiple of that to the side, as "
            f"(2,1)c/6, not {motion}",
        )
        return
    yield not problem.has_open_height, "it takes oblique ships in a width without a height"
    shear = motion.dy // motion.dx
    yield shear > MOST_SHEAR, f"it shears rows by {MOST_SHEAR} cells at most, not {shear}"


def _shape_reasons(
    problem: Problem, motion: Motion, symmetry: Symmetry
) -> Iterator[tuple[bool, str]]:
    """Yield reasons that concern speed, symmetry and width."""
    k, p = _count_steps(motion), motion.period
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
    can_halve = len(symmetry.full_group) == 1 and problem.shear < 2
    _, width = find_folding(problem)
    cells = width * (divisor if symmetry.factor == 1 else 1)
    most = TABLED if symmetry.factor > 1 or problem.shear > 1 else WIDEST
    yield (
        cells > most,
        f"rows of {cells} free cells are too wide, {most} is the most"
        + (f" (at {k}c/{p} it searches {divisor} rows at once)" if cells > width else "")
        + (f" (D2{'b' if motion.dx else 'v'} halves them)" * can_halve),
    )


def find_folding(problem: Problem) -> tuple[Fold, int]:
    """Return the folding and the free cells of a row; of a diagonal ship, one for each diagonal."""
    width = problem.width
    if problem.motion is not None and problem.motion.dx and not problem.has_open_height:
        width += problem.all_boxes[0].height - 1
    if len(problem.parsed.symmetry.group) == 1:
        return "none", width
    if problem.has_gutter:
        return "gutter", width // 2
    return ("odd" if width % 2 else "even"), (width + 1) // 2


def _count_steps(motion: Motion) -> int:
    """Return how many rows a ship moves up; those of an oblique one are columns of cells."""
    return -motion.dx if motion.dx else -motion.dy


def make_quotient(problem: Problem) -> Quotient:
    """Return the quotient of a problem."""
    motion, symmetry = problem.motion, problem.parsed.symmetry
    if motion is None:
        raise UsageError("the search by rows finds ships and oscillators")
    fold, width = find_folding(problem)
    step, table = _count_steps(motion), problem.parsed.rule.table
    divisor = gcd(motion.period, step)
    if problem.shear > 1:
        table = table.reshape([2] * 9).transpose(0, 3, 6, 1, 4, 7, 2, 5, 8).ravel()
    return Quotient(
        width=width,
        period=motion.period // divisor,
        step=step // divisor,
        table=table.tobytes(),
        fold=fold,
        glide=symmetry.factor > 1,
        slanted=motion.dx == motion.dy != 0,
        shear=problem.shear if problem.shear > 1 else 0,
        lanes=divisor // symmetry.factor,
        any_period=not any(
            isinstance(each, FullPeriod | PatternPeriod) for each in problem.constraints
        ),
    )


def _list_bounds(problem: Problem) -> list[Population]:
    return [each for each in problem.constraints if isinstance(each, Population)]


def make_limits(problem: Problem) -> Limits | None:
    """Return the bounds on live cells as the search knows them; None if there are none.

    A ship may be in any phase, so a bound on one generation is one on some generation.
    """
    one = each = total = NO_LIMIT
    for bound in _list_bounds(problem):
        most = NO_LIMIT if bound.most is None else bound.most
        if bound.generation == "sum":
            total = min(total, most // problem.parsed.symmetry.factor)
        elif bound.generation in ("every", "most"):
            each = min(each, most)
        else:
            one = min(one, most)
    return Limits(one, each, total) if _list_bounds(problem) else None


def make_given(problem: Problem, quotient: Quotient) -> tuple[Given, ...]:
    """Return what is given of the first rows; the first row of the box is row 0.

    Rows that have a part above the box in some generation are empty.
    """
    if not problem.known:
        return ()
    p, k = quotient.period, quotient.step
    above = [
        (x, y, t, ".")
        for t in range(problem.generations)
        for y in range(-(k * t // p), 0)
        for x in range(problem.width)
    ]
    cells = [
        (x, y, each.t, state) for each in problem.known for (x, y), state in each.cells.items()
    ]
    alive: dict[int, set[int]] = {}
    dead: dict[int, set[int]] = {}
    for x, y, t, state in (*above, *cells):
        number, bit = quotient.find_cell(x, y, t)
        if bit >= 0 and number >= 0:
            (alive if state == "o" else dead).setdefault(number, set()).add(bit)
        elif state == "o":
            return (_NEVER,)
    rows = []
    for number in range(max((*alive, *dead), default=-1) + 1):
        lives, dies = (sum(1 << bit for bit in each.get(number, ())) for each in (alive, dead))
        if lives & dies:
            return (_NEVER,)
        rows.append(Given(lives | dies, lives))
    return tuple(rows) or (Given(),)


def has_few_cells(problem: Problem, frames: History) -> bool:
    """Whether generations meet the bounds on live cells."""
    numbers = [int(np.count_nonzero(cells)) for cells in frames]
    known = {"least": [min(numbers)], "sum": [sum(numbers)]}
    return all(
        bound.holds(number)
        for bound in _list_bounds(problem)
        for number in (
            numbers[bound.generation : bound.generation + 1]
            if isinstance(bound.generation, int)
            else known.get(bound.generation, numbers)
        )
    )


def find_longest(quotient: Quotient, height: int) -> int:
    """Return the maximum number of rows of a ship in a box of this height."""
    height = quotient.full_width // 2 + 1 if quotient.slanted else height
    return quotient.period * height + quotient.step * quotient.generations


def fit(quotient: Quotient, ship: Sequence[int], problem: Problem) -> History | None:
    """Return the generations in the smallest box, or in that of the problem; None if too small.

    The smallest box of a diagonal or an oblique ship is a square.  The first generation is one with
    which the bounds on live cells are met; None if there is none.  Where cells are given, it is the
    given one, and the top of the box, too.
    """
    width = problem.width
    height = None if problem.has_open_height else problem.all_boxes[0].height
    if problem.known:
        top, frames = quotient.unfold(ship)
        filled = np.flatnonzero(np.any([frame.any(axis=1) for frame in frames], axis=0))
        cut = tuple(frame[-top : filled[-1] + 1] for frame in frames)
        return cut if has_few_cells(problem, cut) else None
    best: History | None = None
    for late in range(quotient.period):
        _, frames = quotient.unfold((0,) * late + tuple(ship))
        filled = np.flatnonzero(np.any([frame.any(axis=1) for frame in frames], axis=0))
        cut = tuple(frame[filled[0] : filled[-1] + 1] for frame in frames)
        if not has_few_cells(problem, cut):
            continue
        if quotient.slanted or quotient.shear:
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
    """Return a key equal for all phases, shifts and, if the rule allows, reflections of a ship.

    Where cells are given, each of these is a solution of its own.
    """
    if problem.known:
        return len(history[0]), b"".join(cells.tobytes() for cells in history)
    diagonal = problem.motion is not None and problem.motion.dx
    mirror = _DIAGONAL if diagonal else _MIRROR
    mirrored = mirror in problem.parsed.rule.symmetries and problem.shear < 2
    keys = []
    for cells in history:
        rows, columns = (np.flatnonzero(cells.any(axis=axis)) for axis in (1, 0))
        least = cells[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        images = [least]
        if mirrored:
            images.append(least.T if diagonal else least[:, ::-1])
        keys += [(len(image), image.tobytes()) for image in images]
    return min(keys)
