"""Texts as people have them: from a forum, from LifeViewer, from Golly's quadtrees and tori."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from satlife.cli.group import cli
from satlife.errors import FormatError, UsageError
from satlife.life import PartialPattern, Pattern, Torus, read_pattern
from satlife.life.catalogue import read_collection
from satlife.life.formats import describe_loss, describe_unread, list_excerpts
from satlife.web.routes import read_cells

GLIDER = Pattern.from_rle("bo$2bo$3o!")
BGOLLY = shutil.which("bgolly")
needs_golly = pytest.mark.skipif(
    BGOLLY is None and not os.environ.get("CI"), reason="bgolly is not installed"
)


class TestForum:
    @pytest.mark.parametrize(
        "text",
        [
            "[code]\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n[/code]",
            "[code]x = 3, y = 3, rule = B3/S23\nbo$2bo$3o![/code]",
            "[rle]bo$2bo$3o![/rle]",
            "Code: Select all\n\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!",
            "dvgrn wrote:\n[quote]I found this:[/quote]\nLook, a glider!\n[code]#N Glider\n"
            "#C [[ ZOOM 16 ]]\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n[[ AUTOSTART\nGPS 4 ]]\n"
            "[/code]\nIs it known?",
            "#C [[ THUMBSIZE 2\n#C THEME 6 ]]\nx = 3, y = 3\nbo$2bo$3o!",
            "[[ ZOOM 8 ]]\nbo$2bo$3o!",
            "Here it is:\n.O.\n..O\nOOO",
            "[code]\n.O.\n..O\nOOO\n[/code]\nThanks!",
            "My smallest ship so far:\r\n[code].*.\r\n..*\r\n***[/code]",
        ],
    )
    def test_a_glider(self, text):
        assert read_pattern(text) == GLIDER

    def test_errors_keep_their_line(self):
        with pytest.raises(FormatError, match=r"^line 4, column 6: 'z' has no meaning"):
            read_pattern("Look at this:\n[code]\nx = 3, y = 3\nbo$2bz$3o!\n[/code]")

    @pytest.mark.parametrize("text", ["bo$2bz$3o!", "..OQ..\n.O....", "no pattern at all", "boz!"])
    def test_a_typing_error_is_not_taken_for_prose(self, text):
        with pytest.raises(FormatError):
            read_pattern(text)


class TestSeveral:
    TWO = "[code]3o![/code] and [code]2o$2o![/code]"
    GRID = "[code]2o$2o![/code]\n[code]0,0,0\n0,1,a\n[/code]\n[code].O.\n.O.\n.O.[/code]"

    @pytest.mark.parametrize("text", ["3o!2o$2o!", "3o! 2o$2o!\n", "3o!\n2o$2o!", TWO])
    def test_the_second_pattern_is_mentioned(self, text, tmp_path):
        assert read_pattern(text) == Pattern([[1, 1, 1]])
        assert describe_unread(text) == "this is the first of 2 patterns"
        assert read_cells(text)["unread"] == "this is the first of 2 patterns"
        (tmp_path / "two.rle").write_text(text)
        for words in (["identify"], ["convert"], ["rules-of"], ["parent"], ["complete"]):
            done = CliRunner().invoke(cli, [*words, str(tmp_path / "two.rle")])
            assert "this is the first of 2 patterns" in done.output, words
        drawn = CliRunner().invoke(cli, ["show", str(tmp_path / "two.rle")]).output
        assert "blinker" in drawn
        assert "block" in drawn
        assert len(read_collection(text).entries) == 2

    @pytest.mark.parametrize("text", ["3o!", "3o! thanks, bob!", "3o!\nIs it known?", "block"])
    def test_what_is_no_pattern_is_not(self, text):
        assert describe_unread(text) == ""
        assert "unread" not in read_cells(text)

    def test_a_grid_between_patterns_is_named(self, tmp_path):
        why = "line 2 is not read: a grid of Logic Life Search"
        assert describe_unread(self.GRID) == f"this is the first of 2 patterns; {why}"
        assert read_cells(self.GRID)["unread"] == describe_unread(self.GRID)
        assert read_collection(self.GRID).skipped == (why,)
        (tmp_path / "grid.txt").write_text(self.GRID)
        for words in (["show"], ["identify"], ["convert"]):
            assert why in CliRunner().invoke(cli, [*words, str(tmp_path / "grid.txt")]).output
        own = str(tmp_path / "own.tsv")
        path = str(tmp_path / "grid.txt")
        done = CliRunner().invoke(cli, ["catalogue", "import", path, "--own", own])
        assert f"not identified: {path}: {why}" in done.output


class TestHistory:
    def test_marked_cells_are_alive_or_dead(self):
        history = "x = 7, y = 1, rule = LifeHistory\n.ABCDEF!"
        read = read_pattern(history)
        assert (read, read.rule.notation) == (Pattern([[0, 1, 0, 1, 0, 1, 0]]), "B3/S23")

    def test_other_rules_have_histories_too(self):
        assert read_pattern("x = 1, y = 1, rule = B36/S23History\nC!").rule.name == "HighLife"
        with pytest.raises(FormatError, match="only rules of two states have a history"):
            read_pattern("x = 1, y = 1, rule = 345/2/4History\nC!")
        with pytest.raises(FormatError, match="G is state 7, but a history has 7"):
            read_pattern("x = 1, y = 1, rule = LifeHistory\nG!")

    def test_it_is_said(self):
        words = "LifeHistory is read as B3/S23: states 1, 3 and 5 as alive, the others as dead"
        assert describe_loss("x = 1, y = 1, rule = LifeHistory\nC!") == words
        assert describe_loss("x = 1, y = 1, rule = LifeHistory\nCF!").startswith(f"{words}, even")
        assert describe_loss("x = 1, y = 1, rule = B3/S23\no!") == ""


class TestMacrocell:
    def test_a_glider_gun_as_golly_saves_it(self):
        text = "[M2] (golly 2.0)\n#R B3/S23\n.*$..*$***$\n4 0 0 0 1\n5 0 0 0 2\n"
        assert read_pattern(text) == GLIDER.shift(8 + 16 - 16, 8 + 16 - 16)

    @needs_golly
    def test_golly_and_satlife_read_each_other(self, tmp_path):
        chance = np.random.default_rng(7)
        soup = Pattern(chance.random((70, 45)) < 0.2).shift(-30, 17)
        ours, theirs = tmp_path / "ours.mc", tmp_path / "theirs.mc"
        ours.write_text(soup.to_text("macrocell") + "\n", encoding="utf-8")
        command = [BGOLLY or "bgolly", "-a", "HashLife", "-m", "0", "-q", "-q"]
        subprocess.run([*command, "-o", str(theirs), str(ours)], check=True, capture_output=True)
        assert "golly" in theirs.read_text(encoding="utf-8")
        assert read_pattern(theirs.read_text(encoding="utf-8")) == soup

    def test_a_small_text_cannot_ask_for_a_lot_of_memory(self):
        full = "$".join(["*" * 8] * 8) + "$"
        squares = [f"{level} {' '.join([str(level - 3)] * 4)}" for level in range(4, 200)]
        with pytest.raises(FormatError, match=r"too large, about 2\^\d+xabout 2\^\d+ cells"):
            read_pattern("\n".join(["[M2]", full, *squares]))

    def test_a_little_pattern_in_the_middle_of_a_vast_square(self):
        corners = ["4 0 0 0 1"] + [f"{level} 0 0 0 {level - 3}" for level in range(5, 100)]
        whole = "\n".join(["[M2]", "*$", *corners])
        with pytest.raises(FormatError, match="too large"):
            read_pattern(whole)
        inward = ["4 1 0 0 0"] + [f"{level} {level - 3} 0 0 0" for level in range(5, 100)]
        middle = "\n".join(["[M2]", "*$", *inward, "100 0 0 0 97"])
        assert read_pattern(middle) == Pattern([[1]])

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("[M2]\n1 0 1 2 3\n", "line 2, column 1: .*more than two states .*; save as RLE"),
            ("[M1]\n.*$\n", "a macrocell file begins with"),
            ("[M2]\n*********$\n", "a leaf has 8 rows of 8 cells"),
            ("[M2]\n*$\n5 0 0 0 1\n", r"square 1 does not have side 2\^4"),
            ("[M2]\n*$\n4 0 0 0 2\n", "there is no square 2 above this line"),
            ("[M2]\n*$\n9999 0 0 0 1\n", r"a square of side 2\^9999 is too large"),
            ("[M2]\n5 hello$\n", "'5 hello\\$' is neither a leaf"),
        ],
    )
    def test_what_is_wrong(self, text, reason):
        with pytest.raises(FormatError, match=reason):
            read_pattern(text)


class TestTorus:
    @pytest.mark.parametrize(
        ("notation", "torus", "canonical"),
        [
            ("T4,4", Torus(4, 4), "T4,4"),
            ("t7", Torus(7, 7), "T7,7"),
            ("T6+1,5", Torus(6, 5, right=-1), "T6+1,5"),
            ("T6,5-2", Torus(6, 5, down=2), "T6,5-2"),
            ("T6, 5+3", Torus(6, 5, down=-3), "T6,5-2"),
            ("T6+6,5", Torus(6, 5, right=-6), "T6,5"),
            ("T5,0", Torus(5, 0), "T5,0"),
        ],
    )
    def test_notation(self, notation, torus, canonical):
        assert (Torus.parse(notation), str(torus)) == (torus, canonical)

    @pytest.mark.parametrize(
        ("notation", "reason"),
        [
            ("P30,20", "a plane with edges"),
            ("K30*,20", "a Klein bottle"),
            ("C30,20", "a cross-surface"),
            ("S30", "a sphere"),
            ("Q30", "not a torus"),
            ("T4*,4", "not a valid torus"),
            ("T0,0", "closes in no direction"),
            ("T5+1,0", "cannot be twisted"),
            ("T5+1,5+1", "twisted down or to the right"),
            ("T9999999,5", "at most 1048576"),
        ],
    )
    def test_other_grids_are_refused(self, notation, reason):
        with pytest.raises(FormatError, match=f"^line 1, column 22: .*{reason}") as info:
            read_pattern(f"x = 3, y = 3, rule = B3/S23:{notation}\nbo$2bo$3o!")
        if reason.startswith("a "):
            assert "tori, such as ':T4,4', are supported; without" in str(info.value)

    def test_a_tile_is_read_whole_and_written_again(self):
        text = "x = 5, y = 4, rule = B3/S23:T5,4-1\no!"
        tile = read_pattern(text)
        assert isinstance(tile, PartialPattern)
        assert (tile.torus, tile.states.shape) == (Torus(5, 4, down=1), (1, 4, 5))
        assert tile.to_rle() == text
        assert PartialPattern.from_text(tile.to_plaintext()) == tile
        assert read_pattern(f"#CXRLE Pos=7,9\n{text}") == tile

    def test_a_tile_is_not_a_pattern_on_the_plane(self):
        text = "x = 4, y = 4, rule = B3/S23:T4,4\no!"
        tile = PartialPattern.from_rle(text)
        for read in (lambda: Pattern.from_rle(text), tile.pattern):
            with pytest.raises(UsageError, match=r"on a torus \(:T4,4\).*leave out ':T4,4'"):
                read()
        with pytest.raises(UsageError, match=r"Life 1.06 cannot hold a torus"):
            tile.to_text("life106")
        with pytest.raises(UsageError, match="5x5, do not fit on the torus"):
            read_pattern("x = 5, y = 5, rule = B3/S23:T4,4\no!")

    @needs_golly
    @pytest.mark.parametrize("notation", ["T6,5", "T6+1,5", "T6-2,5", "T6,5+1", "T6,5-2", "T7,0"])
    def test_soups_as_golly_runs_them(self, notation, tmp_path):
        torus = Torus.parse(notation)
        start, end = tmp_path / "start.rle", tmp_path / "end.rle"
        for seed in range(4):
            soup = np.random.default_rng(seed).random((5, torus.width)) < 0.4
            soup[0, 0] = soup[-1, -1] = True  # so that Golly puts it where the torus begins
            tile = PartialPattern(soup.astype(np.uint8), torus=torus)
            start.write_text(tile.to_rle() + "\n", encoding="utf-8")
            command = [BGOLLY or "bgolly", "-a", "QuickLife", "-m", "3", "-i", "1", "-q", "-q"]
            subprocess.run([*command, "-o", str(end), str(start)], check=True, capture_output=True)
            cells = tile.states[0]
            for _ in range(3):
                cells = torus.step(cells, tile.rule)
            theirs = _without_rule(end)
            assert np.array_equal(theirs.cells, Pattern(cells).cells), f"soup {seed}"


def _without_rule(path: Path) -> Pattern:
    text = path.read_text(encoding="utf-8")
    return Pattern.from_rle(text[text.index("\n") + 1 :])


@pytest.mark.parametrize("part", ["[", "[[ ", "[b=", "[code", "] ] ", "a ", ": "])
def test_long_nonsense_takes_linear_time(part: str) -> None:
    def seconds(count: int) -> float:
        begun = time.process_time()
        list_excerpts(part * count)
        return time.process_time() - begun

    short = max(min(seconds(4000) for _ in range(3)), 1e-3)
    assert seconds(64_000) < 80 * short  # 256 times if it were quadratic
