"""``satlife catalogue``: known objects, satlife's and your own."""

from __future__ import annotations

import lzma
import shlex
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from math import gcd
from pathlib import Path, PurePosixPath
from typing import NoReturn
from zipfile import BadZipFile, ZipFile, ZipInfo, is_zipfile

import click

from satlife.cli import endings
from satlife.cli.endings import say
from satlife.cli.files import open_output, read_text
from satlife.cli.help import Command
from satlife.cli.own import every_entry, find_file, read_own, write_own
from satlife.cli.printing import print_record
from satlife.errors import UsageError
from satlife.life import draw_text
from satlife.life.catalogue import KINDS as NAMES
from satlife.life.catalogue import (
    Collection,
    Entry,
    catalogue,
    find_entries,
    read_collection,
    suggest_name,
    write_line,
)
from satlife.life.catalogue.entries import simplify_name
from satlife.life.formats.rle import write_comment
from satlife.life.motion import Motion
from satlife.life.rule import LIFE, Rule
from satlife.problem.constraints import Population
from satlife.quantities import write_count
from satlife.sat.files.paths import content_suffix

LONGEST_CODE = 40
"""The widest column of codes."""
MOST_COMPLAINTS = 20
MOST_FILES = 10_000
MOST_BYTES = 10_000_000
"""Limits of a zip file: how many files are read, and how much of each."""
LONGEST = 2.0
"""Seconds that a pattern may take to be identified."""
_DAMAGE = (BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, EOFError, OSError, ValueError)
"""The errors of a zip file that is damaged, encrypted or compressed in another way."""

MOST_MULTIPLES = 100
"""The number of multiples of a period that are tried for the same speed."""

SUFFIXES = (".rle", ".cells", ".lif", ".life", ".txt", ".csv", ".tsv", ".db")
"""Suffixes of the files in a folder or a zip file that are imported."""


class DefaultGroup(click.Group):
    """A group whose first command is the default."""

    command_class = Command

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


@command.command(name="list", groups={
    "Which objects": ("kind", "period", "speed", "rule", "population", "own"),
    "Output": ("show", "as_rle", "as_json", "export"),
})  # fmt: skip
@click.argument("words", nargs=-1)
@click.option("--kind", type=click.Choice([*NAMES]), help="Only objects of this kind.")
@click.option("--period", type=click.IntRange(min=1), metavar="N", help="Only of this period.")
@click.option("--speed", metavar="SPEED", help="Only ships of this speed: c/4d, 2c/4 …")
@click.option("--rule", metavar="RULE", help="Only what works in this rule, as in its own.")
@click.option("--population", metavar="BOUND",
              help="Live cells of the smallest phase: '<=7', =12 …")  # fmt: skip
