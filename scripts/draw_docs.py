"""Draw the pictures of the documentation: ``python scripts/draw_docs.py`` writes docs/images/.

Every pattern stands here as RLE, and is run by the simulator before it is drawn: a picture whose
pattern does not do what its page says is not written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import satlife.show
from satlife.life import UNKNOWN, Box, PartialPattern, Pattern, draw_svg
from satlife.life.catalogue import find_entry
from satlife.show import Scene

sys.path.insert(0, str(Path(__file__).parent))
import draw_folding

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
DATA = Path(__file__).resolve().parent.parent / "tests" / "data"


@dataclass(frozen=True)
class Picture:
    """Generations of a pattern, side by side."""

    name: str
    title: str
    generations: Sequence[Pattern | PartialPattern]
    box: Box | None = None
    """What is shown; by default all cells that ever live, and a margin."""
    labels: tuple[str, ...] = ()
    """By default the numbers of the generations."""
    cell_size: int = 12

    def draw(self) -> str:
        """Return the SVG."""
        count = len(self.generations)
        labels = self.labels or tuple(f"generation {t}" for t in range(count))
        svg = draw_svg(
            self.generations,
            self.box,
            title=self.title,
            labels=labels,
            cell_size=self.cell_size,
        )
        return svg.rstrip("\n") + "\n"


@dataclass(frozen=True)
class Shown:
    """What ``satlife show`` draws of catalogued objects."""

    name: str
    sources: tuple[str, ...]
    style: Mapping[str, Any]

    def draw(self) -> str:
        """Return the SVG."""
        scenes = [Scene.of(find_entry(each).pattern, name=each) for each in self.sources]
        return satlife.show.draw(scenes, "svg", **self.style).decode()


def require(holds: bool, what: str) -> None:
    """Stop unless the pattern does what the page says."""
    if not holds:
        raise SystemExit(f"draw_docs.py: it is not true that {what}")


def run(pattern: Pattern, last: int) -> list[Pattern]:
    """Return the generations 0 to ``last``."""
    return [pattern[t] for t in range(last + 1)]


def ship_25p3h1v0_1() -> Picture:
    """Return the ship that sat-life-grid-spaceships 7 16 3 1 finds."""
    ship = Pattern.from_rle("7bo$5b3ob3ob2o$b2ob2o2bo4b2o$b2o2bo3b2obo2bo$o2bo!")
    require(ship.population == 25, "25P3H1V0.1 has 25 cells")
    require(ship[3] == ship.shift(0, -1), "25P3H1V0.1 moves up at c/3")
    title = "The spaceship 25P3H1V0.1 in its three phases"
    return Picture("25p3h1v0.1", title, run(ship, 2), cell_size=14)


def chessboard() -> Picture:
    """Return the example of sat-life."""
    black = Pattern.from_rle("obobobo$bo3bo$obobobo2$obobobo$bo3bo$obobobo!")
    white = black[1]
    require(_colours(black) == {0} and _colours(white) == {1}, "all cells change their colour")
    require(white.box == black.box, "no cell is born outside the board")
    title = "Cells on the black squares of a chessboard, and the next generation, on white ones"
    return Picture("sat-life", title, [black, white], cell_size=16)


def _colours(pattern: Pattern) -> set[int]:
    return {(x + y) % 2 for x, y in pattern.coordinates.tolist()}


def word_sat() -> Picture:
    """Return the example of sat-life-grid."""
    seed = Pattern.from_rle(
        "bobobo2bobobo$o2b2o5bobo$ob5obo2bo$2bo8b2o$2bobobobobobo$b2o2b3ob2o$b2o2b2obob2o!"
    )
    word = Pattern.from_plaintext("OOO..O..OOO\nO...O.O..O.\nOOO.OOO..O.\n..O.O.O..O.\nOOO.O.O..O.")
    require(seed[2] == word.shift(1, 1), "the seed becomes the word SAT")
    require(all(_inside(seed[t], 13, 7) for t in range(2)), "it stays in the grid before")
    return Picture("sat-life-grid", "Two generations that end in the word SAT", run(seed, 2))


def pulsar() -> Picture:
    """Return the example of sat-life-grid90."""
    seed = Pattern.from_rle(
        "ob2o2bo2bo2bo$bo3bo3bobo$4b2ob2o3bo$2obobo2b2o2bo$2b4ob2obo$2bobo3b4o$o5bo5bo$"
        "b4o3bobo$2bob2ob4o$o2b2o2bobob2o$o3b2ob2o$bobo3bo3bo$o2bo2bo2b2obo!"
    )
    last = seed[4]
    require(last.population == 56 and last[3] == last, "the last generation is a pulsar")
    require(all(_inside(seed[t], 13, 13) for t in range(4)), "it stays in the grid before")
    require(np.array_equal(np.rot90(seed.cells), seed.cells), "a quarter-turn does not change it")
    title = "A pattern with quarter-turn symmetry that becomes a pulsar in four generations"
    times = (0, 2, 4)
    labels = tuple(f"generation {t}" for t in times)
    return Picture("sat-life-grid90", title, [seed[t] for t in times], labels=labels)


def octagon() -> Picture:
    """Return the oscillator that sat-life-grid90-cycle 8 8 5 finds."""
    octagon = Pattern.from_rle("3b2o$2bo2bo$bo4bo$o6bo$o6bo$bo4bo$2bo2bo$3b2o!")
    require(_has_period(octagon, 5), "octagon 2 has period 5")
    title = "The five phases of octagon 2"
    return Picture("sat-life-grid90-cycle", title, run(octagon, 4))


def mold() -> Picture:
    """Return the oscillator that sat-life-grid-cycle 6 6 4 finds."""
    mold = Pattern.from_rle("3b2o$2bo2bo$o2bobo$4bo$ob2o$bo!")
    require(_has_period(mold, 4), "mold has period 4")
    require(all(_inside(mold[t], 6, 6) for t in range(4)), "mold stays in 6 by 6 cells")
    return Picture("sat-life-grid-cycle", "The four phases of mold", run(mold, 3))


def eater() -> Picture:
    """Return the eater that sat-life-grid-eater 8 8 5 finds."""
    start = Pattern.from_rle("6bo$4b3o$3bo$3b2o2$3o$2bo$bo!")
    eater = start.crop(Box(0, 0, 8, 4))
    glider = start.crop(Box(0, 5, 8, 3))
    require(eater | glider == start and eater[1] == eater, "the start is an eater and more")
    require(glider[4] == glider.shift(1, -1), "the rest is a glider that moves north-east")
    require(start[3] != eater and start[4] == eater, "nothing but the eater is left at time 4")
    title = "Eater 1 eats a glider in four generations"
    return Picture("sat-life-grid-eater", title, run(start, 5), Box(-1, -1, 10, 10))


def turtle() -> Picture:
    """Return the ship that sat-life-grid-spaceships-sym 14 12 3 1 finds."""
    ship = Pattern.from_rle(
        "4b2o$2obo2bob2o$2o6b2o$obo4bobo$2b2o2b2o$b2ob2ob2o$3bo2bo$bo6bo$bo6bo2$b8o$2o6b2o!"
    )
    require(ship[3] == ship.shift(0, -1), "the turtle moves up at c/3")
    require(np.array_equal(np.fliplr(ship.cells), ship.cells), "the turtle has mirror symmetry")
    return Picture("sat-life-grid-spaceships-sym", "The turtle in its three phases", run(ship, 2))


def word_oxo() -> Picture:
    """Return the example of sat-life-gridquad."""
    seed = Pattern.from_rle(
        "obobo5bobobo$2bobo2bo2bobo$6bobo$3bobobobobo$6obob6o$3bobobobobo$6bobo$2bobo2bo2bobo$"
        "obobo5bobobo!"
    )
    word = Pattern.from_plaintext("OOO.O.O.OOO\nO.O.O.O.O.O\nO.O..O..O.O\nO.O.O.O.O.O\nOOO.O.O.OOO")
    require(seed[3] == word.shift(2, 2), "the seed becomes the word OXO")
    require(all(_inside(seed[t], 15, 9) for t in range(3)), "it stays in the grid before")
    title = "A pattern with two mirrors that becomes the word OXO in three generations"
    return Picture("sat-life-gridquad", title, run(seed, 3), cell_size=10)


def monogram() -> Picture:
    """Return the oscillator that sat-life-gridquad-cycle 7 7 4 finds."""
    monogram = Pattern.from_rle("2o3b2o$bobobo$b2ob2o$bobobo$2o3b2o!")
    require(_has_period(monogram, 4), "monogram has period 4")
    box = Box(-1, -2, 9, 9)
    return Picture("sat-life-gridquad-cycle", "The four phases of monogram", run(monogram, 3), box)


def zebra() -> Picture:
    """Return the example of sat-life-torus."""
    stripes = np.tile(np.array([[1], [1], [0], [0]], np.uint8), (2, 8))
    following = _step_on_torus(stripes)
    require(np.array_equal(following, 1 - stripes), "every cell changes")
    require(np.array_equal(_step_on_torus(following), stripes), "and changes back")
    generations = [Pattern(stripes), Pattern(following)]
    title = "On an 8 by 8 torus, stripes of two rows change places at every generation"
    return Picture("sat-life-torus", title, generations, Box(0, 0, 8, 8), cell_size=16)


def wave() -> Picture:
    """Return the agar that sat-life-torus-cycle 4 4 4 finds."""
    phases = [np.array([[1, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1], [1, 0, 0, 1]], np.uint8)]
    for _ in range(4):
        phases.append(_step_on_torus(phases[-1]))
    require(np.array_equal(phases[4], phases[0]), "the agar has period 4")
    require(np.array_equal(phases[1], np.roll(phases[0], (2, -1), (0, 1))), "it moves as a wave")
    generations = [Pattern(np.tile(phase, (3, 3))) for phase in phases[:4]]
    title = "A wave that moves at the speed of light, nine copies of its 4 by 4 torus"
    return Picture("sat-life-torus-cycle", title, generations, Box(0, 0, 12, 12))


def reach() -> Picture:
    """Return the example of sat-life-upper: cell (2, 2) at time 8, in Knuth's coordinates."""
    # The quadrant's corner, Knuth's (0, 0), is here the cell (0, 0); his y grows upward, ours down.
    seed = Pattern.from_rle("2b3obo$3bob2o$bo4bo2$b4obo$b2ob3o$o3bobo!").shift(-6, 0)
    require(seed.box.right <= 1 and seed.box.y >= 0, "only the quadrant is alive at time 0")
    require((2, -2) in seed[8], "cell (2, 2) is alive at time 8")
    require(not any((2, -2) in seed[t] for t in range(8)), "and not before")
    title = "Life that starts in a quadrant reaches the cell (2, 2) in eight generations"
    times = (0, 2, 4, 6, 8)
    box = Box(-7, -4, 12, 13)
    labels = tuple(f"generation {t}" for t in times)
    return Picture("sat-life-upper", title, [seed[t] for t in times], box, labels)


