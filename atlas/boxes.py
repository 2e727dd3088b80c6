"""The least box of a pattern: what the tables of oscillators and ships share.

Boxes come by area, then by width.  What is refuted in a box is refuted in all that fit into it, and
for every symmetry that asks for more; so a few long boxes speak for all that come before one.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from atlas.elsewhere import Proof, list_proofs
from atlas.familiar import find_familiar
from atlas.page import anchor, link, name_object, player
from atlas.table import Answers, Order, Record
from satlife import Pattern, identify
from satlife.campaign.core.events import Status
from satlife.campaign.results import Find, InBox
from satlife.life.box import Box
from satlife.life.symmetry import Symmetry, needs_square
from satlife.problem.exact import fits, list_largest

CLASSES = ("C1", "C2", "C4", "D2|", "D2x", "D4+", "D4x", "D8")
ASKED = {"D2x": "D2\\"}
"""How satlife calls a class, where it has several names."""
MOST_AREA = 400
ANY_HEIGHT = 10_000
"""Stands for the height of a box such as 9x*."""


@dataclass(frozen=True)
class Question:
    """A kind of pattern, its period or speed, and a symmetry."""

    kind: str
    motion: str
    """``p3`` or ``c/3``."""
    symmetry: str = "C1"

    @property
    def asked(self) -> str:
        """The symmetry, as it is asked for."""
        return ASKED.get(self.symmetry, self.symmetry)

    @property
    def words(self) -> str:
        """The question, as a campaign calls it."""
        symmetry = "" if self.symmetry == "C1" else f" with {self.asked}"
        return f"{self.kind} {self.motion}{symmetry}"

    @property
    def name(self) -> str:
        """The question, in names of certificates and places."""
        signs = str.maketrans({"|": "v", "+": "p", "/": ""})
        return f"{self.motion}-{self.symmetry}".lower().translate(signs)

    def command(self, box: Box) -> str:
        """Return the command that asks it."""
        words = ["satlife", self.kind, self.motion.removeprefix("p"), "--box", str(box)]
        return shlex.join(words + ["--symmetry", self.asked] * (self.symmetry != "C1"))

    @cached_property
    def group(self) -> Symmetry:
        """The symmetry."""
        return Symmetry(self.asked)

    @property
    def weaker(self) -> Iterator[Question]:
        """The questions that ask for less, and this one: none there is none here."""
        for name in CLASSES:
            other = Question(self.kind, self.motion, name)
            if other.group.group <= self.group.group:
                yield other

    @property
    def can_be_turned(self) -> bool:
        """Whether w×h and h×w are the same question."""
        return self.symmetry != "D2|" and (self.kind == "oscillator" or self.motion[-1] == "d")

    def list_boxes(self, most: int) -> list[Box]:
        """Return the boxes of at most this area, by area, then width."""
        sizes = [(w, h) for w in range(1, most + 1) for h in range(1, most // w + 1)]
        if self.can_be_turned:
            sizes = [(w, h) for w, h in sizes if w <= h]
        if needs_square(self.group.group):
            sizes = [(w, h) for w, h in sizes if w == h]
        return sorted((Box(0, 0, *size) for size in sizes), key=order)


def order(box: Box) -> tuple[int, int]:
    """Return the key by which boxes are ordered."""
    return box.area, box.width


Refuted = tuple[Question, Box]
"""A box without a pattern, of a question that asks for no more."""


def is_refuted(question: Question, box: Box, refuted: Iterable[Refuted]) -> bool:
    """Whether a box lies in one that is refuted, turned or not."""
    turned = Box(0, 0, box.height, box.width)
    return any(
        fits(other.group, box, large)
        or ((question.can_be_turned or other.can_be_turned) and fits(other.group, turned, large))
        for other, large in refuted
    )


def is_too_thin(question: Question, box: Box) -> bool:
    """Whether a box has no ship by a short argument, which the page of the ships gives."""
    return question.kind == "ship" and min(box.width, box.height) <= 2


def list_before(question: Question, level: str, easy: Iterable[Refuted] = ()) -> list[Box]:
    """Return boxes that hold every box before one that is not refuted; as few as possible."""
    last, known = Box.parse(level), list(easy)
    before = [box for box in question.list_boxes(last.area) if order(box) < order(last)]
    left = [box for box in before if not is_refuted(question, box, known)]
    return sorted(list_largest(question.group, left), key=order)


def head_plan(name: str, title: str) -> str:
    """Return the beginning of the plan of a table."""
    return f"""\
