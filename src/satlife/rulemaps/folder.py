"""A map as a folder: the question, a line for each region, a picture, and a page to look up rules.

======================  ==========================================================
``problem.json``        the question; its rule is the set of rules
``regions.jsonl``       a line for each region: its rules, and a pattern if there is one
``summary.json``        the counts, and the processor time
``map.png``             the picture
``index.html``          the page
``proofs/0001/ ...``    with ``--prove``: a certificate for each region without a pattern
======================  ==========================================================

Each region is written as soon as it is known, so that a map can be stopped at any time.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from satlife.errors import FormatError, RuleError, UsageError
from satlife.life import Pattern
from satlife.life.rulespaces import RuleSpace
from satlife.rulemaps.rulemap import Region, RuleMap, open_space
from satlife.search.problem import Problem

PROBLEM: Final = "problem.json"
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
    problem = Problem.from_json((place / PROBLEM).read_bytes())
    open_space(problem)
    return RuleMap(problem, tuple(_read_regions(place)), _read_seconds(place))


def begin_map(problem: Problem, folder: Path) -> RuleMap:
    """Return the map that a folder has of this question; begin one if the folder is new."""
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
    """Write a region to the folder, for good."""
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


def finish_map(rulemap: RuleMap, folder: Path) -> Sequence[str]:
    """Write the picture, the page and the summary; return what could not be written, and why."""
    from satlife.rulemaps.page import write_page  # noqa: PLC0415 - only at the end
    from satlife.rulemaps.picture import draw_map  # noqa: PLC0415 - only at the end

    summary = rulemap.counts | {"seconds": round(rulemap.seconds, 2)}
    (folder / SUMMARY).write_bytes(msgspec.json.encode(summary) + b"\n")
    (folder / PAGE).write_text(write_page(rulemap), encoding="utf-8")
    try:
        picture = draw_map(rulemap)
    except UsageError as error:  # Pillow is not there, and the page has a picture of its own
        return (f"no {PICTURE}: {error}",)
    (folder / PICTURE).write_bytes(picture)
    return ()


def _read_regions(folder: Path) -> list[Region]:
    text = (folder / REGIONS).read_bytes()
    # Whoever was killed while writing has left half a line.
    lines = text[: text.rfind(b"\n") + 1].splitlines()
    return [_read_region(line, number) for number, line in enumerate(lines, 1)]


def _read_region(line: bytes, number: int) -> Region:
    where = f"line {number} of {REGIONS}"
    try:
        record = msgspec.json.decode(line, type=dict[str, str])
        rules, answer = RuleSpace(record["rules"]), record["answer"]
        rle = record.get("rle")
        if (answer, rle is None) not in (("found", False), ("impossible", True)):
            raise FormatError("a region is found, with a pattern, or impossible")
        return Region(rules, None if rle is None else Pattern.from_rle(rle))
    except (msgspec.DecodeError, KeyError, RuleError, UsageError) as error:
        raise FormatError(f"{where} is not a region: {error}") from None


def _read_seconds(folder: Path) -> float:
    try:
        record = msgspec.json.decode((folder / SUMMARY).read_bytes(), type=dict[str, float])
    except (OSError, msgspec.DecodeError):
        return 0.0
    return float(record.get("seconds", 0.0))


def _end_line(path: Path) -> None:
    """Remove half a line at the end of a file."""
    text = path.read_bytes()
    if text and not text.endswith(b"\n"):
        os.truncate(path, text.rfind(b"\n") + 1)
