"""The reference against what is known otherwise, and against itself."""

from __future__ import annotations

import ast
import json
import random
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.reference import (
    TooLarge,
    classes,
    count_raw,
    is_solution,
    measure,
    optimum,
    refused,
    solutions,
)
from tests.reference.asked import Asked
from tests.reference.narrow import find_narrow_ship, with_height
from tests.reference.rules import read_rules
from tests.reference.symmetries import GROUPS, INVERSES, MAPS, glide


def ask(box: str = "3x3", **fields: Any) -> str:
    return json.dumps({"schema": 1, "boxes": fields.pop("boxes", [box]), **fields})


def still(box: str, **fields: Any) -> str:
    return ask(box, motion={"period": 1}, **fields)


FILLED: list[dict[str, Any]] = [{"type": "not-empty"}]
FULL: list[dict[str, Any]] = [{"type": "full-period"}]


@pytest.mark.parametrize(("box", "count"), [("2x2", 2), ("3x3", 12), ("4x4", 83)])
def test_still_lifes_in_a_square(box: str, count: int) -> None:
    assert count_raw(still(box)) == count


def test_still_lifes_in_3x3_are_block_tub_boat_and_ship() -> None:
    found = solutions(still("3x3", constraints=FILLED))
    divided = classes(still("3x3", constraints=FILLED), found)
    # A block in four places; one tub; a boat in four ways; a ship in two.
    assert sorted((int(c[0][0].sum()), len(c)) for c in divided) == [(4, 1), (4, 4), (5, 4), (6, 2)]


def test_23_classes_of_still_lifes_in_5x4() -> None:
    problem = still("5x4", constraints=FILLED)
    assert len(classes(problem, solutions(problem, 2**20))) == 23


def test_gliders_in_4x4() -> None:
    glider = ask("4x4", motion={"period": 4, "dx": 1, "dy": -1}, constraints=FULL)
    found = solutions(glider)
    assert len(classes(glider, found)) == 1
    glides = ask(
        "4x4", motion={"period": 4, "dx": 1, "dy": -1}, symmetry="C1:D2/", constraints=FULL
    )
    symmetric = [set(map(tuple, np.argwhere(h[0])[:, ::-1].tolist())) for h in solutions(glides)]
    assert {(0, 2), (1, 0), (1, 1), (2, 1), (2, 2)} in symmetric
    assert len(symmetric) < len(found)


@pytest.mark.parametrize(
    ("dx", "dy", "symmetry"),
    [(1, 1, "C1:D2\\"), (-1, -1, "C1:D2\\"), (1, -1, "C1:D2/"), (-1, 1, "C1:D2/")],
)
def test_a_glider_glides_in_every_diagonal_direction(dx: int, dy: int, symmetry: str) -> None:
    ways = {"period": 4, "dx": dx, "dy": dy}
    assert count_raw(ask("4x4", motion=ways, symmetry=symmetry, constraints=FULL)) > 0


def test_a_glide_done_twice_is_the_displacement() -> None:
    for g, way in [("flip-diagonal", (1, 1)), ("flip-antidiagonal", (1, -1))]:
        for n in range(-4, 5):
            dx, dy = n * way[0], n * way[1]
            sx, sy = glide(g, dx, dy)
            gx, gy = MAPS[g](sx, sy)
            assert (gx + sx, gy + sy) == (dx, dy)


def test_the_groups_are_groups() -> None:
    points = (1, 2)
    by_image = {MAPS[g](*points): g for g in MAPS}
    assert len(by_image) == 8
    for members in GROUPS.values():
        assert all(
            by_image[MAPS[g](*MAPS[h](*points))] in members for g in members for h in members
        )
    assert all(MAPS[INVERSES[g]](*MAPS[g](*points)) == points for g in MAPS)


def test_the_blinker_turns_by_a_quarter_each_generation() -> None:
    blinker = ask("3x3", motion={"period": 2}, constraints=FULL)
    assert count_raw(blinker) == 2
    assert len(classes(blinker, solutions(blinker))) == 1
    turning = ask("3x3", motion={"period": 2}, symmetry="D4+:D8", constraints=FULL)
    assert count_raw(turning) == 2
    assert count_raw(ask("3x3", motion={"period": 2}, symmetry="D8", constraints=FULL)) == 0


