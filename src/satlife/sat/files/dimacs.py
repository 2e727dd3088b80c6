r"""DIMACS, the format that every SAT solver reads.

Lines that begin with ``c`` are comments, wherever they are.  Two kinds of them are our own::

    c name 17 3a4              variable 17 is called 3a4
    c clauses 1-98 transition  the first 98 clauses come from the transition rule

We write all of them above the ``p`` line, because ``drat-trim`` misreads a formula with comments
between its clauses, and may then verify a proof that is wrong.

Everything else between blanks is a literal, or the 0 that ends a clause; a clause may span lines.
The reader is lenient: the line ``p cnf VARIABLES CLAUSES`` may be missing or come late, the last 0
may be missing, and a line ``%`` ends the text, as in the files of SATLIB.  But if there is a ``p``
line, its counts must be right: a truncated file is another problem.

>>> import io
>>> formula = read(io.BytesIO(b"c name 1 a\np cnf 2 2\n1 -2 0\n2\n0\n"))
>>> list(formula), formula.name(1)
([(1, -2), (2,)], 'a')
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from itertools import groupby
from typing import BinaryIO

import numpy as np

from satlife.errors import FormatError, UsageError
from satlife.sat.files._format import Format
from satlife.sat.files.render import decimal_rows, render
from satlife.sat.files.tokens import Integers, TokenError, parse_integers
from satlife.sat.formula import LARGEST_VARIABLE, Block, Formula, IntArray, NameArray

_CHUNK = 1 << 21
"""Bytes read at once: enough to outweigh NumPy's overhead, few enough for the cache."""

_LARGEST_NAMES = 1 << 28
"""Bytes that names may take beyond 64 for each literal, so that no short text takes more."""

_WORDS = re.compile(rb"^[ \t\r]*([cp%])([^\n]*)", re.MULTILINE)
_HEADER = re.compile(rb"[ \t]+cnf[ \t]+([0-9]+)[ \t]+([0-9]+)[ \t\r]*")
_NAMED = re.compile(rb" name ([1-9][0-9]{0,9}) ([!-}][!-~]*)[ \t\r]*")
_ORIGIN = re.compile(rb" clauses ([0-9]{1,18})-([0-9]{1,18}) ([^\r]*)[\r]*")
_LINE = re.compile(rb"[ \t]*(?:(p[ \t].*|c|c[ \t].*|%|(?:-?[0-9]+[ \t]+)*0)|[-0-9 \t]*)[ \t\r]*")


def recognise(head: bytes) -> bool:
    r"""Return whether a text that begins with ``head`` is DIMACS.

    >>> recognise(b"1 -2 0\n"), recognise(b"c hello\np cnf 1 1\n"), recognise(b" 1 ~2\n")
    (True, True, False)
    """
    lines = head.removeprefix(codecs.BOM_UTF8).split(b"\n")
    if len(lines) > 1:
        lines.pop()  # it may be cut
    telling = False
    for line in lines:
        match = _LINE.fullmatch(line)
        if match is None:
            return False
        telling = telling or match[1] is not None
        if line.startswith(b"p"):
            break
    return telling


def write(formula: Formula, file: BinaryIO) -> None:
    """Write a formula to a binary file."""
    for comment in formula.comments:
        file.write(f"c {comment}".rstrip(" ").encode("utf-8", "surrogateescape") + b"\n")
    if formula.names is not None:
        names = enumerate(formula.names.tolist(), 1)
        file.write(b"".join(b"c name %d %b\n" % pair for pair in names if pair[1]))
    end = 0
    for origin, blocks in groupby(formula.blocks, key=lambda block: block.origin):
        start, end = end + 1, end + sum(map(len, blocks))
        if origin and end >= start:
            words = f"c clauses {start}-{end} {origin}"
            file.write(words.encode("utf-8", "surrogateescape") + b"\n")
    file.write(f"p cnf {formula.variables} {formula.clauses}\n".encode())
    rows = decimal_rows(formula.variables, sum(block.literals.size for block in formula.blocks))
    for block in formula.blocks:
        for piece in render(block.literals, rows):
            file.write(piece)


def read(file: BinaryIO) -> Formula:
    """Read a formula from a binary file."""
    reader = _Reader()
    rest = file.read(len(codecs.BOM_UTF8)).removeprefix(codecs.BOM_UTF8)
    while not reader.ended:
        # At least as much as is left over: one endless line then takes linear time.
        data = file.read(max(_CHUNK, len(rest)))
        if not data:
            reader.feed(rest)
            break
        whole, newline, tail = data.rpartition(b"\n")
        if newline:
            reader.feed(rest + whole + newline)
            rest = tail
        else:
            rest += data
    return reader.formula()


