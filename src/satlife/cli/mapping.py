"""``satlife campaign results --map``: the maps of a campaign, as ``satlife map`` writes them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from satlife.cli.ending import say

if TYPE_CHECKING:
    from satlife.campaign.ledger import Ledger
    from satlife.rulemaps import RuleMap


def write_maps(ledger: Ledger, folder: str) -> None:
    """Write the map of a campaign to a folder; several, to folders in it, by their numbers."""
    from satlife.campaign.maps import read_maps
    from satlife.errors import UsageError
    from satlife.rulemaps.page import describe_map

    maps = read_maps(ledger)
    if not maps:
        raise UsageError("the plan asks for no map; a search with map = true does")
    for number, made in enumerate(maps, 1):
        write_map(made, Path(folder) if len(maps) == 1 else Path(folder) / str(number))
        click.echo(f"{describe_map(made)}.")
        if not made.is_complete or made.reason:
            say(f"unfinished: {made.reason or 'some rules are in none of the regions'}")


def write_map(made: RuleMap, folder: Path) -> None:
    """Write a map to its folder; one of the same question that is there is replaced."""
    from satlife.rulemaps.folder import begin_map, finish_map, write_regions

    begin_map(made.problem, folder)
    write_regions(folder, made.regions)
    for words in finish_map(made, folder):
        say(words)
