"""The layout of a picture, in pixels, and the part of the plane that the camera sees.

A scene is a card: its fields of cells, then its caption. Several scenes are a contact sheet.

The camera is fixed, or flies with a ship at the ship's own speed: a fraction of a cell in each
generation, so that the grid glides past below, and after a period the view is the same again.

>>> from satlife.life.pattern import Pattern
>>> camera = Camera.on(Scene.of(Pattern.from_rle("bo$2bo$3o!")))
>>> str(camera.box), camera.at(2)
('7x6', (Fraction(-3, 2), Fraction(-1, 2)))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, sqrt
from typing import Final, Literal, TypeAlias

from satlife.life.box import Box
from satlife.life.cells import Cells
from satlife.show.caption import Caption
from satlife.show.maps import CellMap, find_map
from satlife.show.scene import Scene, join_boxes
from satlife.show.style import Style


@dataclass(frozen=True)
class Camera:
    """The view at the start, and the motion of the camera in each generation."""

    box: Box
    dx: Fraction = Fraction(0)
    dy: Fraction = Fraction(0)

    @classmethod
    def on(cls, scene: Scene) -> Camera:
        """Place the camera so that all of the scene is always seen, and follow a ship."""
        if scene.loop is None or not scene.loop.is_moving:
            return cls.fixed(scene)
        dx, dy = (Fraction(d, scene.loop.period) for d in scene.loop.displacement)
        boxes = [(t, frame.box) for t, frame in enumerate(scene.frames) if not frame.box.is_empty]
        left = floor(min(box.x - t * dx for t, box in boxes))
        top = floor(min(box.y - t * dy for t, box in boxes))
        right = ceil(max(box.right - t * dx for t, box in boxes))
        bottom = ceil(max(box.bottom - t * dy for t, box in boxes))
        return cls(Box(left, top, right - left, bottom - top).grow(scene.margin), dx, dy)

    @classmethod
    def fixed(cls, scene: Scene) -> Camera:
        """Place the camera so that it sees all frames."""
        return cls(join_boxes(frame.box for frame in scene.frames).grow(scene.margin))

    @property
    def is_moving(self) -> bool:
        """Whether it flies with a ship."""
        return bool(self.dx or self.dy)

    def at(self, t: int) -> tuple[Fraction, Fraction]:
        """Return the top left corner of the view, in cells."""
        return self.box.x + t * self.dx, self.box.y + t * self.dy

    def see(self, scene: Scene, t: int) -> tuple[Cells, Fraction, Fraction]:
        """Return the visible cells, and how much is hidden of the first column and row.

        A moving camera sees one row and one column more than its box has.
        """
        x, y = self.at(t)
        more = int(self.is_moving)
        window = Box(floor(x), floor(y), self.box.width + more, self.box.height + more)
        return scene.frames[t % len(scene.frames)].see(window), x - floor(x), y - floor(y)


PAD: Final = 14
GAP: Final = 14
MOST_PHASES: Final = 24
"""Phases that are drawn side by side; if there are more, only the first is drawn."""
WIDEST: Final = 960
"""Pixels in a row; further phases and cards are in the next one."""
LEAST_CELL_WITH_GRID: Final = 5
NARROWEST: Final = 200
"""Pixels for a caption."""
_SHEET, _SINGLE, _PHASES = (14, 200), (28, 480), (20, 240)
"""Pixels of the largest cell and the largest pattern: on a sheet, alone, as one of its phases."""
_MOST_ACROSS: Final = 6
"""Phases in a row of wide patterns."""
_VISIBLE, _SMALLEST = 8, 3
"""Pixels of a cell that can be seen well, and of the smallest cell."""
LARGEST_PICTURE: Final = 30_000
"""Pixels in width or height."""

Kind: TypeAlias = Literal["title", "facts", "code", "label", "legend"]
SIZES: Final[dict[Kind, int]] = {"title": 16, "facts": 12, "code": 11, "label": 11, "legend": 12}
"""The height of letters, in pixels."""
LINES: Final[dict[Kind, int]] = {"title": 22, "facts": 17, "code": 16, "label": 17, "legend": 18}
"""Pixels from one line to the next."""
_LETTER: Final[dict[Kind, float]] = {
    **dict.fromkeys(("title", "facts", "label", "legend"), 0.54),
    "code": 0.61,
}
"""The mean width of a letter, as a part of its size."""


@dataclass(frozen=True)
class Field:
    """A rectangle of cells."""

    x: float
    y: float
    cell: int
    """Pixels that a cell is wide."""
    scene: Scene
    camera: Camera
    frame: int | None
    """The generation that is shown; if ``None``, all of them in turn."""
    grid: bool
    map: CellMap | None = None

    @property
    def width(self) -> int:
        """Pixels."""
        return self.camera.box.width * self.cell

    @property
    def height(self) -> int:
        """Pixels."""
        return self.camera.box.height * self.cell


@dataclass(frozen=True)
class TextLine:
    """A line of text; x is its middle, y its base line."""

    x: float
    y: float
    text: str
    kind: Kind
    dot: str = ""
    """The colour of a dot before the text, in a legend."""


@dataclass(frozen=True)
class Layout:
    """The elements of a picture."""

    width: int
    height: int
    fields: tuple[Field, ...]
    texts: tuple[TextLine, ...]

    @property
    def states(self) -> int:
        """The number of states of the cells of all fields."""
        return max(field.scene.states for field in self.fields)


def lay_out(scenes: Sequence[Scene], style: Style, *, moving: bool, budget: int = 0) -> Layout:
    """Arrange the scenes: each has one field if the picture moves, else one for each of its phases.

    ``budget`` is the greatest number of pixels of one picture; 0 means no limit.
    """
    cell = style.cell or _choose_cell(scenes, moving=moving, budget=budget)
    alone = len(scenes) == 1
    tops = [_fields(scene, style, cell, moving=moving, alone=alone) for scene in scenes]
    room = max(NARROWEST, *(top.width for top in tops)) if style.caption or style.map else 0
    below = [
        _lines(scene, top, style, max(room, top.width))
        for scene, top in zip(scenes, tops, strict=True)
    ]
    width = max(*(top.width for top in tops), *(part.width for part in below), 1)
    height = max(top.height + part.height for top, part in zip(tops, below, strict=True))
    columns = _choose_columns(len(scenes), width + 2 * GAP, height + 2 * GAP)
    parts: list[Layout] = []
    y = PAD
    for first in range(0, len(scenes), columns):
        row = slice(first, first + columns)
        high = max(top.height for top in tops[row])
        for n, (top, part) in enumerate(zip(tops[row], below[row], strict=True)):
            x = PAD + n * (width + 2 * GAP)
            # Captions of a row begin at one height, below the tallest picture.
            parts.append(_move(top, x + (width - top.width) / 2, y + (high - top.height) / 2))
            parts.append(_move(part, x + (width - part.width) / 2, y + high))
        y += high + max(part.height for part in below[row]) + 2 * GAP
    return Layout(
        2 * PAD + columns * (width + 2 * GAP) - 2 * GAP,
        y + PAD - 2 * GAP,
        tuple(field for part in parts for field in part.fields),
        tuple(text for part in parts for text in part.texts),
    )


def choose_phases(scene: Scene, *, alone: bool) -> int:
    """Return how many generations a still picture shows."""
    return len(scene.frames) if alone and len(scene.frames) <= MOST_PHASES else 1


def _choose_columns(count: int, width: float, height: float) -> int:
    """Return the number of cards in a row, so that the rows are about equally long."""
    wished = ceil(sqrt(count * 1.5 * height / width))
    columns = max(1, min(count, wished, int((WIDEST + GAP) // width)))
    return ceil(count / ceil(count / columns))


def _choose_cell(scenes: Sequence[Scene], *, moving: bool, budget: int) -> int:
    boxes = [Camera.on(scene).box for scene in scenes]
    wide, high = max(box.width for box in boxes), max(box.height for box in boxes)
    side = max(wide, high)
    # A wide pattern fills the width, so that its cells can be seen; its phases form a column.
    least = min(_VISIBLE, _PHASES[1] // high, WIDEST // wide)
    phases = choose_phases(scenes[0], alone=len(scenes) == 1)
    if len(scenes) > 1:
        cell = max(min(_SHEET[0], _SHEET[1] // side), least)
    elif moving or phases == 1:
        cell = min(_SINGLE[0], _SINGLE[1] // side)
    else:
        across = WIDEST // min(phases, _MOST_ACROSS) - GAP
        cell = max(min(_PHASES[0], _PHASES[1] // side, across // wide), least)
    cell = max(_SMALLEST, cell)
    if budget:
        while cell > 1 and (cell * side) ** 2 * len(scenes) > budget:
            cell -= 1
    # Half a gigabyte of pixels is of no use.
    return max(1, min(cell, LARGEST_PICTURE // side))


def _fields(scene: Scene, style: Style, cell: int, *, moving: bool, alone: bool) -> Layout:
    """Arrange the fields of a scene, with their labels."""
    made = find_map(style.map).make(scene) if style.map else None
    if made is not None:
        cell = style.cell or max(cell, min(22, 480 // max(made.box.width, made.box.height)))
        shown: list[int | None] = [0]
    elif moving:
        shown = [None if len(scene.frames) > 1 else 0]
    else:
        shown = list(range(choose_phases(scene, alone=alone)))
    camera = Camera.on(scene) if moving and made is None else Camera.fixed(scene)
    grid = style.grid and cell >= LEAST_CELL_WITH_GRID
    wide, high = camera.box.width * cell, camera.box.height * cell
    below = LINES["label"] if len(shown) > 1 else 0
    columns = max(1, min(len(shown), (WIDEST + GAP) // (wide + GAP)))
    columns = ceil(len(shown) / ceil(len(shown) / columns))
    fields, labels = [], []
    for n, frame in enumerate(shown):
        x, y = (n % columns) * (wide + GAP), (n // columns) * (high + below + GAP)
        fields.append(Field(x, y, cell, scene, camera, frame, grid, made))
        if below:
            long = f"generation {frame}"
            text = long if measure(long, "label") <= wide else str(frame)
            labels.append(TextLine(x + wide / 2, y + high + 12, text, "label"))
    rows = ceil(len(shown) / columns)
    return Layout(
        columns * (wide + GAP) - GAP,
        rows * (high + below + GAP) - GAP,
        tuple(fields),
        tuple(labels),
    )


def _lines(scene: Scene, top: Layout, style: Style, width: int) -> Layout:
    """Arrange the text below the fields: the legend of a map, and the caption."""
    made = top.fields[0].map
    texts: list[TextLine] = []
    y = 0
    for row in _legend(made, width) if made else ():
        y += LINES["legend"]
        x = (width - sum(_measure_entry(each.text) for each in row)) / 2
        for each in row:
            entry = _measure_entry(each.text)
            texts.append(replace(each, x=x + entry / 2, y=y))
            x += entry
    if style.caption:
        y += 6
        for each in _write(scene.caption, width):
            y += LINES[each.kind]
            texts.append(replace(each, x=width / 2, y=y))
    return Layout(width, y + (4 if texts else 0), (), tuple(texts))


def _write(caption: Caption, width: int) -> Iterator[TextLine]:
    if caption.title:
        yield TextLine(0, 0, shorten(caption.title, width, "title"), "title")
    line = ""
    for fact in caption.facts:
        longer = f"{line} · {fact}" if line else fact
        if line and measure(longer, "facts") > width:
            yield TextLine(0, 0, line, "facts")
            longer = fact
        line = longer
    if line:
        yield TextLine(0, 0, shorten(line, width, "facts"), "facts")
    if caption.code:
        yield TextLine(0, 0, shorten(caption.code, width, "code"), "code")


def _legend(made: CellMap, width: int) -> Iterator[list[TextLine]]:
    """Yield the lines of a legend: as many entries in each as there is room for."""
    row: list[TextLine] = []
    for mark, count in zip(made.marks, made.counts, strict=True):
        text = f"{mark.label}: {count} cell{'s' if count != 1 else ''}"
        if row and sum(map(_measure_entry, (*(each.text for each in row), text))) > width:
            yield row
            row = []
        row.append(TextLine(0, 0, text, "legend", mark.colour))
    yield row


def _measure_entry(text: str) -> float:
    """Return the width of an entry of a legend, with its dot and some room."""
    return measure(text, "legend") + 34


def _move(card: Layout, dx: float, dy: float) -> Layout:
    return replace(
        card,
        fields=tuple(replace(each, x=each.x + dx, y=each.y + dy) for each in card.fields),
        texts=tuple(replace(each, x=each.x + dx, y=each.y + dy) for each in card.texts),
    )


def measure(text: str, kind: Kind) -> float:
    """Return the approximate width of a text in pixels."""
    return len(text) * SIZES[kind] * _LETTER[kind]


def shorten(text: str, width: float, kind: Kind) -> str:
    """Leave out the end of a text that is too wide."""
    most = max(4, int(width / (SIZES[kind] * _LETTER[kind])))
    return text if len(text) <= most else f"{text[: most - 1]}…"
