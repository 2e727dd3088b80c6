"""The dispatcher's decisions, pure: leases, quorums and quotas.  Times are numbers of seconds.

- A user answers a task at most once in each of its rounds, so no user votes twice.  A user who
  returned or lost it gets it again only after a while, so that others come first.
- Only the holder of a live lease can answer it, once.
- An answer that cannot be checked (given up, split, failed, impossible without a proof) is passed
  on to a recorder that asks for no quorum only when enough different users agree: see
  :func:`agree`.

>>> desk = Desk(Quota(tasks=4, hold=60.0))
>>> offer = Offer("c0ffee", "5fef", 0, b"{}", "reply", 30.0)
>>> lease = desk.grant("eve", "eve.laptop", offer, now=0.0)
>>> desk.may_have("eve", offer, now=1.0), desk.may_have("anna", offer, now=1.0)
(False, True)
>>> desk.find("anna", lease.id)
Traceback (most recent call last):
satlife.cluster.dispatch.desk.RefusalError: you do not hold this lease
>>> desk.expire(now=31.0) == [lease]
True

A :class:`Quota` limits each user, scaled by reputation.  The reputation of a user is the share of
good answers among those that were judged, starting from one good and one bad:

>>> new, honest, liar = Standing(), Standing(good=98), Standing(good=1, lies=1)
>>> new.reputation, honest.reputation, round(liar.reputation, 2)
(0.5, 0.99, 0.09)

It is the fraction of the quota of tasks that the user may hold at once; and a lease without an
answer keeps its place for some seconds, fewer with a better reputation.  After three lies, the user
gets no more tasks until the operator forgives them.

>>> quota = Quota(tasks=64)
>>> [quota.places(standing) for standing in (new, honest, liar)]
[32, 63, 5]
>>> Standing(lies=3).is_barred
True
"""

from __future__ import annotations

import dataclasses
import math
import secrets
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec
import numpy as np
from msgspec.structs import replace

from satlife.campaign.cases import MOST_REGIONS, USUAL_REST, find_rest, has_pattern
from satlife.campaign.messages import (
    LARGEST_MESSAGE,
    AnyResult,
    Case,
    FoundResult,
    ImpossibleResult,
    Region,
    Share,
    SplitResult,
    Task,
    Terms,
)
from satlife.errors import UsageError
from satlife.life.rulespaces import RuleSpace
from satlife.rulemaps.rulemap import Place, locate

# Agreement of volunteers: when their unchecked answers count.  Pure.
#
# A user has one answer to a task in each of its rounds. If the recorder asks for no quorum, answers
# are held back until enough users (the ``quorum``) agree:
# - Given up, failed, impossible: enough users have given the same answer.
# - Split into cases of cells or of rows: enough users have split it. The cases were checked to
#   cover the task and carry no answers, so any of the splits will do. Of splits by rows, the one
#   at the first level is taken: a liar may name a level that no search reaches.
# - A map, split into regions: regions carry answers, and two honest users hardly ever make the
#   same ones. So their answers are compared rule by rule. A pattern counts, whichever user has it:
#   it was simulated. A region counts as impossible if, for each of its rules, enough users say so
#   (in whatever regions, or of the whole map) and no user has a pattern. All other rules are
#   divided anew, and asked as separate tasks, which need as many users.
# - A split with a pattern in it is passed on instead of any answer that contradicts it.
#
# Of the users who agree on a rule, at least one is honest if fewer than ``quorum`` lie. So
# whatever the others say, nothing false is passed on.


Word = tuple[str, AnyResult]
"""The name of a lease, and the result that came for it."""
_MOST_BYTES: Final = LARGEST_MESSAGE * 3 // 4
"""Maximum size of the answered regions that are passed on; the others are asked again."""


def sort_of(result: AnyResult) -> str:
    """Return ``found``, ``proved``, ``impossible``, ``undecided``, ``split`` or ``failed``."""
    if isinstance(result, FoundResult):
        return "found"
    if isinstance(result, ImpossibleResult):
        return "proved" if result.proof else "impossible"
    return str(type(result).__struct_config__.tag)


