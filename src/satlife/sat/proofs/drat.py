"""DRAT proofs: reading them, and turning small ones into LRAT proofs.

A DRAT step adds a clause, or deletes one (``d``); it gives no reason why the clause may be added.
As text, a step is ``1 -2 0`` or ``d 1 -2 0``.  In binary, it is a byte ``a`` or ``d``, the literals
as 2v or 2v + 1 (negated) in groups of seven bits, lowest first, and a byte 0.  See Wetzler, Heule
and Hunt, "DRAT-trim" (SAT 2014).

:func:`elaborate` finds the reasons, forward through the proof, by unit propagation with two
watched literals: 2,000 steps took 0.2 s for seven pigeons in six holes, and each step takes longer
for larger formulas.  Larger proofs are for ``drat-trim``, which goes backward and is written in C:
see :mod:`satlife.sat.proofs.checkers`.  As in ``drat-trim``, the deletion of a clause that makes a
literal true for good is ignored.  The result is not trusted: :func:`check_drat` passes it to the
LRAT checker.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import IO

from satlife.errors import FormatError
from satlife.sat.formula import LARGEST_VARIABLE, Formula
from satlife.sat.proofs.lrat import LONGEST_LINE, check_lrat
from satlife.sat.proofs.verdict import Verdict, open_proof

_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class ProofStep:
    """The addition or deletion of a clause."""

    literals: tuple[int, ...]
    deletes: bool = False


def is_binary(head: bytes) -> bool:
    """Return whether a DRAT proof is binary: it begins with ``a``, or contains a zero byte.

    >>> is_binary(b"d 1 2 0"), is_binary(b"d 2 1" + bytes(1))
    (False, True)
    """
    return head.startswith(b"a") or b"\0" in head


def read_drat(proof: str | PathLike[str]) -> Iterator[ProofStep]:
    """Yield the steps of a DRAT proof; raise FormatError if it is malformed."""
    with open_proof(proof) as file:
        head = file.read(_CHUNK)
        file.seek(0)
        yield from _read_binary(file) if is_binary(head) else _read_text(file)


def _read_text(file: IO[bytes]) -> Iterator[ProofStep]:
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        if line.startswith(b"c"):
            continue
        words = line.split()
        deletes = words[:1] == [b"d"]
        try:
            if line.translate(None, b"0123456789- \t\r\n") != b"d" * deletes:
                raise ValueError
            numbers = list(map(int, words[deletes:]))
            if numbers.index(0) != len(numbers) - 1:
                raise ValueError
        except ValueError:
            text = line[:40].decode("ascii", "replace").strip()
            raise FormatError(
                f"this is not a step of a DRAT proof: {text!r}", line=number
            ) from None
        _check_range(numbers, number)
        yield ProofStep(tuple(numbers[:-1]), deletes)


def _read_binary(file: IO[bytes]) -> Iterator[ProofStep]:
    number, kind, value, shift = 1, 0, 0, 0
    literals: list[int] = []
    while chunk := file.read(_CHUNK):
        for byte in chunk:
            if not kind:
                if byte not in b"ad":
                    raise FormatError(f"step {number} begins with byte {byte}, not with a or d")
                kind = byte
            elif byte & 0x80:
                value |= (byte & 0x7F) << shift
                shift += 7
                if shift > 35:
                    raise FormatError(f"a literal of step {number} has too many bytes")
            elif byte or shift:
                value |= byte << shift
                literals.append(-(value >> 1) if value & 1 else value >> 1)
                value = shift = 0
            else:
                _check_range([*literals, 0], number)
                yield ProofStep(tuple(literals), kind == ord("d"))
                number, kind, literals = number + 1, 0, []
    if kind:
        raise FormatError(f"step {number} is truncated")


def _check_range(numbers: list[int], line: int) -> None:
    if max(numbers) > LARGEST_VARIABLE or min(numbers) < -LARGEST_VARIABLE or 0 in numbers[:-1]:
        raise FormatError(f"a literal is beyond ±{LARGEST_VARIABLE}", line=line)


def check_drat(
    formula: Formula, proof: str | PathLike[str], *, seconds: float | None = None
) -> Verdict:
    """Check a small DRAT proof that a formula has no model; only a missing file is an error."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="satlife-") as folder:
        lrat = Path(folder, "proof.lrat")
        verdict = elaborate(formula, proof, lrat, seconds=seconds)
        if verdict:
            checked = check_lrat(formula, lrat)
            verdict = replace(verdict, valid=checked.valid, reason=checked.reason)
    return replace(verdict, seconds=time.monotonic() - start)


