"""Tasks with cases: split, answered case by case, and joined again, whatever happens between."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from satlife import find, find_all, oscillator, ship, still_life
from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.cases import MOST_DECISIONS, check_cases, is_case_of, list_cases
from satlife.campaign.certificates import CertificateWriter
from satlife.campaign.core.events import (
    CertifiedEvent,
    ClaimedEvent,
    Event,
    FailedEvent,
    FoundEvent,
    JoinedEvent,
    QueuedEvent,
    SplitEvent,
    Status,
    UndecidedEvent,
)
from satlife.campaign.core.state import TaskState, advance
from satlife.campaign.core.summary import Summary
from satlife.campaign.core.trust import examine
from satlife.campaign.ledger import Ledger, export, open_ledger
from satlife.campaign.local import pool, task_solver
from satlife.campaign.local.pool import Pool
from satlife.campaign.local.runner import run
from satlife.campaign.messages import (
    FoundResult,
    ImpossibleResult,
    SplitResult,
    Task,
    decode_result,
    encode,
)
from satlife.campaign.plan import Plan
from satlife.campaign.proofs import KeptProofs
from satlife.campaign.retry import retry, revoke
from satlife.campaign.strict_merge import merge_strictly
from satlife.certificates.folder import read_certificate
from satlife.certificates.make.join import CaseProof, join
from satlife.certificates.make.refute import PROVER, refute
from satlife.certificates.proof_search import check
from satlife.cli.group import cli
from satlife.cluster.queue import Access
from satlife.cluster.worker import Worker
from satlife.engine.sat.cases import Casework, give_cells
from satlife.engine.sat.engine import CaseEngine
from satlife.errors import UsageError
from satlife.problem import Cells, Problem
from satlife.problem.outcome import Found, Impossible
from tests.campaign.children import command
from tests.campaign.nats import broker
from tests.campaign.postgres import PostgresServer
from tests.campaign.scene import at_work, make_recorder

CELLS = tuple(product(range(2), range(2)))
Solution = tuple[bool, ...]
"""The states of the four cells of a 2x2."""

WORLD = """
split = true
[limits]
timeout = 1
[[search]]
kind = "still-life"
boxes = ["2x2", "2x3"]
"""
ONE = WORLD.replace(', "2x3"', "")
HALVES = (((0, 0, True),), ((0, 0, False),))

HARD = """
split = true
[limits]
timeout = 0.01
[[search]]
kind = "oscillator"
periods = 3
boxes = "5x5"
population = "<=10"
"""
"""Impossible, in many times its time limit."""
SLOW = HARD.replace("0.01", "60").replace("5x5", "4x4")
"""Impossible, well within its time limit."""


# The laws, with workers that answer as they like


def cells_of(task: Task) -> dict[tuple[int, int], bool]:
    return {(x, y): alive for x, y, alive in task.cells}


def is_found(task: Task, truth: frozenset[Solution]) -> bool:
    """Whether a solution has the cells of a case; 2x3 has a solution if 2x2 has."""
    given_cells = cells_of(task)
    return any(
        all(solution[CELLS.index(cell)] is alive for cell, alive in given_cells.items())
        for solution in truth
    )


def answer(task: Task, truth: frozenset[Solution], how: str, cell: int) -> Event:
    """What a worker says of a task: the truth, or that it cannot tell, or cases."""
    free = [place for place in CELLS if place not in cells_of(task)]
    if how == "split" and free:
        x, y = free[cell % len(free)]
        return SplitEvent(replace(task, cases=(((x, y, True),), ((x, y, False),))), "w")
    if how == "undecided":
        return UndecidedEvent(task.name, "w", task.round)
    if is_found(task, truth):
        return FoundEvent(task.name, "w", task.round, (("oo", "oo"),), "xs4_33")
    return ClaimedEvent(task.name, "w", task.round)


HOW = st.sampled_from(["split", "split", "truth", "truth", "undecided", "restart", "retry"])


@settings(max_examples=60)
@given(
    st.frozensets(st.tuples(*[st.booleans()] * 4), max_size=2),
    st.lists(st.tuples(HOW, st.integers(0, 100)), max_size=40),
    st.sampled_from([ONE, WORLD]),
    st.sampled_from([None, "local"]),
)
def test_a_tree_comes_to_the_answer_of_the_whole(
    truth: frozenset[Solution], moves: list[tuple[str, int]], text: str, worker: str | None
) -> None:
    plan = Plan.from_toml(text)
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(plan, ledger, worker=worker)
        steps = iter(moves)
        for _ in range(500):
            books.take(3)
            if books.conductor.is_done:
                if not (ledger.counts().undecided or any_undecided(ledger)):
                    break
                retry(ledger, [Status.UNDECIDED])
                books = Bookkeeper(plan, ledger, worker=worker)
                continue
            how, number = next(steps, ("truth", 0))
            if how == "restart":
                if number % 2:
                    books.save(now=True)
                books = Bookkeeper(plan, ledger, worker=worker)
                continue
            if how == "retry":
                retry(ledger, [Status.UNDECIDED])
                books.push([])
                books.adopt(10)
                continue
            out = sorted(books.conductor.out)
            if out:
                task = books.conductor.out[out[number % len(out)]].task
                books.push([answer(task, truth, how, number)])
                books.drain()
        assert books.conductor.is_done
        counts = ledger.counts()
        assert (counts.contradicted, counts.open, counts.open_cases) == (0, 0, 0)
        for index in range(len(plan.groups()[0])):
            state = ledger.state(plan.task(plan.groups()[0], index).name)
            assert state is not None
            assert state.status is (Status.FOUND if truth else Status.IMPOSSIBLE)


def any_undecided(ledger: Ledger) -> bool:
    return any(
        state.status is Status.UNDECIDED for name, task, state in ledger.rows() if not task.parent
    )


def begin(ledger: Ledger, text: str = ONE) -> tuple[Bookkeeper, Task]:
    """A plan of one task, which is out."""
    books = Bookkeeper(Plan.from_toml(text), ledger)
    (start,) = books.take(1).start
    return books, start.task


def split(books: Bookkeeper, task: Task, cases: tuple[Cells, ...] = HALVES) -> list[Task]:
    books.push([SplitEvent(replace(task, cases=cases), "w")])
    books.drain()
    return [start.task for start in books.take(10).start]


def status(ledger: Ledger, task: Task) -> Status:
    state = ledger.state(task.name)
    assert state is not None
    return state.status


def test_a_find_in_a_case_is_one_of_the_whole_and_ends_the_others() -> None:
    with open_ledger(":memory:") as ledger:
        books, task = begin(ledger)
        one, other = split(books, task)
        deeper = split(books, other, (((1, 1, True),), ((1, 1, False),)))
        assert status(ledger, task) is status(ledger, other) is Status.SPLIT
        books.push([FoundEvent(one.name, "w", 0, (("oo", "oo"),), "xs4_33")])
        effects = books.drain()
        assert {case.name for case in deeper} == set(effects.withdraw) - {other.name}
        assert status(ledger, task) is Status.FOUND
        assert {status(ledger, case) for case in (other, *deeper)} == {Status.DROPPED}
        assert books.conductor.is_done
        assert (ledger.counts().found, ledger.counts().cases) == (1, 4)


def test_a_whole_is_certified_if_all_cases_are() -> None:
    for other_event, is_certified in ((CertifiedEvent, True), (ClaimedEvent, False)):
        with open_ledger(":memory:") as ledger:
            books, task = begin(ledger)
            one, other = split(books, task)
            proof = ("00", "checker") if other_event is CertifiedEvent else ()
            books.push([CertifiedEvent(one.name, "w", 0, "00", "checker")])
            books.push([other_event(other.name, "w", 0, *proof)])
            books.drain()
            state = ledger.state(task.name)
            assert state is not None
            assert (state.status, state.certified) == (Status.IMPOSSIBLE, is_certified)


def test_an_answer_to_the_whole_ends_its_cases() -> None:
    with open_ledger(":memory:") as ledger:
        books, task = begin(ledger)
        cases = split(books, task)
        books.push([ClaimedEvent(task.name, "slow", 0)])
        assert set(books.drain().withdraw) == {case.name for case in cases}
        assert books.conductor.is_done


def test_who_is_revoked_takes_the_whole_back() -> None:
    with open_ledger(":memory:") as ledger:
        books, task = begin(ledger)
        one, other = split(books, task)
        books.push([ClaimedEvent(one.name, "liar", 0), ClaimedEvent(other.name, "honest", 0)])
        books.drain()
        assert status(ledger, task) is Status.IMPOSSIBLE
        assert revoke(ledger, "liar") == 2
        assert [status(ledger, each) for each in (task, one, other)] == [
            Status.SPLIT,
            Status.QUEUED,
            Status.IMPOSSIBLE,
        ]
        (again,) = books.adopt(10).start
        books.push([ClaimedEvent(one.name, "honest", again.task.round)])
        books.drain()
        assert status(ledger, task) is Status.IMPOSSIBLE


def test_a_find_in_a_case_that_comes_late_is_one_of_all_above_it() -> None:
    with open_ledger(":memory:") as ledger:
        books, task = begin(ledger)
        one, other = split(books, task)
        deeper, deepest = split(books, other, (((1, 1, True),), ((1, 1, False),)))
        books.push(ClaimedEvent(case.name, "liar", 0) for case in (one, deeper, deepest))
        books.drain()
        assert status(ledger, task) is Status.IMPOSSIBLE
        assert books.conductor.is_done
        books.push([FoundEvent(deeper.name, "w", 0, ((".o", "oo"),), "xs4_33")])
        books.drain()
        assert {status(ledger, each) for each in (task, other, deeper)} == {Status.FOUND}
        assert status(ledger, one) is Status.IMPOSSIBLE
        assert ledger.counts().contradicted
        assert books.conductor.is_done


def test_a_claim_about_the_cases_of_a_find_is_a_contradiction() -> None:
    found = TaskState(Status.FOUND, children=2)
    step = advance(found, JoinedEvent("n", Status.IMPOSSIBLE))
    assert step.state == replace(found, contradicted=True)


def test_with_a_quorum_a_split_needs_several_users() -> None:
    task = Task(problem=still_life(box="2x2"), quorum=2, split=True)
    divided = replace(task, cases=HALVES)
    queued = advance(None, QueuedEvent(task)).state
    once = advance(queued, SplitEvent(divided, "a.1"))
    assert once.state.status is Status.QUEUED
    assert advance(once.state, SplitEvent(divided, "a.2")).state.status is Status.QUEUED
    assert advance(once.state, SplitEvent(divided, "b.1")).state.status is Status.SPLIT


# What a stranger sends


@pytest.mark.parametrize(
    ("cases", "words"),
    [
        ((), "at least one"),
        (((),), "2 to 256 cases"),
        (((), ()), "a part of another"),
        ((((0, 0, True),), ((0, 0, True),)), "a part of another"),
        ((((0, 0, True),), ((0, 0, True), (0, 1, True))), "a part of another"),
        ((((0, 0, True),), ((0, 1, False),)), "not a tree"),
        ((((0, 0, True),), ((0, 0, False), (0, 1, True))), r"do not cover cell \(0, 1\)"),
        ((((0, 0, True), (0, 0, True)), ((0, 0, False),)), "a cell twice"),
        ((((0, 9, True),), ((0, 9, False),)), "not in the box"),
        ((((1, 1, True),), ((1, 1, False),)), "given already"),
    ],
)
def test_cases_that_do_not_cover_their_task_are_refused(
    cases: tuple[Cells, ...], words: str
) -> None:
    problem, centre = still_life(box="2x2"), ((1, 1, True),)
    given_cell = Task(problem=give_cells(problem, centre), split=True)
    for task in (given_cell, Task(problem=problem, cells=centre, parent="p", split=True)):
        with pytest.raises(UsageError, match=words):
            check_cases(replace(task, cases=cases))
        event = examine(task, SplitResult(task=task.name, worker="eve", cases=cases))
        assert isinstance(event, FailedEvent)


def test_a_task_that_is_not_to_be_split_stays_whole() -> None:
    task = Task(problem=still_life(box="2x2"))
    result = SplitResult(task=task.name, worker="eve", cases=HALVES)
    assert decode_result(encode(result)) == result
    assert isinstance(examine(task, result), FailedEvent)
    assert isinstance(examine(replace(task, split=True), result), SplitEvent)


def test_a_plan_that_splits_needs_a_time_limit() -> None:
    with pytest.raises(UsageError, match="split needs a timeout"):
        Plan.from_toml(WORLD.replace("timeout = 1", ""))


def test_a_tree_is_merged_with_what_it_amounts_to_left_to_us() -> None:
    plan = Plan.from_toml(ONE)
    with open_ledger(":memory:") as theirs, open_ledger(":memory:") as ours:
        books, task = begin(theirs)
        one, other = split(books, task)
        books.push([ClaimedEvent(one.name, "w", 0), ClaimedEvent(other.name, "w", 0)])
        books.drain()
        ours.begin(plan.name, plan.to_toml())
        merged = merge_strictly(ours, export(theirs))
        assert (merged.refused, merged.left_out) == ([], 1)
        assert status(ours, task) is Status.SPLIT
        again = Bookkeeper(plan, ours)
        assert again.take(5).start == again.take(5).start == []
        assert again.conductor.is_done
        assert status(ours, task) is Status.IMPOSSIBLE


def test_a_forged_split_is_not_merged() -> None:
    plan = Plan.from_toml(ONE)
    with open_ledger(":memory:") as theirs, open_ledger(":memory:") as ours:
        _, task = begin(theirs)
        theirs.record([SplitEvent(replace(task, cases=HALVES[:1]), "eve")])
        ours.begin(plan.name, plan.to_toml())
        (words,) = merge_strictly(ours, export(theirs)).refused
        assert "2 to 256 cases" in words
        assert status(ours, task) is Status.QUEUED


@pytest.mark.parametrize("parent", ["", "00" * 32], ids=["none", "of which nothing is known"])
def test_a_merged_case_with_a_false_parent_still_tells_its_own(parent: str) -> None:
    """The parent that a file names decides nothing: neither about a late find nor about a lie."""
    plan = Plan.from_toml(ONE)
    with open_ledger(":memory:") as theirs, open_ledger(":memory:") as ours:
        _, task = begin(theirs)
        divided = replace(task, cases=HALVES)
        cases = [replace(case, parent=parent) for case in list_cases(divided)]
        theirs.record([SplitEvent(divided, "eve"), *map(QueuedEvent, cases)])
        theirs.record([ClaimedEvent(case.name, "eve") for case in cases])
        ours.begin(plan.name, plan.to_toml())
        assert merge_strictly(ours, export(theirs)).refused == []
        books = Bookkeeper(plan, ours)
        books.take(5)
        books.take(5)
        assert status(ours, task) is Status.IMPOSSIBLE
        books.push([FoundEvent(cases[0].name, "w", 0, (("oo", "oo"),), "xs4_33")])
        books.drain()
        assert status(ours, task) is Status.FOUND


# The real thing


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    """Free the solvers that this process would keep for the next case."""
    yield
    for work in task_solver._work:
        work.close()
    task_solver._work.clear()


@pytest.mark.parametrize(
    "problem",
    [
        still_life(box="4x4", population="<=7"),
        oscillator(2, box="4x4"),
        oscillator(2, box="3x5", population="<=3"),
        ship("c/4d", box="3x4"),
    ],
)
def test_search_and_proof_both_keep_the_least_solution(problem: Problem, tmp_path: Path) -> None:
    """So their answers to the cases of one tree may be joined."""
    firsts = [found.history[0].tolist() for found in find_all(problem, raw=True)]
    box = problem.all_boxes[0]
    rows = min(firsts)
    case = tuple(
        (x + box.x, y + box.y, bool(s)) for y, row in enumerate(rows) for x, s in enumerate(row)
    )
    task = Task(problem=problem, cells=case, split=True)
    assert isinstance(task_solver.solve_task(task, "w", None), FoundResult)
    assert isinstance(refute(problem, tmp_path / "proof", cells=case), Found)


def test_cases_keep_the_broken_symmetry() -> None:
    problem = Plan.from_toml(HARD).groups()[0].problem(0)
    with Casework(problem) as work:
        assert work.built.breaks_symmetry
        assert find(problem, engine=CaseEngine(work, ((0, 0, True),))).provenance.details[
            "breaks_symmetry"
        ]


def test_a_split_makes_cases_that_cover() -> None:
    task = Task(problem=Plan.from_toml(HARD).groups()[0].problem(0), split=True)
    cases = task_solver.split_cells(task)
    assert cases is not None
    divided = replace(task, cases=cases)
    check_cases(divided)
    assert 32 <= len(cases) <= 64
    children = list_cases(divided)
    assert all(is_case_of(child, task) for child in children)
    again = task_solver.split_task(children[-1])
    assert again
    check_cases(replace(children[-1], cases=again))
    assert (
        task_solver.split_task(replace(task, cells=tuple((x, y, False) for x, y in all_cells())))
        is None
    )


def test_a_deep_case_is_not_split_again() -> None:
    task = Task(
        problem=Plan.from_toml(HARD.replace("5x5", "9x9")).groups()[0].problem(0), split=True
    )
    way = tuple((i % 9, i // 9, False) for i in range(MOST_DECISIONS))
    assert task_solver.split_task(replace(task, cells=way)) == ()
    last = task_solver.split_task(replace(task, cells=way[:-1]))
    assert last is not None
    assert {len(case) for case in last} == {1}
    with pytest.raises(UsageError, match=f"at most {MOST_DECISIONS} decisions"):
        check_cases(replace(task, cells=way, cases=(((8, 8, True),), ((8, 8, False),))))


def all_cells() -> list[tuple[int, int]]:
    return list(product(range(5), range(5)))


def test_a_task_is_split_when_it_reaches_its_limit() -> None:
    task = Plan.from_toml(HARD).task(Plan.from_toml(HARD).groups()[0], 0)
    assert isinstance(task_solver.solve_task(task, "w", None), SplitResult)


def test_a_hard_task_is_refuted_by_its_cases_on_this_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pool, "COMMAND", command({"4x4": "split"}))
    with open_ledger(str(tmp_path / "a.db")) as ledger:
        assert run(Plan.from_toml(SLOW), ledger, jobs=1).is_met
        counts = ledger.counts()
        assert (counts.impossible, counts.total, counts.open_cases) == (1, 1, 0)
        assert counts.cases == 2


def test_cases_with_proofs_over_nats_and_postgres(tmp_path: Path) -> None:
    with PostgresServer("fsync=off") as server, broker(tmp_path) as nats:
        where = server.new_ledger()
        kept = KeptProofs(tmp_path / "kept")

        async def play() -> Summary:
            recorder = make_recorder(nats.url, where, f"prove = true\n{SLOW}", keep=kept)
            solvers = Pool(1, worker="w", command=command({"4x4": "split"}))
            worker = Worker(Access(servers=(nats.url,)), solvers, "w")
            async with at_work(worker), asyncio.timeout(120):
                return await recorder.run()

        assert asyncio.run(play()).is_met
        with open_ledger(where) as ledger:
            counts = ledger.counts()
            assert (counts.certified, counts.total, counts.open_cases) == (1, 1, 0)
            kinds = [msgspec.to_builtins(entry.event)["event"] for entry in ledger.events()]
            writer = CertificateWriter(ledger, kept)
            (refuted,) = writer.refutations()
            assert writer.write(refuted, tmp_path / "certificate") == 2
        assert check(tmp_path / "certificate").valid
        assert kinds.count("certified") == counts.cases == 2
        assert (kinds.count("split"), kinds.count("joined")) == (1, 1)


def test_an_impossibility_whose_proof_takes_too_long_is_split(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    task = Task(problem=Plan.from_toml(HARD).groups()[0].problem(0), prove=True)

    def no_time(_: object, proof: Path, limits: object, quick: Impossible) -> tuple[object, ...]:
        return quick, "no proof: time limit", None

    monkeypatch.setattr(task_solver, "_prove", no_time)
    assert isinstance(task_solver.solve_task(task, "w", tmp_path / "p"), ImpossibleResult)
    split_task = replace(task, split=True)
    assert isinstance(task_solver.solve_task(split_task, "w", tmp_path / "p"), SplitResult)


# Certificates


PROVED = f"prove = true\n{SLOW}"


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the ledger of a task that was split, and the proofs of its cases."""
    folder = tmp_path_factory.mktemp("certificates")
    with pytest.MonkeyPatch.context() as patch, open_ledger(str(folder / "plan.db")) as ledger:
        patch.setattr(pool, "COMMAND", command({"4x4": "split"}))
        kept = KeptProofs(folder / "proofs")
        assert run(Plan.from_toml(PROVED), ledger, jobs=1, keep=kept).is_met
    return folder


