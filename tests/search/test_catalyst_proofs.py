"""Certificates that no other catalyst, or none at all, does what is asked."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from satlife import Pattern, Problem, find_all, prove
from satlife.certificates import Reactions, certify, check_certificate, draw
from satlife.errors import InternalError
from satlife.kinds import perturbation
from satlife.problem.constraints import Population, Restored
from satlife.problem.reaction import follow_reaction

GLIDER = Pattern.from_rle("bo$2bo$3o!")


def ask(contact: int | str) -> Problem:
    """Ask for what a glider meets in a region of 4x4, where only eater 1 survives."""
    return perturbation(GLIDER, region="4..7,4..7", contact=contact, recover=3, hold=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a certificate of all reactions."""
    place = tmp_path_factory.mktemp("certificate") / "all"
    proved = prove(ask("2..3"), place, list_all=True)
    (finding,) = proved.findings
    reaction = follow_reaction(finding.problem, finding.history)
    assert (reaction.contact, reaction.restored, reaction.disturbed_again) == (3, 5, None)
    assert reaction.catalyst == Pattern.from_rle("2o$obo$2bo$2b2o!").shift(4, 4)
    return place


def test_all_reactions_are_proved(folder: Path) -> None:
    judgement = check_certificate(folder)
    assert judgement.valid
    assert judgement.statement.startswith("# All reactions: ")


def test_an_input_that_is_not_known_is_refused(tmp_path: Path) -> None:
    problem = ask(3)
    (found,) = (draw(each) for each in find_all(problem, same="catalyst"))
    first, *later = problem.known
    assert first.t == 0
    rows = (f"?{first.rows[0][1:]}", *first.rows[1:])
    open_problem = msgspec.structs.replace(
        problem, known=(msgspec.structs.replace(first, rows=rows), *later)
    )
    with pytest.raises(InternalError, match="the input is not known"):
        certify(open_problem, Reactions(found=(found,)), tmp_path / "open")


def test_none_is_proved(tmp_path: Path) -> None:
    prove(ask(1), tmp_path / "none")
    assert check_certificate(tmp_path / "none").valid


def test_a_catalyst_left_out_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(InternalError, match="was to be refuted"):
        certify(ask(3), Reactions(found=()), tmp_path / "fewer")


def test_a_catalyst_added_or_changed_is_noticed(tmp_path: Path) -> None:
    problem = ask(3)
    (found,) = (draw(each) for each in find_all(problem, same="catalyst"))
    dead = tuple(tuple("." * len(row) for row in rows) for rows in found)
    for forged, why in (((found, found), "agrees with one before"), ((found, dead), "catalyst 2")):
        with pytest.raises(InternalError, match=why):
            certify(problem, Reactions(found=forged), tmp_path / "more")


@pytest.mark.parametrize(
    "change",
    [{"hold": 2}, {"times": (3, 5)}, {"contact": (1, 3), "free": ()}, {"alone": 9}],
    ids=str,
)
def test_another_condition_is_noticed(
    folder: Path, tmp_path: Path, change: dict[str, object]
) -> None:
    problem = Problem.from_json((folder / "problem.json").read_bytes())
    constraints = tuple(
        msgspec.structs.replace(each, **change) if isinstance(each, Restored) else each
        for each in problem.constraints
    )
    check_forged(folder, tmp_path, msgspec.structs.replace(problem, constraints=constraints))


def test_another_population_is_noticed(folder: Path, tmp_path: Path) -> None:
    problem = Problem.from_json((folder / "problem.json").read_bytes())
    bounds = (*problem.constraints, Population(most=7, generation=problem.steps - 1))
    check_forged(folder, tmp_path, msgspec.structs.replace(problem, constraints=bounds))


def check_forged(folder: Path, place: Path, problem: Problem) -> None:
    """Put another problem into a copy of a certificate, which must then be refused."""
    shutil.copytree(folder, place / "forged")
    (place / "forged" / "problem.json").write_bytes(problem.to_json())
    assert not check_certificate(place / "forged").valid
