"""The boxes of one question of a campaign, pure: which to try next, and which an answer settles.

Boxes are numbered, the cheap ones first, and kept as bit sets.  Choosing the next box takes a
logarithmic number of set operations, and no box is looked at twice.

>>> from satlife.campaign.plan.axes import read_boxes
>>> from satlife.campaign.plan.dominance import find_embedding
>>> from satlife.campaign.plan.question import Group, Question
>>> boxes = read_boxes(["1x1", "2x2", "3x3", "4x4"])
>>> group = Group(0, Question("still-life", "B3/S23", "p1"), boxes)
>>> frontier = Frontier(4, find_embedding(group))
>>> frontier.choose()
0
>>> frontier.take(0)
>>> frontier.settle(0, Status.IMPOSSIBLE), frontier.choose()
(0, 1)
>>> list(members(frontier.settle(1, Status.FOUND))), frontier.is_done
([2, 3], True)

A schedule needs no more than this of a question.  Other ways to divide a problem (into cases, into
probes) are other frontiers, whose answers settle each other in another way.

A set is written as spans of its members:

>>> write_set(0b10_0000_0111), read_set("0-2,9") == 0b10_0000_0111
('0-2,9', True)
"""

from __future__ import annotations

from collections.abc import Iterator

from satlife.campaign.core.events import FINAL, RUNNING, Status
from satlife.campaign.plan.dominance import Embedding


class Frontier:
    """The boxes of one question; a box is free, out, given up or final."""

    __slots__ = ("_all", "_blocked", "_embedding", "final", "given_up", "out", "undecided")

    def __init__(
        self,
        size: int,
        embedding: Embedding | None,
        *,
        final: int = 0,
        undecided: int = 0,
        given_up: int = 0,
    ) -> None:
        """Begin a question, or resume it."""
        self.final = final
        """Boxes with an answer."""
        self.undecided = undecided
        """Boxes that were given up at a limit."""
        self.given_up = given_up | undecided
        """Boxes that were given up or failed; another box may still settle them."""
        self.out = 0
        """Boxes that are being tried."""
        self._all = (1 << size) - 1
        self._blocked = 0
        self._embedding = embedding

    @property
    def is_done(self) -> bool:
        """Whether no box is free or out."""
        return self.final | self.given_up == self._all

    def choose(self) -> int | None:
        """Return the next box: the cheapest, or the middle one of those left after giving up."""
        free = self._all & ~(self.final | self.given_up | self.out | self._blocked)
        if not free:
            return None
        if self.undecided and self._embedding is not None and not self._embedding.sides:
            return select(free, free.bit_count() // 2)
        return (free & -free).bit_length() - 1

    def take(self, index: int) -> None:
        """Try a box; meanwhile its twins, the same box turned, are not chosen."""
        self.out |= 1 << index
        if self._embedding is not None:
            self._blocked |= self._embedding.twins(index)

    def settle(self, index: int, status: Status, *, is_sure: bool = True) -> int:
        """Take in an answer; return the boxes that it settles, which are final now.

        Queued means that the box is free again.  A doubtful answer settles nothing else.
        """
        bit = 1 << index
        if self.final & bit:
            return 0
        self._return(index)
        self.undecided &= ~bit
        self.given_up &= ~bit
        if status in RUNNING:
            return 0
        if status not in FINAL:
            self.given_up |= bit
            self.undecided |= bit if status is Status.UNDECIDED else 0
            return 0
        self.final |= bit
        if not is_sure or self._embedding is None:
            return 0
        find = self._embedding.above if status is Status.FOUND else self._embedding.refuted
        settled = find(index) & ~self.final
        self.final |= settled
        self.undecided &= ~settled
        self.given_up &= ~settled
        for each in members(settled & self.out):
            self._return(each)
        return settled

    def _return(self, index: int) -> None:
        self.out &= ~(1 << index)
        if self._embedding is not None:
            twins = self._embedding.twins(index)
            if not twins & self.out:
                self._blocked &= ~(twins | 1 << index)


def select(bits: int, rank: int) -> int:
    """Return the member of a set with this rank, by bisection.

    >>> [select(0b1011_0010, rank) for rank in range(4)]
    [1, 4, 5, 7]
    """
    first, width = 0, bits.bit_length()
    while width > 1:
        half = width // 2
        low = bits & ((1 << half) - 1)
        count = low.bit_count()
        if rank < count:
            bits, width = low, half
        else:
            bits, width, first, rank = bits >> half, width - half, first + half, rank - count
    return first


def members(bits: int) -> Iterator[int]:
    """Yield the members of a set, the smallest first.

    >>> list(members(0b1101))
    [0, 2, 3]
    """
    text = bin(bits)[:1:-1]
    index = text.find("1")
    while index >= 0:
        yield index
        index = text.find("1", index + 1)


def write_set(bits: int) -> str:
    """Return a set as spans of its members."""
    spans: list[list[int]] = []
    for index in members(bits):
        if spans and spans[-1][1] == index - 1:
            spans[-1][1] = index
        else:
            spans.append([index, index])
    return ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in spans)


def read_set(text: str) -> int:
    """Read a set; the inverse of :func:`write_set`."""
    bits = 0
    for span in text.split(",") if text else ():
        first, _, last = span.partition("-")
        bits |= (1 << (int(last or first) + 1)) - (1 << int(first))
    return bits
