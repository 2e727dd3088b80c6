"""The state machine of a task, pure: an event comes in, a new state and instructions come out.

It uses no clock, file, database or queue.  These invariants hold wherever events come from, and in
whatever order:

- An answer (found, impossible) stays.  Only its evidence may grow: an implied answer gets its own
  evidence, a claim is certified.
- The first answer counts, whichever worker gives it, even after the lease has passed to another.  A
  second answer changes nothing.
- Found and impossible for one task is a contradiction: it raises an :class:`Alarm` and leaves a
  permanent mark.  A pattern has been simulated, so it overrides every impossibility, even one with
  a checked proof: a forged certificate must not hide a find.  A find that is implied overrides what
  is claimed or implied, but not a checked proof; otherwise the first answer stays.
- A task that asks for an exact box is found when its box is, by a pattern of any size, and
  impossible when its own part is.  Both may be true.  So a find in a smaller box (``elsewhere``)
  contradicts no impossibility; an implied one leaves it as it is.
- The third death or failure (``most_deaths``) ends a task, with its log.
- An unchecked answer (impossible, undecided or failed) counts only when enough users give it
  (``Task.quorum``).  Until then it is a vote, and the task is queued for others; a user has one
  vote of each kind.  Where proofs are required, an impossibility without one is kept as a claim,
  and the task stays queued.  Only a user who claims it again, or the operator's own machine (the
  holder of a recorded lease), counts as having given it up.
- A task that was split waits for its cases, unless it is answered as a whole.  It is impossible
  when all of them are, certified if all of them are certified.
- A split that brings a pattern counts at once, whichever worker made it, and takes back an
  impossibility: the pattern has been simulated, and a split needs no trust.  The answers to its
  cases are votes like any others; a case has the quorum of its task.

The status of a task after each event, by its status before.  A task that is impossible is claimed
or proved; one worker is enough, no proof is required, the third death is far, and the event is of
the same round.  A dot stands for no change, ``!`` for an alarm::

                         qu   le   sp   un   fa   cl   pr   fo   dr
    queued               .    .    .    .    .    .    .    .    qu
    leased               le   le   .    .    .    .    .    .    .
    released             .    qu   .    .    .    .    .    .    .
    died, failed         qu   qu   .    .    .    .    .    .    .
    undecided            un   un   .    .    .    .    .    .    .
    split                sp   sp   .    .    .    .    .    .    .
    found                fo   fo   fo   fo   fo   fo!  fo!  .    fo
    claimed              cl   cl   cl   cl   cl   .    .    fo!  cl
    certified            pr   pr   pr   pr   pr   pr   .    fo!  pr
    implied: found       fo   fo   fo   fo   fo   fo!  pr!  .    fo
    implied: impossible  cl   cl   cl   cl   cl   .    .    fo!  cl
    joined: impossible   cl   cl   cl   cl   cl   .    .    fo!  cl
    joined: undecided    .    .    un   .    .    .    .    .    .
    dropped              dr   dr   dr   .    .    .    .    .    .
    retried              .    .    .    qu   qu   .    .    .    .
    revoked              qu   qu   sp   qu   qu   qu   .    .    .

>>> from satlife.campaign.messages import Task
>>> from satlife import still_life
>>> task = Task(problem=still_life(box="3x3"))
>>> queued = advance(None, QueuedEvent(task))
>>> queued.state.status, queued.instructions == (Publish(task.name),)
(<Status.QUEUED: 'queued'>, True)
>>> advance(queued.state, ClaimedEvent(task.name, "anna", 0)).state.status
<Status.IMPOSSIBLE: 'impossible'>
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from satlife.campaign.cases import has_pattern
from satlife.campaign.core.events import (
    FINAL,
    RUNNING,
    CertifiedEvent,
    ClaimedEvent,
    DiedEvent,
    DroppedEvent,
    Event,
    FailedEvent,
    FoundEvent,
    ImpliedEvent,
    JoinedEvent,
    LeasedEvent,
    QueuedEvent,
    ReleasedEvent,
    RetriedEvent,
    RevokedEvent,
    SplitEvent,
    Status,
    UndecidedEvent,
)
from satlife.campaign.core.votes import Vote, add_vote, count_votes, list_voters, name_user
from satlife.campaign.messages import Task, Terms
from satlife.errors import UsageError

# Instructions to the driver after an event.


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


MOST_DEATHS = 3
"""Deaths and failures that end a task."""
_Reported = ReleasedEvent | DiedEvent | FailedEvent | ClaimedEvent | UndecidedEvent | SplitEvent


class TaskState(msgspec.Struct, frozen=True):
    """The state of a task: everything that the effect of its next event depends on."""

    status: Status
    certified: bool = False
    """Whether it is impossible and the recorder has checked a proof."""
    round: int = 0
    deaths: int = 0
    """Deaths and failures in this round."""
    worker: str = ""
    """The worker that has the task, or that reported its status."""
    implied_by: str | None = None
    """The task from whose answer this one follows; None if it has its own answer."""
    contradicted: bool = False
    """Whether it was reported both found and impossible."""
    votes: str = ""
    """Unchecked answers and their users; see :mod:`satlife.campaign.core.votes`."""
    quorum: int = 1
    """The number of users who must agree."""
    prove: bool = False
    """Whether an impossibility counts only with a proof."""
    children: int = 0
    """The number of cases into which it was split."""
    parent: str = ""
    """The task of which it is a case."""
    elsewhere: bool = False
    """Whether it asks for an exact box, and the find is in a smaller one, so that the exact box may
    be impossible."""

    @property
    def needs_votes(self) -> bool:
        """Whether one user's answer is not enough."""
        return self.quorum > 1

    def keep_votes(self, task: Task) -> Task:
        """Return the task with the quorum that it has in this state."""
        return replace(task, quorum=self.quorum)

    @property
    def tries(self) -> int:
        """The number of attempts without an answer in this round."""
        return self.deaths + count_votes(self.votes)

    @property
    def claimants(self) -> list[str]:
        """The users who claim that it is impossible, while the claim does not count."""
        return list_voters(self.votes, Vote.CLAIMED)

    def rests_on(self, user: str) -> bool:
        """Whether it rests on this user's claim."""
        is_unchecked = self.status in (Status.IMPOSSIBLE, Status.UNDECIDED, Status.FAILED)
        is_own = is_unchecked and not self.certified and self.implied_by is None
        is_theirs = is_own and bool(self.worker) and name_user(self.worker) == user
        return is_theirs or (self.status is not Status.FOUND and user in list_voters(self.votes))


