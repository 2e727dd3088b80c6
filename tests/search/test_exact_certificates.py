"""Certificates by exact boxes: the audit's own argument, the folder, its forgeries, its maker."""

from __future__ import annotations

import dataclasses
import json
import random
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from satlife import Impossible, Problem, oscillator, ship, still_life
from satlife.audit.formula import audit_formula
from satlife.audit.ranges import MOST_BOXES, SHIFTED, hypotheses, list_parts
from satlife.certificates import Allowance, NoneExists, check_certificate
from satlife.certificates import folder as files
from satlife.certificates.check.checker import judge_folder
from satlife.certificates.claims import BestClaim, estimate_range
from satlife.certificates.make.join import CaseProof, join
from satlife.certificates.make.refute import refute
from satlife.errors import FormatError, UsageError
from satlife.life.motion import Motion
from satlife.life.symmetry import SYMMETRIES
from satlife.problem.constraints import CONSTRAINTS, Difference, Gutter, Height, Width
from satlife.problem.exact import ExactBox, cover, has_exact_boxes, narrow
from satlife.problem.statement import Cells, Known, Link
from tests.forge.folders import PROOF, assemble, refit, rehash
from tests.fuzz.drawing import draw_raw, write
from tests.reference import TooLarge, solutions
from tests.search.test_audit import MOST, agree
from tests.search.test_exact import LARGEST, Shape, draw_low, shape, shapes

NONE = NoneExists()


def draw_problem(chance: random.Random) -> Problem | None:
    """A problem at random; None if there is none of these fields."""
    try:
        return Problem.from_json(write(draw_raw(chance, chance.choice(("planted", "wild")))))
    except UsageError:
        return None


def meets(problem: Problem) -> bool:
    return all(holds for holds, _ in hypotheses(problem))


