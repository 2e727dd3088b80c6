"""A map as a folder: the question, a line for each region, a picture, and a page to look up rules.

======================  ==========================================================
``problem.json``        the question; its rule is the set of rules
``regions.jsonl``       a line for each region: its rules, and a pattern if there is one
``summary.json``        the counts, and the processor time
``map.png``             the picture
``index.html``          the page
``proofs/0001/ ...``    with ``--prove``: a certificate for each region without a pattern
``states.xz``           for a width: the closed sets of the regions without a pattern, in order
======================  ==========================================================

Each region is written as soon as it is known, so that a map can be stopped at any time.  Only plain
files are read, and none through a link: the folder may be a stranger's.

``states.xz`` is one xz stream for each closed set; a region's line has its bytes and its number of
states.  A stream holds a tree of states in breadth-first order, two bytes for each state: for each
node its number of children, then for each node its row.  Whatever lies behind the last stream that
has a region was left by a kill, and is removed before the map goes on.
"""

from __future__ import annotations

import lzma
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from satlife.certificates.folder import (
    MOST_FILES,
    PROBLEM,
    check_keys,
    read_file,
    read_problem,
)
from satlife.errors import FormatError, RuleError, UsageError
from satlife.life import Pattern
from satlife.life.rulespaces import RuleSpace
from satlife.plain import LARGEST_TEXT, MOST_MEMORY, TooLargeError, open_plain
from satlife.problem import Problem
from satlife.rulemaps.page import draw_map, write_page
from satlife.rulemaps.rulemap import ClosedSet, Region, RuleMap, open_space

REGIONS: Final = "regions.jsonl"
SUMMARY: Final = "summary.json"
PICTURE: Final = "map.png"
PAGE: Final = "index.html"
PROOFS: Final = "proofs"
STATES: Final = "states.xz"
MOST_STATES: Final = 1 << 24
"""Maximum number of states of a region; more are not unpacked."""


def is_map(folder: Path) -> bool:
    """Whether a folder holds a map."""
    return (folder / REGIONS).is_file()


def read_map(folder: str | Path) -> RuleMap:
    """Read a map from its folder."""
    place = Path(folder)
    if not is_map(place):
        raise UsageError(f"{place} is not the folder of a map; satlife map makes one")
    problem = read_problem(place)
    open_space(problem)
    return RuleMap(problem, tuple(_read_regions(place)), _read_seconds(place))


def list_map(folder: Path) -> dict[str, int]:
    """Return what is in a map's folder, with sizes: files, folders, and each certificate.

    Anything but plain files and folders is refused, and not opened.
    """
    sizes: dict[str, int] = {}
    waiting, count = [""], 0
    while waiting:
        under = waiting.pop()
        with os.scandir(folder / under) as entries:
            for entry in entries:
                count += 1
                if count > MOST_FILES:
                    raise TooLargeError(f"there are more than {MOST_FILES:,} files")
                name, found = f"{under}{entry.name}", entry.stat(follow_symlinks=False)
                is_folder = stat.S_ISDIR(found.st_mode)
                if is_folder:
                    waiting.append(f"{name}/")
                elif not stat.S_ISREG(found.st_mode):
                    raise FormatError(f"{name} is not a plain file")
                if not (is_folder and name == PROOFS):
                    depth = 2 if under.startswith(f"{PROOFS}/") else 1
                    owner = "/".join(name.split("/")[:depth])
                    sizes[owner] = sizes.get(owner, 0) + (0 if is_folder else found.st_size)
    return sizes


def begin_map(problem: Problem, folder: Path) -> RuleMap:
    """Return the folder's map of this question; begin one if the folder is new."""
    if is_map(folder):
        before = read_map(folder)
        if before.problem != problem:
            raise UsageError(f"{folder} has the map of another question; name another folder")
        _end_line(folder / REGIONS)
        _end_states(folder / STATES, before)
        return before
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists and is not a map; name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / PROBLEM).write_bytes(problem.to_json())
    (folder / REGIONS).touch()
    return RuleMap(problem)


def add_region(folder: Path, region: Region) -> None:
    """Append a region to the folder's files; its states come first."""
    if region.closed is not None:
        _append(folder / STATES, region.closed.packed)
    _append(folder / REGIONS, msgspec.json.encode(write_region(region)) + b"\n")


def write_regions(folder: Path, regions: Sequence[Region]) -> None:
    """Write all regions to the folder, in place of those that are there."""
    new = folder / f"{REGIONS}.new"
    new.write_bytes(b"".join(msgspec.json.encode(write_region(each)) + b"\n" for each in regions))
    new.replace(folder / REGIONS)


def write_region(region: Region) -> dict[str, Any]:
    """Return a region as a record."""
    if region.pattern is None:
        record = {"rules": str(region.rules), "answer": "impossible"}
        closed = region.closed
        return record | ({"states": closed.count, "bytes": closed.size} if closed else {})
    return {"rules": str(region.rules), "answer": "found", "rle": region.pattern.to_rle()}


