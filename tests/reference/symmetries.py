r"""The eight maps of the square, the groups of the 43 symmetries, and which cells they make equal.

x grows to the right and y DOWN, as on the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.reference.asked import Asked, Cell

MAPS = {
    "identity": lambda x, y: (x, y),
    "quarter-turn-clockwise": lambda x, y: (-y, x),  # right goes down
    "half-turn": lambda x, y: (-x, -y),
    "quarter-turn-anticlockwise": lambda x, y: (y, -x),  # right goes up
    "flip-left-right": lambda x, y: (-x, y),
    "flip-top-bottom": lambda x, y: (x, -y),
    "flip-diagonal": lambda x, y: (y, x),  # across \
    "flip-antidiagonal": lambda x, y: (-y, -x),  # across /
}
INVERSES = {name: name for name in MAPS} | {
    "quarter-turn-clockwise": "quarter-turn-anticlockwise",
    "quarter-turn-anticlockwise": "quarter-turn-clockwise",
}
SWAPS_AXES = {
    "quarter-turn-clockwise",
    "quarter-turn-anticlockwise",
    "flip-diagonal",
    "flip-antidiagonal",
}

_C2 = {"identity", "half-turn"}
_C4 = _C2 | {"quarter-turn-clockwise", "quarter-turn-anticlockwise"}
_UPRIGHT = {"flip-left-right", "flip-top-bottom"}
_SLANTED = {"flip-diagonal", "flip-antidiagonal"}
GROUPS = {
    "C1": {"identity"},
    "C2": _C2,
    "C4": _C4,
    "D2|": {"identity", "flip-left-right"},
    "D2-": {"identity", "flip-top-bottom"},
    "D2\\": {"identity", "flip-diagonal"},
    "D2/": {"identity", "flip-antidiagonal"},
    "D4+": _C2 | _UPRIGHT,
    "D4x": _C2 | _SLANTED,
    "D8": _C4 | _UPRIGHT | _SLANTED,
}

# Catagolue's names: the group, and which (width mod 2, height mod 2) the box may have.
_ODD, _EVEN, _MIXED = {(1, 1)}, {(0, 0)}, {(0, 1), (1, 0)}
_ANY = _ODD | _EVEN | _MIXED
CATAGOLUE = {
    "C2_1": ("C2", _ODD),
    "C2_2": ("C2", _MIXED),
    "C2_4": ("C2", _EVEN),
    "C4_1": ("C4", _ODD),
    "C4_4": ("C4", _EVEN),
    "D2_+1": ("D2|", {(1, 0), (1, 1)}),
    "D2_+2": ("D2|", {(0, 0), (0, 1)}),
    "D2_x": ("D2\\", _ANY),
    "D4_+1": ("D4+", _ODD),
    "D4_+2": ("D4+", _MIXED),
    "D4_+4": ("D4+", _EVEN),
    "D4_x1": ("D4x", _ODD),
    "D4_x4": ("D4x", _EVEN),
    "D8_1": ("D8", _ODD),
    "D8_4": ("D8", _EVEN),
}


def group(name: str) -> set[str]:
    """Return the names of the maps of a static class."""
    return GROUPS[CATAGOLUE[name][0] if name in CATAGOLUE else name]


def parities(name: str) -> set[tuple[int, int]]:
    """Return which (width mod 2, height mod 2) fit a static class."""
    return CATAGOLUE[name][1] if name in CATAGOLUE else _ANY


def split(symmetry: str) -> tuple[str, str]:
    """Return H and G of "H:G"; of "H" alone, H twice."""
    static, _, whole = symmetry.partition(":")
    return static, whole or static


def time_operations(symmetry: str) -> Iterator[tuple[str, int, int]]:
    """Yield (g, n, k) for each g of G outside H: g takes generation t to t + n p/k."""
    static, whole = map(group, split(symmetry))
    k = len(whole) // len(static)
    turns = {"quarter-turn-clockwise": 1, "half-turn": 2, "quarter-turn-anticlockwise": 3}
    for g in sorted(whole - static):
        yield g, turns[g] if k == 4 else 1, k


def glide(g: str, dx: int, dy: int) -> tuple[int, int]:
    """Return the move that follows g about the centre: half of the displacement, in whole cells.

    On the diagonals an odd displacement has no whole half: the axis lies half a cell above the
    centre, which makes up for it.
    """
    if g == "flip-diagonal":
        return -(-dx // 2), dy // 2
    return dx // 2, dy // 2


def axis_cells(asked: Asked) -> Iterator[Cell]:
    """Yield the cells ((x, y), t) that a mirror of every generation leaves in their place."""
    static, _ = map(group, split(asked.symmetry))
    for t in range(asked.generations):
        for v in asked.places(t):
            if any(asked.about_centre(g, v) == v for g in static if g.startswith("flip")):
                yield v, t


def centres(asked: Asked, symmetry: str) -> Iterator[list[tuple[Cell, Cell]]]:
    """Yield, for each centre that generation 0 can have, the pairs that a symmetry makes equal.

    Centres are given in half cells.  The group has inverses, so cells of the box are enough: one
    that would come from outside is one that would go there.
    """
    box, turns = asked.boxes[0], sorted(group(symmetry) - {"identity"})
    for u in range(2 * box.x - 1, 2 * (box.x + box.width) + 1):
        for v in range(2 * box.y - 1, 2 * (box.y + box.height) + 1):
            pairs = []
            for g in turns:
                for x, y in box:
                    i, j = MAPS[g](2 * x - u, 2 * y - v)
                    pairs.append(((x, y), (i + u, j + v)))
            if all(i % 2 == j % 2 == 0 for _, (i, j) in pairs):
                yield [((place, 0), ((i // 2, j // 2), 0)) for place, (i, j) in pairs]


def equal_cells(asked: Asked) -> Iterator[tuple[Cell, Cell]]:
    """Yield the pairs of cells ((x, y), t) that the symmetry makes equal."""
    static, _ = map(group, split(asked.symmetry))
    for t in range(asked.generations):
        for g in sorted(static - {"identity"}):
            for v in asked.places(t):
                yield (v, t), (asked.about_centre(g, v), t)
        for g, n, k in time_operations(asked.symmetry):
            later = t + n * asked.steps // k
            sx, sy = glide(g, asked.dx, asked.dy)
            for v in asked.places(t):
                x, y = asked.about_centre(g, v)
                yield (v, t), ((x + sx, y + sy), later)
            # A live cell of the later generation comes from somewhere, too.
            for x, y in asked.places(later):
                yield (asked.about_centre(INVERSES[g], (x - sx, y - sy)), t), ((x, y), later)
