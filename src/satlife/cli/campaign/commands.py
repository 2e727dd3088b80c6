"""The commands of ``satlife campaign`` that read and write ledgers of this machine."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from satlife.campaign.certificates import CertificateWriter
from satlife.campaign.core.events import Status
from satlife.campaign.core.votes import name_user
from satlife.campaign.ledger import (
    Ledger,
    Merged,
    compare,
    export,
    is_file,
    merge,
    open_ledger,
    prune,
    read_lines,
)
from satlife.campaign.ledger.ledger import backup
from satlife.campaign.local.task_solver import measure_speed
from satlife.campaign.maps import read_maps
from satlife.campaign.page import draw_page
from satlife.campaign.plan import Plan
from satlife.campaign.plan.plan import WHOLE, Shard
from satlife.campaign.proofs import KeptProofs
from satlife.campaign.results import collect, describe_question
from satlife.campaign.retry import retry, retry_claims, revoke
from satlife.campaign.strict_merge import check_kept, merge_strictly
from satlife.campaign.work import read_work
from satlife.cli import endings
from satlife.cli.campaign import report
from satlife.cli.campaign.ledgers import (
    find_ledger,
    is_ledger,
    keep_option,
    ledger_option,
    open_existing,
    warn_if_edited,
    write_again,
)
from satlife.cli.endings import complain, one_line, say
from satlife.cli.files import open_input, open_output
from satlife.cli.help import Command
from satlife.cli.own import own_names
from satlife.cli.printing import print_line
from satlife.cli.quantities import MEMORY, TIME
from satlife.errors import UsageError
from satlife.lock import is_held
from satlife.quantities import write_count
from satlife.rulemaps import RuleMap
from satlife.rulemaps.folder import begin_map, finish_map, write_regions
from satlife.rulemaps.page import describe_map


@click.command("plan", cls=Command)
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
    read = Plan.read(plan)
    if as_json:
        report.print_tasks(read)
    else:
        report.print_plan(read, measure_speed() if calibrate else None)
    if not dry_run:
        place = find_ledger(plan, where)
        with open_ledger(place) as ledger:
            ledger.begin(read.name, read.to_toml())
        say(f"the ledger is {place}")


@click.command("run", cls=Command)
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=1024),
    metavar="N",
    help="Tasks to run at the same time (default: one for each processor).",
)
@keep_option
@click.option(
    "--shard",
    metavar="I/N",
    help="Run only this part of the plan, 2/4 the second of four; each has its own ledger.",
)
def run_command(
    plan: str, where: str | None, jobs: int | None, keep: Path | None, shard: str | None
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
      satlife campaign run plan.toml --shard 2/4 --ledger two.db
    """
    place, same = find_ledger(plan, where), write_again(plan, where)
    part = WHOLE if shard is None else Shard.parse(shard)
    met = report.run_plan(plan, place, jobs, same, keep, part)
    sys.exit(endings.FOUND if met else endings.UNDECIDED)


@click.command("status", cls=Command)
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--watch", is_flag=True, help="Update it every second, until Ctrl-C or the end.")
def status_command(plan: str, where: str | None, as_json: bool, watch: bool) -> None:
    """Show the progress: done, found, impossible, rate, time left, last finds.

    If a recorder serves it to many machines: also who works and how fast, which task has waited
    longest, and whose messages were refused and why. EDITED means that the ledger contradicts
    itself: satlife campaign check lists the differences.

    \b
    Examples:
      satlife campaign status plan.toml
      satlife campaign status plan.toml --watch
      satlife campaign status plan.toml --json
    """
    place = find_ledger(plan, where)

    def look() -> bool | None:
        return is_held(Path(f"{place}.lock")) if is_file(place) else None

    with open_existing(plan, where) as ledger:
        report.print_status(ledger, as_json, watch, look, write_again(plan, where))


@click.command("results", cls=Command)
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
    with open_existing(plan, where) as ledger:
        warn_if_edited(ledger, write_again(plan, where))
        if folder:
            write_maps(ledger, folder)
        if as_json:
            report.print_records(ledger)
        if (as_json or folder) and not (rle or html):
            return
        results, title = collect(ledger, own_names()), report.plan_title(ledger)
        work = read_work(ledger)
    if html:
        report.write_file(html, draw_page(results, title, work))
    if rle:
        report.write_file(rle, "".join(find.to_rle() for find in results.finds))
    if not (as_json or rle or html):
        report.print_results(results)


