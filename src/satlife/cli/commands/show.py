"""``satlife show``: pictures of patterns."""

from __future__ import annotations

import sys
from typing import Any

import click

from satlife.cli.files import open_output
from satlife.errors import UsageError


@click.command(name="show")
@click.argument("sources", nargs=-1, required=True, metavar="PATTERN...")
@click.option("-o", "--output", metavar="FILE", help="Write a .svg, .png, .gif, .html or .txt.")
@click.option("--map", "map_", metavar="NAME",
              help="Colour cells by period (period), or by what changes (rotor).")  # fmt: skip
@click.option("--generations", type=click.IntRange(min=1), metavar="N",
              help="Show N generations.  [default: one period]")  # fmt: skip
@click.option("--animate", is_flag=True, help="Let an SVG move, instead of showing all phases.")
@click.option("--play", is_flag=True, help="Play it on the terminal, until Ctrl-C.")
@click.option("--rule", metavar="RULE", help="The rule, if not the file's own.")
@click.option("--rate", type=float, metavar="N", help="Generations per second.")
@click.option("--cell", type=int, metavar="PIXELS", help="The width of a cell.")
@click.option("--theme", type=click.Choice(["auto", "light", "dark"]), default="auto",
              show_default=True, help="The colours; auto follows the reader's.")  # fmt: skip
@click.option("--grid/--no-grid", default=True, help="Lines between the cells.")
@click.option("--caption/--no-caption", default=True, help="Name, rule, period, speed, apgcode.")
def command(
    sources: tuple[str, ...],
    output: str | None,
    map_: str | None,
    generations: int | None,
    play: bool,
    rule: str | None,
    **style: Any,
) -> None:
    """Draw patterns: on the terminal, or as a picture, an animation or a player.

    PATTERN is a file, - for standard input, RLE text, an apgcode, or a name in the catalogue.

    The suffix of -o is the format.  A GIF loops exactly one period while the camera follows a
    ship; an HTML file is a player that needs nothing else.  Several patterns, or a file with
    several, make a contact sheet.

    \b
    Examples:
      satlife show glider.rle
      satlife show xq4_153 -o glider.gif
      satlife show pulsar --map period -o pulsar.svg
      satlife ship c/3 --box 16x6 | satlife show - -o ship.html
    """
    from satlife.cli.sources import read_scenes
    from satlife.show import Style, find_picture_format

    chosen = Style(map=map_, **style)
    format_ = find_picture_format(output or "text")
    format_.check()
    if play and (output or not sys.stdout.isatty()):
        raise UsageError("--play needs a terminal; -o FILE.gif or -o FILE.html moves elsewhere")
    scenes = [scene for source in sources for scene in read_scenes(source, rule, generations)]
    if play:
        from satlife.cli.player import play_scene

        play_scene(scenes[0], chosen)
        return
    drawn = format_.draw(scenes, chosen)
    if output is None:
        sys.stdout.write(drawn.decode())
        return
    with open_output(output) as file:
        file.write(drawn)