def test_agars_of_period_1_on_a_4x4_torus() -> None:
    """Counted by a plain loop over all 65,536 fillings with np.roll."""
    count = 0
    bits = np.arange(2**16)
    grid = (bits[:, None] >> np.arange(16) & 1).reshape(-1, 4, 4)
    moves = [(i, j) for i, j in product((-1, 0, 1), repeat=2) if (i, j) != (0, 0)]
    around = sum(np.roll(grid, move, axis=(1, 2)) for move in moves)
    count = int(((grid == ((around == 3) | ((around == 2) & (grid == 1)))).all(axis=(1, 2))).sum())
    assert count_raw(still("4x4", boundary="torus")) == count


def test_a_twisted_torus_is_the_lattice_that_it_says() -> None:
    """A 2x4 torus twisted by 2 holds what a 4x4 torus does that is the same after (2, 2)."""
    for wrap, box, period in [((2, 0), "2x4", (2, 2)), ((0, 2), "4x2", (2, 2))]:
        twisted = count_raw(still(box, boundary="torus", wrap=wrap))
        wide = solutions(still("4x4", boundary="torus"))
        assert twisted == sum(np.array_equal(np.roll(h[0], period, (0, 1)), h[0]) for h in wide)


def test_free_boundaries_count_every_cell_that_nothing_determines() -> None:
    # One cell of generation 1 follows from the nine around it; the other eight are free.
    assert count_raw(ask("3x3", boundary="free", steps=1)) == 2**9 * 2**8
    # Without the eight, every filling has one successor.
    assert count_raw(ask(boxes=["3x3", "1x1+1+1"], boundary="free", steps=1)) == 2**9
    born = {"t": 1, "x": 1, "y": 1, "rows": ["o"]}
    window = ask(boxes=["3x3", "1x1+1+1"], boundary="free", steps=1, known=[born])
    assert count_raw(window) == 140  # of 512 neighbourhoods


def test_exempt_cells_are_free() -> None:
    assert count_raw(ask("2x1", steps=1)) == 4
    assert count_raw(ask("2x1", steps=1, exempt=[[0, 0, 1]])) == 8


def test_known_cells_of_generation_p_are_those_that_moved() -> None:
    motion = {"period": 4, "dx": 1, "dy": 1}
    every = solutions(ask("4x4", motion=motion))
    known = {"t": 4, "x": 2, "y": 2, "rows": ["o"]}
    some = solutions(ask("4x4", motion=motion, known=[known]))
    assert len(some) == sum(int(h[0][1, 1]) for h in every) > 0


def test_measures_of_the_blinker() -> None:
    blinker = ask("3x3", motion={"period": 2}, constraints=FULL)
    found = solutions(blinker)
    for what, number in [
        ({"type": "rotor"}, 4),
        ({"type": "stator"}, 1),
        ({"type": "area"}, 9),
        ({"type": "population", "generation": "most"}, 3),
        ({"type": "difference", "rows": ["ooo"], "x": 0, "y": 1, "generation": 1}, 0),
    ]:
        assert number in {measure(blinker, history, what) for history in found}
    assert optimum(blinker, [("minimize", {"type": "rotor"})], found) == (4,)
    lifes = solutions(still("4x4"))
    assert optimum(still("4x4"), [("maximize", {"type": "population"})], lifes) == (8,)


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (still("3x2", symmetry="C4"), "C4 needs a square"),
        (still("4x4", symmetry="C4_1"), "C4_1 does not fit the box"),
        (ask("3x4", motion={"period": 2, "dy": 1}, symmetry="C1:D2|"), "half of the displacement"),
        (ask("3x4", motion={"period": 2, "dy": 1}, symmetry="C2"), "does not fix the displacement"),
        (ask("3x2", motion={"period": 1, "transform": "flip-diagonal"}), "between cells"),
        (still("3x4", boundary="torus", wrap=[1, 0], symmetry="D2|"), "does not keep the lattice"),
        (still("4x4", boundary="torus", wrap=[2, 0], symmetry="D2|"), None),
        (ask("3x3", boundary="free", known=[{"t": 0, "x": 3, "rows": ["o"]}]), "nothing is said"),
    ],
)
def test_problems_without_a_meaning(problem: str, reason: str | None) -> None:
    answer = refused(problem)
    assert answer is None if reason is None else answer is not None and reason in answer


def test_too_large_is_said() -> None:
    with pytest.raises(TooLarge):
        solutions(ask("6x6"))


