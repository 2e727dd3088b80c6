"""The table of choices: several jobs begin with the choice of one."""

from __future__ import annotations

import pytest

from satlife import Options, Problem, oscillator, parent, ship
from satlife.engine.sat.attempt import LARGE, choose, choose_several, look_at
from satlife.formula.spacetime import SpaceTime
from satlife.life import Pattern
from satlife.sat import find_solver

PROBLEMS = [
    oscillator(3, box="6x6"),
    oscillator(5, box="14x14"),
    ship("c/3", box="8x8"),
    ship("c/3", box="16x16", symmetry="D2|"),
    parent(Pattern.from_rle("3o!")),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.kind)
@pytest.mark.parametrize("jobs", [1, 2, 6, 20])
def test_several_jobs_begin_with_the_choice_of_one(problem: Problem, jobs: int) -> None:
    spacetime = SpaceTime(problem)
    chosen = choose_several(spacetime, Options(jobs=jobs))
    assert chosen[0] == choose(spacetime, Options())
    assert len(set(chosen)) == len(chosen) == jobs


def test_what_was_chosen_by_a_person_is_kept() -> None:
    options = Options(jobs=4, solver="cadical", encoding="direct", break_symmetry=False, seed=7)
    for choice in choose_several(SpaceTime(PROBLEMS[0]), options):
        assert (choice.solver, choice.encoding, choice.break_symmetry) == (
            "cadical",
            "direct",
            False,
        )
        assert choice.seed is not None
        assert choice.seed >= 7


def test_large_formulas_go_to_a_program_only_where_it_can_answer() -> None:
    large = SpaceTime(Problem(boxes=("50x50",), steps=20))
    assert look_at(large).cells > LARGE
    there = find_solver("kissat-binary").available
    assert choose(large, Options()).solver == ("kissat-binary" if there else "cadical")
    assert choose(large, Options(), once=False).solver == "cadical"
    assert choose(large, Options(conflicts=10)).solver == "cadical"
    assert choose(large, Options(solver="glucose")).solver == "glucose"
