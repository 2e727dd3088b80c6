"""Draw the pictures of the documentation: ``python scripts/draw_docs.py`` writes docs/images/.

Every pattern stands here as RLE, and is run by the simulator before it is drawn: a picture whose
pattern does not do what its page says is not written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from satlife.life import Box, Pattern, draw_svg

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"


@dataclass(frozen=True)
class Picture:
    """Generations of a pattern, side by side."""

    name: str
    title: str
    generations: list[Pattern]
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
