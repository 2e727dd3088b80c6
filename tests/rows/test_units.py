"""Units of work: in any order, divided or not, they say the same."""

from __future__ import annotations

import pickle
import random

import pytest

from satlife.life import Rule
from satlife.rows import is_available
from satlife.rows.quotient import Quotient

if not is_available():
    pytest.skip("numba is missing", allow_module_level=True)

from satlife.rows.hunt import Hunt
from satlife.rows.units import DEAD, OPEN, Answer, Unit, answer, settle

LIFE = Rule("B3/S23").table.tobytes()
EXHAUST = Quotient(3, 10, 1, LIFE, "even")
FIND = Quotient(7, 4, 1, LIFE, "odd")


class Elsewhere:
    """Answers units as other machines would: from bytes, a few states at a time, in any order."""

    def __init__(self, patience: int, seed: int) -> None:
        self.patience, self.chance = patience, random.Random(seed)
        self.units = self.handed_on = 0

    def __call__(self, unit: Unit) -> Answer:
        first = self._send(unit)
        known, waiting = {unit: first}, [each.unit for each in first.further]
        while waiting:
            self.chance.shuffle(waiting)
            each = waiting.pop()
            known[each] = self._send(each)
            waiting += [further.unit for further in known[each].further]
        return settle(first, known.__getitem__)

    def _send(self, unit: Unit) -> Answer:
        told = answer(pickle.loads(pickle.dumps(unit)), patience=self.patience)
        self.units += 1
        self.handed_on += len(told.further)
        return pickle.loads(pickle.dumps(told))


@pytest.mark.parametrize(
    ("search", "limit", "patience"), [(EXHAUST, 200, 40), (EXHAUST, 200, 10**9), (FIND, 1500, 7)]
)
def test_a_hunt_through_units_is_the_hunt_without(
    search: Quotient, limit: int, patience: int
) -> None:
    ends = []
    elsewhere = Elsewhere(patience, seed=patience)
    for run in (None, elsewhere):
        hunt = Hunt(search, limit=limit, run=run)
        ship = next(hunt.ships(), None)
        ends.append((ship, hunt.counts, hunt.best, hunt.found))
    assert ends[0] == ends[1]
    assert elsewhere.units
    assert (elsewhere.handed_on > 10) == (patience < 10**9)


def test_a_state_that_takes_too_long_stays_open_however_it_is_divided() -> None:
    unit = Unit(Quotient(4, 4, 1, LIFE, "odd"), bytes(16), bytes(1), 40)
    whole = answer(unit)
    count = whole.visited[0]
    assert whole.fates == bytes([DEAD])
    for most in (1, 10, count - 1, count, 10 * count):
        plain = answer(unit, patience=most)
        assert (plain.fates == bytes([OPEN])) == (most < count)
        for patience in (1, 3, 50):
            told = settle(
                answer(unit, patience=min(patience, most)),
                lambda unit, patience=patience: answer(unit, patience=patience),
                most,
            )
            assert told == Answer(plain.fates, plain.visited, ())
