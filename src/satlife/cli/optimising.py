"""The best solution and the smallest box, from the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, cast

from satlife.cli import ending
from satlife.cli.options import sat_options
from satlife.cli.progress import reporting
from satlife.cli.report import (
    Output,
    as_record,
    as_rle,
    exit_code,
    identity_words,
    print_outcome,
)
from satlife.errors import UsageError

if TYPE_CHECKING:
    from satlife.search import Best, Goal, Impossible, Problem, Undecided


def run_optimum(
    problem: Problem, how: dict[str, Any], which: dict[str, Any], output: Output
) -> NoReturn:
    """Find the best, print it, and say whether it is proved."""
    from satlife.search import Best

    best = find_best(problem, how, read_goals(problem, which), output)
    if not isinstance(best, Best):
        print_outcome(best, output)
        sys.exit(exit_code(problem, best))
    print_best(best, output)
    sys.exit(ending.FOUND if best.proved else ending.UNDECIDED)


def read_goals(problem: Problem, which: dict[str, Any]) -> list[Goal]:
    """Read ``--minimize`` and ``--maximize``."""
    from satlife.search import Goal

    return [
        Goal.parse(direction, _measure(problem, name.strip()))
        for direction in ("minimize", "maximize")
        for name in (which[direction] or "").split(",")
        if name.strip()
    ]


def find_best(
    problem: Problem, how: dict[str, Any], goals: list[Goal], output: Output
) -> Best | Impossible | Undecided:
    """Find the best, and tell of every better one; Ctrl-C leaves the best so far."""
    from satlife.search import Improved, start

    best: Best | None = None
    with (
        reporting(output.quiet or output.as_json, how["timeout"]) as report,
        start(problem, goals=goals, **how) as search,
    ):
        try:
            for event in search:
                report.event(event)
                if isinstance(event, Improved):
                    best = event.best
                    values = zip(goals, best.values, strict=True)
                    words = ", ".join(f"{goal.measure.name} {value}" for goal, value in values)
                    output.say(f"so far: {words}")
        except KeyboardInterrupt:
            if best is not None:
                output.write(as_rle(best.finding))
            raise
        return cast("Best | Impossible | Undecided", search.result())


def print_best(best: Best, output: Output) -> None:
    """Print the best solution, and whether it is proved."""
    from satlife.search import Found

    if output.as_json:
        record = as_record(Found(best.finding))
        names = [goal.measure.name for goal in best.goals]
        record["best"] = dict(zip(names, best.values, strict=True))
        record["proved"] = best.proved
        output.write_json(record)
    else:
        output.write(as_rle(best.finding))
        output.say(f"best: {best}: {identity_words(best.finding)}")


def _measure(problem: Problem, name: str) -> str:
    """The population of an eater is that of the eater alone, without what it eats."""
    from satlife.search.kinds.reaction import catalyst_generation, has_catalyst

    if name == "population" and has_catalyst(problem):
        return f"population@{catalyst_generation(problem)}"
    return name


def run_growth(
    problem: Problem,
    make: Callable[..., Problem],
    how: dict[str, Any],
    which: dict[str, Any],
    output: Output,
) -> NoReturn:
    """Let the box grow; tell which sizes hold nothing."""
    from satlife.search import Impossible, grow

    if len(problem.boxes) > 1 or problem.motion is None:
        raise UsageError("--grow starts from one box for all phases")
    start = problem.boxes[0]
    outcome, size = None, start
    for step in grow(lambda box: make(box=box), start, which["grow"], **sat_options(how, "--grow")):
        outcome, size = step.outcome, step.box
        if isinstance(outcome, Impossible):
            output.say(f"impossible in {step.box}")
            if output.as_json:
                output.write_json(as_record(outcome))
    if outcome is None:
        raise AssertionError("growing tries at least one box")
    print_outcome(outcome, output)
    output.say(f"the box was {size}")
    sys.exit(exit_code(problem, outcome))