@click.option("--show", is_flag=True, help="Draw each of them.")
@click.option("--rle", "as_rle", is_flag=True, help="Print the only match as RLE.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option("--export", metavar="FILE", help="Write them as a glider database; - to print it.")
@own_option
def list_objects(
    words: tuple[str, ...],
    kind: str | None,
    period: int | None,
    speed: str | None,
    rule: str | None,
    population: str | None,
    show: bool,
    as_rle: bool,
    as_json: bool,
    export: str | None,
    own: str | None,
) -> None:
    """List known objects, by parts of their name or apgcode.

    Each has the command that found it (or all of its kind), or that checks it; --json prints that
    too. An object works in a rule if it has the same generations there as in its own; that is
    simulated, or follows from the range of rules of an imported glider database.

    Exit codes: 0 there are some; 1 there are none.

    \b
    Examples:
      satlife catalogue eater --show
      satlife catalogue --kind ship --speed 2c/4
      satlife catalogue --speed c/5 --rule B36/S23
      satlife catalogue --kind ship --export ships.db
      satlife catalogue --kind still-life --population =8
      satlife catalogue glider --rle > glider.rle
    """
    for name, is_given in (("--show", show), ("--rle", as_rle), ("--json", as_json)):
        if export is not None and is_given:
            raise UsageError(f"--export writes a glider database; leave {name} out")
    bound = None
    if population is not None:
        parsed = Population.parse(population)
        bound = parsed.least, parsed.most
    find = partial(
        find_entries,
        *words,
        kind=None if kind is None else NAMES[kind],
        period=period,
        population=bound,
        rule=None if rule is None else Rule(rule),
        entries=every_entry(own),
    )
    motion = None if speed is None else Motion.parse(speed)
    entries = find(speed=None if motion is None else str(motion))
    if not entries:
        hint = suggest_name(" ".join(words), read_own(own)) if words else ""
        if motion is not None and period is None:
            hint += _name_multiples(motion, find())
        say(f"the catalogue has no such object{hint}")
        sys.exit(endings.IMPOSSIBLE)
    if export is not None:
        _export(entries, export)
    elif as_rle:
        sys.stdout.write(_rle(_only(entries, " ".join(words))))
    elif as_json:
        for entry in entries:
            print_record(entry.to_dict())
    else:
        _list(entries, show)


@command.command(name="import")
@click.argument("sources", metavar="FILE...", nargs=-1, required=True)
@click.option("--rule", metavar="RULE",
              help="The rule of the objects, if not the files' own; of a glider database, only "
              "what works in it.")  # fmt: skip
@own_option
def import_objects(sources: tuple[str, ...], rule: str | None, own: str | None) -> None:
    """Add objects to your own catalogue, so that --reject known leaves them out.

    FILE is a list of apgcodes (one in a line, a name or a number after it), a glider database such
    as glider.db (one object in a line, with the least and the greatest of its rules), a file of one
    or more patterns, a folder or a zip file of such files, or - for standard input. A pattern of
    several objects is divided into them. Each object is simulated: what does not recur, or is not
    what its code or its line says, is not identified, and the reason is given.

    Your own catalogue is catalogue.tsv in your data folder, or in the folder that the environment
    variable SATLIFE_DATA names. Exit codes: 0 something was read; 1 nothing was.

    \b
    Examples:
      satlife catalogue import codes.txt
      satlife catalogue import my-oscillators.rle collection/ patterns.zip
      satlife catalogue import /usr/share/golly/Patterns
      satlife catalogue import glider.db
    """
    before = read_own(own)
    known = {entry.key for entry in (*catalogue(), *before)}
    read: dict[tuple[str, str, str], Entry] = {}
    lost = 0
    for name, collection in _read_sources(sources, rule):
        for entry in collection.entries:
            read.setdefault(entry.key, entry)
        for reason in collection.skipped:
            lost += 1
            if lost <= MOST_COMPLAINTS:
                say(f"not identified: {name}: {reason}")
    new = [entry for key, entry in read.items() if key not in known]
    if new:
        write_own((*before, *new), own)
    if lost > MOST_COMPLAINTS:
        say(f"not identified: {lost - MOST_COMPLAINTS:,} more")
    say(
        f"{write_count(len(read), 'object')} read: {len(new):,} new, {len(read) - len(new):,} "
        f"known already; {lost:,} not identified; your catalogue is {find_file(own)}"
    )
    if not read:
        sys.exit(endings.IMPOSSIBLE)


def _read_sources(sources: tuple[str, ...], rule: str | None) -> Iterator[tuple[str, Collection]]:
    for source in sources:
        for name, read in _list_files(source):
            try:
                yield name, read_collection(read(), shlex.quote(name), rule, LONGEST)
            except (UsageError, OSError) as error:
                if name == source:
                    raise error if name in str(error) else UsageError(f"{name}: {error}") from None
                reason = getattr(error, "strerror", None) or str(error)
                yield name, Collection((), (reason.removeprefix(f"{name} is "),))


def _list_files(source: str) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the files of a folder or a zip file by name, each with a function that reads it."""
    path = Path(source)
    if source != "-" and path.is_dir():
        for each in sorted(path.rglob("*")):
            if each.is_file() and content_suffix(each) in (*SUFFIXES, ".zip"):
                yield from _list_files(str(each))
    elif source != "-" and path.is_file() and is_zipfile(source):
        try:
            archive = _open_zip(source)
        except UsageError as error:
            yield source, partial(_refuse, error)
            return
        with archive:
            members = archive.infolist()
            if len(members) > MOST_FILES:
                count = f"{MOST_FILES:,} of {len(members):,}"
                say(f"not read: {source}: all but the first {count} files")
            for info in members[:MOST_FILES]:
                if PurePosixPath(info.filename).suffix.lower() in SUFFIXES:
                    yield f"{source}:{info.filename}", partial(_read_member, archive, info)
    else:
        yield source, partial(read_text, source)


def _open_zip(source: str) -> ZipFile:
    try:
        archive = ZipFile(source)
        if any(info.header_offset < 0 for info in archive.infolist()):
            archive.close()
            raise BadZipFile("Bad offset for central directory")
    except _DAMAGE as error:
        raise UsageError(f"{source} is a damaged zip file: {error}") from None
    return archive


def _refuse(error: UsageError) -> NoReturn:
    raise error


def _read_member(archive: ZipFile, info: ZipInfo) -> str:
    """Read a file in a zip file, up to the limit; it is not extracted."""
    try:
        with archive.open(info) as file:
            content = file.read(MOST_BYTES + 1)
    except _DAMAGE as error:
        raise UsageError(str(error) or "the file ends too early") from None
    if len(content) > MOST_BYTES:
        raise UsageError(f"larger than {MOST_BYTES // 1_000_000} MB")
    return content.decode("utf-8-sig", "replace")


def _name_multiples(motion: Motion, entries: tuple[Entry, ...]) -> str:
    """Return the same speed with other periods, such as 2c/4 for c/2, if there are such ships."""
    (dx, dy), period = motion.displacement, motion.period
    parts = gcd(dx, dy, period)
    same = (
        str(Motion(n * period // parts, n * dx // parts, n * dy // parts))
        for n in range(1, MOST_MULTIPLES)
    )
    known = {entry.speed for entry in entries}
    found = [speed for speed in same if speed in known]
    return f"; the same speed in another period: {', '.join(found)}" if found else ""


def _export(entries: tuple[Entry, ...], name: str) -> None:
    """Write the objects that recur as a glider database."""
    lines = [f"{write_line(entry)}\n" for entry in entries if entry.code]
    with open_output(name) as file:
        file.write("".join(lines).encode())
    lost = len(entries) - len(lines)
    left_out = f"; {lost:,} that do not recur are left out" if lost else ""
    say(f"{write_count(len(lines), 'object')} written{left_out}")


def _only(entries: tuple[Entry, ...], name: str) -> Entry:
    """Return the entry with exactly this name or code, or the only one.

    Entries with the same generations, such as those of two ranges of rules, count as one.
    """
    exact = [e for e in entries if name == e.code or simplify_name(name) == simplify_name(e.name)]
    first, *others = exact or entries
    if not all(e.code == first.code and first.works_in(Rule(e.rule)) for e in others):
        names = ", ".join(entry.name or entry.code for entry in entries[:5])
        more = " …" if len(entries) > 5 else ""
        raise UsageError(f"{len(entries)} objects match: {names}{more}; --rle prints only one")
    return first


def _rle(entry: Entry) -> str:
    name = [write_comment(entry.name, "N")] if entry.name else []
    description = f"{entry.code}: {entry.words}" if entry.code else entry.words
    return "\n".join([*name, write_comment(description), entry.pattern.to_rle(), ""])


def _name(entry: Entry) -> str:
    """Return the name of an object, and its rules unless they are Life alone."""
    rules = f"{entry.rule} to {entry.greatest}" if entry.greatest else entry.rule
    return ", ".join(filter(None, (entry.name, "" if rules == str(LIFE) else rules)))


def _list(entries: tuple[Entry, ...], show: bool) -> None:
    rows = [
        (entry.code or "-", entry.words, f"{entry.population} cells", _name(entry))
        for entry in entries
    ]
    # A code is printed whole, to be copied; a long one moves the rest of its line.
    widths = [max(min(len(row[i]), LONGEST_CODE) for row in rows) for i in range(3)]
    for entry, row in zip(entries, rows, strict=True):
        cells = (f"{cell:<{width}}" for cell, width in zip(row, (*widths, 0), strict=True))
        sys.stdout.write("  ".join(cells).rstrip() + "\n")
        if show:
            sys.stdout.write(f"\n{draw_text(entry.pattern)}\n\n")
