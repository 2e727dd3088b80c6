"""The forgeries of certificates: each takes a valid folder, and makes of it one that should not be.

A forgery is a folder; ``fix`` then makes the rest of it fit, as far as a forger can, or does not.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec

from satlife.audit.formula import TURNS, Map
from satlife.certificates import folder as files
from satlife.certificates.claims import Claim, Complete, NoneExists, decode_claim, encode_claim
from satlife.problem import Problem
from tests.forge import changes
from tests.forge.certificates import MAKERS, draw_all, draw_best, draw_lowest, grow_tree
from tests.forge.folders import (
    PROOF,
    SENSELESS,
    Folder,
    Maps,
    assemble,
    change,
    pack,
    refit,
    rehash,
    unpack,
    write_folder,
)
from tests.forge.pool import Forge, Pool

CERTIFIED = tuple(MAKERS)


def forge_certificate(chance: random.Random, pool: Pool, kind: str, place: Path) -> str:
    """Make a forgery, and return what was done."""
    base = chance.choice(pool.folders[kind])
    if chance.random() < REPROVED:
        return _reprove(chance, pool, base, place)
    if chance.random() < 0.6:
        name, again = chance.choice(list(_MEANINGS)), refit
        folder = _MEANINGS[name](chance, pool, base)
    else:
        name, again = chance.choice(list(_FILES)), rehash
        folder = _FILES[name](chance, pool, base)
    write_folder(folder, place)
    if chance.random() < 0.9:
        again(place)
    return name


# What is said


def _other_problem(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return change(base, {files.PROBLEM: draw_problem(chance, pool)})


def draw_problem(chance: random.Random, pool: Pool) -> bytes:
    """Return another problem, mostly one with solutions."""
    if chance.random() < 0.2:
        return chance.choice(pool.folders[chance.choice(CERTIFIED)])[files.PROBLEM]
    return chance.choice(pool.solved).text


def _changed_problem(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return change(base, {files.PROBLEM: changes.change_problem(chance, base[files.PROBLEM])})


def _other_claim(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    other = chance.choice(pool.folders[chance.choice(CERTIFIED)])
    return change(base, {files.CLAIM: other[files.CLAIM]})


def _changed_claim(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return change(base, {files.CLAIM: changes.change_text(chance, base[files.CLAIM])})


def _trivial_claim(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    claim = chance.choice((NoneExists(), *(Complete(images=i, found=()) for i in (True, False))))
    return change(base, {files.CLAIM: encode_claim(claim)})


def _other_symmetries(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    if files.SYMMETRIES in base and chance.random() < 0.5:
        text = changes.change_text(chance, base[files.SYMMETRIES])
    else:
        text = msgspec.json.encode(draw_maps(chance, list_formulas(base)))
    return change(base, {files.SYMMETRIES: text})


def list_formulas(folder: Folder) -> tuple[str, ...]:
    """Return the names of the formulas in a folder."""
    ending = ".cnf.xz"
    return tuple(name.removesuffix(ending) for name in folder if name.endswith(ending))


def draw_maps(chance: random.Random, names: tuple[str, ...] = ()) -> Maps:
    """Draw a few maps of space and time for some formulas, or for each that there may be."""
    maps = tuple(
        Map(chance.choice(list(TURNS)), *(chance.choice((0, 0, 1, -1)) for _ in range(2)),
            chance.choice((0, 0, 1, 2)))
        for _ in range(chance.choice((1, 1, 2, 4)))
    )  # fmt: skip
    some = chance.sample(names, chance.randint(1, len(names))) if names else []
    return dict.fromkeys(some or ("formula", "better-1", "better-2", "cover"), maps)


def _other_tree(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    tree = base.get(files.TREE, b"")
    if tree and chance.random() < 0.7:
        text = changes.change_lines(chance, tree)
    else:
        grown = grow_tree(chance, Problem.from_json(base[files.PROBLEM]), chance.randint(1, 4))
        text = chance.choice((b"leaf\n", b"", b"\n", grown.encode()))
    return change(base, {files.TREE: text})


def _other_range(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Take another lowest box, or have a range where there is none, or none where there is one."""
    problem = Problem.from_json(base[files.PROBLEM])
    text = chance.choice((f"{draw_lowest(chance, problem)}\n", "1x1\n", f"{problem.boxes[0]}\n"))
    if files.RANGE in base and chance.random() < 0.2:
        return change(base, {files.RANGE: None})
    if files.RANGE in base and chance.random() < 0.2:
        return change(base, {files.RANGE: changes.change_word(chance, text).encode()})
    return change(base, {files.RANGE: text.encode()})


