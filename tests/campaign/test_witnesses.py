"""A false claim is noticed: every find is tried against what was called impossible."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from satlife import Found, Problem, find
from satlife.campaign import bookkeeper
from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.core.events import ClaimedEvent, Event, FoundEvent, SplitEvent, Status
from satlife.campaign.core.trust import examine
from satlife.campaign.core.witnesses import Witnesses
from satlife.campaign.ledger import Ledger, open_ledger
from satlife.campaign.local.task_solver import solve_task
from satlife.campaign.messages import FoundResult, Task
from satlife.campaign.plan import Plan
from satlife.campaign.results import collect
from satlife.cli.campaign.report import print_results
from satlife.kinds import oscillator, ship, still_life
from satlife.life import Box, Pattern
from satlife.problem.outcome import draw, draw_states

Lie = Callable[[Task], bool]
GLIDER = '[[search]]\nkind = "ship"\nspeeds = "c/4d"\nboxes = "{}"\n'


def answer(task: Task, is_lie: Lie) -> Event:
    if is_lie(task):
        return ClaimedEvent(task.name, "eve", task.round)
    return examine(task, solve_task(task, "anna", None))


def play(text: str, ledger: Ledger, is_lie: Lie) -> list[str]:
    """Answer the tasks of a campaign, in their order; return the alarms."""
    books = Bookkeeper(Plan.from_toml(text), ledger)
    out: list[Task] = []
    while not books.conductor.is_done:
        out += [task for task, _ in books.take(9).start]
        if out and (task := out.pop(0)).name in books.conductor.out:
            books.push([answer(task, is_lie)])
            out += [task for task, _ in books.drain().start]
    return books.conductor.alarms


def in_box(*boxes: str) -> Lie:
    return lambda task: task.problem.boxes[0] in boxes and task.exact is None


def list_states(ledger: Ledger) -> dict[str, tuple[Status, bool]]:
    rows = {row.task.problem.boxes[0]: row.state for row in ledger.rows()}
    return {box: (state.status, state.contradicted) for box, state in rows.items()}


@pytest.mark.parametrize("is_claimed_first", [False, True])
@pytest.mark.parametrize("other", ["5x4", "4x5"])
def test_a_find_in_a_larger_box_contradicts_a_smaller_one(
    other: str, is_claimed_first: bool
) -> None:
    """The glider fits 4x4, wherever it is found, and whichever answer comes first."""
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(Plan.from_toml(GLIDER.format(f"4x4..{other}")), ledger)
        out = {start.task.problem.boxes[0]: start.task for start in books.take(9).start}
        found = solve_task(replace(out[other], exact=None), "anna", None)
        find = examine(out[other], replace(found, task=out[other].name))
        events = [ClaimedEvent(out["4x4"].name, "eve"), find]
        for event in events if is_claimed_first else reversed(events):
            books.push([event])
            books.drain()
        (alarm,) = books.conductor.alarms
        assert out["4x4"].name in alarm
        assert "by eve, found by anna" in alarm
        assert list_states(ledger)["4x4"] == (Status.FOUND, True)


def test_the_answer_says_on_whose_claims_it_rests(capsys: pytest.CaptureFixture[str]) -> None:
    """All but one of the answers are true, and nobody is asked again: the claim is not noticed."""
    with open_ledger(":memory:") as ledger:
        assert play(GLIDER.format("4x4..6x6"), ledger, in_box("4x4")) == []
        results = collect(ledger)
    (question,) = results.questions
    assert question.largest_impossible == ["6x6"]
    assert question.to_dict()["unproved"] == {"anna": 5, "eve": 1}
    print_results(results)
    said = capsys.readouterr().out
    assert "ship c/4d: impossible by 6 unproved claims: 5 of anna, 1 of eve" in said


def test_the_largest_box_is_asked_again_as_a_whole() -> None:
    text = "recheck = true\n" + GLIDER.format("4x4..6x6")
    with open_ledger(":memory:") as ledger:
        (alarm,) = play(text, ledger, in_box("4x4"))
        assert "impossible by eve, found by anna" in alarm
        (question,) = collect(ledger).questions
        assert question.largest_impossible == []
        assert question.least_found == ["4x4"]
        assert len(list(ledger.rows())) == Plan.from_toml(text).size()


def test_others_than_the_claimants_are_asked_again() -> None:
    """Also after a restart; only the box that is asked twice avoids anybody."""
    plan = Plan.from_toml("recheck = true\n" + GLIDER.format("3x3..4x4").replace("c/4d", "c/5"))
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(plan, ledger)
        first = books.take(9).start
        books.push([answer(task, lambda task: task.exact is None) for task, _ in first[:-1]])
        assert books.drain().start == []
        books.save(now=True)
        again = Bookkeeper(plan, ledger)
        (last,) = (task for task, _ in again.take(9).start)
        assert last.name == first[-1].task.name
        again.push([answer(last, in_box())])
        again.drain()
        ((whole, _),) = again.take(9).start
    assert [task.avoid for task, _ in first] == [()] * len(first)
    assert whole.exact is None
    assert whole.avoid == ("anna", "eve")


def test_a_true_range_is_asked_once_more() -> None:
    """3x3 is the least box of the glider; c/5 fits none of these."""
    text = GLIDER.format("3x3..4x4").replace("c/4d", "c/5")
    sizes = []
    for more in ("", "recheck = true\n"):
        with open_ledger(":memory:") as ledger:
            assert play(more + text, ledger, in_box()) == []
            (question,) = collect(ledger).questions
            assert question.largest_impossible == ["4x4"]
            sizes.append(ledger.counts().total)
            assert Plan.from_toml(more + text).size() == sizes[-1]
    assert sizes == [4, 5]


def test_a_find_is_not_asked_for_again() -> None:
    with open_ledger(":memory:") as ledger:
        assert play("recheck = true\n" + GLIDER.format("3x3..5x5"), ledger, in_box()) == []
        (question,) = collect(ledger).questions
        assert (question.largest_impossible, question.least_found) == (["3x3"], ["3x4", "4x3"])


class First:
    """A lie about the first task that is asked, and none later."""

    def __init__(self) -> None:
        self.name = ""

    def __call__(self, task: Task) -> bool:
        self.name = self.name or task.name
        return task.name == self.name


@pytest.mark.parametrize(
    "more",
    [
        'rules = ["B3/S23", "B36/S23", "B38/S23"]',
        'symmetries = ["C1", "C2"]',
        'population = [">=2", ">=3"]',
    ],
)
def test_a_find_contradicts_claims_of_other_questions(more: str) -> None:
    """The blinker works in other rules, symmetries and bounds too."""
    text = '[[search]]\nkind = "oscillator"\nperiods = 2\nboxes = "3x3"\n' + more
    with open_ledger(":memory:") as ledger:
        alarms = play(text, ledger, First())
        assert len(alarms) == 1, alarms
        assert all(row.state.status is Status.FOUND for row in ledger.rows())


def test_a_ship_of_any_height_contradicts_a_narrower_width() -> None:
    text = '[[search]]\nkind = "ship"\nspeeds = "2c/4"\nboxes = ["5x*", "6x*"]\n'
    with open_ledger(":memory:") as ledger:
        (alarm,) = play(text, ledger, in_box("5x*"))
        assert "by eve, found by anna" in alarm
        assert list_states(ledger)["5x*"] == (Status.FOUND, True)


def test_a_find_in_a_rule_contradicts_a_region_of_a_map() -> None:
    """The second map is of rules in all of which the block of the first one works."""
    text = (
        '[[search]]\nkind = "still-life"\nboxes = ["2x2", "3x3"]\nmap = true\nrules = "B3/S[2]3"\n'
    )
    with open_ledger(":memory:") as ledger:
        (alarm, *_) = play(text, ledger, in_box("2x2"))
        assert "by eve, found in a region by anna" in alarm or "by eve, found by anna" in alarm
        assert list_states(ledger)["2x2"] == (Status.FOUND, True)


def test_a_find_contradicts_a_task_that_its_cases_refute() -> None:
    """Both halves of 4x4 are called impossible, and 5x4 brings the glider."""
    with open_ledger(":memory:") as ledger:
        text = GLIDER.format("4x4..5x4")
        plan = Plan.from_toml("split = true\nlimits = {timeout = 1}\n" + text)
        books = Bookkeeper(plan, ledger)
        out = {start.task.problem.boxes[0]: start.task for start in books.take(9).start}
        cases = (((1, 1, True),), ((1, 1, False),))
        books.push([SplitEvent(replace(out["4x4"], cases=cases), "anna")])
        books.drain()
        for task, _ in books.take(9).start:
            books.push([ClaimedEvent(task.name, "eve")])
        books.drain()
        assert ledger.task(out["4x4"].name) is not None
        assert list_states(ledger)["4x4"][0] is Status.IMPOSSIBLE
        found = solve_task(replace(out["5x4"], exact=None), "anna", None)
        books.push([examine(out["5x4"], replace(found, task=out["5x4"].name))])
        books.drain()
        (alarm,) = books.conductor.alarms
        assert out["4x4"].name in alarm


def test_a_sweep_survives_a_restart() -> None:
    """A claim in another rule came before the find, and the run ended before they were compared."""
    text = GLIDER.format("4x4") + 'rules = ["B3/S23", "B36/S23"]\n'
    with open_ledger(":memory:") as ledger:
        plan = Plan.from_toml(text)
        books = Bookkeeper(plan, ledger)
        first, second = (start.task for start in books.take(9).start)
        ledger.record([ClaimedEvent(first.name, "eve"), answer(second, in_box())])
        assert ledger.counts().contradicted == 0
        assert len(play(text, ledger, in_box())) == 1
        assert ledger.counts().contradicted == 1


def test_a_find_after_a_checkpoint_is_tried_after_a_kill() -> None:
    """The find was known and tried; the claim was recorded, and the run killed before it was."""
    text = GLIDER.format("4x4") + 'rules = ["B3/S23", "B36/S23"]\n'
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(Plan.from_toml(text), ledger)
        first, second = (start.task for start in books.take(9).start)
        books.push([answer(second, in_box())])
        books.drain()
        books.save(now=True)
        ledger.record([ClaimedEvent(first.name, "eve")])
        assert ledger.counts().contradicted == 0
        play(text, ledger, in_box())
        assert ledger.counts().contradicted == 1


def test_a_find_during_the_last_part_of_a_sweep_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts may come out even, so that the last one is empty."""
    monkeypatch.setattr(bookkeeper, "SWEEP", 1)
    text = GLIDER.format("4x4") + 'rules = ["B3/S23", "B36/S23"]\n'
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(Plan.from_toml(text), ledger)
        first, second = (start.task for start in books.take(9).start)
        ledger.record([ClaimedEvent(first.name, "eve")])
        block = still_life(box="2x2")
        other = FoundEvent(block.name, "anna", 0, (("oo", "oo"),), "xs4_33")
        books._witnesses.add(block, other)
        assert books._sweep_on(), "a claim is tried"
        event = answer(second, in_box())
        assert isinstance(event, FoundEvent)
        books._witnesses.add(second.problem, event)
        while not books._events and books._sweep_on():
            pass
        assert [type(each) for each in books._events] == [FoundEvent]


