"""The rotors of small oscillators: all oscillators of a period in a box, divided by what changes.

A certificate says that the oscillators of a list are all.  The rotors follow from the list.
``orders.toml`` says which periods and boxes are asked.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from atlas.page import link, name_object, player, players, table
from atlas.table import DATA, Answers, Order, Record, Table
from satlife import Pattern, Problem, identify, oscillator
from satlife.engine.wanted import STILL, find_rotor, name_rotor
from satlife.life import Box
from satlife.life.identity.parts import parts
from satlife.problem.outcome import History

NAME = "rotors"
HOUR = 3600


@dataclass(frozen=True)
class Oscillator:
    """An oscillator of a list."""

    pattern: Pattern
    period: int

    @cached_property
    def box(self) -> Box:
        """The box of all its generations."""
        box = self.pattern.box
        for t in range(1, self.period):
            box |= self.pattern[t].box
        return box

    @property
    def size(self) -> tuple[int, int]:
        """The shorter side of its box, and the longer one."""
        short, long = sorted((self.box.width, self.box.height))
        return short, long

    @cached_property
    def problem(self) -> Problem:
        """The question that it answers in its own box."""
        return oscillator(self.period, box=f"{self.box.width}x{self.box.height}")

    @cached_property
    def history(self) -> History:
        """Its generations, in its own box."""
        return tuple(self.pattern[t].in_box(self.box) for t in range(self.period))

    @cached_property
    def parts(self) -> tuple[int, int]:
        """The number of its parts that change, and of all."""
        each = parts(self.pattern)
        return sum(part[1] != part for part in each), len(each)

    @property
    def order(self) -> tuple[object, ...]:
        """What is shown first: the one of fewest parts in the least box, with the fewest cells."""
        area, rle = self.box.area, self.pattern.to_rle()
        return *self.parts, area, self.size, self.pattern.population, rle


@dataclass(frozen=True)
class Rotor:
    """A rotor, and all oscillators of a box that have it."""

    variants: tuple[Oscillator, ...]
    """In the order in which they would be shown."""

    @property
    def shown(self) -> Oscillator:
        """The oscillator that stands for it."""
        return self.variants[0]

    @cached_property
    def cells(self) -> int:
        """The number of cells that change."""
        film = find_rotor(self.shown.problem, self.shown.history)
        return int((film[0] != STILL).sum())

    @cached_property
    def size(self) -> tuple[int, int]:
        """The sides of the box of all cells that change, the shorter one first."""
        short, long = sorted(find_rotor(self.shown.problem, self.shown.history).shape[1:])
        return short, long

    @property
    def is_single(self) -> bool:
        """Whether it is not that of two oscillators side by side."""
        return self.shown.parts[0] == 1


def divide(oscillators: Iterable[Oscillator]) -> list[Rotor]:
    """Return the rotors of oscillators, small ones first."""
    groups: dict[object, list[Oscillator]] = {}
    for each in oscillators:
        groups.setdefault(name_rotor(each.problem, each.history), []).append(each)
    found = [Rotor(tuple(sorted(group, key=lambda each: each.order))) for group in groups.values()]
    return sorted(found, key=lambda rotor: (rotor.cells, rotor.size, rotor.shown.order))


@dataclass(frozen=True)
class Asked:
    """A period, and the boxes in which all its oscillators are asked for."""

    period: int
    boxes: tuple[str, ...]

    def orders(self) -> Iterator[Order]:
        """Yield the command for each box."""
        for box in self.boxes:
            command = f"satlife oscillator {self.period} --box {box} --all"
            yield Order(f"all-p{self.period}-{box}", command, f"p{self.period}", timeout=4 * HOUR)

    def read(self, answers: Answers) -> tuple[Record, list[Oscillator]] | None:
        """Return the list of the last box that has one, with its record."""
        records = [answers.records.get(order.name) for order in self.orders()]
        certified = [each for each in records if each and each.answer == "certified"]
        if not certified:
            return None
        last = certified[-1]
        return last, [Oscillator(Pattern.from_rle(text), self.period) for text in last.patterns]


def read_orders() -> list[Asked]:
    """Return what is asked."""
    path = DATA / NAME / "orders.toml"
    tables = tomllib.loads(path.read_text("utf-8"))["all"]
    return [Asked(each["period"], tuple(each["boxes"])) for each in tables]


def list_orders(answers: Answers) -> Iterator[Order]:
    """Yield the commands that list all oscillators."""
    for asked in read_orders():
        yield from asked.orders()


# The page


def write_body(answers: Answers) -> str:
    """Return the page."""
    return "\n\n".join([INTRODUCTION.strip(), *(_section(answers, each) for each in read_orders())])


def _section(answers: Answers, asked: Asked) -> str:
    read = asked.read(answers)
    if read is None:
        return f"## Period {asked.period}\n\nNot listed yet."
    record, found = read
    rotors = divide(found)
    single = [each for each in rotors if each.is_single]
    several = [each for each in rotors if not each.is_single]
    box = record.name.rpartition("-")[2]
    large = box.replace("x", "×")
    lines = [
        f"## Period {asked.period}",
        f"In {large} there are {len(found):,} oscillators of period {asked.period}: "
        f"{link('that is all', record.name)}. They have {len(rotors)} rotors: {len(single)} of "
        f"one oscillator, and {len(several)} of two or more side by side.",
        "Oscillators in each box, and how many rotors they have:",
        _count_boxes(found, box),
        players(_show(each, box) for each in single),
    ]
    if several:
        lines += [
            f"### Period {asked.period}, side by side",
            "Here each cell that changes belongs to one of several oscillators that do not touch, "
            "in all places in which they fit.",
            players(_show(each, box) for each in several),
        ]
    return "\n\n".join(lines)


def _count_boxes(found: list[Oscillator], box: str) -> str:
    """Return the table of boxes: how many oscillators fit, and how many rotors they have."""
    longest = max(map(int, box.split("x")))
    sides = range(min(each.size[0] for each in found), longest + 1)
    rows = []
    for width in sides:
        row = [f"{width} wide"]
        for height in sides:
            inside = [each for each in found if each.size[0] <= width and each.size[1] <= height]
            several = len({name_rotor(each.problem, each.history) for each in inside})
            row.append(f"{len(inside)}, {several}" if width <= height else "")
        rows.append(row)
    return table(("", *(f"{side} high" for side in sides)), rows, numbers_from=1).strip()


def _show(rotor: Rotor, box: str) -> str:
    """Return the oscillator of a rotor, with what is said of it."""
    shown = rotor.shown
    number = len(rotor.variants)
    variants = "1 oscillator" if number == 1 else f"{number} oscillators"
    least = min(rotor.variants, key=lambda each: (each.box.area, each.size))
    size = "{}×{}"
    words = (
        f"{name_object(identify(shown.pattern))}. "
        f"{rotor.cells} cells change, in {size.format(*rotor.size)}; "
        f"{variants} in {box.replace('x', '×')}, the least in {size.format(*least.size)}."
    )
    command = f"satlife oscillator {shown.period} --box {shown.box.width}x{shown.box.height}"
    picture = player(shown.pattern.normalized, command, view="rotor")
    return f":::{{container}}\n{picture}\n{words}\n:::"


INTRODUCTION = """
The *rotor* of an oscillator is what changes in it: its cells that are not always alive or always
dead, with their states. Very different oscillators can have the same rotor, as still cells around
it, the *stator*, can often be varied. Two rotors are the same here if a shift, a turn, a mirror or
another phase carries one to the other.

