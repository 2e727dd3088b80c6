"""The user's own catalogue: its location and its entries.

It is ``catalogue.tsv`` in the platform's folder for user data, or in the folder that the
environment variable ``SATLIFE_DATA`` names.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from msgspec import structs
from platformdirs import user_data_path

from satlife.cli.endings import say
from satlife.cli.files import read_text
from satlife.errors import FormatError, UsageError
from satlife.life import FORMATS, PartialPattern, Pattern
from satlife.life.catalogue import (
    OWN_COLUMNS,
    Entry,
    catalogue,
    famous_entries,
    find_entry,
    is_known,
    name_partial,
    name_pattern,
    read_table,
    write_table,
)
from satlife.life.catalogue.entries import look_up, simplify_name
from satlife.life.formats import describe_loss, describe_unread, list_patterns
from satlife.life.rule import LIFE, Rule
from satlife.machine import replacing

VARIABLE = "SATLIFE_DATA"
_DRIVE = re.compile(r"[A-Za-z]:[\\/]|\\\\")  # C:\..., or the name of a machine


def find_file(name: str | None = None) -> Path:
    """Return the path of the catalogue, which may not exist; a name overrides all other places."""
    if name is not None:
        return Path(name)
    if folder := os.environ.get(VARIABLE):
        return Path(folder) / "catalogue.tsv"
    return user_data_path("satlife", appauthor=False) / "catalogue.tsv"


def read_own(name: str | None = None) -> tuple[Entry, ...]:
    """Return the entries of the user's own catalogue; none if there is no file."""
    path = find_file(name)
    if not path.is_file():
        return ()
    try:
        return read_table(path.read_text(encoding="utf-8"))
    except (FormatError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not a catalogue: {error}; move it away") from error


def write_own(entries: Iterable[Entry], name: str | None = None) -> Path:
    """Write the user's own catalogue, and return its path."""
    path = find_file(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as new:
        new.write_text(write_table(entries, OWN_COLUMNS), encoding="utf-8")
    return path


def every_entry(name: str | None = None) -> tuple[Entry, ...]:
    """Return satlife's entries, famous patterns, and the user's own, each object once.

    The rules and the discoverer of an object in the user's own catalogue are added to satlife's
    entry.
    """
    every = {(entry.code, entry.rule): entry for entry in catalogue()}
    own = []
    for entry in read_own(name):
        known = every.get((entry.code, entry.rule))
        if known is None or known.greatest:
            own.append(entry)
        else:
            every[known.code, known.rule] = structs.replace(
                known, greatest=entry.greatest, discoverer=entry.discoverer
            )
    return (*every.values(), *famous_entries(), *own)


def read_own_words(words: Iterable[str]) -> list[Pattern | str]:
    """Read the words of ``--reject`` that only the command line knows; return the others unchanged.

    These are ``-``, and names in the user's own catalogue.
    """
    read: list[Pattern | str] = []
    for word in words:
        if word == "-":
            read.append(name_pattern(open_source(word), read_own()))
        else:
            named = [e.pattern for e in read_own() if simplify_name(e.name) == simplify_name(word)]
            read += named or [word]
    return read


def list_own_codes(rule: Rule) -> list[str]:
    """Return the codes of the user's own objects that are of Life or of a rule, or work in it."""
    rules = {str(LIFE), str(rule)}
    return [
        entry.code
        for entry in read_own()
        if entry.rule in rules or (entry.greatest and entry.works_in(rule))
    ]


def own_names() -> dict[str, str]:
    """Return the names in the user's own catalogue, by identity: ``xp2_7``, ``xp2_7/b36s23``."""
    path = find_file()
    return _read_names(path, path.stat().st_mtime_ns) if path.is_file() else {}


@lru_cache(maxsize=1)
def _read_names(path: Path, _: int) -> dict[str, str]:
    """Return the names in a file of that age."""
    return {
        entry.code
        if Rule(entry.rule) == LIFE
        else f"{entry.code}/{Rule(entry.rule).slug}": entry.name
        for entry in read_own()
        if entry.name and entry.code
    }


def read_named(source: str, rule: str | None = None) -> PartialPattern:
    """Read a pattern from a file, ``-``, a text, an apgcode or a name."""
    return name_partial(read_source(source), read_own(), rule)


def read_source(source: str) -> str:
    """Return the text of a source as :func:`open_source` does, for a command that shows a pattern.

    A loss of information is reported on standard error.
    """
    text = open_source(source)
    report_loss(text)
    return text


def open_source(source: str, *, several: bool = False) -> str:
    """Return the text of a file or of ``-``; for a name in the user's own catalogue, its RLE.

    Any other text is returned as it is: the text of a pattern, an apgcode, a name.  A note reports
    that only the first pattern of a text is used, unless ``several`` are.
    """
    if not source.strip():
        raise UsageError("a pattern is missing: give a file, a name, an apgcode or the cells")
    if is_meant_as_file(source):
        text = read_text(source)
    elif looks_like_path(source) and not _is_known(source):
        raise UsageError(f"there is no file {source}")
    elif entry := look_up(source, read_own()):
        return entry.pattern.to_rle()
    else:
        text = source
    if not several:
        report_unread(text)
    return text


def is_meant_as_file(source: str) -> bool:
    """Return whether a text is ``-`` or a file's name; note if an object has that name, too."""
    if source == "-" or not is_file(source):
        return source == "-"
    if not _is_known(source):
        return True
    if Path(source).is_dir():
        return False
    say(f"note: {source!r} is read as the file of that name, not as the name of an object")
    return True


def _is_known(source: str) -> bool:
    with contextlib.suppress(UsageError):  # the name of several objects
        return is_known(source, read_own())
    return True


def report_loss(text: str) -> None:
    """Report the information that is lost when the text of a pattern is read."""
    if loss := describe_loss(text):
        say(f"note: {loss}")


def report_unread(text: str) -> None:
    """Report the parts of a text that are not read with its first pattern."""
    if unread := describe_unread(text):
        more = len(list_patterns(text)) > 1
        say(f"note: {unread}{'; satlife show draws all of them' if more else ''}")


def is_named(source: str) -> bool:
    """Whether a text is the name of a file or of a known object."""
    try:
        return is_file(source) or bool(find_entry(source, every_entry()))
    except UsageError:
        return False


def looks_like_path(source: str) -> bool:
    """Whether a text that is not a file's name was meant as one."""
    suffixes = {suffix for each in FORMATS for suffix in each.suffixes} | {".txt", ".gz", ".xz"}
    if _DRIVE.match(source):
        return True
    has_suffix = Path(source).suffix.lower() in suffixes and "=" not in source
    return not set(source) & set("\n\r$!") and (has_suffix or ("/" in source and " " not in source))


def is_file(name: str) -> bool:
    """Whether a text is the name of a file."""
    with contextlib.suppress(OSError, ValueError):  # a text that cannot be a file's name
        return Path(name).exists()
    return False
