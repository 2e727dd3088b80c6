"""The commands about many rules, as a person runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from satlife.lock import only_runner
from tests.cli.running import run


def test_the_rules_of_a_pattern() -> None:
    done = run("satlife", "rules-of", "glider", "--motion", "c/4d", "--json")
    record = json.loads(done.stdout)
    assert done.returncode == 0
    assert (record["least"], record["greatest"], record["count"]) == (
        "B3/S23",
        "B3678/S0235678",
        256,
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("rules-of", "glider", "--motion", "c/3"), b"it is a spaceship of period 4"),
        (("rules-of", "nowhere"), b"neither a pattern"),
        (("rules-of", "b2o$2o$bo!"), b"does not recur"),
        (("map", "ship", "c/2", "--box", "4x4", "--rules", "B3/S23"), b"several rules"),
        (("map", "ship", "c/2", "--box", "4x4", "--rules", "isotropic"), b"at most 24"),
        (("map", "ship", "c/2", "--box", "4x4", "--rules", "B3[/S2"), b"brackets"),
        (("map", "ship", "c/2", "--box", "4x4", "--prove"), b"-o FOLDER"),
        (
            ("map", "oscillator", "2", "--box", "5x*"),
            b"an open height is for ships only; write a height, for example 5x10",
        ),
    ],
)
def test_wrong_use_is_told_in_a_line(arguments: tuple[str, ...], words: bytes) -> None:
    done = run("satlife", *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_a_map_and_its_folder(tmp_path: Path) -> None:
    command = ("satlife", "map", "oscillator", "2", "--box", "3x3", "--rules", "B[2]3/S[2][3]")
    done = run(*command, "-o", str(tmp_path / "map"))
    assert done.returncode == 0
    assert done.stdout.decode().endswith("7 of 8 rules have an oscillator of period 2 in 3×3.\n")
    again = run(*command, "--save", str(tmp_path / "map"), "--json")
    *regions, counts = map(json.loads, again.stdout.splitlines())
    assert (counts["found"], counts["impossible"], counts["undecided"]) == (7, 1, 0)
    assert {region["answer"] for region in regions} == {"found", "impossible"}
    checked = run("satlife", "check", str(tmp_path / "map"))
    assert checked.returncode == 3
    assert b"has no proof" in checked.stdout


def test_one_rule_of_a_map(tmp_path: Path) -> None:
    folder = str(tmp_path / "map")
    command = ("oscillator", "2", "--box", "3x3", "--rules", "B[2]3/S[2][3]", "--prove")
    run("satlife", "map", *command, "-o", folder)
    found = run("satlife", "map", "look-up", folder, "Life")
    assert found.returncode == 0
    assert b"rule = B3/S23\n" in found.stdout
    assert b"found: B3/S23 has an oscillator of period 2 in 3" in found.stderr
    none = run("satlife", "map", "look-up", folder, "B3/S")
    assert (none.returncode, none.stdout) == (1, b"")
    assert b"impossible: B3/S does not have an oscillator" in none.stderr
    assert run("satlife", "check", none.stderr.decode().split()[-1], "-q").returncode == 0
    record = run("satlife", "map", "look-up", folder, "b3s", "--json")
    assert json.loads(record.stdout) == {"rule": "B3/S", "rules": "B3/S", "answer": "impossible"}
    other = run("satlife", "map", "look-up", folder, "B36/S23")
    assert other.returncode == 2
    assert b"B36/S23 is not one of the rules B[2]3/S[2][3]" in other.stderr
    Path(folder, "regions.jsonl").write_text("")
    assert run("satlife", "map", "look-up", folder, "Life").returncode == 3


def test_a_pattern_and_its_rules() -> None:
    done = run("satlife", "ship", "c/2", "--box", "4x4", "--rule", "B34[5]/S23[6]", "--json")
    record = json.loads(done.stdout)
    assert record["rules"]["least"] == "B34/S236"
    assert record["rules"]["greatest"] == "B345/S236"


def test_a_formula_of_several_rules_and_back(tmp_path: Path) -> None:
    asked = ("ship", "c/2", "--box", "4x4", "--rule", "B34[5]/S23[6]")
    formula, answer, spec = (str(tmp_path / name) for name in ("f.cnf", "answer", "p.toml"))
    assert run("satlife", "cnf", *asked, "-o", formula).returncode == 0
    Path(answer).write_bytes(run("satlife", "solve", formula).stdout)
    decoded = run("satlife", "decode", formula, answer)
    assert decoded.stdout.startswith(b"#C Works in B34[5]/S236, from B34/S236 to B345/S236\n")
    assert run("satlife", "cnf", *asked, "--problem", "-o", spec).returncode == 0
    (tmp_path / "ship.rle").write_bytes(decoded.stdout)
    verified = ("satlife", "verify", str(tmp_path / "ship.rle"), "--spec", spec)
    assert run(*verified).returncode == 0
    (tmp_path / "ship.rle").write_bytes(decoded.stdout.replace(b"rule = B34", b"rule = B3"))
    wrong = run(*verified)
    assert wrong.returncode == 1
    assert b"is not one of B34[5]/S23[6]" in wrong.stderr


def test_two_maps_do_not_write_to_one_folder(tmp_path: Path) -> None:
    with only_runner(tmp_path / "map.lock", "map"):
        done = run(
            *("satlife", "map", "oscillator", "2", "--box", "2x2", "--rules", "B3[4]/S23"),
            *("-o", str(tmp_path / "map")),
        )
    assert done.returncode == 2
    assert b"another run is using this map" in done.stderr
    assert not (tmp_path / "map").exists()
