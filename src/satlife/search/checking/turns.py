"""Which turns each symmetry asks for, as the verifier knows them."""

from __future__ import annotations

_MIRRORS = ("flip-left-right", "flip-top-bottom")
_DIAGONALS = ("flip-diagonal", "flip-antidiagonal")
_QUARTERS = ("quarter-turn-clockwise", "quarter-turn-anticlockwise")
_ELEMENTS: dict[str, tuple[str, ...]] = {
    "C1": (),
    "C2": ("half-turn",),
    "C4": ("half-turn", *_QUARTERS),
    "D2|": _MIRRORS[:1],
    "D2-": _MIRRORS[1:],
    "D2\\": _DIAGONALS[:1],
    "D2/": _DIAGONALS[1:],
    "D4+": ("half-turn", *_MIRRORS),
    "D4x": ("half-turn", *_DIAGONALS),
    "D8": ("half-turn", *_QUARTERS, *_MIRRORS, *_DIAGONALS),
}
"""What each symmetry asks for, but for the identity; Catagolue's names are told below."""
_CATAGOLUE = {"D2_+": "D2|", "D2_x": "D2\\", "D4_+": "D4+", "D4_x": "D4x"}


def static_turns(symmetry: str) -> tuple[str, ...]:
    """Return the turns that a symmetry asks of every generation."""
    return elements(symmetry.partition(":")[0])


def elements(name: str) -> tuple[str, ...]:
    """Return the turns of a symmetry, but for the identity."""
    plain = name.rstrip("124") if "_" in name else name
    return _ELEMENTS[_CATAGOLUE.get(plain, plain.rstrip("_"))]
