"""``satlife cnf``: the formula instead of an answer."""

from __future__ import annotations

from typing import Any

import click

from satlife.cli.group import SuggestingGroup
from satlife.cli.search.options import make_command
from satlife.errors import UsageError
from satlife.kinds import KINDS, Kind, kind_of

OPTIONS: tuple[click.Option, ...] = (
    click.Option(["--encoding"], metavar="NAME", help="The encoding; satlife list encodings."),
    click.Option(
        ["--break-symmetry/--no-break-symmetry"],
        default=None,
        help="Keep only one of several mirror images of a solution, or all of them.  [default: as "
        "the search does; see satlife list solvers SEARCH]",
    ),
    click.Option(
        ["--format", "form"],
        metavar="NAME",
        default="dimacs",
        show_default=True,
        help="The format; satlife list formats.",
    ),
    click.Option(["--stats"], is_flag=True, help="Print the counts of each block instead."),
    click.Option(["--problem"], is_flag=True, help="Print the problem as TOML instead."),
    click.Option(["-o", "--output"], default="-", metavar="FILE", help="The file (.gz, .xz too)."),
)


class KindGroup(SuggestingGroup):
    """A command for each kind of search."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the kinds."""
        return [kind.name for kind in KINDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Build the command of a kind."""
        built = (
            make_command(kind, _write, {"The formula": OPTIONS}, "This prints the formula.")
            for kind in KINDS
            if kind.name == cmd_name
        )
        return next(built, None)


@click.group(name="cnf", cls=KindGroup)
def command() -> None:
    """Print the formula of a search, for a solver of your own.

    It is the formula that the search itself would solve for one pattern, with the same encoding.
    Where that breaks symmetries, some mirror images and phases are not among its solutions: to
    count or list them all, add --no-break-symmetry.

    The cells' variables are named in comment lines (x3y4t0), so that `satlife decode` can turn a
    solver's answer into a pattern.

    \b
    Examples:
      satlife cnf oscillator 4 --box 9x9 --symmetry C4 -o p4.cnf
      satlife cnf ship c/3 --box 16x6 --stats
    """


def _write(kind: Kind, options: dict[str, Any]) -> None:
    # Here, since `satlife cnf --help` only lists the kinds.
    from satlife.cli.files import open_output
    from satlife.cli.search.asked import build_problem
    from satlife.engine.engine import Options
    from satlife.engine.sat.attempt import choose
    from satlife.formula.build import build
    from satlife.formula.spacetime import SpaceTime
    from satlife.sat.files import find_format

    encoding, broken = options.pop("encoding"), options.pop("break_symmetry")
    form, stats, output = options.pop("form"), options.pop("stats"), options.pop("output")
    as_problem = options.pop("problem")
    problem = build_problem(kind, options)
    if as_problem:
        with open_output(output) as file:
            file.write(problem.to_toml().encode())
        return
    if kind_of(problem).asks_other:
        raise UsageError(
            "the uniqueness of a parent takes two searches, and the second depends on the first; "
            "satlife cnf orphan prints the formula of the first"
        )
    spacetime = SpaceTime(problem)
    how = choose(spacetime, Options.of(encoding=encoding, break_symmetry=broken))
    built = build(spacetime, how.encoding, break_symmetry=how.break_symmetry, named=True)
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
