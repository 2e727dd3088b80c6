"""How much a user may have and do: quotas, reputation, and buckets of tokens.  Pure.

The reputation of a user is the share of good answers among those that were judged, as if each had
begun with one good and one bad:

>>> new, honest, liar = Standing(), Standing(good=98), Standing(good=1, lies=1)
>>> new.reputation, honest.reputation, round(liar.reputation, 2)
(0.5, 0.99, 0.09)

It is a part of the quota of tasks that the user may hold at once; and a lease that came to nothing
keeps its place for some seconds, fewer with a better reputation.  Three lies, and the user gets no
more tasks until the operator forgives them.

>>> quota = Quota(tasks=64)
>>> [quota.places(standing) for standing in (new, honest, liar)]
[32, 63, 5]
>>> Standing(lies=3).is_barred
True
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

LIE = 20
"""A lie counts as much as so many bad answers."""
MOST_LIES = 3
LONG_AGO = 1000
"""When so many answers have been judged, the old ones count half."""


@dataclass(frozen=True)
class Standing:
    """What is known of a user's answers."""

    good: float = 0
    bad: float = 0
    """Refused messages, failures, and tasks that were never answered."""
    lies: int = 0
    """Patterns that are none, proofs that prove nothing, impossibilities that were found."""

    @property
    def reputation(self) -> float:
        """Between 0 and 1; a new user has one half."""
        bad = self.bad + LIE * self.lies
        return (self.good + 1) / (self.good + bad + 2)

    @property
    def is_barred(self) -> bool:
        """Whether the user gets no more tasks."""
        return self.lies >= MOST_LIES

    def judged(self, good: int = 0, bad: int = 0, lies: int = 0) -> Standing:
        """Return the standing after more answers."""
        now = Standing(self.good + good, self.bad + bad, self.lies + lies)
        if now.good + now.bad > LONG_AGO:
            now = replace(now, good=now.good / 2, bad=now.bad / 2)
        return now


@dataclass(frozen=True, kw_only=True)
class Quota:
    """What one user may have and do, all of their machines together."""

    tasks: int = 64
    """Tasks held at once, for a user of perfect reputation."""
    bytes: int = 1_000_000_000
    """Bytes of answers and proofs in an hour."""
    uploads: int = 16
    """Proofs that are stored and not yet checked."""
    hold: float = 86_400.0
    """Seconds after which a task passes to others, whatever its holder says."""
    again: float = 600.0
    """Seconds until a user may have a task again that they have returned or lost."""
    rate: float = 50.0
    """Requests in a second; whoever sends many more is not heard for a while."""
    cooling: float = 10.0
    """Seconds for which a lease that came to nothing keeps its place, at reputation 0."""

    def places(self, standing: Standing) -> int:
        """Return how many tasks a user may hold."""
        return max(1, int(self.tasks * standing.reputation)) if not standing.is_barred else 0


@dataclass
class Bucket:
    """Tokens that come at a steady rate up to a limit, and are spent.

    >>> bucket = Bucket(rate=1.0, most=2.0)
    >>> [bucket.spend(1, now) for now in (0.0, 0.0, 0.0, 1.5, 1.5)]
    [True, True, False, True, False]
    """

    rate: float
    most: float
    _left: float = field(init=False)
    _at: float | None = None

    def __post_init__(self) -> None:
        self._left = self.most

    def spend(self, tokens: float, now: float) -> bool:
        """Spend tokens; return False, and spend none, if there are not enough."""
        if self._at is not None:
            self._left = min(self.most, self._left + self.rate * max(0.0, now - self._at))
        self._at = now
        if tokens > self._left:
            return False
        self._left -= tokens
        return True
