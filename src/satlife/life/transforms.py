"""The eight symmetries of the square, as exact matrices.

Points are (x, y) with x to the right and y DOWN, so a clockwise quarter turn, as seen on the
page, takes right (1, 0) to down (0, 1). Each transform is about the point (0, 0).

>>> glider = np.array([[0, 1, 0], [0, 0, 1], [1, 1, 1]])
>>> Transform("quarter-turn-clockwise").apply_to_array(glider).tolist()
[[1, 0, 0], [1, 0, 1], [1, 1, 0]]

Products are products of matrices: ``g * h`` does ``h`` first, then ``g``.

>>> Transform("flip-left-right") * Transform("flip-diagonal")
Transform('quarter-turn-clockwise')
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from satlife.errors import UsageError

Matrix: TypeAlias = tuple[tuple[int, int], tuple[int, int]]

_MATRICES: Final[dict[str, Matrix]] = {
    "identity": ((1, 0), (0, 1)),
    "quarter-turn-clockwise": ((0, -1), (1, 0)),
    "half-turn": ((-1, 0), (0, -1)),
    "quarter-turn-anticlockwise": ((0, 1), (-1, 0)),
    "flip-left-right": ((-1, 0), (0, 1)),
    "flip-top-bottom": ((1, 0), (0, -1)),
    "flip-diagonal": ((0, 1), (1, 0)),
    "flip-antidiagonal": ((0, -1), (-1, 0)),
}
_NAMES: Final = {matrix: name for name, matrix in _MATRICES.items()}


class Transform(Struct, frozen=True):
    r"""One of the eight rotations and reflections of the square grid.

    ==============================  ==============  ==========================================
    name                            (x, y) goes to  effect on the page
    ==============================  ==============  ==========================================
    ``identity``                    (x, y)          nothing moves
    ``quarter-turn-clockwise``      (-y, x)         the top goes to the right
    ``half-turn``                   (-x, -y)        the top goes to the bottom, left to right
    ``quarter-turn-anticlockwise``  (y, -x)         the top goes to the left
    ``flip-left-right``             (-x, y)         mirrored across the vertical axis
    ``flip-top-bottom``             (x, -y)         mirrored across the horizontal axis
    ``flip-diagonal``               (y, x)          mirrored across the diagonal \
    ``flip-antidiagonal``           (-y, -x)        mirrored across the antidiagonal /
    ==============================  ==============  ==========================================

    >>> Transform("half-turn").apply_to_point(3, 1)
    (-3, -1)
    """

    name: str

    def __post_init__(self) -> None:
        if self.name not in _MATRICES:
            raise UsageError(
                f"there is no transform {self.name!r}; choose one of {', '.join(_MATRICES)}"
            )

    @classmethod
    def from_matrix(cls, matrix: Matrix) -> Transform:
        """Return the transform of a matrix ((a, b), (c, d)): x' = ax + by, y' = cx + dy."""
        if matrix not in _NAMES:
            raise UsageError(f"{matrix} is not a rotation or reflection of the square grid")
        return cls(_NAMES[matrix])

    @property
    def matrix(self) -> Matrix:
        """The rows ((a, b), (c, d)) with x' = ax + by and y' = cx + dy."""
        return _MATRICES[self.name]

    @property
    def determinant(self) -> int:
        """+1 for a rotation, -1 for a reflection."""
        (a, b), (c, d) = self.matrix
        return a * d - b * c

    @property
    def swaps_axes(self) -> bool:
        """Whether it swaps width and height."""
        return self.matrix[0][0] == 0

    @property
    def inverse(self) -> Transform:
        """The inverse transform."""
        (a, b), (c, d) = self.matrix
        # The matrices are orthogonal: the inverse is the transpose.
        return Transform.from_matrix(((a, c), (b, d)))

    @property
    def order(self) -> int:
        """The least n ≥ 1 whose n-th power is the identity; 1, 2 or 4."""
        power, n = self, 1
        while power != IDENTITY:
            power, n = power * self, n + 1
        return n

    def __mul__(self, other: Transform) -> Transform:
        if not isinstance(other, Transform):
            return NotImplemented
        (a, b), (c, d) = self.matrix
        (e, f), (g, h) = other.matrix
        return Transform.from_matrix(
            ((a * e + b * g, a * f + b * h), (c * e + d * g, c * f + d * h))
        )

    def apply_to_point(self, x: int, y: int) -> tuple[int, int]:
        """Return the image of the point (x, y)."""
        (a, b), (c, d) = self.matrix
        return a * x + b * y, c * x + d * y

    def apply_to_points(self, points: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the images of points, an N×2 array with a row (x, y) for each."""
        result: NDArray[np.int64] = points @ np.array(self.matrix, dtype=points.dtype).T
        return result

    def apply_to_array(self, array: NDArray[Any]) -> NDArray[Any]:
        """Transform an array indexed ``[y, x]`` (or ``[t, y, x]``), keeping its corner in place.

        The result is a view. Its entry at [0, 0] is the cell that is now at the top left.
        """
        (a, b), (c, d) = self.matrix
        view = array.swapaxes(-1, -2) if self.swaps_axes else array
        if a + b < 0:  # new x counts down
            view = view[..., :, ::-1]
        if c + d < 0:  # new y counts down
            view = view[..., ::-1, :]
        return view

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Transform({self.name!r})"


IDENTITY: Final = Transform("identity")

TRANSFORMS: Final[tuple[Transform, ...]] = tuple(map(Transform, _MATRICES))
"""All eight: the four rotations, then the four reflections."""
