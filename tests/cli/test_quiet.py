"""``-q`` means the same everywhere: the result, and nothing on standard error but errors."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from satlife.cli.group import cli
from tests.cli.test_help import LEAVES, named

PLAN = """
prove = true

[[search]]
kind = "oscillator"
periods = [2, 3]
boxes = "3x3"
"""

SESSION = """
still-life --box 3x3 -o block.rle
oscillator 2 --box 3x3
ship c/4d --box 4x4
parent block
complete 2o$o?!
agar 2 --box 4x4
wick 2 --box 4x6
eater --input bo$2bo$3o! --region 4..11,4..11 --within 8
catalyst glider --at 0,0 --turn half-turn --region 4..7,4..7 --contact 3
reaction --before block --after block --within 1 --region 3..5,0..2
cnf still-life --box 3x3 --problem -o problem.toml
cnf still-life --box 3x3 -o block.cnf
find problem.toml --all
verify block.rle --spec problem.toml
solve block.cnf
decode block.cnf answer.txt
map oscillator 2 --box 3x3 --rules B3[4]/S2[3] -o map
check map
map look-up map B3/S23
convert block --to cells
show glider --generations 1
identify glider
rules-of glider
catalogue list glider
catalogue import block.rle --own own.tsv
list engines
doctor
completion bash
knuth sat-life-grid 3 3 1
campaign plan plan.toml --dry-run
campaign run plan.toml --keep-proofs proofs
campaign status plan.toml
campaign results plan.toml
campaign retry plan.toml --undecided
campaign export plan.toml -o mine.jsonl
campaign merge plan.toml mine.jsonl
campaign certificates plan.toml certificates --proofs proofs
campaign check plan.toml
campaign backup plan.toml copy.db
campaign prune plan.toml
campaign revoke plan.toml --worker eve
campaign volunteers volunteers.toml --add alice
"""
"""Commands that succeed, one after the other in one folder."""

NOT_RUN = {
    "forced": "the smallest patches that force themselves take too long",
    "orphan": "the smallest orphans take too long",
    "serve": "it runs until Ctrl-C",
    "worker": "needs a broker",
    "campaign serve": "needs a broker",
    "campaign dispatch": "needs a broker",
}


@named(LEAVES)
def test_every_command_takes_it(context: click.Context) -> None:
    quiet = [each for each in context.command.params if "--quiet" in each.opts]
    assert [each.opts for each in quiet] == [["-q", "--quiet"]]


def test_no_command_says_anything_when_all_goes_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(PLAN, encoding="utf-8")
    lines = SESSION.strip().splitlines()
    for line in lines:
        ran = CliRunner().invoke(cli, [*line.split(" "), "-q"], prog_name="satlife")
        assert (ran.exit_code, ran.stderr) == (0, ""), f"{line}: {ran.stderr}"
        if line.startswith("solve"):
            Path("answer.txt").write_text(ran.stdout, encoding="utf-8")
    paths = {context.command_path.removeprefix("satlife ") for context in LEAVES}
    paths = {path for path in paths if not path.startswith(("knuth ", "cnf ", "map "))}
    assert {
        path for path in paths if not any(f"{line} ".startswith(f"{path} ") for line in lines)
    } == {*NOT_RUN}


def test_errors_are_still_told() -> None:
    ran = CliRunner().invoke(cli, ["ship", "c3", "--box", "4x4", "-q"], prog_name="satlife")
    assert ran.exit_code == 2
    assert "did you mean c/3?" in ran.stderr


def test_it_does_not_last_longer_than_its_command() -> None:
    run, words = CliRunner().invoke, ["still-life", "--box", "2x2"]
    assert run(cli, [*words, "-q"]).stderr == ""
    assert "block" in run(cli, words).stderr
