"""The output of the commands of ``satlife campaign``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from satlife.campaign.core.events import RUNNING, Event, FoundEvent, Status
from satlife.campaign.core.state import Transition
from satlife.campaign.ledger import Ledger, looks_edited
from satlife.campaign.local.runner import WORKER, open_for_one, run
from satlife.campaign.plan import Plan
from satlife.campaign.plan.dominance import total_cost
from satlife.campaign.plan.plan import WHOLE, Shard
from satlife.campaign.proofs import KeptProofs
from satlife.campaign.results import (
    Find,
    InBox,
    Results,
    box_words,
    describe_question,
    name_finding,
    read_plan,
    read_progress,
    stream_finds,
    stream_questions,
    where_words,
)
from satlife.campaign.work import STALE, read_work
from satlife.cli.campaign.ledgers import blaming_edits, warn_if_edited
from satlife.cli.endings import complain, is_quiet, say
from satlife.cli.files import open_output
from satlife.cli.own import own_names
from satlife.cli.printing import print_record, print_text
from satlife.cli.quantities import name_seconds
from satlife.engine.estimates import WORDS
from satlife.engine.rows.closed_sets import refuse_width
from satlife.problem import Problem
from satlife.quantities import write_count

if TYPE_CHECKING:
    from satlife.cli.terminal import Line

# ``satlife campaign status`` about the work: users, rates, stuck tasks, refusals.


MOST_USERS = 8
MOST_REFUSED = 5
LONGEST = 60
"""Maximum length of a reason, in characters."""


def work_status(ledger: Ledger) -> dict[str, Any]:
    """Return users, longest-waiting tasks, refusals and signs of editing, as plain values."""
    work = read_work(ledger)
    return {
        "edited": looks_edited(ledger),
        "report_age_seconds": work.age if work.report else None,
        "out": work.report.out if work.report and work.is_current else None,
        "users": msgspec.to_builtins(work.users),
        "refused": msgspec.to_builtins(work.refused),
        "oldest_open": [
            {
                "task": each.row.name,
                "question": describe_question(each.row.task.problem, each.row.task.selection),
                "box": box_words(each.row.task.problem),
                "exact": str(each.row.task.exact) if each.row.task.exact else None,
                "where": where_words(each.row.task),
                "status": each.row.state.status.value,
                "deaths": each.row.state.deaths,
                "seconds": each.seconds,
            }
            for each in work.oldest
        ],
    }


def work_rows(status: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return the rows of a table: a heading, a number or name, and a remark."""
    rows: list[tuple[str, ...]] = []
    if status["edited"]:
        advice = "satlife campaign check lists the differences"
        rows.append(("EDITED", "", f"it contradicts itself; {advice}"))
    age = status["report_age_seconds"]
    if age is not None and age >= STALE and (status["queued"] or status["leased"]):
        rows.append(("recorder", "silent", f"its last report is {name_seconds(age)} old"))
    if status["out"]:
        rows.append(("out", f"{status['out']:,}", "with the broker and its workers"))
    for user in status["users"][:MOST_USERS]:
        workers = f"{user['workers']:,} worker{'' if user['workers'] == 1 else 's'} lately"
        rate = f"{user['rate']:.2f} answers per second, {user['answers']:,} in all"
        rows.append(("works", user["user"], f"{rate}; {workers}"))
    rows += _rest("works", len(status["users"]) - MOST_USERS, "users")
    for task in status["oldest_open"][:1]:
        died = f", {task['deaths']} failed attempts" if task["deaths"] else ""
        state = f"{task['question']} {task['where']} is {task['status']}{died}"
        rows.append(("longest", name_seconds(task["seconds"]), state))
    for one in status["refused"][:MOST_REFUSED]:
        reason = f"{one['count']:,}, the last: {one['words'][:LONGEST]}"
        rows.append(("refused", one["user"], reason))
    rows += _rest("refused", len(status["refused"]) - MOST_REFUSED, "users")
    return rows


def _rest(heading: str, count: int, what: str) -> list[tuple[str, ...]]:
    return [(heading, "…", f"and {count:,} more {what}")] if count > 0 else []


MOST_QUESTIONS = 200
"""Maximum number of questions whose cost is shown."""
MOST_LEFT_OUT = 10
"""Maximum number of impossible combinations that are shown with their reasons."""
LAST_FINDS = 5
RATE_SECONDS = 300.0
"""Seconds over which the recent rate is measured."""
PLAIN_INTERVAL = 30.0

Look = Callable[[], bool | None]
"""Returns whether a run is active; None if that cannot be known."""


