"""Maps: valid ones, and forgeries of them."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from satlife import Problem, kinds
from satlife.certificates.claims import NoneExists
from satlife.errors import UsageError
from satlife.life import Pattern
from satlife.life.rulespaces import RuleSpace
from satlife.rulemaps.folder import (
    PROBLEM,
    PROOFS,
    REGIONS,
    add_region,
    begin_map,
    finish_map,
    read_map,
)
from satlife.rulemaps.maker import make_map
from satlife.rulemaps.map_check import proof_folder, region_problem
from tests.forge import changes
from tests.forge.folders import (
    SENSELESS,
    Folder,
    assemble,
    change,
    read_folder,
    refit,
    rehash,
    write_folder,
)
from tests.forge.forging import cut_file, forge_inside, leave_as_it_is
from tests.forge.pool import Forge, Pool
from tests.forge.truth import canonical, solve, with_table
from tests.reference import TooLarge
from tests.reference.rules import read_rules

KNOWN_MAPS = (
    ("oscillator", "3x3", "B45[6]/S1234[5]"),
    ("still_life", "3x2", "B3[2]/S[1]2"),
    ("oscillator", "3x2", "B1[2]/S[1]2"),
)


def make_maps(chance: random.Random, pool: Pool) -> Iterator[Folder]:
    for drawn in _draw_maps(chance):
        try:
            problem = make_question(*drawn)
            with tempfile.TemporaryDirectory() as place:
                folder = Path(place, "map")
                begin_map(problem, folder)
                found = make_map(problem)
                for number, region in enumerate(found.regions, 1):
                    add_region(folder, region)
                    if region.pattern is None:
                        asked = region_problem(problem, region)
                        assemble(proof_folder(folder, number), asked, NoneExists())
                finish_map(found, folder)
                yield read_folder(folder)
        except UsageError:
            continue


def _draw_maps(chance: random.Random) -> Iterator[tuple[str, str, str]]:
    yield from KNOWN_MAPS
    while True:
        kind = chance.choice(("still_life", "oscillator"))
        yield kind, chance.choice(("2x2", "3x2", "3x3")), draw_open_rule(chance)


def draw_open_rule(chance: random.Random) -> str:
    """Draw a set of a few rules."""
    while True:
        births, survivals = (
            "".join(chance.choice((f"{n}", f"[{n}]", *[""] * 3)) for n in range(1 - alive, 7))
            for alive in (0, 1)
        )
        if 1 <= f"{births}{survivals}".count("[") <= 4:
            return f"B{births}/S{survivals}"


def make_question(kind: str, box: str, rule: str) -> Problem:
    """Return a still life or an oscillator of period 2."""
    if kind == "still_life":
        return kinds.still_life(box=box, rule=rule)
    return kinds.oscillator(2, box=box, rule=rule)


# Forgeries


def forge_map(chance: random.Random, pool: Pool, kind: str, place: Path) -> str:
    """Make a forgery of a map, and return what was done."""
    name = chance.choice(list(_MAPS))
    try:
        folder = _MAPS[name](chance, pool, chance.choice(pool.folders["map"]))
    except (*SENSELESS, TooLarge):
        name, folder = "no region", change(chance.choice(pool.folders["map"]), {REGIONS: b""})
    write_folder(folder, place)
    fate = chance.random()
    if fate < 0.7:
        _refit_proofs(place)
    elif fate < 0.9:
        for proof in sorted(place.glob(f"{PROOFS}/*")):
            rehash(proof)
    return name


def _refit_proofs(place: Path) -> None:
    """Make the certificates those of the regions, whatever is in them."""
    try:
        rulemap = read_map(place)
        for number, region in enumerate(rulemap.regions, 1):
            proof = proof_folder(place, number)
            if region.pattern is None and proof.is_dir():
                asked = region_problem(rulemap.problem, region)
                (proof / PROBLEM).write_bytes(asked.to_json() + b"\n")
                refit(proof)
    except (*SENSELESS, OSError):
        pass


def _read_regions(folder: Folder) -> list[dict[str, str]]:
    return [json.loads(line) for line in folder[REGIONS].splitlines()]


def _with_regions(folder: Folder, regions: list[Any]) -> Folder:
    lines = (json.dumps(region).encode() + b"\n" for region in regions)
    return change(folder, {REGIONS: b"".join(lines)})


def _found(rules: str, pattern: Pattern) -> dict[str, str]:
    return {"rules": rules, "answer": "found", "rle": pattern.to_rle()}


def _one_pattern(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Say that a pattern works by all rules; of many, one that works by the last or the first."""
    problem = canonical(base[PROBLEM])
    rule = json.loads(problem)["rule"]
    tables = read_rules(rule).tables
    ends = [
        {each[0].tobytes(): each[0] for each in solve(with_table(problem, table))}
        for table in (tables[0], tables[-1])
    ]
    both = [ends[0][name] for name in ends[0] if name in ends[1]]
    states = chance.choice(both or list(ends[0].values()) or list(ends[1].values()))
    box = Problem.from_json(base[PROBLEM]).all_boxes[0]
    pattern = Pattern.from_array(states, box.x, box.y, RuleSpace(rule).least)
    return _with_regions(base, [_found(rule, pattern)])


