"""Campaigns as a whole, compared with the brute force: every answer, told or implied.

A campaign is played in this process: whoever works on it takes tasks in any order, answers some of
them with cases, and dies now and then.  Some are run by the real runner and its children.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from unittest import mock

import numpy as np
import tomli_w

from satlife import Problem
from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.certificates import CertificateWriter
from satlife.campaign.core.events import FINAL, Event, FoundEvent, Status, UndecidedEvent
from satlife.campaign.core.trust import examine
from satlife.campaign.ledger import Ledger, export, merge, open_ledger
from satlife.campaign.local import pool
from satlife.campaign.local.runner import run
from satlife.campaign.local.task_solver import solve_task
from satlife.campaign.maps import read_maps
from satlife.campaign.messages import AnyResult, ImpossibleResult, Task, decode_result, encode
from satlife.campaign.plan import Plan
from satlife.campaign.plan.plan import WHOLE, Shard
from satlife.campaign.proofs import KeptProofs, check_file
from satlife.campaign.results import InBox, collect, describe_question
from satlife.campaign.retry import retry
from satlife.campaign.strict_merge import merge_strictly
from satlife.certificates import check_certificate
from satlife.life.rulespaces import RuleSpace
from satlife.problem.exact import ExactBox
from satlife.rulemaps.rulemap import FOUND
from tests.campaign.children import command
from tests.fuzz.checks import Case, Differs, draw
from tests.fuzz.divided import divide_task, find_way
from tests.fuzz.drawing import name_family
from tests.fuzz.plans import draw_parted, read_plan
from tests.fuzz.wanted import draw_codes
from tests.reference import History, is_solution, solutions
from tests.reference.asked import STATES
from tests.reference.parting import find_rejected, living, shape, verdicts
from tests.reference.planning import Planned, list_rules, planned
from tests.reference.rules import read_rules
from tests.reference.unbounded import has_ship

Key = tuple[str, tuple[str, ...], bool, bool]
"""What a task asks: the name of its problem, what is rejected, only connected, for every rule."""
Part = tuple[Key, ExactBox | None]
"""What a task asks, and the part of it that is asked for."""
Notes = Counter[str]
Solve = Callable[[Task, Path | None], AnyResult]
MOST_STEPS = 5000
LARGEST = 2**12
PROCESSES = 0.06
"""The share of the campaigns that are run by real children."""


@dataclass(frozen=True, eq=False)
class Campaign:
    """A plan, and what the brute force says of each of its tasks."""

    text: str
    seed: str
    plan: Plan
    tasks: tuple[Planned, ...]
    answers: dict[str, bool | None]
    """Whether each problem has a solution that counts; None if that depends on its division."""

    @classmethod
    def of(cls, text: str, seed: str) -> Campaign:
        plan = Plan.from_toml(text)
        tasks = tuple(planned(read_plan(text)))
        return cls(text, seed, plan, tasks, {each.problem: has_solution(each) for each in tasks})

    @property
    def is_satisfiable(self) -> bool:
        return any(self.answers.values())

    @property
    def families(self) -> list[str]:
        rules = {json.loads(each.problem).get("rule", "B3/S23") for each in self.tasks}
        return [name_family(rule) for rule in rules]

    @property
    def detail(self) -> str:
        return ""

    @cached_property
    def expected(self) -> dict[Key, bool | None]:
        """What is asked, each task once."""
        return {
            (
                Problem.from_json(each.problem).name,
                tuple(sorted(set(each.reject))),
                each.only_connected,
                each.is_map,
            ): self.answers[each.problem]
            for each in self.tasks
        }

    @cached_property
    def told(self) -> set[tuple[str, str]]:
        """The kinds and names of the tasks."""
        tasks = (
            self.plan.task(group, index)
            for group in self.plan.groups()
            for index in range(len(group))
        )
        return {(task.problem.kind, task.name) for task in tasks}

    @cached_property
    def planned(self) -> dict[Part, tuple[int, Task]]:
        """The tasks that satlife makes of the plan, and the search of each."""
        groups = self.plan.groups()
        return {
            (key_of(task), task.exact): (group.scope, task)
            for group in groups
            for index in range(len(group))
            for task in [self.plan.task(group, index)]
        }


def key_of(task: Task) -> Key:
    chosen = task.selection
    return task.problem.name, chosen.reject, chosen.only_connected, task.every


def has_solution(task: Planned) -> bool | None:
    """Return what the brute force says of a task; None if that depends on how it is divided."""
    fields = json.loads(task.problem)
    if fields["boxes"][0].endswith("*"):
        return has_ship(task.problem)
    if task.is_map:
        return any(solved_rules(fields).values())
    found = solutions(task.problem, LARGEST)
    if not (task.reject or task.only_connected):
        return bool(found)
    said = [says for _, says in count_which(task, found)]
    if {True} in said:
        return True
    return None if {True, False} in said else False


def solved_rules(fields: dict[str, object]) -> dict[str, bool]:
    """Return which rules of a set have a solution."""
    rules = list_rules(fields["rule"])
    return {rule: bool(solutions(json.dumps(fields | {"rule": rule}), LARGEST)) for rule in rules}


def count_which(task: Planned, found: list[History]) -> Iterator[tuple[History, set[bool]]]:
    """Yield solutions, and whether each counts."""
    (table,) = read_rules(json.loads(task.problem)["rule"]).tables
    rejected = find_rejected(table, task.reject)
    known: dict[object, set[bool]] = {}
    for history in found:
        cells = living(history[0])
        name = shape(cells) if cells else cells
        if name not in known:
            known[name] = verdicts(table, cells, rejected, task.only_connected)
        yield history, known[name]


def draw_rejecting(chance: random.Random) -> str:
    """Draw a plan that rejects parts of its own solutions, or wants only what is connected."""
    plan = read_plan(draw_parted(chance))
    (search,) = plan["search"]
    if chance.random() < 0.8:
        texts = [each.problem for each in planned(plan)]
        chance.shuffle(texts)
        search["reject"] = next(
            (
                codes
                for text in texts[:4]
                if (codes := draw_codes(chance, Case.of(Problem.from_json(text), "", LARGEST)))
            ),
            [],
        )
    if not search.get("reject") or chance.random() < 0.3:
        search.pop("reject", None)
        search["only_connected"] = True
    return tomli_w.dumps(plan)


# Playing


@dataclass
class Player:
    """Whoever works on a campaign in this process."""

    plan: Plan
    chance: random.Random
    solve: Solve = lambda task, proof: solve_task(task, "player", proof)
    shard: Shard = WHOLE
    notes: Notes = field(default_factory=Counter)
    kept: KeptProofs | None = None
    folder: Path | None = None

    def play(self, ledger: Ledger, most: int = MOST_STEPS) -> bool:
        """Play until the end, or for so many answers; return whether it is done."""
        worker = self.chance.choice((None, "player"))
        books = self._begin(ledger, worker)
        for _ in range(most):
            books.take(self.chance.randint(1, 4))
            if books.conductor.is_done:
                if not retry(ledger, [Status.UNDECIDED]):
                    break
                books = self._begin(ledger, worker)
                continue
            if self.chance.random() < 0.04:  # it dies, with or without a checkpoint
                if self.chance.random() < 0.5:
                    books.save(now=True)
                books = self._begin(ledger, worker)
                self.notes["restarts"] += 1
                continue
            out = list(books.conductor.out.values())
            if out:
                books.push([self._answer(self.chance.choice(out).task)])
                books.drain()
        if self.chance.random() < 0.5:
            books.save(now=True)
        return books.conductor.is_done

    def _begin(self, ledger: Ledger, worker: str | None) -> Bookkeeper:
        return Bookkeeper(self.plan, ledger, worker=worker, shard=self.shard)

    def _answer(self, task: Task) -> Event:
        if self.chance.random() < 0.04:  # given up; it is tried again in the end
            self.notes["given up"] += 1
            return UndecidedEvent(task.name, "player", task.round)
        proof = None if self.folder is None else self.folder / "proof"
        result = decode_result(encode(self.solve(task, proof)))
        self.notes[type(result).__name__.removesuffix("Result").lower()] += 1
        if not isinstance(result, ImpossibleResult) or not result.proof_hash or proof is None:
            return examine(task, result)
        checked = check_file(task.asked, proof, result.proof_hash, cells=task.cells)
        if self.kept is not None and checked.is_valid:
            self.kept.keep(task.name, proof)
        proof.unlink()
        return examine(task, result, checked)


# What is compared


def check_campaign(campaign: Campaign, chance: random.Random) -> Notes:
    """Every task has the brute force's answer, whoever has worked on it."""
    compare_tasks(campaign)
    with tempfile.TemporaryDirectory() as place, open_ledger(f"{place}/plan.db") as ledger:
        player = Player(campaign.plan, chance)
        if chance.random() < PROCESSES:
            run(campaign.plan, ledger, jobs=chance.choice((1, 2)))
            player.notes["run by children"] += 1
        else:
            for _ in range(chance.choice((0, 1, 2))):
                player.play(ledger, chance.randint(1, len(campaign.planned)))
                compare_whole(campaign, ledger, is_over=False)
            if not player.play(ledger):
                raise Differs("the campaign does not come to its end")
        compare_answers(campaign, ledger)
        player.notes["exact"] += sum(exact is not None for _, exact in campaign.planned)
        player.notes["implied"] += ledger.counts().implied
    return player.notes


