"""Restoration: something meets a catalyst, which is itself again some generations later.

>>> dot = Still(x=0, y=0, rows=("o",))
>>> print(Restored(alone=20, contact=(3, 3), free=(dot,), times=(4, 12), hold=6))
the catalyst of generation 20 is met in generation 3, and restored in one of the generations \
4 to 12, for 6 generations more
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.problem.arrivals import Span, Still
from satlife.problem.statement import Condition, Drawn, Rows, Statement
from satlife.quantities import write_count


class Restored(Condition, frozen=True, kw_only=True, tag="restored"):
    """A catalyst is met, and then restored for ``hold`` generations more.

    The catalyst is generation ``alone``.  Its zone is every cell of the 3x3 around one of its live
    cells.  It is disturbed in a generation if some cell of the zone is not as in ``alone``.  It is
    met in one of the generations of ``contact``: then it is disturbed, or the zone has a cell that
    is drawn alive in ``free`` for that generation.  For some r of ``times`` that comes later, it is
    not disturbed in generations r to r + ``hold``.  Before r, from the first generation of
    ``contact`` on, at most ``active`` cells of the zone are disturbed at once, and at most
    ``ever_active`` at one time or another.  Outside the zone, anything may happen.  Cells outside
    the boxes do not count where the outside is free.
    """

    is_symmetric = unfolds = True

    alone: int
    contact: Span
    times: Span
    hold: int
    free: tuple[Still, ...] = ()
    """What is there without the catalyst, in each generation of ``contact``, if it is given: a
    birth that the catalyst prevents leaves no other trace."""
    active: int | None = None
    """How many cells of the zone are disturbed in one generation, at most."""
    ever_active: int | None = None
    """How many are disturbed at all, at most."""

    phrase = "a catalyst that is restored"
    slow_refusal = "no catalyst can be restored"
    refusals: ClassVar = dict.fromkeys(
        ("torus", "agar"), "a catalyst is restored where the outside is dead or free"
    )

    def __post_init__(self) -> None:
        for name, (first, last) in (("contact", self.contact), ("times", self.times)):
            if not 0 <= first <= last:
                raise UsageError(f"the {name} {first}..{last} are none; write the lower one first")
        if self.free and len(self.free) != (count := self.contact[1] - self.contact[0] + 1):
            wanted = write_count(count, "generation")
            raise UsageError(f"free needs {wanted}, as the contact has, got {len(self.free)}")
        if self.hold < 0:
            raise UsageError(f"a catalyst cannot hold for {self.hold} generations")
        if any(most is not None and most < 1 for most in (self.active, self.ever_active)):
            raise UsageError("at least one cell of a catalyst is active when it is met")
        if self.contact[0] >= self.times[1]:
            raise UsageError("a catalyst is restored after the contact, not before")

    @property
    def generations(self) -> tuple[int, ...]:
        """That of the catalyst alone, and the last ones that are compared with it."""
        return self.alone, self.contact[1], self.times[1] + self.hold

    @property
    def compared(self) -> range:
        """The generations that are compared with the catalyst alone."""
        first = min(self.contact[0], self.times[0])
        return range(first, max(self.contact[1], self.times[1] + self.hold) + 1)

    @property
    def choices(self) -> Iterator[tuple[int, range]]:
        """Each r, and the generations in which the contact may come before it."""
        for r in range(self.times[0], self.times[1] + 1):
            if before := range(self.contact[0], min(self.contact[1] + 1, r)):
                yield r, before

    @property
    def drawn_as(self) -> str:  # type: ignore[override]  # others always draw, or never
        """What is drawn, if it is."""
        return "input" if self.free else ""

    @property
    def drawings(self) -> frozenset[Drawn]:
        """The cells that would live without the catalyst."""
        cells = {
            ((x, y, t), "o")
            for t, still in enumerate(self.free, self.contact[0])
            for x, y in still.cells
        }
        return frozenset([frozenset(cells)]) if self.free else frozenset()

    @property
    def numbers(self) -> Iterable[int]:
        """Also the places of what is drawn."""
        corners = (number for still in self.free for number in (still.x, still.y))
        return [*self.generations, *self.times, *corners]

    def pictures(self) -> Iterator[tuple[str, int, int, Rows]]:
        """Yield what is there without the catalyst."""
        for t, still in enumerate(self.free, self.contact[0]):
            yield f"without the catalyst in generation {t}", still.x, still.y, still.rows

    def check(self, problem: Statement, box: Box) -> None:
        """Raise if a motion would make several generations of one."""
        if problem.motion is not None:
            raise UsageError("a catalyst is restored in a problem without a motion")

    def note(self, problem: Statement) -> str:
        """Return what it means to be disturbed, to be met, and to be restored."""
        inside = " that lies in the boxes of both generations" * (problem.boundary == "free")
        return (
            f" A cell is near the catalyst if it or one of its eight neighbours lives in "
            f"generation {self.alone}. The catalyst is disturbed in a generation in which some "
            f"cell near it{inside} is not as in generation {self.alone}. It is met in a generation "
            "in which it is disturbed"
            + ", or in which some cell near it lives in the drawing of what would be there without "
            "the catalyst"
            * bool(self.free)
            + ". It is restored in a generation R after one in which it is met if it is disturbed "
            f"in none of the generations R to R + {self.hold}."
            + (
                f" In the generations {self.contact[0]} to R - 1, at most {self.active} of the "
                "cells near the catalyst differ at once."
            )
            * (self.active is not None)
            + (
                f" At most {self.ever_active} of the cells near the catalyst differ in any of the "
                f"generations {self.contact[0]} to R - 1."
            )
            * (self.ever_active is not None)
        )

    def plain_size(self, problem: Statement, width: int, height: int) -> int:
        """Return about how many clauses compare the zone in each generation."""
        compared = len({*self.compared})
        is_counted = self.active is not None and self.active < width * height
        tally = 3 * compared * (self.active + 1) if self.active and is_counted else 0
        if self.ever_active is not None:
            most = min(self.ever_active, width * height)
            tally += (self.times[1] - self.times[0] + 1) * (compared + 3 * (most + 1))
        return (14 * compared + 10 + tally) * width * height + compared * len(self.compared)

    def __str__(self) -> str:
        contact, times = map(_name_span, (self.contact, self.times))
        return (
            f"the catalyst of generation {self.alone} is met in {contact}, and restored in "
            f"{times}, for {write_count(self.hold, 'generation')} more"
            + f", with at most {self.active} active cells at once" * (self.active is not None)
            + f", with at most {write_count(self.ever_active or 0, 'cell')} ever active"
            * (self.ever_active is not None)
        )


def _name_span(span: Span) -> str:
    first, last = span
    return f"generation {first}" if first == last else f"one of the generations {first} to {last}"
