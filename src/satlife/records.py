"""Answers as records and files: JSON, RLE with comments, and descriptions.

The command line prints them, a page shows them; docs/reference/json.md explains the records.

>>> from satlife import find, ship
>>> outcome = find(ship("c/4d", box="4x4"))
>>> answers_yes(outcome), make_record(outcome)["answer"]
(True, 'found')
>>> print(describe_finding(outcome.finding))
xq4_153: glider, spaceship c/4d, 5 cells, 3x3, C1
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import msgspec
import numpy as np

from satlife.engine.goals import Best
from satlife.errors import UsageError
from satlife.kinds import kind_of
from satlife.life import PartialPattern, Pattern, Torus, identify
from satlife.life.box import format_window
from satlife.life.cells import UNKNOWN
from satlife.life.formats.rle import draw_history, write_comment
from satlife.life.raster import Raster
from satlife.life.rule import LIFE
from satlife.life.transforms import IDENTITY
from satlife.problem import Problem
from satlife.problem.background import look, make_film
from satlife.problem.outcome import Finding, Found, Impossible, Outcome, Provenance, Undecided
from satlife.problem.reaction import find_restored, follow_reaction
from satlife.problem.words import count_words, entitle
from satlife.verifier import constraints
from satlife.verifier.generations import Generations


def answers_yes(outcome: Outcome) -> bool | None:
    """Return whether the question is answered with yes; None if it is undecided.

    Mostly yes means found.  Whether a pattern is an orphan is answered with yes if a parent is
    impossible: :attr:`satlife.Kind.yes` says which.
    """
    match outcome:
        case Found(finding):
            return kind_of(finding.problem).yes == "found"
        case Impossible(problem):
            return kind_of(problem).yes == "impossible" and not outcome.vacuous
        case Undecided():
            return None


def catalyst(finding: Finding) -> Pattern:
    """Return the eater or other catalyst that was found, alone.

    It is in the phase that it has in generation 0, together with the pattern it acts on.
    """
    alone = _find_catalyst(finding)
    if alone is None:
        raise UsageError(f"a search of the kind {finding.problem.kind} has no catalyst")
    return alone


def _find_catalyst(finding: Finding) -> Pattern | None:
    t = kind_of(finding.problem).catalyst_generation(finding.problem)
    return None if t is None else finding.generation(t)


def is_patch(problem: Problem) -> bool:
    """Return whether a solution is a part of a catalyst, with nothing asked at its border."""
    return problem.boundary == "free" and problem.kind == "eater"


def is_object(problem: Problem) -> bool:
    """Return whether a solution is an object that recurs, on the plane."""
    return problem.motion is not None and problem.boundary == "dead"


def is_known(finding: Finding) -> bool:
    """Return whether a finding was taken from the catalogue, not searched for."""
    return finding.provenance.engine == "catalogue"


def describe_finding(finding: Finding) -> str:
    """Return a description of a finding, in one line."""
    alone = _find_catalyst(finding)
    if alone is not None and is_patch(finding.problem):
        window = format_window(finding.problem.all_boxes[0])
        return f"a patch of {window}: {count_words(alone.population, 'live cell')} of an eater"
    if alone is not None:
        return f"{identify(alone)}{_reaction_words(finding)}{_arrival_words(finding)}"
    if finding.problem.boundary == "agar":
        box = finding.problem.all_boxes[0]
        other = count_words(_count_changed(finding), "cell")
        living = count_words(finding.pattern.population, "live cell")
        return f"{living} in the box of {box.width}x{box.height}, {other} not as in the background"
    if not is_object(finding.problem):
        return f"{finding.pattern.population} cells in {finding.pattern.box}{_range_words(finding)}"
    heading = "" if finding.turn == IDENTITY else f", heading {finding.direction}"
    return f"{finding.identity}{heading}{_range_words(finding)}"


def _count_changed(finding: Finding) -> int:
    """Return the number of cells of generation 0 that differ from the background."""
    box, tile = finding.problem.all_boxes[0], finding.problem.background
    y, x = np.mgrid[box.y : box.bottom, box.x : box.right]
    usual = look(make_film(tile, finding.problem.rule, 0)[0], x, y)
    return int((usual != (finding.history[0] == 1)).sum())


def find_arrivals(finding: Finding) -> list[tuple[int, int]]:
    """Return the lane and the time of the input, if the search could choose them."""
    return constraints.find_arrivals(Generations(finding.problem, finding.history))


def can_arrive(finding: Finding) -> bool | None:
    """Return whether the ship beside an eater can have come from far away.

    None if there is no catalyst, or what is beside it is not a ship.
    """
    alone = _find_catalyst(finding)
    if alone is None or is_patch(finding.problem):
        return None
    from satlife.life.identity import flight  # noqa: PLC0415 - only of a catalyst

    whole = finding.generation(0)
    others = whole.in_box(whole.box) * (alone.in_box(whole.box) == 0)
    return flight.can_arrive(
        Pattern.from_array(others, whole.box.x, whole.box.y, whole.rule), alone
    )


def _draw_what_matters(finding: Finding) -> PartialPattern:
    """Draw the cells of a catalyst on which its reaction depends; the others are unknown."""
    from satlife.engine.reactions import (  # noqa: PLC0415 - only of a catalyst
        find_alone,
        mark_what_matters,
    )

    t = find_alone(finding.problem)
    home = finding.problem.all_boxes[t]
    matters = mark_what_matters(finding.problem, finding.history)
    states = np.where(matters, finding.history[t], UNKNOWN)
    return PartialPattern(states, home.x, home.y, finding.problem.parsed.rule)


def _reaction_words(finding: Finding) -> str:
    """Return when a catalyst is touched and restored, and what the whole pattern becomes."""
    if find_restored(finding.problem) is None:
        return ""
    reaction = follow_reaction(finding.problem, finding.history)
    return f"; {reaction}; all together {identify(finding.pattern).reason}"


def _arrival_words(finding: Finding) -> str:
    words = [f"in lane {lane}, at time {time}" for lane, time in find_arrivals(finding)]
    words = [f"; the input comes {each}" for each in words]
    match can_arrive(finding):
        case True:
            words.append("; the input can arrive")
        case False:
            words.append("; the input cannot arrive: it would have met this on its way")
    return "".join(words)


def _range_words(finding: Finding) -> str:
    """Return the rules of an open problem's set in which the pattern is a solution."""
    rules = finding.rules
    if rules is None:
        return ""
    if not rules.is_open:
        return f"; only in {rules}"
    return f"; in {rules.size:,} rules: {rules}, from {rules.least} to {rules.greatest}"


