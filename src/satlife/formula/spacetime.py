"""Space-time: every cell (x, y, t) of a problem becomes a literal, and equal cells the same one.

Cells are joined by the motion, the torus, the symmetry and the links of the problem; cells outside,
and known cells, are constants.  It is all done with arrays: no loop runs over cells.

>>> from satlife.life.motion import Motion
>>> from satlife.problem import Problem
>>> still = SpaceTime(Problem(boxes=("3x2",), motion=Motion(period=1), symmetry="D2|"))
>>> still.generation(0).tolist(), still.variables
([[1, 2, 1], [3, 4, 3]], 4)

Each cell has a node, and node 0 is the constant.  Node n has two literals, 2n (alive) and 2n+1
(dead), so that a cell can be joined with the opposite of another.  Rules with more states will have
several nodes for each cell, and unknown rules nodes of their own.

Equal cells are the connected components of a graph, found by hooking and pointer jumping.

>>> join(5, (np.array([3, 4]), np.array([1, 3]))).tolist()
[0, 1, 2, 1, 1]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from satlife.formula.encodings.knuth import pair_up, sum_of
from satlife.formula.isometry import Coordinates, Isometry, symmetry_isometries
from satlife.formula.transitions import CENTRE, ORIGIN, Transitions, distinct
from satlife.life.box import Box
from satlife.life.cells import Cells
from satlife.life.neighbourhood import OFFSETS
from satlife.life.rule import Rule
from satlife.life.rulespaces import RuleSpace
from satlife.life.transforms import Transform
from satlife.problem import Problem
from satlife.problem.background import look, make_film
from satlife.problem.constraints import Restored
from satlife.problem.statement import LETTERS
from satlife.sat.formula import FormulaBuilder, IntArray, NameArray, expect_memory
from satlife.sat.logic import FALSE, TRUE, Circuit, Template, add_clauses, forbid

Nodes = npt.NDArray[np.int64]


def join(count: int, *pairs: tuple[Nodes, Nodes]) -> Nodes:
    """Return, for each of ``count`` nodes, the least node that the pairs join with it."""
    label = np.arange(count)
    if not pairs:
        return label
    left, right = (np.concatenate([np.asarray(pair[side]) for pair in pairs]) for side in (0, 1))
    while True:
        a, b = label[left], label[right]
        apart = a != b
        if not apart.any():
            return label
        left, right, a, b = left[apart], right[apart], a[apart], b[apart]
        # Every root with a smaller neighbour is attached to the smallest one.
        np.minimum.at(label, np.maximum(a, b), np.minimum(a, b))
        while not np.array_equal(label, label[label]):
            label = label[label]


ALIVE, DEAD, UNCONSTRAINED = 0, 1, -1
"""The two literals of node 0; and the mark of an unconstrained cell, which has no literal."""

Pairs = tuple[Nodes, Nodes]


_MANY, _TRANSITION = 5_000, 200
"""Number of cells above which memory is checked in each generation, and bytes per cell there."""
_CELL = 60
"""Bytes that a cell takes at least while cells are joined and numbered."""


class SpaceTime:
    """The cells of a problem as literals."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.space = problem.parsed.space
        """The set of rules, if the rule is open; otherwise None."""
        self.rule = problem.parsed.rule
        self.tables = tuple(
            Rule.from_table(phase.table, self.rule.states) for phase in self.rule.phases
        )
        """The rules for cells that differ from the background, in turn: mostly one."""
        self.boxes = problem.all_boxes
        self.ages = self.rule.states - 2 if problem.motion is None else 0
        """Generations before 0 that show which cells are dying; with a motion, others show it."""
        areas = [box.area for box in self.boxes] + [self.boxes[0].area] * self.ages
        self._first = np.concatenate([[1], 1 + np.cumsum(areas, dtype=np.int64)])
        expect_memory(_CELL * int(self._first[-1]))
        self._motion = find_motion(problem)
        self._film: tuple[Cells, ...] = ()
        if problem.boundary == "agar":
            self._film = make_film(problem.background, problem.rule, problem.steps)
        structure = [*self._symmetry_pairs(), *self._last_pairs(), *self._link_pairs()]
        structure += [*self._gutter_pairs(), *self._copied_pairs()]
        known = [*self._known_pairs()]
        count = 2 * int(self._first[-1])
        expect_memory(_CELL * int(self._first[-1]))
        labels = join(count, *_with_negations([*structure, *known]))
        self.clash = self._describe_clash(labels, structure) if _is_absurd(labels) else None
        """Why there is no solution, if that is already clear; otherwise None."""
        # By a set of rules, what follows from constants is not known.
        unfolds = self.space is None and any(each.unfolds for each in problem.constraints)
        if self.clash is None and unfolds:
            labels = self._unfold(labels)
            self.clash = "the known cells do not follow" if _is_absurd(labels) else None
        self._literal = _number(labels)
        used = self._literal[(self._literal > 0) & (self._literal < TRUE)]
        self.variables = int(used.max(initial=0))

    def generation(self, t: int) -> IntArray:
        """Return the literals of the cells in a generation's box, indexed [y, x]."""
        box, plane = self._plane(t)
        nodes = np.arange(self._first[plane], self._first[plane + 1])
        literals: IntArray = self._literal[2 * nodes].reshape(box.height, box.width)
        return literals

    def _plane(self, t: int) -> tuple[Box, int]:
        """Return the box of a generation and its number among all; those before 0 come last."""
        return (self.boxes[t], t) if t >= 0 else (self.boxes[0], len(self.boxes) - 1 - t)

    def _times(self) -> list[int]:
        """Return all generations with cells of their own."""
        return [*range(len(self.boxes)), *(-age for age in range(1, self.ages + 1))]

    def literals(self, x: Coordinates, y: Coordinates, t: int) -> IntArray:
        """Return the literals of any cells in any generation; FALSE for dead cells."""
        nodes = self._at(x, y, t)
        literals: IntArray = self._literal[np.where(nodes == UNCONSTRAINED, DEAD, nodes)]
        return literals

    def names(self) -> NameArray:
        """Return a name for each variable, after the first cell that it stands for: ``x3y4t0``."""
        extents = [abs(v) for b in self.boxes for v in (b.x, b.y, b.right, b.bottom)]
        width = len("xyt") + 3 * len(str(10 * max(*extents, len(self.boxes))))
        names: NameArray = np.zeros(self.variables, f"S{width}")
        for t in reversed(self._times()):
            literals = self.generation(t)[::-1, ::-1]
            rows, columns = np.nonzero((literals > 0) & (literals < TRUE))
            box, _ = self._plane(t)
            cells = zip(
                (box.right - 1 - columns).tolist(), (box.bottom - 1 - rows).tolist(), strict=True
            )
            names[literals[rows, columns] - 1] = [f"x{x}y{y}t{t}" for x, y in cells]
        return names

    def transitions(self, phase: int = 0) -> Transitions:
        """Return the distinct transitions that the problem requires by one of the ``tables``."""
        steps = range(phase, self.problem.steps, len(self.tables))
        tables = [self._transitions(t) for t in steps]
        expect_memory(sum(table.cells.nbytes for table in tables))
        whole = Transitions(
            np.concatenate([table.cells for table in tables]),
            np.concatenate([table.successors for table in tables]),
            np.concatenate([table.places for table in tables]),
            np.concatenate([table.earlier for table in tables]),
        )
        return distinct(whole, self.space or self.tables[phase])

    def _transitions(self, t: int) -> Transitions:
        x, y, cells, successors, earlier = self._follow(t, *places(self.centres(t)))
        return Transitions(
            self._literal[cells],
            self._literal[successors],
            np.stack([x, y, np.full_like(x, t)], axis=1).astype(np.int32),
            self._literal[earlier],
        )

    def _follow(self, t: int, x: Coordinates, y: Coordinates) -> tuple[Nodes, ...]:
        """Return those of the places whose step from t is required, and the nodes of the step.

        These are the cells of the neighbourhood, the cell that follows, and the cell itself in
        those generations before t that say whether it is dying.
        """
        if len(x) > _MANY:
            expect_memory(_TRANSITION * len(x))
        right, down = np.array(OFFSETS).T
        cells = self._at(x[:, None] + right, y[:, None] + down, t)
        successors = self._at(x, y, t + 1)
        ages = range(1, self.rule.states - 1)
        earlier = np.zeros((len(x), len(ages)), np.int64)
        for age in ages:
            earlier[:, age - 1] = self._at(x, y, t - age)
        asked = (cells != UNCONSTRAINED).all(axis=1) & (successors != UNCONSTRAINED)
        asked &= (earlier != UNCONSTRAINED).all(axis=1)
        for i, j, k in self.problem.exempt:
            if k == t + 1:
                asked &= (x != i) | (y != j)
        return x[asked], y[asked], cells[asked], successors[asked], earlier[asked]

    def steps_beside(self, alone: int) -> Iterator[tuple[IntArray, IntArray]]:
        """Yield the literals of each step that is also taken from ``alone``, and those there.

        A step is its nine cells and the one that follows.  Both are taken by the same rule, so
        what follows is the same if the nine cells are.
        """
        for t in range(alone):
            for cells, following, there, later in self._follow_both(t, alone):
                yield (
                    self._literal[np.column_stack([cells, following])],
                    self._literal[np.column_stack([there, later])],
                )

    def _follow_both(self, t: int, alone: int) -> Iterator[tuple[Nodes, Nodes, Nodes, Nodes]]:
        """Yield the nodes of the steps from t and from ``alone`` at the places that have both."""
        if t < alone < self.problem.steps and (alone - t) % len(self.tables) == 0:
            x, y, cells, following, _ = self._follow(t, *places(self.centres(t)))
            i, j, there, later, _ = self._follow(alone, x, y)
            both = np.isin(x + 1j * y, i + 1j * j)
            yield cells[both], following[both], there, later

    def centres(self, t: int) -> Box:
        """Return the box of the places whose step from t to t + 1 is required."""
        now = self.boxes[t]
        if self.problem.boundary == "torus":
            return now
        if t + 1 < len(self.boxes):
            then = self.boxes[t + 1]
        elif self._motion:
            then = self._motion.box(self.boxes[0])
        else:
            then = now
        return then if self.problem.boundary == "free" else (now | then).grow(1)

    def _at(self, x: Coordinates, y: Coordinates, t: int) -> Nodes:
        """Return the node literals of cells at any place, in any generation."""
        if self._motion is not None:
            turns, t = divmod(t, self.problem.steps)
            # A cell at t + turns * p is the cell at t that many motions back.
            back = self._motion.inverse if turns > 0 else self._motion
            for _ in range(abs(turns)):
                x, y = back.points(x, y)
        box, plane = self._plane(t)
        if self.problem.boundary == "torus":
            x, y = self.wrap(x, y)
        inside = (x >= box.x) & (x < box.right) & (y >= box.y) & (y < box.bottom)
        nodes = self._first[plane] + (y - box.y) * box.width + (x - box.x)
        if self.problem.boundary == "agar":
            return np.where(inside, 2 * nodes, np.where(look(self._film[t], x, y), ALIVE, DEAD))
        outside = UNCONSTRAINED if self.problem.boundary == "free" else DEAD
        return np.where(inside, 2 * nodes, outside)

    def wrap(self, x: Coordinates, y: Coordinates) -> tuple[Coordinates, Coordinates]:
        """Return cells of the plane as cells of the torus."""
        box, (down, right) = self.boxes[0], self.problem.wrap
        x, y = x - box.x, y - box.y
        if right:
            x, y = x - y // box.height * right, y % box.height
        y, x = y - x // box.width * down, x % box.width
        return x + box.x, y % box.height + box.y

    def _unfold(self, labels: Nodes) -> Nodes:
        """Join cells with what they follow from, generation by generation.

        What follows from constants is a constant.  A cell that sees the same as in the generation
        of a catalyst alone, because nothing has come near it, becomes the same as there.
        """
        lone = [each.alone for each in self.problem.constraints if isinstance(each, Restored)]
        for t in range(self.problem.steps):
            _, _, cells, successors, _ = self._follow(t, *places(self.centres(t)))
            seen = labels[cells]
            fates = _fates(self.tables[t % len(self.tables)].table.tobytes())[
                tuple(np.where(seen == ALIVE, 1, np.where(seen == DEAD, 0, 2)).T)
            ]
            known = fates != 2
            pairs = [(successors[known], np.where(fates[known] == 1, ALIVE, DEAD))]
            for alone in lone:
                for cells, following, there, later in self._follow_both(t, alone):
                    same = (labels[cells] == labels[there]).all(axis=1)
                    pairs.append((following[same], later[same]))
            labels = join(labels.size, (np.arange(labels.size), labels), *_with_negations(pairs))
        return labels

    def _symmetry_pairs(self) -> Iterator[Pairs]:
        problem = self.problem
        # With a free outside, equal cells may be connected only through cells outside the box.
        every = problem.boundary == "free"
        symmetry = problem.parsed.symmetry
        for isometry in symmetry_isometries(symmetry, self.boxes[0], problem.motion, every=every):
            for each in dict.fromkeys((isometry, isometry.inverse)):
                for t in self._times():
                    x, y = places(self._plane(t)[0])
                    images = self._at(*each.points(x, y), t + each.dt)
                    inside = images != UNCONSTRAINED
                    yield self._at(x, y, t)[inside], images[inside]

    def _last_pairs(self) -> Iterator[Pairs]:
        """Yield pairs that keep generation p in the first box: cells that leave it are dead."""
        if not (self.problem.include_last and self._motion):
            return
        first = self.boxes[0]
        x, y = places(first)
        i, j = self._motion.points(x, y)
        leaves = (i < first.x) | (i >= first.right) | (j < first.y) | (j >= first.bottom)
        nodes = self._at(x, y, 0)[leaves]
        yield nodes, np.full_like(nodes, DEAD)

    def _gutter_pairs(self) -> Iterator[Pairs]:
        """Yield pairs that keep the axes of the symmetry dead, if the problem asks for that."""
        if not self.problem.has_gutter:
            return
        for g in self.problem.parsed.symmetry.group:
            if g.determinant > 0:
                continue
            mirror = Isometry.about(self.boxes[0], g)
            for t, box in enumerate(self.boxes):
                x, y = places(box)
                i, j = mirror.points(x, y)
                nodes = self._at(x, y, t)[(i == x) & (j == y)]
                yield nodes, np.full_like(nodes, DEAD)

    def _copied_pairs(self) -> Iterator[Pairs]:
        """Yield cells of generations that are the same but for what is drawn."""
        for constraint in self.problem.constraints:
            drawn = {place for cells in constraint.drawings for place, _ in cells}
            for t, later in constraint.copies:
                x, y = places(self.boxes[t] | self.boxes[later])
                cells = zip(x.tolist(), y.tolist(), strict=True)
                apart = [(i, j, t) not in drawn for i, j in cells]
                yield self._at(x[apart], y[apart], t), self._at(x[apart], y[apart], later)

    def _link_pairs(self) -> Iterator[Pairs]:
        for link in self.problem.links:
            first, second = (self._one(*place) for place in (link.first, link.second))
            if UNCONSTRAINED not in (first, second):
                other = second ^ 1 if link.opposite else second
                yield np.array([first]), np.array([other])

    def _known_pairs(self) -> Iterator[Pairs]:
        for known in self.problem.known:
            states = np.array([list(row) for row in known.rows])
            j, i = np.nonzero(states != "?")
            numbers = np.array([LETTERS.index(state) for state in states[j, i].tolist()])
            for age in range(self.rule.states - 1):
                # A cell that lived so long ago is in this state; what was before does not matter.
                nodes = self._at(i + known.x, j + known.y, known.t - age)
                given = (nodes != UNCONSTRAINED) & ((numbers == 0) | (numbers > age))
                values = np.where(numbers == age + 1, ALIVE, DEAD)
                yield nodes[given], values[given]

    def _one(self, x: int, y: int, t: int) -> int:
        return int(self._at(np.array([x]), np.array([y]), t)[0])

    def _describe_clash(self, labels: Nodes, structure: list[Pairs]) -> str:
        """Return the reason for a contradiction: a known cell, if one is the cause."""
        free = join(labels.size, *_with_negations(structure))
        seen: dict[int, tuple[str, str]] = {}
        for known in self.problem.known:
            for (x, y), state in known.cells.items():
                node = self._one(x, y, known.t)
                if node == UNCONSTRAINED:
                    continue
                where = f"cell ({x}, {y}) of generation {known.t}"
                word, opposite = ("alive", "dead") if state == "o" else ("dead", "alive")
                label = int(free[node])
                if label in (ALIVE, DEAD) and (label == ALIVE) != (state == "o"):
                    why = "it is outside the box, or equal to a cell that is"
                    return f"{where} is given {word}, but {why}"
                for same, other in ((label, word), (int(free[node ^ 1]), opposite)):
                    if same in seen and seen[same][0] != other:
                        place = seen[same][1]
                        return f"{where} is given {word}, which contradicts {place}"
                    seen.setdefault(same, (other, where))
        if self.rule.states > 2 and self.problem.known:
            return "the known cells contradict each other, the symmetry or the motion"
        return "the symmetry, the motion and the links contradict each other"


