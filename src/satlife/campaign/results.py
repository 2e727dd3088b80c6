"""The results and the progress of a campaign: its finds and questions, from the ledger alone.

>>> from satlife.campaign.ledger import open_ledger
>>> from satlife.campaign.local.runner import run
>>> from satlife.campaign.plan import Plan
>>> plan = Plan.from_toml('''
... [[search]]
... kind = "ship"
... speeds = "c/4d"
... boxes = "3x3..4x4"
... ''')
>>> with open_ledger(":memory:") as ledger:
...     summary = run(plan, ledger, jobs=1)
...     results = collect(ledger)
>>> [(find.name, find.words) for find in results.finds]
[('glider', 'xq4_153: glider, spaceship c/4d, 5 cells, 3x3, C1')]
>>> question, = results.questions
>>> question.words, question.least_found, question.largest_impossible
('ship c/4d', ['3x4', '4x3'], ['3x3'])

The progress of a campaign counts tasks done, tasks left, and tasks not needed.  A find may end a
search, or the whole campaign (``stop = "first"``).  The tasks that were not begun by then are not
in the ledger; the last checkpoint shows that they are not needed.

>>> from satlife.campaign.ledger import open_ledger
>>> from satlife.campaign.local.runner import run
>>> plan = Plan.from_toml('''
... [[search]]
... kind = "oscillator"
... periods = "2..9"
... boxes = "3x3"
... stop = "first"
... ''')
>>> with open_ledger(":memory:") as ledger:
...     _ = run(plan, ledger, jobs=1)
...     progress = read_progress(ledger)
>>> progress.planned, progress.left, progress.share
(8, 0, 1.0)
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from satlife.campaign.core.checkpoint import Checkpoint
from satlife.campaign.core.events import Status
from satlife.campaign.core.state import TaskState
from satlife.campaign.core.summary import TaskCounts
from satlife.campaign.core.votes import Vote, list_voters, name_user
from satlife.campaign.ledger import FindingRow, Ledger
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.plan.axes import read_box
from satlife.campaign.plan.dominance import Embeddings, find_embedding
from satlife.campaign.plan.whole import Boxes, Unturned, find_whole
from satlife.campaign.selection import EVERYTHING, Selection
from satlife.errors import UsageError
from satlife.kinds import kind_of
from satlife.life import PartialPattern, Pattern
from satlife.life.box import Box
from satlife.life.formats.rle import write_comment
from satlife.life.identity import Identity, identify
from satlife.life.identity.names import find_object_name
from satlife.problem import Problem
from satlife.problem.constraints import PatternPeriod
from satlife.problem.exact import ExactBox, has_exact_boxes
from satlife.problem.outcome import Finding, History, Provenance, make_pattern, read_history
from satlife.verifier.verify import settle_rule

if TYPE_CHECKING:
    from satlife.show.scene import Scene


@dataclass(frozen=True)
class CampaignProgress:
    """The number of tasks of a campaign that are planned, done and left."""

    planned: int
    """All tasks of the plan, or those in the ledger if it has no plan."""
    done: int
    """Tasks with an answer, given up, failed or dropped."""
    left: int
    """Tasks that are still to be tried; while some searches have ended, an upper bound."""

    @property
    def needless(self) -> int:
        """Tasks that were not begun before a find ended their search; a lower bound."""
        return max(self.planned - self.done - self.left, 0)

    @property
    def share(self) -> float:
        """The fraction of the needed tasks that are done."""
        needed = self.done + self.left
        return self.done / needed if needed else 1.0


def read_progress(ledger: Ledger) -> CampaignProgress:
    """Return the progress of a campaign, by its ledger."""
    counts = ledger.counts()
    planned, done = count_planned(ledger) or counts.total, counts.total - counts.open
    left = max(planned - done, counts.open)
    text = ledger.checkpoint()
    last = None if text is None else Checkpoint.decode(text)
    if left > counts.open and counts.found and last is not None and "first" in last.stops:
        left = max(min(left, _count_needed(ledger, last)), counts.open)
    return CampaignProgress(planned, done, left)


def _count_needed(ledger: Ledger, last: Checkpoint) -> int:
    """Return the number of tasks, done or not, in the searches that no find has ended."""
    plan = read_plan(ledger)
    if last.stops[0] == "first" or plan is None:
        return 0
    if not last.open and last.cursor >= len(plan.groups()):
        return 0
    going = (each for scope, each in enumerate(plan.search) if scope not in last.stopped)
    return replace(plan, search=tuple(going)).size()


def count_planned(ledger: Ledger) -> int | None:
    """Return the number of tasks in the ledger's plan; None if it cannot be read."""
    planned = ledger.planned()
    if planned is None and (plan := read_plan(ledger)) is not None:
        planned = plan.size()
    return planned


