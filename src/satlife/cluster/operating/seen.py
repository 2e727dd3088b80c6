"""Statistics of a recorder since it started: who answers, how fast, what was refused.

Names come from workers, so everything here is bounded, and no label of a metric is a name.  The
report in the ledger names users, for ``satlife campaign status``.

>>> seen = Seen(clock=lambda: 1000.0)
>>> seen.hear("claimed", "alice.desk", 2.5)
>>> seen.refuse("mallory.box", "not a result")
>>> report = WorkReport.decode(seen.report(out=7).encode())
>>> report.users[0].user, report.users[0].answers, report.refused[0].words, report.out
('alice', 1, 'not a result', 7)
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from satlife.campaign.core.events import Event
from satlife.campaign.core.votes import name_user
from satlife.campaign.work import RefusalReport, UserReport, WorkReport
from satlife.cluster.operating.exposition import Histogram, counter
from satlife.cluster.operating.logs import make_printable
from satlife.errors import SatlifeError

if TYPE_CHECKING:
    from prometheus_client.core import Metric

LATELY: Final = 600.0
"""Seconds over which "lately" is measured."""
SPAN: Final = 30.0
"""Seconds of work that are counted together."""
MOST_WORKERS: Final = 5000
"""Workers that are remembered: those heard from last."""
MOST_SHOWN: Final = 50
"""Maximum number of users in a report."""
LONGEST: Final = 200
"""Maximum length of a reason, in characters."""

KINDS: Final = (
    *("found", "claimed", "certified", "implied", "joined", "split", "undecided"),
    *("failed", "died"),  # these may be tried again
)
"""Events that report the outcome of a task."""

CALLS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
CHECKS: Final = (0.1, 1.0, 10.0, 60.0, 600.0, 3600.0)
"""Bounds of the histograms, in seconds."""


@dataclass
class _Worker:
    user: str
    last: float
    answers: int = 0


@dataclass
class _Refusal:
    count: int
    words: str
    last: float


class Seen:
    """Statistics; all methods but :meth:`calling` are called in the event loop."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._since = clock()
        self._workers: dict[str, _Worker] = {}
        self._users: Counter[str] = Counter()
        self._spans: deque[tuple[float, Counter[str]]] = deque()
        self._refusals: dict[str, _Refusal] = {}
        self.answers: Counter[str] = Counter(dict.fromkeys(KINDS, 0))
        self.solving = 0.0
        """Seconds that workers claim to have spent on answers."""
        self.refused = 0
        self.contradictions = 0
        self.checks: Counter[str] = Counter()
        """Proof checks by outcome: the event, or refused."""
        self._calls, self._checks = Histogram(CALLS), Histogram(CHECKS)
        self.failures = 0
        """Calls of the ledger that failed and were repeated."""
        self.answered = self._since
        """When the ledger answered last, in seconds since 1970."""

    def note(self, event: Event) -> None:
        """Count an event of the ledger."""
        self.hear(_kind(event), getattr(event, "worker", ""), getattr(event, "seconds", 0.0))

    def hear(self, kind: str, worker: str = "", seconds: float = 0.0) -> None:
        """Count an event, and its worker if it has one."""
        if kind not in KINDS:
            return
        self.answers[kind] += 1
        if not worker:
            return
        self.solving += max(0.0, seconds)
        now, user = self._clock(), name_user(worker)
        known = self._workers.pop(worker, None) or _Worker(user, now)
        known.last, known.answers = now, known.answers + 1
        self._workers[worker] = known  # the most recent is last
        if len(self._workers) > MOST_WORKERS:
            del self._workers[next(iter(self._workers))]
        self._users[user] += 1
        if not self._spans or not 0 <= now - self._spans[-1][0] < SPAN:
            self._spans.append((now, Counter()))
            self._forget(now)
        self._spans[-1][1][user] += 1

    def _forget(self, now: float) -> None:
        # In either direction: the clock may have been set back.
        while abs(now - self._spans[0][0]) > LATELY:
            self._spans.popleft()
        if len(self._users) > MOST_WORKERS:
            self._users = Counter(dict(self._users.most_common(MOST_WORKERS // 2)))

    def refuse(self, worker: str, words: str) -> None:
        """Count a message that was refused."""
        self.refused += 1
        user, words = make_printable(name_user(worker)), make_printable(words)
        before = self._refusals.pop(user, None)
        count = before.count + 1 if before else 1
        self._refusals[user] = _Refusal(count, words[:LONGEST], self._clock())
        if len(self._refusals) > MOST_WORKERS:
            del self._refusals[next(iter(self._refusals))]

    @contextmanager
    def calling(self) -> Iterator[None]:
        """Time a call of the ledger."""
        begun = time.perf_counter()
        try:
            yield
        except SatlifeError:
            self.failures += 1
            raise
        self._calls.add(time.perf_counter() - begun)
        self.answered = self._clock()

    def check(self, event: Event | None, seconds: float) -> None:
        """Note the outcome of a check, and how long ago it was asked for; None is refused."""
        self.checks["refused" if event is None else _kind(event)] += 1
        self._checks.add(seconds)

    def workers(self) -> int:
        """Return the number of workers heard from lately."""
        now = self._clock()
        return sum(abs(now - worker.last) <= LATELY for worker in self._workers.values())

    def report(self, *, out: int = 0, checking: int = 0) -> WorkReport:
        """Return a report on the work."""
        now = self._clock()
        lately: Counter[str] = Counter()
        for when, counts in self._spans:
            if abs(now - when) <= LATELY:
                lately += counts
        spent = max(1.0, min(LATELY, abs(now - self._since)))
        last: dict[str, float] = {}
        active: Counter[str] = Counter()
        for worker in self._workers.values():
            last[worker.user] = worker.last
            active[worker.user] += abs(now - worker.last) <= LATELY
        users = sorted(self._users, key=lambda user: (-lately[user], -last.get(user, 0.0), user))
        refused = sorted(self._refusals.items(), key=lambda pair: -pair[1].last)
        return WorkReport(
            time=now,
            since=self._since,
            out=out,
            checking=checking,
            users=tuple(
                UserReport(
                    user=user,
                    workers=active[user],
                    answers=self._users[user],
                    rate=lately[user] / spent,
                    last=last.get(user, self._since),
                )
                for user in users[:MOST_SHOWN]
            ),
            refused=tuple(
                RefusalReport(user=user, count=each.count, words=each.words, last=each.last)
                for user, each in refused[:MOST_SHOWN]
            ),
        )

    def metrics(self) -> list[Metric]:
        """Return the statistics as metrics."""
        return [
            counter("satlife_answers_total", "Answers by kind.", self.answers, label="kind"),
            counter(
                "satlife_solving_seconds_total",
                "Seconds that workers say they spent on their answers.",
                self.solving,
            ),
            counter("satlife_refusals_total", "Messages that were refused.", self.refused),
            counter(
                "satlife_contradictions_total",
                "Tasks reported both found and impossible.",
                self.contradictions,
            ),
            counter("satlife_checks_total", "Proofs by outcome.", self.checks, label="outcome"),
            self._checks.metric(
                "satlife_check_seconds", "Time to check a proof, waiting included."
            ),
            self._calls.metric("satlife_ledger_call_seconds", "Time for a call of the ledger."),
            counter(
                "satlife_ledger_failures_total",
                "Calls of the ledger that failed and were repeated.",
                self.failures,
            ),
        ]


def _kind(event: Event) -> str:
    return str(type(event).__struct_config__.tag)
