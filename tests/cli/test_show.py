"""``satlife show``, and pictures from the commands that search."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from satlife.life import Pattern
from tests.cli.running import run
from tests.patience import PATIENCE

GLIDER = b"#N glider\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_drawing_on_standard_output():
    shown = run("satlife", "show", "-", stdin=GLIDER)
    assert shown.returncode == 0
    assert shown.stdout.decode() == (
        " ▀▄\n▀▀▀\nglider: spaceship c/4d, period 4, 5 cells, 3x3, B3/S23, xq4_153\n"
    )


@pytest.mark.parametrize(
    ("suffix", "start"),
    [("svg", b"<svg"), ("png", b"\x89PNG"), ("gif", b"GIF89a"), ("html", b"<!DOCTYPE html>")],
)
def test_the_suffix_is_the_format(suffix, start):
    done = run("satlife", "show", "xq4_153", "-o", f"glider.{suffix}")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert Path(f"glider.{suffix}").read_bytes().startswith(start)
    again = run("satlife", "show", f"glider.{suffix}")
    assert again.returncode == 2
    assert f"glider.{suffix} is a picture, and not a pattern" in again.stderr.decode()


def test_a_file_an_apgcode_and_a_name():
    Path("glider.rle").write_bytes(GLIDER)
    shown = [run("satlife", "show", name) for name in ("glider.rle", "xq4_153", "Glider")]
    titles = {each.stdout.decode().splitlines()[-1] for each in shown}
    assert titles == {"glider: spaceship c/4d, period 4, 5 cells, 3x3, B3/S23, xq4_153"}


def test_options_reach_the_picture():
    options = ("--map", "period", "--theme", "dark", "--no-caption", "--cell", "12", "--no-grid")
    run("satlife", "show", "pulsar", "-o", "map.svg", *options)
    text = Path("map.svg").read_text(encoding="utf-8")
    assert "period 3: 64 cells" in text
    assert '<rect class="satlife-panel" fill="#1b1d22"' in text
    assert "<path" in text
    assert 'class="satlife-grid"' not in text
    animated = run("satlife", "show", "blinker", "-o", "moves.svg", "--animate", "--rate", "2")
    assert animated.returncode == 0
    assert "1s step-end infinite" in Path("moves.svg").read_text(encoding="utf-8")


def test_a_search_pattern_with_cells_that_need_not_follow():
    shown = run("satlife", "show", "-", "--no-caption", stdin=b"0,a,*'\n1,*,-a\n")
    # Nothing comes before generation 0, but the drawing keeps what the file says.
    assert shown.stdout.decode() == " ·░░××\n██░░░░\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("gldier",), "did you mean 'glider'?"),
        (("glider", "-o", "x.bmp"), "it ends with one of .svg, .png, .gif, .html"),
        (("glider", "--map", "heat"), "no map 'heat'; choose one of period, rotor"),
        (("glider", "--map", "period"), "this is a spaceship"),
        (("glider", "--cell", "0"), "a cell is 1 to 200 pixels wide"),
        (("glider", "--play"), "--play needs a terminal"),
        (("xs5_33",), "5 cells"),
        (("glider", "-o", "no/such/x.svg"), "No such file"),
    ],
)
def test_what_is_wrong_is_told(arguments, words):
    done = run("satlife", "show", *arguments)
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_several_patterns_of_one_file():
    text = "#N one\nx = 1, y = 1\no!\n\n#N two\n2o$\n2o!\nwords after the end\n"
    shown = run("satlife", "show", "-", stdin=text.encode())
    assert (shown.returncode, shown.stderr) == (0, b"")
    titles = [line for line in shown.stdout.decode().splitlines() if ": " in line]
    assert [title.partition(":")[0] for title in titles] == ["one", "two"]
    for single in (".O\nO!\n", "!Name: x\n.O\n", "#Life 1.05\n#N\n#P 0 0\n*\n"):
        shown = run("satlife", "show", "-", stdin=single.encode())
        assert shown.stdout.count(b": ") == 1
        assert b"#P" not in shown.stdout


def test_all_that_is_found_on_one_sheet():
    found = run("satlife", "still-life", "--box", "3x3", "--all", "-q")
    run("satlife", "show", "-", "-o", "sheet.svg", stdin=found.stdout)
    text = Path("sheet.svg").read_text(encoding="utf-8")
    for name in ("block", "tub", "boat", "ship"):
        assert f">{name}<" in text


@pytest.mark.parametrize("flags", [(), ("--json",), ("-q",)])
def test_a_search_writes_a_picture_and_still_prints_the_pattern(flags):
    done = run("satlife", "ship", "c/4d", "--box", "4x4", "-o", "glider.gif", *flags)
    assert done.returncode == 0
    assert Path("glider.gif").read_bytes().startswith(b"GIF89a")
    text = done.stdout.decode()
    rle = json.loads(text)["rle"] if "--json" in flags else text
    assert Pattern.from_rle(rle).population == 5
    if "--json" in flags:
        assert text.count("\n") == 1, "nothing but the record"


def test_the_best_and_all_have_pictures_too():
    run("satlife", "still-life", "--box", "4x4", "--maximize", "population", "-o", "best.svg")
    assert ">8 cells" in Path("best.svg").read_text(encoding="utf-8").replace("· ", ">")
    run("satlife", "still-life", "--box", "3x3", "--all", "-o", "all.html")
    assert '"title":"tub"' in Path("all.html").read_text(encoding="utf-8")


def test_nothing_found_is_no_picture():
    done = run("satlife", "oscillator", "3", "--box", "4x4", "-o", "none.png")
    assert done.returncode == 1
    assert "nothing was found, so none.png is not written" in done.stderr.decode()
    assert not Path("none.png").exists()


def test_a_picture_is_refused_before_a_long_search():
    for name, words in (("no/such/x.gif", "cannot be written"),):
        done = run("satlife", "oscillator", "7", "--box", "20x20", "-o", name, timeout=PATIENCE)
        assert done.returncode == 2
        assert words in done.stderr.decode()


def test_text_is_still_text():
    run("satlife", "ship", "c/4d", "--box", "4x4", "-q", "-o", "glider.txt")
    assert Pattern.from_rle(Path("glider.txt").read_text(encoding="utf-8")).population == 5


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
def test_on_a_terminal_a_find_is_drawn_once_on_standard_error():
    import pty
    import subprocess

    ours, theirs = pty.openpty()
    with Path("stdout").open("wb") as stdout:
        process = subprocess.Popen(
            [sys.executable, "-m", "satlife", "ship", "c/4d", "--box", "4x4"],
            stdout=stdout,
            stderr=theirs,
            env={**os.environ, "TERM": "dumb", "COLUMNS": "80", "LINES": "24"},
        )
        os.close(theirs)
        said = b""
        while True:
            try:
                piece = os.read(ours, 1000)
            except OSError:
                break
            if not piece:
                break
            said += piece
        assert process.wait(60) == 0
    os.close(ours)
    assert "▀" in said.decode()
    assert b"!" not in said, "the pattern itself is on standard output only"
    text = Path("stdout").read_text(encoding="utf-8")
    assert Pattern.from_rle(text).population == 5
    assert "▀" not in text