@click.command("retry", cls=Command)
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
    """Queue undecided or failed tasks, or claims, again, with other limits.

    A limit that is not given stays as it was. With --claims, what follows from a claim is queued
    again too.

    \b
    Examples:
      satlife campaign retry plan.toml --undecided --timeout 1h
      satlife campaign retry plan.toml --failed --memory 8G
      satlife campaign retry plan.toml --claims
    """
    if not (undecided or failed or claims):
        raise UsageError("nothing to retry; give --undecided, --failed or --claims")
    statuses = [Status.UNDECIDED] * undecided + [Status.FAILED] * failed
    with open_existing(plan, where) as ledger:
        size = None if memory is None else int(memory)
        count = retry(ledger, statuses, timeout, size)
        count += retry_claims(ledger, timeout, size) if claims else 0
    tasks = f"{count} task{'' if count == 1 else 's'}"
    same = write_again(plan, where)
    again = f"{tasks} queued again; satlife campaign run {same} tries them"
    say(again if count else "no such tasks")


@click.command("revoke", cls=Command)
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option("--worker", required=True, metavar="NAME", help="The user: alice, or alice.desk.")
def revoke_command(plan: str, where: str | None, worker: str) -> None:
    """Withdraw the unchecked answers of one user, and queue their tasks again.

    These are impossibilities without a checked proof, what follows from them, and tasks that the
    user has given up or failed. Patterns and checked proofs stay. A recorder that serves the plan
    refuses everything that the user sends from then on (within 20 seconds, if it is running).

    \b
    Examples:
      satlife campaign revoke plan.toml --worker eve
    """
    user = name_user(worker)
    with open_existing(plan, where) as ledger:
        count = revoke(ledger, user)
    tasks = f"{count} task{'' if count == 1 else 's'}"
    say(f"{user}: {tasks} queued again; results of this user are refused from now on")


@click.command("export", cls=Command)
@click.argument("plan", metavar="PLAN")
@ledger_option
@click.option("-o", "--output", default="-", metavar="FILE", help="The file; .gz is compressed.")
def export_command(plan: str, where: str | None, output: str) -> None:
    """Write the ledger as JSON Lines: every event, to be merged elsewhere.

    \b
    Examples:
      satlife campaign export plan.toml -o mine.jsonl.gz
    """
    with open_existing(plan, where) as ledger, open_output(output) as file:
        for line in export(ledger):
            file.write(line)


@click.command("merge", cls=Command)
@click.argument("plan", metavar="PLAN")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@ledger_option
@click.option("--trust", is_flag=True, help="Trust the files: proofs that were checked count.")
@click.option(
    "--proofs",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Check the proofs that were kept there; those that are valid count.",
)
def merge_command(
    plan: str, files: tuple[str, ...], where: str | None, trust: bool, proofs: Path | None
) -> None:
    """Merge exported ledgers into this one; merging a file twice changes nothing.

    Every pattern is simulated again, and what follows from other answers is checked. An
    impossibility counts as claimed, even if a proof was checked elsewhere, and not at all if the
    plan asks for proofs or for a quorum; --trust accepts that, and everything else but patterns,
    and --proofs checks it again. Refused events are named. Exit codes: 0 everything was merged; 3
    something was refused, contradicts the ledger, or lacks the proof that the plan asks for.

    \b
    Examples:
      satlife campaign merge plan.toml anna.jsonl.gz bert.jsonl.gz
      satlife campaign merge plan.toml anna.jsonl.gz --proofs proofs-of-anna
      satlife campaign merge plan.toml my-other-machine.jsonl.gz --trust
    """
    if trust and proofs is not None:
        raise UsageError("--trust accepts what --proofs checks; leave one of them out")
    path, place = None if is_ledger(plan) else plan, find_ledger(plan, where)
    is_clean, unproved = merge_files(path, place, files, trust=trust)
    if proofs is not None:
        is_clean &= _check_proofs(place, proofs)
    is_clean &= _print_unproved(place, unproved, proofs)
    if not is_clean:
        sys.exit(endings.UNDECIDED)


