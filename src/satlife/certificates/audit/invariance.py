"""Symmetry in certificates: maps that leave the problem invariant, found from its clauses.

A map shows each cell as another one.  The audit's sentences are made once more, with gates as what
they mean, steps of the rule as the cells that take part in them, and the last generation as what
the motion makes of the first.  If a map takes each sentence to one of them, or to one that is true
anyway, then what a solution looks like through the map is a solution.  Nothing is believed of where
a map takes a cell: the sentences decide.

Then the least solution, by its generation 0 read row by row, dead before alive, is not greater than
what it looks like.  To ask for that loses nothing; the proof is in docs/background/trust.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from satlife.certificates.audit.constraints import list_places
from satlife.certificates.audit.formula import TURNS, Audit, Map
from satlife.certificates.audit.gates import FALSE, TRUE
from satlife.certificates.audit.rule_clauses import list_fates
from satlife.errors import FormatError
from satlife.life import Rule
from satlife.life.neighbourhood import OFFSETS
from satlife.life.rulespaces import read_rules
from satlife.problem import Problem
from satlife.sat.formula import Block, Formula, as_names

Literals = tuple[int, ...]
Image = dict[int, int]
"""What each cell of a problem looks like through a map: another cell, or FALSE."""


class _Meanings(Audit):
    """The audit's sentences, in which gates and steps have no clauses, but a meaning."""

    def __init__(self, problem: Problem) -> None:
        self.gates: dict[Literals, int] = {}
        """At least a number (the first) of the literals (the others) are true."""
        self.steps: list[list[int]] = []
        """Nine cells in reading order, what the fifth becomes, and the entries of the rule."""
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
        """Where each generation decides the next, what lives or differs once does so always."""
        p, plain = self.problem, isinstance(read_rules(self.problem.rule), Rule)
        # With a motion, all outside is known; in a background, the box is not all that lives.
        decided = plain and p.motion and not p.exempt and p.boundary != "agar"
        return range(p.generations) if decided else super().starts(t)


class Invariance:
    """What a problem and clauses about its cells say, and through which maps it is the same."""

    def __init__(self, problem: Problem, added: Iterable[Literals] = ()) -> None:
        self.audit = audit = _Meanings(problem)
        self._kept: list[Image] = []
        said = {*added, *(clause for _, group in audit.groups for clause in group)}
        self.same, self._gates = self._find_same(said), list(audit.gates.items())
        to = self._extend(self.same)
        self._gates = list(audit.gates.items())
        self.clauses = {_carry(clause, to) for clause in said}
        self._steps = {tuple(to[literal] for literal in step) for step in audit.steps}
        ways = list(_find_ways(list_fates(read_rules(problem.rule))))
        self._turned = {(*(s[i] for i in way), *s[9:]) for s in self._steps for way in ways}

    def _find_same(self, said: set[Literals]) -> Image:
        """Return each cell itself, or for one of generation p what the clauses say it equals."""
        audit, d, same = self.audit, self.audit.move, {FALSE: FALSE}
        for (x, y, t), cell in audit.cells.items():
            back = audit.carry_back(Map(d.transform, d.dx, d.dy), x, y)
            one = audit.at(*back, 0) if t == d.period else 0
            same[cell] = one if {(-cell, one), (cell, -one)} <= said else cell
        return same

    def _extend(self, image: Image) -> dict[int, int]:
        """Return what all literals become, if it is known what the cells become."""
        to = {variable: variable for variable in range(1, len(self.audit.names) + 1)} | image
        to |= {-variable: -literal for variable, literal in to.items()}
        for (number, *literals), gate in self._gates:
            to[gate] = self.audit.gate(number, [to[literal] for literal in literals])
            to[-gate] = -to[gate]
        return to

    def keeps(self, image: Image) -> bool:
        """Whether what any solution looks like through the map is a solution."""
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
        """Add that generation 0 is not greater than what it looks like; raise if it may be."""
        if not self.keeps(image):
            raise FormatError(f"the problem is not the same for {words}")
        pairs: dict[frozenset[int], tuple[int, int]] = {}
        for place in list_places(self.audit.boxes[0]):
            cell = self.audit.at(*place, 0)
            if cell != image[cell]:  # a pair that comes again is equal if all before it are
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
    """Yield the orders of nine cells in which the rule takes them for the same."""
    for turn in TURNS.values():
        way = tuple(OFFSETS.index(turn(x, y)) for x, y in OFFSETS)
        turned = (sum((case >> 8 - way[i] & 1) << 8 - i for i in range(9)) for case in range(512))
        if all(fates[other] == fate for other, fate in zip(turned, fates, strict=True)):
            yield way
