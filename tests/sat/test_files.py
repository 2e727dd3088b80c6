"""The file formats: literal texts, round trips, errors with their places, any bytes at all."""

from __future__ import annotations

import contextlib
import gzip
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import satlife.sat.files
from satlife.errors import FormatError, UsageError
from satlife.sat import FORMATS, Block, Formula, detect_format, dumps, find_format, loads
from satlife.sat import read_formula as read
from satlife.sat import write_formula as write

clauses = st.lists(st.lists(st.integers(-6, 6).filter(bool), max_size=5), max_size=12)
words = st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), max_size=12)
a_name = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=9).filter(
    lambda name: not name.startswith("~")
)


@st.composite
def formulas(draw: st.DrawFn) -> Formula:
    blocks = draw(st.lists(st.tuples(st.sampled_from(["", "cage", "a b"]), clauses), max_size=4))
    known = draw(st.booleans())
    names = draw(st.lists(a_name | st.just(""), min_size=7, max_size=7)) if known else [""] * 7
    distinct = [name if names.index(name) == i else "" for i, name in enumerate(names)]
    return Formula(
        tuple(Block.from_clauses(origin, rows) for origin, rows in blocks),
        7,
        np.array(distinct, np.bytes_) if known else None,
        tuple(draw(st.lists(words.map(lambda text: f"w {text}".rstrip()), max_size=3))),
    )


@given(formulas())
def test_dimacs_round_trip(formula: Formula) -> None:
    back = loads(dumps(formula, "dimacs"), "dimacs")
    assert back == formula
    assert back.comments == formula.comments
    text = dumps(back, "dimacs")
    assert dumps(loads(text, "dimacs"), "dimacs") == text


@given(formulas())
def test_block_origins_round_trip_through_dimacs(formula: Formula) -> None:
    def by_clause(formula: Formula) -> list[tuple[str, tuple[int, ...]]]:
        return [(block.origin, clause) for block in formula.blocks for clause in block]

    assert by_clause(loads(dumps(formula, "dimacs"), "dimacs")) == by_clause(formula)


@given(formulas())
def test_knuth_round_trip_up_to_numbering(formula: Formula) -> None:
    back = loads(dumps(formula, "knuth"), "knuth")
    assert back.comments == formula.comments

    def named(formula: Formula) -> list[list[tuple[bool, str]]]:
        return [[(lit < 0, formula.name(abs(lit))) for lit in clause] for clause in formula]

    if formula.names is None or "#" not in dumps(formula, "knuth"):
        assert named(back) == named(formula)
    assert loads(dumps(back, "knuth"), "knuth") == back
    assert [len(clause) for clause in back] == [len(clause) for clause in formula]


def test_knuth_text_of_numbers_is_a_formula_without_names() -> None:
    formula = Formula.from_clauses([(3, -1), (2,)])
    assert dumps(formula, "knuth") == " 3 ~1\n 2\n"
    assert loads(" 3 ~1\n 2\n", "knuth") == formula
    assert loads(" 3 ~1\n", "knuth").names is not None


def test_knuth_names_that_look_like_numbers_of_others() -> None:
    formula = Formula.from_clauses([(1, 2)], names=["2", ""])
    assert dumps(formula, "knuth") == " 2 #2\n"


def test_knuth_literal_text() -> None:
    text = "~ sat-life-grid 2 2 1\n 1a1 ~1b1\n~0b2\n\n ~1!~ 1a1 1a1\r\n10a11x"
    formula = loads(text, "knuth")
    assert list(formula) == [(1, -2), (-3,), (), (-4, 1, 1), (5,)]
    assert formula.names is not None
    assert formula.names.tolist() == [b"1a1", b"1b1", b"0b2", b"1!~", b"10a11x"]
    assert formula.comments == ("sat-life-grid 2 2 1",)
    assert loads("~ \na\n", "knuth").comments == ("",)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a b\na ~ b\n", "line 2, column 3"),
        ("~\n", "line 1, column 1"),
        (" ~~x\n", "line 1, column 2"),
        ("~ fine\na é\n", "line 2, column 3"),
        ("a \x01\n", "line 1, column 3"),
        (" " + "x" * 1000, "line 1, column 2"),
    ],
)
def test_knuth_errors_say_where(text: str, place: str) -> None:
    with pytest.raises(FormatError, match=place):
        loads(text, "knuth")