def glider_in_its_box() -> Picture:
    """Return the first pattern of the tutorial: four generations in one 4x4 frame."""
    glider = Pattern.from_rle("bo$2o$obo!").shift(1, 1)
    require(glider[4] == glider.shift(-1, -1), "the glider moves north-west")
    require(all(_inside(glider[t], 4, 4) for t in range(4)), "four generations are in 4x4")
    title = "The generations 0 to 3 of a glider, each drawn in the same 4x4 box"
    return Picture("glider-in-its-box", title, run(glider, 3), Box(0, 0, 4, 4), cell_size=20)


def composite() -> Picture:
    """Return a pattern of period 10 of which no cell has that period."""
    octagon = Pattern.from_rle("3b2o$2bo2bo$bo4bo$o6bo$o6bo$bo4bo$2bo2bo$3b2o!")
    both = octagon | Pattern.from_rle("3o!").shift(10, 3)
    require(_has_period(both, 10), "octagon 2 beside a blinker has period 10")
    title = "Octagon 2 (period 5) beside a blinker (period 2): the pattern has period 10"
    times = (0, 1, 5, 10)
    labels = tuple(f"generation {t}" for t in times)
    return Picture("composite", title, [both[t] for t in times], labels=labels)


def completed() -> Picture:
    """Return a question to ``complete``, and its answer."""
    partial = PartialPattern.from_rle("x = 4, y = 4\n2o2?$o3?$?3o$3?o!")
    answer = Pattern.from_rle("2o$o$b3o$3bo!")
    require(answer[1] == answer, "eater 1 is a still life")
    known = partial.states[0] != 255
    same = answer.in_box(partial.box)[known] == partial.states[0][known]
    require(bool(same.all()), "the answer has the known cells")
    title = "Seven cells of a 4x4 box are unknown; the answer is eater 1"
    labels = ("asked", "answered")
    box = Box(-1, -1, 6, 6)
    return Picture("completed", title, [partial, answer], box, labels, cell_size=18)


