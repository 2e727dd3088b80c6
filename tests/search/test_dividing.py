"""Searches by cases: the same answers as before, saved and continued after any stop."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

import satlife
from satlife.engine.grow import grow
from satlife.engine.sat import attempt
from satlife.engine.sat.cases import Casework, _Record, find_free_cells, split_problem
from satlife.errors import FormatError, UsageError
from satlife.formula.spacetime import SpaceTime
from satlife.life.motion import Motion
from satlife.sat.cubes import conquest
from tests.patience import PATIENCE

REFUTED = satlife.oscillator(3, box="5x5")
FOUND = satlife.ship("c/4d", box="5x5")


def divide_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempt, "FENCE", 50)
    monkeypatch.setattr(conquest, "SMALLEST_BUDGET", 50)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("broken", [True, False])
def test_the_answer_is_that_of_one_solver(
    tmp_path: Path, jobs: int, broken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    divide_early(monkeypatch)
    for problem, word in ((REFUTED, satlife.Impossible), (FOUND, satlife.Found)):
        save = tmp_path / f"{problem.kind}.cases"
        answer = satlife.find(problem, save=save, jobs=jobs, break_symmetry=broken)
        assert isinstance(answer, word)
    assert json.loads((tmp_path / "oscillator.cases").read_bytes())["open"] == []


@pytest.mark.parametrize(
    ("dx", "dy", "first"), [(0, -1, (2, 1)), (0, 1, (2, 5)), (-1, 0, (1, 3)), (1, 0, (3, 3))]
)
def test_a_search_is_split_near_the_front(dx: int, dy: int, first: tuple[int, int]) -> None:
    motion = Motion(4, dx, dy)
    problem = msgspec.structs.replace(satlife.ship("c/4", box="5x7"), motion=motion)
    with Casework(problem) as work:
        cases = work.split((), count=2)
    assert cases is not None
    assert cases[0][0][:2] == first
    known = [case.known[0] for case in split_problem(problem, 2)]
    assert {(each.x, each.y) for each in known} == {first}


def test_two_jobs_divide_a_long_refutation(monkeypatch: pytest.MonkeyPatch) -> None:
    divide_early(monkeypatch)
    assert count_cases(satlife.find(REFUTED, jobs=2)) > 1


def test_a_short_refutation_is_not_divided() -> None:
    assert count_cases(satlife.find(REFUTED, jobs=2)) == 1


def count_cases(answer: satlife.Answer) -> int:
    assert isinstance(answer, satlife.Impossible)
    assert answer.provenance is not None
    return int(answer.provenance.details["cases"])


def test_a_divided_search_keeps_the_limit_of_time() -> None:
    answer = satlife.find(satlife.ship("c/3", box="9x13"), engine="sat", jobs=2, timeout=0.5)
    assert isinstance(answer, satlife.Undecided)
    assert answer.reason.startswith("time limit")


def test_cells_of_one_orbit_are_one_candidate() -> None:
    assert len(find_free_cells(SpaceTime(satlife.oscillator(2, box="5x5", symmetry="D8")))) == 6


def test_a_finished_search_answers_at_once(tmp_path: Path) -> None:
    save = tmp_path / "a.cases"
    satlife.find(REFUTED, save=save)
    again = satlife.find(REFUTED, save=save)
    assert isinstance(again, satlife.Impossible)
    assert again.provenance is not None
    assert not again.provenance.details.get("conflicts")


def test_a_file_belongs_to_its_problem_and_its_options(tmp_path: Path) -> None:
    save = tmp_path / "a.cases"
    satlife.find(REFUTED, save=save, break_symmetry=True)
    with pytest.raises(UsageError, match=r"a\.cases belongs to another problem; give another file"):
        satlife.find(FOUND, save=save, break_symmetry=True)
    with pytest.raises(UsageError, match="was begun with --break-symmetry: continue with it"):
        satlife.find(REFUTED, save=save, break_symmetry=False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not a search that was saved"),
        ("[]", "is not a search that was saved"),
        ("[" * 10_000, "is not a search that was saved"),
        ('{"problem": "x", "breaks_symmetry": true, "open": 3}', "is not a search that was saved"),
        ('{"problem": "x", "breaks_symmetry": true, "open": [], "version": 9}', "another version"),
        ('{"problem": "NAME", "breaks_symmetry": true, "open": [["x9y9t0"]]}', "no free cell"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str, words: str) -> None:
    save = tmp_path / "a.cases"
    if "NAME" in text:
        record = {**json.loads(text), "problem": REFUTED.name}
        text = json.dumps(msgspec.to_builtins(msgspec.convert(record, _Record).sign()))
    save.write_text(text)
    with pytest.raises((FormatError, UsageError), match=words):
        satlife.find(REFUTED, save=save, break_symmetry=True)


def test_an_edited_file_refutes_nothing(tmp_path: Path) -> None:
    save = tmp_path / "a.cases"
    glider = satlife.ship("c/4d", box="4x4")
    satlife.find(glider, save=save, jobs=1, conflicts=1)
    record = json.loads(save.read_bytes())
    save.write_text(json.dumps(record | {"open": []}))
    with pytest.raises(FormatError, match="was changed since it was saved; give another file"):
        satlife.find(glider, save=save)


def test_an_answer_says_that_it_rests_on_a_file(tmp_path: Path) -> None:
    """A checksum can be made anew, so whoever reads the answer must know about the file."""
    save = tmp_path / "a.cases"
    fresh = satlife.find(REFUTED, save=save)
    assert isinstance(fresh, satlife.Impossible)
    assert fresh.reason == "refuted by the solver"
    record = {"problem": FOUND.name, "breaks_symmetry": True, "open": []}
    forged = msgspec.convert(record, _Record).sign()
    save.write_bytes(msgspec.json.encode(forged))
    answer = satlife.find(FOUND, save=save, break_symmetry=True)
    assert isinstance(answer, satlife.Impossible)
    assert answer.reason == f"refuted by the solver; this rests on the saved search {save}"
    assert answer.provenance is not None
    assert answer.provenance.details["continued"] == str(save)


def test_a_proof_takes_no_saved_search(tmp_path: Path) -> None:
    def run(*words: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "satlife", "ship", "c/4", *words, "--save", "s"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    code, words = run("--box", "4x4", "--prove", "p")
    assert (code, "save" in words) == (2, True), words
    assert run("--box", "4x*")[0] == 1
    code, words = run("--box", "4x*", "--prove", "p")
    assert (code, "give --save another file" in words) == (2, True), words


def test_only_a_search_for_one_pattern_is_saved(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--save keeps a search for one pattern"):
        list(satlife.find_all(REFUTED, save=tmp_path / "a"))
    with pytest.raises(UsageError, match="--save keeps a search for one pattern"):
        satlife.find_best(REFUTED, minimize="population", save=tmp_path / "a")
    with pytest.raises(UsageError, match="use cadical to save a search"):
        satlife.find(REFUTED, solver="kissat", save=tmp_path / "a")


def test_a_growing_box_is_not_saved(tmp_path: Path) -> None:
    steps = grow(lambda box: satlife.ship("c/4d", box=box), "2x2", save=tmp_path / "x")
    with pytest.raises(UsageError, match="growing"):
        next(steps)


def test_a_file_that_cannot_be_written_is_told_before_the_search(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file or directory"):
        satlife.find(satlife.oscillator(8, box="14x14"), save=tmp_path / "no" / "a")


def test_twenty_kills_lose_nothing(tmp_path: Path) -> None:
    """A search that is killed again and again ends with the same answer."""
    save = tmp_path / "a.cases"
    program = (
        "import satlife; from satlife.sat.cubes import conquest;"
        "from satlife.engine.sat import attempt;"
        "conquest.SMALLEST_BUDGET = attempt.FENCE = 100;"
        f"print(satlife.find(satlife.oscillator(3, box='6x5'), save={str(save)!r}, jobs=2).word)"
    )
    rng = random.Random(3)
    kills, seen, done = 0, [1], b""
    while b"impossible" not in done:
        child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
        if kills < 20:
            # The first case is settled in the first second, as a rule; then anything may happen.
            written = save.stat().st_mtime_ns if save.exists() else 0
            end = time.monotonic() + PATIENCE
            while child.poll() is None and time.monotonic() < end:
                if save.exists() and save.stat().st_mtime_ns != written:
                    break
                time.sleep(0.01)
            time.sleep(rng.uniform(0, 0.15))
            child.send_signal(signal.SIGKILL)
            kills += 1
        done, _ = child.communicate(timeout=120)
        seen.append(len(json.loads(save.read_bytes())["open"]))
    assert kills == 20
    assert seen[-1] == 0
