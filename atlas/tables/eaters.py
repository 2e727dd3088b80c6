"""Eaters of the four common ships: in each lane, the fastest one, the smallest one, or none.

``orders.toml`` says which ships, which regions and how many generations are asked.  A ship in a
lane is asked about until the least number of generations is known: first the largest, then one
less than what was found, until nothing is found, with a certificate.
"""

from __future__ import annotations

import shlex
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from atlas.page import anchor, link, player, players, table
from atlas.table import DATA, Answers, Order, Record, Records, Table, read_records
from satlife import Pattern, identify
from satlife.life import Box, Transform
from satlife.life.box import format_window

NAME = "eaters"
SHIPS = {
    "glider": ("bo$2bo$3o!", (1, 1), "flip-diagonal"),
    "LWSS": ("bo2bo$o$o3bo$4o!", (-1, 0), "flip-top-bottom"),
    "MWSS": ("3bo$bo3bo$o$o4bo$5o!", (-1, 0), "flip-top-bottom"),
    "HWSS": ("3b2o$bo4bo$o$o5bo$6o!", (-1, 0), "flip-top-bottom"),
}
"""Each ship, its direction, and the mirror that keeps the direction."""
NEAR = 2
"""Cells this far away have a neighbour in common, and so can first act on each other."""
FAR = 12
"""Where a ship begins: as far as this before the region."""
LANES = 20
GLIDERS = {"plane-0": "bo$2bo$3o!", "plane-1": "obo$b2o$bo!"}
"""The two shapes of a glider, by the name of what is asked of every still life."""
WAYS = 2
"""A ship that is this many cells behind is the same ship later."""


@dataclass(frozen=True)
class Case:
    """A ship that comes to a region, in a lane and a phase."""

    ship: str
    lane: int
    """How many cells further right a glider comes, and further down another ship."""
    late: int
    """How many cells it is behind."""
    side: int
    """Of the square region, whose top left cell is (0, 0)."""
    room: int
    most: int
    """The largest number of generations that is asked."""
    number: int = 0
    """Of the lane, from 1, as on the page."""

    @property
    def name(self) -> str:
        """The case, in names of certificates and places."""
        return f"{self.ship.lower()}-{self.number}"

    @property
    def region(self) -> Box:
        """Where the eater is."""
        return Box(0, 0, self.side, self.side)

    @cached_property
    def arriving(self) -> Pattern:
        """The ship in the first generation in which it is near the region; nothing if never."""
        text, (dx, dy), _ = SHIPS[self.ship]
        across = (self.lane, 0) if dy else (0, self.lane)
        far = FAR + self.late
        ship = Pattern.from_rle(text).shift(across[0] - far * dx, across[1] - far * dy)
        near = self.region.grow(NEAR)
        while (ship.box.x < near.right) if dx > 0 else (ship.box.right > near.x):
            if any((x, y) in near for x, y in _cells(ship)):
                return ship
            ship = ship[1]
        return Pattern.from_cells([])

    @property
    def key(self) -> frozenset[tuple[int, int]]:
        """What arrives, or its mirror image: whichever is the lesser."""
        ship = self.arriving
        image = ship.transformed(Transform(SHIPS[self.ship][2]))
        if self.ship != "glider":
            image = image.shift(0, self.side - 1)
        return frozenset(min(_cells(ship), _cells(image)))

    @property
    def field(self) -> Box:
        """Where anything may be."""
        ship = self.arriving
        return self.region.grow(self.room) | ship.box.grow(1)

    def command(self, within: int) -> str:
        """Return the command that asks for an eater."""
        ship = self.arriving
        rle = ship.normalized.to_rle().splitlines()[-1]
        words = ["satlife", "eater", "--input", rle, "--at", f"{ship.box.x},{ship.box.y}"]
        words += ["--region", format_window(self.region), "--field", format_window(self.field)]
        return shlex.join([*words, "--within", str(within)])

    def order(self, within: int, *, is_least: bool = False) -> Order:
        """Return the order for an eater within some generations, or for the smallest one."""
        name, command = f"{self.name}-{within}", self.command(within)
        if is_least:
            name, command = f"best-{name}", f"{command} --minimize population"
        return Order(name, command, self.ship, timeout=3600)


def _cells(pattern: Pattern) -> list[tuple[int, int]]:
    return sorted((int(x), int(y)) for x, y in pattern.coordinates)


