"""Attacks that cost their sender nothing, and how little they cost a campaign."""

from __future__ import annotations

import time
from itertools import combinations, product

from msgspec.structs import replace

from satlife import ship, still_life
from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.cases import MOST_CASES, MOST_OVERLAP
from satlife.campaign.core.events import FailedEvent, SplitEvent
from satlife.campaign.core.trees import count_worth
from satlife.campaign.core.trust import examine
from satlife.campaign.ledger import open_ledger
from satlife.campaign.messages import Region, SplitResult, Task, decode_result, encode
from satlife.campaign.plan import Plan
from satlife.cluster.dispatch.desk import Desk, Offer, Quota

BLOCK = (("oo..", "oo..", "....", "...."),)
WIDE = "B3[4][5][6][7][8]/S2[4]3[5][6][7][8]"
MAP = Task(problem=still_life(box="4x4", rule=WIDE), every=True)


def split(*cases: Region) -> SplitResult:
    return SplitResult(task=MAP.name, worker="eve.x", cases=cases)


def refuse(result: SplitResult) -> str:
    """The reason for which an answer is refused, which takes little time."""
    begun = time.process_time()
    event = examine(MAP, decode_result(encode(result)))
    assert time.process_time() - begun < 1.0
    assert isinstance(event, FailedEvent), event
    return event.log


def test_a_region_6000_times_is_refused_before_any_pattern_is_simulated() -> None:
    """Before, it took 16 s of processor time in the dispatcher and as much in the recorder."""
    halves = [WIDE.replace("[8]/S", each) for each in ("8/S", "/S")]
    regions = [Region(rules, BLOCK) for rules in halves]
    assert isinstance(examine(MAP, split(*regions)), SplitEvent)
    assert refuse(split(*regions, *[regions[0]] * 6000)) == "a region is there twice"


def test_regions_in_other_words_are_refused_too() -> None:
    """Parts of what is settled are other regions, but have no rule of their own."""
    first = WIDE.replace("[8]/S", "8/S")
    parts = [first.replace("[4]", "4", 1), first.replace("[5]", "5", 1), first]
    other = WIDE.replace("[8]/S", "/S")
    regions = [Region(rules, BLOCK) for rules in (first, *parts[:2], other)]
    assert "has no rule that is not in one before it" in refuse(split(*regions))
    assert isinstance(examine(MAP, split(regions[1], regions[0], regions[3])), SplitEvent)


def test_regions_that_overlap_far_too_much_are_refused() -> None:
    """Of 17 entries, each pair fixed in each way: a quarter of all rules, 544 times."""
    born, kept = [f"[{n}]" for n in range(1, 9)], [f"[{n}]" for n in range(9)]
    task = Task(
        problem=still_life(box="2x2", rule=f"B{''.join(born)}/S{''.join(kept)}"), every=True
    )
    regions = []
    for one, other in combinations(range(17), 2):
        for fates in product((True, False), repeat=2):
            entries = [*born, *kept]
            for place, fate in zip((one, other), fates, strict=True):
                entries[place] = entries[place].strip("[]") if fate else ""
            regions.append(Region(f"B{''.join(entries[:8])}/S{''.join(entries[8:])}"))
    assert len(regions) == 544
    begun = time.process_time()
    event = examine(task, SplitResult(task=task.name, worker="eve.x", cases=tuple(regions)))
    assert time.process_time() - begun < 1.0
    assert isinstance(event, FailedEvent)
    assert event.log == f"the regions cover the rules more than {MOST_OVERLAP} times"


def test_an_easy_task_is_split_into_few_cases() -> None:
    """Before, the votes of two users made 20,000 cases of any task."""
    plan = Plan.from_toml(
        "split = true\nlimits = {timeout = 60}\n"
        '[[search]]\nkind = "ship"\nspeeds = "c/3"\nboxes = "6x6"\n'
    )
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(plan, ledger)
        books.take(1)
        for _ in range(600):
            books.take(4)
            for task, _ in tuple(books.conductor.out.values())[:1]:
                books.push([SplitEvent(split_in_four(task), "eve")])
            books.drain()
            if books.conductor.is_done:
                break
        assert books.conductor.is_done, "what may not be split is given up"
        assert MOST_CASES / 2 < ledger.counts().cases <= MOST_CASES


def split_in_four(task: Task) -> Task:
    """Split a task on two cells that are not given yet."""
    given = {(x, y) for x, y, _ in task.cells}
    free = [(x, y) for y in range(6) for x in range(6) if (x, y) not in given]
    (a, b), (c, d) = free[:2]
    both = tuple(((a, b, one), (c, d, two)) for one in (True, False) for two in (True, False))
    return replace(task, cases=both)


def test_a_hard_task_may_have_many_cases() -> None:
    hard = ship("c/3", box="11x12")
    assert count_worth(hard, False, 60.0) == 20_000
    assert count_worth(hard, False, None) == 20_000
    assert count_worth(ship("c/3", box="5x5"), False, 1.0) == MOST_CASES


def test_tasks_that_everybody_has_had_take_less_than_a_tick() -> None:
    """500 tasks on the shelf, each of which 1,000 users have had: 0.44 s before, 0.11 s now."""
    desk, now = Desk(Quota(tasks=10**6)), 1000.0
    offers = [Offer("c0ffee", f"{n:064x}", 0, b"{}", "r", 30.0) for n in range(500)]
    for number in range(1000):
        desk.user(f"u{number}").asked = now
        for offer in offers:
            desk.remember(f"u{number}", offer)
    begun = time.process_time()
    present = desk.list_present(now)
    assert not any(desk.is_wanted(offer, present, now) for offer in offers)
    assert time.process_time() - begun < 1.0
    desk.user("new").asked = now
    assert desk.is_wanted(offers[0], desk.list_present(now), now)
    assert not desk.is_wanted(offers[0], desk.list_present(now + 1e6), now + 1e6)
