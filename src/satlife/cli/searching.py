"""Running a search from the command line: the options that say how, and the report."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

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

WHICH: tuple[click.Option, ...] = (
    click.Option(["--all", "everything"], is_flag=True, help="Find all, each class once."),
    click.Option(["--limit"], type=click.IntRange(min=1), metavar="N", help="Find at most N."),
    click.Option(["--count", "only_count"], is_flag=True, help="Find all, print their number."),
    click.Option(["--raw"], is_flag=True, help="Count copies, mirror images and phases too."),
    click.Option(
        ["--continue", "journal"],
        metavar="FILE",
        help="Go on after what FILE holds.",
    ),
    click.Option(
        ["--reject"],
        multiple=True,
        metavar="WHAT",
        help="Not this: known, a pattern file, an apgcode.",
    ),
    click.Option(["--only-connected"], is_flag=True, help="Nothing made of independent parts."),
    click.Option(
        ["--minimize"],
        metavar="MEASURES",
        help="The least population, area, rotor …; several: rotor,population.",
    ),
    click.Option(["--maximize"], metavar="MEASURES", help="The most of it."),
    click.Option(
        ["--grow"],
        type=click.Choice(["width", "height", "both"]),
        help="Let the box grow until it holds one.",
    ),
)
"""Which solutions are wanted."""

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

    def callback(**options: Any) -> None:
        output = Output(options.pop("as_json"), options.pop("quiet"), options.pop("output"))
        which = {option.name: options.pop(option.name) for option in WHICH if option.name}
        how = make_how(options)
        run(lambda **changes: kind.make(**(options | changes)), how, which, output)

    return click.Command(
        kind.name,
        callback=callback,
        params=[*kind.parameters, *WHICH, *HOW, *OUTPUT],
        help=kind.help,
        short_help=kind.summary,
    )


@dataclass
class Output:
    """Where answers go, and how much is said."""

    as_json: bool
    quiet: bool
    file: str
    begun: bool = False

    def write(self, text: str) -> None:
        """Write a piece of the result; the second piece goes behind the first."""
        if self.file == "-":
            sys.stdout.write(text)
            sys.stdout.flush()
            return
        with Path(self.file).open("a" if self.begun else "w", encoding="utf-8") as file:
            file.write(text)
        self.begun = True

    def write_json(self, record: dict[str, Any]) -> None:
        """Write a record as one line."""
        import msgspec

        self.write(msgspec.json.encode(record).decode() + "\n")

    def say(self, message: str) -> None:
        """Say something beside the result."""
        if not (self.quiet or self.as_json):
            say(message)


def run(make: Callable[..., Problem], how: How, which: dict[str, Any], output: Output) -> NoReturn:
    """Do what the options ask for: one, the best, all, or the smallest box."""
    if which["minimize"] or which["maximize"]:
        from satlife.cli.optimising import run_optimum

        run_optimum(make(), how, which, output)
    if which["grow"]:
        from satlife.cli.optimising import run_growth

        run_growth(make, how, which, output)
    several = ("everything", "limit", "only_count", "raw", "journal", "reject", "only_connected")
    if any(which[name] for name in several):
        from satlife.cli.collecting import run_enumeration

        run_enumeration(make(), how, which, output)
    run_search(make(), how, output)


def run_search(problem: Problem, how: How, output: Output) -> NoReturn:
    """Search, report, and leave with the code that the answer has."""
    from satlife.search import search

    with reporting(output.quiet or output.as_json, how.limits.seconds) as report:
        outcome = search(problem, replace(how, progress=report.progress, on_built=report.built))
    print_outcome(outcome, output)
    sys.exit(exit_code(problem, outcome))


def exit_code(problem: Problem, outcome: Outcome) -> int:
    """Return the exit code of an answer."""
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


def print_outcome(outcome: Outcome, output: Output) -> None:
    """Print an answer: the result to the output, words to standard error."""
    from satlife.search import Found, Impossible, describe

    if output.as_json:
        output.write_json(as_record(outcome))
        return
    match outcome:
        case Found(finding):
            output.write(as_rle(finding))
            message = f"found: {identity_words(finding)}"
            if finding.problem.kind == "orphan":
                message = "not an orphan: this is a parent"
        case Impossible(problem, reason):
            message = f"impossible ({reason}): there is no {describe(problem)[2:]}"
            if problem.kind == "orphan":
                message = f"an orphan: nothing becomes this ({reason})"
        case undecided:
            message = f"undecided ({undecided.reason}): neither found nor refuted"
    output.say(f"{message}{_effort_words(outcome)}")


def identity_words(finding: Finding) -> str:
    """Say what was found, in a line."""
    from satlife.life import identify
    from satlife.search.kinds.reaction import catalyst, has_catalyst

    if has_catalyst(finding.problem):
        return f"{identify(catalyst(finding))}"
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
    from satlife.life import identify
    from satlife.search.kinds.reaction import catalyst, has_catalyst

    lines = []
    if finding.problem.motion is not None and finding.problem.boundary == "dead":
        identity = finding.identity
        lines += [f"#N {identity.name}"] if identity.name else []
        lines += [f"#C {identity}"]
    if has_catalyst(finding.problem):
        lines += [f"#C {identify(catalyst(finding))}"]
    command = shlex.join(["satlife", *sys.argv[1:]])
    lines += [f"#C Found and verified by {command}"]
    text = finding.pattern.to_rle()
    if finding.problem.boundary == "torus":
        # The whole tile: its dead margins matter.
        from satlife.life import PartialPattern

        tile = finding.problem.all_boxes[0]
        lines += [f"#C One tile of {tile} of a pattern that fills the plane"]
        text = PartialPattern.from_pattern(finding.pattern, tile).to_rle()
    return "\n".join([*lines, text]) + "\n"


def as_record(outcome: Outcome) -> dict[str, Any]:
    """Turn an outcome into what ``--json`` prints; docs/reference/json.md explains it."""
    import msgspec

    from satlife.life import identify
    from satlife.search import Found, Impossible
    from satlife.search.kinds.reaction import catalyst, has_catalyst

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
            if has_catalyst(problem):
                alone = catalyst(finding)
                record["catalyst"] = {"rle": alone.to_rle(), "identity": identify(alone).to_dict()}
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