@dataclass(frozen=True)
class Entry:
    """What is known of a case."""

    case: Case
    records: Records

    @cached_property
    def found(self) -> dict[int, Pattern]:
        """The eaters with their ship, by the number of generations after which they are alone."""
        patterns = {}
        for within in range(1, self.case.most + 1):
            for name in (self.case.order(within).name, self._name_least(within)):
                for text in self.records[name].patterns if name in self.records else ():
                    pattern = Pattern.from_rle(text)
                    patterns[find_recovery(pattern)] = pattern
        return patterns

    @property
    def fastest(self) -> int | None:
        """The least number of generations that was found."""
        return min(self.found, default=None)

    @property
    def refuted(self) -> Record | None:
        """The certificate that no eater is fast enough."""
        for within in range(self.case.most, 0, -1):
            record = self.records.get(self.case.order(within).name)
            if record and record.answer == "certified":
                return record
        return None

    @property
    def last(self) -> int:
        """The number of generations within which there is certainly no eater."""
        return int(self.refuted.name.rpartition("-")[2]) if self.refuted else 0

    @property
    def is_settled(self) -> bool:
        """Whether the least number of generations is known, or that there is no eater."""
        return self.last + 1 == (self.fastest or self.case.most + 1)

    def least(self, within: int) -> Record | None:
        """Return the smallest eater within some generations, with its certificate."""
        record = self.records.get(self._name_least(within))
        return record if record and record.answer == "certified" else None

    @property
    def is_both(self) -> bool:
        """Whether the smallest eater is as fast as the fastest one."""
        least = self.least(self.case.most)
        return bool(least) and find_recovery(Pattern.from_rle(least.patterns[0])) == self.fastest

    def _name_least(self, within: int) -> str:
        return self.case.order(within, is_least=True).name


def find_recovery(pattern: Pattern) -> int:
    """Return the first generation in which nothing changes any more."""
    t = 0
    while pattern[t + 1] != pattern[t]:
        t += 1
    return t


def list_cases() -> Iterator[Case]:
    """Yield all cases of the plan, of two mirror images only one."""
    path = DATA / NAME / "orders.toml"
    cases: dict[tuple[str, frozenset[tuple[int, int]]], Case] = {}
    for asked in tomllib.loads(path.read_text("utf-8"))["eater"]:
        side, room, most = asked["region"], asked["room"], asked["within"]
        for ship, late, lane in product(asked["ships"], range(WAYS), range(-LANES, LANES)):
            case = Case(ship, lane, late, side, room, most)
            if not case.arriving.is_empty:
                cases.setdefault((ship, case.key), case)
    counts: Counter[str] = Counter()
    for case in cases.values():
        counts[case.ship] += 1
        yield replace(case, number=counts[case.ship])


def list_orders(answers: Answers) -> Iterator[Order]:
    """Yield what is to be asked next of each case, until it is settled."""
    for name, rle in GLIDERS.items():
        words = f"--input '{rle}' --region=-7..9,-7..9 --approach 1 --within 4 --open"
        yield Order(name, f"satlife eater {words}", "the plane", timeout=3600)
    for case in list_cases():
        entry = Entry(case, answers.records)
        for within, is_least in product(range(1, case.most + 1), (False, True)):
            if (order := case.order(within, is_least=is_least)).name in answers.records:
                yield order
        while not entry.is_settled:
            before = entry.records
            yield case.order((entry.fastest or case.most + 1) - 1)
            entry = Entry(case, read_records(TABLE.folder))
            if entry.records == before:  # undecided
                break
        if entry.fastest is None:
            continue
        yield case.order(case.most, is_least=True)
        entry = Entry(case, read_records(TABLE.folder))
        if not entry.is_both:
            yield case.order(entry.fastest or 0, is_least=True)


# The page


def write_body(answers: Answers) -> str:
    """Return the page."""
    entries: dict[str, list[Entry]] = {}
    for case in list_cases():
        entries.setdefault(case.ship, []).append(Entry(case, answers.records))
    first, second = (link(name, name) for name in GLIDERS)
    theorem = EVERYWHERE.strip().format(first=first, second=second)
    sections = (_section(*each) for each in entries.items())
    return "\n\n".join([INTRODUCTION.strip(), *sections, theorem])


def _section(ship: str, entries: list[Entry]) -> str:
    case = entries[0].case
    eaten = sum(bool(entry.found) for entry in entries)
    head = ("lane", "comes at", "fastest", "proved: none", "smallest")
    lines = [
        f"## {ship if ship.isupper() else ship.capitalize()}",
        f"In a region of {case.side}×{case.side}, within {case.most} generations, there is an "
        f"eater for {eaten} of {len(entries)} lanes. {FLIGHTS[ship]}",
        table(head, map(_row, entries), numbers_from=len(head)).strip(),
    ]
    if shown := [each for entry in entries for each in _show(entry)]:
        lines.append(players(shown))
    return "\n\n".join(lines)


