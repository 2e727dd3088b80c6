"""Proofs that are divided: a tree covers everything, and every leaf has its proof."""

from __future__ import annotations

import json
import lzma
import random
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from satlife import Found, Impossible, Options, oscillator, prove, ship, still_life
from satlife.audit.tree import Case, read_tree, write_tree
from satlife.certificates import Allowance, NoneExists, Proving, certify, check_certificate
from satlife.certificates import folder as files
from satlife.certificates.check.checker import judge_folder
from satlife.certificates.make import cases
from satlife.deadline import Deadline
from satlife.errors import FormatError
from satlife.life.motion import Motion
from satlife.sat import Limits, find_solver
from tests.search.test_certificates import rehash

PROBLEM = oscillator(3, box="4x4")
NAMES = {f"x{x}y0t0": x + 2 for x in range(6)}


def draw_leaves(chance: random.Random, case: Case = ()) -> list[Case]:
    """The leaves of a tree at random."""
    free = [cell for cell in NAMES.values() if cell not in map(abs, case)]
    if not free or chance.random() < 0.4 * bool(case):
        return [case]
    cell = chance.choice(free)
    return draw_leaves(chance, (*case, cell)) + draw_leaves(chance, (*case, -cell))


def test_the_leaves_of_any_tree_hold_each_assignment_once() -> None:
    chance = random.Random(1)
    for _ in range(100):
        leaves = draw_leaves(chance)
        assert list(read_tree(write_tree(leaves, NAMES), NAMES)) == leaves
        for number in range(64):
            states = {
                cell * (1 if number >> i & 1 else -1) for i, cell in enumerate(NAMES.values())
            }
            assert sum(set(leaf) <= states for leaf in leaves) == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x0y0t0\nleaf\n", "1 nodes of the tree are missing"),
        ("x0y0t0\nleaf\nleaf\nleaf\n", "goes on after its last leaf"),
        ("x0y0t0\nx0y0t0\nleaf\nleaf\nleaf\n", "split on x0y0t0 twice"),
        ("x0y0t0\nx1y0t0\nleaf\nx0y0t0\nleaf\nleaf\nleaf\n", "split on x0y0t0 twice"),
        ("x9y0t0\nleaf\nleaf\n", "'x9y0t0', not on a cell"),
        ("-x0y0t0\nleaf\nleaf\n", "not on a cell"),
        ("x0y0t0\nleaf\n\nleaf\n", "'', not on a cell"),
        ("leaf \n", "not on a cell"),
        ("", "not on a cell"),
    ],
)
def test_what_is_not_a_tree(text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read_tree(text, NAMES)


def test_a_proof_is_split_near_the_front(tmp_path: Path) -> None:
    problem = replace(ship("c/3", box="4x4"), motion=Motion(3, dy=1))
    certify(problem, NoneExists(), tmp_path / "x", Proving(cubes=2))
    assert (tmp_path / "x" / "tree.txt").read_text().splitlines()[0] == "x1y2t0"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificate") / "p3"
    proving = Proving(cubes=4, options=Options(jobs=2))
    assert isinstance(certify(PROBLEM, NoneExists(), folder, proving), Impossible)
    return folder


def test_a_tree_is_checked_by_several_and_goes_on(certificate: Path, tmp_path: Path) -> None:
    saved = tmp_path / "checked"
    first = check_certificate(certificate, Allowance(jobs=2, save=saved))
    assert first.valid
    assert [name for name, _ in first.verdicts] == [f"leaf-{n}" for n in (1, 2, 3, 4)]
    lines = saved.read_text().splitlines()
    # The check was killed in the middle of its last line.
    saved.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:70])
    again = check_certificate(certificate, Allowance(save=saved))
    assert again.valid
    assert sorted(v.checker == "satlife, before" for _, v in again.verdicts) == [False] + [True] * 3
    saved.write_text("something else\n")
    assert "is not a check that was saved" in str(judge_folder(certificate, Allowance(save=saved)))


def leave_out(folder: Path, record: dict[str, list[dict[str, object]]]) -> None:
    """Wipe out all traces of the last leaf."""
    tree = (folder / "tree.txt").read_text()
    (folder / "tree.txt").write_text(tree.removesuffix("leaf\n"))
    del record["parts"][-1]
    (folder / "leaf-4.lrat.xz").unlink()