@pytest.mark.parametrize(("cells", "width"), [("3o$o$bo!", "4x*"), ("3o3b3o$o5bo$bo5bo!", "11x*")])
def test_open_widths_of_diagonal_ships_are_tried(cells: str, width: str) -> None:
    """The width counts diagonals; a find may be wider than it is tall."""
    pattern = Pattern.from_rle(cells)
    box = Box(-2, -2, 14, 14)
    history = tuple(pattern[t].in_box(box) for t in range(4))
    problem = ship("c/4d", box="14x14")
    drawn = tuple(map(draw_states, history))
    witnesses = Witnesses()
    witnesses.add(problem, FoundEvent(problem.name, "anna", 0, drawn, "a glider or two"))
    refuted = Task(problem=ship("c/4d", box=width))
    assert [type(each) for each in witnesses.contradict(refuted)] == [FoundEvent]
    narrow = Task(problem=ship("c/4d", box="3x*"))
    assert not list(witnesses.contradict(narrow))


def test_a_find_among_many_contradicts_a_claim() -> None:
    problem, witnesses = oscillator(2, box="8x8"), Witnesses()
    for number in range(100):
        line = f"{number:08b}".translate({48: ".", 49: "o"})
        rows = ("oooooooo", line, *["o......o"] * 6)
        witnesses.add(problem, FoundEvent(problem.name, "anna", 0, (rows, rows), f"x{number}"))
    smaller = Task(problem=oscillator(2, box="3x3"))
    assert list(witnesses.contradict(smaller)) == []
    phases = ("........", "ooo.....", *["........"] * 6), (*[".o......"] * 3, *["........"] * 5)
    witnesses.add(problem, FoundEvent(problem.name, "bert", 0, phases, "xp2_7"))
    assert len(witnesses) == 101
    assert [event.worker for event in witnesses.contradict(smaller)] == ["bert"]


