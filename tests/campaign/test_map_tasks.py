"""Maps as campaigns: regions of rules as tasks, divided, answered, and put together again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from satlife import oscillator, ship, still_life
from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.cases import find_rest, is_case_of, list_cases
from satlife.campaign.core.events import (
    ClaimedEvent,
    Event,
    FailedEvent,
    FoundEvent,
    QueuedEvent,
    SplitEvent,
    Status,
    UndecidedEvent,
)
from satlife.campaign.core.trust import examine
from satlife.campaign.ledger import Ledger, Merged, export, merge, open_ledger
from satlife.campaign.local import pool, task_solver
from satlife.campaign.local.runner import run
from satlife.campaign.local.task_solver import solve_task
from satlife.campaign.maps import read_maps
from satlife.campaign.messages import (
    Case,
    FoundResult,
    ImpossibleResult,
    Region,
    SplitResult,
    Task,
    decode_result,
    decode_task,
    encode,
)
from satlife.campaign.plan import Plan
from satlife.campaign.results import stream_finds
from satlife.campaign.retry import retry, revoke
from satlife.campaign.strict_merge import merge_strictly
from satlife.cli.group import cli
from satlife.errors import UsageError
from satlife.life import Box, Pattern
from satlife.life.rulespaces import RuleSpace
from satlife.problem.outcome import draw_states
from satlife.rulemaps import RuleMap, make_map
from satlife.rulemaps.rulemap import FOUND
from satlife.web.ledger import LedgerHistory
from tests.campaign.children import command

RULES = "B[2][3]/S[2]"
LIFES = f"""
[[search]]
kind = "still-life"
boxes = "2x2"
rules = "{RULES}"
map = true
"""
SHIPS = """
[[search]]
kind = "ship"
speeds = "c/2"
boxes = "4x4"
rules = "B[2][3][4][5]/S[1][2][3][4][6]"
map = true
"""
PIECES = {"4x4": "piece"}
BLOCK = (("oo", "oo"),)
WHOLE = Task(problem=still_life(box="2x2", rule=RULES), every=True)


# The laws, with workers that answer as they like

Truth = frozenset[str]
"""The rules that have a pattern."""


def rules_of(task: Task) -> list[str]:
    return [str(rule) for rule in RuleSpace(task.problem.rule).rules()]


def answer(task: Task, truth: Truth, how: str, number: int) -> Event:
    """What a worker says of a region: the truth, that it cannot tell, or regions."""
    space = RuleSpace(task.problem.rule)
    found = {rule in truth for rule in rules_of(task)}
    if space.is_open and (how == "split" or len(found) == 2):
        place = number % len(space.places)
        fates = [None] * len(space.places)
        halves = [space.fill([*fates[:place], on, *fates[place + 1 :]]) for on in (False, True)]
        known = (not truth & {str(rule) for rule in half.rules()} for half in halves)
        cases = (
            Region(str(half), is_impossible=none and bool(number % 3))
            for half, none in zip(halves, known, strict=True)
        )
        return SplitEvent(replace(task, cases=tuple(cases)), "w")
    if how == "undecided":
        return UndecidedEvent(task.name, "w", task.round)
    if True in found:
        return FoundEvent(task.name, "w", task.round, BLOCK, f"xs4_33/{task.name}")
    return ClaimedEvent(task.name, "w", task.round)


ALL_RULES = [str(rule) for rule in RuleSpace(RULES).rules()]
HOW = st.sampled_from(["split", "truth", "truth", "undecided", "restart", "retry"])


@settings(max_examples=25)
@given(
    st.frozensets(st.sampled_from(ALL_RULES)),
    st.lists(st.tuples(HOW, st.integers(0, 100)), max_size=40),
    st.sampled_from([None, "local"]),
)
def test_a_map_comes_to_the_answer_of_every_rule(
    truth: Truth, moves: list[tuple[str, int]], worker: str | None
) -> None:
    plan = Plan.from_toml(LIFES)
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(plan, ledger, worker=worker)
        steps = iter(moves)
        for _ in range(500):
            books.take(3)
            if books.conductor.is_done:
                if not any(row.state.status is Status.UNDECIDED for row in ledger.rows()):
                    break
                retry(ledger, [Status.UNDECIDED])
                books = Bookkeeper(plan, ledger, worker=worker)
                continue
            how, number = next(steps, ("truth", 0))
            if how == "restart":
                books = Bookkeeper(plan, ledger, worker=worker)
                continue
            if how == "retry":
                retry(ledger, [Status.UNDECIDED])
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
        top = ledger.state(WHOLE.name)
        assert top is not None
        assert top.status is (Status.FOUND if truth else Status.IMPOSSIBLE)
        (made,) = read_maps(ledger)
        assert made.is_complete
        assert {
            rule for rule, a in zip(ALL_RULES, made.answers, strict=True) if a == FOUND
        } == truth


def test_answers_that_come_with_regions_are_examined_and_end_no_others() -> None:
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(Plan.from_toml(LIFES.replace(RULES, "B3[4]/S[2][3]")), ledger)
        (start,) = books.take(1).start
        lies = Region("B3[4]/S[2]", BLOCK)  # a block needs S3
        cases = (lies, Region("B3[4]/S[2]3", BLOCK), Region("B34/S[2][3]"))
        books.push([SplitEvent(replace(start.task, cases=cases), "anna")])
        books.drain()
        open_regions = {start.task.problem.rule for start in books.take(5).start}
        assert open_regions == {"B3[4]/S[2]", "B34/S[2][3]"}
        assert (ledger.counts().split, ledger.counts().findings) == (1, 1)


def test_what_is_revoked_is_asked_again() -> None:
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(Plan.from_toml(LIFES), ledger)
        (start,) = books.take(1).start
        cases = (Region("B[2]3/S[2]", is_impossible=True), Region("B[2]/S[2]"))
        books.push([SplitEvent(replace(start.task, cases=cases), "liar")])
        books.drain()
        (other,) = books.take(5).start
        books.push([FoundEvent(other.task.name, "anna", 0, BLOCK, "xs4_33")])
        books.drain()
        state = ledger.state(WHOLE.name)
        assert state is not None
        assert state.status is Status.FOUND
        revoke(ledger, "liar")
        state = ledger.state(WHOLE.name)
        assert state is not None
        assert state.status is Status.SPLIT
        (again,) = books.adopt(5).start
        assert again.task.problem.rule == "B[2]3/S[2]"


def go_on(plan: Plan, ledger: Ledger) -> dict[str, int]:
    """Go on with a campaign; return the rules that are asked, and how often they were tried."""
    books = Bookkeeper(plan, ledger)
    for _ in range(4):
        books.take(5)
    return {start.task.problem.rule: start.deaths for start in books.conductor.out.values()}


@pytest.mark.parametrize("quorum", [1, 2])
def test_claims_of_a_split_are_revoked_before_they_are_looked_up(quorum: int) -> None:
    """The recorder has stopped between the split and its cases."""
    plan = Plan.from_toml(f"quorum = {quorum}\n{LIFES}".replace(RULES, "B3[4]/S[2]3"))
    cases = Region("B34/S[2]3", is_impossible=True), Region("B3/S[2]3", BLOCK)
    with open_ledger(":memory:") as ledger:
        (start,) = Bookkeeper(plan, ledger).take(1).start
        ledger.record([SplitEvent(replace(start.task, cases=cases), "eve.desk")])
        assert revoke(ledger, "eve") == 1
        assert revoke(ledger, "eve") == 0
        assert go_on(plan, ledger) == {"B34/S[2]3": 0}
        assert (ledger.counts().split, ledger.counts().findings) == (1, 1)
        assert not any("eve" in row.state.votes for row in ledger.rows())


def test_claims_of_a_split_do_not_come_back_under_no_name() -> None:
    """The map was answered as a whole before its cases were looked up; that is revoked."""
    plan = Plan.from_toml(LIFES)
    cases = Region("B[2]3/S[2]", is_impossible=True), Region("B[2]/S[2]")
    with open_ledger(":memory:") as ledger:
        (start,) = Bookkeeper(plan, ledger).take(1).start
        ledger.record([SplitEvent(replace(start.task, cases=cases), "eve")])
        ledger.record([ClaimedEvent(start.task.name, "bert")])
        assert [revoke(ledger, user) for user in ("eve", "bert")] == [0, 1]
        assert go_on(plan, ledger) == {case.rules: 0 for case in cases}


# Two maps that share a region

SHARED = "B3/S23"
MAPS = ("B3[8]/S23", "B3/S23[8]")
TWO = "".join(LIFES.replace(RULES, rules) for rules in MAPS)


@contextmanager
def two_maps(said: str) -> Iterator[tuple[Bookkeeper, Ledger, Task]]:
    """Two maps, of whose three regions everything is impossible, or given up if ``said`` so."""
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(Plan.from_toml(TWO), ledger)
        for start in books.take(5).start:
            other = start.task.problem.rule.replace("[8]", "8")
            cases = Region(SHARED), Region(other)
            books.push([SplitEvent(replace(start.task, cases=cases), "anna")])
        books.drain()
        regions = [start.task for start in books.take(5).start]
        (shared,) = (task for task in regions if task.problem.rule == SHARED)
        for task in regions:
            is_given_up = said == "undecided" and task is shared
            word = UndecidedEvent if is_given_up else ClaimedEvent
            books.push([word(task.name, "eve" if task is shared else "anna")])
        books.drain()
        assert maps(ledger) == dict.fromkeys(MAPS, said)
        yield books, ledger, shared


def maps(ledger: Ledger) -> dict[str, str]:
    rows = ((row.task.problem.rule, row.state.status.value) for row in ledger.rows())
    return {rules: status for rules, status in rows if rules in MAPS}


def find(task: Task) -> FoundEvent:
    return FoundEvent(task.name, "bert", task.round, BLOCK, "xs4_33")


@pytest.mark.parametrize("is_new", [True, False], ids=["another recorder", "the same recorder"])
@pytest.mark.parametrize("said", ["impossible", "undecided"])
def test_a_late_find_in_a_region_reaches_every_map_that_has_it(said: str, is_new: bool) -> None:
    with two_maps(said) as (first, ledger, shared):
        books = Bookkeeper(Plan.from_toml(TWO), ledger) if is_new else first
        books.push([find(shared)])
        books.drain()
        assert maps(ledger) == dict.fromkeys(MAPS, "found")


@pytest.mark.parametrize("is_new", [True, False], ids=["another recorder", "the same recorder"])
def test_a_lie_about_a_region_is_taken_back_in_every_map_that_has_it(is_new: bool) -> None:
    with two_maps("impossible") as (first, ledger, shared):
        assert revoke(ledger, "eve") == 3
        assert maps(ledger) == dict.fromkeys(MAPS, "split")
        books = Bookkeeper(Plan.from_toml(TWO), ledger) if is_new else first
        books.take(5)
        books.adopt(5)
        (again,) = books.conductor.out.values()
        assert again.task.name == shared.name
        books.push([find(again.task)])
        books.drain()
        assert maps(ledger) == dict.fromkeys(MAPS, "found")


@pytest.mark.parametrize("is_new", [True, False], ids=["another recorder", "the same recorder"])
def test_a_region_that_is_retried_is_waited_for_by_every_map_that_has_it(is_new: bool) -> None:
    with two_maps("undecided") as (first, ledger, _):
        assert retry(ledger, [Status.UNDECIDED]) == 3
        assert maps(ledger) == dict.fromkeys(MAPS, "split")
        books = Bookkeeper(Plan.from_toml(TWO), ledger) if is_new else first
        books.take(5)
        books.adopt(5)
        (again,) = books.conductor.out.values()
        books.push([ClaimedEvent(again.task.name, "bert", again.task.round)])
        books.drain()
        assert maps(ledger) == dict.fromkeys(MAPS, "impossible")


@pytest.mark.parametrize("answered", MAPS)
@pytest.mark.parametrize("is_new", [True, False], ids=["another recorder", "the same recorder"])
def test_a_region_that_one_map_needs_is_not_dropped_for_another(
    answered: str, is_new: bool
) -> None:
    with two_maps("undecided") as (first, ledger, shared):
        (whole,) = (row.task for row in ledger.rows() if row.task.problem.rule == answered)
        first.push([ClaimedEvent(whole.name, "anna")])
        first.drain()
        assert retry(ledger, [Status.UNDECIDED]) == 2
        books = Bookkeeper(Plan.from_toml(TWO), ledger) if is_new else first
        books.take(5)
        books.adopt(5)
        (again,) = books.conductor.out.values()
        assert again.task.name == shared.name
        books.push([ClaimedEvent(again.task.name, "bert", again.task.round)])
        books.drain()
        assert maps(ledger) == dict.fromkeys(MAPS, "impossible")


def test_a_late_find_reaches_every_map_after_a_restart() -> None:
    """The recorder has stopped between the find and what follows from it."""
    with two_maps("impossible") as (_, ledger, shared):
        ledger.record([find(shared)])
        Bookkeeper(Plan.from_toml(TWO), ledger).take(5)
        assert maps(ledger) == dict.fromkeys(MAPS, "found")


def test_a_map_of_the_plan_that_is_a_region_of_another_tells_it() -> None:
    """It was asked for its own sake, so it names no parent."""
    plan = Plan.from_toml("".join(LIFES.replace(RULES, r) for r in ("B3[4]/S23", "B3[4]/S[2]3")))
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(plan, ledger)
        small, large = (start.task for start in books.take(5).start)
        cases = Region("B3[4]/S23"), Region("B3[4]/S3")
        books.push([ClaimedEvent(small.name, "eve")])
        books.push([SplitEvent(replace(large, cases=cases), "anna")])
        books.drain()
        (rest,) = books.take(5).start
        books.push([ClaimedEvent(rest.task.name, "anna")])
        books.drain()
        assert ledger.counts().impossible == 2
        books.push([find(small)])
        books.drain()
        assert ledger.counts().found == 2


# What a stranger sends


@pytest.mark.parametrize("quorum", [1, 2])
def test_a_claim_in_a_merged_split_is_no_vote(quorum: int) -> None:
    plan = Plan.from_toml(f"quorum = {quorum}\n{LIFES}".replace(RULES, "B3[4]/S[2]3"))
    task = Task(problem=still_life(box="2x2", rule="B3[4]/S[2]3"), every=True, quorum=quorum)
    cases = Region("B34/S[2]3", is_impossible=True), Region("B3/S[2]3", BLOCK)
    with open_ledger(":memory:") as theirs, open_ledger(":memory:") as ours:
        for ledger in (theirs, ours):
            ledger.begin(plan.name, plan.to_toml())
        theirs.record([QueuedEvent(task), SplitEvent(replace(task, cases=cases), "bob.a")])
        merge_strictly(ours, list(export(theirs)))
        assert go_on(plan, ours) == ({} if quorum == 1 else {"B34/S[2]3": 0})


@pytest.mark.parametrize(
    ("cases", "words"),
    [
        ((Region("B[2]/S[2]"),), "the regions leave 4 rules out"),
        ((Region(RULES), Region("B[2]/S[2]")), "as large as the whole"),
        ((Region("B[2]3/S[2]"), Region("B[2]/S[2]"), Region("B4/S")), "is not a part of"),
        ((Region("B[2]3/S[2]"), Region("nonsense")), "nonsense"),
        ((((0, 0, True),), ((0, 0, False),)), "divided into regions"),
    ],
)
def test_regions_that_do_not_cover_are_refused(cases: tuple[Case, ...], words: str) -> None:
    result = SplitResult(task=WHOLE.name, worker="eve", cases=cases)
    event = examine(WHOLE, decode_result(encode(result)))
    assert isinstance(event, FailedEvent)
    assert words in event.log


def test_a_task_for_one_rule_has_no_regions() -> None:
    task = Task(problem=still_life(box="2x2"), split=True)
    result = SplitResult(task=task.name, worker="eve", cases=(Region("B3/S23"),))
    assert isinstance(examine(task, result), FailedEvent)


def test_a_pattern_must_work_in_all_rules_of_its_region() -> None:
    for rules, is_true in (("B[3][4]/S3", True), ("B[3]/S[3]", False)):
        task = Task(problem=still_life(box="2x2", rule=rules), every=True)
        event = examine(task, FoundResult(task=task.name, worker="w", generations=BLOCK))
        assert isinstance(event, FoundEvent) is is_true


def test_a_pattern_of_the_first_and_the_last_rule_does_not_settle_those_between() -> None:
    """By the least rule and by the greatest it has period 2, but not the same generations."""
    for rules in ("B45[6]/S1234", "B456/S12345"):
        least = RuleSpace(rules).least
        pattern = Pattern.from_rle(f"x = 3, y = 3, rule = {least}\n3o$3o$bo!")
        drawn = tuple(draw_states(pattern[t].in_box(Box(0, 0, 3, 3))) for t in range(2))
        for claimed, is_true in ((rules, True), ("B45[6]/S1234[5]", False)):
            task = Task(problem=oscillator(2, box="3x3", rule=claimed), every=True)
            event = examine(task, FoundResult(task=task.name, worker="w", generations=drawn))
            assert isinstance(event, FoundEvent) is is_true, (rules, claimed)


def test_a_find_for_any_rule_of_a_set_is_shown_in_one_in_which_it_works() -> None:
    """Plans list such rules one by one, but the ledger of a stranger may have this task."""
    task = Task(problem=oscillator(2, box="3x3", rule="B[3]4/S1[2]34"))
    drawn = (("..o", "oo.", "..."), (".oo", "o..", "..."))
    event = examine(task, FoundResult(task=task.name, worker="w", generations=drawn))
    assert isinstance(event, FoundEvent)
    assert event.identity == "xp2_16/b34s134"
    with open_ledger(":memory:") as ledger, open_ledger(":memory:") as other:
        ledger.record([QueuedEvent(task), event])
        merged = merge(other, export(ledger))
        assert not merged.refused
        (find,) = stream_finds(other)
        assert find.problem.rule == "B34/S134"
        assert find.phases[1] == find.phases[0][1]
        page = LedgerHistory(":memory:")
        assert page.merge(b"\n".join(export(ledger)).decode())["refused"] == []
        (shown,) = page.last(5)
        assert Pattern.from_rle(shown["rle"]) == find.phases[0]
        page.close()


def test_a_region_is_a_task_of_its_own() -> None:
    assert WHOLE.name != Task(problem=WHOLE.problem).name
    halves = (Region("B[2]3/S[2]"), Region("B[2]/S[2]"))
    one, other = list_cases(replace(WHOLE, cases=halves))
    assert decode_task(encode(one)) == one
    assert is_case_of(one, WHOLE)
    assert not is_case_of(WHOLE, one)
    assert not is_case_of(one, other)
    plan = Plan.from_toml(LIFES)
    assert list(plan.groups().find(WHOLE)) == [(0, 0)]
    assert (
        list(plan.groups().find(one)) == list(plan.groups().find(replace(WHOLE, every=False))) == []
    )


@given(st.lists(st.sampled_from(["B2[3]/S[2]", "B[2]3/S2", "B23/S", "B/S[2]", RULES]), max_size=4))
def test_the_rest_of_a_map_is_what_is_not_settled(settled: list[str]) -> None:
    known = {str(rule) for each in settled for rule in RuleSpace(each).rules()}
    rest = [RuleSpace(region.rules) for region in find_rest(WHOLE.problem, settled)]
    covered = [str(rule) for each in rest for rule in each.rules()]
    assert sorted(covered) == sorted(set(ALL_RULES) - known)
    assert all(each.size < 8 for each in rest)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("map = true", 'map = true\nstop = "first"'), "cannot be combined with stop"),
        (("map = true", "map = true\nonly_connected = true"), "cannot be combined with stop"),
        ((RULES, "B3/S23"), "a map is of several rules"),
        ((RULES, "isotropic"), "free entries"),
        (("[[search]]", 'stop = "first"\n[[search]]'), "stop ends it"),
        (('kind = "still-life"', 'kind = "agar"\nperiods = 2'), "a map is of still lifes"),
    ],
)
def test_what_has_no_map_is_refused(change: tuple[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Plan.from_toml(LIFES.replace(*change))


# The real thing


def test_a_map_in_one_task_is_the_map_of_the_direct_command(
    tmp_path: Path, direct: RuleMap
) -> None:
    (tmp_path / "plan.toml").write_text(SHIPS, encoding="utf-8")
    plan = Plan.from_toml(SHIPS)
    task = plan.task(plan.groups()[0], 0)
    result = solve_task(task, "w", None)
    assert isinstance(result, SplitResult)
    with open_ledger(str(tmp_path / "plan.db")) as ledger:
        books = Bookkeeper(plan, ledger)
        books.take(1)
        books.push([examine(task, result)])
        books.drain()
        assert books.conductor.is_done
        (made,) = read_maps(ledger)
    assert made.regions == direct.regions
    assert made.seconds > 0
    folders = tmp_path / "campaign", tmp_path / "direct"
    for _ in range(2):  # the second time in place of the first
        words = ["campaign", "results", str(tmp_path / "plan.toml"), "--map", str(folders[0])]
        done = CliRunner().invoke(cli, words)
        assert (done.exit_code, done.stdout) == (
            0,
            "6 of 512 rules have a ship of speed c/2 going north in 4×4.\n",
        )
    rules = "B[2][3][4][5]/S[1][2][3][4][6]"
    words = ["map", "ship", "c/2", "--box", "4x4", "--rules", rules, "-o", str(folders[1])]
    assert CliRunner().invoke(cli, words).exit_code == 0
    for name in ("problem.json", "regions.jsonl", "index.html", "map.png"):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()


def test_a_plan_without_a_map_writes_none(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(LIFES.replace("map = true", ""), encoding="utf-8")
    with open_ledger(str(tmp_path / "plan.db")) as ledger:
        plan = Plan.read(tmp_path / "plan.toml")
        ledger.begin(plan.name, plan.to_toml())
    words = ["campaign", "results", str(tmp_path / "plan.toml"), "--map", str(tmp_path / "m")]
    assert CliRunner().invoke(cli, words).exit_code == 2


def test_a_region_with_one_answer_has_it() -> None:
    one = Task(problem=still_life(box="2x2", rule="B[3]/S3"), every=True)
    assert isinstance(solve_task(one, "w", None), FoundResult)
    none = Task(problem=ship("c/2", box="3x3", rule="B[5]/S[5]"), every=True)
    assert isinstance(solve_task(none, "w", None), ImpossibleResult)
    single = Task(problem=still_life(box="2x2", rule="B3/S3"), every=True)
    assert isinstance(solve_task(single, "w", None), FoundResult)


def test_a_region_where_nothing_is_settled_is_halved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_solver, "make_map", lambda problem, **how: RuleMap(problem))
    result = solve_task(WHOLE, "w", None)
    assert isinstance(result, SplitResult)
    assert sorted(case.rules for case in result.cases) == sorted(ALL_RULES)  # type: ignore[union-attr]
    assert isinstance(examine(WHOLE, result), SplitEvent)


def check_map(where: str, direct: RuleMap) -> None:
    with open_ledger(where) as ledger:
        (made,) = read_maps(ledger)
        assert made.is_complete
        assert not made.reason
        assert np.array_equal(made.answers, direct.answers)
        assert ledger.counts().open_cases == 0
        depth = max(len(list(above(ledger.task(row.name), ledger))) for row in ledger.rows())
        assert depth > 1, "it was not divided"


def above(task: Task | None, ledger: object) -> list[str]:
    line = []
    while task is not None and task.parent:
        line.append(task.parent)
        task = ledger.task(task.parent)  # type: ignore[attr-defined]
    return line


@pytest.fixture(scope="module")
def direct() -> RuleMap:
    found = make_map(Plan.from_toml(SHIPS).groups()[0].problem(0))
    assert found.counts == {"found": 6, "impossible": 506, "undecided": 0}
    return found


def test_a_map_in_pieces_on_this_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, direct: RuleMap
) -> None:
    monkeypatch.setattr(pool, "COMMAND", command(PIECES))
    where = str(tmp_path / "a.db")
    plan = Plan.from_toml(SHIPS)
    with open_ledger(where) as ledger:
        assert run(plan, ledger, jobs=1).is_met
    check_map(where, direct)
    with open_ledger(where) as theirs, open_ledger(":memory:") as ours:
        ours.begin(plan.name, plan.to_toml())
        merged = merge_strictly(ours, export(theirs))
        assert merged.refused == []
        books = Bookkeeper(plan, ours)
        assert books.take(5).start == books.take(5).start == []
        (made,) = read_maps(ours)
        assert np.array_equal(made.answers, direct.answers)


def test_a_map_with_proofs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pool, "COMMAND", command(PIECES))
    few = SHIPS.replace("B[2][3][4][5]/S[1][2][3][4][6]", "B3[4]/S[1]2[4]")
    plan = Plan.from_toml(f"prove = true\n{few}")
    where = str(tmp_path / "a.db")
    with open_ledger(where) as ledger:
        assert run(plan, ledger, jobs=2).is_met
        assert all(row.state.certified for row in ledger.rows(Status.IMPOSSIBLE))
        (made,) = read_maps(ledger)
    assert made.counts == {"found": 1, "impossible": 7, "undecided": 0}


@pytest.mark.parametrize("how", [merge, merge_strictly])
def test_a_false_pattern_in_a_merged_split_takes_nothing_back(how: Callable[..., Merged]) -> None:
    """A split with a pattern takes an impossibility back, so the pattern is simulated."""
    plan = Plan.from_toml(LIFES)
    fake = (("oo", "o."),)
    cases = Region("B2[3]/S[2]", fake), Region("B[3]/S[2]")
    with open_ledger(":memory:") as theirs, open_ledger(":memory:") as ours:
        for ledger in (theirs, ours):
            ledger.begin(plan.name, plan.to_toml())
            ledger.record([QueuedEvent(WHOLE)])
        theirs.record([SplitEvent(replace(WHOLE, cases=cases), "eve")])
        ours.record([ClaimedEvent(WHOLE.name, "w", 0)])
        (words,) = how(ours, export(theirs)).refused
        assert "a split of" in words
        state = ours.state(WHOLE.name)
        assert state is not None
        assert state.status is Status.IMPOSSIBLE


def test_a_map_that_is_divided_here_and_found_there_is_complete() -> None:
    """One pattern for all rules settles the map, though its regions are not asked any more."""
    plan = Plan.from_toml(LIFES.replace(RULES, "B[3]/S3"))
    whole = plan.task(plan.groups()[0], 0)
    split = replace(whole, cases=(Region("B/S3"), Region("B3/S3")))
    with open_ledger(":memory:") as ours, open_ledger(":memory:") as theirs:
        for ledger in (ours, theirs):
            ledger.begin(plan.name, plan.to_toml())
        ours.record([QueuedEvent(whole), SplitEvent(split, "anna", 0.1)])
        found = examine(whole, solve_task(whole, "bert", None))
        theirs.record([QueuedEvent(whole), found])
        assert merge_strictly(ours, export(theirs)).refused == []
        assert Bookkeeper(plan, ours).take(5).start == []
        (made,) = read_maps(ours)
        assert made.counts == {"found": 2, "impossible": 0, "undecided": 0}
        assert made.is_complete
