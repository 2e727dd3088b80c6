"""``satlife catalogue``: known objects, satlife's and your own."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from satlife.cli import endings
from satlife.cli.endings import say
from satlife.cli.files import read_text
from satlife.cli.own import every_entry, find_file, read_own, write_own
from satlife.errors import UsageError
from satlife.life import draw_text
from satlife.life.catalogue import KINDS as NAMES
from satlife.life.catalogue import (
    Collection,
    Entry,
    catalogue,
    find_entries,
    merge,
    read_collection,
    suggest_name,
)
from satlife.problem.constraints import Population
from satlife.quantities import write_count

LONGEST_CODE = 40
MOST_COMPLAINTS = 5

KINDS = ("still-life", "oscillator", "ship", "gun", "puffer", "rake", "methuselah")
SUFFIXES = (".rle", ".cells", ".lif", ".life", ".txt", ".csv", ".tsv")
"""Suffixes of the files in a folder that are imported."""


class DefaultGroup(click.Group):
    """A group whose first command is the default."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the first command's name before arguments that name no command."""
        first = next(iter(self.commands))
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = [first, *args]
        return super().parse_args(ctx, args)


@click.group(name="catalogue", cls=DefaultGroup)
def command() -> None:
    """Look up known objects, or add your own.

    Without a command's name, this is `satlife catalogue list`.

    \b
    Examples:
      satlife catalogue eater --show
      satlife catalogue glider --rle > glider.rle
      satlife catalogue import my-collection/
    """


own_option = click.option(
    "--own", metavar="FILE", help="Your own catalogue, if not the one in your data folder."
)


@command.command(name="list")
@click.argument("words", nargs=-1)
@click.option("--kind", type=click.Choice(KINDS), help="Only objects of this kind.")
@click.option("--period", type=click.IntRange(min=1), metavar="N", help="Only of this period.")
@click.option("--speed", metavar="SPEED", help="Only ships of this speed: c/4d, 2c/4 …")
@click.option("--population", metavar="BOUND",
              help="Live cells of the smallest phase: '<=7', =12 …")  # fmt: skip
@click.option("--show", is_flag=True, help="Draw each of them.")
@click.option("--rle", "as_rle", is_flag=True, help="Print the only match as RLE.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@own_option
def list_objects(
    words: tuple[str, ...],
    kind: str | None,
    period: int | None,
    speed: str | None,
    population: str | None,
    show: bool,
    as_rle: bool,
    as_json: bool,
    own: str | None,
) -> None:
    """List known objects, by parts of their name or apgcode.

    Each has the command that found it (or all of its kind), or that checks it; --json prints that
    too. Exit codes: 0 there are some; 1 there are none.

    \b
    Examples:
      satlife catalogue eater --show
      satlife catalogue --kind ship --speed 2c/4
      satlife catalogue --kind still-life --population =8
      satlife catalogue glider --rle > glider.rle
    """
    bound = None
    if population is not None:
        parsed = Population.parse(population)
        bound = parsed.least, parsed.most
    pool = every_entry(own)
    entries = find_entries(
        *words,
        kind=None if kind is None else NAMES[kind],
        period=period,
        population=bound,
        speed=speed,
        entries=pool,
    )
    if not entries:
        say(f"the catalogue has no such object{suggest_name(' '.join(words), pool)}")
        sys.exit(endings.IMPOSSIBLE)
    if as_rle:
        sys.stdout.write(_rle(_only(entries, " ".join(words))))
    elif as_json:
        for entry in entries:
            sys.stdout.write(msgspec.json.encode(entry.to_dict()).decode() + "\n")
    else:
        _list(entries, show)


@command.command(name="import")
@click.argument("sources", metavar="FILE...", nargs=-1, required=True)
@click.option("--rule", metavar="RULE", help="The rule of the objects, if not the files' own.")
@own_option
def import_objects(sources: tuple[str, ...], rule: str | None, own: str | None) -> None:
    """Add objects to your own catalogue, so that --reject known leaves them out.

    FILE is a list of apgcodes (one in a line, a name or a number after it), a file of one or more
    patterns, a folder of such files, or - for standard input. A pattern of several objects is
    divided into them. Each object is simulated: what does not recur, or is not what its code says,
    is skipped.

    Your own catalogue is catalogue.tsv in your data folder, or in the folder that the environment
    variable SATLIFE_DATA names. Exit codes: 0 something was read; 1 nothing was.

    \b
    Examples:
      satlife catalogue import codes.txt
      satlife catalogue import my-oscillators.rle collection/
    """
    before = read_own(own)
    known = {(entry.code, entry.rule) for entry in (*catalogue(), *before)}
    new: dict[tuple[str, str], Entry] = {}
    read = 0
    for name, collection in _read_sources(sources, rule):
        read += len(collection.entries)
        for entry in collection.entries:
            if (entry.code, entry.rule) not in known:
                new.setdefault((entry.code, entry.rule), entry)
        _complain(name, collection.skipped)
    if new:
        write_own(merge(before, new.values()), own)
    objects = write_count(read, "object")
    say(f"{objects} read, {len(new):,} of them new; they are in {find_file(own)}")
    if not read:
        sys.exit(endings.IMPOSSIBLE)


def _read_sources(sources: tuple[str, ...], rule: str | None) -> Iterator[tuple[str, Collection]]:
    for source in sources:
        is_folder = source != "-" and Path(source).is_dir()
        names = _list_folder(Path(source)) if is_folder else [source]
        for name in names:
            try:
                yield name, read_collection(read_text(name), shlex.quote(name), rule)
            except UsageError as error:
                if not is_folder:
                    raise
                yield name, Collection((), (str(error),))


def _list_folder(folder: Path) -> list[str]:
    return sorted(
        str(path)
        for path in folder.rglob("*")
        if path.is_file() and path.suffix.lower() in SUFFIXES
    )


def _complain(name: str, skipped: tuple[str, ...]) -> None:
    for reason in skipped[:MOST_COMPLAINTS]:
        say(f"{name}: skipped: {reason}")
    if len(skipped) > MOST_COMPLAINTS:
        say(f"{name}: skipped {len(skipped) - MOST_COMPLAINTS} more")


def _only(entries: tuple[Entry, ...], name: str) -> Entry:
    """Return the entry with exactly this name or code, or the only one."""
    exact = [e for e in entries if name == e.code or name.casefold() == e.name.casefold()]
    if len(exact) != 1 and len(entries) > 1:
        names = ", ".join(entry.name or entry.code for entry in entries[:5])
        more = " …" if len(entries) > 5 else ""
        raise UsageError(f"{len(entries)} objects match: {names}{more}; --rle prints only one")
    return (exact or list(entries))[0]


def _rle(entry: Entry) -> str:
    name = f"#N {entry.name}\n" if entry.name else ""
    what = f"{entry.code}: {entry.words}" if entry.code else entry.words
    return f"{name}#C {what}\n{entry.pattern.to_rle()}\n"


def _list(entries: tuple[Entry, ...], show: bool) -> None:
    rows = [
        (_short(entry.code or "-"), entry.words, f"{entry.population} cells", entry.name)
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