def elaborate(
    formula: Formula,
    proof: str | PathLike[str],
    lrat: str | PathLike[str],
    *,
    seconds: float | None = None,
) -> Verdict:
    """Turn a DRAT proof into an LRAT proof at the path ``lrat``; return whether that worked."""
    start = time.monotonic()
    with Path(lrat).open("w", encoding="ascii", newline="\n") as out:
        maker = _Elaborator(formula, math.inf if seconds is None else start + seconds)
        reason, steps, decided = "", 0, True
        try:
            for text in maker.begin():
                out.write(text)
            for step in () if maker.done else read_drat(proof):
                steps += 1
                out.write(maker.delete(step.literals) if step.deletes else maker.add(step.literals))
                if maker.done:
                    break
            if not maker.done:
                reason = "the proof ends without the empty clause"
        except FormatError as error:
            reason = str(error)
        except _Unjustified as error:
            reason = f"step {steps}: {error}"
        except TimeoutError:
            reason, decided = f"step {steps}: time limit", False
    return Verdict(
        not reason,
        reason,
        decided,
        steps=steps,
        added=maker.added,
        deleted=maker.deleted,
        rat=maker.rat,
        seconds=time.monotonic() - start,
    )


class _Unjustified(Exception):  # noqa: N818
    """A clause that is neither RUP nor RAT."""


