"""Plans: the file ``plan.toml``, read once, expanded lazily, always into the same tasks.

>>> plan = Plan.from_toml('''
... [[search]]
... kind = "oscillator"
... periods = "2..3"
... symmetries = ["C4", "D4+"]
... boxes = "3x3..5x5"
... ''')
>>> plan.size(), sum(len(group) for group in plan.groups())
(24, 24)
>>> plan.groups()[0].describe()
'oscillator p2 with C4'

The name of a plan is the hash of its questions.  It does not depend on title, limits, proofs,
stopping and splitting: a campaign may resume with other ones.

A :class:`Shard` is a part of a plan with a recorder and a ledger of its own; shards share nothing.
A question belongs to one shard with all its boxes, because their answers follow from each other.
The shard depends on the question, not on its place in the plan.

>>> from satlife.campaign.plan import Plan
>>> plan = Plan.from_toml('''
... [[search]]
... kind = "oscillator"
... periods = "2..9"
... boxes = "3x3"
... ''')
>>> questions = plan.groups()
>>> marks = list(map(questions.mark, range(len(questions))))
>>> [sum(map(Shard(index, 2).holds, marks)) for index in (1, 2)]
[2, 6]
>>> str(Shard.parse("2/4")), Shard.parse("2/4").word
('2/4', '2of4')
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec
import tomli_w

from satlife.campaign.messages import Budget, Task, Terms
from satlife.campaign.plan.axes import has_open
from satlife.campaign.plan.left_out import LeftOut
from satlife.campaign.plan.question import (
    Group,
    Question,
    add_whole,
    find_all_sides,
    fitting_boxes,
)
from satlife.campaign.plan.questions import Questions
from satlife.campaign.plan.search import PlanSearch, Stop, find_plan_kind
from satlife.campaign.selection import read_reject_file
from satlife.errors import FormatError, UsageError
from satlife.kinds import kind_of
from satlife.life.box import Box
from satlife.life.symmetry import Symmetry
from satlife.plain import LARGEST_TEXT, read_whole
from satlife.problem import Problem
from satlife.problem.documents import decode_toml
from satlife.problem.exact import Sides
from satlife.problem.fit import check_made
from satlife.quantities import SIZE, TIME

# The limits of a plan: the time and space of a task before it is given up.


class PlanLimits(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """``[limits]``: when to give a task up; it can be tried again later, for longer."""

    timeout: float | str | None = None
    memory: float | str | None = None
    proof: float | str | None = None
    """The largest size of a proof."""

    def budget(self) -> Budget:
        """Return the limits as numbers."""
        read: list[float | None] = []
        for key, quantity in (("timeout", TIME), ("memory", SIZE), ("proof", SIZE)):
            value = getattr(self, key)
            try:
                read.append(None if value is None else quantity.parse(value))
                if read[-1] == 0 and key == "memory":
                    raise UsageError("a search needs memory: write a size such as 4G, or no limit")
            except UsageError as error:
                raise UsageError(f"limits: {key}: {error}") from None
        sizes = [None if value is None else int(value) for value in read[1:]]
        return Budget(seconds=read[0], memory_bytes=sizes[0], proof_bytes=sizes[1])


# Reading a plan's file: its keys, its problem files, and errors in the terms of a plan.


class Cut(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One ``[[cubes]]``: hard problems, cut into cases; if all are impossible, so is the whole."""

    problems: tuple[str, ...]
    """Names of the problem files."""
    count: int

    def of(self, problem: Problem) -> tuple[Problem, ...]:
        """Return the cases of a problem."""
        from satlife.engine.sat.cases import split_problem  # noqa: PLC0415 - few plans do

        return split_problem(problem, self.count) or (problem,)


def check_keys(fields: dict[str, Any], keys: tuple[str, ...]) -> None:
    """Raise an error for unknown keys, with a better message than msgspec's."""
    _check_table("", fields, (*keys, "problems", "cubes"))
    for name in ("search", "problem", "cubes"):
        if isinstance(fields.get(name), dict):
            raise FormatError(f"write [[{name}]] for [{name}]: there may be several")
    limits, searches = fields.get("limits"), fields.get("search")
    if isinstance(limits, list):
        raise FormatError("write [limits] for [[limits]]: there is one")
    if isinstance(limits, dict):
        _check_table("limits: ", limits, PlanLimits.__struct_fields__)
    for number, search in enumerate(searches if isinstance(searches, list) else (), 1):
        if isinstance(search, dict):
            _check_table(f"search {number}: ", search, PlanSearch.__struct_fields__)
            if isinstance(search.get("kind"), str):
                find_plan_kind(search["kind"], f"search {number}: ")
            for key, value in search.items():
                if value == []:
                    raise FormatError(f"search {number}: {key} is empty")