class TestAudit:
    def test_it_finds_the_same_parts_as_the_search(self):
        chance, seen = random.Random(7), Counter[object]()
        while seen["problems"] < 3000:
            problem = draw_problem(chance)
            if problem is None:
                continue
            assert meets(problem) is has_exact_boxes(problem), problem.to_json()
            seen["problems"] += 1
            if not meets(problem):
                with pytest.raises(FormatError, match="needs that"):
                    list_parts(problem, "1x1")
                continue
            box = problem.all_boxes[0]
            low = draw_low(chance, problem)
            if chance.random() < 0.3:
                low = f"{chance.randint(1, box.width + 1)}x{chance.randint(1, box.height + 1)}"
            try:
                parts = cover(problem, low)
            except UsageError:
                with pytest.raises(FormatError, match="is no lowest box"):
                    list_parts(problem, low)
                seen["unfit"] += 1
                continue
            audited = list_parts(problem, low)
            assert [each.name for each in audited] == [f"box-{each.box}" for each in parts]
            assert [each.fills for each in audited] == [each.sides for each in parts]
            assert [each.problem for each in audited] == [narrow(problem, each) for each in parts]
            seen.update([problem.symmetry, "several" if len(parts) > 1 else "one"])
        assert min(seen["unfit"], seen["several"]) > 30
        assert len(seen) > 15

    def test_the_parts_of_drawn_problems_have_their_solutions(self):
        chance, checked, empty = random.Random(11), 0, 0
        while checked < 120:
            problem = draw_problem(chance)
            if problem is None or not meets(problem) or problem.has_open_rule:
                continue
            try:
                whole = shapes(problem)
                found = Counter[Shape]()
                for part in list_parts(problem, draw_low(chance, problem)):
                    in_part = solutions(part.problem.to_json(), LARGEST)
                    found.update({shape(history) for history in in_part})
            except TooLarge:
                continue
            assert set(found) == whole
            assert set(found.values()) <= {1}
            checked, empty = checked + 1, empty + (not whole)
        assert 10 < empty < 110

    @pytest.mark.parametrize("symmetry", [str(each) for each in SYMMETRIES if each.factor == 1])
    def test_the_range_of_every_symmetry_is_that_of_the_search(self, symmetry):
        sizes = [f"{w}x{h}" for w in (6, 7) for h in (6, 7)]
        tried = 0
        for box in sizes:
            try:
                problem = oscillator(2, box=box, symmetry=symmetry)
            except UsageError:
                continue
            for low in (f"{w}x{h}" for w in range(1, 9) for h in range(1, 9)):
                try:
                    wanted = [(f"box-{each.box}", each.sides) for each in cover(problem, low)]
                except UsageError:
                    with pytest.raises(FormatError):
                        list_parts(problem, low)
                    continue
                assert [(each.name, each.fills) for each in list_parts(problem, low)] == wanted
                tried += 1
        assert tried

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"include_last": True}, "the last generation may leave the box"),
            ({"symmetry": "C1:C2"}, "the symmetry is that of every generation"),
            ({"known": (Known(t=0, rows=("o",)),)}, "no cell has a part of its own"),
            ({"links": (Link(first=(0, 0, 0), second=(1, 1, 0)),)}, "no cell has a part"),
            ({"exempt": ((1, 1, 1),)}, "no cell has a part"),
            ({"constraints": (Difference(rows=("o",), most=3),)}, "a shift does not change"),
            ({"boundary": "torus"}, "all outside is dead"),
            ({"boxes": ("4x4", "3x3")}, "there is one box"),
        ],
    )
    def test_every_hypothesis_is_asked_for(self, change, words):
        problem = replace(oscillator(2, box="4x4"), **change)
        with pytest.raises(FormatError, match=words):
            list_parts(problem, "3x3")

    def test_a_gutter_and_a_motion_that_turns_are_refused(self):
        gutter = replace(oscillator(2, box="5x5", symmetry="D2|"), constraints=(Gutter(),))
        with pytest.raises(FormatError, match="every cell on an axis"):
            list_parts(gutter, "3x5")
        plain = oscillator(2, box="4x4")
        assert plain.motion is not None
        turning = replace(plain, motion=replace(plain.motion, transform="half-turn"))
        with pytest.raises(FormatError, match="the motion is a shift"):
            list_parts(turning, "3x3")
        with pytest.raises(FormatError, match="the motion is a shift"):
            list_parts(replace(plain, motion=None, constraints=()), "3x3")

    def test_each_field_of_a_problem_and_each_constraint_has_been_thought_of(self):
        """If this fails, decide whether the theorem holds with what is new, and say so there."""
        assert set(Problem.__struct_fields__) == {
            *("schema", "kind", "rule", "boxes", "steps", "boundary", "background", "wrap"),
            *("motion", "include_last", "symmetry", "known", "links", "exempt", "constraints"),
        }
        names = {each.__name__ for each in set(CONSTRAINTS) - set(SHIFTED)}
        assert names == {"Gutter", "Arrival", "Restored", "Difference"}

    @pytest.mark.parametrize(
        "text", ["", "6", "6x", "06x9", "6x9x", "6X9", " 6x9", "6x9\n\n", "٣x3"]
    )
    def test_a_lowest_box_is_written_in_one_way(self, text):
        with pytest.raises(FormatError, match="it is written as 6x9"):
            list_parts(ship("c/3", box="9x13"), text)

    def test_a_huge_range_is_refused_before_it_is_made(self):
        with pytest.raises(FormatError, match=f"the most is {MOST_BOXES:,}"):
            list_parts(still_life(box="1000x1000"), "1x1")
        assert estimate_range(still_life(box="90x90"), "1x1", 10**6) > 10**6


