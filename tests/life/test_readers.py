"""Every command, the page and the library read the same pattern in the same text."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from click.testing import CliRunner

import satlife
from satlife import Grid, PartialPattern, Pattern
from satlife.cli.group import cli
from satlife.cli.own import open_source, read_named, read_source
from satlife.errors import UsageError
from satlife.kinds import KINDS
from satlife.kinds._kind import (
    ANY_PATTERN,
    BOX_OF_CELLS,
    DIFFERENCE,
    DRAWING,
    DRAWING_AT,
    PARTIAL,
    PATTERN,
    PLACE,
)
from satlife.life import from_apgcode
from satlife.life.catalogue import (
    catalogue,
    famous_entries,
    find_entries,
    list_several,
    name_any,
    suggest_name,
)
from satlife.life.formats import list_patterns, looks_like_grid
from satlife.problem.lls_grid import read_grid
from satlife.web.routes import read_cells

GLIDER = Pattern.from_rle("bo$2bo$3o!")
BLOCK = Pattern.from_rle("2o$2o!")
ENTRIES = (*catalogue(), *famous_entries())


def simplify(name: str) -> str:
    return name.casefold().replace("-", " ")


COUNTS = Counter(simplify(name) for e in ENTRIES for name in {e.name, e.also} - {""})
NAMES = {
    name: entry
    for entry in ENTRIES
    for name in (entry.name, entry.also)
    if COUNTS[simplify(name)] == 1
}
"""The names of one object each; those of several objects are refused."""


def show(source: str) -> Pattern | PartialPattern | Grid:
    """Read a source as ``satlife show`` does before it runs the pattern."""
    text = open_source(source, several=True)
    if grid := read_grid(text):
        return grid
    ((pattern, _),) = list_several(text)
    return pattern


def draw_on_page(source: str) -> PartialPattern:
    told = read_cells(source)
    return PartialPattern.from_plaintext("\n".join(told["cells"][0]).replace("o", "O")).shift(
        told["x"], told["y"]
    )


READERS: dict[str, Callable[[str], Pattern | PartialPattern | Grid]] = {
    "show": show,
    "identify": read_named,
    "convert, verify, knuth": lambda source: name_any(read_source(source)),
    "complete": lambda source: PARTIAL.read(source, open_source),
    "parent, orphan": lambda source: ANY_PATTERN.read(source, open_source),
    "eater": lambda source: PATTERN.read(source, open_source),
    "--background": lambda source: BOX_OF_CELLS.read(source, open_source),
    "--difference": lambda source: _undo(DIFFERENCE.read((source, "<=1"), open_source)),
    "--region": lambda source: PLACE.read(source, open_source),
    "the page's drawings": draw_on_page,
    "the page's pictures": name_any,
    "read": satlife.read,
    "read, partial": lambda source: satlife.read(source, partial=True),
}


def _undo(difference: satlife.Difference) -> PartialPattern:
    rows = "\n".join(difference.rows).replace("o", "O")
    return PartialPattern.from_plaintext(rows).shift(difference.x, difference.y)


def cells(pattern: Pattern | PartialPattern | Grid) -> tuple[int, int, list[list[int]]]:
    """The live cells of what was read, and the place of the first."""
    assert isinstance(pattern, Pattern | PartialPattern)
    if isinstance(pattern, PartialPattern):
        pattern = pattern.pattern()
    return pattern.x, pattern.y, np.asarray(pattern.cells).tolist()


EXPECTED = {name: cells(entry.pattern) for name, entry in NAMES.items()}


@pytest.mark.parametrize("reader", READERS)
def test_every_name_is_read_as_that_object(reader):
    assert len(EXPECTED) > 2100
    assert any(map(looks_like_grid, EXPECTED)), "the name comes first"
    read = READERS[reader]
    for name, expected in EXPECTED.items():
        assert cells(read(name)) == expected, f"{name!r} by {reader}"


def squeeze(name: str) -> str:
    return re.sub(r"[-_\s]", "", name).casefold()


SQUEEZED = Counter(squeeze(name) for e in ENTRIES for name in {e.name, e.also} - {""})


@pytest.mark.parametrize("reader", READERS)
def test_hyphens_blanks_and_capitals_of_a_name_make_no_difference(reader):
    several = [name for name in NAMES if set(name) & set("- ") and SQUEEZED[squeeze(name)] == 1]
    assert len(several) > 1500
    read = READERS[reader]
    for name in random.Random(2).sample(several, 30):
        for written in (
            name.replace("-", " "),
            name.replace(" ", "-"),
            name.replace(" ", "_").upper(),
            name.replace("-", "\N{HYPHEN}").replace(" ", "\N{NO-BREAK SPACE}"),
            name.replace("-", "\N{EN DASH}"),
            squeeze(name),
        ):
            assert cells(read(written)) == EXPECTED[name], f"{written!r} by {reader}"


def test_the_list_finds_names_with_and_without_hyphens():
    for words in (("pi-heptomino",), ("pi heptomino",), ("PI-HEPTOMINO",)):
        assert len(find_entries(*words)) > 40
    for word in ("eater-1", "eater 1", "gosper-glider-gun"):
        done = CliRunner().invoke(cli, ["catalogue", word, "--rle"])
        assert done.exit_code == 0, done.output


def test_names_of_several_objects_are_refused_with_their_codes():
    name = next(name for name, count in COUNTS.items() if count > 1)
    for read in READERS.values():
        with pytest.raises(UsageError, match=r"objects are called .* use an apgcode: x"):
            read(name)


@pytest.mark.parametrize("reader", READERS)
def test_apgcodes(reader):
    read = READERS[reader]
    for entry in random.Random(39).sample([e for e in ENTRIES if e.code], 300):
        assert cells(read(entry.code)) == cells(from_apgcode(entry.code)), entry.code


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "text",
    [
        "gosper-glider-gun",
        "eater/block-frob",
        "$rats",
        "[code]xq4_153[/code]",
        "[code]\n[b]bo$2bo$3o![/b]\n[/code] [[ ZOOM 8 ]]",
        "[viewer]x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n[[ ZOOM 8 ]]\n[/viewer]",
        "A glider:\n[code]#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1\n[/code]",
        "#Life 1.06\n0 0\n1 0\n2 0",
        "#Life 1.05\n#P 0 0\n.*\n..*\n***",
        "Mine:\n[code][M2] (golly 2.0)\n#R B3/S23\n.*$..*$***$\n4 0 0 0 1\n[/code]",
        "!Name: glider\n.O\n..O\n!in the middle\nOOO",
    ],
)
def test_texts(reader, text):
    assert cells(READERS[reader](text)) == cells(name_any(text))


@pytest.mark.parametrize(
    "text",
    [
        "[code]bo$2bo$3o![/code]\nand also\n[code]2o$2o![/code]",
        "[code]bo$2bo$3o![/code][code]2o$2o![/code]",
        "[code].O.\n..O\nOOO[/code]\nand\n[code]OO\nOO\n[/code]",
        "[code].O.\n..O\nOOO[/code]\n[rle]2o$2o![/rle]",
        "first\n.O.\n..O\nOOO\nand a block:\nOO\nOO\n",
        "!Name: glider\n.O.\n..O\nOOO\n!Name: block\nOO\nOO\n",
        "#Life 1.06\n1 0\n2 1\n0 2\n1 2\n2 2\n#Life 1.06\n0 0\n1 0\n0 1\n1 1",
        "#N glider\nx = 3, y = 3\nbo$2bo$3o\n!\n\n#N block\nx = 2, y = 2\n2o$2o!\nThat is all.",
        "[code]import golly\nprint('o')[/code]\n[code]bo$2bo$3o![/code]"
        "[viewer]2o$2o!\n[[ GPS 2 ]][/viewer]",
    ],
)
def test_all_patterns_of_a_text_are_listed_and_drawn(text, tmp_path):
    assert [cells(each) for each, _ in list_several(text)] == [cells(GLIDER), cells(BLOCK)]
    file = tmp_path / "post.txt"
    file.write_text(text, encoding="utf-8")
    shown = CliRunner().invoke(cli, ["show", str(file)])
    assert "glider: spaceship" in shown.stdout
    assert "block: still life" in shown.stdout
    for command in (["identify"], ["convert"], ["parent"]):
        done = CliRunner().invoke(cli, [*command, str(file)])
        assert "note: this is the first of 2 patterns" in done.stderr
        assert "2 patterns" not in CliRunner().invoke(cli, ["identify", "3o!"]).stderr


def test_an_error_in_a_post_has_its_line():
    with pytest.raises(UsageError, match=r"^line 5, column 3: 'z'"):
        list_several("[code]o![/code]\nand\n[code]\nx = 3, y = 3\nboz$3o!\n[/code]")
    ((_, excerpt),) = list_patterns("Look:\n[code]\no!\n[/code]\n2o!")
    assert excerpt.lines_before == 2


@pytest.mark.parametrize("text", ["0 1 0", "0,a,word", "a b'\n-a *", "0 1\n\n1 0"])
def test_a_grid_is_read_by_those_who_can_and_named_by_others(text):
    assert isinstance(READERS["complete"](text), Grid)
    for reader in ("identify", "convert, verify, knuth", "eater", "read"):
        with pytest.raises(UsageError, match="a grid of Logic Life Search"):
            READERS[reader](text)


@pytest.mark.parametrize("text", ["eatre 1", "gosper glidr gun", "a word", "two lines\nof words"])
def test_a_misspelled_name_is_no_grid(text):
    assert not looks_like_grid(text)
    for read in READERS.values():
        with pytest.raises(UsageError, match=r"neither a pattern|not a pattern in any"):
            read(text)


def test_a_file_with_the_name_of_an_object_is_the_file_and_that_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "glider").write_text("2o$2o!", encoding="utf-8")
    (tmp_path / "pulsar").mkdir()
    done = CliRunner().invoke(cli, ["identify", "glider"])
    assert "block" in done.stdout
    assert done.stderr == (
        "note: 'glider' is read as the file of that name, not as the name of an object\n"
    )
    assert "pulsar" in CliRunner().invoke(cli, ["identify", "pulsar"]).stdout


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("gosper", "Gosper glider gun"),
        ("light weight spaceship", "lightweight spaceship"),
        ("gosper glidr gun", "Gosper glider gun"),
        ("eatre 1", "eater 1"),
        ("octag", "octagon 2"),
        ("pulser", "pulsar"),
        ("figure 8", "figure eight"),
        ("snake long", "long snake"),
    ],
)
def test_suggestions_weigh_words_and_beginnings(text, name):
    assert suggest_name(text) == f"; did you mean {name!r}?"
    assert suggest_name("zzzzzz") == ""


HISTORY = "x = 4, y = 2, rule = LifeHistory\n.ABD$2A!"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "PATTERN" in str(kind.parameters)])
def test_searches_refuse_marks_of_life_history(kind):
    for each in kind.parameters:
        if "file" not in each.reader.name or each.reader is DRAWING:  # which asks for marks
            continue
        more = {DIFFERENCE: ("<=1",), DRAWING_AT: ("30",)}.get(each.reader)
        given = (HISTORY, *more) if more else HISTORY
        with pytest.raises(UsageError, match=r"cells in states above 1 .LifeHistory is read as"):
            each.reader.read(given, lambda text: text)
        plain = HISTORY.replace("B", ".").replace("D", ".")
        given = (plain, *more) if more else plain
        assert each.reader.read(given, lambda text: text) is not None
        brain = "x = 2, y = 1, rule = /2/3\nAB!"
        assert each.reader.read((brain, *more) if more else brain, open_source)


def test_other_ways_to_a_search_refuse_them_too(tmp_path):
    file = tmp_path / "history.rle"
    file.write_text(HISTORY.replace("LifeHistory", "HighLifeHistory"), encoding="utf-8")
    by_comment = "#r LifeHistory\n.ABD$2A!"
    for read in (satlife.complete, satlife.parent, satlife.orphan):
        for text in (HISTORY, by_comment):
            with pytest.raises(UsageError, match="cells in states above 1"):
                read(text)
    for words in (
        ["complete", str(file)],
        ["still-life", "--box", "4x4", "--difference", str(file), "<=3"],
        ["still-life", "--box", "4x4", "--all", "--reject", str(file)],
    ):
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 2
        assert "cells in states above 1 (HighLifeHistory is read as B36/S23" in done.stderr