def resolve_rejected(fields: dict[str, Any], folder: Path | None) -> None:
    """Replace the files in the lists of rejected objects by their objects."""
    searches = fields.get("search")
    tables = searches if isinstance(searches, list) else []
    for number, search in enumerate((each for each in tables if isinstance(each, dict)), 1):
        given = search.get("reject")
        names = [given] if isinstance(given, str) else given
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            continue  # msgspec reports the error
        found: list[str] = []
        for name in names:
            path = None if "\0" in name else (folder or Path()) / name
            try:
                is_file = path is not None and path.is_file()
            except OSError:  # too long for a name
                is_file = False
            try:
                found += read_reject_file(path) if path is not None and is_file else [name]
            except UsageError as error:
                raise UsageError(f"search {number}: {error}") from None
        search["reject"] = list(dict.fromkeys(found))


def _check_table(where: str, table: dict[str, Any], keys: tuple[str, ...]) -> None:
    for key in table:
        if key not in keys:
            near = get_close_matches(key, keys, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(keys)}"
            raise FormatError(f"{where}no key {key}; {hint}")


def explain(message: str) -> str:
    """Return msgspec's error in the terms of a plan: searches are counted from 1."""
    message, _, place = message.partition(" - at `$")
    message = re.sub("^Object missing required field `(.*)`$", r"the key \1 is missing", message)
    places = re.findall(r"(\w+)(?:\[(\d+)\])?", place)
    names = [f"{name} {int(index) + 1}" if index else name for name, index in places]
    return ": ".join([*names, message]) if names else f"not a plan: {message}"


def read_cuts(tables: Any) -> tuple[Cut, ...]:
    """Read ``[[cubes]]``."""
    try:
        return msgspec.convert(tables, tuple[Cut, ...])
    except msgspec.ValidationError as error:
        raise FormatError(f"not a plan: cubes: {error}") from None


MOST_FILES: Final = 10_000
"""Maximum number of problem files that a plan names."""


