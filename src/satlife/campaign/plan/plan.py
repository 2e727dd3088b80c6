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

The name of a plan is the hash of what it asks.  Title, limits, proofs, when to stop and whether
to split are not in it: a campaign may go on with other ones.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
import tomli_w

from satlife.campaign.messages import Budget, Task
from satlife.campaign.plan.axes import OpenBox
from satlife.campaign.plan.combining import LeftOut
from satlife.campaign.plan.limits import Limits
from satlife.campaign.plan.question import Group, Question
from satlife.campaign.plan.reading import (
    check_keys,
    explain,
    read_cuts,
    read_files,
    resolve_rejected,
)
from satlife.campaign.plan.search import Search, Stop
from satlife.campaign.plan.sequence import Questions
from satlife.errors import FormatError, UsageError
from satlife.search.problem import Problem
from satlife.search.problem.documents import decode_toml

MOST_USERS: Final = 100
"""Users that a quorum may ask for."""


class Plan(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A campaign's plan: searches over axes, problems as they are, and how hard to try."""

    title: str = ""
    prove: bool = False
    """Impossibilities come with proofs, which are checked."""
    quorum: int = 1
    """How many users must say that a task is impossible, or give it up, before that counts."""
    stop: Stop = "never"
    """ "first": a find ends the campaign."""
    split: bool = False
    """A task that reaches its time limit is split into cases."""
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
        """Raise an error if a value of an axis makes no sense, or a search has nothing to ask."""
        self.limits.budget()
        if not 1 <= self.quorum <= MOST_USERS:
            raise UsageError(f"quorum is a number of users, 1 to {MOST_USERS}; got {self.quorum}")
        if self.split and self.budget.seconds is None:
            raise UsageError(
                "split needs a timeout in [limits]; a task is split when it reaches it"
            )
        for problem in self.problem:
            if problem.has_open_height:
                from satlife.search.engine.quotients import check_rows  # noqa: PLC0415 - all engines

                check_rows(problem)
                self._refuse_proof(problem.boxes[0])
        for number, search in enumerate(self.search, 1):
            try:
                search.check()
                if search.map and self.stop == "first":
                    raise UsageError("a map asks for every rule, and stop ends it at a find")
                for box in search.read_boxes():
                    if isinstance(box, OpenBox):
                        self._refuse_proof(str(box))
                if self.prove and not search.selection().is_everything:
                    raise UsageError(
                        "prove does not go with reject or only_connected: a proof is that there "
                        "is no solution at all"
                    )
            except (UsageError, TypeError) as error:
                raise UsageError(f"search {number}: {error}") from None

    def _refuse_proof(self, box: str) -> None:
        if self.prove:
            raise UsageError(
                f"prove does not go with {box}: a search by rows that runs dry is a claim; "
                "satlife ship --prove certifies one width"
            )

    def left_out(self) -> Iterator[LeftOut]:
        """Yield the combinations that cannot be, and are not asked."""
        for search in self.search:
            yield from search.left_out()

    def size(self) -> int:
        """Return the number of tasks; one that two searches ask for counts once."""
        rules = [set(search.read_rules()) for search in self.search]
        boxes = [set(search.read_boxes()) for search in self.search]
        asked: dict[Question, list[int]] = {}
        for scope, search in enumerate(self.search):
            for question in search.questions().of_any_rule():
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
        searches = tuple((search.questions(), search.read_boxes()) for search in self.search)
        return Questions(self.problem, searches)

    def task(self, group: Group, index: int) -> Task:
        """Return a task of a group."""
        return group.task(
            index, self.budget, prove=self.prove, quorum=self.quorum, split=self.split
        )

    def stops_at_first(self, scope: int) -> bool:
        """Whether a find ends the search that it belongs to."""
        return scope >= 0 and self.search[scope].stop == "first"
