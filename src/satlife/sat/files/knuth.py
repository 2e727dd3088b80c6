r"""The format of Knuth's SAT programs: clauses of named variables.

A line that begins with ``~`` and a blank is a comment.  Every other line is a clause: literals
separated by blanks, each a name or ``~`` and a name; an empty line is the empty clause.  Only the
first ``~`` of a literal is its sign.  Names consist of visible ASCII characters and do not begin
with ``~``.  Knuth's own programs refuse names of more than eight characters; any length is read
here.

Variables are numbered as they first appear.  But if the names are just the numbers 1 to n, as in
the text of a formula without names, they are the variables, and no names are kept.

>>> import io
>>> formula = read(io.BytesIO(b"~ two clauses\n3a4 ~3b4\n ~3~4\n"))
>>> list(formula), formula.names.tolist(), formula.comments
([(1, -2), (-3,)], [b'3a4', b'3b4', b'3~4'], ('two clauses',))
"""

from __future__ import annotations

import codecs
import re
from array import array
from typing import BinaryIO

import numpy as np

from satlife.errors import FormatError
from satlife.sat.files._format import Format
from satlife.sat.files.dimacs import find_names, write_clauses
from satlife.sat.formula import Block, Formula, IntArray, NameArray

_NAME = re.compile(rb"[!-}][!-~]*")

_LONGEST_NAME = 255
"""Limit on names, since they share one array, as wide as the longest."""


def recognise(head: bytes) -> bool:
    """Return whether a text that begins with ``head`` may be in this format: clean ASCII."""
    lines = head.removeprefix(codecs.BOM_UTF8).split(b"\n")
    return all(line.startswith(b"~ ") or not re.search(rb"[^\t\r -~]", line) for line in lines)


def write(formula: Formula, file: BinaryIO) -> None:
    """Write a formula to a binary file; the names of unnamed variables are their numbers."""
    for comment in formula.comments:
        file.write(f"~ {comment}\n".encode("utf-8", "surrogateescape"))
    write_clauses(formula, file, find_names(_all_names(formula)))


def read(file: BinaryIO) -> Formula:
    """Read a formula from a binary file."""
    literals = array("i")
    comments: list[str] = []
    table = _Literals()
    lookup, extend, append = table.__getitem__, literals.extend, literals.append
    for number, read_line in enumerate(file, 1):
        line = read_line.removeprefix(codecs.BOM_UTF8) if number == 1 else read_line
        if line.startswith(b"~ "):
            text = line[2:].rstrip(b"\n").replace(b"\r", b"")
            comments.append(text.decode("utf-8", "surrogateescape"))
            continue
        try:
            extend(map(lookup, line.split()))
        except KeyError as error:
            token: bytes = error.args[0]
            shown = token[:20].decode("ascii", "backslashreplace")
            raise FormatError(
                f"{shown!r} is not a literal", line=number, column=_column(line, token)
            ) from None
        append(0)
    # array("i") holds C integers, of 32 bits on every platform with NumPy wheels.
    numbers: IntArray = np.array(literals, np.int32)
    names: NameArray | None = np.array(table.names, np.bytes_) if table.names else None
    order = _own_numbers(table.names)
    if order is not None:
        numbers = np.where(numbers < 0, -order[np.abs(numbers)], order[np.abs(numbers)])
        names = None
    return Formula((Block("", numbers),), len(table.names), names, tuple(comments))


class _Literals(dict[bytes, int]):
    """The literal of each token; a new token gets the next variable."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[bytes] = []

    def __missing__(self, token: bytes) -> int:
        name = token.removeprefix(b"~")
        if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
            raise KeyError(token)
        self.names.append(name)
        variable = len(self.names)
        self[name], self[b"~" + name] = variable, -variable
        return self[token]


def _own_numbers(names: list[bytes]) -> IntArray | None:
    """Return the variable of each name if the names are 1 to n in any order."""
    if not all(name.isdigit() and len(name) < 10 and name[0] != ord("0") for name in names):
        return None
    order = np.array([0, *map(int, names)], np.int32)
    return order if np.array_equal(np.sort(order), np.arange(order.size)) else None


def _all_names(formula: Formula) -> NameArray:
    """Return a unique name for every variable."""
    numbers: NameArray = np.arange(1, formula.variables + 1).astype(np.bytes_)
    if formula.names is None or not formula.variables:
        return numbers
    unnamed = formula.names == b""
    if not unnamed.any():
        return formula.names
    # A number that replaces a missing name must not be the name of another variable.
    stand_in = numbers
    while np.isin(stand_in[unnamed], formula.names).any():
        stand_in = np.char.add(b"#", stand_in)
    return np.where(unnamed, stand_in, formula.names)


def _column(line: bytes, token: bytes) -> int:
    words = re.finditer(rb"\S+", line)
    return next((match.start() + 1 for match in words if match[0] == token), 1)


KNUTH = Format("knuth", (".sat", ".knuth"), read, write, recognise)
