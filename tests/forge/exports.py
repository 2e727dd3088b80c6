"""Exported ledgers: true ones, and forgeries of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import numpy as np
from msgspec.structs import replace

from satlife.campaign.core.events import (
    CertifiedEvent,
    ClaimedEvent,
    Event,
    FoundEvent,
    ImpliedEvent,
    JoinedEvent,
    QueuedEvent,
    SplitEvent,
    Status,
)
from satlife.campaign.core.trust import identify_finding
from satlife.campaign.ledger import export, open_ledger
from satlife.campaign.messages import Region, Task
from satlife.campaign.plan import Plan
from satlife.errors import UsageError
from satlife.life.rulespaces import RuleSpace
from tests.forge import changes
from tests.forge.folders import (
    Folder,
    change,
    write_folder,
)
from tests.forge.maps import draw_open_rule
from tests.forge.pool import Forge, Pool, draw
from tests.forge.truth import key, solve, with_table
from tests.fuzz.drawing import draw_rule
from tests.reference import History, TooLarge
from tests.reference.rules import read_rules


def make_exports(chance: random.Random, pool: Pool) -> Iterator[Folder]:
    while True:
        try:
            yield _export(chance, draw_plan(chance))
        except (UsageError, TooLarge):
            continue


def draw_plan(chance: random.Random) -> Plan:
    """Draw a campaign of a few small tasks."""
    kind = chance.choice(('kind = "still-life"', 'kind = "oscillator"\nperiods = "2"'))
    boxes = chance.choice(("1x1..2x2", "1x1..3x3", "2x2..3x3"))
    prove = chance.choice(("", "", "prove = true\n"))
    rules = f'["{draw_rule(chance)}"]'
    if chance.random() < 0.3:
        boxes = chance.choice(("2x2", "3x2", "3x3"))
        rules = f'"{draw_open_rule(chance)}"\nmap = true'
    return Plan.from_toml(f'{prove}[[search]]\n{kind}\nboxes = "{boxes}"\nrules = {rules}\n')


def _export(chance: random.Random, plan: Plan) -> Folder:
    """Record right answers, some of which follow from others."""
    with open_ledger(":memory:") as ledger:
        ledger.begin(plan.name, plan.to_toml())
        for task in list_tasks(plan):
            found = solve_task(task)
            ledger.record([QueuedEvent(task)])
            if found:
                ledger.record([find_event(task, chance.choice(found))])
            elif task.every:
                ledger.record([SplitEvent(divide_map(chance, task), "anna")])
            elif not plan.prove:
                ledger.record([ClaimedEvent(task.name, "anna", 0, "refuted")])
        return {"plan.toml": plan.to_toml().encode(), "export.jsonl": b"".join(export(ledger))}


def solve_task(task: Task) -> list[History]:
    """Return the solutions of a task; of a map, those by all of its rules."""
    problem = task.problem.to_json().decode()
    if not task.every:
        return solve(problem)
    tables = read_rules(task.problem.rule).tables
    found = [{key(each): each for each in solve(with_table(problem, table))} for table in tables]
    return [each for name, each in found[0].items() if all(name in other for other in found)]


def divide_map(chance: random.Random, task: Task) -> Task:
    """Divide a map into two regions, with a pattern where one works by all of its rules."""
    space = RuleSpace(task.problem.rule)
    place = chance.randrange(len(space.places))
    fates = [None] * len(space.places)
    halves = [space.fill([*fates[:place], on, *fates[place + 1 :]]) for on in (False, True)]
    regions = []
    for half in halves:
        found = solve_task(replace(task, problem=task.problem.with_rule(str(half))))
        regions.append(Region(str(half), draw(found[0]) if found else ()))
    return replace(task, cases=tuple(regions))


def list_tasks(plan: Plan) -> list[Task]:
    """Return all tasks of a plan."""
    return [plan.task(group, i) for group in plan.groups() for i in range(len(group))]


def find_event(task: Task, history: History) -> FoundEvent:
    """Return that a task was found, with a pattern."""
    problem = task.problem
    if task.every:
        problem = problem.with_rule(str(RuleSpace(problem.rule).least))
    arrays = tuple(np.asarray(states, np.uint8) for states in history)
    identity = identify_finding(problem, arrays)
    return FoundEvent(task.name, "anna", 0, draw(history), identity)


# Forgeries


EVE = "eve"


def forge_export(chance: random.Random, pool: Pool, kind: str, place: Path) -> str:
    """Make a forgery of an exported ledger, and return what was done."""
    base = chance.choice(pool.folders["export"])
    name = chance.choice(list(_EXPORTS))
    write_folder(_EXPORTS[name](chance, pool, base), place)
    return name


def _false_events(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Add answers to some tasks, whatever they are."""
    plan = Plan.from_toml(base["plan.toml"].decode())
    tasks = list_tasks(plan)
    lines = base["export.jsonl"].splitlines(keepends=True)
    kept = lines[:1] if chance.random() < 0.5 else lines
    events: list[Event] = []
    for task in chance.sample(tasks, min(len(tasks), chance.choice((1, 2, 3)))):
        events += [QueuedEvent(task), chance.choice(_ANSWERS)(chance, task, chance.choice(tasks))]
    if chance.random() < 0.2:
        chance.shuffle(events)
    added = [
        b'{"time":%d,"event":%s}\n' % (chance.choice((number, 1 << 52)), msgspec.json.encode(each))
        for number, each in enumerate(events, 1)
    ]
    return change(base, {"export.jsonl": b"".join([*kept, *added])})


