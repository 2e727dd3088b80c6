"""Certificates that a width has no ship, and the checker that shares nothing with the search."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest

from satlife.errors import UsageError
from satlife.rows import is_available
from satlife.search import Found, Impossible, Problem, Undecided, oscillator, ship
from satlife.search.certificates import check_certificate
from satlife.search.certificates.widths import width_complaints
from satlife.search.engine import Options

if not is_available():
    pytest.skip("numba is missing", allow_module_level=True)

from satlife.rows.hunt import Hunt
from satlife.search.certificates.width_folder import STATES, certify_width
from satlife.search.engine.quotients import make_quotient

Tree = tuple[np.ndarray, np.ndarray]


def closed_set(problem: Problem) -> Tree:
    """All states of a search that runs dry: how many children each has, and its row."""
    hunt = Hunt(make_quotient(problem), limit=10**9)
    assert list(hunt.ships()) == []
    children = np.bincount(hunt.parents[1 : hunt.count], minlength=hunt.count)
    return children.astype(np.uint16), hunt.rows[: hunt.count]


def drop(tree: Tree, node: int) -> Tree:
    """The tree without one leaf."""
    children, rows = tree
    parents = np.repeat(np.arange(len(rows)), children)
    fewer = np.delete(children, node)
    fewer[parents[node - 1]] -= 1
    return fewer, np.delete(rows, node)


@pytest.mark.parametrize(
    ("speed", "box", "symmetry", "rule"),
    [
        ("c/4", "9x*", "D2v", "B3/S23"),
        ("c/4", "8x*", "D2v", "B3/S23"),
        ("c/3", "5x*", "C1", "B3/S23"),
        ("2c/5", "9x*", "D2v", "B3/S23"),
        ("c/10", "6x*", "D2v", "B3/S23"),
        ("c/2", "7x*", "D2v", "B3/S23"),
        ("c/3", "6x*", "D2v", "B36/S125"),
        ("c/5", "5x9", "C1", "B3/S23"),
        ("2c/4", "4x*", "C1:D2v", "B3/S23"),
        ("2c/6", "6x*", "C1:D2v", "B3/S23"),
        ("4c/6", "5x*", "C1:D2v", "B36/S23"),
        ("2c/8", "5x*", "C1:D2v", "B3/S23"),
    ],
)
def test_a_closed_set_is_accepted_and_none_of_its_leaves_can_go(
    speed: str, box: str, symmetry: str, rule: str
) -> None:
    problem = ship(speed, box=box, symmetry=symmetry, rule=rule)
    tree = closed_set(problem)
    assert list(width_complaints(problem, *tree)) == []
    leaves = np.flatnonzero(tree[0] == 0)
    needed = 0
    for leaf in leaves[:: max(1, len(leaves) // 10)]:
        needed += bool(list(width_complaints(problem, *drop(tree, int(leaf)))))
    # The checker looks ahead at least as far as the search, so a leaf is needed as a rule.
    assert needed or len(leaves) < 2


def test_a_gutter_has_a_certificate_of_its_own() -> None:
    asked = ship("c/4", box="9x*", symmetry="D2v", gutter=True)
    tree = closed_set(asked)
    assert list(width_complaints(asked, *tree)) == []
    assert list(width_complaints(ship("c/4", box="9x*", symmetry="D2v"), *tree))
    assert list(width_complaints(ship("c/4", box="8x*", symmetry="D2v"), *tree))


def test_a_glide_that_exists_is_not_refuted() -> None:
    """The LWSS glides in a width of 5."""
    problem = ship("2c/4", box="5x*", symmetry="C1:D2v")
    hunt = Hunt(make_quotient(problem), limit=10**9)
    assert next(hunt.ships())
    children = np.bincount(hunt.parents[1 : hunt.count], minlength=hunt.count).astype(np.uint16)
    assert list(width_complaints(problem, children, hunt.rows[: hunt.count]))


def test_a_box_is_certified_by_its_width_or_not_at_all(tmp_path: Path) -> None:
    """Rows prove nothing of a box lower than the ships of its width, and say so."""
    low = certify_width(ship("c/3", box="12x9", symmetry="D2v"), tmp_path / "low")
    assert isinstance(low, Undecided)
    assert "longer than the box" in low.reason
    none = certify_width(ship("c/4", box="9x9", symmetry="D2v"), tmp_path / "none")
    assert isinstance(none, Impossible)
    assert check_certificate(tmp_path / "none").valid


def test_ships_of_half_the_period_leave_a_glide_undecided(tmp_path: Path) -> None:
    problem = ship("2c/4", box="4x*", symmetry="C1:D2v", rule="B37/S124")
    outcome = certify_width(problem, tmp_path / "new", Options(timeout=60))
    assert isinstance(outcome, Undecided | Found)
    assert not (tmp_path / "new").exists()


def test_a_set_of_another_question_is_not_accepted() -> None:
    tree = closed_set(ship("c/4", box="7x*", symmetry="D2v"))
    for other in (
        ship("c/4", box="9x*", symmetry="D2v"),
        ship("c/4", box="8x*", symmetry="D2v"),
        ship("c/5", box="7x*", symmetry="D2v"),
        ship("c/4", box="7x*", symmetry="D2v", rule="B36/S23"),
    ):
        assert list(width_complaints(other, *tree)), other.to_json()


def test_a_ship_is_seen_even_if_all_its_states_are_there() -> None:
    problem = ship("c/3", box="12x*", symmetry="D2v")
    hunt = Hunt(make_quotient(problem))
    next(hunt.ships())
    children = np.bincount(hunt.parents[1 : hunt.count], minlength=hunt.count).astype(np.uint16)
    assert list(width_complaints(problem, children, hunt.rows[: hunt.count]))


@pytest.mark.parametrize(
    "tree",
    [
        ([0], [1]),
        ([1], [0]),
        ([0, 1], [0, 1]),
        ([1, 0], [0, 64]),
        ([2, 0], [0, 1]),
    ],
)
def test_what_is_not_a_tree_is_refused(tree: tuple[list[int], list[int]]) -> None:
    children, rows = (np.array(each, np.uint16) for each in tree)
    problem = ship("c/4", box="11x*", symmetry="D2v")
    assert list(width_complaints(problem, children, rows))


@pytest.mark.parametrize(
    "problem",
    [
        oscillator(3, box="5x5"),
        ship("2c/4", box="5x*"),
        ship("c/4d", box="5x5"),
        ship("c/3", box="5x5", include_last=True),
        ship("c/3", box="30x*"),
        Problem(boxes=("5x*",), motion=ship("c/3", box="5x*").motion),
    ],
)
def test_a_set_says_nothing_of_other_problems(problem: Problem) -> None:
    empty = np.zeros(1, np.uint16)
    with pytest.raises(UsageError, match=r"says nothing|too wide"):
        list(width_complaints(problem, empty, empty))


def test_diagonal_ships_are_refused_before_the_search(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="orthogonal ships"):
        certify_width(ship("c/4d", box="3x3"), tmp_path / "d")


def test_a_certificate_is_written_checked_and_spoiled(tmp_path: Path) -> None:
    folder = tmp_path / "c4-9"
    outcome = certify_width(ship("c/4", box="9x*", symmetry="D2v"), folder)
    assert isinstance(outcome, Impossible)
    assert (outcome.word, outcome.certificate) == ("impossible", folder)
    assert check_certificate(folder).valid
    states = folder / STATES
    whole = states.read_bytes()
    numbers = np.frombuffer(lzma.decompress(whole), "<u2")
    for spoiled in (
        whole[:-8],
        lzma.compress(numbers[:-1].tobytes()),
        lzma.compress(numbers[:-2].tobytes()),
        lzma.compress(np.zeros_like(numbers).tobytes()),
        lzma.compress(b""),
    ):
        states.write_bytes(spoiled)
        assert check_certificate(folder).word == "not valid"


def test_a_ship_or_a_limit_leaves_no_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    found = certify_width(ship("c/3", box="12x*", symmetry="D2v"), folder)
    assert isinstance(found, Found)
    late = certify_width(ship("c/10", box="10x*", symmetry="D2v"), folder, Options(timeout=0.5))
    assert isinstance(late, Undecided)
    assert not folder.exists()
