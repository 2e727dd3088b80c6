"""A command takes each option that its help shows, and says who takes the others."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from satlife.cli.group import cli
from satlife.cli.search.options import GROUPS, spell_option
from satlife.engine.engine import Keywords
from satlife.kinds import KINDS, find_kind

FRONT = """#CXRLE Pos=1,0
x = 10, y = 8, rule = B3/S23
4b2o$2obo2bob2o$2o6b2o$obo4bobo$2b2o2b2o$b2ob2ob2o$3bo2bo$bo6bo!
"""
"""The beginning of a turtle."""

BEGINNINGS = {
    "still-life": "--box 3x3",
    "oscillator": "2 --box 3x3",
    "ship": "c/3 --box 4x4",
    "parent": "2o$2o!",
    "orphan": "2o!",
    "forced": "2o!",
    "complete": "?o?$?o?$?o?!",
    "agar": "1 --box 2x2",
    "wick": "1 --box 6x2",
    "eater": "--input glider --turn half-turn --region 4..11,4..11 --within 8",
    "reaction": "--before 3o! --after 3o! --within 2 --region 8..9,0..1",
    "catalyst": "3o! --region 4..5,0..1 --contact 1",
}
"""Short searches of each kind."""

VALUES = {
    "--leaves": "glider",
    "--not": "glider",
    "--box": "3x3", "--symmetry": "C1", "--gutter": "--symmetry D2v",
    "--rule": "B36/S23", "--on": "1,1", "--off": "0,0",
    "--without": "D8", "--background": "'x = 1, y = 1\nb!'", "--population": "'<=9'",
    "--rotor": "'<=9'", "--stator": "'<=9'", "--growth": "'<=9'", "--decay": "'<=9'",
    "--changes": "'<=9'",
    "--width": "'<=9'", "--height": "'<=9'", "--area": "'<=99'", "--difference": "block '<=9'",
    "--generations": "1", "--margin": "1", "--motion": "p1", "--wrap": "0,0", "--slant": "0",
    "--input": "glider", "--at": "0,0", "--turn": "half-turn", "--lanes": "0", "--times": "0",
    "--approach": "1", "--field": "-6..19,-6..19", "--period": "1", "--within": "2",
    "--before": "3o!", "--after": "3o!", "--region": "8..9,0..1", "--limit": "1",
    "--same": "object --all", "--continue": "journal --all", "--reject": "block",
    "--minimize": "population", "--maximize": "population", "--grow": "both", "--engine": "sat",
    "--solver": "cadical195", "--solver-command": "nothing-of-this-name", "--encoding": "direct",
    "--jobs": "2", "--timeout": "60", "--memory": "2G", "--save": "saved", "--partials": "2",
    "--extend": "front.rle", "--random-seed": "3", "--prove": "proof", "--cubes": "2 --prove cubed",
    "--proof-size": "1G --prove small", "--output": "out.rle",
    "--direction": "E", "--transform": "half-turn",
}  # fmt: skip
"""What is written after an option, and which other option it needs."""
PLACES = {
    ("ship", "--gutter"): "--symmetry D2v --box 5x5",
    ("agar", "--gutter"): "--symmetry D2v --box 3x3",
    ("wick", "--gutter"): "--symmetry D2v --box 7x2",
    ("ship", "--partials"): "2 --box 3x*",
    ("ship", "--extend"): "front.rle --box 12x* --symmetry D2v",
    ("ship", "--include-last"): "--box 5x5",
    ("forced", "--margin"): "1 --complete",
    ("eater", "--region"): "4..11,4..11",
    ("eater", "--within"): "8",
    ("wick", "--box"): "6x2",
    ("wick", "--without"): "C2",
    ("agar", "--box"): "2x2",
    ("eater", "--open"): "--region -12..22,-12..22",
    ("catalyst", "--region"): "4..5,0..1",
    ("catalyst", "--states"): "0=dead,1=active,2=region,3=alive,4=dead,5=kept",
    ("catalyst", "--same"): "outcome --all",
    ("catalyst", "--contact"): "1..2",
    ("catalyst", "--recover"): "3",
    ("catalyst", "--hold"): "2",
    ("catalyst", "--active"): "9",
    ("catalyst", "--ever-active"): "9",
    ("catalyst", "--becomes"): "o! 5",
}
"""The same, for single kinds."""


def list_options(name: str) -> Iterator[click.Option]:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    yield from (each for each in command.params if isinstance(each, click.Option))


SHOWN = [
    (kind.name, spelling)
    for kind in KINDS
    for each in list_options(kind.name)
    for spelling in (*each.opts[-1:], *each.secondary_opts)
    if spelling not in ("--quiet", "short", "-h")
]


@pytest.mark.parametrize(("name", "option"), SHOWN)
def test_a_kind_takes_each_option_that_its_help_shows(
    name: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("front.rle").write_text(FRONT)
    words = PLACES.get((name, option), VALUES.get(option, ""))
    # Some would search for long; to be taken is enough.
    line = f"{name} {BEGINNINGS[name]} --timeout 3 {option} {words}"
    done = CliRunner().invoke(cli, shlex.split(line))
    installed = option != "--solver-command"
    assert done.exit_code in (0, 1, 3) if installed else "is not installed" in done.stderr, line


def test_an_option_of_other_kinds_is_refused_by_naming_them() -> None:
    for line, words in (
        ("parent glider --only-connected", "still-life, oscillator, ship, complete, eater, rea"),
        (
            "reaction --grow both",
            "It is an option of still-life, oscillator, ship, agar, wick, not of",
        ),
        (
            "orphan glider --all",
            "It is an option of still-life, oscillator, ship, parent, complete",
        ),
        ("oscillator 2 --partials 3", "It is an option of ship, not of oscillator."),
        ("find problem.toml --grow both", "It is an option of still-life,"),
        ("cnf ship c/3 --field 0..1,0..1", "It is an option of eater, reaction, not of ship."),
    ):
        done = CliRunner().invoke(cli, shlex.split(line))
        assert done.exit_code == 2
        assert words in done.stderr


def test_a_refusal_names_options_as_people_write_them() -> None:
    done = CliRunner().invoke(
        cli, shlex.split("still-life --box 3x3 --engine brute --random-seed 3")
    )
    assert (
        done.stderr == "satlife: the engine brute does not take --random-seed; it takes --timeout\n"
    )
    done = CliRunner().invoke(cli, shlex.split("ship c/3 --box 9x9 --partials 3"))
    assert (
        "does not take --partials; it takes --solver, --encoding, --break-symmetry" in done.stderr
    )
    assert "conflicts" not in done.stderr


def test_each_keyword_of_a_search_has_an_option_or_none() -> None:
    spelled = {name: spell_option(name) for name in Keywords.__annotations__}
    assert [name for name, option in spelled.items() if not option] == ["conflicts"]
    known = {option for table in GROUPS.values() for each in table for option in each.opts}
    assert {option for option in spelled.values() if option} <= known


def test_every_option_of_searches_is_taken_by_some_kind() -> None:
    taken = {each.opts[0] for kind in KINDS for each in list_options(kind.name)}
    assert {each.opts[0] for table in GROUPS.values() for each in table} <= taken
    assert {kind.name for kind in KINDS if kind.recurs} == {
        kind.name for kind in map(find_kind, ("still-life", "oscillator", "ship", "complete"))
    }
