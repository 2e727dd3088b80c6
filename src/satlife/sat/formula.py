"""Formulas in conjunctive normal form, held as flat arrays, and their builder.

A clause is a run of literals that ends with 0, as in DIMACS.  A :class:`Block` is one int32 array
of such runs, labelled with their origin; a :class:`Formula` is a tuple of blocks.  There is no
Python object per clause or literal, so fifty million clauses take some hundred megabytes.  File
formats are in :mod:`satlife.sat.files`, solvers in :mod:`satlife.sat.solvers`.

>>> formula = Formula.from_clauses([(1, -2), (2, 3), (-1,)])
>>> formula
<Formula: 3 variables, 3 clauses, 5 literals>
>>> list(formula)
[(1, -2), (2, 3), (-1,)]
>>> formula.literals().tolist()
[1, -2, 0, 2, 3, 0, -1, 0]

A :class:`FormulaBuilder` allocates variables and collects blocks of clauses.

>>> builder = FormulaBuilder()
>>> a, b, c = builder.new_variables(3, names=["a", "b", "c"])
>>> builder.add("edges", [[a, b], [b, c]])
>>> builder.add("edges", [[-a, -c]])
>>> builder.build()
<Formula: 3 variables, 3 clauses, 6 literals>
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from satlife.errors import UsageError
from satlife.quantities import write_count

if TYPE_CHECKING:
    from typing import Self


IntArray = npt.NDArray[np.int32]
"""Literals: variables are 1, 2, …; a negative number is a negation; 0 ends a clause."""

NameArray = npt.NDArray[np.bytes_]
"""Names of variables: entry ``v - 1`` is the name of variable ``v``, ``b""`` if it has none."""

LARGEST_VARIABLE = 2**31 - 1


def as_literals(values: npt.ArrayLike) -> IntArray:
    """Return numbers as an int32 array, without a copy if they are one already.

    >>> as_literals([1, -2, 0]).dtype
    dtype('int32')
    """
    array = np.asarray(values)
    if array.dtype == np.int32:
        literals: IntArray = array
    elif array.size == 0:
        literals = np.zeros(array.shape, np.int32)
    elif array.dtype.kind not in "iu":
        raise UsageError(f"literals must be whole numbers, got {array.dtype}")
    else:
        if int(array.max()) > LARGEST_VARIABLE or int(array.min()) < -LARGEST_VARIABLE:
            raise UsageError(f"a literal is beyond ±{LARGEST_VARIABLE}")
        literals = array.astype(np.int32)
    return literals


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """Clauses of one origin: a flat int32 array in which every clause ends with 0.

    >>> Block("cage", np.array([-1, 0, -2, 0], np.int32))
    <Block 'cage': 2 clauses>
    """

    origin: str
    """The purpose of the clauses (transition, cage, period …); ``""`` if unknown."""
    literals: IntArray
    clauses: int = field(init=False)
    """The number of clauses."""
    largest: int = field(init=False)
    """The largest variable, 0 if there is none."""

    def __post_init__(self) -> None:
        literals = as_literals(self.literals)
        if literals.ndim != 1:
            raise UsageError(f"a block is a flat array, got shape {literals.shape}; use from_rows")
        if literals.size and literals[-1] != 0:
            raise UsageError("the last clause of a block does not end with 0; every clause must")
        low, high = (int(literals.min()), int(literals.max())) if literals.size else (0, 0)
        if low < -LARGEST_VARIABLE:
            raise UsageError(f"a literal is beyond ±{LARGEST_VARIABLE}")
        if "\n" in self.origin or "\r" in self.origin:
            raise UsageError("a block's origin must be a single line")
        # A view: the caller's own array stays writable, the block's does not.
        literals = literals.view()
        literals.flags.writeable = False
        object.__setattr__(self, "literals", literals)
        object.__setattr__(self, "clauses", literals.size - int(np.count_nonzero(literals)))
        object.__setattr__(self, "largest", max(-low, high))

    @classmethod
    def from_rows(cls, origin: str, rows: npt.ArrayLike) -> Self:
        """Build a block from clauses of one length, the rows of an array of shape (n, k).

        >>> Block.from_rows("edge", [[1, 2], [-1, 3]]).literals.tolist()
        [1, 2, 0, -1, 3, 0]
        """
        array = as_literals(rows)
        if array.ndim != 2:
            raise UsageError(f"rows must have the shape (clauses, literals), got {array.shape}")
        if np.count_nonzero(array) != array.size:
            raise UsageError("a literal is 0; give clauses of several lengths as a flat array")
        flat = np.zeros((array.shape[0], array.shape[1] + 1), np.int32)
        flat[:, :-1] = array
        return cls(origin, flat.reshape(-1))

    @classmethod
    def from_clauses(cls, origin: str, clauses: Iterable[Iterable[int]]) -> Self:
        """Build a block from Python numbers; for small formulas."""
        flat: list[int] = []
        for clause in clauses:
            literals = tuple(clause)
            if 0 in literals:
                raise UsageError(f"0 is not a literal, in the clause {literals}; leave it out")
            flat += literals
            flat.append(0)
        return cls(origin, as_literals(flat))

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        clause: list[int] = []
        for literal in self.literals.tolist():
            if literal:
                clause.append(literal)
            else:
                yield tuple(clause)
                clause.clear()

    def __len__(self) -> int:
        return self.clauses

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Block):
            return NotImplemented
        return self.origin == other.origin and np.array_equal(self.literals, other.literals)

    def __hash__(self) -> int:
        return hash((self.origin, self.literals.size, self.clauses, self.largest))

    def __repr__(self) -> str:
        return f"<Block {self.origin!r}: {write_count(self.clauses, 'clause')}>"


@dataclass(frozen=True, eq=False)
class Formula:
    """Clauses in blocks, the number of variables, their names, and comments.

    Two formulas are equal if they have the same clauses in the same order, the same number of
    variables and the same names.  Comments and the division into blocks do not matter.
    """

    blocks: tuple[Block, ...] = ()
    variables: int = 0
    """The number of variables, including those that no clause uses."""
    names: NameArray | None = None
    comments: tuple[str, ...] = ()
    """Comment lines, without the file format's comment sign."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", tuple(self.blocks))
        object.__setattr__(self, "comments", tuple(self.comments))
        largest = max((block.largest for block in self.blocks), default=0)
        if not largest <= self.variables <= LARGEST_VARIABLE:
            raise UsageError(
                f"the formula uses variable {largest}, so it cannot have {self.variables} variables"
            )
        if self.names is not None:
            object.__setattr__(self, "names", as_names(self.names, self.variables))
        for comment in self.comments:
            if "\n" in comment or "\r" in comment:
                raise UsageError(f"a comment must be a single line, got {comment!r}")

    @classmethod
    def from_arrays(
        cls,
        *arrays: npt.ArrayLike,
        variables: int | None = None,
        names: NameArray | Sequence[str] | None = None,
        comments: Iterable[str] = (),
        origin: str = "",
    ) -> Self:
        """Build a formula from flat arrays, each a sequence of clauses that end with 0.

        >>> Formula.from_arrays([1, 2, 0, -1, 0], [-2, 0]).clauses
        3
        """
        blocks = tuple(Block(origin, as_literals(array)) for array in arrays)
        largest = max((block.largest for block in blocks), default=0)
        count = largest if variables is None else variables
        known = None if names is None else as_names(names, count)
        return cls(blocks, count, known, tuple(comments))

    @classmethod
    def from_clauses(
        cls,
        clauses: Iterable[Iterable[int]],
        *,
        variables: int | None = None,
        names: NameArray | Sequence[str] | None = None,
        comments: Iterable[str] = (),
        origin: str = "",
    ) -> Self:
        """Build a formula from Python numbers; for small formulas and tests."""
        block = Block.from_clauses(origin, clauses)
        return cls.from_arrays(
            block.literals, variables=variables, names=names, comments=comments, origin=origin
        )

    @cached_property
    def clauses(self) -> int:
        """The number of clauses."""
        return sum(block.clauses for block in self.blocks)

    def literals(self) -> IntArray:
        """Return all clauses as one flat array, without a copy if there is one block."""
        if len(self.blocks) == 1:
            return self.blocks[0].literals
        arrays = [block.literals for block in self.blocks]
        return np.concatenate(arrays) if arrays else np.zeros(0, np.int32)

    def name(self, variable: int) -> str:
        """Return a variable's name, or its number if it is unnamed.

        >>> formula = Formula(variables=2, names=np.array([b"3a4", b""]))
        >>> formula.name(1), formula.name(2)
        ('3a4', '2')
        """
        if not 1 <= variable <= self.variables:
            raise UsageError(f"there is no variable {variable}: they are 1 to {self.variables}")
        known = b"" if self.names is None else bytes(self.names[variable - 1])
        return known.decode("ascii") if known else str(variable)

    def variable(self, name: str) -> int:
        """Return the variable with a name; the inverse of :meth:`name`."""
        found = self._index.get(name.encode("utf-8", "replace"))
        if found is None and name.isascii() and name.isdigit() and not name.startswith("0"):
            number = int(name)
            if 1 <= number <= self.variables and self.name(number) == name:
                found = number
        if found is None:
            raise UsageError(f"no variable is named {name!r}")
        return found

    @cached_property
    def _index(self) -> dict[bytes, int]:
        if self.names is None:
            return {}
        return {name: v for v, name in enumerate(self.names.tolist(), 1) if name}

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        for block in self.blocks:
            yield from block

    def __len__(self) -> int:
        return self.clauses

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Formula):
            return NotImplemented
        return (
            (self.variables, self.clauses) == (other.variables, other.clauses)
            and _same_names(self.names, other.names)
            and np.array_equal(self.literals(), other.literals())
        )

    def __hash__(self) -> int:
        return hash((self.variables, self.clauses))

    def __repr__(self) -> str:
        literals = sum(block.literals.size for block in self.blocks) - self.clauses
        counts = (
            write_count(self.variables, "variable"),
            write_count(self.clauses, "clause"),
            write_count(literals, "literal"),
        )
        return f"<Formula: {', '.join(counts)}>"


