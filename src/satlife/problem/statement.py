"""The fields of a problem, as its document has them, and what they mean as values.

A document holds texts.  Each is parsed once, and its value is offered beside it:
``problem.symmetry`` is ``"D2|"``, ``problem.parsed.symmetry`` the :class:`~satlife.life.Symmetry`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, ClassVar, Final, Literal

import msgspec

from satlife.errors import UsageError
from satlife.given import parse_integer
from satlife.life.box import Box, parse_placed_box
from satlife.life.motion import Motion
from satlife.life.rule import Rule
from satlife.life.symmetry import Symmetry
from satlife.life.transforms import Transform

if TYPE_CHECKING:
    from satlife.life.rulespaces import RuleSpace

SCHEMA = 1
"""Grows when a problem that could be read before means something else now."""
LETTERS: Final = ".o" + "".join(chr(ord("A") + n) for n in range(1, 24))
"""How the states of a cell are drawn: dead, alive, and dying with the letters of RLE files."""
MANY_RULES: Final = 1 << 14
"""Rules that are remembered: a campaign goes through all of its rules for every motion."""

Boundary = Literal["dead", "torus", "free", "agar"]
"""What is outside the boxes."""
Place = tuple[int, int, int]
"""x, y, t."""
Cells = tuple[tuple[int, int, bool], ...]
"""A case of a problem: cells of generation 0 in the order in which they were decided, each with its
x, its y and whether it is alive."""


Drawn = frozenset[tuple[Place, str]]
"""Cells, each with its state."""
Rows = tuple[str, ...]
"""The cells of a drawing, row by row."""


def trim(
    x: int, y: int, rows: tuple[str, ...], states: str = "o.?"
) -> tuple[int, int, tuple[str, ...]]:
    """Trim the dead cells at the edges of a drawing, so that equal drawings are written equally.

    >>> trim(0, 0, ("....", "..o", ".oo."))
    (1, 1, ('.o', 'oo'))
    """
    for state in "".join(rows):
        if state not in states:
            usual = f"{', '.join(states[:-1])} or {states[-1]}"
            raise UsageError(f"a drawn cell is {usual}, got {state!r}")
    width = max(map(len, rows), default=0)
    rows = tuple(row.ljust(width, ".") for row in rows)
    used = [j for j, row in enumerate(rows) if row.strip(".")]
    if not used:
        return 0, 0, ()
    rows = rows[used[0] : used[-1] + 1]
    left = min(len(row) - len(row.lstrip(".")) for row in rows)
    right = max(len(row.rstrip(".")) for row in rows)
    return x + left, y + used[0], tuple(row[left:right] for row in rows)


class Known(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Cells of one generation: ``o`` alive, ``.`` dead, ``?`` unknown; the corner is (x, y).

    In Generations rules ``B``, ``C`` … are dying, as in RLE files, and ``.`` is dead.
    """

    t: int
    x: int = 0
    y: int = 0
    rows: tuple[str, ...]

    @property
    def cells(self) -> dict[tuple[int, int], str]:
        """The states of the cells that are given, by (x, y), row by row."""
        return {
            (x, y): state
            for y, row in enumerate(self.rows, self.y)
            for x, state in enumerate(row, self.x)
            if state != "?"
        }

    @property
    def alive(self) -> list[tuple[int, int]]:
        """The cells that are given alive."""
        return [place for place, state in self.cells.items() if state == "o"]