def glide() -> Picture:
    """Return a ship with a glide: mirrored, and half of the way on, after half of its period."""
    ship = Pattern.from_rle("bo$3o$ob2o$b3o$b2o!").shift(1, 2)
    require(ship[4] == ship.shift(0, -2), "the LWSS moves two rows in four generations")
    # The axis is the column x = 2: x goes to 4 - x.
    mirrored = Pattern.from_cells([(4 - x, y) for x, y in ship.coordinates.tolist()])
    require(ship[2] == mirrored.shift(0, -1), "after two generations it is mirrored, one row on")
    title = "A lightweight spaceship: after two generations it is mirrored, and one row further"
    times = (0, 2, 4)
    labels = tuple(f"generation {t}" for t in times)
    return Picture("glide", title, [ship[t] for t in times], Box(0, 0, 5, 7), labels, 18)


def orphan() -> Picture:
    """Return an orphan; that it is one is the business of the page's own examples."""
    eden = Pattern.from_rle(
        "bob3obo$2bobobo2bo$ob3o2b2o$bob5obo$o2bo2b4o$4o2bo2bo$ob5obo$b2o2b3obo$o2bobobo$2bob3obo!"
    )
    require(str(eden.box) == "10x10", "the orphan is 10x10")
    return Picture(
        "orphan", "A pattern of 10x10 cells that nothing becomes", [eden], labels=("an orphan",)
    )


