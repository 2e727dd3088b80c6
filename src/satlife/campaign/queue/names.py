"""The names of a campaign's streams and subjects.

Every campaign on a broker shares the same three stores, so that the permissions of a worker are
the same for all of them; the campaign is a word of the subject.

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
"""The bucket of the object store; its stream has the prefix that the format asks for."""
PROOF_STREAM = f"OBJ_{PROOFS}"
WORKERS = "workers"
"""The one consumer that all workers share."""

LEAF_SUBJECT = "satlife.next"
"""Where workers behind a leaf node ask for tasks: such a server passes no $JS.API on."""

LEASE_HEADER = "Satlife-Lease"
"""How long, in seconds, a worker has a task without saying that it is still at it."""

_WORKER = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", re.ASCII)
_LONGEST_WORKER = 100


def campaign_word(plan_name: str) -> str:
    """The word for a plan in subjects: the beginning of its hash."""
    return plan_name[:16]


def recorder_consumer(campaign: str) -> str:
    """The consumer by which a campaign's recorder gets its results."""
    return f"recorder-{campaign}"


def task_subject(campaign: str, name: str, turn: int, deaths: int) -> str:
    """Where a task is published; another round, or a try after a death, is another subject."""
    return f"satlife.task.{campaign}.{name}.{turn}.{deaths}"


def read_task_subject(subject: str) -> tuple[str, str, int]:
    """Return campaign, name and round."""
    _, _, campaign, name, turn, *_ = subject.split(".")
    return campaign, name, int(turn)


def result_subject(campaign: str, worker: str) -> str:
    """Where a worker publishes; permissions can tie a user to his own name."""
    return f"satlife.result.{campaign}.{check_worker(worker)}"


def read_result_subject(subject: str) -> tuple[str, str]:
    """Return campaign and worker."""
    _, _, campaign, worker = subject.split(".", 3)
    return campaign, worker


def control_subject(campaign: str) -> str:
    """Where the recorder tells workers what they need not go on with."""
    return f"satlife.control.{campaign}"


def recorder_subject(campaign: str) -> str:
    """Where the recorder answers that it is there."""
    return f"satlife.recorder.{campaign}"


def check_worker(name: str) -> str:
    """Return the name if it can be one."""
    if not _WORKER.fullmatch(name) or len(name) > _LONGEST_WORKER:
        raise UsageError(
            f"{name!r} is no name for a worker: letters, digits, - and _, in parts joined by dots, "
            f"at most {_LONGEST_WORKER} characters, such as alice.desk"
        )
    return name
