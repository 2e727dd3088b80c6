"""Eaters and reactions that count as one: those that are the same where it matters."""

from __future__ import annotations

from itertools import combinations

import pytest
from click.testing import CliRunner

from satlife import Finding, Pattern, Problem, catalyst, eater, find_all, reaction
from satlife.cli.group import cli
from satlife.engine.reactions import find_alone, name_reaction
from satlife.life.transforms import TRANSFORMS

GLIDER = Pattern.from_rle("bo$2bo$3o!")
LANES = eater(GLIDER, region="4..8,4..8", within=9, lanes=(-2, 2), population="<=9")
TIMES = eater(GLIDER, region="4..8,4..8", within=12, lanes=(-1, 1), times=(0, 1), population="<=9")
CORNER = eater(Pattern.from_rle("b2o$2o!"), region="0..4,4..7", within=10, population="<=9")
PI, BLOCK = Pattern.from_rle("3o$obo$obo!"), Pattern.from_rle("2o$2o!").shift(6, 0)
AFTER = Pattern.from_cells(
    set(map(tuple, (PI | BLOCK)[12].coordinates.tolist()))
    - set(map(tuple, BLOCK.coordinates.tolist()))
)
MADE = reaction(PI, AFTER, within=12, region="5..8,-2..3", population="<=8")
ALONE = reaction(GLIDER, GLIDER[8], within=8, region="6..9,2..5")


def list_films(finding: Finding) -> set[tuple[object, ...]]:
    """List what happens beside the catalyst, turned in all ways and moved to one place."""
    alone = catalyst(finding)
    cells = frozenset(map(tuple, alone.coordinates.tolist()))
    now, free = finding.pattern, finding.pattern.coordinates.tolist()
    flying = Pattern.from_cells({(x, y) for x, y in free} - cells)
    film = list[frozenset[tuple[int, int]]]()
    is_met = False
    for _ in range(find_alone(finding.problem)):
        beside = frozenset((x, y) for x, y in now.coordinates.tolist()) ^ cells
        is_met |= beside != frozenset((x, y) for x, y in flying.coordinates.tolist())
        film = [*film, beside] if is_met else [beside]
        now, flying = now[1], flying[1]
    while film and not film[-1]:
        film.pop()
    film = film if is_met else []
    films = set[tuple[object, ...]]()
    for turn in TRANSFORMS:
        turned = [[turn.apply_to_point(*cell) for cell in beside] for beside in film]
        every = [cell for beside in turned for cell in beside]
        left, top = (min((cell[axis] for cell in every), default=0) for axis in (0, 1))
        films.add(tuple(frozenset((x - left, y - top) for x, y in beside) for beside in turned))
    return films


@pytest.mark.parametrize(
    ("problem", "kept", "solutions"),
    [(LANES, 1, 8), (TIMES, 1, 18), (CORNER, 1, 2), (MADE, 1, 1), (ALONE, 1, 43)],
    ids=["lanes", "times", "corner", "pi", "no contact"],
)
def test_each_reaction_is_listed_once(problem: Problem, kept: int, solutions: int) -> None:
    listing = find_all(problem, same="catalyst")
    named = [name_reaction(problem, each.history) for each in listing]
    every = list(find_all(problem, raw=True))
    assert listing.complete
    assert (len(named), len(every)) == (kept, solutions)
    assert len(named) == len({*named})
    by_name: dict[object, list[Finding]] = {}
    for each in every:
        by_name.setdefault(name_reaction(problem, each.history), []).append(each)
    assert by_name.keys() == {*named}
    for alike in by_name.values():
        films = list_films(alike[0])
        assert all(films & list_films(each) for each in alike)
    for (first, *_), (other, *_) in combinations(by_name.values(), 2):
        assert not list_films(first) & list_films(other)


def test_a_listing_that_goes_on_knows_what_was_found() -> None:
    first = find_all(LANES, same="catalyst", limit=1)
    found = [each.history for each in first]
    rest = find_all(LANES, same="catalyst", already_found=found)
    assert [*rest] == []
    assert rest.complete


def test_one_in_pieces_does_not_hide_one_in_one_piece() -> None:
    connected = find_all(LANES, same="catalyst", only_connected=True)
    assert len(list(connected)) == 1


def test_each_solution_is_left_out_once() -> None:
    """It was counted for each of its simpler forms."""
    listing = find_all(LANES, same="catalyst")
    (kept,) = listing
    left_out = listing.result.skipped["reactions"]
    assert 0 < left_out < 8
    assert kept.pattern.population == 12


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--all --same outcome", "--same outcome is for satlife catalyst"),
        ("--all --same catalyst --period 2", "leave --period and --open out"),
        ("--all --same catalyst --open", "leave --period and --open out"),
        ("--same catalyst", "--same needs --all, --count or --limit"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(words: str, told: str) -> None:
    line = f"eater --input glider --region -6..9,-6..9 --within 4 {words}"
    done = CliRunner().invoke(cli, line.split())
    assert done.exit_code == 2
    assert told in done.stderr