def check_divided(campaign: Campaign, chance: random.Random) -> Notes:
    """A tree of cases comes to the answer of the whole."""
    compare_tasks(campaign)
    with open_ledger(":memory:") as ledger:
        notes: Notes = Counter()
        player = Player(campaign.plan, chance, divide_task(chance, notes), notes=notes)
        if chance.random() < PROCESSES:
            with mock.patch.object(pool, "COMMAND", command(acts_of(campaign))):
                run(campaign.plan, ledger, jobs=chance.choice((1, 2)))
            notes["run by children"] += 1
            notes["split"] += ledger.counts().cases > 0
        elif not player.play(ledger):
            raise Differs("the campaign does not come to its end")
        compare_answers(campaign, ledger)
        if ledger.counts().open_cases:
            raise Differs(f"{ledger.counts().open_cases} cases are open at the end")
    notes["campaigns with a split"] += bool(notes["split"])
    return notes


def acts_of(campaign: Campaign) -> dict[str, str]:
    """Return how children act: they answer each task of the plan with cases."""
    acts = {"rows": "share", "rules": "piece", "cells": "split"}
    tasks = (task for _, task in campaign.planned.values())
    return {task.problem.boxes[0]: acts[find_way(task) or "cells"] for task in tasks}


def check_proved(campaign: Campaign, chance: random.Random) -> Notes:
    """Every impossibility is certified, and its certificate is valid."""
    compare_tasks(campaign)
    with tempfile.TemporaryDirectory() as place, open_ledger(":memory:") as ledger:
        folder, notes = Path(place), Counter[str]()
        kept = KeptProofs(folder / "kept")
        solve = divide_task(chance, notes) if campaign.plan.split else Player.solve
        player = Player(campaign.plan, chance, solve, notes=notes, kept=kept, folder=folder)
        if not player.play(ledger):
            raise Differs("the campaign does not come to its end")
        compare_answers(campaign, ledger)
        for row in ledger.rows(Status.IMPOSSIBLE):
            by = row.state.implied_by
            cause = row.state if by is None else ledger.state(by)
            if cause is None or not cause.certified:
                raise Differs(f"{row.task.problem.to_json().decode()} is not certified")
            notes["certified"] += 1
        writer = CertificateWriter(ledger, kept)
        refuted = [each for each in writer.refutations() if not each.row.task.every]
        for each in chance.sample(refuted, min(1, len(refuted))):
            writer.write(each, folder / each.row.name)
            judgement = check_certificate(folder / each.row.name)
            if not judgement.valid:
                raise Differs(f"the certificate of {each.problem.boxes[0]} is {judgement}")
            notes["certificates of ranges" if len(each.parts) > 1 else "certificates"] += 1
    return notes