def as_names(names: NameArray | Sequence[str], variables: int) -> NameArray:
    """Check names: one for each variable, in visible ASCII characters, the first not ``~``."""
    try:
        array: NameArray = np.asarray(names, dtype=np.bytes_)
    except UnicodeEncodeError as error:
        raise UsageError(f"names must be ASCII, got {error.object!r}") from None
    if array.shape != (variables,):
        raise UsageError(f"{variables} variables need {variables} names, got shape {array.shape}")
    if not variables:
        return array
    letters = np.ascontiguousarray(array).view(np.uint8).reshape(variables, -1)
    # NumPy ends a name at its last byte that is not 0; a 0 before that is part of the name.
    inside = np.arange(letters.shape[1]) < np.char.str_len(array)[:, None]
    wrong = ((letters < 33) | (letters > 126)) & inside
    if wrong.any() or (letters[:, 0] == ord("~")).any():
        row = int(np.argmax(wrong.any(axis=1) | (letters[:, 0] == ord("~"))))
        raise UsageError(
            f"{array[row]!r} cannot be a name; use visible ASCII characters, the first not ~"
        )
    array = array.view()
    array.flags.writeable = False
    return array


def _same_names(one: NameArray | None, other: NameArray | None) -> bool:
    """Return whether two arrays of names agree; None equals an array of empty names."""
    if one is None or other is None:
        known = one if one is not None else other
        return known is None or not np.any(known != b"")
    return np.array_equal(one, other)


