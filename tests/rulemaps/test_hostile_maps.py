"""Maps of strangers: a check costs no more than it may, and says what it did not look at."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import satlife
from satlife.certificates import Allowance
from satlife.certificates.check.judgement import KIND, MAKER
from satlife.life import Pattern
from satlife.life.rulespaces import RuleSpace
from satlife.rulemaps import check_map, make_map, read_map
from satlife.rulemaps.folder import add_region, begin_map, finish_map
from satlife.rulemaps.maker import prove_map
from satlife.rulemaps.map_check import judge_map
from satlife.rulemaps.rulemap import Region

RULES = "B45[6]/S1234[5]"
FALSE = {
    "rules": RULES,
    "answer": "found",
    "rle": "#CXRLE Pos=0,0\nx = 3, y = 3, rule = B45/S1234\n3o$3o$bo!",
}
"""It works in the least rule, and in the greatest, but not in B45/S12345."""


def satlife_check(folder: Path, *options: str) -> tuple[int, str]:
    """Run the command; that it ends at all is a part of each test."""
    words = [sys.executable, "-m", "satlife", "check", str(folder), "-q", *options]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout.removeprefix(f"{folder}: ").rstrip()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The map of ``satlife map oscillator 2 --box 3x3 --rules 'B45[6]/S1234[5]' --prove``."""
    folder = tmp_path_factory.mktemp("made") / "map"
    problem = satlife.oscillator(2, box="3x3", rule=RULES)
    begin_map(problem, folder)
    found = make_map(problem, on_region=lambda region, left: add_region(folder, region))
    finish_map(found, folder)
    assert prove_map(found, folder) == ""
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "map"))


def refuted(folder: Path) -> int:
    """The number of the region without a pattern."""
    regions = enumerate(read_map(folder).regions, 1)
    (number,) = (number for number, region in regions if region.pattern is None)
    return number


def test_three_of_four_rules_have_one(folder: Path) -> None:
    judgement = check_map(folder)
    assert (judgement.word, judgement.unread) == ("valid", ())
    assert judgement.statement.startswith(
        "3 of 4 rules have an oscillator of period 2 in 3×3. Such a pattern"
    )


def test_a_pattern_of_the_first_and_the_last_rule_is_not_one_of_those_between(folder: Path) -> None:
    (folder / "regions.jsonl").write_text(json.dumps(FALSE) + "\n")
    assert satlife_check(folder) == (
        4,
        "not valid: region 1: only B45[6]/S1234 has these generations, not all of " + RULES,
    )


def test_a_pattern_must_be_in_a_rule_of_its_region(folder: Path) -> None:
    region = FALSE | {"rules": "B45[6]/S1234", "rle": FALSE["rle"].replace("B45/S1234", "B3/S23")}
    (folder / "regions.jsonl").write_text(json.dumps(region) + "\n")
    assert str(check_map(folder)).startswith("not valid: region 1: its pattern is in B3/S23")


def test_a_key_that_stands_twice_is_not_valid(folder: Path) -> None:
    line = json.dumps(FALSE).replace("{", '{"rules": "B45[6]/S1234", ', 1)
    (folder / "regions.jsonl").write_text(line + "\n")
    assert "stands there twice" in str(check_map(folder))