def _say_certified(chance: random.Random, task: Task, other: Task) -> Event:
    return CertifiedEvent(task.name, EVE, 0, "0" * 64, "drat-trim")


def _say_claimed(chance: random.Random, task: Task, other: Task) -> Event:
    return ClaimedEvent(task.name, chance.choice((EVE, "anna")), 0)


def _say_implied(chance: random.Random, task: Task, other: Task) -> Event:
    status = chance.choice((Status.FOUND, Status.IMPOSSIBLE))
    return ImpliedEvent(task.name, status, other.name, chance.choice((task, None)))


def _say_joined(chance: random.Random, task: Task, other: Task) -> Event:
    return JoinedEvent(task.name, Status.IMPOSSIBLE, certified=True)


def _say_split(chance: random.Random, task: Task, other: Task) -> Event:
    if task.every:
        return SplitEvent(_divide_falsely(chance, task), EVE)
    cases = chance.choice((((),), (((0, 0, True),), ((0, 0, False),)), (((0, 0, True),),)))
    return SplitEvent(msgspec.structs.replace(task, cases=cases), EVE)


def _divide_falsely(chance: random.Random, task: Task) -> Task:
    """Divide a map, with patterns that work by some other region, or impossible ones."""
    divided = divide_map(chance, task)
    regions = [case for case in divided.cases if isinstance(case, Region)]
    shown = [solve(task.problem.with_rule(each.rules).to_json().decode()) for each in regions]
    cases = [
        msgspec.structs.replace(
            region,
            generations=draw(chance.choice(chance.choice(shown) or [()])),
            is_impossible=chance.random() < 0.3,
        )
        for region in regions
    ]
    return msgspec.structs.replace(divided, cases=tuple(cases[: chance.choice((1, 2, 2, 2))]))


def _say_found(chance: random.Random, task: Task, other: Task) -> Event:
    """Show a solution of another task, or anything."""
    shown = solve(other.problem.to_json().decode()) if chance.random() < 0.5 else solve_task(other)
    if shown and chance.random() < 0.5:
        event = find_event(other, chance.choice(shown))
        return msgspec.structs.replace(event, name=task.name)
    generations = tuple(
        tuple("".join(chance.choice(".o") for _ in range(box.width)) for _ in range(box.height))
        for box in task.problem.all_boxes
    )
    return FoundEvent(task.name, EVE, 0, generations, chance.choice(("xs4_33", "xp2_7")))


_ANSWERS: tuple[Callable[[random.Random, Task, Task], Event], ...] = (
    _say_certified,
    _say_claimed,
    _say_implied,
    _say_joined,
    _say_split,
    _say_found,
    _say_found,
)


def _changed_event(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    lines = base["export.jsonl"].splitlines(keepends=True)
    here = chance.randrange(len(lines))
    lines[here] = changes.change_text(chance, lines[here]) + b"\n"
    return change(base, {"export.jsonl": b"".join(lines)})


def _other_events(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return change(base, {"export.jsonl": changes.change_lines(chance, base["export.jsonl"])})


def _other_plan(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Give the events of another plan, with the name of this one."""
    other = chance.choice(pool.folders["export"])["export.jsonl"].splitlines(keepends=True)
    head = base["export.jsonl"].splitlines(keepends=True)[0]
    return change(base, {"export.jsonl": b"".join([chance.choice((head, other[0])), *other[1:]])})


_EXPORTS: dict[str, Forge] = {
    "false events": _false_events,
    "more false events": _false_events,
    "a changed event": _changed_event,
    "other events": _other_events,
    "another plan": _other_plan,
    "a file cut": lambda chance, pool, base: change(
        base, {"export.jsonl": changes.cut(chance, base["export.jsonl"])}
    ),
    "nothing changed": lambda chance, pool, base: base,
}
