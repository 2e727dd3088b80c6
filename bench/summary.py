"""From records to figures: what the page and its picture show, and nothing of how they look."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from bench.measure import Config
from bench.recorded import CALIBRATION_SECONDS, LLS
from bench.series import Series, geometric_mean
from bench.tasks import REFUTED_OSCILLATORS, TASKS, Task

Records = list[dict[str, Any]]


@dataclass(frozen=True)
class Comparison:
    """A task by satlife's whole command and by Logic Life Search."""

    task: Task
    ours: Series
    config: str
    theirs: float
    """Scaled to this machine; not a number if it was not recorded."""
    theirs_ended: bool

    @property
    def ratio(self) -> float:
        """How many times faster we are; at least so, if they did not end."""
        return math.nan if math.isinf(self.ours.median) else self.theirs / self.ours.median

    @property
    def is_counted(self) -> bool:
        """Whether there is a ratio: one of the two ended, the other was recorded."""
        return not math.isnan(self.ratio)


class Summary:
    """The figures of one file of results."""

    def __init__(self, results: dict[str, Any]) -> None:
        self.results = results
        self.tasks = [task for task in TASKS if task.name in self._measured()]

    def _measured(self) -> set[str]:
        return {r["task"] for name in ("runs", "whole") for r in self.results.get(name, ())}

    @property
    def calibration(self) -> float:
        """The seconds of the calibration here, in the formula's own order."""
        own = [r["seconds"] for r in self.results.get("calibration", ()) if r["shuffle"] is None]
        return statistics.median(own) if own else CALIBRATION_SECONDS

    @property
    def scale(self) -> float:
        """How many times slower this machine is than the recording one."""
        return self.calibration / CALIBRATION_SECONDS

    def series(self, task: str, config: Config) -> Series:
        """The runs of a task in one way, over shuffles."""
        return Series.of(r for r in self.results.get("runs", ()) if _is(r, task, config))

    def configs(self, task: str | None = None) -> list[Config]:
        """The ways that were measured, in the order of their first run."""
        runs = self.results.get("runs", ())
        chosen = (r for r in runs if task in (None, r["task"]))
        return list(dict.fromkeys(Config(r["encoding"], r["solver"], r["broken"]) for r in chosen))

    def ranking(self, task: str) -> list[tuple[Config, Series]]:
        """The ways to solve a task, the fastest first."""
        rows = [(config, self.series(task, config)) for config in self.configs(task)]
        return sorted(rows, key=lambda row: (row[1].median, row[1].bound))

    def whole(self, task: str) -> Series:
        """The runs of the command on a task."""
        return Series.of(r for r in self.results.get("whole", ()) if r["task"] == task)

    def bare(self, task: str) -> Series:
        """The runs of the bare solver on the command's formula."""
        return Series.of(r for r in self.results.get("bare", ()) if r["task"] == task)

    def overhead(self) -> dict[tuple[str, Config], Records]:
        """The runs of long refutations in the command and in the bare solver."""
        rows: dict[tuple[str, Config], Records] = defaultdict(list)
        for r in self.results.get("overhead", ()):
            rows[r["task"], Config(r["encoding"], r["solver"], r["broken"])].append(r)
        return rows

    def chosen(self, task: str) -> Config | None:
        """What the command chose for a task."""
        for r in self.results.get("whole", ()):
            if r["task"] == task and r["solver"]:
                return Config(r["encoding"], r["solver"], r["broken"])
        return None

    def comparisons(self) -> list[Comparison]:
        """Every task against Logic Life Search."""
        rows = []
        for task in self.tasks:
            ours = self.whole(task.name)
            if ours.seconds:
                peer = LLS.get(task.name)
                theirs = math.nan if peer is None else peer.seconds * self.scale
                config = str(self.chosen(task.name) or "–")
                rows.append(Comparison(task, ours, config, theirs, peer is None or peer.ended))
        return rows

    def median_ratio(self) -> float:
        """The median over the tasks of how many times faster we are."""
        ratios = [row.ratio for row in self.comparisons() if row.is_counted]
        return statistics.median(ratios) if ratios else math.nan

    def refutations(self) -> tuple[float, float]:
        """The sums over the impossible oscillators, ours and theirs; nan if one is missing."""
        ours = sum(self.whole(name).median for name in REFUTED_OSCILLATORS)
        theirs = sum(LLS[name].seconds * self.scale for name in REFUTED_OSCILLATORS)
        return ours, theirs

    def breaking(self, answer: str, solver: str = "cadical") -> float:
        """The mean factor that symmetry breaking gains over the tasks with this answer."""
        return self.gain(Config("columns", solver, broken=True), Config("columns", solver), answer)

    def gain(self, fast: Config, slow: Config, answer: str | None = None) -> float:
        """The geometric mean of how many times faster one way is than another."""
        ratios = []
        for task in self.tasks:
            one, other = self.series(task.name, fast), self.series(task.name, slow)
            # Where both gave up, nobody knows; where one did, this is a bound.
            known = one.seconds and other.seconds and min(one.median, other.median) < math.inf
            if known and answer in (None, task.answer):
                ratios.append(other.bound / one.bound)
        return geometric_mean(ratios)

    def runs_per_series(self) -> tuple[int, int]:
        """The fewest and the most runs of a task in one way."""
        counts: dict[tuple[Any, ...], int] = defaultdict(int)
        for r in self.results.get("runs", ()):
            counts[r["task"], r["encoding"], r["solver"], r["broken"]] += 1
        return (min(counts.values()), max(counts.values())) if counts else (0, 0)


def _is(record: dict[str, Any], task: str, config: Config) -> bool:
    return record["task"] == task and config == Config(
        record["encoding"], record["solver"], record["broken"]
    )