def print_plan(plan: Plan, speed: float | None = None) -> None:
    """Print the size and cost of a plan; ``speed`` is that of this machine, if it was measured."""
    rows: list[tuple[str, ...]] = []
    seconds, questions = 0.0, 0
    for group in filter(len, plan.groups()):
        cost = total_cost(group, plan.budget.seconds, prove=plan.prove, speed=speed or 1.0)
        seconds += cost
        questions += 1
        if questions <= MOST_QUESTIONS:
            ends = dict.fromkeys(map(str, (*group.boxes[:1], *group.boxes[-1:])))
            span = "..".join(ends)
            rows.append((group.describe(), f"{len(group):,}", span, name_seconds(cost)))
    _table([("question", "tasks", "boxes", "at most about"), *rows])
    if questions > MOST_QUESTIONS:
        print_text(f"… and {questions - MOST_QUESTIONS:,} more\n")
    tasks = write_count(plan.size(), "task")
    proofs = " with proofs" if plan.prove else ""
    print_text(f"\n{tasks}, at most about {name_seconds(seconds)} on one processor{proofs}\n")
    where = "; this machine was not measured (--calibrate)"
    if speed is not None:
        where = f", and this machine's speed, {speed:.2g} of the one measured"
    print_text(f"estimated {WORDS}{where}\n")
    for line in (*name_left_out(plan), *name_unproved(plan)):
        print_text(f"{line}\n")
    print_text(f"plan {plan.name[:12]}\n")


def name_left_out(plan: Plan) -> list[str]:
    """Describe the impossible combinations that the plan leaves out."""
    left_out = list(plan.left_out())
    if not left_out:
        return []
    count = sum(each.count for each in left_out)
    combinations = "impossible combination is" if count == 1 else "impossible combinations are"
    lines = [f"{count:,} {combinations} left out:"]
    lines += [f"  {each}" for each in left_out[:MOST_LEFT_OUT]]
    if len(left_out) > MOST_LEFT_OUT:
        lines.append(f"  … and {len(left_out) - MOST_LEFT_OUT:,} more reasons")
    return lines


def name_unproved(plan: Plan) -> list[str]:
    """Name the widths of a plan that cannot be proved, with the reason.

    A question is named once, with the reason of its first such width.
    """
    lines = []
    for group in islice(plan.groups() if plan.prove else (), MOST_QUESTIONS):
        problems = filter(_refuse_proof, map(group.problem, range(len(group))))
        if (first := next(problems, None)) is not None:
            boxes = ", ".join(each.boxes[0] for each in (first, *problems))
            lines.append(
                f"no certificate for {group.describe()} in {boxes}: {_refuse_proof(first)}"
            )
    if len(lines) > MOST_LEFT_OUT:
        lines[MOST_LEFT_OUT:] = [f"… and for {len(lines) - MOST_LEFT_OUT:,} more questions"]
    return lines


def _refuse_proof(problem: Problem) -> str:
    """Return why a search in a box of any height cannot be proved; empty if it can."""
    return refuse_width(problem) if problem.has_open_height else ""


def print_tasks(plan: Plan) -> None:
    """Print every task as a line of JSON."""
    for line in name_left_out(plan):
        say(line)
    for group in plan.groups():
        for index in range(len(group)):
            task = plan.task(group, index)
            record: dict[str, Any] = {
                "name": task.name,
                "problem": msgspec.Raw(task.problem.to_json()),
            }
            if task.exact is not None:
                record["exact"] = task.exact
            print_record(record)


def run_plan(
    path: str,
    place: str,
    jobs: int | None,
    same: str,
    keep: Path | None = None,
    shard: Shard = WHOLE,
) -> bool:
    """Run a plan or a shard; return whether all of its tasks have an answer.

    ``same`` is how the plan, and the ledger if it was given, are written in a command; ``keep`` is
    a folder for checked proofs.
    """
    plan = Plan.read(path)
    left_out = name_left_out(plan)
    if left_out:
        say(f"{left_out[0].removesuffix(':')}; satlife campaign plan {same} --dry-run names them")
    for line in name_unproved(plan):
        say(line)
    size = shard.size(plan)
    if not (size or shard.is_whole):
        questions = write_count(len(plan.groups()), "question")
        why = "a question belongs to one shard with all its widths"
        say(f"shard {shard} has none of the plan's {questions}: {why}")
    begun = time.monotonic()
    with (
        open_for_one(plan, place) as (ledger, proofs),
        blaming_edits(ledger, same),
        _reporting(size, ledger) as report,
    ):
        try:
            kept = None if keep is None else KeptProofs(keep)
            if kept is not None:
                kept.make()
            summary = run(plan, ledger, jobs, report, proofs=proofs, keep=kept, shard=shard)
        except KeyboardInterrupt:
            report.close()
            part = "" if shard.is_whole else f" --shard {shard}"
            say(f"stopped; satlife campaign run {same}{part} continues")
            raise
        report.close()
        for alarm in summary.alarms:
            complain(f"satlife: CONTRADICTION: {alarm}")
        warn_if_edited(ledger, same)
        counts = summary.counts
        say(
            f"{counts.final:,} answered ({counts.found:,} found, {counts.impossible:,} "
            f"impossible), {counts.undecided:,} undecided, {counts.failed:,} failed "
            f"[{name_seconds(time.monotonic() - begun)}]"
        )
        undecided = ledger.rows(Status.UNDECIDED) if counts.undecided else ()
        if not all(plan.prove and _refuse_proof(row.task.problem) for row in undecided):
            say(f"satlife campaign retry {same} --undecided --timeout … queues them again")
    return summary.is_met


