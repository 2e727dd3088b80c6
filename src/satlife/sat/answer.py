"""The answers of a solver: satisfied, refuted or undecided.

>>> answer = Satisfied(Model.from_literals([1, -2, 3]))
>>> answer.model[1], answer.model.value(-2), answer.model.literals().tolist()
(True, True, [1, -2, 3])
>>> print(Undecided(Reason.DIED, "signal 9"))
solver died: signal 9
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from satlife.sat.formula import Formula, IntArray, as_literals

if TYPE_CHECKING:
    from typing import Self


class Reason(StrEnum):
    """Why a solver did not decide."""

    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"
    CONFLICT_LIMIT = "conflict limit"
    INTERRUPTED = "interrupted"
    DIED = "solver died"
    GAVE_UP = "solver gave up"
    PROOF_LIMIT = "proof limit"


class Model(Struct, frozen=True, eq=False):
    """A truth value for every variable."""

    truth: npt.NDArray[np.bool_]
    """Entry ``v`` is the value of variable ``v``; entry 0 is not used."""

    @classmethod
    def from_literals(cls, literals: npt.ArrayLike, variables: int | None = None) -> Self:
        """Build a model from its literals; variables that are not among them are false.

        Variables beyond ``variables`` are dropped: a solver may have added some of its own.
        """
        array = as_literals(literals)
        count = int(np.abs(array).max(initial=0)) if variables is None else variables
        truth = np.zeros(count + 1, np.bool_)
        truth[array[(array > 0) & (array <= count)]] = True
        truth.flags.writeable = False
        return cls(truth)

    @property
    def variables(self) -> int:
        """The number of variables."""
        return self.truth.size - 1

    def __getitem__(self, variable: int) -> bool:
        if not 1 <= variable <= self.variables:
            raise IndexError(f"there is no variable {variable}: they are 1 to {self.variables}")
        return bool(self.truth[variable])

    def value(self, literal: int) -> bool:
        """Return the truth of a literal."""
        return self[abs(literal)] == (literal > 0)

    def values(self, literals: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Return the truth of many literals, in an array of the same shape.

        >>> Model.from_literals([1, -2]).values([[1, 2], [-1, -2]]).tolist()
        [[True, False], [False, True]]
        """
        array = as_literals(literals)
        result: npt.NDArray[np.bool_] = self.truth[np.abs(array)] == (array > 0)
        return result

    def literals(self) -> IntArray:
        """Return the model as literals, one for each variable in order."""
        variables = np.arange(1, self.truth.size, dtype=np.int32)
        return np.where(self.truth[1:], variables, -variables)

    def satisfies(self, formula: Formula) -> bool:
        """Return whether every clause of a formula has a true literal.

        >>> formula = Formula.from_clauses([(1, 2), (-2,)])
        >>> Model.from_literals([1, -2]).satisfies(formula)
        True
        >>> Model.from_literals([-1, -2]).satisfies(formula)
        False
        """
        for block in formula.blocks:
            if block.clauses:
                # Up to each clause's end, the number of true literals must grow.
                true = self.values(block.literals) & (block.literals != 0)
                ends = np.cumsum(true, dtype=np.int64)[block.literals == 0]
                if not np.all(np.diff(ends, prepend=0) > 0):
                    return False
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and np.array_equal(self.truth, other.truth)

    def __hash__(self) -> int:
        return hash(self.truth.tobytes())

    def __repr__(self) -> str:
        return f"<Model: {int(self.truth.sum())} of {self.variables} variables true>"


class Satisfied(Struct, frozen=True):
    """The formula has a model under the assumptions."""

    model: Model

    def __str__(self) -> str:
        return "satisfied"


class Refuted(Struct, frozen=True):
    """The formula has no model under the assumptions."""

    core: tuple[int, ...] = ()
    """Assumptions that suffice for the refutation; none if the formula alone has no model."""

    def __str__(self) -> str:
        return "refuted"


class Undecided(Struct, frozen=True):
    """Neither a model nor a refutation was found."""

    reason: Reason
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else str(self.reason)


Answer = Satisfied | Refuted | Undecided
