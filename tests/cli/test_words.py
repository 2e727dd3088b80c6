"""The words hunters use: patterns by any name, near misses, one look for files, completion."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from satlife.cli import group
from satlife.cli.choices import VALUES
from satlife.cli.commands import completion
from satlife.cli.commands.doctor import CORE, EXTRAS


@dataclass
class Ran:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def satlife(*arguments: str, stdin: str = "", **environment: str) -> Ran:
    """Run a command in this process, which takes less time than a new one."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["satlife", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        for name, value in environment.items():
            patch.setenv(name, value)
        with pytest.raises(SystemExit) as exit_:
            group.run()
    out.flush()
    written = out.buffer.getvalue().decode()
    return Ran(exit_.value.code or 0, written, err.getvalue())


ROOT = Path(__file__).resolve().parents[2]
HISTORY = "x = 3, y = 3, rule = LifeHistory\n.A$B.A$3A!"
TORUS = "x = 4, y = 2, rule = B3/S23:T4,2\n2o$2b2o!"


class TestPatternsEverywhere:
    @pytest.mark.parametrize(
        "arguments",
        [
            ["identify", "xp2_7"],
            ["identify", "[code]bo$2bo$3o![/code]"],
            ["parent", "block", "-q"],
            ["parent", "xs4_33", "-q"],
            ["orphan", "2o$2o!", "-q"],
            ["complete", "block", "-q"],
            ["still-life", "--box", "3x3", "--reject", "tub", "-q"],
            ["still-life", "--box", "2x2", "--difference", "block", "=0", "-q"],
            ["show", "xq4_153"],
            ["convert", "toad", "--to", "cells"],
            ["knuth", "sat-life", "1", "--input", "block"],
            ["rules-of", "block"],
        ],
        ids=" ".join,
    )
    def test_a_name_a_code_and_a_text(self, arguments):
        ran = satlife(*arguments)
        # An orphan is asked for, and a block is not one: that is the answer no.
        assert ran.returncode == (1 if arguments[0] == "orphan" else 0), ran.stderr
        assert ran.stdout

    @pytest.mark.parametrize(
        "arguments", [["identify"], ["convert", "-"], ["show", "-"]], ids=" ".join
    )
    def test_standard_input_with_a_history(self, arguments):
        ran = satlife(*arguments, stdin=HISTORY)
        assert ran.returncode == 0, ran.stderr
        assert "note: LifeHistory is read as B3/S23" in ran.stderr

    def test_a_search_does_not_guess_what_a_history_marks(self):
        ran = satlife("parent", "-", stdin=HISTORY)
        assert (ran.returncode, ran.stderr.count("LifeHistory")) == (2, 1)
        assert "a search cannot know what is meant by cells in states above 1" in ran.stderr

    def test_reject_from_standard_input(self):
        ran = satlife("still-life", "--box", "2x2", "--all", "--reject", "-", stdin="2o$2o!")
        assert (ran.returncode, ran.stdout) == (1, "")
        assert satlife("still-life", "--box", "2x2", "--all", "--count").stdout == "1\n"

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["parent", "pulser"], "did you mean 'pulsar'?"),
            (["parent", "glidr.rle"], "there is no file glidr.rle"),
            (["parent", "some/where"], "there is no file some/where"),
            (["parent", TORUS], "on a torus (:T4,2), and this needs one on the plane"),
            (["eater", "--input", TORUS, "--region", "0..3,0..3", "--within", "3"], ":T4,2"),
            (["oscillator", "2", "--box", "3x3", "--reject", TORUS], ":T4,2"),
            (["convert", TORUS, "--to", "lif"], "Life 1.06 cannot hold a torus"),
            (["agar", "1", "--box", "4x2", "--rule", "B3/S23:T4,2"], "the torus is its box"),
        ],
    )
    def test_what_is_refused_says_what_to_do(self, arguments, words):
        ran = satlife(*arguments)
        assert ran.returncode == 2
        assert words in ran.stderr
        assert ran.stderr.count("\n") == 1


class TestTori:
    def test_a_torus_goes_through_identify_show_and_convert(self):
        assert satlife("identify", TORUS).stdout == "agar p1, 4x2, 4 cells\n"
        assert satlife("convert", TORUS).stdout == f"{TORUS}\n"
        assert "agar p1" in satlife("show", TORUS).stdout

    def test_a_tile_that_grows_ends_at_the_limit_of_time(self):
        line = "x = 3, y = 1, rule = B3/S23:T3,0\n3o!"
        ran = satlife("identify", line, "--timeout", "0.2s")
        assert ran.returncode == 3
        assert "does not recur within 0.2 seconds of processor time" in ran.stdout
        assert "--timeout TIME raise the limits" in ran.stderr

    def test_an_agar_is_found_written_and_read_back(self, tmp_path):
        file = tmp_path / "agar.rle"
        arguments = ["agar", "1", "--box", "5x1", "--wrap", "0,2", "--population", ">=2"]
        assert satlife(*arguments, "-q", "-o", str(file)).returncode == 0
        assert "rule = B3/S23:T5-2,1" in file.read_text(encoding="utf-8")
        assert satlife("identify", str(file)).stdout == "agar p1, 5x1 (T5-2,1), 2 cells\n"


