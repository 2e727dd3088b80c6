"""Orders: a question, the options of its search, and the limits of the server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from satlife.engine import find_engine
from satlife.errors import UsageError
from satlife.machine import count_processors
from satlife.problem import Problem
from satlife.problem.words import describe, describe_short
from satlife.web.questions import (
    GENERATIONS,
    FieldError,
    FilledForm,
    check_generations,
    is_boxless,
    read_question,
    write_command,
)

# Limits on a browser's requests.


@dataclass(frozen=True, kw_only=True)
class Allowed:
    """The limits of a server; each has a sensible value for one person's machine."""

    cells: int = 60_000
    """Maximum number of cells in all generations together."""
    generations: int = GENERATIONS
    body_bytes: int = 262_144
    """Maximum bytes of a request, except an import."""
    import_bytes: int = 4_000_000
    seconds: float = 3600.0
    """Maximum time limit of a search."""
    memory_bytes: int = 2 << 30
    """Maximum memory of a solver."""
    proof_bytes: int = 200_000_000
    running: int = field(default_factory=lambda: max(1, count_processors() - 1))
    """Maximum number of concurrent searches."""
    waiting: int = 16
    """Maximum number of searches in the queue."""
    kept: int = 40
    """Number of finished searches that are shown; older ones are in the history only."""
    finds: int = 200
    """Maximum number of patterns that one search lists."""
    streams: int = 40
    """Maximum number of connections that listen to events."""
    patience: float = 10.0
    """Seconds for a client to send a request."""

    def check(self, problem: Problem) -> Problem:
        """Return the problem, or raise if it is too large for a page."""
        check_generations(problem.generations)
        cells = (
            problem.width * problem.generations
            if problem.has_open_height
            else sum(box.area for box in problem.all_boxes)
        )
        if cells > self.cells:
            raise UsageError(
                f"{cells:,} cells are too many here; {self.cells:,} is the most. "
                "The command line takes more"
            )
        return problem


Goal = Literal["find", "fresh", "all", "smallest", "certificate"]
"""What is wanted; "fresh" is a pattern that a search finds, even if one is known."""


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request from a browser."""

    question: FilledForm
    goal: Goal = "find"
    engine: str | None = None
    seconds: float = 60.0
    jobs: int = 1
    seed: int | None = None


class JobOrder(msgspec.Struct, frozen=True, kw_only=True):
    """A request whose question has been read."""

    request: Request
    problem: Problem
    command: str

    @classmethod
    def of(cls, request: Request, allowed: Allowed) -> JobOrder:
        """Read and check a request."""
        if not 0 < request.seconds <= allowed.seconds:
            raise FieldError("seconds", f"1 to {allowed.seconds:g} s here, got {request.seconds:g}")
        if not 1 <= request.jobs <= 64:
            raise FieldError("jobs", f"a search takes 1 to 64 jobs, got {request.jobs}")
        if request.seed is not None and not 0 <= request.seed < 2**31:
            raise FieldError("seed", f"a seed is 0 to {2**31 - 1}, got {request.seed}")
        problem = read_question(request.question, allowed.check)
        if request.goal not in ("find", "fresh") and is_boxless(request.question):
            raise FieldError(
                "box", "a box is required here; only a search for one pattern works without it"
            )
        if request.engine:
            try:
                find_engine(request.engine)
            except UsageError as error:
                raise FieldError("engine", str(error)) from None
        return cls(request=request, problem=problem, command=write_command(request.question))

    def describe(self) -> dict[str, Any]:
        """Return the order as a browser sees it."""
        return {
            "name": self.problem.name,
            "kind": self.request.question.kind,
            "goal": self.request.goal,
            "boxless": is_boxless(self.request.question),
            "question": msgspec.to_builtins(self.request.question),
            "sentence": describe(self.problem),
            "short": describe_short(self.problem),
            "command": self.command,
            "limit": self.request.seconds,
        }