def agree(words: Sequence[Word], quorum: int, task: Task | None = None) -> list[Word]:
    """Return the answers to pass on, given one from each user; none if more users must answer.

    ``task`` is needed if one of them is a split; splits must have been examined.
    """
    same: dict[str, list[Word]] = {}
    for word in words:
        same.setdefault(sort_of(word[1]), []).append(word)
    splits = [(lease, result) for lease, result in words if isinstance(result, SplitResult)]
    agreed = next((each for each in same.values() if len(each) >= quorum), [])
    if splits and task is not None and task.every:
        told = [split.cases for _, split in splits]
        cases, is_settled = _compare(task, told, len(same.get("impossible", ())), quorum)
        if is_settled or (agreed and (has_pattern(cases) or agreed is same["split"])):
            return [(lease, replace(split, cases=cases)) for lease, split in splits]
    return sorted(agreed, key=_level)


def _level(word: Word) -> int:
    """Return the level at which a search by rows is divided; 0 if it is not."""
    first = word[1].cases[0] if isinstance(word[1], SplitResult) else None
    return first.level if isinstance(first, Share) else 0


def _compare(
    task: Task, splits: Sequence[tuple[Case, ...]], others: int, quorum: int
) -> tuple[tuple[Case, ...], bool]:
    """Return the regions that splits of a map agree on, and whether all of them have an answer.

    ``others`` is the number of users who say that no rule has a pattern.
    """
    space = RuleSpace(task.problem.rule)
    claims = np.full((2,) * len(space.places), others, np.int32)
    found = np.zeros(claims.shape, bool)
    told: list[tuple[Region, Place]] = []
    for cases in splits:
        claimed = np.zeros(claims.shape, bool)
        for case in cases:
            if isinstance(case, Region) and (case.generations or case.is_impossible):
                told.append((case, locate(space, RuleSpace(case.rules))))
                (found if case.generations else claimed)[told[-1][1]] = True
        claims += claimed
    is_refuted = (claims >= quorum) & ~found
    is_settled = np.zeros(claims.shape, bool)
    kept: list[Region] = []
    size = 0
    for case, where in sorted(told, key=lambda each: not each[0].generations):
        counts = case.generations or is_refuted[where].all()
        if counts and not is_settled[where].all() and len(kept) < MOST_REGIONS - USUAL_REST:
            size += len(msgspec.json.encode(case))
            if size > _MOST_BYTES:
                break
            kept.append(case)
            is_settled[where] = True
    rest = find_rest(task.problem, [case.rules for case in kept])
    return (*kept, *rest), not rest


LIE = 20
"""Number of bad answers that a lie counts for."""
MOST_LIES = 3
FUTILE_CHECK = 600.0
"""Seconds of checking a proof without a verdict that count as a bad answer."""
LONG_AGO = 1000
"""Number of judged answers after which the old ones count half."""


@dataclass(frozen=True)
class Standing:
    """A user's record of good and bad answers."""

    good: float = 0
    bad: float = 0
    """Refused messages, failures, futile checks, and tasks that were never answered."""
    lies: int = 0
    """Patterns and proofs that fail their check, and impossibilities that were found."""

    @property
    def reputation(self) -> float:
        """A number between 0 and 1; a new user has one half."""
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
            now = dataclasses.replace(now, good=now.good / 2, bad=now.bad / 2)
        return now


@dataclass(frozen=True, kw_only=True)
class Quota:
    """Limits of one user, all of their machines together."""

    tasks: int = 64
    """Tasks held at once, for a user of perfect reputation."""
    bytes: int = 1_000_000_000
    """Bytes of answers and proofs per hour."""
    uploads: int = 16
    """Proofs of one campaign that are stored but not yet checked, at perfect reputation."""
    hold: float = 86_400.0
    """Seconds after which a task passes to others, even if its holder still works on it."""
    again: float = 600.0
    """Seconds until a user may have a returned or lost task again."""
    rate: float = 50.0
    """Requests per second; the rest is refused, with the time to wait."""
    cooling: float = 10.0
    """Seconds for which a lease without an answer keeps its place, at reputation 0."""

    def places(self, standing: Standing) -> int:
        """Return the number of tasks that a user may hold."""
        return max(1, int(self.tasks * standing.reputation)) if not standing.is_barred else 0

    def waiting(self, standing: Standing) -> int:
        """Return the number of a user's proofs that may wait to be checked, in each campaign."""
        return max(1, int(self.uploads * standing.reputation))


