"""Text of others never reaches a terminal as it is: it could set the title, colour or hide lines.

Every command gets hostile text in files, names, arguments and the output of programs, first into
pipes, then on a terminal; the bytes that come out are looked at.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from satlife import cli
from satlife.cli.campaign.group import COMMANDS as CAMPAIGN
from satlife.cli.group import COMMANDS
from satlife.kinds import KINDS
from satlife.life.catalogue import OWN_COLUMNS

EVIL = "\x1b]0;pwned\x07\x1b[31mred\x7f\x9b2J\u202eside\b\r"
SEEN = r"\x1b]0;pwned\x07\x1b[31mred\x7f\x9b2J\u202eside\x08\r"
ONE_LINE = EVIL.rstrip("\r")
"""As it can stand in a file in which lines matter."""
HARM = re.compile("\x1b\\]0;pwned|\x07|\x1b\\[31mred|\x7f|\x9b|\u202e|\b")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")

GLIDER = "bo$2bo$3o!\n"
FILES = {
    "esc.rle": f"#N {ONE_LINE}\n#C {ONE_LINE}\nx = 3, y = 3, rule = B3/S23\n{GLIDER}",
    "rule.rle": f"x = 3, y = 3, rule = B3/S23{ONE_LINE}\n{GLIDER}",
    "cells.rle": f"x = 3, y = 3\n{ONE_LINE}!\n",
    "codes.txt": f"xs4_33 {ONE_LINE}\nxq7_1 {ONE_LINE}\nxq4_153{ONE_LINE}\n",
    "named.rle": "x = 2, y = 1, rule = B3/S123\n2o!\n",
    "esc.cnf": f"c {ONE_LINE}\np cnf 1 2\n1 0\n-1 0\n",
    "easy.cnf": f"c {ONE_LINE}\np cnf 1 1\n1 0\n",
    "bad.cnf": f"p cnf {ONE_LINE}\n",
    "answer.txt": f"s {ONE_LINE}\nv 1 0\n",
    "knuth.sat": f"~{ONE_LINE} a\n",
    "problem.toml": 'boxes = ["3x3"]\n"\\u001b]0;pwned" = 1\n',
    "plan.toml": '[[search]]\nkind = "\\u001b]0;pwned\\u0007"\nboxes = "3x3"\n',
    "good.toml": '[[search]]\nkind = "still-life"\nboxes = "2x2"\n',
    "export.jsonl": json.dumps({"event": EVIL}) + "\n",
    "volunteers.toml": '"\\u001b]0;pwned" = "5e88"\n',
    "folder/certificate.json": json.dumps({"format": EVIL, EVIL: 1}),
    f"folder/{ONE_LINE}": "",
    "data/catalogue.tsv": "\t".join(OWN_COLUMNS)
    + f"\nxs2_3\t{ONE_LINE}\tstill life\t2\t1\t\timported\t{ONE_LINE}\tB3/S123\t\t{ONE_LINE}\n",
}
SOLVER = f"#!/bin/sh\nprintf '%s\\n' '{ONE_LINE}' 's {ONE_LINE}'; printf '{ONE_LINE}' >&2; exit 7\n"

CASES = [
    ("catalogue", "import", "codes.txt"),
    *((kind.name, EVIL) for kind in KINDS),
    *((kind.name, "--rule", f"B3/S23{EVIL}", "--box", "3x3") for kind in KINDS),
    *(("campaign", name, EVIL) for commands in CAMPAIGN.values() for name in commands),
    *((name, EVIL) for commands in COMMANDS.values() for name in commands if name != "doctor"),
    (EVIL,),
    ("doctor", EVIL),
    ("parent", "esc.rle", "-q"),
    ("orphan", "esc.rle"),
    ("forced", "esc.rle"),
    ("complete", "rule.rle"),
    ("eater", "--input", "cells.rle", "--region", "4..9,4..9", "--within", "8"),
    ("still-life", "--box", "2x2", "--solver", "cadical-binary"),
    ("still-life", "--box", "2x2", "--json", "--solver", "cadical-binary"),
    ("still-life", "--box", "2x2", "-o", f"{EVIL}/x.rle"),
    ("find", "--spec", "problem.toml"),
    ("verify", "esc.rle", "--spec", "problem.toml"),
    ("check", "folder"),
    ("check", "folder", "--json"),
    ("show", "esc.rle"),
    ("show", "esc.rle", "rule.rle"),
    ("show", "cells.rle"),
    ("identify", "esc.rle"),
    ("identify", "rule.rle"),
    ("identify", "named.rle"),
    ("show", "named.rle"),
    ("convert", "esc.rle"),
    ("convert", "esc.cnf"),
    ("convert", "esc.cnf", "--to", "knuth"),
    ("convert", "knuth.sat"),
    ("catalogue", ONE_LINE),
    ("catalogue", ONE_LINE, "--json"),
    ("catalogue", ONE_LINE, "--rle"),
    ("rules-of", "rule.rle"),
    ("solve", "esc.cnf"),
    ("solve", "bad.cnf"),
    ("solve", "easy.cnf", "--solver", "cadical-binary"),
    ("solve", "knuth.sat"),
    ("decode", "easy.cnf", "answer.txt"),
    ("cnf", "still-life", "--box", EVIL),
    ("map", "look", "folder", EVIL),
    ("list", "kinds", "--rule", EVIL),
    ("campaign", "plan", "plan.toml", "--dry-run"),
    ("campaign", "run", "good.toml", "--ledger", f"{ONE_LINE}.db"),
    ("campaign", "merge", "good.toml", "export.jsonl", "--ledger", "new.db"),
    ("campaign", "volunteers", "volunteers.toml"),
    ("worker", "--nats", f"nats://{EVIL}", "--password-file", f"no-{EVIL}"),
    ("knuth", "sat-life-grid", EVIL),
]

COPIES = [("convert", "esc.cnf"), ("convert", "esc.cnf", "--to", "knuth")]
"""They write a file, which has the comments of the other one; a terminal does not get it so."""

DRIVER = """
import json, os, sys
from satlife.cli.start import start

