"""Problems: what is searched for, independent of how.

A :class:`Problem` is a frozen value.  It has one canonical JSON text, whose hash is its name: two
people who ask the same have the same name for it, whatever solver, limits or encoding they use.

>>> from satlife.life.motion import Motion
>>> problem = Problem(boxes=("4x4",), motion=Motion(period=4, dx=-1, dy=-1))
>>> problem.name[:12]
'5fef7c743473'
>>> Problem.from_json(problem.to_json()) == problem
True

Coordinates are (x, y, t), x to the right, y downward, t the generation, all from 0.

Users write one box for all phases, or a profile with one for each.

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
from collections.abc import Iterable
from copy import copy
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from satlife.errors import UsageError
from satlife.given import check_number, check_type, parse_integer, shorten
from satlife.life.box import Box, format_placed_box, parse_placed_box
from satlife.life.transforms import Transform
from satlife.problem.background import reduce_tile
from satlife.problem.constraints import Constraint
from satlife.problem.documents import convert, decode_json, decode_toml
from satlife.problem.fit import check_fit, check_made, check_open, check_rule
from satlife.problem.statement import (
    LETTERS,
    SCHEMA,
    Boundary,
    Known,
    Statement,
    is_open_box,
    read_ordinary,
)
from satlife.quantities import write_count

LARGEST = 10_000_000
"""Cells of all generations; their formula would have some hundred million clauses."""

LARGEST_COORDINATE = 1_000_000
"""Maximum coordinate of a cell; patterns end a little farther out."""


class _ProblemMeta(msgspec.StructMeta):
    """Refuses more of a problem that is made than of one that is read from a record."""

    if not TYPE_CHECKING:  # or type checkers would not see the fields

        def __call__(self, *arguments: Any, **fields: Any) -> Any:
            """Make a problem; readers of JSON do not call this."""
            made = super().__call__(*arguments, **fields)
            check_made(made)
            return made


class Problem(
    Statement,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    dict=True,
    weakref=True,
    metaclass=_ProblemMeta,
):
    """What is asked of a pattern and its generations, in its canonical form."""

    constraints: tuple[Constraint, ...] = ()

    def __post_init__(self) -> None:
        _check_size(self)
        if self.schema != SCHEMA:
            raise UsageError(
                f"this problem has schema {self.schema}; this satlife reads schema {SCHEMA}"
            )
        force = msgspec.structs.force_setattr
        force(self, "rule", str(self.parsed.space or check_rule(self.parsed.rule)))
        force(self, "symmetry", str(self.parsed.symmetry))
        if self.motion is not None:
            Transform(self.motion.transform)
            force(self, "steps", self.motion.period)
        if self.boundary not in get_args(Boundary):
            values = ", ".join(get_args(Boundary))
            raise UsageError(f"there is no boundary {self.boundary!r}; it is one of {values}")
        if self.steps < 0:
            raise UsageError(f"a problem cannot have {self.steps} steps")
        force(self, "background", reduce_tile(self.background))
        times = tuple(t for each in self.constraints for t in each.generations)
        _check_generations(times, self.generations - 1)
        if self.has_open_height:
            _check_generations((known.t for known in self.known), self.steps)
            force(self, "known", _canonical_known(self.known, self.states))
            check_open(self)
            return
        boxes = tuple(map(parse_placed_box, self.boxes))
        count = self.steps if self.motion else self.steps + 1
        if len(boxes) not in (1, count) or not boxes:
            raise _miscounted("the problem", len(boxes), count)
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
        linked = (place for link in self.links for place in (link.first, link.second))
        times = (*(k.t for k in self.known), *(t for _, _, t in (*self.exempt, *linked)))
        _check_generations(times, self.steps)
        force(self, "known", _canonical_known(self.known, self.states))
        force(self, "links", tuple(sorted(set(self.links), key=msgspec.structs.astuple)))
        # Nothing comes before generation 0, so none of its cells need follow.
        force(self, "exempt", tuple(sorted({place for place in self.exempt if place[2]})))
        if self.boundary == "torus":  # other twists have the same copies in the same places
            down, right = self.wrap
            force(self, "wrap", (down % boxes[0].height, right % boxes[0].width))
        check_fit(self)

    def with_height(self, height: int) -> Problem:
        """Return the same problem with a height, if it is open; a problem with one as it is.

        The box of a diagonal ship is a square then, and leaves its width open.

        >>> from satlife.life.motion import Motion
        >>> Problem(boxes=("7x*",), motion=Motion(period=3, dy=-1)).with_height(9).boxes
        ('7x9',)
        """
        if not self.has_open_height:
            return self
        width = height if self.has_slanted_width else self.width
        return msgspec.structs.replace(self, boxes=(f"{width}x{height}",))

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

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy the problem to another process as its record."""
        return Problem.from_json, (self.to_json(),)

    def _repr_html_(self) -> str:
        from satlife.problem.sketch import make_card  # noqa: PLC0415 - only when shown

        return make_card(self, self.to_toml()).to_html()

    def to_json(self) -> bytes:
        """Return the canonical text: sorted keys, and nothing that is as by default."""
        return msgspec.json.encode(self._canonical_fields(), order="sorted")

    def _canonical_fields(self) -> dict[str, Any]:
        fields = {k: v for k, v in msgspec.to_builtins(self).items() if v != _DEFAULTS.get(k)}
        if self.motion is not None:
            del fields["steps"]  # it is the period
        return fields | {"schema": self.schema}

    @classmethod
    def from_json(cls, text: bytes | str) -> Problem:
        """Read the record of a problem, also of an earlier version of satlife.

        What is wrong with it is a :class:`~satlife.errors.FormatError`.
        """
        return decode_json(text, cls, "a problem")

    def to_toml(self) -> str:
        """Write the problem as TOML, for people."""
        import tomli_w  # noqa: PLC0415 - few problems are written so

        return tomli_w.dumps(msgspec.json.decode(self.to_json()))

    @classmethod
    def from_toml(cls, text: bytes | str) -> Problem:
        """Read a problem from TOML."""
        read = convert(decode_toml(text, "a problem"), cls, "a problem")
        check_made(read)
        return read

    @classmethod
    def from_text(cls, text: bytes) -> Problem:
        """Read a problem file that a person has written, JSON or TOML."""
        is_json = text.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{")
        if not is_json:
            return cls.from_toml(text)
        read = cls.from_json(text)
        check_made(read)
        return read

    @property
    def name(self) -> str:
        """The hash of the canonical text without the kind: the problem's name everywhere."""
        import hashlib  # noqa: PLC0415 - slow to import, and not every search asks

        asked = self._canonical_fields()
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
    closed = [text for text in problem.boxes if not is_open_box(text)]
    numbers += [problem.width] if len(closed) < len(problem.boxes) else []
    for box in map(parse_placed_box, closed):
        numbers += [box.x, box.y, box.right, box.bottom]
    for known in problem.known:
        numbers += [known.t, known.x, known.y]
    for link in problem.links:
        numbers += [*link.first, *link.second]
    for place in problem.exempt:
        numbers += place
    for constraint in problem.constraints:
        numbers += constraint.numbers
    check_number(max(numbers, key=abs), LARGEST_COORDINATE, "places and generations")


def _check_generations(times: Iterable[int], last: int) -> None:
    for t in times:
        if not 0 <= t <= last:
            raise UsageError(f"there is no generation {t}: they are 0 to {last}")


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


_OPEN_SIDE = re.compile(r"\d+x\*", re.ASCII)
_PART = re.compile(r"(\d+x\d+)((?:[+-]\d+){2})?(?:\*(\d+))?", re.ASCII)


_ADVICE = (
    (r"(\d+)", r"write the width and the height: \1x\1"),
    (r"(\d+),(\d+)", r"write \1x\2"),
    (r"(\d+)x(?!\d*$|\d+[,*+-]).*|(\d+)x", r"for any height write '\1\2x*', in quotes"),
    (r".*[$!].*", "it looks like a pattern, which `satlife complete` takes"),
)
"""Advice on a text that is not a box, by its form."""


def _advise(text: str) -> str:
    for given, advice in _ADVICE:
        if match := re.fullmatch(given, text, re.ASCII):
            return match.expand(advice)
    return "write for example 16x7, or 10x13,8x13*9"


def parse_profile(text: str, generations: int) -> tuple[str, ...]:
    """Read a box or a profile for a number of generations; return the boxes with their places."""
    text = text.replace(" ", "").replace("×", "x").lower()
    if _OPEN_SIDE.fullmatch(text):
        return (text,)
    boxes: list[Box] = []
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if not match:
            shown = repr(shorten(part))
            if _OPEN_SIDE.fullmatch(part):
                raise UsageError(f"an open height is for all generations: write {shown} alone")
            raise UsageError(f"{shown} is not a box; {_advise(text)}")
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
        raise _miscounted(f"the profile {text!r}", len(boxes), generations)
    return tuple(map(format_placed_box, boxes))


def _miscounted(what: str, boxes: int, generations: int) -> UsageError:
    several = f" for all of them, or {generations}" if generations > 1 else ""
    return UsageError(
        f"{what} has {boxes} boxes for {write_count(generations, 'generation')}; give one{several}"
    )


PROBLEM_COMMENT = "satlife problem "
"""What stands before a problem's JSON; a long one goes on in the next such comment."""

_LONGEST = 900
"""Characters in one comment: lrat-check refuses formulas with a comment of more than 1024."""


def problem_comments(problem: Problem) -> tuple[str, ...]:
    """Return comments that hold the problem, so that a formula's file is self-contained.

    >>> problem = Problem(boxes=("3x3",))
    >>> read_problem_comments(problem_comments(problem)) == problem
    True
    """
    text = problem.to_json().decode()
    pieces = (text[start : start + _LONGEST] for start in range(0, len(text), _LONGEST))
    return tuple(f"{PROBLEM_COMMENT}{piece}" for piece in pieces)


def read_problem_comments(comments: Iterable[str]) -> Problem | None:
    """Return the problem in the comments, if any."""
    ours = [comment for comment in comments if comment.startswith(PROBLEM_COMMENT)]
    text = "".join(comment.removeprefix(PROBLEM_COMMENT) for comment in ours)
    return Problem.from_json(text) if ours else None