@pytest.mark.parametrize(
    "text",
    [
        "p cnf 3 2\n1 -2 0\n3 0\n",
        "1 -2 0 3 0",
        "1 -2 0 3",
        "1\n-2\n\n0\n\t3\r\n0",
        "c a word\n1 -2\nc amid a clause\n0\np cnf 3 2\n3 0\n",
        "  c indented\n p  cnf\t3  2 \r\n1 -2 0\r\n3 0\r\n",
        "p cnf 3 2\n1 -2 0\n3 0\n%\n0\n\n",
        "p cnf 3 2\n01 -002 0 3 0",
    ],
)
def test_dimacs_spellings_of_one_formula(text: str) -> None:
    assert loads(text, "dimacs") == Formula.from_clauses([(1, -2), (3,)])


def test_dimacs_literal_text() -> None:
    formula = Formula(
        (Block.from_rows("transition", [[1, -12], [12, 3]]), Block.from_rows("", [[-3]])),
        12,
        np.array([b"3a4", *[b""] * 10, b"x"]),
        ("a comment", ""),
    )
    assert dumps(formula, "dimacs") == (
        "c a comment\nc\nc name 1 3a4\nc name 12 x\nc clauses 1-2 transition\np cnf 12 3\n"
        "1 -12 0\n12 3 0\n-3 0\n"
    )
    assert loads(dumps(formula, "dimacs"), "dimacs").comments == ("a comment", "")


@pytest.mark.parametrize("variables", [12_345, 10**9])  # one table for all, and one for each piece
def test_dimacs_writes_numbers_as_python_does(variables: int) -> None:
    literals = np.array([*range(-12_345, 12_346), variables, -variables, 0], np.int32)
    _, _, text = dumps(Formula.from_arrays(literals)).partition("\n")
    assert text == "".join(f"{n} " if n else "0\n" for n in literals.tolist())


def test_dimacs_empty_clauses_and_empty_texts() -> None:
    assert list(loads("p cnf 1 2\n0\n0\n", "dimacs")) == [(), ()]
    assert loads("", "knuth") == Formula()
    assert loads("p cnf 5 0\n", "dimacs").variables == 5


@pytest.mark.parametrize("text", ["", "\n", "c words\n", "%\n"])
def test_a_text_without_p_line_and_clauses_is_refused_as_kissat_refuses_it(text: str) -> None:
    with pytest.raises(FormatError, match="neither a p line nor a clause"):
        loads(text, "dimacs")


