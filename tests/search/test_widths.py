"""Certificates that a width has no ship, and the checker that shares nothing with the search."""

from __future__ import annotations

import copy
import zlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile

import msgspec
import numpy as np
import pytest

from satlife import Found, Impossible, Problem, Undecided, find, oscillator, ship
from satlife.audit.widths import RowRule, width_complaints
from satlife.certificates import check_certificate
from satlife.certificates.folder import read_problem
from satlife.engine import Options
from satlife.errors import FormatError, UsageError
from satlife.life import Pattern, Rule
from satlife.life.motion import Motion
from satlife.problem.constraints import FullPeriod, Gutter, NotEmpty, Population
from satlife.rows import is_available

if not is_available():
    pytest.skip("numba is missing", allow_module_level=True)

from satlife.audit.fast_widths import prepare
from satlife.certificates.check.states import STATES, state_width, write_runs
from satlife.certificates.make.width_folder import certify_width
from satlife.engine.rows.closed_sets import sort_states
from satlife.engine.rows.quotients import make_quotient
from satlife.rows.hunt import Hunt
from satlife.rows.quotient import Fold, Quotient
from satlife.rows.tables import build_kit

States = np.ndarray


def sort(hunt: Hunt) -> States:
    """All states of a hunt, sorted."""
    nodes = hunt.parents[: hunt.count], hunt.rows[: hunt.count]
    runs = sort_states(*nodes, hunt.quotient.period)
    return np.concatenate([each for row in range(1 << hunt.quotient.bits) for each in runs(row)])


def closed_set(problem: Problem) -> States:
    """All states of a search that finds nothing."""
    hunt = Hunt(make_quotient(problem), limit=10**9)
    assert list(hunt.ships()) == []
    return sort(hunt)