class TestEnds:
    """A bound that the box allows in one way only: both ends are reached."""

    @pytest.mark.parametrize(
        "bounds", [(Width(least=3),), (Height(least=3),), (Width(least=3), Height(least=3))]
    )
    @pytest.mark.parametrize("box", ["3x3", "3x3-1+2", "3x4", "4x3", "2x3"])
    def test_solutions_are_those_of_brute_force(self, bounds, box):
        for plain in (
            oscillator(2, box=box),
            ship("c/2", box=box, rule="B2/S"),
            still_life(box=box),
        ):
            problem = replace(plain, constraints=(*plain.constraints, *bounds))
            found = agree(problem)
            assert len(found) == min(MOST, len(solutions(problem.to_json(), LARGEST)))

    def test_boxes_of_several_sizes_are_taken_together(self):
        problem = Problem(boxes=("3x1", "1x3+1-1"), steps=1, constraints=(Height(least=3),))
        assert len(agree(problem)) == len(solutions(problem.to_json(), LARGEST)) > 0

    def test_it_takes_two_clauses_and_no_gates(self):
        plain = ship("c/3", box="5x6")
        full = replace(plain, constraints=(*plain.constraints, Width(least=5), Height(least=6)))
        one, other = audit_formula(plain), audit_formula(full)
        assert (other.variables, other.clauses) == (one.variables, one.clauses + 4)


PROBLEM = oscillator(3, box="4x4")
TREE = "x1y1t0\nleaf\nx2y1t0\nleaf\nleaf\n"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificate") / "p3"
    assert assemble(folder, PROBLEM, NONE, lowest="3x3", trees={"box-4x3": TREE})
    return folder


@pytest.fixture
def copy(certificate: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(certificate, tmp_path / "copy"))


def read_record(folder: Path) -> dict[str, list[dict[str, object]]]:
    record: dict[str, list[dict[str, object]]] = json.loads(
        (folder / files.CERTIFICATE).read_text()
    )
    return record


def write_record(folder: Path, record: object) -> None:
    (folder / files.CERTIFICATE).write_text(json.dumps(record))


def put_problem(folder: Path, problem: Problem) -> None:
    """Put another problem in place of the one that was proved, and make all else fit it."""
    (folder / files.PROBLEM).write_bytes(problem.to_json())
    refit(folder)


def leave_out_box(folder: Path) -> None:
    record = read_record(folder)
    record["parts"] = [each for each in record["parts"] if each["name"] != "box-4x4"]
    write_record(folder, record)
    for path in folder.glob("box-4x4*"):
        path.unlink()
    rehash(folder)


def add_box(folder: Path) -> None:
    record = read_record(folder)
    last = record["parts"][-1]
    record["parts"].append(last | {"name": "box-5x4", "proof": f"box-5x4{PROOF}"})
    write_record(folder, record)
    shutil.copy(folder / f"box-4x4{PROOF}", folder / f"box-5x4{PROOF}")
    rehash(folder)


def put_formula(folder: Path, name: str, problem: Problem) -> None:
    """Prove another formula in place of that of a box, as a certificate of its own would."""
    other = folder.parent / "other"
    assert assemble(other, problem, NONE)
    shutil.copy(other / f"proof{PROOF}", folder / f"{name}{PROOF}")
    shutil.copy(other / "formula.cnf.xz", folder / f"{name}.cnf.xz")
    proved, record = read_record(other)["parts"][0], read_record(folder)
    for part in record["parts"]:
        if part["name"] == name:
            part |= {key: proved[key] for key in ("formula", "variables", "clauses")}
    write_record(folder, record)
    rehash(folder)


def ask_too_much(folder: Path) -> None:
    """Let the lowest box be filled too, so that what is smaller is never refuted."""
    low = list_parts(PROBLEM, "3x3")[0].problem
    full = replace(low, constraints=(*low.constraints, Width(least=3), Height(least=3)))
    put_formula(folder, "box-3x3", full)


def ask_one_side(folder: Path) -> None:
    """Let the largest box be exact in one direction only."""
    part = replace(PROBLEM, constraints=(*PROBLEM.constraints, Width(least=4)))
    put_formula(folder, "box-4x4", part)


def take_part_of_another(folder: Path) -> None:
    part = list_parts(oscillator(3, box="4x4", population=">=2"), "3x3")[-1]
    put_formula(folder, "box-4x4", part.problem)