class Link(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Two cells that are equal, or opposite."""

    first: Place
    second: Place
    opposite: bool = False


def is_open_box(text: str) -> bool:
    """Whether a box is of any height, as ``15x*`` is."""
    return re.fullmatch(r"\d+x\*", text, re.ASCII) is not None


NOT_IN_BACKGROUND: Final = (
    "with a background, there is no width, height, area, gutter or forbidden symmetry"
)


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What may be asked of a solution beyond its shape, and what others ask about it.

    Each kind of constraint overrides the defaults that do not suit it.
    """

    is_usual: ClassVar[bool] = False
    """Whether kinds ask for it by themselves, so that summaries leave it out."""
    is_symmetric: ClassVar[bool] = False
    """Whether every turn keeps it; unless it says so, no symmetry is broken beside it."""
    is_shiftable: ClassVar[bool] = False
    """Whether every pattern that meets it still does so after a shift, in any box that holds it."""
    clears_axes: ClassVar[bool] = False
    """Whether every cell on an axis of the symmetry must be dead."""
    unfolds: ClassVar[bool] = False
    """Whether most cells follow from generation 0, so that a formula need not ask for them."""
    drawn_as: ClassVar[str] = ""
    """What its drawing is called; empty if it names no cell by its place."""
    refusals: ClassVar[Mapping[str, str]] = {}
    """The boundaries with which it is refused, and why."""
    slow_refusal: ClassVar[str] = ""
    """Why it is refused with dying cells and strobing backgrounds, if so."""

    @property
    def phrase(self) -> str:
        """What it is in the title of a statement, after "with"; empty if it goes unsaid there."""
        return ""

    @property
    def excluded_symmetry(self) -> str:
        """The symmetry that generation 0 must not have."""
        return ""

    @property
    def generations(self) -> tuple[int, ...]:
        """The generations that it names."""
        return ()

    @property
    def numbers(self) -> Iterable[int]:
        """All places and generations in it, which may be too large to be computed with."""
        return self.generations

    @property
    def drawings(self) -> frozenset[Drawn]:
        """The cells that it names by their place; of several drawings, a solution has one."""
        return frozenset()

    @property
    def copies(self) -> Iterable[tuple[int, int]]:
        """Pairs of generations that are the same but for cells drawn in the first."""
        return ()

    def check(self, problem: Statement, box: Box) -> None:
        """Raise :class:`~satlife.errors.UsageError` unless it fits the rest of the problem.

        The box is the first one; for an open height, a square in its place.
        """

    def after_turn(self, turn: Transform) -> Condition | None:
        """Return what patterns meet after the turn if they met this before it; None if unknown."""
        return self if self.is_symmetric or turn.name == "identity" else None

    def note(self, problem: Statement) -> str:
        """Return the explanation that a statement adds, with a blank before it."""
        return ""

    def pictures(self) -> Iterator[tuple[str, int, int, Rows]]:
        """Yield its drawings for a statement: of what, the top left cell (x, y), the rows."""
        yield from ()

    def plain_size(self, problem: Statement, width: int, height: int) -> int:
        """Return about how many plain clauses express it, in a frame that holds all generations."""
        return 1


def read_open(text: str) -> RuleSpace | None:
    """Return the set of rules that a text stands for; None if it is one rule."""
    if not (set(text) & set("[]?") or text.strip().lower().startswith(("p", "outer", "isotropic"))):
        return None
    from satlife.life.rulespaces import RuleSpace, read_rules  # noqa: PLC0415 - few are open

    read = read_rules(text)
    return read if isinstance(read, RuleSpace) else None


@lru_cache(maxsize=MANY_RULES)
def read_ordinary(text: str) -> str | None:
    """Return the canonical notation of a rule with two states and without B0; otherwise None.

    >>> read_ordinary("23/3"), read_ordinary("B2/S/3"), read_ordinary("B3[4]/S23")
    ('B3/S23', None, None)
    """
    if read_open(text) is not None:
        return None
    rule = Rule(text)
    return None if rule.states > 2 or rule.table[0] else str(rule)


@dataclass(frozen=True)
class Parsed:
    """The values of a problem's texts."""

    rule: Rule
    """The rule; of a set of rules the least, which has the symmetries of all of them."""
    space: RuleSpace | None
    """The set of rules; None if it is one rule."""
    symmetry: Symmetry


class Statement(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True, weakref=True
):
    """What is asked, field by field; a :class:`~satlife.Problem` is one that fits."""

    schema: int = SCHEMA
    kind: str = "find"
    """The kind of search: what a solution is called, and which answer means yes.

    No engine looks at it, and it is not part of the name; see :mod:`satlife.kinds`.
    """
    rule: str = "B3/S23"
    boxes: tuple[str, ...]
    """One box for all generations, or one for each: ``8x13+1+0`` lies at (1, 0).

    ``15x*`` has an open height: the pattern is at most 15 wide, and may be of any length.  Of a
    diagonal ship that is its width across the motion: the number of diagonals x - y that it meets;
    of an oblique one that moves s cells up for each one to the side, that of the lines y - s·x.
    """
    steps: int = 0
    """How many steps of the rule; generations are 0 to ``steps``.  With a motion: its period."""
    boundary: Boundary = "dead"
    """Outside the boxes all is dead, or the one box wraps around, or cells are unconstrained.

    With ``agar``, the outside is the ``background``.
    """
    background: tuple[str, ...] = ()
    """A tile, with its corner at (0, 0): repeated, it is what is outside in generation 0."""
    wrap: tuple[int, int] = (0, 0)
    """On a torus: how much lower (or further right) the copy to the right (below) lies."""
    motion: Motion | None = None
    include_last: bool = False
    """Whether generation ``period`` must lie in the (first) box too."""
    symmetry: str = "C1"
    known: tuple[Known, ...] = ()
    links: tuple[Link, ...] = ()
    exempt: tuple[Place, ...] = ()
    """Cells that need not follow from the generation before."""
    constraints: tuple[Condition, ...] = ()

    @cached_property
    def parsed(self) -> Parsed:
        """The rule and the symmetry as values."""
        space = read_open(self.rule)
        rule = Rule(self.rule) if space is None else space.least
        return Parsed(rule, space, Symmetry(self.symmetry))

    def keeps_constraints(self, turn: Transform) -> bool:
        """Whether a turn takes each constraint to itself, or to another one of them."""
        return all(each.after_turn(turn) in self.constraints for each in self.constraints)

    @property
    def has_open_rule(self) -> bool:
        """Whether the rule is a set of rules, as ``B3[4]/S23`` is: any of them will do."""
        return self.parsed.space is not None

    @property
    def states(self) -> int:
        """How many states a cell has; 2 for sets of rules."""
        return self.parsed.rule.states

    @property
    def shows_dying(self) -> bool:
        """Whether generation 0 of a solution has states, since no earlier one determines them.

        With a motion, the generations before are known, and a solution only shows which cells live.
        """
        return self.motion is None and self.states > 2

    @property
    def slow_rule(self) -> Rule | None:
        """The rule, if live cells do not determine the next generation; otherwise None.

        In a Generations rule they do not show which cells are dying; on a strobing background, the
        cells that differ from it do not show its phase.
        """
        rule = self.parsed.rule
        is_slow = rule.states > 2 or rule.is_strobing
        return rule if is_slow and not self.has_open_rule else None

    @property
    def generations(self) -> int:
        """How many generations have cells of their own."""
        return self.steps if self.motion else self.steps + 1

    @property
    def has_open_height(self) -> bool:
        """Whether the box is of any height, as ``15x*`` is."""
        return any(map(is_open_box, self.boxes))

    @property
    def has_slanted_width(self) -> bool:
        """Whether the width of an open box counts lines in the direction of the motion."""
        return self.shear > 0

    @property
    def shear(self) -> int:
        """How many cells up these lines go for each one to the side: 1 for diagonals; or 0."""
        dx, dy = (0, 0) if self.motion is None else self.motion.displacement
        return dy // dx if self.has_open_height and dx * dy > 0 and dy % dx == 0 else 0

    @property
    def has_gutter(self) -> bool:
        """Whether every cell on an axis of the symmetry must be dead."""
        return any(each.clears_axes for each in self.constraints)

    @property
    def width(self) -> int:
        """The width of the first box."""
        return parse_integer(self.boxes[0].partition("x")[0])

    @cached_property
    def all_boxes(self) -> tuple[Box, ...]:
        """The box of each generation; a box of open height has none, and raises."""
        if self.has_open_height:
            twice = 2 * self.width
            raise UsageError(
                f"{self.boxes[0]} has an open height, which no formula describes; "
                "the search by rows needs none; write a height, for example "
                f"{twice if self.has_slanted_width else self.width}x{twice}"
            )
        boxes = tuple(map(parse_placed_box, self.boxes))
        return boxes * self.generations if len(boxes) == 1 else boxes