class TestNearMisses:
    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["ocillator", "2"], "Did you mean 'oscillator'?"),
            (["spaceship", "c/4"], "Did you mean 'ship'?"),
            (["cnf", "oscilator"], "Did you mean 'oscillator'?"),
            (["campaign", "staus"], "Did you mean 'status'?"),
            (["oscillator", "2", "--boxx", "3x3"], "'--box'"),
            (["oscillator", "2", "--box", "3x3", "--solver", "cadicl"], "did you mean cadical"),
            (["oscillator", "2", "--box", "3x3", "--encoding", "colums"], "columns"),
            (["oscillator", "2", "--box", "3x3", "--grow", "wide"], "'height', 'both', 'area'"),
            (["list", "symmetris"], "'symmetries'"),
        ],
    )
    def test_a_near_miss_gets_the_right_word(self, arguments, words):
        ran = satlife(*arguments)
        assert ran.returncode == 2
        assert words in ran.stderr


class TestOneLook:
    def test_find_takes_a_file_and_standard_input(self, tmp_path):
        problem = satlife("cnf", "still-life", "--box", "2x2", "--problem").stdout
        file = tmp_path / "problem.toml"
        file.write_text(problem, encoding="utf-8")
        runs = [
            satlife("find", str(file), "-q"),
            satlife("find", "--spec", str(file), "-q"),
            satlife("find", "-", "-q", stdin=problem),
        ]
        assert {ran.returncode for ran in runs} == {0}
        assert {ran.stdout.splitlines()[-1] for ran in runs} == {"2o$2o!"}
        assert satlife("find").returncode == 2

    def test_convert_writes_where_it_is_told(self, tmp_path):
        first, second = tmp_path / "one.cells", tmp_path / "two.cells"
        assert satlife("convert", "block", "-o", str(first)).returncode == 0
        assert satlife("convert", "block", str(second)).returncode == 0
        assert first.read_text() == second.read_text() == "OO\nOO\n"
        assert "name one of them" in satlife("convert", "block", "a.rle", "-o", "b.rle").stderr

    def test_everyday_symmetries_come_first(self):
        listed = satlife("list", "symmetries").stdout.splitlines()
        assert [line.split()[0] for line in listed[:4]] == ["C1", "C2", "C4", "D2|"]
        assert sum(":" in line.split()[0] for line in listed[:20]) == 0

    def test_what_auto_would_take(self):
        ran = satlife("list", "solvers", "oscillator", "3", "--box", "9x9", "--jobs", "3")
        rows = [line.split() for line in ran.stdout.splitlines()]
        assert (len(rows), {row[0] for row in rows}) == (3, {"sat"})
        assert rows[0][1].startswith("cadical")
        brute = satlife("list", "solvers", "still-life", "--box", "2x2", "--engine", "brute")
        assert brute.stdout.startswith("brute")
        assert satlife("list", "rules", "ship").returncode == 2

    def test_doctor_knows_the_packages_and_the_extras(self):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        everywhere = [each for each in project["dependencies"] if ";" not in each]
        assert list(CORE) == [re.split("[<>=]", each)[0] for each in everywhere]
        assert set(EXTRAS) == set(project["optional-dependencies"]) - {"all", "dev"}
        for _, modules in EXTRAS.values():
            ours = [module for module in modules if module.startswith("satlife.")]
            for module in ours:
                path = ROOT / "src" / Path(*module.split("."))
                assert path.with_suffix(".py").is_file() or path.is_dir()


