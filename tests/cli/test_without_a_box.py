"""Still lifes, oscillators and ships without ``--box``: known, first and smallest ones."""

from __future__ import annotations

import json
import re

import pytest

from satlife.cli.group import search_command
from satlife.cli.search.run import run_kind
from satlife.errors import UsageError
from satlife.kinds import find_kind
from tests.cli.running import run


def test_without_a_box_a_known_object_answers() -> None:
    done = run("satlife", "oscillator", "14")
    assert done.returncode == 0
    assert b"#N tumbler" in done.stdout
    assert b"#C Taken from the catalogue and verified by satlife oscillator 14\n" in done.stdout
    said = b"known: tumbler; --fresh searches for one, --reject known for another\n"
    assert done.stderr.endswith(said)


def test_the_record_of_a_known_object_says_so() -> None:
    record = json.loads(run("satlife", "ship", "c/2", "--json").stdout)
    assert (record["answer"], record["known"]) == ("found", "64P2H1V0")
    assert record["provenance"]["engine"] == "catalogue"
    assert record["problem"]["boxes"] == ["31x8"]
    assert record["problem"]["motion"] == {"period": 2, "dy": -1}


def test_a_known_ship_names_others_of_its_speed() -> None:
    assert b"; the same speed: satlife ship 2c/4, " in run("satlife", "ship", "c/2").stderr


def test_with_fresh_one_is_searched_for() -> None:
    done = run("satlife", "oscillator", "2", "--fresh")
    assert done.returncode == 0
    assert b"#C Found and verified by" in done.stdout
    assert done.stderr.startswith(b"found: ")


def test_another_than_the_rejected_one_is_taken() -> None:
    known = run("satlife", "oscillator", "2", "--reject", "blinker")
    assert b"#N toad" in known.stdout
    assert b"\nknown: toad; " in known.stderr
    fresh = run("satlife", "oscillator", "2", "--reject", "blinker", "--fresh")
    assert b"#N blinker" not in fresh.stdout
    assert b"Found and verified" in fresh.stdout


def test_a_fresh_ship_may_have_a_multiple_of_the_period() -> None:
    done = run("satlife", "ship", "c/2", "--fresh")
    assert b"#N LWSS" in done.stdout
    assert done.stderr.endswith(b"\n2c/4 is the speed c/2 with another period\n")


def test_a_fresh_search_is_the_same_twice() -> None:
    first, second = (run("satlife", "ship", "c/4d", "--fresh").stdout for _ in range(2))
    assert first == second


def test_what_is_faster_than_possible_is_impossible_without_a_search() -> None:
    done = run("satlife", "ship", "2c/3")
    assert done.returncode == 1
    assert done.stderr.startswith(b"impossible (refuted by Conway's argument): ")


def test_at_the_limit_a_first_search_is_undecided_and_advises() -> None:
    done = run("satlife", "oscillator", "7", "--fresh", "--timeout", "2", "--json")
    record = json.loads(done.stdout)
    assert (done.returncode, record["answer"]) == (3, "undecided")
    assert record["reason"].startswith("time limit")
    assert record["advice"].startswith("satlife oscillator 7 --fresh ")


def test_with_smallest_no_smaller_box_holds_one() -> None:
    done = run("satlife", "ship", "c/4d", "--smallest")
    assert done.returncode == 0
    assert b"#N glider" in done.stdout
    assert b"#C Found and verified by" in done.stdout
    assert done.stderr.startswith(b"so far: 3x4, ")
    assert done.stderr.endswith(b"the box was 3x4; no box of less area holds what was asked for\n")


def test_its_record_names_the_boxes_that_hold_none() -> None:
    done = run("satlife", "oscillator", "2", "--smallest", "--json")
    record = json.loads(done.stdout)
    assert record["identity"]["name"] == "blinker"
    assert record["problem"]["boxes"] == ["3x3"]
    assert record["none_in"] == ["1x9", "2x4"]


def test_at_the_limit_the_boxes_that_hold_none_are_named() -> None:
    done = run("satlife", "oscillator", "7", "--smallest", "--fresh", "--timeout", "3")
    words = done.stderr.decode()
    assert done.returncode == 3
    assert words.startswith("undecided (time limit): neither found nor refuted")
    assert re.search(r"\nthe box was \d+x\d+(; none in .*, turned or not)?\n", words)


def test_at_the_limit_the_best_is_left_with_what_is_proved() -> None:
    done = run("satlife", "oscillator", "7", "--smallest", "--timeout", "3", "--json")
    record = json.loads(done.stdout)
    assert done.returncode == 3
    assert (record["answer"], record["proved"]) == ("found", False)
    assert record["provenance"]["engine"] == "catalogue"
    assert record["reason"] == "time limit"
    assert "none_in" in record


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
        (
            "--smallest --reject known",
            "--reject needs --box: growing boxes end with the first find",
        ),
        (
            "--smallest --engine brute",
            "--engine needs --box: only the engine sat goes from box to box",
        ),
        ("--smallest --area <=9", "--area needs --box: without one, the area found is the least"),
        ("--engine brute", "--engine needs --box or --smallest: a search for a first pattern"),
        ("--solver glucose", "--solver needs --box or --smallest: a search for a first pattern"),
        ("--smallest --grow width", "--smallest is --grow area; it cannot be combined with width"),
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


@pytest.mark.parametrize(
    "options", ["--all", "--symmetry C5", "--smallest --encoding nothing", "--reject nothing"]
)
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
