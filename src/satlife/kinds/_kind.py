"""A kind of search and its parameters, declared in one value.

The commands ``satlife KIND`` and ``satlife cnf KIND``, ``satlife list kinds``, plans, statements,
the reference page and the function in ``import satlife`` are derived from it.  A declaration
imports neither NumPy nor click, so that ``satlife --help`` stays fast; the function imports what it
needs when it is called.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from satlife.errors import UsageError
from satlife.given import parse_integer

if TYPE_CHECKING:
    from satlife.life import PartialPattern, Pattern
    from satlife.life.cells import Cells
    from satlife.problem import Problem
    from satlife.problem.constraints import Difference
    from satlife.problem.lls_grid import Grid


# Parameters of a kind of search: their names, their help, and how their text is read.
#
# A form reads texts: the command line, a plan, a page. A parameter turns such a text into the
# value that the kind's function takes. Nothing here imports NumPy; the readers do so when they
# read.


OpenText = Callable[[str], str]
"""Returns the text of the file that a person named; what is not a file, as it is."""


def _keep(text: Any, open_text: OpenText) -> Any:
    return text


@dataclass(frozen=True)
class Reader:
    """How a text becomes a value."""

    name: str
    """What a person writes: text, flag, number, file …"""
    read: Callable[[Any, OpenText], Any] = _keep
    least: int | None = None
    """The least number, of a number."""
    words: int = 1
    """The number of arguments that make one value."""


@dataclass(frozen=True, kw_only=True)
class Blank:
    """A parameter's place in the sentence with which the page asks: "of speed [c/3]"."""

    before: str = ""
    after: str = ""
    width: int
    """How many characters there is room for."""
    example: str = ""
    """What stands there while it is empty."""
    meaning: str
    """What it is, in a line."""
    term: str
    """Its word in the glossary."""


HEADINGS: Final = ("Numbers of cells", "Size", "Cells", "Symmetry", "Time and lane", "Other")
"""Headings below which the page has what does not stand in its sentence."""


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One parameter of a kind: a keyword of its function, an option of its command."""

    name: str
    """The keyword of the function."""
    reader: Reader
    help: str = ""
    metavar: str = ""
    """The placeholder for the value in a command's help."""
    option: str = ""
    """The command's option, if it is not the name with hyphens; none for an ``argument``."""
    argument: bool = False
    """Whether a command takes the value without the name of an option."""
    many: bool = False
    """Whether it may be given several times."""
    group: str = "What to search for"
    """The heading below which a command's help has it."""
    label: str = ""
    """What the page calls it, if its name is not plain enough."""
    heading: str = "Other"
    """The heading below which the page has it."""
    blank: Blank | None = None
    """Its place in the sentence of the page, if it has one."""
    counts: str = ""
    """What it bounds, as the page says it: "at most 20 live cells"."""
    timed: bool = False
    """Whether it may bound other generations than the first."""
    cell: str = ""
    """The state of the cells that it gives, as the page says it: "the cell … is alive"."""
    default: Any = None
    """Taken from the function's signature by the kind."""
    required: bool = False
    """The same."""

    def __post_init__(self) -> None:
        if not self.option:
            object.__setattr__(self, "option", f"--{self.name.replace('_', '-')}")

    @property
    def default_text(self) -> str | None:
        """The default as a person would write it; None if there is nothing to write."""
        if self.default is None or self.default is False:
            return None
        whole = self.default if isinstance(self.default, tuple) else (self.default,)
        return ",".join(map(str, whole))

    def read(self, given: Any, open_text: OpenText) -> Any:
        """Return the value of the user's text."""
        if self.many:
            return [self.reader.read(each, open_text) for each in given]
        return self.reader.read(given, open_text)


def _read_number(given: Any, open_text: OpenText) -> int:
    if isinstance(given, int):
        return given
    try:
        return parse_integer(given)
    except UsageError:  # too large a number
        raise
    except ValueError:
        raise UsageError(f"{given!r} is not a whole number") from None


def number(least: int) -> Reader:
    """Return the reader of whole numbers that are not less than this."""
    return Reader("number", _read_number, least=least)


def pair(form: str, example: str) -> Reader:
    """Return the reader of two whole numbers with a comma between them."""

    def read(given: Any, open_text: OpenText) -> tuple[int, int]:
        try:
            first, second = map(parse_integer, given.split(","))
        except UsageError:  # too large a number
            raise
        except ValueError:
            raise UsageError(f"{given!r} is not {form}; write for example {example}") from None
        return first, second

    return Reader("pair", read)


