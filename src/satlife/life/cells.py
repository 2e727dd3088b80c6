"""Arrays of cells: their type, freezing and trimming, and their size limits.

Cells are ``uint8`` arrays indexed ``[y, x]``: x is the column to the right, y the row downward.
This module knows nothing of rules or patterns.

>>> cells, x, y = trim(np.array([[0, 0, 0], [0, 1, 1]], dtype=np.uint8))
>>> cells.tolist(), x, y
([[1, 1]], 1, 1)
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satlife.errors import UsageError

Cells: TypeAlias = NDArray[np.uint8]

DEAD: Final = 0
ALIVE: Final = 1
# Numbered from the far end, so that rules of more states can have 2, 3, 4 …
UNKNOWN: Final = 255
MOST_STATES: Final = 254
"""The most states that a rule may have; the last two bytes mean unknown and, in pictures, free."""

# A pattern is stored as a dense array of its bounding box, so two distant cells could need
# gigabytes. The limits are far above what a SAT solver can search and far below what hurts.
COORDINATE_LIMIT: Final = 2**20
"""The largest distance of a cell from the origin, in x or in y."""
AREA_LIMIT: Final = 2**26
"""The largest number of cells in a bounding box."""


def freeze(cells: NDArray[Any]) -> Cells:
    """Return a read-only copy of an array."""
    contiguous = np.ascontiguousarray(cells, dtype=np.uint8)
    # An array over bytes cannot be made writable again, as one with a cleared flag could.
    return np.frombuffer(contiguous.tobytes(), dtype=np.uint8).reshape(contiguous.shape)


def trim(cells: Cells) -> tuple[Cells, int, int]:
    """Cut an array to the bounding box of its living cells; also return the box's top left."""
    rows = np.flatnonzero(cells.any(axis=1))
    if not rows.size:
        return cells[:0, :0], 0, 0
    top, bottom = int(rows[0]), int(rows[-1]) + 1
    columns = np.flatnonzero(cells[top:bottom].any(axis=0))
    left, right = int(columns[0]), int(columns[-1]) + 1
    return cells[top:bottom, left:right], left, top


def check_extent(x: int, y: int, width: int, height: int) -> None:
    """Raise :class:`~satlife.errors.UsageError` for a box that is too large or too far away."""
    if width * height > AREA_LIMIT:
        raise UsageError(
            f"a box of {width}x{height} cells is too large: "
            f"at most {AREA_LIMIT} cells (for example 8192x8192)"
        )
    if min(x, y) < -COORDINATE_LIMIT or max(x + width, y + height) > COORDINATE_LIMIT + 1:
        raise UsageError(
            f"a box of {width}x{height} cells at ({x}, {y}) is too far away: "
            f"coordinates go from {-COORDINATE_LIMIT} to {COORDINATE_LIMIT}"
        )


def describe_unknown(states: Cells, x: int, y: int) -> str:
    """Describe the place of the first unknown cell of an array [t, y, x] at (x, y)."""
    places = np.argwhere(states == UNKNOWN)
    t, row, column = places[0].tolist()
    when = f" in generation {t}" if len(states) > 1 else ""
    more = f" ({len(places)} such cells)" if len(places) > 1 else ""
    return f"the cell at x={x + column}, y={y + row}{when} is unknown{more}"


def place_points(points: Sequence[tuple[int, int]]) -> tuple[Cells, int, int]:
    """Build the smallest array with living cells at some points; also return its top left."""
    if not points:
        return np.zeros((0, 0), dtype=np.uint8), 0, 0
    columns, rows = zip(*points, strict=True)
    x, y = min(columns), min(rows)
    width, height = max(columns) - x + 1, max(rows) - y + 1
    check_extent(x, y, width, height)  # before the array is made
    cells = np.zeros((height, width), dtype=np.uint8)
    cells[np.array(rows) - y, np.array(columns) - x] = ALIVE
    return cells, x, y


def name_states(states: int) -> tuple[str, ...]:
    """Return the symbols of the states in drawings: ``.O``, or ``.ABC…`` for more than two states.

    After X comes pA, as in Golly's RLE.

    >>> "".join(name_states(2)), name_states(30)[23:28]
    ('.O', ('W', 'X', 'pA', 'pB', 'pC'))
    """
    letters = "ABCDEFGHIJKLMNOPQRSTUVWX"
    signs = [before + letter for before in ("", *"pqrstuvwxy") for letter in letters]
    return (".", "O") if states == 2 else (".", *signs[: states - 1])


def as_integer(value: object, what: str) -> int:
    """Return any kind of integer as a Python int; otherwise raise an error that names ``what``."""
    try:
        return operator.index(value)  # type: ignore[arg-type]  # the TypeError is the check
    except TypeError:
        raise UsageError(f"{what} must be a whole number, got {value!r}") from None


def as_states(cells: ArrayLike, *, allowed: Sequence[int], dimensions: int) -> Cells:
    """Check the dimensions and the values of an array from the user."""
    array = np.asarray(cells)
    if array.size == 0 and array.ndim <= dimensions:
        array = np.zeros((0,) * dimensions, dtype=np.uint8)
    if array.ndim != dimensions:
        axes = ", ".join("tyx"[-dimensions:])
        raise UsageError(
            f"cells are an array of {dimensions} dimensions, [{axes}], not of {array.ndim}"
        )
    if array.dtype == np.bool_:
        return array.astype(np.uint8)
    is_allowed = np.zeros(256, dtype=np.bool_)
    is_allowed[list(allowed)] = True
    # A table of bytes, since np.isin would need many times the array's own memory.
    states = array if array.dtype == np.uint8 else _to_bytes(array)
    if states is None or not is_allowed[states].all():
        wrong = next(value for value in array.flat if value not in allowed)
        known = ", ".join(map(str, allowed)) if len(allowed) < 9 else f"0 to {max(allowed)}"
        raise UsageError(f"a cell's state is one of {known}, got {wrong}")
    return states


def _to_bytes(array: NDArray[Any]) -> Cells | None:
    """Return the same values as bytes, or ``None`` if they are not small numbers."""
    if array.dtype.kind not in "iuf" or not ((array >= 0) & (array <= 255)).all():
        return None
    states = array.astype(np.uint8)
    return states if (states == array).all() else None