_TERMS = tuple(name for name in TaskState.__struct_fields__ if name in Terms.__struct_fields__)
"""The terms of a task that its state depends on."""


def _terms(asked: Task | TaskState) -> dict[str, Any]:
    return {name: getattr(asked, name) for name in _TERMS}


class Transition(msgspec.Struct, frozen=True):
    """The effect of an event."""

    state: TaskState
    changed: bool
    """Whether the state has changed; if not, the event need not be kept."""
    instructions: tuple[Instruction, ...] = ()


def advance(state: TaskState | None, event: Event, *, most_deaths: int = MOST_DEATHS) -> Transition:
    """Return the transition of a state by an event; None is the state of an unknown task."""
    if state is None:
        return _begin(event)
    return _RULES[type(event)](state, event, most_deaths)


def _begin(event: Event) -> Transition:
    task = getattr(event, "task", None)
    if task is None:
        raise UsageError(f"there is no task {event.name}: it was never queued")
    begun = TaskState(Status.QUEUED, round=task.round, parent=task.parent, **_terms(task))
    if isinstance(event, ImpliedEvent):
        return Transition(
            replace(
                begun, status=event.status, implied_by=event.by, elsewhere=_is_elsewhere(event)
            ),
            True,
        )
    return Transition(begun, True, (Publish(task.name),))


def _keep(state: TaskState, *_: object) -> Transition:
    return Transition(state, False)


