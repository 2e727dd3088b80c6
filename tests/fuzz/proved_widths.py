"""Widths without ships: a certificate is there just if no ship is, and needs its states."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from satlife import Impossible, Undecided, ship
from satlife.audit.widths import Judge, RowRule, width_complaints
from satlife.certificates.check.states import STATES, read_runs
from satlife.engine import Options
from tests.fuzz.checks import Differs
from tests.fuzz.killed import DIAGONALS, SECONDS, STRIPS, Hunted, compare_found


def draw_width(chance: random.Random) -> str:
    """Draw a width, and a rule some counts from one that has a ship of it."""
    speed, symmetry, width, rules = chance.choice(STRIPS + DIAGONALS)
    births, survivals = (set(half[1:]) for half in chance.choice(rules.split()).split("/"))
    for _ in range(chance.randrange(4)):
        births ^= {chance.choice("2345678")}
        survivals ^= {chance.choice("012345678")}
    rule = f"B{''.join(sorted(births))}/S{''.join(sorted(survivals))}"
    asked = ship(speed, box=f"{width}x*", symmetry=symmetry, rule=rule)
    return asked.to_json().decode()


def check_widths(hunted: Hunted, chance: random.Random) -> Counter[str]:
    """The answer is that of the reference; plain check and compiled twin agree on sets."""
    from satlife.audit.fast_widths import prepare
    from satlife.certificates.make.width_folder import certify_width

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "new"
        outcome = certify_width(hunted.problem, folder, Options(timeout=SECONDS))
        if isinstance(outcome, Undecided):
            return Counter(undecided=1)
        compare_found(hunted, outcome)
        if not isinstance(outcome, Impossible):
            return Counter(found=1)
        rule = RowRule(hunted.problem)
        with (folder / STATES).open("rb") as file:
            runs = read_runs(file, rule.n, rule.p, 1 << 30)
            states = np.concatenate([each for row in range(rule.n) for each in runs(row)])
    twin = prepare(rule)
    if _complaints(rule, states, chance, None) or _complaints(rule, states, chance, twin):
        raise Differs("the certificate is not valid in other blocks")
    notes = Counter(certified=1)
    for place in chance.sample(range(len(states)), min(4, len(states))):
        fewer = np.delete(states, place, axis=0)
        plain = _complaints(rule, fewer, chance, None)
        if bool(plain) != bool(_complaints(rule, fewer, chance, twin)):
            raise Differs(f"without state {place}, the twin does not say: {plain}")
        notes["needed" if plain else "not needed"] += 1
    return notes


def _complaints(
    rule: RowRule, states: Any, chance: random.Random, judge: Judge | None
) -> list[str]:
    """Return what is said of a set, in blocks of any size."""
    size = chance.choice((1, 2, 7, 100))

    def runs(row: int) -> Iterator[Any]:
        run = states[states[:, 0] == row]
        return (run[start : start + size] for start in range(0, len(run), size))

    return list(width_complaints(rule, runs, judge))
