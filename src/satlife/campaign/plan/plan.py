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

The name of a plan is the hash of what it asks.  Title, limits, proofs and when to stop are not in
it: a campaign may go on with other ones.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from difflib import get_close_matches
from itertools import product
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import tomli_w

from satlife.campaign.messages import Budget, Task
from satlife.campaign.plan.axes import read_boxes, read_numbers
from satlife.campaign.plan.question import (
    BoundTexts,
    Group,
    Question,
    check_question,
    fitting_boxes,
)
from satlife.campaign.plan.sequence import Axes, Questions
from satlife.errors import FormatError, UsageError
from satlife.life.box import Box
from satlife.life.motion import Motion
from satlife.life.rule import Rule
from satlife.life.symmetry import Symmetry
from satlife.quantities import SIZE, TIME
from satlife.search.kinds import KINDS, Kind
from satlife.search.problem import Problem
from satlife.search.problem.documents import decode_toml

BOUNDS: Final = ("population", "rotor", "stator", "width", "height", "area")
"""The numbers that a search may bound."""

Many = str | tuple[str, ...]
"""One value of an axis, or several."""
Alternatives = str | tuple[str | tuple[str, ...], ...]
"""One bound, or several questions; a question with several bounds is a list in the list."""
Stop = Literal["never", "first"]


