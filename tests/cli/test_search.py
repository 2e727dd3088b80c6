"""The search commands as a person uses them: answers, exit codes, JSON, endings."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from satlife.cli.group import cli
from tests.cli.running import BIN, KILL, run
from tests.cli.test_endings import posix
from tests.patience import PATIENCE
from tests.processes import is_running, wait_for_children

ORPHAN = (
    "x = 10, y = 10\nbob3obo$2bobobo2bo$ob3o2b2o$bob5obo$o2bo2b4o$4o2bo2bo$ob5obo$b2o2b3obo$"
    "o2bobobo$2bob3obo!\n"
)
HARD = ("ship", "c/5", "--box", "14x14")


def test_found() -> None:
    done = run("satlife", "ship", "c/4d", "--box", "4x4")
    assert done.returncode == 0
    assert b"#N glider" in done.stdout
    assert done.stderr.startswith(b"found: xq4_153: glider")


def test_impossible() -> None:
    done = run("satlife", "oscillator", "3", "--box", "5x5", "--composite")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"impossible" in done.stderr
    assert b"there is no pattern of B3/S23 of period 3" in done.stderr


def test_undecided_is_not_impossible() -> None:
    begun = time.monotonic()
    done = run("satlife", *HARD, "--timeout", "1")
    assert time.monotonic() - begun < PATIENCE
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"undecided (time limit)" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("agar", "2", "--box", "4x4", "--wrap", "1,0"),
        ("agar", "2", "--box", "4x6"),
        ("wick", "2", "--box", "4x3"),
        ("wick", "2", "--box", "4x3", "--slant", "1"),
    ],
    ids=" ".join,
)
def test_verify_a_tile_of_a_torus(tmp_path: Path, words: tuple[str, ...]) -> None:
    def call(*words: str) -> Result:
        return CliRunner().invoke(cli, words)

    spec, tile = str(tmp_path / "tile.toml"), tmp_path / "tile.rle"
    call("cnf", *words, "--problem", "-o", spec)
    assert call(*words, "-o", str(tile)).exit_code == 0
    assert call("verify", str(tile), "--spec", spec).exit_code == 0
    rule = next(line for line in tile.read_text().splitlines() if "rule =" in line)
    tile.write_text(f"{rule}\n!\n")
    assert call("verify", str(tile), "--spec", spec).exit_code == 1
    for other in ("blinker", "x = 7, y = 7, rule = B3/S23:T7,7\n3o!"):
        refused = call("verify", other, "--spec", spec)
        assert refused.exit_code == 2
        assert "give its whole tile, with ':T" in refused.stderr


@pytest.mark.parametrize(
    ("command", "code", "answer"),
    [
        (("ship", "c/4d", "--box", "4x4"), 0, "found"),
        (("ship", "c/4d", "--box", "3x3"), 1, "impossible"),
        ((*HARD, "--timeout", "0.5"), 3, "undecided"),
    ],
)
def test_json_says_which(command: tuple[str, ...], code: int, answer: str) -> None:
    done = run("satlife", *command, "--json")
    assert done.returncode == code
    record = json.loads(done.stdout)
    assert record["answer"] == answer
    assert record["problem"]["motion"]["period"] in (4, 5)
    assert done.stderr == b""


def test_a_unique_parent_is_a_yes(tmp_path: Path) -> None:
    dot = tmp_path / "dot.rle"
    dot.write_text("x = 1, y = 1, rule = B8/S\no!\n")
    yes = run("satlife", "parent", str(dot), "--unique")
    assert (yes.returncode, yes.stdout) == (0, b"")
    assert b"yes, unique: whatever becomes this has the same cells in its place" in yes.stderr
    no = run("satlife", "parent", "-", "--unique", stdin=b"2o$2o!")
    assert no.returncode == 1
    assert b"and so does another one; the other has in its place: " in no.stderr
    orphan = run("satlife", "parent", "-", "--unique", stdin=b"x = 2, y = 1, rule = B8/S\n2o!")
    assert orphan.returncode == 1
    assert b"no, an orphan: nothing becomes this" in orphan.stderr
    formula = run("satlife", "cnf", "parent", str(dot), "--unique")
    assert formula.returncode == 2
    assert b"takes two searches" in formula.stderr


def test_orphans_are_a_yes(tmp_path: Path) -> None:
    file = tmp_path / "orphan.rle"
    file.write_text(ORPHAN)
    yes = run("satlife", "orphan", str(file))
    assert (yes.returncode, yes.stdout) == (0, b"")
    assert b"yes, an orphan" in yes.stderr
    no = run("satlife", "orphan", "-", stdin=b"3o!")
    assert no.returncode == 1
    assert b"x = " in no.stdout
    assert b"no, not an orphan" in no.stderr


def test_logic_life_search_grids(tmp_path: Path) -> None:
    file = tmp_path / "blinker.txt"
    file.write_text("0 0 0 0 0\n0 0 a 0 0\n0 0 b 0 0\n0 0 c 0 0\n0 0 0 0 0\n\n"
                    "0 0 0 0 0\n0 0 * 0 0\n0 1 * 1 0\n0 0 * 0 0\n0 0 0 0 0\n")  # fmt: skip
    done = run("satlife", "complete", str(file))
    assert done.returncode == 0, done.stderr
    assert b"o$o$o!" in done.stdout


def test_a_formula_an_answer_and_back(tmp_path: Path) -> None:
    formula = tmp_path / "ship.cnf"
    assert run("satlife", "cnf", "ship", "c/4d", "--box", "4x4", "-o", str(formula)).returncode == 0
    solution = run("satlife", "solve", str(formula)).stdout
    decoded = run("satlife", "decode", str(formula), stdin=solution)
    assert decoded.returncode == 0
    assert run("satlife", "identify", stdin=decoded.stdout).stdout.startswith(b"xq4_153")
    wrong = solution.replace(b"v -1 ", b"v 1 ").replace(b"v 1 2", b"v 1 -2")
    broken = run("satlife", "decode", str(formula), stdin=b"v " + b"1 2 3 4 5 6 7 8 9 10 0\n")
    assert broken.returncode == 4, wrong
    assert run("satlife", "decode", str(formula), stdin=b"s UNSATISFIABLE\n").returncode == 1
    assert run("satlife", "decode", str(formula), stdin=b"c no answer\n").returncode == 3


def test_an_eater_has_room_for_an_input_that_dies(tmp_path: Path) -> None:
    file = tmp_path / "dies.cells"
    file.write_text("...O\n.OO.\n..OO\nO..O\nOOO.\n")
    asked = ["eater", "--input", str(file), "--region", "14..17,0..3", "--within", "46"]
    found = CliRunner().invoke(cli, asked)
    assert found.exit_code == 0
    assert "still life" in found.stdout
    wide = CliRunner().invoke(cli, [*asked, "--field", "-12..20,-12..14"])
    assert wide.exit_code == 0
    tight = CliRunner().invoke(cli, [*asked, "--field", "-2..19,-2..6"])
    assert tight.exit_code == 1
    assert "with nothing outside the field -2..19,-2..6" in tight.stderr
    assert "a larger --field may hold one" in tight.stderr


def test_a_ship_that_is_too_fast_is_offered_nothing() -> None:
    done = CliRunner().invoke(cli, ["ship", "2c/3", "--box", "4x4"])
    assert done.exit_code == 1
    assert "no ship of B3/S23 is faster than c/2, or c/4 diagonally, in any box" in done.stderr
    assert "4c/6" not in done.stderr


KEEP = """\
import pathlib, sys
(pathlib.Path(__file__).parent / "solved.cnf").write_text(sys.stdin.read())
print("s UNKNOWN")
"""


@pytest.mark.parametrize(
    "asked",
    [
        "oscillator 2 --box 4x4",
        "oscillator 2 --box 8x8",
        "ship c/4d --box 4x4",
        "ship c/3 --box 6x6 --no-break-symmetry",
        "ship c/3 --box 6x6 --symmetry D2v --break-symmetry",
        "still-life --box 4x4 --population =4",
        "still-life --box 4x4 --encoding direct",
        "ship c/2 --box 4x4 --rule B34[5]/S23[6]",
        "agar 2 --box 4x4",
    ],
)
def test_the_formula_written_is_the_formula_solved(asked: str, tmp_path: Path) -> None:
    keep, formula = tmp_path / "keep.py", tmp_path / "written.cnf"
    keep.write_text(KEEP)
    words = asked.split()
    solver = ("--solver-command", f"{sys.executable} {keep}", "--no-restrictions")
    done = CliRunner().invoke(cli, [*words, *solver])
    assert done.exit_code == 3, done.output
    assert CliRunner().invoke(cli, ["cnf", *words, "-o", str(formula)]).exit_code == 0
    written, solved = (
        [line for line in file.read_text().splitlines() if not line.startswith("c ")]
        for file in (formula, tmp_path / "solved.cnf")
    )
    assert written == solved


def test_symmetries_are_broken_in_a_formula_unless_they_are_to_stay() -> None:
    words = ["cnf", "ship", "c/4d", "--box", "4x4", "--stats"]
    broken = CliRunner().invoke(cli, words).output
    whole = CliRunner().invoke(cli, [*words, "--no-break-symmetry"]).output
    assert "symmetry breaking" in broken
    assert "symmetry breaking" not in whole


def test_verify_and_find_by_file(tmp_path: Path) -> None:
    spec = tmp_path / "ship.toml"
    pattern = tmp_path / "ship.rle"
    run("satlife", "cnf", "ship", "c/4d", "--box", "4x4", "--problem", "-o", str(spec))
    found = run("satlife", "find", "--spec", str(spec), "-o", str(pattern))
    assert found.returncode == 0
    yes = run("satlife", "verify", str(pattern), "--spec", str(spec))
    assert (yes.returncode, yes.stderr) == (0, b"yes: it solves the problem\n")
    pattern.write_text("3o!")
    no = run("satlife", "verify", str(pattern), "--spec", str(spec))
    assert no.returncode == 1
    assert no.stderr.startswith(b"no: ")


@pytest.mark.parametrize(
    "what", ["rules", "symmetries", "encodings", "solvers", "formats", "kinds"]
)
def test_lists(what: str) -> None:
    done = run("satlife", "list", what)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) >= 3
    assert run("satlife", "list", what, "--json").returncode == 0


def test_doctor() -> None:
    done = run("satlife", "doctor")
    assert done.returncode == 0
    for word in (b"cadical", b"drat-trim", b"[NAME]", b"numpy"):
        assert word in done.stdout


@posix
@pytest.mark.parametrize("victim", [KILL, signal.SIGTERM])
def test_a_killed_solver_is_undecided_and_leaves_nothing(
    victim: signal.Signals, tmp_path: Path
) -> None:
    process = start(*HARD, "--engine", "sat", folder=tmp_path)
    children = wait_for_children(process)
    for child in children:
        os.kill(child, victim)
    begun = time.monotonic()
    errors = process.communicate(timeout=PATIENCE)[1]
    assert time.monotonic() - begun < PATIENCE
    assert process.returncode == 3
    assert b"undecided (solver died" in errors
    assert not [pid for pid in children if is_running(pid)]
    assert list(tmp_path.iterdir()) == []


@posix
def test_interrupted(tmp_path: Path) -> None:
    process = start(*HARD, folder=tmp_path)
    children = wait_for_children(process)
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    errors = process.communicate(timeout=PATIENCE)[1]
    assert time.monotonic() - begun < PATIENCE
    assert process.returncode == 130
    tried, last = errors.decode().splitlines()
    assert tried.startswith("undecided (stopped by Ctrl-C): neither found nor refuted [cadical")
    assert last == "satlife: interrupted"
    assert not [pid for pid in children if is_running(pid)]
    assert list(tmp_path.iterdir()) == []


@posix
def test_out_of_memory_is_undecided(tmp_path: Path) -> None:
    done = run("satlife", "oscillator", "20", "--box", "60x60", "--memory", "30M", timeout=60)
    assert done.returncode == 3
    assert b"undecided (memory limit" in done.stderr


def start(*command: str, folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [str(BIN / "satlife"), *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(folder)},
    )


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("agar", "2"), "Missing option '--box'"),
        (("ship", "3", "--box", "8x8"), "p3 does not move; ask for an oscillator"),
        (("ship", "c/3", "--box", "8"), "'8' is not a box; write the width and the height: 8x8"),
        (("ship", "5c/3", "--box", "8x8"), "the speed of light"),
        (("ship", "c/x", "--box", "8x8"), "'c/x' is not a motion"),
        (("ship", "c/3", "--box", "8x8,9x9"), "has 2 boxes for 3 generations"),
        (("oscillator", "3", "--box", "8x8", "--symmetry", "C4_1"), "use C4_4"),
        (("oscillator", "3", "--box", "8x8", "--rule", "B0/S"), "B0"),
        (("oscillator", "3", "--box", "8x8", "--population", "many"), "'many' is not a bound"),
        (("oscillator", "3", "--box", "8x8", "--encoding", "colums"), "no encoding 'colums'"),
        (("oscillator", "3", "--box", "8x8", "--solver", "cadicl"), "cadical"),
        (("parent", "/no/such/file"), "there is no file /no/such/file"),
        (("complete", "-"), "is neither a pattern, an apgcode nor a name in the catalogue"),
        (
            ("agar", "2", "--box", "4x4", "--wrap", "x"),
            "'x' is not DOWN,RIGHT; write for example 1,0",
        ),
        (("find", "--spec", "-"), "not TOML"),
    ],
)
def test_wrong_use(command: tuple[str, ...], words: str) -> None:
    done = run("satlife", *command, stdin=b"nonsense ;;")
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr
