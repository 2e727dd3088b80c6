"""Who holds which task: the dispatcher's decisions, pure.  Times come in as numbers of seconds.

- A user answers a task at most once in each of its rounds, so nobody votes twice.  Whoever has
  returned or lost it gets it again only after a while, so that others come first.
- Only the holder of a live lease can answer it, once.
- What one volunteer says and nobody can check (given up, failed, impossible without a proof) is
  passed on to a recorder that asks for no quorum only when enough different users have said it.

>>> desk = Desk(Quota(tasks=4, hold=60.0))
>>> offer = Offer("c0ffee", "5fef", 0, b"{}", "reply", 30.0)
>>> lease = desk.grant("eve", "eve.laptop", offer, now=0.0)
>>> desk.may_have("eve", offer, now=1.0), desk.may_have("anna", offer, now=1.0)
(False, True)
>>> desk.find("anna", lease.id)
Traceback (most recent call last):
satlife.campaign.cluster.dispatch.desk.RefusalError: you do not hold this lease
>>> desk.expire(now=31.0) == [lease]
True
"""

from __future__ import annotations

import math
import secrets
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

from satlife.campaign.cluster.dispatch.quota import Bucket, Quota, Standing
from satlife.campaign.messages import AnyResult, FoundResult, ImpossibleResult
from satlife.errors import UsageError

MOST_REMEMBERED = 200_000
"""Tasks of which the desk remembers who had them."""
BURST = 4.0
"""Seconds' worth of requests that may come at once."""
HOUR = 3600.0
ANSWERED = ("found", "proved", "withdrawn")
UNANSWERED = ("expired", "returned")
FUTILE = (*UNANSWERED, "undecided", "failed")
ANSWERS = ("found", "proved", "impossible", "split")
FEW = 5
"""Leases that may come to nothing without a word in the log."""
LATELY = 10.0
"""Seconds for which a user who has asked for tasks is expected to ask again."""


class RefusalError(UsageError):
    """A request that is not granted; its words go to the user and into the log."""

    def __init__(self, words: str, wait: float = 0.0) -> None:
        super().__init__(words)
        self.wait = wait
        """Seconds after which asking again may help."""


@dataclass(frozen=True)
class Offer:
    """A task from the queue."""

    campaign: str
    name: str
    round: int
    text: bytes = field(repr=False)
    """The task as JSON."""
    reply: str
    """Where the broker wants to hear what becomes of it."""
    silence: float
    quorum: int = 1
    prove: bool = False
    """Whether an impossibility counts only with a proof."""

    @property
    def key(self) -> tuple[str, str, int]:
        """What makes it the same task of the same round."""
        return self.campaign, self.name, self.round


@dataclass(eq=False)
class Lease:
    """A task that a user holds."""

    id: str
    user: str
    worker: str
    offer: Offer
    granted: float
    heard: float
    """When the holder last said that the work goes on."""
    hold: float

    def is_late(self, now: float) -> bool:
        """Whether it is lost: the holder was silent, or has had it for too long."""
        return now > self.heard + self.offer.silence or now > self.granted + self.hold


@dataclass
class User:
    """What the desk knows of one user."""

    standing: Standing
    requests: Bucket
    bytes: Bucket
    held: dict[str, Lease] = field(default_factory=dict)
    cooling: list[float] = field(default_factory=list)
    """Until when the places of leases that came to nothing are taken."""
    most: int = 0
    """The most tasks that the user has held at once."""
    asked: float = -HOUR
    """When the user last asked for tasks."""
    ended: Counter[str] = field(default_factory=Counter)
    """How the leases have ended."""

    @property
    def futile(self) -> str:
        """What became of the leases of a user who hardly ever answers; empty if there is none."""
        nothing = {how: count for how, count in self.ended.items() if how in FUTILE}
        count = sum(nothing.values())
        answers = sum(count for how, count in self.ended.items() if how in ANSWERS)
        if count < FEW or 4 * answers > count:
            return ""
        return ", ".join(f"{count} {how}" for how, count in sorted(nothing.items()))


@dataclass
class _Past:
    """What happened to a task in this round."""

    users: dict[str, float] = field(default_factory=dict)
    """Who has had it, and from when on they may have it again."""
    words: dict[str, dict[str, tuple[str, AnyResult]]] = field(default_factory=dict)
    """For each sort of answer that nobody can check: its users, and what they sent."""


