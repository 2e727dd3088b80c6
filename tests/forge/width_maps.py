"""Maps of a width: valid ones, with closed sets of states, and forgeries of them."""

from __future__ import annotations

import json
import lzma
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from satlife import kinds
from satlife.errors import UsageError
from satlife.life.rulespaces import RuleSpace
from satlife.rulemaps.folder import PROBLEM, REGIONS, STATES, add_region, begin_map, finish_map
from satlife.rulemaps.maker import make_map
from tests.forge import changes
from tests.forge.folders import SENSELESS, Folder, change, read_folder, write_folder
from tests.forge.forging import cut_file, leave_as_it_is
from tests.forge.pool import Forge, Pool

KNOWN = (
    ("c/2", "3x*", "C1", "B3[4]/S[0]235"),
    ("c/2", "3x*", "C1", "B[2]3/S23[5]"),
    ("c/2", "5x*", "D2|", "B3[5]/S2[3]5"),
    ("c/3", "3x*", "D2|", "B2[4]/S0[2]"),
)
"""Maps that are always there; some of the rules have a ship, others have none."""
SHAPES = (("c/2", "3x*", "C1"), ("c/2", "5x*", "D2|"), ("c/3", "3x*", "D2|"), ("2c/3", "2x*", "C1"))


def make_width_maps(chance: random.Random, pool: Pool) -> Iterator[Folder]:
    for speed, box, symmetry, rule in _draw_maps(chance):
        problem = kinds.ship(speed, box=box, symmetry=symmetry, rule=rule)
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place, "map")
            begin_map(problem, folder)
            found = make_map(problem)
            for region in found.regions:
                add_region(folder, region)
            finish_map(found, folder)
            yield read_folder(folder)


def _draw_maps(chance: random.Random) -> Iterator[tuple[str, str, str, str]]:
    yield from KNOWN
    while True:
        births, survivals = (
            "".join(chance.choice((f"{n}", f"[{n}]", *[""] * 2)) for n in range(start, 7))
            for start in (2, 0)
        )
        if 1 <= f"{births}{survivals}".count("[") <= 4:
            yield (*chance.choice(SHAPES), f"B{births}/S{survivals}")


# A map in parts: its lines, and the states of those that have some


Tree = tuple[list[int], list[int]]
"""Of each state the number of children, and the row."""


