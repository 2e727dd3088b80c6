"""Bounds: a number that every solution has lies between two others.

>>> print(Population(least=36))
at least 36 cells in generation 0
>>> print(Rotor.parse("<=12"))
at most 12 cells in the rotor

A bound does not say how the number is counted: :mod:`satlife.formula.measures` counts it in a
formula, :mod:`satlife.verifier.constraints` in a solution, and :mod:`satlife.audit.constraints` in
plain clauses for certificates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar, Literal, Self, get_args

import msgspec

from satlife.errors import UsageError
from satlife.given import check_number, parse_integer, shorten
from satlife.life import PartialPattern, Pattern
from satlife.life.cells import ALIVE, DEAD
from satlife.life.transforms import Transform
from satlife.problem.statement import NOT_IN_BACKGROUND, Condition, Drawn, Rows, Statement, trim

Which = int | Literal["every", "least", "most", "sum"]
"""A generation by its number; every one; the least or most populated one; or all together."""


class Bound(Condition, frozen=True, kw_only=True):
    """A number lies between two others; each subclass is about one number."""

    least: int = 0
    most: int | None = None

    template: ClassVar[str] = "{}"
    """The sentence, with a gap for the bound."""
    noun: ClassVar[str] = "number"

    def __post_init__(self) -> None:
        check_number(max(self.least, self.most or 0, key=abs), 10**9, "bounds")
        if self.least < 0 or (self.most is not None and self.most < 0):
            raise UsageError(f"a bound is not negative, got {self.least} and {self.most}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``>=36``, ``<=20``, ``=9`` or ``20..36``.

        >>> Width.parse("<=20")
        Width(least=0, most=20)
        """
        least, most = parse_bound(text)
        return cls(least=least, most=most)

    @property
    def measured(self) -> str:
        """What the number is, as in "live cells in generation 0"."""
        return self.noun

    def holds(self, number: int) -> bool:
        """Whether the number is within the bound."""
        return self.least <= number and (self.most is None or number <= self.most)

    def __str__(self) -> str:
        return self.template.format(self._numbers(), cells=self._cells())

    @property
    def phrase(self) -> str:
        """The bound as a noun phrase, to follow "with"."""
        return str(self)

    def plain_size(self, problem: Statement, width: int, height: int) -> int:
        """Return about how many clauses count the cells of all generations up to the bound."""
        return self._count(width * height * problem.generations)

    def _count(self, cells: int) -> int:
        """Return about how many clauses count cells up to the bound."""
        numbers = [self.least] + ([] if self.most is None else [self.most + 1])
        return sum(6 * cells * number for number in numbers if number <= cells)

    def _cells(self) -> str:
        """Return ``cell`` or ``cells``, to follow the numbers."""
        return "cell" if (self.least if self.most is None else self.most) == 1 else "cells"

    def _numbers(self) -> str:
        if self.least == self.most:
            return f"exactly {self.least}"
        words = [f"at least {self.least}"] if self.least or self.most is None else []
        words += [f"at most {self.most}"] if self.most is not None else []
        return " and ".join(words)


class Population(Bound, frozen=True, kw_only=True, tag="population"):
    """How many cells of a generation live."""

    is_symmetric = is_shiftable = True

    generation: Which = 0
    """``least`` is the least populated generation, ``most`` the most populated one.

    ``sum`` is the sum over all generations, 0 to p - 1.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.generation, int) and self.generation < 0:
            raise UsageError(f"generations count from 0, got {self.generation}")

    @property
    def generations(self) -> tuple[int, ...]:
        """The one that is counted, if it has a number."""
        return (self.generation,) if isinstance(self.generation, int) else ()

    def plain_size(self, problem: Statement, width: int, height: int) -> int:
        """Return about how many clauses count each of the generations, or all together."""
        if self.generation == "sum":
            return super().plain_size(problem, width, height)
        times = problem.generations if isinstance(self.generation, str) else 1
        return self._count(width * height) * times

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``>=36``, or for others ``<=20@3``, ``@every``, ``@least``, ``@most``, ``@sum``.

        >>> Population.parse("<=20@every")
        Population(least=0, most=20, generation='every')
        """
        bound, at, which = text.partition("@")
        least, most = parse_bound(bound)
        return cls(least=least, most=most, generation=parse_which(which) if at else 0)

    @property
    def measured(self) -> str:
        """Live cells, and in which generation."""
        return f"live cells in {name_generation(self.generation)}"

    def __str__(self) -> str:
        return f"{self._numbers()} {self._cells()} in {name_generation(self.generation)}"


