"""A person's own catalogue: where it is, and what is in it.

It is ``catalogue.tsv`` in the folder that the platform has for such data, or in the one that the
environment variable ``SATLIFE_DATA`` names.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from satlife.cli.files import read_text
from satlife.errors import FormatError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from satlife.life import PartialPattern, Pattern
    from satlife.life.catalogue import Entry

VARIABLE = "SATLIFE_DATA"


def find_file(name: str | None = None) -> Path:
    """Return where the catalogue is, or would be; a name overrides all other places."""
    if name is not None:
        return Path(name)
    if folder := os.environ.get(VARIABLE):
        return Path(folder) / "catalogue.tsv"
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "satlife" / "catalogue.tsv"


def read_own(name: str | None = None) -> tuple[Entry, ...]:
    """Return the entries of a person's own catalogue; none if there is no file."""
    from satlife.life.catalogue import read_table

    path = find_file(name)
    if not path.is_file():
        return ()
    try:
        return read_table(path.read_text(encoding="utf-8"))
    except (FormatError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not a catalogue: {error}; move it away") from error


def write_own(entries: Iterable[Entry], name: str | None = None) -> Path:
    """Write a person's own catalogue, and return where it is."""
    from satlife.life.catalogue import OWN_COLUMNS, write_table

    path = find_file(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.new")
    beside.write_text(write_table(entries, OWN_COLUMNS), encoding="utf-8")
    beside.replace(path)
    return path


def every_entry(name: str | None = None) -> tuple[Entry, ...]:
    """Return satlife's entries, famous patterns, and the person's own."""
    from satlife.life.catalogue import catalogue, famous_entries

    return (*catalogue(), *famous_entries(), *read_own(name))


def own_patterns(name: str | None = None) -> list[Pattern]:
    """Return the patterns of a person's own catalogue, or those with one name."""
    wanted = None if name is None else name.casefold()
    return [
        entry.pattern for entry in read_own() if wanted is None or entry.name.casefold() == wanted
    ]


def own_names() -> dict[str, str]:
    """Return the names in a person's own catalogue, by identity: ``xp2_7``, ``xp2_7/b36s23``."""
    path = find_file()
    return _read_names(path, path.stat().st_mtime_ns) if path.is_file() else {}


@lru_cache(maxsize=1)
def _read_names(path: Path, _: int) -> dict[str, str]:
    """Return the names in a file of that age."""
    from satlife.life.rule import LIFE, Rule

    return {
        entry.code
        if Rule(entry.rule) == LIFE
        else f"{entry.code}/{Rule(entry.rule).slug}": entry.name
        for entry in read_own()
        if entry.name and entry.code
    }


def read_named(source: str, rule: str | None = None) -> PartialPattern:
    """Read what a person named: a file, ``-``, or a text, an apgcode or a name itself."""
    from satlife.life.catalogue import name_partial

    if source == "-" or is_file(source):
        text = read_text(source)
    elif Path(source).suffix in SUFFIXES:
        raise UsageError(f"there is no file {source}")
    else:
        text = source
    return name_partial(text, every_entry(), rule)


SUFFIXES = (".rle", ".cells", ".lif", ".life", ".txt")
"""How files of patterns end."""


def is_file(name: str) -> bool:
    """Whether a text is the name of a file."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # a text that cannot be a file's name
        return False