def say_none(outcome: Impossible) -> str:
    """Return what the impossibility means, in the words of its kind; empty if it has none."""
    kind = kind_of(outcome.problem)
    return (kind.vacuous_words if outcome.vacuous else kind.impossible_words)(outcome.problem)


def describe_outcome(outcome: Outcome) -> str:
    """Return the answer in one line: what was found, or why nothing was."""
    match outcome:
        case Found(finding):
            kind = kind_of(finding.problem)
            found = "in the catalogue" if is_known(finding) else "found"
            words = kind.found_words(finding.problem) or f"{found}: {describe_finding(finding)}"
            if kind.supposes and (other := len(finding.differences)):
                words += f" in {count_words(other, 'cell')}"
            words += f"; {note}" if (note := kind.note(finding.problem)) else ""
            if kind.takes("approach") and can_arrive(finding) is False:
                words += "; --approach far asks for one that it reaches"
        case Impossible(problem, reason):
            kind = kind_of(problem)
            if said := say_none(outcome):
                words = f"{said} ({reason})"
            else:
                words = f"{outcome.word} ({reason}): there is no {kind.asked(problem)}"
            words += f"; {hint}" if (hint := kind.hint(problem)) else ""
            if outcome.word == "exhausted":  # the next width takes a multiple of the states
                return f"{words}{describe_tried(outcome.provenance)}"
        case Undecided(problem, reason):
            words = f"undecided ({reason}): neither found nor refuted"
            words += describe_tried(outcome.provenance)
            return f"{words}; {hint}" if (hint := hint_undecided(outcome)) else words
    return f"{words}{_effort(_provenance(outcome))}"


def hint_undecided(outcome: Undecided) -> str:
    """Return the same speed with another period, unless it was asked for too, without a box."""
    kind, by = kind_of(outcome.problem), outcome.provenance
    asked = by is not None and by.engine == "hunters"
    return kind.hint(outcome.problem) if kind.axis == "speeds" and not asked else ""