class _CellHistories(Bound, frozen=True, kw_only=True):
    """A number of cells that have something in common in all generations."""

    is_symmetric = is_shiftable = True

    def plain_size(self, problem: Statement, width: int, height: int) -> int:
        """Return about how many clauses compare the generations of each cell, and count."""
        cells = width * height
        return cells * (2 * problem.generations + 5) + self._count(cells)


class Rotor(_CellHistories, frozen=True, kw_only=True, tag="rotor"):
    """How many cells are not the same in all generations, 0 to p - 1."""

    template, noun = "{} {cells} in the rotor", "cells in the rotor"

    def note(self, problem: Statement) -> str:
        """Return what the rotor is."""
        return f" The rotor is every cell that is not the same in {_all_generations(problem)}."


class Stator(_CellHistories, frozen=True, kw_only=True, tag="stator"):
    """How many cells live in all generations, 0 to p - 1."""

    template, noun = "{} {cells} in the stator", "cells in the stator"

    def note(self, problem: Statement) -> str:
        """Return what the stator is."""
        return f" The stator is every cell that lives in {_all_generations(problem)}."


class _Change(Bound, frozen=True, kw_only=True):
    """How much the population changes in a step, at most."""

    is_symmetric = is_shiftable = True

    way: ClassVar[str]
    """Whether the later generation has more live cells, or fewer."""

    def note(self, problem: Statement) -> str:
        """Return what is meant, with the generations that are compared."""
        return (
            f" The {self.__struct_config__.tag} is the largest number of live cells that one of "
            f"the generations 1 to {problem.steps} has {self.way} than the generation before; "
            f"it is 0 if none has {self.way}."
        )

    def plain_size(self, problem: Statement, width: int, height: int) -> int:
        """Return about how many clauses count every generation in full."""
        return 9 * problem.generations * (width * height) ** 2


class Growth(_Change, frozen=True, kw_only=True, tag="growth"):
    """The most cells by which a generation outnumbers the one before; 0 if none does."""

    template = "a growth of {} {cells} from one generation to the next"
    noun, way = "cells of growth from one generation to the next", "more"


class Decay(_Change, frozen=True, kw_only=True, tag="decay"):
    """The most cells by which a generation falls short of the one before; 0 if none does."""

    template = "a decay of {} {cells} from one generation to the next"
    noun, way = "cells of decay from one generation to the next", "fewer"


class Changes(Bound, frozen=True, kw_only=True, tag="changes"):
    """The most cells that are not the same in a generation and the next one."""

    is_symmetric = is_shiftable = True
    template = "{} {cells} changing from one generation to the next"
    noun = "cells changing from one generation to the next"

    refusals: ClassVar = {
        "agar": "with a background, the cells that change in a generation are not counted",
        "free": "cells that change are counted where the outside is dead, or on a torus",
    }

    def note(self, problem: Statement) -> str:
        """Return what is counted, with the generations that are compared."""
        return (
            " The cells that change are those that live in one of the generations "
            f"0 to {problem.steps - 1} and not in the generation after it, or the other way round; "
            "the number is that of the step in which they are the most."
        )

    def plain_size(self, problem: Statement, width: int, height: int) -> int:
        """Return about how many clauses compare the cells of each step, and count."""
        cells = width * height
        return problem.generations * (4 * cells + self._count(cells))


class _Extent(Bound, frozen=True, kw_only=True):
    """A size of the envelope."""

    is_shiftable = True

    refusals: ClassVar = {
        "torus": "a pattern on a torus has no width, height or area; give another box",
        "agar": NOT_IN_BACKGROUND,
    }

    def note(self, problem: Statement) -> str:
        """Return what is meant."""
        held = _all_generations(problem)
        return f" It is that of the least box, unmoved, that holds {held}."

    def plain_size(self, problem: Statement, width: int, height: int) -> int:
        """Return about how many clauses find the used columns and rows, and count."""
        cells = width * height
        sizes = {"width": width, "height": height, "area": 4 * cells}
        count = self._count(sizes[str(self.__struct_config__.tag)])
        return (width + height) * (cells * problem.generations + 3) + count


