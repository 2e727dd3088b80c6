r"""DIMACS, the format that every SAT solver reads.

Lines that begin with ``c`` are comments, wherever they are.  Two kinds of them are our own::

    c name 17 3a4              variable 17 is called 3a4
    c clauses 1-98 transition  the first 98 clauses come from the transition rule

We write all of them above the ``p`` line, because ``drat-trim`` misreads a formula with comments
between its clauses, and may then verify a proof that is wrong.

Everything else between blanks is a literal, or the 0 that ends a clause; a clause may span lines.
The reader is lenient: the line ``p cnf VARIABLES CLAUSES`` may be missing or come late, the last 0
may be missing, and a line ``%`` ends the text, as in the files of SATLIB.  But if there is a ``p``
line, its counts must be right: a truncated file is a different formula.

>>> import io
>>> formula = read(io.BytesIO(b"c name 1 a\np cnf 2 2\n1 -2 0\n2\n0\n"))
>>> list(formula), formula.name(1)
([(1, -2), (2,)], 'a')

Chunks of bytes are parsed by array operations, one decimal place after the other, without a Python
object per number.

>>> parse_integers(b"1 -20 0\n").values.tolist()
[1, -20, 0]
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import groupby
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from satlife.errors import FormatError, UsageError
from satlife.sat.files._format import Format
from satlife.sat.formula import LARGEST_VARIABLE, Block, Formula, IntArray, NameArray

# Literals are written whole arrays at a time, without a Python object per literal.  Each has a row
# in a table of bytes: its text, zeros, and in the last four bytes the length of the text.  The rows
# of some thousand literals are copied to where their texts begin; what a row has beyond its text is
# overwritten by the next one.

Bytes = npt.NDArray[np.uint8]

Finder = Callable[[IntArray], tuple[npt.NDArray[np.void], npt.NDArray[np.intp]]]
"""For literals: a table, and the row of each of them."""

_STEP = 1 << 14
"""Literals written at once; their rows and their text fit into the processor's cache."""

_LARGEST_TABLE = 1 << 22
"""The largest number of variables for a table of all numbers, of 134 MB at most."""


def write_clauses(formula: Formula, file: BinaryIO, find: Finder) -> None:
    """Write all clauses, with the texts of literals that ``find`` finds."""
    for block in formula.blocks:
        for start in range(0, block.literals.size, _STEP):
            table, places = find(block.literals[start : start + _STEP])
            # NumPy is faster if it need not check the places.
            file.write(_join(table.take(places, mode="clip")))


def _join(rows: npt.NDArray[np.void]) -> memoryview:
    """Return the texts of rows, one after the other."""
    words = rows.itemsize // 4
    ends = np.zeros(rows.size + 1, np.intp)
    np.cumsum(rows.view("<u4")[words - 1 :: words], out=ends[1:])
    text = np.empty(ends[-1] + rows.itemsize, np.uint8)
    # A row may begin at every byte; NumPy copies them one after the other.
    np.ndarray(ends[-1], rows.dtype, text, strides=(1,))[ends[:-1]] = rows
    return text[: ends[-1]].data


def _write_names(names: NameArray, file: BinaryIO) -> None:
    named, width = np.flatnonzero(names), names.dtype.itemsize
    for start in range(0, named.size, _STEP):
        some = named[start : start + _STEP]
        rows = _blank_rows(4 * some.size, width)
        parts = rows.reshape(some.size, 4, -1)
        numbers = _tabulate((some + 1).astype(np.int32))[some.size + 1 :].view(np.uint8)
        parts[:, 0, :7] = np.frombuffer(b"c name ", np.uint8)
        parts[:, 1, :12] = numbers.reshape(some.size, 16)[:, :12]
        parts[:, 2, :width] = names[some].view(np.uint8).reshape(some.size, width)
        parts[:, 3, 0] = ord("\n")
        file.write(_join(_seal(rows)))


def find_numbers(variables: int, literals: int) -> Finder:
    """Return the finder for DIMACS: a literal and a space, or a 0 and a newline."""
    if variables > min(_LARGEST_TABLE, literals):
        return _find_some  # a table of all would not pay
    table = _tabulate(np.arange(1, variables + 1, dtype=np.int32))
    return lambda piece: (table, np.add(piece, variables, dtype=np.intp))


def _find_some(piece: IntArray) -> tuple[npt.NDArray[np.void], npt.NDArray[np.intp]]:
    numbers = np.unique(np.abs(piece[piece != 0]))
    rank = np.searchsorted(numbers, np.abs(piece), "right")
    return _tabulate(numbers), numbers.size + np.where(piece < 0, -rank, rank)


def find_names(names: NameArray) -> Finder:
    """Return the finder for Knuth's format: space, sign and name, or a newline."""
    count, width = names.size, max(names.dtype.itemsize, 1)
    letters = np.ascontiguousarray(names).view(np.uint8).reshape(count, width)
    rows = _blank_rows(2 * count + 1, width + 2)
    rows[:, 0] = ord(" ")
    rows[:count, 1] = ord("~")
    rows[:count, 2 : width + 2] = letters[::-1]
    rows[count, 0] = ord("\n")
    rows[count + 1 :, 1 : width + 1] = letters
    table = _seal(rows)
    return lambda piece: (table, np.add(piece, count, dtype=np.intp))


