"""The table of exit codes in the documents: every entry of it, by a command that ends so."""

from __future__ import annotations

import re
import shlex
import shutil
import sqlite3
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import satlife
from satlife.cli.group import cli
from satlife.kinds import Kind
from satlife.kinds.parent import UNIQUE
from tests.test_generated_docs import load

ROOT = Path(__file__).resolve().parents[2]
TABLE: str = load("write_cli_reference").EXIT_CODES
REGION = "--input glider --region 4..11,4..11 --within 8"
MET = "glider --at 0,0 --turn half-turn --region 4..7,4..7"
CATALYST = "--before 3o! --within 2 --region 8..9,0..1"
LATE = "--timeout 0.001"
OLD = f"--generations 9 {LATE}"
"""Nothing is decided in a millisecond, not even built."""
MAP = "map still-life --box 1x1 --rules B3/S23[4]"

EXAMPLES = f"""
still-life: 0 --box 2x2; 1 --box 1x1; 3 --box 40x40 {LATE}
oscillator: 0 2 --box 3x3; 1 3 --box 3x3; 3 9 --box 20x20 {LATE}
ship: 0 c/4d --box 4x4; 1 c/4d --box 3x3; 3 c/5 --box 20x20 {LATE}
parent: 0 2o$2o!; 1 2o$2o! --population 2; 3 50o! {OLD}
complete: 0 oo$oo!; 1 ooo!; 3 9?$9?! --margin 30 {LATE}
agar: 0 1 --box 2x2; 1 3 --box 1x1; 3 7 --box 20x20 {LATE}
wick: 0 1 --box 6x2; 1 3 --box 2x2; 3 7 --box 20x20 {LATE}
eater: 0 {REGION} --turn half-turn; 1 {REGION}; 3 {REGION} {LATE}
catalyst: 0 {MET} --contact 3; 1 {MET} --contact 1; 3 {MET} --contact 3 {LATE}
reaction: 0 {CATALYST} --after 3o!; 1 {CATALYST} --after 4o!; 3 {CATALYST} --after 3o! {LATE}
find: 0 life.toml; 1 none.toml; 3 large.toml {LATE}
orphan: 0 pair.rle; 1 glider; 3 60o! {OLD}
forced: 0 cell.rle; 1 glider; 3 60o! {OLD}
parent --unique: 0 dot.rle; 1 pair.rle; 3 60o! {OLD}
check: 0 proof; 3 proof --timeout 0.000001; 4 forged
verify: 0 2o$2o! --spec life.toml; 1 2o! --spec life.toml
identify: 0 5o!; 0 b2o$2o$bo!; 3 b2o$2o$bo! --generations 9
catalogue: 0 glider; 1 nothing-of-this-name
catalogue import: 0 glider.rle --own own.tsv; 1 soup.rle --own own.tsv
map: 0 still-life --box 2x2 --rules B3/S2[3] -o made; 3 oscillator 2 --box 9x9 -o late {LATE}
map look-up: 0 map B3/S23; 1 map B3/S2; 3 late B3/S23
campaign run: 0 plan.toml --ledger some.db; 3 late.toml --ledger late.db
campaign merge: 0 plan.toml plan.jsonl --ledger a.db --trust; 3 plan.toml odd.jsonl --ledger b.db
campaign check: 0 plan.db; 4 edited.db
campaign certificates: 0 plan.db out --proofs proofs; 3 plan.db lacking --proofs empty
decode: 0 life.cnf sat.txt; 1 life.cnf unsat.txt; 3 life.cnf other.txt; 4 life.cnf wrong.txt
solve: 0 sat.cnf; 1 unsat.cnf; 3 hard.cnf {LATE}
"""
"""The end of each command, after its exit code."""


def list_entries() -> dict[tuple[str, int], str]:
    """The meaning of each exit code of each command, as the table says."""
    entries = {}
    for line in TABLE.splitlines()[2:]:
        first, *meanings = (cell.strip() for cell in line.strip("|").split("|"))
        for command in re.findall("`([^`]+)`", first):
            codes = zip((0, 1, 3, 4), meanings, strict=True)
            entries |= {(command, code): meaning for code, meaning in codes if meaning}
    return entries


def list_examples() -> list[tuple[str, int, str]]:
    """Every example: the command, its exit code, the end of its line."""
    return [
        (command, int(example[0]), example[2:])
        for line in EXAMPLES.strip().splitlines()
        for command, _, examples in [line.partition(": ")]
        for example in examples.split("; ")
    ]


