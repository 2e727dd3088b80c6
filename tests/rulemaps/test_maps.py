"""Maps of all rules: against brute force, ordinary searches, and a stop at any time."""

from __future__ import annotations

import io
import json
import shutil
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import satlife
from satlife import Problem
from satlife.engine.sat.engine import SatEngine
from satlife.errors import UsageError
from satlife.life import Pattern
from satlife.rulemaps import Region, RuleMap, check_map, make_map, read_map
from satlife.rulemaps.folder import add_region, begin_map, finish_map
from satlife.rulemaps.maker import prove_map
from satlife.rulemaps.map_check import judge_map
from satlife.rulemaps.page import draw_map, lay_out, order_by_gray
from satlife.rulemaps.rulemap import FOUND, IMPOSSIBLE
from satlife.sat.solvers import find_solver
from satlife.sat.solvers.pysat import InlineSolver
from tests.rulemaps.brute import find_rules

ALL = "outer-totalistic"
INLINE = SatEngine(wrap=lambda solver: InlineSolver(find_solver("glucose")))
SMALL = satlife.oscillator(2, box="3x3", rule="B[2]3/S[2][3]")


def save(problem: Problem, folder: Path, stop_after: int | None = None) -> RuleMap:
    """Make a map in a folder, as the command does; it may be interrupted."""
    regions = list(begin_map(problem, folder).regions)

    def keep(region: Region, left: int) -> None:
        regions.append(region)
        add_region(folder, region)
        if len(regions) == stop_after:
            raise KeyboardInterrupt

    try:
        made = make_map(problem, tuple(regions), keep)
    except KeyboardInterrupt:
        made = RuleMap(problem, tuple(regions))
    finish_map(made, folder)
    return made


@pytest.mark.parametrize(
    ("problem", "motion", "count"),
    [
        (satlife.oscillator(2, box="3x3", rule=ALL), (2, 0, 0), 35_504),
        (satlife.ship("c/2", box="3x3", rule=ALL), (2, 0, -1), 0),
        (satlife.ship("c", box="4x2", rule=ALL), (1, 0, -1), 4096),
    ],
)
def test_every_rule_agrees_with_brute_force(
    problem: Problem, motion: tuple[int, int, int], count: int
) -> None:
    box = problem.all_boxes[0]
    expected = find_rules(box.width, box.height, *motion)
    made = make_map(problem)
    assert made.is_complete
    assert np.array_equal(made.answers, np.where(expected, FOUND, IMPOSSIBLE))
    assert made.counts["found"] == count


def test_ships_of_speed_c_2_in_4x4() -> None:
    made = make_map(satlife.ship("c/2", box="4x4", rule=ALL))
    assert made.counts == {"found": 160, "impossible": 130_912, "undecided": 0}
    for number in range(5, made.space.size, 8192):
        agree_with_a_search(made, str(made.space[number]))
    for region in made.regions:
        agree_with_a_search(made, str(region.rules.greatest))


def agree_with_a_search(made: RuleMap, rule: str) -> None:
    """Ask the ordinary search for one rule."""
    answer = satlife.find(msgspec.structs.replace(made.problem, rule=rule), engine=INLINE)
    region = made.look_up(rule)
    assert region is not None
    assert isinstance(answer, satlife.Found) == (region.pattern is not None), rule


def test_isotropic_rules() -> None:
    made = make_map(satlife.oscillator(2, box="3x3", rule="B[2e]3-q[3q][4w]/S[2i]2-i3"))
    assert made.space.size == 16
    assert made.is_complete
    for rule in made.space.rules():
        agree_with_a_search(made, str(rule))


def test_a_map_that_is_stopped_goes_on(tmp_path: Path) -> None:
    stopped = save(SMALL, tmp_path / "map", stop_after=2)
    assert len(stopped.regions) == 2
    assert not stopped.is_complete
    assert "undecided" in (tmp_path / "map" / "index.html").read_text()
    with (tmp_path / "map" / "regions.jsonl").open("a") as file:
        file.write('{"rules":"B3/S')  # killed while writing
    whole = save(SMALL, tmp_path / "map")
    assert whole.is_complete
    assert whole.regions[:2] == stopped.regions
    assert read_map(tmp_path / "map").regions == whole.regions
    assert whole.counts == make_map(SMALL).counts


def test_a_limit_leaves_rules_undecided() -> None:
    made = make_map(satlife.ship("c/3", box="6x6", rule=ALL), timeout=0.3)
    assert made.reason == "time limit"
    assert made.counts["undecided"]


