"""Symmetry in certificates: maps that leave the problem invariant, found from its clauses.

A map sends each cell to another one.  The audit's clauses are generated again, with gates replaced
by their meanings, steps of the rule by the cells that take part in them, and the last generation by
the image of the first under the motion.  If a map sends each clause to one of the clauses, or to a
tautology, then the image of any solution is a solution.  No claim about a map is trusted: the
clauses decide.

Then the least solution, by its generation 0 read row by row, dead before alive, is not greater than
its image.  Requiring that loses nothing; the proof is in docs/background/trust.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from satlife.audit.formula import TURNS, Audit, Map
from satlife.audit.gates import FALSE, TRUE
from satlife.audit.places import list_places
from satlife.audit.rule_clauses import list_fates
from satlife.errors import FormatError
from satlife.life import Rule
from satlife.life.neighbourhood import OFFSETS
from satlife.life.rulespaces import read_rules
from satlife.problem import Problem
from satlife.sat.formula import Block, Formula, as_names

Literals = tuple[int, ...]
Image = dict[int, int]
"""The image of each cell of a problem under a map: another cell, or FALSE."""


class _Meanings(Audit):
    """The audit's clauses, with gates and steps recorded by meaning instead of as clauses."""

    def __init__(self, problem: Problem) -> None:
        self.gates: dict[Literals, int] = {}
        """The gates: at least a number (the first) of the literals (the others) are true."""
        self.steps: list[list[int]] = []
        """Nine cells in reading order, the successor of the fifth, and the entries of the rule."""
        super().__init__(problem)

    def gate(self, number: int, literals: Iterable[int]) -> int:
        key = (number, *sorted(literals))
        return self.gates.get(key) or self.gates.setdefault(key, self.new())

    def any(self, *literals: int) -> int:
        return self.gate(1, literals)

    def tally(self, number: int, literals: list[int]) -> list[int]:
        return [TRUE, *(self.gate(j, literals) for j in range(1, number + 1))]

    def follow(self, step: list[int]) -> None:
        self.steps.append(step[1:])

    def starts(self, t: int) -> range:
        """Return all generations if each determines the next: a difference in one is in all."""
        p, plain = self.problem, isinstance(read_rules(self.problem.rule), Rule)
        # With a motion, all outside is known; in a background, the box is not all that lives.
        decided = plain and p.motion and not p.exempt and p.boundary != "agar"
        return range(p.generations) if decided else super().starts(t)


class Invariance:
    """The clauses of a problem, and the maps under which they are invariant."""

    def __init__(self, problem: Problem, added: Iterable[Literals] = ()) -> None:
        self.audit = audit = _Meanings(problem)
        self._kept: list[Image] = []
        stated = {*added, *(clause for _, group in audit.groups for clause in group)}
        self.same, self._gates = self._find_same(stated), list(audit.gates.items())
        to = self._extend(self.same)
        self._gates = list(audit.gates.items())
        self.clauses = {_carry(clause, to) for clause in stated}
        self._steps = {tuple(to[literal] for literal in step) for step in audit.steps}
        ways = list(_find_ways(list_fates(read_rules(problem.rule))))
        self._turned = {(*(s[i] for i in way), *s[9:]) for s in self._steps for way in ways}

    def _find_same(self, stated: set[Literals]) -> Image:
        """Return each cell itself, or for one of generation p the cell equal to it by clauses."""
        audit, d, same = self.audit, self.audit.move, {FALSE: FALSE}
        for (x, y, t), cell in audit.cells.items():
            back = audit.carry_back(Map(d.transform, d.dx, d.dy), x, y)
            one = audit.at(*back, 0) if t == d.period else 0
            same[cell] = one if {(-cell, one), (cell, -one)} <= stated else cell
        return same

    def _extend(self, image: Image) -> dict[int, int]:
        """Extend the image of the cells to all literals."""
        to = {variable: variable for variable in range(1, len(self.audit.names) + 1)} | image
        to |= {-variable: -literal for variable, literal in to.items()}
        for (number, *literals), gate in self._gates:
            to[gate] = self.audit.gate(number, [to[literal] for literal in literals])
            to[-gate] = -to[gate]
        return to

    def keeps(self, image: Image) -> bool:
        """Whether the image of any solution under the map is a solution."""
        if image in self._kept:
            return True
        if not all(image.values()):
            return False
        to = self._extend({cell: image[same] for cell, same in self.same.items()})
        if any(tuple(to[literal] for literal in step) not in self._turned for step in self._steps):
            return False
        for clause in (_carry(clause, to) for clause in self.clauses):
            if clause not in self.clauses and not any(-literal in clause for literal in clause):
                return False
        self._kept.append(image)
        return True

    def require_least(self, formula: Formula, image: Image, words: str) -> Formula:
        """Require generation 0 to be not greater than its image; raise if the map is not valid."""
        if not self.keeps(image):
            raise FormatError(f"the problem is not the same for {words}")
        pairs: dict[frozenset[int], tuple[int, int]] = {}
        for place in list_places(self.audit.boxes[0]):
            cell = self.audit.at(*place, 0)
            if cell != image[cell]:  # a repeated pair is equal if all before it are
                pairs.setdefault(frozenset([cell, image[cell]]), (cell, image[cell]))
        clauses, equal, last = list[Literals](), Literals(), formula.variables
        for cell, other in pairs.values():
            last += 1  # true if all pairs so far are equal
            clauses += [(*equal, -cell, other), (*equal, -cell, last), (*equal, other, last)]
            equal = (-last,)
        names = [*([] if formula.names is None else formula.names.tolist()), *[b""] * len(pairs)]
        block = Block.from_clauses(f"generation 0 is not greater than {words}", clauses)
        return Formula((*formula.blocks, block), last, as_names(names, last), formula.comments)


def _carry(clause: Literals, to: dict[int, int]) -> Literals:
    return tuple(sorted({to[literal] for literal in clause}))


def _find_ways(fates: list[int]) -> Iterator[Literals]:
    """Yield the permutations of nine cells under which the rule is invariant."""
    for turn in TURNS.values():
        way = tuple(OFFSETS.index(turn(x, y)) for x, y in OFFSETS)
        turned = (sum((case >> 8 - way[i] & 1) << 8 - i for i in range(9)) for case in range(512))
        if all(fates[other] == fate for other, fate in zip(turned, fates, strict=True)):
            yield way