def find_motion(problem: Problem) -> Isometry | None:
    """Return the map from generation 0 to generation p, if there is a motion."""
    if problem.motion is None:
        return None
    motion = problem.motion
    transform = Transform(motion.transform)
    return Isometry.about(problem.all_boxes[0], transform, motion.dx, motion.dy, motion.period)


def places(box: Box) -> tuple[Coordinates, Coordinates]:
    """Return the coordinates of a box's cells, row by row."""
    y, x = np.divmod(np.arange(box.area, dtype=np.int64), max(box.width, 1))
    return x + box.x, y + box.y


@lru_cache(maxsize=8)
def _fates(table: bytes) -> Cells:
    """Return what follows from nine cells, each 0, 1 or unknown, 2; it may be unknown, too."""
    fates = np.full((3,) * 9, 2, np.uint8)
    fates[(slice(2),) * 9] = np.frombuffer(table, np.uint8).reshape((2,) * 9)
    for axis in range(9):
        dead, alive, unknown = np.moveaxis(fates, axis, 0)
        unknown[...] = np.where(dead == alive, dead, 2)
    return fates


def _with_negations(pairs: list[Pairs]) -> list[Pairs]:
    return [*pairs, *((left ^ 1, right ^ 1) for left, right in pairs)]


def _is_absurd(labels: Nodes) -> bool:
    """Whether some cell is equal to its opposite."""
    return bool((labels[0::2] == labels[1::2]).any())


