"""``satlife campaign``: many searches, on this machine or on many, with nothing lost."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satlife.cli import ending
from satlife.cli.ending import say
from satlife.cli.quantities import MEMORY, TIME
from satlife.errors import UsageError

if TYPE_CHECKING:
    from satlife.campaign.ledger import Ledger


class CampaignGroup(click.Group):
    """Has the commands below in their order, and ``serve`` from a module of its own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order in which one needs them."""
        return [*self.commands, "serve"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import ``serve`` when it is asked for: it needs the extra ``cluster``."""
        if cmd_name == "serve":
            serve: click.Command = import_module("satlife.cli.serving").command
            return serve
        return super().get_command(ctx, cmd_name)


@click.group(name="campaign", cls=CampaignGroup)
def command() -> None:
    """Run a plan of many searches; stop it, go on, and look at the results.

    A plan (plan.toml) says what to search: kinds, rules, periods, speeds, symmetries, boxes. What
    becomes of it stands in a ledger beside it (plan.db), so it survives the end of any process.

    \b
    Examples:
      satlife campaign plan plan.toml --dry-run
      satlife campaign run plan.toml --jobs 4
      satlife campaign status plan.toml --watch
      satlife campaign results plan.toml --html results.html
    """


ledger_option: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--ledger",
    "where",
    metavar="FILE",
    envvar="SATLIFE_LEDGER",
    help="The ledger: a file (default: the plan's name with .db), or postgresql://… "
    "[SATLIFE_LEDGER]",
)
"""Says where the ledger is."""


def find_ledger(plan: str, where: str | None) -> str:
    """Say where the ledger is: as told, or beside the plan; a ledger may stand for its plan."""
    if where is not None:
        return where
    return plan if is_ledger(plan) else str(Path(plan).with_suffix(".db"))


def is_ledger(plan: str) -> bool:
    """Whether a ledger was given in the place of its plan."""
    return plan.endswith((".db", ".sqlite")) or "://" in plan


def write_again(plan: str, where: str | None) -> str:
    """Write the plan, and the ledger if it was given, as in a command."""
    words = ["PLAN", "--ledger", plan] if is_ledger(plan) and where is None else [plan]
    return shlex.join(words if where is None else [*words, "--ledger", where])


def open_existing(plan: str, where: str | None) -> Ledger:
    """Open the ledger of a plan that has been begun; it must not be another plan's."""
    from satlife.campaign.ledger import open_ledger

    place, same = find_ledger(plan, where), write_again(plan, where)
    if "://" not in place and not Path(place).exists():
        raise UsageError(f"there is no ledger {place}; satlife campaign run {same} makes it")
    ledger = open_ledger(place, create=False)
    if not is_ledger(plan) and Path(plan).exists():
        from satlife.campaign.local import check_ledger
        from satlife.campaign.plan import Plan

        try:
            check_ledger(ledger, Plan.read(plan), place)
        except BaseException:
            ledger.close()
            raise
    return ledger


@command.command("plan")
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option("--dry-run", is_flag=True, help="Only show what there is to do; write nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print every task, one JSON object per line.")
def plan_command(plan: str, where: str | None, dry_run: bool, as_json: bool) -> None:
    """Check a plan, count its tasks and guess their cost.

    Without --dry-run the ledger is made, too. The cost is a guess from the sizes alone, as if
    nothing were implied and every task went on until its answer or its time limit.

    \b
    Examples:
      satlife campaign plan plan.toml --dry-run
      satlife campaign plan plan.toml --dry-run --json | head
    """
    from satlife.campaign.ledger import open_ledger
    from satlife.campaign.local import check_ledger
    from satlife.campaign.plan import Plan
    from satlife.cli.campaigning import print_plan, print_tasks

    read = Plan.read(plan)
    if as_json:
        print_tasks(read)
    else:
        print_plan(read)
    if not dry_run:
        place = find_ledger(plan, where)
        with open_ledger(place) as ledger:
            check_ledger(ledger, read, place)
            ledger.begin(read.name, read.to_toml())
        say(f"the ledger is {place}")


@command.command("run")
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=1024),
    metavar="N",
    help="So many tasks at a time (default: one for each processor).",
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but the result.")
def run_command(plan: str, where: str | None, jobs: int | None, quiet: bool) -> None:
    """Run a plan on this machine; a plan that was begun goes on.

    Child processes solve, one file is the ledger; no server is needed. Ctrl-C stops, and the same
    command goes on. It ends with 0 when every task has its answer, with 3 when some are undecided
    or have failed.

    \b
    Examples:
      satlife campaign run plan.toml
      satlife campaign run plan.toml --jobs 8
    """
    from satlife.cli.campaigning import run_plan

    place, same = find_ledger(plan, where), write_again(plan, where)
    met = run_plan(plan, place, jobs, quiet, same)
    sys.exit(ending.FOUND if met else ending.UNDECIDED)