LAWS = [
    still("3x3"),
    still("3x3", boundary="torus"),
    still("3x2", boundary="torus", wrap=[1, 0]),
    ask("3x3", motion={"period": 2}, constraints=[{"type": "pattern-period"}]),
    ask("3x2", motion={"period": 2, "dx": 2}, rule="B2/S", boundary="torus"),
    ask("3x3", motion={"period": 2, "transform": "quarter-turn-clockwise"}, include_last=True),
    ask("3x3", motion={"period": 2}, symmetry="C1:D2|", rule="B1/S012"),
    ask("2x2", motion={"period": 4}, symmetry="C1:C4", rule="B1/S", exempt=[[0, 0, 2], [1, 1, 3]]),
    ask(boxes=["3x3", "2x2+0+0", "3x2-1+0"], steps=2, links=[{"first": [0, 0, 0],
        "second": [1, 1, 2], "opposite": True}]),
    ask(boxes=["3x3", "2x1+1+1"], boundary="free", steps=1, symmetry="D2|"),
    still("3x3", constraints=[{"type": "width", "most": 2}, {"type": "height", "least": 1}]),
    still("2x2", rule="23/3/3"),
    ask("2x2", motion={"period": 2}, rule="12/2/4"),
    ask("2x2", motion={"period": 2}, rule="B0136/S123"),
    ask("2x2", steps=2, rule="1/2/4", symmetry="C2"),
    ask("3x2", motion={"period": 2}, rule="B1[2]/S[1]2"),
    ask("3x3", steps=1, constraints=[{"type": "population", "generation": "every", "most": 3},
        {"type": "difference", "rows": ["o?", ".o"], "x": 2, "y": 2, "most": 3}]),
]  # fmt: skip


@pytest.mark.parametrize("problem", LAWS)
def test_solutions_are_what_is_a_solution(problem: str) -> None:
    chance = random.Random(problem)
    found = solutions(problem)
    assert found
    keys = {b"".join(a.tobytes() for a in history) for history in found}
    assert len(keys) == len(found)
    for history in chance.sample(found, min(len(found), 40)):
        assert is_solution(problem, history)
        # One cell other than before, or all of them by chance: a solution if and only if listed.
        changed = [array.copy() for array in history]
        some = chance.choice(changed)
        some[chance.randrange(some.shape[0]), chance.randrange(some.shape[1])] ^= 1
        drawn = [np.array([[chance.random() < 0.3 for _ in row] for row in a]) for a in history]
        for other in (changed, [array.astype(np.uint8) for array in drawn]):
            listed = b"".join(a.tobytes() for a in other) in keys
            assert is_solution(problem, tuple(other)) == listed


@pytest.mark.parametrize("problem", [still("3x3"), still("3x3", boundary="torus"), still("3x2")])
def test_every_filling_is_a_solution_or_not_listed(problem: str) -> None:
    box = Asked(problem).boxes[0]
    fillings = product((0, 1), repeat=box.height * box.width)
    drawn = (np.array(each, np.uint8).reshape(box.height, box.width) for each in fillings)
    listed = {history[0].tobytes() for history in solutions(problem)}
    assert {each.tobytes() for each in drawn if is_solution(problem, (each,))} == listed


@pytest.mark.parametrize("problem", LAWS)
def test_classes_divide_the_solutions(problem: str) -> None:
    found = solutions(problem)[:200]
    divided = classes(problem, found)
    names = [id(history) for part in divided for history in part]
    assert sorted(names) == sorted(map(id, found))
    # The order in which solutions come does not matter.
    again = classes(problem, found[::-1])
    assert sorted(map(len, divided)) == sorted(map(len, again))


def test_classes_keep_what_names_cells() -> None:
    known = {"t": 0, "x": 0, "y": 0, "rows": ["o"]}
    problem = still("3x3", known=[known])
    found = solutions(problem)
    # Block at the corner, two boats that are mirror images and one that is not, ship, and so on:
    # only the diagonal mirror keeps the known cell.
    mirrored = [{h[0].tobytes(), h[0].T.copy().tobytes()} for h in found]
    assert len(classes(problem, found)) == len({frozenset(each) for each in mirrored})


def test_the_empty_history_is_a_class_by_itself() -> None:
    problem = still("2x2")
    assert [len(part) for part in classes(problem, solutions(problem))] == [1, 1]


def test_letters_are_those_of_golly() -> None:
    golden = json.loads((Path(__file__).parent.parent / "data/life/hensel.json").read_text())
    rules = golden["rules"] + golden["rules_b0"]
    for each in rules:
        table = np.unpackbits(np.frombuffer(bytes.fromhex(each["hex"]), np.uint8))
        for text in (each["golly_canonical"] or each["rule"], each["map"]):
            (read,) = read_rules(text).tables
            assert (read == table).all(), text
    assert len(rules) > 50


