"""``satlife identify``: what is this pattern?"""

from __future__ import annotations

import sys
from typing import cast

import click

from satlife.cli import endings
from satlife.cli.help import Command
from satlife.cli.own import own_names, read_named
from satlife.cli.printing import print_record
from satlife.cli.quantities import TIME
from satlife.errors import UsageError
from satlife.life.identity import Identity, identify
from satlife.life.identity.tiles import TileIdentity, Wrap, identify_tile


@click.command(name="identify", cls=Command)
@click.argument("source", metavar="[PATTERN]", default="-")
@click.option("--rule", metavar="RULE", help="The rule, if not the pattern's own.")
@click.option("--generations", type=click.IntRange(min=1), metavar="N",
              help="Run it for at most N generations (default 100000; tiles 5000).")  # fmt: skip
@click.option("--timeout", type=TIME, metavar="TIME", default="10s", show_default=True,
              help="Give up after this processor time.")  # fmt: skip
@click.option("--tile", type=click.Choice(["both", "across", "down"]),
              help="The pattern is one tile of an agar (both), or of a wick that runs across or "
              "down.  [default: from the rule in its header, :T4,4]")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def command(
    source: str,
    rule: str | None,
    generations: int | None,
    timeout: float,
    tile: str | None,
    as_json: bool,
) -> None:
    """Find out what a pattern is, or what becomes of it.

    PATTERN is a file, - for standard input, RLE text, an apgcode, or a name in the catalogue.

    For still lifes, oscillators and spaceships: apgcode, name, period, speed, symmetry and
    populations. For guns, puffers and rakes: what they emit and leave, and how often. For
    methuselahs: the lifespan, and a census of what is left.

    Exit codes: 0 there is an answer; 3 undecided within the limits.

    \b
    Examples:
      satlife identify glider.rle
      satlife identify 'b2o$2o$bo!' --json
      satlife identify 'gosper glider gun'
      satlife identify soup.rle --timeout 10m --generations 1000000
    """
    drawn = read_named(source, rule)
    if not drawn.is_complete:
        raise UsageError(f"{drawn.describe_unknown()}; draw every cell dead or alive")
    limits = {} if generations is None else {"generations": generations}
    found: Identity | TileIdentity
    if tile is not None or drawn.torus is not None:
        wrap = cast("Wrap | None", tile)
        found = identify_tile(drawn, wrap, seconds=timeout, **limits)
    else:
        found = identify(drawn.pattern(), seconds=timeout, **limits).named(own_names())
    if as_json:
        print_record(found.to_dict())
    else:
        sys.stdout.write(f"{found}\n")
    if found.kind == "unknown":
        endings.say("note: --generations N and --timeout TIME raise the limits")
        sys.exit(endings.UNDECIDED)
