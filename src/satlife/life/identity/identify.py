"""Identifying a pattern by running it until its kind is clear, or a limit is reached.

>>> print(identify(Pattern.from_rle("bo$2bo$3o!")))
xq4_153: glider, spaceship c/4d, 5 cells, 3x3, C1
>>> print(identify(Pattern.from_rle("o!")))
no apgcode: dies in generation 1
>>> print(identify(Pattern.from_rle("2o$o!")))
no apgcode: becomes a block (xs4_33, a still life) in generation 1
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from satlife.errors import UsageError
from satlife.life.cells import as_integer
from satlife.life.identity.identity import Identity, Kind
from satlife.life.identity.limits import GENERATIONS, SECONDS, LimitReached, WatchLimit
from satlife.life.identity.recurrence import GENERATIONS as SHORT_GENERATIONS
from satlife.life.identity.recurrence import Fate, follow
from satlife.life.identity.recurrent import identify_recurring
from satlife.life.identity.symmetries import find_symmetry
from satlife.life.pattern import Pattern
from satlife.life.universe import can_step

# Before it is watched at length, a pattern is followed for a short while, for most recur soon.
_SHORT_WORK: Final = 20_000_000  # cells times generations
_SHORT_GROWTH: Final = 48


def identify(
    pattern: Pattern | str, *, generations: int = GENERATIONS, seconds: float | None = SECONDS
) -> Identity:
    """Identify a pattern, or the text of one.

    The pattern is run up to the limits on generations and seconds of processor time; ``None`` means
    no time limit. If a limit is reached, the kind is ``unknown`` and the reason is that limit.

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
    deadline = WatchLimit(seconds)
    if not can_step(pattern.rule):
        return _identify_briefly(pattern, min(generations, SHORT_GENERATIONS), deadline)
    area = max(pattern.box.area, 1)
    with suppress(LimitReached):  # the long run meets the limit, too, and reports it
        fate = follow(
            pattern,
            generations=min(generations, SHORT_GENERATIONS, max(16, _SHORT_WORK // area)),
            growth=_SHORT_GROWTH,
            check=deadline.check,
        )
        if fate.outcome == "recurs" and fate.recurrence is not None:
            return identify_recurring(pattern, fate.recurrence, fate.reason)
    from satlife.life.identity.watched import identify_watched  # noqa: PLC0415 - rarely needed

    return identify_watched(pattern, generations=generations, deadline=deadline)


def _identify_briefly(pattern: Pattern, generations: int, deadline: WatchLimit) -> Identity:
    """Identify by following alone: the fast universe does not run every rule."""
    try:
        fate = follow(pattern, generations=generations, check=deadline.check)
    except LimitReached as limit:
        fate = Fate("undecided", 0, None, f"does not recur {limit}")
    if fate.outcome == "recurs" and fate.recurrence is not None:
        return identify_recurring(pattern, fate.recurrence, fate.reason)
    kinds: dict[str, Kind] = {"dies": "dies", "settles": "settles"}
    return Identity(
        kind=kinds.get(fate.outcome, "unknown"),
        reason=fate.reason,
        rule=pattern.rule,
        symmetry=find_symmetry(pattern),
        lifespan=None if fate.outcome == "undecided" else fate.generation,
    )
