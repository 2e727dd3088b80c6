"""Problems without a meaning: maps that miss the cells, symmetries that cannot be."""

from __future__ import annotations

import math
from itertools import product

from tests.reference.asked import UNSAID, Asked, NoCell, drawn
from tests.reference.symmetries import MAPS, SWAPS_AXES, axis_cells, group, parities, split


def refused(problem: bytes | str) -> str | None:
    """Return why the problem has no meaning; None if it has one."""
    asked = Asked(problem)
    return (
        _refused_background(asked)
        or _refused_motion(asked)
        or _refused_dying(asked)
        or _refused_symmetry(asked)
        or _refused_names(asked)
        or _refused_gutter(asked)
        or _refused_lacking(asked)
        or _refused_changes(asked)
        or _refused_arrival(asked)
        or _refused_restored(asked)
    )


def _refused_motion(asked: Asked) -> str | None:
    if asked.motion and asked.boundary == "free":
        return "a motion with a free boundary"
    if asked.include_last and (not asked.motion or asked.boundary != "dead"):
        return "include_last without a motion, or where nothing can leave"
    if asked.motion and asked.steps % asked.beat:
        return "an odd period, after which the background is another"
    try:
        asked.moved((asked.boxes[0].x, asked.boxes[0].y))
    except NoCell as error:
        return str(error)
    return _refused_lattice(asked, asked.transform)


def _refused_dying(asked: Asked) -> str | None:
    """With a free outside, nothing says how long ago cells lived that were outside."""
    if not asked.shows_dying or asked.boundary != "free":
        return None
    for t in range(1, asked.generations):
        if not set(asked.boxes[t]) <= set(asked.ruled(t)):
            return "a cell that does not follow, and whose state nothing says"
    return None


def _refused_lattice(asked: Asked, g: str) -> str | None:
    if asked.boundary != "torus":
        return None
    box = asked.boxes[0]
    sides = (box.width, asked.down), (asked.right, box.height)
    kept = all(asked.in_lattice(MAPS[g](*side)) for side in sides)
    return None if kept else f"{g} does not keep the lattice"


def _refused_symmetry(asked: Asked) -> str | None:  # noqa: PLR0911 - a list of reasons
    box = asked.boxes[0]
    static, whole = split(asked.symmetry)
    k = len(group(whole)) // len(group(static))
    if k > 1 and not asked.motion:
        return "a time operation without a motion"
    if k > 1 and asked.steps % k:
        return f"{k} does not divide the period"
    for name in (static, whole):
        if (box.width % 2, box.height % 2) not in parities(name):
            return f"{name} does not fit the box"
        if group(name) & SWAPS_AXES and box.width != box.height:
            return f"{name} needs a square"
    for g in sorted(group(whole)):
        if MAPS[g](asked.dx, asked.dy) != (asked.dx, asked.dy):
            return f"{g} does not fix the displacement"
        if reason := _refused_lattice(asked, g):
            return reason
    orthogonal = (asked.dx == 0) != (asked.dy == 0)
    if k > 1 and orthogonal and (asked.dx % 2 or asked.dy % 2):
        return "half of the displacement is not whole"
    return None


def _refused_gutter(asked: Asked) -> str | None:
    """On an axis of the symmetry there must be cells, of the first box at least."""
    gutter = any(each["type"] == "gutter" for each in asked.constraints)
    if gutter and not any(t == 0 for _, t in axis_cells(asked)):
        return "a gutter without an axis that runs through cells"
    return None


def _refused_lacking(asked: Asked) -> str | None:
    for each in asked.constraints:
        if each["type"] == "lacks":
            if asked.boundary == "free":
                return "a symmetry is forbidden where nothing is said of the outside"
            for g in sorted(group(each["symmetry"])):
                if reason := _refused_lattice(asked, g):
                    return reason
    return None