# Written by just atlas plans.  Run it:  just atlas {name}
title = "{title}"
prove = true

[limits]
timeout = "10m"
memory = "2G"
proof = "1G"
"""


# The answers


@dataclass(frozen=True)
class Entry:
    """What is known of a question."""

    question: Question
    undecided: Box | None
    """The least box without an answer; None if the least box is known."""
    least: Box | None
    """The least box with a pattern."""
    find: Find | None
    """What was found in it; perhaps with more symmetry than was asked."""
    best: Record | None = None
    """The fewest cells in the least box."""

    @property
    def pattern(self) -> Pattern | None:
        """The pattern that is shown: the one of fewest cells, if that is known."""
        if self.best and self.best.patterns:
            return Pattern.from_rle(self.best.patterns[0])
        return self.find.phases[0] if self.find else None

    @property
    def cells(self) -> int | None:
        """The fewest cells, if they are known."""
        return self.best.values[0] if self.best and self.best.answer == "certified" else None


def settle(answers: Answers, question: Question) -> Entry:
    """Return what the answers say of a question."""
    refuted, found = list(list_refuted(answers, question)), list_found(answers, question)
    refuted += [(other, box) for _, other, box in list_elsewhere(question)]
    boxes = question.list_boxes(MOST_AREA)
    first = next(
        box
        for box in boxes
        if not (is_too_thin(question, box) or is_refuted(question, box, refuted))
    )
    if not found:
        return Entry(question, first, None, None)
    least = min(found, key=order)
    if order(first) < order(least):
        return Entry(question, first, least, found[least])
    best = answers.records.get(f"best-{question.name}-{least}")
    return Entry(question, None, least, found[least], best)


def list_refuted(answers: Answers, question: Question) -> Iterator[Refuted]:
    """Yield the boxes without a pattern, by certificates, for this or a weaker symmetry."""
    for other in question.weaker:
        if row := answers.questions.get(other.words):
            for box, cell in row.cells.items():
                if cell.in_box is InBox.NONE and cell.in_box_certified:
                    yield other, Box.parse(box.replace("*", str(ANY_HEIGHT)))


def list_elsewhere(question: Question) -> Iterator[tuple[Proof, Question, Box]]:
    """Yield the boxes that a certificate of another page refutes, for this or a weaker symmetry."""
    weaker = {other.asked: other for other in question.weaker}
    for proof in list_proofs():
        asked = weaker.get(proof.symmetry)
        if asked is None or (proof.kind, proof.motion) != (question.kind, question.motion):
            continue
        if not proof.patterns:
            yield proof, asked, proof.box
        elif asked.group.group == Symmetry("C1").group:  # the list has what any symmetry leaves
            for box in question.list_boxes(proof.box.area):
                turned = Box(0, 0, box.height, box.width)
                inside = is_refuted(question, box, [(asked, proof.box)])
                if inside and not (
                    proof.holds(question.group, box)
                    or (question.can_be_turned and proof.holds(question.group, turned))
                ):
                    yield proof, question, box


def list_found(answers: Answers, question: Question) -> dict[Box, Find]:
    """Return the boxes with a pattern of this or a stronger symmetry."""
    found: dict[Box, Find] = {}
    for name in CLASSES:
        other = Question(question.kind, question.motion, name)
        if question in list(other.weaker):
            for (words, size), find in answers.finds.items():
                if words == other.words and "*" not in size:
                    box = Box.parse(size)
                    turn = question.can_be_turned and box.width > box.height
                    found.setdefault(Box(0, 0, box.height, box.width) if turn else box, find)
    return found


def count_tasks(answers: Answers, planned: int) -> dict[str, int]:
    """Return how many boxes a plan has, how many have an answer, and how many reached a limit."""
    tallies = [row.tally for row in answers.questions.values()]
    done = sum(each[Status.FOUND] + each[Status.IMPOSSIBLE] for each in tallies)
    late = sum(each[Status.UNDECIDED] for each in tallies)
    return {"planned": planned, "answered": done, "late": late}


def list_best(answers: Answers, questions: Iterable[Question]) -> Iterator[Order]:
    """Yield the commands for the fewest cells in each least box."""
    for entry in (settle(answers, each) for each in questions):
        question, box = entry.question, entry.least
        if box and entry.undecided is None:
            command = f"{question.command(box)} --minimize population"
            yield Order(f"best-{question.name}-{box}", command, question.words, timeout=600)


# The page


def write_cell(entry: Entry) -> str:
    """Return the entry in a table: the least box and the fewest cells, or what is known."""
    place = link(str(entry.least), entry.question.name) if entry.least else "?"
    if entry.undecided is not None:
        known = find_familiar(entry.question)
        if known and (entry.least is None or order(known.box) < order(entry.least)):
            code = known.entry.code
            page = f"https://catagolue.hatsya.com/object/{code}/b3s23"
            place = f'{known.box} (<a href="{page}">{known.entry.name or code[:20]}</a>)'
        return f"{entry.undecided} … {place}"
    cells = "" if entry.cells is None or entry.best is None else entry.best.name
    return f"**{place}**" + (f", {link(f'{entry.cells} cells', cells)}" if cells else "")


def draw(
    entries: Iterable[Entry], answers: Answers, label: Callable[[Question], str]
) -> Iterator[str]:
    """Yield the patterns of some entries, each once, with what is said of it."""
    drawn: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.pattern is not None:
            drawn.setdefault(identify(entry.pattern).apgcode or entry.question.name, []).append(
                entry
            )
    for alike in drawn.values():
        first = alike[0]
        if first.pattern is None or first.least is None:
            continue
        known = identify(first.pattern)
        told = "\n".join(f"- {_say(each, answers, label)}" for each in alike)
        name = name_object(known)
        shown = player(first.pattern, first.question.command(first.least), known.name or str(known))
        yield f":::{{container}}\n{shown}\n{name}\n\n{told}\n:::\n"


def _say(entry: Entry, answers: Answers, label: Callable[[Question], str]) -> str:
    question = entry.question
    spot = f'<span id="{anchor(question.name)}">{label(question)}</span>'
    if entry.undecided is not None:
        words = f"{spot} in {entry.least}; none before {entry.undecided}, between them undecided"
        others = ", ".join(_list_others(entry, answers))
        return f"{words} (with certificates of other pages: {others})." if others else f"{words}."
    listed = ", ".join(_list_refutations(entry, answers, label))
    told = f"{spot} in **{entry.least}**: no smaller box has one (certificates: {listed})"
    if entry.cells is not None and entry.best is not None:
        cells = link(f"fewer than {entry.cells} cells", entry.best.name)
        return f"{told}, and none in this box has {cells}."
    return f"{told}. The fewest cells are not known."


def _list_refutations(
    entry: Entry, answers: Answers, label: Callable[[Question], str]
) -> Iterator[str]:
    """Yield links to the certificates of boxes without a pattern, for each weaker symmetry."""
    for each in entry.question.weaker:
        found = [r for r in answers.by_question.get(each.words, ()) if r.claim == "none"]
        if found:
            yield link(f"{len(found)} for {label(each)}", found[0].name)
    yield from _list_others(entry, answers)


def _list_others(entry: Entry, answers: Answers) -> Iterator[str]:
    """Yield links to certificates of other pages, for boxes that this page has none for."""
    question, last = entry.question, entry.undecided or entry.least
    known = list(list_refuted(answers, question))
    before = question.list_boxes(last.area) if last else []
    left = [b for b in before if last and order(b) < order(last)]
    left = [box for box in left if not is_refuted(question, box, known)]
    every = sorted(list_elsewhere(question), key=lambda each: order(each[0].box), reverse=True)
    for proof in dict.fromkeys(proof for proof, _, _ in every):
        refuted = [(other, box) for one, other, box in every if one is proof]
        settled = [box for box in left if is_refuted(question, box, refuted)]
        if settled:
            yield link(proof.name, proof.name, proof.page)
            left = [box for box in left if box not in settled]
