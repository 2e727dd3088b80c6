"""Maps of a width: ships of any length, against searches for one rule; sets of states."""

from __future__ import annotations

import json
import lzma
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

import satlife
from satlife import Problem
from satlife.audit.width_ranges import is_isotropic, range_complaints
from satlife.certificates import Allowance
from satlife.cli.group import cli
from satlife.errors import UsageError
from satlife.life.rulespaces import RuleSpace
from satlife.rulemaps import RuleMap, check_map, make_map, read_map, remainder
from satlife.rulemaps.folder import add_region, begin_map, finish_map, read_states
from satlife.rulemaps.map_check import judge_map
from satlife.rulemaps.page import name_one
from satlife.rulemaps.rulemap import FOUND

pytest.importorskip("numba")

ALL = "outer-totalistic"
SMALL = satlife.ship("c/2", box="3x*", rule="B3[4][5]/S[0]2[3]5")


def save(problem: Problem, folder: Path, stop_after: int | None = None) -> RuleMap:
    """Make a map in a folder, as the command does; it may be stopped."""
    regions = list(begin_map(problem, folder).regions)
    for region in make_map(problem, regions).regions[len(regions) :][:stop_after]:
        add_region(folder, region)
        regions.append(region)
    made = RuleMap(problem, tuple(regions))
    finish_map(made, folder)
    return made


def test_a_table_is_isotropic_as_its_rule_is() -> None:
    """Also one entry that differs from its mirror image, or from its turn, is seen."""
    for rule in ("B3/S23", "B2-a/S12", "B36/S245", "B2cek3/S1c2"):
        table = satlife.Rule(rule).table
        assert is_isotropic(table)
        for entry in (1, 2, 7, 73, 274):
            other = table.copy()
            other[entry] ^= 1
            assert not is_isotropic(other), (rule, entry)
    assert not is_isotropic(satlife.Rule("B2/S34H").table)


def test_a_set_that_depends_on_directions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """No notation gives such a set today; the check does not rest on that."""
    states = np.array([0], np.uint8), np.array([0], np.uint8)
    space = SMALL.parsed.space
    assert space is not None
    other = space.table.copy()
    other[1] = 2 if other[1] != 2 else 0
    monkeypatch.setattr(RuleSpace, "table", property(lambda _: other))
    with pytest.raises(UsageError, match="its set of rules depends on directions"):
        list(range_complaints(SMALL, *states))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("maps") / "map"
    assert save(SMALL, folder).is_complete
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "map"))


@pytest.mark.parametrize(
    ("speed", "box", "symmetry", "count"),
    [
        ("c/2", "2x*", "C1", 0),
        ("c/2", "3x*", "C1", 96),
        ("c/3", "3x*", "C1", 320),
        ("c/4", "3x*", "D2|", 48),
        ("2c/3", "3x*", "C1", 0),
    ],
)
def test_all_outer_totalistic_rules(speed: str, box: str, symmetry: str, count: int) -> None:
    made = make_map(satlife.ship(speed, box=box, symmetry=symmetry, rule=ALL))
    assert made.is_complete
    assert made.counts["found"] == count
    some = np.flatnonzero(made.answers == FOUND)[::31].tolist() + list(range(77, 1 << 17, 13_001))
    for number in some:
        agree_with_a_search(made, str(made.space[number]))


def agree_with_a_search(made: RuleMap, rule: str) -> None:
    """Search one rule by rows."""
    region, found = made.look_up(rule), satlife.find(made.problem.with_rule(rule), engine="rows")
    assert region is not None
    assert isinstance(found, satlife.Found) == (region.pattern is not None), rule


def test_a_width_has_the_ships_of_its_boxes() -> None:
    rules = "B3[4][5][6]/S[0]12[3]4[5]"
    wide = make_map(satlife.ship("c/2", box="4x*", rule=rules))
    high = make_map(satlife.ship("c/2", box="4x6", rule=rules))
    assert high.counts["found"] > 0
    assert not ((high.answers == FOUND) & (wide.answers != FOUND)).any()


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ("c2-6x6", "c2-width-6"),
        ("c3-5x5", "c3-width-5"),
        ("c2-width-5", "c2-width-6"),
        ("c3-width-4", "c3-width-5"),
        ("c4-width-4", "c4-width-5"),
    ],
)
def test_published_maps_lie_in_each_other(narrow: str, wide: str) -> None:
    maps = Path(__file__).parents[2] / "docs" / "extra" / "maps"
    found, more = (read_map(maps / name).answers == FOUND for name in (narrow, wide))
    assert not (found & ~more).any()


