"""Build the page that searches in the browser: python scripts/build_try.py FOLDER.

The page needs no server.  Its scripts are those of ``satlife serve`` and ``docs/try``; what they
know of rules, symmetries and kinds of questions is written by Python, here.
"""

from __future__ import annotations

import base64
import shutil
import sys
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from satlife.formula.encodings.direct import direct_template
from satlife.life.rule import Rule
from satlife.life.symmetry import OLDER_NAMES, Symmetry
from satlife.show.player import read_script, read_sheet

HERE: Final = Path(__file__).resolve().parents[1] / "docs" / "try"

RULES: Final = {
    "B3/S23": "Life",
    "B36/S23": "HighLife",
    "B3678/S34678": "Day & Night",
    "B368/S245": "Move",
    "B3/S12345": "Maze",
    "B3/S1234": "Mazectric",
    "B3/S012345678": "Life without Death",
    "B36/S125": "2x2",
    "B2/S": "Seeds",
    "B234/S": "Serviettes",
    "B345/S5": "LongLife",
    "B3/S45678": "Coral",
    "B34/S34": "34 Life",
    "B35678/S5678": "Diamoeba",
    "B357/S238": "Pseudo Life",
    "B38/S23": "Pedestrian Life",
    "B38/S238": "HoneyLife",
    "B37/S23": "DryLife",
    "B4678/S35678": "Anneal",
    "B378/S235678": "Coagulations",
    "B3/S238": "EightLife",
    "B1357/S1357": "Replicator",
    "B2-a/S12": "Just Friends",
}
"""The rules that the page knows, without B0, and their names."""


def pack_clauses(rule: str) -> list[int]:
    """Return the clauses of one cell: ten bits for literals, and ten for negated ones."""
    clauses = direct_template(Rule(rule)).clauses
    bits = 1 << np.arange(10)
    return ((clauses > 0) @ bits + (((clauses < 0) @ bits) << 10)).tolist()


def pack_table(rule: str) -> str:
    """Return the table of a rule as the player reads it."""
    return base64.b64encode(np.packbits(Rule(rule).table).tobytes()).decode()


def list_turns(symmetry: str) -> list[list[int]]:
    """Return the turns of a symmetry as matrices, by rows, without the identity."""
    group = sorted(Symmetry(symmetry).group, key=str)
    return [[*turn.matrix[0], *turn.matrix[1]] for turn in group if turn.name != "identity"]


def make_tables() -> dict[str, Any]:
    """Return the clauses and the table of every rule, and the turns of every symmetry."""
    return {
        "rules": {rule: pack_clauses(rule) for rule in RULES},
        "tables": {rule: pack_table(rule) for rule in RULES},
        "turns": {name: list_turns(name) for name in ("C1", *OLDER_NAMES)},
    }


def build(folder: Path) -> None:
    """Write all files of the page."""
    shutil.copytree(HERE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.d.ts"))
    (folder / "player.js").write_text(read_script(), encoding="utf-8")
    (folder / "player.css").write_text(read_sheet(), encoding="utf-8")
    (folder / "tables.json").write_bytes(msgspec.json.encode(make_tables()))


if __name__ == "__main__":
    build(Path(sys.argv[1]))
