"""The identity of a pattern: kind, code, name, period, speed, boxes and symmetry, in one value.

Identities are found in :mod:`satlife.life.identity.identify`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from satlife.life.box import Box
from satlife.life.identity.activity import Activity
from satlife.life.identity.names import Tally, join_names
from satlife.life.identity.recurrence import GrowingKind, Recurrence, RecurrentKind
from satlife.life.rule import LIFE, Rule
from satlife.quantities import write_span

if TYPE_CHECKING:  # most patterns recur soon, and need none of the long runs
    from satlife.life.identity.longrun.growth import LinearGrowth
    from satlife.life.identity.longrun.settled import Settlement

Kind: TypeAlias = RecurrentKind | GrowingKind | Literal["dies", "settles", "unknown"]

KINDS: Final[tuple[Kind, ...]] = (
    *("still life", "oscillator", "spaceship"),
    *("gun", "puffer", "rake", "wickstretcher", "linear growth"),
    *("dies", "settles", "unknown"),
)
"""The kinds of patterns. The first three recur; the next grow linearly; ``unknown`` means that a
limit was reached."""


@dataclass(frozen=True)
class Identity:
    """The result of :func:`~satlife.life.identity.identify`.

    The fields from ``mod`` to ``activity`` are of patterns that recur; for others they are
    ``None`` or empty.
    """

    kind: Kind
    """One of ``KINDS``."""
    reason: str
    """The evidence: what happens and when, or the limit that was reached."""
    rule: Rule
    """The rule of the pattern."""
    symmetry: str
    """Catagolue's name of its static symmetry."""
    apgcode: str | None = None
    """Its code. ``ov_p30`` and the like, without cells, if it is too large; ``yl...``, which
    describes the population, if it grows linearly."""
    name: str | None = None
    """Its common name, if it is in one of the tables of names; or the names of its parts."""
    parts: tuple[Tally, ...] = ()
    """The objects that it is made of, if they are several and it has no name of its own."""
    period: int | None = None
    """The number of generations after which it recurs, or after which a gun or puffer repeats."""
    displacement: tuple[int, int] | None = None
    """The displacement in a period, of a puffer that of its engine: (dx, dy), right and down."""
    lifespan: int | None = None
    """The generation in which it dies, or from which on everything has settled."""
    settlement: Settlement | None = None
    """The settled state, if it settles."""
    growth: LinearGrowth | None = None
    """The growth, if it is linear."""
    mod: int | None = None
    """The generations until it is a copy of itself, perhaps turned or mirrored."""
    populations: tuple[int, ...] = ()
    """The population of each generation of a period, from the given one on."""
    smallest_box: Box | None = None
    """The smallest bounding box of a generation, by area; at (0, 0)."""
    largest_box: Box | None = None
    """The largest bounding box of a generation, by area; at (0, 0)."""
    envelope: Box | None = None
    """The box, at its place, that holds generations 0 to period - 1."""
    activity: Activity | None = None
    """Rotor, stator and cells of full period; not of spaceships."""

    def named(self, names: Mapping[str, str]) -> Identity:
        """Return it with the user's names, by identity: ``xp2_7``, ``xp2_7/b36s23``.

        A common name comes first, but the user's name of the whole before those of its parts.
        """
        rule = "" if self.rule == LIFE else f"/{self.rule.slug}"
        own = names.get(f"{self.apgcode}{rule}")
        if self.name and not self.parts:
            return self
        parts = tuple(
            Tally(each.count, each.code, each.name or names.get(f"{each.code}{rule}"))
            for each in self.parts
        )
        return replace(self, name=own or name_parts(parts), parts=() if own else parts)

    @property
    def recurrence(self) -> Recurrence | None:
        """Its period and displacement in one value, if it recurs."""
        if self.period is None or self.displacement is None or self.growth is not None:
            return None
        return Recurrence(self.period, self.displacement)

    @property
    def speed(self) -> str | None:
        """Its speed, not in lowest terms: c/4d, 2c/4, (2,1)c/6; ``None`` if it does not move.

        Of a puffer or a rake, the speed of its engine.
        """
        if self.period is None or self.displacement is None:
            return None
        return Recurrence(self.period, self.displacement).speed

    @property
    def is_composite(self) -> bool:
        """Whether no cell has the whole period, as in a blinker beside a pulsar (p6)."""
        return self.activity is not None and self.activity.full_period_cells < min(
            1, max(self.populations)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as numbers, texts and lists for JSON; boxes as WIDTHxHEIGHT."""
        activity = self.activity
        return {
            "kind": self.kind,
            "reason": self.reason,
            "rule": str(self.rule),
            "apgcode": self.apgcode,
            "name": self.name,
            "parts": [each.to_dict() for each in self.parts],
            "period": self.period,
            "displacement": list(self.displacement) if self.displacement else None,
            "speed": self.speed,
            "lifespan": self.lifespan,
            "settlement": self.settlement.to_dict() if self.settlement else None,
            "growth": self.growth.to_dict() if self.growth else None,
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
        if self.growth is not None:
            return f"{self.apgcode}: {', '.join([*self._names, self._kind_and_speed, self.reason])}"
        if self.apgcode is None or self.smallest_box is None or self.largest_box is None:
            named = f" ({self.name})" if self.name else ""
            return f"no apgcode{named}: {self.reason}"
        smallest, largest = str(self.smallest_box), str(self.largest_box)
        return f"{self.apgcode}: " + ", ".join(
            [
                *self._names,
                self._kind_and_speed,
                write_span(min(self.populations), max(self.populations), "cell"),
                smallest if smallest == largest else f"{smallest} to {largest}",
                self.symmetry,
                *(["no cell has the full period"] if self.is_composite else []),
            ]
        )

    @property
    def _names(self) -> list[str]:
        names = self.name or join_names(self.parts)
        return [names] if names else []

    @property
    def _kind_and_speed(self) -> str:
        if self.kind == "oscillator":
            return f"oscillator p{self.period}"
        if self.kind == "gun" and self.growth is not None:
            interval = self.growth.interval
            true = f", true period {self.period}" if interval not in (None, self.period) else ""
            return f"gun p{interval or self.period}{true}"
        return f"{self.kind} {self.speed}" if self.speed else self.kind


def name_parts(parts: tuple[Tally, ...]) -> str | None:
    """Return the names of several objects; ``None`` if one of them has none."""
    return join_names(parts) or None if all(each.name for each in parts) else None


def _size(box: Box | None) -> str | None:
    return None if box is None else str(box)