def test_isotropic_rules_and_a_gutter() -> None:
    made = make_map(satlife.ship("c/2", box="3x*", rule="B3[4c]/S[0]2-a[2a]35"))
    gutter = satlife.ship("c/2", box="7x*", symmetry="D2|", gutter=True, rule="B3[5]/S[0]235")
    words = "of any length in a width of 7 with symmetry D2| with a gutter"
    assert name_one(gutter).endswith(words)
    assert "gutter" not in name_one(made.problem)
    for each in (made, make_map(gutter)):
        assert each.is_complete
        for rule in each.space.rules():
            agree_with_a_search(each, str(rule))


def test_the_map_of_a_width_is_valid_without_proofs(folder: Path) -> None:
    judgement = check_map(folder)
    assert (judgement.word, judgement.unread) == ("valid", ())
    counts = read_map(folder).counts
    assert counts["found"] > 0
    assert counts["impossible"] > 0
    assert judgement.statement.startswith(
        f"{counts['found']} of 16 rules have a ship of speed c/2 going north of any length in a "
        "width of 3. Such a pattern"
    )
    assert "3 columns and any number of rows" in judgement.statement


def test_a_rule_may_be_a_range(folder: Path) -> None:
    made, start = read_map(folder), 0
    for region in made.regions:
        if region.closed is not None:
            states = read_states(folder, region.closed, start)
            start += region.closed.size
            for rule in (region.rules.least, region.rules.greatest):
                problem = SMALL.with_rule(str(rule))
                assert list(range_complaints(problem, *states)) == []


# Stopped and killed


@pytest.mark.parametrize(
    ("name", "left"),
    [("regions.jsonl", b'{"rules":"B3/S'), ("states.xz", b"\xfd7zXZ\0"), ("states.xz", b"")],
)
def test_a_map_that_is_stopped_goes_on(name: str, left: bytes, tmp_path: Path) -> None:
    stopped = save(SMALL, tmp_path / "map", stop_after=2)
    assert not stopped.is_complete
    with (tmp_path / "map" / name).open("ab") as file:
        file.write(left)  # killed while writing
    whole = save(SMALL, tmp_path / "map")
    assert whole.regions[:2] == stopped.regions
    assert read_map(tmp_path / "map").regions == whole.regions
    assert judge_map(tmp_path / "map").valid


def test_a_map_that_is_killed_goes_on(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "satlife", "map", "ship", "c/2", "--box", "4x*", "-o", "map"]
    lines = tmp_path / "map" / "regions.jsonl"
    for count in (3, 30):
        with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.DEVNULL) as child:
            while child.poll() is None and not (
                lines.exists() and lines.read_bytes().count(b"\n") >= count
            ):
                pass
            child.send_signal(signal.SIGKILL)
        assert child.returncode == -signal.SIGKILL
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    assert read_map(tmp_path / "map").counts["found"] == 432
    assert judge_map(tmp_path / "map").valid


def test_states_that_are_missing_are_not_guessed(folder: Path) -> None:
    packed = (folder / "states.xz").read_bytes()
    (folder / "states.xz").write_bytes(packed[:-1])
    with pytest.raises(UsageError, match="shorter than its regions say"):
        begin_map(SMALL, folder)


def test_a_limit_leaves_rules_undecided() -> None:
    made = make_map(satlife.ship("c/3", box="5x*", rule=ALL), timeout=0.5)
    assert made.reason == "time limit"
    assert made.counts["undecided"]


# What is refused


