"""Other systems, without having them: their encodings, their paths, and what they lack.

Whole commands run in child processes.  ``tests/systems/sitecustomize.py`` makes each of these, and
the solvers that they start, look like Python on macOS, on Windows, or on a Linux without ``/proc``,
``os.fork`` and SIGHUP.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from satlife.campaign.ledger import is_file
from satlife.cli.own import looks_like_path

STAR_WARS = "x = 3, y = 1, rule = 345/2/4\nA.B!"
PLAN = '[[search]]\nkind = "oscillator"\nperiods = [3]\nboxes = ["2x2", "3x3"]\n'
linux = pytest.mark.skipif(sys.platform != "linux", reason="a real one is tested by all tests")


def run(*words: str, folder: Path = Path(), **variables: Any) -> tuple[int, bytes, str]:
    """Run ``satlife`` with environment variables; return its code, its output and its messages."""
    done = subprocess.run(
        [sys.executable, "-m", "satlife", *words],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr.decode("ascii", "backslashreplace")


def encoded(encoding: str) -> dict[str, Any]:
    return {"PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["show", "glider"], "#'.\n'\nglider: spaceship c/4d"),
        (["show", STAR_WARS], "## .%%\n"),
        (["identify", "R-pentomino"], "8 x block"),
        (["catalogue", "list", "--help"], "2c/4 ..."),
        (["campaign", "run", "--help"], "postgresql://..."),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_an_ascii_pipe_gets_readable_text(words: list[str], wanted: str) -> None:
    _, out, said = run(*words, **encoded("ascii"))
    assert wanted in out.decode("ascii").replace("\r\n", "\n")
    assert "rror" not in said


def test_a_cp1252_pipe_gets_what_it_can_show() -> None:
    code, out, said = run("show", STAR_WARS, **encoded("cp1252"))
    assert (code, out.splitlines()[0], said) == (0, "## ·%%".encode("cp1252"), "")


def test_json_is_utf8_in_any_pipe() -> None:
    _, out, _ = run("identify", "R-pentomino", "--json", **encoded("cp1252"))
    assert "8 × block" in json.dumps(json.loads(out), ensure_ascii=False)


def test_a_pattern_that_powershell_has_redirected_into_a_file(tmp_path: Path) -> None:
    (tmp_path / "glider.rle").write_text("bo$2bo$3o!\r\n", encoding="utf-16")
    assert b"xq4_153" in run("identify", "glider.rle", folder=tmp_path)[1]


def test_messages_are_readable_in_an_ascii_pipe(tmp_path: Path) -> None:
    code, out, said = run("show", "naïve…/глайдер.rle", folder=tmp_path, **encoded("ascii"))
    assert (code, out) == (2, b"")
    escaped = "глайдер".encode("ascii", "backslashreplace").decode()
    assert said.strip() == f"satlife: there is no file na\\xefve.../{escaped}.rle"


def test_an_encoding_with_its_own_substitutes_keeps_them() -> None:
    assert run("show", "glider", **encoded("ascii:replace"))[1].split()[0] == b"???"


DRIVE = r"C:\x y" + "\\" if sys.platform != "win32" else "x y/"
"""Where there are no drives, it is the beginning of a file's name."""


def test_paths_with_drives_and_spaces(tmp_path: Path) -> None:
    """A search is written, shown, continued and asked about by such paths."""
    (tmp_path / "x y").mkdir()
    found, saved = f"{DRIVE}z.rle", f"{DRIVE}s.save"
    code, _, said = run(
        *("ship", "c/4", "--box", "3x3", "-o", found, "--save", saved, "--quiet"), folder=tmp_path
    )
    assert (code, said) in ((1, ""), (0, "")), said
    (tmp_path / found).write_text("bo$2bo$3o!", encoding="utf-8")
    assert b"glider" in run("show", found, folder=tmp_path)[1]
    (tmp_path / f"{DRIVE}plan.toml").write_text(PLAN, encoding="utf-8")
    code, _, said = run("campaign", "status", f"{DRIVE}plan.toml", folder=tmp_path)
    assert f"there is no ledger {DRIVE}plan.db; satlife campaign run " in said


@pytest.mark.parametrize("path", [r"C:\x y\z.rle", "C:/z", r"\\host\x y\z.rle", "x y/z.rle", "a/b"])
def test_a_missing_file_is_named_as_it_was_written(path: str) -> None:
    assert looks_like_path(path)


@pytest.mark.parametrize(
    "text", ["glider", "bo$2bo$3o!", "x = 1, y = 1, rule = a/b.rle", "B3/S2 3"]
)
def test_patterns_and_names_are_not_paths(text: str) -> None:
    assert not looks_like_path(text)