def _other_box_tree(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Change the tree of a box, leave it out, or give a tree to a box that had none."""
    box = chance.choice(list_formulas(base) or ("box-1x1",))
    name = files.name_tree(box)
    if name in base:
        text = chance.choice((changes.change_lines(chance, base[name]), None, b"leaf\n", b""))
    else:
        grown = grow_tree(chance, Problem.from_json(base[files.PROBLEM]), 2)
        text = chance.choice((b"leaf\n", b"", grown.encode()))
    return change(base, {name: text})


def _swapped_boxes(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Let two boxes change their proofs, or one have the proof of another range."""
    mine = [name for name in _proofs(base) if name in base]
    other = chance.choice(pool.folders["range"])
    theirs = [name for name in _proofs(other) if name in other]
    if len(mine) < 2 or not theirs:
        return base
    one, two = chance.sample(mine, 2)
    if chance.random() < 0.5:
        return change(base, {one: base[two], two: base[one]})
    return change(base, {one: other[chance.choice(theirs)]})


def _other_version(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    record = json.loads(base[files.CERTIFICATE])
    record["format"], record["audit"] = chance.choice(((1, 2), (2, 2), (2, 3), (1, 4), (3, 4)))
    text = json.dumps(record).encode()
    other = chance.choice((base, _other_problem(chance, pool, base)))
    return change(other, {files.CERTIFICATE: text})


_MEANINGS: dict[str, Forge] = {
    "another problem": _other_problem,
    "a changed problem": _changed_problem,
    "another claim": _other_claim,
    "a changed claim": _changed_claim,
    "a trivial claim": _trivial_claim,
    "other symmetries": _other_symmetries,
    "another tree": _other_tree,
    "another range": _other_range,
    "another tree of a box": _other_box_tree,
    "swapped boxes": _swapped_boxes,
    "another version": _other_version,
}


# The files


def _proofs(folder: Folder) -> list[str]:
    return [name for name in folder if name.endswith(PROOF)] or [f"proof{PROOF}"]


def _trivial_proof(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    parts = json.loads(base[files.CERTIFICATE])["parts"] or [{"clauses": 1}]
    victim = change(base, {files.PROBLEM: draw_problem(chance, pool)})
    proof = chance.choice(changes.trivial_proofs(chance.choice(parts)["clauses"]))
    name = chance.choice(_proofs(base))
    return change(chance.choice((base, base, victim)), {name: pack(proof)})


def _changed_proof(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    name = chance.choice(_proofs(base))
    proof = unpack(base.get(name, b""))
    for _ in range(chance.choice((1, 1, 2, 5))):
        proof = changes.change_proof(chance, proof)
    return change(base, {name: pack(proof)})


def _other_proof(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    other = chance.choice((base, chance.choice(pool.folders[chance.choice(CERTIFIED)])))
    proof = other.get(chance.choice(_proofs(other)), b"")
    return change(base, {chance.choice(_proofs(base)): proof})


def cut_file(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    """Cut one of the files, or leave it out."""
    name = chance.choice(list(base))
    content = changes.cut(chance, base[name]) if chance.random() < 0.7 else None
    return change(base, {name: content})


def _other_file(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    other = chance.choice(pool.folders[chance.choice((*CERTIFIED, "width"))])
    name = chance.choice(list(other))
    return change(base, {name: other[name]})


def _changed_record(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return change(base, {files.CERTIFICATE: changes.change_text(chance, base[files.CERTIFICATE])})


def _fewer_parts(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    record = json.loads(base[files.CERTIFICATE])
    parts = record["parts"]
    record["parts"] = chance.choice(([], parts[:-1], parts[1:], parts * 2, parts[::-1]))
    return change(base, {files.CERTIFICATE: json.dumps(record).encode()})


def leave_as_it_is(chance: random.Random, pool: Pool, base: Folder) -> Folder:
    return base


_FILES: dict[str, Forge] = {
    "a trivial proof": _trivial_proof,
    "a changed proof": _changed_proof,
    "another changed proof": _changed_proof,
    "another proof": _other_proof,
    "a file cut": cut_file,
    "a file of another": _other_file,
    "a changed record": _changed_record,
    "other parts": _fewer_parts,
    "nothing changed": leave_as_it_is,
}


# Proofs of another statement

REPROVED = 0.1
"""The share of certificates that are proved by a solver: they take longest."""


def _reprove(chance: random.Random, pool: Pool, base: Folder, place: Path) -> str:
    """Change what is said, and prove all that satlife wants proved for it, if that can be.

    Whatever comes out is valid; so it must be true.
    """
    try:
        problem, claim, name = _draw_statement(chance, pool, base)
        maps = chance.choice((None, {}, draw_maps(chance)))
        tree = grow_tree(chance, problem, 3) if chance.random() < 0.2 else None
        lowest = draw_lowest(chance, problem) if chance.random() < 0.4 else None
        if assemble(place, problem, claim, maps, None if lowest else tree, lowest):
            return f"{name}, proved"
    except SENSELESS:
        pass
    other = change(base, {files.PROBLEM: draw_problem(chance, pool)})
    write_folder(other, place)
    refit(place)
    return "another problem"


def _draw_statement(chance: random.Random, pool: Pool, base: Folder) -> tuple[Problem, Claim, str]:
    match chance.randrange(4):
        case 0:
            unsolved = chance.choice([case for case in pool.cases if not case.found])
            text = changes.change_problem(chance, unsolved.text)
            return Problem.from_json(text), NoneExists(), "a changed problem"
        case 1:
            text = changes.change_text(chance, base[files.CLAIM])
            return Problem.from_json(base[files.PROBLEM]), decode_claim(text), "a changed claim"
        case 2:
            case = chance.choice(pool.solved)
            wrong = changes.change_text(chance, encode_claim(draw_best(chance, case)))
            return case.problem, decode_claim(wrong), "another best"
    case = chance.choice(pool.solved)
    every = draw_all(chance, case)
    if every is None:
        return case.problem, NoneExists(), "a trivial claim"
    wrong = changes.change_text(chance, encode_claim(every))
    return case.problem, decode_claim(wrong), "another list"


def forge_inside(chance: random.Random, pool: Pool, folder: Folder) -> Folder:
    """Forge a certificate that is part of something else; hashes are not made to fit."""
    name = chance.choice(list(_FILES))
    return _FILES[name](chance, pool, folder)
