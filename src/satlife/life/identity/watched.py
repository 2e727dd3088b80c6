"""The identity of a pattern that does not recur soon: it is watched, and named by its fate."""

from __future__ import annotations

from satlife.life.identity.famous import find_famous_name
from satlife.life.identity.identity import Identity, Kind
from satlife.life.identity.limits import WatchLimit
from satlife.life.identity.longrun import (
    Death,
    LinearGrowth,
    Lost,
    Prospect,
    Return,
    Settlement,
    describe_prospect,
    watch,
)
from satlife.life.identity.recurrence import Recurrence
from satlife.life.identity.recurrent import identify_recurring
from satlife.life.identity.symmetries import find_symmetry
from satlife.life.pattern import Pattern


def identify_watched(pattern: Pattern, *, generations: int, deadline: WatchLimit) -> Identity:
    """Identify a pattern by its fate within the limits."""
    prospect = watch(pattern, generations=generations, deadline=deadline)
    reason = describe_prospect(prospect, pattern.rule)
    symmetry = find_symmetry(pattern)
    name = find_famous_name(pattern, prospect.code if isinstance(prospect, LinearGrowth) else None)
    match prospect:
        case Return(0, found):
            return identify_recurring(pattern, found, reason)
        case Settlement(generation=0, escaping=(), period=period):
            again = f"recurs in generation {period}"
            return identify_recurring(pattern, Recurrence(period, (0, 0)), again)
        case LinearGrowth():
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
