"""Ships in boxes, by rows and by SAT in turns: whichever answers first ends both.

No single way is best.  A formula for a small box is solved before the tables of the search by rows
are loaded; in a narrow box, rows answer in a tenth of a second what a solver answers in a minute.
So each player works for a turn, and the next turn is for the player who has done the least work for
its share.  Work is counted in conflicts, propagations and states, not in seconds, so the same
question has the same answer on a slow machine and on a fast one.

>>> from satlife.engine import find
>>> from satlife.kinds import ship
>>> answer = find(ship("c/3", box="5x8"))
>>> answer.word, answer.provenance.engine
('impossible', 'sat')
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from typing import Final

from satlife.engine.engine import Engine, GaveUp, Run, Solutions
from satlife.engine.goals import Goal
from satlife.engine.rows.engine import ROWS, Steps
from satlife.engine.rows.quotients import make_quotient
from satlife.engine.sat.attempt import REFUTED, attempt
from satlife.engine.sat.engine import SAT
from satlife.engine.wanted import Wanted
from satlife.formula.spacetime import SpaceTime
from satlife.problem import Problem
from satlife.rows.quotient import TABLED

FIRST_TURN: Final = 2_000
"""Conflicts of the first turn of SAT, each later turn has twice as many: a solver that is asked
again begins its schedules anew."""
PROPAGATION_SECONDS: Final = 8e-7
CONFLICT_SECONDS: Final = 1e-4
"""Nominal time of solvers, by conflicts for those that do not count propagations."""
LOW: Final = 84
"""Cells of a box whose formula is quickly solved, while rows of more cells than tables have take
minutes: 14x6 is one, and 12x8 is not."""
WIDE: Final = 14
"""Free cells of a row with which rows seldom answer within minutes."""
ALONE: Final = 10.0
"""Work after which several jobs go to SAT, which divides the problem among them."""
SHARED_OPTIONS: Final = frozenset({"jobs", "timeout", "memory"})
"""Options that all players take; any other leaves the search to SAT alone."""


@dataclass(frozen=True)
class Player:
    """Someone who searches when it is their turn."""

    name: str
    """The name of the engine, for the provenance of an answer."""
    play: Callable[[Problem, Run], Steps]
    share: Callable[[Problem], float]
    """Work for a problem, in proportion to that of the others."""
    is_complete: bool = True
    """Whether its end is an answer; otherwise only its find is one."""


def play_sat(problem: Problem, run: Run) -> Steps:
    """Solve the formula of the whole problem, some conflicts at a time."""
    spacetime = SpaceTime(problem)
    if spacetime.clash:
        return spacetime.clash
    with attempt(spacetime, run, again=True) as trial:
        conflicts, before = FIRST_TURN, 0.0
        while True:
            is_decided, history = trial.solve_within(conflicts)
            if history is not None:
                yield history
            if is_decided:
                return REFUTED
            work = trial.opened.statistics()
            done = (
                CONFLICT_SECONDS * conflicts
                if work.propagations is None
                else PROPAGATION_SECONDS * work.propagations
            )
            # A child that replaces the solver in this process counts from zero.
            yield done - before if done >= before else done
            before = done
            conflicts *= 2


def play_narrow_rows(problem: Problem, run: Run) -> Steps:
    """Search narrower boxes by rows, and those with a mirror."""
    if problem.symmetry != "C1":
        return "the whole width has few free cells"
    from satlife.engine.heuristics.hunters import search_rows  # noqa: PLC0415 - few get so far

    for seconds, details, history in search_rows(problem):
        run.check()
        yield seconds
        if history is not None:
            run.details |= details
            yield history
    return "no such box has one"


def share_of_rows(problem: Problem) -> float:
    """Return three times the share of SAT, or a quarter where SAT is quick or rows are slow."""
    bits = make_quotient(problem).bits
    is_low = problem.width * problem.all_boxes[0].height <= LOW
    return 0.25 if bits >= WIDE or (is_low and bits > TABLED) else 3.0


PLAYERS: Final[tuple[Player, ...]] = (
    Player("sat", play_sat, lambda problem: 1.0),
    Player("rows", ROWS.steps, share_of_rows),
    Player("rows", play_narrow_rows, lambda problem: 0.5, is_complete=False),
)
"""The players, in the order of their first turns."""


@dataclass(eq=False)
class Game:
    """A player at work on a problem."""

    player: Player
    run: Run
    share: float
    turns: Steps = field(init=False)
    work: float = 0.0
    """Nominal seconds so far, divided by the share."""

    def report_to(self, run: Run) -> None:
        """Let the whole run know how this player has answered."""
        run.answered_by = self.player.name
        run.details |= self.run.details
        run.keep_evidence = self.run.keep_evidence


class TurnsEngine(Engine):
    """Search for a ship in a box by rows and by SAT in turns.

    What only SAT can do is left to it: lists, optima, and searches with options of its own.
    """

    name = "turns"
    title = "ships in boxes, by rows and by SAT in turns"
    takes = SAT.takes

    def __init__(self, players: Sequence[Player] = PLAYERS) -> None:
        self.players = players

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what the search by rows refuses, and boxes of open height, which it has alone."""
        if problem.has_open_height:
            return "a formula needs a height; the engine rows takes it"
        return ROWS.refuses(problem)

    def solutions(self, problem: Problem, run: Run) -> Solutions:
        """Yield the solution of the first player that has one."""
        if set(run.options.given) <= SHARED_OPTIONS:
            answer = yield from self._take_turns(problem, run)
            if answer:
                return answer
        return (yield from _by_sat(run, SAT.solutions(problem, run)))

    def classes(self, problem: Problem, run: Run, wanted: Wanted) -> Solutions:
        """List by SAT, which excludes all images of a solution at once."""
        return (yield from _by_sat(run, SAT.classes(problem, run, wanted)))

    def climb(self, problem: Problem, run: Run, goals: Sequence[Goal]) -> Solutions:
        """Optimise by SAT, which bounds the measure."""
        return (yield from _by_sat(run, SAT.climb(problem, run, goals)))

    def _take_turns(self, problem: Problem, run: Run) -> Solutions:
        """Yield a solution, or return why there is none; nothing if SAT is to go on alone."""
        games = [Game(player, run.make_part(), player.share(problem)) for player in self.players]
        try:
            with ExitStack() as stack:
                for game in games:
                    game.turns = stack.enter_context(closing(game.player.play(problem, game.run)))
                return (yield from _play(games, run))
        except GaveUp:
            for game in games:
                run.details |= game.run.details
            raise


def _play(games: Sequence[Game], run: Run) -> Solutions:
    """Let the players take turns until one of them has an answer."""
    waiting, why_not = list(games), list[GaveUp]()
    while waiting:
        if run.options.jobs > 1 and sum(game.work for game in games) > ALONE:
            return ""
        game = min(waiting, key=lambda each: each.work)
        try:
            step = next(game.turns)
        except StopIteration as end:
            if game.player.is_complete:
                game.report_to(run)
                return str(end.value)
            waiting.remove(game)
        except GaveUp as reason:
            run.check()
            why_not.append(reason)
            waiting.remove(game)
        else:
            if isinstance(step, float):
                game.work += step / game.share
                continue
            game.report_to(run)
            yield step
            raise GaveUp("a plain search ends with its first solution")
    raise why_not[0]


def _by_sat(run: Run, solutions: Solutions) -> Solutions:
    run.answered_by = SAT.name
    return (yield from solutions)


TURNS = TurnsEngine()