@click.command(name="check", cls=Command)
@click.argument("plan", metavar="PLAN")
@ledger_option
def check_command(plan: str, where: str | None) -> None:
    """Compare the ledger with its log of events, and simulate every find again.

    The log is the truth, and everything else in a ledger follows from it. They differ if somebody
    has edited the database, or if it is damaged. The log also records which proofs were checked;
    satlife campaign certificates needs the proofs themselves. Exit codes: 0 they agree, 4 they
    differ.

    \b
    Examples:
      satlife campaign check plan.toml
      satlife campaign check plan.db
    """
    with open_existing(plan, where) as ledger:
        seen = compare(ledger)
    for difference in seen.words:
        print_line(f"differs: {one_line(difference)}")
    if seen.differences > len(seen.words):
        print_line(f"differs: {seen.differences - len(seen.words):,} more")
    compared = f"{write_count(seen.tasks, 'task')}, {write_count(seen.events, 'event')}"
    compared += f", {write_count(seen.finds, 'find')} simulated"
    verdict = "the tables agree with the log"
    if seen.differences:
        verdict = write_count(seen.differences, "difference")
    print_line(f"{compared}: {verdict}")
    if seen.differences:
        sys.exit(endings.INTERNAL)


@click.command(name="backup", cls=Command)
@click.argument("plan", metavar="PLAN")
@click.argument("target", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@ledger_option
def backup_command(plan: str, target: Path, where: str | None) -> None:
    """Copy the ledger to a new file, while the campaign runs.

    The copy of an SQLite ledger is a ledger itself. The copy of a ledger in PostgreSQL is made by
    pg_dump, and is for pg_restore.

    \b
    Examples:
      satlife campaign backup plan.toml backup.db
      SATLIFE_LEDGER=postgresql://… satlife campaign backup plan.toml backup.dump
    """
    size = backup(find_ledger(plan, where), target)
    say(f"{target}: {size:,} bytes")


@click.command(name="prune", cls=Command)
@click.argument("plan", metavar="PLAN")
@click.option("--older", type=TIME, default="30d", show_default=True, metavar="TIME",
              help="Only of tasks that were answered longer ago than this.")  # fmt: skip
@ledger_option
def prune_command(plan: str, older: float, where: str | None) -> None:
    """Remove from the log the events that old answers do not need.

    This keeps the ledger small.  Leases, deaths, failures and rounds without an answer go, of
    tasks that were found or are impossible. Answers, finds, proofs that were checked, and the
    tasks themselves stay, and no other command changes its output. The campaign may run meanwhile.

    \b
    Examples:
      satlife campaign prune plan.toml
      satlife campaign prune plan.toml --older 7d
    """
    with open_existing(plan, where) as ledger:
        before = ledger.store.size()
        gone = prune(ledger, older)
        size = ledger.store.size()
    say(f"{write_count(gone, 'event')} removed; the ledger has {size:,} bytes, and had {before:,}")


# ``satlife campaign merge``: merge exported ledgers, and name the refused events.


MOST_REFUSED = 10
"""Refused events that are named, for each file."""


def merge_files(
    path: str | None, place: str, names: tuple[str, ...], *, trust: bool
) -> tuple[bool, set[str]]:
    """Merge exported ledgers; return whether all is well, and the tasks that need their proofs.

    A ledger that was created for a file that is refused as a whole is removed.
    """
    plan = None if path is None else Plan.read(path)
    is_new = is_file(place) and not Path(place).exists()
    is_clean, unproved = True, set[str]()
    try:
        with open_ledger(place) as ledger:
            if plan is not None:
                ledger.begin(plan.name, plan.to_toml())
            for name in names:
                try:
                    with open_input(name) as file:
                        merged = (
                            merge(ledger, read_lines(file))
                            if trust
                            else merge_strictly(ledger, read_lines(file), plan)
                        )
                except UsageError as error:
                    raise UsageError(f"{name}: {_shorten(str(error))}") from None
                finally:
                    is_new = is_new and ledger.counts().total == 0
                is_clean &= _print_merged(name, merged)
                unproved |= merged.unproved
    except BaseException:
        if is_new:
            Path(place).unlink(missing_ok=True)
        raise
    return is_clean, unproved


def _print_merged(name: str, merged: Merged) -> bool:
    """Print the result of merging a file; return whether all of it was accepted."""
    left_out = f", {merged.left_out:,} left out" if merged.left_out else ""
    refused = f", {len(merged.refused):,} refused" if merged.refused else ""
    say(f"{name}: {merged.new:,} new event{'' if merged.new == 1 else 's'}{left_out}{refused}")
    for reason in merged.refused[:MOST_REFUSED]:
        complain(f"{name}: refused: {one_line(_shorten(reason))}")
    if len(merged.refused) > MOST_REFUSED:
        complain(f"{name}: refused: {len(merged.refused) - MOST_REFUSED:,} more")
    for alarm in merged.alarms:
        complain(f"{name}: CONTRADICTION: {alarm.name[:12]}: {one_line(alarm.words)}")
    return not (merged.refused or merged.alarms)


def _check_proofs(place: str, folder: Path) -> bool:
    """Check kept proofs; return whether all are valid."""
    count, wrong = 0, 0
    with open_ledger(place) as ledger:
        for row, checked in check_kept(ledger, KeptProofs(folder)):
            count += 1
            if not checked.is_valid:
                wrong += 1
                how = "is not valid" if checked.is_decided else "is not decided"
                complain(f"the proof of {row.name[:12]} {how}: {one_line(checked.reason)}")
    say(f"{folder}: {write_count(count - wrong, 'proof')} checked, {wrong:,} refused")
    return not wrong


def _print_unproved(place: str, names: set[str], folder: Path | None) -> bool:
    """Print how many impossibilities lack their proofs; return whether none does."""
    if not names:
        return True
    answers = Status.FOUND, Status.IMPOSSIBLE
    with open_ledger(place) as ledger:
        left = names - {row.name for row in ledger.find(names) if row.state.status in answers}
    if folder is not None:
        left -= set(KeptProofs(folder).names())  # invalid proofs were named
    if left:
        count = "1 impossibility" if len(left) == 1 else f"{len(left):,} impossibilities"
        lacks = "" if folder is None else f" and {folder} has none of theirs"
        remedy = "give --proofs FOLDER or --trust"
        complain(f"{count} left out: the plan asks for proofs{lacks}; {remedy}")
    return not left


def _shorten(message: str) -> str:
    """Return a message with short names of tasks and plans."""
    return re.sub(r"\b([0-9a-f]{12})[0-9a-f]{52}\b", r"\1", message)


# ``satlife campaign results --map``: the maps of a campaign, as ``satlife map`` writes them.


def write_maps(ledger: Ledger, folder: str) -> None:
    """Write the map of a campaign to a folder; several, to folders in it, by their numbers."""
    maps = read_maps(ledger)
    if not maps:
        raise UsageError("the plan asks for no map; set map = true in a [[search]]")
    for number, made in enumerate(maps, 1):
        write_map(made, Path(folder) if len(maps) == 1 else Path(folder) / str(number))
        print_line(f"{describe_map(made)}.")
        if not made.is_complete or made.reason:
            say(f"unfinished: {made.reason or 'some rules are in none of the regions'}")


def write_map(made: RuleMap, folder: Path) -> None:
    """Write a map to its folder; an older one of the same question is replaced."""
    begin_map(made.problem, folder)
    write_regions(folder, made.regions)
    finish_map(made, folder)


@click.command(name="certificates", cls=Command)
@click.argument("plan", metavar="PLAN")
@click.argument("output", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path))
@ledger_option
@click.option(
    "--proofs",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where run or serve has kept them, by --keep-proofs.",
)
@click.option("--task", metavar="NAME", help="Only this task: the beginning of its name.")
def certificates_command(
    plan: str, output: Path, where: str | None, proofs: Path, task: str | None
) -> None:
    """Write a certificate for every task that was proved impossible.

    Each has a folder of its own, named after the task, which satlife check takes. The proofs of a
    task that was split are joined into one certificate, with the tree of its cases, and those of
    a range of exact boxes into one for its largest box. Existing
    certificates are not changed. Exit codes: 0 all are there; 3 a proof that is named is missing or
    damaged.

    \b
    Examples:
      satlife campaign run plan.toml --keep-proofs proofs
      satlife campaign certificates plan.toml certificates --proofs proofs
      satlife check --jobs 2 certificates/…
    """
    count, lacking = 0, 0
    with open_existing(plan, where) as ledger:
        writer = CertificateWriter(ledger, KeptProofs(proofs))
        for refuted in writer.refutations():
            name = refuted.row.name
            folder = output / name[:16]
            if not name.startswith(task or "") or folder.exists():
                continue
            try:
                joined = writer.write(refuted, folder)
            except UsageError as error:
                complain(f"{folder}: not written: {one_line(_shorten(str(error)))} (in {proofs})")
                lacking += 1
                continue
            proofs_joined = f", {joined} proofs" if joined > 1 else ""
            asked = f"{describe_question(refuted.problem)} in {refuted.problem.boxes[0]}"
            say(f"{folder}: no {asked}{proofs_joined}")
            count += 1
    if lacking:
        sys.exit(endings.UNDECIDED)
    if not count:
        if task is not None:
            raise UsageError(f"there is no certified task {task}... without a certificate")
        say("no certified tasks without a certificate")