@pytest.mark.parametrize(
    "arguments",
    [
        ["identify", ""],
        ["orphan", ""],
        ["eater", "--input", "", "--region", "4..7,4..7", "--within", "4"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_empty_text_is_a_missing_pattern(arguments):
    done = satlife(*arguments)
    assert done.returncode == 2
    assert "a pattern is missing" in done.stderr
    assert "directory" not in done.stderr


def test_doctor_does_not_say_ok_of_what_cannot_be_imported(tmp_path):
    (tmp_path / "uvicorn.py").write_text("raise RuntimeError('a broken package')\n")
    (tmp_path / "anywidget.py").write_text("raise ModuleNotFoundError(__name__)\n")
    path = f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    out = subprocess.run(
        [sys.executable, "-m", "satlife", "doctor"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "broken  uvicorn " in out
    assert "missing notebook:" in out


def show_on_terminal(*words):
    """Return what a command shows on a terminal of 80 columns, and its exit code."""
    import pty  # not on Windows

    pid, terminal = pty.fork()
    if pid == 0:
        command = [sys.executable, "-m", "satlife", *words]
        os.execve(sys.executable, command, {**os.environ, "COLUMNS": "80"})
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not piece:
            break
        shown += piece
    return shown, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_all_prints_each_find_once_on_a_terminal():
    shown, code = show_on_terminal("still-life", "--box", "3x3", "--all")
    assert code == 0
    for code in (b"xs4_252", b"xs5_253", b"xs4_33", b"xs6_356"):
        assert shown.count(code) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
@pytest.mark.parametrize(
    ("words", "end"),
    [
        (
            ("oscillator", "3", "--box", "4x3", "--population", ">=3", "--growth", "<=9"),
            "impossible (",
        ),
        (("oscillator", "3", "--box", "8x8", "--symmetry", "D2"), "satlife: no symmetry"),
        (("ship", "c/3", "--box", "5x5", "--rotor", "3"), "Error: No such option"),
    ],
)
def test_a_long_last_line_breaks_between_words_on_a_terminal(words, end):
    shown, _ = show_on_terminal(*words)
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode()).replace("\r", "\n")
    lines = text[text.index(end) :].rstrip("\n").split("\n")
    lines = [line for line in lines if line]
    assert len(lines) > 1
    assert max(map(len, lines)) <= 80
    assert all(line == line.strip() for line in lines)


def test_the_tables_say_what_the_commands_say_of_themselves():
    context = group.cli.make_context("satlife", [], resilient_parsing=True)
    for table in (group.cli, group.cli.get_command(context, "campaign")):
        for name, listed in (row for rows in table.outline().values() for row in rows.items()):
            command = table.get_command(context, name)
            assert listed == command.get_short_help_str(200), name


class TestCompletion:
    def test_a_group_can_be_asked_again_and_again(self):
        for _ in range(sys.getrecursionlimit()):
            completion.equip(group.cli)
        assert group.cli.get_command(click.Context(group.cli), "check") is not None

    @pytest.mark.parametrize(
        ("words", "completed"),
        [
            ("satlife osc", "plain,oscillator"),
            ("satlife oscillator 3 --symmetry D2", "plain,D2v"),
            ("satlife oscillator 3 --solver gluc", "plain,glucose"),
            ("satlife oscillator 3 --rule High", "plain,HighLife"),
            ("satlife oscillator 3 --minimize rotor,pop", "plain,rotor,population"),
            ("satlife oscillator 3 --reject kno", "plain,known"),
            ("satlife cnf ship c/3 --encoding dir", "plain,direct"),
            ("satlife convert x --to pl", "plain,plaintext"),
            ("satlife catalogue --kind st", "plain,still-life"),
            ("satlife show pulsa", "plain,pulsar"),
            ("satlife show patt", "file,patt"),
            ("satlife find prob", "file,prob"),
            ("satlife ship c/3 --prove fold", "dir,fold"),
            ("satlife completion f", "plain,fish"),
        ],
    )
    def test_values_and_files(self, words, completed, tmp_path, monkeypatch):
        (tmp_path / "pattern.rle").write_text("o!", encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        ran = satlife(
            _SATLIFE_COMPLETE="bash_complete",
            COMP_WORDS=words,
            COMP_CWORD=str(words.count(" ")),
        )
        assert completed in ran.stdout.splitlines()

    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_every_shell_has_a_script_that_asks_satlife(self, shell):
        script = satlife("completion", shell).stdout
        assert f"_SATLIFE_COMPLETE={shell}_complete" in script

    def test_bash_runs_the_script(self, tmp_path):
        script = tmp_path / "completion.bash"
        script.write_text(satlife("completion", "bash").stdout, encoding="utf-8")
        folder = tmp_path / "bin"
        folder.mkdir()
        program = folder / "satlife"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m satlife "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        lines = (
            f"source {script}; COMP_WORDS=(satlife oscillator 3 --encoding col); COMP_CWORD=4; "
            '_satlife_completion satlife; echo "${COMPREPLY[@]}"'
        )
        ran = subprocess.run(
            [shutil.which("bash") or "bash", "-c", lines],
            env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert ran.stdout.split() == ["columns"]

    def test_the_names_in_the_table_are_those_of_parameters(self):
        context = group.cli.make_context("satlife", [], resilient_parsing=True)
        names = set()
        for name in group.cli.list_commands(context):
            command = group.cli.get_command(context, name)
            names |= {parameter.name for parameter in command.params}
            names |= {
                parameter.name
                for each in getattr(command, "list_commands", lambda _: [])(context)
                for parameter in command.get_command(context, each).params
            }
        assert set(VALUES) <= names
