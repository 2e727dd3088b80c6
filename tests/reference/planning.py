"""What a plan asks: every combination of its axes, as problems, and which of them cannot be.

The definition is ``docs/reference/plan.md``; what each kind means is in ``docs/how-to``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from tests.reference.asked import NoCell
from tests.reference.refusing import refused

Fields = dict[str, Any]
BOUNDS = ("population", "rotor", "stator", "growth", "decay", "changes", "width", "height", "area")


@dataclass(frozen=True)
class Planned:
    """One task of a plan."""

    scope: int
    """The number of its search; -1 for a problem that is written out."""
    problem: str
    reject: tuple[str, ...] = ()
    only_connected: bool = False
    is_map: bool = False


def planned(plan: Fields) -> list[Planned]:
    """Return all tasks of a plan, a task as often as it is asked for."""
    tasks = [Planned(-1, json.dumps(each)) for each in plan.get("problem", ())]
    for scope, search in enumerate(plan.get("search", ())):
        selection = tuple(several(search.get("reject", ()))), search.get("only_connected", False)
        for problem in _problems(search):
            text = json.dumps(problem, sort_keys=True)
            if problem["boxes"][0].endswith("*") or not _cannot_be(text):
                tasks.append(Planned(scope, text, *selection, search.get("map", False)))
    return tasks


def several(value: Any) -> list[Any]:
    """Return the values of an axis that has one value, or a list of them."""
    return list(value) if isinstance(value, (list, tuple)) else [value]


def list_boxes(texts: Any) -> list[str]:
    """Return the boxes of an axis: single ones, and ranges from a corner to a corner."""
    boxes: dict[str, None] = {}
    for text in several(texts):
        first, _, last = text.partition("..")
        (w0, h0), (w1, h1) = (each.split("x") for each in (first, last or first))
        heights = ["*"] if h0 == "*" else [str(h) for h in range(int(h0), int(h1) + 1)]
        boxes |= dict.fromkeys(f"{w}x{h}" for w in range(int(w0), int(w1) + 1) for h in heights)
    return list(boxes)


def list_rules(texts: Any) -> list[str]:
    """Return the rules of an axis; a set, with some counts in brackets, is all of its rules."""
    rules: dict[str, None] = {}
    for text in several(texts):
        pieces = re.split(r"\[([0-9])\]", text)  # every second one was in brackets
        for chosen in product((False, True), repeat=len(pieces) // 2):
            kept = [each if i % 2 == 0 or chosen[i // 2] else "" for i, each in enumerate(pieces)]
            rules["".join(kept)] = None
    return list(rules)


def read_speed(text: str) -> Fields:
    """Return the motion of a speed: a cells north in p generations, or also b cells west."""
    match = re.fullmatch(r"(?:\((\d+),(\d+)\)|(\d*))c(?:/(\d+))?(d?)", text)
    assert match, text
    north, west, far, period, diagonal = match.groups()
    a = int(north or far or 1)
    b = int(west or 0) if north else a * bool(diagonal)
    return {"period": int(period or 1), "dx": -b, "dy": -a}


def read_bound(name: str, text: str) -> Fields:
    """Return a bound as a constraint: <=20, >=3, =9 or 20..36, perhaps @ a generation."""
    number, _, when = text.partition("@")
    bound: Fields = {"type": name}
    if when:
        bound["generation"] = int(when) if when.isdecimal() else when
    if ".." in number:
        low, high = number.split("..")
        return bound | {"least": int(low), "most": int(high)}
    value = int(number.lstrip("<>="))
    if not number.startswith("<="):
        bound["least"] = value
    if not number.startswith(">="):
        bound["most"] = value
    return bound


def _motions(search: Fields) -> Iterator[Fields]:
    if search["kind"] == "still-life":
        yield {"period": 1}
    for speed in several(search.get("speeds", ())):
        yield read_speed(speed)
    for text in several(search.get("periods", ())):
        first, _, last = str(text).partition("..")
        yield from ({"period": n} for n in range(int(first), int(last or first) + 1))


def _bounds(search: Fields) -> Iterator[list[Fields]]:
    """Yield the bounds of each alternative: one bound, or several in a list in the list."""
    axes = []
    for name in BOUNDS:
        given = [[read_bound(name, each) for each in several(alternative)]
                 for alternative in several(search.get(name, ()))]  # fmt: skip
        axes.append(given or [[]])
    for chosen in product(*axes):
        yield _joined([bound for alternative in chosen for bound in alternative])


def _joined(bounds: list[Fields]) -> list[Fields]:
    """Join the bounds on the same number: all of them hold."""
    joined: dict[tuple[str, Any], Fields] = {}
    for bound in bounds:
        both = joined.setdefault((bound["type"], bound.get("generation", 0)), dict(bound))
        both["least"] = max(both.get("least", 0), bound.get("least", 0))
        if "most" in bound:
            both["most"] = min(both.get("most", bound["most"]), bound["most"])
    return list(joined.values())


def _problems(search: Fields) -> Iterator[Fields]:
    rules = several(search.get("rules", "B3/S23"))
    rules = rules if search.get("map") else list_rules(rules)
    axes = rules, _motions(search), several(search.get("symmetries", "C1")), _bounds(search)
    for rule, motion, symmetry, bounds in product(*axes):
        for box in list_boxes(search["boxes"]):
            problem: Fields = {
                "kind": search["kind"], "schema": 1, "rule": rule, "motion": motion,
                "symmetry": symmetry, "boxes": [box],
                "constraints": [*_asked_of(search, motion), *bounds],
            }  # fmt: skip
            if search["kind"] == "agar":
                problem["boundary"] = "torus"
            if search.get("include_last"):
                problem["include_last"] = True
            yield problem


def _asked_of(search: Fields, motion: Fields) -> list[Fields]:
    """Return what each kind asks besides its motion: the period itself, not one that divides it."""
    whole = {"type": "pattern-period" if search.get("composite") else "full-period"}
    if search["kind"] == "ship":
        return [whole, {"type": "not-empty"}]
    return [whole if motion["period"] > 1 else {"type": "not-empty"}]


def _cannot_be(text: str) -> bool:
    """Whether a combination is left out: it has no meaning, or bounds what is not there."""
    problem = json.loads(text)
    for each in problem["constraints"]:
        if isinstance(when := each.get("generation"), int) and when >= problem["motion"]["period"]:
            return True
    try:
        return refused(text) is not None
    except NoCell:
        return True