def _one_refutation(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Say that nothing works by any rule, with the certificate of some region, or of anything."""
    rule = json.loads(base[PROBLEM])["rule"]
    folder = _with_regions(base, [{"rules": rule, "answer": "impossible"}])
    proof = _draw_proof(chance, pool, base)
    return change(folder, {f"{PROOFS}/0001/{name}": text for name, text in proof.items()})


def _draw_proof(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Return the certificate of a region of a map, or of something else."""
    maps = chance.choice(([base], pool.folders["map"]))
    inside = [
        proof for folder in maps for number in range(1, 20) if (proof := _proof(folder, number))
    ]
    return chance.choice(inside or pool.folders["none"])


def _proof(folder: Folder, number: int) -> Folder:
    start = f"{PROOFS}/{number:04d}/"
    return {name.removeprefix(start): folder[name] for name in folder if name.startswith(start)}


def _no_region(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return change(base, {REGIONS: chance.choice((b"", b"\n", b"{}\n", None))})


def _other_lines(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return change(base, {REGIONS: changes.change_lines(chance, base[REGIONS])})


def _other_answer(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Turn a region without a pattern into one with, or the other way round."""
    regions = _read_regions(base)
    number = chance.randrange(len(regions))
    region = regions[number]
    if region["answer"] == "impossible":
        states = np.array([[chance.randint(0, 1) for _ in range(3)] for _ in range(2)], np.uint8)
        regions[number] = _found(region["rules"], Pattern.from_array(states, 0, 0))
        return _with_regions(base, regions)
    regions[number] = {"rules": region["rules"], "answer": "impossible"}
    proof = _draw_proof(chance, pool, base)
    folder = {f"{PROOFS}/{number + 1:04d}/{name}": text for name, text in proof.items()}
    return change(_with_regions(base, regions), folder)


def _other_rules(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Open or close an entry of a region; often the others are left out."""
    regions = _read_regions(base)
    space = json.loads(base[PROBLEM])["rule"]
    region = chance.choice(regions)
    if chance.random() < 0.5:
        region["rules"] = space
        return _with_regions(base, [region] if chance.random() < 0.5 else regions)
    wide, narrow = RuleSpace(space), RuleSpace(region["rules"])
    entries = narrow.entries_in(wide.classes)
    fates = [None if fate not in (0, 1) else bool(fate) for fate in entries[wide.places].tolist()]
    fates[chance.randrange(len(fates))] = chance.choice((None, None, True, False))
    region["rules"] = str(wide.fill(fates))
    return _with_regions(base, regions)


def _changed_region(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return _with_regions(base, changes.change_json(chance, _read_regions(base)))


def _other_map_problem(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    other = chance.choice(pool.folders["map"])[PROBLEM]
    return change(base, {PROBLEM: chance.choice((other, changes.change_problem(chance, other)))})


def _changed_map_problem(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return change(base, {PROBLEM: changes.change_problem(chance, base[PROBLEM])})


def _other_inside(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Forge the certificate of a region."""
    for number in range(1, 20):
        if proof := _proof(base, number):
            start = f"{PROOFS}/{number:04d}/"
            rest = {name: text for name, text in base.items() if not name.startswith(start)}
            forged = forge_inside(chance, pool, proof)
            return rest | {f"{start}{name}": text for name, text in forged.items()}
    return _no_region(chance, pool, base)


_MAPS: dict[str, Forge] = {
    "one pattern": _one_pattern,
    "one pattern again": _one_pattern,
    "one refutation": _one_refutation,
    "no region": _no_region,
    "other lines": _other_lines,
    "another answer": _other_answer,
    "other rules": _other_rules,
    "a changed region": _changed_region,
    "another problem": _other_map_problem,
    "a changed problem": _changed_map_problem,
    "a forged proof": _other_inside,
    "a file cut": cut_file,
    "nothing changed": leave_as_it_is,
}