def _tabulate(numbers: IntArray) -> npt.NDArray[np.void]:
    """Return the rows of ascending numbers, after those of their negations and of 0."""
    count = numbers.size
    rows = _blank_rows(2 * count + 1, _DIGITS + 2)
    below, above = rows[:count][::-1], rows[count + 1 :]
    for places in range(1, len(str(numbers[-1])) + 1 if count else 0):
        these = slice(*np.searchsorted(numbers, (10 ** (places - 1), 10**places)))
        part, rest = above[these], numbers[these]
        for place in reversed(range(places)):
            tens = rest // 10  # many times faster in NumPy than a remainder
            part[:, place] = rest - 10 * tens + ord("0")
            rest = tens
        part[:, places] = ord(" ")
        part.view("<u4")[:, -1] = places + 1
    below[:, 0] = ord("-")
    below[:, 1:-4] = above[:, :-5]
    below.view("<u4")[:, -1] = above.view("<u4")[:, -1] + 1
    rows[count, :2] = ord("0"), ord("\n")
    rows.view("<u4")[count, -1] = 2
    return rows.view(f"V{rows.shape[1]}").reshape(-1)


def _blank_rows(count: int, longest: int) -> Bytes:
    # NumPy is fastest with widths that are powers of two.
    return np.zeros((count, max(16, 1 << (longest + 3).bit_length())), np.uint8)


def _seal(rows: Bytes) -> npt.NDArray[np.void]:
    rows.view("<u4")[:, -1] = np.count_nonzero(rows, axis=1)
    return rows.view(f"V{rows.shape[1]}").reshape(-1)


_DIGITS = len(str(LARGEST_VARIABLE))

_SOLID = np.ones(256, np.bool_)
_SOLID[list(b" \t\n\r\v\f")] = False


class Integers(Struct, frozen=True):
    """The integers of a chunk, and their offsets."""

    values: IntArray
    starts: npt.NDArray[np.intp]


class TokenError(ValueError):
    """A token is not a 32-bit integer; ``offset`` is its position in the chunk."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def parse_integers(data: bytes | bytearray) -> Integers:
    """Return the integers of a text, separated by blanks; raise TokenError at any other token."""
    # A blank at each end, so that every token has one before and one after it.
    text = np.full(len(data) + 2, ord(" "), np.uint8)
    text[1:-1] = np.frombuffer(data, np.uint8)
    solid = _SOLID[text]
    edges = np.flatnonzero(solid[1:] != solid[:-1])
    starts, ends = edges[0::2] + 1, edges[1::2] + 1
    if not starts.size:
        return Integers(np.zeros(0, np.int32), starts)
    digits = text - np.uint8(ord("0"))  # wraps around: anything but a digit becomes 10 or more
    negative = text[starts] == ord("-")
    lengths = ends - starts - negative
    longest = int(lengths.max())
    # Every solid byte is a digit or the sign that opens a token: then the counts agree.
    plain = int(np.count_nonzero(digits < 10)) == int(lengths.sum()) and lengths.min() > 0
    if not plain or longest > _DIGITS:
        raise _first_error(bytes(text), starts, ends)
    values = digits[ends - 1].astype(np.int64)
    scale = 1
    for place in range(2, longest + 1):
        scale *= 10
        # Beyond a short number's first digit are its sign or other numbers: they are masked.
        values += digits[ends - place] * (lengths >= place) * np.int64(scale)
    np.negative(values, out=values, where=negative)
    if longest == _DIGITS and int(np.abs(values).max()) > LARGEST_VARIABLE:
        raise _first_error(bytes(text), starts, ends)
    if (negative & (values == 0)).any():
        raise _first_error(bytes(text), starts, ends)
    return Integers(values.astype(np.int32), starts - 1)


def _first_error(
    text: bytes, starts: npt.NDArray[np.intp], ends: npt.NDArray[np.intp]
) -> TokenError:
    """Return the error for the first invalid token; this is slow, but errors are rare."""
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        token = text[start:end]
        number = token.removeprefix(b"-")
        shown = token[:20].decode("ascii", "backslashreplace")
        if not number.isdigit():
            return TokenError(f"{shown!r} is not a literal", start - 1)
        if len(number) > _DIGITS or int(number) > LARGEST_VARIABLE:
            return TokenError(f"{shown!r} is beyond ±{LARGEST_VARIABLE}", start - 1)
        if token.startswith(b"-") and int(number) == 0:
            return TokenError(f"{shown!r} is not a literal", start - 1)
    raise AssertionError("every token is an integer")


_CHUNK = 1 << 21
"""Bytes read at once: enough to outweigh NumPy's overhead, few enough for the cache."""

_LARGEST_NAMES = 1 << 28
"""Bytes allowed for names beyond 64 per literal, so that a short text cannot fill the memory."""

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
        text = f" {comment}".rstrip(" ").encode("utf-8", "surrogateescape")
        # Another blank keeps a comment from being read as one of ours.
        is_taken = _NAMED.fullmatch(text) or _ORIGIN.fullmatch(text)
        file.write(b"c" + b" " * bool(is_taken) + text + b"\n")
    if formula.names is not None:
        _write_names(formula.names, file)
    end = 0
    for origin, blocks in groupby(formula.blocks, key=lambda block: block.origin):
        start, end = end + 1, end + sum(map(len, blocks))
        if origin and end >= start:
            words = f"c clauses {start}-{end} {origin}"
            file.write(words.encode("utf-8", "surrogateescape") + b"\n")
    file.write(f"p cnf {formula.variables} {formula.clauses}\n".encode())
    literals = sum(block.literals.size for block in formula.blocks)
    write_clauses(formula, file, find_numbers(formula.variables, literals))


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
    """The state of reading, after whole lines."""

    pieces: list[IntArray] = field(default_factory=list)
    lines: int = 0
    largest: int = 0
    ended: bool = False
    header: tuple[int, int] | None = None
    names: dict[int, bytes] = field(default_factory=dict)
    named: dict[bytes, int] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    origins: list[tuple[int, int, str]] = field(default_factory=list)
    """For each origin, its first clause, from 0 on, the end of its clauses, and its name."""

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
        """Parse an origin comment, if it continues the earlier ones; return whether it does."""
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
