"""A first pattern, wherever it is likeliest: roomy boxes that grow, and rows of growing width.

Rounds follow each other, each with more room and more work.  In a round, hunters
(:mod:`satlife.engine.heuristics.hunters`) run soups and solve restrictions in a roomy box; then
ships are searched row by row, width after width.  The work is nominal (conflicts, states, words),
so the same question has the same answer; nothing is concluded from what was not found, but boxes
that were refuted and widths that were exhausted are reported.

>>> from satlife.kinds import oscillator
>>> find_first(lambda box: oscillator(2, box=box)).finding.identity.name
'blinker'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final, Unpack

from msgspec import structs

from satlife.engine.engine import WORK_LIMIT, Engine, GaveUp, Keywords, Options, Run, Solutions
from satlife.engine.grow import has_twins, list_problems
from satlife.engine.heuristics.hunters import Details, run_soups, solve_restrictions, take_turns
from satlife.engine.heuristics.restrictions import is_weaker
from satlife.engine.known import MakeInBox
from satlife.engine.rows.engine import RowEngine
from satlife.engine.session import Search
from satlife.engine.wanted import Sieve, Wanted
from satlife.errors import UsageError
from satlife.formula.classes import History
from satlife.life.box import Box
from satlife.life.motion import Motion
from satlife.life.simulate import exceeds_limit
from satlife.life.symmetry import Symmetry
from satlife.problem import Problem
from satlife.problem.exact import find_steps, list_largest
from satlife.problem.outcome import Found, Impossible, Outcome, Provenance, Undecided
from satlife.rows.quotient import WIDEST
from satlife.sat import Undecided as NoAnswer
from satlife.sat.solvers.confined import run_confined
from satlife.verifier.verify import verify

ROUNDS: Final = 4
"""Rounds of a search without a time limit; about ten minutes of work."""
SIDE: Final = 16
"""Side of the first roomy box; it grows by half in each round."""
SECONDS: Final = 4.0
"""Nominal seconds of the hunters in the first round; four times as many in each other one."""
STATES: Final = 500_000
"""States of a width in the first round; four times as many in each other one."""
CELLS: Final = 8
"""Free cells of a row in the first round; two more in each other one."""
LONGEST: Final = 4
"""Longest period that joins in the first round, but for the one that was asked; it doubles."""


def list_multiples(speed: str, longest: int = 16) -> tuple[str, ...]:
    """Return a speed with its period, and with multiples of it: the same speed.

    >>> list_multiples("c/2", 8), list_multiples("c/10")
    (('c/2', '2c/4', '3c/6', '4c/8'), ('c/10',))
    """
    motion = Motion.parse(speed)
    return (
        str(motion),
        *(
            str(Motion(k * motion.period, k * motion.dx, k * motion.dy))
            for k in range(2, longest // motion.period + 1)
        ),
    )


def find_first(
    makes: MakeInBox | Sequence[MakeInBox],
    *,
    wanted: Wanted | None = None,
    on_start: Callable[[Search], None] | None = None,
    **options: Unpack[Keywords],
) -> Found | Impossible | Undecided:
    """Search for a first solution of one of several questions, in turn.

    Each of ``makes`` (one function, or several) returns the problem of a box; the first is the
    question itself, the others ask for multiples of its speed, and join when the rounds have grown
    to their periods.  Impossible means that nothing moves so fast.  Solutions that are not
    ``wanted`` are left out.  Without a time limit, the work is limited.  ``on_start`` is called
    with each search.
    """
    how, wanted = Options.of(**options).starting_now(), wanted or Wanted()
    HunterEngine(0, wanted).check_options(how)
    makes = (makes,) if callable(makes) else makes
    questions = [Question(make, next(list_problems(make, "1x1", "area"))) for make in makes]
    wanted.check(questions[0].first)
    possible = [each for each in questions if not each.is_too_fast]
    if not possible:
        return Impossible(find_roomy(makes), "refuted by Conway's argument")
    outcome: Outcome | None = None
    seconds = 0.0
    for problem, engine, question in _list_attempts(possible, wanted, how):
        with Search(problem, engine, how) as search:
            if on_start:
                on_start(search)
            result = search.result()
        if not isinstance(result, Found | Impossible | Undecided):
            raise AssertionError("a plain search ends with an outcome")
        outcome = result
        if isinstance(outcome, Found):
            return question.take(outcome)
        question.note(problem, outcome)
        seconds += 0.0 if outcome.provenance is None else outcome.provenance.seconds
        if isinstance(outcome, Undecided) and outcome.reason != WORK_LIMIT:
            break
    if outcome is None:
        raise UsageError(f"no square of {SIDE}x{SIDE} or less can be searched for this; use --box")
    return _sum_up(questions, outcome, seconds)


def find_roomy(makes: Sequence[MakeInBox]) -> Problem:
    """Return the problem of the first square that is searched."""
    question = Question(makes[0], next(list_problems(makes[0], "1x1", "area")))
    return next(_list_roomy(question, SIDE))


@dataclass
class Question:
    """One of the questions that are asked in turn, and what is known so far."""

    make: MakeInBox
    first: Problem
    """The problem of a small box."""
    refuted: set[Box] = field(default_factory=set)
    """Boxes without a solution."""
    exhausted: dict[tuple[str, str], int] = field(default_factory=dict)
    """The greatest width that was exhausted, by symmetry and parity."""

    @property
    def period(self) -> int:
        """The period that is asked for."""
        return 1 if self.first.motion is None else self.first.motion.period

    @property
    def is_too_fast(self) -> bool:
        """Whether no finite pattern moves so fast."""
        problem = self.first
        if problem.motion is None or problem.has_open_rule:
            return False
        return exceeds_limit(problem.motion, problem.rule)

    def build(self, box: str, symmetry: Symmetry) -> Problem | None:
        """Build the problem in a box, with at least this symmetry; None if that does not fit."""
        try:
            problem = self.make(box)
            free = len(problem.parsed.symmetry.full_group) == 1
            return structs.replace(problem, symmetry=str(symmetry)) if free else problem
        except UsageError:
            return None

    def take(self, found: Found) -> Found:
        """Return a solution of an attempt, which may ask for more symmetry, as one of this."""
        finding = found.finding
        problem = self.make(finding.problem.boxes[0])
        if problem != finding.problem:
            verify(problem, finding.history)
        return Found(replace(finding, problem=problem))

    def note(self, problem: Problem, outcome: Impossible | Undecided) -> None:
        """Keep what an attempt has excluded."""
        details = {} if outcome.provenance is None else outcome.provenance.details
        self.refuted |= {Box.parse(each) for each in details.get("refuted", ())}
        if isinstance(outcome, Impossible) and problem.has_open_height:
            self.exhausted[name_row_question(problem)] = problem.width

    def describe_excluded(self) -> str:
        """Return what is excluded, in words; empty if nothing is."""
        boxes = list_largest(self.first.parsed.symmetry, self.refuted)
        if not boxes and not self.exhausted:
            return ""
        widths = [f"{w}x* {name}".removesuffix(" C1") for (name, _), w in self.exhausted.items()]
        none = ", ".join([*map(str, boxes), *widths])
        turned = ", turned or not" if boxes and has_twins(self.first) else ""
        return f"no {self.first.motion} in {none}{turned}"


def _sum_up(questions: Sequence[Question], last: Outcome, seconds: float) -> Undecided:
    """Return what has become of all attempts."""
    if isinstance(last, Found):
        raise AssertionError("a find ends the search")
    reason = last.reason if isinstance(last, Undecided) else WORK_LIMIT
    covered = [words for question in questions if (words := question.describe_excluded())]
    details: dict[str, Any] = {"covered": covered}
    problem = questions[0].make(last.problem.boxes[0]) if last.problem.boxes else last.problem
    return Undecided(
        problem, "; ".join([reason, *covered]), Provenance("hunters", seconds, details)
    )


Attempt = tuple[Problem, Engine, Question]


def _list_attempts(
    questions: Sequence[Question], wanted: Wanted, how: Options
) -> Iterator[Attempt]:
    """Yield the attempts of all rounds; without a time limit, there are only some rounds."""
    for number in count() if how.timeout is not None else range(ROUNDS):
        longest, nothing = max(questions[0].period, LONGEST * 2**number), True
        asked = [each for each in questions if each.period <= longest]
        for question in asked:
            for problem in _list_roomy(question, round(SIDE * 1.5**number)):
                nothing = False
                yield problem, HunterEngine(SECONDS * 4**number, wanted), question
        for question in asked:
            for problem in _list_widths(question, min(CELLS + 2 * number, WIDEST)):
                nothing = False
                yield problem, ShortRowEngine(STATES * 4**number, wanted), question
        if nothing:
            return


def _list_roomy(question: Question, side: int) -> Iterator[Problem]:
    """Yield the problem in squares of about this side, one for each parity that matters to it.

    Where so long a period leaves no room for them, smaller ones are taken.
    """
    across, down = find_steps(question.first.parsed.symmetry)
    for least in (side >> step for step in range(side.bit_length())):
        sizes = ((least + i, least + j) for i, j in ((0, 0), (1, 1), (0, 1), (1, 0)))
        found = dict[tuple[int, int], Problem]()
        for width, height in sizes:
            parity = width % across, height % down
            if parity in found:
                continue
            with suppress(UsageError):
                found[parity] = question.make(f"{width}x{height}")
        if found:
            yield from found.values()
            return


def _list_widths(question: Question, most: int) -> Iterator[Problem]:
    """Yield the problem in widths that are not exhausted, of every symmetry, narrow ones first."""
    motion, asked = question.first.motion, question.first.parsed.symmetry
    if motion is None or motion.dx or motion.dy >= 0:
        return
    for cells in range(3, most + 1):
        for name, width in (
            ("D2|", 2 * cells - 1),
            ("D2|", 2 * cells),
            ("C1:D2|", cells),
            ("C1", cells),
        ):
            if not is_weaker(asked, Symmetry(name)):
                continue
            problem = question.build(f"{width}x*", Symmetry(name))
            if problem is None or question.exhausted.get(name_row_question(problem), 0) >= width:
                continue
            if RowEngine().refuses(problem) is None:
                yield problem


def name_row_question(problem: Problem) -> tuple[str, str]:
    """Return the symmetry of a ship, and the parity of its width if that is another question."""
    symmetry = problem.parsed.symmetry
    across, _ = find_steps(symmetry)
    parity = ("even", "odd")[problem.width % 2] if across > 1 else ""
    return str(symmetry), parity


class HunterEngine(Engine):
    """Run soups and solve restrictions for an amount of work, in a child process."""

    name = "hunters"
    title = "soups and restrictions"
    takes = ("timeout", "memory", "jobs")

    def __init__(self, seconds: float, wanted: Wanted) -> None:
        self.seconds, self.wanted = seconds, wanted

    def solutions(self, problem: Problem, run: Run) -> Solutions:
        """Yield the first solution that is wanted."""
        refuted: list[str] = []

        def on_news(news: Details) -> None:
            if "refuted" in news:
                refuted.append(str(news["refuted"]))
            else:
                run.progress(self.name, **news)

        found = run_confined(
            f"{__name__}:hunt",
            *(problem.to_json(), self.wanted, self.seconds),
            limits=run.limits,
            on_news=on_news,
            stop=run.stopped,
        )
        if isinstance(found, tuple):
            details, history = found
            run.details |= details
            yield history
        run.details["refuted"] = refuted
        run.check()
        raise GaveUp(str(found) if isinstance(found, NoAnswer) else WORK_LIMIT)


def hunt(
    text: bytes, wanted: Wanted, seconds: float, tell: Callable[[Details], None]
) -> tuple[Details, History] | None:
    """Return the details of a find and the find; runs in its own process."""
    problem = Problem.from_json(text)
    sieve, asked = Sieve(problem, wanted, Counter()), f"{problem.parsed.symmetry} in "
    spent = 0.0
    for cost, details, history in take_turns(run_soups(problem), solve_restrictions(problem)):
        spent += cost
        where = str(details["restriction"])
        if history is not None and sieve.leaves_out(history) is False:
            return details, history
        if details.pop("refuted", False) and where.startswith(asked):
            tell({"refuted": where.removeprefix(asked)})
        tell({"trying": where})
        if spent >= seconds:
            break
    return None


class ShortRowEngine(RowEngine):
    """Search row by row for a number of states."""

    def __init__(self, states: int, wanted: Wanted) -> None:
        super().__init__(most_states=states)
        self.wanted = wanted

    def solutions(self, problem: Problem, run: Run) -> Solutions:
        """Yield the first ship that is wanted."""
        if not (self.wanted.reject or self.wanted.only_connected):
            return (yield from super().solutions(problem, run))
        reason = yield from super().classes(problem, run, self.wanted)
        if run.skipped:  # the width has ships, but none that is wanted
            raise GaveUp(WORK_LIMIT)
        return reason
