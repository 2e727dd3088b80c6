"""A second, plain way from a problem to clauses: the formula of which certificates speak.

It is written to be read: each sentence of the problem is a group of clauses under its own words,
each cell of each generation, the last too, is a variable ``x3y4t0``, and nothing is folded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, groupby, pairwise

from satlife.errors import UsageError
from satlife.life import Box, Motion, Rule, Symmetry, Transform
from satlife.life.neighbourhood import OFFSETS
from satlife.sat.formula import Block, Formula, as_names
from satlife.search import constraints as ask
from satlife.search.isometry import Isometry, symmetry_isometries
from satlife.search.problem import Movement, Problem

FALSE, TRUE = 1, -1  # variable 1 is false: it is every dead cell that has no variable of its own


def audit_formula(problem: Problem) -> Formula:
    """Return the formula: each block is one sentence of the problem, which is its origin."""
    audit = _Audit(problem)
    blocks = tuple(Block.from_clauses(*group) for group in audit.groups)
    comment = f"satlife problem {problem.to_json().decode()}"  # enough to decode solutions
    return Formula(blocks, len(audit.names), as_names(audit.names, len(audit.names)), (comment,))


def rule_clauses(rule: Rule) -> Iterator[tuple[int, ...]]:
    """Yield the clauses of one step: 1 to 9 are the cells in reading order, 10 the successor.

    If counts decide: "a to b neighbours live" is seen by a that live and 8-b others that do not,
    and each such sight implies the successor.  Life has 190 clauses.
    """
    if rule.births is None or rule.survivals is None or 0 in rule.births:
        raise UsageError(f"the rule {rule} is not covered by certificates yet")
    pairs = [(n in rule.births, n in rule.survivals) for n in range(9)]
    same = [born if born == stays else None for born, stays in pairs]  # whatever the centre is
    dead = [None if born == stays else born for born, stays in pairs]
    live = [None if born == stays else stays for born, stays in pairs]
    around = (1, 2, 3, 4, 6, 7, 8, 9)
    for table, centre in ((same, ()), (dead, (5,)), (live, (-5,))):
        for state, run in groupby(range(9), key=table.__getitem__):
            counts = list(run)
            for alive in combinations(around, counts[0]) if state is not None else ():
                for empty in combinations([k for k in around if k not in alive], 8 - counts[-1]):
                    yield *(-k for k in alive), *empty, *centre, 10 if state else -10


def _places(box: Box) -> list[tuple[int, int]]:
    return [(x, y) for y in range(box.y, box.bottom) for x in range(box.x, box.right)]


class _Audit:
    def __init__(self, problem: Problem) -> None:
        self.problem, self.boxes = problem, [*problem.all_boxes]
        self.torus, self.free = problem.boundary == "torus", problem.boundary == "free"
        d = self.move = problem.motion or Movement(period=1)
        self.motion = Isometry.about(self.boxes[0], Transform(d.transform), d.dx, d.dy, d.period)
        if problem.motion:
            last = self.boxes[0] if self.torus else self.motion.box(self.boxes[0])
            self.boxes.append(last & self.boxes[0] if problem.include_last else last)
        self.frame = self.boxes[0]
        for box in self.boxes:
            self.frame |= box
        self.names = ["outside"]
        self.groups: list[tuple[str, list[tuple[int, ...]]]] = []  # a sentence and its clauses
        room = self.frame.grow(0 if self.torus else 1)  # in the ring around no cell may be born
        self.cells = {
            (x, y, t): self.new(f"x{x}y{y}t{t}")
            for t, box in enumerate(self.boxes)
            for x, y in _places(box if self.free else room)
        }
        self.say_all()

    def maps(self) -> Iterator[tuple[str, Isometry]]:  # to itself, or to what it is later
        problem, d, symmetry = self.problem, self.move, Symmetry(self.problem.symmetry)
        motion = Motion.of(d.period, d.dx, d.dy) if problem.motion else None
        how = f"{d.transform}, " if d.transform != "identity" else ""
        symmetric, shifts = problem.symmetry != "C1", sum(map(bool, problem.wrap))
        hard = {"torus": how or symmetric + shifts > 1, "free": symmetric, "dead": False}
        if hard[problem.boundary] or (problem.include_last and problem.boundary != "dead"):
            raise UsageError("such a motion or symmetry is not covered by certificates yet")
        if motion:
            yield f"generation {d.period} is generation 0 {how}moved by {d.dx, d.dy}", self.motion
        glides = [g for g in symmetry_isometries(symmetry, self.boxes[0], motion) if g.dt]
        group = sorted(symmetry.group - {Transform("identity")}, key=str)
        for g in [*(Isometry.about(self.boxes[0], each) for each in group), *glides]:
            yield f"symmetry {symmetry}: {g.transform}, {g.dt} generations later", g

    def say_all(self) -> None:  # noqa: PLR0912 - one loop for each kind of sentence
        template = list(rule_clauses(Rule(self.problem.rule)))
        self.groups.append(("cells outside the boxes are dead", []))
        self.add(TRUE)
        for (x, y, t), cell in self.cells.items():
            if (x, y) not in self.boxes[t]:
                self.add(-cell)
        for t in range(self.problem.steps):
            self.groups.append((f"generation {t + 1} follows from generation {t}", []))
            for (x, y, k), cell in self.cells.items():
                if k == t + 1 and (x, y, k) not in self.problem.exempt:
                    step = [*(self.at(x + dx, y + dy, t) for dx, dy in OFFSETS), cell]
                    for clause in template if all(step) else ():
                        self.add(*(step[i - 1] if i > 0 else -step[-i - 1] for i in clause))
        for sentence, isometry in self.maps():
            self.groups.append((sentence, []))
            for place, cell in self.cells.items():
                self.equal(cell, self.at(*isometry.point(*place)))
                self.equal(cell, self.at(*isometry.inverse.point(*place)))
        for known in self.problem.known:
            self.groups.append((f"known cells of generation {known.t}", []))
            for y, row in enumerate(known.rows, known.y):
                for x, state in enumerate(row, known.x):
                    self.equal(self.at(x, y, known.t), {"o": TRUE, ".": FALSE, "?": 0}[state])
        for link in self.problem.links:
            self.groups.append(("links", []))
            self.equal(self.at(*link.first), self.at(*link.second) * (-1 if link.opposite else 1))
        for constraint in self.problem.constraints:
            self.groups.append((f"constraint: {constraint}", []))
            self.constrain(constraint)

    def constrain(self, it: ask.Constraint) -> None:
        d, times = self.move, range(self.problem.generations)
        film = [[self.at(x, y, t) or FALSE for t in times] for x, y in _places(self.frame)]
        living = [[cells[t] for cells in film] for t in times]
        p = d.period if d.transform == "identity" else 1  # a turn excludes no part of the period
        parts = [q for q in range(2, p + 1) if p % q == d.dx % q == d.dy % q == 0]
        room = _places(self.frame.grow(0 if self.torus else max(abs(d.dx), abs(d.dy))))
        match it:
            case ask.Population(generation=which):
                self.bound(it, living if isinstance(which, str) else [living[which]], which)
            case ask.Rotor() | ask.Stator():
                counts = self.varies if isinstance(it, ask.Rotor) else self.all
                self.bound(it, [[counts(*cells) for cells in film]])
            case ask.Bound():
                raise UsageError(f"'{it}' is not covered by certificates yet")
            case ask.PatternPeriod() if parts:
                for q in parts:
                    self.add(*(self.changes(x, y, [0], q) for x, y in room))
            case ask.FullPeriod() if parts:
                cells = [[self.changes(x, y, times, q) for q in parts] for x, y in room]
                self.add(*(self.all(*each) for each in cells))
            case _:
                self.add(*living[getattr(it, "t", 0)])

    def changes(self, x: int, y: int, times: Iterable[int], q: int) -> int:
        dx, dy, p = self.move.dx // q, self.move.dy // q, self.move.period // q  # so far, so late
        pairs = ((self.at(x, y, t), self.at(x + dx, y + dy, t + p)) for t in times)
        return self.any(*(self.varies(a or FALSE, b or FALSE) for a, b in pairs))

    def bound(self, it: ask.Bound, rows: list[list[int]], which: ask.Which = "every") -> None:
        """Of the literals of every row so many are true; or of the row with the least or most."""
        low = [self.at_least(it.least, row) for row in rows]
        high = [TRUE if it.most is None else -self.at_least(it.most + 1, row) for row in rows]
        self.add(self.any(*low) if which == "most" else self.all(*low))
        self.add(self.any(*high) if which == "least" else self.all(*high))

    def at_least(self, number: int, row: list[int]) -> int:
        reached = [TRUE] + [FALSE] * number  # reached[j]: at least j of the literals so far
        for one in row:
            reached = [TRUE, *(self.any(b, self.all(one, a)) for a, b in pairwise(reached))]
        return reached[number]

    def varies(self, *literals: int) -> int:
        return self.all(self.any(*literals), -self.all(*literals))

    def all(self, *literals: int) -> int:
        return -self.any(*(-literal for literal in literals))

    def any(self, *literals: int) -> int:
        one = self.new()  # true if and only if some literal is
        self.add(-one, *literals)
        for literal in literals:
            self.add(one, -literal)
        return one

    def equal(self, one: int, other: int) -> None:
        for clause in ((-one, other), (one, -other)) if one and other else ():
            self.add(*clause)

    def add(self, *literals: int) -> None:
        clause = dict.fromkeys(literals)  # on a small torus a cell may be its own neighbour
        if not any(-literal in clause for literal in clause):
            self.groups[-1][1].append(tuple(clause))

    def new(self, name: str = "") -> int:
        self.names.append(name)
        return len(self.names)

    def at(self, x: int, y: int, t: int) -> int:  # a variable, or 0 if nothing is said of it
        while not 0 <= t <= self.problem.steps:
            x, y, t = (self.motion if t < 0 else self.motion.inverse).point(x, y, t)
        if self.torus:
            box, (down, right) = self.boxes[0], self.problem.wrap
            turns, y = divmod(y - box.y, box.height)
            turns, x = divmod(x - box.x - turns * right, box.width)
            x, y = x + box.x, (y - turns * down) % box.height + box.y
        return self.cells.get((x, y, t), 0 if self.free else FALSE)
