"""What the recorder makes of a worker's word: nothing counts unchecked."""

from __future__ import annotations

import hashlib
import math
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest

from satlife import Found as FoundOutcome
from satlife import Problem, agar, find, oscillator, parent, ship, still_life
from satlife.campaign.core.events import (
    CertifiedEvent,
    ClaimedEvent,
    Event,
    FailedEvent,
    FoundEvent,
    UndecidedEvent,
)
from satlife.campaign.core.trust import check_pattern, examine, identify_finding
from satlife.campaign.messages import (
    LONGEST_WORDS,
    Budget,
    FailedResult,
    FoundResult,
    ImpossibleResult,
    Task,
    UndecidedResult,
)
from satlife.campaign.proofs import LIMITS, check_file
from satlife.certificates.make.refute import refute
from satlife.errors import UsageError
from satlife.life import Pattern
from tests.patience import PATIENCE

BLINKER = Task(problem=oscillator(2, box="3x3"), budget=Budget(seconds=9), round=2)
UPRIGHT, LYING = (".o.", ".o.", ".o."), ("...", "ooo", "...")
NOTHING = Task(problem=still_life(box="2x2", population="<=3"))


def found(*generations: tuple[str, ...], task: Task = BLINKER, worker: str = "anna") -> FoundResult:
    return FoundResult(task=task.name, worker=worker, round=task.round, generations=generations)


def test_a_pattern_is_found_after_its_check() -> None:
    result = msgspec.structs.replace(found(UPRIGHT, LYING), seconds=1.5, solver="cadical")
    assert examine(BLINKER, result) == FoundEvent(
        BLINKER.name, "anna", 2, (UPRIGHT, LYING), "xp2_7", 1.5, "cadical"
    )


@pytest.mark.parametrize(
    ("generations", "reason"),
    [
        ((UPRIGHT, UPRIGHT), "does not follow from generation 0"),
        ((("...",) * 3,) * 2, "it is not true that"),
        ((UPRIGHT,), "1 generation instead of 2"),
        ((UPRIGHT, LYING, UPRIGHT), "3 generations instead of 2"),
        ((UPRIGHT, LYING[:2]), "the rows do not fill a box of 3x3"),
        ((UPRIGHT, ("..", "oo", "..")), "the rows do not fill"),
        ((UPRIGHT, ("...", "oxo", "...")), "other characters than ., o"),
        ((), "0 generations instead of 2"),
        ((UPRIGHT, ()), "do not fill"),
    ],
)
def test_a_wrong_pattern_is_a_failure_with_a_reason(
    generations: tuple[tuple[str, ...], ...], reason: str
) -> None:
    event = examine(BLINKER, found(*generations))
    assert isinstance(event, FailedEvent)
    assert reason in event.log


@pytest.mark.parametrize(
    ("result", "complaint"),
    [
        (found(UPRIGHT, LYING, task=NOTHING), "not for the task"),
        (UndecidedResult(task=BLINKER.name, worker="x", round=1), "a result of round 1"),
        (FailedResult(task=BLINKER.name, worker="x", round=0), "a result of round 0"),
        (ImpossibleResult(task=BLINKER.name, worker="x", round=3), "a result of round 3"),
        (ImpossibleResult(task=BLINKER.name, worker="x", round=-1), "a result of round -1"),
    ],
)
def test_a_result_for_another_task_or_round_is_refused(
    result: ImpossibleResult, complaint: str
) -> None:
    with pytest.raises(UsageError, match=complaint):
        examine(BLINKER, result)


def test_an_answer_to_an_earlier_round_is_an_answer() -> None:
    late = msgspec.structs.replace(found(UPRIGHT, LYING), round=1)
    event = examine(BLINKER, late)
    assert isinstance(event, FoundEvent)
    assert event.round == 1


def test_an_impossibility_without_a_proof_is_claimed() -> None:
    result = ImpossibleResult(task=NOTHING.name, worker="anna", reason="refuted", proof="object")
    assert examine(NOTHING, result) == ClaimedEvent(NOTHING.name, "anna", 0, "refuted")


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("proof") / "proof"
    refute(NOTHING.problem, path)
    return path


def impossible(**more: str) -> ImpossibleResult:
    return ImpossibleResult(task=NOTHING.name, worker="anna", **more)


def examine_file(
    task: Task, result: ImpossibleResult, proof: Path, limits: Budget = LIMITS
) -> Event:
    return examine(task, result, check_file(task.problem, proof, result.proof_hash, limits))


def test_an_impossibility_with_its_proof_is_certified(proof: Path) -> None:
    digest = hashlib.sha256(proof.read_bytes()).hexdigest()
    for result in (impossible(), impossible(proof_hash=digest)):
        event = examine_file(NOTHING, result, proof)
        assert isinstance(event, CertifiedEvent)
        assert event.proof_hash == digest
        assert event.checker