def forced() -> Picture:
    """Return a patch that forces itself; the tests prove that it does."""
    patch = PartialPattern.from_plaintext((DATA / "forced" / "patch.cells").read_text())
    require((patch.states != UNKNOWN).sum() == 276, "the patch has 276 cells")
    title = "A patch of 276 cells; whatever becomes it contains it"
    return Picture("forced", title, [patch], labels=("a patch that forces itself",), cell_size=10)


def forced_not() -> Picture:
    """Return a pattern and a parent, in which the cells that differ are marked."""
    child = Pattern.from_rle("bobo$5o$bobo$5o$bobo!")
    parent = Pattern.from_rle("bo3bo$2bobo$2o3b2o$3bo2bo$2o2bo$o2bobo$bo!").shift(-1, -1)
    inside = parent.in_box(child.box)
    require((parent[1].in_box(child.box) == child.cells).all(), "the parent becomes the pattern")
    marked = parent.in_box(parent.box)
    marked[1:6, 1:6] = np.where(inside == child.cells, inside, 3 - inside)
    shown = Pattern(marked, -1, -1, "23/3/4")  # colours for the states 2 and 3
    title = "A pattern and one of its parents; the marked cells of the parent differ"
    labels = ("a pattern", "a parent")
    return Picture("forced-not", title, [child, shown], parent.box.grow(1), labels, 18)