def _read_span(given: Any, open_text: OpenText) -> tuple[int, int]:
    first, _, last = given.partition("..")
    try:
        return parse_integer(first), parse_integer(last or first)
    except UsageError:  # too large a number
        raise
    except ValueError:
        raise UsageError(f"{given!r} is not a range; write for example -3..3") from None


SPAN: Final = Reader("range", _read_span)
"""A whole number, or the first and the last of several."""


def _read_approach(given: Any, open_text: OpenText) -> int | str:
    try:
        return given if given == "far" else _read_number(given, open_text)
    except UsageError:
        raise UsageError(f"{given!r} is neither a number of generations nor far") from None


APPROACH: Final = Reader("number or far", _read_approach)
"""Generations of a ship's approach, or as many as it takes."""


def _open(name: str, open_text: OpenText) -> str:
    """Return the text of a drawing; its marks have no meaning for a search."""
    from satlife.life.formats import describe_loss

    text = open_text(name)
    if loss := describe_loss(text):
        raise UsageError(
            f"a search cannot know what is meant by cells in states above 1 ({loss}); draw the "
            "cells with o, b and ?"
        )
    return text


def _read_pattern(name: str, open_text: OpenText) -> Pattern:
    from satlife.life.catalogue import name_pattern

    return name_pattern(_open(name, open_text))


def _read_drawing(name: str, open_text: OpenText) -> Pattern | str:
    from satlife.life.formats import describe_loss

    text = open_text(name)
    return text if describe_loss(text) else _read_pattern("", lambda _: text)


def _read_any(name: str, open_text: OpenText) -> Pattern | PartialPattern:
    from satlife.life.catalogue import name_any

    return name_any(_open(name, open_text))


def _read_box(name: str, open_text: OpenText) -> PartialPattern:
    from satlife.life.catalogue import name_partial

    return name_partial(_open(name, open_text))


def _read_partial(name: str, open_text: OpenText) -> PartialPattern | Grid:
    from satlife.problem.lls_grid import read_grid

    text = _open(name, open_text)
    return read_grid(text) or _read_box("", lambda _: text)


def _read_place(text: str, open_text: OpenText) -> Pattern | str:
    is_window = re.match(r"\s*-?\d+\.\.", text) is not None
    return text if is_window else _read_pattern(text, open_text)


def _read_difference(given: tuple[str, str], open_text: OpenText) -> Difference:
    from satlife.problem.constraints import Difference

    name, bound = given
    return Difference.of(_read_box(name, open_text), bound)


def _read_drawing_at(given: tuple[str, str], open_text: OpenText) -> tuple[PartialPattern, int]:
    name, t = given
    return _read_box(name, open_text), _read_number(t, open_text)


TEXT: Final = Reader("text")
FLAG: Final = Reader("flag")
PATTERN: Final = Reader("file", _read_pattern)
"""A pattern with every cell known."""
DRAWING: Final = Reader("file", _read_drawing)
"""The same, or the text of a drawing in LifeHistory, whose states have a meaning."""
ANY_PATTERN: Final = Reader("file", _read_any)
"""A pattern, or a partial one if it has unknown cells."""
BOX_OF_CELLS: Final = Reader("file", _read_box)
"""A pattern with the whole box that its file gives: dead cells at the edge are known."""
PARTIAL: Final = Reader("file", _read_partial)
"""The same, or a grid of Logic Life Search."""
PLACE: Final = Reader("text or file", _read_place)
"""A window, or a pattern whose live cells are places."""
DIFFERENCE: Final = Reader("file", _read_difference, words=2)
"""A pattern, and a bound on the number of cells that are not as in it."""
DRAWING_AT: Final = Reader("file", _read_drawing_at, words=2)
"""A pattern, perhaps with unknown cells, and a generation."""


# Parameters that several kinds have.


WINDOW: Final = "X..X,Y..Y"

