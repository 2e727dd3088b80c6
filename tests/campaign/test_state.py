"""The state machine: each step, and the laws under any sequence of events."""

from __future__ import annotations

import typing

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satlife import still_life
from satlife.campaign.core import state as module
from satlife.campaign.core.events import (
    FINAL,
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
from satlife.campaign.core.state import (
    Alarm,
    Poison,
    Publish,
    TaskState,
    Transition,
    Withdraw,
    advance,
)
from satlife.campaign.messages import Budget, Task
from satlife.errors import UsageError

TASK = Task(problem=still_life(box="3x3"))
NAME = TASK.name
BLOCK = (("oo.", "oo.", "..."),)
ANNA, BERT = "anna", "bert"
EVENTS: tuple[type[Event], ...] = typing.get_args(Event)


def again(round_: int) -> RetriedEvent:
    return RetriedEvent(Task(problem=TASK.problem, budget=Budget(seconds=99), round=round_))


def found(worker: str = ANNA, round_: int = 0) -> FoundEvent:
    return FoundEvent(NAME, worker, round_, BLOCK, "xs4_33")


def certified(worker: str = ANNA) -> CertifiedEvent:
    return CertifiedEvent(NAME, worker, 0, "00", "satlife")


def run(*events: Event) -> Transition:
    """Let events happen to a new task; return the last step."""
    step = advance(None, QueuedEvent(TASK))
    for event in events:
        step = advance(step.state, event)
    return step


def after(*events: Event) -> TaskState:
    return run(*events).state


def test_a_task_lives_and_is_found() -> None:
    assert advance(None, QueuedEvent(TASK)) == Transition(
        TaskState(Status.QUEUED), True, (Publish(NAME),)
    )
    assert run(LeasedEvent(NAME, ANNA)) == Transition(TaskState(Status.LEASED, worker=ANNA), True)
    assert run(LeasedEvent(NAME, ANNA), found()) == Transition(
        TaskState(Status.FOUND, worker=ANNA), True
    )


def test_an_undecided_task_is_tried_for_longer() -> None:
    given_up = run(LeasedEvent(NAME, ANNA), UndecidedEvent(NAME, ANNA, 0))
    assert given_up.state.status is Status.UNDECIDED
    queued = advance(given_up.state, again(1))
    assert queued.state == TaskState(Status.QUEUED, round=1)
    assert queued.instructions == (Publish(NAME),)
    assert not advance(queued.state, again(1)).changed
    assert not advance(queued.state, UndecidedEvent(NAME, BERT, 0)).changed, "of the round before"
    assert advance(queued.state, found(round_=0)).state.status is Status.FOUND


def test_the_third_death_ends_a_task() -> None:
    death = DiedEvent(NAME, ANNA, 0, "out of memory")
    one = run(LeasedEvent(NAME, ANNA), death)
    assert (one.state, one.instructions) == (TaskState(Status.QUEUED, deaths=1), (Publish(NAME),))
    last = run(
        LeasedEvent(NAME, ANNA), death, LeasedEvent(NAME, BERT), FailedEvent(NAME, BERT), death
    )
    assert last.state == TaskState(Status.FAILED, deaths=3, worker=ANNA)
    assert last.instructions == (Poison(NAME, "out of memory"),)
    assert advance(last.state, again(1)).state == TaskState(Status.QUEUED, round=1)
    assert advance(last.state, found()).state.status is Status.FOUND


def test_the_number_of_deaths_can_be_chosen() -> None:
    queued = TaskState(Status.QUEUED)
    assert advance(queued, DiedEvent(NAME, ANNA), most_deaths=1).state.status is Status.FAILED


def test_the_death_of_one_whose_lease_passed_on_counts_nothing() -> None:
    assert not run(LeasedEvent(NAME, ANNA), LeasedEvent(NAME, BERT), DiedEvent(NAME, ANNA)).changed


def test_a_late_result_is_accepted_once() -> None:
    late = run(LeasedEvent(NAME, ANNA), LeasedEvent(NAME, BERT), found(ANNA))
    assert (late.state.status, late.instructions) == (Status.FOUND, (Withdraw(NAME),))
    assert not advance(late.state, found(BERT)).changed


def test_what_was_given_back_is_queued() -> None:
    step = run(LeasedEvent(NAME, ANNA), ReleasedEvent(NAME, ANNA))
    assert step == Transition(TaskState(Status.QUEUED), True)
    assert not run(
        LeasedEvent(NAME, ANNA), LeasedEvent(NAME, BERT), ReleasedEvent(NAME, ANNA)
    ).changed


def test_a_claim_can_be_certified_and_nothing_more() -> None:
    claim = after(ClaimedEvent(NAME, ANNA, 0))
    assert (claim.status, claim.certified) == (Status.IMPOSSIBLE, False)
    proved = advance(claim, certified(BERT))
    assert (proved.state.certified, proved.state.worker) == (True, BERT)
    for event in (
        certified(),
        ClaimedEvent(NAME, ANNA, 0),
        UndecidedEvent(NAME, ANNA, 0),
        again(1),
    ):
        assert not advance(proved.state, event).changed


def test_an_implied_answer_may_get_evidence_of_its_own() -> None:
    implied = run(LeasedEvent(NAME, ANNA), ImpliedEvent(NAME, Status.FOUND, "other"))
    assert implied.state == TaskState(Status.FOUND, implied_by="other")
    assert implied.instructions == (Withdraw(NAME),)
    assert advance(implied.state, found()).state == TaskState(Status.FOUND, worker=ANNA)
    refuted = after(ImpliedEvent(NAME, Status.IMPOSSIBLE, "other"))
    assert advance(refuted, certified()).state.implied_by is None


def test_a_task_may_begin_with_an_implied_answer() -> None:
    step = advance(None, ImpliedEvent(NAME, Status.IMPOSSIBLE, "other", TASK))
    assert step == Transition(TaskState(Status.IMPOSSIBLE, implied_by="other"), True)


@pytest.mark.parametrize(
    ("first", "second", "stays"),
    [
        (found(), ClaimedEvent(NAME, BERT), Status.FOUND),
        (found(), certified(BERT), Status.FOUND),
        (found(), ImpliedEvent(NAME, Status.IMPOSSIBLE, "x"), Status.FOUND),
        (certified(), found(BERT), Status.FOUND),
        (certified(), ImpliedEvent(NAME, Status.FOUND, "x"), Status.IMPOSSIBLE),
        (ImpliedEvent(NAME, Status.FOUND, "x"), certified(), Status.FOUND),
        (ClaimedEvent(NAME, ANNA), ImpliedEvent(NAME, Status.FOUND, "x"), Status.FOUND),
        # The simulator has checked the pattern, and nobody the impossibility.
        (ClaimedEvent(NAME, ANNA), found(BERT), Status.FOUND),
        (ImpliedEvent(NAME, Status.IMPOSSIBLE, "x"), found(BERT), Status.FOUND),
    ],
)
def test_a_contradiction_is_loud_once(first: Event, second: Event, stays: Status) -> None:
    step = run(first, second)
    assert (step.state.status, step.state.contradicted) == (stays, True)
    assert [type(told) for told in step.instructions] == [Alarm]
    assert not advance(step.state, second).changed


def test_what_was_never_queued_is_refused() -> None:
    with pytest.raises(UsageError, match="never queued"):
        advance(None, found())
    with pytest.raises(UsageError, match="only found and impossible"):
        ImpliedEvent(NAME, Status.QUEUED, "other")
    with pytest.raises(UsageError, match="task of an implied"):
        ImpliedEvent("other", Status.FOUND, "x", TASK)


def test_every_event_has_a_rule_and_reads_back() -> None:
    assert set(module._RULES) == set(EVENTS)
    for event in (
        QueuedEvent(TASK),
        again(2),
        found(),
        certified(),
        ImpliedEvent(NAME, Status.FOUND, "x"),
    ):
        text = msgspec.json.encode(event)
        assert msgspec.json.decode(text, type=Event) == event


workers = st.sampled_from([ANNA, BERT, "carl"])
rounds = st.integers(0, 2)
events = st.one_of(
    st.just(QueuedEvent(TASK)),
    st.builds(again, rounds),
    st.builds(LeasedEvent, st.just(NAME), workers, rounds),
    st.builds(ReleasedEvent, st.just(NAME), workers, rounds),
    st.builds(DiedEvent, st.just(NAME), workers, rounds),
    st.builds(FailedEvent, st.just(NAME), workers, rounds),
    st.builds(found, workers, rounds),
    st.builds(ClaimedEvent, st.just(NAME), workers, rounds),
    st.builds(certified, workers),
    st.builds(UndecidedEvent, st.just(NAME), workers, rounds),
    st.just(DroppedEvent(NAME)),
    st.builds(ImpliedEvent, st.just(NAME), st.sampled_from(sorted(FINAL)), st.just("other")),
)
histories = st.lists(events, max_size=25)


def rank(state: TaskState) -> tuple[bool, bool, bool]:
    return state.status in FINAL, state.implied_by is None, state.certified


trusts = st.builds(
    lambda quorum, prove: (
        advance(None, QueuedEvent(Task(problem=TASK.problem, quorum=quorum, prove=prove))).state
    ),
    st.integers(1, 3),
    st.booleans(),
)


@given(trusts, histories)
def test_answers_stay_and_their_evidence_only_grows(state: TaskState, history: list[Event]) -> None:
    for event in history:
        step = advance(state, event)
        now = step.state
        assert step.changed == (now != state)
        assert step.changed or not step.instructions
        if state.status in FINAL:
            assert now.status in FINAL
            assert rank(now) >= rank(state) or now.contradicted
            if now.status is not state.status:
                assert now.status is Status.FOUND, "only a find overrides"
                assert isinstance(event, FoundEvent) or not state.certified
                assert now.contradicted
        assert now.round >= state.round
        assert now.contradicted >= state.contradicted
        assert (now.contradicted > state.contradicted) == any(
            isinstance(told, Alarm) for told in step.instructions
        )
        assert not now.certified or now.status is Status.IMPOSSIBLE
        assert now.implied_by is None or now.status in FINAL
        assert (now.status is Status.LEASED) <= bool(now.worker)
        is_over = now.status not in module.RUNNING
        assert now.deaths < module.MOST_DEATHS or is_over or now.quorum > 1
        if now.prove and now.status is Status.IMPOSSIBLE:
            assert now.certified or now.implied_by is not None
        state = now


@given(trusts, histories)
def test_a_task_is_queued_exactly_when_it_was_published_last(
    state: TaskState, history: list[Event]
) -> None:
    """Nothing is lost: a task becomes queued by being published, or by being given back."""
    for event in history:
        step = advance(state, event)
        becomes_queued = step.changed and step.state.status is Status.QUEUED
        publishes = Publish(NAME) in step.instructions
        assert publishes == (becomes_queued and not isinstance(event, ReleasedEvent))
        state = step.state


RESULTS = (
    FoundEvent,
    ClaimedEvent,
    CertifiedEvent,
    UndecidedEvent,
    ImpliedEvent,
    QueuedEvent,
    RetriedEvent,
    LeasedEvent,
    ReleasedEvent,
)


@given(histories)
def test_a_duplicate_right_after_its_event_changes_nothing(history: list[Event]) -> None:
    # A second word of a death is counted where leases are not recorded: see _fail.
    state = after()
    for event in history:
        state = advance(state, event).state
        if isinstance(event, RESULTS):
            assert not advance(state, event).changed


@given(histories, st.lists(events, max_size=8), st.data())
def test_no_later_event_undoes_an_answer(
    history: list[Event], late: list[Event], data: st.DataObject
) -> None:
    """Duplicates and late results, in any order, add nothing but contradictions."""
    state = after(*history)
    told = [event for event in history if not isinstance(event, FoundEvent)]
    repeated = data.draw(st.permutations(told + [e for e in late if e in told]))
    if state.status in FINAL and state.implied_by is None:
        assert after(*history, *repeated).status is state.status


answers = st.lists(
    st.one_of(st.builds(found, workers), st.builds(LeasedEvent, st.just(NAME), workers)),
    min_size=1,
    max_size=6,
)


@given(answers, st.data())
def test_the_order_of_agreeing_results_does_not_matter(
    history: list[Event], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(history))
    assert after(*history).status == after(*shuffled).status


@given(histories)
def test_what_changed_nothing_can_be_left_out(history: list[Event]) -> None:
    state = after()
    kept = []
    for event in history:
        step = advance(state, event)
        if step.changed:
            kept.append(event)
        state = step.state
    assert after(*kept) == state


# Strangers


def asked(*, quorum: int = 1, prove: bool = False) -> TaskState:
    task = Task(problem=TASK.problem, quorum=quorum, prove=prove)
    return advance(None, QueuedEvent(task)).state


def follow(state: TaskState, *events: Event) -> TaskState:
    for event in events:
        state = advance(state, event).state
    return state


EVE, EVE_TOO, CARL = "eve.one", "eve.two", "carl"


def test_a_claim_counts_when_enough_users_make_it() -> None:
    state = asked(quorum=2)
    first = advance(state, ClaimedEvent(NAME, EVE))
    assert (first.state.status, first.instructions) == (Status.QUEUED, (Publish(NAME),))
    assert first.state.claimants == ["eve"]
    again = follow(first.state, ClaimedEvent(NAME, EVE_TOO), ClaimedEvent(NAME, EVE))
    assert again == first.state, "machines of one user are one user"
    done = follow(again, ClaimedEvent(NAME, CARL))
    assert (done.status, done.certified) == (Status.IMPOSSIBLE, False)


@pytest.mark.parametrize("kind", [UndecidedEvent, FailedEvent])
def test_one_user_cannot_end_a_task(kind: type[UndecidedEvent | FailedEvent]) -> None:
    ends = Status.UNDECIDED if kind is UndecidedEvent else Status.FAILED
    state = follow(asked(quorum=2), *(kind(NAME, EVE) for _ in range(9)))
    assert state.status is Status.QUEUED
    assert follow(state, kind(NAME, CARL)).status is ends
    assert follow(state, certified(CARL)).certified


def test_every_try_after_a_vote_has_another_number() -> None:
    state = asked(quorum=3)
    tries = [state.tries]
    for user in (EVE, CARL):
        state = follow(state, UndecidedEvent(NAME, user))
        tries.append(state.tries)
    assert tries == [0, 1, 2]


def test_a_claim_is_not_an_answer_where_proofs_are_asked_for() -> None:
    two = follow(asked(quorum=2, prove=True), ClaimedEvent(NAME, EVE))
    assert (two.status, two.claimants) == (Status.QUEUED, ["eve"])
    assert follow(two, certified(CARL)).certified
    several = follow(two, ClaimedEvent(NAME, ANNA), ClaimedEvent(NAME, BERT))
    assert (several.status, several.claimants) == (Status.QUEUED, ["anna", "bert", "eve"])
    first = advance(asked(prove=True), ClaimedEvent(NAME, ANNA))
    assert (first.state.status, first.state.claimants) == (Status.QUEUED, ["anna"])
    assert first.instructions == (Publish(NAME),)
    again = follow(first.state, ClaimedEvent(NAME, ANNA))
    assert again.status is Status.UNDECIDED, "who claims it twice has given it up"
    assert again.claimants == ["anna"]
    assert follow(again, certified()).certified, "a later proof counts"
    once_each = follow(two, ClaimedEvent(NAME, EVE), ClaimedEvent(NAME, EVE))
    assert once_each.status is Status.QUEUED, "one user alone gives nothing up"


def test_a_claim_of_ones_own_machine_ends_the_task_where_proofs_are_asked_for() -> None:
    leased = follow(asked(prove=True), LeasedEvent(NAME, ANNA))
    alone = follow(leased, ClaimedEvent(NAME, ANNA))
    assert (alone.status, alone.claimants) == (Status.UNDECIDED, ["anna"])


def test_a_find_names_those_who_claimed_that_there_is_none() -> None:
    state = follow(asked(quorum=3), ClaimedEvent(NAME, EVE), ClaimedEvent(NAME, CARL))
    step = advance(state, found(BERT))
    assert step.state.status is Status.FOUND
    alarms = [note.words for note in step.instructions if isinstance(note, Alarm)]
    assert alarms == ["claimed to be impossible by carl, eve, found by bert"]


def test_what_was_only_said_can_be_taken_back() -> None:
    again = RevokedEvent(Task(problem=TASK.problem, round=1), "eve was revoked")
    for event in (ClaimedEvent(NAME, EVE), UndecidedEvent(NAME, EVE),
                  ImpliedEvent(NAME, Status.IMPOSSIBLE, "x")):  # fmt: skip
        step = advance(follow(asked(), event), again)
        assert (step.state.status, step.state.round) == (Status.QUEUED, 1)
        assert Publish(NAME) in step.instructions
    for event in (found(), certified()):
        state = follow(asked(), event)
        assert advance(state, again) == module.Transition(state, False), "what was checked stays"


def test_the_last_word_on_quorum_and_proof_is_that_of_the_plan() -> None:
    state = follow(asked(quorum=2), QueuedEvent(Task(problem=TASK.problem, quorum=1)))
    assert follow(state, UndecidedEvent(NAME, EVE)).status is Status.UNDECIDED


def test_the_table_of_the_documentation_is_what_happens() -> None:
    task = msgspec.structs.replace(TASK, cases=(((1, 1, True),), ((1, 1, False),)))
    worker = LeasedEvent(NAME, ANNA)
    before = {
        "queued": after(),
        "leased": after(worker),
        "split": after(worker, SplitEvent(task, ANNA)),
        "undecided": after(worker, UndecidedEvent(NAME, ANNA)),
        "failed": advance(after(), FailedEvent(NAME, ANNA), most_deaths=1).state,
        "claimed": after(ClaimedEvent(NAME, ANNA)),
        "proved": after(certified()),
        "found": after(found()),
        "dropped": after(DroppedEvent(NAME)),
    }
    later = msgspec.structs.replace(task, round=1)
    events: dict[str, Event] = {
        "queued": QueuedEvent(TASK),
        "leased": LeasedEvent(NAME, BERT),
        "released": ReleasedEvent(NAME, ANNA),
        "died, failed": DiedEvent(NAME, ANNA),
        "undecided": UndecidedEvent(NAME, ANNA),
        "split": SplitEvent(task, ANNA),
        "found": found(BERT),
        "claimed": ClaimedEvent(NAME, BERT),
        "certified": certified(BERT),
        "implied: found": ImpliedEvent(NAME, Status.FOUND, "another"),
        "implied: impossible": ImpliedEvent(NAME, Status.IMPOSSIBLE, "another"),
        "joined: impossible": JoinedEvent(NAME, Status.IMPOSSIBLE),
        "joined: undecided": JoinedEvent(NAME, Status.UNDECIDED),
        "dropped": DroppedEvent(NAME),
        "retried": RetriedEvent(later),
        "revoked": RevokedEvent(later),
    }

    def name(step: Transition) -> str:
        if not step.changed:
            return "."
        is_impossible = step.state.status is Status.IMPOSSIBLE
        word = ("proved" if step.state.certified else "claimed") if is_impossible else ""
        mark = "!" if any(isinstance(each, Alarm) for each in step.instructions) else ""
        return (word or step.state.status.value)[:2] + mark

    rows = [["", *(each[:2] for each in before)]]
    rows += [
        [e, *(name(advance(s, event)) for s in before.values())] for e, event in events.items()
    ]
    text = "\n".join(
        f"    {row[0]:<19}" + "".join(f"  {cell:<3}" for cell in row[1:]) for row in rows
    )
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    assert lines in (module.__doc__ or ""), lines