def check_merged(campaign: Campaign, chance: random.Random) -> Notes:
    """Two parts of a campaign, merged, are the whole; and in whatever order they are merged."""
    compare_tasks(campaign)
    notes: Notes = Counter()
    solve = divide_task(chance, notes) if campaign.plan.split else Player.solve
    in_shards = chance.random() < 0.5
    files: list[list[bytes]] = []
    for index in (1, 2):
        with open_ledger(":memory:") as ledger:
            player = Player(campaign.plan, chance, solve, notes=notes)
            if in_shards:
                player.shard = Shard(index, 2)
                if not player.play(ledger):
                    raise Differs(f"shard {index} does not come to its end")
            else:
                player.play(ledger, chance.randint(0, 2 * len(campaign.expected)))
            files.append(list(export(ledger)))
    take = chance.choice((merge, merge_strictly))
    seen = []
    for order in (files, files[::-1], [*files, files[0]]):
        with open_ledger(":memory:") as ledger:
            for lines in order:
                merged = take(ledger, lines)
                wrong = [each for each in merged.refused if not is_early(campaign, each)]
                if wrong or merged.alarms:
                    raise Differs(f"merging refuses {wrong} and tells {merged.alarms}")
            seen.append(_answers(ledger))
            if not Player(campaign.plan, chance, solve, notes=notes).play(ledger):
                raise Differs("the merged campaign does not come to its end")
            compare_answers(campaign, ledger)
    if any(each != seen[0] for each in seen):
        raise Differs(f"merged in another order, it is another ledger: {seen}")
    notes["in shards" if in_shards else "in halves"] += 1
    return notes


