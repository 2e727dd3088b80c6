"""The entries of the catalogue: reading and finding them.

The file is a table with tabs between its columns, which are fields of :class:`Entry`; the first
line that is not a comment names them. A column that is missing has its default in every row, and a
command that is missing is the one that checks the object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import cache
from itertools import chain
from typing import Any, Final
from unicodedata import normalize

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict

from satlife.errors import FormatError, UsageError
from satlife.life.identity.apgcode import encode_phases, from_apgcode
from satlife.life.identity.famous import FAMOUS, FamousPattern
from satlife.life.identity.names import find_object_name, find_row, read_objects
from satlife.life.identity.recurrence import Recurrence, find_recurrence, trace_phases
from satlife.life.motion import Motion
from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE, Rule
from satlife.life.steps import advance_array

HOWS: Final = {
    "enumerated": "found in a complete search for all objects of its kind",
    "found": "found by the command",
    "checked": "already known; the command checks what it is",
    "imported": "imported into a user's catalogue; its period and speed were simulated",
}
"""The ways in which objects came into the catalogue."""

KINDS: Final = {
    "still-life": "still life",
    "oscillator": "oscillator",
    "ship": "spaceship",
    "gun": "gun",
    "puffer": "puffer",
    "rake": "rake",
    "methuselah": "methuselah",
}
"""The kinds of entries, by their names in commands."""


class Entry(Struct, frozen=True):
    """An object of the catalogue."""

    code: str
    """Its apgcode, which is also its cells; empty if it does not recur."""
    name: str
    """Its common name, or an empty string."""
    kind: str
    """One of the values of ``KINDS``."""
    population: int
    """Of its least populated phase; of a pattern that does not recur, of the first generation."""
    period: int
    """0 if it does not recur."""
    speed: str
    """c/4d, 2c/4 …; empty if it does not move."""
    how: str
    """One of ``HOWS``."""
    command: str
    """The command that found it, or that checks it."""
    rule: str = str(LIFE)
    """Its rule; with ``greatest``, the least of a range."""
    greatest: str = ""
    """It evolves in all rules between its own and this one as in its own; empty if unknown."""
    discoverer: str = ""
    """Who found it, and when, according to its source."""
    rle: str = ""
    """Its cells, if they are not in its code."""
    also: str = ""
    """Another name by which it is found."""

    @property
    def pattern(self) -> Pattern:
        """One of its phases, with the box at (0, 0).

        Spaceships travel as those that searches find: north, or north-west.
        """
        if self.rle:
            return Pattern.from_rle(self.rle).with_rule(self.rule)
        pattern = from_apgcode(self.code, self.rule)
        return head_north(pattern, self.period) if self.speed else pattern

    @property
    def key(self) -> tuple[str, str, str]:
        """Its code and its rules, which distinguish it from other entries."""
        return self.code, self.rule, self.greatest

    def works_in(self, rule: Rule) -> bool:
        """Whether it evolves in a rule as in its own: simulated, unless its range holds the rule.

        >>> glider = find_entry("glider")
        >>> glider.works_in(Rule("HighLife")), glider.works_in(Rule("Seeds"))
        (True, False)
        """
        own = Rule(self.rule)
        if self.greatest and is_part(own, rule) and is_part(rule, Rule(self.greatest)):
            return True
        return rule == own or (self.code != "" and evolves_alike(self.pattern, rule, self.period))

    @property
    def words(self) -> str:
        """Its kind, with the period or speed: ``oscillator p5``."""
        return {
            "oscillator": f"oscillator p{self.period}",
            "spaceship": f"spaceship {self.speed}",
        }.get(self.kind, self.kind)

    def to_dict(self) -> dict[str, Any]:
        """Return it as numbers and texts for JSON, the cells as RLE too."""
        return {**asdict(self), "rle": self.pattern.to_rle()}


COLUMNS: Final = Entry.__struct_fields__
"""All columns that a file may have."""
_NEEDED: Final = COLUMNS[: COLUMNS.index("rule")]
OWN_COLUMNS: Final = (*_NEEDED, "rule", "greatest", "discoverer")
"""The columns of a user's catalogue, which may hold objects of any rule."""
_LONGEST_TEXT: Final = 200
_SEPARATORS: Final = re.compile("[-_\\u2010-\\u2015\\u2212]")
_NUMBERS: Final = ("population", "period")
_SHORTEST_BEGINNING: Final = 3
"""Letters that a beginning must have to find a word; fewer begin too many."""


