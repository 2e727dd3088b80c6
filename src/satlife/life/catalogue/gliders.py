r"""The format of the glider database: one object in a line, with the rules in which it works.

David Eppstein's glider.db has ten fields in a line, with colons between them: name, discoverer,
least and greatest rule, period, dx, dy, width, height and RLE. The first two may be empty. Lines
that begin with # are comments. A period may be written 4/2: after half of it, the object is
mirrored or turned. An extension of the format is 8/4: after a quarter. dx is to the right; dy is
upward in the original, and downward in some later files.

>>> line = "Glider:John Conway, 1970:B3/S23:B3678/S0235678:4/2:-1:-1:3:3:bo$o$3o!"
>>> glider = read_line(line)
>>> glider.speed, glider.rule, glider.greatest
('c/4d', 'B3/S23', 'B3678/S0235678')
>>> write_line(glider)
'glider:John Conway, 1970:B3/S23:B3678/S0235678:4/2:-1:1:3:3:2o$obo$o!'

Every line is simulated, in both rules. The period, the displacement and the range of rules must be
right; the size and the half period are ignored here, and computed when a line is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from satlife.errors import FormatError, RuleError, UsageError
from satlife.life.catalogue.entries import Entry, clean_text, describe, evolves_alike, is_part
from satlife.life.identity.limits import Check, LimitReached, WatchLimit, go_on
from satlife.life.identity.recurrence import Recurrence, find_recurrence, follow
from satlife.life.pattern import Pattern
from satlife.life.rule import Rule, RuleLike
from satlife.life.rulespaces import RuleSpace, rules_of
from satlife.quantities import write_count

FIELDS: Final = (
    *("name", "discoverer", "rule min", "rule max"),
    *("period", "dx", "dy", "width", "height", "rle"),
)
SUFFIX: Final = ".db"
"""The suffix of a file that is read as a database even if no line is valid."""
_NUMBERS: Final = {
    "period": re.compile(r"0*([1-9][0-9]{0,8})(?:/[124])?", re.ASCII),
    **dict.fromkeys(("dx", "dy"), re.compile(r"([+-]?[0-9]{1,9})", re.ASCII)),
    **dict.fromkeys(("width", "height"), re.compile(r"([0-9]{1,9})", re.ASCII)),
}


def is_database(lines: Iterable[str]) -> bool:
    """Whether a line of a text has the fields of a glider database."""
    return any(line.count(":") == len(FIELDS) - 1 for line in lines if line[:1] != "#")


def read_database(
    lines: Iterable[str],
    source: str = "",
    rule: RuleLike | None = None,
    seconds: float | None = None,
) -> Iterator[Entry | str]:
    """Yield the entry of each line, or the reason why there is none.

    With a rule, only objects that work in it are kept; ``seconds`` limits each line.
    """
    wanted = None if rule is None else Rule(rule) if isinstance(rule, str) else rule
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            entry = read_line(line.strip(), source, WatchLimit(seconds).check)
        except UsageError as error:
            yield f"line {number}: {error}"
        except LimitReached as limit:
            yield f"line {number}: not identified {limit}"
        else:
            if wanted is None or entry.works_in(wanted):
                yield entry
            else:
                yield f"line {number}: not known to work in {wanted}"


def read_line(line: str, source: str = "", check: Check = go_on) -> Entry:
    """Read a line, and simulate the object in the least and the greatest of its rules.

    >>> read_line("::B3/S23:B3/S23:3:1:1:3:3:bo$2bo$3o!")
    Traceback (most recent call last):
    satlife.errors.FormatError: the object does not recur within 3 generations in B3/S23
    """
    texts = line.split(":")
    if len(texts) != len(FIELDS):
        names = ":".join(FIELDS)
        count = write_count(len(texts), "field")
        raise FormatError(f"{count} instead of {len(FIELDS)}; a line is {names}")
    fields = dict(zip(FIELDS, map(str.strip, texts), strict=True))
    period, dx, dy, *_ = (_read_number(name, fields[name]) for name in _NUMBERS)
    least, greatest = (_read_rule(name, fields[name]) for name in ("rule min", "rule max"))
    if not is_part(least, greatest):
        raise FormatError(f"rule min {least} has transitions that rule max {greatest} lacks")
    pattern = _read_cells(fields["rle"], least)
    found = _check_motion(pattern, period, (dx, dy), check)
    entry = describe(pattern, found, fields["name"], source)
    # The entry may be turned, by symmetries of the least rule that the greatest one lacks.
    if not all(evolves_alike(each, greatest, period) for each in (pattern, entry.pattern)):
        raise FormatError(
            f"the object does not have the same generations in {greatest} as in {least}; "
            "satlife rules-of lists the rules in which it does"
        )
    discoverer = clean_text(fields["discoverer"])
    return replace(entry, greatest=str(greatest), discoverer=discoverer)


def write_line(entry: Entry) -> str:
    """Write the line of an object that recurs; without a range, it gets the whole one.

    The object is in the phase of its code, and travels north or north-west.
    """
    if not entry.code:
        raise UsageError(f"{entry.name} does not recur, so it has no line in a glider database")
    pattern, greatest = entry.pattern, entry.greatest
    if not greatest:
        least, greatest = _find_range(pattern)
        pattern = pattern.with_rule(least)
    found = find_recurrence(pattern, generations=entry.period)
    if found is None:
        raise UsageError(f"{entry.code} does not recur in {pattern.rule}")
    (dx, dy), box = found.displacement, pattern.box
    _, *rows = pattern.normalized.to_rle().splitlines()
    names = (_clean_field(entry.name), _clean_field(entry.discoverer))
    period = f"{found.period}{_find_fraction(pattern, found.period)}"
    numbers = (period, dx, -dy, box.width, box.height)
    return ":".join(map(str, (*names, pattern.rule, greatest, *numbers, "".join(rows))))


def write_ranges(ranges: Iterable[tuple[Pattern, RuleSpace]]) -> str:
    """Write a database of patterns, each with the rules in which it works.

    >>> glider = Pattern.from_rle("bo$2bo$3o!")
    >>> print(write_ranges([(glider, rules_of(glider))]), end="")
    glider::B3/S23:B3678/S0235678:4/2:-1:1:3:3:2o$obo$o!
    """
    lines: dict[str, None] = {}
    for pattern, rules in ranges:
        first = pattern.with_rule(rules.least)
        found = find_recurrence(first)
        if found is not None and not first.is_empty:
            entry = replace(describe(first, found), greatest=str(rules.greatest))
            lines[write_line(entry)] = None
    return "".join(f"{line}\n" for line in lines)


def _read_number(name: str, text: str) -> int:
    match = _NUMBERS[name].fullmatch(text)
    if not match:
        expected = "4, or 4/2; at least 1" if name == "period" else "a number"
        raise FormatError(f"{name} {text[:20]!r} is not valid: expected {expected}")
    return int(match[1])


def _read_rule(name: str, text: str) -> Rule:
    try:
        rule = Rule(text)
    except RuleError as error:
        raise FormatError(f"{name}: {error}") from None
    if rule.table[0]:
        raise FormatError(f"{name} {rule} has B0; rules with B0 have no ranges yet")
    return rule


def _read_cells(text: str, rule: Rule) -> Pattern:
    try:
        pattern = Pattern.from_rle(f"x = 0, y = 0, rule = {rule}\n{text}")
    except UsageError as error:
        message = re.sub(r"line [0-9]+, ", "", str(error))
        raise FormatError(f"rle: {message}") from None
    if pattern.is_empty:
        raise FormatError("rle: there is no live cell")
    return pattern


def _check_motion(
    pattern: Pattern, period: int, displacement: tuple[int, int], check: Check
) -> Recurrence:
    """Return the period and displacement of an object; raise if they are not those of its line."""
    fate = follow(pattern, generations=period, check=check)
    found = fate.recurrence
    if fate.outcome != "recurs" or found is None:
        raise FormatError(f"the object {fate.reason} in {pattern.rule}")
    if found.period != period:
        raise FormatError(f"the object has period {found.period}, not {period}, in {pattern.rule}")
    (dx, dy), moved = displacement, found.displacement
    if moved not in ((dx, dy), (dx, -dy)):
        raise FormatError(
            f"the object moves {moved[0]} to the right and {-moved[1]} up in {pattern.rule}, "
            f"not {dx} and {dy}"
        )
    return found


def _find_range(pattern: Pattern) -> tuple[str, str]:
    """Return the least and the greatest rule in which a pattern evolves as in its own."""
    try:
        rules = rules_of(pattern)
    except UsageError:  # more than two states, B0, or not isotropic
        return str(pattern.rule), str(pattern.rule)
    return str(rules.least), str(rules.greatest)


def _find_fraction(pattern: Pattern, period: int) -> str:
    """Return /4 or /2 if a pattern is turned or mirrored after that part of its period."""
    images = {pattern.transformed(turn).normalized for turn in pattern.rule.symmetries}
    parts = (n for n in (4, 2) if period % n == 0 and pattern[period // n].normalized in images)
    return next((f"/{n}" for n in parts), "")


def _clean_field(text: str) -> str:
    """Keep a text within its field, and its line from being a comment."""
    return clean_text(text.replace(":", " ").lstrip("# "))
