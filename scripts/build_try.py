"""Build the page that searches in the browser: python scripts/build_try.py FOLDER.

The page needs no server.  Its scripts are those of ``satlife serve`` and ``docs/try``; what they
know of rules, symmetries and kinds of questions is written by Python, here.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from satlife._version import __version__
from satlife.formula.encodings.direct import direct_template
from satlife.kinds import HEADINGS, KINDS, find_kind
from satlife.life.identity.names import object_names
from satlife.life.rule import Rule
from satlife.life.rules import RULE_NAMES
from satlife.life.rules.isotropic import KINDS as SORT_OF
from satlife.life.rules.isotropic import SORTS
from satlife.life.symmetry import CLASSES, OLDER_NAMES, SPELLINGS, Symmetry, needs_square
from satlife.problem import LARGEST
from satlife.problem.constraints import FullPeriod, NotEmpty, PatternPeriod
from satlife.web.client import read_files
from satlife.web.questions import (
    EXAMPLES,
    SPELLED,
    SYMMETRIES,
    FilledForm,
    describe_forms,
    describe_looks,
    read_question,
    write_command,
)

HERE: Final = Path(__file__).resolve().parents[1] / "docs" / "try"

FIELDS: Final = {
    "still-life": ("box", "symmetry", "rule", "population"),
    "oscillator": ("period", "box", "symmetry", "rule", "composite", "population"),
    "ship": ("speed", "box", "symmetry", "rule", "composite", "population"),
    "complete": ("partial", "motion", "full_period", "symmetry", "rule", "margin", "population"),
    "parent": ("pattern", "generations", "margin", "population"),
    "orphan": ("pattern",),
    "forced": ("pattern",),
}
"""The kinds of questions that the page can answer, and the fields that it takes of each."""
CELLS: Final = 2_500
"""Maximum number of cells in all generations together."""
SECONDS: Final = 600
"""Maximum time limit of a search."""

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
"""Rules whose best clauses are written here, and their names; for others, the page makes some."""


def pack_clauses(rule: str) -> list[int]:
    """Return the clauses of one cell: ten bits for literals, and ten for negated ones."""
    clauses = direct_template(Rule(rule)).clauses
    bits = 1 << np.arange(10)
    return ((clauses > 0) @ bits + (((clauses < 0) @ bits) << 10)).tolist()


def list_turns(symmetry: str) -> list[list[int]]:
    """Return the turns of a symmetry as matrices, by rows, without the identity."""
    group = sorted(Symmetry(symmetry).group, key=str)
    return [[*turn.matrix[0], *turn.matrix[1]] for turn in group if turn.name != "identity"]


def list_boxes(symmetry: str) -> dict[str, Any]:
    """Return a symmetry's name and meaning, the boxes that it fits, and like classes."""
    group = Symmetry(symmetry).group
    every = [(width, height) for width in (0, 1) for height in (0, 1)]
    parities = {each.name: sorted(each.parities) for each in CLASSES}
    return {
        "name": Symmetry(symmetry).explain(),
        "words": Symmetry(symmetry).boxes,
        "square": needs_square(group),
        "parities": parities.get(symmetry, every),
        "like": [each.name for each in CLASSES if Symmetry(each.name).group == group],
    }


def list_parameters(kind: str) -> list[dict[str, Any]]:
    """Return all parameters of a kind, so that its command can be written, and what is taken."""
    return [
        {
            "name": each.name,
            "option": "" if each.argument else each.option,
            "reader": each.reader.name,
            "many": each.many,
            "required": each.required,
            "taken": each.name in FIELDS.get(kind, ()),
        }
        for each in find_kind(kind).parameters
    ]


def make_tables() -> dict[str, Any]:
    """Return what the page knows of rules, symmetries and kinds of questions."""
    symmetries = ("C1", *OLDER_NAMES, *(each.name for each in CLASSES if each.name != "C1"))
    named = {name: Rule(notation) for name, notation in RULE_NAMES.items()}
    plain = {name: rule for name, rule in named.items() if rule.states == 2 and not rule.table[0]}
    names = {name: str(rule) for name, rule in plain.items()}
    usual = (NotEmpty(), FullPeriod(), PatternPeriod())
    return {
        "rules": {rule: pack_clauses(rule) for rule in RULES},
        "sorts": ["".join(sorts) for sorts in SORTS],
        "neighbourhoods": SORT_OF.tolist(),
        "turns": {name: list_turns(name) for name in symmetries},
        "names": {re.sub("[^a-z0-9]", "", name.lower()): rule for name, rule in names.items()},
        "titles": {rule: name for name, rule in names.items() if name != "Life"},
        "boxes": {name: list_boxes(name) for name in symmetries},
        "spellings": SPELLINGS,
        "kinds": {kind.name: list_parameters(kind.name) for kind in KINDS},
        "words": {each.__struct_config__.tag: str(each) for each in usual},
        "answers": {
            kind.name: {
                "found": kind.found_words(asked).capitalize(),
                "impossible": kind.impossible_words(asked).capitalize(),
                "vacuous": kind.vacuous_words(asked).capitalize(),
            }
            for kind in KINDS
            for asked in [read_question(FilledForm(kind.name, EXAMPLES[kind.name].values))]
        },
        "limits": {"cells": CELLS, "seconds": SECONDS, "largest": LARGEST},
    }


