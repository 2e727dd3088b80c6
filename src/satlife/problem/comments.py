"""A problem in the comments of its formula, so that a formula's file is all that one must keep.

>>> from satlife.kinds import still_life
>>> problem = still_life(box="3x3")
>>> read_problem_comments(problem_comments(problem)) == problem
True
"""

from __future__ import annotations

from collections.abc import Iterable

from satlife.problem.problem import Problem

PROBLEM_COMMENT = "satlife problem "
"""What stands before a problem's JSON; a long one goes on in the next such comment."""

_LONGEST = 900
"""Characters in one comment: lrat-check refuses formulas with a comment of more than 1024."""


def problem_comments(problem: Problem) -> tuple[str, ...]:
    """Return comments that tell the problem."""
    text = problem.to_json().decode()
    pieces = (text[start : start + _LONGEST] for start in range(0, len(text), _LONGEST))
    return tuple(f"{PROBLEM_COMMENT}{piece}" for piece in pieces)


def read_problem_comments(comments: Iterable[str]) -> Problem | None:
    """Return the problem that the comments tell, if they do."""
    told = [comment for comment in comments if comment.startswith(PROBLEM_COMMENT)]
    text = "".join(comment.removeprefix(PROBLEM_COMMENT) for comment in told)
    return Problem.from_json(text) if told else None
