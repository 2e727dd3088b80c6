"""Classes of solutions: an independent implementation for certificates.

It follows the definition, with sets of cells.  All that it shares with the search is which cells a
constraint names by their place: a list is certified complete only if both implementations agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from satlife.life import Transform
from satlife.problem import Problem
from satlife.verifier.generations import Cell, Generations

Live = tuple[frozenset[Cell], ...]
"""The live cells of every generation."""


def is_determined(problem: Problem) -> bool:
    """Whether generation 0 determines all others: by the rule, unless cells are exempt from it.

    In a rule with dying cells, the live cells of one generation do not.
    """
    dying = problem.states > 2
    return problem.boundary != "free" and not problem.exempt and not dying


def images(problem: Problem, life: Generations) -> Iterator[Live]:
    """Yield every history in the boxes that counts as the same solution, including itself."""
    count, boxes = problem.generations, problem.all_boxes
    yield tuple(life.alive)
    if not any(life.alive):
        return
    for turn in problem.parsed.rule.symmetries:
        for phase in range(0, _phases(problem), len(problem.parsed.rule.phases)):
            turned = [
                frozenset(turn.apply_to_point(*cell) for cell in life.at(t))
                for t in range(phase, phase + count)
            ]
            for dx, dy in _shifts(problem, turn, turned):
                if not _is_kept(problem, life, turn, dx, dy):
                    continue
                image = tuple(
                    frozenset(life.home((x + dx, y + dy)) for x, y in cells) for cells in turned
                )
                if all(c in box for cells, box in zip(image, boxes, strict=True) for c in cells):
                    yield image


def class_words(problem: Problem) -> str:
    """Return, in words, the maps under which a solution counts as the same one."""
    phases = ", or begun in another of its generations" if _phases(problem) > 1 else ""
    if problem.boundary == "torus":
        named = " so that all that is given stays as it is" if _names_places(problem) else ""
        return f"moved around the torus, turned or mirrored{named}{phases}"
    if not _names_places(problem):
        return f"shifted, turned or mirrored{phases}"
    life = Generations(problem, ())
    kept = [
        turn.name.replace("-", " ")
        for turn in problem.parsed.rule.symmetries
        if _is_kept(problem, life, turn, *_centring(problem, turn))
        and turn != Transform("identity")
    ]
    return f"carried by a {' or '.join(sorted(kept))} about the centre of the boxes" if kept else ""


def _names_places(problem: Problem) -> bool:
    drawn = any(each.drawn_as for each in problem.constraints)
    named = problem.known or problem.links or problem.exempt or drawn
    return bool(named or problem.boundary in ("free", "agar"))


def _phases(problem: Problem) -> int:
    """Return the number of phases that may be generation 0."""
    if problem.motion is None or _names_places(problem):
        return 1
    return problem.motion.period * Transform(problem.motion.transform).order


def _centring(problem: Problem, turn: Transform) -> Cell:
    """Return the shift that takes the turned first box back to its place."""
    box = problem.all_boxes[0]
    turned = box.transformed(turn)
    return box.x - turned.x, box.y - turned.y


def _shifts(problem: Problem, turn: Transform, turned: list[frozenset[Cell]]) -> Iterator[Cell]:
    box = problem.all_boxes[0]
    if problem.boundary == "torus":
        yield from product(range(box.width), range(box.height))
    elif _names_places(problem):
        yield _centring(problem, turn)
    else:
        # Some generation has a live cell; wherever that one is in its box, the others follow.
        t = next(t for t, cells in enumerate(turned) if cells)
        x, y = min(turned[t])
        home = problem.all_boxes[t]
        for i, j in product(range(home.x, home.right), range(home.y, home.bottom)):
            yield i - x, j - y


def _is_kept(problem: Problem, life: Generations, turn: Transform, dx: int, dy: int) -> bool:
    """Whether the map preserves a torus, or else everything that has a fixed place."""

    def carry(x: int, y: int) -> Cell:
        i, j = turn.apply_to_point(x, y)
        return life.home((i + dx, j + dy))

    if problem.boundary == "torus":
        box, (down, right) = problem.all_boxes[0], problem.wrap
        copies = ((0, 0), (box.width, down), (right, box.height))
        if len({carry(box.x + x, box.y + y) for x, y in copies}) > 1:
            return False
    if not _names_places(problem):
        return True
    return _named(problem, carry) == _named(problem, lambda x, y: (x, y))


def _named(problem: Problem, carry: Callable[[int, int], Cell]) -> object:
    """Return the images of everything that has a fixed place in a problem."""
    corners = [
        {carry(x, y) for x in (box.x, box.right - 1) for y in (box.y, box.bottom - 1)}
        for box in (problem.all_boxes if problem.boundary != "torus" else ())
    ]
    known = {
        (carry(x, y), each.t, state)
        for each in problem.known
        for (x, y), state in each.cells.items()
    }
    links = {
        (frozenset([(carry(*a[:2]), a[2]), (carry(*b[:2]), b[2])]), link.opposite)
        for link in problem.links
        for a, b in [(link.first, link.second)]
    }
    exempt = {(carry(x, y), t) for x, y, t in problem.exempt}
    drawings = [
        {frozenset((carry(x, y), t, c) for (x, y, t), c in drawn) for drawn in each.drawings}
        for each in problem.constraints
    ]
    return corners, known, links, exempt, drawings, _background(problem, carry)


def _background(problem: Problem, carry: Callable[[int, int], Cell]) -> object:
    """Return the image of the background's tile, and the number of cells after which it repeats."""
    rows = problem.background
    if not rows:
        return None
    width, height = len(rows[0]), len(rows)
    (x0, _), (x1, _) = carry(0, 0), carry(1, 0)
    alive = {
        (i % width, j % height)
        for x, y in product(range(width), range(height))
        for i, j in [carry(x, y)]
        if rows[y][x] == "o"
    }
    return alive, (width, height) if x0 != x1 else (height, width)