def is_part(rule: Rule, other: Rule) -> bool:
    """Whether no entry of a rule's table is above that of another with the same states.

    >>> is_part(Rule("B3/S23"), Rule("B36/S23")), is_part(Rule("B3/S23"), Rule("B36/S2"))
    (True, False)
    """
    return rule.states == other.states and bool((rule.table <= other.table).all())


def evolves_alike(pattern: Pattern, rule: Rule, period: int) -> bool:
    """Whether a pattern has the same generations in a rule as in its own, for one period.

    Then it has them in every rule between the two: a neighbourhood that occurs has the same result
    in both tables, and so in all tables between them. Rules with B0 are alike only if equal.
    """
    own, cells = pattern.rule, pattern.cells
    if rule == own or rule.states != own.states or rule.table[0] or own.table[0]:
        return rule == own
    for _ in range(period):
        later, *place = advance_array(cells, own, 1)
        other, *other_place = advance_array(cells, rule, 1)
        if place != other_place or not np.array_equal(later, other):
            return False
        cells = later
    return True


def head_north(pattern: Pattern, period: int) -> Pattern:
    """Turn a spaceship into the direction of travel of :class:`~satlife.life.motion.Motion`.

    Where the rule does not allow that turn, the ship stays as it is.

    >>> glider = head_north(Pattern.from_rle("bo$2bo$3o!"), 4)
    >>> find_recurrence(glider).displacement
    (-1, -1)
    """
    found = find_recurrence(pattern, generations=period)
    if found is None or found.speed is None:
        return pattern
    wanted = Motion.parse(found.speed).displacement
    for turn in pattern.rule.symmetries:
        if turn.apply_to_point(*found.displacement) == wanted:
            return pattern.transformed(turn).normalized
    return pattern


def describe(pattern: Pattern, found: Recurrence, name: str = "", source: str = "") -> Entry:
    """Build the entry of an object that recurs."""
    phases = trace_phases(pattern, found.period)
    code = encode_phases(phases, found, unlimited=True)
    return Entry(
        code=code,
        name=find_object_name(code, pattern.rule) or clean_text(name),
        kind=found.kind,
        population=min(phase.population for phase in phases),
        period=found.period,
        speed=found.speed or "",
        how="imported",
        command=clean_text(f"satlife catalogue import {source}"),
        rule=str(pattern.rule),
    )


def clean_text(text: str) -> str:
    """Keep a text short, on one line and without tabs, as the table needs it."""
    return " ".join(text.split())[:_LONGEST_TEXT]


@cache
def catalogue() -> tuple[Entry, ...]:
    """Return all objects that recur: still lifes, oscillators, spaceships, by period and size."""
    return tuple(sorted(read_table("\n".join(read_objects())), key=_rank))


def _rank(entry: Entry) -> tuple[int, int, int, int, str]:
    kind = ("still life", "oscillator", "spaceship").index(entry.kind)
    return kind, entry.period, entry.population, len(entry.code), entry.code


@cache
def famous_entries() -> tuple[Entry, ...]:
    """Return the famous patterns that do not recur: methuselahs, guns, puffers and rakes."""
    return tuple(map(_describe_famous, FAMOUS))


def _describe_famous(famous: FamousPattern) -> Entry:
    return Entry(
        code="",
        name=famous.name,
        kind=famous.kind,
        population=famous.pattern.population,
        period=0,
        speed="",
        how="checked",
        command=f"satlife identify '{famous.name}'",
        rle=famous.rle,
    )