class FormulaTooLargeError(Exception):
    """Building a formula has taken more memory than :func:`limit_building` allows."""


_ALLOWS: ContextVar[Callable[[int], bool] | None] = ContextVar("_ALLOWS", default=None)
_LARGE = 8 << 20
"""Bytes of clauses after which the memory of the process is checked again."""


@contextmanager
def limit_building(allows: Callable[[int], bool] | None) -> Iterator[None]:
    """Limit the memory of formulas built in this thread: whether some bytes more are allowed."""
    mark = _ALLOWS.set(allows)
    try:
        yield
    finally:
        _ALLOWS.reset(mark)


def expect_memory(size: int = 0) -> None:
    """Raise if so many bytes more would exceed the limit of :func:`limit_building`."""
    allows = _ALLOWS.get()
    if allows is not None and not allows(size):
        raise FormulaTooLargeError


class FormulaBuilder:
    """Collects variables, clauses and comments for a :class:`Formula`."""

    def __init__(self, variables: int = 0, comments: Iterable[str] = ()) -> None:
        self.variables = variables
        self.comments = list(comments)
        self._blocks: list[Block] = []
        self._unseen = 0
        self._names: list[tuple[int, NameArray]] = []

    def new_variables(self, count: int, names: NameArray | Sequence[str] | None = None) -> IntArray:
        """Return the next variables, as an int32 array.

        >>> FormulaBuilder(variables=4).new_variables(3).tolist()
        [5, 6, 7]
        """
        first = self.variables + 1
        if count < 0 or first + count - 1 > LARGEST_VARIABLE:
            raise UsageError(
                f"cannot add {count} variables to {self.variables}; "
                f"there can be 0 to {LARGEST_VARIABLE}"
            )
        if names is not None:
            self._names.append((first, as_names(names, count)))
        self.variables += count
        return np.arange(first, first + count, dtype=np.int32)

    def add(self, origin: str, clauses: npt.ArrayLike | Block) -> None:
        """Add clauses: rows of one length (two axes), a flat array with zeros, or a block."""
        if isinstance(clauses, Block):
            block = clauses if clauses.origin == origin else Block(origin, clauses.literals)
        else:
            array = as_literals(clauses)
            block = Block.from_rows(origin, array) if array.ndim == 2 else Block(origin, array)
        if block.largest > self.variables:
            raise UsageError(
                f"there is no variable {block.largest} yet, only {self.variables}; "
                "call new_variables first"
            )
        self._blocks.append(block)
        self._unseen += block.literals.nbytes
        if self._unseen > _LARGE:
            self._unseen = 0
            expect_memory()

    def build(self) -> Formula:
        """Build the formula; neighbouring blocks of one origin become one."""
        blocks = []
        for origin, group in groupby(self._blocks, key=lambda block: block.origin):
            arrays = [block.literals for block in group]
            if (size := sum(array.nbytes for array in arrays)) > _LARGE and len(arrays) > 1:
                expect_memory(size)
            blocks.append(Block(origin, arrays[0] if len(arrays) == 1 else np.concatenate(arrays)))
        return Formula(tuple(blocks), self.variables, self._all_names(), tuple(self.comments))

    def _all_names(self) -> NameArray | None:
        if not self._names:
            return None
        width = max(names.dtype.itemsize for _, names in self._names)
        result: NameArray = np.zeros(self.variables, f"S{width}")
        for first, names in self._names:
            result[first - 1 : first - 1 + names.size] = names
        return result
