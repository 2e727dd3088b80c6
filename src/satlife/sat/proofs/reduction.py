"""Reducing a formula before it is solved with a proof, in steps that the proof repeats.

Literals that units make false are removed, equivalent literals (by pairs of binary clauses) are
merged, and duplicate clauses are dropped.  Each new clause follows from an old one by units and
binary clauses (RUP), so the proof of the reduced formula, preceded by these steps, is a proof of
the whole.  None of this needs to be trusted, since the checkers see the whole formula.

>>> whole = Formula.from_clauses([(-1,), (2, -3), (-2, 3), (1, 2, 4), (1, 3, 4), (-3, 5)])
>>> small = reduce_formula(whole)
>>> list(small.formula), small.variables.tolist()
([(3, 2), (-3, 1)], [0, 5, 4, 2])
>>> import sys
>>> small.write_steps([0, 1], sys.stdout)
7 2 4 0 1 4 0
8 -2 5 0 3 6 0
({0: 7, 1: 8}, 8)
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import IO

import numpy as np
import numpy.typing as npt

from satlife.sat.answer import Model
from satlife.sat.formula import Formula, IntArray

Step = tuple[tuple[int, ...], list[int]]
"""A clause, and its LRAT hints: the ids of the clauses that imply it, in order."""
Index = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Reduced:
    """A reduced formula, and its derivation from the whole."""

    whole: Formula
    formula: Formula
    variables: IntArray
    """For each variable, from 1 on, its variable in the whole."""
    ids: Index
    """For each clause, the id of the clause of the whole from which it follows."""
    changed: npt.NDArray[np.bool_]
    """Marks the clauses that differ from their origin in the whole."""
    same: IntArray
    """For each literal of the whole, its representative; true is one extra variable."""
    helpers: list[Step]
    """Units and binary clauses that are derived first; their ids follow those of the whole."""
    why: dict[int, int]
    """For each replaced literal, the clause by which it is false if its representative is."""

    @cached_property
    def _flat(self) -> tuple[IntArray, Index]:
        """The clauses of the whole as a flat array, and the indices of their ends."""
        literals = self.whole.literals()
        return literals, np.flatnonzero(literals == 0)

    @classmethod
    def unchanged(cls, whole: Formula) -> Reduced:
        """Return a formula without any reduction."""
        ids = np.arange(1, whole.clauses + 1)
        numbers = np.arange(whole.variables + 1, dtype=np.int32)
        changed = np.zeros(whole.clauses, np.bool_)
        return cls(whole, whole, numbers, ids, changed, _name_literals(whole), [], {})

    def lift(self, model: Model) -> Model:
        """Turn a model of the reduced formula into a model of the whole."""
        true = self.whole.variables + 1
        truth = np.zeros(true + 1, np.bool_)
        truth[self.variables] = model.truth[: self.variables.size]
        truth[true] = True
        same = self.same[:true]
        found = np.where(same < 0, ~truth[np.abs(same)], truth[np.abs(same)])
        found[0] = False
        return Model(found)

    def write_steps(
        self, wanted: Iterable[int], out: IO[str], *, alone: bool = False
    ) -> tuple[dict[int, int], int]:
        """Write the steps that derive some clauses; return their ids, and the last id used.

        With ``alone``, all of them get new ids, in order, and the clauses of the whole are deleted.
        """
        last = given = self.whole.clauses
        ids = {k: int(self.ids[k]) for k in wanted}
        steps = {k: self._derive(k) for k in ids if alone or self.changed[k]}
        needed = {hint for _, hints in steps.values() for hint in hints if hint > given}
        for number in range(given + len(self.helpers), given, -1):
            if number in needed:
                needed.update(hint for hint in self.helpers[number - given - 1][1] if hint > given)
        names: dict[int, int] = {}

        def write(step: Step) -> int:
            nonlocal last
            last += 1
            hints = [names.get(hint, hint) for hint in step[1]]
            out.write(" ".join(map(str, (last, *step[0], 0, *hints, 0))) + "\n")
            return last

        for number in sorted(needed):
            names[number] = write(self.helpers[number - given - 1])
        ids |= {k: write(step) for k, step in steps.items()}
        gone = [*(range(1, given + 1) if alone else ()), *names.values()]
        if gone and any(clause for clause, _ in steps.values()):  # else it ends here
            out.write(f"{last} d {' '.join(map(str, gone))} 0\n")
        return ids, last

    def _derive(self, k: int) -> Step:
        """Return the step for a clause: hints for its replaced literals, then its origin."""
        row = int(self.ids[k]) - 1
        literals, ends = self._flat
        clause = literals[ends[row - 1] + 1 if row else 0 : ends[row]].tolist()
        hints = [self.why[literal] for literal in clause if literal in self.why]
        true = self.whole.variables + 1
        left = dict.fromkeys(self.same[clause].tolist()) if clause else {}
        return tuple(literal for literal in left if literal != -true), [*hints, row + 1]


def reduce_formula(whole: Formula) -> Reduced:
    """Return a formula with the same models, without variables that are decided or equal."""
    return _Reducer(whole).reduce()


_second = itemgetter(1)


def _name_literals(whole: Formula) -> IntArray:
    """Return all literals, constants included, each at its own index, which may be negative."""
    numbers = np.arange(whole.variables + 2, dtype=np.int32)
    return np.concatenate([numbers, -numbers[:0:-1]])


class _Reducer:
    """The remaining literals of all clauses, the row of each, and the facts about them."""

    def __init__(self, whole: Formula) -> None:
        self.whole, self.true = whole, whole.variables + 1
        self.flat = whole.literals()
        self.ends = np.flatnonzero(self.flat == 0)
        self.lengths = np.diff(self.ends, prepend=-1) - 1
        self.literals = self.flat[self.flat != 0]
        self.rows = np.repeat(np.arange(whole.clauses), self.lengths)
        self.done = np.zeros(whole.clauses, np.bool_)
        """Marks the clauses that are always true."""
        self.same = _name_literals(whole)
        self.helpers: list[Step] = []
        self.why: dict[int, int] = {}

    def reduce(self) -> Reduced:
        """Run the whole reduction."""
        while self._propagate():
            pass
        self._merge()
        left = self._count()
        changed = left < self.lengths
        if (empty := np.flatnonzero((left == 0) & ~self.done)).size:
            none = np.zeros(0, np.int64)
            return self._finish(empty[:1], none, np.zeros(1, np.int64), changed)
        now = self.same[self.literals]
        codes = 2 * np.abs(now.astype(np.int64)) + (now < 0)
        merged = np.zeros(self.whole.clauses, np.bool_)
        merged[self.rows[now != self.literals]] = True
        kept = self._drop_repeated(codes, np.flatnonzero(merged[self.rows]))
        rows, codes = self.rows[kept], codes[kept]
        starts = np.flatnonzero(np.diff(rows, prepend=-1))
        # Equal clauses have equal sums.  A collision would lose a clause, but make no proof wrong.
        numbers = np.random.default_rng(0).integers(2**63, size=2 * self.true, dtype=np.uint64)
        sums = np.add.reduceat(numbers[codes], starts) if starts.size else numbers[:0]
        first = np.sort(np.unique(sums, return_index=True)[1])
        chosen = np.zeros(starts.size, np.bool_)
        chosen[first] = True
        lengths = np.diff(starts, append=rows.size)
        codes = codes[np.repeat(chosen, lengths)]
        return self._finish(rows[starts[first]], codes, lengths[first], changed | merged)

    def _finish(
        self, rows: Index, codes: Index, lengths: Index, changed: npt.NDArray[np.bool_]
    ) -> Reduced:
        # CaDiCaL decides the last variables first, and does better deciding the first cells first.
        used = np.flatnonzero(np.bincount(codes // 2))[::-1]
        numbers = np.zeros(self.true, np.int32)
        numbers[used] = np.arange(1, used.size + 1)
        found = numbers[codes // 2]
        flat = np.zeros(codes.size + lengths.size, np.int32)
        places = np.arange(codes.size) + np.repeat(np.arange(lengths.size), lengths)
        flat[places] = np.where(codes % 2, -found, found)
        return Reduced(
            self.whole,
            Formula.from_arrays(flat, variables=used.size),
            np.concatenate([[0], used]).astype(np.int32),
            rows + 1,
            changed[rows],
            self.same,
            self.helpers,
            self.why,
        )

    def _propagate(self) -> bool:
        """Make the literals of unit clauses true; return whether there were any."""
        units = (self._count() == 1)[self.rows] & (np.abs(self.same[self.literals]) != self.true)
        literals, where = np.unique(self.literals[units], return_index=True)
        rows = self.rows[units][where]
        for literal, row in sorted(zip(literals.tolist(), rows.tolist(), strict=True), key=_second):
            if abs(self.same[literal]) == self.true:
                continue  # its negation was found too, and a clause is false now
            end = self.ends[row]
            others = self.flat[end - self.lengths[row] : end].tolist()
            hints = [self.why[other] for other in others if other != literal]
            self.why[-literal] = self._help((literal,), [*hints, row + 1]) if hints else row + 1
            self.same[literal], self.same[-literal] = self.true, -self.true
        now = self.same[self.literals]
        self.done[self.rows[now == self.true]] = True
        left = (now != -self.true) & ~self.done[self.rows]
        self.literals, self.rows = self.literals[left], self.rows[left]
        return bool(rows.size)

    def _count(self) -> Index:
        """Return the number of remaining literals of each clause."""
        return np.bincount(self.rows, minlength=self.whole.clauses)

    def _drop_repeated(self, codes: Index, places: Index) -> npt.NDArray[np.bool_]:
        """Return a mask of the literals to keep: no repetitions, no tautologies."""
        keys = self.rows[places] * (2 * self.true) + codes[places]
        order = np.argsort(keys, kind="stable")
        keys, places = keys[order], places[order]
        again = np.diff(keys, prepend=-1) == 0
        # The codes of a literal and its negation differ in the last bit.
        opposite = (keys[1:] ^ keys[:-1] == 1) & (keys[1:] % 2 == 1)
        self.done[self.rows[places[1:][opposite]]] = True
        kept = ~self.done[self.rows]
        kept[places[again]] = False
        return kept

    def _merge(self) -> None:
        """Find pairs of binary clauses that make two literals equal, and merge these."""
        short = (self.lengths == 2)[self.rows]  # both literals are left, for none is a unit
        pairs, rows = np.sort(self.literals[short].reshape(-1, 2)), self.rows[short][::2]
        ids: dict[tuple[int, ...], int] = {}
        for pair, row in zip(pairs.tolist(), rows.tolist(), strict=True):
            ids.setdefault(tuple(pair), row + 1)
        near: defaultdict[int, list[int]] = defaultdict(list)
        """For each variable, the literals that it equals."""
        for one, other in ids:
            if one < 0 and other != -one and (min(-one, -other), max(-one, -other)) in ids:
                near[-one].append(other)
                near[abs(other)].append(-one if other > 0 else one)
        for root in sorted(near):
            if self.same[root] == root and root not in self.why:
                self._merge_with(root, near, ids)

    def _merge_with(
        self, root: int, near: dict[int, list[int]], ids: dict[tuple[int, ...], int]
    ) -> None:
        """Merge all literals that equal a variable, breadth first."""
        seen, waiting = {root}, deque([root])
        while waiting:
            middle = waiting.popleft()
            for equal in near[middle]:
                variable = abs(equal)
                if variable in seen:
                    continue
                seen.add(variable)
                waiting.append(variable)
                for sign in (1, -1):
                    literal, next_ = sign * variable, sign * (middle if equal > 0 else -middle)
                    given = ids[min(-literal, next_), max(-literal, next_)]
                    last = int(self.same[next_])
                    why = given
                    if middle != root:
                        why = self._help((-literal, last), [given, self.why[next_]])
                    self.same[literal], self.why[literal] = last, why

    def _help(self, clause: tuple[int, ...], hints: list[int]) -> int:
        """Add a helper step; return its id."""
        self.helpers.append((clause, hints))
        return self.whole.clauses + len(self.helpers)