class Search(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """One ``[[search]]``: every combination of its axes is a task."""

    kind: str
    """One of those that have an axis of motions: see :attr:`satlife.search.Kind.axis`."""
    rules: Many = "B3/S23"
    periods: int | str | tuple[int | str, ...] = ()
    """For oscillators and agars: 3, "2..6", or a list of them."""
    speeds: Many = ()
    """For ships: "c/3", "2c/5", "c/4d", or a list of them."""
    symmetries: Many = "C1"
    boxes: Many
    """ "8x8", a range "3x3..9x9", or a list; boxes that do not fit the symmetry are left out."""
    population: Alternatives = ()
    rotor: Alternatives = ()
    stator: Alternatives = ()
    width: Alternatives = ()
    height: Alternatives = ()
    area: Alternatives = ()
    composite: bool = False
    include_last: bool = False
    stop: Stop = "never"
    """ "first": a find ends this search."""

    def motions(self) -> tuple[str, ...]:
        """Return the periods or speeds, in their canonical spelling."""
        kind = _find_kind(self.kind)
        for flag in ("composite", "include_last"):
            if not kind.takes(flag):
                self._refuse(flag, getattr(self, flag) or ())
        for axis in ("periods", "speeds"):
            if axis != kind.axis:
                self._refuse(axis, getattr(self, axis))
        if kind.axis == "none":
            return ("p1",)
        if kind.axis == "speeds":
            motions = tuple(str(Motion(speed)) for speed in _many(self.speeds))
        else:
            periods = (self.periods,) if isinstance(self.periods, int | str) else self.periods
            motions = tuple(f"p{period}" for period in read_numbers(periods))
        if not motions:
            wanted = 'speeds = ["c/3"]' if kind.axis == "speeds" else 'periods = "2..6"'
            raise UsageError(f"a search of the kind {self.kind} needs {wanted}")
        return tuple(dict.fromkeys(motions))

    def _refuse(self, name: str, value: object) -> None:
        if value != ():
            raise UsageError(f"a search of the kind {self.kind} has no {name}")

    def alternatives(self) -> tuple[BoundTexts, ...]:
        """Return every combination of the bounds."""
        axes: list[list[tuple[str, tuple[str, ...]] | None]] = []
        for name in BOUNDS:
            given = getattr(self, name)
            each = [given] if isinstance(given, str) else list(given)
            texts = [(text,) if isinstance(text, str) else tuple(text) for text in each]
            axes.append([(name, text) for text in texts] or [None])
        return tuple(
            tuple(bound for bound in chosen if bound is not None) for chosen in product(*axes)
        )

    def questions(self, rules: tuple[str, ...] | None = None) -> Axes:
        """Return the questions, those of one motion and symmetry together."""
        return Axes(
            self.kind,
            self.motions(),
            tuple(dict.fromkeys(str(Symmetry(name)) for name in _many(self.symmetries))),
            self.alternatives(),
            rules or tuple(dict.fromkeys(str(Rule(rule)) for rule in _many(self.rules))),
            self.composite,
            self.include_last,
        )

    def canonical(self) -> dict[str, Any]:
        """Return what is asked, however it was written."""
        boxes = [str(box) for box in read_boxes(_many(self.boxes))]
        return {
            "kind": self.kind,
            "rules": sorted({str(Rule(rule)) for rule in _many(self.rules)}),
            "motions": sorted(self.motions()),
            "symmetries": sorted({str(Symmetry(name)) for name in _many(self.symmetries)}),
            "boxes": boxes,
            "bounds": sorted(self.alternatives()),
            "composite": self.composite,
            "include_last": self.include_last,
        }


class Limits(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """``[limits]``: when to give a task up; it can be tried again later, for longer."""

    timeout: float | str | None = None
    memory: float | str | None = None
    proof: float | str | None = None
    """The largest size of a proof."""

    def budget(self) -> Budget:
        """Return them as numbers."""
        read: list[float | None] = []
        for key, quantity in (("timeout", TIME), ("memory", SIZE), ("proof", SIZE)):
            value = getattr(self, key)
            try:
                read.append(None if value is None else quantity.parse(value))
            except UsageError as error:
                raise UsageError(f"limits: {key}: {error}") from None
        sizes = [None if value is None else int(value) for value in read[1:]]
        return Budget(seconds=read[0], memory_bytes=sizes[0], proof_bytes=sizes[1])


class Cut(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One ``[[cubes]]``: hard problems, cut into cases; if all are impossible, so is the whole."""

    problems: tuple[str, ...]
    """Their files."""
    count: int

    def of(self, problem: Problem) -> tuple[Problem, ...]:
        """Return the cases of a problem."""
        from satlife.search.certificates.cubes import cut_problem  # noqa: PLC0415 - few plans do

        return cut_problem(problem, self.count) or (problem,)


class Plan(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A campaign's plan: searches over axes, problems as they are, and how hard to try."""

    title: str = ""
    prove: bool = False
    """Impossibilities come with proofs, which are checked."""
    stop: Stop = "never"
    """ "first": a find ends the campaign."""
    limits: Limits = Limits()
    search: tuple[Search, ...] = ()
    problem: tuple[Problem, ...] = ()

    @classmethod
    def read(cls, path: Path | str) -> Plan:
        """Read a plan's file; problem files are looked for beside it."""
        path = Path(path)
        try:
            return cls.from_toml(path.read_text(encoding="utf-8"), path.parent)
        except UnicodeDecodeError:
            raise FormatError(f"{path}: not TOML, which is UTF-8") from None
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from None

    @classmethod
    def from_toml(cls, text: str, folder: Path | None = None, *, is_checked: bool = False) -> Plan:
        """Read a plan; raise :class:`~satlife.errors.UsageError` if something is wrong with it.

        A plan that ``is_checked`` is not checked again, which takes long if it has many axes.
        """
        fields = decode_toml(text, "a plan")
        _check_keys(fields)
        files = _read_files(fields.pop("problems", []), folder)
        for cut in _read_cuts(fields.pop("cubes", [])):
            files += [
                case for each in _read_files(list(cut.problems), folder) for case in cut.of(each)
            ]
        try:
            plan = msgspec.convert(fields, cls)
        except msgspec.ValidationError as error:
            raise FormatError(_explain(str(error))) from None
        problems = tuple({each.name: each for each in (*plan.problem, *files)}.values())
        for each in problems:
            if each.has_open_height:
                box = each.boxes[0]
                raise UsageError(f"a campaign needs a height, and one of its problems has {box}")
        plan = msgspec.structs.replace(plan, problem=problems)
        if not plan.search and not plan.problem:
            raise UsageError("the plan asks nothing: it has no [[search]] and no problems")
        if not is_checked:
            plan.check()
        return plan

    def to_toml(self) -> str:
        """Return the plan as TOML that stands alone, with the problems of its files."""
        fields = msgspec.to_builtins(self)
        if self.problem:
            fields["problem"] = [msgspec.json.decode(each.to_json()) for each in self.problem]
        return tomli_w.dumps(fields)

    @property
    def name(self) -> str:
        """The hash of what the plan asks."""
        asked = {
            "search": [search.canonical() for search in self.search],
            "problem": sorted(problem.name for problem in self.problem),
        }
        return hashlib.sha256(msgspec.json.encode(asked, order="sorted")).hexdigest()

    @property
    def budget(self) -> Budget:
        """What a task may take before it is given up."""
        return self.limits.budget()

    def check(self) -> None:
        """Raise an error if axes do not go together; rules are not combined with the others."""
        self.limits.budget()
        for number, search in enumerate(self.search, 1):
            try:
                rules = {str(Rule(rule)) for rule in _many(search.rules)}
                for axis in ("rules", "symmetries", "boxes"):
                    if not _many(getattr(search, axis)):
                        raise UsageError(f"{axis} is empty")
                boxes = read_boxes(_many(search.boxes))
                # What a rule is has no bearing on whether the other axes go together.
                fitting: dict[str, Box] = {}
                for question in search.questions((min(rules),)):
                    if question.symmetry not in fitting:
                        fitting[question.symmetry] = fitting_boxes(question, boxes)[0]
                    check_question(question, fitting[question.symmetry])
            except (UsageError, TypeError) as error:
                raise UsageError(f"search {number}: {error}") from None

    def size(self) -> int:
        """Return the number of tasks; one that two searches ask for counts once."""
        rules = [{str(Rule(rule)) for rule in _many(search.rules)} for search in self.search]
        boxes = [set(read_boxes(_many(search.boxes))) for search in self.search]
        asked: dict[Question, list[int]] = {}
        for scope, search in enumerate(self.search):
            for question in search.questions(("",)):  # of any rule
                asked.setdefault(question, []).append(scope)
        sizes: dict[tuple[str, tuple[int, ...]], int] = {}
        count = len(self.problem)
        for question, scopes in asked.items():
            key = question.symmetry, tuple(scopes)
            if key not in sizes:
                who = Counter(
                    tuple(scope for scope in scopes if rule in rules[scope])
                    for rule in set().union(*(rules[scope] for scope in scopes))
                )
                sizes[key] = sum(
                    times * sum(map(question.fits, set().union(*(boxes[each] for each in some))))
                    for some, times in who.items()
                )
            count += sizes[key]
        return count

    def groups(self) -> Questions:
        """Return the questions with their boxes, always in the same order; given problems first."""
        searches = tuple(
            (search.questions(), read_boxes(_many(search.boxes))) for search in self.search
        )
        return Questions(self.problem, searches)

    def task(self, group: Group, index: int) -> Task:
        """Return a task of a group."""
        return Task(problem=group.problem(index), budget=self.budget, prove=self.prove)

    def stops_at_first(self, scope: int) -> bool:
        """Whether a find ends the search that it belongs to."""
        return scope >= 0 and self.search[scope].stop == "first"


def _many(value: Many) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value


def _find_kind(name: str, where: str = "") -> Kind:
    kinds = {kind.name: kind for kind in KINDS if kind.axis is not None}
    if name in kinds:
        return kinds[name]
    near = get_close_matches(name, kinds, 1)
    hint = f"did you mean {near[0]}?" if near else f"the kinds are {', '.join(kinds)}"
    raise UsageError(f"{where}a plan cannot search for {name!r}; {hint}")


def _check_keys(fields: dict[str, Any]) -> None:
    """Raise an error for unknown keys, in better words than msgspec's."""
    _check_table("", fields, (*Plan.__struct_fields__, "problems", "cubes"))
    for name in ("search", "problem", "cubes"):
        if isinstance(fields.get(name), dict):
            raise FormatError(f"write [[{name}]] for [{name}]: there may be several")
    limits, searches = fields.get("limits"), fields.get("search")
    if isinstance(limits, list):
        raise FormatError("write [limits] for [[limits]]: there is one")
    if isinstance(limits, dict):
        _check_table("limits: ", limits, Limits.__struct_fields__)
    for number, search in enumerate(searches if isinstance(searches, list) else (), 1):
        if isinstance(search, dict):
            _check_table(f"search {number}: ", search, Search.__struct_fields__)
            if isinstance(search.get("kind"), str):
                _find_kind(search["kind"], f"search {number}: ")
            for key, value in search.items():
                if value == []:
                    raise FormatError(f"search {number}: {key} is empty")


def _check_table(where: str, table: dict[str, Any], keys: tuple[str, ...]) -> None:
    for key in table:
        if key not in keys:
            near = get_close_matches(key, keys, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(keys)}"
            raise FormatError(f"{where}no key {key}; {hint}")


def _explain(words: str) -> str:
    """Return msgspec's error in the terms of a plan: searches are counted from 1."""
    words, _, place = words.partition(" - at `$")
    words = re.sub("^Object missing required field `(.*)`$", r"the key \1 is missing", words)
    places = re.findall(r"(\w+)(?:\[(\d+)\])?", place)
    names = [f"{name} {int(index) + 1}" if index else name for name, index in places]
    return ": ".join([*names, words]) if names else f"not a plan: {words}"


def _read_cuts(tables: Any) -> tuple[Cut, ...]:
    try:
        return msgspec.convert(tables, tuple[Cut, ...])
    except msgspec.ValidationError as error:
        raise FormatError(f"not a plan: cubes: {error}") from None


def _read_files(names: Any, folder: Path | None) -> list[Problem]:
    """Read problem files; a name with ``*`` stands for several, in the order of their names."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise FormatError('not a plan: problems is a list of files, problems = ["a.toml"]')
    problems = []
    for name in names:
        if "\0" in name:
            raise UsageError(f"{name!r} is not the name of a file")
        base = folder or Path()
        if "*" in name and Path(name).is_absolute():
            raise UsageError(f"{name}: a pattern of names must be relative to the plan's folder")
        paths = sorted(base.glob(name)) if "*" in name else [base / name]
        if not paths:
            raise UsageError(f"no problem file matches {name}")
        for path in paths:
            try:
                problems.append(Problem.from_text(path.read_bytes()))
            except UsageError as error:
                raise UsageError(f"{path}: {error}") from None
    return problems
