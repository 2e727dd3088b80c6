"""What the commands of ``satlife campaign`` do and say."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from satlife.cli.ending import say

if TYPE_CHECKING:
    from satlife.campaign.ledger import Ledger
    from satlife.campaign.plan import Plan
    from satlife.campaign.results import Results
    from satlife.campaign.state import Event, Step

MOST_QUESTIONS = 200
"""Questions whose cost is shown."""
LAST_FINDS = 5
RATE_SECONDS = 300.0
"""What "lately" means."""
PLAIN_INTERVAL = 30.0

Look = Callable[[], bool | None]
"""Says whether a run is at work; None if nobody can know."""


def print_plan(plan: Plan) -> None:
    """Say how much there is to do."""
    limit = plan.bounds.seconds
    rows: list[tuple[str, ...]] = []
    seconds, questions = 0.0, 0
    for group in plan.groups():
        costs = [group.cost(index) for index in range(len(group))]
        cost = sum(min(each, limit) for each in costs) if limit is not None else sum(costs)
        seconds += cost
        questions += 1
        if questions <= MOST_QUESTIONS:
            ends = dict.fromkeys(map(str, (*group.boxes[:1], *group.boxes[-1:])))
            span = "..".join(ends)
            rows.append((group.describe(), f"{len(group):,}", span, name_seconds(cost)))
    _table([("question", "tasks", "boxes", "at most about"), *rows])
    if questions > MOST_QUESTIONS:
        _write(f"… and {questions - MOST_QUESTIONS:,} more\n")
    tasks = f"{plan.size():,} task{'' if plan.size() == 1 else 's'}"
    _write(f"\n{tasks}, at most about {name_seconds(seconds)} on one processor\n")
    _write(f"plan {plan.name[:12]}{', with proofs' if plan.prove else ''}\n")


def print_tasks(plan: Plan) -> None:
    """Print every task as a line of JSON."""
    import msgspec

    for group in plan.groups():
        for index in range(len(group)):
            task = plan.task(group, index)
            record = {"name": task.name, "problem": msgspec.Raw(task.problem.to_json())}
            _write(msgspec.json.encode(record).decode() + "\n")


def run_plan(path: str, place: str, jobs: int | None, quiet: bool, same: str) -> bool:
    """Run a plan; return whether it has all of its answers.

    ``same`` is how the plan, and the ledger if it was given, are written in a command.
    """
    from satlife.campaign.ledger import open_ledger
    from satlife.campaign.local import check_ledger, run
    from satlife.campaign.lock import only_runner
    from satlife.campaign.plan import Plan

    plan = Plan.read(path)
    with ExitStack() as stack:
        proofs: Path | None = None
        if "://" not in place:
            if Path(place).exists():  # a wrong plan is told before a run that is at work
                with open_ledger(place) as ledger:
                    check_ledger(ledger, plan, place)
            stack.enter_context(only_runner(Path(f"{place}.lock")))
            proofs = Path(f"{place}.proofs")
            stack.callback(_remove_proofs, proofs)
        ledger = stack.enter_context(open_ledger(place))
        check_ledger(ledger, plan, place)
        report = stack.enter_context(_reporting(plan, ledger, quiet))
        begun = time.monotonic()
        try:
            summary = run(plan, ledger, jobs or _processors(), report, proofs=proofs)
        except KeyboardInterrupt:
            report.close()
            if not quiet:
                say(f"stopped; satlife campaign run {same} goes on")
            raise
        report.close()
        for alarm in summary.alarms:
            say(f"satlife: CONTRADICTION: {alarm}")
        if not quiet:
            counts = summary.counts
            say(
                f"{counts.final:,} answered ({counts.found:,} found, {counts.impossible:,} "
                f"impossible), {counts.undecided:,} undecided, {counts.failed:,} failed "
                f"[{name_seconds(time.monotonic() - begun)}]"
            )
            if counts.undecided:
                say(f"satlife campaign retry {same} --undecided --timeout … queues them again")
    return summary.is_met


def _remove_proofs(folder: Path) -> None:
    """Remove proofs that nobody has checked, of this run or of one that was killed."""
    if folder.is_dir():
        for proof in folder.glob("*.proof"):
            proof.unlink(missing_ok=True)
        folder.rmdir()


def _processors() -> int:
    import os

    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Report:
    """Says what was found, and how far the run is."""

    def __init__(self, total: int, done: int, quiet: bool, status: Any) -> None:
        self.total = total
        self.done = done
        self.found = 0
        self.quiet = quiet
        self.status = status
        self.begun = self.said = time.monotonic()

    def __call__(self, event: Event, step: Step) -> None:
        """Take one event."""
        from satlife.campaign.state import RUNNING, Found, Status

        if step.state.status in RUNNING:
            return
        self.done += 1
        if isinstance(event, Found):
            from satlife.campaign.results import name_finding

            self.found += 1
            self.tell(f"found: {name_finding(event.identity)}")
        elif step.state.status is Status.FAILED:
            log = getattr(event, "log", "").strip().splitlines()
            self.tell(f"failed: {event.name[:12]}: {log[-1] if log else 'no words'}")
        self.show()

    def tell(self, words: str) -> None:
        """Say a line for good."""
        if not self.quiet:
            say(words)

    def show(self) -> None:
        """Show how far it is: live on a terminal, now and then elsewhere."""
        now = time.monotonic()
        words = f"{self.done:,} of {self.total:,} done, {self.found:,} found just now"
        if self.status is not None:
            self.status.update(f"{words}, {name_seconds(now - self.begun)}")
        elif now - self.said >= PLAIN_INTERVAL:
            self.said = now
            self.tell(f"satlife: {words}")

    def close(self) -> None:
        """Take the live line away."""
        if self.status is not None:
            with suppress(OSError):  # the terminal may be gone
                self.status.stop()
            self.status = None


@contextmanager
def _reporting(plan: Plan, ledger: Ledger, quiet: bool) -> Iterator[_Report]:
    counts = ledger.counts()
    done = counts.total - counts.open
    status: Any = None
    if not quiet and sys.stderr.isatty():
        from rich.console import Console

        status = Console(stderr=True, highlight=False).status("starting")
        status.start()
    report = _Report(plan.size(), done, quiet, status)
    try:
        yield report
    finally:
        report.close()


def print_status(ledger: Ledger, as_json: bool, watch: bool, look: Look, same: str) -> None:
    """Print how far a campaign is; once, or again and again."""
    if not watch:
        _print_status_once(ledger, as_json, look, same)
        return
    if as_json or not sys.stdout.isatty():
        while True:
            _print_status_once(ledger, as_json, look, same)
            if _is_over(ledger):
                return
            time.sleep(1.0 if as_json else PLAIN_INTERVAL)
    from rich.live import Live
    from rich.text import Text

    with Live(auto_refresh=False) as live:
        while True:
            rows = _status_rows(_status(ledger, look), same)
            live.update(Text("\n".join(_lines(rows))), refresh=True)
            if _is_over(ledger):
                return
            time.sleep(1.0)


def _is_over(ledger: Ledger) -> bool:
    from satlife.campaign.results import count_planned

    counts = ledger.counts()
    planned = count_planned(ledger)
    return counts.open == 0 and (planned is None or counts.total >= planned)


def plan_title(ledger: Ledger) -> str:
    """Return the title of the ledger's plan."""
    from satlife.campaign.plan import Plan

    text = ledger.plan_text()
    title = "" if text is None else Plan.from_toml(text).title
    return title or f"Campaign {(ledger.plan_name() or '')[:12]}".strip()