def _number(labels: Nodes) -> IntArray:
    """Return the literal of each node literal: constants, and variables in the order of nodes."""
    # The least literal of a component is 2k or 2k+1, and that of its negation is the other one.
    names, inverse = np.unique(labels >> 1, return_inverse=True)
    sign = np.where(labels & 1, -1, 1)
    numbers = np.arange(names.size)
    numbers[0] = TRUE  # node 0, the constant, is always there
    return (sign * numbers[inverse]).astype(np.int32)


# The encoding of open rules: every free entry of the rule is a variable.
#
# Where rules only count, a tree of unary sums (see :mod:`~satlife.formula.encodings.knuth`) gives
# the number of neighbours, and for each free entry two clauses of five literals say that a cell
# with that state and that number has the entry as its successor. For ``B?/S?``, that is 34 clauses
# for each transition besides the sums.
#
# For isotropic rules, the clauses are over the nine cells: two for each neighbourhood of a free
# entry, and a least cover of the fixed entries as in the encoding ``direct``.


_CELLS: Final[tuple[int, ...]] = (2,) * 9
_COUNTS: Final[tuple[int, ...]] = (2, 9)


def encode_open(transitions: Transitions, space: RuleSpace, builder: FormulaBuilder) -> IntArray:
    """Add the clauses of all transitions; return the variables of the free entries."""
    entries = builder.new_variables(len(space.places), space.free)
    circuit = Circuit(builder, ORIGIN)
    if space.is_outer_totalistic:
        pairs = circuit.apply(sum_of(2, (1, 2)), pair_up(transitions))
        fours = circuit.apply(sum_of(3, (1, 2, 3, 4)), pairs.reshape(-1, 2, 4))
        total = circuit.apply(sum_of(5, tuple(range(1, 9))), fours.reshape(-1, 1, 8))
        seen = np.concatenate([transitions.cells[:, [CENTRE]], total[:, 0]], axis=1)
        shape, fates = _COUNTS, space.entries
    else:
        seen, shape, fates = transitions.cells, _CELLS, space.table
    rows = np.concatenate([seen, transitions.successors[:, None]], axis=1)
    circuit.require(_fixed_template(fates.tobytes(), shape), rows)
    numbers = np.arange(len(fates)) if space.is_outer_totalistic else space.classes.kinds
    for entry, place in zip(entries.tolist(), space.places.tolist(), strict=True):
        mine = np.ascontiguousarray(numbers == place)
        variable = np.full((len(rows), 1), entry, np.int32)
        circuit.require(
            _free_template(mine.tobytes(), shape), np.concatenate([rows, variable], axis=1)
        )
    circuit.write()
    return entries


