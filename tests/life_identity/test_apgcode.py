"""The code itself: zero runs, limits, and texts that are no codes."""

from __future__ import annotations

import numpy as np
import pytest

from satlife.errors import FormatError, UsageError
from satlife.life import Pattern
from satlife.life.identity import apgcode, from_apgcode
from satlife.life.identity.apgcode import decode_word, encode_cells

BLOCK = Pattern.from_rle("2o$2o!")


def two_blocks(dx: int, dy: int) -> Pattern:
    return BLOCK | BLOCK.shift(dx, dy)


@pytest.mark.parametrize(
    ("rle", "code"),
    [
        ("!", "xs0_0"),
        ("2o$2o!", "xs4_33"),
        ("3o!", "xp2_7"),
        ("bo2bo$o$o3bo$4o!", "xq4_6frc"),
        ("2bo4bo$2ob4ob2o$2bo4bo!", "xp15_4r4z4r4"),
    ],
)
def test_codes_that_everybody_knows(rle: str, code: str):
    assert apgcode(Pattern.from_rle(rle)) == code


@pytest.mark.parametrize(
    ("zeros", "word"),
    [
        (1, "0"),
        (2, "w"),
        (3, "x"),
        (4, "y0"),
        (13, "y9"),
        (14, "ya"),
        (39, "yz"),
        (40, "yz0"),
        (41, "yzw"),
        (43, "yzy0"),
        (78, "yzyz"),
        (79, "yzyz0"),
    ],
)
def test_runs_of_empty_columns(zeros: int, word: str):
    cells = np.zeros((1, zeros + 2), dtype=np.uint8)
    cells[0, [0, -1]] = 1
    assert encode_cells(cells) == f"1{word}1"
    assert np.array_equal(decode_word(f"1{word}1"), cells)


def test_strips_are_five_rows_and_end_at_their_last_cell():
    cells = np.zeros((16, 3), dtype=np.uint8)
    cells[0, 0] = cells[4, 2] = cells[15, 1] = 1
    assert encode_cells(cells) == "10gzzz01"


def test_dead_margins_at_the_end_do_not_count():
    assert encode_cells(np.pad(BLOCK.cells, ((0, 30), (0, 30)))) == "33"


def test_the_largest_box_has_40000_cells_with_its_margin():
    assert apgcode(two_blocks(196, 196)).startswith("xs8_33z")  # 198x198
    assert apgcode(two_blocks(196, 197)) == "ov_s8"
    assert apgcode(two_blocks(196, 197), unlimited=True).startswith("xs8_33z")


def test_one_phase_that_fits_is_enough():
    blinker = Pattern.from_rle("3o!")
    pair = BLOCK | blinker.shift(98, 388)
    assert [str(pair[t].box) for t in (0, 1)] == ["101x389", "100x390"]  # 40273 and 39984
    assert apgcode(pair).startswith("xp2_")
    assert apgcode(pair) == apgcode(pair[1])
    larger = BLOCK | blinker.shift(100, 388)
    assert [str(larger[t].box) for t in (0, 1)] == ["103x389", "102x390"]  # 41055 and 40768
    assert apgcode(larger) == "ov_p2"


def test_a_long_word_is_too_large():
    # 41 x 41 blocks in 122x122 cells: the box is small enough, the word is not.
    cells = np.zeros((122, 122), dtype=np.uint8)
    for x in range(0, 122, 3):
        for y in range(0, 122, 3):
            cells[y : y + 2, x : x + 2] = 1
    blocks = Pattern(cells)
    assert len(apgcode(blocks, unlimited=True)) > 1280
    assert apgcode(blocks) == f"ov_s{blocks.population}"


def test_a_pattern_that_does_not_recur_has_no_code():
    with pytest.raises(UsageError, match="no apgcode: it dies in generation 1"):
        apgcode(Pattern.from_rle("o!"))
    with pytest.raises(UsageError, match="it does not recur within 20 generations"):
        apgcode(Pattern.from_rle("b2o$2o$bo!"), generations=20)


def test_a_code_may_come_without_its_prefix_and_with_spaces():
    assert from_apgcode(" xq4_153\n") == from_apgcode("153")


def test_a_code_is_read_with_a_rule():
    assert str(from_apgcode("xp2_7", "HighLife").rule) == "B36/S23"


def test_a_word_may_begin_with_empty_columns():
    assert from_apgcode("w33") == BLOCK


def test_the_empty_pattern_reads_back():
    assert from_apgcode("xs0_0").is_empty
    assert from_apgcode("0").is_empty


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("", "is not an apgcode"),
        ("xs_33", "is not an apgcode"),
        ("xr4_33", "is not an apgcode"),
        ("xs4_", "is not an apgcode"),
        ("xs04_33", "is not an apgcode"),
        ("xs4_3_3", "column 6: '_' has no meaning"),
        ("xs4_3!", "column 6: '!' has no meaning"),
        ("xs4_3Y", "column 6: 'Y' has no meaning"),
        ("xs4_33y", "column 7: y needs a digit"),
        ("xs4_33y!", "column 8: y needs a digit"),
        ("33é", "column 3: 'é' has no meaning"),
        ("xs5_33", "says 5 cells, but its word has 4"),
        ("ov_p30", "does not hold the cells"),
        ("yl144_1_16_afb5f3db909e60548f086e22ee3353ac", "does not hold the cells"),
        ("zz_LINEAR", "does not hold the cells"),
        ("PATHOLOGICAL", "does not hold the cells"),
    ],
)
def test_texts_that_are_no_codes(code: str, message: str):
    with pytest.raises(FormatError, match=message.replace("(", r"\(")):
        from_apgcode(code)


def test_a_short_code_cannot_ask_for_gigabytes():
    with pytest.raises(UsageError, match=r"too (large|far)"):
        from_apgcode("1" + "yz" * 20_000 + "1" + "z" * 20_000 + "1")


@pytest.mark.parametrize("rule", ["B/S01234V", "B4/S123V", "B/S012345678", "B8/S123"])
def test_an_object_has_one_code_in_every_orientation_of_the_square(rule: str) -> None:
    drawings = (
        "3o$o!",
        "o$o$2o!",
        "3o$2bo!",
        "2o$o$o!",
        "o$3o!",
        "2o$bo$bo!",
        "2bo$3o!",
        "bo$bo$2o!",
    )
    patterns = [Pattern.from_rle(rle).with_rule(rule) for rle in drawings]
    assert len({apgcode(each) for each in patterns}) == 1


def test_what_only_a_hexagon_turns_into_each_other_has_two_codes_on_the_square() -> None:
    row, diagonal = (Pattern.from_rle(rle) for rle in ("2o!", "o$bo!"))
    codes = [
        {apgcode(each.with_rule(rule)) for each in (row, diagonal)}
        for rule in ("B/S012345678", "B/S01234V", "B3/S0123456H")
    ]
    assert list(map(len, codes)) == [2, 2, 1]
