"""``satlife knuth``: the programs of the sat-life family."""

from __future__ import annotations

import click

from satlife.cli.dropins import warn_of_long_names, write_pieces
from satlife.cli.endings import say
from satlife.cli.files import open_output
from satlife.cli.group import SuggestingGroup
from satlife.cli.help import Command
from satlife.cli.own import read_source
from satlife.errors import UsageError
from satlife.knuth import PROGRAMS, Program
from satlife.life import Pattern
from satlife.life.catalogue import name_any
from satlife.sat.files import dimacs


@click.group(name="knuth", cls=SuggestingGroup)
def command() -> None:
    """Print the clauses of Knuth's sat-life programs.

    The output is the original's, byte for byte, for every call that makes sense.

    \b
    Examples:
      satlife knuth sat-life-grid 7 15 3
      satlife knuth sat-life-grid-spaceships 7 16 3 1 | satlife solve | sat-life-filter
      satlife knuth sat-life-grid90-cycle 8 8 5 --format dimacs -o p5.cnf
    """


def _print(
    program: Program,
    arguments: tuple[int, ...],
    form: str,
    output: str,
    cells: list[tuple[int, int]],
) -> None:
    program.validate(*arguments)
    if caution := program.caution(*arguments):
        say(f"satlife: warning: {caution}")
    if form == "dimacs":
        formula = program(*arguments, cells=cells)
        with open_output(output) as file:
            dimacs.write(formula, file)
        return
    try:
        pieces = program.text(*arguments, cells=cells, on_long_name=warn_of_long_names)
    except UsageError as error:
        raise UsageError(f"{error}  --format dimacs has no such limit.") from None
    with open_output(output) as file:
        write_pieces(pieces, file)


def _read_cells(source: str) -> list[tuple[int, int]]:
    """Read a pattern in any format, as (row, column) pairs from 1."""
    pattern = name_any(read_source(source))
    if not isinstance(pattern, Pattern):
        why = pattern.torus.describe_refusal() if pattern.torus else pattern.describe_unknown()
        raise UsageError(f"{why}; sat-life takes * and . only")
    return [(y + 1, x + 1) for x, y in pattern.coordinates.tolist()]


def _command(program: Program) -> click.Command:
    parameters: list[click.Parameter] = [
        click.Argument([parameter.name], type=int, metavar=parameter.name)
        for parameter in program.parameters
    ]
    parameters += [
        click.Option(
            ["--format", "form"],
            type=click.Choice(["knuth", "dimacs"]),
            default="knuth",
            show_default=True,
            help="Knuth's SAT format, or DIMACS with the names in comment lines.",
        ),
        click.Option(["-o", "--output"], default="-", help="The file to write (.gz, .xz: packed)."),
    ]
    if program.reads_pattern:
        parameters.append(
            click.Option(
                ["--input", "source"],
                default="-",
                help="The pattern: a file, -, RLE, an apgcode, a name.",
            )
        )

    def callback(form: str, output: str, source: str = "-", **numbers: int) -> None:
        arguments = tuple(numbers[parameter.name] for parameter in program.parameters)
        cells: list[tuple[int, int]] = []
        if program.reads_pattern:
            program.validate(*arguments)
            cells = _read_cells(source)
        _print(program, arguments, form, output, cells)

    meanings = "\n".join(f"  {p.name}  {p.meaning}" for p in program.parameters)
    pattern = " < pattern.cells" if program.reads_pattern else ""
    example = " ".join(map(str, program.example))
    return Command(
        program.name,
        callback=callback,
        params=parameters,
        help=f"{program.description}\n\n\b\nParameters:\n{meanings}\n\n\b\nExample:\n"
        f"  satlife knuth {program.name} {example}{pattern}",
        short_help=program.summary,
        # A negative number is not an option; only sat-life-upper takes them.
        context_settings={"ignore_unknown_options": any(p.least < 0 for p in program.parameters)},
    )


for _program in PROGRAMS:
    command.add_command(_command(_program))