def take_leaf_of_another(folder: Path) -> None:
    record = read_record(folder)
    one, other = (folder / f"box-4x3-leaf-{n}{PROOF}" for n in (1, 3))
    shutil.copy(other, one)
    write_record(folder, record)
    rehash(folder)


def cut_tree(folder: Path) -> None:
    (folder / "box-4x3.tree.txt").write_text(TREE.removesuffix("leaf\n"))
    record = read_record(folder)
    record["parts"] = [each for each in record["parts"] if each["name"] != "box-4x3-leaf-3"]
    write_record(folder, record)
    (folder / f"box-4x3-leaf-3{PROOF}").unlink()
    rehash(folder)


def drop_tree(folder: Path) -> None:
    (folder / "box-4x3.tree.txt").unlink()
    rehash(folder)


def put_one_tree(folder: Path) -> None:
    (folder / "box-4x3.tree.txt").rename(folder / files.TREE)
    rehash(folder)


def raise_lowest(folder: Path) -> None:
    (folder / files.RANGE).write_text("4x4\n")
    rehash(folder)


def lower_lowest(folder: Path) -> None:
    (folder / files.RANGE).write_text("2x3\n")
    rehash(folder)


def drop_range(folder: Path) -> None:
    (folder / files.RANGE).unlink()
    rehash(folder)


def use_map_of_large_box(folder: Path) -> None:
    """Turn the oblong box by a quarter, which only the square ones allow."""
    maps = {"box-3x4": [["quarter-turn-clockwise", 0, 0, 0]]}
    (folder / files.SYMMETRIES).write_text(json.dumps(maps))
    rehash(folder)


def name_symmetries_of_nothing(folder: Path) -> None:
    maps = json.loads((folder / files.SYMMETRIES).read_text())
    (folder / files.SYMMETRIES).write_text(json.dumps(maps | {"formula": maps["box-4x4"]}))
    rehash(folder)


def forge_problem(**change: object) -> Callable[[Path], None]:
    return lambda folder: put_problem(folder, replace(PROBLEM, **change))


KNOWN = {"known": (Known(t=0, x=1, y=1, rows=("o",)),)}
DRAWN = {"constraints": (*PROBLEM.constraints, Difference(rows=("o",), least=1))}
TURNED = {"motion": Motion(period=4), "symmetry": "C1:C2"}


