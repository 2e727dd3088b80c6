r"""Merge the ledger of an untrusted writer.

A file of events may contain anything.  Patterns are simulated again in any case.  Of the rest, a
:class:`StrictExaminer` accepts only events that it can check, and claims, which are shown as
claims:

- tasks that the plan asks for, with the plan's terms;
- an impossibility as a claim, even if the file says that a proof was checked; none at all if the
  plan requires proofs, which are not in the file, or agreement of several users: the file itself
  is the only evidence of who claimed what;
- a split into cases, if they cover the task; the answer that follows is derived here;
- an implied answer, if the answer that implies it is here and the implication holds.

Who worked on a task and who gave it up is left out: it does not matter elsewhere.

Proofs that came with the file are checked here (:func:`check_kept`), and then count.

>>> from satlife.campaign.core.events import CertifiedEvent, QueuedEvent
>>> from satlife.campaign.ledger import export, open_ledger
>>> plan = Plan.from_toml('[[search]]\nkind = "still-life"\nboxes = "1x1..2x2"')
>>> task = plan.task(plan.groups()[0], 0)
>>> with open_ledger(":memory:") as theirs, open_ledger(":memory:") as ours:
...     for ledger in (theirs, ours):
...         ledger.begin(plan.name, plan.to_toml())
...     steps = theirs.record([QueuedEvent(task), CertifiedEvent(task.name, "eve", 0, "00", "me")])
...     merged = merge_strictly(ours, export(theirs))
...     merged.new, ours.counts().claimed, ours.counts().certified
(2, 1, 0)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, product

from msgspec.structs import asdict, replace

from satlife.campaign.cases import check_cases, is_case_of, leave_out_claims
from satlife.campaign.core.events import (
    CertifiedEvent,
    ClaimedEvent,
    Event,
    FoundEvent,
    ImpliedEvent,
    QueuedEvent,
    SplitEvent,
    Status,
)
from satlife.campaign.core.state import TaskState
from satlife.campaign.core.trust import Checked
from satlife.campaign.ledger import Examiner, Ledger, Merged, TaskRow, merge
from satlife.campaign.ledger.transfer import Cause, read_header
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.plan.dominance import Embeddings, find_embedding
from satlife.campaign.proofs import KeptProofs
from satlife.campaign.results import read_plan
from satlife.errors import UsageError

_TASKS = QueuedEvent | ImpliedEvent | SplitEvent


def merge_strictly(ledger: Ledger, lines: Iterable[bytes], plan: Plan | None = None) -> Merged:
    """Merge the lines of a ledger whose writer is not trusted.

    Without a ``plan``, the terms are those of the ledger's plan.
    """
    rest = iter(lines)
    head = next(rest, b"")
    header = read_header(head)
    if ledger.plan_name() is None and header.plan_text:
        try:
            is_its_name = Plan.from_toml(header.plan_text).name == header.plan
        except UsageError as error:
            raise UsageError(f"its plan cannot be read: {error}") from None
        if not is_its_name:
            raise UsageError("its plan does not have the name that it says; give the plan itself")
        ledger.begin(str(header.plan), header.plan_text)
    plan = plan or read_plan(ledger)
    if plan is None:
        raise UsageError("there is no plan to check it against; give the plan, or --trust the file")
    examiner = StrictExaminer(plan)
    merged = merge(ledger, chain([head], rest), examiner=examiner)
    merged.unproved = examiner.unproved
    return merged


def check_kept(ledger: Ledger, kept: KeptProofs) -> Iterator[tuple[TaskRow, Checked]]:
    """Check kept proofs of tasks that are open or only claimed, and record those that are valid."""
    for row in sorted(ledger.find(kept.names()), key=lambda row: row.name):
        if row.state.certified or row.state.status is Status.FOUND:
            continue
        checked = kept.check(row.task)
        if checked.is_valid:
            proof = row.task.round, checked.proof_hash, checked.checker
            ledger.record([CertifiedEvent(row.name, "merge", *proof)])
        yield row, checked


class StrictExaminer(Examiner):
    """Accepts events that can be checked, and claims as claims; see above."""

    def __init__(self, plan: Plan) -> None:
        self.unproved: set[str] = set()
        """Tasks that are proved impossible in the file; the plan needs the proofs themselves."""
        self._plan = plan
        self._questions = plan.groups()
        self._terms = plan.terms
        self._divided_maps: set[str] = set()
        self._embeddings: Embeddings = {}

    def read(self, event: Event, state: TaskState | None) -> Event | None:
        """Return the event as it counts here."""
        needs_votes = self._plan.needs_votes or (state is not None and state.needs_votes)
        needs_more = self._plan.prove or needs_votes  # than is in a file
        is_found = state is not None and state.status is Status.FOUND
        is_impossibility = isinstance(event, CertifiedEvent | ClaimedEvent) or (
            isinstance(event, ImpliedEvent) and event.status is Status.IMPOSSIBLE
        )
        if needs_more and is_impossibility and not is_found:
            if self._plan.prove and isinstance(event, CertifiedEvent):
                self.unproved.add(event.name)
            return None  # a claim against a find changes nothing, and is reported
        match event:
            case QueuedEvent(task) | SplitEvent(task) | ImpliedEvent(task=Task() as task):
                cases = task.cases if isinstance(event, SplitEvent) else ()
                if cases and task.every:
                    self._divided_maps.add(task.name)
                if needs_more:
                    cases = leave_out_claims(cases)
                return replace(event, task=replace(self._as_planned(task, state), cases=cases))
            case ImpliedEvent() if event.name in self._divided_maps:
                return None  # the answer of its regions is derived here
            case FoundEvent() | ClaimedEvent() | ImpliedEvent():
                return event
            case CertifiedEvent():
                reason = (
                    f"a proof {event.proof_hash[:12]} was checked elsewhere, by {event.checker}"
                )
                return ClaimedEvent(
                    event.name, event.worker, event.round, reason, event.seconds, event.solver
                )
        return None

    def _as_planned(self, task: Task, state: TaskState | None) -> Task:
        """Return a task without untrusted fields, none of which its name depends on."""
        whole = self._find_whole(task)
        parent = task.parent
        if whole is not None:  # the writer of the file does not decide whether it is a part
            parent = "" if whole.name == task.name else parent or whole.name
        planned = replace(task, parent=parent, round=0, avoid=(), **asdict(self._terms))
        return planned if state is None else state.keep_votes(planned)

    def refuse(self, task: Task, event: Event, cause: Cause | None) -> str | None:
        """Return the reason to refuse an event."""
        if isinstance(event, _TASKS) and self._find_whole(task) is None:
            return f"the plan does not ask for the task {task.name}"
        if isinstance(event, SplitEvent):
            try:
                check_cases(event.task)
            except UsageError as error:
                return f"a split of {event.name}: {error}"
        if isinstance(event, ImpliedEvent):
            return self._refuse_implied(task, event, cause)
        return super().refuse(task, event, cause)

    def _find_whole(self, task: Task) -> Task | None:
        """Return the plan's task that contains this one as a part, or the task itself."""
        whole = replace(task, cells=(), shares=())
        for each in (task, whole, replace(whole, exact=None)):
            if next(self._questions.find(each), None) is not None:
                return each
        maps = self._maps if task.every else ()
        return next((each for each in maps if is_case_of(task, each)), None)

    @cached_property
    def _maps(self) -> list[Task]:
        maps = (group for group in self._questions if group.is_map)
        return [self._plan.task(group, i) for group in maps for i in range(len(group))]

    def _refuse_implied(self, task: Task, event: ImpliedEvent, cause: Cause | None) -> str | None:
        if cause is None:
            return f"{event.name} is said to follow from {event.by}, which is not here"
        other, state = cause
        is_find = event.status is Status.FOUND
        # A find stays, whatever implies it; an impossibility may be taken back.
        if state.status is not event.status or not (is_find or state.implied_by is None):
            return f"{event.name} is said to be {event.status} because {event.by} is, which is not"
        if is_find and is_case_of(other, task) and not task.every:
            return None
        if not self._follows(task, other, event.status):
            return f"{event.name} does not follow from {event.by}"
        return None

    def _follows(self, task: Task, other: Task, status: Status) -> bool:
        """Whether an answer to another task implies one to this task, by dominance."""
        places = self._questions.find(task), self._questions.find(other)
        for (number, index), (elsewhere, there) in product(*places):
            embedding = find_embedding(self._questions[number], self._embeddings)
            if number == elsewhere and embedding is not None:
                implied = embedding.above if status is Status.FOUND else embedding.refuted
                if implied(there) >> index & 1:
                    return True
        return False
