"""Volunteers who lie: what enough users agree on counts, rule by rule, and nothing else does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from satlife import oscillator, ship, still_life
from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.core.events import FailedEvent, SplitEvent, Status
from satlife.campaign.core.trust import examine
from satlife.campaign.ledger import Ledger, open_ledger
from satlife.campaign.local.pool import Pool
from satlife.campaign.maps import read_maps
from satlife.campaign.messages import (
    AnyResult,
    Case,
    FailedResult,
    FoundResult,
    ImpossibleResult,
    Region,
    Share,
    SplitResult,
    Task,
    UndecidedResult,
)
from satlife.campaign.plan import Plan
from satlife.cluster.dispatch.desk import Desk, Offer, Quota, agree
from satlife.life.rulespaces import RuleSpace
from tests.campaign.nats import Broker, plain_broker
from tests.campaign.scene import at_work
from tests.campaign.strangers import connected, staged, volunteer
from tests.reference import solutions

PLAN = """
[[search]]
kind = "oscillator"
periods = 2
boxes = "3x3"
rules = "B[2]3/S[1]23"
map = true
"""
RULES = "B[2]3/S[1]23"
MAP = Task(problem=oscillator(2, box="3x3", rule=RULES), every=True)
BLINKER = (("...", "ooo", "..."), (".o.", ".o.", ".o."))
LIFE = "B3/S23"


def said(result: type, user: str, task: Task = MAP, **words: Any) -> tuple[str, AnyResult]:
    return user, result(task=task.name, worker=f"{user}.desk", **words)


def split(user: str, *cases: Case, task: Task = MAP) -> tuple[str, AnyResult]:
    word = said(SplitResult, user, task, cases=cases)
    assert isinstance(examine(task, word[1]), SplitEvent)
    return word


def none(rules: str) -> Region:
    return Region(rules, is_impossible=True)


# What words amount to


def test_a_region_that_one_user_calls_impossible_is_asked_again() -> None:
    lie = split("eve", none("B23/S[1]23"), none("B3/S[1]23"))
    truth = split("anna", none("B23/S[1]23"), Region(LIFE, BLINKER), none("B3/S123"))
    assert agree([lie], 2, MAP) == []
    (_, first), (_, second) = agree([lie, truth], 2, MAP)
    assert (
        first.cases
        == second.cases
        == (*(Region(LIFE, BLINKER), none("B23/S[1]23"), none("B3/S123")),)
    )


def test_what_two_users_divide_differently_is_compared_rule_by_rule() -> None:
    one = split("anna", none("B23/S[1]23"), Region("B3/S[1]23"))
    other = split("bert", none("B[2]3/S123"), Region("B[2]3/S23"))
    (_, merged), _ = agree([one, other], 2, MAP)
    assert not any(case.is_impossible for case in merged.cases), "both say it only of B23/S123"
    third = split("carl", none("B23/S123"), none("B23/S23"), Region("B3/S[1]23"))
    (_, merged), *_ = agree([one, other, third], 2, MAP)
    assert [case.rules for case in merged.cases if case.is_impossible] == ["B23/S[1]23"]
    examined = examine(MAP, merged)
    assert isinstance(examined, SplitEvent), "the rest of the rules is there"


def test_whoever_says_that_no_rule_has_a_pattern_says_so_of_every_region() -> None:
    halves = split("eve", none("B23/S[1]23"), none("B3/S[1]23"))
    whole = said(ImpossibleResult, "anna")
    ((_, merged),) = agree([halves, whole], 2, MAP)
    assert merged == halves[1]
    unsure = split("bert", none("B23/S[1]23"), Region("B3/S[1]23"))
    assert agree([unsure, whole], 2, MAP) == [], "somebody else must say what becomes of the rest"


def test_a_pattern_wins_over_two_users_who_say_that_there_is_none() -> None:
    truth = split("anna", Region("B23/S[1]23"), Region(LIFE, BLINKER), Region("B3/S123"))
    lies = [said(kind, user) for kind in (ImpossibleResult,) for user in ("eve", "bert")]
    ((_, merged),) = agree([truth, *lies], 2, MAP)
    patterns = [case.rules for case in merged.cases if case.generations]
    claims = [case.rules for case in merged.cases if case.is_impossible]
    assert (patterns, claims) == ([LIFE], [])


def test_splits_without_answers_count_however_they_divide() -> None:
    cells = Task(problem=still_life(box="3x3"), split=True)
    one = split("anna", ((0, 0, True),), ((0, 0, False),), task=cells)
    other = split("bert", ((1, 1, True),), ((1, 1, False),), task=cells)
    assert agree([one], 2, cells) == []
    assert agree([one, other], 2, cells) == [one, other]
    assert agree([one, said(UndecidedResult, "bert", cells)], 2, cells) == []
    rows = Task(problem=ship("c/3", box="8x*"), split=True)
    far = split("eve", *(Share(10**9, number, 2) for number in range(2)), task=rows)
    near = split("anna", *(Share(4, number, 3) for number in range(3)), task=rows)
    assert agree([far, near], 2, rows) == [near, far], "nobody comes to level 10^9"


# The law: whatever fewer than the quorum say, nothing false is recorded


@cache
def pattern_of(rule: str) -> tuple[tuple[str, ...], ...]:
    """A solution in one rule, by brute force; nothing if there is none."""
    problem = replace(MAP.problem, rule=rule)
    found = solutions(problem.to_json())
    if not found:
        return ()
    return tuple(tuple("".join(".o"[c] for c in row) for row in box) for box in found[0])


def rules_of(rules: str) -> list[str]:
    return [str(rule) for rule in RuleSpace(rules).rules()]


def is_none(rules: str) -> bool:
    return not any(pattern_of(rule) for rule in rules_of(rules))


def parts(rules: str, chance: Random) -> Iterator[str]:
    """Yield a set of rules in parts, at least two of them."""
    space = RuleSpace(rules)
    place = chance.randrange(len(space.places))
    fates: list[bool | None] = [None] * len(space.places)
    for on in (False, True):
        half = str(space.fill([*fates[:place], on, *fates[place + 1 :]]))
        if RuleSpace(half).is_open and chance.random() < 0.6:
            yield from parts(half, chance)
        else:
            yield half


def tell_region(rules: str, chance: Random) -> Region:
    """What an honest user may say of a region: the truth, or nothing."""
    if chance.random() < 0.2:
        return Region(rules)
    if is_none(rules):
        return none(rules)
    return Region(rules, pattern_of(rules)) if not RuleSpace(rules).is_open else Region(rules)


def honest(region: Task, chance: Random, **who: Any) -> AnyResult:
    rules = region.problem.rule
    if RuleSpace(rules).is_open and (not is_none(rules) or chance.random() < 0.3):
        return SplitResult(cases=tuple(tell_region(r, chance) for r in parts(rules, chance)), **who)
    if is_none(rules):
        return ImpossibleResult(**who)
    return FoundResult(generations=pattern_of(rules), **who)


def lying(region: Task, chance: Random, **who: Any) -> AnyResult:
    """What a liar may say: mostly that there is nothing."""
    rules = region.problem.rule
    how = chance.choice(["impossible", "split", "split", "open", "fake", "undecided", "failed"])
    if how in ("split", "open", "fake") and RuleSpace(rules).is_open:
        cases = [none(r) if how != "open" else Region(r) for r in parts(rules, chance)]
        if how == "fake":
            cases[0] = Region(cases[0].rules, BLINKER)
        return SplitResult(cases=tuple(cases), **who)
    if how == "fake":
        return FoundResult(generations=BLINKER, **who)
    kinds = {"undecided": UndecidedResult, "failed": FailedResult}
    return kinds.get(how, ImpossibleResult)(**who)


@dataclass
class World:
    """A recorder and a dispatcher without a network, and users who answer in any order."""

    plan: Plan
    quorum: int
    chance: Random
    ledger: Ledger
    users: dict[str, Any] = field(default_factory=dict)

    def play(self) -> None:
        desk = Desk(Quota(tasks=10**6), self.quorum)
        books = Bookkeeper(self.plan, self.ledger)
        for _ in range(5000):
            books.take(10)
            free = [
                (start.task, user)
                for start in books.conductor.out.values()
                for user in self.users
                if desk.may_have(user, self.offer(start.task), 0.0)
            ]
            if not free:
                break
            task, user = self.chance.choice(free)
            lease = desk.grant(user, f"{user}.desk", self.offer(task), 0.0)
            who = {"task": task.name, "round": task.round, "worker": f"{user}.desk"}
            result = self.users[user](task, self.chance, **who)
            if not isinstance(result, SplitResult) or not self.is_refused(task, result):
                for _, one in desk.weigh(lease, result, task):
                    books.push([examine(task, one)])
                    books.drain()
            desk.end(lease, "undecided", 0.0)
            self.check()
        self.is_done = books.conductor.is_done

    def offer(self, task: Task) -> Offer:
        return Offer("c", task.name, task.round, b"{}", "", 1.0, task)

    def is_refused(self, task: Task, result: AnyResult) -> bool:
        return isinstance(examine(task, result), FailedEvent)

    def check(self) -> None:
        for row in self.ledger.rows(Status.IMPOSSIBLE):
            assert is_none(row.task.problem.rule), row.task.problem.rule
        for row in self.ledger.rows(Status.FOUND):
            assert not is_none(row.task.problem.rule)


@pytest.mark.parametrize(("asked", "quorum"), [(1, 2), (2, 2), (1, 3), (3, 2), (2, 3)])
def test_fewer_liars_than_the_quorum_have_nothing_false_recorded(asked: int, quorum: int) -> None:
    done = 0
    for seed in range(15):
        rules = ("B[2]3/S[1]23", "B[2]3[4]/S[1]23", "B[3]45[6]/S1234[5]")[seed % 3]
        plan = Plan.from_toml(f"quorum = {asked}\n{PLAN.replace(RULES, rules)}")
        with open_ledger(":memory:") as ledger:
            world = World(plan, quorum, Random(seed), ledger)
            for number in range(max(asked, quorum) - 1):
                world.users[f"liar{number}"] = lying
            for number in range(2 * max(asked, quorum)):
                world.users[f"honest{number}"] = honest
            world.play()
            if world.is_done:
                done += 1
                (top,) = [row for row in ledger.rows() if row.task.problem.rule == rules]
                assert top.state.status is (Status.IMPOSSIBLE if is_none(rules) else Status.FOUND)
                (made,) = read_maps(ledger)
                for rule in rules_of(rules):
                    region = made.look_up(rule)
                    assert region is None or (region.pattern is None) == is_none(rule)
    assert done == 15, "they come to an end"


# Over a real broker


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Broker]:
    with plain_broker(tmp_path / "nats") as one:
        yield one


@pytest.mark.parametrize("quorum", ["", "quorum = 2\n"])
def test_one_volunteer_does_not_decide_a_map(server: Broker, tmp_path: Path, quorum: str) -> None:
    """The first says that both halves are impossible; the second splits the map, too."""

    async def scene() -> None:
        async with staged(server, tmp_path, quorum + PLAN) as stage:
            async with connected(server) as eve:
                (leased,) = (await eve.lease(1)).leases
                assert eve.task(leased).name == MAP.name
                cases = (none("B23/S[1]23"), none("B3/S[1]23"))
                lie = SplitResult(task=MAP.name, worker=eve.worker, cases=cases)
                assert not (await eve.answer(leased.lease, lie)).refused
            honest_ones = [
                volunteer(server, f"{user}.desk", Pool(1, worker=f"{user}.desk"))
                for user in ("anna", "bert")
            ]
            async with at_work(*honest_ones), asyncio.timeout(120):
                summary = await stage.running
        assert summary.is_complete

    asyncio.run(scene())
    with open_ledger(str(tmp_path / "a.db")) as ledger:
        top = ledger.state(MAP.name)
        assert top is not None
        assert top.status is Status.FOUND
        (made,) = read_maps(ledger)
        assert made.is_complete
        region = made.look_up(LIFE)
        assert region is not None
        assert region.pattern is not None, "a blinker"