@pytest.mark.parametrize("data", [b"", b"\n", b" \n\t\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_not_a_formula_of_any_format(data: bytes) -> None:
    with pytest.raises(FormatError, match="the text is empty"):
        read(io.BytesIO(data))


@pytest.mark.parametrize("text", ["p cnf 2 1\n1 -2 0\n", "c name 1 a\n1 0\n", "a ~b\n"])
def test_a_bom_before_a_formula_is_no_part_of_it(text: str) -> None:
    assert read(io.BytesIO(b"\xef\xbb\xbf" + text.encode())) == read(io.BytesIO(text.encode()))


def test_a_short_text_with_names_takes_little_memory() -> None:
    with pytest.raises(FormatError, match="too long for 999999999 variables"):
        loads("c name 1 a\np cnf 999999999 1\n1 0\n", "dimacs")


def test_dimacs_comments_stand_above_the_clauses_where_every_checker_reads_them() -> None:
    blocks = (Block.from_rows("a", [[1]]), Block.from_rows("", [[2]]), Block.from_rows("b", [[3]]))
    text = dumps(Formula(blocks, 3), "dimacs")
    assert "c" not in text.partition("p cnf")[2].partition("\n")[2]
    assert loads(text, "dimacs").blocks == blocks


@pytest.mark.parametrize("foreign", ["c clauses 2-1 x", "c clauses 0-1 x", "c clauses 5-9 x"])
def test_dimacs_other_peoples_comments_do_no_harm(foreign: str) -> None:
    formula = loads(f"{foreign}\n1 2 0 4 0\n", "dimacs")
    assert [(block.origin, list(block)) for block in formula.blocks] == [("", [(1, 2), (4,)])]


@given(st.integers(1, 2**31 - 1), st.integers(1, 2**31 - 1))
def test_large_numbers(one: int, other: int) -> None:
    formula = Formula.from_clauses([(one, -other)])
    assert loads(dumps(formula, "dimacs"), "dimacs") == formula


alphabet = st.sampled_from(b"0123456789 -\n\t\rcp%~anmelockf\x00\xff.").map(lambda c: bytes([c]))
likely = st.sampled_from(
    [b"p cnf 3 2\n", b"c name 1 a\n", b"c clauses 1-2 b\n", b"1 -2 0\n", b"\n~ x\n"]
)
garbage = st.lists(alphabet | likely | st.binary(max_size=3), max_size=25).map(b"".join)


@given(garbage)
def test_any_bytes_are_a_formula_or_a_format_error(data: bytes) -> None:
    for form in FORMATS:
        try:
            formula = form.read(io.BytesIO(data))
        except FormatError:
            continue
        assert formula.clauses == len(list(formula))
    with contextlib.suppress(FormatError):
        read(io.BytesIO(data))


@given(st.text(st.characters(), max_size=30))
def test_any_text_is_a_formula_or_a_format_error(text: str) -> None:
    for form in FORMATS:
        try:
            loads(text, form.name)
        except FormatError:
            continue


@pytest.mark.parametrize("suffix", [".cnf", ".sat", ".cnf.gz", ".sat.xz", ".dimacs.bz2", ".txt"])
def test_paths(tmp_path: Path, suffix: str) -> None:
    formula = Formula.from_clauses([(1, -2), (2,)], comments=["words"])
    path = tmp_path / f"formula{suffix}"
    write(formula, path)
    first = path.read_bytes()
    assert read(path) == formula
    assert read(str(path)).comments == ("words",)
    write(formula, path)
    assert path.read_bytes() == first


def test_knuth_text_under_a_dimacs_name_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "golden.cnf.gz"
    path.write_bytes(gzip.compress(b"~ sat-life-grid\n 1a1 ~2a2\n"))
    assert list(read(path)) == [(1, -2)]


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".bz2"])
def test_damaged_compressed_files(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.cnf{suffix}"
    write(Formula.from_clauses([(1, -2)] * 1000), path)
    data = path.read_bytes()
    for damaged in (data[: len(data) // 2], b"junk" + data, data[:12] + b"\xff" * 30):
        path.write_bytes(damaged)
        with pytest.raises(FormatError, match="damaged"):
            read(path)


def test_missing_file_stays_an_os_error(tmp_path: Path) -> None:
    for name in ("none.cnf", "none.cnf.gz"):
        with pytest.raises(FileNotFoundError):
            read(tmp_path / name)


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"c words\n", "dimacs"),
        (b"c w\np cnf 1 1\n", "dimacs"),
        (b"1 -2 0\n", "dimacs"),
        (b"0\n", "dimacs"),
        (b" 1 ~2\n", "knuth"),
        (b"~ c\n a b\n", "knuth"),
        (b"c d\nd e\n", "knuth"),
        (b"1 2\n", "knuth"),
    ],
)
def test_detection(head: bytes, name: str) -> None:
    assert detect_format(head).name == name


def test_reading_a_stream_does_not_close_it() -> None:
    stream = io.BytesIO(b"1 2 0\n")
    assert read(stream).clauses == 1
    assert not stream.closed
    out = io.BytesIO()
    write(Formula.from_clauses([(1,)]), out, format="knuth")
    assert out.getvalue() == b" 1\n"


def test_find_format() -> None:
    assert find_format("DIMACS").name == "dimacs"
    with pytest.raises(UsageError, match="did you mean dimacs"):
        find_format("dimac")
    with pytest.raises(UsageError, match="use one of dimacs, knuth"):
        find_format("xml")


def test_formats_and_folder_agree() -> None:
    folder = Path(satlife.sat.files.__file__).parent
    helpers = {"paths", "render", "tokens"}
    stems = {path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")}
    modules = stems - helpers
    assert modules == {form.name for form in FORMATS}
