"""The page of a map: its picture, and a place to look up any rule.

It is one file that needs nothing else, and contacts nobody.
"""

from __future__ import annotations

import html
import json
from importlib.resources import files
from typing import Any, Final

import msgspec

from satlife.life.rule import LIFE
from satlife.life.rulespaces import OPEN
from satlife.rulemaps.picture import COLOURS
from satlife.rulemaps.rulemap import Region, RuleMap, locate
from satlife.search.certificates.naming import name_solutions
from satlife.search.certificates.statement import place_words

_TEMPLATE: Final = "page.html"


def write_page(rulemap: RuleMap) -> str:
    """Return the page."""
    title = describe_map(rulemap)
    told = json.dumps(_tell(rulemap), separators=(",", ":")).replace("<", "\\u003c")
    template = files(__package__).joinpath(_TEMPLATE).read_text(encoding="utf-8")
    return template.replace("{{title}}", html.escape(title)).replace("{{map}}", told)


def describe_map(rulemap: RuleMap) -> str:
    """Return the answer in one line: how many rules have such a pattern."""
    counts, problem = rulemap.counts, rulemap.problem
    where = place_words(msgspec.structs.replace(problem, rule=str(LIFE)))  # the rule is said here
    noun = name_solutions(problem)
    some = f"{'an' if noun[0] in 'aeiou' else 'a'} {noun} {where}"
    left = f", and {counts['undecided']:,} are undecided" if counts["undecided"] else ""
    return f"{counts['found']:,} of {rulemap.space.size:,} rules have {some}{left}"


def _tell(rulemap: RuleMap) -> dict[str, Any]:
    """Return what the script needs."""
    space = rulemap.space
    fixed = [
        name
        for name, fate in zip(space.classes.names, space.entries.tolist(), strict=True)
        if fate not in (0, OPEN)
    ]
    return {
        "rules": str(space),
        "family": space.family,
        "free": list(space.free),
        "fixed": fixed,
        "colours": list(COLOURS),
        "regions": [_tell_region(rulemap, region) for region in rulemap.regions],
    }


def _tell_region(rulemap: RuleMap, region: Region) -> list[Any]:
    """Return a mask and values over the free entries, the first at the highest bit; and more."""
    mask = value = 0
    for fate in locate(rulemap.space, region.rules):
        mask, value = 2 * mask, 2 * value
        if isinstance(fate, int):
            mask, value = mask + 1, value + fate
    if region.pattern is None:
        return [mask, value, str(region.rules)]
    return [mask, value, str(region.rules), region.pattern.to_rle()]
