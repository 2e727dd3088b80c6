"""What a solver is: a thing with a name and abilities that opens formulas.

An :class:`OpenSolver` holds one formula. Clauses can be added, the whole can be solved under
assumptions and limits, models can be streamed. The kinds of solvers are in
:mod:`satlife.sat.solvers`; here are only the values that all of them share.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from satlife.errors import SolverError, UsageError
from satlife.sat.answer import Answer, Model, Reason, Refuted, Satisfied, Undecided
from satlife.sat.formula import Block, Formula, IntArray, as_literals

if TYPE_CHECKING:
    from typing import Self

Clauses = Formula | Block | npt.ArrayLike
"""What can be added: a formula, a block, a flat array with zeros, or rows of one length."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a solver shall give up; ``None`` is never.

    >>> Limits(seconds=-1)
    Traceback (most recent call last):
    satlife.errors.UsageError: a limit on seconds cannot be negative, got -1
    """

    seconds: float | None = None
    """Of wall time, from the call of ``solve`` on, the feeding of clauses included."""
    conflicts: int | None = None
    memory_bytes: int | None = None
    """Of memory for the solver itself, over what its process needs before the first clause."""

    def since(self, begun: float) -> Limits:
        """Return the limits with the time taken off that has passed since ``time.monotonic()``."""
        if self.seconds is None:
            return self
        return replace(self, seconds=max(0.0, self.seconds - (time.monotonic() - begun)))

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise UsageError(f"a limit on {name} cannot be negative, got {value}")


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a solver can do."""

    assumptions: bool = True
    """It solves under assumptions, and names a core of them."""
    incremental: bool = True
    """It keeps what it learnt from one call to the next; others start anew, at a cost."""
    statistics: bool = True
    conflict_limit: bool = True
    """It can stop at a number of conflicts, and report progress while it runs."""
    seed: bool = False
    """Its random choices can be seeded."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Work done since the solver was opened; ``None`` is what the solver does not tell."""

    seconds: float = 0.0
    """Of wall time in ``solve``."""
    conflicts: int | None = None
    decisions: int | None = None
    propagations: int | None = None
    restarts: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """A sign of life of a solver at work."""

    seconds: float
    """Since the call of ``solve``."""
    conflicts: int
    """In this call."""
    memory_bytes: int = 0
    """Held by the solver's process now; 0 if that cannot be told."""


ProgressCallback = Callable[[Progress], None]


class Solver(ABC):
    """A kind of solver: a value that opens formulas."""

    name: str
    title: str
    """What it is, in a few words."""
    abilities: Abilities

    @abstractmethod
    def open(
        self,
        formula: Formula,
        *,
        limits: Limits | None = None,
        seed: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> OpenSolver:
        """Take a formula; ``limits`` hold for every call of ``solve`` that has none of its own."""

    def check(self, assumptions: IntArray, limits: Limits) -> None:
        """Refuse what this solver is not able to do."""
        if assumptions.size and not self.abilities.assumptions:
            raise SolverError(f"{self.name} cannot solve under assumptions; cadical can")
        if limits.conflicts is not None and not self.abilities.conflict_limit:
            raise SolverError(f"{self.name} cannot count conflicts; cadical can")

    def __repr__(self) -> str:
        return f"<Solver {self.name!r}: {self.title}>"


class OpenSolver(ABC):
    """A formula in the hands of a solver; use it in a ``with`` statement."""

    def __init__(self, variables: int, limits: Limits | None) -> None:
        self.variables = variables
        """How many variables the formula has; grows with added clauses."""
        self.limits = limits or Limits()
        self._answer: Answer | None = None

    def add(self, clauses: Clauses) -> None:
        """Add clauses; they stay for good."""
        for block in as_blocks(clauses):
            self.variables = max(self.variables, block.largest)
            self._add(block)
        if isinstance(clauses, Formula):
            self.variables = max(self.variables, clauses.variables)

    def solve(self, assumptions: Iterable[int] = (), limits: Limits | None = None) -> Answer:
        """Solve all the clauses, with the assumptions (literals) true for this call only."""
        literals = as_literals(list(assumptions)).reshape(-1)
        if literals.size and not literals.all():
            raise UsageError("0 is no literal, among the assumptions")
        if literals.size:
            self.variables = max(self.variables, int(np.abs(literals).max()))
        self._answer = self._solve(literals, limits or self.limits)
        return self._answer

    def models(
        self,
        project: Iterable[int] | None = None,
        *,
        assumptions: Iterable[int] = (),
        limits: Limits | None = None,
    ) -> Models:
        """Stream models, each different from the others on the variables of ``project``.

        Every model handed out is blocked for good: no later call finds it again. The limit on
        seconds is for the solver's work on all of the models together.
        """
        if project is None:
            variables = np.arange(1, self.variables + 1, dtype=np.int32)
        else:
            variables = np.abs(as_literals(list(project)).reshape(-1))
            self.variables = max(self.variables, int(variables.max(initial=0)))
        return Models(self, variables, tuple(assumptions), limits or self.limits)

    def core(self) -> tuple[int, ...]:
        """Give the assumptions that the last refutation needed."""
        if not isinstance(self._answer, Refuted):
            raise SolverError("there is a core only after a refutation")
        return self._answer.core

    @abstractmethod
    def statistics(self) -> Statistics:
        """Give the work done so far."""

    @abstractmethod
    def close(self) -> None:
        """Let go of everything; harmless when called again."""

    def interrupt(self) -> None:  # noqa: B027
        """Stop a ``solve`` that runs in another thread: it answers Undecided."""

    @abstractmethod
    def _add(self, block: Block) -> None: ...

    @abstractmethod
    def _solve(self, assumptions: IntArray, limits: Limits) -> Answer: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Models(Iterator[Model]):
    """Models one by one; afterwards ``ending`` says why there are no more."""

    def __init__(
        self,
        solver: OpenSolver,
        variables: IntArray,
        assumptions: tuple[int, ...],
        limits: Limits,
    ) -> None:
        self.ending: Answer | None = None
        """Refuted: these were all. Undecided: there may be more. None: not at the end yet."""
        self._solver = solver
        self._variables = variables
        self._assumptions = assumptions
        self._limits = limits

    @property
    def complete(self) -> bool:
        """Whether all models have been handed out."""
        return isinstance(self.ending, Refuted)

    def __next__(self) -> Model:
        if self.ending is not None:
            raise StopIteration
        start = time.monotonic()
        answer = self._solver.solve(self._assumptions, self._limits)
        if not isinstance(answer, Satisfied):
            self.ending = answer
            raise StopIteration
        if self._limits.seconds is not None:
            left = max(0.0, self._limits.seconds - (time.monotonic() - start))
            self._limits = replace(self._limits, seconds=left)
        true = answer.model.values(self._variables)
        blocking = np.where(true, -self._variables, self._variables)
        self._solver.add(np.append(blocking, np.int32(0)).astype(np.int32))
        return answer.model


def as_blocks(clauses: Clauses) -> tuple[Block, ...]:
    """Give clauses in any shape as blocks."""
    if isinstance(clauses, Formula):
        return clauses.blocks
    if isinstance(clauses, Block):
        return (clauses,)
    array = as_literals(clauses)
    return (Block.from_rows("", array) if array.ndim == 2 else Block("", array),)


__all__ = [
    "Abilities",
    "Answer",
    "Clauses",
    "Limits",
    "Model",
    "Models",
    "OpenSolver",
    "Progress",
    "ProgressCallback",
    "Reason",
    "Refuted",
    "Satisfied",
    "Solver",
    "Statistics",
    "Undecided",
]