def read_table(text: str) -> tuple[Entry, ...]:
    """Read the file's text."""
    lines = ((n, line) for n, line in enumerate(text.splitlines(), 1) if line[:1] != "#")
    number, head = next(lines, (1, ""))
    columns = head.split("\t")
    if not {*_NEEDED} <= {*columns} <= {*COLUMNS}:
        raise FormatError(f"the columns are {', '.join(COLUMNS)}", line=number)
    return tuple(_read_row(line, columns, number) for number, line in lines)


def write_table(entries: Iterable[Entry], columns: Sequence[str] = _NEEDED) -> str:
    """Write the file's text."""
    rows = [columns, *([str(getattr(entry, name)) for name in columns] for entry in entries)]
    return "".join("\t".join(row) + "\n" for row in rows)


def write_check(code: str) -> str:
    """Return the command that checks an object with a code."""
    return f"satlife catalogue {code} --rle | satlife identify"


def find_entry(name: str, entries: Sequence[Entry] | None = None) -> Entry:
    """Find one entry by its apgcode or a name, in the catalogue or in the given entries.

    Capitals do not matter in a name, nor whether its words are joined by blanks or hyphens.

    >>> find_entry("gosper-glider-gun").kind
    'gun'
    >>> find_entry("lightweight spaceship").name
    'LWSS'
    >>> find_entry("copperhed")
    Traceback (most recent call last):
    satlife.errors.UsageError: no object 'copperhed' in the catalogue; did you mean 'copperhead'?
    """
    if entry := look_up(name, entries):
        return entry
    raise UsageError(f"no object {name!r} in the catalogue{suggest_name(name, entries or ())}")


def look_up(name: str, entries: Sequence[Entry] | None = None) -> Entry | None:
    """Find one entry as :func:`find_entry` does; return ``None`` if there is none."""
    found = _find_rows(name) if entries is None else _find_among(name, entries)[:1]
    if len(found) > 1:
        codes = ", ".join(entry.code for entry in found)
        raise UsageError(f"{len(found)} objects are called {name!r}; use an apgcode: {codes}")
    return found[0] if found else None


def _find_among(name: str, entries: Sequence[Entry]) -> list[Entry]:
    for alike in (simplify_name, _squeeze):
        sought = alike(name)
        found = [
            entry
            for entry in entries
            if name == entry.code or (sought and sought in map(alike, (entry.name, entry.also)))
        ]
        if found:
            return found
    return []


def _find_rows(name: str) -> list[Entry]:
    """Find entries in the catalogue; only their rows are read."""
    row = find_row(name)
    rows = [row] if row else _index_names(simplify_name).get(simplify_name(name), [])
    rows = rows or _index_names(_squeeze).get(_squeeze(name), [])
    return [
        _describe_famous(row) if isinstance(row, FamousPattern) else _read_row(row, _columns())
        for row in rows
    ]


@cache
def _columns() -> list[str]:
    row = find_row("code")
    return row.split("\t") if row else []


@cache
def _index_names(alike: Callable[[str], str]) -> dict[str, list[str | FamousPattern]]:
    """Return the rows and famous patterns by their names, as they are compared."""
    found: dict[str, list[str | FamousPattern]] = {}
    for row in read_objects():
        for name in {*row.split("\t", 3)[1:3]} - {""} if row[0] == "x" else ():
            found.setdefault(alike(name), []).append(row)
    return found | {alike(famous.name): [famous] for famous in FAMOUS}


def suggest_name(name: str, entries: Iterable[Entry] = ()) -> str:
    """Return a hint at the nearest name, for the end of an error; empty if none is near.

    The names are those of the catalogue, and of other entries.
    """
    rows = (row.split("\t", 3)[1:3] for row in read_objects() if row[0] == "x")
    every = [*chain.from_iterable(rows), *(famous.name for famous in FAMOUS)]
    names = {
        simplify_name(each): each for each in (*every, *(entry.name for entry in entries)) if each
    }
    near = find_nearest(simplify_name(name), names)
    return f"; did you mean {names[near]!r}?" if near else ""


