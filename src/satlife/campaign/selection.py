"""The finds that count in a task: all solutions, or only those without certain objects in them.

>>> selection = read_selection(("pulsar", "xp2_7"), only_connected=True)
>>> selection.describe()
'only connected, without 2 objects'
>>> selection.reject
('xp2_7', 'xp3_co9nas0san9oczgoldlo0oldlogz1047210127401')
>>> Selection().is_everything, selection.is_everything
(True, False)

A selection belongs to the question: another selection is another task.  An isometry that takes a
solution to a solution changes neither its objects nor whether they touch, so implications between
boxes hold with any selection.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from satlife.errors import UsageError
from satlife.life import Pattern, from_apgcode
from satlife.life.catalogue import catalogue, read_collection
from satlife.plain import read_whole
from satlife.problem import Problem
from satlife.problem.outcome import History

if TYPE_CHECKING:
    from satlife.engine.wanted import Wanted

MOST_REJECTED: Final = 1000
"""Maximum number of objects that a task may name; each task carries them."""
_CODE = re.compile(r"x[spq]\d{1,9}_[0-9a-z]+")


class Selection(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The finds that count."""

    reject: tuple[str, ...] = ()
    """The apgcodes of objects that no find may be, or hold as a separate part."""
    known: str = ""
    """A hash of the catalogue, if everything in it is rejected."""
    only_connected: bool = False
    """Whether patterns made of independent parts do not count."""

    @property
    def is_everything(self) -> bool:
        """Whether every solution counts."""
        return self == EVERYTHING

    def describe(self) -> str:
        """Return a short description; empty if every solution counts."""
        parts = ["only connected"] if self.only_connected else []
        parts += ["without what is known"] if self.known else []
        count = len(self.reject)
        parts += [f"without {count} object{'' if count == 1 else 's'}"] if count else []
        return ", ".join(parts)

    def name(self, problem: str) -> str:
        """Return the name of the task with this problem's name."""
        if self.is_everything:
            return problem
        text = msgspec.json.encode(self, order="sorted")
        return hashlib.sha256(problem.encode() + text).hexdigest()

    def wanted(self, problem: Problem) -> Wanted:
        """Return the selection in the form that a listing takes."""
        from satlife.engine.wanted import Wanted  # noqa: PLC0415 - imports all engines

        if self.known and self.known != hash_known():
            raise UsageError(
                "this satlife has another catalogue than the plan's; use the same version"
            )
        return Wanted(
            reject=_patterns(self.reject, bool(self.known), problem.rule),
            only_connected=self.only_connected,
        )

    def refusal(self, problem: Problem, history: History) -> str | None:
        """Return the reason why a solution does not count; None if it does."""
        if self.is_everything:
            return None
        from satlife.engine.wanted import Sieve  # noqa: PLC0415 - as above

        skipped: Counter[str] = Counter()
        if Sieve(problem, self.wanted(problem), skipped).leaves_out(history) is False:
            return None
        return "the solution does not count: " + (
            "it is made of independent parts"
            if skipped["composites"]
            else "it holds an object that is rejected"
        )


EVERYTHING: Final = Selection()


def read_selection(names: Iterable[str], *, only_connected: bool = False) -> Selection:
    """Read the rejected objects of a plan: apgcodes, names in the catalogue, and ``known``."""
    codes: set[str] = set()
    known = ""
    for name in names:
        if name == "known":
            known = hash_known()
        else:
            codes.add(_read_code(name))
    if len(codes) > MOST_REJECTED:
        raise UsageError(
            f"{len(codes):,} objects are too many to reject; the limit is {MOST_REJECTED:,}"
        )
    return Selection(reject=tuple(sorted(codes)), known=known, only_connected=only_connected)


def read_reject_file(path: Path) -> list[str]:
    """Return the apgcodes of a file: a list of codes, or a collection of patterns."""
    collection = read_collection(read_whole(path).decode("utf-8-sig", "replace"), str(path))
    codes = [entry.code for entry in collection.entries if entry.code]
    if not codes:
        raise UsageError(f"{path} has no object to reject")
    return codes


@lru_cache(maxsize=1)
def hash_known() -> str:
    """Return a hash of the objects in the catalogue."""
    codes = sorted(f"{entry.code} {entry.rule}" for entry in catalogue())
    return hashlib.sha256("\n".join(codes).encode()).hexdigest()[:16]


def _read_code(name: str) -> str:
    if _CODE.fullmatch(name):
        return name
    from satlife.engine.wanted import find_code, read_rejected  # noqa: PLC0415 - as above

    (pattern,) = read_rejected(name)
    code = pattern if isinstance(pattern, str) else find_code(pattern)
    if code is None:
        raise UsageError(f"{name!r} cannot be rejected: it is not an object")
    return code


@lru_cache(maxsize=64)
def _patterns(codes: tuple[str, ...], known: bool, rule: str) -> tuple[Pattern | str, ...]:
    from satlife.engine.wanted import find_code, read_rejected  # noqa: PLC0415 - as above

    named: list[Pattern] = []
    for code in codes:
        pattern = from_apgcode(code.partition("_")[2], rule)
        if find_code(pattern) == code:  # otherwise there is no such object in this rule
            named.append(pattern)
    return (*named, *(read_rejected("known") if known else ()))
