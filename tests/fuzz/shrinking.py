"""Make a failing problem small, and write it as a test."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Iterator
from typing import Any

from satlife.errors import UsageError
from satlife.search import Problem
from tests.fuzz.checks import Case
from tests.fuzz.running import Failure, compare_refusals, try_check
from tests.reference import TooLarge, refused
from tests.reference.asked import Frame, NoCell

Fields = dict[str, Any]


def check_again(check: str, problem: str, seed: str) -> str | None:
    """Return what is wrong with a problem, or None; this is what a pasted test calls."""
    if check == "refusal":
        return compare_refusals(problem, well_formed=False)
    return try_check(check, Case.of(Problem.from_json(problem), seed))


def shrink(failure: Failure, seconds: float = 30.0) -> Failure:
    """Return the failure of a smaller problem, by the same check."""
    fields, words, seed = json.loads(failure.problem), failure.words, failure.seed
    if failure.check == "refusal":
        return failure
    end = time.monotonic() + seconds
    smaller = True
    while smaller and time.monotonic() < end:
        smaller = False
        for candidate in _smaller(fields):
            if time.monotonic() > end:
                break
            told = _fails(failure, json.dumps(candidate), seed)
            if told is not None:
                canonical = json.loads(Problem.from_json(json.dumps(candidate)).to_json())
                if canonical != fields:
                    fields, (words, seed), smaller = canonical, told, True
                    break
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"))
    return Failure(failure.number, failure.check, text, seed, words)


def _fails(failure: Failure, text: str, seed: str) -> tuple[str, str] | None:
    """Return the words and the seed with which it still fails, for a few seeds."""
    try:
        case = Case.of(Problem.from_json(text), seed)
        if refused(case.text):
            return None
    except (UsageError, TooLarge, NoCell):
        return None
    for again in (seed, *(f"again {n}" for n in range(4))):
        case = Case(case.problem, case.found, again)
        words = try_check(failure.check, case)
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
    return (
        f"def test_{failure.check}_{name}() -> None:\n"
        f"    from tests.fuzz.shrinking import check_again\n\n{words}\n"
        f"    problem = {failure.problem!r}\n"
        f"    assert check_again({failure.check!r}, problem, {failure.seed!r}) is None\n"
    )
