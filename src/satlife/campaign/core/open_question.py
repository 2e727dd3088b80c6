"""What a schedule holds of a question while tasks are taken from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from satlife.campaign.core.events import Status
from satlife.campaign.core.frontier import Frontier
from satlife.campaign.plan.question import Group


@dataclass(eq=False, slots=True)
class OpenQuestion:
    """A question that is being worked on."""

    number: int
    group: Group
    frontier: Frontier
    names: dict[int, str] = field(default_factory=dict)
    """The names of boxes that are out or were given up since it was opened."""
    version: int = 0
    is_asking: bool = False
    """Whether nothing is taken from it until its states have been looked up."""
    unsaid: int = 0
    """Boxes that were settled, and whose events have not been returned yet."""


@dataclass(slots=True)
class Settled:
    """Boxes that an answer settles."""

    question: OpenQuestion
    bits: int
    status: Status
    by: str
    rest: Iterator[int]
