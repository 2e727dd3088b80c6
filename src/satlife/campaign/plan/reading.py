"""Reading a plan's file: its keys, its problem files, and errors in the terms of a plan."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from satlife.campaign.plan.limits import Limits
from satlife.campaign.plan.search import Search, find_plan_kind
from satlife.campaign.selection import read_reject_file
from satlife.errors import FormatError, UsageError
from satlife.search.problem import Problem


class Cut(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One ``[[cubes]]``: hard problems, cut into cases; if all are impossible, so is the whole."""

    problems: tuple[str, ...]
    """Their files."""
    count: int

    def of(self, problem: Problem) -> tuple[Problem, ...]:
        """Return the cases of a problem."""
        from satlife.search.certificates.cubes import cut_problem  # noqa: PLC0415 - few plans do

        return cut_problem(problem, self.count) or (problem,)


def check_keys(fields: dict[str, Any], keys: tuple[str, ...]) -> None:
    """Raise an error for unknown keys, in better words than msgspec's."""
    _check_table("", fields, (*keys, "problems", "cubes"))
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
                find_plan_kind(search["kind"], f"search {number}: ")
            for key, value in search.items():
                if value == []:
                    raise FormatError(f"search {number}: {key} is empty")


def resolve_rejected(fields: dict[str, Any], folder: Path | None) -> None:
    """Put the objects of files into the lists of what is rejected."""
    for number, search in enumerate(_tables(fields.get("search")), 1):
        given = search.get("reject")
        words = [given] if isinstance(given, str) else given
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            continue  # msgspec says what is wrong
        found: list[str] = []
        for word in words:
            path = None if "\0" in word else (folder or Path()) / word
            try:
                is_file = path is not None and path.is_file()
            except OSError:  # too long for a name
                is_file = False
            try:
                found += read_reject_file(path) if path is not None and is_file else [word]
            except UsageError as error:
                raise UsageError(f"search {number}: {error}") from None
        search["reject"] = list(dict.fromkeys(found))


def _tables(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _check_table(where: str, table: dict[str, Any], keys: tuple[str, ...]) -> None:
    for key in table:
        if key not in keys:
            near = get_close_matches(key, keys, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(keys)}"
            raise FormatError(f"{where}no key {key}; {hint}")


def explain(words: str) -> str:
    """Return msgspec's error in the terms of a plan: searches are counted from 1."""
    words, _, place = words.partition(" - at `$")
    words = re.sub("^Object missing required field `(.*)`$", r"the key \1 is missing", words)
    places = re.findall(r"(\w+)(?:\[(\d+)\])?", place)
    names = [f"{name} {int(index) + 1}" if index else name for name, index in places]
    return ": ".join([*names, words]) if names else f"not a plan: {words}"


def read_cuts(tables: Any) -> tuple[Cut, ...]:
    """Read ``[[cubes]]``."""
    try:
        return msgspec.convert(tables, tuple[Cut, ...])
    except msgspec.ValidationError as error:
        raise FormatError(f"not a plan: cubes: {error}") from None


def read_files(names: Any, folder: Path | None) -> list[Problem]:
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
