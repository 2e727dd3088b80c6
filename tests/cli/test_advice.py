"""What to type next after a long search: it fits the problem, and the command line takes it."""

from __future__ import annotations

import json
import os
import shlex
import sys
from functools import partial
from typing import Any

import numpy as np
import pytest

from satlife.advice import LEAST_WIDTHS, SMALL, advise, is_refuted
from satlife.cli.group import search_command
from satlife.cli.search.asked import Asked, build_problem
from satlife.cli.search.progress import PATIENCE, LiveReport, Report
from satlife.cli.search.run import change_words
from satlife.deadline import Deadline
from satlife.engine import Options, pick_engine
from satlife.engine.engine import Progress
from satlife.engine.estimates import estimate, is_measured
from satlife.kinds import find_kind, oscillator, ship, wick
from satlife.life import Box
from satlife.life.box import HIGHEST, OpenBox
from satlife.problem import Problem
from satlife.sat.solvers.memory import processor_seconds
from tests.cli.running import run


def read(words: list[str]) -> tuple[Any, Asked, dict[str, Any]]:
    """Read a command as the program does, without running it."""
    name, *rest = words
    kind = find_kind(name)
    options = dict(search_command(kind).make_context(name, rest).params)
    return kind, Asked.take(options), options


def make(kind: Any, options: dict[str, Any], **changes: str) -> Problem:
    return build_problem(kind, options | changes)


def list_commands(command: str, processors: int = 2, reason: str = "time limit") -> list[str]:
    """Return the commands that are advised; each of them is read, built, and taken."""
    kind, asked, options = read(shlex.split(command))
    how = {name: value for name, value in asked.how.items() if name != "engine"}
    single = not (asked.which.several or asked.which.best)
    advised = []
    given = advise(
        partial(make, kind, options),
        Options.of(**how),
        processors=processors,
        reason=reason,
        single=single,
        grows=options.get("box", "") is None,
    )
    for advice in given:
        words = change_words(shlex.split(command), advice.changes)
        again, changed, values = read(words[1:])
        problem = build_problem(again, {"box": "12x12", **values} | _boxed(values))
        engine = pick_engine(changed.how.pop("engine"), problem)
        engine.check_options(Options.of(**changed.how))
        advised.append(shlex.join(words[1:]))
    return advised


def _boxed(values: dict[str, Any]) -> dict[str, str]:
    return {"box": "12x12"} if values.get("box", "") is None else {}


LONG = {
    "oscillator 5 --box 12x12 --timeout 1m": "--timeout 3m --symmetry C4",
    "oscillator 8 --box 12x12 --timeout 1m": "--symmetry D8",
    "oscillator 6 --box 15x15 --symmetry C4 --timeout 1m": "--box 13x13",
    "oscillator 7 --box 15x15 --symmetry C4 --timeout 1m": "--timeout 1m --jobs 2",
    "oscillator 19 --box 9x9 --symmetry D8 --timeout 1m": "--timeout 1m --jobs 2",
    "wick 3 --box 15x15 --symmetry D2h --timeout 1m": "--timeout 1m --jobs 2",
    "oscillator 7 --timeout 1m": "oscillator 7 --timeout 74m --symmetry C4",
    "ship c/3 --timeout 1m": "--box '12x*' --symmetry D2v",
    "ship c/5 --box 12x20 --timeout 1m": "--box '9x*'",
    "ship c/5 --box 20x12 --timeout 1m": "--box '20x*' --timeout 8m --symmetry D2v",
    "ship c/5 --box 15x15 --symmetry D2v --jobs 2 --timeout 1m": "--box '15x*'",
    "ship c/5 --box 15x15 --population '<=40' --timeout 1m": "--symmetry D2v",
    "ship '(2,1)c/6' --box 14x14 --timeout 1m": "--timeout 1m --jobs 2",
    "ship c/5 --box '14x*' --timeout 1m": "--symmetry D2v",
    "still-life --box 20x20 --maximize population --timeout 1m": "--timeout 4m",
    "still-life --box 12x12 --symmetry D8 --count --timeout 1m": "--timeout 4m",
    "oscillator 3 --box 9x8 --all --timeout 1m": "--all --timeout 4m",
    "parent '2o$2o!' --generations 6 --timeout 1m": "--timeout 1m --jobs 2",
    "agar 4 --box 16x16 --timeout 1m": "--symmetry D2v",
}


def test_an_estimate_is_at_most_what_all_fillings_would_take() -> None:
    for period in range(1, 40):
        for side in range(1, 6):
            seconds = estimate(Box(0, 0, side, side), "C1", f"p{period}")
            fillings = 2.0 ** (side * side)
            assert seconds <= 0.01 + 5e-5 * side**2 * period + 3e-8 * side**2 * period * fillings


def test_an_estimate_is_told_within_its_range_only() -> None:
    for command in LONG:
        kind, asked, options = read(shlex.split(command))
        how = {name: value for name, value in asked.how.items() if name != "engine"}
        make_it = partial(make, kind, options)
        grows = options.get("box", "") is None
        for advice in advise(make_it, Options.of(**how), processors=2, grows=grows):
            if advice.seconds is not None:
                changed = make_it(**{"box": "12x12"} | _keep(options, "box") | advice.changes)
                box = changed.boxes[0]
                where = OpenBox(0, 0, changed.width, HIGHEST) if "*" in box else Box.parse(box)
                assert is_measured(where, changed.symmetry, str(changed.motion)), advice


def _keep(options: dict[str, Any], name: str) -> dict[str, Any]:
    return {name: options[name]} if options.get(name) else {}


