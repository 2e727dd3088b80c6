"""What certificates of other tables, and of the gallery, say of the least boxes.

A certificate that a box holds nothing, or that a list is all that it holds, is worth the same
wherever it is kept: what a page calls undecided must be undecided by all of them.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from atlas.gallery.rows import read_kept
from atlas.table import DATA, read_records
from satlife import Pattern
from satlife.life.box import Box
from satlife.life.symmetry import Symmetry
from satlife.life.transforms import TRANSFORMS

TABLES = ("rotors",)
"""Tables whose certificates are about oscillators or ships in a box."""
BARE = {"--box": 1, "--symmetry": 1, "--all": 0, "--cubes": 1, "--jobs": 1, "--composite": 0}
"""Options that leave the question as it is, or ask for less of a pattern, so that more is refuted;
each with the number of its words."""


@dataclass(frozen=True)
class Proof:
    """A certificate: all that a box holds of a motion and a symmetry."""

    kind: str
    motion: str
    """``p3`` or ``c/3``, as in the table."""
    symmetry: str
    box: Box
    page: str
    """The page that has it, and the name of its row there."""
    name: str
    patterns: tuple[Pattern, ...] = ()

    def holds(self, symmetry: Symmetry, box: Box) -> bool:
        """Whether some pattern of the list has the symmetry and fits into the box."""
        sizes = _list_sizes(self, symmetry)
        return any(width <= box.width and height <= box.height for width, height in sizes)


@cache
def _list_sizes(proof: Proof, symmetry: Symmetry) -> set[tuple[int, int]]:
    """Return the sizes in all generations of what has a symmetry, turned and mirrored."""
    found = set()
    for pattern in proof.patterns:
        whole = pattern.box
        for t in range(1, int(proof.motion.removeprefix("p"))):
            whole |= pattern[t].box
        for turn in TRANSFORMS:
            cells = turn.apply_to_array(pattern.cells)
            if all(np.array_equal(each.apply_to_array(cells), cells) for each in symmetry.group):
                size = (whole.width, whole.height)
                found.add(size[::-1] if turn.swaps_axes else size)
    return found


@cache
def list_proofs() -> tuple[Proof, ...]:
    """Return the certificates of other tables and of the gallery about what a box holds."""
    return tuple(_read_all())


def _read_all() -> Iterator[Proof]:
    for table in TABLES:
        for record in read_records(DATA / table).values():
            if record.answer == "certified" and record.claim in ("none", "all"):
                drawn = tuple(map(Pattern.from_rle, record.patterns))
                yield from _read(record.command, f"{table}.html", record.name, drawn)
    for row in read_kept().rows.values():
        if not row.shown or "--all" in row.command:
            rows = ("\n".join(shown).replace("o", "O") for shown in row.shown)
            drawn = tuple(map(Pattern.from_plaintext, rows))
            yield from _read(f"satlife {row.command}", "../gallery.html", row.name, drawn)


def _read(command: str, page: str, name: str, patterns: tuple[Pattern, ...]) -> Iterator[Proof]:
    """Yield what a command asks, if that is a motion in a box, and at most a symmetry."""
    _, kind, motion, *words = shlex.split(command)
    options: dict[str, str] = {}
    while words:
        option = words.pop(0)
        if option not in BARE:
            return
        options[option] = words.pop(0) if BARE[option] else ""
    if kind in ("oscillator", "ship") and "--box" in options:
        motion = f"p{motion}" if kind == "oscillator" else motion
        symmetry = options.get("--symmetry", "C1")
        yield Proof(kind, motion, symmetry, Box.parse(options["--box"]), page, name, patterns)
