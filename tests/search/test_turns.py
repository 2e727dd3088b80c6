"""Ships in boxes, by rows and SAT in turns: the answers, the words, and who takes part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from satlife import (
    Found,
    Impossible,
    Problem,
    Proved,
    Undecided,
    check,
    find,
    find_all,
    find_best,
    prove,
    ship,
)
from satlife.certificates.make.width_folder import certify_width, goes_by_rows
from satlife.cli.group import cli
from satlife.engine import Options, pick_engine, start
from satlife.engine.engine import GaveUp, Run, Started
from satlife.engine.goals import Best
from satlife.engine.rows.engine import RowEngine, Steps
from satlife.engine.turns import PLAYERS, TURNS, Player, TurnsEngine
from satlife.errors import UsageError
from satlife.formula.classes import History
from satlife.verifier.generations import VerificationError
from tests.cli.running import run

NONE = "there is none"


def make_player(
    name: str, *, seconds: float, turns: int, end: str | History, share: float = 1.0
) -> Player:
    """Return a player who needs some turns of equal length for an answer."""

    def play(problem: Problem, run: Run) -> Steps:
        for number in range(turns):
            run.details["turns"] = number + 1
            yield seconds
        if isinstance(end, str):
            return end
        yield end
        raise AssertionError("nobody asks for a second solution")

    return Player(name, play, lambda problem: share)


def ask(*players: Player, **options: object) -> Found | Impossible | Undecided:
    return find(ship("c/3", box="4x4"), engine=TurnsEngine(players), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("box", "speed", "symmetry", "word", "engine"),
    [
        ("4x4", "c/4d", "C1", "found", "sat"),
        ("5x8", "c/3", "C1", "impossible", "sat"),
        ("9x12", "c/3", "C1", "exhausted", "rows"),
        ("8x8", "c/4", "C1", "exhausted", "rows"),
        ("4x4", "c/3", "C1", "impossible", "sat"),
        ("12x13", "c/3", "D2|", "found", "rows"),
    ],
)
def test_who_answers(box: str, speed: str, symmetry: str, word: str, engine: str) -> None:
    answer = find(ship(speed, box=box, symmetry=symmetry))
    provenance = answer.finding.provenance if isinstance(answer, Found) else answer.provenance
    assert provenance is not None
    assert provenance.engine == engine
    assert (answer.word if isinstance(answer, Impossible) else "found") == word


def test_the_next_turn_is_for_the_least_work_for_its_share() -> None:
    slow = make_player("slow", seconds=1.0, turns=3, end=NONE)
    fast = make_player("fast", seconds=1.0, turns=8, end=NONE, share=3.0)
    answer = ask(slow, fast)
    assert isinstance(answer, Impossible)
    assert answer.provenance is not None
    # After two turns of the slow one, the fast one has had six; it needs two more before the third.
    assert (answer.provenance.engine, answer.provenance.details["turns"]) == ("fast", 8)
    answer = ask(slow, replace(fast, share=lambda problem: 1.0))
    assert isinstance(answer, Impossible)
    assert answer.provenance is not None
    assert answer.provenance.engine == "slow"


def test_the_end_of_an_incomplete_player_says_nothing() -> None:
    narrow = replace(make_player("narrow", seconds=0.1, turns=1, end=NONE), is_complete=False)
    answer = ask(narrow, make_player("whole", seconds=9.0, turns=5, end="refuted"))
    assert isinstance(answer, Impossible)
    assert answer.reason == "refuted"


def give_up(problem: Problem, run: Run) -> Iterator[float]:
    yield 0.1
    raise GaveUp("memory limit")


def test_one_who_gives_up_leaves_the_rest_to_the_others() -> None:
    out = Player("out", give_up, lambda problem: 1.0)  # type: ignore[arg-type]
    answer = ask(out, make_player("whole", seconds=9.0, turns=5, end="refuted"))
    assert isinstance(answer, Impossible)
    assert answer.reason == "refuted"
    answer = ask(out)
    assert isinstance(answer, Undecided)
    assert answer.reason == "memory limit"


def test_a_wrong_solution_is_not_passed_on() -> None:
    wrong = tuple(np.ones((4, 4), np.uint8) for _ in range(3))
    with pytest.raises(VerificationError):
        ask(make_player("liar", seconds=0.1, turns=1, end=wrong))


def test_the_same_question_has_the_same_answer_and_work() -> None:
    problem = ship("c/4", box="7x9")
    answers = [find(problem) for _ in range(2)]
    details = []
    for answer in answers:
        assert isinstance(answer, Impossible)
        assert answer.provenance is not None
        details.append(
            (answer.reason, answer.provenance.engine, answer.provenance.details["states"])
        )
    assert details[0] == details[1]


def test_what_only_sat_can_do_is_left_to_it() -> None:
    problem = ship("c/4d", box="4x4")
    assert pick_engine(None, problem) is TURNS
    found = find(problem, solver="minisat", seed=3)
    assert isinstance(found, Found)
    assert found.finding.provenance is not None
    assert found.finding.provenance.engine == "sat"
    assert found.finding.provenance.details["solver"] == "minisat"
    listing = find_all(problem)
    assert {finding.provenance.engine for finding in listing if finding.provenance} == {"sat"}
    best = find_best(problem, minimize="population")
    assert isinstance(best, Best)
    assert best.finding.provenance is not None
    assert best.finding.provenance.engine == "sat"


@pytest.mark.parametrize(
    "problem",
    [
        ship("c/4d", box="4x4", population="<=20"),
        ship("c/4d", box="9x9"),
        ship("(2,1)c/6", box="5x5"),
        ship("c/3", box="20x9"),
    ],
)
def test_what_the_rows_refuse_is_for_sat(problem: Problem) -> None:
    assert pick_engine(None, problem).name == "sat"
    with pytest.raises(UsageError, match="the engine turns cannot search for this"):
        start(problem, engine="turns")


def test_boxes_of_open_height_are_for_rows() -> None:
    assert pick_engine(None, ship("c/3", box="6x*")).name == "rows"


def test_several_jobs_leave_a_long_search_to_sat() -> None:
    problem = ship("c/4d", box="4x4")
    players = [make_player("rows", seconds=11.0, turns=5, end=NONE)]
    found = find(problem, engine=TurnsEngine(players), jobs=2)
    assert isinstance(found, Found)
    assert found.finding.provenance is not None
    assert found.finding.provenance.engine == "sat"


def test_a_stop_ends_all_players() -> None:
    search = start(ship("c/5", box="12x12"))
    with search:
        assert next(iter(search)) == Started("turns")
        search.stop()
        assert search.wait(300)
        result = search.result()
    assert isinstance(result, Undecided)
    assert result.reason == "stopped"


def test_without_numba_sat_searches_alone_and_a_note_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("satlife.engine.rows.engine.is_available", lambda: False)
    problem = ship("c/3", box="4x4")
    assert pick_engine(None, problem).name == "sat"
    made = CliRunner().invoke(cli, ["ship", "c/3", "--box", "4x4"])
    assert made.exit_code == 1
    assert made.stderr.startswith(
        "by SAT alone, which may be slower: the row search needs numba: pip"
    )


def test_the_word_impossible_needs_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = ship("c/3", box="5x*")
    answer = find(problem)
    assert isinstance(answer, Impossible)
    assert answer.word == "impossible"
    assert "pass the check of the audit" in answer.reason
    monkeypatch.setattr(
        "satlife.engine.rows.closed_sets.width_complaints", lambda rule, runs: iter(["no"])
    )
    answer = find(problem)
    assert isinstance(answer, Impossible)
    assert answer.word == "exhausted"


def test_dropped_states_prove_nothing() -> None:
    answer = find(ship("c/4", box="6x*"), engine=RowEngine(limit=10))
    assert isinstance(answer, Impossible)
    assert answer.word == "exhausted"


def test_a_proof_of_a_box_goes_by_rows_first(tmp_path: Path) -> None:
    folder = tmp_path / "proof"
    made = run("satlife", "ship", "c/4", "--box", "6x9", "--prove", str(folder))
    assert made.returncode == 1
    assert (folder / "states.runs").exists()
    assert check(folder).valid


def test_a_proof_in_python_goes_by_rows_first(tmp_path: Path) -> None:
    proved = prove(ship("c/3", box="6x6"), tmp_path / "proof")
    assert isinstance(proved, Proved)
    assert (proved.folder / "states.runs").exists()
    assert check(proved.folder).valid
    assert "6" in proved.statement


def test_a_proof_goes_by_sat_where_rows_fail(tmp_path: Path) -> None:
    folder = tmp_path / "proof"
    # Without symmetry, a width of 5 has the LWSS, which is too long for this box.
    made = run("satlife", "ship", "2c/4", "--box", "8x4", "--prove", str(folder))
    assert made.returncode == 1
    assert not (folder / "states.runs").exists()
    assert check(folder).valid


def test_rows_give_up_at_their_number_of_states(tmp_path: Path) -> None:
    problem = ship("c/4", box="8x9")
    assert goes_by_rows(problem, Options())
    assert not goes_by_rows(problem, Options(solver="cadical"))
    assert not goes_by_rows(ship("c/4", box="4x4"), Options())
    answer = certify_width(problem, tmp_path / "proof", most_states=100)
    assert isinstance(answer, Undecided)
    assert answer.reason == "work limit"


def test_the_players_are_those_of_the_documents() -> None:
    problem = ship("c/3", box="12x8")
    assert [(player.name, player.share(problem)) for player in PLAYERS] == [
        ("sat", 1.0),
        ("rows", 3.0),
        ("rows", 0.5),
    ]
    assert PLAYERS[1].share(ship("c/3", box="13x6")) == 0.25
