"""Collections of other people, a catalogue of one's own, and patterns by any name."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile

import platformdirs
import pytest
from click.testing import CliRunner
from platformdirs.api import PlatformDirsABC
from platformdirs.macos import MacOS
from platformdirs.unix import Unix

from satlife.cli import own
from satlife.cli.commands import catalogue as commands
from satlife.cli.group import cli
from satlife.errors import UsageError
from satlife.life import Pattern
from satlife.life.catalogue import name_partial, name_pattern, read_collection


def test_a_list_of_apgcodes():
    read = read_collection('# from Catagolue\nxp2_7,12345\n"xs4_33","99"\nxq4_153 my glider\n', "f")
    assert [(e.code, e.name, e.kind, e.speed) for e in read.entries] == [
        ("xp2_7", "blinker", "oscillator", ""),
        ("xs4_33", "block", "still life", ""),
        ("xq4_153", "glider", "spaceship", "c/4d"),
    ]
    assert {(e.how, e.command) for e in read.entries} == {
        ("imported", "satlife catalogue import f")
    }
    assert read.skipped == ()


def test_a_code_in_another_orientation_is_the_same_object():
    read = read_collection("xq4_153\nxq4_456\nxq4_ogo4\n")
    assert len(read.entries) + len(read.skipped) >= 1
    assert {entry.code for entry in read.entries} == {"xq4_153"}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("xp3_7", "xp3_7 is an oscillator of period 2, not what its code says"),
        ("xp2_33", "xp2_33 is a still life, not what its code says"),
        ("xp4_1", "xp4_1 is nothing that recurs in 4 generations, not what its code says"),
        ("xs5_33", "the code says 5 cells, but its word has 4"),
        ("yl30_1_5_74055a5f", "a code of this kind does not hold the cells"),
        ("hello", "not an apgcode"),
        (
            "xp12345678901_7",
            "'xp12345678901_7' is not an apgcode; expected xs, xp or xq, a number of "
            "up to 9 digits, _ and a word, for example xq4_153",
        ),
    ],
)
def test_what_is_not_what_it_says_is_skipped(line: str, reason: str):
    read = read_collection(f"xs4_33\n{line}\n")
    assert [entry.code for entry in read.entries] == ["xs4_33"]
    assert [why.split(": ", 1)[1] for why in read.skipped] == [reason]


def test_several_patterns_in_one_file():
    first, second = "#N first\nx = 3, y = 1\n3o!", "#N second\nx = 4, y = 4\nb2o$o2bo$o2bo$b2o!"
    read = read_collection(f"{first}\n{second}\nx = 1, y = 1\no!\n")
    assert [entry.name for entry in read.entries] == ["blinker", "pond"]
    assert read.skipped == ("pattern 3: 1 cell outside of objects that recur",)


def test_a_stamp_collection_is_divided():
    pond, block = Pattern.from_rle("b2o$o2bo$o2bo$b2o!"), Pattern.from_rle("2o$2o!")
    stamps = pond | block.shift(20, 0) | block.shift(40, 0) | Pattern.from_rle("3o!").shift(0, 20)
    read = read_collection(stamps.to_rle())
    assert sorted(entry.name for entry in read.entries) == ["blinker", "block", "pond"]


def test_an_object_without_a_name_gets_that_of_its_file():
    shuttle = name_pattern("queen bee shuttle")
    assert read_collection(f"#N my shuttle\n{shuttle.to_rle()}").entries[0].name
    line = "#N number one\nx = 6, y = 3, rule = B36/S23\n2o2b2o$2o2b2o!"
    [entry] = read_collection(line).entries[:1]
    assert entry.rule == "B36/S23"


@pytest.mark.parametrize(
    "text",
    ["blinker", "BLINKER", "xp2_7", "o$o$o!", "x = 1, y = 3\no$o$o!", "O\nO\nO\n", " blinker \n"],
)
def test_a_blinker_by_any_name(text: str):
    pattern = name_pattern(text).normalized
    assert pattern in (Pattern.from_rle("3o!"), Pattern.from_rle("o$o$o!"))


def test_a_name_with_a_rule():
    assert str(name_pattern("block", rule="HighLife").rule) == "B36/S23"
    assert str(name_pattern("xs4_33", rule="HighLife").rule) == "B36/S23"


def test_unknown_cells_and_boxes_are_kept():
    drawn = name_partial("x = 5, y = 2\no?!")
    assert (str(drawn.box), drawn.unknown) == ("5x2", 1)
    with pytest.raises(UsageError, match="not a complete pattern"):
        name_pattern("o?!")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pulser", "'pulser' is neither .* did you mean 'pulsar'"),
        ("gospel glider gun", "did you mean 'Gosper glider gun'"),
        ("zzzzzz", "neither a pattern, an apgcode nor a name in the catalogue$"),
        ("xs5_33", "the code says 5 cells"),
        ("yl144_1_16_af", "does not hold the cells"),
        ("", "the text is empty"),
    ],
)
def test_near_misses_get_a_suggestion(text: str, message: str):
    with pytest.raises(UsageError, match=message):
        name_pattern(text)


def run(*words: str, stdin: str | None = None) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli, list(words), input=stdin)
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(own.VARIABLE, str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


NEW = name_pattern("xs14_j9a4zc93").to_rle()  # a still life that satlife's catalogue lacks


def test_importing_into_ones_own_catalogue(data: Path):
    (data / "new.rle").write_text(f"#N my table\n{NEW}\n")
    status, _, words = run("catalogue", "import", "new.rle")
    assert status == 0
    assert "1 object read: 1 new, 0 known already" in words
    assert (data / "data" / "catalogue.tsv").is_file()
    assert run("catalogue", "my table")[1].rstrip().endswith("my table")
    assert "0 new, 1 known already" in run("catalogue", "import", "new.rle")[2]
    assert ": my table, still life" in run("identify", "my table")[1]
    assert ": my table, still life" in run("identify", "new.rle")[1]


def test_importing_a_folder_tells_what_was_left_out(data: Path):
    folder = data / "collection" / "deep"
    folder.mkdir(parents=True)
    (folder / "a.rle").write_text(NEW)
    (folder / "b.rle").write_text("this is nothing!!")
    (folder / "c.jpg").write_text("not read")
    (data / "collection" / "codes.txt").write_text("xp2_7\nxp3_7\n")
    status, _, words = run("catalogue", "import", "collection")
    assert status == 0
    assert "2 objects read: 1 new, 1 known already; 2 not identified" in words
    assert "b.rle: " in words
    assert "codes.txt: line 2: xp3_7 is a" in words


def test_nothing_to_import(data: Path):
    (data / "none.txt").write_text("xp3_7\n")
    assert run("catalogue", "import", "none.txt")[0] == 1
    assert run("catalogue", "import", "missing.txt")[0] == 2
    assert run("catalogue", "import")[0] == 2


def test_a_file_of_ones_own(data: Path):
    (data / "new.rle").write_text(f"#N my table\n{NEW}\n")
    assert run("catalogue", "import", "new.rle", "--own", "mine.tsv")[0] == 0
    assert run("catalogue", "my table")[0] == 1
    assert run("catalogue", "my table", "--own", "mine.tsv")[0] == 0
    (data / "mine.tsv").write_text("nonsense")
    status, _, words = run("catalogue", "block", "--own", "mine.tsv")
    assert (status, "mine.tsv is not a catalogue" in words) == (2, True)


def test_what_is_imported_is_rejected(data: Path):
    search = ("still-life", "--box", "4x9", "--population", "=14", "--all", "--only-connected",
              "--reject", "known", "-q")  # fmt: skip
    (data / "new.rle").write_text(NEW)
    before = run(*search)
    assert run("catalogue", "import", "new.rle")[0] == 0
    after = run(*search)
    assert before[1].count("!") == after[1].count("!") + 1


def test_a_name_of_ones_own_is_known_everywhere(data: Path):
    search = ("oscillator", "2", "--box", "8x8", "--symmetry", "C4", "--only-connected", "--all")
    found = "xp2_31a04g53z65010246"
    assert found in run(*search)[1]
    (data / "codes.txt").write_text(f"{found} pinwheel of mine\n")
    assert run("catalogue", "import", "codes.txt")[0] == 0
    for word in ("Pinwheel of mine", found):
        assert found not in run(*search, "--reject", word)[1]
    _, patterns, words = run(*search, "--reject", "known")
    assert found not in patterns
    assert "2,372 objects are known" in words
    (data / "plan.toml").write_text(
        '[[search]]\nkind = "oscillator"\nperiods = 2\nsymmetries = "C4"\nboxes = "8x8"\n'
        'only_connected = true\nreject = ["quad", "phoenix 1"]\n'
    )
    assert (
        "found: pinwheel of mine (xp2_31" in run("campaign", "run", "plan.toml", "--jobs", "1")[2]
    )
    assert "pinwheel of mine" in run("campaign", "status", "plan.toml")[1]
    assert '"name":"pinwheel of mine"' in run("campaign", "results", "plan.toml", "--json")[1]


@pytest.mark.parametrize(
    ("system", "folder"), [(Unix, ".local/share"), (MacOS, "Library/Application Support")]
)
def test_where_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: type[PlatformDirsABC], folder: str
):
    monkeypatch.delenv(own.VARIABLE)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr(platformdirs, "PlatformDirs", system)
    assert own.find_file() == tmp_path / folder / "satlife" / "catalogue.tsv"
    monkeypatch.setenv("XDG_DATA_HOME", "/srv/data")
    assert own.find_file().as_posix() == "/srv/data/satlife/catalogue.tsv"
    monkeypatch.setenv(own.VARIABLE, str(tmp_path / "mine"))
    assert own.find_file() == tmp_path / "mine" / "catalogue.tsv"
    assert own.find_file("other.tsv") == Path("other.tsv")


@pytest.mark.skipif(sys.platform != "win32", reason="only Windows itself knows")
def test_where_it_is_on_windows(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv(own.VARIABLE)
    assert own.find_file() == Path(os.environ["LOCALAPPDATA"], "satlife", "catalogue.tsv")


def test_kinds_and_near_misses_on_the_command_line(data: Path):
    assert "xq4_153" in run("catalogue", "--kind", "ship")[1]
    assert "Gosper glider gun" in run("catalogue", "list", "--kind", "gun")[1]
    status, _, words = run("catalogue", "pulser")
    assert (status, "did you mean 'pulsar'?" in words) == (1, True)
    assert run("identify", "pulser")[0] == 2
    assert run("identify", "no-such-file.rle")[2].rstrip().endswith("no file no-such-file.rle")
    assert run("identify", "xp2_7")[1].startswith("xp2_7: blinker")
    assert run("identify", "-", stdin="pulsar")[1].startswith("xp3_")


def test_importing_a_zip_file_tells_what_was_new(data: Path):
    with ZipFile(data / "all.zip", "w", ZIP_DEFLATED) as archive:
        archive.writestr("deep/new.rle", f"#N my table\n{NEW}\n")
        archive.writestr("../../known.rle", Pattern.from_rle("3o!").to_rle())
        archive.writestr("lost.cells", "O\n")
        archive.writestr("large.txt", b" " * 10_000_001)
        archive.writestr("read.me", "xs4_33")
    status, _, words = run("catalogue", "import", "all.zip")
    assert status == 0
    assert "2 objects read: 1 new, 1 known already; 2 not identified; your catalogue is" in words
    assert "not identified: all.zip:lost.cells: 1 cell outside of objects that recur" in words
    assert "not identified: all.zip:large.txt: larger than 10 MB" in words
    assert sorted(path.name for path in data.rglob("*")) == ["all.zip", "catalogue.tsv", "data"]


@pytest.mark.parametrize(
    ("record", "place", "byte"),
    [
        (b"PK\1\2", 0, 0),
        pytest.param(b"PK\1\2", 6, 99, id="version"),
        pytest.param(b"PK\1\2", 46, 0xFF, id="name"),
        pytest.param(b"PK\5\6", 19, 0x7F, id="offset"),
    ],
)
def test_a_damaged_zip_file_is_said_to_be_one(data: Path, record: bytes, place: int, byte: int):
    (data / "folder").mkdir()
    (data / "folder" / "codes.txt").write_text("xp2_7\n")
    with ZipFile(data / "folder" / "all.zip", "w") as archive:
        archive.writestr("ñew.rle", NEW)
    content = bytearray((data / "folder" / "all.zip").read_bytes())
    content[content.index(record) + place] = byte
    (data / "folder" / "all.zip").write_bytes(content)
    status, _, words = run("catalogue", "import", "folder/all.zip")
    assert (status, "all.zip" in words, "internal" in words) == (2, True, False)
    status, _, words = run("catalogue", "import", "folder")
    assert (status, words.count("all.zip: ")) == (0, 1)
    assert "1 object read: 0 new, 1 known already; 1 not identified" in words


@pytest.mark.parametrize("method", [ZIP_DEFLATED, ZIP_BZIP2, ZIP_LZMA])
def test_a_damaged_file_in_a_zip_file_does_not_end_the_import(data: Path, method: int):
    with ZipFile(data / "all.zip", "w", method) as archive:
        archive.writestr("new.rle", NEW)
        archive.writestr("codes.txt", "xp2_7\n")
    content = bytearray((data / "all.zip").read_bytes())
    start = content.index(b"new.rle") + len("new.rle")
    content[start + 4 : start + 30] = b"\xff" * 26
    (data / "all.zip").write_bytes(content)
    status, _, words = run("catalogue", "import", "all.zip")
    assert (status, "not identified: all.zip:new.rle: " in words) == (0, True)
    assert "1 object read: 0 new, 1 known already; 1 not identified" in words


def test_files_beyond_the_limit_are_told(data: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(commands, "MOST_FILES", 2)
    with ZipFile(data / "all.zip", "w") as archive:
        for number in range(3):
            archive.writestr(f"{number}.txt", "xp2_7\n")
    status, _, words = run("catalogue", "import", "all.zip")
    assert (status, "not read: all.zip: all but the first 2 of 3 files\n" in words) == (0, True)


def test_a_file_that_holds_no_pattern_is_named(data: Path):
    (data / "empty.rle").write_text("")
    assert run("catalogue", "import", "empty.rle")[::2] == (
        2,
        "satlife: empty.rle: the text is empty\n",
    )
