"""What is in the gallery: the commands, and the files that they read."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field

GLIDERS = {"glider.rle": "bo$2bo$3o!\n", "glider-1.rle": "obo$b2o$bo!\n"}
ORPHANS = {
    "orphan-10x10.rle": (
        "bob3obo$2bobobo2bo$ob3o2b2o$bob5obo$o2bo2b4o$4o2bo2bo$ob5obo$b2o2b3obo$o2bobobo$2bob3obo!\n"
    ),
    "orphan-11x11.rle": (
        "b3o2b2o$b2obobob3o$b3o2b5o$obobobobobo$4obobobo$4b3o$bobobob4o$obobobobobo$5o2b3o$"
        "3obobob2o$3b2o2b3o!\n"
    ),
    "orphan-11x9.rle": (
        "b9o$obo2bobobo$b2o2b4o$ob4o3bo$bo2bobobobo$o2b2o2bo$3o2b5o$2b2obobobo$ob4o2b2o!\n"
    ),
}


@dataclass(frozen=True)
class Before:
    """How large a certificate was when proofs could not use symmetry."""

    proof_mb: float
    folder_mb: float


@dataclass(frozen=True)
class Item:
    """A certificate: its folder's name, the command that makes it, the files that it reads."""

    name: str
    command: str
    code: int = 1
    """With which the command ends: 1 if it is an impossibility, 0 if patterns are found, too."""
    inputs: dict[str, str] = field(default_factory=dict)
    before: Before | None = None
    """If its problem has symmetries."""

    @property
    def words(self) -> list[str]:
        """The command, word by word, with the folder."""
        return [*shlex.split(self.command), "--prove", self.name]


ITEMS = (
    *(
        Item(f"{name}{part}", f"orphan {name}.rle{flag}", 0, ORPHANS)
        for name in ("orphan-10x10", "orphan-11x11", "orphan-11x9")
        for part, flag in (("", ""), ("-core", " --shrink"))
    ),
    Item("p2-4x4", "oscillator 2 --box 4x4 --all", 0),
    Item("p3-5x5", "oscillator 3 --box 5x5", before=Before(3.2, 0.87)),
    Item("p3-6x6", "oscillator 3 --box 6x6", before=Before(21.8, 5.73)),
    Item(
        "p3-6x6-cubes",
        "oscillator 3 --box 6x6 --cubes 8 --jobs 2",
        before=Before(30.9, 7.90),
    ),
    Item(
        "c4-p4-9x9",
        "oscillator 4 --box 9x9 --symmetry C4 --composite",
        before=Before(12.3, 3.16),
    ),
    Item("c4-p8-9x9", "oscillator 8 --box 9x9 --symmetry C4 --composite"),
    Item("c3-8x8", "ship c/3 --box 8x8", before=Before(11.4, 3.07)),
    Item("c3-9x13", "ship c/3 --box 9x13 --cubes 16 --jobs 2"),
    Item(
        "still-37-8x8",
        "still-life --box 8x8 --population '>=37'",
        before=Before(6.8, 1.51),
    ),
    Item(
        "densest-8x8",
        "still-life --box 8x8 --maximize population",
        0,
        before=Before(6.8, 1.51),
    ),
    Item(
        "still-10-8x8",
        "still-life --box 8x8 --population =10 --all",
        0,
        before=Before(39.9, 8.60),
    ),
    *(
        Item(
            f"eater-{phase}-{within}",
            f"eater --input {glider} --at 8,8 --approach 1 --within {within + 1} "
            "--region 0..19,0..19 --field 0..19,0..19",
            1,
            GLIDERS,
        )
        for phase, glider in enumerate(GLIDERS)
        for within in (1, 2, 3)
    ),
)
