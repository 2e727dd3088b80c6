"""Plain clauses under headings, and gates over literals: the logic of the audit formula.

Nothing is folded or shared: each gate is a new variable, equivalent to its definition.

>>> clauses = PlainClauses()
>>> clauses.say("one of the two is true")
>>> clauses.add(clauses.new("a"), clauses.new("b"))
>>> clauses.groups[-1]
('one of the two is true', [(2, 3)])
"""

from __future__ import annotations

from itertools import pairwise

FALSE, TRUE = 1, -1
"""Constant literals: variable 1 is false."""


class PlainClauses:
    """Groups of clauses, each with a heading, and the variables' names."""

    def __init__(self) -> None:
        self.names = ["outside"]
        self.groups: list[tuple[str, list[tuple[int, ...]]]] = [("variable 1 is false", [(TRUE,)])]

    def say(self, sentence: str) -> None:
        """Begin a group of clauses."""
        self.groups.append((sentence, []))

    def new(self, name: str = "") -> int:
        """Return a new variable."""
        self.names.append(name)
        return len(self.names)

    def add(self, *literals: int) -> None:
        """Add a clause: one of the literals is true."""
        clause = tuple(dict.fromkeys(literals))  # a literal counts once
        if len(set(map(abs, clause))) == len(clause):  # drop tautologies
            self.groups[-1][1].append(clause)

    def equal(self, one: int, other: int) -> None:
        """Make two literals equal; if one is 0, which is no literal, add nothing."""
        for clause in ((-one, other), (one, -other)) if one and other else ():
            self.add(*clause)

    def any(self, *literals: int) -> int:
        """Return a literal: whether one of the literals is true."""
        one = self.new()
        self.add(-one, *literals)
        for literal in literals:
            self.add(one, -literal)
        return one

    def all(self, *literals: int) -> int:
        """Return a literal: whether all of the literals are true."""
        return -self.any(*(-literal for literal in literals))

    def varies(self, *literals: int) -> int:
        """Return a literal: whether some are true and some are false."""
        return self.all(self.any(*literals), -self.all(*literals))

    def at_least(self, number: int, literals: list[int]) -> int:
        """Return a literal: whether at least this number of the literals are true."""
        return FALSE if number > len(literals) else self.tally(number, literals)[number]

    def tally(self, number: int, literals: list[int]) -> list[int]:
        """Return a unary counter: literals for "at least 0, 1, 2 … ``number`` are true"."""
        reached = [TRUE] + [FALSE] * number  # reached[j]: at least j of the literals so far
        for one in literals:
            reached = [TRUE, *(self.any(b, self.all(one, a)) for a, b in pairwise(reached))]
        return reached
