"""Available choices: the tables of ``satlife list``, and the values for shell completion.

It is imported only when a table is printed, or when a shell asks for a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from satlife.cli.own import every_entry
from satlife.cli.search.asked import Asked, build_problem
from satlife.engine import ENGINES
from satlife.engine.engine import Options
from satlife.engine.sat.attempt import choose_several
from satlife.engine.session import pick_engine
from satlife.formula.build import measure
from satlife.formula.encodings import ENCODINGS
from satlife.formula.measures import MEASURES
from satlife.formula.spacetime import SpaceTime
from satlife.kinds import Kind
from satlife.life import FORMATS as PATTERN_FORMATS
from satlife.life.rule import Rule
from satlife.life.rules import RULE_FAMILIES, RULE_NAMES
from satlife.life.symmetry import OLDER_NAMES, SPELLINGS, SYMMETRIES, Symmetry
from satlife.sat import FORMATS as FORMULA_FORMATS
from satlife.sat import SOLVERS
from satlife.show import MAPS, PICTURE_FORMATS

Rows = list[tuple[str, ...]]


def _rules() -> Rows:
    families = [(family.name, family.example, family.summary) for family in RULE_FAMILIES]
    return [*families, *((name, notation) for name, notation in RULE_NAMES.items())]


def _symmetries() -> Rows:
    static = [each for each in SYMMETRIES if each.factor == 1]
    return [
        ("C1", "any box", "none"),
        *((name, Symmetry(name).boxes, meaning) for name, meaning in OLDER_NAMES.items()),
        *((str(each), each.boxes, "") for each in static if str(each) != "C1"),
        *((str(s), s.boxes, s.describe()) for s in SYMMETRIES if s.factor > 1),
    ]


def list_encodings(rule: str) -> Rows:
    """Return the encodings that support a rule, and the size of one cell in each."""
    table = Rule(rule)
    rows: Rows = [("encoding", "variables", "clauses", "literals")]
    for encoding in ENCODINGS:
        if encoding.supports(table):
            size = measure(encoding, table)
            numbers = (size.variables, size.clauses, size.literals)
            rows.append((encoding.name, *(f"{number:g}" for number in numbers)))
    return rows


def _solvers() -> Rows:
    return [
        (each.name, each.title if each.available else f"{each.title} (missing: {each.how_to_get})")
        for each in SOLVERS
    ]


def _formats() -> Rows:
    return [
        *(("pattern", f.name, " ".join(f.suffixes)) for f in PATTERN_FORMATS),
        *(("formula", f.name, " ".join(f.suffixes)) for f in FORMULA_FORMATS),
        *(("picture", f.name, " ".join(f.suffixes)) for f in PICTURE_FORMATS),
    ]


def list_choices(kind: Kind, options: dict[str, Any]) -> Rows:
    """Return the defaults that a search chooses: engine, solver, encoding ..."""
    how = Asked.take(options).how
    problem = build_problem(kind, options)
    engine = pick_engine(how.pop("engine"), problem)
    if engine.name != "sat":
        return [(engine.name, engine.title)]
    return [
        (
            engine.name,
            each.solver if isinstance(each.solver, str) else each.solver.name,
            each.encoding,
            "symmetry broken" if each.break_symmetry else "",
            f"seed {each.seed}" if each.seed is not None else "",
        )
        for each in choose_several(SpaceTime(problem), Options.of(**how))
    ]


TABLES: dict[str, Callable[[], Rows]] = {
    "rules": _rules,
    "symmetries": _symmetries,
    "engines": lambda: [(engine.name, engine.title) for engine in ENGINES],
    "encodings": lambda: [(encoding.name, encoding.summary) for encoding in ENCODINGS],
    "solvers": _solvers,
    "formats": _formats,
}
"""The tables of ``satlife list``, except that of the kinds, which needs nothing from here."""


# Shell completion: click finds the parameter, whose name or metavar decides about its values.


def _name_symmetries() -> Iterable[str]:
    spelled = {name: spelling for spelling, name in SPELLINGS.items()}
    return (*(spelled.get(name, name) for name in OLDER_NAMES), *map(str, SYMMETRIES))


def _name_rules() -> Iterable[str]:
    """Return names that need no quotes in a shell."""
    return ("B3/S23", *(name.replace(" ", "").replace("'", "") for name in RULE_NAMES))


def _name_measures() -> Iterable[str]:
    return (each.name for each in MEASURES)


def _name_formats() -> Iterable[str]:
    suffixes = (suffix.removeprefix(".") for each in PATTERN_FORMATS for suffix in each.suffixes)
    return (*(each.name for each in PATTERN_FORMATS), *suffixes, *_name_formula_formats())


def _name_formula_formats() -> Iterable[str]:
    return (each.name for each in FORMULA_FORMATS)


VALUES: dict[str, Callable[[], Iterable[str]]] = {
    "solver": lambda: (each.name for each in SOLVERS if each.available),
    "encoding": lambda: (each.name for each in ENCODINGS),
    "engine": lambda: (each.name for each in ENGINES),
    "symmetry": _name_symmetries,
    "rule": _name_rules,
    "minimize": _name_measures,
    "maximize": _name_measures,
    "source_format": _name_formats,
    "target_format": _name_formats,
    "form": _name_formula_formats,
    "map_": lambda: (each.name for each in MAPS),
}
"""The values of parameters, by their names."""

_FILE = re.compile(r"\b(FILE|OUTPUT|PLAN|LEDGER|SOURCE|FORMULA|ANSWER)\b")
_FOLDER = re.compile(r"\bFOLDER\b")
_PATTERN = re.compile(r"\bPATTERN\b")


def complete_value(parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the completions of a value."""
    metavar = parameter.metavar or ""
    if parameter.name in VALUES:
        return _among(VALUES[parameter.name](), incomplete)
    if parameter.name == "reject":
        return _complete_pattern(incomplete, ("known",))
    if _PATTERN.search(metavar):
        return _complete_pattern(incomplete)
    if _FOLDER.search(metavar):
        return [CompletionItem(incomplete, type="dir")]
    if _FILE.search(metavar) or parameter.name in ("output", "source", "sources", "file"):
        return [CompletionItem(incomplete, type="file")]
    return []


def _complete_pattern(incomplete: str, words: tuple[str, ...] = ()) -> list[CompletionItem]:
    """Complete a file's name, or a name in the catalogue if no file has this prefix."""
    here = Path(incomplete)
    folder, start = (here, "") if incomplete.endswith("/") else (here.parent, here.name)
    try:
        is_file = any(each.name.startswith(start) for each in folder.iterdir())
    except OSError:
        is_file = False
    if is_file and not any(word.startswith(incomplete) and incomplete for word in words):
        return [CompletionItem(incomplete, type="file")]
    names = (entry.name.lower().replace(" ", "-") for entry in every_entry())
    # A shell would interpret a quote or a bracket.
    safe = (name for name in names if re.fullmatch(r"[\w.+-]+", name))
    return _among((*words, *safe), incomplete)


def _among(values: Iterable[Any], incomplete: str) -> list[CompletionItem]:
    """Return the values with this prefix; with commas, as in measures, the last part counts."""
    before, comma, last = incomplete.rpartition(",")
    return [
        CompletionItem(f"{before}{comma}{value}")
        for value in dict.fromkeys(values)
        if value.lower().startswith(last.lower())
    ]
