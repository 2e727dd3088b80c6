"""Whatever is written into a comment or a title, the file is still the same pattern."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from satlife import find, ship
from satlife.campaign.plan import Plan
from satlife.life import Pattern, draw_svg, read_pattern
from satlife.life.catalogue.imports import read_collection
from satlife.life.formats.rle import LONGEST_COMMENT, write_comment
from satlife.problem.words import join_command
from satlife.records import write_rle
from satlife.sat import Formula
from satlife.sat.files import FORMATS as FORMULA_FORMATS
from satlife.show import Scene, Style
from satlife.show.formats import PICTURE_FORMATS
from tests.cli.running import run
from tests.life.test_golly import BGOLLY

GLIDER = Pattern.from_rle("bo$2bo$3o!")
SOUP = "x = 3, y = 1\n3o!"
HOSTILE = (
    SOUP,
    "x = 3, y = 1\r3o!",
    "a\u2028x = 3, y = 1\u2028" + "3o!\x85\x0b\x0c\x1c",
    "]]> --> -- </title><script>'\"&lt;\x00\x1b[31m",
    "[code]o![/code] [[ ZOOM 8 ]]",
    "CXRLE Pos=7,7 r B36/S23",
    f"\n#CXRLE Pos=7,7\n#r B36/S23\n{SOUP}",
    "o!" * 30_000,
    "\udcff\ud800",
    "",
)
FORMULA_COMMENTS = ("\udcff", "name 1 b", "name 2 a", "clauses 1-1 other", "p cnf 9 9", "0")
texts = st.text(st.characters(exclude_categories=()), max_size=60) | st.sampled_from(HOSTILE)


def with_texts(most=50):
    """Run a test with the hostile texts and with others."""

    def decorate(test):
        for text in HOSTILE:
            test = example(text)(test)
        return settings(deadline=None, max_examples=most)(given(text=texts)(test))

    return decorate


@with_texts()
def test_comments_of_rle(text):
    written = f"{write_comment(text, 'N')}\n{write_comment(text)}\n{GLIDER.to_rle()}\n"
    assert written.encode().decode() == written
    assert all(len(line) <= LONGEST_COMMENT + 3 for line in written.splitlines())
    assert len([line for line in written.splitlines() if line[0] != "#"]) == 2
    assert read_pattern(written) == GLIDER
    assert [entry.name for entry in read_collection(written).entries] == ["glider"]


@pytest.mark.skipif(BGOLLY is None and not os.environ.get("CI"), reason="bgolly is not installed")
@pytest.mark.parametrize("text", HOSTILE)
def test_golly_reads_the_pattern_below_the_comments(text, tmp_path):
    start, end = tmp_path / "start.rle", tmp_path / "end.rle"
    start.write_text(f"{write_comment(text)}\n{GLIDER.to_rle()}\n", encoding="utf-8")
    command = [BGOLLY or "bgolly", "-a", "QuickLife", "-m", "0", "-q", "-q", "-o", str(end)]
    subprocess.run([*command, str(start)], check=True, capture_output=True)
    assert read_pattern(end.read_text(encoding="utf-8")) == GLIDER


@pytest.mark.parametrize("text", HOSTILE)
def test_the_command_of_a_find(text):
    finding = find(ship("c/4d", box="4x4")).finding
    written = write_rle(finding, join_command(["satlife", "ship", text]))
    assert read_pattern(written) == finding.pattern
    assert write_rle(finding, f"satlife ship {text}").count("\n!") == 0


def list_svg_texts(svg: bytes) -> str:
    return " ".join(ElementTree.fromstring(svg).itertext())


def list_cells(page: bytes) -> list[dict[str, object]]:
    """The scenes of a page without their captions."""
    (told,) = re.findall(rb'<script type="application/json" id="scenes">(.*?)</script>', page)
    scenes = json.loads(told)
    return [{key: each[key] for key in each if key != "caption"} for each in scenes]


@with_texts(10)
def test_titles_of_pictures(text):
    scene = Scene.of(GLIDER, name=text)
    drawn = {each.name: each.draw([scene], Style()) for each in PICTURE_FORMATS}
    plain = {each.name: each.draw([Scene.of(GLIDER)], Style()) for each in PICTURE_FORMATS}
    assert drawn.keys() == plain.keys()
    assert "5 cells" in list_svg_texts(drawn["svg"])
    assert list_cells(drawn["html"]) == list_cells(plain["html"])
    assert drawn["lifehistory"] == plain["lifehistory"]
    assert drawn["text"].decode().splitlines()[:-1] == plain["text"].decode().splitlines()[:-1]


@with_texts()
def test_titles_and_labels_of_plain_pictures(text):
    ElementTree.fromstring(draw_svg([GLIDER], labels=[text], title=text))


@with_texts()
def test_comments_of_formulas(text):
    read = text.encode("utf-8", "replace").decode()
    for comment in (" ".join(read.splitlines()), *FORMULA_COMMENTS):
        formula = Formula.from_clauses([(1, -2), (2,)], names=["a", "b"], comments=[comment])
        for each in FORMULA_FORMATS:
            file = io.BytesIO()
            each.write(formula, file)
            file.seek(0)
            assert each.read(file) == formula


@settings(deadline=None)
@given(title=st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
@example("a'''\"\"\"\n[[search]]")
def test_the_title_of_a_plan(title):
    plan = replace(Plan.from_toml('[[search]]\nkind = "still-life"\nboxes = ["2x2"]'), title=title)
    assert Plan.from_toml(plan.to_toml()) == plan


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@settings(deadline=None, max_examples=25)
@given(words=st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))))
@example(words=["x = 3, y = 1\n3o!", "it's", "\\", "'\n\\", "\x01" + "7", "\u2028é"])
def test_a_shell_reads_the_words_of_a_command_again(words):
    joined = join_command(["printf", "%s\\0", *words])
    assert joined.isprintable()
    done = subprocess.run(["bash", "-c", joined], check=True, capture_output=True)
    assert done.stdout.decode().split("\0")[:-1] == (words or [""])


@pytest.mark.parametrize(
    "words",
    [("parent",), ("forced",), ("orphan",), ("complete", "--motion", "p2", "--margin", "1")],
)
def test_a_pattern_typed_over_two_lines_is_not_read_as_the_find(words, tmp_path):
    name, *options = words
    found = tmp_path / "found.rle"
    run("satlife", name, SOUP, *options, "-q", "-o", str(found))
    comments, cells = found.read_text(encoding="utf-8").split("\nx = ")
    assert rf"satlife {name} $'x = 3, y = 1\n3o!' " in comments
    assert all(line.startswith("#") for line in comments.splitlines())
    assert read_pattern(found.read_text(encoding="utf-8")).cells.tolist() == (
        read_pattern(f"x = {cells}").cells.tolist()
    )