class _Report:
    """Prints finds and progress while a plan runs."""

    def __init__(self, total: int, done: int, line: Line | None, live: ExitStack) -> None:
        self.total = total
        self.done = done
        self.found = 0
        self.line, self.live = line, live
        self.begun = self.printed = time.monotonic()

    def __call__(self, event: Event, step: Transition) -> None:
        """Report one event."""
        if step.state.status in (*RUNNING, Status.SPLIT):
            return
        self.done += not step.state.parent
        if isinstance(event, FoundEvent):
            self.found += 1
            say(f"found: {name_finding(event.identity, own_names())}")
        elif step.state.status is Status.FAILED:
            log = getattr(event, "log", "").strip().splitlines()
            say(f"failed: {event.name[:12]}: {log[-1] if log else 'no output'}")
        self.show()

    def show(self) -> None:
        """Show the progress: live on a terminal, at intervals elsewhere."""
        now = time.monotonic()
        progress = f"{self.done:,} of {self.total:,} done, {self.found:,} found in this run"
        if self.line is not None:
            self.line.set(f"{progress}, {name_seconds(now - self.begun)}")
        elif now - self.printed >= PLAIN_INTERVAL:
            self.printed = now
            say(f"satlife: {progress}")

    def close(self) -> None:
        """Remove the live line."""
        with suppress(OSError):  # the terminal may be gone
            self.live.close()
        self.line = None


@contextmanager
def _reporting(total: int, ledger: Ledger) -> Iterator[_Report]:
    counts = ledger.counts()
    done = counts.total - counts.open
    live, line = ExitStack(), None
    if not is_quiet() and sys.stderr.isatty():
        from satlife.cli.terminal import Line, show_live  # noqa: PLC0415 - Rich, on a terminal only

        line = Line("starting")
        live.enter_context(show_live(line, refresh_per_second=12.5, transient=True))
    report = _Report(total, done, line, live)
    try:
        yield report
    finally:
        report.close()


def print_status(ledger: Ledger, as_json: bool, watch: bool, look: Look, same: str) -> None:
    """Print the progress of a campaign; once, or repeatedly."""
    if not watch:
        _print_status_once(ledger, as_json, look, same)
        return
    if as_json or not sys.stdout.isatty():
        while True:
            _print_status_once(ledger, as_json, look, same)
            if _is_over(ledger):
                return
            time.sleep(1.0 if as_json else PLAIN_INTERVAL)
    from satlife.cli.terminal import show_live, show_text  # noqa: PLC0415 - Rich, on a terminal only

    with show_live(stream=sys.stdout, auto_refresh=False) as live:
        while True:
            rows = _status_rows(_status(ledger, look), same)
            live.update(show_text("\n".join(_lines(rows))), refresh=True)
            if _is_over(ledger):
                return
            time.sleep(1.0)


def _is_over(ledger: Ledger) -> bool:
    return read_progress(ledger).left == 0


def plan_title(ledger: Ledger) -> str:
    """Return the title of the ledger's plan."""
    plan = read_plan(ledger)
    title = "" if plan is None else plan.title
    return title or f"Campaign {(ledger.plan_name() or '')[:12]}".strip()


def _status(ledger: Ledger, look: Look) -> dict[str, Any]:
    counts, rate = ledger.counts(), ledger.rate(RATE_SECONDS)
    progress = read_progress(ledger)
    left = progress.left
    last = ledger.last_findings(LAST_FINDS)
    names = own_names()
    finds = [
        {
            "identity": find.identity,
            "name": Find(find, names).name,
            "question": Find(find).question,
            "box": box_words(find.problem),
        }
        for find in last
    ]
    return {
        **asdict(counts),
        "planned": progress.planned,
        "done": progress.done,
        "needless": progress.needless,
        "rate": rate,
        "eta_seconds": left / rate if rate and left else (0.0 if not left else None),
        "is_running": look(),
        "last_finds": finds,
        **work_status(ledger),
    }


