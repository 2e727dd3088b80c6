"""The names of a campaign's streams and subjects.

All campaigns on a broker share the streams of tasks and of checks, so that a worker serves all of
them; only recorders can write there.  Results and proofs have streams of their own for each
campaign: what fills one does not stop the others, and what is sent to a campaign that is not there
is refused.

>>> task_subject("c0ffee", "5fef", 0, 1)
'satlife.task.c0ffee.5fef.0.1'
>>> read_task_subject("satlife.task.c0ffee.5fef.0.1")
('c0ffee', '5fef', 0)
>>> result_subject("c0ffee", "alice.desk")
'satlife.result.c0ffee.alice.desk'
>>> read_result_subject("satlife.result.c0ffee.alice.desk")
('c0ffee', 'alice.desk')
"""

from __future__ import annotations

import re

from satlife.errors import UsageError

TASKS = "satlife-tasks"
WORKERS = "workers"
"""The one consumer that all workers share."""

CHECKS = "satlife-checks"
CHECKERS = "checkers"
"""The one consumer that all checkers of proofs share."""

LEAF_SUBJECT = "satlife.next"
"""Where workers behind a leaf node request tasks: a leaf node does not forward $JS.API."""

LEASE_HEADER = "Satlife-Lease"
"""Seconds for which a worker keeps a task without saying that it is still working."""

_WORKER = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", re.ASCII)
_LONGEST_WORKER = 100


def campaign_word(plan_name: str, shard: str = "") -> str:
    """Return the word for a plan, or a shard of it, in subjects: the beginning of its hash.

    >>> campaign_word("c0ffee", "2of4")
    'c0ffee-2of4'
    """
    return f"{plan_name[:16]}-{shard}" if shard else plan_name[:16]


def results_stream(campaign: str) -> str:
    """Return the name of the stream of a campaign's results."""
    return f"satlife-results-{campaign}"


def proof_bucket(campaign: str) -> str:
    """Return the name of the object store of a campaign's proofs."""
    return f"satlife-proofs-{campaign}"


def proof_stream(campaign: str) -> str:
    """Return the name of the stream of that store; the format requires the prefix."""
    return f"OBJ_{proof_bucket(campaign)}"


def recorder_consumer(campaign: str) -> str:
    """Return the name of the consumer that delivers a campaign's results to its recorder."""
    return f"recorder-{campaign}"


def task_subject(campaign: str, name: str, turn: int, deaths: int) -> str:
    """Return the subject of a task; each round, and each try after a death, has its own."""
    return f"satlife.task.{campaign}.{name}.{turn}.{deaths}"


def read_task_subject(subject: str) -> tuple[str, str, int]:
    """Return campaign, name and round."""
    _, _, campaign, name, turn, *_ = subject.split(".")
    return campaign, name, int(turn)


def result_subject(campaign: str, worker: str) -> str:
    """Return the subject for a worker's results; permissions can tie a user to one name."""
    return f"satlife.result.{campaign}.{check_worker(worker)}"


def read_result_subject(subject: str) -> tuple[str, str]:
    """Return campaign and worker."""
    _, _, campaign, worker = subject.split(".", 3)
    return campaign, worker


def check_subject(campaign: str, proof: str) -> str:
    """Return the subject of a check, by the name of its proof."""
    return f"satlife.check.{campaign}.{proof}"


def checked_subject(campaign: str) -> str:
    """Return the subject on which checkers tell the recorder what they do and have found."""
    return f"satlife.checked.{campaign}"


def control_subject(campaign: str) -> str:
    """Return the subject on which the recorder tells workers what to stop."""
    return f"satlife.control.{campaign}"


def recorder_subject(campaign: str) -> str:
    """Return the subject on which the recorder answers that it is there."""
    return f"satlife.recorder.{campaign}"


def check_worker(name: str) -> str:
    """Return the name of a worker if it is valid."""
    if not _WORKER.fullmatch(name) or len(name) > _LONGEST_WORKER:
        raise UsageError(
            f"{name!r} is not a valid name for a worker: use letters, digits, - and _, in parts "
            f"joined by dots, at most {_LONGEST_WORKER} characters, for example alice.desk"
        )
    return name