def find_nearest(sought: str, names: Iterable[str]) -> str | None:
    """Return the name most similar to another one, or with its words; ``None`` if none is near.

    A word is found by its beginning, too. Of names with the same words, one that begins like the
    sought one comes first, then the shortest.

    >>> find_nearest("gosper", ["spider", "gosper glider gun", "big gosper gun"])
    'gosper glider gun'
    >>> find_nearest("glidr", ["glider", "slide", "glider pusher"])
    'glider'
    """
    every = list(names)
    split = {name: name.split() for name in every}
    vocabulary = {word for words in split.values() for word in words}
    near = [_weigh_words(word, vocabulary) for word in sought.split()]
    likeness = dict.fromkeys(get_close_matches(sought, every, 20), 0.0)
    matcher = SequenceMatcher(b=sought)
    for name in likeness:
        matcher.set_seq1(name)
        likeness[name] = matcher.ratio()
    scores = {
        name: max(
            likeness.get(name, 0.0),
            min((max(each.get(w, 0.0) for w in words) for each in near), default=0.0),
        )
        for name, words in split.items()
        if words
    }
    found = [name for name, score in scores.items() if score > 0]
    return min(found, key=lambda n: (-scores[n], not n.startswith(sought), len(n), n), default=None)


def _weigh_words(sought: str, vocabulary: Iterable[str]) -> dict[str, float]:
    """Return how near words are to another one: the same, begun by it, or spelled like it."""
    near = get_close_matches(sought, vocabulary, 5, 0.75)
    weights = {word: 0.95 * SequenceMatcher(None, word, sought).ratio() for word in near}
    if len(sought) >= _SHORTEST_BEGINNING:
        weights |= {word: 0.9 for word in vocabulary if word.startswith(sought)}
    return {**weights, sought: 1.0}


def find_entries(
    *words: str,
    kind: str | None = None,
    period: int | None = None,
    population: tuple[int, int | None] | None = None,
    speed: str | None = None,
    how: str | None = None,
    rule: Rule | None = None,
    entries: Sequence[Entry] | None = None,
) -> tuple[Entry, ...]:
    """Find all entries whose name or code contains each of the words, with the given properties.

    ``population`` is the least and the greatest number of cells, ``None`` for no limit; ``rule`` is
    one in which they must work.

    >>> [entry.name for entry in find_entries("long", "snake", population=(7, 9))]
    ['long snake', 'very long snake', 'long^3 snake']
    """
    sought = [word.casefold() for word in words]
    alike = [simplify_name(word) for word in words]
    least, most = population or (0, None)
    pool = (*catalogue(), *famous_entries()) if entries is None else entries
    return tuple(
        entry
        for entry in pool
        if (
            all(word in f"{entry.name}\t{entry.also}\t{entry.code}".casefold() for word in sought)
            or all(word in simplify_name(f"{entry.name}\n{entry.also}") for word in alike)
        )
        and kind in (None, entry.kind)
        and period in (None, entry.period)
        and speed in (None, entry.speed)
        and how in (None, entry.how)
        and least <= entry.population
        and (most is None or entry.population <= most)
        and (rule is None or entry.works_in(rule))
    )


def simplify_name(name: str) -> str:
    """Return a name as it is compared: capitals, hyphens and blanks make no difference.

    >>> simplify_name(" Gosper-glider_gun") == simplify_name("gosper glider\N{EN DASH}gun")
    True
    """
    return " ".join(_SEPARATORS.sub(" ", normalize("NFKC", name).casefold()).split())


def _squeeze(name: str) -> str:
    """Return a name without its blanks and hyphens: ``eater1`` for eater 1."""
    return simplify_name(name).replace(" ", "")


def _read_row(line: str, columns: Sequence[str], number: int = 0) -> Entry:
    cells = line.split("\t")
    if len(cells) != len(columns):
        raise FormatError(f"{len(cells)} columns instead of {len(columns)}", line=number)
    row: dict[str, Any] = dict(zip(columns, cells, strict=True))
    for name in _NUMBERS:
        if not row[name].isdecimal():
            raise FormatError(f"{name} is a number, got {row[name]!r}", line=number)
        row[name] = int(row[name])
    row["command"] = row["command"] or write_check(row["code"])
    return Entry(**row)
