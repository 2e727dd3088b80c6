"""Running a search from the command line: the options that say how, and the report."""

from __future__ import annotations

import shlex
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from satlife.cli import ending
from satlife.cli.ending import say
from satlife.cli.kinds import Kind
from satlife.cli.progress import reporting
from satlife.cli.quantities import MEMORY, TIME

if TYPE_CHECKING:
    from satlife.search import Finding, How, Outcome, Problem, Provenance

HOW: tuple[click.Option, ...] = (
    click.Option(["--solver"], metavar="NAME", help="The solver; satlife list solvers."),
    click.Option(["--solver-command"], metavar="COMMAND", help="Any DIMACS solver's command line."),
    click.Option(["--encoding"], metavar="NAME", help="The encoding; satlife list encodings."),
    click.Option(
        ["--break-symmetry/--no-break-symmetry"],
        default=None,
        help="Look at one of several mirror images only: good for refutations, bad for hunts.",
    ),
    click.Option(
        ["--jobs"],
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        metavar="N",
        help="Race so many solvers, encodings and seeds.",
    ),
    click.Option(["--timeout"], type=TIME, metavar="TIME", help="Give up after this time (10m)."),
    click.Option(["--memory"], type=MEMORY, metavar="SIZE", help="Give up beyond this (4G)."),
    click.Option(["--random-seed"], type=int, metavar="N", help="For another first answer."),
)
"""How to search; none of it changes what is asked."""

OUTPUT: tuple[click.Option, ...] = (
    click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object per line."),
    click.Option(["-q", "--quiet"], is_flag=True, help="Say nothing but the result."),
    click.Option(["-o", "--output"], default="-", metavar="FILE", help="Where the pattern goes."),
)


def make_how(options: dict[str, Any]) -> How:
    """Take the options of HOW out of a command's options."""
    from satlife.sat import Limits
    from satlife.search import How
    from satlife.search.encodings import find_encoding

    solver: Any = options.pop("solver")
    command = options.pop("solver_command")
    if command:
        from satlife.sat.solvers import command_solver

        solver = command_solver(command)
    elif solver:
        from satlife.sat import find_solver

        find_solver(solver)
    encoding = options.pop("encoding")
    if encoding:
        find_encoding(encoding)
    memory = options.pop("memory")
    return How(
        solver=solver,
        encoding=encoding,
        break_symmetry=options.pop("break_symmetry"),
        jobs=options.pop("jobs"),
        seed=options.pop("random_seed"),
        limits=Limits(
            seconds=options.pop("timeout"), memory_bytes=None if memory is None else int(memory)
        ),
    )


def search_command(kind: Kind) -> click.Command:
    """Make the command ``satlife KIND``."""

    def callback(as_json: bool, quiet: bool, output: str, **options: Any) -> None:
        how = make_how(options)
        run_search(kind.make(**options), how, as_json=as_json, quiet=quiet, output=output)

    return click.Command(
        kind.name,
        callback=callback,
        params=[*kind.parameters, *HOW, *OUTPUT],
        help=kind.help,
        short_help=kind.summary,
    )


def run_search(problem: Problem, how: How, *, as_json: bool, quiet: bool, output: str) -> None:
    """Search, report, and leave with the code that the answer has."""
    from dataclasses import replace

    from satlife.search import search

    with reporting(quiet or as_json, how.limits.seconds) as report:
        outcome = search(problem, replace(how, progress=report.progress, on_built=report.built))
    code = _exit_code(problem, outcome)
    _print(outcome, as_json=as_json, quiet=quiet, output=output)
    sys.exit(code)


def _exit_code(problem: Problem, outcome: Outcome) -> int:
    from satlife.search import Found, Impossible

    match outcome:
        case Found():
            code = ending.FOUND
        case Impossible():
            code = ending.IMPOSSIBLE
        case _:
            return ending.UNDECIDED
    # The question "is it an orphan?" is answered yes by an impossibility.
    return 1 - code if problem.kind == "orphan" else code


def _print(outcome: Outcome, *, as_json: bool, quiet: bool, output: str) -> None:
    from satlife.cli.files import open_output
    from satlife.search import Found, Impossible

    if as_json:
        import msgspec

        line = msgspec.json.encode(as_record(outcome)) + b"\n"
        with open_output(output) as file:
            file.write(line)
        return
    match outcome:
        case Found(finding):
            with open_output(output) as file:
                file.write(as_rle(finding).encode())
            message = f"found: {_identity_words(finding)}"
            if finding.problem.kind == "orphan":
                message = "not an orphan: this is a parent"
        case Impossible(problem, reason):
            from satlife.search import describe

            if problem.kind == "orphan":
                message = f"an orphan: nothing becomes this ({reason})"
            else:
                message = f"impossible ({reason}): there is no {describe(problem)[2:]}"
        case undecided:
            message = f"undecided ({undecided.reason}): neither found nor refuted"
    if not quiet:
        say(f"{message}{_effort_words(outcome)}")


def _identity_words(finding: Finding) -> str:
    if finding.problem.motion is None or finding.problem.boundary == "torus":
        return f"{finding.pattern.population} cells in {finding.pattern.box}"
    return str(finding.identity)


def _provenance(outcome: Outcome) -> Provenance | None:
    from satlife.search import Found

    return outcome.finding.provenance if isinstance(outcome, Found) else outcome.provenance


def _effort_words(outcome: Outcome) -> str:
    provenance = _provenance(outcome)
    if provenance is None:
        return ""
    seconds = provenance.build_seconds + provenance.solve_seconds
    return f" [{provenance.solver}, {provenance.encoding}, {seconds:.1f} s]"


def as_rle(finding: Finding) -> str:
    """Write a finding as RLE with its name and where it comes from."""
    lines = []
    if finding.problem.motion is not None and finding.problem.boundary == "dead":
        identity = finding.identity
        lines += [f"#N {identity.name}"] if identity.name else []
        lines += [f"#C {identity}"]
    command = shlex.join(["satlife", *sys.argv[1:]])
    lines += [f"#C Found and verified by {command}"]
    return "\n".join([*lines, finding.pattern.to_rle()]) + "\n"


def as_record(outcome: Outcome) -> dict[str, Any]:
    """Turn an outcome into what ``--json`` prints; docs/reference/json.md explains it."""
    import msgspec

    from satlife.search import Found, Impossible

    provenance = _provenance(outcome)
    match outcome:
        case Found(finding):
            problem = finding.problem
            record: dict[str, Any] = {
                "answer": "found",
                "rle": finding.pattern.to_rle(),
                "population": finding.pattern.population,
            }
            if problem.motion is not None and problem.boundary == "dead":
                record["identity"] = finding.identity.to_dict()
        case Impossible(problem, reason):
            record = {"answer": "impossible", "reason": reason}
        case undecided:
            problem = undecided.problem
            record = {"answer": "undecided", "reason": undecided.reason}
    return {
        **record,
        "name": problem.name,
        "problem": msgspec.Raw(problem.to_json()),
        "provenance": None if provenance is None else asdict(provenance),
    }
