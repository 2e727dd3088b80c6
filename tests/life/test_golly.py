"""The simulator against Golly itself, in rules of every family.

bgolly is in Debian's package golly. Without it these tests are skipped, but not in CI.
"""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from satlife.life import RULE_FAMILIES, Pattern, Rule

BGOLLY = shutil.which("bgolly")
pytestmark = pytest.mark.skipif(
    BGOLLY is None and not os.environ.get("CI"), reason="bgolly is not installed"
)

RULES = (
    "B3/S23",
    "B36/S125",
    "B3/S2-i34q",
    "B2-a/S12",
    "B2/S34H",
    "B2/S013V",
    "MAPHIE1hFCQKQqKcCULgpxoBABBB1CAIziFKIeAEhSAgBACYRg4HlNA8QCwSAAwLkIoggKQCEliMAYCAALABAoWFA",
    "MAPFyNkqBAiRGhAgQIQIEiAAA",
    "B03/S23",
    "B0123478/S01234678",
    "B01e2-ak/S2n3",
    "B024/S13H",
    "B0/S3V",
    "MAPgAAAEA",
    "/2/3",
    "345/2/4",
    "3456/2-a/6",
    "34/2/5H",
    "MAPFyNkqBAiRGhAgQIQIEiAAA/3",
    "MAPHIE1hFCQKQqKcCULgpxoBABBB1CAIziFKIeAEhSAgBACYRg4HlNA8QCwSAAwLkIoggKQCEliMAYCAALABAoWFA/3",
)
SOUPS = 4
GENERATIONS = (1, 2, 3, 10, 100)


def run_golly(pattern: Pattern, generations: int, folder: Path, notation: str = "") -> Pattern:
    """What bgolly makes of a pattern after so many generations, by a notation of its rule."""
    start, end = folder / "start.rle", folder / "end.rle"
    text = pattern.to_rle().replace(f"rule = {pattern.rule}", f"rule = {notation or pattern.rule}")
    start.write_text(text + "\n", encoding="utf-8")
    algorithm = "QuickLife" if pattern.rule.states == 2 else "Generations"
    options = ["-a", algorithm, "-m", str(pattern.phase + generations), "-i", "1", "-q", "-q"]
    subprocess.run(
        [BGOLLY or "bgolly", *options, "-o", str(end), str(start)], check=True, capture_output=True
    )
    return Pattern.from_rle(end.read_text(encoding="utf-8"))


def make_soup(rule: Rule, seed: int, side: int = 16) -> Pattern:
    chance = np.random.default_rng(seed)
    cells = chance.integers(1, rule.states, (side, side)) * (chance.random((side, side)) < 0.4)
    return Pattern(cells, rule=rule)


def test_every_family_is_here_and_every_sort_of_background():
    rules = list(map(Rule, RULES))
    assert {rule.family for rule in rules} == {family.name for family in RULE_FAMILIES}
    assert {tuple(phase.background for phase in rule.phases) for rule in rules} == {
        (0,),
        (1,),
        (0, 1),
    }


@pytest.mark.parametrize("notation", RULES)
def test_soups_as_golly_runs_them(notation, tmp_path):
    rule = Rule(notation)
    for seed in range(SOUPS):
        soup = make_soup(rule, seed)
        for n in GENERATIONS:
            theirs = run_golly(soup, n, tmp_path, notation)
            assert np.array_equal(theirs.cells, soup[n].cells), f"soup {seed}, generation {n}"


@pytest.mark.parametrize("notation", ["B03/S23", "B01e2-ak/S2n3", "B024/S13H"])
def test_odd_generations_of_a_strobing_rule_go_on_in_golly(notation, tmp_path):
    odd = make_soup(Rule(notation), 7)[1]
    assert odd.phase == 1
    assert Pattern.from_rle(odd.to_rle()) == odd
    assert np.array_equal(run_golly(odd, 4, tmp_path).cells, odd[4].cells)


@pytest.mark.parametrize("notation", RULES)
def test_golly_reads_the_canonical_notation(notation, tmp_path):
    soup = make_soup(Rule(notation), 3, side=5)
    assert run_golly(soup, 0, tmp_path) == soup.normalized