@pytest.mark.parametrize(
    ("rule", "box", "motion", "count"),
    [
        ("0256/2456/3", "3x3", {"period": 4}, 8),
        ("23/3/3", "3x3", {"period": 1}, 11),
        ("/2/3", "3x2", {"period": 1, "dy": -1}, 6),
        ("345/2/4", "2x2", {"period": 1, "dy": -1}, 2),
        ("B0136/S123", "3x3", {"period": 2}, 8),
        ("B0123/S46", "3x3", {"period": 4}, 12),
        ("B02-a/S12", "3x3", {"period": 2}, 1),
    ],
)
def test_dying_cells_and_strobing_backgrounds(
    rule: str, box: str, motion: dict[str, int], count: int
) -> None:
    """The counts are those of the loop over all states in tests/search/test_slow_rules.py."""
    assert count_raw(ask(box, motion=motion, rule=rule, constraints=FULL)) == count


def test_dying_cells_without_a_motion() -> None:
    # Every filling of two cells by three states has one next generation.
    assert count_raw(ask("2x1", steps=1, rule="/3/3")) == 9
    # What dies, lived a generation before; what is dead now was dying, or dead with it.
    dying = {"t": 1, "rows": ["BB"]}
    (history,) = solutions(ask("2x1", steps=1, rule="/3/3", known=[dying]))
    assert [states.tolist() for states in history] == [[[1, 1]], [[0, 0]]]
    dead = {"t": 1, "rows": [".."]}
    found = solutions(ask("2x1", steps=1, rule="/3/3", known=[dead]))
    assert sorted(h[0].tolist() for h in found) == [[[0, 0]], [[0, 2]], [[2, 0]], [[2, 2]]]


def test_a_set_of_rules_has_what_one_of_them_has() -> None:
    some = ["B3/S23", "B34/S23", "B3/S2", "B34/S2"]
    every = {h[0].tobytes() for rule in some for h in solutions(still("3x3", rule=rule))}
    found = [h[0].tobytes() for h in solutions(still("3x3", rule="B3[4]/S2[3]"))]
    assert sorted(found) == sorted(every)
    assert len(read_rules("B2-a[2a]3/S2[3ai]").tables) == 8


def test_nothing_of_satlife_is_imported() -> None:
    for path in Path(__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            assert not any(str(name).startswith("satlife") for name in names), path


def test_classes_where_the_motion_turns_the_pattern() -> None:
    """A row of three and a column of three are one, though a quarter-turn turns the motion too."""
    problem = json.dumps(
        {"boxes": ["4x3"], "rule": "B4/S0123", "constraints": [{"type": "not-empty"}],
         "motion": {"period": 2, "dx": 1, "transform": "flip-left-right"}}
    )  # fmt: skip
    found = solutions(problem)
    assert (len(found), len(classes(problem, found))) == (41, 14)


@pytest.mark.parametrize(
    ("rule", "box", "motion", "symmetry", "exists"),
    [
        ("B3/S23", "4x*", {"period": 2, "dy": -1}, "C1", False),
        ("B3/S23", "4x*", {"period": 4, "dy": -2}, "C1:D2|", False),
        ("B3/S23", "5x*", {"period": 4, "dy": -2}, "C1:D2|", True),  # the LWSS
        ("B3/S23", "5x*", {"period": 2, "dy": -1}, "D2|", False),
        ("B01468/S23", "4x*", {"period": 2, "dy": -1}, "C1", True),
        ("B0136/S123", "3x*", {"period": 4, "dy": -1}, "C1", False),
        ("B2/S0", "3x*", {"period": 3, "dy": -2}, "C1", False),
    ],
)
def test_ships_of_a_width(
    rule: str, box: str, motion: dict[str, int], symmetry: str, exists: bool
) -> None:
    problem = ask(box, rule=rule, motion=motion, symmetry=symmetry, constraints=FILLED)
    found = find_narrow_ship(problem)
    assert (found is not None) == exists
    if found is not None:
        assert is_solution(with_height(problem, len(found[0])), found)


@pytest.mark.parametrize("period", [1, 2, 3])
@pytest.mark.parametrize("rule", ["B2/S0", "B34/S34", "B2/S", "B25/S4", "B2/S2", "B1e2/S1c"])
def test_a_width_has_what_its_boxes_have(rule: str, period: int) -> None:
    problem = ask("2x*", rule=rule, motion={"period": period, "dy": -1}, constraints=FILLED)
    found = find_narrow_ship(problem)
    low = [height for height in range(1, 8) if solutions(with_height(problem, height))]
    assert not low or found is not None
    assert found is None or len(found[0]) > 7 or low