@dataclass
class Bucket:
    """A token bucket: tokens come at a steady rate up to a limit, and are spent.

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
        if not self.has(tokens, now):
            return False
        self._left -= tokens
        return True

    def has(self, tokens: float, now: float) -> bool:
        """Whether there are enough tokens."""
        if self._at is not None:
            self._left = min(self.most, self._left + self.rate * max(0.0, now - self._at))
        self._at = now
        return tokens <= self._left


MOST_REMEMBERED = 200_000
"""Tasks whose holders are remembered."""
BURST = 4.0
"""Size of a burst of requests, in seconds at the permitted rate."""
HOUR = 3600.0
ANSWERED = ("found", "proved", "withdrawn")
UNANSWERED = ("expired", "returned")
FUTILE = (*UNANSWERED, "undecided", "failed")
ANSWERS = ("found", "proved", "impossible", "split")
FEW = 5
"""Leases without an answer that are not worth a log message."""
LATELY = 30.0
"""Seconds for which a user who asked for tasks is expected to ask again."""


class RefusalError(UsageError):
    """A request that is refused; its message goes to the user and into the log."""

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
    """The broker's reply subject for the task."""
    silence: float
    terms: Terms = field(default_factory=Terms)
    avoid: tuple[str, ...] = ()
    """Users who are given the task only if nobody else asks for one."""

    @property
    def key(self) -> tuple[str, str, int]:
        """The identity of the task and its round."""
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
    """When the holder last reported that the work goes on."""
    hold: float
    is_restored: bool = False
    """Whether its holder has not been heard since a restart: its grant may never have arrived."""
    waits: bool = False
    """Whether it is answered, but the campaign cannot take the answer yet."""
    request: str = ""
    """The holder's name of the request that was given this lease."""

    def is_late(self, now: float) -> bool:
        """Whether the lease is lost: its holder was silent, or has had it for too long."""
        return now > self.heard + self.offer.silence or now > self.granted + self.hold


@dataclass
class User:
    """The desk's record of one user."""

    standing: Standing
    requests: Bucket
    bytes: Bucket
    held: dict[str, Lease] = field(default_factory=dict)
    cooling: list[float] = field(default_factory=list)
    """Until when the places of leases without an answer, and of futile checks, stay taken."""
    most: int = 0
    """The most tasks that the user has held at once."""
    asked: float = -HOUR
    """When the user last asked for tasks."""
    ended: Counter[str] = field(default_factory=Counter)
    """Number of leases by how they ended."""

    @property
    def futile(self) -> str:
        """A summary of the leases of a user who hardly ever answers; empty for any other user."""
        nothing = {how: count for how, count in self.ended.items() if how in FUTILE}
        count = sum(nothing.values())
        answers = sum(count for how, count in self.ended.items() if how in ANSWERS)
        if count < FEW or 4 * answers > count:
            return ""
        return ", ".join(f"{count} {how}" for how, count in sorted(nothing.items()))