class Desk:
    """The leases of all users."""

    def __init__(self, quota: Quota, quorum: int = 2) -> None:
        self.quota = quota
        self.quorum = quorum
        self.leases: dict[str, Lease] = {}
        self.users: dict[str, User] = {}
        self._by_task: dict[tuple[str, str, int], Lease] = {}
        self._past: OrderedDict[tuple[str, str, int], _Past] = OrderedDict()

    def user(self, name: str) -> User:
        """Return what is known of a user."""
        if name not in self.users:
            rate, most = self.quota.rate, self.quota.rate * BURST
            traffic = Bucket(self.quota.bytes / HOUR, self.quota.bytes)
            self.users[name] = User(Standing(), Bucket(rate, most), traffic)
        return self.users[name]

    def room(self, name: str, now: float) -> int:
        """Return how many more tasks a user may have now; raise an error if the user is barred."""
        user = self.user(name)
        if user.standing.is_barred:
            raise RefusalError("your answers were wrong too often; write to the operator")
        user.cooling = [until for until in user.cooling if until > now]
        taken = len(user.held) + len(user.cooling)
        return max(0, self.quota.places(user.standing) - taken)

    def may_have(self, name: str, offer: Offer, now: float) -> bool:
        """Whether a user has not answered this task in this round, or lost it just now."""
        past = self._past.get(offer.key)
        return past is None or past.users.get(name, now) <= now

    def is_wanted(self, offer: Offer, now: float) -> bool:
        """Whether somebody who has asked lately may have a task."""
        return any(
            now - user.asked < LATELY and self.may_have(name, offer, now)
            for name, user in self.users.items()
        )

    def holding(self, offer: Offer) -> Lease | None:
        """Return the lease of a task, if somebody has it."""
        return self._by_task.get(offer.key)

    def grant(
        self, name: str, worker: str, offer: Offer, now: float, lease: str | None = None
    ) -> Lease:
        """Lease a task to a user; ``lease`` names a lease from an earlier run."""
        lent = Lease(lease or secrets.token_hex(12), name, worker, offer, now, now, self.quota.hold)
        self.leases[lent.id] = self.user(name).held[lent.id] = lent
        self._by_task[offer.key] = lent
        self.user(name).most = max(self.user(name).most, len(self.user(name).held))
        self.remember(name, offer)
        return lent

    def remember(self, name: str, offer: Offer) -> None:
        """Note that a user has had a task."""
        self._recall(offer).users[name] = math.inf

    def find(self, name: str, lease: str) -> Lease:
        """Return a live lease of a user; raise an error if it is not theirs, or lost."""
        found = self.user(name).held.get(lease)
        if found is None:
            raise RefusalError("you do not hold this lease")
        return found

    def keep(self, name: str, leases: Iterable[str], now: float) -> list[str]:
        """Note that work goes on; return those that are not leases of this user any more."""
        held = self.user(name).held
        over = []
        for lease in leases:
            if lease in held:
                held[lease].heard = now
            else:
                over.append(lease)
        return over

    def end(self, lease: Lease, how: str, now: float) -> None:
        """End a lease; if it came to nothing, its place stays taken for a while."""
        user = self.user(lease.user)
        del self.leases[lease.id]
        del user.held[lease.id]
        self._by_task.pop(lease.offer.key, None)
        user.ended[how] += 1
        if how in UNANSWERED:
            self._recall(lease.offer).users[lease.user] = now + self.quota.again
        if how in ("expired", "failed"):
            user.standing = user.standing.judged(bad=1)
        if how not in ANSWERED and not (how == "impossible" and not lease.offer.prove):
            until = lease.granted + self.quota.cooling * (1 - user.standing.reputation)
            if until > now:
                user.cooling.append(until)

    def excuse(self, seconds: float) -> None:
        """Count nobody's silence for a time in which nobody could be heard."""
        for lease in self.leases.values():
            lease.heard += seconds

    def expire(self, now: float) -> list[Lease]:
        """End the leases that are late, and return them."""
        late = [lease for lease in self.leases.values() if lease.is_late(now)]
        for lease in late:
            self.end(lease, "expired", now)
        return late

    def judge(self, name: str, good: int = 0, bad: int = 0, lies: int = 0) -> Standing:
        """Add what became of a user's answers."""
        user = self.user(name)
        user.standing = user.standing.judged(good, bad, lies)
        return user.standing

    def weigh(self, lease: Lease, result: AnyResult) -> list[tuple[str, AnyResult]]:
        """Return the results to pass on, with their leases' names; none if others must say so too.

        A recorder whose task has a quorum counts by itself.
        """
        kind = sort_of(result)
        mine = (lease.id, result)
        if kind in ("found", "proved") or lease.offer.quorum >= self.quorum:
            return [mine]
        words = self._recall(lease.offer).words.setdefault(kind, {})
        words[lease.user] = mine
        return list(words.values()) if len(words) >= self.quorum else []

    def repeat(self, name: str, offer: Offer, lease: str, result: AnyResult) -> None:
        """Take a word from an earlier run, which waits for others like it."""
        self._recall(offer).words.setdefault(sort_of(result), {})[name] = (lease, result)

    def _recall(self, offer: Offer) -> _Past:
        past = self._past.setdefault(offer.key, _Past())
        self._past.move_to_end(offer.key)
        while len(self._past) > MOST_REMEMBERED:
            self._past.popitem(last=False)
        return past


def sort_of(result: AnyResult) -> str:
    """Return ``found``, ``proved``, ``impossible``, ``undecided`` or ``failed``."""
    if isinstance(result, FoundResult):
        return "found"
    if isinstance(result, ImpossibleResult):
        return "proved" if result.proof else "impossible"
    return str(type(result).__struct_config__.tag)
