"""All outcomes: what small still lifes can make of seven inputs, by the generation of contact.

``orders.toml`` says which inputs, regions and generations are asked.  A certificate lists all still
lifes of a question that differ where it matters; the outcomes follow from the list by simulation.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

from atlas.page import link, name_object, player, players, table
from atlas.table import DATA, Answers, Order, Record, Records, Table
from satlife import Pattern, Problem, identify, perturbation
from satlife.life.identity.flight import can_arrive
from satlife.problem.reaction import Reaction, follow_reaction

NAME = "outcomes"
MINUTE = 60


@dataclass(frozen=True)
class Question:
    """An input, a region, and a generation of contact."""

    input: str
    rle: str
    region: str
    contact: int
    cells: int
    recover: int
    hold: int

    @property
    def name(self) -> str:
        """The question, in names of certificates and places."""
        return f"{self.input.lower().replace(' ', '-')}-{self.contact}"

    @property
    def command(self) -> str:
        """The command that asks for one of its still lifes."""
        words = ["satlife", "catalyst", self.rle, f"--region={self.region}"]
        words += ["--contact", str(self.contact), "--recover", str(self.recover)]
        return shlex.join([*words, "--hold", str(self.hold), "--population", f"<={self.cells}"])

    @cached_property
    def problem(self) -> Problem:
        """The same question, as a problem."""
        return perturbation(
            Pattern.from_rle(self.rle),
            region=self.region,
            contact=self.contact,
            recover=self.recover,
            hold=self.hold,
            population=f"<={self.cells}",
        )

    @property
    def orders(self) -> tuple[Order, Order]:
        """The command that lists all of them: what the search says, and with a certificate."""
        command, limit = f"{self.command} --all", 30 * MINUTE
        return (
            Order(f"list-{self.name}", command, self.input, limit, proves=False),
            Order(self.name, command, self.input, limit),
        )

    def read(self, records: Records) -> Record | None:
        """Return the list, with its certificate if it has one; None if nobody has asked yet."""
        searched, certified = (records.get(each.name) for each in self.orders)
        return certified if certified and certified.answer == "certified" else searched


def read_questions() -> list[list[Question]]:
    """Return the questions of each input."""
    asked = tomllib.loads((DATA / NAME / "orders.toml").read_text("utf-8"))
    limits = {name: asked[name] for name in ("cells", "recover", "hold")}
    return [
        [
            Question(each["name"], each["input"], each["region"], contact, **limits)
            for contact in each["contacts"]
        ]
        for each in asked["input"]
    ]


def list_orders(answers: Answers) -> Iterator[Order]:
    """Yield the commands: all lists, then the certificates; those of the early contacts first."""
    rows = zip_longest(*read_questions())
    orders = [each.orders for row in rows for each in row if each]
    yield from (searched for searched, _ in orders)
    yield from (certified for _, certified in orders)


@dataclass(frozen=True)
class Catalyst:
    """A still life of a list, with its input."""

    whole: Pattern
    reaction: Reaction

    @property
    def order(self) -> tuple[object, ...]:
        """What is shown first: the fewest cells, then the shortest recovery."""
        shown = self.reaction.catalyst
        return shown.population, self.reaction.restored, shown.y, shown.x, shown.to_rle()


def list_outcomes(question: Question, record: Record) -> list[list[Catalyst]]:
    """Return the still lifes of a list, those with the same outcome together."""
    outcomes: dict[object, list[Catalyst]] = {}
    for text in record.patterns:
        found = follow(question, Pattern.from_rle(text))
        outcomes.setdefault(found.reaction.key, []).append(found)
    each = (sorted(group, key=lambda one: one.order) for group in outcomes.values())
    return sorted(each, key=lambda group: group[0].order)


def follow(question: Question, drawn: Pattern) -> Catalyst:
    """Put an input and its still life where the input is, and look at what they do."""
    problem, incoming = question.problem, Pattern.from_rle(question.rle)
    boxes, cells = problem.all_boxes, {*_cells(incoming)}
    left, top = min(cells)
    for x, y in _cells(drawn):
        whole = drawn.shift(left - x, top - y)
        alone = Pattern.from_cells({*_cells(whole)} - cells)
        if cells <= {*_cells(whole)} and alone[1] == alone:
            last = question.contact + question.recover + question.hold
            history = [whole[t].in_box(boxes[t]) for t in range(last + 1)]
            history += [alone.in_box(box) for box in boxes[last + 1 :]]
            reaction = follow_reaction(problem, tuple(history))
            is_soon = reaction.restored <= question.contact + question.recover
            if reaction.contact == question.contact and is_soon:
                return Catalyst(whole, reaction)
    raise SystemExit(f"{question.name}: {drawn.to_rle()} is not a still life that is restored")


def _cells(pattern: Pattern) -> list[tuple[int, int]]:
    return sorted((int(x), int(y)) for x, y in pattern.coordinates)


# The page


def write_body(answers: Answers) -> str:
    """Return the page."""
    sections = (_section(answers, each) for each in read_questions())
    return "\n\n".join([INTRODUCTION.strip(), *sections])


def _section(answers: Answers, questions: list[Question]) -> str:
    first, rows, shown = questions[0], [], list[str]()
    for each in questions:
        record = each.read(answers.records)
        if record is None or record.answer == "undecided":
            spent = f"undecided after {record.seconds:.0f} s" if record else "not asked yet"
            rows.append((str(each.contact), "", "", spent))
            continue
        outcomes = list_outcomes(each, record)
        is_certified = record.answer == "certified"
        all_is = link("that is all", record.name) if is_certified else "searched"
        rows.append((str(each.contact), str(len(record.patterns)), str(len(outcomes)), all_is))
        shown += (_show(each, group) for group in outcomes)
    columns, lines = (each.replace("..", " to ") for each in first.region.split(","))
    head = ("contact in", "still lifes", "outcomes", "certificate")
    return "\n\n".join(
        [
            f"## {first.input[0].upper()}{first.input[1:]}",
            f"The input is `{first.rle}`, its top left cell (0, 0) in generation 0. The region has "
            f"the columns {columns} and the rows {lines}.",
            table(head, rows, numbers_from=1).strip(),
            players(shown),
        ]
    )


def _show(question: Question, group: list[Catalyst]) -> str:
    """Return the smallest still life of an outcome, with what comes out."""
    reaction, whole = group[0].reaction, group[0].whole
    count = len(group) - 1
    others = f" {count} more {'do' if count > 1 else 'does'} the same." if count else ""
    until = reaction.disturbed_again
    is_rock = reaction.restored == reaction.contact
    again = "is disturbed" if is_rock else "is disturbed again"
    stays = f"{again} in {until}" if until else f"holds to {reaction.followed}"
    words = [
        f"{name_object(identify(reaction.catalyst))}: contact in generation {reaction.contact}, "
        f"{'not disturbed' if is_rock else f'restored in {reaction.restored}'}, {stays}."
    ]
    if reaction.unchanged:
        words.append("The input goes on as if it were not there.")
    if can_arrive(Pattern.from_rle(question.rle), reaction.catalyst) is False:
        words.append("The ship cannot have come from far away: it would have met this on its way.")
    words.append(f"All together {identify(whole).reason}.{others}")
    picture = player(whole.normalized, question.command, generations=reaction.restored + AFTER)
    return f":::{{container}}\n{picture}\n{' '.join(words)}\n:::"


INTRODUCTION = """
Something runs into a still life, and some generations later the still life is as it was: it is a
[catalyst](../how-to/catalyst.md). What else is there then is the *outcome*. For seven inputs, and
each of some generations of *contact*, this table lists all outcomes that a still life of at most 8
cells in a region can give, if it is restored at most 4 generations after the contact, and stays so
for 2 generations more.