def is_early(campaign: Campaign, refusal: str) -> bool:
    """Whether it follows from a tree of cases: that is found out again, when the tree is here."""
    return campaign.plan.split and "is said to" in refusal


def _answers(ledger: Ledger) -> dict[str, tuple[Status, bool]]:
    return {
        row.name: (row.state.status, row.state.certified)
        for row in ledger.rows()
        if row.state.status in FINAL
    }


def compare_tasks(campaign: Campaign) -> None:
    """The plan asks what its axes say, and nothing else."""
    asked = {key: task for (key, _), (_, task) in campaign.planned.items()}
    if set(asked) != set(campaign.expected):
        more = [task for key, task in asked.items() if key not in campaign.expected]
        less = set(campaign.expected) - set(asked)
        missing = [each for each in campaign.tasks if Problem.from_json(each.problem).name in
                   {key[0] for key in less}]  # fmt: skip
        raise Differs(f"the plan asks for {more[:1]} too, and leaves out {missing[:1]}")
    if campaign.plan.size() != len(campaign.planned):
        raise Differs(f"{campaign.plan.size()} tasks, and there are {len(campaign.planned)}")


def compare_answers(campaign: Campaign, ledger: Ledger) -> None:
    """Every answer in the ledger is right, and only a find has ended anything early."""
    statuses: dict[Part, Status | None] = {}
    for key, (_, task) in campaign.planned.items():
        state = ledger.state(task.name)
        statuses[key] = None if state is None else state.status
        if statuses[key] in FINAL:
            right = campaign.expected[key[0]]
            if statuses[key] is Status.IMPOSSIBLE and task.exact is not None:
                right = bool(solutions(task.asked.to_json(), LARGEST))
            if right is not None and right != (statuses[key] is Status.FOUND):
                by = "" if state is None or state.implied_by is None else ", which is implied"
                raise Differs(f"{statuses[key]}{by}: {task.problem.to_json().decode()}")
    for key, (scope, task) in campaign.planned.items():
        ended = campaign.plan.stop == "first" or campaign.plan.stops_at_first(scope)
        finds = [
            other
            for other, (where, _) in campaign.planned.items()
            if statuses[other] is Status.FOUND and (campaign.plan.stop == "first" or where == scope)
        ]
        if statuses[key] not in FINAL and not (ended and finds):
            raise Differs(f"{statuses[key]}: {task.problem.to_json().decode()}")
    compare_finds(campaign, ledger)
    counts = ledger.counts()
    if counts.contradicted or counts.final != sum(each in FINAL for each in statuses.values()):
        raise Differs(f"{counts}, and the tasks are {Counter(statuses.values())}")
    stops = {campaign.plan.stop, *(search.stop for search in campaign.plan.search)}
    compare_whole(campaign, ledger, is_over="first" not in stops)
    boxes = sum(len(row.cells) for row in collect(ledger).questions)
    # A task that a still life and an oscillator of period 1 ask for is told in both of their rows.
    known = sum(ledger.state(name) is not None for _, name in campaign.told)
    if boxes > known:
        raise Differs(f"the results have {boxes} boxes, and the ledger {known} of them")
    compare_maps(campaign, ledger)


