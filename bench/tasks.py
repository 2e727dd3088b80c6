"""The 22 tasks, B01 to B22: problems whose answers are known.

All generations 0 to p of a task lie inside its box, and outside is dead.  So ships are asked with
``include_last``; they need only be not empty, and oscillators have the period as a whole.

>>> find_task("B01").answer
'found'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from satlife import Known, Motion, NotEmpty, Problem, orphan, oscillator, still_life
from satlife.life import PartialPattern

States = npt.NDArray[np.uint8]

MIRROR = "D2|"
OFFSETS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]

ORPHAN: Final = (
    "0101110100 0010101001 1011100110 0101111101 1001001111 "
    "1111001001 1011111010 0110011101 1001010100 0010111010"
)
TEXT: Final = (
    "10000111011110111 10000010010000100 10000010011100110 10000010010000100 11110111010000111"
)


@dataclass(frozen=True)
class Task:
    """A problem and its answer."""

    name: str
    words: str
    problem: Problem
    answer: Literal["found", "impossible"]
    hard: bool = False
    """Whether no solver is expected to end within a minute."""


def _ship(speed: str, box: str, symmetry: str = "C1") -> Problem:
    motion = Motion.parse(speed)
    return Problem(
        kind="ship",
        boxes=(box,),
        motion=motion,
        include_last=True,
        symmetry=symmetry,
        constraints=(NotEmpty(),),
    )


def _oscillator(period: int, box: str, symmetry: str = "C1") -> Problem:
    return oscillator(period, box=box, symmetry=symmetry, composite=True)


def _rows(text: str) -> States:
    return np.array([[int(state) for state in row] for row in text.split()], np.uint8)


def _ancestor(last: States, steps: int, margin: int) -> Problem:
    """Ask for what becomes this; no generation leaves the box that is larger by the margin."""
    states = np.pad(last, margin)
    rows = tuple("".join(".o"[state] for state in row) for row in states.tolist())
    height, width = states.shape
    return Problem(
        kind="parent",
        boxes=(f"{width}x{height}",),
        steps=steps,
        known=(Known(t=steps, rows=rows),),
    )


def _random_child() -> States:
    """The 32x32 child of a 30x30 soup, which is its parent in the same box."""
    soup = (np.random.default_rng(1).random((30, 30)) < 0.5).astype(np.uint8)
    return step_life(np.pad(soup, 1))


def step_life(states: States) -> States:
    """Return the next generation in the same box; outside is dead."""
    padded = np.pad(states, 1)
    height, width = states.shape
    around = np.zeros_like(states)
    for dx, dy in OFFSETS:
        around += padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
    alive: States = ((around == 3) | ((around == 2) & (states == 1))).astype(np.uint8)
    return alive


TASKS: Final[tuple[Task, ...]] = (
    Task("B01", "ship c/4d, 4x4 (glider)", _ship("c/4d", "4x4"), "found"),
    Task("B02", "ship 2c/4, 5x7 (LWSS)", _ship("2c/4", "5x7"), "found"),
    Task("B03", "ship c/3, 12x14, mirror (turtle)", _ship("c/3", "12x14", MIRROR), "found"),
    Task("B04", "ship c/3, 5x17", _ship("c/3", "5x17"), "impossible"),
    Task("B05", "ship c/3, 6x18", _ship("c/3", "6x18"), "impossible"),
    Task("B06", "oscillator p3, 5x5", _oscillator(3, "5x5"), "impossible"),
    Task("B07", "oscillator p3, 8x7", _oscillator(3, "8x7"), "found"),
    Task("B08", "oscillator p3, 6x6", _oscillator(3, "6x6"), "impossible"),
    Task("B09", "oscillator p5, 8x8, C4", _oscillator(5, "8x8", "C4"), "found"),
    Task("B10", "oscillator p4, 9x9, C4", _oscillator(4, "9x9", "C4"), "impossible"),
    Task("B11", "oscillator p4, 12x12, C4", _oscillator(4, "12x12", "C4"), "found"),
    Task("B12", "oscillator p8, 9x9, C4", _oscillator(8, "9x9", "C4"), "impossible"),
    Task("B13", "still life 8x8, ≥ 36", still_life(box="8x8", population=">=36"), "found"),
    Task("B14", "still life 9x9, ≥ 44", still_life(box="9x9", population=">=44"), "impossible"),
    Task("B15", "still life 10x10, ≥ 54", still_life(box="10x10", population=">=54"), "found"),
    Task("B16", "orphan 10x10", orphan(PartialPattern(_rows(ORPHAN))), "impossible"),
    Task("B17", "parent of a soup's child, 32x32", _ancestor(_random_child(), 1, 0), "found"),
    Task("B18", "TEXT 2 generations back", _ancestor(_rows(TEXT), 2, 3), "found"),
    Task("B19", "TEXT 4 generations back", _ancestor(_rows(TEXT), 4, 4), "found"),
    Task("B20", "ship c/10, 10x14, mirror", _ship("c/10", "10x14", MIRROR), "found", hard=True),
    Task("B21", "ship 2c/5, 15x13, mirror", _ship("2c/5", "15x13", MIRROR), "found"),
    Task("B22", "ship c/4, 13x21, mirror", _ship("c/4", "13x21", MIRROR), "found", hard=True),
)

LONG: Final[tuple[Task, ...]] = (
    *(task for task in TASKS if task.name in ("B08", "B12", "B14")),
    Task("L1", "ship c/3, 7x16", _ship("c/3", "7x16"), "impossible"),
    Task("L2", "ship c/3, 8x12", _ship("c/3", "8x12"), "impossible"),
)
"""Refutations of 3 to 60 seconds without symmetry breaking: for what satlife adds to a solver."""

REFUTED_OSCILLATORS: Final = ("B06", "B08", "B10", "B12")
"""Their sum is the measure for refutations."""

BREAKABLE: Final = ("B06", "B07", "B08", "B10", "B11", "B12")
"""Oscillators, found and impossible: with and without symmetry breaking."""


def find_task(name: str) -> Task:
    """Return the task of that name."""
    for task in TASKS:
        if task.name == name.upper():
            return task
    raise ValueError(f"no task {name!r}: they are {TASKS[0].name} to {TASKS[-1].name}")
