"""Shards: parts of a plan, each with a recorder and a ledger of its own, that share nothing.

A question belongs to one shard with all its boxes, because their answers follow from each other.
Which one depends on what it asks, not on its place in the plan.

>>> from satlife.campaign.plan import Plan
>>> plan = Plan.from_toml('''
... [[search]]
... kind = "oscillator"
... periods = "2..9"
... boxes = "3x3"
... ''')
>>> questions = plan.groups()
>>> marks = list(map(questions.mark, range(len(questions))))
>>> [sum(map(Shard(index, 2).holds, marks)) for index in (1, 2)]
[2, 6]
>>> str(Shard.parse("2/4")), Shard.parse("2/4").word
('2/4', '2of4')
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from satlife.errors import UsageError

if TYPE_CHECKING:
    from satlife.campaign.plan.plan import Plan

MOST_SHARDS: Final = 1000
_COUNTED: Final = 100_000
"""Questions of a plan whose part in a shard is counted; of a larger one it is estimated."""


@dataclass(frozen=True)
class Shard:
    """One of some parts of a plan, counted from 1."""

    index: int = 1
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read a shard as people write it, ``2/4``."""
        read = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text, re.ASCII)
        if read is None:
            raise UsageError(f"a shard is written 2/4, the second of four; got {text!r}")
        index, count = int(read[1]), int(read[2])
        if not 1 <= index <= count <= MOST_SHARDS:
            raise UsageError(f"there is no shard {text}: they are 1/N to N/N, N at most 1,000")
        return cls(index, count)

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"

    @property
    def is_whole(self) -> bool:
        """Whether there is only one."""
        return self.count == 1

    @property
    def word(self) -> str:
        """The shard in subjects and names of streams."""
        return "" if self.is_whole else f"{self.index}of{self.count}"

    def holds(self, mark: int) -> bool:
        """Whether the question with this mark belongs to this shard."""
        return mark % self.count == self.index - 1

    def size(self, plan: Plan) -> int:
        """Return the number of its tasks; of a plan with very many questions an estimate."""
        questions = plan.groups()
        if self.is_whole or len(questions) > _COUNTED:
            return plan.size() // self.count
        numbers = range(len(questions))
        return sum(len(questions[each]) for each in numbers if self.holds(questions.mark(each)))


WHOLE: Final = Shard()
"""All of a plan."""
