"""A map as a folder: the question, a line for each region, a picture, and a page to look up rules.

======================  ==========================================================
``problem.json``        the question; its rule is the set of rules
``regions.jsonl``       a line for each region: its rules, and a pattern if there is one
``summary.json``        the counts, and the processor time
``map.png``             the picture
``index.html``          the page
``proofs/0001/ ...``    with ``--prove``: a certificate for each region without a pattern
======================  ==========================================================

Each region is written as soon as it is known, so that a map can be stopped at any time.  Only plain
files are read, and none through a link: the folder may be a stranger's.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from satlife.certificates.folder import (
    MOST_FILES,
    PROBLEM,
    TooLargeError,
    check_keys,
    read_file,
    read_problem,
)
from satlife.errors import FormatError, RuleError, UsageError
from satlife.life import Pattern
from satlife.life.rulespaces import RuleSpace
from satlife.problem import Problem
from satlife.rulemaps.page import draw_map, write_page
from satlife.rulemaps.rulemap import Region, RuleMap, open_space

REGIONS: Final = "regions.jsonl"
SUMMARY: Final = "summary.json"
PICTURE: Final = "map.png"
PAGE: Final = "index.html"
PROOFS: Final = "proofs"


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
        return before
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists and is not a map; name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / PROBLEM).write_bytes(problem.to_json())
    (folder / REGIONS).touch()
    return RuleMap(problem)


def add_region(folder: Path, region: Region) -> None:
    """Append a region to the folder's file."""
    with (folder / REGIONS).open("ab") as file:
        file.write(msgspec.json.encode(write_region(region)) + b"\n")
        file.flush()
        os.fsync(file.fileno())


def write_regions(folder: Path, regions: Sequence[Region]) -> None:
    """Write all regions to the folder, in place of those that are there."""
    new = folder / f"{REGIONS}.new"
    new.write_bytes(b"".join(msgspec.json.encode(write_region(each)) + b"\n" for each in regions))
    new.replace(folder / REGIONS)


def write_region(region: Region) -> dict[str, Any]:
    """Return a region as a record."""
    if region.pattern is None:
        return {"rules": str(region.rules), "answer": "impossible"}
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
        record = msgspec.json.decode(line, type=dict[str, str])
        rules, answer = RuleSpace(record.pop("rules")), record.pop("answer")
        rle = record.pop("rle", None)
        if record:
            raise FormatError(f"{min(record)[:40]!r} says nothing there")
        if (answer, rle is None) not in (("found", False), ("impossible", True)):
            raise FormatError("a region is found, with a pattern, or impossible")
        return Region(rules, None if rle is None else Pattern.from_rle(rle))
    except (msgspec.DecodeError, KeyError, RuleError, UsageError) as error:
        raise FormatError(f"{where} is not a region: {error}") from None


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


def _write_summary(rulemap: RuleMap) -> bytes:
    summary = rulemap.counts | {"seconds": round(rulemap.seconds, 2)}
    return msgspec.json.encode(summary) + b"\n"


def _write_page(rulemap: RuleMap) -> bytes:
    return write_page(rulemap).encode()


def _draw(rulemap: RuleMap) -> bytes:
    return draw_map(rulemap)


_EXTRAS: Final[dict[str, Callable[[RuleMap], bytes]]] = {
    SUMMARY: _write_summary,
    PAGE: _write_page,
    PICTURE: _draw,
}
"""Files derived from the regions, with their writers."""