def finish_map(rulemap: RuleMap, folder: Path) -> None:
    """Write the picture, the page and the summary."""
    for name, make in _EXTRAS.items():
        (folder / name).write_bytes(make(rulemap))


def is_as_made(rulemap: RuleMap, folder: Path, name: str, size: int) -> bool:
    """Whether a file of the folder is what :func:`finish_map` writes for this map."""
    try:
        made = _EXTRAS[name](rulemap)
    except (KeyError, UsageError):
        return False
    return len(made) == size and read_file(folder, name) == made


def _read_regions(folder: Path) -> list[Region]:
    text = read_file(folder, REGIONS)
    # A process killed while writing leaves half a line.
    lines = text[: text.rfind(b"\n") + 1].splitlines()
    return [_read_region(line, number) for number, line in enumerate(lines, 1)]


def _read_region(line: bytes, number: int) -> Region:
    where = f"line {number} of {REGIONS}"
    try:
        check_keys(line, "it")
        record = msgspec.json.decode(line, type=dict[str, str | int])
        states, size = (_read_number(record.pop(name, 0)) for name in ("states", "bytes"))
        texts = msgspec.convert(record, dict[str, str])
        rules, answer = RuleSpace(texts.pop("rules")), texts.pop("answer")
        rle = texts.pop("rle", None)
        if texts:
            raise FormatError(f"{min(texts)[:40]!r} says nothing there")
        if (answer, rle is None) not in (("found", False), ("impossible", True)):
            raise FormatError("a region is found, with a pattern, or impossible")
        if (states > 0) != (size > 0) or (states and rle is not None):
            raise FormatError("only an impossible region has states, and then also their bytes")
        pattern = None if rle is None else Pattern.from_rle(rle)
        return Region(rules, pattern, ClosedSet(states, size) if states else None)
    except (msgspec.DecodeError, KeyError, RuleError, UsageError) as error:
        raise FormatError(f"{where} is not a region: {error}") from None


def _read_number(value: str | int) -> int:
    if not isinstance(value, int) or not 0 <= value < 1 << 62:
        raise FormatError(f"{str(value)[:40]!r} is not a number of states or bytes")
    return value


def _read_seconds(folder: Path) -> float:
    try:
        record = msgspec.json.decode(read_file(folder, SUMMARY), type=dict[str, float])
    except (FormatError, TooLargeError, msgspec.DecodeError):
        return 0.0
    return float(record.get("seconds", 0.0))


def _end_line(path: Path) -> None:
    """Remove half a line at the end of a file."""
    text = path.read_bytes()
    if text and not text.endswith(b"\n"):
        os.truncate(path, text.rfind(b"\n") + 1)


def _append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


# The states of a width.


def pack_states(children: NDArray[np.uint8], rows: NDArray[np.uint8]) -> ClosedSet:
    """Return a closed set as the folder keeps it."""
    packed = lzma.compress(children.tobytes() + rows.tobytes(), preset=1)
    return ClosedSet(len(rows), len(packed), packed)


def read_states(
    folder: Path, closed: ClosedSet, start: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the numbers of children and the rows of a closed set; its bytes begin at ``start``."""
    if closed.count > MOST_STATES or closed.size > LARGEST_TEXT:
        raise TooLargeError(f"{closed.count:,} states are more than {MOST_STATES:,}")
    with open_plain(folder, STATES) as file:
        file.seek(start)
        packed = file.read(closed.size)
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY)
    try:
        text = unpacker.decompress(packed, 2 * closed.count + 1)
    except lzma.LZMAError as error:
        raise FormatError(f"{STATES} is damaged: {error}") from None
    if len(text) != 2 * closed.count or not unpacker.eof or unpacker.unused_data:
        raise FormatError(f"{STATES} does not hold {closed.count:,} states at byte {start:,}")
    children, rows = np.frombuffer(text, np.uint8).reshape(2, -1)
    return children, rows


def count_bytes(rulemap: RuleMap) -> int:
    """Return the size of the states of all regions."""
    return sum(region.closed.size for region in rulemap.regions if region.closed)


def _end_states(path: Path, rulemap: RuleMap) -> None:
    """Remove states that no region names."""
    size, named = path.stat().st_size if path.exists() else 0, count_bytes(rulemap)
    if size < named:
        what = "shorter than its regions say" if path.exists() else "missing"
        raise UsageError(f"{path} is {what}; name another folder")
    if size > named:
        os.truncate(path, named)


def _write_summary(rulemap: RuleMap) -> bytes:
    summary = rulemap.counts | {"seconds": round(rulemap.seconds, 2)}
    return msgspec.json.encode(summary) + b"\n"


_EXTRAS: Final[dict[str, Callable[[RuleMap], bytes]]] = {
    SUMMARY: _write_summary,
    PAGE: lambda rulemap: write_page(rulemap).encode(),
    PICTURE: draw_map,
}
"""Files derived from the regions, with their writers."""
