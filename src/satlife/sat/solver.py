"""The interface of solvers: a solver is a value with a name and abilities that opens formulas.

An :class:`OpenSolver` holds one formula.  It takes more clauses, solves under assumptions and
limits, and streams models.  The solvers themselves are in :mod:`satlife.sat.solvers`; this module
has what they share.

A seed permutes the variables, for every solver alike, because the solvers' own seeds change little:
given the same formula, they mostly find the same model.  Literals are translated on the way to the
solver and back.

>>> numbering = Numbering(variables=3, seed=5)
>>> literals = np.array([1, -2, 3, 0], np.int32)
>>> np.array_equal(numbering.back(numbering.there(literals)), literals)
True
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
from msgspec import Struct, structs

from satlife.closable import Closing
from satlife.errors import SolverError, UsageError
from satlife.sat.answer import Answer, Model, Refuted, Satisfied
from satlife.sat.formula import Block, Formula, IntArray, as_literals

Clauses = Formula | Block | npt.ArrayLike
"""Clauses in any form: a formula, a block, a flat array with zeros, or rows of one length."""


class Limits(Struct, frozen=True):
    """Limits at which a solver gives up; ``None`` means no limit.

    >>> Limits(seconds=-1)
    Traceback (most recent call last):
    satlife.errors.UsageError: the limit on seconds is -1; it cannot be negative
    """

    seconds: float | None = None
    """Wall time from the call of ``solve``, including the time to hand over the clauses."""
    conflicts: int | None = None
    memory_bytes: int | None = None
    """Memory for the solver, beyond what its process takes before the first clause."""

    def since(self, begun: float) -> Limits:
        """Return the limits, less the time elapsed since ``begun`` (``time.monotonic()``)."""
        if self.seconds is None:
            return self
        return structs.replace(self, seconds=max(0.0, self.seconds - (time.monotonic() - begun)))

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise UsageError(f"the limit on {name} is {value}; it cannot be negative")


ProofFormat = Literal["drat", "lrat"]


class Abilities(Struct, frozen=True):
    """What a solver can do.  Every solver can be limited in time and memory."""

    assumptions: bool = True
    """It solves under assumptions, and returns a core of them."""
    incremental: bool = True
    """It keeps learnt clauses from one call to the next; others start afresh each time."""
    statistics: bool = True
    """It counts conflicts, decisions, propagations and restarts."""
    conflict_limit: bool = True
    """It can stop after a number of conflicts."""
    progress: bool = True
    """It reports conflicts while it runs; others report only their time and memory."""
    seed: bool = False
    """It takes a seed, and runs differently with each."""
    proof: ProofFormat | None = None
    """The format of the proofs that it writes, if any; see :meth:`Solver.with_proof`."""


class Statistics(Struct, frozen=True):
    """Work done since the solver was opened; ``None`` where the solver does not count."""

    seconds: float = 0.0
    """Wall time in ``solve``."""
    conflicts: int | None = None
    decisions: int | None = None
    propagations: int | None = None
    restarts: int | None = None


class Progress(Struct, frozen=True):
    """Progress of a running solver."""

    seconds: float
    """Time since the call of ``solve``."""
    conflicts: int | None = None
    """Conflicts in this call; None if the solver does not report them while it runs."""
    memory_bytes: int = 0
    """Memory held by the solver's process now; 0 if unknown."""
    processor_seconds: float = 0.0
    """Processor time of the solver's process, where it counts nothing else; 0 if unknown."""


ProgressCallback = Callable[[Progress], None]