@dataclass
class _Reader:
    """What has been read so far, in whole lines."""

    pieces: list[IntArray] = field(default_factory=list)
    lines: int = 0
    largest: int = 0
    ended: bool = False
    header: tuple[int, int] | None = None
    names: dict[int, bytes] = field(default_factory=dict)
    named: dict[bytes, int] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    origins: list[tuple[int, int, str]] = field(default_factory=list)
    """The first clause of an origin, counted from 0, the one after its last, and its name."""

    def feed(self, chunk: bytes) -> None:
        try:
            self._take(chunk)
        except TokenError as error:
            line = self.lines + chunk.count(b"\n", 0, error.offset) + 1
            column = error.offset - chunk.rfind(b"\n", 0, error.offset)
            raise FormatError(str(error), line=line, column=column) from None
        self.lines += chunk.count(b"\n")

    def _take(self, chunk: bytes) -> None:
        text: bytes | bytearray = chunk
        # Three fast searches save most chunks the slow regular expression.
        if b"c" in chunk or b"p" in chunk or b"%" in chunk:
            text = bytearray(chunk)
            for match in _WORDS.finditer(chunk):
                kind, words, start = match[1], match[2], match.start()
                if kind == b"%":
                    del text[start:]
                    self.ended = True
                    break
                text[start : match.end()] = b" " * (match.end() - start)
                if kind == b"p":
                    self._take_header(words, start)
                elif not self._take_origin(words):
                    self._take_comment(words, start)
        integers = parse_integers(text)
        if integers.values.size:
            self._check_largest(integers)
            self.pieces.append(integers.values)

    def formula(self) -> Formula:
        if self.pieces and self.pieces[-1][-1] != 0:
            self.pieces.append(np.zeros(1, np.int32))
        literals = np.concatenate(self.pieces) if self.pieces else np.zeros(0, np.int32)
        self.pieces.clear()
        if self.header is None and not literals.size:
            raise FormatError("there is neither a p line nor a clause; the text may be truncated")
        variables = self.largest if self.header is None else self.header[0]
        try:
            blocks = self._cut(literals)
            formula = Formula(
                blocks, variables, self._name_array(variables, literals.size), tuple(self.comments)
            )
        except UsageError as error:
            raise FormatError(str(error)) from None
        if self.header is not None and formula.clauses != self.header[1]:
            raise FormatError(
                f"the p line says {self.header[1]} clauses, but there are {formula.clauses}"
            )
        return formula

    def _cut(self, literals: IntArray) -> tuple[Block, ...]:
        """Cut the clauses into blocks, each with its origin."""
        ends = np.concatenate([[0], np.flatnonzero(literals == 0) + 1])
        last = ends.size - 1
        spans, place = [], 0
        for start, end, origin in [*self.origins, (last, last, "")]:
            spans += [(place, min(start, last), ""), (min(start, last), min(end, last), origin)]
            place = min(end, last)
        return tuple(
            Block(origin, literals[ends[start] : ends[end]])
            for start, end, origin in spans
            if start < end
        )

    def _take_origin(self, words: bytes) -> bool:
        """Take a comment on clauses after those of earlier comments; return whether it is one."""
        match = _ORIGIN.fullmatch(words)
        before = self.origins[-1][1] if self.origins else 0
        if match is None or not before < int(match[1]) <= int(match[2]):
            return False
        self.origins.append((int(match[1]) - 1, int(match[2]), _decode(match[3])))
        return True

    def _take_header(self, words: bytes, offset: int) -> None:
        match = _HEADER.fullmatch(words)
        if match is None:
            shown = _decode(b"p" + words[:40]).strip()
            raise TokenError(f"expected 'p cnf VARIABLES CLAUSES', got {shown!r}", offset)
        if self.header is not None:
            raise TokenError("this is a second p line", offset)
        if len(match[1]) > 10 or int(match[1]) > LARGEST_VARIABLE or len(match[2]) > 18:
            raise TokenError(f"the most are {LARGEST_VARIABLE} variables and 10^18 clauses", offset)
        self.header = int(match[1]), int(match[2])

    def _take_comment(self, words: bytes, offset: int) -> None:
        match = _NAMED.fullmatch(words)
        if match is None:
            self.comments.append(_decode(words.removeprefix(b" ").replace(b"\r", b"")))
            return
        variable, name = int(match[1]), match[2]
        if self.names.setdefault(variable, name) != name:
            raise TokenError(f"variable {variable} is named twice", offset)
        if self.named.setdefault(name, variable) != variable:
            raise TokenError(f"two variables are named {_decode(name)!r}", offset)

    def _name_array(self, variables: int, literals: int) -> NameArray | None:
        if not self.names:
            return None
        if max(self.names) > variables:
            raise FormatError(
                f"there is a name for variable {max(self.names)}, but only {variables} variables"
            )
        # Names share one array, as wide as the longest: one endless name must not fill the memory.
        width = max(map(len, self.names.values()))
        if width * variables > _LARGEST_NAMES + 64 * literals:
            raise FormatError(f"a name of {width} characters is too long for {variables} variables")
        array: NameArray = np.zeros(variables, f"S{width}")
        index = np.fromiter(self.names.keys(), np.int64, len(self.names)) - 1
        array[index] = list(self.names.values())
        return array

    def _check_largest(self, integers: Integers) -> None:
        values = integers.values
        largest = max(int(values.max()), -int(values.min()))
        self.largest = max(self.largest, largest)
        if self.header is not None and largest > self.header[0]:
            where = int(np.argmax(np.abs(values) > self.header[0]))
            raise TokenError(
                f"{values[where]} is beyond the {self.header[0]} variables of the p line",
                int(integers.starts[where]),
            )


def _decode(words: bytes) -> str:
    return words.decode("utf-8", "surrogateescape")


DIMACS = Format("dimacs", (".cnf", ".dimacs"), read, write, recognise)