def test_a_false_proof_is_a_failure(proof: Path, tmp_path: Path) -> None:
    false = tmp_path / "false"
    false.write_text("1 0\n")
    event = examine_file(NOTHING, impossible(), false)
    assert isinstance(event, FailedEvent)
    assert event.log.startswith("the proof of anna is not valid")
    other = examine_file(NOTHING, impossible(proof_hash="00"), proof)
    assert isinstance(other, FailedEvent)
    assert "hash" in other.log


@pytest.mark.parametrize("rubbish", [b"", b"\0\xff" * 50, b"a" * 99, b"0\n", b"d 1 0\n0\n"])
def test_rubbish_proves_nothing(rubbish: bytes, tmp_path: Path) -> None:
    task = Task(problem=still_life(box="3x3"))
    path = tmp_path / "rubbish"
    path.write_bytes(rubbish)
    event = examine_file(task, ImpossibleResult(task=task.name, worker="eve"), path)
    assert isinstance(event, FailedEvent | ClaimedEvent)


def test_a_proof_that_cannot_be_checked_in_time_leaves_a_claim(proof: Path) -> None:
    event = examine_file(NOTHING, impossible(reason="refuted"), proof, Budget(seconds=0.0))
    assert isinstance(event, ClaimedEvent)
    assert event.reason.startswith("not checked")


def test_a_proof_that_is_not_there_is_the_recorders_mistake(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the proof cannot be read"):
        examine_file(NOTHING, impossible(), tmp_path / "none")


def test_what_else_a_worker_says_is_kept_short_and_clean() -> None:
    worker = "eve\n\0" * 1000
    results: list[tuple[UndecidedResult | FailedResult, type[Event]]] = [
        (
            UndecidedResult(
                task=NOTHING.name,
                worker=worker,
                reason="x\0" * LONGEST_WORDS,
                seconds=math.inf,
                budget=Budget(memory_bytes=1 << 80),
            ),
            UndecidedEvent,
        ),
        (FailedResult(task=NOTHING.name, worker=worker, log="x\0" * LONGEST_WORDS), FailedEvent),
    ]
    for result, kind in results:
        event = examine(NOTHING, result)
        assert type(event) is kind
        assert msgspec.json.decode(msgspec.json.encode(event), type=Event) == event
        assert isinstance(event, UndecidedEvent | FailedEvent)
        assert event.worker.isprintable()
        assert len(event.worker) == 200
        words = event.reason if isinstance(event, UndecidedEvent) else event.log
        assert "\0" not in words
        assert len(words) == LONGEST_WORDS
    undecided = examine(BLINKER, UndecidedResult(task=BLINKER.name, worker="x", round=2))
    assert isinstance(undecided, UndecidedEvent)
    assert undecided.budget == BLINKER.budget


def identity(problem: Problem) -> str:
    outcome = find(problem)
    assert isinstance(outcome, FoundOutcome)
    return identify_finding(problem, outcome.finding.history)


def test_the_identity_is_the_apgcode() -> None:
    assert identity(ship("c/4d", box="4x4")) == "xq4_153"
    assert identity(oscillator(2, box="5x4", population="<=3")) == "xp2_7"
    assert identity(oscillator(2, box="3x3")) == "xp2_7"


def test_the_identity_tells_rules_apart() -> None:
    assert identity(oscillator(2, box="3x3", rule="B36/S23")) == "xp2_7/b36s23"


def test_an_object_without_an_apgcode_has_a_hash() -> None:
    block = parent(Pattern.from_rle("2o$2o!"))
    assert len(identity(block)) == 64
    assert len(identity(agar(1, box="4x4"))) == 64
    shape = block.all_boxes[0]
    corner = np.zeros((shape.height, shape.width), np.uint8)
    corner[0, :3] = 1
    corner[1, 0] = 1
    history = (corner,) * block.generations
    turned = (np.fliplr(corner),) * block.generations
    other = (corner | np.roll(corner, 1, 0),) * block.generations
    assert identify_finding(block, history) == identify_finding(block, turned)
    assert identify_finding(block, history) != identify_finding(block, other)


def test_a_checked_pattern_is_what_was_drawn() -> None:
    history = check_pattern(BLINKER.problem, (UPRIGHT, LYING))
    assert history[1].tolist() == [[0, 0, 0], [1, 1, 1], [0, 0, 0]]


def test_a_proof_that_takes_too_long_leaves_a_claim(tmp_path: Path) -> None:
    """Small ones are checked here, others in a child: the time holds in both."""
    step = b"5000000 d 1 0\n"
    for size in (1_000, 2_000_000):
        path = tmp_path / str(size)
        path.write_bytes(step * (size // len(step)))
        begun = time.monotonic()
        event = examine_file(NOTHING, impossible(), path, Budget(seconds=0))
        assert isinstance(event, ClaimedEvent)
        assert "time limit" in event.reason
        assert time.monotonic() - begun < PATIENCE


def test_a_proof_that_takes_too_much_memory_leaves_a_claim(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    path.write_bytes(b"5000000 d 0\n5000001 " + b"1 " * 10_000_000 + b"0 0\n")
    event = examine_file(NOTHING, impossible(), path, Budget(memory_bytes=10_000_000))
    assert isinstance(event, ClaimedEvent)
    assert "memory limit" in event.reason
