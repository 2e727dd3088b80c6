"""The interface of file formats for formulas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

from satlife.sat.formula import Formula


@dataclass(frozen=True, slots=True)
class Format:
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
