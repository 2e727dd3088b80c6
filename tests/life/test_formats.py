"""Every format: round trips, detection, and readers that never fail in an unforeseen way."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import satlife.life.formats
from satlife.errors import FormatError, UsageError
from satlife.life import (
    ALIVE,
    DEAD,
    FORMATS,
    UNKNOWN,
    PartialPattern,
    Pattern,
    detect_format,
    find_format,
    read_pattern,
)
from satlife.life.formats.rle import LINE_LENGTH

near = st.integers(-40, 40)
rules = st.sampled_from(["B3/S23", "B36/S23", "B2/S"])
patterns = st.builds(Pattern.from_cells, st.sets(st.tuples(near, near), max_size=40), rules)
grids = st.integers(1, 12).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from([DEAD, ALIVE, UNKNOWN]), min_size=width, max_size=width),
        min_size=1,
        max_size=12,
    )
)
partials = st.builds(PartialPattern, grids, near, near, rules)

GLIDER = Pattern([[0, 1, 0], [0, 0, 1], [1, 1, 1]])
TEXTS = [
    "#N Glider\r\n#C a comment\r\nx = 3, y = 3, rule = B3/S23\r\nbob$2bo$3o!\r\n",
    "#CXRLE Pos=-1,20 Gen=3\nx=3,y=3\nbo$2bo\n$3o!",
    "x = 5, y = 2\n2?o2b$5?!",
    "!Name: Glider\n!Rule: B36/S23\n.O.\n..O\nOOO\n",
    ".?.\n..O",
    "#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1\n",
    ".*.\n..*\n***\n",
    "#Life 1.05\r\n#D Glider\r\n#N\r\n#P -1 -1\r\n.*.\r\n..*\r\n#P -1 1\r\n***\r\n",
]


@pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.name)
class TestEveryFormat:
    @settings(deadline=None)
    @given(pattern=patterns)
    @example(pattern=Pattern([]))
    @example(pattern=Pattern([], rule="B36/S23"))
    def test_reading_what_was_written(self, format_, pattern):
        expected = pattern if format_.keeps_position else pattern.normalized
        expected = expected if format_.keeps_rule else expected.with_rule("B3/S23")
        text = pattern.to_text(format_)
        assert read_pattern(text, format_) == expected
        assert not text.endswith("\n")
        for newline in ("\r\n", "\r"):
            assert read_pattern(text.replace("\n", newline) + newline, format_) == expected

    @settings(deadline=None)
    @given(pattern=patterns)
    def test_detection_of_what_was_written(self, format_, pattern):
        text = pattern.to_text(format_)
        assert format_.detect(text) or pattern.is_empty
        assert read_pattern(text) == read_pattern(text, format_)

    @settings(deadline=None)
    @given(partial=partials)
    def test_partial_patterns(self, format_, partial):
        if not format_.keeps_unknown:
            if not partial.is_complete:
                with pytest.raises(UsageError, match="holds known cells only: the cell at x="):
                    partial.to_text(format_)
            return
        expected = partial if format_.keeps_position else partial.shift(-partial.x, -partial.y)
        assert PartialPattern.from_text(partial.to_text(format_), format_) == expected

    @settings(deadline=None)
    @given(
        text=st.text(max_size=60)
        | st.text("bo$!?.O*AB0123456789#xy=, rule\r\n\t-", max_size=60)
        | st.text("0123456789 -+\n", max_size=60).map(lambda text: "#Life 1.06\n" + text)
    )
    @example(text="9" * 5000 + "o!")
    @example(text="x = " + "9" * 5000 + ", y = 3\no!")
    @example(text="x = 1000000, y = 1000000\no!")
    @example(text="1000000b" * 3 + "!")
    @example(text="1048576o1048576$o!")
    @example(text="1000000bo1000000$o!")
    @example(text="#CXRLE Pos=999999999,0\nx = 1, y = 1\no!")
    @example(text="#Life 1.06\n0 0\n1000000 1000000")
    @example(text="#Life 1.06\n" + "9" * 5000 + " 0")
    @example(text="²o!")
    @example(text="\ufeff#Life 1.06\n٣ 0")
    @example(text="\n" * 100_000 + "." * 100_000)
    def test_any_text_is_a_pattern_or_a_format_error(self, format_, text):
        try:
            read = read_pattern(text, format_)
        except FormatError:
            return
        assert isinstance(read, (Pattern, PartialPattern))

    @settings(deadline=None)
    @given(data=st.data())
    def test_damaged_text_is_a_pattern_or_a_format_error(self, format_, data):
        text = data.draw(
            st.sampled_from(TEXTS) | patterns.map(lambda pattern: pattern.to_text(format_))
        )
        for _ in range(data.draw(st.integers(1, 4))):
            at = data.draw(st.integers(0, len(text)))
            cut = data.draw(st.integers(0, 3))
            text = text[:at] + data.draw(st.text(max_size=2) | st.just("9" * 12)) + text[at + cut :]
        try:
            read = read_pattern(text, format_)
            assert isinstance(read, (Pattern, PartialPattern))
            read_pattern(text)
        except FormatError:
            return

    def test_it_is_found_by_name_and_by_suffix(self, format_):
        for name in (format_.name, format_.name.upper(), *format_.suffixes):
            assert find_format(name) is format_
        assert find_format(format_.suffixes[0].removeprefix(".")) is format_

    def test_several_generations_cannot_be_written(self, format_):
        with pytest.raises(UsageError, match="holds one generation, got 2"):
            PartialPattern(np.zeros((2, 3, 3))).to_text(format_)


def test_every_file_of_the_folder_is_in_the_tuple():
    folder = Path(satlife.life.formats.__file__).parent
    files = {path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")}
    assert files == {format_.name for format_ in FORMATS}
    suffixes = [suffix for format_ in FORMATS for suffix in format_.suffixes]
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("bo$2bo$3o!", "rle"),
        ("3o!", "rle"),
        ("#C only a comment\n\nx = 0, y = 0\n!", "rle"),
        ("X=3,Y=3\nbo$2bo$3o!", "rle"),
        ("bo$2bx$3o!", "rle"),
        ("!Name: Glider\n.O", "plaintext"),
        (".O\n..O\nOOO", "plaintext"),
        ("...", "plaintext"),
        ("\n.O?\n", "plaintext"),
        (".*\n..*\n***", "knuth"),
        ("#Life 1.06\n0 0", "life106"),
        ("#life 1.05\n#P 0 0\n***", "life105"),
        ("#Life 1.04\n***", "life106"),
    ],
)
def test_detection(text, name):
    assert detect_format(text).name == name


def test_nothing_to_detect():
    with pytest.raises(FormatError, match="the text is empty"):
        detect_format(" \n")
    with pytest.raises(FormatError, match="not a pattern in any known format"):
        detect_format("hello")
    with pytest.raises(
        UsageError, match=r"no format 'png'; one of life105 .*life106 \(.lif .life\), m"
    ):
        find_format("png")


@pytest.mark.parametrize("name", [None, "rle", ".rle", find_format("rle")])
def test_read_pattern(name):
    assert read_pattern("bo$2bo$3o!", name) == GLIDER


class TestRle:
    @pytest.mark.parametrize(
        "text",
        [
            "bo$2bo$3o!",
            "bob$2bo$3o!",
            "x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!",
            "x=3,y=3,rule=b3/s23\nbo$2bo$3o!",
            "X = 3 , Y = 3 , RULE = 23/3\nbo$2bo$3o!",
            "x = 3, y = 3\nbo$2bo$3o!",
            "x = 30, y = 30\nbo$2bo$3o!",
            "x = 0, y = 0\nbo$2bo$3o!",
            "#N Glider\n#O Richard K. Guy\n#C 1969\nx = 3, y = 3\nbo$2bo$3o!",
            "#r 23/3\nbo$2bo$3o!",
            "bo$2bo$\n#C in between\n3o!",
            "\n\nbo$2\nbo$ 3 o ! and what follows 99 bottles",
            "bo$2bo$ooo\n!\no!",
            ".A$..A$3A!",
            "BO$2BO$3O!",
            "\ufeffbo$2bo$3o!",
        ],
    )
    def test_spellings_of_a_glider(self, text):
        for newline in ("\n", "\r\n", "\r"):
            assert Pattern.from_rle(text.replace("\n", newline)) == GLIDER

    @pytest.mark.parametrize(
        "place", ["#CXRLE Pos=-3,7", "#CXRLE Gen=5 Pos=-3,7", "#P -3 7", "#R -3 7", "#P -3,7"]
    )
    def test_place(self, place):
        assert Pattern.from_rle(f"{place}\nbo$2bo$3o!") == GLIDER.shift(-3, 7)

    def test_writing(self):
        assert GLIDER.to_rle() == "x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!"
        assert (
            GLIDER.shift(2, -1).with_rule("HighLife").to_rle()
            == "#CXRLE Pos=2,-1\nx = 3, y = 3, rule = B36/S23\nbo$2bo$3o!"
        )
        assert Pattern([]).to_rle() == "x = 0, y = 0, rule = B3/S23\n!"
        assert Pattern([[1], [0], [0], [1]]).to_rle().endswith("\no3$o!")

    @settings(deadline=None, max_examples=30)
    @given(st.integers(0, 2**32 - 1))
    def test_lines_are_short_and_runs_are_whole(self, seed):
        soup = Pattern(np.random.default_rng(seed).random((30, 60)) < 0.4)
        body = [line for line in soup.to_rle().split("\n") if line[0] not in "#x"]
        assert max(map(len, body)) <= LINE_LENGTH
        assert not any(line[-1].isdigit() for line in body)

    @pytest.mark.parametrize(
        ("text", "line", "column", "reason"),
        [
            ("x = 3, y = 3\nbo$2bx$3o!", 2, 6, "'x' has no meaning here; expected b, o, "),
            ("bo$2bo$3o", 1, 10, "no '!' at the end; the text may be cut off"),
            ("", 1, 1, "no '!' at the end"),
            ("bo$\n\n2bo3!", 3, 5, "a number before the '!'"),
            ("bo3 4o!", 1, 5, "a number is cut in two by a blank"),
            ("bo1 \n2o!", 2, 1, "a number is cut in two by a blank"),
            (
                "#P 99999999999999999999 0\no!",
                1,
                4,
                r"999999999\.\.\. \(20 digits\) is too far away",
            ),
            ("#CXRLE Pos=0,-9999999\no!", 1, 14, "-9999999 is too far away; to 1048576"),
            (f"#R {'9' * 5000} 0\no!", 1, 4, r"999999999\.\.\. \(5000 digits\) is too far away"),
            ("0o!", 1, 1, "a run of 0 cells; from 1 to 1048576"),
            ("bo\r99999999o!", 2, 1, "a run of 99999999 cells; from 1 to 1048576"),
            ("9" * 5000 + "o!", 1, 1, r"a run of 999999999\.\.\. \(5000 digits\) cells"),
            ("1000000b1000000b!", 1, 16, "the pattern is too large"),
            ("x = 3, z = 3\no!", 1, 1, "the header should read like 'x = 3, y = 3, rule = B3/S23'"),
            ("#C\nx = 3, y = 3, rule = B33/S23\no!", 2, 22, "the digit 3 twice"),
            ("x = 3, y = 3, rule = WireWorld\no!", 1, 22, "tables of their own"),
            ("#r nonsense\no!", 1, 4, "'nonsense' is not a rule"),
            ("x = 3, y = 9999999\no!", 1, 12, "a size of 9999999 is too large"),
            ("x = 99999, y = 99999\no!", 1, 5, "a box of 99999x99999 is too large"),
            ("2A$C!", 1, 4, "C is state 3, but the rule B3/S23 has 2 states; name its rule"),
            ("2A$B!", 1, 4, "B is state 2, but the rule B3/S23 has 2 states"),
            ("x = 1, y = 1, rule = 345/2/4\n2A$D!", 2, 4, "D is state 4, .* 345/2/4 has 4 states"),
            ("x = 1, y = 1, rule = 345/2/4\npA!", 2, 1, "pA is state 25, but"),
        ],
    )
    def test_what_is_wrong_and_where(self, text, line, column, reason):
        with pytest.raises(FormatError, match=f"^line {line}, column {column}: .*{reason}") as info:
            Pattern.from_rle(text)
        assert (info.value.line, info.value.column) == (line, column)

    def test_too_large_in_the_end(self):
        with pytest.raises(FormatError, match="a box of 100000x100001 cells is too large"):
            Pattern.from_rle("100000o100000$o!")


class TestPlaintext:
    def test_reading(self):
        text = "!Name: Glider\n!\n.O\n..O\nO*O  \n\n"
        assert Pattern.from_plaintext(text) == GLIDER
        assert Pattern.from_plaintext("\n.O\n..O\nOOO") == GLIDER.shift(0, 1)

    def test_writing(self):
        assert GLIDER.shift(5, 5).to_plaintext() == ".O.\n..O\nOOO"
        assert GLIDER.with_rule("B36/S23").to_plaintext() == "!Rule: B36/S23\n.O.\n..O\nOOO"
        assert Pattern([]).to_plaintext() == "."

    def test_what_is_wrong_and_where(self):
        with pytest.raises(FormatError, match=r"^line 3, column 2: 'x' is not a cell; write O for"):
            Pattern.from_plaintext("!Name\n.O\nOxO")
        with pytest.raises(FormatError, match=r"^line 2, column 8: .*the digit 2 twice"):
            Pattern.from_plaintext(".O\n!Rule: B22/S12")


class TestLife106:
    def test_reading_and_writing(self):
        text = "#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1"
        assert Pattern.from_life106(text) == GLIDER.shift(-1, -1)
        assert GLIDER.shift(-1, -1).to_life106() == text

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            (
                "#Life 1.04\n#P 0 0",
                "^line 1, column 1: '#Life 1.04' is not supported; only #Life 1",
            ),
            ("#Life 1.06\n0 0\n  1", "^line 3, column 3: '1' is not a cell; write two numbers"),
            (
                "#Life 1.06\n0 2000000",
                r"^line 2, column 1: the cell \(0, 2000000\) is too far away",
            ),
            ("#Life 1.06\n0 0\n99999 99999", "a box of 100000x100000 cells is too large"),
        ],
    )
    def test_what_is_wrong_and_where(self, text, reason):
        with pytest.raises(FormatError, match=reason):
            Pattern.from_life106(text)


class TestKnuth:
    def test_reading_and_writing(self):
        assert Pattern.from_knuth(".*.\n..*\n***\n") == GLIDER
        assert GLIDER.to_knuth() == ".*.\n..*\n***"

    def test_what_is_wrong_and_where(self):
        with pytest.raises(
            FormatError, match=r"^line 2, column 3: 'O' is not a cell; write \* for"
        ):
            Pattern.from_knuth(".*.\n..O")


@pytest.mark.parametrize("text", ["1\n2o!", "1\r\n2o!", "2o1\n0o!", "12o!"])
def test_a_number_goes_on_in_the_next_line(text: str) -> None:
    """As bgolly 3.3 reads these texts."""
    assert Pattern.from_rle(f"x = 12, y = 1, rule = B3/S23\n{text}\n").population == 12


@pytest.mark.parametrize(
    ("text", "box"),
    [("o$b!", "1x2"), ("3o2b!", "5x1"), ("3b$o!", "3x2"), ("o2$!", "1x1"), ("b!", "1x1")],
)
def test_without_a_header_the_box_is_what_is_drawn(text, box):
    assert str(PartialPattern.from_rle(text).box) == box


class TestLife105:
    # The first lines of a gun as the format's own description has them: one block for each part.
    TEXT = "#Life 1.05\n#D two parts\n#R 23/36\n#P -2 -1\n.*\n..*\n***\n#P 3 0\n**\n\n**\n"

    def test_blocks_are_one_pattern(self):
        read = read_pattern(self.TEXT)
        assert read == Pattern.from_rle(
            "#P -2 -1\nx = 7, y = 4, rule = B36/S23\nbo$2bo2b2o$3o$5b2o!"
        )

    def test_blocks_may_overlap(self):
        assert read_pattern("#Life 1.05\n#P 0 0\n**.\n#P 1 0\n.*") == Pattern.from_rle("3o!")

    def test_a_torus_is_read(self):
        read = read_pattern("#Life 1.05\n#R 23/3:T8,6\n#P 0 0\n***")
        assert read == read_pattern("x = 3, y = 1, rule = B3/S23:T8,6\n3o!")
        with pytest.raises(FormatError, match="the cells, 9x1, do not fit on the torus :T8,6"):
            read_pattern("#Life 1.05\n#R 23/3:T8,6\n#P 0 0\n*********")

    def test_a_pattern_is_one_block(self):
        written = GLIDER.with_rule("B36/S23").shift(-1, -1).to_text("life105")
        assert written == "#Life 1.05\n#R 23/36\n#P -1 -1\n.*.\n..*\n***"
        assert GLIDER.to_text("life105").splitlines()[1] == "#N"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("#Life 1.05\n#P 0\n*", "^line 2, column 1: write a place to .*, such as '#P -3 5'"),
            ("#Life 1.05\n#P 0 9999999\n*", "^line 2, column 1: write a place to "),
            ("#Life 1.05\n.*\n.o", "^line 3, column 2: 'o' is not a cell; write . and \\*"),
            ("#Life 1.05\n#R 23/x\n*", "^line 2, column 3: '23/x' is not a rule"),
            ("#Life 1.05\n#P 0 0\n*\n#P 99999 99999\n*", "is too large"),
        ],
    )
    def test_errors(self, text, message):
        with pytest.raises(FormatError, match=message):
            read_pattern(text)
