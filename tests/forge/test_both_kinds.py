"""A question that rows and SAT both refute has certificates of two kinds; neither can be forged."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from satlife.certificates.claims import NoneExists
from satlife.kinds import ship
from satlife.problem import Problem
from tests.forge.folders import (
    Folder,
    assemble,
    change,
    make_width,
    read_folder,
    refit,
    refit_width,
    write_folder,
)
from tests.forge.judging import is_true, judge
from tests.forge.pool import Pool
from tests.forge.running import FORGERS, make_pool
from tests.forge.widths import close_states

SEED, COUNT = 2026, 60


def refute_by_sat(problem: Problem, place: Path) -> Folder:
    """Return the certificate that a solver makes."""
    assemble(place, problem, NoneExists())
    return read_folder(place)


def refute_by_rows(problem: Problem) -> Folder:
    """Return the certificate of the whole width."""
    width = ship("c/2", box=f"{problem.width}x*")
    states = close_states(width.to_json().decode())
    assert states is not None
    return make_width(width, states)


@pytest.fixture
def pool(tmp_path: Path) -> Pool:
    """A pool whose folders answer one question, in both ways."""
    problem = ship("c/2", box="3x3")
    others = make_pool(SEED, 4)
    pool = Pool(SEED, 4, others.makers)
    pool.folders |= {
        "none": [refute_by_sat(problem, tmp_path / "by sat")],
        "width": [refute_by_rows(problem), *others.folders["width"]],
    }
    return pool


@pytest.mark.parametrize("kind", ["none", "width"])
def test_no_forgery_of_either_kind_is_taken(kind: str, pool: Pool, tmp_path: Path) -> None:
    place, refused = tmp_path / "forged", 0
    for number in range(COUNT):
        name = FORGERS[kind](random.Random(f"{SEED} {kind} {number}"), pool, kind, place)
        verdict = judge(place, kind)
        refused += verdict.word == "not valid"
        if verdict.word == "valid":
            assert is_true(place, kind, verdict), (number, name)
    assert refused > COUNT / 2


@pytest.mark.parametrize("kind", ["none", "width"])
def test_neither_takes_the_evidence_of_the_other(kind: str, pool: Pool, tmp_path: Path) -> None:
    names = {"none": "proof.lrat.xz", "width": "states.runs"}
    (mine, other) = ("none", "width") if kind == "none" else ("width", "none")
    base = pool.folders[mine][0]
    evidence = pool.folders[other][0][names[other]]
    write_folder(change(base, {names[mine]: evidence}), tmp_path / "in its place")
    write_folder(change(base, {names[mine]: None, names[other]: evidence}), tmp_path / "beside")
    for place in (tmp_path / "in its place", tmp_path / "beside"):
        (refit if mine == "none" else refit_width)(place)
        assert judge(place, kind).word == "not valid"


@pytest.mark.parametrize("kind", ["none", "width"])
def test_a_ship_that_there_is_has_no_certificate(kind: str, pool: Pool, tmp_path: Path) -> None:
    moves = ship("c/2", box="4x4" if kind == "none" else "4x*", rule="B01468/S23")
    base = pool.folders[kind][0]
    problem = next(name for name in base if name.startswith("problem"))
    write_folder(change(base, {problem: moves.to_json()}), tmp_path / "lent")
    (refit if kind == "none" else refit_width)(tmp_path / "lent")
    assert judge(tmp_path / "lent", kind).word == "not valid"
