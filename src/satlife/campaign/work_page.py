"""The part of a campaign's page about the work: who works, how fast, what is stuck or refused."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from satlife.campaign.operating.work import Work
from satlife.campaign.results import box_words, describe_question

Table = tuple[str, Sequence[str], Sequence[Sequence[str]]]
"""A caption, a head and rows."""


def draw_work(work: Work) -> Iterator[str]:
    """Yield a heading and tables; nothing if the campaign is over or runs on one machine alone."""
    if not (work.oldest or work.report):
        return
    yield "<h2>Work</h2>"
    if work.report is not None:
        yield f'<p class="soft">As the recorder saw it at {_time(work.report.time)}.</p>'
    for caption, head, rows in (_users(work), _oldest(work), _refused(work)):
        if rows:
            yield from _table(caption, head, rows)


def _users(work: Work) -> Table:
    head = ("user", "workers", "answers per second, lately", "answers", "last")
    rows = [
        (each.user, f"{each.workers:,}", f"{each.rate:.2f}", f"{each.answers:,}", _time(each.last))
        for each in work.users
    ]
    return "Who works", head, rows


def _oldest(work: Work) -> Table:
    head = ("question", "box", "is", "since", "failed attempts")
    rows = [
        (
            describe_question(each.row.task.problem, each.row.task.selection),
            box_words(each.row.task.problem),
            each.row.state.status.value,
            _duration(each.seconds),
            f"{each.row.state.deaths:,}",
        )
        for each in work.oldest
    ]
    return "What waits longest", head, rows


def _refused(work: Work) -> Table:
    head = ("user", "messages", "why, the last time", "when")
    rows = [(each.user, f"{each.count:,}", each.words, _time(each.last)) for each in work.refused]
    return "What was refused", head, rows


def _table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f'<table class="work"><caption>{html.escape(caption)}</caption>'
    cells = "".join(f'<th scope="col">{html.escape(word)}</th>' for word in head)
    yield f"<thead><tr>{cells}</tr></thead><tbody>"
    for first, *rest in rows:
        cells = "".join(f"<td>{html.escape(word)}</td>" for word in rest)
        yield f'<tr><th scope="row">{html.escape(first)}</th>{cells}</tr>'
    yield "</tbody></table>"


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _duration(seconds: float) -> str:
    """Return a duration in words.

    >>> [_duration(s) for s in (5, 90, 7300, 200_000)]
    ['5 s', '90 s', '122 min', '56 h']
    """
    for limit, size, unit in ((120, 1, "s"), (7500, 60, "min")):
        if seconds < limit:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds / 3600:.0f} h"
