"""Width, height and area of the envelope: the least box that holds generations 0 to p - 1.

The box does not move: the envelope of a ship is larger than any of its phases.  On a torus there
is no envelope.

A column is used if one of its cells lives in some generation.  With L(x), a used column at x or to
the left, and R(x), one at x or to the right, the width is at least k if and only if

- some x has both L(x) and R(x + k - 1);
- no x has neither L(x - 1) nor R(x + k - 1), or all would be in a window of k - 1 columns.

So both directions are clauses of three literals, about W² for W columns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from satlife.errors import UsageError
from satlife.sat.builder import FormulaBuilder
from satlife.sat.formula import IntArray
from satlife.sat.logic import FALSE, TRUE, add_clauses, any_of
from satlife.search.formula.measures.terms import cell_histories, frame
from satlife.search.formula.spacetime import SpaceTime
from satlife.search.problem.constraints import Area, Height, Width


def width(spacetime: SpaceTime, builder: FormulaBuilder) -> IntArray:
    """Return the width of the envelope, in unary."""
    return span(builder, "width", _envelope(spacetime).swapaxes(0, 1))


def height(spacetime: SpaceTime, builder: FormulaBuilder) -> IntArray:
    """Return the height of the envelope, in unary."""
    return span(builder, "height", _envelope(spacetime))


def area(spacetime: SpaceTime, builder: FormulaBuilder) -> IntArray:
    """Return the width times the height, in unary.

    This is a totalizer with products instead of sums: a variable and a clause for each product of
    a width and a height, and two clauses for each pair.
    """
    return _product(builder, "area", width(spacetime, builder), height(spacetime, builder))


EXTENTS: dict[type[Any], Callable[[SpaceTime, FormulaBuilder], IntArray]] = {
    Width: width,
    Height: height,
    Area: area,
}
"""How each of these measures is counted, in unary."""


def span(builder: FormulaBuilder, origin: str, lines: IntArray) -> IntArray:
    """Return unary outputs: how many lines there are from the first used one to the last.

    ``lines[i]`` holds the literals of a line, which is used if one of them is true.
    """
    count = len(lines)
    used = any_of(builder, origin, lines.reshape(count, -1))
    before = _running(builder, origin, used)
    after = _running(builder, origin, used[::-1])[::-1]
    # There is nothing to the left of the first line or to the right of the last one.
    before = np.concatenate([[FALSE], before]).astype(np.int32)  # before[x]: left of x
    after = np.concatenate([after, [FALSE]]).astype(np.int32)  # after[x]: at x, or right of it
    outputs = builder.new_variables(count)
    for k in range(1, count + 1):
        x = np.arange(count - k + 1)
        output = np.full(len(x), outputs[k - 1], np.int32)
        add_clauses(builder, origin, output, -before[x + 1], -after[x + k - 1])
        x = np.arange(count - k + 2)
        output = np.full(len(x), outputs[k - 1], np.int32)
        add_clauses(builder, origin, -output, before[x], after[x + k - 1])
    return outputs


def _running(builder: FormulaBuilder, origin: str, used: IntArray) -> IntArray:
    """Return literals: whether one of the lines up to this one is used."""
    result = used.copy()
    for i in range(1, len(used)):
        result[i] = any_of(builder, origin, np.array([[result[i - 1], used[i]]], np.int32))[0]
    return result


def _product(builder: FormulaBuilder, origin: str, width: IntArray, height: IntArray) -> IntArray:
    w, h = (axis.ravel() for axis in np.indices((len(width) + 1, len(height) + 1)))
    products = np.unique(w * h)[1:]
    # level[i]: the area is at least products[i]; none is larger than the last.
    level = np.append(builder.new_variables(len(products)), FALSE).astype(np.int32)
    # wide[k]: the width is at least k.
    wide, high = (
        np.concatenate([[TRUE], side, [FALSE]]).astype(np.int32) for side in (width, height)
    )
    some = (w > 0) & (h > 0)
    reached = level[np.searchsorted(products, (w * h)[some])]
    add_clauses(builder, origin, -wide[w[some]], -high[h[some]], reached)
    beyond = level[np.searchsorted(products, w * h, side="right")]
    add_clauses(builder, origin, wide[w + 1], high[h + 1], -beyond)
    # 4x4 reaches 16 and 12, but not 3x5: that 16 is at least 15 needs a clause.
    add_clauses(builder, origin, -level[1:-1], level[:-2])
    areas = np.arange(1, int(products[-1]) + 1)
    outputs: IntArray = level[np.searchsorted(products, areas)]
    return outputs


def _envelope(spacetime: SpaceTime) -> IntArray:
    """Return the literals of all cells in all generations, indexed [y, x, t]."""
    where = {"torus": "on a torus", "agar": "in a background"}.get(spacetime.problem.boundary)
    if where is not None:
        raise UsageError(
            f"a pattern {where} has no width, height or area; use a problem in the plane"
        )
    box = frame(spacetime)
    return cell_histories(spacetime).reshape(box.height, box.width, -1)