# Anything but plain files


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def link_to_zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link_to_itself(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize("name", ["summary.json", "index.html", "problem.json", "regions.jsonl"])
@pytest.mark.parametrize("make", [make_pipe, link_to_zeros, link_to_itself])
def test_what_is_not_a_plain_file_is_not_opened(
    name: str, make: Callable[[Path], None], folder: Path
) -> None:
    (folder / name).unlink()
    make(folder / name)
    judgement = judge_map(folder)
    assert judgement.complaints == (f"{name} is not a plain file",)


@pytest.mark.parametrize("make", [make_pipe, link_to_zeros])
def test_the_command_ends_at_what_is_not_a_plain_file(
    make: Callable[[Path], None], folder: Path
) -> None:
    (folder / "summary.json").unlink()
    make(folder / "summary.json")
    assert satlife_check(folder, "--memory", "500M") == (
        4,
        "not valid: summary.json is not a plain file",
    )


def test_proofs_are_not_taken_through_a_link(folder: Path) -> None:
    (folder / "proofs").rename(folder.parent / "elsewhere")
    (folder / "proofs").symlink_to(folder.parent / "elsewhere")
    assert str(judge_map(folder)) == "not valid: proofs is not a plain file"


def test_a_map_is_read_from_plain_files_only(folder: Path) -> None:
    (folder / "summary.json").unlink()
    make_pipe(folder / "summary.json")
    assert read_map(folder).seconds == 0


# What would cost too much


def test_thousands_of_regions_end_at_the_time_limit(tmp_path: Path) -> None:
    folder = tmp_path / "map"
    begin_map(satlife.oscillator(2, box="3x3", rule="outer-totalistic"), folder)
    space, chance = RuleSpace("outer-totalistic"), random.Random(1)
    with (folder / "regions.jsonl").open("w") as file:
        for _ in range(6000):
            fates = [chance.choice([True, False, None, None]) for _ in space.places]
            region = {"rules": str(space.fill(fates)), "answer": "impossible"}
            file.write(json.dumps(region) + "\n")
    code, words = satlife_check(folder, "--timeout", "1")
    assert (code, words.partition(":")[0]) == (3, "not decided")


def test_time_holds_for_the_patterns(folder: Path) -> None:
    text = (folder / "problem.json").read_text()
    assert '"period":2' in text
    (folder / "problem.json").write_text(text.replace('"period":2', '"period":1000000'))
    judgement = check_map(folder, Allowance(seconds=2))
    assert judgement.word == "not decided"
    assert "time limit, while" in str(judgement)


def test_a_proof_has_only_the_time_that_is_left(folder: Path) -> None:
    judgement = judge_map(folder, Allowance(seconds=10), begun=-1e9)
    assert judgement.word == "not decided"
    assert f"region {refuted(folder)}: " in str(judgement)


def test_memory_holds_for_patterns(folder: Path) -> None:
    side = 60_000
    rle = f"x = {side}, y = {side}, rule = B45/S1234\n{side}o{side - 1}${side}o!"
    (folder / "regions.jsonl").write_text(json.dumps(FALSE | {"rle": rle}) + "\n")
    judgement = check_map(folder, Allowance(memory_bytes=200_000_000))
    assert judgement.word != "valid"


def test_the_files_together_are_limited(folder: Path) -> None:
    with (folder / "proofs" / f"{refuted(folder):04d}" / "proof.lrat.xz").open("ab") as file:
        file.truncate(3_000_000_000)
    with (folder / "map.png").open("ab") as file:
        file.truncate(3_000_000_000)
    assert str(check_map(folder)).startswith("not decided: the files have 6,000,0")


def test_a_long_list_of_regions_is_not_read(folder: Path) -> None:
    with (folder / "regions.jsonl").open("ab") as file:
        file.truncate(100_000_000)
    assert "regions.jsonl is larger than" in str(check_map(folder))
    assert check_map(folder).word == "not decided"


# What nothing rests on


def test_what_the_regions_give_is_made_again(folder: Path) -> None:
    for name in ("summary.json", "index.html", "map.png"):
        (folder / name).write_text((folder / name).read_bytes().hex())
    judgement = check_map(folder)
    assert judgement.unread == ("index.html", "map.png", "summary.json")
    assert str(judgement) == "valid; not looked at: index.html, map.png, summary.json"


def test_other_files_are_named(folder: Path) -> None:
    (folder / "notes.txt").write_text("All 4 rules have one.")
    (folder / "proofs" / "notes.txt").write_text("Believe me.")
    proof = folder / "proofs" / f"{refuted(folder):04d}"
    shutil.copytree(proof, folder / "proofs" / "0099")
    code, text = satlife_check(folder, "--json")
    assert code == 0
    named, judged = json.loads(text)["not_looked_at"], ("seconds in summary.json", KIND, MAKER)
    assert named == ["notes.txt", "proofs/0099", "proofs/notes.txt", *judged]
    words = "valid; not looked at: notes.txt, proofs/0099, proofs/notes.txt"
    assert satlife_check(folder) == (0, words)


def test_half_a_line_and_other_words_are_refused(folder: Path) -> None:
    regions = folder / "regions.jsonl"
    whole = regions.read_bytes()
    regions.write_bytes(whole + b'{"rules":"B45/S1234","answer":"impossible"}')
    assert str(judge_map(folder)) == "not valid: regions.jsonl ends in the middle of a line"
    first, rest = whole.split(b"\n", 1)
    regions.write_bytes(first.replace(b'{"rules"', b'{"note":"all 4","rules"', 1) + b"\n" + rest)
    assert "'note' says nothing there" in str(judge_map(folder))


def test_a_map_of_nothing_says_so(tmp_path: Path) -> None:
    """An empty pattern moves as fast as one likes."""
    asked = msgspec.structs.replace(satlife.ship("c/2", box="3x3", rule="B3[4]/S2"), constraints=())
    begin_map(asked, tmp_path / "map")
    nothing = Pattern.from_rle("x = 0, y = 0, rule = B3/S2\n!")
    add_region(tmp_path / "map", Region(RuleSpace("B3[4]/S2"), nothing))
    judgement = judge_map(tmp_path / "map")
    assert judgement.valid
    assert "2 of 2 rules have a ship of speed c/2 going north (or nothing at all)" in (
        judgement.statement
    )