class TestForgeries:
    def test_the_certificate_is_valid(self, certificate: Path):
        judged = check_certificate(certificate, Allowance(jobs=2))
        assert str(judged) == "valid"
        leaves = [f"box-4x3-leaf-{n}" for n in (1, 2, 3)]
        assert [name for name, _ in judged.verdicts] == ["box-3x3", *leaves, "box-3x4", "box-4x4"]

    @pytest.mark.parametrize(
        ("forge", "reason"),
        [
            (leave_out_box, "box-4x4: there is no proof of it"),
            (add_box, "box-5x4: the claim has no such part"),
            (ask_too_much, "box-3x3: the formula that the problem gives is another"),
            (ask_one_side, "box-4x4: the formula that the problem gives is another"),
            (take_part_of_another, "box-4x4: the formula that the problem gives is another"),
            (take_leaf_of_another, "box-4x3-leaf-1: "),
            (cut_tree, "1 nodes of the tree are missing"),
            (drop_tree, "box-4x3: there is no proof of it"),
            (put_one_tree, "each box has its own tree, not tree.txt"),
            (raise_lowest, "box-4x4: the formula that the problem gives is another"),
            (lower_lowest, "the problem is not the same for quarter-turn-clockwise"),
            (drop_range, "proof: there is no proof of it"),
            (use_map_of_large_box, "the problem is not the same for quarter-turn-clockwise"),
            (name_symmetries_of_nothing, "there is no formula 'formula'"),
            (forge_problem(**KNOWN), "no cell has a part of its own"),
            (forge_problem(**DRAWN), "a shift does not change that"),
            (forge_problem(**TURNED), "the symmetry is that of every generation"),
            (forge_problem(include_last=True), "the last generation may leave the box"),
            (forge_problem(boundary="torus"), "all outside is dead"),
            (forge_problem(symmetry="D8"), "3x3 is no lowest box for D8 in 4x4"),
            (
                forge_problem(symmetry="D2\\", constraints=(*PROBLEM.constraints, Gutter())),
                "every cell on an axis",
            ),
        ],
    )
    def test_a_forgery_is_not_valid(
        self, forge: Callable[[Path], None], reason: str, copy: Path
    ) -> None:
        forge(copy)
        judged = judge_folder(copy, Allowance(seconds=60))
        assert judged.word == "not valid"
        assert reason in str(judged)

    def test_another_problem_keeps_no_proof_of_the_parts(self, copy: Path):
        """Life's blinker is in the box: whatever is made to fit, its part has no proof."""
        put_problem(copy, oscillator(2, box="4x4"))
        assert judge_folder(copy, Allowance(seconds=60)).word == "not valid"

    def test_only_a_plain_none_has_a_range(self, tmp_path: Path):
        best = BestClaim(goals=("minimize population@0",), values=(4,), found=((".oo.", ".oo."),))
        with pytest.raises(FormatError, match="only that there is no solution"):
            assemble(tmp_path / "a", still_life(box="4x2"), best, lowest="2x2")

    def test_a_huge_range_is_not_built(self, copy: Path):
        (copy / files.RANGE).write_text("1x1\n")
        put_problem(copy, still_life(box="40x40"))
        judged = judge_folder(copy)
        assert "the boxes of the range ask for more than 5,000,000 clauses" in str(judged)
        assert judged.word == "not decided"

    def test_a_tree_of_a_box_that_does_not_exist_goes_unread(self, copy: Path):
        (copy / "box-9x9.tree.txt").write_text("leaf\n")
        rehash(copy)
        assert str(judge_folder(copy)) == "valid; not looked at: box-9x9.tree.txt"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> list[CaseProof]:
    """The proofs of all exact boxes, one of them divided, as a campaign keeps them."""
    place = tmp_path_factory.mktemp("kept")
    proofs = []
    for part in cover(PROBLEM, "3x3"):
        halves: list[Cells] = [((1, 1, True),), ((1, 1, False),)] if part.box == "4x3" else [()]
        for number, cells in enumerate(halves):
            path = place / f"{part.box}-{number}"
            assert isinstance(refute(narrow(PROBLEM, part), path, cells=cells), Impossible)
            proofs.append(CaseProof(cells, path, "cadical195", part=part))
    return proofs


class TestJoining:
    def test_proofs_of_a_range_become_its_certificate(self, kept: list[CaseProof], tmp_path: Path):
        join(PROBLEM, kept[::-1], tmp_path / "joined")
        judged = judge_folder(tmp_path / "joined")
        assert str(judged) == "valid"
        assert (tmp_path / "joined" / "box-4x3.tree.txt").read_text() == "x1y1t0\nleaf\nleaf\n"
        assert len(judged.verdicts) == 5

    def test_what_is_not_a_range_is_not_joined(self, kept: list[CaseProof], tmp_path: Path):
        whole = dataclasses.replace(kept[0], part=None)
        lax = dataclasses.replace(kept[-1], part=ExactBox("4x4", ("width",)))
        for proofs, words in (
            (kept[:-1], "box-4x4 is missing"),
            ([each for each in kept if each.cells != ((1, 1, True),)], "do not cover"),
            ([*kept, whole], "cannot be joined"),
            ([*kept[:-1], lax], "no part exactly 4 wide, at most 4 high"),
            ([*kept, kept[-1]], "a part of another"),
            (kept[1:], "is missing"),
        ):
            with pytest.raises(UsageError, match=words):
                join(PROBLEM, proofs, tmp_path / "joined")
        with pytest.raises(UsageError, match="needs that"):
            join(replace(PROBLEM, include_last=True), kept, tmp_path / "joined")
        assert not (tmp_path / "joined").exists()