def describe_tried(provenance: Provenance | None) -> str:
    """Return the work of a search without an answer, to be added to the reason."""
    if provenance is None:
        return ""
    done = [
        f"{number:,} {words}"
        for name, words in _DONE.items()
        if isinstance(number := provenance.details.get(name), int)
    ]
    unbuilt = provenance.engine == "sat" and "clauses" not in provenance.details
    return _effort(provenance, *(["its formula not built"] if unbuilt else done))


_DONE = {
    "clauses": "clauses",
    "conflicts": "conflicts",
    "cases": "cases settled",
    "parts": "parts of it tried",
    "states": "states",
    "rows": "rows deep",
}
"""The counters of engines, by their names in a provenance's details."""


def _effort(provenance: Provenance | None, *done: str) -> str:
    if provenance is None:
        return ""
    words = [
        provenance.means or provenance.engine,
        *done,
        f"{provenance.seconds:.1f} s by the clock",
    ]
    return f" [{', '.join(words)}]"


def _provenance(outcome: Outcome) -> Provenance | None:
    return outcome.finding.provenance if isinstance(outcome, Found) else outcome.provenance


def write_rle(finding: Finding, command: str = "") -> str:
    """Write a finding as RLE, with comments: its name, what it is, and the command that found it.

    A solution on a torus is written as a whole tile, since its dead margins matter, and with the
    torus, as Golly writes it: ``rule = B3/S23:T4,4``.  A catalyst that something hits is drawn in
    LifeHistory: see :func:`draw_reaction`.
    """
    problem, lines = finding.problem, []
    if is_object(problem):
        identity = finding.identity
        lines += [write_comment(identity.name, "N")] if identity.name else []
        lines += [write_comment(str(identity))]
    if is_patch(problem):
        lines += [write_comment(describe_finding(finding))]
    elif (alone := _find_catalyst(finding)) is not None:
        words = f"{_reaction_words(finding)}{_arrival_words(finding)}"
        lines += [write_comment(f"{identify(alone)}{words}")]
    lines += [write_comment(f"Works {words[2:]}")] if (words := _range_words(finding)) else []
    found = "Taken from the catalogue" if is_known(finding) else _found(problem)
    lines += [write_comment(f"{found} and verified by {command}")] if command else []
    text = draw_reaction(finding) or finding.pattern.to_rle()
    if problem.boundary == "agar":
        background = "In a background that repeats; the torus holds the box and some of it"
        lines += [write_comment(background)]
        text = surround(finding).to_rle()
    if problem.boundary == "torus":
        tile = problem.all_boxes[0]
        lines += [write_comment(f"One tile of {tile} of a pattern that {_extends(problem)}")]
        height = 0 if has_dead_belt(problem) and not any(problem.wrap) else tile.height
        torus = Torus(tile.width, height, *problem.wrap)
        cells = finding.pattern.in_box(tile)
        text = PartialPattern(cells, rule=finding.rule, torus=torus).to_rle()
    return "\n".join([*lines, text]) + "\n"


def draw_reaction(finding: Finding) -> str:
    """Return generation 0 in LifeHistory: the input in state 1, and the catalyst in state 3.

    It is a drawing that ``satlife catalyst`` reads.  Only Life has such drawings; in other rules,
    and of other kinds, it is empty.
    """
    whole, alone = finding.pattern, _find_catalyst(finding)
    if alone is None or find_restored(finding.problem) is None or whole.rule != LIFE:
        return ""
    states = whole.cells + 2 * alone.in_box(whole.box)
    return draw_history(Raster(states, whole.x, whole.y))


