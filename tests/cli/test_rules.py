"""The commands about many rules, as a person runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

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
        (("map", "ship", "c/2", "--box", "4x*"), b"dead outside"),
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
