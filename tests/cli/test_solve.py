"""``satlife solve`` on Knuth's formulas and on DIMACS; Knuth's solution counts."""

from __future__ import annotations

import pytest

from tests.cli.running import run
from tests.patience import PATIENCE

FIRST_CELLS = r"\d+a\d+"

QUARTER_TURN_COUNTS = {
    (1, n): count for n, count in zip(range(2, 9), (2, 2, 3, 3, 4, 19, 37), strict=True)
} | {(2, n): count for n, count in zip(range(2, 9), (0, 0, 0, 0, 2, 6, 12), strict=True)} | {
    (5, 8): 5
}  # fmt: skip
"""Patterns of time 0 of sat-life-grid90-cycle n n r, by (r, n); the empty one counts for r = 1."""

SHIP_COUNTS = {(6, 4): 0, (6, 5): 0, (7, 4): 0, (7, 5): 2, (8, 5): 2, (8, 6): 4, (7, 7): 6}
"""Patterns of time 0 of sat-life-grid-spaceships m n 4 2, by (m, n)."""


def count(program: str, *arguments: int) -> int:
    clauses = run(program, *map(str, arguments)).stdout
    solved = run("satlife", "solve", "--all", "--project", FIRST_CELLS, stdin=clauses)
    assert solved.stderr.endswith(b"(all)\n")
    if solved.returncode == 1:
        assert solved.stdout == b"~\n"
        return 0
    assert solved.returncode == 0
    return len(set(solved.stdout.splitlines()))


@pytest.mark.parametrize(("r", "n"), QUARTER_TURN_COUNTS)
def test_oscillators_with_quarter_turn_symmetry(r: int, n: int) -> None:
    assert count("sat-life-grid90-cycle", n, n, r) == QUARTER_TURN_COUNTS[r, n]


@pytest.mark.parametrize(("m", "n"), SHIP_COUNTS)
def test_ships_at_half_the_speed_of_light(m: int, n: int) -> None:
    assert count("sat-life-grid-spaceships", m, n, 4, 2) == SHIP_COUNTS[m, n]


def test_the_pipeline_of_the_readme_draws_a_ship() -> None:
    clauses = run("satlife", "knuth", "sat-life-grid-spaceships", "7", "16", "3", "1").stdout
    solution = run("satlife", "solve", stdin=clauses)
    picture = run("sat-life-filter", stdin=solution.stdout).stdout.decode()
    from satlife.life import Pattern

    ship = Pattern.from_text(picture.strip("\n"))
    assert ship.population == 25
    assert ship[3] == ship.shift(0, -1)


UNSATISFIABLE = b"p cnf 1 2\n1 0\n-1 0\n"
TWO_MODELS = b"c an example\np cnf 2 1\n1 2 0\n"


@pytest.mark.parametrize(
    ("stdin", "options", "code", "stdout"),
    [
        (UNSATISFIABLE, [], 1, b"s UNSATISFIABLE\n"),
        (UNSATISFIABLE, ["--dimacs-exit"], 20, b"s UNSATISFIABLE\n"),
        (UNSATISFIABLE, ["--all"], 1, b"s UNSATISFIABLE\n"),
        (b"p cnf 1 1\n1 0\n", [], 0, b"s SATISFIABLE\nv 1 0\n"),
        (b"p cnf 1 1\n1 0\n", ["--dimacs-exit"], 10, b"s SATISFIABLE\nv 1 0\n"),
        (b"a\n~a\n", [], 1, b"~\n"),
        (b" x1 ~y\n y\n", [], 0, b" x1 y\n"),
    ],
)
def test_answers_in_the_language_of_the_formula(
    stdin: bytes, options: list[str], code: int, stdout: bytes
) -> None:
    done = run("satlife", "solve", *options, stdin=stdin)
    assert (done.returncode, done.stdout) == (code, stdout)


def test_all_and_limited() -> None:
    every = run("satlife", "solve", "--all", stdin=TWO_MODELS)
    assert every.stdout.count(b"v ") == 3
    assert every.stderr == b"satlife: 3 models (all)\n"
    some = run("satlife", "solve", "--limit", "2", stdin=TWO_MODELS)
    assert some.stdout.count(b"v ") == 2
    assert some.stderr == b"satlife: 2 models (there may be more)\n"


def test_time_out_is_not_none() -> None:
    clauses = run("sat-life-grid-spaceships", "14", "14", "4", "1").stdout
    done = run("satlife", "solve", "--timeout", "1", stdin=clauses, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"undecided: time limit" in done.stderr


@pytest.mark.parametrize(
    ("options", "stdin", "words"),
    [
        (["--solver", "cadicl"], TWO_MODELS, "cadical"),
        (["--timeout", "soon"], TWO_MODELS, "'soon' is not a time; write for example 10m"),
        (["--memory", "4X"], TWO_MODELS, "'4X' is not a size"),
        (["--project", "("], TWO_MODELS, "is not a regular expression"),
        (["--project", "zzz"], TWO_MODELS, "no variable's name matches 'zzz'"),
        (["no-such-file"], b"", "no-such-file: No such file"),
        ([], b"p cnf 2 1\n1 x 0\n", "line 2"),
        ([], b"#N glider\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n", "a pattern, not a formula"),
        ([], b"3o!", "satlife show draws it"),
        ([], b"!Name: a\n.O\nOO\n", "a pattern, not a formula"),
        ([], b'kind = "ship"\nboxes = ["4x4"]\n', "satlife find FILE"),
        ([], b'{"boxes": ["4x4"]}', "satlife find FILE"),
    ],
)
def test_wrong_input_gives_one_line_and_code_2(
    options: list[str], stdin: bytes, words: str
) -> None:
    done = run("satlife", "solve", *options, stdin=stdin)
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr
