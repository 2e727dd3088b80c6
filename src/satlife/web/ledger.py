"""The page's history, kept in a ledger of campaigns: it can be exported and merged.

Only this file of the page imports ``campaign``; the page itself knows ``history.History``.

>>> history = LedgerHistory(":memory:")
>>> history.last(5)
[]
>>> history.close()
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from satlife.campaign.core.events import (
    CertifiedEvent,
    ClaimedEvent,
    Event,
    FoundEvent,
    JoinedEvent,
    QueuedEvent,
    RetriedEvent,
    Status,
    UndecidedEvent,
)
from satlife.campaign.core.state import TaskState
from satlife.campaign.core.trust import identify_finding
from satlife.campaign.ledger import TaskRow, export, merge, open_ledger
from satlife.campaign.ledger.transfer import Examiner
from satlife.campaign.messages import Budget, Task
from satlife.certificates.folder import hash_plain, read_certificate
from satlife.errors import SatlifeError, UsageError
from satlife.problem import Problem
from satlife.problem.outcome import (
    Finding,
    Impossible,
    Provenance,
    Undecided,
    draw,
    read_history,
)
from satlife.problem.words import describe, describe_short
from satlife.records import write_rle
from satlife.verifier.verify import settle_rule
from satlife.web.desk import Job
from satlife.web.questions import FilledForm, read_question, recall_question, write_command

WORKER: Final = "page"

_LOG: Final = logging.getLogger(__name__)


class LedgerHistory:
    """A :class:`~satlife.web.history.History` in a ledger; the caller closes it."""

    def __init__(self, where: str) -> None:
        self.where = where
        self._ledger = open_ledger(where)

    def record(self, job: Job, answer: Finding | Impossible | Undecided) -> None:
        """Write an answer; a ledger that cannot be written now does not stop a search."""
        try:
            self._record(job, answer)
        except SatlifeError as error:
            _LOG.warning("the history was not written: %s", error)

    def _record(self, job: Job, answer: Finding | Impossible | Undecided) -> None:
        problem = answer.problem
        if isinstance(answer, Finding):
            problem = problem.with_height(len(answer.history[0]))
            # A find settles a question about one rule, even if a set of rules was asked for.
            problem = msgspec.structs.replace(problem, rule=str(answer.rule))
        task = Task(
            problem=problem,
            budget=Budget(seconds=job.order.request.seconds),
            question=msgspec.json.encode(job.order.request.question).decode(),
        )
        state = self._ledger.state(task.name)
        if state is not None and state.status in (Status.UNDECIDED, Status.FAILED):
            task = msgspec.structs.replace(task, round=state.round + 1)
            first: Event = RetriedEvent(task)
        else:
            task = msgspec.structs.replace(task, round=state.round if state else 0)
            first = QueuedEvent(task)
        event = _make_event(job, task, answer)
        if isinstance(event, FoundEvent):
            self._ledger.record([first])
            self._ledger.add_find(event)
        else:
            self._ledger.record([first, event])

    def last(self, most: int) -> list[dict[str, Any]]:
        """Return the last questions with their answers, the latest first."""
        rows = self._ledger.last_rows(most)
        found = self._ledger.found([row.name for row, _ in rows])
        return [_show(row, when, found.get(row.name)) for row, when in rows]

    def export(self) -> Iterator[bytes]:
        """Yield the lines of the ledger."""
        return export(self._ledger)

    def merge(self, text: str) -> dict[str, Any]:
        """Merge an exported ledger; return the number of new events, and the refusals."""
        lines = [line.encode() for line in text.splitlines() if line.strip()]
        merged = merge(self._ledger, lines, examiner=_Cautious())
        return {"new": merged.new, "refused": merged.refused[:20]}

    def close(self) -> None:
        """Close the ledger."""
        self._ledger.close()


class _Cautious(Examiner):
    """Takes a file's impossibilities as claims: its proofs were not checked here."""

    def read(self, event: Event, state: TaskState | None) -> Event | None:
        if isinstance(event, CertifiedEvent):
            reason = "certified elsewhere"
            return ClaimedEvent(event.name, event.worker, event.round, reason, event.seconds)
        return replace(event, certified=False) if isinstance(event, JoinedEvent) else event


def _make_event(job: Job, task: Task, answer: Finding | Impossible | Undecided) -> Event:
    seconds = round(job.elapsed, 2)
    match answer:
        case Finding(provenance=provenance):
            return FoundEvent(
                task.name,
                WORKER,
                task.round,
                draw(answer),
                identify_finding(task.problem, answer.history),
                seconds,
                provenance.means or provenance.engine,
            )
        case Impossible(certificate=Path() as folder):
            proof = _hash_proofs(folder)
            return CertifiedEvent(task.name, WORKER, task.round, proof, "satlife", seconds)
        case Impossible(reason=reason):
            return ClaimedEvent(task.name, WORKER, task.round, reason[:400], seconds)
        case Undecided(reason=reason):
            return UndecidedEvent(task.name, WORKER, task.round, reason[:400], task.budget, seconds)


def _hash_proofs(folder: Path) -> str:
    """Return the SHA-256 of the proof; of several, that of their hashes."""
    hashes = [hash_plain(folder, part.proof) for part in read_certificate(folder).parts]
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()


@lru_cache(256)
def _write_find(problem: Problem, generations: tuple[tuple[str, ...], ...]) -> str:
    """Return a find as RLE."""
    history = read_history(problem, generations)
    return write_rle(Finding(settle_rule(problem, history), history, Provenance(WORKER, 0.0)))


def _recall(task: Task) -> FilledForm:
    """Return the question, as it was asked if that is known."""
    try:
        question = msgspec.json.decode(task.question, type=FilledForm)
        read_question(question)
    except (msgspec.DecodeError, UsageError):  # not asked here, or written by somebody else
        return recall_question(task.problem)
    return question


def _show(row: TaskRow, when: float, found: FoundEvent | None) -> dict[str, Any]:
    problem, question = row.task.problem, _recall(row.task)
    state = row.state.status.value
    return {
        "name": row.name,
        "state": "certified" if row.state.certified else state,
        "kind": question.kind,
        "question": msgspec.to_builtins(question),
        "sentence": describe(problem),
        "short": describe_short(problem),
        "command": write_command(question),
        "spec": problem.to_toml(),
        "rle": _write_find(problem, found.generations) if found else "",
        "time": when or time.time(),
    }
