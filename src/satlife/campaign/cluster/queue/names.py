"""The names of a campaign's streams and subjects.

All campaigns on a broker share three streams, so that a worker's permissions are the same for all
of them; the campaign is one word of the subject.

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
RESULTS = "satlife-results"
PROOFS = "satlife-proofs"
"""The bucket of the object store; the format requires a prefix for its stream."""
PROOF_STREAM = f"OBJ_{PROOFS}"
WORKERS = "workers"
"""The one consumer that all workers share."""

LEAF_SUBJECT = "satlife.next"
"""Where workers behind a leaf node request tasks: a leaf node does not forward $JS.API."""

LEASE_HEADER = "Satlife-Lease"
"""Seconds for which a worker keeps a task without saying that it is still working."""

_WORKER = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", re.ASCII)
_LONGEST_WORKER = 100


def campaign_word(plan_name: str) -> str:
    """Return the word for a plan in subjects: the beginning of its hash."""
    return plan_name[:16]


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
