"""Laws that hold between the programs, and between a program's text and its formula."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satlife import knuth
from satlife.errors import UsageError
from satlife.knuth import PROGRAMS, Program
from satlife.knuth.parts import TIME_CODES, xty
from satlife.knuth.transition import Cell
from satlife.life import Pattern
from satlife.sat import Formula, dumps, loads

small = st.integers(1, 7)
few = st.integers(1, 4)


def lines(program: Program, *arguments: int, cells: Sequence[Cell] = ()) -> list[str]:
    """The clauses, without the header."""
    text = b"".join(program.text(*arguments, cells=cells)).decode()
    return [line for line in text.split("\n")[:-1] if not line.startswith("~ ")]


def full(m: int, n: int) -> list[tuple[int, int]]:
    return [(x, y) for x in range(1, m + 1) for y in range(1, n + 1)]


@given(small, small)
def test_one_step_of_grid_is_sat_life_on_the_full_pattern(m: int, n: int) -> None:
    assert lines(knuth.grid, m, n, 1) == lines(knuth.life, 0, cells=full(m, n))


@given(small, small, few)
def test_grid_without_its_cage_is_sat_life_step_by_step(m: int, n: int, r: int) -> None:
    uncaged = [line for line in lines(knuth.grid, m, n, r) if not line.startswith("~")]
    steps = [line for t in range(r) for line in lines(knuth.life, t, cells=full(m, n))]
    assert uncaged == steps


@given(small, small, few, st.integers(0, 3))
def test_spaceships_starts_with_grid(m: int, n: int, r: int, s: int) -> None:
    grid = lines(knuth.grid, m, n, r)
    assert lines(knuth.grid_spaceships, m, n, r, s)[: len(grid)] == grid


@given(small, small, st.integers(1, 83))
def test_each_step_is_a_translation_of_the_first(m: int, n: int, r: int) -> None:
    text = lines(knuth.grid, m, n, r)
    first = lines(knuth.grid, m, n, 2)
    caged = len(first) - len(lines(knuth.grid, m, n, 1))
    for t in range(r - 1):
        codes = str.maketrans("ab", TIME_CODES[t : t + 2])
        step = text[t * caged : (t + 1) * caged]
        assert step == [line.translate(codes) for line in first[:caged]]


SMALL_CALLS: dict[str, tuple[int, ...]] = {
    "sat-life": (3,),
    "sat-life-grid": (3, 4, 2),
    "sat-life-grid90": (5, 5, 3),
    "sat-life-grid90-cycle": (6, 6, 4),
    "sat-life-grid-spaceships": (5, 4, 3, 2),
    "sat-life-grid-cycle": (3, 4, 4),
    "sat-life-grid-eater": (6, 5, 2),
    "sat-life-grid-spaceships-sym": (4, 5, 3, 1),
    "sat-life-gridquad": (4, 5, 2),
    "sat-life-gridquad-cycle": (5, 4, 4),
    "sat-life-torus": (4, 5, 2),
    "sat-life-torus-cycle": (4, 6, 2),
    "sat-life-upper": (0, 2),
}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_formula_says_what_the_text_says(program: Program) -> None:
    arguments = SMALL_CALLS[program.name]
    cells = [(1, 2), (2, 2), (2, 3), (4, 4)] if program.reads_pattern else []
    formula = program(*arguments, cells=cells)
    text = b"".join(program.text(*arguments, cells=cells))
    assert named_clauses(formula) == named_clauses(loads(text, "knuth"))
    assert named_clauses(loads(dumps(formula, "knuth"), "knuth")) == named_clauses(formula)
    assert loads(dumps(formula, "dimacs"), "dimacs") == formula


def named_clauses(formula: Formula) -> list[list[str]]:
    return [["~" * (v < 0) + formula.name(abs(v)) for v in clause] for clause in formula]


def test_times_beyond_the_codes_work_as_a_formula() -> None:
    formula = knuth.grid(3, 3, 90)
    assert formula.variable("2(90)2")
    with pytest.raises(UsageError, match="between 0 and 83"):
        knuth.grid.text(3, 3, 90)


@given(st.integers(3, 6), st.integers(3, 6), st.data())
def test_unit_propagation_fixes_every_later_cell(m: int, n: int, data: st.DataObject) -> None:
    steps = 3
    formula = knuth.grid(m, n, steps)
    board = [[data.draw(st.booleans()) for _ in range(n)] for _ in range(m)]
    units = [
        (1 if board[x - 1][y - 1] else -1) * formula.variable(xty(x, y, 0)) for x, y in full(m, n)
    ]
    # The cage may forbid this start; without the cage the steps are one function.
    uncaged = [clause for clause in formula if len(clause) > 1 or not is_cage(formula, clause)]
    values = propagate(uncaged, units)
    pattern = Pattern.from_cells((y, x) for x, y in full(m, n) if board[x - 1][y - 1])
    now = {(y, x) for x, y in pattern.coordinates.tolist()}
    for t in range(steps + 1):
        for x, y in full(m, n):
            assert values[formula.variable(xty(x, y, t))] == ((x, y) in now)
        later = Pattern.from_cells((y, x) for x, y in now)[1]
        # The formula forgets what leaves the grid.
        now = {(y, x) for x, y in later.coordinates.tolist() if (y, x) in full(m, n)}


def is_cage(formula: Formula, clause: tuple[int, ...]) -> bool:
    name = formula.name(abs(clause[0]))
    return name[-1].isdigit() and not any(letter in name for letter in "ABCDEFG")


def propagate(clauses: list[tuple[int, ...]], units: list[int]) -> dict[int, bool]:
    """Close a set of literals under unit propagation; a conflict fails."""
    occurrences = defaultdict(list)
    for clause in clauses:
        for literal in clause:
            occurrences[-literal].append(clause)
    values: dict[int, bool] = {}
    queue = units + [clause[0] for clause in clauses if len(clause) == 1]
    while queue:
        literal = queue.pop()
        if abs(literal) in values:
            assert values[abs(literal)] == (literal > 0)
            continue
        values[abs(literal)] = literal > 0
        for clause in occurrences[literal]:
            true = any(values.get(abs(u)) == (u > 0) for u in clause)
            free = [u for u in clause if abs(u) not in values]
            if not true and len(set(free)) == 1:
                queue.append(free[0])
            assert true or free
    return values


@pytest.mark.parametrize(
    ("program", "arguments", "words"),
    [
        (knuth.grid, (0, 3, 1), "m is the number of rows, at least 1; got 0"),
        (knuth.grid, (3, 3), "takes m n r, got 2 arguments"),
        (knuth.grid90, (4, 6, 1), "requires m=n"),
        (knuth.grid_spaceships, (4, 4, 2, 5), "s should be at most m = 4, got 5"),
        (knuth.grid_spaceships, (4, 4, 2, -1), "at least 1; got -1"),
        (knuth.grid_eater, (4, 9, 3), "at least 5, got 4 and 9"),
        (knuth.upper, (-3, 2), "x0 should be at least -y0"),
    ],
)
def test_senseless_arguments_are_refused(
    program: Program, arguments: tuple[int, ...], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        program(*arguments)


def test_folder_and_tuple_agree() -> None:
    from pathlib import Path

    from satlife.knuth import programs

    files = {path.stem for path in Path(programs.__file__).parent.glob("*.py")} - {"__init__"}
    names = {program.name.removeprefix("sat-life").lstrip("-").replace("-", "_") or "life"
             for program in PROGRAMS}  # fmt: skip
    assert files == names
