"""``forced --complete``: the smallest still life around a patch that forces itself.

Every pattern that becomes such a still life contains the patch, in place, and so does every pattern
that becomes that one. So the patch, with its live cells, was always there: no collision of gliders
makes it.
"""

from __future__ import annotations

import sys
from typing import NoReturn, cast

from satlife.certificates.make.shrink import given_pattern
from satlife.cli import endings
from satlife.cli.endings import stopping
from satlife.cli.search.asked import Asked
from satlife.cli.search.lists import find_best, print_best
from satlife.cli.search.progress import listen
from satlife.cli.search.report import exit_code, print_outcome
from satlife.engine import start
from satlife.engine.goals import Best, name_goals
from satlife.errors import UsageError
from satlife.kinds import complete
from satlife.problem import Problem
from satlife.problem.outcome import Outcome
from satlife.records import answers_yes

MARGIN = 3
"""Unknown cells on each side, by default."""
WHY = (
    "whatever becomes this still life contains the patch already, so gliders cannot make it "
    "(as in arXiv 2202.07346)"
)


def run_completion(problem: Problem, asked: Asked) -> NoReturn:
    """Decide whether a patch forces itself; if so, print the smallest still life, and exit."""
    output = asked.output
    if not any(known.alive for known in problem.known):
        raise UsageError(
            "--complete needs a patch with a live cell; empty space contains dead cells, too"
        )
    with stopping() as signals:
        with asked.reporting() as report, start(problem, **asked.how) as search:
            listen(search, report.event, signals)
            outcome = cast("Outcome", search.result())
        print_outcome(outcome, output)
        if answers_yes(outcome) is not True:
            sys.exit(exit_code(outcome))
        margin = MARGIN if asked.proof.margin is None else asked.proof.margin
        question = complete(given_pattern(problem), margin=margin)
        best = find_best(question, asked, name_goals(question, ["population"], []), signals)
        if not isinstance(best, Best):
            print_outcome(best, output, "a larger --margin may help")
            sys.exit(exit_code(best))
        print_best(best, output)
        output.say(WHY)
    sys.exit(endings.FOUND if best.proved else endings.UNDECIDED)