@dataclass
class _Past:
    """The history of a task in this round."""

    users: dict[str, float] = field(default_factory=dict)
    """The users who have had the task, and from when on they may have it again."""
    words: dict[str, Word] = field(default_factory=dict)
    """Unchecked answers by user."""


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
        """Return the record of a user."""
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
        taken = sum(not lease.waits for lease in user.held.values()) + len(user.cooling)
        return max(0, self.quota.places(user.standing) - taken)

    def may_have(self, name: str, offer: Offer, now: float) -> bool:
        """Whether a user may have a task: not answered in this round, nor lost just now.

        A user whose claims it looks at again gets it only if no other who is present may have it.
        """
        if name in offer.avoid:
            others = self.list_present(now).difference(offer.avoid)
            if self.is_wanted(offer, others, now):
                return False
        past = self._past.get(offer.key)
        return past is None or past.users.get(name, now) <= now

    def list_present(self, now: float) -> set[str]:
        """Return the users who have asked for tasks lately."""
        return {name for name, user in self.users.items() if now - user.asked < LATELY}

    def is_wanted(self, offer: Offer, present: set[str], now: float) -> bool:
        """Whether one of the users who are present may have a task."""
        past = self._past.get(offer.key)
        if past is None or not present <= past.users.keys():
            return bool(present)
        return any(past.users[name] <= now for name in present)

    def holding(self, offer: Offer) -> Lease | None:
        """Return the lease of a task, if it is leased."""
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

    def restore(
        self, name: str, worker: str, offer: Offer, now: float, lease: str, age: float
    ) -> None:
        """Take up a lease from an earlier run."""
        lent = self.grant(name, worker, offer, now, lease)
        lent.granted, lent.is_restored = now - age, True

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
        """Note that work goes on; return those that are no longer leases of this user."""
        held = self.user(name).held
        over = []
        for lease in leases:
            if lease in held:
                held[lease].heard = now
                held[lease].is_restored = False
            else:
                over.append(lease)
        return over

    def end(self, lease: Lease, how: str, now: float) -> None:
        """End a lease; if it has no answer, its place stays taken for a while."""
        user = self.user(lease.user)
        del self.leases[lease.id]
        del user.held[lease.id]
        self._by_task.pop(lease.offer.key, None)
        user.ended[how] += 1
        is_unheard = how == "expired" and lease.is_restored
        if how in UNANSWERED:
            away = 0.0 if is_unheard else self.quota.again
            self._recall(lease.offer).users[lease.user] = now + away
        if how in ("expired", "failed") and not is_unheard:
            user.standing = user.standing.judged(bad=1)
        if how not in ANSWERED and not (how == "impossible" and not lease.offer.terms.prove):
            until = lease.granted + self.quota.cooling * (1 - user.standing.reputation)
            if until > now:
                user.cooling.append(until)

    def excuse(self, seconds: float) -> None:
        """Do not count a time in which no user could be heard as their silence."""
        for lease in self.leases.values():
            lease.heard += seconds

    def expire(self, now: float) -> list[Lease]:
        """End the leases that are late, and return them."""
        late = [lease for lease in self.leases.values() if lease.is_late(now)]
        for lease in late:
            self.end(lease, "expired", now)
        return late

    def judge(self, name: str, good: int = 0, bad: int = 0, lies: int = 0) -> Standing:
        """Add verdicts on a user's answers; return the new standing."""
        user = self.user(name)
        user.standing = user.standing.judged(good, bad, lies)
        return user.standing

    def charge(self, name: str, seconds: float, now: float) -> int:
        """Charge a user for checks of proofs that came to nothing; return the bad answers.

        A place in the quota stays taken for as long again, so that whoever keeps our checkers busy
        gets no more tasks than the checks of one after the other allow.
        """
        self.user(name).cooling.append(now + seconds)
        return math.ceil(seconds / FUTILE_CHECK)

    def weigh(
        self, lease: Lease, result: AnyResult, task: Task | None = None
    ) -> list[tuple[str, AnyResult]]:
        """Return the results to pass on, with their leases' names; none if more users must agree.

        A recorder whose task has a quorum counts votes itself.  A split needs its task.
        """
        mine = (lease.id, result)
        if sort_of(result) in ("found", "proved") or lease.offer.terms.quorum >= self.quorum:
            return [mine]
        self.repeat(lease.user, lease.offer, *mine)
        return agree(list(self._recall(lease.offer).words.values()), self.quorum, task)

    def has_split(self, offer: Offer) -> bool:
        """Whether one of the unchecked answers to a task is a split."""
        past = self._past.get(offer.key)
        words = past.words.values() if past is not None else ()
        return any(isinstance(result, SplitResult) for _, result in words)

    def repeat(self, name: str, offer: Offer, lease: str, result: AnyResult) -> None:
        """Take an answer, now or from an earlier run, that waits for a quorum."""
        words = self._recall(offer).words
        words.pop(name, None)
        words[name] = (lease, result)

    def _recall(self, offer: Offer) -> _Past:
        past = self._past.setdefault(offer.key, _Past())
        self._past.move_to_end(offer.key)
        while len(self._past) > MOST_REMEMBERED:
            self._past.popitem(last=False)
        return past