def test_a_drive_is_not_the_scheme_of_a_database() -> None:
    files = [r"C:\x y\plan.db", "C:/plan.db", "C://plan.db", "plan.db", r"\\host\plan.db"]
    assert [*map(is_file, files)] == [True] * 5
    assert not is_file("postgresql://host/plan")


POSIX = {
    "import": {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"},
    "signal": {
        "SIGALRM",
        "SIGCHLD",
        "SIGCONT",
        "SIGHUP",
        "SIGKILL",
        "SIGPIPE",
        "SIGQUIT",
        "SIGSTOP",
    },
    "os": {"fork", "getuid", "killpg", "mkfifo", "sched_getaffinity", "setsid", "sysconf", "uname"},
}
"""What Windows lacks: modules, and names of modules."""


def used_on_import(node: ast.AST) -> Iterator[str]:
    """What a file uses of these when it is imported, and not only on the right system."""
    inside: Iterable[ast.AST] = ast.iter_child_nodes(node)
    if isinstance(node, ast.If | ast.IfExp) and {"platform", "hasattr"} & {
        *map(_word, ast.walk(node.test))
    }:
        return
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        inside = (*node.decorator_list, *node.args.defaults)
    elif isinstance(node, ast.Lambda):
        return
    elif isinstance(node, ast.Import):
        yield from {alias.name for alias in node.names} & POSIX["import"]
    elif isinstance(node, ast.ImportFrom):
        yield from {str(node.module)} & POSIX["import"]
    elif isinstance(node, ast.Attribute) and node.attr in POSIX.get(_word(node.value), ()):
        yield ast.unparse(node)
    for child in inside:
        yield from used_on_import(child)


def _word(node: ast.AST) -> str:
    return getattr(node, "id", getattr(node, "attr", ""))


def test_every_file_can_be_imported_on_windows() -> None:
    """The workflow collects all tests there; a decorator that names SIGHUP would end that."""
    root = Path(__file__).parents[1]
    words = re.compile("|".join(f"{of}[ .]({'|'.join(names)})" for of, names in POSIX.items()))
    found = {
        f"{path.relative_to(root).as_posix()}: {name}"
        for folder in ("src", "tests", "atlas", "bench")
        for path in sorted((root / folder).rglob("*.py"))
        if words.search(text := path.read_text(encoding="utf-8")) and path.parent.name != "systems"
        for name in used_on_import(ast.parse(text))
    }
    assert found == set()


@pytest.fixture
def systems(tmp_path: Path) -> dict[str, str]:
    """The variables with which Python looks like another one; Windows also has ``taskkill``."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "taskkill").write_text('#!/bin/sh\nfor pid; do :; done\nkill -9 "$pid"\n')
    (programs / "taskkill").chmod(0o755)
    here = Path(__file__).parent
    path = os.environ.get("PYTHONPATH", "")
    return {
        "PYTHONPATH": os.pathsep.join(filter(None, [str(here / "systems"), path])),
        "PATH": os.pathsep.join([str(programs), os.environ["PATH"]]),
    }


@linux
@pytest.mark.parametrize("system", ["bare", "macos", "windows"])
def test_a_search(tmp_path: Path, system: str, systems: dict[str, str]) -> None:
    asked = ("oscillator", "2", "--box", "3x3", "--memory", "2GB")
    code, out, said = run(*asked, folder=tmp_path, SATLIFE_TEST_SYSTEM=system, **systems)
    assert (code, out.splitlines()[-1]) == (0, b"3o!"), said


@linux
@pytest.mark.parametrize("system", ["bare", "windows"])
def test_a_certificate(tmp_path: Path, system: str, systems: dict[str, str]) -> None:
    asked = ("still-life", "--box", "1x1", "--prove", "proof", "--memory", "2GB")
    code, _, said = run(*asked, folder=tmp_path, SATLIFE_TEST_SYSTEM=system, **systems)
    assert (code, "proved, certificate in proof" in said) == (1, True), said


@linux
def test_a_campaign_on_windows(tmp_path: Path, systems: dict[str, str]) -> None:
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    asked = ("campaign", "run", "plan.toml")
    code, _, said = run(*asked, folder=tmp_path, SATLIFE_TEST_SYSTEM="windows", **systems)
    assert (code, "2 answered (0 found, 2 impossible)" in said) == (0, True), said


@linux
def test_the_doctor_without_proc(tmp_path: Path, systems: dict[str, str]) -> None:
    code, _, said = run("doctor", folder=tmp_path, SATLIFE_TEST_SYSTEM="bare", **systems)
    assert (code, said) == (0, "")
