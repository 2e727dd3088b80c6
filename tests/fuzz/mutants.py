"""Problems that differ from a given one in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.fuzz.drawing import RULES, STATIC, TIMED, TRANSFORMS, Fields
from tests.reference.asked import Frame

OTHERS = ("/2/3", "345/2/4", "B03/S23", "B08/S8", "B3[4]/S2[3]", "B2-a/S12", "B2/S34H")


def mutants(fields: Fields) -> Iterator[Fields]:
    """Yield problems that differ from this one in one place."""
    for i, text in enumerate(fields["boxes"]):
        box = Frame.read(text)
        for dx, dy, dw, dh in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)):
            boxes = [*fields["boxes"]]
            boxes[i] = f"{box.width + dw}x{box.height + dh}{box.x + dx:+d}{box.y + dy:+d}"
            yield fields | {"boxes": boxes}
    yield from (fields | {"rule": rule} for rule in (*sorted({*RULES}), *OTHERS))
    yield from (fields | {"symmetry": name} for name in (*STATIC, *TIMED, "C1"))
    yield from (fields | {"boundary": name} for name in ("dead", "torus", "free", "agar"))
    yield from (fields | {"wrap": wrap} for wrap in ([1, 0], [0, 1], [-1, 0], [2, 0], [0, 0]))
    yield fields | {"include_last": not fields.get("include_last", False)}
    yield fields | {"steps": fields.get("steps", 0) + 1}
    tile = fields.get("background", ["."])
    yield fields | {"background": [tile[0].translate({46: 111, 111: 46}), *tile[1:]]}
    yield fields | {"background": [*tile, "." * len(tile[0])], "boundary": "agar"}
    yield fields | {"background": tile[::-1]}
    if "motion" in fields:
        yield from (fields | {"motion": each} for each in _mutate_motion(fields["motion"]))
    for name in ("known", "links", "exempt", "constraints"):
        listed = fields.get(name, [])
        for i, each in enumerate(listed):
            yield fields | {name: listed[:i] + listed[i + 1 :]}
            for other in _MUTATE[name](each):
                yield fields | {name: [*listed[:i], other, *listed[i + 1 :]]}
    yield fields | {"exempt": [*fields.get("exempt", []), [0, 0, 1]]}
    yield fields | {"known": [*fields.get("known", []), {"t": 0, "rows": ["o"]}]}
    link = {"first": [0, 0, 0], "second": [1, 0, 0]}
    yield fields | {"links": [*fields.get("links", []), link]}
    lacks = {"type": "lacks", "symmetry": "C2"}
    yield fields | {"constraints": [*fields.get("constraints", []), lacks]}
    for kind in ("full-period", "pattern-period", "not-empty", "gutter"):
        yield fields | {"constraints": [*fields.get("constraints", []), {"type": kind}]}


def _mutate_motion(motion: Fields) -> Iterator[Fields]:
    yield motion | {"period": motion["period"] + 1}
    for name in ("dx", "dy"):
        yield motion | {name: motion.get(name, 0) + 1}
        yield motion | {name: -motion.get(name, 0)}
    yield from (motion | {"transform": each} for each in (*TRANSFORMS, "identity"))


def _mutate_known(known: Fields) -> Iterator[Fields]:
    for name in ("t", "x", "y"):
        yield known | {name: known.get(name, 0) + 1}
    for y, row in enumerate(known["rows"]):
        for x, state in enumerate(row):
            for other in set(".o?") - {state}:
                rows = [*known["rows"]]
                rows[y] = row[:x] + other + row[x + 1 :]
                yield known | {"rows": rows}


def _mutate_place(place: list[int]) -> Iterator[list[int]]:
    for axis in range(3):
        yield [n + (i == axis) for i, n in enumerate(place)]


def _mutate_link(link: Fields) -> Iterator[Fields]:
    yield link | {"opposite": not link.get("opposite", False)}
    for name in ("first", "second"):
        yield from (link | {name: place} for place in _mutate_place(link[name]))


def _mutate_constraint(constraint: Fields) -> Iterator[Fields]:
    if constraint["type"] == "not-empty":
        yield constraint | {"t": constraint.get("t", 0) + 1}
        return
    if constraint["type"] == "lacks":
        yield from (constraint | {"symmetry": name} for name in STATIC)
        return
    if constraint["type"] == "arrival":
        yield from _mutate_arrival(constraint)
        return
    if constraint["type"] == "restored":
        yield from _mutate_restored(constraint)
        return
    if "period" in constraint["type"] or constraint["type"] == "gutter":
        return
    bound = {"least": constraint.get("least", 0), "most": constraint.get("most")}
    yield constraint | {"least": bound["least"] + 1}
    yield constraint | {"most": (bound["most"] or 0) + 1}
    names = ("rotor", "stator", "width", "height", "area", "population")
    for other in (*names, "growth", "decay", "changes"):
        yield {"type": other, **bound}
    if constraint["type"] == "population":
        yield from (
            constraint | {"generation": which} for which in (0, 1, "every", "least", "most", "sum")
        )
    if constraint["type"] == "difference":
        yield constraint | {"generation": constraint.get("generation", 0) + 1}
        for known in _mutate_known(constraint | {"t": 0}):
            yield {k: v for k, v in known.items() if k != "t"}


def _mutate_arrival(arrival: Fields) -> Iterator[Fields]:
    """Change a span, keep the flight as long as it must be; or one of its drawings."""
    (low, high), (early, late), flight = arrival["lanes"], arrival["times"], arrival["flight"]
    for lanes in ([low + 1, high + 1], [low, high + 1], [low - 1, high]):
        yield arrival | {"lanes": lanes}
    yield arrival | {"times": [early + 1, late + 1]}
    yield arrival | {"times": [early, late + 1], "flight": [flight[0], *flight]}
    yield arrival | {"times": [early - 1, late], "flight": [*flight, flight[-1]]}
    yield arrival | {"across": {"right": "down", "down": "right"}[arrival["across"]]}
    for t, alone in enumerate(arrival["alone"]):
        for other in {alone + 1, alone - 1, 0} - {alone}:
            yield arrival | {"alone": [*arrival["alone"][:t], other, *arrival["alone"][t + 1 :]]}
    yield arrival | {"alone": [*arrival["alone"], 0], "flight": [*flight, flight[-1]]}
    for i, still in enumerate(flight):
        for known in _mutate_known(still | {"t": 0}):
            other = {k: v for k, v in known.items() if k != "t"}
            yield arrival | {"flight": [*flight[:i], other, *flight[i + 1 :]]}


def _mutate_restored(restored: Fields) -> Iterator[Fields]:
    """Change one end of a span, or a generation."""
    for name in ("contact", "times"):
        first, last = restored[name]
        for span in ([first - 1, last], [first + 1, last], [first, last - 1], [first, last + 1]):
            yield restored | {name: span}
    for name in (each for each in ("alone", "hold", "active", "ever_active") if each in restored):
        for number in (restored[name] - 1, restored[name] + 1):
            yield restored | {name: number}


_MUTATE: dict[str, Callable[[Any], Iterator[Any]]] = {
    "known": _mutate_known,
    "links": _mutate_link,
    "exempt": _mutate_place,
    "constraints": _mutate_constraint,
}