The oscillator as a whole, rotor and stator, in all its generations, fits into a box of 7×7: that is
the question here. All lists below are complete. For each period, a certificate has the list of all
oscillators in this box, and proves that there are no others; the rotors follow from the list. Other
rotors of at most 7×7 have stators that need more room, and nothing is said of them.

`satlife oscillator 2 --box 7x7 --count --same rotor`, which goes from rotor to rotor and never
lists the oscillators, counts the same number.

In the pictures, the cells of the rotor are coloured. Every picture shows the oscillator of that
rotor with the fewest separate parts, in the least box, of the fewest cells.
"""

KNOWN = """
- That jam and trice tongs share the least box of period 3 is on
  [LifeWiki](https://conwaylife.com/wiki/Jam). That there is nothing else of period 3 in 7×7 is
  certified here; we know of no earlier proof.
- The number of oscillators of period 2 in n×n was counted by Knuth
  ([A136279](https://oeis.org/A136279)): 8,424 pairs of phases in 7×7, not reduced by symmetry. The
  963 of this page, in all places, turned and mirrored, are those 8,424; a test counts them.
- The oscillators with a name have been known for decades. Those with only a code are not in
  satlife's catalogue; they are small enough to be in many lists, and we do not claim them as new.
- We know of no other list of rotors by box with a proof that it is complete.
"""

TABLE = Table(
    name=NAME,
    title="Rotors of period 2 and 3",
    summary="All oscillators of periods 2 and 3 in 7×7, listed by what changes in them",
    body=write_body,
    known=KNOWN,
    orders=list_orders,
)