def _row(entry: Entry) -> tuple[str, ...]:
    case, fastest = entry.case, entry.fastest
    row = [str(case.number), f"({case.arriving.box.x}, {case.arriving.box.y})"]
    if fastest is None:
        row.append(
            "none" if entry.is_settled else "undecided" if _is_asked(entry) else "not asked yet"
        )
    else:
        row.append(f'<a href="#{_place(case, fastest)}">{fastest} generations</a>')
    refuted = entry.refuted
    row.append(link(f"none within {entry.last}", refuted.name) if refuted else "")
    least = entry.least(case.most)
    row.append(link(f"{least.values[0]} cells", least.name) if least else "")
    return tuple(row)


def _is_asked(entry: Entry) -> bool:
    return entry.case.order(entry.case.most).name in entry.records


def _place(case: Case, generations: int) -> str:
    return anchor(f"eater-{case.name}-{generations}")


def _show(entry: Entry) -> Iterator[str]:
    """Yield the fastest eater, of these the smallest, and the smallest one, if it is another."""
    case, fastest = entry.case, entry.fastest
    if fastest is None:
        return
    records = filter(None, (entry.least(fastest), entry.least(case.most)))
    patterns = [Pattern.from_rle(text) for each in records for text in each.patterns]
    shown = {find_recovery(pattern): pattern for pattern in (entry.found[fastest], *patterns)}
    for recovery, pattern in shown.items():
        cells = pattern[recovery].population
        if recovery > fastest and cells == shown[fastest][fastest].population:
            continue
        alone = identify(pattern[recovery])
        goal = "fastest" if recovery == fastest else "smallest"
        words = f"Lane {case.number}, {goal}: {alone.name or alone.apgcode}, "
        words += f"{cells} cells, {recovery} generations."
        head = f'<span id="{_place(case, recovery)}"></span>'
        picture = player(pattern.normalized, case.command(recovery))
        yield f":::{{container}}\n{head}\n\n{picture}\n{words}\n:::"


FLIGHTS = {
    "glider": "The glider flies right and down. The lanes beyond the diagonal are mirror images of "
    "these.",
    "LWSS": "The LWSS flies left. To the same rows it can come in two ways, half a period apart; "
    "those of the other way are mirror images of these.",
    "MWSS": "The MWSS flies left, too.",
    "HWSS": "The HWSS flies left, too.",
}

INTRODUCTION = """
An *eater* is a still life that absorbs what flies into it, and is then itself again. Here a ship
comes to a square region, in each lane and phase in which it comes near, and the eater may be
anywhere in the region. For a still life, only the way of the ship counts, not the time: a ship
that comes a generation later is the same ship.

Generation 0 is the first in which a cell of the ship is within two cells of the region; before
that, nothing in the region can act on it. The table says where the top left corner of the ship's
box then is; two lanes with the same corner differ in the phase of the ship. The top left cell of
the region is (0, 0).

- *Fastest* is the least number of generations after which the eater is alone, and as it was. The
  pictures show one with the fewest cells.
- *Proved: none* is the certificate that no eater is faster, or that there is none at all within
  the largest number of generations that was asked.
- *Smallest* is the fewest cells of an eater within that largest number, with its certificate. It
  has a picture if it is not the fastest one.

All of this is about still lifes in this region. Nothing may ever be more than two cells beyond the
region, but for the box of the ship in generation 0 and one cell around it. So an eater that
oscillates, needs more room or more time, or sends a spark further away, is not excluded.
"""

EVERYWHERE = """
## On the whole plane

**No still life, finite or not, is alone again within three generations after the last in which a
glider flies freely.**

In generations 0 and 1 the glider is where it would be without the still life, which is as it is
alone. In generation 4 the still life would be alone again. Whatever differs from it until then lies
within four cells of the glider, so it depends on a window of 17×17 only. The cells of the window
are unknown, and nothing is asked of those beyond. So every still life is among what was refuted. A
glider has two shapes that are not mirror images of each other, each with a certificate: {first} and
{second}. With one generation more there are such patches, and eater 1 is one.
"""

KNOWN = """
- [LifeWiki](https://conwaylife.com/wiki/Eater_1) says that eater 1 recovers from a glider in four
  generations, and is the fastest and the smallest eater of gliders. [](../how-to/eater.md) shows
  that none in a window of 20×20 is faster. The generations of this table begin earlier: when the
  glider comes near the region, not when it comes near the eater.
- That eater 1 eats the LWSS and the MWSS, too, is known. In regions of this size, no lane has a
  smaller or a faster eater than eater 1, so the table shows no other.
- Whether anything recovers from a glider in three generations was asked on the forums of
  conwaylife.com in 2018; we know of no earlier proof that no still life does.
- We believe the certificates that a lane has no eater to be new: we know of no earlier proofs, but
  have not compared the answers to Knuth's [exercises](../knuth/exercises.md).
"""

TABLE = Table(
    name=NAME,
    title="Eaters",
    summary="Still lifes that eat a glider or a spaceship: by lane, the fastest and the smallest",
    body=write_body,
    known=KNOWN,
    orders=list_orders,
)