def _refused_changes(asked: Asked) -> str | None:
    counted = any(each["type"] == "changes" for each in asked.constraints)
    if counted and asked.boundary in ("free", "agar"):
        return "cells that change are counted where nothing is said of the outside, or it changes"
    return None


def _refused_background(asked: Asked) -> str | None:  # noqa: PLR0911 - a list of reasons
    tile, agar = asked.backdrops[0], asked.boundary == "agar"
    if agar != bool(tile):
        return "a background is needed, or says nothing"
    if not agar:
        return None
    if not tile[0] or len({len(row) for row in tile}) > 1:
        return "a tile without cells, or with rows of several lengths"
    if len(asked.rules.tables) > 1 or asked.rules.states > 2 or asked.rules.tables[0][0]:
        return "a background in a set of rules, with dying cells, or with B0"
    moves = asked.dx or asked.dy or asked.transform != "identity"
    if len(set(asked.boxes)) > 1 or moves or asked.include_last or ":" in asked.symmetry:
        return "several boxes, a move or a time operation in a background"
    if any(each["type"] in _NOWHERE for each in asked.constraints):
        return "an envelope, an axis or a forbidden symmetry in a background"
    named = [*asked.known, *(cell for link in asked.links for cell in link[:2])]
    if any(place not in asked.boxes[0] for place, _ in named):
        return "a named cell in the background"
    apart = range(math.lcm(len(tile), len(tile[0])))
    plane = list(product(apart, repeat=2))
    if asked.motion and any(asked.backdrop(v, 0) != asked.backdrop(v, asked.steps) for v in plane):
        return "a background that does not come back"
    for g in sorted(group(asked.symmetry)):
        for t, v in product(range(asked.steps + 1), plane):
            try:
                if asked.backdrop(v, t) != asked.backdrop(asked.about_centre(g, v), t):
                    return f"a background without {g}"
            except NoCell:
                return f"{g} takes the background between cells"
    return None


_NOWHERE = ("width", "height", "area", "gutter", "lacks")


def _refused_arrival(asked: Asked) -> str | None:
    for each in asked.constraints:
        if each["type"] == "arrival":
            if asked.boundary != "dead":
                return "something comes where the outside is not dead"
            if len(each["alone"]) > asked.generations:
                return "something comes for more generations than there are"
    return None


def _refused_restored(asked: Asked) -> str | None:
    for each in asked.constraints:
        if each["type"] == "restored":
            (early, late), (first, last) = each["contact"], each["times"]
            if asked.motion or asked.boundary in ("torus", "agar"):
                return "a catalyst that is restored with a motion, on a torus or in an agar"
            if asked.rules.states > 2:
                return "a catalyst that is restored by a rule with dying cells"
            ordered = 0 <= early <= late and 0 <= first <= last and early < last
            if not ordered or min(each.get("active", 1), each.get("ever_active", 1)) < 1:
                return "a catalyst that is restored in no generation, or never active"
            if each.get("free") and len(each["free"]) != late - early + 1:
                return "a catalyst with drawings for other generations than those of contact"
            if max(each["alone"], late, last + each["hold"]) >= asked.generations:
                return "a catalyst that is restored after the last generation"
    return None


def _refused_names(asked: Asked) -> str | None:  # noqa: PLR0911 - a list of reasons
    if asked.boundary == "dead":
        return None
    named = [*asked.known, *(cell for link in asked.links for cell in link[:2])]
    if asked.boundary == "torus":
        inside = asked.boxes[0]
        if any(place not in inside for place, _ in named):
            return "a named cell outside of the box"
        for each in asked.constraints:
            if each["type"] in ("width", "height", "area"):
                return "a torus has no envelope"
            if each["type"] == "difference" and any(v not in inside for v, _ in drawn(each)):
                return "a drawn cell outside of the box"
        return None
    if any(asked.cell(*cell) == UNSAID for cell in named):
        return "a named cell of which nothing is said"
    return None