def test_the_folder_of_another_question_is_left_alone(tmp_path: Path) -> None:
    begin_map(SMALL, tmp_path / "map")
    with pytest.raises(UsageError, match="another question"):
        begin_map(satlife.oscillator(3, box="3x3", rule=SMALL.rule), tmp_path / "map")
    with pytest.raises(UsageError, match="exists and is not a map"):
        begin_map(SMALL, tmp_path)


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (satlife.ship("c/2", box="4x4"), "several rules"),
        (satlife.ship("c/2", box="4x4", rule="isotropic"), "at most 24"),
        (satlife.agar(2, box="4x4", rule="B3[4]/S23"), "dead outside"),
    ],
)
def test_what_has_no_map(problem: Problem, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        make_map(problem)


def test_look_up() -> None:
    made = make_map(SMALL)
    region = made.look_up("Life")
    assert region is not None
    assert region.pattern is not None
    assert "B3/S23" in region.rules
    with pytest.raises(UsageError, match="not one of the rules"):
        made.look_up("HighLife")


# What can be wrong with a folder.


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("maps") / "map"
    made = save(SMALL, folder)
    assert prove_map(made, folder) == ""
    return folder


def copy(folder: Path, place: Path) -> Path:
    """Copy a folder, whose files are then changed."""
    shutil.copytree(folder, place)
    return place


def records(folder: Path) -> list[dict[str, str]]:
    lines = (folder / "regions.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def rewrite(folder: Path, regions: list[dict[str, str]]) -> None:
    text = "".join(json.dumps(region) + "\n" for region in regions)
    (folder / "regions.jsonl").write_text(text)


def test_a_proved_map_is_valid(proved: Path) -> None:
    judgement = check_map(proved)
    assert judgement.word == "valid", str(judgement)
    assert judgement.statement.startswith(
        "7 of 8 rules have an oscillator of period 2 in 3×3. Such a pattern"
    )


def test_a_map_without_proofs_is_not_decided(proved: Path, tmp_path: Path) -> None:
    folder = copy(proved, tmp_path / "map")
    next((folder / "proofs").iterdir()).rename(tmp_path / "elsewhere")
    assert "has no proof" in str(check_map(folder))
    assert check_map(folder).word == "not decided"


def test_a_rule_that_is_left_out_is_seen(proved: Path, tmp_path: Path) -> None:
    folder = copy(proved, tmp_path / "map")
    rewrite(folder, [each for each in records(folder) if each["answer"] != "impossible"])
    assert "the regions leave 1 rule out" in str(check_map(folder))


def test_a_wrong_pattern_is_not_valid(proved: Path, tmp_path: Path) -> None:
    folder = copy(proved, tmp_path / "map")
    regions = records(folder)
    for region in regions:
        if region["answer"] == "found":
            region["rle"] = "x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!"
    rewrite(folder, regions)
    assert judge_map(folder).word == "not valid"


def test_a_region_that_is_too_large_is_not_valid(proved: Path, tmp_path: Path) -> None:
    folder = copy(proved, tmp_path / "map")
    rewrite(folder, [each | {"rules": "B[2]3/S[2][3]"} for each in records(folder)])
    assert judge_map(folder).word == "not valid"


def test_the_certificate_of_other_rules_is_not_valid(proved: Path, tmp_path: Path) -> None:
    folder = copy(proved, tmp_path / "map")
    regions = records(folder)
    for region in regions:
        if region["answer"] == "impossible":
            region["rules"] = "B3/S23"
    rewrite(folder, regions)
    assert judge_map(folder).word == "not valid"


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        "nonsense",
        '{"rules":"B3/S23","answer":"found"}',
        '{"rules":"B36/S23","answer":"impossible"}',
        '{"rules":"B[3]/S23","answer":"impossible"}',
        '{"rules":"B3/S23","answer":"impossible","rle":"x"}',
    ],
)
def test_a_folder_that_cannot_be_read_is_not_valid(line: str, tmp_path: Path) -> None:
    begin_map(SMALL, tmp_path / "map")
    (tmp_path / "map" / "regions.jsonl").write_text(line + "\n")
    assert judge_map(tmp_path / "map").word == "not valid"


# The counts, the picture.


FREE = satlife.RuleSpace("B2[3][4]/S[1][2][3]")


@settings(max_examples=50)
@given(st.lists(st.tuples(*[st.sampled_from([False, True, None])] * 5), max_size=8))
def test_every_rule_is_counted_once(regions: list[tuple[bool | None, ...]]) -> None:
    parts = tuple(Region(FREE.fill(fates)) for fates in regions)
    covered = {str(rule) for part in parts for rule in part.rules.rules()}
    made = RuleMap(satlife.oscillator(2, box="3x3", rule=str(FREE)), parts)
    assert made.counts == {
        "found": 0,
        "impossible": len(covered),
        "undecided": 32 - len(covered),
    }
    found = Pattern.from_rle("3o!")
    for part in parts:
        both = RuleMap(made.problem, (*parts, Region(part.rules, found)))
        with pytest.raises(UsageError, match="contradicts itself"):
            both.counts  # noqa: B018 - it is computed only when it is asked for


def test_neighbours_in_the_picture_differ_in_one_entry() -> None:
    order = order_by_gray(8)
    assert sorted(order) == list(range(256))
    assert {int(a ^ b).bit_count() for a, b in pairwise(order)} == {1}


def test_the_picture_shows_every_rule() -> None:
    grey = Region(satlife.RuleSpace("B3[1]/S?"))
    made = RuleMap(satlife.ship("c/2", box="4x4", rule=ALL), (grey,))
    picture = Image.open(io.BytesIO(draw_map(made))).convert("RGB")
    assert picture.size == (512, 1024)
    dark = sum(count for count, colour in picture.getcolors() if colour != (255, 255, 255))
    assert dark == 4 * 2 * 512
    numbers = np.arange(1 << 17).astype(np.uint8)
    laid = lay_out(made.space, numbers)
    assert laid.shape == (512, 256)
    assert laid[1, 0] == 1  # one step down, the last survival is on
    assert laid[0, 1] == (1 << 9) % 256
