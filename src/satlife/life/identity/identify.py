"""What is this pattern? It is run until that is clear, or until a limit is reached.

>>> print(identify(Pattern.from_rle("bo$2bo$3o!")))
xq4_153: glider, spaceship c/4d, 5 cells, 3x3, C1
>>> print(identify(Pattern.from_rle("o!")))
no apgcode: dies in generation 1
>>> print(identify(Pattern.from_rle("2o$o!")))
no apgcode: becomes a block (xs4_33, a still life) in generation 1
"""

from __future__ import annotations

from typing import Final

from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.life.cells import as_integer
from satlife.life.identity.activity import find_envelope, measure_activity
from satlife.life.identity.apgcode import LARGEST_BOX, encode_kind, encode_phases
from satlife.life.identity.famous import find_famous_name
from satlife.life.identity.identity import Identity, Kind
from satlife.life.identity.longrun import (
    GENERATIONS,
    SECONDS,
    Death,
    Growth,
    Lost,
    Prospect,
    Return,
    Settlement,
    describe_prospect,
    watch,
)
from satlife.life.identity.names import find_object_name
from satlife.life.identity.recurrence import GENERATIONS as SHORT_GENERATIONS
from satlife.life.identity.recurrence import Recurrence, follow, trace_phases
from satlife.life.identity.spacetime import find_mod
from satlife.life.identity.symmetries import find_symmetry
from satlife.life.pattern import Pattern
from satlife.life.universe import can_step

# Before it is watched at length, a pattern is followed for a short while, for most recur soon.
_SHORT_WORK: Final = 20_000_000  # cells times generations
_SHORT_GROWTH: Final = 48

_LARGEST_HISTORY: Final = 1 << 27  # cells of all phases, beyond which they are not kept


def identify(
    pattern: Pattern | str, *, generations: int = GENERATIONS, seconds: float | None = SECONDS
) -> Identity:
    """Find out what a pattern is, or the text of one.

    It is run for at most so many generations and seconds; ``None`` is no limit of time. If neither
    is enough, the answer is of the kind ``unknown``, and says what was tried.

    >>> identify("bo$2bo$3o!").name
    'glider'
    """
    if isinstance(pattern, str):
        pattern = Pattern.from_text(pattern)
    generations = as_integer(generations, "a limit of generations")
    if generations < 1 or (seconds is not None and not seconds > 0):
        raise UsageError(
            f"limits are at least 1 generation and more than 0 seconds, "
            f"got {generations} and {seconds}"
        )
    if not can_step(pattern.rule):
        return _identify_briefly(pattern, min(generations, SHORT_GENERATIONS))
    area = max(pattern.box.area, 1)
    fate = follow(
        pattern,
        generations=min(generations, SHORT_GENERATIONS, max(16, _SHORT_WORK // area)),
        growth=_SHORT_GROWTH,
    )
    if fate.outcome == "recurs" and fate.recurrence is not None:
        return _identify_recurring(pattern, fate.recurrence, fate.reason)
    return _identify_other(pattern, watch(pattern, generations=generations, seconds=seconds))


def _identify_briefly(pattern: Pattern, generations: int) -> Identity:
    """Identify by following alone: the fast universe does not run every rule."""
    fate = follow(pattern, generations=generations)
    if fate.outcome == "recurs" and fate.recurrence is not None:
        return _identify_recurring(pattern, fate.recurrence, fate.reason)
    kinds: dict[str, Kind] = {"dies": "dies", "settles": "settles"}
    return Identity(
        kind=kinds.get(fate.outcome, "unknown"),
        reason=fate.reason,
        rule=pattern.rule,
        symmetry=find_symmetry(pattern),
        lifespan=None if fate.outcome == "undecided" else fate.generation,
    )


def _identify_recurring(pattern: Pattern, found: Recurrence, reason: str) -> Identity:
    symmetry = find_symmetry(pattern)
    if pattern.box.area > LARGEST_BOX and pattern.box.area * found.period > _LARGEST_HISTORY:
        return Identity(
            kind=found.kind,
            reason=reason,
            rule=pattern.rule,
            symmetry=symmetry,
            apgcode=f"ov_{encode_kind(found, pattern.population)}",
            period=found.period,
            displacement=found.displacement,
            populations=(pattern.population,),
            smallest_box=pattern.normalized.box,
            largest_box=pattern.normalized.box,
        )
    phases = trace_phases(pattern, found.period)
    code = encode_phases(phases, found)
    boxes = sorted({phase.box.shift(-phase.x, -phase.y) for phase in phases}, key=_by_area)
    return Identity(
        kind=found.kind,
        reason=reason,
        rule=pattern.rule,
        symmetry=symmetry,
        apgcode=code,
        name=find_object_name(code, pattern.rule),
        period=found.period,
        displacement=found.displacement,
        mod=find_mod(phases),
        populations=tuple(phase.population for phase in phases),
        smallest_box=boxes[0],
        largest_box=boxes[-1],
        envelope=find_envelope(phases).shift(pattern.x, pattern.y),
        activity=None if found.is_moving else measure_activity(phases),
    )


def _identify_other(pattern: Pattern, prospect: Prospect) -> Identity:
    """Describe a pattern by what becomes of it."""
    reason = describe_prospect(prospect, pattern.rule)
    symmetry = find_symmetry(pattern)
    name = find_famous_name(pattern, prospect.code if isinstance(prospect, Growth) else None)
    match prospect:
        case Return(0, found):
            return _identify_recurring(pattern, found, reason)
        case Settlement(generation=0, escaping=(), period=period):
            again = f"recurs in generation {period}"
            return _identify_recurring(pattern, Recurrence(period, (0, 0)), again)
        case Growth():
            return Identity(
                kind=prospect.kind,
                reason=reason,
                rule=pattern.rule,
                symmetry=symmetry,
                apgcode=prospect.code,
                name=name,
                period=prospect.period,
                displacement=prospect.displacement,
                growth=prospect,
            )
    kinds: dict[type[Prospect], Kind] = {Death: "dies", Lost: "unknown"}
    return Identity(
        kind=kinds.get(type(prospect), "settles"),
        reason=reason,
        rule=pattern.rule,
        symmetry=symmetry,
        name=name,
        lifespan=None if isinstance(prospect, Lost) else prospect.generation,
        settlement=prospect if isinstance(prospect, Settlement) else None,
    )


def _by_area(box: Box) -> tuple[int, int]:
    return box.area, box.width