class Width(_Extent, frozen=True, kw_only=True, tag="width"):
    """The width of the envelope: of the least box that holds generations 0 to p - 1, unmoved."""

    template, noun = "a width of {}", "width"

    def after_turn(self, turn: Transform) -> Condition:
        """Return the same about the height if columns become rows."""
        return Height(least=self.least, most=self.most) if turn.swaps_axes else self


class Height(_Extent, frozen=True, kw_only=True, tag="height"):
    """The height of the envelope."""

    template, noun = "a height of {}", "height"

    def after_turn(self, turn: Transform) -> Condition:
        """Return the same about the width if rows become columns."""
        return Width(least=self.least, most=self.most) if turn.swaps_axes else self


class Area(_Extent, frozen=True, kw_only=True, tag="area"):
    """The area of the envelope: its width times its height."""

    is_symmetric = True
    template, noun = "an area of {}", "area"


def _all_generations(problem: Statement) -> str:
    last = problem.generations - 1
    return f"generations 0 to {last}" if last else "generation 0"


class Difference(Bound, frozen=True, kw_only=True, tag="difference"):
    """How many cells of a generation are not as drawn.

    In the drawing ``o`` is alive and ``.`` dead, and ``?`` is not counted; the corner is (x, y).
    What is not drawn counts as drawn dead.  On a torus, and where nothing is said of the outside,
    only the cells of the box are counted.
    """

    is_symmetric = True

    x: int = 0
    y: int = 0
    rows: tuple[str, ...]
    generation: int = 0

    drawn_as = "drawing"

    @classmethod
    def of(cls, pattern: Pattern | PartialPattern, bound: str = ">=0") -> Self:
        """Bound how far generation 0 is from a pattern; its unknown cells are not counted.

        ``bound`` may name another generation: ``<=3@2``.

        >>> Difference.of(Pattern.from_rle("3o!"), "<=3")
        Difference(least=0, most=3, x=0, y=0, rows=('ooo',), generation=0)
        """
        numbers, at, which = bound.partition("@")
        generation = parse_which(which) if at else 0
        if not isinstance(generation, int):
            raise UsageError(f"a difference is that of one generation, got {which}")
        least, most = parse_bound(numbers)
        if isinstance(pattern, Pattern):
            pattern = PartialPattern.from_pattern(pattern)
        drawn = {DEAD: ".", ALIVE: "o"}
        rows = ("".join(drawn.get(s, "?") for s in row) for row in pattern.states[0].tolist())
        return cls(
            least=least,
            most=most,
            x=pattern.x,
            y=pattern.y,
            rows=tuple(rows),
            generation=generation,
        )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.generation < 0:
            raise UsageError(f"generations count from 0, got {self.generation}")
        x, y, rows = trim(self.x, self.y, self.rows)
        for name, value in (("x", x), ("y", y), ("rows", rows)):
            msgspec.structs.force_setattr(self, name, value)

    @property
    def generations(self) -> tuple[int, ...]:
        """The one that is drawn."""
        return (self.generation,)

    @property
    def numbers(self) -> Iterable[int]:
        """Also where the drawing lies."""
        return self.x, self.y, self.generation

    @property
    def drawings(self) -> frozenset[Drawn]:
        """The cells that do not count as drawn dead."""
        cells = (
            ((x, y, self.generation), state)
            for y, row in enumerate(self.rows, self.y)
            for x, state in enumerate(row, self.x)
            if state != "."
        )
        return frozenset([frozenset(cells)])

    def note(self, problem: Statement) -> str:
        """Return how the drawing is read."""
        only = "" if problem.boundary == "dead" else ", and only cells of the box are counted"
        return (
            " The drawing is below: `o` alive, `.` dead, `?` not counted; what is not drawn counts "
            f"as drawn dead{only}."
        )

    def pictures(self) -> Iterator[tuple[str, int, int, Rows]]:
        """Yield the drawing."""
        yield f"of generation {self.generation}", self.x, self.y, self.rows

    def plain_size(self, problem: Statement, width: int, height: int) -> int:
        """Return about how many clauses count the cells of a generation, and those drawn."""
        return self._count(width * height + sum(map(len, self.rows)))

    @property
    def measured(self) -> str:
        """Cells that differ, and in which generation."""
        return f"cells of generation {self.generation} that differ from a drawing"

    @property
    def phrase(self) -> str:
        """The bound as a noun phrase."""
        return (
            f"{self._numbers()} {self._cells()} of generation {self.generation} not {self._drawn}"
        )

    @property
    def _drawn(self) -> str:
        cells = sum(row.count("o") for row in self.rows)
        return f"as in a drawing of {cells} live cell{'s' if cells != 1 else ''}"

    def __str__(self) -> str:
        cells = self._cells()
        verb = "is" if cells == "cell" else "are"
        return f"{self._numbers()} {cells} of generation {self.generation} {verb} not {self._drawn}"