def lines_of(folder: Path) -> list[dict[str, object]]:
    text = (folder / "regions.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def rewrite(folder: Path, lines: list[dict[str, object]]) -> None:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "regions.jsonl").write_text(text)


def test_one_state_fewer_is_seen_in_every_region(made: Path, tmp_path: Path) -> None:
    """In small sets at least, every leaf that has a reason to be there is missed."""
    found, start, refused = read_map(made), 0, 0
    for region in found.regions:
        if region.closed is None:
            continue
        children, rows = read_states(made, region.closed, start)
        start += region.closed.size
        problem = SMALL.with_rule(str(region.rules))
        if len(rows) > 1:
            parent = np.repeat(np.arange(len(rows)), children)[-1]
            fewer = children.copy()
            fewer[parent] -= 1
            refused += bool(list(range_complaints(problem, fewer[:-1], rows[:-1])))
    assert refused > 0


def test_more_rules_than_the_states_are_of(folder: Path) -> None:
    lines = [each for each in lines_of(folder) if each["answer"] == "impossible"]
    sizes = {str(each["rules"]): RuleSpace(str(each["rules"])).size for each in lines}
    largest = max(lines, key=lambda each: sizes[str(each["rules"])])
    rewrite(folder, [each | {"rules": SMALL.rule} if each == largest else each for each in lines])
    assert judge_map(folder).word == "not valid"


@pytest.mark.parametrize("more", [b"", b"\0", lzma.compress(b"\0\0")])
def test_the_file_of_states_has_what_the_regions_say(more: bytes, folder: Path) -> None:
    packed = (folder / "states.xz").read_bytes()
    (folder / "states.xz").write_bytes(packed + more if more else packed[:-1])
    assert "and its regions" in str(judge_map(folder))


def test_a_small_file_may_not_hold_many_states(folder: Path) -> None:
    packed = lzma.compress(bytes(1 << 26))
    rule = {"rules": SMALL.rule, "answer": "impossible", "bytes": len(packed)}
    (folder / "states.xz").write_bytes(packed)
    for count, word in ((1 << 25, "not decided"), (9, "not valid")):
        rewrite(folder, [rule | {"states": count}])
        assert check_map(folder, Allowance(memory_bytes=1 << 30)).word == word


@pytest.mark.parametrize(
    "more", [{"states": 3}, {"bytes": 3}, {"states": -1, "bytes": 2}, {"states": "1", "bytes": 60}]
)
def test_numbers_of_states_and_bytes(more: dict[str, object], folder: Path) -> None:
    rewrite(folder, [{"rules": SMALL.rule, "answer": "impossible"} | more])
    assert judge_map(folder).word == "not valid"


def test_states_are_not_taken_for_a_box_with_a_height(folder: Path) -> None:
    problem = (folder / "problem.json").read_text().replace("3x*", "3x5")
    (folder / "problem.json").write_text(problem)
    assert judge_map(folder).word == "not valid"


def test_rules_without_states_are_not_decided(folder: Path) -> None:
    bare = ("rules", "answer", "rle")
    rewrite(folder, [{k: v for k, v in each.items() if k in bare} for each in lines_of(folder)])
    (folder / "states.xz").unlink()
    assert "has no states" in str(judge_map(folder))
    assert judge_map(folder).word == "not decided"


def test_a_folder_without_its_states_says_so(folder: Path) -> None:
    rules = next(str(each["rules"]) for each in lines_of(folder) if "states" in each)
    asked = ["map", "look-up", str(folder), str(RuleSpace(rules).least)]
    assert "in states.xz show it" in CliRunner().invoke(cli, asked).stderr
    (folder / "states.xz").unlink()
    judgement = judge_map(folder)
    assert judgement.word == "not decided"
    assert judgement.doubts == (
        "states.xz is missing; satlife map makes it again, in another folder",
    )
    done = CliRunner().invoke(cli, asked)
    assert (done.exit_code, "showed it, but states.xz is missing" in done.stderr) == (1, True)
    with pytest.raises(UsageError, match="is missing; name another folder"):
        begin_map(SMALL, folder)


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (satlife.ship("c/2", box="7x*", rule=ALL), "6 cells at most, 12 with --symmetry D2|"),
        (satlife.ship("c/2", box="13x*", symmetry="D2|", rule=ALL), "6 cells at most; write a h"),
        (satlife.ship("2c/4", box="4x*", rule=ALL), "can be reduced, as 2c/4; write a height"),
        (satlife.ship("2c/4", box="4x*", symmetry="C1:D2|", rule=ALL), "no glides; take C1 or D2"),
        (satlife.ship("c", box="4x*", rule=ALL), "below the speed of light; write a height"),
        (satlife.ship("c/2", box="4x*", population=6, rule=ALL), "no bounds"),
        (satlife.ship("c/2", box="4x*"), "several rules"),
        (satlife.oscillator(2, box="3x*", rule=ALL), "for ships only; write a height, for example"),
    ],
)
def test_what_has_no_map(problem: Problem, words: str) -> None:
    with pytest.raises(UsageError, match=words.replace("|", "\\|")):
        make_map(problem)


def test_a_solver_is_not_asked() -> None:
    with pytest.raises(UsageError, match="without a solver; leave it out"):
        make_map(SMALL, solver="cadical")


def test_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remainder, "is_available", lambda: False)
    with pytest.raises(UsageError, match="needs numba"):
        make_map(SMALL)


def test_another_height_is_another_question(folder: Path) -> None:
    with pytest.raises(UsageError, match="another question"):
        begin_map(msgspec.structs.replace(SMALL, boxes=("4x*",)), folder)