def read_plan(ledger: Ledger) -> Plan | None:
    """Read the ledger's plan; None if it has none, or one of a newer satlife."""
    text = ledger.plan_text()
    try:
        plan = None if text is None else Plan.from_toml(text, is_checked=True)
        if plan is not None:
            plan.groups()
    except UsageError:
        return None
    return plan


Names = Mapping[str, str]
"""Names of objects by their identities, such as those of a person's own catalogue."""

_PAGE = 1000
"""Tasks per read."""


@dataclass(frozen=True, eq=False)
class Find:
    """An object that was found, with its first find."""

    row: FindingRow
    names: Names = field(default_factory=dict)

    @cached_property
    def history(self) -> History:
        """The states of the generations that were recorded."""
        return read_history(self.row.problem, self.row.generations)

    @cached_property
    def problem(self) -> Problem:
        """The problem that it solves; of a set of rules, that of the least rule for it."""
        return settle_rule(self.row.problem, self.history)

    @cached_property
    def phases(self) -> tuple[Pattern, ...]:
        """The generations that were recorded."""
        frames = range(len(self.history))
        return tuple(make_pattern(self.problem, self.history, t) for t in frames)

    @cached_property
    def identity(self) -> Identity | None:
        """Its identity; None where that is not defined (on a torus, for parents)."""
        if self.problem.motion is None or self.problem.boundary != "dead":
            return None
        return identify(self.phases[0])

    @cached_property
    def name(self) -> str | None:
        """Its common name, or those of its parts: ``block and 2 blinkers``."""
        if self.identity is None:
            return None
        return find_name(self.row.identity, self.names) or self.identity.named(self.names).name

    @property
    def heading(self) -> str:
        """Its name, or else its description."""
        if self.name is not None:
            return self.name
        return self.problem.kind if self.identity is None else f"unnamed {self.identity.kind}"

    def scene(self) -> Scene:
        """Return its generations as a scene."""
        return Finding(self.problem, self.history, Provenance("campaign", 0.0)).scene()

    @property
    def words(self) -> str:
        """A description, in one line."""
        first = self.phases[0]
        if self.identity is None:
            return f"{first.population} cells in {first.box}"
        return str(self.identity)

    def to_rle(self) -> str:
        """Return it as RLE, with its name and its question as comments."""
        lines = [write_comment(self.name, "N")] if self.name else []
        lines += [write_comment(self.words), write_comment(f"Found and verified: {self.where}")]
        text = self.phases[0].to_rle()
        if self.problem.boundary == "torus":  # the whole tile, with its dead margins
            tile = self.problem.all_boxes[0]
            lines += [write_comment(f"One tile of {tile} of a pattern that fills the plane")]
            text = PartialPattern.from_pattern(self.phases[0], tile).to_rle()
        return "\n".join([*lines, text]) + "\n"

    @property
    def where(self) -> str:
        """The question that it answers, and the box."""
        return f"{self.question} in {box_words(self.problem)}"

    @property
    def question(self) -> str:
        """The question that it answers."""
        return describe_question(self.problem, self.row.selection)

    def to_dict(self) -> dict[str, Any]:
        """Return the record that ``results --json`` prints."""
        return {
            "record": "find",
            "identity": self.row.identity,
            "name": self.name,
            "words": self.words,
            "rle": self.phases[0].to_rle(),
            "task": self.row.name,
            "question": self.question,
            "box": box_words(self.problem),
            "worker": self.row.worker,
            "time": self.row.time,
        }


class InBox(StrEnum):
    """The answer for everything in a box, whatever was asked there."""

    FOUND = "found"
    NONE = "none"
    OPEN = "open"


_CASES: Final = "cases"
"""Stands for the users who claim that the cases of a split task are impossible."""
_IN_BOX: Final = {Status.FOUND: InBox.FOUND, Status.IMPOSSIBLE: InBox.NONE}