@lru_cache(maxsize=64)
def _fixed_template(fates: bytes, shape: tuple[int, ...]) -> Template:
    """Build the template of the fixed entries: what is seen, then the successor."""
    table: Cells = np.frombuffer(fates, np.uint8).reshape(shape)
    return Template.over((*shape, 2), forbid(np.stack([table == 1, table == 0], axis=-1)))


@lru_cache(maxsize=256)
def _free_template(mine: bytes, shape: tuple[int, ...]) -> Template:
    """Build the template of a free entry: what is seen, the successor, and the entry."""
    here = np.frombuffer(mine, bool).reshape(shape)
    differ = np.array([[False, True], [True, False]])
    return Template.over((*shape, 2, 2), forbid(here[..., None, None] & differ))


# Dying cells of Generations rules: a cell that lived a short time ago cannot be born.
#
# With C states, a cell that lived in one of the C - 2 generations before, and does not live now,
# is dying. So the next state is that of the two-state table, except that a cell which does not
# live now is born only if it did not live in any of those generations. No variable says in which
# dying state a cell is; for each transition there is one more, for what the table says.
#
# Without a motion, C - 2 generations before generation 0 say which of its cells are dying. A cell
# lives at most once in all of them, so that every state of it is one assignment.
#
# Per transition there are C + 1 clauses, besides those of the encoding.


def add_once(spacetime: SpaceTime, builder: FormulaBuilder) -> None:
    """Let each cell live at most once in generation 0 and those before: each state is one way."""
    planes = [spacetime.generation(-age).ravel() for age in range(spacetime.ages + 1)]
    for one, other in combinations(planes, 2):
        add_clauses(builder, ORIGIN, -one, -other)


def add_dying(transitions: Transitions, builder: FormulaBuilder) -> Transitions:
    """Return transitions of two states; clauses say how the successors follow from theirs."""
    may_be_dying = (transitions.earlier != FALSE).any(axis=1)
    earlier, successors = transitions.earlier[may_be_dying], transitions.successors[may_be_dying]
    centre = transitions.cells[may_be_dying, CENTRE]
    free = builder.new_variables(int(may_be_dying.sum()))
    add_clauses(builder, ORIGIN, -successors, free)
    for column in earlier.T:
        add_clauses(builder, ORIGIN, -successors, centre, -column)
    add_clauses(builder, ORIGIN, successors, -free, -centre)
    add_clauses(builder, ORIGIN, successors, -free, earlier)
    tabled = transitions.successors.copy()
    tabled[may_be_dying] = free
    return replace(transitions, successors=tabled, earlier=np.zeros((0, 0), np.int32))
