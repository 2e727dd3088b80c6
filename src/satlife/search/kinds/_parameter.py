"""Parameters of a kind of search: their names, their help, and how their text is read.

A form reads texts: the command line, a plan, a page.  A parameter turns such a text into the value
that the kind's function takes.  Nothing here imports NumPy; the readers do so when they read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from satlife.life import PartialPattern, Pattern
    from satlife.search.problem.constraints import Difference
    from satlife.search.problem.lls_grid import Grid

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
    """How many words make one value."""


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One parameter of a kind: a keyword of its function, an option of its command."""

    name: str
    """The keyword of the function."""
    reader: Reader
    help: str = ""
    metavar: str = ""
    """What stands for the value in a command's help."""
    option: str = ""
    """The command's option, if it is not the name with hyphens; none for an ``argument``."""
    argument: bool = False
    """Whether a command takes the value without the name of an option."""
    many: bool = False
    """Whether it may be given several times."""
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
        """Return the value of what a person wrote."""
        if self.many:
            return [self.reader.read(each, open_text) for each in given]
        return self.reader.read(given, open_text)


def _read_number(given: Any, open_text: OpenText) -> int:
    from satlife.errors import UsageError
    from satlife.life.numbers import parse_integer

    if isinstance(given, int):
        return given
    try:
        return parse_integer(given)
    except ValueError:
        raise UsageError(f"{given!r} is not a whole number") from None


def number(least: int) -> Reader:
    """Return the reader of whole numbers that are not less than this."""
    return Reader("number", _read_number, least=least)


def pair(form: str, example: str) -> Reader:
    """Return the reader of two whole numbers with a comma between them."""

    def read(given: Any, open_text: OpenText) -> tuple[int, int]:
        from satlife.errors import UsageError
        from satlife.life.numbers import parse_integer

        try:
            first, second = map(parse_integer, given.split(","))
        except ValueError:
            raise UsageError(f"{given!r} is not {form}; write for example {example}") from None
        return first, second

    return Reader("pair", read)


def _read_span(given: Any, open_text: OpenText) -> tuple[int, int]:
    from satlife.errors import UsageError
    from satlife.life.numbers import parse_integer

    first, _, last = given.partition("..")
    try:
        return parse_integer(first), parse_integer(last or first)
    except ValueError:
        raise UsageError(f"{given!r} is not a range; write for example -3..3") from None


SPAN: Final = Reader("range", _read_span)
"""A whole number, or the first and the last of several."""


def _read_pattern(name: str, open_text: OpenText) -> Pattern:
    from satlife.life.catalogue import name_pattern

    return name_pattern(open_text(name))


def _read_any(name: str, open_text: OpenText) -> Pattern | PartialPattern:
    from satlife.life.catalogue import name_any

    return name_any(open_text(name))


def _read_box(name: str, open_text: OpenText) -> PartialPattern:
    from satlife.life.catalogue import name_partial

    return name_partial(open_text(name))


def _read_partial(name: str, open_text: OpenText) -> PartialPattern | Grid:
    from satlife.search.problem.lls_grid import Grid, looks_like_grid

    text = open_text(name)
    return Grid.from_text(text) if looks_like_grid(text) else _read_box("", lambda _: text)


def _read_place(text: str, open_text: OpenText) -> Pattern | str:
    is_window = re.match(r"\s*-?\d+\.\.", text) is not None
    return text if is_window else _read_pattern(text, open_text)


def _read_difference(given: tuple[str, str], open_text: OpenText) -> Difference:
    from satlife.search.problem.constraints import Difference

    name, bound = given
    return Difference.of(_read_box(name, open_text), bound)


TEXT: Final = Reader("text")
FLAG: Final = Reader("flag")
PATTERN: Final = Reader("file", _read_pattern)
"""A pattern of which every cell is known."""
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
