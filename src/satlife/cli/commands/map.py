"""``satlife map``: one question, answered for every rule of a set."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from satlife.cli import endings
from satlife.cli.endings import Stopping, say, stopping
from satlife.cli.files import open_output
from satlife.cli.group import SuggestingGroup
from satlife.cli.help import Command
from satlife.cli.printing import print_line, print_record
from satlife.cli.quantities import MEMORY, TIME, set_deadline
from satlife.cli.search.asked import build_problem
from satlife.cli.search.options import make_command
from satlife.cli.search.progress import reporting
from satlife.engine import Options, Run
from satlife.errors import UsageError
from satlife.kinds import KINDS, Kind
from satlife.life.catalogue import write_ranges
from satlife.life.rule import Rule
from satlife.lock import only_runner
from satlife.quantities import write_count
from satlife.rulemaps import Region, RuleMap, make_map
from satlife.rulemaps.folder import (
    STATES,
    add_region,
    begin_map,
    finish_map,
    read_map,
    write_region,
)
from satlife.rulemaps.maker import prove_map
from satlife.rulemaps.map_check import proof_folder
from satlife.rulemaps.page import describe_map, name_one
from satlife.rulemaps.remainder import check_question
from satlife.rulemaps.rulemap import UNDECIDED, WORDS

RULES = click.Option(
    ["--rules", "rule"],
    default="outer-totalistic",
    show_default=True,
    metavar="RULES",
    help="The rules: 'B3[4]/S2[3]' (free entries in brackets), 'B?/S23', outer-totalistic …",
)
OPTIONS: tuple[click.Option, ...] = (
    click.Option(
        ["-o", "--output", "--save", "folder"],
        metavar="FOLDER",
        help="Keep the map there, and continue a map that was begun there.",
    ),
    click.Option(["--prove"], is_flag=True, help="Add a certificate for each impossible region."),
    click.Option(["--solver"], metavar="NAME", help="The solver; satlife list solvers."),
    click.Option(
        ["--timeout"], type=TIME, metavar="TIME", help="Stop after this time by the clock (10m)."
    ),
    click.Option(
        ["--memory"],
        type=MEMORY,
        metavar="SIZE",
        help="Stop when satlife, building, or the solver takes more (4G).",
    ),
    click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object per region."),
    click.Option(["--export"], metavar="FILE", help="Write the finds as a glider database."),
)


class MapGroup(SuggestingGroup):
    """A command for each kind of search for objects in a box, and one to look up a rule."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the kinds, and of the others."""
        kinds = [kind.name for kind in KINDS if kind.takes("rule") and kind.embeds]
        return [*kinds, *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Build the command of a kind, or return another one."""
        kinds = (kind for kind in KINDS if kind.name in self.list_commands(ctx))
        built = (_command(kind) for kind in kinds if kind.name == cmd_name)
        return next(built, None) or super().get_command(ctx, cmd_name)


@click.group(name="map", cls=MapGroup)
def command() -> None:
    """Answer one question for every rule of a set: which rules have such a pattern?

    Every rule is found, with a pattern, or impossible.  A pattern settles all rules in which it
    works, and a refutation all rules that agree on the entries it needs, so that a few dozen
    answers are enough for the 131,072 outer-totalistic rules without B0.

    Ships may be of any length: in --box '5x*', every rule has a ship of that width, or a closed set
    of states of the search by rows shows that it has none.  The width has at most 6 free cells.
    satlife check needs no --prove for such a map: the states are kept in FOLDER (states.xz).

    FOLDER gets the regions of rules with their patterns (regions.jsonl), a picture (map.png) and a
    page to look up any rule (index.html), as satlife map look-up does.  A map that was stopped is
    continued.

    Exit codes: 0 every rule has an answer; 3 some are undecided.

    \b
    Examples:
      satlife map ship c/2 --box 5x5 -o c2-5x5
      satlife map ship c/3 --box '4x*' -o c3-4
      satlife map oscillator 3 --box 4x4 --rules 'B3[4][5][6]/S2[3][4]'
      satlife map ship c/2 --box 4x4 --prove -o c2-4x4
      satlife check c2-4x4
      satlife map look-up c2-4x4 B3/S124
      satlife map ship c/2 --box 5x5 --export c2-5x5.db
    """


@command.command(name="look-up", cls=Command)
@click.argument("folder", metavar="FOLDER")
@click.argument("rule", metavar="RULE")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def look_up(folder: str, rule: str, as_json: bool) -> None:
    """Look up one rule in a map: a pattern, or that there is none.

    FOLDER is where satlife map has kept the map.  RULE is B3/S124, b3s124, a name, or another
    notation of a rule of the map.

    Exit codes: 0 there is such a pattern; 1 there is none; 3 the map is not finished, and has no
    answer for this rule.

    \b
    Examples:
      satlife map look-up c2-5x5 HighLife
      satlife map look-up c2-5x5 B3/S124 | satlife show -
    """
    made, one = read_map(folder), Rule(rule)
    region, what = made.look_up(one), name_one(made.problem)
    code = endings.UNDECIDED
    answer = f"undecided: the map has no answer for {one} yet"
    if region and region.pattern:
        code = endings.FOUND
        answer = f"found: {one} has {what}; this one works in all rules {region.rules}"
        if not as_json:
            print_line(region.pattern.with_rule(one).to_rle())
    elif region:
        code, proof = endings.IMPOSSIBLE, proof_folder(Path(folder), made.regions.index(region) + 1)
        by = f"; the proof is {proof}" if proof.is_dir() else ""
        if region.closed is not None:
            is_there = (Path(folder) / STATES).is_file()
            where = f" in {STATES} show it" if is_there else f" showed it, but {STATES} is missing"
            by = f"; {write_count(region.closed.count, 'state')}{where}"
        answer = f"impossible: {one} does not have {what}"
        answer += f"; nor do the other rules {region.rules}{by}"
    if as_json:
        record = write_region(region) if region else {"answer": WORDS[UNDECIDED]}
        print_record({"rule": str(one)} | record)
    else:
        say(answer)
    sys.exit(code)


def _command(kind: Kind) -> click.Command:
    note = "This asks for every rule of a set."
    return make_command(kind, _run, {"The map": OPTIONS}, note, {"rule": RULES})


def _run(kind: Kind, options: dict[str, Any]) -> None:
    given = {option.name: options.pop(option.name) for option in OPTIONS if option.name}
    problem = build_problem(kind, options)
    check_question(problem)
    folder = None if given["folder"] is None else Path(given["folder"])
    if given["prove"] and folder is None:
        raise UsageError("--prove writes certificates; give a folder with -o FOLDER")
    export = None if given["export"] is None else Path(given["export"])
    if export and (export.is_dir() or not export.parent.is_dir()):
        raise UsageError(f"--export {export}: name a file, in a folder that exists")
    deadline = set_deadline(given["timeout"])
    given["timeout"] = None if deadline.seconds is None else deadline
    why = ""
    with stopping() as signals, _locked(folder):
        before = RuleMap(problem) if folder is None else begin_map(problem, folder)
        with reporting(given["as_json"], deadline) as report:
            made = _make(before, folder, given, report.show, signals)
            if folder and given["prove"] and made.is_complete:
                why = _prove(made, folder, given, report.show, signals)
        if export:
            found = ((each.pattern, each.rules) for each in made.regions if each.pattern)
            with open_output(str(export)) as file:
                file.write(write_ranges(found).encode())
        _print(made, given["as_json"])
        if not made.is_complete or why:
            stopped = signals.signal.why if signals.signal else ""
            say(f"unfinished: {stopped or made.reason or why}")
            sys.exit(endings.UNDECIDED)


@contextmanager
def _locked(folder: Path | None) -> Iterator[None]:
    """Lock the folder against other writers: the lock is a file beside it."""
    if folder is None:
        yield
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with only_runner(folder.with_name(f"{folder.name}.lock"), "map"):
        yield


def _make(
    before: RuleMap,
    folder: Path | None,
    given: dict[str, Any],
    show: Callable[[str], None],
    signals: Stopping,
) -> RuleMap:
    """Make the map; all answers until its end, or until Ctrl-C, are in the folder."""
    regions = list(before.regions)

    def keep(region: Region, left: int) -> None:
        regions.append(region)
        show(f"{write_count(len(regions), 'region')}, {write_count(left, 'rule')} left")
        if folder is not None:
            add_region(folder, region)

    def begin(run: Run) -> None:
        signals.hand_to(lambda _: run.stop())

    how = {name: given[name] for name in ("solver", "timeout", "memory")}
    made = RuleMap(before.problem, seconds=before.seconds)
    try:
        made = make_map(before.problem, before.regions, keep, begin, **how)
    finally:
        made = replace(made, regions=tuple(regions), seconds=before.seconds + made.seconds)
        if folder is not None:
            finish_map(made, folder)
    return made


def _prove(
    made: RuleMap,
    folder: Path,
    given: dict[str, Any],
    show: Callable[[str], None],
    signals: Stopping,
) -> str:
    """Write the certificates; return the reason if some are missing."""
    stop = threading.Event()
    signals.hand_to(lambda _: stop.set())
    options = Options(timeout=given["timeout"], memory=given["memory"])
    return prove_map(made, folder, options=options, tell=show, stop=stop)


def _print(made: RuleMap, as_json: bool) -> None:
    if as_json:
        for region in made.regions:
            print_record(write_region(region))
        print_record(made.counts | {"seconds": made.seconds})
        return
    for region in made.regions:
        if region.pattern is not None:
            print_line(f"{region.rules}  {region.pattern.normalized.to_rle().splitlines()[-1]}")
    found = sum(region.pattern is not None for region in made.regions)
    others = len(made.regions) - found
    print_line(f"{describe_map(made)}.")
    with_pattern = f"{found} region{'' if found == 1 else 's'} with a pattern"
    say(f"{with_pattern}, {others} without; {made.seconds:.1f} s of processor time")