class _Elaborator:
    """Clauses with two watched literals, and the literals that are permanently true."""

    def __init__(self, formula: Formula, deadline: float) -> None:
        self.added = self.deleted = self.rat = 0
        self.done = False
        """Whether the empty clause has been derived."""
        self._deadline = deadline
        self._formula = formula
        self._last = formula.clauses
        self._clauses: dict[int, list[int]] = {}
        self._names: dict[frozenset[int], list[int]] = defaultdict(list)
        self._watches: dict[int, list[int]] = defaultdict(list)
        self._holders: dict[int, set[int]] = defaultdict(set)
        self._reasons: dict[int, int] = {}
        """For each true literal, the clause that implied it; 0 if it is assumed."""
        self._trail: list[int] = []
        self._looked = 0
        """The number of literals of the trail that have been propagated."""

    def begin(self) -> Iterator[str]:
        """Add the formula's clauses; yield the last step if unit propagation refutes them."""
        for name, clause in enumerate(self._formula, 1):
            if conflict := self._keep(name, clause):
                yield self._finish(conflict)
                return

    def delete(self, literals: tuple[int, ...]) -> str:
        """Delete a clause, unless it is missing or the reason for a permanently true literal."""
        names = self._names.get(frozenset(literals), [])
        for place, name in enumerate(names):
            clause = self._clauses[name]
            if not any(self._reasons.get(literal) == name for literal in clause):
                del names[place]
                del self._clauses[name]
                for literal in clause:
                    self._holders[literal].discard(name)
                self.deleted += 1
                return f"{self._last} d {name} 0\n"
        return ""

    def add(self, literals: tuple[int, ...]) -> str:
        """Justify a clause and add it; return the LRAT steps."""
        mark = len(self._trail)
        hints = self._refute(literals)
        if hints is None:
            hints = self._resolve(literals)
            self.rat += 1
        self._undo(mark)
        self._last += 1
        self.added += 1
        name = self._last
        text = " ".join(map(str, (name, *literals, 0, *hints, 0))) + "\n"
        self.done = not literals
        if literals and (conflict := self._keep(name, literals)):
            text += self._finish(conflict)
        return text

    def _finish(self, conflict: int) -> str:
        """Derive the empty clause from a conflict of unit propagation."""
        self.done = True
        self._last += 1
        self.added += 1
        return f"{self._last} 0 {' '.join(map(str, self._explain(conflict)))} 0\n"

    def _refute(self, literals: tuple[int, ...]) -> list[int] | None:
        """Assume that literals are false; return the clauses that lead to a conflict, in order."""
        for literal in literals:
            if literal in self._reasons:
                # It is true already: all other literals of its reason are false.
                if reason := self._reasons[literal]:
                    return self._explain(reason, literal)
                continue  # the clause has a literal and its negation
            if -literal not in self._reasons:
                self._assign(-literal, 0)
        conflict = self._propagate()
        return self._explain(conflict) if conflict else None

    def _resolve(self, literals: tuple[int, ...]) -> list[int]:
        """Return hints for a RAT step on the first literal; the trail is from the RUP attempt."""
        if not literals:
            raise _Unjustified("the empty clause is not implied")
        pivot, base = literals[0], len(self._trail)
        shared = [self._reasons[literal] for literal in self._trail if self._reasons[literal]]
        hints = list(shared)
        known = set(shared)
        for name in sorted(self._holders[-pivot]):
            others = [literal for literal in self._clauses[name] if literal != -pivot]
            hints.append(-name)
            if any(literal in self._reasons for literal in others):
                continue  # the resolvent is always true
            found = self._refute(tuple(others))
            self._undo(base)
            if found is None:
                raise _Unjustified(f"the clause {literals} is neither implied nor RAT on {pivot}")
            hints.extend(hint for hint in found if hint not in known)
        return hints

    def _explain(self, conflict: int, proved: int = 0) -> list[int]:
        """Return the clauses that lead to a conflict, in the order in which they become unit."""
        needed = {-literal for literal in self._clauses[conflict] if literal != proved}
        hints = [conflict]
        for literal in reversed(self._trail):
            if literal in needed and (reason := self._reasons[literal]):
                hints.append(reason)
                needed.update(-other for other in self._clauses[reason] if other != literal)
        return hints[::-1]

    def _keep(self, name: int, literals: tuple[int, ...]) -> int:
        """Add a clause, and propagate permanently; return a clause that is then false, or 0."""
        clause = sorted(dict.fromkeys(literals), key=lambda literal: -literal in self._reasons)
        self._clauses[name] = clause
        self._names[frozenset(clause)].append(name)
        for literal in clause:
            self._holders[literal].add(name)
        for literal in clause[:2] if len(clause) > 1 else ():
            self._watches[literal].append(name)
        free = [literal for literal in clause[:2] if -literal not in self._reasons]
        if not free:
            return name
        if len(free) == 1 and free[0] not in self._reasons:
            self._assign(free[0], name)
        return self._propagate()

    def _assign(self, literal: int, reason: int) -> None:
        self._reasons[literal] = reason
        self._trail.append(literal)

    def _undo(self, mark: int) -> None:
        for literal in self._trail[mark:]:
            del self._reasons[literal]
        del self._trail[mark:]
        self._looked = mark

    def _propagate(self) -> int:
        """Propagate units; return a clause whose literals are all false, or 0."""
        true, clauses = self._reasons, self._clauses
        if time.monotonic() > self._deadline:
            raise TimeoutError
        while self._looked < len(self._trail):
            gone = -self._trail[self._looked]
            self._looked += 1
            watching = self._watches[gone]
            kept: list[int] = []
            for place, name in enumerate(watching):
                clause = clauses.get(name)
                if clause is None:
                    continue
                if clause[0] == gone:
                    clause[0], clause[1] = clause[1], gone
                if clause[0] not in true:
                    for k in range(2, len(clause)):
                        if -clause[k] not in true:
                            clause[1], clause[k] = clause[k], gone
                            self._watches[clause[1]].append(name)
                            break
                    else:
                        kept.append(name)
                        if -clause[0] in true:
                            self._watches[gone] = kept + watching[place + 1 :]
                            return name
                        self._assign(clause[0], name)
                    continue
                kept.append(name)
            self._watches[gone] = kept
        return 0
