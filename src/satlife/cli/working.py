"""``satlife campaign status`` about the work: who, how fast, what is stuck, what was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from satlife.cli.durations import name_seconds

if TYPE_CHECKING:
    from satlife.campaign.ledger import Ledger

MOST_USERS = 8
MOST_REFUSED = 5
LONGEST = 60
"""Characters of a reason."""


def work_status(ledger: Ledger) -> dict[str, Any]:
    """Return who works, what waits longest and what was refused, as plain values."""
    import msgspec

    from satlife.campaign.operating.work import read_work
    from satlife.campaign.results import box_words, describe_question

    work = read_work(ledger)
    return {
        "report_age_seconds": work.age if work.report else None,
        "out": work.report.out if work.report and work.is_current else None,
        "users": msgspec.to_builtins(work.users),
        "refused": msgspec.to_builtins(work.refused),
        "oldest_open": [
            {
                "task": each.row.name,
                "question": describe_question(each.row.task.problem, each.row.task.selection),
                "box": box_words(each.row.task.problem),
                "status": each.row.state.status.value,
                "deaths": each.row.state.deaths,
                "seconds": each.seconds,
            }
            for each in work.oldest
        ],
    }


def work_rows(status: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return the lines of a table: a word, a number or name, and what there is to say."""
    from satlife.campaign.operating.work import STALE

    rows: list[tuple[str, ...]] = []
    age = status["report_age_seconds"]
    if age is not None and age >= STALE and (status["queued"] or status["leased"]):
        rows.append(("recorder", "silent", f"its last report is {name_seconds(age)} old"))
    if status["out"]:
        rows.append(("out", f"{status['out']:,}", "with the broker and its workers"))
    for user in status["users"][:MOST_USERS]:
        workers = f"{user['workers']:,} worker{'' if user['workers'] == 1 else 's'} lately"
        words = f"{user['rate']:.2f} answers per second, {user['answers']:,} in all; {workers}"
        rows.append(("works", user["user"], words))
    rows += _rest("works", len(status["users"]) - MOST_USERS, "users")
    for task in status["oldest_open"][:1]:
        died = f", {task['deaths']} failed attempts" if task["deaths"] else ""
        words = f"{task['question']} in {task['box']} is {task['status']}{died}"
        rows.append(("longest", name_seconds(task["seconds"]), words))
    for one in status["refused"][:MOST_REFUSED]:
        words = f"{one['count']:,}, the last: {one['words'][:LONGEST]}"
        rows.append(("refused", one["user"], words))
    rows += _rest("refused", len(status["refused"]) - MOST_REFUSED, "users")
    return rows


def _rest(word: str, count: int, what: str) -> list[tuple[str, ...]]:
    return [(word, "…", f"and {count:,} more {what}")] if count > 0 else []
