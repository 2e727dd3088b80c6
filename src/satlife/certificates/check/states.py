"""The certificate that a width has no ship: ``problem.json``, ``states.runs`` and the statement.

``states.runs`` holds a set of states, sorted: a *run* for each first row.  It begins with the
places of all runs in the file and its length, as little-endian 64-bit numbers; each run that is not
empty is a zlib stream of blocks.  A block is a 16-bit number of states, at most :data:`BLOCK`; then
come their second rows, their third rows and so on, each combined by XOR with that of the state
before, as bytes, or as 16-bit numbers where rows have more than eight cells.
:mod:`satlife.audit.widths` checks them.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from satlife.audit.widths import RowRule, Runs, States, width_complaints
from satlife.certificates import folder as files
from satlife.errors import FormatError, UsageError
from satlife.machine import load_compiled
from satlife.plain import TooLargeError, open_plain
from satlife.problem import Problem
from satlife.problem.words import describe

STATES: Final = "states.runs"
FILES: Final = (files.PROBLEM, files.STATEMENT, STATES)
BLOCK: Final = 4096
"""States of a block at most."""
_READ: Final = 1 << 12
"""Packed bytes that are read at once; a run for every row is open, and there may be 512."""
_UNPACKED: Final = 1 << 16
"""Bytes that they may unpack to at once."""
_LARGE: Final = 50_000
"""The size of a file, in bytes, from which on the compiled check saves more than it costs."""
_TWIN: Final = "satlife.audit.fast_widths"


def state_width(problem: Problem) -> str:
    """Return the statement that a width has no ship."""
    return f"There is no {describe(problem).removeprefix('a ')}.\n"


def judge_states(
    folder: Path,
    problem: Problem,
    most_bytes: int,
    begin: bytes = b"",
    reached: Callable[[bytes], None] = lambda name: None,
) -> list[str]:
    """Return the errors in the states of a folder; see :func:`judge_runs`."""
    try:
        with open_plain(folder, STATES) as file:
            return judge_runs(file, problem, most_bytes, begin, reached)
    except FormatError as error:
        return [str(error)]


def judge_runs(
    file: IO[bytes],
    problem: Problem,
    most_bytes: int,
    begin: bytes = b"",
    reached: Callable[[bytes], None] = lambda name: None,
) -> list[str]:
    """Return the errors in a file of states; see :func:`width_complaints`."""
    try:
        rule = RowRule(problem)
        runs = read_runs(file, rule.n, rule.p, most_bytes)
        twin = load_compiled(_TWIN) if os.fstat(file.fileno()).st_size >= _LARGE else None
        judge = None if twin is None else twin.prepare(rule)
        return list(width_complaints(rule, runs, judge, begin, reached))
    except TooLargeError:
        raise
    except UsageError as error:
        return [str(error)]


def read_runs(file: IO[bytes], number: int, period: int, most_bytes: int) -> Runs:
    """Return the runs of a file, which may unpack to twice this number of bytes in all."""
    size, left = os.fstat(file.fileno()).st_size, 2 * most_bytes
    head = 8 * (number + 1)
    places = np.frombuffer(file.read(head) if size >= head else b"", "<u8").astype(np.int64)
    known = np.concatenate([[head], places, [size]])
    if not len(places) or places[0] != head or places[-1] != size or (np.diff(known) < 0).any():
        raise FormatError(f"{STATES} does not have a run for each row of this width")

    def unpack(row: int) -> Iterator[bytes]:
        nonlocal left
        place, end = places[row : row + 2].tolist()
        unpacker, packed, text = zlib.decompressobj(), b"", b""
        if place == end:
            return
        while (place < end or text) and not unpacker.eof:
            if not packed:
                file.seek(place)
                packed = file.read(min(_READ, end - place))
                place += len(packed)
            try:
                text = unpacker.decompress(packed, _UNPACKED)
            except zlib.error as error:
                raise FormatError(f"{STATES} is damaged: {error}") from None
            packed = unpacker.unconsumed_tail
            left -= len(text)
            if left < 0:
                raise TooLargeError(f"{STATES} is larger than the limit")
            yield text
        if place < end or unpacker.unused_data or not unpacker.eof:
            raise FormatError(f"{STATES} is damaged: a run does not end where it should")

    def runs(row: int) -> Iterator[States]:
        text, kind, columns = b"", _find_type(number), 2 * period - 1
        for part in unpack(row):
            text += part
            place = 0
            while len(text) >= place + 2:
                count = int.from_bytes(text[place : place + 2], "little")
                end = place + 2 + count * columns * kind.itemsize
                if not 0 < count <= BLOCK:
                    raise FormatError(f"{STATES} has a block of {count} states")
                if len(text) < end:
                    break
                rows = np.frombuffer(text[place + 2 : end], kind).reshape(columns, count)
                states = np.full((count, columns + 1), row, np.uint16)
                states[:, 1:] = np.bitwise_xor.accumulate(rows, axis=1).T
                place = end
                yield states
            text = text[place:]
        if text:
            raise FormatError(f"{STATES} is damaged: a block is cut")

    return runs


def write_runs(file: IO[bytes], number: int, runs: Runs) -> None:
    """Write the states that begin with each of a number of rows."""
    places, kind = [8 * (number + 1)], _find_type(number)
    file.write(bytes(places[0]))
    for row in range(number):
        packer, is_empty = zlib.compressobj(), True
        for states in runs(row):
            for start in range(0, len(states), BLOCK):
                block = states[start : start + BLOCK, 1:].T.astype(kind)
                block[:, 1:] ^= block[:, :-1].copy()
                file.write(packer.compress(block.shape[1].to_bytes(2, "little") + block.tobytes()))
                is_empty = False
        file.write(b"" if is_empty else packer.flush())
        places.append(file.tell())
    file.seek(0)
    file.write(np.array(places, "<u8").tobytes())


def _find_type(number: int) -> np.dtype[Any]:
    """Return how a row of a number of rows is written."""
    return np.dtype("u1" if number <= 1 << 8 else "<u2")
