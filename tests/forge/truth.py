"""Whether what a folder says is true, by the brute force; None if it does not know.

Files are read with satlife, which brings problems to their canonical form; it decides nothing.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from satlife.life import Pattern
from satlife.life.rulespaces import RuleSpace
from satlife.problem import Problem
from tests.reference import (
    Asked,
    History,
    TooLarge,
    classes,
    is_solution,
    measure,
    optimum,
    refused,
    solutions,
)
from tests.reference.asked import STATES, NoCell, drawn
from tests.reference.narrow import find_narrow_ship, with_height
from tests.reference.rules import Table, read_rules

LARGEST = 2**18
DIFFERS = {"type": "difference", "least": 1, "most": None, "generation": None}
"""What asks that generation 0 is not as drawn; what is None is not said."""
HEIGHTS = range(1, 6)
"""Of ships that are looked for by trying, where no walk over rows decides."""

Fields = dict[str, Any]


def canonical(text: bytes) -> str:
    """Return a problem as the reference reads it."""
    return Problem.from_json(text).to_json().decode()


@lru_cache(maxsize=4096)
def solve(problem: str) -> list[History]:
    """Return all solutions of a problem in its canonical form."""
    return solutions(problem, LARGEST)


def is_certificate_true(folder: Path) -> bool | None:
    """Return whether the claim of a certificate is true of its problem."""
    problem = canonical((folder / "problem.json").read_bytes())
    return decide(problem, json.loads((folder / "claim.json").read_bytes()))


def decide(problem: str, claim: Fields) -> bool | None:
    """Return whether a claim is true of a problem."""
    try:
        return None if refused(problem) else _CLAIMS[claim["type"]](problem, claim)
    except (TooLarge, NoCell):
        return None


def _none(problem: str, claim: Fields) -> bool:
    return not solve(problem)


def _best(problem: str, claim: Fields) -> bool:
    goals = [read_goal(words) for words in claim["goals"]]
    found = solve(problem)
    history = read_history(problem, claim["found"])
    reached = tuple(measure(problem, history, what) for _, what in goals)
    best = optimum(problem, goals, found)
    return is_solution(problem, history) and best == reached == tuple(claim["values"])


def _all(problem: str, claim: Fields) -> bool:
    every = solve(problem)
    parts = classes(problem, every) if claim["images"] else [[history] for history in every]
    number = {key(history): i for i, part in enumerate(parts) for history in part}
    shown = [number.get(key(read_history(problem, each))) for each in claim["found"]]
    return None not in shown and sorted(shown) == list(range(len(parts)))  # type: ignore[type-var]


def _core(problem: str, claim: Fields) -> bool:
    asked = Asked(problem)
    needed = {(each["x"], each["y"]): each["parent"] for each in claim["needed"]}
    cells = {place for place, t in asked.known if t == 1}
    if solve(problem) or cells != set(needed) or len(needed) != len(claim["needed"]):
        return False
    return all(
        any(key(history[:1]) == key([read_drawing(parent)]) for history in solve(blank(problem, v)))
        for v, parent in needed.items()
    )


def _forced(problem: str, claim: Fields) -> bool:
    asked, fields = Asked(problem), json.loads(problem)
    cells = {place: state for (place, _), state in asked.known.items()}
    plain = not any(fields.get(name) for name in ("motion", "links", "symmetry"))
    if not plain or asked.boundary != "free" or {t for _, t in asked.known} != {asked.steps}:
        return False
    if compared(problem).keys() != cells.keys() or solve(problem):
        return False
    parents = solve(json.dumps(fields | {"constraints": []}))
    if key([read_drawing(claim["parent"])]) not in {key(history[:1]) for history in parents}:
        return False
    needed = {(each["x"], each["y"]): each["parent"] for each in claim.get("needed", ())}
    alive = {place for place, state in cells.items() if state == 1}
    kept = alive - needed.keys() if len(alive) == 1 else set()
    shown = cells.keys() - kept
    return not needed or (
        needed.keys() == shown
        and len(needed) == len(claim["needed"])
        and all(
            key([read_drawing(parent)]) in {key(h[:1]) for h in solve(blank_both(problem, v))}
            for v, parent in needed.items()
        )
    )


def compared(problem: str) -> dict[tuple[int, int], str]:
    """Return the cells of generation 0 that one must differ from, in a problem that asks so."""
    asked = json.loads(problem).get("constraints") or [{}]
    differs = asked[0] if len(asked) == 1 else {}
    if {name: differs.get(name) for name in ("type", "least", "most", "generation")} != DIFFERS:
        return {}
    rows, box = dict(drawn(differs)), Asked(problem).boxes[0]
    return {place: rows.get(place, ".") for place in box if rows.get(place, ".") != "?"}


def blank_both(problem: str, place: tuple[int, int]) -> str:
    """Return a problem that asks nothing of one cell of the last generation, and of the first."""
    fields, box = json.loads(blank(problem, place)), Asked(problem).boxes[0]
    left = compared(problem)
    left.pop(place, None)
    columns, rows = range(box.x, box.x + box.width), range(box.y, box.y + box.height)
    drawn = ["".join(left.get((x, y), "?") for x in columns) for y in rows]
    differs = {"type": "difference", "least": 1, "x": box.x, "y": box.y, "rows": drawn}
    return json.dumps(fields | {"constraints": [differs]})


_CLAIMS: dict[str, Callable[[str, Fields], bool]] = {
    "none": _none,
    "best": _best,
    "all": _all,
    "core": _core,
    "forced": _forced,
}


def read_goal(words: str) -> tuple[str, Fields]:
    """Read ``minimize population@0``."""
    direction, name = words.split()
    kind, _, which = name.partition("@")
    what: Fields = {"type": kind}
    if kind == "population":
        what["generation"] = int(which) if which.isdigit() else which or 0
    return direction, what


def read_history(problem: str, drawings: Iterable[list[str]]) -> History:
    """Read the rows of all generations."""
    return tuple(read_drawing(rows) for rows in drawings)


def read_drawing(rows: list[str]) -> Any:
    """Read the rows of one generation."""
    return np.array([[STATES[state] for state in row] for row in rows], np.uint8)


def key(history: Iterable[Any]) -> bytes:
    """Return what tells a history from others of its problem."""
    return b"".join(states.tobytes() for states in history)


def blank(problem: str, place: tuple[int, int]) -> str:
    """Return a problem that asks nothing of one cell of the last generation."""
    fields = json.loads(problem)
    last = fields.get("steps", 0)
    for known in fields["known"]:
        x, y = place[0] - known.get("x", 0), place[1] - known.get("y", 0)
        if known["t"] == last and 0 <= y < len(known["rows"]) and 0 <= x < len(known["rows"][y]):
            row = known["rows"][y]
            known["rows"][y] = f"{row[:x]}?{row[x + 1 :]}"
    return json.dumps(fields)


# Widths


def is_width_true(folder: Path) -> bool | None:
    """Return whether there is no ship, of any height if the box has none."""
    return has_no_ship(canonical((folder / "problem.json").read_bytes()))


@lru_cache(maxsize=4096)
def has_no_ship(problem: str) -> bool | None:
    """Return whether a problem has no solution, of any height if its box has none."""
    if "*" not in json.loads(problem)["boxes"][0]:
        return decide(problem, {"type": "none"})
    try:
        ship = find_narrow_ship(problem)
    except TooLarge:
        tried = (decide(with_height(problem, h), {"type": "none"}) for h in HEIGHTS)
        return False if False in tried else None
    least = decide(with_height(problem, 1), {"type": "none"})  # nothing at all may be a solution
    if ship is None or least is False:
        return least
    return None if not is_solution(with_height(problem, len(ship[0])), ship) else False


# Maps


def is_map_true(folder: Path) -> bool | None:
    """Return whether every rule of a map is answered, and rightly."""
    text = (folder / "problem.json").read_bytes()
    regions = (folder / "regions.jsonl").read_bytes()
    lines = regions[: regions.rfind(b"\n") + 1].splitlines()  # half a line does not count
    try:
        return _is_map_true(canonical(text), [json.loads(line) for line in lines])
    except (TooLarge, NoCell):
        return None


def _is_map_true(problem: str, regions: list[Fields]) -> bool | None:
    left = {each.tobytes(): each for each in read_rules(json.loads(problem)["rule"]).tables}
    for region in regions:
        for table in read_rules(str(RuleSpace(region["rules"]))).tables:
            left.pop(table.tobytes(), None)
            by_table = with_table(problem, table)
            if "*" in json.loads(problem)["boxes"][0]:
                if (is_true := _is_width_region_true(by_table, region)) is not True:
                    return is_true
            elif region["answer"] == "impossible":
                if solve(by_table):
                    return False
            elif not _starts(by_table, Pattern.from_rle(region["rle"])):
                return False
    return not left


def _is_width_region_true(problem: str, region: Fields) -> bool | None:
    """Return whether a region of the map of a width is right about one rule."""
    if region["answer"] == "impossible":
        return has_no_ship(problem)
    now, film = Pattern.from_rle(region["rle"]).with_rule(json.loads(problem)["rule"]), []
    for _ in range(json.loads(problem)["motion"]["period"]):
        film.append(now)
        now = now[1]
    height = max(1, *(each.box.bottom for each in film))
    closed = with_height(problem, height)
    box = Problem.from_json(closed).all_boxes[0]
    if not all(box.contains_box(each.box) for each in film):
        return False
    return is_solution(closed, tuple(each.in_box(box) for each in film))


def _starts(problem: str, pattern: Pattern) -> bool:
    """Return whether a pattern is generation 0 of a solution."""
    box = Asked(problem).boxes[0]
    cells = {(int(x), int(y)) for x, y in pattern.coordinates}
    return any(
        {(int(x) + box.x, int(y) + box.y) for y, x in np.argwhere(history[0])} == cells
        for history in solve(problem)
    )


def with_table(problem: str, table: Table) -> str:
    """Return a problem by the rule of a table."""
    packed = base64.b64encode(np.packbits(table).tobytes()).decode().rstrip("=")
    return json.dumps(json.loads(problem) | {"rule": f"MAP{packed}"})
