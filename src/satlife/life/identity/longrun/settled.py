"""Patterns that settle: into still lifes and oscillators, and spaceships that fly away.

Every claim is observed, not guessed: after a common period everything that stays is the same, and
every ship is where its flight alone would bring it, with nothing in its way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm
from typing import Any, Final

import numpy as np

from satlife.life.identity.apgcode import encode_phases
from satlife.life.identity.longrun import packed
from satlife.life.identity.longrun.packed import Keys
from satlife.life.identity.longrun.run import LongRun, Trend, read_keys
from satlife.life.identity.longrun.scene import Bodies, Body, Recogniser, count_codes
from satlife.life.identity.names import Tally, find_object_name, tally

_LONGEST_PERIOD: Final = 20_000
_FEW: Final = 8  # objects that may have a name together
_MULTIPLES: Final = 4  # of the population's period, for what does not recur in parts
_STRIDE: Final = 8  # generations between two comparisons, once a state is as expected


@dataclass(frozen=True)
class Settlement:
    """The settled state of a pattern, and its beginning."""

    generation: int
    """The first generation in which everything has settled: the pattern's lifespan."""
    populations: tuple[int, int]
    """The least and the greatest population from then on."""
    period: int
    """The period of the ash."""
    ash: tuple[Tally, ...]
    """The objects that stay."""
    escaping: tuple[Tally, ...]
    """The spaceships that fly away."""
    unnamed: int
    """The number of cells of an oscillator that could not be divided into objects."""
    name: str | None = None
    """The name of a few objects that stay, if they have one together: traffic light."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as numbers, texts and lists for JSON."""
        return {
            "generation": self.generation,
            "populations": list(self.populations),
            "period": self.period,
            "ash": [each.to_dict() for each in self.ash],
            "escaping": [each.to_dict() for each in self.escaping],
            "unnamed": self.unnamed,
            "name": self.name,
        }


def find_settlement(run: LongRun, recogniser: Recogniser, trend: Trend) -> Settlement | None:
    """Find out whether all has settled by now; the run may go on meanwhile."""
    now = run.generation
    scene = Bodies.of(run.keys, recogniser)
    free = scene.find_free(scene.ships)
    flying = {id(body) for body in free}
    stays = [body for body in scene.bodies if id(body) not in flying]
    remains = packed.without(scene.keys, packed.join(body.at(0) for body in free))
    is_divided = not scene.rest.size and not any(body.is_moving for body in stays)
    period = lcm(*(body.species.recurrence.period for body in stays if not body.is_moving))
    multiples = [period]
    if not is_divided:
        period = lcm(period, trend.period)
        multiples = [period * k for k in range(1, _MULTIPLES + 1)]
    run.mark()
    for period in multiples:
        if period > _LONGEST_PERIOD:
            return None
        run.reach(now + period)
        if np.array_equal(run.keys, packed.join([remains, *(body.at(period) for body in free)])):
            break
    else:
        return None
    generation = _Past(run, now, period, free, recogniser).find_beginning()
    ash = tally(count_codes(body for body in stays if not body.is_moving), recogniser.rule)
    escaping = tally(count_codes(free), recogniser.rule)
    unnamed = remains.size - sum(body.at(0).size for body in stays if not body.is_moving)
    since = run.populations[generation:]
    populations = int(since.min()), int(since.max())
    name = None
    if 1 < sum(each.count for each in ash) <= _FEW and (whole := recogniser.recognise(remains)):
        code = encode_phases(whole.phases, whole.recurrence)
        name = find_object_name(code, recogniser.rule)
    return Settlement(generation, populations, period, ash, escaping, unnamed, name)


class _Past:
    """A settled state, followed back to where it began."""

    def __init__(
        self, run: LongRun, now: int, period: int, ships: Sequence[Body], recogniser: Recogniser
    ) -> None:
        self.run, self.now, self.period = run, now, period
        self.ships, self.recogniser = ships, recogniser

    def find_beginning(self) -> int:
        """Find the first generation from which on everything is settled."""
        first = self._first_by_population()
        seen = self.run.replay(first)
        begun: int | None = None
        while seen.generation < self.now:
            self.run.check()
            keys = read_keys(seen)
            if not np.array_equal(keys, self._expected(seen.generation)):
                begun = None
                seen.advance(1)
                continue
            begun = seen.generation if begun is None else begun
            scene = Bodies.of(keys, self.recogniser)
            if len(scene.ships) == len(self.ships) == len(scene.find_free(scene.ships)):
                return begun  # all ships already fly freely
            seen.advance(min(_STRIDE, self.now - seen.generation))
        return self.now if begun is None else begun

    def _first_by_population(self) -> int:
        """Return the generation after the last one with an unexpected population."""
        times = np.arange(-self.now, self.period)
        ships = np.zeros(times.size, dtype=np.int64)
        for species, number in Counter(body.species for body in self.ships).items():
            ships += number * species.populations[times % species.recurrence.period]
        rest = self.run.populations[self.now : self.now + self.period] - ships[self.now :]
        expected = ships[: self.now] + rest[times[: self.now] % self.period]
        wrong = np.flatnonzero(expected != self.run.populations[: self.now])
        return int(wrong[-1]) + 1 if wrong.size else 0

    def _expected(self, generation: int) -> Keys:
        """Return the state of a generation if all had always been settled."""
        phase = (generation - self.now) % self.period
        later = self.run.replay(self.now + phase)
        ash = packed.without(read_keys(later), packed.join(body.at(phase) for body in self.ships))
        ships = [body.at(generation - self.now) for body in self.ships]
        # Ships that come out of something overlap with what is there: then it was not settled.
        return packed.join([ash, *ships])
