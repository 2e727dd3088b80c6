"""A recorder as its operator sees it: metrics, health, and the report in the ledger.

Now and then a survey asks the broker and the ledger; a scrape only reads what the last survey
found, so that it never waits and costs the same however often it comes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NoReturn

from satlife.campaign.cluster.queue.surveying import Stream, survey
from satlife.campaign.core.events import Status
from satlife.campaign.core.summary import Counts
from satlife.campaign.ledger import Ledger
from satlife.campaign.operating.exposition import Metric, gauge
from satlife.campaign.operating.process import process_metrics
from satlife.errors import UsageError

if TYPE_CHECKING:
    from satlife.campaign.cluster.recorder import Recorder

INTERVAL: Final = 5.0
"""Seconds between surveys."""
PATIENCE: Final = 4.0
"""Seconds for an answer of the broker."""
OVERDUE: Final = 30.0
"""Seconds after which a part that has not answered counts as out of reach."""


@dataclass
class RecorderWatch:
    """Metrics and health of a recorder."""

    recorder: Recorder
    _counts: Counts | None = None
    _planned: int | None = None
    _size: int | None = None
    _asking: asyncio.Future[tuple[Counts, int | None, int]] | None = None
    _streams: Mapping[str, Stream] = field(default_factory=dict)
    _asked: float = field(default_factory=time.monotonic)
    """When the broker answered last."""
    _told: float = field(default_factory=time.monotonic)
    """When the ledger answered last."""

    async def run(self) -> NoReturn:
        """Survey until cancelled."""
        try:
            while True:
                await asyncio.gather(self._survey_broker(), self._survey_ledger())
                await asyncio.sleep(INTERVAL)
        finally:
            if self._asking is not None:
                self._asking.cancel()

    async def _survey_broker(self) -> None:
        from nats.errors import Error  # noqa: PLC0415  # an extra

        board = getattr(self.recorder, "board", None)
        if board is None:
            return
        with suppress(Error, OSError, TimeoutError):
            async with asyncio.timeout(PATIENCE):
                self._streams = await survey(board.js, board.campaign)
                self._asked = time.monotonic()

    async def _survey_ledger(self) -> None:
        # One question at a time: a ledger that hangs must not collect threads that wait for it.
        if self._asking is None:
            self._asking = asyncio.ensure_future(self.recorder.ledger.ask(_look))
        done, _ = await asyncio.wait([self._asking], timeout=PATIENCE)
        if done:
            asked, self._asking = self._asking, None
            with suppress(UsageError):  # the recorder itself ends of it, or waits
                self._counts, self._planned, self._size = asked.result()
                self._told = time.monotonic()

    def lacks(self) -> Mapping[str, str]:
        """Return what is out of reach, and why."""
        now = time.monotonic()
        parts = {"broker": now - self._asked, "ledger": now - self._told}
        return {
            part: f"no answer for {seconds:.0f} s"
            for part, seconds in parts.items()
            if seconds > OVERDUE
        }

    def metrics(self) -> list[Metric]:
        """Return the metrics of this moment."""
        now = time.monotonic()
        intake = getattr(self.recorder, "intake", None)
        found = [
            gauge("satlife_up", "Parts in reach.", self._up(), label="part"),
            gauge(
                "satlife_survey_age_seconds",
                "Time since a part has answered the recorder's survey.",
                {"broker": now - self._asked, "ledger": now - self._told},
                label="part",
            ),
            gauge("satlife_tasks_out", "Tasks queued or leased now.", len(self.recorder.out)),
            gauge("satlife_tasks_out_limit", "The most of them.", self.recorder.outstanding),
            gauge(
                "satlife_checks_running",
                "Proofs being checked or waiting for it.",
                len(intake.checking) if intake is not None else 0,
            ),
            gauge(
                "satlife_workers", "Workers heard of in ten minutes.", self.recorder.seen.workers()
            ),
            *self._tasks(),
            *self._broker(),
            *self.recorder.seen.metrics(),
            *process_metrics(),
        ]
        if self._size is not None:
            found.append(gauge("satlife_ledger_bytes", "Size of the ledger.", self._size))
        return found

    def _up(self) -> dict[str, float]:
        lacks = self.lacks()
        return {part: float(part not in lacks) for part in ("broker", "ledger")}

    def _tasks(self) -> list[Metric]:
        counts = self._counts
        if counts is None:
            return []
        states = {status.value: getattr(counts, status.value) for status in Status}
        found = [
            gauge("satlife_tasks", "Tasks by state.", states, label="state"),
            gauge(
                "satlife_impossible_tasks",
                "Impossible tasks by what stands behind them.",
                {"certified": counts.certified, "claimed": counts.claimed},
                label="by",
            ),
            gauge("satlife_contradicted_tasks", "Tasks with a contradiction.", counts.contradicted),
            gauge(
                "satlife_cases",
                "Cases of tasks that were split.",
                {"open": counts.open_cases, "closed": counts.cases - counts.open_cases},
                label="state",
            ),
            gauge("satlife_findings", "Different objects found.", counts.findings),
        ]
        if self._planned is not None:
            found.append(gauge("satlife_tasks_planned", "Tasks of the plan.", self._planned))
        return found

    def _broker(self) -> list[Metric]:
        streams = self._streams

        def each(name: str, help_: str, what: str) -> Metric:
            values = {stream: getattr(state, what) for stream, state in streams.items()}
            return gauge(name, help_, values, label="stream")

        if not streams:
            return []
        return [
            each("satlife_stream_messages", "Messages on the broker.", "messages"),
            each("satlife_stream_bytes", "Bytes on the broker.", "size"),
            each("satlife_stream_limit_bytes", "Bytes that it may hold.", "limit"),
            each("satlife_lag", "Messages that nobody has taken yet.", "waiting"),
            each("satlife_leases", "Messages taken and not acknowledged.", "leased"),
            each("satlife_requests_waiting", "Requests with nothing to take.", "asking"),
            each("satlife_redelivered", "Leased messages delivered again.", "again"),
        ]


def _look(ledger: Ledger) -> tuple[Counts, int | None, int]:
    return ledger.counts(), ledger.planned(), ledger.store.size()
