"""What is this pattern? Its kind, code, name, period, speed, boxes and symmetry, in one value.

>>> print(identify(Pattern.from_rle("bo$2bo$3o!")))
xq4_153: glider, spaceship c/4d, 5 cells, 3x3, C1
>>> print(identify(Pattern.from_rle("o!")))
no apgcode: dies in generation 1
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from satlife.life.box import Box
from satlife.life.identity.activity import Activity, find_envelope, measure_activity
from satlife.life.identity.apgcode import encode_phases
from satlife.life.identity.names import find_object_name
from satlife.life.identity.recurrence import (
    GENERATIONS,
    GROWTH,
    Fate,
    Recurrence,
    RecurrentKind,
    follow,
    trace_phases,
)
from satlife.life.identity.spacetime import find_mod
from satlife.life.identity.symmetries import find_symmetry
from satlife.life.pattern import Pattern
from satlife.life.rule import Rule

Kind: TypeAlias = RecurrentKind | Literal["dies", "settles", "unknown"]

KINDS: Final[tuple[Kind, ...]] = (
    *("still life", "oscillator", "spaceship"),
    *("dies", "settles", "unknown"),
)
"""What a pattern may be. The first three recur; only for ``unknown`` a limit was reached."""

_LONGEST_CODE = 60


@dataclass(frozen=True)
class Identity:
    """What :func:`identify` finds out about a pattern.

    Of a pattern that does not recur, only the kind, the reason, the rule and the symmetry are
    told; the rest is ``None`` or empty.
    """

    kind: Kind
    """One of ``KINDS``."""
    reason: str
    """How that is known: the generation in which it recurs or dies, or the limit reached."""
    rule: Rule
    """The rule that the pattern lives by."""
    symmetry: str
    """Catagolue's name of its static symmetry."""
    apgcode: str | None = None
    """Its code; one without cells, such as ``ov_p30``, if it is too large."""
    name: str | None = None
    """What people call it, if it is in the table of names."""
    period: int | None = None
    """After how many generations it recurs."""
    displacement: tuple[int, int] | None = None
    """How far it moves in a period: (dx, dy), to the right and down."""
    mod: int | None = None
    """After how many generations it is a copy of itself, perhaps turned or mirrored."""
    populations: tuple[int, ...] = ()
    """How many cells live in each generation of a period, from the given one on."""
    smallest_box: Box | None = None
    """The smallest bounding box of a generation, by area; at (0, 0)."""
    largest_box: Box | None = None
    """The largest bounding box of a generation, by area; at (0, 0)."""
    envelope: Box | None = None
    """The box, at its place, that holds generations 0 to period - 1."""
    activity: Activity | None = None
    """Rotor, stator and cells of full period; not of spaceships."""

    @property
    def recurrence(self) -> Recurrence | None:
        """Its period and displacement in one value, if it recurs."""
        if self.period is None or self.displacement is None:
            return None
        return Recurrence(self.period, self.displacement)

    @property
    def speed(self) -> str | None:
        """Its speed, not in lowest terms: c/4d, 2c/4, (2,1)c/6; ``None`` if it does not move."""
        return self.recurrence.speed if self.recurrence else None

    @property
    def is_composite(self) -> bool:
        """Whether no cell has the whole period, as in a blinker beside a pulsar (p6)."""
        return self.activity is not None and self.activity.full_period_cells < min(
            1, max(self.populations)
        )

    def to_dict(self) -> dict[str, Any]:
        """Give it as numbers, texts and lists for JSON; boxes as WIDTHxHEIGHT."""
        activity = self.activity
        return {
            "kind": self.kind,
            "reason": self.reason,
            "rule": str(self.rule),
            "apgcode": self.apgcode,
            "name": self.name,
            "period": self.period,
            "displacement": list(self.displacement) if self.displacement else None,
            "speed": self.speed,
            "mod": self.mod,
            "symmetry": self.symmetry,
            "populations": list(self.populations),
            "smallest_box": _size(self.smallest_box),
            "largest_box": _size(self.largest_box),
            "envelope": _size(self.envelope),
            "stator": activity.stator if activity else None,
            "rotor": activity.rotor if activity else None,
            "full_period_cells": activity.full_period_cells if activity else None,
            "heat": activity.heat if activity else None,
        }

    def __str__(self) -> str:
        code = self.apgcode
        if code is None or self.smallest_box is None or self.largest_box is None:
            return f"no apgcode: {self.reason}"
        if len(code) > _LONGEST_CODE:
            code = f"{code[: _LONGEST_CODE - 1]}…"
        kinds = {
            "still life": "still life",
            "oscillator": f"oscillator p{self.period}",
            "spaceship": f"spaceship {self.speed}",
        }
        return f"{code}: " + ", ".join(
            [
                *([self.name] if self.name else []),
                kinds[self.kind],
                f"{_span(min(self.populations), max(self.populations))} cells",
                _span(str(self.smallest_box), str(self.largest_box)),
                self.symmetry,
                *(["no cell has the full period"] if self.is_composite else []),
            ]
        )


def identify(
    pattern: Pattern | str, *, generations: int = GENERATIONS, growth: int = GROWTH
) -> Identity:
    """Return all that is known about a pattern, or the text of one.

    It is followed to the limits of ``follow``.

    >>> identify("bo$2bo$3o!").name
    'glider'
    """
    if isinstance(pattern, str):
        pattern = Pattern.from_text(pattern)
    fate = follow(pattern, generations=generations, growth=growth)
    if fate.outcome != "recurs" or fate.recurrence is None:
        return _identify_lost(pattern, fate)
    found = fate.recurrence
    phases = trace_phases(pattern, found.period)
    code = encode_phases(phases, found)
    boxes = sorted({phase.box.shift(-phase.x, -phase.y) for phase in phases}, key=_by_area)
    return Identity(
        kind=found.kind,
        reason=fate.reason,
        rule=pattern.rule,
        symmetry=find_symmetry(pattern),
        apgcode=code,
        name=find_object_name(code, pattern.rule),
        period=found.period,
        displacement=found.displacement,
        mod=find_mod(phases),
        populations=tuple(phase.population for phase in phases),
        smallest_box=boxes[0],
        largest_box=boxes[-1],
        envelope=find_envelope(phases).shift(pattern.x, pattern.y),
        activity=None if found.is_moving else measure_activity(phases),
    )


def _identify_lost(pattern: Pattern, fate: Fate) -> Identity:
    kind: Kind = "unknown"
    if fate.outcome == "dies" or fate.outcome == "settles":  # noqa: PLR1714 - mypy narrows this
        kind = fate.outcome
    return Identity(kind, fate.reason, pattern.rule, find_symmetry(pattern))


def _by_area(box: Box) -> tuple[int, int]:
    return box.area, box.width


def _size(box: Box | None) -> str | None:
    return None if box is None else str(box)


def _span(low: object, high: object) -> str:
    return str(low) if low == high else f"{low} to {high}"
