"""Files of others are plain ones, unpack within a limit, and are read to their end."""

from __future__ import annotations

import ast
import bz2
import gzip
import lzma
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

import satlife
from satlife.campaign.plan import plan as plans
from satlife.cli.commands import catalogue
from satlife.errors import FormatError, UsageError
from satlife.life import Pattern
from satlife.plain import LARGEST_TEXT, MOST_TIMES, TooLargeError, open_unpacked, read_whole
from satlife.sat.files import read_formula
from tests.cli.running import run

ROOT = Path(__file__).parents[1]
GLIDER = b"bo$2bo$3o!\n"
PACK = {".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress}
HUGE = LARGEST_TEXT + 1_000_000
PLAN = '[[search]]\nkind = "still-life"\nboxes = "2x2"\n'
PROBLEM = b'boxes = ["2x2"]\n'
pipes = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other pipes")


@pytest.mark.parametrize("suffix", PACK)
def test_a_small_file_does_not_unpack_to_all_memory(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"bomb.rle{suffix}").write_bytes(PACK[suffix](b"o" * HUGE))
    tracemalloc.start()
    with pytest.raises(TooLargeError, match="larger than the limit of 50,000,000 bytes"):
        read_whole(tmp_path / f"bomb.rle{suffix}")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * LARGEST_TEXT
    for words in (("identify", f"bomb.rle{suffix}"), ("solve", f"bomb.rle{suffix}")):
        done = run("satlife", *words)
        assert (done.returncode, b"Traceback" in done.stderr) == (2, False)


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("change", ["cut", "followed", "empty", "other"])
def test_a_damaged_file_is_called_damaged(suffix: str, change: str, tmp_path: Path) -> None:
    whole = PACK[suffix](b"p cnf 1 1\n1 0\n")
    data = {"cut": whole[:-5], "followed": whole + b"more", "empty": b"", "other": GLIDER}[change]
    path = tmp_path / f"glider.rle{suffix}"
    path.write_bytes(data)
    for read in (read_whole, satlife.read, read_formula):
        with pytest.raises(UsageError, match="is damaged"):
            read(path)
    done = run("satlife", "identify", str(path))
    assert done.returncode == 2
    assert b"is damaged" in done.stderr


@pytest.mark.parametrize("suffix", PACK)
def test_what_several_packers_have_written_is_one_file(suffix: str, tmp_path: Path) -> None:
    pack, path = PACK[suffix], tmp_path / f"glider.rle{suffix}"
    path.write_bytes(pack(GLIDER[:4]) + pack(GLIDER[4:]))
    assert read_whole(path) == GLIDER
    assert satlife.read(path) == Pattern.from_text(GLIDER.decode())
    if suffix != ".bz2":  # gzip and xz may be padded
        path.write_bytes(pack(GLIDER) + bytes(100_000))
        assert read_whole(path) == GLIDER


def test_a_large_formula_that_packs_well_is_read(tmp_path: Path) -> None:
    text = b"p cnf 2 4000000\n" + b"1 -2 0\n" * 7_500_000
    path = tmp_path / "large.cnf.gz"
    path.write_bytes(gzip.compress(text, 1))
    assert LARGEST_TEXT < len(text) < MOST_TIMES * path.stat().st_size
    count = 0
    with open_unpacked(path) as file:
        while piece := file.read(1 << 20):
            count += len(piece)
    assert count == len(text)


@pipes
@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_a_plan_and_what_it_names_are_plain_files(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    put = {"pipe": os.mkfifo, "device": lambda path: path.symlink_to("/dev/zero"),
           "folder": os.mkdir}[kind]  # fmt: skip
    put(tmp_path / "odd.toml")
    (tmp_path / "names.toml").write_text('problems = ["odd.toml"]\n')
    (tmp_path / "stars.toml").write_text('problems = ["o*d.toml"]\n')
    reject = PLAN + 'reject = ["odd.toml"]\n'
    (tmp_path / "reject.toml").write_text(reject)
    for name in ("odd", "names", "stars", "reject"):
        for command in ("plan", "run"):
            done = run("satlife", "campaign", command, f"{name}.toml", timeout=60)
            assert (done.returncode, b"Traceback" in done.stderr) == (2, False), done.stderr
            assert b"odd.toml" in done.stderr


@pipes
@pytest.mark.parametrize(
    "words",
    [
        ("show", "/dev/zero"),
        ("identify", "/dev/zero"),
        ("solve", "/dev/zero"),
        ("convert", "/dev/zero", "-"),
        ("find", "--spec", "/dev/zero"),
        ("catalogue", "import", "/dev/zero"),
        ("still-life", "--box", "2x2", "--all", "--reject", "odd"),
        ("still-life", "--box", "2x2", "--all", "--continue", "odd"),
        ("still-life", "--box", "2x2", "--divide", "2", "--save", "odd"),
        ("ship", "c/2", "--box", "3x*", "--save", "odd"),
    ],
)  # fmt: skip
def test_what_has_no_end_is_refused(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo(tmp_path / "odd")
    done = run("satlife", *words, timeout=60)
    assert (done.returncode, b"Traceback" in done.stderr) == (2, False), done.stderr


@pipes
def test_a_pipe_without_an_end_is_read_to_a_limit(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["sh", "-c", "exec yes o > pipe"], cwd=tmp_path) as endless:
        done = run("satlife", "show", str(tmp_path / "pipe"), timeout=120)
        endless.kill()
    assert done.returncode == 2
    assert b"larger than the limit" in done.stderr


def test_stars_of_a_plan_name_so_many_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        (tmp_path / f"{number}.toml").write_text(f'boxes = ["2x{number + 2}"]\n')
    assert len(plans.Plan.from_toml('problems = ["*.toml"]', tmp_path).problem) == 4
    with pytest.raises(UsageError, match="would look through all folders"):
        plans.Plan.from_toml('problems = ["**/*.toml"]', tmp_path)
    monkeypatch.setattr(plans, "LARGEST_TEXT", 3 * len(PROBLEM))
    with pytest.raises(UsageError, match="larger than the limit"):
        plans.Plan.from_toml('problems = ["*.toml"]', tmp_path)
    monkeypatch.setattr(plans, "MOST_FILES", 3)
    with pytest.raises(UsageError, match="at most 3 problem files"):
        plans.Plan.from_toml('problems = ["*.toml"]', tmp_path)


SHOWN_BY = {
    "SECURITY.md": {
        "reading files": "tests/life/test_formats.py",
        "packed files": "tests/test_plain.py::test_a_small_file_does_not_unpack_to_all_memory",
        "patterns and problems": "tests/test_plain.py::test_what_has_no_end_is_refused",
        "`catalogue import`": "tests/life/test_importing.py",
        "files of `--continue`": "tests/test_plain.py::test_what_has_no_end_is_refused",
        "`satlife check` on": "tests/search/test_hostile_certificates.py",
        "what is printed": "tests/cli/test_visible.py::test_no_command_prints_a_control_character",
        "solvers as child": "tests/sat/test_children.py",
        "the page's server": "tests/web/test_attacks.py::"
        "test_the_limits_are_those_that_are_promised",
        "answers of solvers": "tests/cli/test_solve.py",
    },
    "docs/campaign-security.md": {
        "a plan (": "tests/test_plain.py::test_a_plan_and_what_it_names_are_plain_files",
        "volunteers": "tests/campaign/test_strangers.py",
        "your own workers": "tests/campaign/test_attacks.py",
        "an exported ledger": "tests/campaign/test_merging.py",
        "`campaign merge` on": "tests/campaign/test_hostile_proofs.py::"
        "test_the_limits_are_those_that_are_promised",
        "a ledger of": "tests/campaign/test_comparison.py",
        "proofs of others": "tests/campaign/test_hostile_proofs.py::"
        "test_the_limits_are_those_that_are_promised",
    },
}
"""The test for each line of the tables of promises, by page."""
PROMISED = {
    "SECURITY.md": [
        f"{LARGEST_TEXT:,}",
        f"{catalogue.MOST_FILES:,}",
        f"{catalogue.MOST_BYTES:,}",
        f"{MOST_TIMES} times its packed size",
    ],
    "docs/campaign-security.md": [f"{LARGEST_TEXT:,}", f"{plans.MOST_FILES:,}"],
}
"""The limits that each page names."""


@pytest.mark.parametrize("page", SHOWN_BY)
def test_each_promise_has_its_test(page: str) -> None:
    text, tests_of = (ROOT / page).read_text(encoding="utf-8"), SHOWN_BY[page]
    table = text.partition("| what satlife promises |\n")[2]
    places = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| ")]
    shown = {place: [test for start, test in tests_of.items() if place.startswith(start)]
             for place in places}  # fmt: skip
    assert [place for place, tests in shown.items() if len(tests) != 1] == []
    assert len(places) == len(tests_of)
    for test in tests_of.values():
        name, _, function = test.partition("::")
        tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
        there = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert function in there if function else any(each.startswith("test_") for each in there)
    assert [number for number in PROMISED[page] if number not in text] == []


def test_a_folder_is_no_plain_file(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        read_whole(tmp_path)
    with pytest.raises(FormatError, match="not a plain file"):
        read_whole(Path(os.devnull))
