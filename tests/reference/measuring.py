"""The numbers that constraints bound, and the best of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tests.reference.asked import Asked, History, Place, drawn

Bound = dict[str, Any]
"""A constraint as in the JSON: {"type": "population", "generation": 2, "most": 9}."""


def measure(problem: bytes | str, history: History, constraint: Bound) -> int:
    """Return the number that a constraint bounds ("every" generation has no one number)."""
    (number,) = numbers(Asked(problem), history, constraint)
    return number


def optimum(
    problem: bytes | str, goals: Sequence[tuple[str, Bound]], found: Iterable[History]
) -> tuple[int, ...] | None:
    """Return the best values of the goals ("minimize" or "maximize", what), the first one first."""
    asked = Asked(problem)
    signs = [{"minimize": 1, "maximize": -1}[direction] for direction, _ in goals]
    values = [
        tuple(
            sign * numbers(asked, history, what)[0]
            for sign, (_, what) in zip(signs, goals, strict=True)
        )
        for history in found
    ]
    if not values:
        return None
    return tuple(sign * value for sign, value in zip(signs, min(values), strict=True))


def numbers(asked: Asked, history: History, constraint: Bound) -> list[int]:  # noqa: PLR0911, PLR0912
    """Return the numbers that must all be in the bound: one, but for "every" generation."""
    living = [live_cells(asked, history, t) for t in range(asked.generations)]
    ever, always = set.union(*living), set.intersection(*living)
    columns, rows = {x for x, _ in ever}, {y for _, y in ever}
    match constraint["type"]:
        case "population":
            populations = [len(cells) for cells in living]
            match constraint.get("generation", 0):
                case "every":
                    return populations
                case "least":
                    return [min(populations)]
                case "most":
                    return [max(populations)]
                case "sum":
                    return [sum(populations)]
                case t:
                    return [populations[t]]
        case "growth" | "decay" as change:
            populations = [len(cells) for cells in living]
            if asked.motion:
                populations.append(populations[0])
            sign = 1 if change == "growth" else -1
            steps = range(1, len(populations))
            return [max([0, *(sign * (populations[t] - populations[t - 1]) for t in steps)])]
        case "changes":
            last = {asked.in_tile(asked.moved(place)) for place in living[0]}
            film = [*living, last] if asked.motion else living
            return [max([0, *(len(film[t] ^ film[t + 1]) for t in range(len(film) - 1))])]
        case "rotor":
            return [len(ever - always)]
        case "stator":
            return [len(always)]
        case "width":
            return [_span(columns)]
        case "height":
            return [_span(rows)]
        case "area":
            return [_span(columns) * _span(rows)]
        case "difference":
            t = constraint.get("generation", 0)
            return [_differences(asked, living[t], t, constraint)]
    raise AssertionError(constraint)


def in_bound(number: int, constraint: Bound) -> bool:
    """Return whether the number is in the bound."""
    most = constraint.get("most")
    return constraint.get("least", 0) <= number and (most is None or number <= most)


def live_cells(asked: Asked, history: History, t: int) -> set[Place]:
    """Return the live cells of the box of a generation."""
    box = asked.boxes[t]
    return {(x, y) for x, y in box if history[t][y - box.y, x - box.x] == 1}


def _span(numbers: set[int]) -> int:
    return max(numbers) - min(numbers) + 1 if numbers else 0


def _differences(asked: Asked, living: set[Place], t: int, drawing: Bound) -> int:
    drawn_alive = {place for place, state in drawn(drawing) if state == "o"}
    uncounted = {place for place, state in drawn(drawing) if state == "?"}
    different = (living ^ drawn_alive) - uncounted
    if asked.boundary != "dead":
        different = {place for place in different if place in asked.boxes[t]}
    return len(different)