BOX: Final = Parameter(
    name="box",
    reader=TEXT,
    metavar="WxH",
    help="Width x height that holds all phases, or one box for each phase: 10x13,8x13*9.",
    blank=Blank(
        before="in",
        width=8,
        example="16x6",
        meaning="Width x height in cells: all generations must fit.",
        term="box",
    ),
)
SYMMETRY: Final = Parameter(
    name="symmetry",
    reader=TEXT,
    metavar="NAME",
    help="C2, C4, D2v (left-right mirror), D4+, D8 …, C4_1 …, or D4+:D8; satlife list symmetries.",
    blank=Blank(
        before="symmetry",
        width=0,
        meaning="What turns and mirrors leave it as it is; fewer cells to choose, so quicker.",
        term="symmetry",
    ),
)
CELLS: Final = tuple(
    Parameter(
        name=name, reader=TEXT, many=True, metavar="X,Y@T", help=words, heading="Cells", cell=state
    )
    for name, state, words in (
        (
            "on",
            "alive",
            "A cell that is alive: column, row, generation, as 3,0@2; 0..4,0 is a range.",
        ),
        ("off", "dead", "A cell, or a range, that is dead; 0..4,0@every in all generations."),
    )
)
WITHOUT: Final = Parameter(
    name="without",
    reader=TEXT,
    many=True,
    metavar="NAME",
    help="A symmetry that generation 0 must not have, about any centre: C2 …, or any.",
    label="Must not have the symmetry",
    heading="Symmetry",
)
GUTTER: Final = Parameter(
    name="gutter",
    reader=FLAG,
    help="With a mirror symmetry: keep every cell on its axis dead, in every generation.",
    label="No cell ever lives on the mirror’s axis",
    heading="Symmetry",
)
BACKGROUND: Final = Parameter(
    name="background",
    reader=BOX_OF_CELLS,
    metavar="PATTERN",
    help="What is outside the box, in place of dead cells: one tile of an agar, which repeats.  "
    "The top left of the tile is at 0,0.",
    label="What is outside the box",
    heading="Cells",
)
RULE: Final = Parameter(
    name="rule",
    reader=TEXT,
    metavar="RULE",
    help="The rule.",
    blank=Blank(
        before="rule",
        width=10,
        example="B3/S23",
        meaning="B3/S23 is Life: born with 3 neighbours, survives with 2 or 3. Names such as "
        "HighLife work, too.",
        term="rule",
    ),
)
COMPOSITE: Final = Parameter(
    name="composite",
    reader=FLAG,
    help="Only the pattern as a whole must have the period, not one of its cells.",
    label="The period of the whole is enough; no single cell needs it",
)
TRANSFORM: Final = Parameter(
    name="transform",
    reader=TEXT,
    metavar="NAME",
    help="What the period does to it: half-turn, quarter-turn-clockwise, flip-left-right, …",
    label="After the period, itself turned or mirrored",
    heading="Symmetry",
)
_PERIOD: Final = Blank(
    before="of period",
    width=5,
    example="3",
    meaning="After how many generations it is the same again; 3, or 2 for a blinker.",
    term="period",
)
PERIOD: Final = Parameter(
    name="period", reader=TEXT, argument=True, metavar="PERIOD", blank=_PERIOD
)
GENERATIONS: Final = Parameter(
    name="generations",
    reader=number(1),
    help="How many generations back.",
    blank=Blank(
        after="generations back",
        width=4,
        meaning="How many generations before the drawing.",
        term="generation",
    ),
)


def file(name: str, reader: Reader = ANY_PATTERN) -> Parameter:
    """Return the parameter of a command whose argument is a pattern."""
    return Parameter(name=name, reader=reader, argument=True, metavar="PATTERN")


def around_catalyst(region: Parameter) -> tuple[Parameter, ...]:
    """Return the parameters of kinds that look for a catalyst."""
    return (
        region,
        Parameter(
            name="field",
            reader=TEXT,
            metavar=WINDOW,
            help="Nothing may leave this window.  [default: everything given, what the input alone "
            "reaches up to 32 cells further, and 2 cells more on each side]",
            label="Nothing may leave the window",
            heading="Size",
        ),
        Parameter(
            name="within",
            reader=number(1),
            metavar="T",
            help="The generation in which the reaction is over.",
            blank=Blank(
                before="done by generation",
                width=4,
                meaning="The generation in which the reaction is over.",
                term="generation",
            ),
        ),
        Parameter(
            name="period",
            reader=number(1),
            help="The period of what is looked for, alone; 1 is a still life.",
            blank=_PERIOD,
        ),
    )


Axis = Literal["none", "periods", "speeds"]


def _describe(problem: Problem) -> str:
    from satlife.problem.words import describe

    return describe(problem).removeprefix("a ")


def duration(problem: Problem) -> str:
    """Return " in 2 generations" and the like; nothing if it is one."""
    return "" if problem.steps == 1 else f" in {problem.steps} generations"