def complaints(problem: Problem, states: States, size: int = 7) -> list[str]:
    """What plain check and compiled twin say of a set: the same."""

    def runs(row: int) -> Iterator[States]:
        run = states[states[:, 0] == row]
        return (run[i : i + size] for i in range(0, len(run), size))

    rule = RowRule(problem)
    plain = list(width_complaints(rule, runs))
    assert list(width_complaints(rule, runs, prepare(rule))) == plain
    return plain


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
        ("c/5d", "7x*", "C1", "B3/S23"),
        ("c/6d", "13x*", "D2b", "B3/S23"),
        ("2c/5d", "5x*", "C1", "B2/S0"),
        ("c/3d", "9x*", "D2b", "B35/S12"),
    ],
)
def test_a_closed_set_is_accepted_and_its_states_are_needed(
    speed: str, box: str, symmetry: str, rule: str
) -> None:
    problem = ship(speed, box=box, symmetry=symmetry, rule=rule)
    states = closed_set(problem)
    assert complaints(problem, states) == complaints(problem, states, 4096) == []
    needed = [
        bool(complaints(problem, np.delete(states, place, axis=0), 4096))
        for place in range(0, len(states), max(1, len(states) // 10))
    ]
    # The checker looks ahead at least as far as the search, so a state is needed as a rule.
    assert needed[0]
    assert any(needed[1:]) or len(states) < 3


def test_a_gutter_has_a_certificate_of_its_own() -> None:
    asked = ship("c/4", box="9x*", symmetry="D2v", gutter=True)
    states = closed_set(asked)
    assert complaints(asked, states) == []
    assert complaints(ship("c/4", box="9x*", symmetry="D2v"), states)
    assert complaints(ship("c/4", box="8x*", symmetry="D2v"), states)


def test_a_diagonal_gutter_has_a_certificate_of_its_own(tmp_path: Path) -> None:
    asked = ship("c/5d", box="13x*", symmetry="D2b", gutter=True)
    states = closed_set(asked)
    assert complaints(asked, states) == []
    assert complaints(ship("c/5d", box="13x*", symmetry="D2b"), states)
    assert complaints(ship("c/5d", box="11x*", symmetry="D2b"), states)
    assert isinstance(certify_width(asked, tmp_path / "none"), Impossible)
    assert check_certificate(tmp_path / "none").valid


@pytest.mark.parametrize("fold", ["none", "odd", "gutter"])
@pytest.mark.parametrize("rule", ["B3/S23", "B2-a/S12", "B1e3/S23", "B34678/S0357"])
def test_slanted_rows_mean_the_same_to_search_and_check(fold: Fold, rule: str) -> None:
    table = Rule(rule).table
    for cells in range(1, 5):
        width = {"none": cells, "odd": 2 * cells - 1, "gutter": 2 * cells + 1}[fold]
        asked = ship(
            "c/3d",
            box=f"{width}x*",
            rule=rule,
            symmetry="C1" if fold == "none" else "D2b",
            gutter=fold == "gutter",
        )
        sets = build_kit(Quotient(cells, 3, 1, table.tobytes(), fold, slanted=True)).sets
        steps = RowRule(asked).steps
        for c in range(1 << cells):
            allowed = sets[:, c][:, None] >> np.arange(1 << cells).astype(np.uint64) & np.uint64(1)
            assert np.array_equal(allowed.reshape(steps.shape) > 0, steps == c)


@pytest.mark.parametrize("speed", ["(2,1)c/3", "(3,1)c/4", "(5,1)c/6"])
@pytest.mark.parametrize("rule", ["B3/S23", "B2-a/S12", "B1e3/S23", "MAP"])
def test_oblique_rows_mean_the_same_to_search_and_check(speed: str, rule: str) -> None:
    table = (
        Rule(rule).table
        if rule != "MAP"
        else np.random.default_rng(3).integers(0, 2, 512, np.uint8)
    )
    for cells in range(1, 5):
        asked = ship(
            speed, box=f"{cells}x*", rule=Rule.from_table(np.append(0, table[1:]).astype(np.uint8))
        )
        sets, steps = build_kit(make_quotient(asked)).sets, RowRule(asked).steps
        for c in range(1 << cells):
            allowed = sets[:, c][:, None] >> np.arange(1 << cells).astype(np.uint64) & np.uint64(1)
            assert np.array_equal(allowed.reshape(steps.shape) > 0, steps == c)


KNIGHT = "B2ce3aiq4j/S012cek3jq5i"


def test_a_knightship_is_found_and_the_width_before_is_certified(tmp_path: Path) -> None:
    found = find(ship("(2,1)c/6", box="8x*", rule=KNIGHT))
    assert isinstance(found, Found)
    assert found.finding.pattern[6] == found.finding.pattern.shift(-1, -2)
    folder = tmp_path / "knight"
    outcome = certify_width(ship("(2,1)c/6", box="7x*", rule=KNIGHT), folder)
    assert isinstance(outcome, Impossible)
    assert check_certificate(folder).valid


def test_a_glide_that_exists_is_not_refuted() -> None:
    """The LWSS glides in a width of 5."""
    problem = ship("2c/4", box="5x*", symmetry="C1:D2v")
    hunt = Hunt(make_quotient(problem), limit=10**9)
    assert next(hunt.ships())
    assert complaints(problem, sort(hunt))


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
    states = closed_set(ship("c/4", box="7x*", symmetry="D2v"))
    for other in (
        ship("c/4", box="9x*", symmetry="D2v"),
        ship("c/4", box="8x*", symmetry="D2v"),
        ship("3c/4", box="7x*", symmetry="D2v"),
        ship("c/4", box="7x*", symmetry="D2v", rule="B36/S23"),
    ):
        assert complaints(other, states), other.to_json()


def test_a_ship_is_seen_even_if_all_its_states_are_there() -> None:
    problem = ship("c/3", box="12x*", symmetry="D2v")
    hunt = Hunt(make_quotient(problem))
    next(hunt.ships())
    assert complaints(problem, sort(hunt))


def test_a_set_in_disorder_is_refused() -> None:
    problem = ship("c/4", box="7x*", symmetry="D2v")
    states = closed_set(problem)
    assert complaints(problem, states[1:]) == ["the empty state is missing"]
    assert complaints(problem, states[:0]) == ["the empty state is missing"]
    swapped, twice, wide = states.copy(), np.repeat(states, 2, axis=0), states.copy()
    run = np.flatnonzero(states[:, 0] == 1)[:2]
    swapped[run] = states[run[::-1]]
    wide[-1, -1] = 16
    for wrong, words in ((swapped, "not sorted"), (twice, "not sorted"), (wide, "of this width")):
        with pytest.raises(FormatError, match=words):
            complaints(problem, wrong)


@pytest.mark.parametrize(
    "blocks",
    [
        [[(0, 0, 0, 0), (0, 0, 0, 1), (0, 7, 0, 0), (0, 7, 0, 1)], [(0, 3, 0, 0)], [(0, 7, 7, 7)]],
        [[(0, 0, 0, 0), (0, 0, 0, 1)], *[[(0, 0, 0, 1)]] * 300],
    ],
)
def test_disorder_ends_the_check_wherever_it_is(blocks: list[list[tuple[int, ...]]]) -> None:
    """States that are entered are read ahead of those that are left."""
    rule = RowRule(ship("c/2", box="3x*", rule="B/S"))
    parts = [np.array(block, np.uint16) for block in blocks]
    with pytest.raises(FormatError, match="not sorted"):
        list(width_complaints(rule, lambda row: iter(parts if row == 0 else [])))


def test_a_check_goes_on_from_any_place() -> None:
    problem = ship("c/4", box="9x*", symmetry="D2v")
    states, places = closed_set(problem), list[bytes]()

    def few(row: int) -> Iterator[States]:
        run = states[states[:, 0] == row]
        return (run[i : i + 5] for i in range(0, len(run), 5))

    rule = RowRule(problem)
    assert list(width_complaints(rule, few, reached=places.append)) == []
    assert len(places) > 50
    counted: list[int] = []

    def count(left: States, entered: States) -> tuple[int, int]:
        counted.append(len(left))
        return rule.judge(left, entered)

    for place in places[::10]:
        counted.clear()
        assert list(width_complaints(rule, few, count, place)) == []
        names = [b"".join(int(row).to_bytes(2) for row in state[1:]) for state in states]
        assert sum(counted) == sum(name >= place for name in names)


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
    with pytest.raises(UsageError, match=r"says nothing|1 to 9 free cells"):
        RowRule(problem)


FLAWS: dict[str, dict[str, object]] = {
    "born from nothing": {"rule": "B01468/S23"},
    "more than two states": {"rule": "B2/S/C3"},
    "a set of rules": {"rule": "B3[4]/S23"},
    "no left-right mirror": {"rule": "B2n3/S23-q", "symmetry": "D2|"},
    "not all outside is dead": {"boundary": "torus"},
    "boxes of their own": {"boxes": ("4x9", "5x9", "4x9")},
    "does not move straight up": {"motion": Motion(period=3, dx=-2, dy=-1)},
    "or along the lines of a width": {"motion": Motion(period=3, dx=-1, dy=-1), "boxes": ("4x9",)},
    "its width is even": {"motion": Motion(period=3, dx=-1, dy=-1), "symmetry": "D2\\"},
    "do not have the symmetry C1:D2": {
        "motion": Motion(period=4, dx=-2, dy=-2),
        "symmetry": "C1:D2\\",
    },
    "not one sequence of rows": {"motion": Motion(period=4, dy=-2)},
    "an even period": {"motion": Motion(period=3, dy=-1), "symmetry": "C1:D2|"},
    "do not have the symmetry": {"symmetry": "D2-"},
    "an odd mirrored width": {"symmetry": "D2|", "constraints": (NotEmpty(), Gutter())},
    "it may be empty": {"constraints": (FullPeriod(),)},
    "other constraints": {"constraints": (NotEmpty(), Population(most=3))},
    "given, linked or exempt": {"exempt": ((0, 0, 1),)},
    "the last generation": {"include_last": True},
}
"""Hypotheses of the theorem, each with what breaks it."""


@pytest.mark.parametrize("words", FLAWS)
def test_every_hypothesis_is_asked_for_by_the_checker_itself(words: str) -> None:
    """As if neither the engine nor the problem itself refused anything."""
    problem = copy.copy(ship("c/3", box="4x*"))
    for name, value in FLAWS[words].items():
        msgspec.structs.force_setattr(problem, name, value)
    if words == "no left-right mirror":
        lopsided = Rule("B3/S23").table.copy()
        lopsided[0b100_000_000] = 1
        msgspec.structs.force_setattr(problem, "rule", str(Rule.from_table(lopsided)))
    with pytest.raises(UsageError, match=words):
        RowRule(problem)


def test_an_empty_set_proves_nothing_where_cells_are_born_from_nothing(tmp_path: Path) -> None:
    problem = ship("c/2", box="4x*", rule="B01468/S23")
    pattern = Pattern.from_rle("b2o$b2o$o2bo!").with_rule("B01468/S23")
    assert pattern[2] == pattern.shift(0, -1)
    write_width(tmp_path, problem, pack(np.zeros((1, 4), np.uint16), 16))
    judgement = check_certificate(tmp_path)
    assert judgement.word == "not valid"
    assert "born from nothing" in str(judgement)


def pack(states: States, number: int) -> bytes:
    """The file of a set of states."""
    with TemporaryFile() as file:
        write_runs(file, number, lambda row: iter([states[states[:, 0] == row]]))
        file.seek(0)
        return file.read()


def write_width(folder: Path, problem: Problem, states: bytes) -> None:
    (folder / "problem.json").write_bytes(problem.to_json())
    (folder / "statement.md").write_text(state_width(problem), encoding="utf-8")
    (folder / STATES).write_bytes(states)


def test_what_is_not_read_of_a_folder_is_refused_or_named(tmp_path: Path) -> None:
    problem = ship("c/4", box="4x*")
    (tmp_path / "width").mkdir()
    certify_width(problem, folder := tmp_path / "width" / "c4")
    states = (folder / STATES).read_bytes()
    for more in (b"x", bytes(4), zlib.compress(b"more"), bytes(3)):
        (folder / STATES).write_bytes(states + more)
        assert "does not have a run for each row" in str(check_certificate(folder))
    head = np.frombuffer(states[: 8 * 17], "<u8").copy()
    head[np.flatnonzero(np.diff(head))[-1] + 1 :] += np.uint64(8)  # after the last run with states
    (folder / STATES).write_bytes(head.tobytes() + states[8 * 17 :] + bytes(8))
    assert "a run does not end where it should" in str(check_certificate(folder))
    (folder / STATES).write_bytes(states)
    (folder / "notes.html").write_text("<p>Anything.")
    judgement = check_certificate(folder)
    assert (judgement.word, judgement.unread) == ("valid", ("notes.html",))


def test_diagonal_ships_are_refused_before_the_search(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not move straight up"):
        certify_width(ship("c/4d", box="3x3"), tmp_path / "d")


def test_a_certificate_is_written_checked_and_spoiled(tmp_path: Path) -> None:
    folder = tmp_path / "c4-9"
    outcome = certify_width(ship("c/4", box="9x*", symmetry="D2v"), folder)
    assert isinstance(outcome, Impossible)
    assert (outcome.word, outcome.certificate) == ("impossible", folder)
    assert check_certificate(folder).valid
    problem, path = read_problem(folder), folder / STATES
    states, whole = closed_set(problem), path.read_bytes()
    assert pack(states, 32) == whole
    for spoiled in (
        whole[:-8],
        whole[:300] + bytes([whole[300] ^ 1]) + whole[301:],
        pack(states[:-1], 32),
        pack(states[1:], 32),
        pack(states[::-1], 32),
        pack(np.zeros_like(states), 32),
        pack(states[:0], 32),
        pack(states, 16),
        b"",
    ):
        path.write_bytes(spoiled)
        assert check_certificate(folder).word == "not valid"


def test_a_ship_or_a_limit_leaves_no_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    found = certify_width(ship("c/3", box="12x*", symmetry="D2v"), folder)
    assert isinstance(found, Found)
    late = certify_width(ship("c/10", box="10x*", symmetry="D2v"), folder, Options(timeout=0.5))
    assert isinstance(late, Undecided)
    assert not folder.exists()