def main():
    import satlife.campaign.local.runner, satlife.cli.search.run, satlife.life.catalogue
    from satlife.cli.group import COMMANDS, cli, run
    for commands in COMMANDS.values():
        for name in commands:
            cli.get_command(None, name)
    for words in json.loads(sys.argv.pop()):
        print("==", json.dumps(words), flush=True)
        if child := os.fork():  # an error closes standard output
            os.waitpid(child, 0)
            continue
        sys.argv[1:] = words
        try:
            run()
        finally:
            sys.stdout.flush()
            os._exit(0)

sys.modules["driver"] = sys.modules["__main__"]
start("test", "driver", "main")
"""
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks, and opens a terminal")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    program = tmp_path / "bin" / "cadical"
    program.parent.mkdir()
    program.write_text(SOLVER, encoding="utf-8")
    program.chmod(0o755)
    return tmp_path


def environment(folder: Path) -> dict[str, str]:
    own = {"PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80"}
    own |= {"SATLIFE_DATA": str(folder / "data"), "PYTHONIOENCODING": "utf-8"}
    return {**os.environ, **own}


def outputs(text: str) -> Iterator[tuple[str, str]]:
    """The command and what it printed, for each command of the driver."""
    for part in text.split("== [")[1:]:
        head, _, printed = part.partition("\n")
        yield f"[{head}", printed


def test_there_is_one_way_to_the_terminal() -> None:
    """click leaves some control characters out, and writes to consoles of Windows by itself."""
    folder = Path(cli.__file__).parent
    other = re.compile(r"^ *print\(|click\.(echo|secho|prompt|confirm)\(|\bConsole\(", re.M)
    found = [
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*.py"))
        if other.search(path.read_text(encoding="utf-8"))
    ]
    assert found == ["terminal.py"]


def test_every_command_is_asked() -> None:
    asked = {words[0] for words in CASES}
    assert asked >= {name for commands in COMMANDS.values() for name in commands}
    assert asked >= {kind.name for kind in KINDS}


def test_no_command_prints_a_control_character(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, json.dumps(CASES)],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    seen = dict(outputs(done.stdout.decode()))
    assert len(seen) == len({json.dumps(words) for words in CASES}), done.stdout[-2000:]
    harmful = {words for words, text in seen.items() if CONTROL.search(text)}
    assert harmful == {json.dumps(words) for words in COPIES}
    assert not [words for words, text in seen.items() if "Traceback" in text or "internal" in text]
    assert SEEN.removesuffix(r"\r") in seen['["show", "esc.rle"]']
    for words in (["catalogue", ONE_LINE], ["identify", "named.rle"]):
        assert SEEN.removesuffix(r"\r") in seen[json.dumps(words)]
    record = seen[json.dumps(["catalogue", ONE_LINE, "--json"])].splitlines()[0]
    assert json.loads(record)["name"] == ONE_LINE


def test_no_command_lets_text_of_others_control_a_terminal(folder: Path) -> None:
    main, terminal = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", DRIVER, json.dumps(CASES)],
        cwd=folder,
        env={**environment(folder), "TERM": "xterm"},
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
    ):
        os.close(terminal)
        read = bytearray()
        try:
            while piece := os.read(main, 1 << 16):
                read += piece
        except OSError:  # Linux: the other end is closed
            pass
        finally:
            os.close(main)
    seen = dict(outputs(read.decode().replace("\r\n", "\n")))
    assert len(seen) == len({json.dumps(words) for words in CASES}), read[-2000:]
    assert {words for words, text in seen.items() if HARM.search(text)} == set()
    assert SEEN.removesuffix(r"\r") in seen['["show", "esc.rle"]']
