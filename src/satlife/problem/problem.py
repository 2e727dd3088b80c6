"""A problem: what is asked, and nothing of how it shall be answered.

A :class:`Problem` is a frozen value.  It has one canonical JSON text, whose hash is its name: two
people who ask the same have the same name for it, whatever solver, limits or encoding they use.

>>> problem = Problem(boxes=("4x4",), motion=Movement(period=4, dx=-1, dy=-1))
>>> problem.name[:12]
'5fef7c743473'
>>> Problem.from_json(problem.to_json()) == problem
True

Coordinates are (x, y, t), x to the right, y downward, t the generation, all from 0.

Boxes as people write them: one for all phases, or a profile with one for each.

>>> parse_profile("16x7", 3)
('16x7',)
>>> parse_profile("10x13,8x13*2", 3)
('10x13', '8x13+1+0', '8x13+1+0')

Each box is centred on the first one, in one fixed frame; an offset moves it on: ``8x13+1+0``.
``15x*`` is 15 wide and of any height.
"""

from __future__ import annotations

import codecs
import re
import sys
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from satlife.errors import UsageError
from satlife.given import check_number, check_type, parse_integer, shorten
from satlife.life.box import Box, format_placed_box, parse_placed_box
from satlife.life.motion import Motion
from satlife.life.rule import Rule
from satlife.life.symmetry import Symmetry
from satlife.life.transforms import Transform
from satlife.problem.background import reduce_tile
from satlife.problem.constraints import Arrival, Constraint
from satlife.problem.documents import convert, decode_json, decode_toml
from satlife.problem.fit import check_fit, check_open, check_rule
from satlife.problem.rules import (
    LETTERS,
    find_states,
    read_open,
    read_ordinary,
)

if TYPE_CHECKING:
    pass


SCHEMA = 1
"""Grows when a problem that could be read before means something else now."""

LARGEST = 10_000_000
"""Cells of all generations; their formula would have some hundred million clauses."""

LARGEST_COORDINATE = 1_000_000
"""How far away a cell may be; patterns end a little farther out."""

_OPEN = re.compile(r"(\d+)x\*", re.ASCII)

Boundary = Literal["dead", "torus", "free", "agar"]
"""What is outside the boxes."""
Place = tuple[int, int, int]
"""x, y, t."""
Cells = tuple[tuple[int, int, bool], ...]
"""A case of a problem: cells of generation 0 in the order in which they were decided, each with its
x, its y and whether it is alive."""