def surround(finding: Finding) -> PartialPattern:
    """Return generation 0 with some of its background, on a torus that lives as the plane does.

    Outside the box there is only background, so a torus of whole tiles that is two cells larger
    than the box is as good as the plane; this one has one tile more, to be seen.
    """
    box, tile = finding.problem.all_boxes[0], finding.problem.background
    height, width = (
        (-(-(length + 2) // len(repeated)) + 1) * len(repeated)
        for length, repeated in ((box.height, tile), (box.width, tile[0]))
    )
    y, x = np.mgrid[box.y - 1 : box.y - 1 + height, box.x - 1 : box.x - 1 + width]
    cells = look(make_film(tile, str(finding.rule), 0)[0], x, y).astype(np.uint8)
    cells[1 : box.height + 1, 1 : box.width + 1] = finding.history[0]
    return PartialPattern(cells, rule=finding.rule, torus=Torus(width, height))


def _found(problem: Problem) -> str:
    """Return what was found, where the pattern means no: what was asked for is not this."""
    if kind_of(problem).yes == "found":
        return "Found"
    noun = entitle(problem)
    return f"{'An' if noun[0] in 'aeiou' else 'A'} {noun}, found"


def _extends(problem: Problem) -> str:
    return "repeats in one direction" if has_dead_belt(problem) else "fills the plane"


def has_dead_belt(problem: Problem) -> bool:
    """Whether a torus is a cylinder: the rows along its seam are dead in all generations."""
    tile = problem.all_boxes[0]
    dead = {
        (y, each.t)
        for each in problem.known
        for y, row in enumerate(each.rows, each.y)
        if row == "." * tile.width
    }
    seam = (tile.y, tile.bottom - 1)
    return all((y, t) in dead for y in seam for t in range(problem.generations))


def make_record(outcome: Outcome) -> dict[str, Any]:
    """Return an answer as a record that can be written as JSON (by msgspec)."""
    provenance = _provenance(outcome)
    match outcome:
        case Found(finding):
            problem, record = finding.problem, _finding_record(finding)
        case Impossible(problem, reason):
            record = {"answer": outcome.word, "reason": reason, **_hint_record(problem)}
            if kind_of(problem).supposes:
                record["vacuous"] = outcome.vacuous
            if outcome.certificate is not None:
                record["certificate"] = str(outcome.certificate)
        case Undecided(problem, reason):
            record = {"answer": "undecided", "reason": reason}
            record |= {"hint": hint} if (hint := hint_undecided(outcome)) else {}
    return {
        **record,
        "name": problem.name,
        "problem": msgspec.Raw(problem.to_json()),
        "provenance": None if provenance is None else asdict(provenance),
    }


def _hint_record(problem: Problem) -> dict[str, str]:
    """Return a hint after an impossibility, and the window of a reaction."""
    kind = kind_of(problem)
    record = {"hint": hint} if (hint := kind.hint(problem)) else {}
    if kind.catalyst:
        record |= {"field": format_window(problem.all_boxes[0])}
    return record


def make_best_record(best: Best) -> dict[str, Any]:
    """Return the best solution as a record."""
    names = [goal.measure.name for goal in best.goals]
    return {
        **make_record(Found(best.finding)),
        "best": dict(zip(names, best.values, strict=True)),
        "proved": best.proved,
        **({} if best.proved else {"reason": best.reason}),
    }


def _finding_record(finding: Finding) -> dict[str, Any]:
    record: dict[str, Any] = {
        "answer": "found",
        "rle": finding.pattern.to_rle(),
        "population": finding.pattern.population,
    }
    if finding.rules is not None:
        record["rules"] = {
            "all": str(finding.rules),
            "least": str(finding.rules.least),
            "greatest": str(finding.rules.greatest),
        }
    if is_object(finding.problem):
        record["identity"] = finding.identity.to_dict()
    if finding.turn != IDENTITY:
        record["direction"] = finding.direction
    if (alone := _find_catalyst(finding)) is not None:
        record["catalyst"] = {"rle": alone.to_rle()}
        if not is_patch(finding.problem):
            record["catalyst"]["identity"] = identify(alone).to_dict()
    if find_restored(finding.problem) is not None:
        reaction = follow_reaction(finding.problem, finding.history)
        record |= {"drawing": drawing} if (drawing := draw_reaction(finding)) else {}
        record["reaction"] = {
            "contact": reaction.contact,
            "restored": reaction.restored,
            "disturbed_again": reaction.disturbed_again,
            "followed": reaction.followed,
            "outcome": {
                "generation": reaction.generation,
                "x": reaction.outcome.x,
                "y": reaction.outcome.y,
                "rle": reaction.outcome.to_rle(),
            },
            "becomes": identify(finding.pattern).to_dict(),
            "matters": _draw_what_matters(finding).to_rle(),
        }
    if finding.differences:
        record["differences"] = finding.differences
    for lane, time in find_arrivals(finding):
        record["arrival"] = {"lane": lane, "time": time}
    if (arrives := can_arrive(finding)) is not None:
        record["can_arrive"] = arrives
    return record