AnyBound = (
    Population | Rotor | Stator | Growth | Decay | Changes | Width | Height | Area | Difference
)
BOUNDS: tuple[type[Bound], ...] = get_args(AnyBound)


_BOUND = re.compile(r"(<=|>=|=|==|<|>)?\s*(\d+)", re.ASCII)


_RANGE = re.compile(r"(\d*)\.\.(\d*)", re.ASCII)


def parse_bound(text: str) -> tuple[int, int | None]:
    """Read ``>=36``, ``<=20``, ``=9``, or without quotes in a shell ``36..``, ``..20``, ``9``.

    >>> parse_bound("<21"), parse_bound(">=36"), parse_bound("36..40")
    ((0, 20), (36, None), (36, 40))
    """
    span = _RANGE.fullmatch(text.strip())
    if span and any(span.groups()):
        low, high = parse_integer(span[1] or "0"), parse_integer(span[2]) if span[2] else None
        if high is not None and low > high:
            raise UsageError(f"the range {text} is empty; write the lower number first")
        return low, high
    match = _BOUND.fullmatch(text.strip())
    if not match:
        raise UsageError(f"{shorten(text)!r} is not a bound; write >=36, <=20, =9 or 20..36")
    sign, number = match[1] or "=", parse_integer(match[2])
    bounds: dict[str, tuple[int, int | None]] = {
        "<=": (0, number),
        "<": (0, number - 1),
        ">=": (number, None),
        ">": (number + 1, None),
        "=": (number, number),
        "==": (number, number),
    }
    least, most = bounds[sign]
    if most is not None and most < 0:
        raise UsageError(f"nothing is {text}: no number here is negative")
    return least, most


def merge_bounds(bounds: Iterable[Bound]) -> tuple[Bound, ...]:
    """Merge bounds on the same number, and leave out those that exclude nothing.

    >>> merge_bounds([Width(most=9), Width(least=4), Height(least=0)])
    (Width(least=4, most=9),)
    """
    merged: dict[Bound, Bound] = {}
    for bound in bounds:
        number = msgspec.structs.replace(bound, least=0, most=None)
        before = merged.get(number, number)
        caps = [most for most in (before.most, bound.most) if most is not None]
        merged[number] = msgspec.structs.replace(
            number, least=max(before.least, bound.least), most=min(caps, default=None)
        )
    return tuple(bound for number, bound in merged.items() if bound != number)


def parse_which(text: str) -> Which:
    """Read a generation: 3, every, least, most or sum."""
    word = text.strip()
    if word.isascii() and word.isdecimal():
        return parse_integer(word)
    match word:
        case "every" | "least" | "most" | "sum":
            return word
    raise UsageError(
        f"{shorten(text)!r} is not a generation; write a number, every, least, most or sum"
    )


def name_generation(which: Which) -> str:
    """Return how a sentence names a generation, or all of them."""
    match which:
        case "every":
            return "every generation"
        case "least" | "most":
            return f"the {which} populated generation"
        case "sum":
            return "all generations together"
    return f"generation {which}"
