"""What a file format for formulas is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

from satlife.sat.formula import Formula


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write formulas as bytes.

    Reading undoes writing: clauses, variables and names come back.  A text that is not in the
    format raises a :class:`~satlife.errors.FormatError` with its line.
    """

    name: str
    suffixes: tuple[str, ...]
    """Of its files, with the dot; :func:`~satlife.sat.write_formula` chooses by them."""
    read: Callable[[BinaryIO], Formula]
    write: Callable[[Formula, BinaryIO], None]
    recognise: Callable[[bytes], bool]
    """Whether a text that begins with these bytes may be in this format."""
