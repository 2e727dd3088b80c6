"""``satlife catalogue``: the objects that satlife has found or checked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from satlife.cli import ending
from satlife.cli.ending import say

if TYPE_CHECKING:
    from satlife.life.catalogue import Entry

LONGEST_CODE = 40


@click.command(name="catalogue")
@click.argument("words", nargs=-1)
@click.option("--kind", type=click.Choice(["still-life", "oscillator", "spaceship"]),
              help="Only these.")  # fmt: skip
@click.option("--period", type=click.IntRange(min=1), metavar="N", help="Only of this period.")
@click.option("--speed", metavar="SPEED", help="Only ships of this speed: c/4d, 2c/4 …")
@click.option("--population", metavar="BOUND",
              help="Live cells of the smallest phase: '<=7', =12 …")  # fmt: skip
@click.option("--show", is_flag=True, help="Draw each of them.")
@click.option("--rle", "as_rle", is_flag=True, help="Print the one that is meant, as RLE.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def command(
    words: tuple[str, ...],
    kind: str | None,
    period: int | None,
    speed: str | None,
    population: str | None,
    show: bool,
    as_rle: bool,
    as_json: bool,
) -> None:
    """List the objects that satlife knows, by parts of their name or apgcode.

    Each has the command that found it (or all of its kind), or that checks it; --json tells that
    too. Exit codes: 0 there are some; 1 there are none.

    \b
    Examples:
      satlife catalogue eater --show
      satlife catalogue --kind still-life --population =8
      satlife catalogue glider --rle > glider.rle
    """
    from satlife.life.catalogue import find_entries

    bound = None
    if population is not None:
        from satlife.search import Population

        parsed = Population.parse(population)
        bound = parsed.least, parsed.most
    entries = find_entries(
        *words,
        kind=None if kind is None else kind.replace("-", " "),
        period=period,
        population=bound,
        speed=speed,
    )
    if not entries:
        say("the catalogue has no such object")
        sys.exit(ending.IMPOSSIBLE)
    if as_rle:
        sys.stdout.write(_rle(_only(entries, " ".join(words))))
    elif as_json:
        import msgspec

        for entry in entries:
            sys.stdout.write(msgspec.json.encode(entry.to_dict()).decode() + "\n")
    else:
        _list(entries, show)


def _only(entries: tuple[Entry, ...], name: str) -> Entry:
    """Give the entry of that very name or code, or the only one."""
    from satlife.errors import UsageError

    exact = [e for e in entries if name == e.code or name.casefold() == e.name.casefold()]
    if len(exact) != 1 and len(entries) > 1:
        names = ", ".join(entry.name or entry.code for entry in entries[:5])
        more = " …" if len(entries) > 5 else ""
        raise UsageError(f"{len(entries)} objects are like that: {names}{more}; --rle prints one")
    return (exact or list(entries))[0]


def _rle(entry: Entry) -> str:
    name = f"#N {entry.name}\n" if entry.name else ""
    return f"{name}#C {entry.code}: {entry.words}\n{entry.pattern.to_rle()}\n"


def _list(entries: tuple[Entry, ...], show: bool) -> None:
    from satlife.life import draw_text

    rows = [
        (_short(entry.code), entry.words, f"{entry.population} cells", entry.name)
        for entry in entries
    ]
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    for entry, row in zip(entries, rows, strict=True):
        cells = (f"{cell:<{width}}" for cell, width in zip(row, (*widths, 0), strict=True))
        sys.stdout.write("  ".join(cells).rstrip() + "\n")
        if show:
            sys.stdout.write(f"\n{draw_text(entry.pattern)}\n\n")


def _short(code: str) -> str:
    return code if len(code) <= LONGEST_CODE else f"{code[: LONGEST_CODE - 1]}…"