@dataclass(frozen=True)
class Cell:
    """The state of a question in one box."""

    status: Status
    """The answer to what was asked."""
    certified: bool = False
    """Whether it is impossible with a checked proof, or implied by such a task."""
    implied: bool = False
    exact: ExactBox | None = None
    """What was asked: the solutions of this exact box, or all in the box."""
    in_box: InBox = InBox.OPEN
    """What follows for the whole box from the answers in this box and the others."""
    in_box_certified: bool = False
    """Whether there is none in the whole box, by checked proofs."""
    claim: str = ""
    """The task whose unproved claim makes it impossible, if one does."""
    claimants: tuple[str, ...] = ()
    """The users who claim that."""

    @property
    def is_only_exact(self) -> bool:
        """Whether the exact box is impossible, and the whole box open."""
        return self.status is Status.IMPOSSIBLE and self.in_box is InBox.OPEN


@dataclass
class QuestionRow:
    """A question and its boxes."""

    words: str
    cells: dict[str, Cell] = field(default_factory=dict)

    @property
    def tally(self) -> Counter[Status]:
        """The number of boxes with each status."""
        return Counter(cell.status for cell in self.cells.values())

    @property
    def in_box(self) -> Counter[InBox]:
        """The number of boxes with each answer for the whole box."""
        return Counter(cell.in_box for cell in self.cells.values())

    @property
    def in_box_certified(self) -> int:
        """The number of boxes without any solution, by checked proofs."""
        return sum(cell.in_box_certified for cell in self.cells.values())

    @property
    def unproved(self) -> Counter[str]:
        """The number of claims without a proof on which its impossible boxes rest, by user."""
        claims = {cell.claim: cell.claimants for cell in self.cells.values()}
        return Counter(user for users in claims.values() for user in users)

    @property
    def certified(self) -> int:
        """The number of boxes that are impossible with a checked proof."""
        return sum(cell.certified for cell in self.cells.values())

    @property
    def least_found(self) -> list[str]:
        """The boxes with a find, without those that contain a smaller one."""
        boxes = self._boxes(lambda cell: cell.in_box is InBox.FOUND)
        return [str(b) for b in boxes if not any(_holds(b, a) for a in boxes)]

    @property
    def largest_impossible(self) -> list[str]:
        """The boxes without any solution, without those that lie in a larger one."""
        boxes = self._boxes(lambda cell: cell.in_box is InBox.NONE)
        return [str(b) for b in boxes if not any(_holds(a, b) for a in boxes)]

    @property
    def impossible_exactly(self) -> list[str]:
        """Boxes refuted only at their exact size: a smaller box is open."""
        return [str(box) for box in self._boxes(lambda cell: cell.is_only_exact)]

    def _boxes(self, is_wanted: Callable[[Cell], bool]) -> list[Box]:
        texts = [text for text, cell in self.cells.items() if is_wanted(cell)]
        boxes = [read_box(text) for text in texts if "," not in text and "+" not in text]
        return sorted(boxes, key=lambda box: (box.area, box.width))

    def to_dict(self) -> dict[str, Any]:
        """Return the record that ``results --json`` prints."""
        return {
            "record": "question",
            "question": self.words,
            **{status.value: self.tally[status] for status in Status},
            "certified": self.certified,
            "exact": sum(cell.exact is not None for cell in self.cells.values()),
            "in_box": {each.value: self.in_box[each] for each in InBox},
            "in_box_certified": self.in_box_certified,
            "impossible_exactly": self.impossible_exactly,
            "least_found": self.least_found,
            "largest_impossible": self.largest_impossible,
            "unproved": dict(sorted(self.unproved.items())),
        }


@dataclass(frozen=True)
class Results:
    """The contents of the page of results."""

    counts: TaskCounts
    finds: tuple[Find, ...]
    questions: tuple[QuestionRow, ...]
    open: int
    """The number of tasks that are still to be tried; the ledger holds only those begun."""


def collect(ledger: Ledger, names: Names | None = None) -> Results:
    """Read all results from a ledger; ``names`` gives further names of objects."""
    questions: dict[str, QuestionRow] = {}
    for row in stream_questions(ledger):
        known = questions.setdefault(row.words, row)
        for box, cell in row.cells.items():
            _add(known.cells, box, cell)
    finds = tuple(stream_finds(ledger, names))
    ordered = sorted(questions.values(), key=lambda question: _natural_key(question.words))
    return Results(ledger.counts(), finds, tuple(ordered), read_progress(ledger).left)


def stream_finds(ledger: Ledger, names: Names | None = None) -> Iterator[Find]:
    """Yield the finds one by one, with little memory."""
    return (Find(row, names or {}) for row in ledger.findings())


