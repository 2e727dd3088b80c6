"""Widths without ships that a plan proves: the states of a search by rows, checked and kept."""

from __future__ import annotations

import asyncio
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from nats.aio.client import Client

from satlife import ship
from satlife.campaign.certificates import CertificateWriter
from satlife.campaign.core.events import CertifiedEvent, FailedEvent, Status
from satlife.campaign.core.trust import examine
from satlife.campaign.ledger import open_ledger
from satlife.campaign.local import task_solver
from satlife.campaign.local.pool import Pool
from satlife.campaign.local.runner import run
from satlife.campaign.local.task_solver import solve_task
from satlife.campaign.messages import (
    Budget,
    FoundResult,
    ImpossibleResult,
    Share,
    Task,
    UndecidedResult,
    encode,
)
from satlife.campaign.plan import Plan
from satlife.campaign.proofs import KeptProofs, check_file
from satlife.campaign.results import collect
from satlife.campaign.retry import retry_claims
from satlife.certificates import check_certificate
from satlife.certificates.check.states import FILES, STATES, read_runs, write_runs
from satlife.cluster.checks.checker import Checker
from satlife.cluster.queue import Access, connect, jetstream, put_proof
from satlife.cluster.queue.proofs import name_upload
from satlife.cluster.queue.streams import CHECKERS, CHECKS, result_subject
from satlife.cluster.recorder import Recorder
from satlife.cluster.worker import Worker
from satlife.problem import Problem
from satlife.rows import is_available
from satlife.sat.files.paths import hash_file
from satlife.sat.solvers import confined
from tests.campaign.nats import Broker, plain_broker
from tests.campaign.scene import SMALL, at_work, until
from tests.campaign.strangers import access as access_of
from tests.cli.running import run as run_command

if not is_available():
    pytest.skip("numba is missing", allow_module_level=True)

NONE = ship("c/4", box="5x*")
GLIDE = ship("2c/6", box="5x*", symmetry="C1:D2|")
TURTLE = ship("c/3", box="12x*", symmetry="D2|")
PLAN = """
prove = true
[limits]
timeout = "10m"
[[search]]
kind = "ship"
speeds = ["c/3", "2c/4"]
symmetries = "C1"
boxes = ["3x*..4x*"]
[[search]]
kind = "ship"
speeds = "2c/4"
symmetries = "C1:D2|"
boxes = "3x*..5x*"
"""
"""At 2c/4, rows without a symmetry have two lanes, of which the theorem says nothing; the
lightweight spaceship is a glide in a width of 5."""


def prove(problem: Problem, proof: Path, **terms: object) -> ImpossibleResult:
    result = solve_task(Task(problem=problem, prove=True, **terms), "w", proof)  # type: ignore[arg-type]
    assert isinstance(result, ImpossibleResult)
    return result


# One task


@pytest.mark.parametrize(
    "problem", [NONE, GLIDE, ship("c/4", box="7x*", symmetry="D2|", gutter=True)]
)
def test_the_states_of_an_exhausted_search_are_its_proof(problem: Problem, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    result, task = prove(problem, proof), Task(problem=problem, prove=True)
    assert result.proof_hash == hash_file(proof)
    assert result.reason.startswith("impossible: the search by rows has no state left, and its")
    assert result.reason.endswith("states pass the check of the audit, with all states")
    checked = check_file(problem, proof, result.proof_hash)
    assert (checked.is_valid, checked.reason) == (True, "")
    assert isinstance(examine(task, result, checked), CertifiedEvent)


def test_a_ship_is_found_where_a_proof_is_asked(tmp_path: Path) -> None:
    task = Task(problem=TURTLE, prove=True)
    assert isinstance(solve_task(task, "w", tmp_path / "proof"), FoundResult)
    assert not (tmp_path / "proof").exists()


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (ship("2c/4", box="4x*"), "2 rows in 4 generations are not one sequence of rows"),
        (
            ship("c/2", box="10x*", rule="B36/S"),
            "rows of 10 free cells are too wide, 9 is the most",
        ),
        (ship("2c/6", box="4x*", symmetry="C1:D2|", rule="B34/S34"), "a ship ends in one of the"),
    ],
)
def test_what_the_theorem_does_not_cover_stays_a_claim(
    problem: Problem, reason: str, tmp_path: Path
) -> None:
    result = prove(problem, tmp_path / "proof")
    assert result.proof_hash is None
    assert f"no proof: {reason}" in result.reason
    assert not (tmp_path / "proof").exists()


