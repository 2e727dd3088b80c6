r"""Reading other people's collections into a catalogue: lists of apgcodes, and files of patterns.

A list has one apgcode in a line, with a name or a number after it, or nothing. A file of patterns
holds one or more of them in RLE, or one in another format; a pattern of several objects, such as a
stamp collection, is divided into them. A glider database has one object in a line. Everything is
simulated; an object that contradicts its code or its line is left out, and so is one that does not
recur.

>>> read = read_collection("xp2_7 blinker\nxs4_33\nxp3_33\nyl144_1_16_afb5f3db909e60548f086e22e")
>>> [entry.words for entry in read.entries]
['oscillator p2', 'still life']
>>> print(*read.skipped, sep="\n")
line 3: xp3_33 is a still life, not what its code says
line 4: a code of this kind does not hold the cells
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from satlife.errors import UsageError
from satlife.life.catalogue.entries import Entry, describe
from satlife.life.catalogue.gliders import SUFFIX, is_database, read_database
from satlife.life.formats import find_pattern, list_patterns, list_unread, read_excerpt
from satlife.life.identity.apgcode import from_apgcode, split_code
from satlife.life.identity.limits import LimitReached, WatchLimit
from satlife.life.identity.longrun.scene import divide
from satlife.life.identity.recurrence import Recurrence, find_recurrence
from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE, RuleLike
from satlife.life.universe import can_step
from satlife.quantities import write_count

_CODE: Final = re.compile(r"[\"']?((?:x[spq]|yl|ov_|zz_)[0-9a-zA-Z_]*)[\"']?\s*[,;\t ]?\s*(.*)")


@dataclass(frozen=True)
class Collection:
    """The result of reading a collection."""

    entries: tuple[Entry, ...]
    """The objects, each once."""
    skipped: tuple[str, ...]
    """The parts that were left out, with reasons."""


def read_collection(
    text: str, source: str = "", rule: RuleLike | None = None, seconds: float | None = None
) -> Collection:
    """Read a list of apgcodes, a glider database or a file of patterns; ``source`` is its name.

    A pattern that is not identified in a number of seconds is left out.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    is_list = any(_CODE.fullmatch(line.strip()) for line in lines[:20])
    is_named = source.strip("'").lower().endswith(SUFFIX)
    results: Iterator[Entry | _Object | str]
    if is_database(lines) or (is_named and not is_list):  # where a code may be a name
        results = read_database(lines, source, rule, seconds)
    elif is_list:
        results = _read_list(lines, rule)
    else:
        results = _read_patterns(text, rule, seconds)
    entries: dict[tuple[str, str, str], Entry] = {}
    skipped = []
    for result in results:
        if isinstance(result, str):
            skipped.append(result)
            continue
        entry = result if isinstance(result, Entry) else describe(*result, source)
        entries.setdefault(entry.key, entry)
    return Collection(tuple(entries.values()), tuple(skipped))


_Object = tuple[Pattern, Recurrence, str]


def _read_list(lines: list[str], rule: RuleLike | None) -> Iterator[_Object | str]:
    for number, line in enumerate(lines, 1):
        match = _CODE.fullmatch(line.strip())
        if not match:
            if line.strip() and not line.lstrip().startswith(("#", "!")):
                yield f"line {number}: not an apgcode"
            continue
        code, rest = match[1], match[2].strip("\"' ,;")
        try:
            kind, period, _ = split_code(code)
            pattern = from_apgcode(code, LIFE if rule is None else rule)
        except UsageError as error:
            yield f"line {number}: {str(error).removeprefix(f'{code!r}: ')}"
            continue
        period = 1 if kind == "still life" else period
        found = find_recurrence(pattern, generations=period)
        if found is None or (found.kind, found.period) != (kind, period):
            what = (
                found.describe()
                if found
                else f"nothing that recurs in {write_count(period, 'generation')}"
            )
            yield f"line {number}: {code[:40]} is {what}, not what its code says"
            continue
        yield pattern, found, "" if re.fullmatch(r"[0-9., ]*", rest) else rest


def _read_patterns(
    text: str, rule: RuleLike | None, seconds: float | None
) -> Iterator[_Object | str]:
    drawn = list_patterns(text) or [find_pattern(text)]  # raises the error
    yield from list_unread(text)
    for number, (format_, excerpt) in enumerate(drawn, 1):
        where = f"pattern {number}: " if len(drawn) > 1 else ""
        try:
            pattern = Pattern.from_raster(read_excerpt(format_, excerpt))
        except UsageError as error:
            yield f"{where}{error}"
            continue
        if rule is not None:
            pattern = pattern.with_rule(rule)
        check = WatchLimit(seconds).check
        # A pattern that runs slowly is not divided.
        is_fast = can_step(pattern.rule)
        try:
            objects, rest = divide(pattern, check) if is_fast else ([], pattern.population)
            if rest and (whole := find_recurrence(pattern, check=check)):  # of several parts
                objects, rest = [(pattern, whole)], 0
        except LimitReached as limit:
            yield f"{where}not identified {limit}"
            continue
        for object_, found in objects:
            yield object_, found, excerpt.name if len(objects) == 1 else ""
        if rest or not objects:
            yield f"{where}{write_count(rest, 'cell')} outside of objects that recur"