def _read(base: Folder) -> tuple[list[dict[str, Any]], dict[int, Tree]]:
    """Return the lines, and the states by the number of the line."""
    lines, trees, start = [json.loads(each) for each in base[REGIONS].splitlines()], {}, 0
    for number, line in enumerate(lines):
        if "bytes" in line:
            text = lzma.decompress(base[STATES][start : start + line["bytes"]])
            start += line["bytes"]
            trees[number] = list(text[: len(text) // 2]), list(text[len(text) // 2 :])
    return lines, trees


def _write(base: Folder, lines: list[dict[str, Any]], trees: dict[int, Tree]) -> Folder:
    """Return a folder whose lines fit its states."""
    packed = b""
    for number, line in enumerate(lines):
        for name in ("states", "bytes"):
            line.pop(name, None)
        if number in trees and line.get("answer") == "impossible":
            children, rows = (bytes(max(0, n) % 256 for n in each) for each in trees[number])
            one = lzma.compress(children + rows)
            line |= {"states": len(rows), "bytes": len(one)}
            packed += one
    text = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    return change(base, {REGIONS: text, STATES: packed or None})


# Forgeries


def forge_width_map(chance: random.Random, pool: Pool, kind: str, place: Path) -> str:
    """Make a forgery of the map of a width, and return what was done."""
    name, base = chance.choice(list(_FORGERIES)), chance.choice(pool.folders[kind])
    try:
        folder = _FORGERIES[name](chance, pool, base)
    except (*SENSELESS, UsageError, IndexError, lzma.LZMAError):
        name, folder = "no region", change(base, {REGIONS: b""})
    write_folder(folder, place)
    return name


def _one_state(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Say that no rule has a ship, or no rule of a region, by next to no states."""
    lines, trees = _read(base)
    few = chance.choice((([0], [0]), ([1, 0], [0, 0]), ([0], [1])))
    if chance.random() < 0.5:
        rule = json.loads(base[PROBLEM])["rule"]
        return _write(base, [{"rules": rule, "answer": "impossible"}], {0: few})
    number = chance.randrange(len(lines))
    lines[number] = {"rules": lines[number]["rules"], "answer": "impossible"}
    return _write(base, lines, trees | {number: few})


def _changed_states(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Remove a state, change one, cut the tree, or let it lead back to nothing."""
    lines, trees = _read(base)
    number = max(trees, key=lambda n: len(trees[n][1]) if chance.random() < 0.7 else 0)
    children, rows = trees[number]
    parents = [i for i, count in enumerate(children) for _ in range(count)]
    leaves = [i for i, count in enumerate(children) if not count and i]
    here = chance.randrange(len(rows))
    match chance.randrange(6):
        case 0 | 1 if leaves:
            gone = chance.choice(leaves)
            children[parents[gone - 1]] -= 1
            del children[gone], rows[gone]
        case 2:
            rows[here] ^= chance.choice((1, 2, 4, 64))
        case 3:
            children[here] += chance.choice((1, -1))
        case 4 if leaves:  # the empty state after a state that is not empty
            while leaves and len(rows) < 200:
                children[leaves[-1]], leaves = 1, [len(rows)]
                children, rows = [*children, 0], [*rows, 0]
        case _:
            rows, parents = rows[: here + 1], parents[:here]
            children = [parents.count(i) for i in range(len(rows))]
    return _write(base, lines, trees | {number: (children, rows)})


def _swapped_states(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Give a region the states of another, of this map or of any."""
    lines, trees = _read(base)
    others = list(_read(chance.choice((base, *pool.folders["width-map"])))[1].values())
    return _write(base, lines, trees | {chance.choice(list(trees)): chance.choice(others)})


def _other_answer(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Say that rules with a ship have none, with the states of other rules."""
    lines, trees = _read(base)
    number = chance.choice([n for n in range(len(lines)) if n not in trees] or [0])
    lines[number] = {"rules": lines[number]["rules"], "answer": "impossible"}
    return _write(base, lines, trees | {number: chance.choice(list(trees.values()))})


def _other_rules(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Open or close an entry of a region; often it is then the only one."""
    lines, trees = _read(base)
    wide = RuleSpace(json.loads(base[PROBLEM])["rule"])
    number = chance.randrange(len(lines))
    if chance.random() < 0.5:
        line = lines[number] | {"rules": str(wide)}
        return _write(base, [line], {0: trees[number]} if number in trees else {})
    entries = RuleSpace(lines[number]["rules"]).entries_in(wide.classes)
    assert entries is not None
    fates = [None if fate not in (0, 1) else bool(fate) for fate in entries[wide.places].tolist()]
    fates[chance.randrange(len(fates))] = chance.choice((None, None, True, False))
    lines[number]["rules"] = str(wide.fill(fates))
    return _write(base, lines, trees)


def _other_problem(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    other = chance.choice((base, *pool.folders["width-map"]))[PROBLEM]
    return change(base, {PROBLEM: chance.choice((other, changes.change_problem(chance, other)))})


def _other_lines(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    if chance.random() < 0.5:
        return change(base, {REGIONS: changes.change_lines(chance, base[REGIONS])})
    lines = changes.change_json(chance, [json.loads(each) for each in base[REGIONS].splitlines()])
    return change(base, {REGIONS: b"".join(json.dumps(each).encode() + b"\n" for each in lines)})


def _other_bytes(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Cut the file of states, write more behind it, repeat it, or remove it."""
    packed = base[STATES]
    more = chance.choice((changes.cut(chance, packed), packed + b"\0", packed + packed, b"", None))
    return change(base, {STATES: more})


_FORGERIES: dict[str, Forge] = {
    "one state": _one_state,
    "one state again": _one_state,
    "changed states": _changed_states,
    "changed states again": _changed_states,
    "swapped states": _swapped_states,
    "another answer": _other_answer,
    "other rules": _other_rules,
    "other rules again": _other_rules,
    "another problem": _other_problem,
    "other lines": _other_lines,
    "other bytes": _other_bytes,
    "a file cut": cut_file,
    "nothing changed": leave_as_it_is,
}
