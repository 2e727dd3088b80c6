"""The best solution and the smallest box, from the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn, cast

from satlife.cli import ending
from satlife.cli.search.asked import Asked, Which
from satlife.cli.search.options import sat_keywords
from satlife.cli.search.progress import reporting
from satlife.cli.search.report import Output, exit_code, print_outcome, print_rle
from satlife.errors import UsageError

if TYPE_CHECKING:
    from satlife.search import Best, Goal, Impossible, Problem, Undecided


def run_best(problem: Problem, asked: Asked) -> NoReturn:
    """Find the best solution, print it, and exit; the code says whether it is proved."""
    from satlife.search import Best

    best = find_best(problem, asked, read_goals(problem, asked.which))
    if not isinstance(best, Best):
        print_outcome(best, asked.output)
        sys.exit(exit_code(best))
    print_best(best, asked.output)
    sys.exit(ending.FOUND if best.proved else ending.UNDECIDED)


def read_goals(problem: Problem, which: Which) -> list[Goal]:
    """Read ``--minimize`` and ``--maximize``."""
    from satlife.search.engine.goals import name_goals

    def split(text: str | None) -> list[str]:
        return [name.strip() for name in (text or "").split(",") if name.strip()]

    return name_goals(problem, split(which.minimize), split(which.maximize))


def find_best(problem: Problem, asked: Asked, goals: list[Goal]) -> Best | Impossible | Undecided:
    """Find the best solution, report each better one; Ctrl-C prints the best so far."""
    from satlife.search import Improved, start

    best: Best | None = None
    with (
        reporting(asked.output.silent, asked.how["timeout"]) as report,
        start(problem, goals=goals, **asked.how) as search,
    ):
        try:
            for event in search:
                report.event(event)
                if isinstance(event, Improved):
                    best = event.best
                    values = zip(goals, best.values, strict=True)
                    words = ", ".join(f"{goal.measure.name} {value}" for goal, value in values)
                    asked.output.say(f"so far: {words}")
        except KeyboardInterrupt:
            if best is not None:
                _print_found(best, asked.output)
            raise
        return cast("Best | Impossible | Undecided", search.result())


def print_best(best: Best, output: Output) -> None:
    """Print the best solution, and whether it is proved."""
    from satlife.search.records import describe_finding

    _print_found(best, output)
    output.say(f"best: {best}: {describe_finding(best.finding)}")


def _print_found(best: Best, output: Output) -> None:
    from satlife.search.records import make_best_record

    if output.as_json:
        output.write_json(make_best_record(best))
    print_rle(best.finding, output)


def run_growth(
    problem: Problem, make: Callable[..., Problem], growing: str, asked: Asked
) -> NoReturn:
    """Let the box grow, report the sizes that hold nothing, and print the first solution."""
    from satlife.search import Impossible, grow
    from satlife.search.records import make_record

    if len(problem.boxes) > 1 or problem.motion is None:
        raise UsageError("--grow starts from one box for all phases")
    start = problem.boxes[0]
    outcome, size = None, start
    keywords = sat_keywords(asked.how, "--grow")
    for step in grow(lambda box: make(box=box), start, growing, **keywords):
        outcome, size = step.outcome, step.box
        if isinstance(outcome, Impossible):
            asked.output.say(f"impossible in {step.box}")
            if asked.output.as_json:
                asked.output.write_json(make_record(outcome))
    if outcome is None:
        raise AssertionError("growing tries at least one box")
    print_outcome(outcome, asked.output)
    asked.output.say(f"the box was {size}")
    sys.exit(exit_code(outcome))