def stream_questions(ledger: Ledger) -> Iterator[QuestionRow]:
    """Yield the questions that were begun, in the order of the plan, with little memory."""
    plan = read_plan(ledger)
    if plan is None:
        yield from _group_rows(ledger)
        return
    page: list[list[_Asked]] = []
    size = 0
    embeddings: Embeddings = {}
    for groups in plan.groups().distinct():
        asked: list[_Asked] = [
            (
                [plan.task(group, index) for index in range(len(group))],
                find_embedding(group, embeddings) if group.sides else None,
            )
            for group in groups
            if len(group)
        ]
        page += [asked] if asked else []
        size += sum(len(tasks) for tasks, _ in asked)
        if size >= _PAGE:
            yield from _read_page(ledger, page)
            page, size = [], 0
    yield from _read_page(ledger, page)


_Asked = tuple[list[Task], Boxes | None]
"""The tasks of a question in one search, and how their boxes embed, if some are exact."""


def _read_page(ledger: Ledger, page: list[list[_Asked]]) -> Iterator[QuestionRow]:
    """Yield the questions of a page that were begun."""
    names = {task.name for asked in page for tasks, _ in asked for task in tasks}
    states = ledger.states(names)
    states |= ledger.states(
        replace(task, exact=None).name
        for asked in page
        for tasks, _ in asked
        for task in tasks
        if task.exact is not None and task.name not in states
    )
    others = {by for state in states.values() if (by := state.implied_by) and by not in states}
    known = states | ledger.states(others)
    for asked in page:
        first = asked[0][0][0]
        row = QuestionRow(describe_question(first.problem, first.selection))
        for tasks, among in asked:
            cells = [_find_cell(task, states, known) for task in tasks]
            for task, cell in zip(tasks, _conclude(cells, among), strict=True):
                if cell is not None:
                    _add(row.cells, box_words(task.problem), cell)
        if row.cells:
            yield row


def _find_cell(
    task: Task, states: Mapping[str, TaskState], known: Mapping[str, TaskState]
) -> Cell | None:
    """Return the state of a task; a ledger of an older satlife has that of the whole box."""
    for each in (task, replace(task, exact=None)):
        if each.name in states:
            return _read_cell(each, states[each.name], known)
    return None


def _conclude(cells: list[Cell | None], among: Boxes | None) -> list[Cell | None]:
    """Add the answers for whole boxes; without exact boxes, these are the answers themselves."""
    if among is None:
        return [cell and _conclude_alone(cell) for cell in cells]

    def collect(is_wanted: Callable[[Cell], bool]) -> int:
        return sum(1 << n for n, cell in enumerate(cells) if cell and is_wanted(cell))

    finds = collect(lambda cell: cell.status is Status.FOUND)
    refuted = collect(lambda cell: cell.status is Status.IMPOSSIBLE)
    proved = collect(lambda cell: cell.status is Status.IMPOSSIBLE and cell.certified)
    whole = collect(lambda cell: cell.exact is None)
    found, none = find_whole(among, found=finds, impossible=refuted, asked_whole=whole)
    _, certified = find_whole(among, found=finds, impossible=proved, asked_whole=whole)
    answers = [
        InBox.FOUND if found >> n & 1 else InBox.NONE if none >> n & 1 else InBox.OPEN
        for n in range(len(cells))
    ]
    proofs = [bool(certified >> n & 1) for n in range(len(cells))]
    return [
        cell and dataclasses.replace(cell, in_box=answers[n], in_box_certified=proofs[n])
        for n, cell in enumerate(cells)
    ]


def _conclude_alone(cell: Cell) -> Cell:
    if cell.exact is not None and cell.status is Status.IMPOSSIBLE:
        return cell
    answer = _IN_BOX.get(cell.status, InBox.OPEN)
    return dataclasses.replace(cell, in_box=answer, in_box_certified=cell.certified)


def _add(cells: dict[str, Cell], box: str, cell: Cell) -> None:
    """Add a box; two searches may ask for different parts of it, and what one settles counts."""
    other = cells.get(box)
    is_better = other is None or (other.in_box is InBox.OPEN and cell.in_box is not InBox.OPEN)
    if is_better or (cell.in_box is not InBox.OPEN and cell.in_box_certified):
        cells[box] = cell


