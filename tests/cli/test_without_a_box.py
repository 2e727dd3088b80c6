"""Still lifes, oscillators and ships without ``--box``: ever larger boxes, or why one is needed."""

from __future__ import annotations

import json
import re

import pytest

from satlife.cli.group import search_command
from satlife.cli.search.run import run_kind
from satlife.errors import UsageError
from satlife.kinds import find_kind
from tests.cli.running import run


def test_a_search_without_a_box_finds_the_smallest() -> None:
    done = run("satlife", "ship", "c/4d")
    assert done.returncode == 0
    assert b"#N glider" in done.stdout
    assert done.stderr.endswith(b"the box was 3x4; no box of less area holds what was asked for\n")


def test_its_record_names_the_boxes_that_hold_none() -> None:
    done = run("satlife", "oscillator", "2", "--json")
    record = json.loads(done.stdout)
    assert record["identity"]["name"] == "blinker"
    assert record["problem"]["boxes"] == ["3x3"]
    assert record["none_in"] == ["1x9", "2x4"]


def test_at_the_limit_the_boxes_that_hold_none_are_named() -> None:
    done = run("satlife", "oscillator", "7", "--timeout", "3")
    words = done.stderr.decode()
    assert done.returncode == 3
    assert words.startswith("undecided (time limit): neither found nor refuted")
    assert re.search(r"\nthe box was \d+x\d+(; none in .*, turned or not)?\n", words)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--all", "--all needs --box: without one there is no end to what could be listed"),
        ("--count", "--count needs --box: without one there is no end to what could be listed"),
        ("--minimize population", "nothing could be proved the best"),
        ("--maximize population", "--maximize needs --box: without one"),
        ("--prove p", "--prove needs --box: a certificate is about one box"),
        ("--save f", "--save needs --box: a file keeps the search in one box"),
        ("--continue f", "--continue needs --box"),
        ("--reject known", "--reject needs --box: growing boxes end with the first find"),
        ("--engine brute", "--engine needs --box: only the engine sat goes from box to box"),
        ("--on 0,0", "--on needs --box: it names places in one"),
        ("--background 2o$2o!", "--background needs --box"),
        ("--grow width", "--grow width needs --box: the first one"),
    ],
)
def test_what_needs_a_box_says_why(options: str, words: str) -> None:
    kind = find_kind("oscillator")
    context = search_command(kind).make_context(kind.name, ["2", *options.split()])
    with pytest.raises(UsageError, match=re.escape(words)):
        run_kind(kind, context.params)


@pytest.mark.parametrize("options", ["--all", "--symmetry C5", "--encoding nothing"])
def test_what_is_wrong_without_a_box_is_one_line(options: str) -> None:
    done = run("satlife", "oscillator", "2", *options.split())
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "command", ["cnf oscillator 2", "map oscillator 2 --rules life-like", "list solvers ship c/3"]
)
def test_commands_about_one_box_need_one(command: str) -> None:
    done = run("satlife", *command.split())
    assert done.returncode == 2
    assert b"--box" in done.stderr


def test_complete_with_a_margin(tmp_path) -> None:
    drawing = tmp_path / "piece.rle"
    drawing.write_text("bo$b?$?o!")
    assert run("satlife", "complete", str(drawing)).returncode == 1
    done = run("satlife", "complete", str(drawing), "--margin", "2")
    assert done.returncode == 0
    assert b"still life" in done.stdout
