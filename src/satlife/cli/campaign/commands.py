"""``satlife campaign``: run many searches, on this machine or on many, and lose nothing."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import click

from satlife.cli import endings
from satlife.cli.campaign.ledgers import (
    find_ledger,
    is_ledger,
    keep_option,
    ledger_option,
    open_existing,
    warn_if_edited,
    write_again,
)
from satlife.cli.endings import say
from satlife.cli.group import SuggestingGroup
from satlife.cli.quantities import MEMORY, TIME
from satlife.errors import UsageError

LATER = {
    "certificates": "certificates.command",
    "check": "upkeep.check_command",
    "backup": "upkeep.backup_command",
    "serve": "serve.command",
    "dispatch": "dispatch.command",
    "volunteers": "volunteers.command",
}
"""Commands in modules of their own, which are imported when they are used."""


class CampaignGroup(SuggestingGroup):
    """The commands below, in their order, and those of other modules."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order in which they are used."""
        return [*self.commands, *LATER]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; import it only when it is used."""
        if cmd_name in LATER:
            module, _, name = LATER[cmd_name].partition(".")
            found: click.Command = getattr(import_module(f"satlife.cli.campaign.{module}"), name)
            return found
        return super().get_command(ctx, cmd_name)


@click.group(name="campaign", cls=CampaignGroup)
def command() -> None:
    """Run a plan of many searches; stop it, continue it, and look at the results.

    A plan (plan.toml) says what to search for: kinds, rules, periods, speeds, symmetries, boxes.
    Its progress is in a ledger beside it (plan.db), so that nothing is lost when a process ends.

    \b
    Examples:
      satlife campaign plan plan.toml --dry-run
      satlife campaign run plan.toml --jobs 4
      satlife campaign status plan.toml --watch
      satlife campaign results plan.toml --html results.html
    """


@command.command("plan")
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option("--dry-run", is_flag=True, help="Show what there is to do; write nothing.")
@click.option("--calibrate", is_flag=True, help="Measure this machine, for a better estimate.")
@click.option("--json", "as_json", is_flag=True, help="Print every task, one JSON object per line.")
def plan_command(
    plan: str, where: str | None, dry_run: bool, calibrate: bool, as_json: bool
) -> None:
    """Check a plan, count its tasks and estimate their cost.

    Without --dry-run the ledger is created too. The cost is estimated from the sizes alone, by a
    fit to measured tasks, as if nothing were found and every task ran until its answer or its time
    limit. --calibrate runs a short search first, to know how fast this machine is.

    \b
    Examples:
      satlife campaign plan plan.toml --dry-run
      satlife campaign plan plan.toml --dry-run --json | head
    """
    from satlife.campaign.ledger import open_ledger
    from satlife.campaign.plan import Plan
    from satlife.cli.campaign.words import print_plan, print_tasks

    read = Plan.read(plan)
    if as_json:
        print_tasks(read)
    else:
        speed = None
        if calibrate:
            from satlife.campaign.local.speed import measure_speed

            speed = measure_speed()
        print_plan(read, speed)
    if not dry_run:
        place = find_ledger(plan, where)
        with open_ledger(place) as ledger:
            ledger.begin(read.name, read.to_toml())
        say(f"the ledger is {place}")


@command.command("run")
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=1024),
    metavar="N",
    help="Tasks to run at the same time (default: one for each processor).",
)
@keep_option
@click.option("-q", "--quiet", is_flag=True, help="Print only the result.")
def run_command(
    plan: str, where: str | None, jobs: int | None, keep: Path | None, quiet: bool
) -> None:
    """Run a plan on this machine, from where it was stopped.

    Child processes solve the tasks, and one file is the ledger; no server is needed. Ctrl-C stops
    the run, and the same command continues it. The exit code is 0 when every task has an answer,
    and 3 when some are undecided or have failed.

    \b
    Examples:
      satlife campaign run plan.toml
      satlife campaign run plan.toml --jobs 8
      satlife campaign run plan.toml --keep-proofs proofs
    """
    from satlife.cli.campaign.words import run_plan

    place, same = find_ledger(plan, where), write_again(plan, where)
    met = run_plan(plan, place, jobs, quiet, same, keep)
    sys.exit(endings.FOUND if met else endings.UNDECIDED)


@command.command("status")
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--watch", is_flag=True, help="Update it every second, until Ctrl-C or the end.")
def status_command(plan: str, where: str | None, as_json: bool, watch: bool) -> None:
    """Show the progress of a campaign: done, found, impossible, rate, time left, last finds.

    If a recorder serves it to many machines: also who works and how fast, which task has waited
    longest, and whose messages were refused and why. EDITED means that the ledger contradicts
    itself: satlife campaign check says where.

    \b
    Examples:
      satlife campaign status plan.toml
      satlife campaign status plan.toml --watch
      satlife campaign status plan.toml --json
    """
    from satlife.campaign.local.lock import is_held
    from satlife.cli.campaign.words import print_status

    place = find_ledger(plan, where)

    def look() -> bool | None:
        return None if "://" in place else is_held(Path(f"{place}.lock"))

    with open_existing(plan, where) as ledger:
        print_status(ledger, as_json, watch, look, write_again(plan, where))


@command.command("results")
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option("--rle", metavar="FILE", help="Write every find as RLE to one file.")
@click.option("--html", metavar="FILE", help="Write a page with pictures, as a single file.")
@click.option("--map", "folder", metavar="FOLDER", help="Write the map, as satlife map does.")
def results_command(
    plan: str,
    where: str | None,
    as_json: bool,
    rle: str | None,
    html: str | None,
    folder: str | None,
) -> None:
    """Show the finds and the state of each question, at any time.

    \b
    Examples:
      satlife campaign results plan.toml
      satlife campaign results plan.toml --html results.html --rle finds.rle
      satlife campaign results plan.toml --json
      satlife campaign results plan.toml --map c2-5x5
    """
    from satlife.campaign.results import collect
    from satlife.campaign.work import read_work
    from satlife.cli.campaign.words import plan_title, print_records, print_results, write_file
    from satlife.cli.own import own_names

    with open_existing(plan, where) as ledger:
        warn_if_edited(ledger, write_again(plan, where))
        if folder:
            from satlife.cli.campaign.upkeep import write_maps

            write_maps(ledger, folder)
        if as_json:
            print_records(ledger)
        if (as_json or folder) and not (rle or html):
            return
        results, title = collect(ledger, own_names()), plan_title(ledger)
        work = read_work(ledger)
    if html:
        from satlife.campaign.page import draw_page

        write_file(html, draw_page(results, title, work))
    if rle:
        write_file(rle, "".join(find.to_rle() for find in results.finds))
    if not (as_json or rle or html):
        print_results(results)


@command.command("retry")
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option("--undecided", is_flag=True, help="Tasks that reached their limits.")
@click.option("--failed", is_flag=True, help="Tasks that failed because their solvers died.")
@click.option("--claims", is_flag=True, help="Impossibilities without a checked proof.")
@click.option("--timeout", type=TIME, metavar="TIME", help="Give up after this time (1h).")
@click.option("--memory", type=MEMORY, metavar="SIZE", help="Give up beyond this (4G).")
def retry_command(
    plan: str,
    where: str | None,
    undecided: bool,
    failed: bool,
    claims: bool,
    timeout: float | None,
    memory: float | None,
) -> None:
    """Queue undecided or failed tasks, or claims, again for the next run, with other limits.

    A limit that is not given stays as it was. With --claims, what follows from a claim is queued
    again too.

    \b
    Examples:
      satlife campaign retry plan.toml --undecided --timeout 1h
      satlife campaign retry plan.toml --failed --memory 8G
      satlife campaign retry plan.toml --claims
    """
    from satlife.campaign.core.events import Status
    from satlife.campaign.retry import retry, retry_claims

    if not (undecided or failed or claims):
        raise UsageError("nothing to retry; give --undecided, --failed or --claims")
    statuses = [Status.UNDECIDED] * undecided + [Status.FAILED] * failed
    with open_existing(plan, where) as ledger:
        size = None if memory is None else int(memory)
        count = retry(ledger, statuses, timeout, size)
        count += retry_claims(ledger, timeout, size) if claims else 0
    tasks = f"{count} task{'' if count == 1 else 's'}"
    same = write_again(plan, where)
    words = f"{tasks} queued again; satlife campaign run {same} tries them"
    say(words if count else "no such tasks")


@command.command("revoke")
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option("--worker", required=True, metavar="NAME", help="The user: alice, or alice.desk.")
def revoke_command(plan: str, where: str | None, worker: str) -> None:
    """Take back what rests on the word of one user, and queue it again.

    These are impossibilities without a checked proof, what follows from them, and tasks that the
    user has given up or failed. Patterns and checked proofs stay. A recorder that serves the plan
    refuses everything that the user sends from then on (within 20 seconds, if it is running).

    \b
    Examples:
      satlife campaign revoke plan.toml --worker eve
    """
    from satlife.campaign.core.state import name_user
    from satlife.campaign.retry import revoke

    user = name_user(worker)
    with open_existing(plan, where) as ledger:
        count = revoke(ledger, user)
    tasks = f"{count} task{'' if count == 1 else 's'}"
    say(f"{user}: {tasks} queued again; results of this user are refused from now on")


@command.command("export")
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option("-o", "--output", default="-", metavar="FILE", help="The file; .gz is compressed.")
def export_command(plan: str, where: str | None, output: str) -> None:
    """Write the ledger as JSON Lines: every event, to be merged elsewhere.

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
@click.option("--trust", is_flag=True, help="Believe the files: proofs that were checked count.")
def merge_command(plan: str, files: tuple[str, ...], where: str | None, trust: bool) -> None:
    """Merge exported ledgers into this one; merging a file twice changes nothing.

    Every pattern is simulated again, and what follows from other answers is checked. An
    impossibility counts as claimed, even if a proof was checked elsewhere, and not at all if the
    plan asks for proofs or for a quorum; --trust believes that, and everything else but patterns.
    What is refused is named. Exit codes: 0 everything was taken in; 3 something was refused, or
    contradicts what is here.

    \b
    Examples:
      satlife campaign merge plan.toml anna.jsonl.gz bert.jsonl.gz
      satlife campaign merge plan.toml my-other-machine.jsonl.gz --trust
    """
    from satlife.cli.campaign.upkeep import merge_files

    path = None if is_ledger(plan) else plan
    if not merge_files(path, find_ledger(plan, where), files, trust=trust):
        sys.exit(endings.UNDECIDED)