class Movement(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Generation ``period`` is generation 0, transformed about the box's centre and moved."""

    period: int
    dx: int = 0
    dy: int = 0
    transform: str = "identity"

    def __post_init__(self) -> None:
        # A default is left out of the text, and msgspec knows it by being the same object.
        msgspec.structs.force_setattr(self, "transform", sys.intern(self.transform))


class Known(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Cells of one generation: ``o`` alive, ``.`` dead, ``?`` unknown; the corner is (x, y).

    In Generations rules ``B``, ``C`` … are dying, as in RLE files, and ``.`` is not even that.
    """

    t: int
    x: int = 0
    y: int = 0
    rows: tuple[str, ...]

    @property
    def alive(self) -> list[tuple[int, int]]:
        """The cells that are given alive."""
        return [
            (x, y)
            for y, row in enumerate(self.rows, self.y)
            for x, state in enumerate(row, self.x)
            if state == "o"
        ]


class Link(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Two cells that are equal, or opposite."""

    first: Place
    second: Place
    opposite: bool = False


class Problem(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True, weakref=True
):
    """What is asked of a pattern and its generations."""

    schema: int = SCHEMA
    kind: str = "find"
    """The kind of search: what a solution is called, and which answer means yes.

    No engine looks at it, and it is not part of the name; see :mod:`satlife.kinds`.
    """
    rule: str = "B3/S23"
    boxes: tuple[str, ...]
    """One box for all generations, or one for each: ``8x13+1+0`` lies at (1, 0).

    ``15x*`` has an open height: the pattern is at most 15 wide, and may be of any length.
    """
    steps: int = 0
    """How many steps of the rule; generations are 0 to ``steps``.  With a motion: its period."""
    boundary: Boundary = "dead"
    """Outside the boxes all is dead, or the one box wraps around, or nothing is said.

    With ``agar``, the outside is the ``background``.
    """
    background: tuple[str, ...] = ()
    """A tile, with its corner at (0, 0): repeated, it is what is outside in generation 0."""
    wrap: tuple[int, int] = (0, 0)
    """On a torus: how much lower (or further right) the copy to the right (below) lies."""
    motion: Movement | None = None
    include_last: bool = False
    """Whether generation ``period`` must lie in the (first) box too."""
    symmetry: str = "C1"
    known: tuple[Known, ...] = ()
    links: tuple[Link, ...] = ()
    exempt: tuple[Place, ...] = ()
    """Cells that need not follow from the generation before."""
    constraints: tuple[Constraint, ...] = ()

    def __post_init__(self) -> None:
        _check_size(self)
        if self.schema != SCHEMA:
            raise UsageError(
                f"this problem has schema {self.schema}; this satlife reads schema {SCHEMA}"
            )
        force = msgspec.structs.force_setattr
        space = read_open(self.rule)
        force(self, "rule", str(space or check_rule(Rule(self.rule))))
        force(self, "symmetry", str(Symmetry(self.symmetry)))
        if self.motion is not None:
            Motion.of(self.motion.period, self.motion.dx, self.motion.dy)
            Transform(self.motion.transform)
            force(self, "steps", self.motion.period)
        if self.boundary not in get_args(Boundary):
            values = ", ".join(get_args(Boundary))
            raise UsageError(f"there is no boundary {self.boundary!r}; it is one of {values}")
        if self.steps < 0:
            raise UsageError(f"a problem cannot have {self.steps} steps")
        force(self, "background", reduce_tile(self.background))
        self._check_constraints()
        if self.has_open_height:
            check_open(self)
            return
        boxes = tuple(map(parse_placed_box, self.boxes))
        count = self.steps if self.motion else self.steps + 1
        if len(boxes) not in (1, count) or not boxes:
            raise UsageError(f"{count} generations want 1 or {count} boxes, got {len(boxes)}")
        cells = sum(box.area for box in boxes) * (count if len(boxes) == 1 else 1)
        if cells > LARGEST:
            raise UsageError(f"{cells:,} cells are too many; {LARGEST:,} is the most")
        frame = boxes[0]
        for box in boxes:
            frame |= box
        if frame.area > LARGEST:
            raise UsageError("the boxes lie too far apart")
        if len(set(boxes)) == 1:
            boxes = boxes[:1]
        force(self, "boxes", tuple(map(format_placed_box, boxes)))
        for place in (*(k.t for k in self.known), *(t for _, _, t in self.exempt)):
            self._check_generation(place)
        for link in self.links:
            self._check_generation(link.first[2])
            self._check_generation(link.second[2])
        force(self, "known", _canonical_known(self.known, find_states(self)))
        force(self, "links", tuple(sorted(set(self.links), key=_link_order)))
        # Nothing comes before generation 0, so none of its cells need follow.
        force(self, "exempt", tuple(sorted({place for place in self.exempt if place[2]})))
        force(self, "wrap", _canonical_wrap(self.boundary, self.wrap, boxes[0]))
        check_fit(self)

    def _check_generation(self, t: int, last: int | None = None) -> None:
        last = self.steps if last is None else last
        if not 0 <= t <= last:
            raise UsageError(f"there is no generation {t}: they are 0 to {last}")

    def _check_constraints(self) -> None:
        for constraint in self.constraints:
            which = getattr(constraint, "generation", getattr(constraint, "t", None))
            named = constraint.alone if isinstance(constraint, Arrival) else (which,)
            for t in named:
                if isinstance(t, int):
                    self._check_generation(t, self.generations - 1)

    @property
    def generations(self) -> int:
        """How many generations have cells of their own."""
        return self.steps if self.motion else self.steps + 1

    @property
    def has_open_height(self) -> bool:
        """Whether the box is of any height, as ``15x*`` is."""
        return any(map(_OPEN.fullmatch, self.boxes))

    @property
    def width(self) -> int:
        """The width of the first box."""
        return parse_integer(self.boxes[0].partition("x")[0])

    def with_height(self, height: int) -> Problem:
        """Return the same problem with a height, if it is open; a problem with one as it is.

        >>> Problem(boxes=("7x*",), motion=Movement(period=3, dy=-1)).with_height(9).boxes
        ('7x9',)
        """
        if not self.has_open_height:
            return self
        return msgspec.structs.replace(self, boxes=(f"{self.width}x{height}",))

    def with_rule(self, rule: str) -> Problem:
        """Return the same problem by another rule.

        >>> Problem(boxes=("3x3",)).with_rule("23/36").rule
        'B36/S23'
        """
        name = read_ordinary(rule)
        if name is None or self.background or read_ordinary(self.rule) is None:
            return msgspec.structs.replace(self, rule=rule)
        # Whether the other parts fit each other is the same by all ordinary rules.
        other = copy(self)
        msgspec.structs.force_setattr(other, "rule", name)
        return other

    @cached_property
    def all_boxes(self) -> tuple[Box, ...]:
        """The box of each generation; a box of open height has none, and raises."""
        if self.has_open_height:
            raise UsageError(
                f"{self.boxes[0]} has an open height, which no formula describes; "
                "the engine rows searches without one; "
                f"write a height, for example {self.width}x{2 * self.width}"
            )
        boxes = tuple(map(parse_placed_box, self.boxes))
        return boxes * self.generations if len(boxes) == 1 else boxes

    def _repr_html_(self) -> str:
        from satlife.problem.cards import show_problem  # noqa: PLC0415 - only when shown

        return show_problem(self).to_html()

    def to_json(self) -> bytes:
        """Return the canonical text: sorted keys, and nothing that is as by default."""
        return msgspec.json.encode(self._said(), order="sorted")

    def _said(self) -> dict[str, Any]:
        said = {k: v for k, v in msgspec.to_builtins(self).items() if v != _DEFAULTS.get(k)}
        if self.motion is not None:
            del said["steps"]  # the period says it
        return said | {"schema": self.schema}

    @classmethod
    def from_json(cls, text: bytes | str) -> Problem:
        """Read a problem; what is wrong with it is a :class:`~satlife.errors.FormatError`."""
        return decode_json(text, cls, "a problem")

    def to_toml(self) -> str:
        """Write the problem as TOML, for people."""
        import tomli_w  # noqa: PLC0415 - few problems are written so

        return tomli_w.dumps(msgspec.json.decode(self.to_json()))

    @classmethod
    def from_toml(cls, text: bytes | str) -> Problem:
        """Read a problem from TOML."""
        return convert(decode_toml(text, "a problem"), cls, "a problem")

    @classmethod
    def from_text(cls, text: bytes) -> Problem:
        """Read a problem file, JSON or TOML."""
        is_json = text.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{")
        return cls.from_json(text) if is_json else cls.from_toml(text)

    @property
    def name(self) -> str:
        """The hash of the canonical text without the kind: the problem's name everywhere."""
        import hashlib  # noqa: PLC0415 - slow to import, and not every search asks

        asked = self._said()
        asked.pop("kind", None)
        return hashlib.sha256(msgspec.json.encode(asked, order="sorted")).hexdigest()


def problem_schema() -> dict[str, Any]:
    """Return the JSON Schema of problems."""
    return msgspec.json.schema(Problem)


def _check_size(problem: Problem) -> None:
    """Refuse numbers that nothing can be computed with, or that no pattern reaches."""
    numbers = [problem.schema, problem.steps, *problem.wrap]
    if problem.motion is not None:
        numbers += [problem.motion.period, problem.motion.dx, problem.motion.dy]
    closed = [text for text in problem.boxes if not _OPEN.fullmatch(text)]
    numbers += [problem.width] if len(closed) < len(problem.boxes) else []
    for box in map(parse_placed_box, closed):
        numbers += [box.x, box.y, box.right, box.bottom]
    for known in problem.known:
        numbers += [known.t, known.x, known.y]
    for link in problem.links:
        numbers += [*link.first, *link.second]
    for place in problem.exempt:
        numbers += place
    for each in problem.constraints:
        given = (getattr(each, name, 0) for name in ("x", "y", "generation", "t"))
        numbers += [number for number in given if isinstance(number, int)]
        if isinstance(each, Arrival):
            numbers += [*each.lanes, *each.times, *each.alone]
            numbers += [number for still in each.flight for number in (still.x, still.y)]
    check_number(max(numbers, key=abs), LARGEST_COORDINATE, "places and generations")


def _canonical_wrap(boundary: str, wrap: tuple[int, int], tile: Box) -> tuple[int, int]:
    """Return the least twist with the same copies of the box in the same places."""
    down, right = wrap
    return (down % tile.height, right % tile.width) if boundary == "torus" else wrap


def _link_order(link: Link) -> tuple[Place, Place, bool]:
    return link.first, link.second, link.opposite


def _canonical_known(known: tuple[Known, ...], states: int) -> tuple[Known, ...]:
    """Merge the drawings of each generation into one, trimmed to its known cells."""
    cells: dict[int, dict[tuple[int, int], str]] = {}
    for drawing in known:
        for y, row in enumerate(drawing.rows, drawing.y):
            for x, state in enumerate(row, drawing.x):
                if state not in f"{LETTERS[:states]}?":
                    dying = f", or dying: {LETTERS[2:states]}" if states > 2 else ""
                    raise UsageError(f"a known cell is o, . or ?{dying}; got {state!r}")
                generation = cells.setdefault(drawing.t, {})
                if state != "?" and generation.setdefault((x, y), state) != state:
                    raise UsageError(
                        f"cell ({x}, {y}) of generation {drawing.t} is given alive and dead"
                        if states == 2
                        else f"cell ({x}, {y}) of generation {drawing.t} is given in two states"
                    )
    merged = []
    for t, generation in sorted(cells.items()):
        if generation:
            left, top = (min(place[axis] for place in generation) for axis in (0, 1))
            right, bottom = (max(place[axis] for place in generation) for axis in (0, 1))
            if (right - left + 1) * (bottom - top + 1) > LARGEST:
                raise UsageError("the known cells of a generation lie too far apart")
            rows = tuple(
                "".join(generation.get((x, y), "?") for x in range(left, right + 1))
                for y in range(top, bottom + 1)
            )
            merged.append(Known(t=t, x=left, y=top, rows=rows))
    return tuple(merged)


_DEFAULTS = {
    key: value
    for key, value in msgspec.to_builtins(Problem(boxes=("1x1",))).items()
    if key != "boxes"
}


def check_problem(given: object) -> None:
    """Raise :class:`~satlife.errors.UsageError` unless a problem is given."""
    check_type(given, Problem, "problem", "a Problem, such as satlife.ship('c/4d', box='4x4')")


_OPEN_SIDE = re.compile(r"\d+[xX]\*", re.ASCII)
_PART = re.compile(r"(\d+[xX]\d+)((?:[+-]\d+){2})?(?:\*(\d+))?", re.ASCII)


def parse_profile(text: str, generations: int) -> tuple[str, ...]:
    """Read a box or a profile for a number of generations; return the boxes with their places."""
    if _OPEN_SIDE.fullmatch(open_box := text.replace(" ", "")):
        return (open_box.lower(),)
    boxes: list[Box] = []
    for part in text.replace(" ", "").split(","):
        match = _PART.fullmatch(part)
        if not match:
            shown = repr(shorten(part))
            if _OPEN_SIDE.fullmatch(part):
                raise UsageError(f"an open height is for all generations: write {shown} alone")
            raise UsageError(f"{shown} is not a box; write for example 16x7, or 10x13,8x13*9")
        box = Box.parse(match[1])
        if boxes:
            box = box.shift((boxes[0].width - box.width) // 2, (boxes[0].height - box.height) // 2)
        if match[2]:
            dx, dy = map(parse_integer, re.findall(r"[+-]\d+", match[2]))
            box = box.shift(dx, dy)
        times = parse_integer(match[3] or "1")
        check_number(times, LARGEST_COORDINATE, "generations")
        boxes += [box] * times
    if len(boxes) not in (1, generations):
        raise UsageError(
            f"the profile {text!r} has {len(boxes)} boxes for {generations} generations; "
            f"give one for all of them, or {generations}"
        )
    return tuple(map(format_placed_box, boxes))
