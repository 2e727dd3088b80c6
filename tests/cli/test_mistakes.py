"""Mistakes that people make, and the messages that teach them what to write."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from satlife.cli.group import cli

BOX = ("--box", "16x6")

MISTAKES = {
    ("ship", "c3", *BOX): "satlife: 'c3' is not a speed; did you mean c/3?",
    ("ship", "3", *BOX): "satlife: p3 does not move; ask for an oscillator",
    ("ship", "c/3", "16x6"): "Error: Got unexpected extra argument (16x6). Write --box 16x6.",
    ("oscillator", *BOX): "Error: Missing argument 'PERIOD'. For example: satlife oscillator 2",
    ("verify",): "Error: Missing argument 'PATTERN'. For example: "
    "satlife verify ship.rle --spec ship.toml",
    ("ship", "c/3", "-box", "16x6"): "Error: No such option '-b'. Write --box, with two hyphens.",
    ("ship", "c/3", "--box", "16"): "satlife: '16' is not a box; write the width and the "
    "height: 16x16",
    # What a shell makes of 15x* without quotes where there is such a file.
    ("ship", "c/3", "--box", "15x20.rle"): "satlife: '15x20.rle' is not a box; for any height "
    "write '15x*', in quotes",
    ("ship", "c/3", "--box", "bo$2bo$3o!"): "satlife: 'bo$2bo$3o!' is not a box; it looks like "
    "a pattern, which `satlife complete` takes",
    ("oscillator", "3", "--box", "8x8", "--symmetry", "D4"): "satlife: no symmetry 'D4'; did you "
    "mean D4+ (both mirrors) or D4x (both diagonal mirrors)?",
    ("ship", "c/3", *BOX, "--rotor", "9"): "Error: No such option '--rotor'. It is an option of "
    "oscillator, complete, agar, wick, not of ship.",
    ("ship", "c/3", *BOX, "--timeout", "5 minutes"): "Error: Invalid value for '--timeout': "
    "'5 minutes' is not a time; write for example 10m (units: s, m, h, d)",
    ("identify", "nosuch.rle"): "satlife: there is no file nosuch.rle",
    ("glider",): "Error: No such command 'glider'. To see a pattern: satlife show glider",
    ("osillator", "3"): "Error: No such command 'osillator'. Did you mean 'oscillator'?",
    ("show", "glidr"): "satlife: 'glidr' is neither a pattern, an apgcode nor a name in the "
    "catalogue; did you mean 'glider'?",
}


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_a_mistake_is_told_with_what_to_write_instead(words: tuple[str, ...]) -> None:
    ran = CliRunner().invoke(cli, words, prog_name="satlife")
    assert ran.exit_code == 2
    assert ran.stdout == ""
    assert ran.stderr.splitlines()[-1] == MISTAKES[words]


@pytest.mark.parametrize(
    "words",
    [
        ("ship", "c/4d", "--box", "4×4"),
        ("ship", "c/4d", "--box", "4 X 4"),
        ("ship", "c/4 diagonal", "--box", "4x4"),
        ("oscillator", "p2", "--box", "3x3", "--timeout", "5"),
        ("oscillator", "2", "--box", "3x3", "--rule", "b3s23"),
        ("oscillator", "2", "--box", "3x3", "--rule", "23/3"),
        ("oscillator", "2", "--box", "3x3", "--symmetry", "C2"),
    ],
    ids=" ".join,
)
def test_what_can_be_understood_is_no_mistake(words: tuple[str, ...]) -> None:
    ran = CliRunner().invoke(cli, [*words, "-q"], prog_name="satlife")
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert "rule = B3/S23" in ran.stdout