def _status(ledger: Ledger, look: Look) -> dict[str, Any]:
    from satlife.campaign.results import count_planned

    first = next(ledger.events(), None)
    age = time.time() - first.time if first is not None else RATE_SECONDS
    counts, rate = ledger.counts(), ledger.rate(min(max(age, 1.0), RATE_SECONDS))
    planned = count_planned(ledger) or counts.total
    done = counts.total - counts.open
    left = max(planned - done, 0)
    finds = [{"identity": f.identity, "box": ",".join(f.problem.boxes)} for f in ledger.findings()]
    return {
        **asdict(counts),
        "planned": planned,
        "done": done,
        "rate": rate,
        "eta_seconds": left / rate if rate and left else (0.0 if not left else None),
        "is_running": look(),
        "last_finds": finds[-LAST_FINDS:],
    }


def _print_status_once(ledger: Ledger, as_json: bool, look: Look, same: str) -> None:
    status = _status(ledger, look)
    if as_json:
        import msgspec

        _write(msgspec.json.encode(status).decode() + "\n")
    else:
        _write("\n".join(_lines(_status_rows(status, same))) + "\n")


def _status_rows(status: dict[str, Any], same: str) -> list[tuple[str, ...]]:
    left = status["eta_seconds"]
    running, waiting = f"{status['leased']:,}", f"{status['queued']:,} queued"
    if status["is_running"] is False and status["leased"]:  # whoever began them was killed
        waiting = f"not running; satlife campaign run {same} goes on ({running} begun, {waiting})"
        running = "0"
    share = status["done"] / status["planned"] if status["planned"] else 1.0
    rows = [
        ("done", f"{status['done']:,}", f"of {status['planned']:,} ({share:.0%})"),
        ("found", f"{status['found']:,}", f"{status['findings']:,} different objects"),
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
    if status["contradicted"]:
        rows.append(("CONTRADICTED", f"{status['contradicted']:,}", "somebody must look at these"))
    return [*rows, *(("find", f["identity"], f"in {f['box']}") for f in status["last_finds"])]


def print_results(results: Results, as_json: bool) -> None:
    """Print the finds, and where each question stands."""
    from satlife.campaign.state import Status

    if as_json:
        import msgspec

        records = [find.to_dict() for find in results.finds]
        records += [question.to_dict() for question in results.questions]
        for record in records:
            _write(msgspec.json.encode(record).decode() + "\n")
        return
    for find in results.finds:
        _write(f"{find.words}\n  {find.where}\n")
    if results.finds:
        _write("\n")
    rows: list[tuple[str, ...]] = [
        ("question", "found", "impossible", "undecided", "least box found", "largest impossible")
    ]
    for question in results.questions:
        tally = question.tally
        sure = f" ({question.certified} certified)" if question.certified else ""
        rows.append(
            (
                question.words,
                f"{tally[Status.FOUND]}",
                f"{tally[Status.IMPOSSIBLE]}{sure}",
                f"{tally[Status.UNDECIDED] + tally[Status.FAILED]}",
                " ".join(question.least_found) or "-",
                " ".join(question.largest_impossible) or "-",
            )
        )
    _table(rows)


def retry(
    ledger: Ledger, undecided: bool, failed: bool, timeout: float | None, memory: float | None
) -> int:
    """Queue tasks again with other limits; return how many."""
    import msgspec

    from satlife.campaign.state import Retried, Status

    wanted = [Status.UNDECIDED] * undecided + [Status.FAILED] * failed
    count = 0
    for status in wanted:
        again = []
        for row in ledger.rows(status):
            changes: dict[str, Any] = {}
            if timeout is not None:
                changes["seconds"] = timeout
            if memory is not None:
                changes["memory_bytes"] = int(memory)
            bounds = msgspec.structs.replace(row.task.bounds, **changes)
            again.append(
                Retried(msgspec.structs.replace(row.task, bounds=bounds, round=row.state.round + 1))
            )
        count += sum(step.changed for step in ledger.record(again))
    return count


def write_file(name: str, text: str) -> None:
    """Write a text into a file, or to standard output."""
    from satlife.cli.files import open_output

    with open_output(name) as file:
        file.write(text.encode())


def name_seconds(seconds: float) -> str:
    """Write a time as a person would.

    >>> [name_seconds(s) for s in (0.4, 95, 7300, 2e5, 1e10)]
    ['0.4 s', '95 s', '2.0 h', '2.3 d', '317 years']
    """
    if 0 < seconds < 0.1:
        return "< 0.1 s"
    for limit, unit, size in (
        (120, "s", 1.0),
        (7200, "min", 60.0),
        (172_800, "h", 3600.0),
        (3.2e7, "d", 86_400.0),
    ):
        if seconds < limit:
            digits = 1 if seconds / size < 10 else 0
            return f"{seconds / size:.{digits}f} {unit}"
    return f"{seconds / 31_557_600:,.0f} years"


def _lines(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    rows = list(rows)
    columns = max(map(len, rows))
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(columns)]
    for row in rows:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False))
        yield "  ".join(cells).rstrip()


def _table(rows: Iterable[tuple[str, ...]]) -> None:
    for line in _lines(rows):
        _write(f"{line}\n")


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
