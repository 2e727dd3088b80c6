r"""Reading and writing formulas; each format has a module, and an entry in :data:`FORMATS`.

>>> formula = loads("p cnf 2 2\n1 -2 0\n2 0\n")
>>> dumps(formula, "knuth")
' 1 ~2\n 2\n'
>>> find_format("dimacs").suffixes
('.cnf', '.dimacs')
"""

from __future__ import annotations

import codecs
import io
import re
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from satlife.errors import FormatError, UsageError
from satlife.plain import open_unpacked
from satlife.sat.files._format import Format
from satlife.sat.files.dimacs import DIMACS
from satlife.sat.files.knuth import KNUTH
from satlife.sat.files.paths import content_suffix, open_to_write
from satlife.sat.formula import Formula

_HEAD = 1 << 16

_PATTERN = re.compile(
    rb"""(?: [#][^\n]*\n | \s )* x \s* = \s* \d     # RLE with a header
    | [#]Life\b | \[M2\]               # Life 1.05 and 1.06, macrocell
    | \s* [0-9bo$\s]+ ! \s* \Z                 # RLE without a header
    | (?: ![^\n]*\n )* [.O*\s]*[.][.O*\s]* \Z   # plain text
    """,
    re.VERBOSE,
)
_DOCUMENT = re.compile(rb'\s*(?:\{\s*"|<[!?a-z]|(?:#[^\n]*\n)*\s*(?:\[+\w+\]+\s*\n|\w+ = ))')
"""The beginning of a JSON, HTML, XML or TOML document."""


FORMATS: tuple[Format, ...] = (DIMACS, KNUTH)
"""All formats, the default first.  Detection takes the first one that recognises a text."""


def find_format(name: str) -> Format:
    """Find a format by its name."""
    for each in FORMATS:
        if each.name == name.lower():
            return each
    names = [each.name for each in FORMATS]
    near = get_close_matches(name.lower(), names, 1)
    hint = f"did you mean {near[0]}?" if near else f"use one of {', '.join(names)}"
    raise UsageError(f"there is no formula format {name!r}: {hint}")


def detect_format(head: bytes) -> Format:
    """Find the format of a text by its first bytes; 64 KiB are plenty."""
    if not head.removeprefix(codecs.BOM_UTF8).strip():
        raise FormatError("the text is empty; a formula without clauses is 'p cnf 0 0'")
    for each in FORMATS:
        if each is not KNUTH and each.recognise(head):
            return each
    # Almost any line of words is a clause in Knuth's format, so other documents are excluded first.
    text = head.removeprefix(codecs.BOM_UTF8)
    if _PATTERN.match(text):
        raise FormatError(
            "this is a pattern, not a formula; satlife show draws it, and satlife cnf prints the "
            "formula of a search"
        )
    if _DOCUMENT.match(text):
        raise FormatError(
            "this looks like JSON, TOML or HTML, not like a formula; satlife find FILE "
            "searches for what a problem file asks"
        )
    if KNUTH.recognise(head):
        return KNUTH
    names = ", ".join(each.name for each in FORMATS)
    raise FormatError(f"this is not a formula in any known format: {names}", line=1)


def read_formula(source: str | PathLike[str] | BinaryIO, format: str | None = None) -> Formula:  # noqa: A002
    """Read a formula from a path (``.gz``, ``.xz`` and ``.bz2`` too) or a binary file.

    Without ``format`` the content decides which format it is; the name does not matter.
    """
    if isinstance(source, str | PathLike):
        with open_unpacked(Path(source)) as file:
            return _read(file, format)
    return _read(source, format)


def write_formula(
    formula: Formula,
    target: str | PathLike[str] | BinaryIO,
    format: str | None = None,  # noqa: A002
) -> None:
    """Write a formula to a path or a binary file.

    Without ``format`` a path's suffix decides: ``.sat.gz`` is Knuth's format, compressed.  The
    default is DIMACS.
    """
    if not isinstance(target, str | PathLike):
        (find_format(format) if format else FORMATS[0]).write(formula, target)
        return
    path = Path(target)
    by_suffix = (each for each in FORMATS if content_suffix(path) in each.suffixes)
    chosen = find_format(format) if format else next(by_suffix, FORMATS[0])
    with open_to_write(path) as file:
        chosen.write(formula, file)


def loads(text: str | bytes, format: str | None = None) -> Formula:  # noqa: A002
    r"""Read a formula from a text; without ``format`` the content decides.

    >>> list(loads("~ an example\na ~b\nb c\n"))
    [(1, -2), (2, 3)]
    """
    try:
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        wrong = error.object[error.start]
        raise FormatError(f"{wrong!r} cannot be part of a file") from None
    return _read(io.BytesIO(data), format)


def dumps(formula: Formula, format: str | None = None) -> str:  # noqa: A002
    r"""Return a formula as a text, by default in DIMACS.

    >>> dumps(Formula.from_clauses([(1, -2), (2,)]))
    'p cnf 2 2\n1 -2 0\n2 0\n'
    """
    file = io.BytesIO()
    write_formula(formula, file, format)
    return file.getvalue().decode("utf-8", "surrogateescape")


def _read(file: BinaryIO, name: str | None) -> Formula:
    if name is not None:
        return find_format(name).read(file)
    peek = getattr(file, "peek", None)
    if peek is not None:
        return detect_format(peek(_HEAD)[:_HEAD]).read(file)
    # A file without ``peek`` is read through a buffer, which must not close it.
    buffered = io.BufferedReader(file, _HEAD)  # type: ignore[type-var]
    try:
        return detect_format(buffered.peek(_HEAD)[:_HEAD]).read(buffered)
    finally:
        buffered.detach()


__all__ = [
    "FORMATS",
    "Format",
    "detect_format",
    "dumps",
    "find_format",
    "loads",
    "read_formula",
    "write_formula",
]
