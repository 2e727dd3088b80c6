"""The interface of file formats for formulas."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO

from msgspec import Struct

from satlife.sat.formula import Formula


class Format(Struct, frozen=True):
    """A file format for formulas.

    Reading inverts writing: clauses, variables and names are preserved.  Malformed text raises a
    :class:`~satlife.errors.FormatError` with the line.
    """

    name: str
    suffixes: tuple[str, ...]
    """File suffixes, with the dot, by which :func:`~satlife.sat.write_formula` chooses."""
    read: Callable[[BinaryIO], Formula]
    write: Callable[[Formula, BinaryIO], None]
    recognise: Callable[[bytes], bool]
    """Tells whether a text that begins with some bytes may be in this format."""
