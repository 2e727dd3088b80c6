"""What a shell completes after an option or an argument: files, and the values there are.

It is imported only while a shell asks.  click finds out which parameter is meant; what its values
are is known by the parameter's name, or by what stands for its value in the help.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

VARIABLE = "_SATLIFE_COMPLETE"
"""The environment variable by which a shell asks; click's name for a program ``satlife``."""


def _solvers() -> Iterable[str]:
    from satlife.sat import SOLVERS

    return (each.name for each in SOLVERS if each.available)


def _encodings() -> Iterable[str]:
    from satlife.formula.encodings import ENCODINGS

    return (each.name for each in ENCODINGS)


def _engines() -> Iterable[str]:
    from satlife.engine import ENGINES

    return (each.name for each in ENGINES)


def _symmetries() -> Iterable[str]:
    from satlife.life.symmetry import OLDER_NAMES, SPELLINGS, SYMMETRIES

    spelled = {name: spelling for spelling, name in SPELLINGS.items()}
    return (*(spelled.get(name, name) for name in OLDER_NAMES), *map(str, SYMMETRIES))


def _rules() -> Iterable[str]:
    from satlife.life.rules import RULE_NAMES

    return ("B3/S23", *(name.replace(" ", "").replace("'", "") for name in RULE_NAMES))


def _measures() -> Iterable[str]:
    from satlife.formula.measures import MEASURES

    return (each.name for each in MEASURES)


def _formats() -> Iterable[str]:
    from satlife.life import FORMATS

    suffixes = (suffix.removeprefix(".") for each in FORMATS for suffix in each.suffixes)
    return (*(each.name for each in FORMATS), *suffixes, *_formula_formats())


def _formula_formats() -> Iterable[str]:
    from satlife.sat import FORMATS

    return (each.name for each in FORMATS)


def _maps() -> Iterable[str]:
    from satlife.show.maps import MAPS

    return (each.name for each in MAPS)


VALUES: dict[str, Callable[[], Iterable[str]]] = {
    "solver": _solvers,
    "encoding": _encodings,
    "engine": _engines,
    "symmetry": _symmetries,
    "rule": _rules,
    "minimize": _measures,
    "maximize": _measures,
    "source_format": _formats,
    "target_format": _formats,
    "form": _formula_formats,
    "map_": _maps,
}
"""The values of parameters, by their names."""

_FILE = re.compile(r"\b(FILE|OUTPUT|PLAN|LEDGER|SOURCE|FORMULA|ANSWER)\b")
_FOLDER = re.compile(r"\bFOLDER\b")
_PATTERN = re.compile(r"\bPATTERN\b")


def equip(command: click.Command) -> click.Command:
    """Let the parameters of a command, and of those in a group, complete their values."""
    for parameter in command.params:
        if not isinstance(parameter.type, click.Choice):
            _equip(parameter)
    if isinstance(command, click.Group):
        find = command.get_command

        def get_command(ctx: click.Context, name: str) -> click.Command | None:
            found = find(ctx, name)
            return equip(found) if found else None

        vars(command)["get_command"] = get_command
    return command


def _equip(parameter: click.Parameter) -> None:
    def complete(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        return complete_value(parameter, incomplete)

    vars(parameter)["shell_complete"] = complete


def complete_value(parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return what a value may go on with."""
    words = _describe(parameter)
    if parameter.name in VALUES:
        return _among(VALUES[parameter.name](), incomplete)
    if parameter.name == "reject":
        return _complete_pattern(incomplete, ("known",))
    if _PATTERN.search(words):
        return _complete_pattern(incomplete)
    if _FOLDER.search(words):
        return [CompletionItem(incomplete, type="dir")]
    if _FILE.search(words) or parameter.name in ("output", "source", "sources", "file"):
        return [CompletionItem(incomplete, type="file")]
    return []


def _describe(parameter: click.Parameter) -> str:
    return parameter.metavar or ""


def _complete_pattern(incomplete: str, words: tuple[str, ...] = ()) -> list[CompletionItem]:
    """Complete a file's name, or a name in the catalogue if no file begins so."""
    here = Path(incomplete)
    folder, start = (here, "") if incomplete.endswith("/") else (here.parent, here.name)
    try:
        is_file = any(each.name.startswith(start) for each in folder.iterdir())
    except OSError:
        is_file = False
    if is_file and not any(word.startswith(incomplete) and incomplete for word in words):
        return [CompletionItem(incomplete, type="file")]
    from satlife.cli.own import every_entry

    names = (entry.name.lower().replace(" ", "-") for entry in every_entry())
    # A shell would take a quote, or a bracket, for its own.
    safe = (name for name in names if re.fullmatch(r"[\w.+-]+", name))
    return _among((*words, *safe), incomplete)


def _among(values: Iterable[Any], incomplete: str) -> list[CompletionItem]:
    """Return the values that begin so; the last of several with commas, as measures are given."""
    before, comma, last = incomplete.rpartition(",")
    return [
        CompletionItem(f"{before}{comma}{value}")
        for value in dict.fromkeys(values)
        if value.lower().startswith(last.lower())
    ]
