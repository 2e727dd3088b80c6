"""Arrays of cells: the type, how they are frozen and trimmed, and how large they may be.

Cells are ``uint8`` arrays indexed ``[y, x]``: x is the column to the right, y the row downward.
This module knows nothing of rules or patterns.

>>> cells, x, y = trim(np.array([[0, 0, 0], [0, 1, 1]], dtype=np.uint8))
>>> cells.tolist(), x, y
([[1, 1]], 1, 1)
"""

from __future__ import annotations

import operator
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from satlife.errors import UsageError

Cells: TypeAlias = NDArray[np.uint8]

# A pattern is stored as a dense array of its bounding box, so two far cells could ask for
# gigabytes. The limits are far above what a SAT solver can search and far below what hurts.
COORDINATE_LIMIT: Final = 2**20
"""No cell lies further than this from the origin, in x or in y."""
AREA_LIMIT: Final = 2**26
"""No bounding box holds more cells than this."""


def freeze(cells: NDArray[Any]) -> Cells:
    """Copy an array into one that nobody can write to."""
    contiguous = np.ascontiguousarray(cells, dtype=np.uint8)
    # An array over bytes cannot be made writable again, as one with a cleared flag could.
    return np.frombuffer(contiguous.tobytes(), dtype=np.uint8).reshape(contiguous.shape)


def trim(cells: Cells) -> tuple[Cells, int, int]:
    """Cut an array to the bounding box of its living cells; also tell where that box began."""
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


def as_integer(value: object, what: str) -> int:
    """Give a Python int for any kind of integer; anything else is an error that names ``what``."""
    try:
        return operator.index(value)  # type: ignore[arg-type]  # the TypeError is the check
    except TypeError:
        raise UsageError(f"{what} must be a whole number, got {value!r}") from None


def as_states(cells: ArrayLike, *, allowed: tuple[int, ...], dimensions: int) -> Cells:
    """Check an array that a person gave: its dimensions and the values in it."""
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
    # By a table of bytes: np.isin would need many times the array's own memory.
    states = array if array.dtype == np.uint8 else _to_bytes(array)
    if states is None or not is_allowed[states].all():
        wrong = next(value for value in array.flat if value not in allowed)
        raise UsageError(f"a cell's state is one of {', '.join(map(str, allowed))}, got {wrong}")
    return states


def _to_bytes(array: NDArray[Any]) -> Cells | None:
    """Give the same values as bytes, or ``None`` if they are no small numbers."""
    if array.dtype.kind not in "iuf" or not ((array >= 0) & (array <= 255)).all():
        return None
    states = array.astype(np.uint8)
    return states if (states == array).all() else None