def _group_rows(ledger: Ledger) -> Iterator[QuestionRow]:
    """Yield the questions of a ledger without a plan."""
    known = {row.name: row.state for row in ledger.rows()}
    questions: dict[str, list[tuple[Task, Cell]]] = {}
    for row in ledger.rows():
        if not row.task.parent:
            asked = describe_question(row.task.problem, row.task.selection)
            cell = _read_cell(row.task, row.state, known)
            questions.setdefault(asked, []).append((row.task, cell))
    for description, rows in questions.items():
        question = QuestionRow(description)
        is_exact = [bool(task.exact) or has_exact_boxes(task.problem) for task, _ in rows]
        exact = [each for each, holds in zip(rows, is_exact, strict=True) if holds]
        others = [each for each, holds in zip(rows, is_exact, strict=True) if not holds]
        for some, among in ((exact, _find_boxes([task for task, _ in exact])), (others, None)):
            cells = _conclude([cell for _, cell in some], among)
            for (task, _), concluded in zip(some, cells, strict=True):
                if concluded is not None:
                    _add(question.cells, box_words(task.problem), concluded)
        yield question


def _find_boxes(tasks: list[Task]) -> Unturned | None:
    """Return how the boxes of tasks embed, if some are exact."""
    if not any(task.exact for task in tasks):
        return None
    boxes = [task.problem.all_boxes[0] for task in tasks]
    sides = [task.exact.sides if task.exact else () for task in tasks]
    return Unturned(tasks[0].problem.symmetry, boxes, sides)


def _read_cell(task: Task, state: TaskState, known: Mapping[str, TaskState]) -> Cell:
    name = state.implied_by or task.name
    cause = known.get(name, state)
    cell = Cell(state.status, cause.certified, state.implied_by is not None, task.exact)
    if state.status is not Status.IMPOSSIBLE or cause.certified:
        return cell
    users = list_voters(cause.votes, Vote.CLAIMED) or [name_user(cause.worker or _CASES)]
    return dataclasses.replace(cell, claim=name, claimants=tuple(users))


def _natural_key(text: str) -> list[tuple[str, int]]:
    """Return a key that sorts p9 before p10."""
    return [(word, int(number or 0)) for word, number in re.findall(r"(\D+|^)(\d*)", text)]


def describe_question(problem: Problem, selection: Selection = EVERYTHING) -> str:
    """Describe the question of a problem, without the box, briefly.

    >>> from satlife import oscillator
    >>> describe_question(oscillator(3, box="9x9", symmetry="C4", population="<=20"))
    'oscillator p3 with C4, at most 20 cells in generation 0'
    """
    return ", ".join(filter(None, (*_question_parts(problem), selection.describe())))


def _question_parts(problem: Problem) -> Iterator[str]:
    motion = problem.motion
    parts = [problem.kind]
    if motion is not None and kind_of(problem).axis != "none":
        parts.append(str(motion))
    if problem.symmetry != "C1":
        parts.append(f"with {problem.symmetry}")
    if problem.rule != "B3/S23":
        parts.append(f"in {problem.rule}")
    if problem.known or problem.links or problem.exempt or problem.background or motion is None:
        parts.append(problem.name[:12])
    yield " ".join(parts)
    for constraint in problem.constraints:
        if not constraint.is_usual:
            yield str(constraint)
        elif isinstance(constraint, PatternPeriod):
            yield "composite"
    if problem.include_last:
        yield "generation p in the box too"


def find_name(identity: str, names: Names | None = None) -> str | None:
    """Return the name of the object with this identity, if it has one.

    >>> find_name("xp2_7"), find_name("xp2_7/b36s23"), find_name("00ff")
    ('blinker', 'blinker', None)
    """
    if names and identity in names:
        return names[identity]
    code, _, rule = identity.partition("/")
    return find_object_name(code, rule or "B3/S23")


def name_finding(identity: str, names: Names | None = None) -> str:
    """Return a finding's name, and its identity; only the identity if it has no name.

    >>> name_finding("xp2_7"), name_finding("xs4_33", {"xs4_33": "my block"}), name_finding("00ff")
    ('blinker (xp2_7)', 'my block (xs4_33)', '00ff')
    """
    name = find_name(identity, names)
    return f"{name} ({identity})" if name else identity


def box_words(problem: Problem) -> str:
    """Return the box, or the profile, as text."""
    return ",".join(problem.boxes)


def where_words(task: Task) -> str:
    """Return where a task looks for solutions, as text: in a box, or of an exact size.

    >>> from satlife import ship
    >>> exact = ExactBox("5x4", ("width", "height"))
    >>> where_words(Task(problem=ship("c/3", box="5x4"), exact=exact))
    'exactly 5x4'
    """
    if task.exact is None:
        return f"in {box_words(task.problem)}"
    inside = "" if task.exact.box == box_words(task.problem) else f" in {box_words(task.problem)}"
    return f"{task.exact}{inside}"


def _holds(large: Box, small: Box) -> bool:
    return large != small and large.width >= small.width and large.height >= small.height
