"""Make a failing problem small, and write it as a test."""

from __future__ import annotations

import hashlib
import json
import re
import time
import tomllib
from collections.abc import Iterator
from typing import Any

import tomli_w

from satlife.errors import UsageError
from tests.fuzz.checks import Case
from tests.fuzz.running import Failure, compare_refusals, try_check
from tests.fuzz.sorts import find_sorts
from tests.reference import TooLarge, refused
from tests.reference.asked import Frame, NoCell

Fields = dict[str, Any]


def check_again(check: str, text: str, seed: str, sort: str = "planted") -> str | None:
    """Return what is wrong with what was drawn, or None; this is what a pasted test calls."""
    if check == "refusal":
        return compare_refusals(text, well_formed=False)
    (found,) = find_sorts([sort])
    return try_check(check, found.read(text, seed))


def shrink(failure: Failure, seconds: float = 30.0) -> Failure:
    """Return the failure of something smaller, by the same check."""
    if failure.check == "refusal":
        return failure
    fields, words, seed = read_text(failure.problem), failure.words, failure.seed
    end = time.monotonic() + seconds
    smaller = True
    while smaller and time.monotonic() < end:
        smaller = False
        for candidate in _smaller(fields) if "boxes" in fields else _without(fields):
            if time.monotonic() > end:
                break
            told = _fails(failure, _write_like(failure.problem, candidate), seed)
            if told is not None and candidate != fields:
                fields, (words, seed), smaller = candidate, told, True
                break
    text = _write_like(failure.problem, fields)
    return Failure(failure.number, failure.sort, failure.check, text, seed, words)


def read_text(text: str) -> Fields:
    """Read what was drawn: JSON, or a plan in TOML."""
    fields: Fields = json.loads(text) if text.startswith("{") else tomllib.loads(text)
    return fields


def _write_like(text: str, fields: Fields) -> str:
    if text.startswith("{"):
        return json.dumps(fields, sort_keys=True, separators=(",", ":"))
    return tomli_w.dumps(fields)


def _without(value: Any) -> Iterator[Any]:
    """Yield it without one of its keys, or with one item fewer in one of its lists."""
    if isinstance(value, dict):
        for name, inside in value.items():
            rest = {k: v for k, v in value.items() if k != name}
            yield rest
            yield from ({**value, name: less} for less in _without(inside))
    elif isinstance(value, list):
        for i, inside in enumerate(value):
            yield [*value[:i], *value[i + 1 :]]
            yield from ([*value[:i], less, *value[i + 1 :]] for less in _without(inside))


def _fails(failure: Failure, text: str, seed: str) -> tuple[str, str] | None:
    """Return the words and the seed with which it still fails, for a few seeds."""
    (sort,) = find_sorts([failure.sort])
    for again in (seed, *(f"again {n}" for n in range(4))):
        try:
            subject = sort.read(text, again)
            if isinstance(subject, Case) and refused(subject.text):
                return None
        except (UsageError, TooLarge, NoCell, LookupError, ValueError, TypeError):
            return None
        words = try_check(failure.check, subject)
        if words is not None and _sort(words) == _sort(failure.words):
            return words, again
    return None


def _sort(words: str) -> str:
    """Return what kind of failure it is: the exception, or that the answers differ."""
    if match := re.match(r"\w+(Error|Exception)\b", words):
        return match[0]
    return re.sub(r"[0-9]+", "", words.splitlines()[0])


def _smaller(fields: Fields) -> Iterator[Fields]:
    """Yield simpler problems, the simplest first."""
    for name in ("constraints", "known", "links", "exempt"):
        listed = fields.get(name, [])
        if listed:
            yield {k: v for k, v in fields.items() if k != name}
        for i in range(len(listed)):
            yield fields | {name: listed[:i] + listed[i + 1 :]}
    for name in ("symmetry", "include_last", "wrap", "boundary", "rule", "motion", "kind"):
        if name in fields:
            yield {k: v for k, v in fields.items() if k != name}
    if "motion" in fields:
        yield from (fields | {"motion": motion} for motion in _simpler_motions(fields["motion"]))
    if fields.get("steps", 0) > 0:
        yield fields | {"steps": fields["steps"] - 1, "boxes": fields["boxes"][:-1] or None}
        yield fields | {"steps": fields["steps"] - 1}
    yield from (fields | {"boxes": boxes} for boxes in _smaller_boxes(fields["boxes"]))
    for i, drawing in enumerate(fields.get("known", [])):
        for rows in _sparser(drawing["rows"]):
            known = [*fields["known"]]
            known[i] = drawing | {"rows": rows}
            yield fields | {"known": known}
    for i, each in enumerate(fields.get("constraints", [])):
        for name in ("least", "most", "generation"):
            if name in each:
                simpler = {k: v for k, v in each.items() if k != name}
                constraints = [*fields["constraints"]]
                constraints[i] = simpler
                yield fields | {"constraints": constraints}


def _simpler_motions(motion: Fields) -> Iterator[Fields]:
    for name in ("transform", "dx", "dy"):
        if name in motion:
            yield {k: v for k, v in motion.items() if k != name}
    for period in range(1, motion["period"]):
        yield motion | {"period": period}
    for name in ("dx", "dy"):
        if abs(motion.get(name, 0)) > 1:
            yield motion | {name: motion[name] // abs(motion[name])}


def _smaller_boxes(boxes: list[str]) -> Iterator[list[str]]:
    if any(box.endswith("*") for box in boxes):
        return
    if len(boxes) > 1:
        yield boxes[:1]
    frames = [Frame.read(box) for box in boxes]
    for i, box in enumerate(frames):
        for width, height in ((box.width - 1, box.height), (box.width, box.height - 1)):
            if width and height:
                smaller = [*boxes]
                smaller[i] = f"{width}x{height}{box.x:+d}{box.y:+d}"
                yield smaller
    if min(frames[0].width, frames[0].height) > 1:
        box = frames[0]
        yield [f"{box.width - 1}x{box.height - 1}{box.x:+d}{box.y:+d}", *boxes[1:]]
    if (frames[0].x, frames[0].y) != (0, 0):
        dx, dy = frames[0].x, frames[0].y
        yield [f"{b.width}x{b.height}{b.x - dx:+d}{b.y - dy:+d}" for b in frames]


def _sparser(rows: list[str]) -> Iterator[list[str]]:
    for y, row in enumerate(rows):
        for x, state in enumerate(row):
            if state != "?":
                yield [*rows[:y], f"{row[:x]}?{row[x + 1 :]}", *rows[y + 1 :]]


def as_test(failure: Failure) -> str:
    """Write the failure as a test to paste."""
    name = hashlib.sha256(failure.problem.encode()).hexdigest()[:8]
    words = "\n".join(f"    # {line}".rstrip() for line in failure.words.splitlines())
    known = f"{failure.check!r}, text, {failure.seed!r}, {failure.sort!r}"
    return (
        f"def test_{failure.check}_{name}() -> None:\n"
        f"    from tests.fuzz.shrinking import check_again\n\n{words}\n"
        f"    text = {failure.problem!r}\n"
        f"    assert check_again({known}) is None\n"
    )
