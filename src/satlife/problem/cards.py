"""Questions and answers as cards, which a notebook shows; found, none and undecided differ.

Problems and findings as scenes: what is asked, and what was found, to be drawn.

>>> from satlife.kinds import ship
>>> sketch = make_sketch(ship("c/3", box="16x6"))
>>> len(sketch.frames), str(sketch.box)
(3, '16x6')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from satlife.life import Torus
from satlife.life.box import Box
from satlife.life.cells import ALIVE, DEAD, UNKNOWN, Cells
from satlife.life.draw import DONT_CARE
from satlife.problem.rules import any_rule
from satlife.problem.words import describe, write_command
from satlife.show.caption import Caption, describe_partial, describe_rule
from satlife.show.card import Card
from satlife.show.formats.svg import write_svg
from satlife.show.scene import TILED, Frame, Scene
from satlife.show.style import Style

if TYPE_CHECKING:
    from satlife.problem.lls_grid import Grid
    from satlife.problem.outcome import Finding, Impossible, Provenance, Undecided
    from satlife.problem.problem import Problem


MOST_SKETCHED: Final = 20_000
"""Cells of all generations; a larger problem is sketched by its first generation."""


def make_scene(finding: Finding) -> Scene:
    """Return the generations of a finding; of an object, for one period."""
    problem = finding.problem
    if problem.motion is not None and problem.boundary == "dead":
        return Scene.of(finding.pattern)
    rule = finding.rule
    if problem.boundary == "torus":
        torus = Torus(problem.all_boxes[0].width, problem.all_boxes[0].height, *problem.wrap)
        frames = tuple(map(Frame.at_origin, (torus.tile(c, TILED) for c in finding.history)))
        facts = (f"on a torus of {problem.boxes[0]}", describe_rule(rule))
    else:
        frames = tuple(
            Frame(cells, box) for cells, box in zip(finding.history, problem.all_boxes, strict=True)
        )
        facts = (f"generations 0 to {len(frames) - 1}", describe_rule(rule))
    population = f"{finding.pattern.population} cells"
    margin = 0 if problem.boundary == "torus" else 1
    # Whoever asks whether something is an orphan is shown a parent: then it is not one.
    title = "parent" if problem.kind == "orphan" else problem.kind
    return Scene(frames, Caption(title, (population, *facts)), rule, margin=margin)


def make_sketch(problem: Problem) -> Scene:
    """Return the boxes of a problem with the cells that are known; the others are unknown."""
    cells = sum(box.area for box in problem.all_boxes)
    boxes = problem.all_boxes if cells <= MOST_SKETCHED else problem.all_boxes[:1]
    frames = []
    for t, box in enumerate(boxes):
        states = np.full((box.height, box.width), UNKNOWN, np.uint8)
        for known in problem.known:
            if known.t == t:
                _fill_in(states, box, known.x, known.y, known.rows)
        frames.append(Frame(states, box))
    return Scene(tuple(frames), Caption(), any_rule(problem))


def show_grid(grid: Grid) -> Scene:
    """Return a search pattern; cells that need not follow by the rule are don't care."""
    states = np.array(grid.pattern.states)
    for x, y, t in grid.exempt:
        if states[t, y, x] == UNKNOWN:
            states[t, y, x] = DONT_CARE
    frames = tuple(Frame(cells, grid.pattern.box) for cells in states)
    return Scene(frames, describe_partial(grid.pattern), grid.pattern.rule)


def _fill_in(states: Cells, box: Box, x: int, y: int, rows: tuple[str, ...]) -> None:
    for row, line in enumerate(rows, y - box.y):
        for column, letter in enumerate(line, x - box.x):
            if letter != "?" and 0 <= row < box.height and 0 <= column < box.width:
                states[row, column] = ALIVE if letter == "o" else DEAD


def show_finding(finding: Finding) -> Card:
    """Return what was found: its phases, what it is, how it was found, and its RLE."""
    scene = make_scene(finding)
    facts = " · ".join(filter(None, [*scene.caption.facts, scene.caption.code]))
    return Card(
        "found",
        scene.caption.title,
        (facts,),
        _draw(scene),
        (f"Verified by simulation. {_describe_effort(finding.provenance)}",),
        (("RLE", finding.pattern.to_rle()),),
    )


def show_impossible(outcome: Impossible) -> Card:
    """Return the statement that there is none, or that a search without a check found none."""
    kept = f"Certificate: {outcome.certificate}." if outcome.certificate else ""
    exhausted = outcome.word == "exhausted"
    asked = describe(outcome.problem)
    notes = (f"Reason: {outcome.reason}.", _describe_effort(outcome.provenance), kept)
    return Card(
        "exhausted" if exhausted else "impossible",
        "Search exhausted" if exhausted else "No such pattern exists",
        (
            f"The search ended without finding {asked}. This result has not been checked."
            if exhausted
            else f"There is no {asked.removeprefix('a ')}.",
        ),
        notes=tuple(filter(None, notes)),
    )


def show_undecided(outcome: Undecided) -> Card:
    """Return that nothing is known, and why."""
    return Card(
        "undecided",
        f"Undecided: {outcome.reason}",
        (
            "Neither found nor refuted: whether such a pattern exists is not known.",
            f"Asked for: {describe(outcome.problem)}.",
        ),
        notes=(_describe_effort(outcome.provenance),),
    )


def show_problem(problem: Problem) -> Card:
    """Return the question: its sentence, its boxes, and the command."""
    command = write_command(problem)
    command_line = command or "satlife find problem.toml"
    return Card(
        "question",
        f"Problem: {problem.kind}",
        (f"Find {describe(problem)}.",),
        picture=_draw(make_sketch(problem)),
        notes=(f"On the command line: {command_line}",),
        details=() if command else (("problem.toml", problem.to_toml()),),
    )


def _draw(scene: Scene) -> str:
    return write_svg([scene], Style(caption=False))


def _describe_effort(provenance: Provenance | None) -> str:
    if provenance is None:
        return ""
    means = f" ({provenance.means})" if provenance.means else ""
    return f"By {provenance.engine}{means}, in {provenance.seconds:.1f} s."
