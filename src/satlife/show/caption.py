"""Captions of pictures: name, rule, period, speed, apgcode.

>>> from satlife.life import identify
>>> glider = Pattern.from_rle("bo$2bo$3o!")
>>> print(describe_pattern(glider, identify(glider)))
glider: spaceship c/4d, period 4, 5 cells, 3x3, B3/S23, xq4_153
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from satlife.given import make_visible
from satlife.life.identity import Identity
from satlife.life.identity.tiles import TileIdentity
from satlife.life.partial import PartialPattern
from satlife.life.pattern import Pattern
from satlife.life.rule import Rule

LONGEST_TITLE = 80


@dataclass(frozen=True)
class Caption:
    """A title, some facts, and a code."""

    title: str = ""
    facts: tuple[str, ...] = ()
    code: str = ""
    """The apgcode."""

    def __post_init__(self) -> None:
        # A title can come from a file, and goes into files: XML has no control characters.
        object.__setattr__(self, "title", make_visible(self.title)[:LONGEST_TITLE])
        object.__setattr__(self, "facts", tuple(map(make_visible, self.facts)))

    def __str__(self) -> str:
        facts = ", ".join([*self.facts, *([self.code] if self.code else [])])
        return ": ".join(filter(None, [self.title, facts]))


def describe_pattern(pattern: Pattern, identity: Identity, name: str = "") -> Caption:
    """Describe a pattern that has been identified; a given name comes first."""
    rule = describe_rule(identity.rule)
    name = name or identity.name or ""
    if not identity.populations:
        kind = f"{identity.kind}, period {identity.period}" if identity.growth else ""
        cells = f"{pattern.population} cell{'s' if pattern.population != 1 else ''}"
        # The whole reason can be a long list; a caption has room for its beginning.
        reason = re.split("[:;]", identity.reason)[0]
        title, *rest = filter(None, [name, kind, cells, str(pattern.box), reason, rule])
        return Caption(title, tuple(rest))
    low, high = min(identity.populations), max(identity.populations)
    facts = (
        *(["no cell has the full period"] if identity.is_composite else []),
        f"{low} cells" if low == high else f"{low} to {high} cells",
        str(identity.largest_box),
        rule,
    )
    code = identity.apgcode or ""
    period = [f"period {identity.period}"] if identity.period != 1 else []
    kind = " ".join(filter(None, [identity.kind, identity.speed]))
    if name:
        return Caption(name, (kind, *period, *facts), code)
    if identity.kind == "spaceship":
        return Caption(f"{identity.speed} spaceship", (*period, *facts), code)
    title = f"period-{identity.period} oscillator" if period else kind
    return Caption(title, facts, code)


def describe_partial(partial: PartialPattern, name: str = "") -> Caption:
    """Describe a partial pattern."""
    unknown = f"{partial.unknown} unknown cell{'s' if partial.unknown != 1 else ''}"
    facts = (unknown, str(partial.box), describe_rule(partial.rule))
    return Caption(name or "partial pattern", facts)


def describe_tile(identity: TileIdentity, name: str = "") -> Caption:
    """Describe an agar or a wick by its tile."""
    parts: list[str] = re.split(r", (?!-?\d+\))", str(identity))  # a pair of numbers is one part
    title, *facts = [*([name] if name else []), *parts]
    return Caption(title, (*facts, describe_rule(identity.rule)))


def describe_rule(rule: Rule) -> str:
    """Write a rule, with its name if that is not Life."""
    known = rule.name is not None and str(rule) != "B3/S23"
    return f"{rule} ({rule.name})" if known else str(rule)
