"""``satlife cnf``: the formula instead of an answer."""

from __future__ import annotations

from typing import Any

import click

from satlife.cli.files import open_output
from satlife.cli.kinds import KINDS, Kind

OPTIONS: tuple[click.Option, ...] = (
    click.Option(["--encoding"], metavar="NAME", help="The encoding; satlife list encodings."),
    click.Option(["--break-symmetry"], is_flag=True, help="Add lex-leader clauses."),
    click.Option(
        ["--format", "form"],
        type=click.Choice(["dimacs", "knuth"]),
        default="dimacs",
        show_default=True,
        help="DIMACS, or Knuth's SAT format.",
    ),
    click.Option(["--stats"], is_flag=True, help="Print the counts of each block instead."),
    click.Option(["--problem"], is_flag=True, help="Print the problem as TOML instead."),
    click.Option(["-o", "--output"], default="-", metavar="FILE", help="The file (.gz, .xz too)."),
)


@click.group(name="cnf")
def command() -> None:
    """Print the formula of a search, for a solver of your own.

    The cells' variables are named in comment lines (x3y4t0), so that `satlife decode` can turn a
    solver's answer into a pattern.

    \b
    Examples:
      satlife cnf oscillator 4 --box 9x9 --symmetry C4 -o p4.cnf
      satlife cnf ship c/3 --box 16x6 --stats
    """


def _write(kind: Kind, options: dict[str, Any]) -> None:
    encoding, broken = options.pop("encoding"), options.pop("break_symmetry")
    form, stats, output = options.pop("form"), options.pop("stats"), options.pop("output")
    as_problem = options.pop("problem")
    problem = kind.make(**options)
    if as_problem:
        with open_output(output) as file:
            file.write(problem.to_toml().encode())
        return
    from satlife.sat.files import find_format
    from satlife.search import build

    built = build(problem, encoding, break_symmetry=broken, named=True)
    with open_output(output) as file:
        if stats:
            file.write(_statistics(built).encode())
        else:
            find_format(form).write(built.formula, file)


def _statistics(built: Any) -> str:
    formula = built.formula
    rows = [
        ("cells", f"{built.spacetime.variables:,} variables"),
        ("all", f"{formula.variables:,} variables, {formula.clauses:,} clauses"),
        *((block.origin, f"{block.clauses:,} clauses") for block in formula.blocks),
    ]
    if built.spacetime.clash:
        rows.append(("clash", built.spacetime.clash))
    width = max(len(name) for name, _ in rows)
    return "".join(f"{name:<{width}}  {text}\n" for name, text in rows)


def _command(kind: Kind) -> click.Command:
    return click.Command(
        kind.name,
        callback=lambda **options: _write(kind, options),
        params=[*kind.parameters, *OPTIONS],
        help=f"{kind.text}  This prints the formula.",
        short_help=kind.summary,
    )


for _kind in KINDS:
    command.add_command(_command(_kind))