def word_life() -> Picture:
    """Return the word LIFE and one of its parents."""
    word = Pattern.from_rle(
        "o3b3ob3ob3o$o4bo2bo3bo$o4bo2bo3bo$o4bo2b2o2b2o$o4bo2bo3bo$o4bo2bo3bo$3ob3obo3b3o!"
    )
    parent = Pattern.from_rle(
        "bo2bo2b2o5bo$2bo7bo3bo$o4b2o3b2obobo$bo5bo2b4o$2bo7bo2bo$o4bobo2bo4bo$2bo2bo2bo4b2o$"
        "bo8bo3b2o$2bobob2o2bo!"
    ).shift(-1, -1)
    require(parent[1] == word, "the parent becomes the word")
    title = "A pattern that becomes the word LIFE in the next generation"
    return Picture("life-parent", title, run(parent, 1))


def dominoes() -> Picture:
    """Return the tile of a twisted torus, and the plane that it fills."""
    plane = np.array([[(x - 2 * y) % 5 > 2 for x in range(15)] for y in range(10)], np.uint8)
    following = Pattern(np.tile(plane, (3, 3)))[1].in_box(Box(15, 10, 15, 10))
    require(np.array_equal(following, plane), "the plane of dominoes does not change")
    title = "The 5x1 tile of an agar, and a part of the plane that its twisted copies fill"
    tile = Pattern(plane[:1, :5])
    box, labels = Box(0, 0, 15, 10), ("the tile", "the plane")
    return Picture("dominoes", title, [tile, Pattern(plane)], box, labels)


def flying_glider() -> Shown:
    """Return a glider that flies, by CSS."""
    return Shown("flying-glider", ("glider",), {"animate": True})


def period_map() -> Shown:
    """Return an oscillator whose cells have several periods."""
    return Shown("period-map", ("mold",), {"map": "period"})


@dataclass(frozen=True)
class Folding:
    """A folded space-time."""

    name: str = draw_folding.NAME

    def draw(self) -> str:
        """Return the SVG."""
        return draw_folding.draw()


def contact_sheet() -> Shown:
    """Return several objects on one sheet."""
    return Shown("contact-sheet", ("glider", "LWSS", "toad", "eater 1", "pulsar", "mold"), {})


def _inside(pattern: Pattern, width: int, height: int) -> bool:
    return pattern.crop(Box(0, 0, width, height)) == pattern


def _has_period(pattern: Pattern, period: int) -> bool:
    return pattern[period] == pattern and all(pattern[t] != pattern for t in range(1, period))


def _step_on_torus(cells: np.ndarray) -> np.ndarray:
    """Advance an array whose opposite edges meet: the middle one of nine copies."""
    height, width = cells.shape
    copies = Pattern(np.tile(cells, (3, 3)))
    return copies[1].in_box(Box(width, height, width, height))


PICTURES = (
    ship_25p3h1v0_1,
    chessboard,
    word_sat,
    pulsar,
    octagon,
    mold,
    eater,
    turtle,
    word_oxo,
    monogram,
    zebra,
    wave,
    reach,
    glider_in_its_box,
    composite,
    completed,
    glide,
    orphan,
    forced,
    forced_not,
    word_life,
    dominoes,
    flying_glider,
    period_map,
    contact_sheet,
    Folding,
)


def draw_all() -> Iterator[tuple[str, str]]:
    """Yield each file's name and text."""
    for picture in PICTURES:
        made = picture()
        yield f"{made.name}.svg", made.draw()


def main() -> None:
    """Write the files."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, text in draw_all():
        (IMAGES / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