@command.command("status")
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--watch", is_flag=True, help="Show it again every second, until Ctrl-C or the end.")
def status_command(plan: str, where: str | None, as_json: bool, watch: bool) -> None:
    """Show how far a campaign is: done, found, impossible, rate, time left, last finds.

    \b
    Examples:
      satlife campaign status plan.toml
      satlife campaign status plan.toml --watch
      satlife campaign status plan.toml --json
    """
    from satlife.campaign.lock import is_held
    from satlife.cli.campaigning import print_status

    place = find_ledger(plan, where)

    def look() -> bool | None:
        return None if "://" in place else is_held(Path(f"{place}.lock"))

    with open_existing(plan, where) as ledger:
        print_status(ledger, as_json, watch, look, write_again(plan, where))


@command.command("results")
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option("--rle", metavar="FILE", help="Write every find as RLE into one file.")
@click.option("--html", metavar="FILE", help="Write a page with pictures; it needs no other file.")
def results_command(
    plan: str, where: str | None, as_json: bool, rle: str | None, html: str | None
) -> None:
    """Show what was found, and where each question stands; at any time.

    \b
    Examples:
      satlife campaign results plan.toml
      satlife campaign results plan.toml --html results.html --rle finds.rle
      satlife campaign results plan.toml --json
    """
    from satlife.campaign.results import collect
    from satlife.cli.campaigning import plan_title, print_results, write_file

    with open_existing(plan, where) as ledger:
        results, title = collect(ledger), plan_title(ledger)
    if html:
        from satlife.campaign.page import draw_page

        write_file(html, draw_page(results, title))
    if rle:
        write_file(rle, "".join(find.to_rle() for find in results.finds))
    if as_json or not (rle or html):
        print_results(results, as_json)


@command.command("retry")
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option("--undecided", is_flag=True, help="Those that were given up.")
@click.option("--failed", is_flag=True, help="Those that failed: whose solvers died.")
@click.option("--timeout", type=TIME, metavar="TIME", help="Give up after this time (1h).")
@click.option("--memory", type=MEMORY, metavar="SIZE", help="Give up beyond this (4G).")
def retry_command(
    plan: str,
    where: str | None,
    undecided: bool,
    failed: bool,
    timeout: float | None,
    memory: float | None,
) -> None:
    """Queue undecided or failed tasks again, with other limits; run then tries them.

    A limit that is not given stays as it was.

    \b
    Examples:
      satlife campaign retry plan.toml --undecided --timeout 1h
      satlife campaign retry plan.toml --failed --memory 8G
    """
    from satlife.cli.campaigning import retry

    if not (undecided or failed):
        raise UsageError("say which: --undecided, --failed, or both")
    with open_existing(plan, where) as ledger:
        count = retry(ledger, undecided, failed, timeout, memory)
    tasks = f"{count} task{'' if count == 1 else 's'}"
    same = write_again(plan, where)
    say(f"{tasks} queued again; satlife campaign run {same} tries them" if count else "none to try")


@command.command("export")
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option("-o", "--output", default="-", metavar="FILE", help="Where it goes; .gz is packed.")
def export_command(plan: str, where: str | None, output: str) -> None:
    """Write the ledger as JSON Lines: everything that happened, for merge elsewhere.

    \b
    Examples:
      satlife campaign export plan.toml -o mine.jsonl.gz
    """
    from satlife.campaign.ledger import export
    from satlife.cli.files import open_output

    with open_existing(plan, where) as ledger, open_output(output) as file:
        for line in export(ledger):
            file.write(line)


@command.command("merge")
@click.argument("plan", metavar="PLAN")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@ledger_option
def merge_command(plan: str, files: tuple[str, ...], where: str | None) -> None:
    """Take in what others have exported; the same file twice changes nothing.

    \b
    Examples:
      satlife campaign merge plan.toml anna.jsonl.gz bert.jsonl.gz
    """
    merge_files(None if is_ledger(plan) else plan, find_ledger(plan, where), files)


def merge_files(path: str | None, place: str, names: tuple[str, ...]) -> None:
    """Take in exported ledgers; a ledger that was made for a refused file is removed again."""
    from satlife.campaign.ledger import merge, open_ledger
    from satlife.campaign.local import check_ledger
    from satlife.campaign.plan import Plan
    from satlife.cli.files import open_input

    plan = None if path is None else Plan.read(path)
    is_new = "://" not in place and not Path(place).exists()
    try:
        with open_ledger(place) as ledger:
            if plan is not None:
                check_ledger(ledger, plan, place)
                ledger.begin(plan.name, plan.to_toml())
            for name in names:
                try:
                    with open_input(name) as file:
                        count = merge(ledger, file)
                except UsageError as error:
                    words = re.sub(r"\b([0-9a-f]{12})[0-9a-f]{52}\b", r"\1", str(error))
                    raise UsageError(f"{name}: {words}") from None
                finally:
                    is_new = is_new and ledger.counts().total == 0
                say(f"{name}: {count} event{'' if count == 1 else 's'} taken in")
    except BaseException:
        if is_new:
            Path(place).unlink(missing_ok=True)
        raise