def call(line: str) -> int:
    """Run a command in this process, and return its exit code."""
    return CliRunner().invoke(cli, shlex.split(line)).exit_code


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the examples."""
    folder = tmp_path_factory.mktemp("codes")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        make_files()
        make_campaign()
    return folder


def make_files() -> None:
    """Write patterns, problems, formulas and a certificate."""
    for name, box in (("life", "2x2"), ("none", "1x1"), ("large", "40x40")):
        Path(f"{name}.toml").write_text(satlife.still_life(box=box).to_toml())
    for name, cells in (("dot", "B8/S\no!"), ("pair", "B8/S\n2o!"), ("cell", "B/S23\no!")):
        width = 2 if name == "pair" else 1
        Path(f"{name}.rle").write_text(f"x = {width}, y = 1, rule = {cells}\n")
    Path("glider.rle").write_text("bo$2bo$3o!\n")
    Path("soup.rle").write_text("b2o$2o$bo!\n")
    Path("sat.cnf").write_text("p cnf 1 1\n1 0\n")
    Path("unsat.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    Path("unsat.txt").write_text("s UNSATISFIABLE\n")
    Path("other.txt").write_text("s UNKNOWN\n")
    assert call("cnf still-life --box 2x2 -o life.cnf") == 0
    assert call("cnf oscillator 9 --box 20x20 -o hard.cnf") == 0
    solved = CliRunner().invoke(cli, ["solve", "life.cnf"]).stdout
    Path("sat.txt").write_text(solved)
    Path("wrong.txt").write_text(re.sub(r"(?<=\s)-?(?=[1-4]\s)", "", solved).replace(" 1 ", " -1 "))
    assert call("still-life --box 1x1 --rule B/S2 --prove proof") == 1
    shutil.copytree("proof", "forged")
    problem = Path("forged/problem.json")
    problem.write_text(problem.read_text().replace("1x1", "2x2"))
    assert call("map still-life --box 2x2 --rules B3/S2[3] -o map") == 0


def make_campaign() -> None:
    """Run a small campaign with proofs, and damage copies of its ledger."""
    search = '[[search]]\nkind = "oscillator"\nperiods = 3\nboxes = "3x3"\n'
    Path("plan.toml").write_text(f"prove = true\n{search}")
    Path("late.toml").write_text(f"[limits]\ntimeout = 0\n{search}")
    assert call("campaign run plan.toml --jobs 1 --keep-proofs proofs") == 0
    assert call("campaign export plan.toml -o plan.jsonl") == 0
    events = Path("plan.jsonl").read_text()
    Path("odd.jsonl").write_text(events.replace('"impossible"', '"found"'))
    Path("empty").mkdir()
    shutil.copy("plan.db", "edited.db")
    with sqlite3.connect("edited.db") as edited:
        edited.execute("UPDATE tasks SET status = 'found'")
    edited.close()


@pytest.mark.parametrize(("command", "code", "rest"), list_examples())
def test_a_command_ends_with_the_code_of_the_table(
    command: str, code: int, rest: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(cli, [*shlex.split(command), *shlex.split(rest)])
    assert done.exit_code == code, done.output
    assert (command, code) in list_entries()


def test_every_entry_of_the_table_has_an_example() -> None:
    entries = {(command, code) for command, code in list_entries() if command != "campaign serve"}
    assert entries == {(command, code) for command, code, _ in list_examples()}


def test_the_readme_has_the_table_without_campaigns() -> None:
    lines = TABLE.splitlines(keepends=True)
    table = "".join(line for line in lines if not line.startswith("| `campaign "))
    assert table != TABLE
    assert table in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_command_of_the_table_exists() -> None:
    for command, _ in list_entries():
        found: click.Command | None = cli
        for name in command.removesuffix(" --unique").split():
            if isinstance(found, click.Group):
                found = found.get_command(click.Context(found), name)
        assert found is not None, command


@pytest.mark.parametrize(
    "kind", [each for each in (*satlife.KINDS, UNIQUE) if each.yes == "impossible"]
)
def test_an_answer_to_yes_or_no_begins_with_it(kind: Kind) -> None:
    for steps in (1, 2):
        problem = satlife.orphan("3o!", generations=steps)
        assert kind.found_words(problem).startswith("no, ")
        assert kind.impossible_words(problem).startswith("yes, ")
        assert not kind.supposes or kind.vacuous_words(problem).startswith("no, ")


def test_what_is_printed_where_the_pattern_means_no_is_a_parent() -> None:
    for line in ("orphan glider", "forced glider", "parent glider --unique"):
        done = CliRunner().invoke(cli, shlex.split(line))
        assert "#C A parent, found and verified by satlife" in done.stdout
        assert done.stderr.startswith("no, ")
    done = CliRunner().invoke(cli, ["orphan", "glider", "--generations", "2"])
    assert "#C An ancestor, found and verified by satlife" in done.stdout
