"""Orders: a question, and how a browser wants it answered."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from satlife.errors import UsageError
from satlife.search.problem import Problem
from satlife.search.problem.describe import describe
from satlife.web.limits import Allowed
from satlife.web.questions import Question, read_question, write_command

Goal = Literal["find", "all", "smallest", "certificate"]


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a browser sends."""

    question: Question
    goal: Goal = "find"
    engine: str | None = None
    seconds: float = 60.0
    jobs: int = 1
    seed: int | None = None


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """A request whose question has been read."""

    request: Request
    problem: Problem
    command: str

    @classmethod
    def of(cls, request: Request, allowed: Allowed) -> Order:
        """Read and check a request."""
        if not 0 < request.seconds <= allowed.seconds:
            raise UsageError(
                f"a search may take up to {allowed.seconds:g} seconds here, got {request.seconds:g}"
            )
        if not 1 <= request.jobs <= 64:
            raise UsageError(f"a search takes 1 to 64 jobs, got {request.jobs}")
        if request.seed is not None and not 0 <= request.seed < 2**31:
            raise UsageError(f"a seed is 0 to {2**31 - 1}, got {request.seed}")
        problem = allowed.check(read_question(request.question))
        return cls(request=request, problem=problem, command=write_command(request.question))

    def describe(self) -> dict[str, Any]:
        """Return it as a browser sees it."""
        return {
            "name": self.problem.name,
            "kind": self.request.question.kind,
            "goal": self.request.goal,
            "question": msgspec.to_builtins(self.request.question),
            "sentence": describe(self.problem),
            "command": self.command,
            "limit": self.request.seconds,
        }
