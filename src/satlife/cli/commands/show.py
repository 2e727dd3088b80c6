"""``satlife show``: pictures of patterns."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from itertools import count
from typing import Any

import click

from satlife.cli.endings import say
from satlife.cli.files import open_output
from satlife.cli.help import Command
from satlife.cli.own import open_source, read_own, report_loss
from satlife.cli.start import AsIs, make_visible
from satlife.errors import UsageError
from satlife.life import draw_text
from satlife.life.catalogue import list_several
from satlife.life.formats import list_patterns, list_unread
from satlife.problem.lls_grid import read_grid
from satlife.problem.sketch import show_grid
from satlife.show import Scene, Style, find_picture_format
from satlife.show.layout import Camera

_HIDE, _SHOW = "\x1b[?25l", "\x1b[?25h"
"""Control sequences for the cursor."""


@click.command(name="show", cls=Command, groups={
    "What to draw": ("rule", "generations", "map_", "caption"),
    "How to draw it": ("animate", "play", "rate", "cell", "theme", "grid"),
    "Output": ("output",),
})  # fmt: skip
@click.argument("sources", nargs=-1, required=True, metavar="PATTERN...")
@click.option("-o", "--output", metavar="FILE", help="Write a .svg, .png, .gif, .html or .txt.")
@click.option("--map", "map_", metavar="NAME",
              help="Colour cells by period (period), or those that change (rotor).")  # fmt: skip
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
    chosen = Style(map=map_, **style)
    format_ = find_picture_format(output or "text")
    if play and (output or not sys.stdout.isatty()):
        raise UsageError("--play needs a terminal; -o FILE.gif or -o FILE.html moves elsewhere")
    scenes = [scene for source in sources for scene in read_scenes(source, rule, generations)]
    if play:
        play_scene(scenes[0], chosen)
        return
    drawn = format_.draw(scenes, chosen)
    if output is None:
        sys.stdout.write(drawn.decode())
        return
    with open_output(output) as file:
        file.write(drawn)


def read_scenes(source: str, rule: str | None, generations: int | None) -> Iterator[Scene]:
    """Yield the scenes of a file (``-`` for standard input), a text or a name."""
    text, own = open_source(source, several=True), read_own()
    if grid := read_grid(text, own):
        yield show_grid(grid).cut(generations)
        return
    for _, excerpt in list_patterns(text):
        report_loss(excerpt.text)
    for note in list_unread(text) if list_patterns(text) else ():
        say(f"note: {note}")
    for pattern, name in list_several(text, own):
        drawn = pattern if rule is None else pattern.with_rule(rule)
        yield Scene.of(drawn, generations=generations, name=name)


def play_scene(scene: Scene, style: Style) -> None:
    """Draw each generation over the last one, until Ctrl-C, which is the normal end."""
    camera = Camera.on(scene)
    rows = (camera.box.height + 3) // 2
    size = shutil.get_terminal_size()
    if camera.box.width >= size.columns or rows + 2 >= size.lines:
        raise UsageError(
            f"the terminal has no room for {camera.box.width}x{camera.box.height} cells; "
            "write -o FILE.gif or -o FILE.html instead"
        )
    pause = 1 / style.choose_rate(len(scene.frames))
    screen = AsIs(sys.stdout)
    screen.write(f"{_HIDE}{make_visible(str(scene.caption))}\n" + "\n" * rows)
    try:
        for t in count():
            cells, _, _ = camera.see(scene, t % len(scene.frames))
            lines = draw_text(cells).split("\n")
            lines += [""] * (rows - len(lines))
            picture = "".join(f"\x1b[2K{line}\n" for line in lines[:rows])
            screen.write(f"\x1b[{rows}A{picture}")
            screen.flush()
            time.sleep(pause)
    except KeyboardInterrupt:
        pass
    finally:
        screen.write(_SHOW)
        screen.flush()