def _queue(state: TaskState, event: QueuedEvent, _: int) -> Transition:
    task = event.task
    is_other = _terms(task) != _terms(state)
    if state.status is not Status.DROPPED and not (state.status in RUNNING and is_other):
        return _keep(state)
    asked = replace(state, status=Status.QUEUED, worker="", **_terms(task))
    if state.status is Status.DROPPED:
        asked = replace(asked, round=max(state.round, task.round), deaths=0, children=0)
    return Transition(asked, True, (Publish(event.name),))


def _drop(state: TaskState, event: DroppedEvent, _: int) -> Transition:
    if state.status not in (*RUNNING, Status.SPLIT):
        return _keep(state)
    return Transition(
        replace(state, status=Status.DROPPED, worker=""), True, (Withdraw(event.name),)
    )


def _retry(state: TaskState, event: RetriedEvent, _: int) -> Transition:
    if state.status not in (Status.UNDECIDED, Status.FAILED) or event.task.round <= state.round:
        return _keep(state)
    return _queue_again(state, event)


def _revoke(state: TaskState, event: RevokedEvent, _: int) -> Transition:
    """Take back unchecked answers; a pattern or a checked proof stays."""
    is_map = event.task.every and bool(event.task.cases)  # a find in it does not complete it
    is_checked = state.certified or (state.status is Status.FOUND and not is_map)
    if is_checked or state.status is Status.DROPPED or event.task.round <= state.round:
        return _keep(state)
    step = _queue_again(state, event)
    return Transition(step.state, True, (Withdraw(event.name), *step.instructions))


def _queue_again(state: TaskState, event: RetriedEvent | RevokedEvent) -> Transition:
    """Queue a task again, or wait for its cases again."""
    task = event.task
    again = replace(
        state,
        status=Status.SPLIT if state.children and task.cases else Status.QUEUED,
        round=task.round,
        deaths=0,
        worker="",
        implied_by=None,
        elsewhere=False,
        votes="",
        **_terms(task),
    )
    return Transition(again, True, () if again.status is Status.SPLIT else (Publish(event.name),))


def _lease(state: TaskState, event: LeasedEvent, _: int) -> Transition:
    if state.status not in RUNNING or event.round != state.round:
        return _keep(state)
    leased = replace(state, status=Status.LEASED, worker=event.worker)
    return Transition(leased, leased != state)


def _release(state: TaskState, event: ReleasedEvent, _: int) -> Transition:
    holds = _holds(state, event)
    return Transition(replace(state, status=Status.QUEUED, worker="") if holds else state, holds)


def _holds(state: TaskState, event: _Reported) -> bool:
    holds = state.status is Status.LEASED and event.worker == state.worker
    return holds and event.round == state.round


def _fail(state: TaskState, event: DiedEvent | FailedEvent, most_deaths: int) -> Transition:
    """Count a death of the worker that has the task; of any worker if leases are not recorded."""
    is_unleased = state.status is Status.QUEUED and event.round == state.round
    if not (is_unleased or _holds(state, event)):
        return _keep(state)
    dead = replace(
        state,
        status=Status.QUEUED,
        worker="",
        deaths=min(state.deaths + 1, most_deaths),
        votes=_vote(state, Vote.FAILED, event.worker),
    )
    if dead.deaths < most_deaths or not _is_enough(dead, Vote.FAILED):
        # A second failure of the same user changes nothing.
        return Transition(dead, True, (Publish(event.name),)) if dead != state else _keep(state)
    failed = replace(dead, status=Status.FAILED, worker=event.worker)
    return Transition(failed, True, (Poison(event.name, event.log),))


def _give_up(state: TaskState, event: UndecidedEvent | SplitEvent, _: int) -> Transition:
    if state.status not in RUNNING or event.round != state.round:
        return _keep(state)
    if isinstance(event, UndecidedEvent):
        voted = replace(state, votes=_vote(state, Vote.UNDECIDED, event.worker))
        return _give_up_or_requeue(state, voted, event, Vote.UNDECIDED)
    # Splitting is not giving up, but giving up supports a split.
    voted = replace(state, votes=_vote(state, Vote.SPLIT, event.worker))
    return _give_up_or_requeue(state, voted, event, Vote.SPLIT, Vote.UNDECIDED)