def read_files(names: Any, folder: Path | None) -> list[Problem]:
    """Read problem files; a name with ``*`` stands for several, in the order of their names."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise FormatError('not a plan: problems is a list of files, problems = ["a.toml"]')
    problems: list[Problem] = []
    left = LARGEST_TEXT
    for name in names:
        if "\0" in name:
            raise UsageError(f"{name!r} is not the name of a file")
        base = folder or Path()
        if "*" in name and Path(name).is_absolute():
            raise UsageError(f"{name}: a pattern of names must be relative to the plan's folder")
        if "**" in name:
            raise UsageError(f"{name}: ** would look through all folders; name each by a star")
        matches = islice(base.glob(name), MOST_FILES + 1) if "*" in name else [base / name]
        paths = sorted(matches)
        if not paths:
            raise UsageError(f"no problem file matches {name}")
        if len(problems) + len(paths) > MOST_FILES:
            raise UsageError(f"{name}: a plan names at most {MOST_FILES:,} problem files")
        for path in paths:
            try:
                text = read_whole(path, left)
                left -= len(text)
                problems.append(Problem.from_text(text))
            except UsageError as error:
                raise UsageError(f"{path}: {error}") from None
    return problems


MOST_USERS: Final = 100
"""Maximum quorum."""


class Plan(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A campaign's plan: searches over axes, given problems, and how hard to try."""

    title: str = ""
    prove: bool = False
    """Impossibilities come with proofs, which are checked."""
    quorum: int = 1
    """The number of users who must call a task impossible, or give it up, before that counts."""
    stop: Stop = "never"
    """ "first": a find ends the campaign."""
    split: bool = False
    """A task that reaches its time limit is split into cases."""
    recheck: bool = False
    """After its exact boxes, the largest boxes of a question are asked once more, as a whole."""
    limits: PlanLimits = PlanLimits()
    search: tuple[PlanSearch, ...] = ()
    problem: tuple[Problem, ...] = ()

    @classmethod
    def read(cls, path: Path | str) -> Plan:
        """Read a plan's file; problem files are relative to its folder."""
        path = Path(path)
        try:
            plan = cls.from_toml(read_whole(path).decode("utf-8-sig"), path.parent)
            for problem in plan.problem:
                check_made(problem)
            return plan
        except UnicodeDecodeError:
            raise FormatError(f"{path}: not TOML, which is UTF-8") from None
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from None

    @classmethod
    def from_toml(cls, text: str, folder: Path | None = None, *, is_checked: bool = False) -> Plan:
        """Read a plan; raise :class:`~satlife.errors.UsageError` if it is invalid.

        A plan that ``is_checked`` is not checked again, which takes long if it has many axes.
        """
        fields = decode_toml(text, "a plan")
        check_keys(fields, cls.__struct_fields__)
        resolve_rejected(fields, folder)
        files = read_files(fields.pop("problems", []), folder)
        for cut in read_cuts(fields.pop("cubes", [])):
            files += [
                case for each in read_files(list(cut.problems), folder) for case in cut.of(each)
            ]
        try:
            plan = msgspec.convert(fields, cls)
        except msgspec.ValidationError as error:
            raise FormatError(explain(str(error))) from None
        problems = tuple({each.name: each for each in (*plan.problem, *files)}.values())
        plan = msgspec.structs.replace(plan, problem=problems)
        if not plan.search and not plan.problem:
            raise UsageError("the plan asks nothing: it has no [[search]] and no problems")
        if not is_checked:
            plan.check()
        return plan

    def to_toml(self) -> str:
        """Return the plan as self-contained TOML, with the problems of its files."""
        fields = msgspec.to_builtins(self)
        if self.problem:
            fields["problem"] = [msgspec.json.decode(each.to_json()) for each in self.problem]
        return tomli_w.dumps(fields)

    @property
    def name(self) -> str:
        """The hash of the plan's questions."""
        asked = {
            "search": [search.canonical() for search in self.search],
            "problem": sorted(problem.name for problem in self.problem),
        }
        return hashlib.sha256(msgspec.json.encode(asked, order="sorted")).hexdigest()

    @property
    def budget(self) -> Budget:
        """The limits of a task before it is given up."""
        return self.limits.budget()

    @property
    def terms(self) -> Terms:
        """The terms of all of its tasks."""
        return Terms(**{name: getattr(self, name) for name in Terms.__struct_fields__})

    @property
    def needs_votes(self) -> bool:
        """Whether one user's answer is not enough."""
        return self.quorum > 1

    def for_one_user(self) -> Plan:
        """Return the plan with a quorum of one, for a user who runs it alone."""
        return msgspec.structs.replace(self, quorum=1)

    def check(self) -> None:
        """Raise an error if a value of an axis makes no sense, or a search has no question."""
        self.limits.budget()
        if not 1 <= self.quorum <= MOST_USERS:
            raise UsageError(f"quorum is a number of users, 1 to {MOST_USERS}; got {self.quorum}")
        if self.split and self.budget.seconds is None:
            raise UsageError(
                "split needs a timeout in [limits]; a task is split when it reaches it"
            )
        if self.recheck and self.prove:
            raise UsageError("recheck is for answers without proofs: leave it out, or prove")
        for problem in self.problem:
            if supposed := kind_of(problem).supposes:
                raise UsageError(
                    f"{problem.kind} is two questions, and a task of a plan is one: ask {supposed} "
                    "by itself, and the rest without its kind"
                )
            if problem.has_open_height:
                from satlife.engine.rows.quotients import check_rows  # noqa: PLC0415 - all engines

                check_rows(problem)
        for number, search in enumerate(self.search, 1):
            try:
                search.check()
                if search.map and self.stop == "first":
                    raise UsageError("a map asks for every rule, and stop ends it at a find")
                if self.prove and not search.selection().is_everything:
                    raise UsageError(
                        "prove cannot be combined with reject or only_connected: a proof is that "
                        "there is no solution at all"
                    )
            except (UsageError, TypeError) as error:
                raise UsageError(f"search {number}: {error}") from None

    def left_out(self) -> Iterator[LeftOut]:
        """Yield the impossible combinations, which are left out."""
        for search in self.search:
            yield from search.left_out()

    def size(self) -> int:
        """Return the number of tasks; one that two searches share counts once."""
        rules = [set(search.read_rules()) for search in self.search]
        boxes = [search.read_boxes() for search in self.search]
        asked: dict[Question, list[int]] = {}
        for scope, search in enumerate(self.search):
            for question in map(_merge_kinds, search.questions().of_any_rule()):
                asked.setdefault(question, []).append(scope)
        sizes: dict[tuple[str, bool, tuple[int, ...]], int] = {}
        count = len(self.problem)
        for question, scopes in asked.items():
            fitting = next(filter(question.fits, boxes[scopes[0]]))
            is_exact = len(scopes) > 1 and question.has_exact_boxes(fitting)
            key = question.symmetry, is_exact, tuple(scopes)
            if key not in sizes:
                sizes[key] = 0
                alike: dict[tuple[tuple[int, ...], bool], list[Question]] = {}
                is_open = any(has_open(boxes[scope]) for scope in scopes)
                for rule in set().union(*(rules[scope] for scope in scopes)):
                    of_rule = replace(question, rule=rule)
                    some = tuple(scope for scope in scopes if rule in rules[scope])
                    alike.setdefault((some, is_open and of_rule.lacks_mirror), []).append(of_rule)
                for (some, _), questions in alike.items():
                    tasks = set().union(
                        *(self._find_asked(questions[0], boxes[scope]) for scope in some)
                    )
                    sizes[key] += len(questions) * len(tasks)
            count += sizes[key]
        return count

    def groups(self) -> Questions:
        """Return the questions with their boxes, always in the same order; given problems first."""
        searches = tuple((search.questions(), search.read_boxes()) for search in self.search)
        return Questions(self.problem, searches, recheck=self.recheck)

    def _find_asked(self, question: Question, boxes: tuple[Box, ...]) -> set[tuple[Box, Sides]]:
        """Return the boxes of a search that fit a question, each with the sides to be filled."""
        fitting = fitting_boxes(question, boxes)
        sides = find_all_sides(question, fitting)
        if sides and self.recheck:
            fitting, sides = add_whole(Symmetry(question.symmetry), fitting, sides)
        return set(zip(fitting, sides or ((),) * len(fitting), strict=True))

    def task(self, group: Group, index: int) -> Task:
        """Return a task of a group."""
        return group.task(index, self.terms)

    def stops_at_first(self, scope: int) -> bool:
        """Whether a find ends the search that it belongs to."""
        return scope >= 0 and self.search[scope].stop == "first"


