r"""File formats for formulas: one module each, in the tuple :data:`FORMATS`.

>>> from satlife.sat.formula import Formula
>>> find_format("dimacs").suffixes
('.cnf', '.dimacs')
>>> read_formula(io.BytesIO(b" a ~b\n"))
<Formula: 2 variables, 1 clause, 2 literals>
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from satlife.errors import FormatError, UsageError
from satlife.sat.files import dimacs, knuth
from satlife.sat.files.paths import content_suffix, open_to_read, open_to_write
from satlife.sat.formula import Formula

_HEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write formulas as bytes."""

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[BinaryIO], Formula]
    write: Callable[[Formula, BinaryIO], None]
    recognise: Callable[[bytes], bool]
    """Whether a text that begins with these bytes may be in this format."""


FORMATS = tuple(
    Format(module.NAME, module.SUFFIXES, module.read, module.write, module.recognise)
    for module in (dimacs, knuth)
)
"""The formats, the one that is asked first whether it knows a text at the head."""


def find_format(name: str) -> Format:
    """Give the format of a name; an unknown one is a :class:`~satlife.errors.UsageError`."""
    for each in FORMATS:
        if each.name == name.lower():
            return each
    names = [each.name for each in FORMATS]
    near = get_close_matches(name.lower(), names, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
    raise UsageError(f"no formula format {name!r}: {hint}")


def detect_format(head: bytes) -> Format:
    """Give the format of a text by its first bytes (64 KiB are plenty)."""
    if not head.removeprefix(codecs.BOM_UTF8).strip():
        raise FormatError("the text is empty; a formula without clauses is 'p cnf 0 0'")
    for each in FORMATS:
        if each.recognise(head):
            return each
    raise FormatError(f"neither {' nor '.join(each.name for each in FORMATS)}", line=1)


def read_formula(source: str | PathLike[str] | BinaryIO, format: str | None = None) -> Formula:  # noqa: A002
    """Read a formula from a path (``.gz``, ``.xz`` and ``.bz2`` too) or a binary file.

    Without ``format`` the content decides, not the name.
    """
    if isinstance(source, str | PathLike):
        with open_to_read(Path(source)) as file:
            return _read(file, format)
    return _read(source, format)


def write_formula(
    formula: Formula,
    target: str | PathLike[str] | BinaryIO,
    format: str | None = None,  # noqa: A002
) -> None:
    """Write a formula to a path or a binary file.

    Without ``format`` a path's suffix decides (``.sat.gz``: Knuth's form, compressed), and
    DIMACS is the default.
    """
    if not isinstance(target, str | PathLike):
        find_format(format or dimacs.NAME).write(formula, target)
        return
    path = Path(target)
    by_suffix = (each.name for each in FORMATS if content_suffix(path) in each.suffixes)
    chosen = find_format(format or next(by_suffix, dimacs.NAME))
    with open_to_write(path) as file:
        chosen.write(formula, file)


def _read(file: BinaryIO, name: str | None) -> Formula:
    if name is not None:
        return find_format(name).read(file)
    peek = getattr(file, "peek", None)
    if peek is not None:
        return detect_format(peek(_HEAD)[:_HEAD]).read(file)
    # A file that cannot show what comes next gets a buffer that can, and is not closed with it.
    buffered = io.BufferedReader(file, _HEAD)  # type: ignore[type-var]
    try:
        return detect_format(buffered.peek(_HEAD)[:_HEAD]).read(buffered)
    finally:
        buffered.detach()


__all__ = [
    "FORMATS",
    "Format",
    "detect_format",
    "find_format",
    "read_formula",
    "write_formula",
]