def _give_up_or_requeue(
    state: TaskState, voted: TaskState, event: _Reported, *kinds: Vote
) -> Transition:
    """Give a task up if enough users have voted for it; otherwise queue it for others."""
    if not _is_enough(voted, *kinds):
        return _requeue(state, voted, event.name)
    undecided = replace(voted, status=Status.UNDECIDED, worker=event.worker)
    return Transition(undecided, True, _withdrawal(state, event.name, event.worker))


def _requeue(state: TaskState, voted: TaskState, name: str) -> Transition:
    """Queue a task for others after a new vote; a vote that was there before changes nothing."""
    if voted.votes == state.votes:
        return _keep(state)
    return Transition(replace(voted, status=Status.QUEUED, worker=""), True, (Publish(name),))


def _split(state: TaskState, event: SplitEvent, _: int) -> Transition:
    """Wait for the cases, if enough users have voted for a split."""
    split: Any = {"status": Status.SPLIT, "children": len(event.task.cases)}
    if has_pattern(event.task.cases):
        is_late = state.status in (Status.FOUND, Status.SPLIT, Status.DROPPED)
        found = replace(state, **split)
        return _keep(state) if is_late else _overrule(state, found, event, "found in a region")
    step = _give_up(state, event, 0)
    if step.state.status is not Status.UNDECIDED or not step.changed:
        return step
    return Transition(replace(step.state, **split), True, step.instructions)


def _join(state: TaskState, event: JoinedEvent, _: int) -> Transition:
    if event.status is Status.UNDECIDED or (state.prove and not event.certified):
        waits = state.status is Status.SPLIT
        return Transition(
            replace(state, status=Status.UNDECIDED, worker="") if waits else state, waits
        )
    if state.status is Status.FOUND:
        return _deny(state, event.name, "found, and all of its cases are impossible")
    if state.status is Status.IMPOSSIBLE and (state.certified or not event.certified):
        return _keep(state)
    return _refute(state, event.name, "", certified=event.certified)


def _find(state: TaskState, event: FoundEvent, _: int) -> Transition:
    is_own = state.status is Status.FOUND and state.implied_by is None
    if is_own and (event.elsewhere or not state.elsewhere):
        return _keep(state)
    found = replace(state, status=Status.FOUND, elsewhere=event.elsewhere)
    return _overrule(state, found, event, "found")


def _overrule(
    state: TaskState, found: TaskState, event: FoundEvent | SplitEvent, how: str
) -> Transition:
    """Replace any other answer by a pattern; a contradiction leaves its mark."""
    found = replace(found, certified=False, worker=event.worker, implied_by=None)
    more = _withdrawal(state, event.name, event.worker)
    if found.elsewhere:
        return Transition(found, True, more)
    if state.status is Status.IMPOSSIBLE:
        said = "certified as impossible" if state.certified else "impossible"
        liars = state.worker or "implication"
    elif state.claimants:
        said, liars = "claimed to be impossible", ", ".join(state.claimants)
    else:
        return Transition(found, True, more)
    step = _override(state, found, event.name, f"{said} by {liars}, {how} by {event.worker}")
    return Transition(step.state, True, (*step.instructions, *more))


def _certify(state: TaskState, event: CertifiedEvent, _: int) -> Transition:
    if state.status is Status.FOUND:
        return _deny(state, event.name, f"found, certified as impossible by {event.worker}")
    if state.status is Status.IMPOSSIBLE and state.certified:
        return _keep(state)
    return _refute(state, event.name, event.worker, certified=True)


