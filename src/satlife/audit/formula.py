r"""The audit formula: an independent, plain encoding of a problem, on which certificates rest.

It is written to be read, and shares nothing with the search but the problem itself and the rule's
table.  Each condition of the problem is a group of clauses with a heading; each cell of each
generation, the last too, is a variable ``x3y4t0``; and nothing is folded.

Symmetries and motions are stated by their definition: turn a cell about the centre of the first
box, move it, and it equals what it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple

from satlife.audit.constraints import ConstraintClauses
from satlife.audit.gates import FALSE, TRUE
from satlife.audit.places import Place, list_places, read_drawing
from satlife.audit.rule_clauses import count_ages, free_entries, rule_clauses
from satlife.life import Box
from satlife.life.neighbourhood import OFFSETS
from satlife.life.rulespaces import read_rules
from satlife.problem import Problem
from satlife.problem.statement import LETTERS
from satlife.sat.formula import Block, Formula, as_names

TURNS: dict[str, Callable[[int, int], Place]] = {
    "identity": lambda x, y: (x, y),
    "half-turn": lambda x, y: (-x, -y),
    "quarter-turn-clockwise": lambda x, y: (-y, x),
    "quarter-turn-anticlockwise": lambda x, y: (y, -x),
    "flip-left-right": lambda x, y: (-x, y),
    "flip-top-bottom": lambda x, y: (x, -y),
    "flip-diagonal": lambda x, y: (y, x),
    "flip-antidiagonal": lambda x, y: (-y, -x),
}
"""The image of (x, y), with x to the right and y down."""

UNDONE = {"quarter-turn-clockwise": "quarter-turn-anticlockwise"}
UNDONE |= {back: turn for turn, back in UNDONE.items()}
"""The inverse of a turn that is not its own inverse."""

SYMMETRIES = {
    "C1": ("identity",),
    "C2": ("identity", "half-turn"),
    "C4": ("identity", "quarter-turn-clockwise", "half-turn", "quarter-turn-anticlockwise"),
    "D2|": ("identity", "flip-left-right"),
    "D2-": ("identity", "flip-top-bottom"),
    "D2\\": ("identity", "flip-diagonal"),
    "D2/": ("identity", "flip-antidiagonal"),
    "D4+": ("identity", "flip-left-right", "flip-top-bottom", "half-turn"),
    "D4x": ("identity", "flip-diagonal", "flip-antidiagonal", "half-turn"),
    "D8": tuple(TURNS),
}
for _name, _older in (("D2_+", "D2|"), ("D2_x", "D2\\"), ("D4_+", "D4+"), ("D4_x", "D4x")):
    SYMMETRIES |= {f"{_name}{digit}": SYMMETRIES[_older] for digit in ("", "1", "2", "4")}
for _name in ("C2", "C4", "D8"):
    SYMMETRIES |= {f"{_name}_{digit}": SYMMETRIES[_name] for digit in ("1", "2", "4")}
"""The turns of every symmetry.  The digits say which boxes fit, and change nothing else."""


class Map(NamedTuple):
    """Turn about the centre of the first box, move by (dx, dy), go on ``dt`` generations."""

    turn: str
    dx: int = 0
    dy: int = 0
    dt: int = 0


def audit_formula(problem: Problem, comments: tuple[str, ...] = ()) -> Formula:
    """Return the audit formula, one block for each condition, which is its origin."""
    audit = Audit(problem)
    blocks = tuple(Block.from_clauses(*group) for group in audit.groups)
    names = as_names(audit.names, len(audit.names))
    return Formula(blocks, len(audit.names), names, comments)


def find_glide(turn: str, dx: int, dy: int) -> Place:
    """Return the move of a glide: turn and move, done twice, are a move by (dx, dy).

    Of several, the one with its axis nearest to the centre; of two equally near, the higher one.
    """
    if (dx, dy) == (0, 0):
        return 0, 0
    moves = []
    for a in range(dx // 2 - 1, dx // 2 + 2):
        for b in range(dy // 2 - 1, dy // 2 + 2):
            again = TURNS[turn](a, b)
            if (a + again[0], b + again[1]) == (dx, dy):
                moves.append((abs(2 * a - dx) + abs(2 * b - dy), b, a))
    _, b, a = min(moves)
    return a, b


def find_maps(problem: Problem) -> Iterator[tuple[str, Map]]:
    """Yield the maps of the pattern to itself, or to a later generation, with their headings."""
    static, _, temporal = problem.symmetry.partition(":")
    kept, motion = SYMMETRIES[static], problem.motion
    if motion:
        how = f"{motion.transform}, " if not motion.only_shifts else ""
        words = f"generation {motion.period} is generation 0 {how}moved by {motion.dx, motion.dy}"
        yield words, Map(motion.transform, motion.dx, motion.dy, motion.period)
    for turn in kept[1:]:
        yield f"symmetry {problem.symmetry}: {turn}", Map(turn)
    if not (motion and temporal):
        return
    later = [turn for turn in SYMMETRIES[temporal] if turn not in kept]
    parts = len(SYMMETRIES[temporal]) // len(kept)
    for number, turn in enumerate(later, 1):
        # In four parts, the turns follow each other: clockwise, half-turn, anticlockwise.
        dt = (number if parts == 4 else 1) * motion.period // parts
        glide = find_glide(turn, motion.dx, motion.dy)
        words = f"symmetry {problem.symmetry}: {turn}, moved by {glide}, {dt} generations later"
        yield words, Map(turn, *glide, dt)


def pick(clause: tuple[int, ...]) -> Callable[[list[int]], tuple[int, ...]]:
    """Return a function that builds a clause from a list, given the indices of its literals."""
    return itemgetter(*clause) if len(clause) > 1 else lambda found: (found[clause[0]],)


class Audit(ConstraintClauses):
    """All clauses of a problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        d = self.move
        self.agar, self.film_outside = problem.boundary == "agar", [problem.background]
        if problem.motion:
            self.boxes.append(self.last_box(Map(d.transform, d.dx, d.dy)))
        self.frame = self.boxes[0]
        for box in self.boxes:
            self.frame |= box
        room = self.frame.grow(0 if self.torus else 1)  # in the ring around no cell may be born
        rules, slow = read_rules(problem.rule), problem.slow_rule
        self.beats, self.ages = len(slow.phases) if slow else 1, count_ages(rules)
        self.past = 0 if problem.motion else self.ages  # with a motion, the past recurs
        self.cells = {
            (x, y, t): self.new(f"x{x}y{y}t{t}")
            for t in range(-self.past, len(self.boxes))
            for x, y in list_places(self.boxes[max(t, 0)] if self.free else room)
        }
        self.entries = [self.new(name) for name in free_entries(rules)]
        self.template = [pick(clause) for clause in rule_clauses(rules)]
        self.say_space()
        self.say_maps()
        self.say_given()
        for constraint in problem.constraints:
            self.say(f"constraint: {constraint}")
            self.constrain(constraint)

    def last_box(self, motion: Map) -> Box:
        """Return the box of the last generation: the torus, or the image of the first box."""
        first = self.boxes[0]
        if self.torus:
            return first
        corners = ((first.x, first.y), (first.right - 1, first.bottom - 1))
        (x1, y1), (x2, y2) = (self.carry(motion, *corner) for corner in corners)
        carried = Box(min(x1, x2), min(y1, y2), abs(x1 - x2) + 1, abs(y1 - y2) + 1)
        return carried & first if self.problem.include_last else carried

    def say_space(self) -> None:
        """State which cells are dead, and how each generation follows from the one before."""
        problem = self.problem
        where = "as in the background" if self.agar else "dead"
        self.say(f"cells outside the boxes are {where}")
        for (x, y, t), cell in self.cells.items():
            if (x, y) not in self.boxes[max(t, 0)]:
                self.add(cell if self.outside(x, y, t) == TRUE else -cell)
        if self.past:
            self.say("before generation 0, a cell lived at most once: its state says when")
            for x, y in list_places(self.boxes[0]):
                lived = [self.at(x, y, -age) for age in range(self.past + 1)]
                for one, other in combinations(lived, 2):
                    self.add(-one, -other)
        exempt = set(problem.exempt)
        for t in range(problem.steps):
            self.say(f"generation {t + 1} follows from generation {t}")
            for (x, y, k), cell in self.cells.items():
                if k == t + 1 and (x, y, k) not in exempt:
                    # Where the background strobes, cells that differ from a live one are dead.
                    now, then = (-1 if n % self.beats else 1 for n in (t, k))
                    nine = (now * self.at(x + dx, y + dy, t) for dx, dy in OFFSETS)
                    step = [TRUE, *nine, then * cell, *self.entries]
                    step += (self.at(x, y, t - age) for age in range(1, self.ages + 1))
                    if all(step):  # 0: an unconstrained cell
                        self.follow(step)

    def follow(self, step: list[int]) -> None:
        """Make a cell (10) the successor of its neighbourhood (1 to 9), by the rule."""
        signed = [*step, *(-literal for literal in step[:0:-1])]  # -i counts from the end
        clauses = [take(signed) for take in self.template]
        if len(set(map(abs, step))) == len(step):  # no cell comes twice, and none is outside
            self.groups[-1][1].extend(clauses)
        else:
            for clause in clauses:
                self.add(*clause)

    def say_maps(self) -> None:
        """State the equalities of the motion and the symmetry."""
        for sentence, g in find_maps(self.problem):
            self.say(sentence)
            for (x, y, t), cell in self.cells.items():
                if not g.dt and t == self.problem.generations:
                    continue  # the last generation is the first one, turned; it needs no clauses
                self.equal(cell, self.at(*self.carry(g, x, y), t + g.dt))
                self.equal(cell, self.at(*self.carry_back(g, x, y), t - g.dt))

    def say_given(self) -> None:
        """State the known and the linked cells."""
        for known in self.problem.known:
            self.say(f"known cells of generation {known.t}")
            for (x, y), letter in read_drawing(known).items():
                # A cell in state n lived n - 1 generations before, and not since.
                state = LETTERS.find(letter)  # -1: not given
                for age in range(self.ages + 1):
                    lived = TRUE if state == age + 1 else FALSE if state == 0 or state > age else 0
                    self.equal(self.at(x, y, known.t - age), lived)
        for link in self.problem.links:
            self.say("links")
            self.equal(self.at(*link.first), self.at(*link.second) * (-1 if link.opposite else 1))

    def mirrors(self) -> list[str]:
        """Return the mirrors that leave every generation as it is."""
        static = SYMMETRIES[self.problem.symmetry.partition(":")[0]]
        return [turn for turn in static if turn.startswith("flip")]

    def turns(self, symmetry: str) -> list[str]:
        """Return the turns of a symmetry, except the identity."""
        return list(SYMMETRIES[symmetry][1:])

    def about(self, turn: str, u: int, v: int, x: int, y: int) -> Place | None:
        """Return the image of a cell about the point (u/2, v/2); None if it lies between cells."""
        i, j = TURNS[turn](2 * x - u, 2 * y - v)
        return None if (i + u) % 2 or (j + v) % 2 else ((i + u) // 2, (j + v) // 2)

    def turned(self, turn: str, x: int, y: int) -> Place:
        """Return the image of a cell under a turn about the centre of the first box."""
        return self.carry(Map(turn), x, y)

    def carry(self, g: Map, x: int, y: int) -> Place:
        """Return the image of a cell.  Distances from the centre are doubled to be integers."""
        first = self.boxes[0]
        u, v = 2 * first.x + first.width - 1, 2 * first.y + first.height - 1
        i, j = TURNS[g.turn](2 * x - u, 2 * y - v)
        return (i + u) // 2 + g.dx, (j + v) // 2 + g.dy

    def carry_back(self, g: Map, x: int, y: int) -> Place:
        """Return the preimage of a cell."""
        return self.carry(Map(UNDONE.get(g.turn, g.turn)), x - g.dx, y - g.dy)

    def at(self, x: int, y: int, t: int) -> int:
        """Return a cell's variable, FALSE if it is always dead, 0 if it is unconstrained."""
        motion = Map(self.move.transform, self.move.dx, self.move.dy)
        while t < 0 and self.problem.motion:
            x, y, t = *self.carry(motion, x, y), t + self.move.period
        while t > self.problem.steps:
            x, y, t = *self.carry_back(motion, x, y), t - self.move.period
        if self.torus:
            box, (down, right) = self.boxes[0], self.problem.wrap
            turns, y = divmod(y - box.y, box.height)
            turns, x = divmod(x - box.x - turns * right, box.width)
            x, y = x + box.x, (y - turns * down) % box.height + box.y
        return self.cells.get((x, y, t), 0 if self.free else self.outside(x, y, t))

    def outside(self, x: int, y: int, t: int) -> int:
        """Return the state of a cell outside: alive only in a background, which obeys the rule."""
        if not self.agar:
            return FALSE
        while len(self.film_outside) <= t:
            self.film_outside.append(self.step_tile(self.film_outside[-1]))
        tile = self.film_outside[t]
        return TRUE if tile[y % len(tile)][x % len(tile[0])] == "o" else FALSE

    def step_tile(self, tile: tuple[str, ...]) -> tuple[str, ...]:
        """Return the next generation of the background."""
        table, wide, high = read_rules(self.problem.rule).table, len(tile[0]), len(tile)

        def become(x: int, y: int) -> str:
            cells = (tile[(y + dy) % high][(x + dx) % wide] for dx, dy in OFFSETS)
            return ".o"[int(table[int("".join("1" if c == "o" else "0" for c in cells), 2)])]

        return tuple("".join(become(x, y) for x in range(wide)) for y in range(high))