- *Contact* is the first generation in which a cell in the 3×3 around a live cell of the still life
  is not as it is without the input, or would be alive without the still life.
- *Still lifes*: two count as one if they agree wherever it matters, which is within two cells of
  anything that changes.
- *Outcomes*: two are the same if the same cells live beside the still life when it has held for
  2 generations, 6 generations after the contact. Two still lifes that agree where it matters have
  the same outcome.
- *That is all* is a certificate: it names all still lifes of the list, and proves that no other is
  restored so soon. The outcomes follow from the list by simulation. *Searched*: the search has
  ended and found no other, and the simulation below agrees, but there is no certificate yet.

A picture shows the smallest still life of each outcome. What is said of the generations after the
certified ones (that it holds, and what all becomes) is what the simulator saw with that still life;
with another one that is listed as the same, a cell that did not matter before may matter then.
Nothing is asked about the time before generation 0; of a ship, the page says if it cannot have come
from far away.

A still life of at most 8 cells is one of 21 that are not made of parts, or two of 4 cells
([A019473](https://oeis.org/A019473)). So all of them can also be put in all places of the region
and simulated. The tests do this, in a program that shares nothing with the search, and find the
same outcomes. The certificates do not rest on it.
"""

AFTER = 24
"""Generations that a picture shows after the recovery."""

KNOWN = """
- That block, tub, ship, boat, snake and eater 1 are catalysts was known long before: LifeWiki has
  them under [catalyst](https://conwaylife.com/wiki/Catalyst), and in a
  [tutorial](https://conwaylife.com/wiki/Tutorials/Catalyses) the four classes of catalysts that
  stay: those of the fishhook (eater 1), the block, the boat and the snake. That eater 1 eats
  gliders and the LWSS was found by Bill Gosper in 1971, says the [Life
  Lexicon](https://playgameoflife.com/lexicon/eater1_(2)); for the
  [tub](https://conwaylife.com/wiki/Tub), LifeWiki has two ways of acting as an eater.
- Programs such as Bellman, CatForce and Barrister have searched these inputs with larger catalysts
  and longer recoveries, and conduits that begin with such reactions are published. We have looked
  up the catalysts, not each reaction, for which we know of no index; so none is called new.
- We believe to be new that lists are complete, with certificates. On LifeWiki, in forum threads and
  in repositories, as far as we could search them, we found no other complete list of what small
  catalysts do.
"""

TABLE = Table(
    name=NAME,
    title="All outcomes",
    summary="All that still lifes of at most 8 cells make of a glider, a Herschel and five others",
    body=write_body,
    known=KNOWN,
    orders=list_orders,
)
