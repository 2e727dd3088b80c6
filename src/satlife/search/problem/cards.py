"""Questions and answers as cards, which a notebook shows; found, none and undecided differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satlife.search.problem.command import write_command
from satlife.search.problem.describe import describe
from satlife.search.problem.scenes import make_scene, make_sketch
from satlife.show.card import Card
from satlife.show.formats.svg import write_svg
from satlife.show.scene import Scene
from satlife.show.style import Style

if TYPE_CHECKING:
    from satlife.search.problem.outcome import Finding, Impossible, Provenance, Undecided
    from satlife.search.problem.problem import Problem


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
