"""The entries of the catalogue: reading and finding them.

The file is a table with tabs between its columns, the fields of :class:`Entry` in their order; the
first line names them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from satlife.errors import FormatError, UsageError
from satlife.life.identity.apgcode import from_apgcode
from satlife.life.pattern import Pattern

HOWS: Final = {
    "enumerated": "found in a search for all of its kind, which was complete",
    "found": "found by the command",
    "checked": "known; its period and speed are checked by the command",
}
"""How an object came into the catalogue."""


@dataclass(frozen=True)
class Entry:
    """An object of the catalogue."""

    code: str
    """Its apgcode, which is also its cells."""
    name: str
    """What people call it, or nothing."""
    kind: str
    """``still life``, ``oscillator`` or ``spaceship``."""
    population: int
    """Of its least populated phase."""
    period: int
    speed: str
    """c/4d, 2c/4 …; nothing, if it does not move."""
    how: str
    """One of ``HOWS``."""
    command: str
    """The command that found it, or that checks it."""

    @property
    def pattern(self) -> Pattern:
        """One of its phases, with the box at (0, 0)."""
        return from_apgcode(self.code)

    @property
    def words(self) -> str:
        """What it is, in words: ``oscillator p5``."""
        return {
            "still life": "still life",
            "oscillator": f"oscillator p{self.period}",
            "spaceship": f"spaceship {self.speed}",
        }[self.kind]

    def to_dict(self) -> dict[str, Any]:
        """Give it as numbers and texts for JSON, the cells as RLE too."""
        return {**asdict(self), "rle": self.pattern.to_rle()}

    def to_row(self) -> str:
        """Write it as a line of the file."""
        return "\t".join(map(str, asdict(self).values()))


COLUMNS: Final = tuple(field.name for field in fields(Entry))


@lru_cache(maxsize=1)
def catalogue() -> tuple[Entry, ...]:
    """Give all entries: still lifes, oscillators, spaceships, by period and population."""
    text = files("satlife.life.catalogue").joinpath("objects.tsv").read_text(encoding="utf-8")
    return read_table(text)


def read_table(text: str) -> tuple[Entry, ...]:
    """Read the file's text."""
    head, *lines = text.splitlines()
    if tuple(head.split("\t")) != COLUMNS:
        raise FormatError(f"the columns are {', '.join(COLUMNS)}", line=1)
    return tuple(_read_row(line, number) for number, line in enumerate(lines, 2))


def write_table(entries: Iterable[Entry]) -> str:
    """Write the file's text."""
    rows = ["\t".join(COLUMNS), *(entry.to_row() for entry in entries)]
    return "".join(f"{row}\n" for row in rows)


def find_entry(name: str) -> Entry:
    """Find one entry by its apgcode or its name.

    >>> find_entry("eater one")
    Traceback (most recent call last):
    satlife.errors.UsageError: no object 'eater one' in the catalogue; did you mean 'eater 1'?
    """
    for entry in catalogue():
        if name == entry.code or name.casefold() == entry.name.casefold() != "":
            return entry
    near = get_close_matches(name, [entry.name for entry in catalogue() if entry.name], 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise UsageError(f"no object {name!r} in the catalogue{hint}")


def find_entries(
    *words: str,
    kind: str | None = None,
    period: int | None = None,
    population: tuple[int, int | None] | None = None,
    speed: str | None = None,
    how: str | None = None,
) -> tuple[Entry, ...]:
    """Find all entries whose name or code holds each of the words, and that are as said.

    ``population`` is the least and the most number of cells, ``None`` for no limit.

    >>> [entry.name for entry in find_entries("long", "snake")]
    ['long snake', 'very long snake', 'long^3 snake']
    """
    sought = [word.casefold() for word in words]
    least, most = population or (0, None)
    return tuple(
        entry
        for entry in catalogue()
        if all(word in entry.name.casefold() or word in entry.code for word in sought)
        and kind in (None, entry.kind)
        and period in (None, entry.period)
        and speed in (None, entry.speed)
        and how in (None, entry.how)
        and least <= entry.population
        and (most is None or entry.population <= most)
    )


def _read_row(line: str, number: int) -> Entry:
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        raise FormatError(f"{len(cells)} columns instead of {len(COLUMNS)}", line=number)
    row = dict(zip(COLUMNS, cells, strict=True))
    numbers = {name: int(row.pop(name)) for name in ("population", "period")}
    return Entry(**row, **numbers)  # type: ignore[arg-type]  # texts and numbers, as declared