def test_no_small_box_is_advised_that_a_known_bound_excludes() -> None:
    for box, period in (("4x4", 3), ("4x4", 19), ("5x7", 4), ("3x9", 5)):
        assert is_refuted(oscillator(period, box=box))
        assert not is_refuted(oscillator(period, box=box, rule="B36/S23"))
    for side in range(1, SMALL + 1):
        assert find_periods(side) <= {1, 2}
    for (speed, name), widths in LEAST_WIDTHS.items():
        for width in widths:
            assert is_refuted(ship(speed, box=f"{width - 2}x*", symmetry=name))


def find_periods(side: int) -> set[int]:
    """The periods of what stays in a square, by going through all fillings."""
    names = np.arange(1 << (side * side))
    bits = 1 << np.arange(side * side).reshape(side, side)
    grids = np.zeros((names.size, side + 4, side + 4), np.uint8)
    grids[:, 2:-2, 2:-2] = (names[:, None, None] & bits) > 0
    places = [(j, i) for j in (-1, 0, 1) for i in (-1, 0, 1)]
    around = sum(np.roll(grids, place, (1, 2)) for place in places) - grids
    after = (around == 3) | ((around == 2) & (grids == 1))
    inner = after[:, 2:-2, 2:-2]
    stays = inner.sum((1, 2)) == after.sum((1, 2))
    following = np.where(stays, (inner * bits).sum((1, 2)), -1)
    periods = set()
    for first in names:
        path: dict[int, int] = {}
        cells = int(first)
        while cells >= 0 and cells not in path:
            path[cells] = len(path)
            cells = int(following[cells])
        if cells >= 0:
            periods.add(len(path) - path[cells])
    return periods


@pytest.mark.parametrize("command", LONG)
def test_a_long_search_has_advice_that_can_be_followed(command: str) -> None:
    advised = list_commands(command)
    assert LONG[command] in advised[0]


def test_other_processors_are_named_only_if_there_are_any() -> None:
    command = "oscillator 5 --box 12x12 --symmetry C4 --timeout 1h"
    assert any("--jobs 8" in each for each in list_commands(command, processors=8))
    assert not any("--jobs" in each for each in list_commands(command, processors=1))


def test_where_memory_is_short_more_jobs_are_not_advised() -> None:
    command = "still-life --box 30x30 --symmetry D8 --memory 500M"
    advised = list_commands(command, processors=8, reason="memory limit")
    assert advised[0] == "still-life --box 30x30 --symmetry D8 --memory 2000M"


def test_the_last_line_is_a_command(tmp_path: Any) -> None:
    done = run("satlife", "oscillator", "8", "--box", "12x12", "--timeout", "1s")
    first, last = done.stderr.decode().splitlines()
    assert done.returncode == 3
    assert first.startswith("undecided (time limit): neither found nor refuted")
    why, _, command = last.partition(": ")
    assert why == "next (21 cells to choose instead of 144 in 12x12)"  # period 8 was not measured
    assert command == "satlife oscillator 8 --box 12x12 --timeout 33s --symmetry D8"


def test_the_record_has_the_command() -> None:
    done = run("satlife", "still-life", "--box", "30x30", "--count", "--timeout", "1s", "--json")
    assert done.returncode == 3
    record = json.loads(done.stdout.splitlines()[-1])
    advised = "satlife still-life --box 30x30 --count --timeout 4s --json"
    assert record["advice"] == advised
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("oscillator 100000 --timeout 0", "undecided (time limit)"),  # no box of advice holds it
        ("oscillator --box 12x12 --timeout 0.5 -- 7", "--symmetry C4 -- 7"),
        ("ship c/3 --symmetry D2b", "cannot move north or south"),
    ],
)
def test_advice_and_errors_where_no_box_fits(command: str, words: str) -> None:
    done = run("satlife", *shlex.split(command))
    assert done.returncode in (2, 3)
    assert words in done.stderr.decode()


class Screen:
    """A console and a spinner that keep what is shown."""

    height = 40

    def __init__(self) -> None:
        self.printed: list[str] = []
        self.line = ""

    def print(self, text: str, **how: bool) -> None:
        self.printed.append(text)

    def set(self, text: str) -> None:
        self.line = text


def test_a_terminal_shows_advice_once_after_a_while() -> None:
    screen: Any = Screen()
    report = LiveReport(Deadline.after(60), screen, screen, lambda reason: ("satlife x", "why"))
    for seconds in (1.0, PATIENCE - 1, PATIENCE + 1, PATIENCE + 2):
        report.event(Progress("cadical", seconds, {"processor_seconds": seconds}))
        assert bool(screen.printed) == (seconds > PATIENCE)
    assert screen.printed == ["satlife: this takes a while; try this (why):\n  satlife x"]
    assert screen.line == "cadical: 17 s of a processor, 0 of 60 s"


def test_what_is_counted_has_a_speed() -> None:
    report = Report(Deadline.after(60))
    speeds = [
        report.measure_speed("kissat", seconds, {"conflicts": conflicts, "memory_bytes": 1})
        for seconds, conflicts in ((0.5, 9), (2.0, 200), (3.0, 200), (4.0, 600), (4.1, 640))
    ]
    assert [speed["conflicts/s"] for speed in speeds] == [0, 100, 100, 200, 200]
    assert report.measure_speed("rows", 5.0, {"states": 9}) == {}


def test_the_processor_time_of_a_process_is_read() -> None:
    assert (processor_seconds(os.getpid()) > 0) == (sys.platform != "win32")
    assert processor_seconds(2**31 - 1) == 0


def test_the_box_of_a_wick_is_named_as_it_was_asked_for() -> None:
    given = advise(lambda **changes: wick(3, **({"box": "6x5"} | changes)), Options())
    assert next(given).why == "15 cells to choose instead of 30 in 6x5"
