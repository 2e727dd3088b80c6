"""Instructions: what the state machine wants done after an event."""

from __future__ import annotations

import msgspec


class Publish(msgspec.Struct, frozen=True, tag=True):
    """Put the task into the queue."""

    name: str


class Withdraw(msgspec.Struct, frozen=True, tag=True):
    """Stop the task: it is queued or with another worker, and its answer is no longer needed."""

    name: str


class Poison(msgspec.Struct, frozen=True, tag=True):
    """The task has failed too often: take it out of the queue and show its log."""

    name: str
    log: str


class Alarm(msgspec.Struct, frozen=True, tag=True):
    """Two answers to one task contradict each other: a person must look at it."""

    name: str
    words: str


Instruction = Publish | Withdraw | Poison | Alarm
