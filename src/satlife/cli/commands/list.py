"""``satlife list``: what there is to choose from."""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

Rows = list[tuple[str, ...]]


def _rules() -> Rows:
    from satlife.life.rules import RULE_FAMILIES, RULE_NAMES

    families = [(family.name, family.example, family.summary) for family in RULE_FAMILIES]
    return [*families, *((name, notation) for name, notation in RULE_NAMES.items())]


def _symmetries() -> Rows:
    from satlife.life.symmetry import OLDER_NAMES, SYMMETRIES, Symmetry

    static = [each for each in SYMMETRIES if each.factor == 1]
    return [
        ("C1", "any box", "none"),
        *((name, Symmetry(name).boxes, words) for name, words in OLDER_NAMES.items()),
        *((str(each), each.boxes, "") for each in static if str(each) != "C1"),
        *((str(s), s.boxes, s.describe()) for s in SYMMETRIES if s.factor > 1),
    ]


def _encodings() -> Rows:
    from satlife.formula.encodings import ENCODINGS

    return [(encoding.name, encoding.summary) for encoding in ENCODINGS]


def _encodings_for(rule: str) -> Rows:
    from satlife.formula.build import measure
    from satlife.formula.encodings import ENCODINGS
    from satlife.life.rule import Rule

    table = Rule(rule)
    rows: Rows = [("encoding", "variables", "clauses", "literals")]
    for encoding in ENCODINGS:
        if encoding.supports(table):
            size = measure(encoding, table)
            numbers = (size.variables, size.clauses, size.literals)
            rows.append((encoding.name, *(f"{number:g}" for number in numbers)))
    return rows


def _engines() -> Rows:
    from satlife.engine import ENGINES

    return [(engine.name, engine.title) for engine in ENGINES]


def _solvers() -> Rows:
    from satlife.sat import SOLVERS

    return [
        (each.name, each.title if each.available else f"{each.title} (missing: {each.how_to_get})")
        for each in SOLVERS
    ]


def _formats() -> Rows:
    from satlife.life import FORMATS as PATTERNS
    from satlife.sat import FORMATS as FORMULAS
    from satlife.show import PICTURE_FORMATS as PICTURES

    return [
        *(("pattern", f.name, " ".join(f.suffixes)) for f in PATTERNS),
        *(("formula", f.name, " ".join(f.suffixes)) for f in FORMULAS),
        *(("picture", f.name, " ".join(f.suffixes)) for f in PICTURES),
    ]


def _kinds() -> Rows:
    from satlife.kinds import KINDS

    return [(kind.name, kind.summary) for kind in KINDS]


def _choices(search: tuple[str, ...]) -> Rows:
    """Return what a search takes where nothing is chosen: engine, solver, encoding ..."""
    from satlife.cli.search.asked import Asked
    from satlife.cli.search.options import build_problem
    from satlife.cli.search.run import search_command
    from satlife.engine.engine import Options
    from satlife.engine.sat.attempt import choose_several
    from satlife.engine.session import pick_engine
    from satlife.formula.spacetime import SpaceTime
    from satlife.kinds import find_kind

    kind = find_kind(search[0])
    options = search_command(kind).make_context(f"satlife {kind.name}", list(search[1:])).params
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
    "engines": _engines,
    "encodings": _encodings,
    "solvers": _solvers,
    "formats": _formats,
    "kinds": _kinds,
}


@click.command(name="list", context_settings={"ignore_unknown_options": True})
@click.argument("what", type=click.Choice(list(TABLES)))
@click.argument("search", nargs=-1, type=click.UNPROCESSED, metavar="[SEARCH]")
@click.option(
    "--rule",
    metavar="RULE",
    help="With encodings: those that support RULE, and what one cell takes in each.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array per line.")
def command(what: str, search: tuple[str, ...], rule: str | None, as_json: bool) -> None:
    """List rules, symmetries, engines, encodings, solvers, formats or kinds.

    A SEARCH may follow `list solvers`: the words of a search command without satlife. Then only
    what satlife would take for it is listed, a line for each of its --jobs.

    \b
    Examples:
      satlife list symmetries
      satlife list encodings --rule tlife
      satlife list solvers oscillator 3 --box 9x9 --jobs 4
    """
    if search and what != "solvers":
        raise click.UsageError(f"A search may follow 'list solvers' only, not 'list {what}'.")
    if rule is not None and what != "encodings" and not search:
        raise click.UsageError(f"--rule goes with encodings, not with {what}")
    if search:
        rows = _choices((*search, *(["--rule", rule] if rule else [])))
    else:
        rows = TABLES[what]() if rule is None else _encodings_for(rule)
    if as_json:
        import msgspec

        for row in rows:
            sys.stdout.write(msgspec.json.encode(row).decode() + "\n")
        return
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(len(rows[0]))]
    for row in rows:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False))
        sys.stdout.write("  ".join(cells).rstrip() + "\n")
