r"""Agars and wicks: patterns that repeat in space, given by one tile of them.

An agar fills the plane with copies of its tile; a wick repeats it in one direction, and has dead
space on both sides.

>>> print(identify_tile(PartialPattern.from_rle("x = 4, y = 2\n2o2b$2b2o!")))  # chicken wire
agar p1, 4x2, 4 cells
>>> ants = "2o$2b2o$2b2o$2o!"
>>> print(identify_tile(PartialPattern.from_rle(f"x = 5, y = 4\n{ants}"), "across"))
wick p5, moves by (1, 0) every generation, 5 wide, 8 cells
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from satlife.errors import UsageError
from satlife.life.cells import Cells, as_integer, trim
from satlife.life.identity.limits import WatchLimit
from satlife.life.partial import PartialPattern
from satlife.life.rule import Rule
from satlife.life.torus import GROWTH, Torus
from satlife.life.universe import can_step
from satlife.quantities import write_count, write_span

Wrap: TypeAlias = Literal["both", "across", "down"]
TileKind: TypeAlias = Literal["agar", "wick", "dies", "settles", "unknown"]

WRAPS: Final[tuple[Wrap, ...]] = ("both", "across", "down")
"""The directions in which a tile repeats: both, from left to right, from top to bottom."""

GENERATIONS: Final = 5000
_LARGEST_SHIFTED: Final = 64 * 64  # cells of a tile whose shifted copies are all compared


@dataclass(frozen=True)
class TileIdentity:
    """The result of :func:`identify_tile`."""

    kind: TileKind
    reason: str
    """The evidence."""
    rule: Rule
    torus: Torus
    """The torus of the tile."""
    width: int
    height: int
    period: int | None = None
    """The number of generations after which every cell is the same again."""
    motion: tuple[int, int, int] | None = None
    """(dx, dy, generations): when it is first a moved copy of itself, if that is earlier."""
    populations: tuple[int, ...] = ()
    """The number of living cells of a tile in each generation of a period."""

    @property
    def wrap(self) -> Wrap:
        """The directions in which the tile repeats."""
        return "both" if self.torus.is_closed else "across" if self.torus.width else "down"

    def to_dict(self) -> dict[str, Any]:
        """Return it as numbers, texts and lists for JSON."""
        return {
            "kind": self.kind,
            "reason": self.reason,
            "rule": str(self.rule),
            "wrap": self.wrap,
            "torus": str(self.torus),
            "tile": f"{self.width}x{self.height}",
            "period": self.period,
            "motion": list(self.motion) if self.motion else None,
            "populations": list(self.populations),
        }

    def __str__(self) -> str:
        if self.period is None:
            return f"neither an agar nor a wick: {self.reason}"
        sizes = {
            "both": f"{self.width}x{self.height}",
            "across": f"{self.width} wide",
            "down": f"{self.height} high",
        }
        least, most = min(self.populations), max(self.populations)
        parts = [f"{self.kind} p{self.period}"]
        if self.motion is not None:
            dx, dy, time = self.motion
            every = "every generation" if time == 1 else f"every {time} generations"
            parts.append(f"moves by ({dx}, {dy}) {every}")
        twist = f" ({self.torus})" if self.torus.down or self.torus.right else ""
        return ", ".join([*parts, sizes[self.wrap] + twist, write_span(least, most, "cell")])


def identify_tile(
    tile: PartialPattern,
    wrap: Wrap | None = None,
    *,
    generations: int = GENERATIONS,
    seconds: float | None = None,
) -> TileIdentity:
    """Identify the agar or wick of a tile; its box matters, dead margins included.

    Without ``wrap`` it repeats as its torus does, or in both directions. It is run for at most that
    many generations and seconds of processor time.
    """
    generations = as_integer(generations, "a limit of generations")
    if wrap is None:
        torus = tile.torus or Torus(tile.box.width, tile.box.height)
    elif wrap in WRAPS:
        torus = Torus(tile.box.width * (wrap != "down"), tile.box.height * (wrap != "across"))
    else:
        raise UsageError(f"a tile repeats {', '.join(WRAPS[:-1])} or {WRAPS[-1]}, got {wrap!r}")
    if tile.torus not in (None, torus):
        raise UsageError(f"the tile is on a torus (:{tile.torus}), and does not repeat {wrap}")
    if not can_step(tile.rule):
        raise UsageError(
            f"tiles are of rules with two states, and no B0 without S8, not {tile.rule}"
        )
    if not tile.is_complete:
        raise UsageError(f"{tile.describe_unknown()}; a tile must be known in full")
    if not tile.states.any():
        raise UsageError("the tile is empty; draw at least one living cell")
    fate = _follow(_Strip(tile.states[0], tile.rule, torus), generations, seconds)
    return TileIdentity(
        **fate, rule=tile.rule, torus=torus, width=tile.box.width, height=tile.box.height
    )


def _follow(strip: _Strip, generations: int, seconds: float | None) -> dict[str, Any]:
    """Find the fate of a strip."""
    start, seen = strip, {strip.key: 0}
    populations = [strip.population]
    motion: tuple[int, int, int] | None = None
    deadline = WatchLimit(seconds)
    for t in range(1, generations + 1):
        if deadline.is_over:
            reason = f"does not recur {deadline} ({write_count(t - 1, 'generation')})"
            return {"kind": "unknown", "reason": reason}
        strip = strip.step()
        if not strip.population:
            return {"kind": "dies", "reason": f"dies in generation {t}"}
        before = seen.setdefault(strip.key, t)
        if 0 < before < t:
            reason = f"has period {t - before} from generation {before} on"
            return {"kind": "settles", "reason": reason}
        if before == 0:
            kind = "agar" if strip.torus.is_closed else "wick"
            return {
                "kind": kind,
                "reason": f"recurs in generation {t}",
                "period": t,
                "motion": motion,
                "populations": tuple(populations),
            }
        populations.append(strip.population)
        if motion is None and (moved := strip.find_shift(start)) is not None:
            motion = (*moved, t)
    return {
        "kind": "unknown",
        "reason": f"does not recur within {write_count(generations, 'generation')}",
    }


class _Strip:
    """One generation of a tile, trimmed in the direction in which it does not repeat."""

    def __init__(self, cells: Cells, rule: Rule, torus: Torus, x: int = 0, y: int = 0) -> None:
        self.rule, self.torus = rule, torus
        trimmed, dx, dy = trim(cells)
        if torus.is_closed:
            trimmed, dx, dy = cells, 0, 0
        elif torus.width:
            trimmed, dx = cells[dy : dy + trimmed.shape[0]], 0
        else:
            trimmed, dy = cells[:, dx : dx + trimmed.shape[1]], 0
        self.cells, self.x, self.y = trimmed, x + dx, y + dy
        self.population = int(trimmed.sum())
        self.key = trimmed.tobytes(), trimmed.shape, self.x, self.y

    def step(self) -> _Strip:
        """Return the next generation."""
        grown = self.torus.step(self.cells, self.rule)
        x = self.x - (not self.torus.width) * GROWTH
        y = self.y - (not self.torus.height) * GROWTH
        return _Strip(grown, self.rule, self.torus, x, y)

    def find_shift(self, start: _Strip) -> tuple[int, int] | None:
        """Find the shortest shift that moves the start onto this; ``None`` if there is none."""
        if self.cells.shape != start.cells.shape or self.population != start.population:
            return None
        height, width = self.cells.shape
        if height * width > _LARGEST_SHIFTED:
            return None
        across = _shifts(width) if self.torus.width else [self.x - start.x]
        down = _shifts(height) if self.torus.height else [self.y - start.y]
        found = [
            (dx, dy)
            for dy in down
            for dx in across
            if np.array_equal(self._rolled(start, dx, dy), self.cells)
        ]
        return min(found, key=lambda shift: (abs(shift[0]) + abs(shift[1]), shift), default=None)

    def _rolled(self, start: _Strip, dx: int, dy: int) -> Cells:
        rows, columns = start.cells.shape
        y, x = np.mgrid[:rows, :columns]
        moved = x - dx * bool(self.torus.width), y - dy * bool(self.torus.height)
        return self.torus.look(start.cells, *moved)


def _shifts(size: int) -> list[int]:
    """Return the ways to move around a circle, none longer than half of it."""
    return [shift if 2 * shift <= size else shift - size for shift in range(size)]
