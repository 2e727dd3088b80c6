"""Searches in rules with dying cells (Generations) and with a strobing background (B0)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from satlife import (
    ENCODINGS,
    Found,
    Impossible,
    Problem,
    Proved,
    agar,
    check,
    complete,
    find,
    find_all,
    orphan,
    oscillator,
    parent,
    prove,
    ship,
    still_life,
)
from satlife.errors import RuleError, UsageError
from satlife.life import PartialPattern, Pattern, Rule
from satlife.problem import Link
from satlife.verifier.verify import complaints
from tests.search import kit


def step(states: np.ndarray, rule: Rule, background: int) -> np.ndarray:
    """One step of many universes, indexed [n, y, x], whose outside is all in one state."""
    wide = np.pad(states, ((0, 0), (1, 1), (1, 1)), constant_values=background)
    _, height, width = states.shape
    index = np.zeros(states.shape, int)
    for dy, dx in product(range(3), repeat=2):
        index = 2 * index + (wide[:, dy : dy + height, dx : dx + width] == 1)
    lives = (rule.table[index] == 1) & (states < 2)
    dying = np.where(states > 0, (states + 1) % rule.states, 0)
    return np.where(lives, 1, dying)


def fillings(problem: Problem, states: int, margin: int) -> np.ndarray:
    """All fillings of the box, and of what trails behind it with dying cells, in a margin."""
    motion, box = problem.motion, problem.all_boxes[0]
    assert motion is not None
    free: dict[tuple[int, int], list[int]] = {}
    for age in range(states - 1):
        turns = -(-age // motion.period)
        for back in range(turns + 1):
            for x, y in product(range(box.width), range(box.height)):
                place = (y - back * motion.dy, x - back * motion.dx)
                free.setdefault(place, [0])
                free[place] += [age + 1] if age + 1 not in free[place] else []
    size = (box.height + 2 * margin, box.width + 2 * margin)
    values = np.array(list(product(*free.values())), np.uint8)
    grid = np.zeros((len(values), *size), np.uint8)
    for k, (y, x) in enumerate(free):
        grid[:, y + margin, x + margin] = values[:, k]
    return grid


def count_by_brute_force(problem: Problem) -> int:
    """How many patterns come back, live in the box only, and have a cell of the full period."""
    rule, motion, box = problem.parsed.rule, problem.motion, problem.all_boxes[0]
    assert motion is not None
    p, dx, dy = motion.period, motion.dx, motion.dy
    margin = p + 3
    first = fillings(problem, rule.states, margin)
    backgrounds = [0, 1] if rule.table[0] else [0, 0]
    inside = np.zeros(first.shape[1:], bool)
    inside[margin : margin + box.height, margin : margin + box.width] = True
    good, states, film = np.ones(len(first), bool), first.astype(int), []
    for t in range(2 * p):
        differs = (states == 1) if not backgrounds[t % 2] else (states == 0)
        film.append(differs)
        if t < p:
            good &= ~(differs & ~inside).any(axis=(1, 2))
        states = step(states, rule, backgrounds[t % 2])
        if t == p - 1:
            good &= (states == np.roll(first, (dy, dx), (1, 2))).all(axis=(1, 2))
    beats = 2 if rule.table[0] else 1
    parts = [q for q in range(2, p + 1) if p % (q * beats) == dx % q == dy % q == 0]
    selected = np.ones(first.shape, bool) if parts else film[0]
    for q in parts:
        back = (-dy // q, -dx // q)
        changes = [film[t] ^ np.roll(film[t + p // q], back, (1, 2)) for t in range(p)]
        selected = selected & np.logical_or.reduce(changes)
    good &= selected.any(axis=(1, 2))
    return int(good.sum())


# Each with the number of solutions, so that nobody compares nothing with nothing.
SMALL = [
    (oscillator(4, box="3x3", rule="B2456/S0256/3"), 8),
    (oscillator(2, box="3x3", rule="345/2/3"), 0),
    (oscillator(4, box="3x2", rule="1/2/4"), 0),
    (still_life(box="3x3", rule="23/3/3"), 11),
    (ship("c", box="3x2", rule="/2/3"), 6),
    (ship("c", box="2x2", rule="345/2/4"), 2),
    (oscillator(2, box="3x3", rule="B0136/S123"), 8),
    (oscillator(4, box="3x3", rule="B0123/S46"), 12),
    (oscillator(4, box="3x3", rule="B03/S23"), 0),
    (oscillator(2, box="3x3", rule="B02-a/S12"), 1),
    (ship("c/2", box="4x3", rule="B0234/S2"), 0),
]


@pytest.mark.parametrize(
    ("problem", "count"), SMALL, ids=[f"{p.kind} {p.rule} {p.boxes[0]}" for p, _ in SMALL]
)
def test_as_many_solutions_as_by_brute_force(problem: Problem, count: int) -> None:
    assert count_by_brute_force(problem) == count
    assert sum(1 for _ in find_all(problem, raw=True)) == count
    once = sum(1 for _ in find_all(problem))
    assert (once > 0) == (count > 0)
    assert once <= count


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("states", [2, 3, 4])
def test_random_tables_have_as_many_solutions_as_by_brute_force(states: int, seed: int) -> None:
    table = kit.random_rule(kit.FAMILIES[seed], seed).table.copy()
    table[0] = states == 2  # with two states: a strobing background
    table[-1] = 0
    rule = Rule.from_table(table, states).notation
    period = 2 + 2 * (seed % 2) if states == 2 else 1 + seed % 3
    problem = oscillator(period, box="3x2" if states > 2 else "3x3", rule=rule)
    assert sum(1 for _ in find_all(problem, raw=True)) == count_by_brute_force(problem)


@pytest.mark.parametrize("encoding", [each.name for each in ENCODINGS])
@pytest.mark.parametrize(("problem", "count"), [SMALL[0], SMALL[6]], ids=["dying", "strobing"])
def test_every_encoding_has_the_same_solutions(encoding: str, problem: Problem, count: int) -> None:
    assert sum(1 for _ in find_all(problem, raw=True, encoding=encoding)) == count


def test_the_brute_force_engine_knows_strobing_and_refuses_dying_cells() -> None:
    strobing, count = SMALL[6]
    assert sum(1 for _ in find_all(strobing, raw=True, engine="brute")) == count
    with pytest.raises(UsageError, match="has dying ones"):
        find(SMALL[0][0], engine="brute")


def test_the_ship_of_brians_brain_has_its_tail() -> None:
    found = find(ship("c", box="2x1", rule="Brian's Brain"))
    assert isinstance(found, Found)
    assert str(found.finding.pattern) == "AA\nBB"
    assert found.finding.identity.speed == "c"


def test_symmetry_population_and_tori_go_with_dying_cells() -> None:
    found = find(oscillator(3, box="4x4", rule="/2/3", symmetry="C4", population="4"))
    assert isinstance(found, Found)
    assert found.finding.pattern.population == 4
    assert found.finding.identity.period == 3
    on_torus = find(agar(3, box="3x3", rule="/2/3"))
    assert isinstance(on_torus, Found | Impossible)


def test_a_changed_solution_fails_its_check() -> None:
    problem = oscillator(3, box="4x4", rule="/2/3", symmetry="C4")
    found = find(problem)
    assert isinstance(found, Found)
    for t, y, x in product(range(3), range(4), range(4)):
        history = [states.copy() for states in found.finding.history]
        history[t][y, x] ^= 1
        assert any(complaints(problem, tuple(history))), (t, y, x)


# Without a motion: generation 0 has states, which nothing before it says.


def count_parents(target: Pattern, margin: int) -> int:
    """How many fillings of the box around a pattern, by all states, become the pattern."""
    rule, box = target.rule, target.box.grow(margin)
    values = np.array(list(product(range(rule.states), repeat=box.area)), np.uint8)
    first = values.reshape(-1, box.height, box.width)
    wide = np.pad(first, ((0, 0), (2, 2), (2, 2)))
    after = step(wide, rule, 0)
    wanted = np.pad(target.in_box(box), 2)
    return int((after == wanted).all(axis=(1, 2)).sum())


@pytest.mark.parametrize(
    ("rle", "margin"),
    [
        ("x = 1, y = 1, rule = /2/3\nA!", 1),
        ("x = 3, y = 1, rule = 345/2/4\nBCB!", 0),
        ("x = 2, y = 2, rule = 12/34/4\nB.$BC!", 0),
        ("x = 3, y = 3, rule = 23/3/3\nA.A$BAB$.B!", 0),
    ],
)
def test_parents_with_dying_cells_as_by_brute_force(rle: str, margin: int) -> None:
    target = Pattern.from_rle(rle)
    listing = find_all(parent(target, margin=margin), raw=True)
    found = [finding.pattern for finding in listing]
    assert listing.complete
    assert all(pattern[1] == target for pattern in found)
    assert len(found) == count_parents(target, margin)


def test_an_ancestor_by_two_generations_is_replayed() -> None:
    target = Pattern.from_rle("x = 3, y = 2, rule = /2/3\n.A.$A.A!")[2]
    found = find(parent(target, generations=2))
    assert isinstance(found, Found)
    assert found.finding.pattern[2] == target


def test_known_dying_cells_go_with_a_motion() -> None:
    ship_of_two = PartialPattern.from_rle("x = 2, y = 2, rule = /2/3\n2?$2B!")
    found = find(complete(ship_of_two, motion="c"))
    assert isinstance(found, Found)
    assert str(found.finding.pattern) == "AA\nBB"
    wrong = PartialPattern.from_rle("x = 2, y = 2, rule = /2/3\n2?$BA!")
    assert isinstance(find(complete(wrong, motion="c")), Impossible)


def test_orphans_with_dying_cells() -> None:
    assert isinstance(find(orphan("x = 2, y = 2, rule = /2/3\n?A$2B!")), Found)
    # A cell that is dying lived a generation before, and here nine of them would give no birth.
    assert isinstance(find(orphan("x = 3, y = 3, rule = 345/2/4\n3B$BAB$3B!")), Impossible)


def test_a_composite_period_counts_dying_cells() -> None:
    """A cell that lives always, and one that dies of three states: neither has period 2."""
    problem = oscillator(4, box="3x3", rule="0256/2456/3", composite=True)
    assert sum(1 for _ in find_all(problem, raw=True)) > 0


PROVED = [
    parent(Pattern.from_rle("x = 3, y = 3, rule = 345/2/4\n3B$BAB$3B!")),
    ship("c/2", box="3x3", rule="345/2/4"),
    oscillator(4, box="3x3", rule="B03/S23"),
]


@pytest.mark.parametrize("problem", PROVED, ids=["parent", "dying", "strobing"])
def test_a_certificate_of_none(problem: Problem, tmp_path: Path) -> None:
    assert isinstance(prove(problem, tmp_path / "proof"), Proved)
    judgement = check(tmp_path / "proof")
    assert judgement.valid
    words = "Background" if problem.parsed.rule.is_strobing else "Dying cells"
    assert f"**{words}.**" in judgement.statement


@pytest.mark.parametrize("problem", [SMALL[0][0], SMALL[7][0]], ids=["dying", "strobing"])
def test_a_certificate_of_all(problem: Problem, tmp_path: Path) -> None:
    prove(problem, tmp_path / "proof", list_all=True)
    assert check(tmp_path / "proof").valid


def test_a_list_without_a_motion_is_not_proved(tmp_path: Path) -> None:
    target = Pattern.from_rle("x = 2, y = 2, rule = /2/3\n2A$2B!")
    with pytest.raises(UsageError, match="without a motion; that there is none"):
        prove(parent(target, margin=0), tmp_path / "proof", list_all=True)


def dying(**fields: Any) -> Problem:
    return Problem(boxes=("3x3",), steps=1, rule="/2/3", **fields)


REFUSED = [
    (lambda: parent(Pattern([[1, 1]], rule="B03/S23")), "must come back: an oscillator or a ship"),
    (lambda: parent(Pattern([[1, 1]], rule="/2/30")), "letters up to 24"),
    (lambda: dying(links=(Link(first=(0, 0, 0), second=(1, 0, 0)),)), "cells cannot be linked"),
    (lambda: dying(exempt=((0, 0, 1),)), "every cell must follow"),
    (lambda: dying(boundary="free"), "each box must lie inside the one before"),
    (lambda: oscillator(3, box="4x4", rule="B03/S23"), "even number of generations; .* use 6"),
    (lambda: ship("c/3", box="4x*", rule="B03/S23"), "even number of generations; .* use 6"),
    (lambda: still_life(box="4x4", rule="B03/S23"), "even number of generations"),
    (lambda: ship("c/4d", box="4x4", rule="AntiLife"), "live by B3/S23: search in B3/S23"),
]


@pytest.mark.parametrize(("ask", "reason"), REFUSED)
def test_what_cannot_be_searched_yet_is_refused_with_the_reason(
    ask: Callable[[], Problem], reason: str
) -> None:
    with pytest.raises(RuleError, match=reason):
        ask()
