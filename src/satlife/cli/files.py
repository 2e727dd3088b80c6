"""Opening files named on the command line; ``-`` is standard input or output."""

from __future__ import annotations

import codecs
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from satlife.cli.printing import Screen
from satlife.errors import UsageError
from satlife.plain import open_unpacked, read_limited
from satlife.problem import Problem
from satlife.sat.files.paths import open_to_write

_PICTURES = (b"GIF8", b"\x89PNG", b"<svg", b"<!DOCTYPE html")
"""The first bytes of files that ``satlife show`` writes but does not read."""


@contextlib.contextmanager
def open_output(name: str) -> Iterator[BinaryIO]:
    """Open a file for writing, compressed if its suffix says so."""
    if name == "-":
        out = Screen() if sys.stdout.isatty() else sys.stdout.buffer
        yield cast("BinaryIO", out)
        out.flush()
        return
    with open_to_write(Path(name)) as file:
        yield file


@contextlib.contextmanager
def open_input(name: str) -> Iterator[BinaryIO]:
    """Open a file for reading, decompressed if its suffix says so."""
    if name == "-":
        yield sys.stdin.buffer
        return
    with open_unpacked(Path(name)) as file:
        yield file


def read_input(name: str) -> bytes:
    """Read a whole file; formulas may be large, and so may files that are not packed."""
    with open_input(name) as file:
        return file.read()


def _read_small(name: str) -> bytes:
    """Read a file of a pattern or a problem, up to the limit for whole files."""
    with open_input(name) as file:
        return read_limited(file, "standard input" if name == "-" else name)


def read_problem(name: str) -> Problem:
    """Read a problem file, TOML or JSON; errors in it include its name."""
    try:
        return Problem.from_text(_read_small(name))
    except UsageError as error:
        raise UsageError(f"{'standard input' if name == '-' else name}: {error}") from None


def read_text(name: str) -> str:
    """Read a whole file as text, without its BOM; PowerShell writes UTF-16, after such a mark."""
    content = _read_small(name)
    if content.lstrip().startswith(_PICTURES):
        what = "standard input" if name == "-" else name
        raise UsageError(
            f"{what} is a picture, and not a pattern: open it in a browser; "
            "satlife reads RLE and other text formats"
        )
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if wide else "utf-8-sig", "replace")