@pytest.mark.parametrize(
    "problem",
    [
        *(still_life(box="4x4", rule=rule) for rule in ("B3/S23", "B36/S125")),
        *(ship(speed, box=box) for speed, box in (("c/4d", "4x4"), ("c/4d", "5x4"))),
        oscillator(2, box="5x5"),
        ship("c/4d", box="5x5", include_last=True),
    ],
    ids=lambda problem: f"{problem.kind} {problem.boxes[0]}",
)
def test_a_find_is_tried_in_the_rules_in_which_it_works_and_no_others(problem: Problem) -> None:
    """Every step counts, that from the last generation to the first too."""
    outcome = find(problem)
    assert isinstance(outcome, Found)
    drawn = draw(outcome.finding)
    witnesses = Witnesses()
    witnesses.add(problem, FoundEvent(problem.name, "anna", 0, drawn, "x"))
    rules = [f"B3{more}/S{stay}" for more in ("", "6", "8") for stay in ("23", "2", "3", "125", "")]
    for rule in rules:
        other = Task(problem=replace(problem, rule=rule))
        found = examine(other, FoundResult(task=other.name, worker="anna", generations=drawn))
        noticed = [type(event) for event in witnesses.contradict(other)]
        assert noticed == ([FoundEvent] if isinstance(found, FoundEvent) else [])


@pytest.mark.parametrize("asked", [{"rule": "B3/S2"}, {"population": ">=5"}, {"population": "=3"}])
def test_still_lifes_that_cannot_fit_are_not_simulated(
    asked: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The only step of a still life is the one from the last generation to the first."""
    problem, witnesses = still_life(box="2x2"), Witnesses()
    witnesses.add(problem, FoundEvent(problem.name, "anna", 0, (("oo", "oo"),), "xs4_33"))
    smaller = still_life(box="2x2", population="2..4")
    assert len(list(witnesses.contradict(Task(problem=smaller)))) == 1
    monkeypatch.setattr("satlife.campaign.core.witnesses._try", None)
    assert list(witnesses.contradict(Task(problem=still_life(box="2x2", **asked)))) == []
