"""All patterns of a height have parents: the search, the check, and a brute force."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import satlife
from atlas.parents import search
from atlas.parents_check import RECENT, Family, complaints, read_family
from atlas.table import DATA, ROOT
from satlife.errors import FormatError
from satlife.problem.outcome import Found, Impossible

FAMILIES = sorted((DATA / "orphans").glob("parents-*"))


def count_children(birth: str, survival: str, width: int, height: int) -> int:
    """Return how many patterns of a size have a parent: all boards are run, one by one."""
    numbers = np.arange(1 << (width + 2) * (height + 2), dtype=np.uint32)
    born = np.array([str(n) in birth for n in range(9)])
    stays = np.array([str(n) in survival for n in range(9)])
    children = np.zeros(len(numbers), np.int64)

    def cell(x: int, y: int) -> np.ndarray:
        return (numbers >> (y * (width + 2) + x) & 1).astype(np.uint8)

    for y, x in product(range(1, height + 1), range(1, width + 1)):
        around = sum(
            cell(x + dx, y + dy) for dx, dy in product((-1, 0, 1), repeat=2) if (dx, dy) != (0, 0)
        )
        alive = np.where(cell(x, y), stays[around], born[around])
        children = children << 1 | alive
    return len(np.unique(children))


RULES = ("3/23", "36/23", "4/", "2/", "1/", "34/8", "8/8", "/2", "1357/02468", "3/012345678")


@pytest.mark.parametrize("words", RULES)
def test_the_narrowest_orphan_is_that_of_the_brute_force(words: str) -> None:
    birth, survival = words.split("/")
    for height in (1, 2):
        answer = search(f"B{birth}/S{survival}", height)
        found = answer.orphan.box.width if answer.orphan else None
        for width in range(1, 5 - height + 1):
            complete = count_children(birth, survival, width, height) == 1 << width * height
            assert complete == (found is None or width < found), (height, width)


def find_narrowest(birth: str, survival: str) -> int | None:
    """Return the width of the narrowest orphan one cell high: all sets of pairs, none left out."""
    columns = range(8)
    pairs = list(product(columns, repeat=2))

    def follow(a: int, b: int, c: int) -> bool:
        around = sum(column.bit_count() for column in (a, b, c)) - (b >> 1 & 1)
        return str(around) in (survival if b >> 1 & 1 else birth)

    reached, seen, width = {frozenset(pairs)}, set[frozenset[tuple[int, int]]](), 0
    while reached:
        if frozenset() in reached:
            return width
        seen |= reached
        width += 1
        reached = {
            frozenset((b, c) for a, b in here for c in columns if follow(a, b, c) == alive)
            for here in reached
            for alive in (False, True)
        } - seen
    return None


@pytest.mark.parametrize("words", [*RULES, "8/0178", "5/0178", "68/1238"])
def test_no_orphan_is_narrower_though_smaller_sets_replace_larger_ones(words: str) -> None:
    birth, survival = words.split("/")
    found = search(f"B{birth}/S{survival}", 1).orphan
    assert (found.box.width if found else None) == find_narrowest(birth, survival)


@pytest.mark.parametrize(
    "words",
    [
        ["2", "--rule", "bogus"],
        ["1", "--rule", "B2/S/3"],
        ["--check", "nothing.txt"],
        ["--check", "README.md"],
    ],
)
def test_wrong_words_end_with_a_sentence(words: list[str]) -> None:
    command = [sys.executable, "-m", "atlas", "parents", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("rule", "width"), [("B1/S", 8), ("B2/S", 12)])
def test_an_orphan_is_one_and_loses_it_with_its_last_column(rule: str, width: int) -> None:
    found = search(rule, 2).orphan
    assert found is not None
    assert (found.box.width, found.box.height) == (width, 2)
    cut = satlife.PartialPattern(found.states[0][:, :-1], 0, 0, rule)
    assert isinstance(satlife.find(satlife.orphan(found)), Impossible)
    assert isinstance(satlife.find(satlife.orphan(cut)), Found)


@pytest.mark.parametrize("path", FAMILIES, ids=lambda path: path.stem)
def test_recorded_families_are_closed(path: Path) -> None:
    family = read_family(path)
    assert list(complaints(family)) == []
    assert str(family.rule) == "B3/S23"
    assert f"parents-{family.height}" in path.stem


def test_the_search_writes_what_the_check_accepts(tmp_path: Path) -> None:
    path = tmp_path / "family.txt"
    answer = search("B36/S23", 2)
    answer.write(path)
    assert not list(complaints(read_family(path)))


def test_too_many_sets_are_no_answer() -> None:
    answer = search("B3/S23", 3, most=20)
    assert answer.words == ()
    assert answer.orphan is None


def test_forged_families_are_refused() -> None:
    family = read_family(FAMILIES[1])
    words = family.words
    forged = {
        "nothing": replace(family, words=()),
        "one word": replace(family, words=words[:1]),
        "unsorted": replace(family, words=words[::-1]),
        "a word twice": replace(family, words=(words[0], *words)),
        "another height": replace(family, height=1),
        "another rule": replace(family, rule=satlife.Rule("B4/S")),
        "a rule that has orphans": replace(family, rule=satlife.Rule("B2/S")),
        "more states": replace(family, rule=satlife.Rule("B2/S/3")),
    }
    for name, each in forged.items():
        assert list(complaints(each)), name


@pytest.mark.parametrize("height", [1, 2])
def test_a_family_needs_every_word_that_alone_has_its_last_columns(height: int) -> None:
    family = read_family(FAMILIES[height - 1])
    groups = Counter(word[-RECENT:] for word in family.words)
    for word in family.words:
        left = replace(family, words=tuple(each for each in family.words if each != word))
        if groups[word[-RECENT:]] == 1:
            assert list(complaints(left)), word


def test_a_family_of_a_rule_with_orphans_leads_to_the_empty_set() -> None:
    words = tuple(sorted("".join(each) for each in product("0123", repeat=RECENT)))
    orphaned = Family(satlife.Rule("B2/S"), 2, words)
    assert "contains no set" in next(complaints(orphaned))
    orphan = search("B2/S", 2).empty
    assert orphan is not None
    longer = replace(orphaned, words=tuple(sorted((*words, orphan))))
    assert "empty set" in next(complaints(longer))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "all patterns of B3/S23, 9 high, have parents\n0\n",
        "all patterns of B3/S23, 1 high, have parents\n-1\n",
        "all patterns of B3/S23, 1 high, have parents\n0 0\n",
        "all patterns of B3/S23, 1 high, have parents\n\n",
        "no pattern of B3/S23, 1 high, has parents\n0\n",
        "\0\xff",
    ],
)
def test_other_files_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "family.txt"
    path.write_text(text, "latin-1")
    with pytest.raises(FormatError):
        read_family(path)


@pytest.mark.parametrize(("box", "needed"), [("10x10", 92), ("11x9", 88)])
def test_as_many_cells_of_an_orphan_are_needed_as_its_page_says(box: str, needed: int) -> None:
    folder = DATA / "orphans"
    whole, core = (
        satlife.PartialPattern.from_rle((folder / f"{name}-{box}.rle").read_text()).states[0]
        for name in ("orphan", "core")
    )
    unknown = 255
    left = np.full_like(whole, unknown)
    for place in zip(*np.nonzero(core != unknown), strict=True):
        without = whole.copy()
        without[place] = unknown
        outcome = satlife.find(satlife.orphan(satlife.PartialPattern(without)))
        if isinstance(outcome, Found):
            left[place] = whole[place]
    assert (left != unknown).sum() == needed
    alone = satlife.find(satlife.orphan(satlife.PartialPattern(left)))
    assert isinstance(alone, Impossible if needed == (core != unknown).sum() else Found)