def test_a_share_is_not_closed(tmp_path: Path) -> None:
    result = prove(NONE, tmp_path / "proof", shares=(Share(3, 0, 2),))
    assert result.proof_hash is None
    assert "no proof: a share of a search proves nothing" in result.reason


def test_a_search_that_needs_a_proof_is_not_shared_out(tmp_path: Path) -> None:
    task = Task(problem=ship("c/5", box="9x*"), prove=True, split=True, budget=Budget(seconds=1.0))
    result = solve_task(task, "w", tmp_path / "proof")
    assert isinstance(result, UndecidedResult)
    assert result.reason == "time limit"


def test_a_proof_has_its_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = prove(NONE, tmp_path / "proof", budget=Budget(proof_bytes=100))
    assert small.reason.endswith("no proof: size limit")

    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(task_solver, "pack_states", fail)
    assert prove(NONE, tmp_path / "proof").reason.endswith("no proof: memory limit")
    assert list(tmp_path.iterdir()) == []


# The check


def test_a_forged_file_of_states_is_refused(tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    result, task = prove(NONE, proof), Task(problem=NONE, prove=True)
    with proof.open("rb") as file:
        runs = read_runs(file, 32, 4, 1 << 30)
        states = {
            row: np.concatenate([np.zeros((0, 8), np.uint16), *runs(row)]) for row in range(32)
        }
    row = max(states, key=lambda row: len(states[row]))
    states[row] = states[row][1:]
    with (tmp_path / "forged").open("wb") as file:
        write_runs(file, 32, lambda row: iter([states[row]] if len(states[row]) else []))
    for text in (b"", b"0\n", proof.read_bytes()[:-9], (tmp_path / "forged").read_bytes()):
        (tmp_path / "forged").write_bytes(text)
        checked = check_file(NONE, tmp_path / "forged")
        assert (checked.is_valid, checked.is_decided) == (False, True), checked
        event = examine(task, replace(result, proof_hash=checked.proof_hash), checked)
        assert isinstance(event, FailedEvent)
        assert "is not valid" in event.log
    # A true set says nothing of another width, and nothing of another speed.
    for other in (ship("c/4", box="6x*"), ship("c/3", box="5x*"), TURTLE):
        assert not check_file(other, proof).is_valid


def test_a_check_of_states_has_limits_and_can_be_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prove(NONE, tmp_path / "proof")
    # The limit is over before the child has begun, on a fast machine too.
    monkeypatch.setattr(confined, "GRACE", -1.0)
    monkeypatch.setattr(confined, "_POLL_SECONDS", 0.0)
    late = check_file(NONE, tmp_path / "proof", limits=Budget(seconds=0.0))
    assert (late.is_valid, late.is_decided) == (False, False)
    stop = threading.Event()
    stop.set()
    stopped = check_file(NONE, tmp_path / "proof", stop=stop)
    assert (stopped.is_valid, stopped.is_decided) == (False, False)


# A campaign


def test_a_campaign_proves_widths_and_certifies_them(tmp_path: Path) -> None:
    plan, kept = Plan.from_toml(PLAN), KeptProofs(tmp_path / "kept")
    with open_ledger(str(tmp_path / "a.db")) as ledger:
        run(plan, ledger, jobs=1, keep=kept)
        counts = ledger.counts()
        assert (counts.found, counts.certified, counts.undecided) == (1, 4, 2)
        assert collect(ledger).finds[0].name == "LWSS"
        for row in ledger.rows(Status.UNDECIDED):
            assert row.state.claimants == ["local"]
        questions = {row.words: row for row in collect(ledger).questions}
        assert questions["ship c/3"].largest_impossible == ["4x*"]
        assert retry_claims(ledger) == 2, "the lanes, and no others"


def test_widths_that_cannot_be_proved_are_named(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.replace('["c/3", "2c/4"]', '"2c/4"').replace("..5x*", "..4x*"))
    reason = "2 rows in 4 generations are not one sequence of rows"
    line = f"no certificate for ship 2c/4 in 3x*, 4x*: {reason}"
    assert satlife("campaign", "plan", plan, "--dry-run").count("no certificate") == 1
    told = satlife("campaign", "run", plan, "--jobs", 1, ends=3)
    assert line in told
    assert "2 undecided" in told
    assert "--timeout" not in told, "more time does not help"


SMALL_PLAN = """
prove = true
[[search]]
kind = "ship"
speeds = ["c/3", "c/4", "2c/5", "c/5"]
boxes = "3x*"
"""


def satlife(*words: object, ends: int = 0) -> str:
    done = run_command("satlife", *map(str, words), timeout=300)
    assert done.returncode == ends, done.stderr
    return done.stdout.decode() + done.stderr.decode()


def test_two_machines_share_a_plan_and_a_third_checks_it(tmp_path: Path) -> None:
    plan, exports = tmp_path / "plan.toml", []
    plan.write_text(SMALL_PLAN)
    for number in (1, 2):
        home = tmp_path / f"machine{number}"
        home.mkdir()
        ledger = "--ledger", home / "ledger.db"
        part = "--shard", f"{number}/2", "--jobs", 1
        satlife("campaign", "run", plan, *ledger, *part, "--keep-proofs", home / "proofs")
        exports.append(home / "ledger.jsonl.gz")
        satlife("campaign", "export", plan, *ledger, "-o", exports[-1])
    proofs = tmp_path / "proofs"
    proofs.mkdir()
    for proof in tmp_path.glob("machine*/proofs/*/*"):
        shutil.copy(proof, proofs)
    assert len(list(proofs.iterdir())) == 4
    # One machine sends the proof of another task in place of its own.
    one, other = sorted(proofs.iterdir(), key=lambda path: path.stat().st_size)[::3]
    true = one.read_bytes()
    shutil.copy(other, one)
    merge = ("campaign", "merge", plan, *exports, "--ledger", tmp_path / "whole.db")
    lacks = "4 impossibilities left out: the plan asks for proofs"
    assert f"{lacks}; give --proofs FOLDER or --trust" in satlife(*merge, ends=3)
    (tmp_path / "wrong").mkdir()
    told = satlife(*merge, "--proofs", tmp_path / "wrong", ends=3)
    assert f"{lacks} and {tmp_path / 'wrong'} has none of theirs; give" in told
    told = satlife(*merge, "--proofs", proofs, ends=3)
    assert "left out, for" not in told
    assert f"the proof of {one.name[:12]} is not valid: " in told
    assert "3 proofs checked, 1 refused" in told
    one.write_bytes(b"")
    assert "is damaged" in satlife(*merge, "--proofs", proofs, ends=3)
    one.write_bytes(true)
    assert "1 proof checked, 0 refused" in satlife(*merge, "--proofs", proofs)
    assert "0 proofs checked, 0 refused" in satlife(*merge, "--proofs", proofs)
    assert "left out, for" not in satlife(*merge)
    satlife(*merge, "--proofs", proofs, "--trust", ends=2)
    whole = "--ledger", tmp_path / "whole.db"
    assert "4 certified, 0 claimed" in satlife("campaign", "status", plan, *whole)
    assert "4 answered" in satlife("campaign", "run", plan, *whole)
    satlife("campaign", "results", plan, *whole, "--html", tmp_path / "results.html")
    assert "certified" in (tmp_path / "results.html").read_text()
    # Anyone can check what is left of it.
    folders = tmp_path / "certificates"
    satlife("campaign", "certificates", plan, folders, *whole, "--proofs", proofs)
    assert len(list(folders.iterdir())) == 4
    for folder in sorted(folders.iterdir()):
        assert sorted(each.name for each in folder.iterdir()) == sorted(FILES)
        assert check_certificate(folder).valid
    first, *_, last = sorted(folders.iterdir())
    shutil.copy(first / STATES, last / STATES)
    assert not check_certificate(last).valid


def test_the_other_certificates_are_written_if_a_proof_is_damaged(tmp_path: Path) -> None:
    plan, proofs, folders = (tmp_path / name for name in ("plan.toml", "proofs", "certificates"))
    plan.write_text(SMALL_PLAN)
    satlife("campaign", "run", plan, "--jobs", 1, "--keep-proofs", proofs)
    damaged, missing, *_ = sorted(proofs.glob("*/*"))
    true = damaged.read_bytes()
    damaged.write_bytes(true[:-20])
    missing.rename(tmp_path / "away")
    certify = "campaign", "certificates", plan, folders, "--proofs", proofs
    told = satlife(*certify, ends=3)
    assert f"{folders / damaged.name[:16]}: not written: {damaged.name[:12]}" in told
    assert f"not written: the proof of {missing.name[:12]} was not kept (in {proofs})" in told
    assert len(list(folders.iterdir())) == 2
    damaged.write_bytes(true)
    (tmp_path / "away").rename(missing)
    satlife(*certify)
    assert len(list(folders.iterdir())) == 4


def test_a_shard_of_a_run_is_of_its_own_ledger(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(SMALL_PLAN.replace(', "2c/5", "c/5"', ""))
    satlife("campaign", "run", plan, "--shard", "1/2", "--jobs", 1)
    told = satlife("campaign", "run", plan, "--shard", "2/2", ends=2)
    assert "is of shard 1/2, not of 2/2; each has its own" in told
    assert "a shard is written 2/4" in satlife("campaign", "run", plan, "--shard", "2", ends=2)


def test_a_shard_without_questions_says_so(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(SMALL_PLAN.replace(', "c/4", "2c/5", "c/5"', ""))
    told = []
    for number in (1, 2):
        mine = "--ledger", tmp_path / f"{number}.db", "--keep-proofs", tmp_path / str(number)
        told.append(satlife("campaign", "run", plan, "--shard", f"{number}/2", "--jobs", 1, *mine))
        assert (tmp_path / str(number)).is_dir(), "merge --proofs takes it, with or without proofs"
    why = "has none of the plan's 1 question: a question belongs to one shard with all its widths"
    assert sorted(why in words for words in told) == [False, True]


# Many machines


def test_a_width_is_proved_over_a_broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker sends states, a checker checks them, and a stranger's are refused."""
    monkeypatch.setattr("satlife.cluster.checks.checker.ALONE", float("inf"))  # not the recorder's

    kept, where, forged = KeptProofs(tmp_path / "kept"), tmp_path / "a.db", tmp_path / "forged"
    text = 'prove = true\n[[search]]\nkind = "ship"\nspeeds = "c/4"\nboxes = "5x*"\n'
    prove(ship("c/4", box="4x*"), forged)

    def verdicts() -> list[CertifiedEvent | FailedEvent]:
        with open_ledger(str(where)) as ledger:
            events = [entry.event for entry in ledger.events()]
        return [event for event in events if isinstance(event, CertifiedEvent | FailedEvent)]

    async def lie(recorder: Recorder, client: Client) -> None:
        (task,) = (start.task for start in recorder.out.values())
        js, campaign = jetstream(client), recorder.board.campaign
        name = name_upload("eve", task.name)
        stored = await put_proof(js, campaign, name, forged)
        result = ImpossibleResult(task=task.name, worker="eve.x", proof=name, proof_hash=stored)
        await js.publish(result_subject(campaign, "eve.x"), encode(result))
        await until(verdicts)

    async def play(server: Broker) -> None:
        access = Access(servers=(server.url,), user="checker", password="checks")
        checker = Checker(access, "rack.node1", 1)
        recorder = Recorder(
            Plan.from_toml(text), str(where), access_of(server, "recorder"), stores=SMALL, keep=kept
        )
        worker = Worker(access_of(server, "worker"), Pool(1, worker="anna.x"), "anna.x")
        client = await connect(access_of(server, "worker"))
        async with at_work(checker):
            running = asyncio.create_task(recorder.run())
            await until(lambda: recorder.out or running.done())
            async with asyncio.timeout(60):  # until a checker waits for work
                while not (await recorder.board.js.consumer_info(CHECKS, CHECKERS)).num_waiting:
                    await asyncio.sleep(0.05)
            await lie(recorder, client)
            async with at_work(worker), asyncio.timeout(120):
                summary = await running
        await client.close()
        assert (summary.counts.certified, summary.alarms) == (1, ())
        assert checker.results["invalid"] == 1
        assert checker.results["valid"] >= 1

    with plain_broker(tmp_path / "nats") as server:
        asyncio.run(play(server))
    first, second, *_ = verdicts()
    assert isinstance(first, FailedEvent)
    assert "the proof of eve.x is not valid: states.runs does not have a run" in first.log
    assert isinstance(second, CertifiedEvent)
    assert (second.worker, second.solver) == ("anna.x", "rows")
    assert second.checker.endswith("on rack.node1")
    with open_ledger(str(where)) as ledger:
        writer = CertificateWriter(ledger, kept)
        (refuted,) = writer.refutations()
        assert writer.write(refuted, tmp_path / "certificate") == 1
    assert check_certificate(tmp_path / "certificate").valid
