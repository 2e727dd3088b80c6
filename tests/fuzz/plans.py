"""Draw small plans at random: few tasks, each small enough for the brute force."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable
from typing import Any

import tomli_w

from satlife.errors import UsageError
from tests.fuzz.drawing import RULES, STATIC, Fields, draw_raw, draw_rule, name_family, write
from tests.fuzz.killed import STRIPS
from tests.reference import refused
from tests.reference.asked import NoCell
from tests.reference.planning import planned

RANGES = (
    *("1x1..3x3", "2x2..3x3", "2x2..4x3", "1x2..3x4", "3x3..4x3", "3x3", "2x4..3x4"),
    *(["2x2", "3x3"], ["3x3", "4x2..4x3"], "1x4..2x5", "5x2"),
)
NORTH, DIAGONAL = ("c/2", "2c/4", "c", "c/3", "2c/3"), ("c/4d", "c/2d", "c/3d")
LIVELY = ("B3/S1247", "B2/S0", "B34/S34", "B2/S2", "B25/S4", "B3678/S34678", "B1357/S1357")
"""Rules with ships and oscillators in small boxes."""
MOST_TASKS = 30


def draw_plan(chance: random.Random) -> str:
    """Draw a plan of one to three searches, and perhaps of problems that are written out."""
    plan: Fields = {"search": _searches(chance, chance.choice((1, 1, 2, 3)))}
    stops = [each for each in plan["search"] if chance.random() < 0.2]
    if chance.random() < 0.15:
        plan["stop"] = "first"
    if chance.random() < 0.2:
        plan["problem"] = [_written_out(chance) for _ in range(chance.choice((1, 2)))]
    if stops or "stop" in plan:
        # Where a find ends a search, no other search may ask for the same task.
        kinds = {each["kind"]: each for each in plan["search"]}
        plan["search"] = list(kinds.values())
    for each in stops:
        each["stop"] = "first"
    return _finish(plan)


def draw_divided(chance: random.Random) -> str:
    """Draw a plan whose tasks may be split: by cells, by rows, or by rules."""
    draw = chance.choice((_by_cells, _by_cells, _by_rows, _by_rules))
    return _finish({"split": True, "limits": {"timeout": "1h"}, "search": [draw(chance)]})


def draw_merged(chance: random.Random) -> str:
    """Draw a plan of any sort whose answers need no proof."""
    return chance.choice((draw_plan, draw_plan, draw_divided))(chance)


def draw_proved(chance: random.Random) -> str:
    """Draw a plan of few tasks, whose impossibilities are proved; some are split, or maps."""
    plan: Fields = {"prove": True, "search": _searches(chance, 1)}
    (search,) = plan["search"]
    search["boxes"] = chance.choice(("2x2..3x2", "3x3..4x3", ["2x3", "3x3"], "3x3", "3x2..3x4"))
    if chance.random() < 0.1:
        plan["search"] = [_by_rules(chance) | {"rules": chance.choice(("B3[6]/S2[3]", "B2[3]/S2"))}]
    elif chance.random() < 0.6:
        plan |= {"split": True, "limits": {"timeout": "1h"}}
    return _finish(plan, 4)


def draw_parted(chance: random.Random) -> str:
    """Draw a plan in whose boxes several objects have room; what it rejects is drawn later."""
    kind = chance.choice(("still-life", "oscillator", "oscillator", "ship"))
    search = _search(chance, kind)
    search["rules"] = chance.choice(PARTED)
    search["boxes"] = chance.choice(("1x1..3x3", "2x2..4x3", "2x2..3x4", "4x3", "5x2"))
    return _finish({"search": [search]}, 12)


PARTED = (
    *("B3/S23", "B3/S23", "B3/S0123", "B3/S12", "B34/S02", "B3/S013", "B36/S23", "B2/S0"),
    *("B35/S1", "B2/S01V", "B3/S012H"),
)
"""Rules in which small boxes have room for several objects."""


def _finish(plan: Fields, most: int = MOST_TASKS) -> str:
    if len(planned(plan)) > most:
        raise UsageError("more tasks than the brute force can answer")
    return tomli_w.dumps(plan)


def _searches(chance: random.Random, count: int) -> list[Fields]:
    kinds = ("still-life", "oscillator", "oscillator", "ship", "ship", "agar")
    return [_search(chance, chance.choice(kinds)) for _ in range(count)]


def _several(chance: random.Random, draw: Callable[[], Any]) -> Any:
    """Return one value, or a list of one or two."""
    values = list(dict.fromkeys(draw() for _ in range(chance.choice((1, 1, 2)))))
    return values if len(values) > 1 or chance.random() < 0.3 else values[0]


def _search(chance: random.Random, kind: str) -> Fields:
    search: Fields = {"kind": kind, "boxes": chance.choice(RANGES)}
    if chance.random() < 0.8:
        search["rules"] = _several(chance, lambda: _rule(chance))
    if kind in ("oscillator", "agar"):
        search["periods"] = _several(chance, lambda: chance.choice((1, 2, 2, 3, "1..2", "2..3")))
    if kind == "ship":
        speeds = chance.choice((NORTH, NORTH, DIAGONAL))
        search["speeds"] = _several(chance, lambda: chance.choice(speeds))
    if chance.random() < 0.5:
        names = ("C1", "D2|", "C1:D2|", "D2\\", "C1:D2\\") if kind == "ship" else STATIC
        names += ("C1:C2", "C2:C4", "C4_1", "D4_+4") if kind == "oscillator" else ()
        search["symmetries"] = _several(chance, lambda: chance.choice(names))
    if chance.random() < 0.35:
        name, texts = _bounds(chance, kind)
        search[name] = texts
    if kind != "still-life" and chance.random() < 0.25:
        search["composite"] = True
    if kind == "ship" and chance.random() < 0.2:
        search["include_last"] = True
    return search


def _rule(chance: random.Random) -> str:
    if chance.random() < 0.75:
        return chance.choice((*RULES, *LIVELY, "B3[6]/S23", "B3/S2[3]", "B[2]3/S2[3]"))
    rule = draw_rule(chance)
    return rule if name_family(rule) != "open" else "B3/S23"


def _bounds(chance: random.Random, kind: str) -> tuple[str, Any]:
    names = ["population"] * 3
    names += ["width", "height", "area"] if kind != "agar" else []
    names += ["rotor", "stator"] if kind in ("oscillator", "agar") else []
    names += ["growth", "decay", "changes"] if kind != "still-life" else []
    name = chance.choice(names)

    def one() -> str:
        number = chance.randint(1, 6)
        text = chance.choice(
            (f"<={number}", f">={number}", f"={number}", f"{number}..{number + 2}")
        )
        if name == "population" and chance.random() < 0.4:
            text += chance.choice(("@every", "@least", "@most", "@sum", "@0", "@1"))
        return text

    return name, chance.choice((one(), [one(), one()], [[one(), one()]]))


def _written_out(chance: random.Random) -> Fields:
    while True:
        fields = draw_raw(chance, "planted")
        if name_family(fields["rule"]) in ("open", "dying", "strobing"):
            continue
        try:
            if refused(write(fields)) is None:
                return _without_none(json.loads(write(fields)))
        except NoCell:
            continue


def _without_none(fields: Any) -> Any:
    """Return it without what TOML cannot say."""
    if isinstance(fields, dict):
        return {k: _without_none(v) for k, v in fields.items() if v is not None}
    return [_without_none(v) for v in fields] if isinstance(fields, list) else fields


# What can be divided


def _by_cells(chance: random.Random) -> Fields:
    search = _search(chance, chance.choice(("still-life", "oscillator", "oscillator", "ship")))
    search["boxes"] = chance.choice(("2x2..3x3", "3x3..4x3", "3x3", "3x4", "4x3", "3x2..3x4"))
    return search


def _by_rows(chance: random.Random) -> Fields:
    speed, symmetry, width, rules = chance.choice(STRIPS)
    rule = chance.choice(rules.split())
    if chance.random() < 0.3:
        rule = chance.choice(("B3/S23", "B36/S23", "B34/S34", "B3/S12"))
    low = max(2, width - chance.choice((0, 0, 1)))
    boxes = f"{low}x*..{width}x*" if low < width else f"{width}x*"
    return {
        "kind": "ship", "speeds": speed, "symmetries": symmetry, "rules": rule, "boxes": boxes,
    }  # fmt: skip


def _by_rules(chance: random.Random) -> Fields:
    """Return a search that is a map: sets of a few rules."""
    search = _search(chance, chance.choice(("still-life", "oscillator", "ship")))
    search["boxes"] = chance.choice(("2x2", "3x3", "3x2", "2x3..3x3"))
    births = "".join(f"[{n}]" if n in chance.sample("12345", 2) else "" for n in "12345")
    survivals = "".join(chance.choice((n, f"[{n}]", "")) for n in "0123")
    births = births or "[3]"
    return (
        search | {"rules": f"B{births}/S{survivals}", "map": True, "periods": [2]}
        if (search["kind"] == "oscillator")
        else search | {"rules": f"B{births}/S{survivals}", "map": True}
    )


def read_plan(text: str) -> Fields:
    """Read a plan that was drawn."""
    return tomllib.loads(text)