def put_leaf_for_root(folder: Path, record: dict[str, list[dict[str, object]]]) -> None:
    """Let the proof of one leaf be that of everything."""
    (folder / "tree.txt").write_text("leaf\n")
    for number in (2, 3, 4):
        (folder / f"leaf-{number}.lrat.xz").unlink()
    text = lzma.decompress((folder / "formula.cnf.xz").read_bytes())
    record["parts"] = [record["parts"][0] | {"formula": files.hash_leaf(text, ())}]


def swap(folder: Path, record: dict[str, list[dict[str, object]]]) -> None:
    """Swap the cases of a split: each leaf has the proof of another."""
    one, other = folder / "leaf-1.lrat.xz", folder / "leaf-4.lrat.xz"
    a, b = one.read_bytes(), other.read_bytes()
    one.write_bytes(b)
    other.write_bytes(a)
    first, last = record["parts"][0], record["parts"][-1]
    first["proof_bytes"], last["proof_bytes"] = last["proof_bytes"], first["proof_bytes"]


def take_other_tree(folder: Path, record: dict[str, list[dict[str, object]]]) -> None:
    """Split on other cells, and tell the hashes that belong to them."""
    lines = (folder / "tree.txt").read_text().split()
    lines = [re.sub(r"x(\d)", lambda x: f"x{(int(x[1]) + 1) % 4}", line) for line in lines]
    (folder / "tree.txt").write_text("\n".join(lines) + "\n")


def split_twice(folder: Path, record: dict[str, list[dict[str, object]]]) -> None:
    """Split on the same cell again."""
    lines = (folder / "tree.txt").read_text().split()
    lines = [lines[0] if line != "leaf" else line for line in lines]
    (folder / "tree.txt").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (leave_out, "1 nodes of the tree are missing"),
        (put_leaf_for_root, "leaf-1: "),
        (swap, "leaf-"),
        (take_other_tree, "the formula that the problem gives is another"),
        (split_twice, "twice"),
    ],
)
def test_a_forged_tree_is_not_valid(
    forge: Callable[[Path, dict[str, list[dict[str, object]]]], None],
    reason: str,
    certificate: Path,
    tmp_path: Path,
) -> None:
    folder = shutil.copytree(certificate, tmp_path / "forged")
    record = json.loads((folder / "certificate.json").read_text())
    forge(folder, record)
    rehash(folder, record)
    judgement = judge_folder(folder, Allowance(seconds=60))
    assert judgement.word == "not valid"
    assert reason in str(judgement)


def test_a_leaf_that_takes_too_long_is_split(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With so small a budget, no leaf is solved that can be split at all."""
    from satlife.certificates.make import writer

    monkeypatch.setattr(cases, "BUDGET", 0)
    monkeypatch.setattr(cases, "SHARE", 0.0)
    problem = oscillator(3, box="2x2")
    order = writer.Order(
        problem=problem, claim=NoneExists(), folder=tmp_path, solver=find_solver("cadical"),
        limits=Limits(), deadline=Deadline.after(None), begun=time.monotonic(), jobs=1,
        cubes=2, least=False, most_bytes=10**9, command="", extra={},
    )  # fmt: skip
    said: list[writer.Stage] = []
    assert isinstance(writer.fill_folder(order, said.append), Impossible)
    assert len(files.read_certificate(tmp_path).parts) > 2
    assert judge_folder(tmp_path).valid


def test_that_nothing_is_better_can_be_divided(tmp_path: Path) -> None:
    """The leaves of a bound refer to the formula of that bound, in its own file."""
    folder = tmp_path / "best"
    prove(still_life(box="3x3"), folder, maximize="population", cubes=3)
    assert (folder / "tree.txt").is_file()
    assert check_certificate(folder).valid


def test_a_pattern_in_a_leaf_is_found(tmp_path: Path) -> None:
    proving = Proving(cubes=3)
    found = certify(still_life(box="3x3"), NoneExists(), tmp_path / "none", proving)
    assert isinstance(found, Found)
    assert not list(tmp_path.iterdir())
