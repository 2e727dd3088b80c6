"""A second, plain way from a problem to clauses: the formula of which certificates speak.

It is written to be read: each sentence of the problem is a group of clauses under its own words,
each cell of each generation, the last too, is a variable ``x3y4t0``, and nothing is folded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from satlife.errors import UsageError
from satlife.life import Box, Motion, Rule, Symmetry, Transform
from satlife.life.neighbourhood import OFFSETS
from satlife.sat.formula import Block, Formula, as_names
from satlife.search import constraints as ask
from satlife.search.comments import problem_comments
from satlife.search.isometry import Isometry, symmetry_isometries
from satlife.search.plain_clauses import FALSE, TRUE, PlainClauses
from satlife.search.problem import Known, Movement, Problem

Place = tuple[int, int]


def audit_formula(problem: Problem) -> Formula:
    """Return the formula: each block is one sentence of the problem, which is its origin."""
    audit = _Audit(problem)
    blocks = tuple(Block.from_clauses(*group) for group in audit.groups)
    names = as_names(audit.names, len(audit.names))
    return Formula(blocks, len(audit.names), names, problem_comments(problem))


def rule_clauses(rule: Rule) -> Iterator[tuple[int, ...]]:
    """Yield the clauses of one step: 1 to 9 are the cells in reading order, 10 the successor.

    Each of the 512 neighbourhoods implies its successor, which the table has; so do those of its
    cells that decide, whatever the others are.  Life has 190 clauses.
    """
    _refuse(rule.table[0], f"the rule {rule}, by which cells are born out of nothing (B0)")
    table, said = rule.table.tolist(), set[int]()
    for index, successor in enumerate(table):
        if index in said:
            continue
        clause, cases = [10 if successor else -10], {index}
        for cell in (5, 1, 2, 3, 4, 6, 7, 8, 9):
            bit = 1 << (9 - cell)
            others = {case ^ bit for case in cases}  # those in which this cell is changed
            if all(table[other] == successor for other in others):
                cases |= others
            else:
                clause.append(-cell if index & bit else cell)
        yield tuple(clause)
        said |= cases


def _refuse(when: object, what: str) -> None:
    if when:
        raise UsageError(f"not covered by certificates yet: {what}")


def _places(box: Box) -> list[Place]:
    return [(x, y) for y in range(box.y, box.bottom) for x in range(box.x, box.right)]


def _drawing(it: Known | ask.Difference) -> dict[Place, str]:
    return {(x, y): c for y, row in enumerate(it.rows, it.y) for x, c in enumerate(row, it.x)}


class _Audit(PlainClauses):
    def __init__(self, problem: Problem) -> None:
        super().__init__()
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
        room = self.frame.grow(0 if self.torus else 1)  # in the ring around no cell may be born
        self.cells = {
            (x, y, t): self.new(f"x{x}y{y}t{t}")
            for t, box in enumerate(self.boxes)
            for x, y in _places(box if self.free else room)
        }
        self.say_all()

    def say_all(self) -> None:
        problem, template = self.problem, list(rule_clauses(Rule(self.problem.rule)))
        self.say("cells outside the boxes are dead")
        for (x, y, t), cell in self.cells.items():
            if (x, y) not in self.boxes[t]:
                self.add(-cell)
        for t in range(problem.steps):
            self.say(f"generation {t + 1} follows from generation {t}")
            for (x, y, k), cell in self.cells.items():
                if k == t + 1 and (x, y, k) not in problem.exempt:
                    step = [TRUE, *(self.at(x + dx, y + dy, t) for dx, dy in OFFSETS), cell]
                    for clause in template if all(step) else ():  # 0: of a cell nothing is said
                        self.add(*[step[i] if i > 0 else -step[-i] for i in clause])
        for sentence, isometry in self.maps():
            self.say_map(sentence, isometry)
        for known in problem.known:
            self.say(f"known cells of generation {known.t}")
            for (x, y), state in _drawing(known).items():
                self.equal(self.at(x, y, known.t), {"o": TRUE, ".": FALSE, "?": 0}[state])
        for link in problem.links:
            self.say("links")
            self.equal(self.at(*link.first), self.at(*link.second) * (-1 if link.opposite else 1))
        for constraint in problem.constraints:
            self.say(f"constraint: {constraint}")
            self.constrain(constraint)

    def maps(self) -> Iterator[tuple[str, Isometry]]:  # to itself, or to what it is later
        d, symmetry = self.move, Symmetry(self.problem.symmetry)
        motion = Motion.of(d.period, d.dx, d.dy) if self.problem.motion else None
        how = f"{d.transform}, " if d.transform != "identity" else ""
        if motion:
            yield f"generation {d.period} is generation 0 {how}moved by {d.dx, d.dy}", self.motion
        glides = [g for g in symmetry_isometries(symmetry, self.boxes[0], motion) if g.dt]
        group = sorted(symmetry.group - {Transform("identity")}, key=str)
        for g in [*(Isometry.about(self.boxes[0], each) for each in group), *glides]:
            yield f"symmetry {symmetry}: {g.transform}, {g.dt} generations later", g

    def say_map(self, sentence: str, g: Isometry) -> None:
        self.say(sentence)
        first, (down, right) = self.boxes[0], self.problem.wrap
        again = ((first.width, down), (right, first.height)) if self.torus else ()
        for (x, y, t), cell in self.cells.items():
            image = self.at(*g.point(x, y, t))
            _refuse(not image, f"{sentence}, to cells of which nothing is said")
            images = {self.at(*g.point(x + dx, y + dy, t)) for dx, dy in again}  # of the same cell
            _refuse(images - {image}, f"{sentence}, which does not fit the torus")
            self.equal(cell, image)
            self.equal(cell, self.at(*g.inverse.point(x, y, t)))

    def constrain(self, it: ask.Constraint) -> None:
        d, times = self.move, range(self.problem.generations)
        film = {(x, y): [self.at(x, y, t) or FALSE for t in times] for x, y in _places(self.frame)}
        living = [[cells[t] for cells in film.values()] for t in times]
        p = d.period if d.transform == "identity" else 1  # a turn excludes no part of the period
        parts = [q for q in range(2, p + 1) if p % q == d.dx % q == d.dy % q == 0]
        room = _places(self.frame.grow(0 if self.torus else max(abs(d.dx), abs(d.dy))))
        match it:
            case ask.Population(generation=which):
                self.bound(it, living if isinstance(which, str) else [living[which]], which)
            case ask.Rotor():
                self.bound(it, [[self.varies(*cells) for cells in film.values()]])
            case ask.Stator():
                self.bound(it, [[self.all(*cells) for cells in film.values()]])
            case ask.Difference(generation=t):
                drawn, box = _drawing(it), _places(self.boxes[t])
                places = box if self.torus or self.free else dict.fromkeys([*box, *drawn])
                pairs = [(self.at(*place, t), drawn.get(place, ".")) for place in places]
                self.bound(it, [[-cell if c == "o" else cell for cell, c in pairs if c != "?"]])
            case ask.Width() | ask.Height() | ask.Area():
                _refuse(self.torus, f"'{it}' on a torus, where nothing has an extent")
                columns, rows = list(self.envelope(film, 0)), list(self.envelope(film, 1))
                area = [self.all(column, row) for column in columns for row in rows]
                self.bound(it, [{ask.Width: columns, ask.Height: rows, ask.Area: area}[type(it)]])
            case ask.PatternPeriod() if parts:
                for q in parts:
                    self.add(*(self.changes(x, y, [0], q) for x, y in room))
            case ask.FullPeriod() if parts:
                cells = [[self.changes(x, y, times, q) for q in parts] for x, y in room]
                self.add(*(self.all(*each) for each in cells))
            case _:
                self.add(*living[getattr(it, "t", 0)])

    def envelope(self, film: dict[Place, list[int]], axis: int) -> Iterator[int]:
        for k in sorted({place[axis] for place in film}):  # a column (axis 0) or a row (axis 1)
            before = (cell for place in film if place[axis] <= k for cell in film[place])
            after = (cell for place in film if place[axis] >= k for cell in film[place])
            yield self.all(self.any(*before), self.any(*after))

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

    def at(self, x: int, y: int, t: int) -> int:  # a variable, or 0 if nothing is said of it
        while not 0 <= t <= self.problem.steps:
            x, y, t = (self.motion if t < 0 else self.motion.inverse).point(x, y, t)
        if self.torus:
            box, (down, right) = self.boxes[0], self.problem.wrap
            turns, y = divmod(y - box.y, box.height)
            turns, x = divmod(x - box.x - turns * right, box.width)
            x, y = x + box.x, (y - turns * down) % box.height + box.y
        return self.cells.get((x, y, t), 0 if self.free else FALSE)
