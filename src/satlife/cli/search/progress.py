"""The progress line: it changes in place on a terminal; elsewhere plain lines come at intervals."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from satlife.cli.endings import Stopping, is_quiet, say
from satlife.cli.search.report import Advise
from satlife.cli.start import make_visible
from satlife.deadline import Deadline
from satlife.engine import Search
from satlife.engine.engine import Built, Details, Event, Progress
from satlife.problem.outcome import Found

if TYPE_CHECKING:
    from rich.console import Console

    from satlife.certificates import Stage
    from satlife.cli.terminal import Line

PLAIN_INTERVAL = 30.0
"""Seconds between plain lines."""
STAGE_INTERVAL = 10.0
"""Seconds between lines about a proof; each new stage has one at once."""
PATIENCE = 15.0
"""Seconds after which a terminal shows advice."""
COUNTED = ("conflicts", "fillings")
"""Counters of engines; the search by rows gives its speed itself."""
MOST_STAGES = 50
"""Stages that are printed at once, since a proof in a thousand parts would fill the screen."""


class Report:
    """A silent report, and the base of the others."""

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline
        self.size = ""
        self.about: tuple[str, ...] = ()
        """A description before the size of each of several searches."""
        self.found = 0
        self.speeds: dict[tuple[str, str], tuple[float, int, int]] = {}
        """For each counter, the time of the last reading, its number, and its speed."""

    def event(self, event: Event) -> None:
        """Show an event of a search."""
        match event:
            case Found():
                self.found += 1
                self.show(f"{self.size}, {self.so_far()}{self.elapsed()}")
            case Built(details=details):
                numbers = (name for name in ("variables", "clauses", "cells") if name in details)
                sizes = (f"{details[name]:,} {name}" for name in numbers)
                self.size = ", ".join([*self.about, *sizes])
                self.show(f"searching: {self.size}")
            case Progress(details={"doing": what}):  # a single step is reported at once
                self.remark(str(what))
            case Progress(racer, _, details):
                counted = {name: value for name, value in details.items() if name != "partial"}
                counted |= self.measure_speed(racer, event.seconds, details)
                size = f"{self.size}, " if self.size else ""
                counts = "".join(f"{_write(*each)}, " for each in counted.items() if each[1])
                self.show(f"{racer}: {size}{self.so_far()}{counts}{self.elapsed()}")
                if partial := details.get("partial"):
                    self.draw(str(partial))

    def measure_speed(self, racer: str, seconds: float, details: Details) -> dict[str, int]:
        """Return the conflicts, or another count, per second; over at least a second."""
        for name in COUNTED:
            if isinstance(number := details.get(name), int):
                then, before, speed = self.speeds.get((racer, name), (0.0, 0, 0))
                if number < before or (number > before and seconds - then >= 1):
                    speed = round(max(0, number - before) / (seconds - then or 1))
                    self.speeds[racer, name] = seconds, number, speed
                return {f"{name}/s": speed}
        return {}

    def stage(self, stage: Stage) -> None:
        """Show a stage of a proof."""
        if stage.remark:
            self.remark(stage.remark)
        detail = f": {stage.detail}" if stage.detail else ""
        self.show(f"{stage.what}{detail}, {self.elapsed()}")

    def remark(self, text: str) -> None:
        """Show a line that stays."""

    def so_far(self) -> str:
        """Return the finds so far, if there are any."""
        return f"{self.found:,} found so far, " if self.found else ""

    def elapsed(self) -> str:
        """Time spent, and the limit."""
        limit = f" of {self.deadline.seconds:.0f}" if self.deadline.seconds is not None else ""
        return f"{self.deadline.spent:.0f}{limit} s"

    def show(self, text: str) -> None:
        """Show a line."""

    def draw(self, drawing: str) -> None:
        """Show a drawing below the line."""


def _write(name: str, value: object) -> str:
    match value:
        case int() if name == "memory_bytes":
            return f"{value / 2**20:,.0f} MiB"
        case int() if name == "deepest":
            return f"deepest partial: {value:,} rows"
        case float() if name == "processor_seconds":
            return f"{value:.0f} s of a processor"
        case int():
            return f"{value:,} {name}"
    return str(value)


class PlainReport(Report):
    """A line every half minute."""

    shown = 0.0
    what = ""
    stages = 0

    def stage(self, stage: Stage) -> None:
        """Print a line for each new stage at once, and more while it lasts."""
        is_new = stage.what != self.what and self.stages < MOST_STAGES
        if is_new:
            self.what, self.stages = stage.what, self.stages + 1
        if is_new or self.deadline.spent - self.shown >= STAGE_INTERVAL:
            self.shown = -PLAIN_INTERVAL
        super().stage(stage)

    def remark(self, text: str) -> None:
        """Print the line."""
        say(f"satlife: {text}")

    def show(self, text: str) -> None:
        """Print the line if the last one is old enough."""
        now = self.deadline.spent
        if now - self.shown >= PLAIN_INTERVAL:
            self.shown = now
            say(f"satlife: {text}")


class LiveReport(Report):
    """A line that changes, on a terminal."""

    def __init__(self, deadline: Deadline, console: Console, line: Line, advise: Advise) -> None:
        super().__init__(deadline)
        self.console, self.line, self.advise = console, line, advise
        self.text = ""
        self.advised = False

    def event(self, event: Event) -> None:
        """Show an event; after a while, print advice once."""
        super().event(event)
        if not self.advised and isinstance(event, Progress) and event.seconds > PATIENCE:
            self.advised = True
            command, why = self.advise("")
            if command:
                self.remark(f"this takes a while; try this ({why}):\n  {command}")

    def remark(self, text: str) -> None:
        """Print the line above the one that changes."""
        self.console.print(make_visible(f"satlife: {text}"), markup=False, soft_wrap=True)

    def show(self, text: str) -> None:
        """Change the line."""
        self.text = text
        self.line.set(text)

    def draw(self, drawing: str) -> None:
        """Show the drawing below the line, as much of it as fits on the screen."""
        lines = drawing.splitlines()[: self.console.height - 4]
        self.line.set("\n".join([self.text, *lines]))


def listen(search: Search, on_event: Callable[[Event], None], signals: Stopping) -> None:
    """Pass on all events of a search; a signal stops it after all finds are passed on."""
    watch(search, signals)
    for event in search:
        on_event(event)


def watch(search: Search, signals: Stopping) -> None:
    """Let a signal stop a search, and let nothing in it delay the end of the command."""
    search.leave_after(limit=1.0, stop=5.0)
    signals.hand_to(search.stop)


@contextmanager
def reporting(
    quiet: bool, deadline: Deadline, advise: Advise = lambda reason: ("", "")
) -> Iterator[Report]:
    """Choose how to report, and clean the terminal up afterwards."""
    if quiet or is_quiet():
        yield Report(deadline)
    elif not sys.stderr.isatty():
        yield PlainReport(deadline)
    else:
        from satlife.cli.terminal import Line, show_live  # noqa: PLC0415 - Rich, on a terminal only

        line = Line("folding and encoding")
        with show_live(line, refresh_per_second=12.5, transient=True) as live:
            yield LiveReport(deadline, live.console, line, advise)
