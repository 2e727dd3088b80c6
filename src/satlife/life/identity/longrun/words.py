"""What becomes of a pattern, in words."""

from __future__ import annotations

from collections.abc import Sequence

from satlife.life.identity.longrun.growing import Growth
from satlife.life.identity.longrun.settling import Settlement
from satlife.life.identity.longrun.streams import Stream
from satlife.life.identity.longrun.tally import Tally
from satlife.life.identity.longrun.watching import Death, Lost, Prospect, Return
from satlife.life.identity.names import find_object_name
from satlife.life.rule import Rule

_KINDS = {"s": "still life", "p": "oscillator", "q": "spaceship"}


def describe_prospect(prospect: Prospect, rule: Rule) -> str:
    """Return what becomes of a pattern, as the rest of a sentence that begins with it."""
    match prospect:
        case Death(generation):
            return f"dies in generation {generation}"
        case Return(generation, recurrence):
            if generation == 0:
                return f"recurs in generation {recurrence.period}"
            return f"becomes {recurrence.describe()} in generation {generation}"
        case Settlement():
            return _describe_settlement(prospect)
        case Growth():
            return _describe_growth(prospect, rule)
        case Lost(reason):
            return reason


def _describe_settlement(settled: Settlement) -> str:
    objects = [*settled.ash, *settled.escaping]
    if len(objects) == 1 and objects[0].count == 1 and not settled.unnamed:
        return f"becomes {_describe_object(objects[0])} in generation {settled.generation}"
    least, most = settled.populations
    cells = f"{least} cells" if least == most else f"{least} to {most} cells"
    stays = [str(each) for each in settled.ash]
    stays += [f"an oscillator of {settled.unnamed} cells"] if settled.unnamed else []
    words = f"settles in generation {settled.generation} with {cells}"
    words += f": {', '.join(stays)}" if stays else ""
    escaping = ", ".join(map(str, settled.escaping))
    return f"{words}; escaping: {escaping}" if escaping else words


def _describe_object(single: Tally) -> str:
    """Return a single object with its article, name and code.

    >>> _describe_object(Tally(1, "xp2_7", "blinker"))
    'a blinker (xp2_7, an oscillator of period 2)'
    """
    code = single.code.removeprefix("ov_").removeprefix("x")
    number = code[1:].split("_")[0]
    kind = _KINDS[code[0]]
    article = "an" if kind == "oscillator" else "a"
    what = f"{article} {kind}" + (f" of period {number}" if kind != "still life" else "")
    if single.name is None:
        return f"{what} ({single.code})"
    article = "an" if single.name[0] in "aeiou" else "a"
    return f"{article} {single.name} ({single.code}, {what})"


def _describe_growth(growth: Growth, rule: Rule) -> str:
    added = f"{growth.population:g} cells every {growth.period} generations"
    words = [f"grows by {added} from generation {growth.generation} on"]
    if growth.engines > 1:
        words.append(f"{growth.engines} engines")
    words += describe_streams(growth.streams, growth.period, rule)
    if growth.debris:
        words.append(f"leaves {', '.join(map(str, growth.debris))}")
    return "; ".join(words)


def describe_streams(streams: Sequence[Stream], period: int, rule: Rule) -> list[str]:
    """Return what is emitted, a text for each stream."""
    texts = []
    for stream in streams:
        name = find_object_name(stream.code, rule) or stream.code
        article = "an" if name[0] in "aeiou" else "a"
        if stream.interval is not None:
            texts.append(f"emits {article} {name} {stream.direction} every {stream.interval}")
        else:
            texts.append(f"emits {stream.count} × {name} {stream.direction} every {period}")
    return texts