def make_form(form: dict[str, Any]) -> dict[str, Any]:
    """Return a form with the fields that the page takes, and an example of these."""
    name, example = form["name"], form["example"]
    values = {key: value for key, value in example["values"].items() if key in FIELDS[name]}
    command = write_command(FilledForm(name, values))
    fields = [each for each in form["parameters"] if each["name"] in FIELDS[name]]
    shown = {**example, "values": values, "command": command}
    return {**form, "parameters": fields, "example": shown}


def make_start() -> dict[str, Any]:
    """Return what the page begins with, as ``satlife serve`` tells it."""
    return {
        "version": __version__,
        "can": ["drawing"],
        "kinds": [make_form(form) for form in describe_forms() if form["name"] in FIELDS],
        "looks": describe_looks(),
        "headings": HEADINGS,
        "engines": [],
        "symmetries": SYMMETRIES,
        "spellings": SPELLED,
        "limits": {"cells": CELLS, "seconds": SECONDS},
        "docs": "../",
        "jobs": [],
    }


def hash_code(code: str) -> str:
    """Return the hash of an apgcode, as ``identity.js`` computes it."""
    one, other = 0x811C9DC5, 0x9747B28C
    for byte in code.encode():
        one = (one ^ byte) * 0x01000193 & 0xFFFFFFFF
        other = (other ^ byte) * 0x85EBCA6B & 0xFFFFFFFF
    return np.base_repr(one, 36).lower().zfill(7) + np.base_repr(other >> 12, 36).lower().zfill(4)


def make_names() -> dict[str, Any]:
    """Return the names of the catalogue, and the hashes of their codes in the same order."""
    named = sorted((name, hash_code(code)) for code, name in object_names().items())
    return {"hashes": "".join(code for _, code in named), "names": [name for name, _ in named]}


POLICY: Final = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob: data:; "
    "object-src 'none'; base-uri 'none'; form-action 'none'"
)
TAGLINE: Final = "The small edition: it searches in your browser, and needs no server."
OWN: Final = (
    "checker",
    "drawings",
    "encoder",
    "identity",
    "notation",
    "questions",
    "rules",
    "scene",
)
"""Scripts that the page loads besides those of ``satlife serve``; workers load others."""


def write_index(text: str) -> str:
    """Return the page of ``satlife serve`` with addresses that do not begin at the root."""
    text = re.sub('(href|src)="/', r'\1="./', text).replace("./api/start", "./start.json")
    text = re.sub("(<header>(?:(?!</header>).)*?<p>)[^<]*", rf"\1{TAGLINE}", text, flags=re.DOTALL)
    theme = '<button type="button" id="theme"'
    text = text.replace(theme, f'<a class="button" href="../index.html">Documents</a>\n  {theme}')
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    more = "".join(f'<link rel="modulepreload" href="./{name}.js">\n' for name in OWN)
    data = '<link rel="preload" href="./tables.json" as="fetch" crossorigin>\n'
    text = text.replace("<script type=", f"{more}{data}<script type=", 1)
    return text.replace("<meta name=", f"{policy}<meta name=", 1)


def build(folder: Path) -> None:
    """Write all files of the page."""
    for name, file in read_files().items():
        if name != "again.js":
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(file.content)
    shutil.copytree(HERE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.d.ts"))
    index = folder / "index.html"
    index.write_text(write_index(index.read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "tables.json").write_bytes(msgspec.json.encode(make_tables()))
    (folder / "names.json").write_bytes(msgspec.json.encode(make_names()))
    (folder / "start.json").write_bytes(msgspec.json.encode(make_start()))


if __name__ == "__main__":
    build(Path(sys.argv[1]))