def compare_whole(campaign: Campaign, ledger: Ledger, *, is_over: bool) -> None:
    """What the results say of whole boxes is right, and at the end they say it of all."""
    rows = {row.words: row for row in collect(ledger).questions}
    for (key, exact), (_, task) in campaign.planned.items():
        row = rows.get(describe_question(task.problem, task.selection))
        cell = None if row is None else row.cells.get(task.problem.boxes[0])
        if exact is None or cell is None:
            continue
        right = InBox.FOUND if campaign.expected[key] else InBox.NONE
        if cell.in_box is not right and (is_over or cell.in_box is not InBox.OPEN):
            raise Differs(f"in the box: {cell.in_box}, {task.problem.to_json().decode()}")


def compare_finds(campaign: Campaign, ledger: Ledger) -> None:
    """Whatever was found is a solution of its task, and one that counts."""
    for entry in ledger.events():
        if isinstance(entry.event, FoundEvent):
            task = ledger.task(entry.event.name)
            if task is None:
                raise Differs("a find without a task")
            compare_find(task, entry.event.generations)


def compare_find(task: Task, generations: tuple[tuple[str, ...], ...]) -> None:
    history = tuple(
        np.array([[STATES[s] for s in row] for row in rows], np.uint8) for rows in generations
    )
    fields = json.loads(task.problem.to_json())
    if task.problem.has_open_height:
        fields["boxes"] = [fields["boxes"][0].replace("*", str(len(generations[0])))]
    rule = fields.get("rule", "B3/S23")
    for each in list_rules(rule) if task.every else [rule]:
        if not is_solution(json.dumps(fields | {"rule": each}), history):
            raise Differs(f"what was found is no solution in {each}:\n{draw(history)}")
    is_moved = task.exact is not None and task.exact.box != task.problem.boxes[0]
    cells = () if is_moved else task.cells
    if any(history[0][y, x] != alive for x, y, alive in cells):  # boxes of plans are at 0, 0
        raise Differs(f"what was found has not the cells of its case:\n{draw(history)}")
    if not task.selection.is_everything:
        asked = Planned(
            0,
            json.dumps({"rule": "B3/S23"} | fields),
            task.selection.reject,
            task.selection.only_connected,
        )
        ((_, says),) = count_which(asked, [history])
        if says == {False}:
            raise Differs(f"what was found does not count:\n{draw(history)}")


def compare_maps(campaign: Campaign, ledger: Ledger) -> None:
    """A map has the answer of each of its rules."""
    asked = {_canonical(each.problem): each for each in campaign.tasks if each.is_map}
    for made in read_maps(ledger) if asked else ():
        right = solved_rules(json.loads(asked[made.problem.name].problem))
        names = {str(RuleSpace(rule)): says for rule, says in right.items()}
        rules = [str(rule) for rule in RuleSpace(made.problem.rule).rules()]
        told = {rule: each == FOUND for rule, each in zip(rules, made.answers, strict=True)}
        if not made.is_complete or told != names:
            raise Differs(f"the map says {told}, and should say {names}")


def _canonical(problem: str) -> str:
    return Problem.from_json(problem).name