class Solver(ABC):
    """A solver: a value that opens formulas."""

    name: str
    title: str
    """A short description."""
    abilities: Abilities
    stand_in: str = ""
    """The name of an always available solver to use where this one is missing."""

    @abstractmethod
    def open(
        self,
        formula: Formula,
        *,
        limits: Limits | None = None,
        seed: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> OpenSolver:
        """Open a formula; ``limits`` are the default for every call of ``solve``."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """Alternative names for :func:`~satlife.sat.find_solver`."""
        return ()

    @property
    def available(self) -> bool:
        """Whether it can be used here."""
        return True

    @property
    def how_to_get(self) -> str:
        """Installation instructions."""
        return ""

    def require(self) -> None:
        """Raise SolverError, with installation instructions, unless it is available."""
        if not self.available:
            raise SolverError(f"{self.name} is not installed: {self.how_to_get}")

    def version(self) -> str:
        """Return its version, or an empty string if unknown; this may start a program."""
        return ""

    def with_proof(self, path: Path) -> Solver:
        """Return a solver that writes a proof to ``path``, in the format of its abilities."""
        raise SolverError(f"{self.name} cannot write proofs; cadical can")

    def check(self, assumptions: IntArray, limits: Limits) -> None:
        """Raise SolverError if a call needs an ability that the solver lacks."""
        if assumptions.size and not self.abilities.assumptions:
            raise SolverError(f"{self.name} cannot solve under assumptions; cadical can")
        if limits.conflicts is not None and not self.abilities.conflict_limit:
            raise SolverError(f"{self.name} cannot limit conflicts; cadical can")

    def __repr__(self) -> str:
        return f"<Solver {self.name!r}: {self.title}>"


class OpenSolver(Closing):
    """An open solver session with one formula; use it in a ``with`` statement."""

    def __init__(self, solver: Solver, formula: Formula, limits: Limits | None) -> None:
        self.solver = solver
        self.variables = formula.variables
        """The number of variables of the formula; it grows with added clauses."""
        self.blocks: list[Block] = []
        """All clauses: those of the formula, then those added."""
        self.limits = limits or Limits()
        self.closed = False
        self._answer: Answer | None = None
        self.add(formula)

    def add(self, clauses: Clauses) -> None:
        """Add clauses permanently."""
        for block in as_blocks(clauses):
            self.variables = max(self.variables, block.largest)
            if block.clauses:
                self.blocks.append(block)
        if isinstance(clauses, Formula):
            self.variables = max(self.variables, clauses.variables)

    def solve(self, assumptions: Iterable[int] = (), limits: Limits | None = None) -> Answer:
        """Solve all clauses, with the assumptions (literals) true for this call only."""
        literals = as_literals(list(assumptions)).reshape(-1)
        if literals.size and not literals.all():
            raise UsageError("0 is not a literal, so it cannot be an assumption")
        if literals.size:
            self.variables = max(self.variables, int(np.abs(literals).max()))
        if self.closed:
            raise SolverError("the solver is closed")
        limits = limits or self.limits
        self.solver.check(literals, limits)
        if self.blocks or literals.size:
            self._answer = self._solve(literals, limits)
        else:  # MapleSAT does not survive a formula without variables
            self._answer = Satisfied(Model.from_literals([], self.variables))
        return self._answer

    def models(
        self,
        project: Iterable[int] | None = None,
        *,
        assumptions: Iterable[int] = (),
        limits: Limits | None = None,
    ) -> Models:
        """Stream models, each different from the others on the variables of ``project``.

        Every model is blocked permanently: no later call finds it again.  The limit on seconds
        covers the solver's work on all models together.
        """
        if project is None:
            variables = np.arange(1, self.variables + 1, dtype=np.int32)
        else:
            variables = np.abs(as_literals(list(project)).reshape(-1))
            self.variables = max(self.variables, int(variables.max(initial=0)))
        return Models(self, variables, tuple(assumptions), limits or self.limits)

    def core(self) -> tuple[int, ...]:
        """Return the core of the last refutation: the assumptions that it needed."""
        if not isinstance(self._answer, Refuted):
            raise SolverError("there is a core only after a refutation")
        return self._answer.core

    @abstractmethod
    def statistics(self) -> Statistics:
        """Return the work done so far."""

    def interrupt(self) -> None:
        """Stop a ``solve`` that runs in another thread; it returns Undecided."""

    def close(self) -> None:
        """Close the session, and free its resources."""
        self.closed = True

    @abstractmethod
    def _solve(self, assumptions: IntArray, limits: Limits) -> Answer: ...


class Models(Iterator[Model]):
    """A stream of models; at its end, ``ending`` says why there are no more."""

    def __init__(
        self,
        solver: OpenSolver,
        variables: IntArray,
        assumptions: tuple[int, ...],
        limits: Limits,
    ) -> None:
        self.ending: Answer | None = None
        """Refuted: all were found.  Undecided: there may be more.  None: not at the end yet."""
        self._solver = solver
        self._variables = variables
        self._assumptions = assumptions
        self._limits = limits

    @property
    def complete(self) -> bool:
        """Whether all models have been found."""
        return isinstance(self.ending, Refuted)

    def __next__(self) -> Model:
        if self.ending is not None:
            raise StopIteration
        start = time.monotonic()
        answer = self._solver.solve(self._assumptions, self._limits)
        if not isinstance(answer, Satisfied):
            self.ending = answer
            raise StopIteration
        self._limits = self._limits.since(start)
        true = answer.model.values(self._variables)
        blocking = np.where(true, -self._variables, self._variables)
        self._solver.add(np.append(blocking, np.int32(0)).astype(np.int32))
        return answer.model


def as_blocks(clauses: Clauses) -> tuple[Block, ...]:
    """Return clauses in any form as blocks."""
    if isinstance(clauses, Formula):
        return clauses.blocks
    if isinstance(clauses, Block):
        return (clauses,)
    array = as_literals(clauses)
    return (Block.from_rows("", array) if array.ndim == 2 else Block("", array),)


class Numbering:
    """A permutation of the variables 1 to n; larger ones keep their numbers."""

    def __init__(self, variables: int, seed: int | None) -> None:
        self._there = self._back = np.zeros(0, np.int32)
        if seed is not None and seed < 0:
            raise UsageError(f"the seed is {seed}; it cannot be negative")
        if seed is not None:
            shuffled = np.random.default_rng(seed).permutation(variables).astype(np.int32)
            self._there = np.concatenate([[0], shuffled + 1]).astype(np.int32)
            self._back = np.argsort(self._there).astype(np.int32)

    def there(self, literals: IntArray) -> IntArray:
        """Return literals translated for the solver."""
        return _translate(literals, self._there)

    def back(self, literals: IntArray) -> IntArray:
        """Return the solver's literals translated back."""
        return _translate(literals, self._back)


def _translate(literals: IntArray, table: IntArray) -> IntArray:
    if not table.size:
        return literals
    variables = np.abs(literals)
    known = np.minimum(variables, table.size - 1)
    images = np.where(variables < table.size, table[known], variables)
    return (images * np.sign(literals)).astype(np.int32)