def _print_status_once(ledger: Ledger, as_json: bool, look: Look, same: str) -> None:
    status = _status(ledger, look)
    if as_json:
        print_record(status)
    else:
        print_text("\n".join(_lines(_status_rows(status, same))) + "\n")


def _status_rows(status: dict[str, Any], same: str) -> list[tuple[str, ...]]:
    left, running = status["eta_seconds"], f"{status['leased']:,}"
    waiting = f"{status['queued']:,} queued"
    if status["is_running"] is False and status["leased"]:  # the run was killed
        waiting = f"not running; satlife campaign run {same} continues ({running} begun, {waiting})"
        running = "0"
    needed = status["planned"] - status["needless"]
    share = f"of {status['planned']:,} ({status['done'] / needed if needed else 1.0:.0%})"
    if status["needless"]:
        share += f"; {status['needless']:,} not needed: a find has ended their search"
    rows: list[tuple[str, ...]] = [
        ("done", f"{status['done']:,}", share),
        ("found", f"{status['found']:,}", write_count(status["findings"], "different object")),
        (
            "impossible",
            f"{status['impossible']:,}",
            f"{status['certified']:,} certified, {status['claimed']:,} claimed, the rest implied",
        ),
        ("undecided", f"{status['undecided']:,}", ""),
        ("failed", f"{status['failed']:,}", ""),
        ("running", running, waiting),
        ("rate", f"{status['rate']:.2f}", "answers per second, lately"),
        ("time left", "?" if left is None else name_seconds(left), "at this rate" if left else ""),
    ]
    if cases := status["cases"]:
        share = f"of {cases:,} cases, {status['open_cases']:,} are open"
        rows.insert(-2, ("split", f"{status['split']:,}", share))
    if status["contradicted"]:
        rows.append(("CONTRADICTED", f"{status['contradicted']:,}", "please look at these"))
    rows += [("find", *_name_find(find)) for find in status["last_finds"]]
    return rows + work_rows(status)


def _name_find(find: dict[str, Any]) -> tuple[str, str]:
    """Return the common name of a find, and where it was found."""
    where = f"{find['question']} in {find['box']}"
    code = find["identity"]
    return (find["name"], f"{where} ({code})") if find["name"] else (find["identity"], where)


def print_records(ledger: Ledger) -> None:
    """Print the finds and the questions as lines of JSON, as they are read."""
    for part in (stream_finds(ledger, own_names()), stream_questions(ledger)):
        for row in part:
            print_record(row.to_dict())


def print_results(results: Results) -> None:
    """Print the finds, and the state of each question."""
    for find in results.finds:
        print_text(f"{find.words}\n  {find.where}\n")
    if results.finds:
        print_text("\n")
    rows: list[tuple[str, ...]] = [
        ("question", "found", "impossible", "undecided", "least box found", "largest impossible")
    ]
    for question in results.questions:
        tally, in_box = question.tally, question.in_box
        certified = question.in_box_certified
        sure = f" ({certified} certified)" if certified else ""
        exactly = len(question.impossible_exactly)
        only = f" + {exactly} exactly" if exactly else ""
        rows.append(
            (
                question.words,
                f"{in_box[InBox.FOUND]}",
                f"{in_box[InBox.NONE]}{sure}{only}",
                f"{tally[Status.UNDECIDED] + tally[Status.FAILED]}",
                " ".join(question.least_found) or "-",
                " ".join(question.largest_impossible) or "-",
            )
        )
    _table(rows)
    for question in results.questions:
        claims = question.unproved
        if claims.keys() - {WORKER}:
            of_whom = ", ".join(f"{count} of {user}" for user, count in claims.most_common())
            number = write_count(claims.total(), "unproved claim")
            print_text(f"{question.words}: impossible by {number}: {of_whom}\n")


def write_file(name: str, text: str) -> None:
    """Write a text to a file, or to standard output."""
    with open_output(name) as file:
        file.write(text.encode())


def _lines(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    rows = list(rows)
    columns = max(map(len, rows))
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(columns)]
    for row in rows:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False))
        yield "  ".join(cells).rstrip()


def _table(rows: Iterable[tuple[str, ...]]) -> None:
    for line in _lines(rows):
        print_text(f"{line}\n")