def _merge_kinds(question: Question) -> Question:
    """Return an oscillator question of period 1 as one for still lifes; others unchanged."""
    is_still = question.kind == "oscillator" and question.motion == "p1"
    return replace(question, kind="still-life", composite=False) if is_still else question


MOST_SHARDS: Final = 1000
_COUNTED: Final = 100_000
"""Maximum number of questions to count for a shard; for a larger plan its size is estimated."""


@dataclass(frozen=True)
class Shard:
    """A part of a plan, numbered from 1."""

    index: int = 1
    count: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read a shard from text, ``2/4``."""
        read = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text, re.ASCII)
        if read is None:
            raise UsageError(f"a shard is written 2/4, the second of four; got {text!r}")
        index, count = int(read[1]), int(read[2])
        if not 1 <= index <= count <= MOST_SHARDS:
            raise UsageError(f"there is no shard {text}: they are 1/N to N/N, N at most 1,000")
        return cls(index, count)

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"

    @property
    def is_whole(self) -> bool:
        """Whether it is the only shard."""
        return self.count == 1

    @property
    def word(self) -> str:
        """The shard in subjects and names of streams; empty for the whole plan."""
        return "" if self.is_whole else f"{self.index}of{self.count}"

    def holds(self, mark: int) -> bool:
        """Whether the question with this mark belongs to this shard."""
        return mark % self.count == self.index - 1

    def size(self, plan: Plan) -> int:
        """Return the number of its tasks; an estimate for a plan with very many questions."""
        questions = plan.groups()
        if self.is_whole or len(questions) > _COUNTED:
            return plan.size() // self.count
        numbers = range(len(questions))
        return sum(len(questions[each]) for each in numbers if self.holds(questions.mark(each)))


WHOLE: Final = Shard()
"""The whole plan."""