def _give_no_hint(problem: Problem) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of search."""

    name: str
    """The name of the command, and of its problems' ``kind``."""
    noun: str
    """What a solution is called."""
    function: Callable[..., Problem]
    """Builds the problem; its keywords are the parameters."""
    parameters: tuple[Parameter, ...]
    """In the order of the command's help; defaults come from the function's signature."""
    summary: str
    """One line, for lists."""
    text: str
    """What the command does, for its help."""
    examples: tuple[str, ...]
    """Commands, without the word ``satlife``."""
    yes: Literal["found", "impossible"] = "found"
    """The answer that means yes, and with which a command ends with exit code 0."""
    found_words: Callable[[Problem], str] = _give_no_hint
    """Message for a found pattern, if it is not the pattern's description; it begins with yes or no
    where impossible means yes."""
    impossible_words: Callable[[Problem], str] = _give_no_hint
    """Message for an impossible result, if it is not just that there is none; it also
    begins with yes or no there."""
    supposes: str = ""
    """The kind of the same problem without constraints, if that must have a solution; otherwise
    an impossible result would be vacuous."""
    asks_other: Callable[[Problem, Cells], Problem] | None = None
    """Asks for another solution, given generation 0 of one; the problem itself asks for that."""
    vacuous_words: Callable[[Problem], str] = _give_no_hint
    """Message for a vacuous impossible result; it does not count as yes."""
    asked: Callable[[Problem], str] = _describe
    """Description of the missing object, in the words of the person who asked."""
    hint: Callable[[Problem], str] = _give_no_hint
    """Hint after an impossible result; often empty."""
    note: Callable[[Problem], str] = _give_no_hint
    """Remark on a solution; often empty."""
    axis: Axis | None = None
    """The motions over which a plan can range; None if plans cannot ask for this kind."""
    embeds: bool = False
    """Whether a solution in a box is one in a larger box, too, as campaigns may conclude."""
    recurs: bool = False
    """Whether a solution is an object that recurs on the plane, which can be identified."""
    catalyst: bool = False
    """Whether a solution is a catalyst, alone in the generation that must not be empty."""
    grows_region: bool = False
    """Whether its command may be given no region, and then tries ever larger ones."""
    tries_contacts: bool = False
    """Whether its command asks for each generation of contact by itself, unless one is given."""
    shrinks: bool = False
    """Whether the given cells can be reduced to those that are needed (``--shrink``)."""
    completes: bool = False
    """Whether a still life around the given cells may be wanted after a yes (``--complete``)."""

    def __post_init__(self) -> None:
        given = inspect.signature(self.function).parameters
        object.__setattr__(
            self, "parameters", tuple(_fill_in(each, given) for each in self.parameters)
        )

    @property
    def a_noun(self) -> str:
        """The noun with its article."""
        return f"{'an' if self.noun[0] in 'aeiou' else 'a'} {self.noun}"

    @property
    def help(self) -> str:
        """The text and the examples, with click's mark for lines that are not wrapped."""
        lines = "\n".join(f"  satlife {example}" for example in self.examples)
        return f"{self.text}\n\n\b\nExamples:\n{lines}"

    def takes(self, name: str) -> bool:
        """Return whether there is a parameter of that name."""
        return any(each.name == name for each in self.parameters)

    def build(self, given: Mapping[str, Any], open_text: OpenText) -> Problem:
        """Build the problem of parameters as a person wrote them, by name.

        What is None or an empty tuple was not given, and has its default.
        """
        for each in self.parameters:
            if each.required and given.get(each.name) in (None, ()):
                raise UsageError(f"{each.option} is required here")
        return self.function(**self.read(given, open_text))

    def read(self, given: Mapping[str, Any], open_text: OpenText) -> dict[str, Any]:
        """Return the values of parameters as a person wrote them; nothing is required."""
        return {
            each.name: each.read(given[each.name], open_text)
            for each in self.parameters
            if given.get(each.name) not in (None, ())
        }

    def catalyst_generation(self, problem: Problem) -> int | None:
        """Return the generation in which the catalyst is alone; None if there is no catalyst."""
        from satlife.problem.constraints import NotEmpty

        if not self.catalyst:
            return None
        return next((each.t for each in problem.constraints if isinstance(each, NotEmpty)), None)


def _fill_in(parameter: Parameter, given: Mapping[str, inspect.Parameter]) -> Parameter:
    """Return the parameter with the default of the function's keyword."""
    keyword = given.get(parameter.name)
    if keyword is None:  # one of **bounds
        return parameter
    required = keyword.default is inspect.Parameter.empty
    return replace(parameter, required=required, default=None if required else keyword.default)