def _claim(state: TaskState, event: ClaimedEvent, _: int) -> Transition:
    if state.status is Status.FOUND:
        return _deny(state, event.name, f"found, claimed to be impossible by {event.worker}")
    voted = replace(state, votes=_vote(state, Vote.CLAIMED, event.worker))
    counts = not state.prove and _is_enough(voted, Vote.CLAIMED)
    is_known = state.status is Status.IMPOSSIBLE and (state.implied_by is None or not counts)
    is_late = state.status in RUNNING and not counts and event.round != state.round
    if is_known or is_late:
        return _keep(state)
    if counts:
        return _refute(voted, event.name, event.worker, certified=False)
    if state.status not in RUNNING:
        return Transition(voted, voted != state)
    if state.prove and (voted.votes == state.votes or _holds(state, event)):
        # A worker that has no proof, and will have none, has given up.
        voted = replace(voted, votes=_vote(voted, Vote.UNDECIDED, event.worker))
        return _give_up_or_requeue(state, voted, event, Vote.UNDECIDED)
    return _requeue(state, voted, event.name)


def _refute(state: TaskState, name: str, worker: str, *, certified: bool) -> Transition:
    refuted = replace(
        state, status=Status.IMPOSSIBLE, certified=certified, worker=worker, implied_by=None
    )
    return Transition(refuted, True, _withdrawal(state, name, worker))


def _vote(state: TaskState, vote: Vote, worker: str) -> str:
    """Add a user's vote; if one is enough, only a claim that lacks the required proof."""
    if not state.needs_votes and not (state.prove and vote is Vote.CLAIMED):
        return state.votes
    return add_vote(state.votes, vote, worker)


def _is_enough(voted: TaskState, *kinds: Vote) -> bool:
    return not voted.needs_votes or len(list_voters(voted.votes, *kinds)) >= voted.quorum


def _imply(state: TaskState, event: ImpliedEvent, _: int) -> Transition:
    if state.status in FINAL:
        if state.status == event.status or state.elsewhere or _is_elsewhere(event):
            return _keep(state)
        words = f"{state.status}, implied to be {event.status} by {event.by}"
        if event.status is Status.FOUND and not state.certified:
            found = replace(state, status=Status.FOUND, implied_by=event.by, worker="")
            return _override(state, found, event.name, words)
        return _contradict(state, event.name, words)
    implied = replace(
        state,
        status=event.status,
        implied_by=event.by,
        worker="",
        elsewhere=_is_elsewhere(event),
    )
    return Transition(implied, True, (Withdraw(event.name),) if state.status in RUNNING else ())


def _is_elsewhere(event: ImpliedEvent) -> bool:
    """Whether an exact box is found because a smaller box is."""
    is_exact = event.task is not None and event.task.exact is not None
    return is_exact and event.status is Status.FOUND


def _withdrawal(state: TaskState, name: str, worker: str) -> tuple[Instruction, ...]:
    """Stop the task elsewhere if the answer did not come from the holder of the lease."""
    passed_on = state.status is Status.LEASED and state.worker != worker
    requeued = state.status is Status.QUEUED and state.deaths > 0
    return (Withdraw(name),) if passed_on or requeued else ()


def _override(state: TaskState, found: TaskState, name: str, words: str) -> Transition:
    """Replace an impossibility by a find; the contradiction leaves its mark."""
    alarms = () if state.contradicted else (Alarm(name, words),)
    return Transition(replace(found, contradicted=True), True, alarms)


def _deny(state: TaskState, name: str, words: str) -> Transition:
    """Keep a find that is called impossible; a contradiction, unless it fits a smaller box."""
    return _keep(state) if state.elsewhere else _contradict(state, name, words)


def _contradict(state: TaskState, name: str, words: str) -> Transition:
    if state.contradicted:
        return _keep(state)
    return Transition(replace(state, contradicted=True), True, (Alarm(name, words),))


_RULES: dict[type[Any], Callable[[TaskState, Any, int], Transition]] = {
    QueuedEvent: _queue,
    DroppedEvent: _drop,
    RetriedEvent: _retry,
    RevokedEvent: _revoke,
    LeasedEvent: _lease,
    ReleasedEvent: _release,
    DiedEvent: _fail,
    FailedEvent: _fail,
    UndecidedEvent: _give_up,
    FoundEvent: _find,
    ClaimedEvent: _claim,
    CertifiedEvent: _certify,
    ImpliedEvent: _imply,
    SplitEvent: _split,
    JoinedEvent: _join,
}