def join_again(campaign: Path, folder: Path, kept: Path | None = None) -> int:
    with open_ledger(str(campaign / "plan.db")) as ledger:
        writer = CertificateWriter(ledger, KeptProofs(kept or campaign / "proofs"))
        (refuted,) = writer.refutations()
        return writer.write(refuted, folder)


def test_the_proofs_of_a_tree_are_joined_into_one_certificate(
    campaign: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    words = ["campaign", "certificates", str(campaign / "plan.db"), str(out)]
    done = CliRunner().invoke(cli, [*words, "--proofs", str(campaign / "proofs")])
    assert done.exit_code == 0, done.output
    (folder,) = out.iterdir()
    judgement = check(folder)
    assert judgement.valid, judgement
    assert len(judgement.verdicts) == 2
    assert "no oscillator of period 3 in 4×4" in judgement.statement
    assert (folder / "symmetries.json").is_file()
    assert (folder / "tree.txt").read_text().count("leaf") == 2
    told = read_certificate(folder)
    assert told.solver == PROVER
    assert all(part.solve_seconds > 0 for part in told.parts)


def test_a_certificate_is_not_made_without_all_leaves(campaign: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    shutil.copytree(campaign / "proofs", kept)
    min(kept.glob("??/*")).unlink()
    with pytest.raises(UsageError, match="was not kept"):
        join_again(campaign, tmp_path / "a", kept)
    assert not (tmp_path / "a").exists()


def test_the_proof_of_another_leaf_is_not_valid(campaign: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    shutil.copytree(campaign / "proofs", kept)
    small, *_, large = sorted(kept.glob("??/*"), key=lambda path: path.stat().st_size)
    shutil.copy(small, large)
    assert join_again(campaign, tmp_path / "a", kept) == 2
    assert check(tmp_path / "a").complaints


def test_cases_of_another_tree_are_not_joined(campaign: Path, tmp_path: Path) -> None:
    with open_ledger(str(campaign / "plan.db")) as ledger:
        (refuted,) = CertificateWriter(ledger, KeptProofs(campaign / "proofs")).refutations()
        rows = [each for each in ledger.rows() if each.task.parent]
    kept = KeptProofs(campaign / "proofs")
    proofs = [CaseProof(each.task.cells, kept.path(each.name)) for each in rows]
    (first, *_), *others = proofs[0].cells, *proofs[1:]
    x, y, alive = first
    elsewhere = CaseProof((((x + 1) % 4, y, alive), *proofs[0].cells[1:]), proofs[0].path)
    for forged, words in (
        (proofs[1:], "do not cover"),
        ([*others, elsewhere], "not a tree|do not cover"),
        ([*proofs, proofs[0]], "a part of another"),
    ):
        with pytest.raises(UsageError, match=words):
            join(refuted.problem, forged, tmp_path / "a")
    assert not (tmp_path / "a").exists()
