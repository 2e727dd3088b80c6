"""All solutions: exact counts, classes found once, rejection, and going on."""

from __future__ import annotations

from typing import Any

import pytest

from satlife import Finding, Listed, Problem, agar, find_all, oscillator, ship, still_life
from satlife.life import Pattern
from satlife.life.identity import apgcode, from_apgcode, object_names
from satlife.life.identity.parts import is_strict, parts
from tests.patience import at_limit

STILL_LIFES = {1: 1, 2: 2, 3: 12, 4: 83, 5: 417, 6: 3928}
"""In a box of n by n, the empty one included: OEIS A136278."""
FLIP_FLOPS = {3: 1, 4: 12, 5: 43, 6: 163}
"""Pairs of phases in a box of n by n: OEIS A136279."""
STRICT = {4: (4, 2), 5: (4, 1), 6: (5, 5), 7: (6, 4), 8: (6, 9), 9: (7, 10), 10: (8, 25)}
"""Cells: a box that holds them, and how many strict still lifes: OEIS A019473."""


SHORT = {code: name for code, name in object_names().items() if len(code) < 16}
KNOWN = [(name, from_apgcode(code)) for code, name in SHORT.items()]


def everything(problem: Problem, **wanted: Any) -> tuple[list[Finding], Listed]:
    listing = find_all(problem, **wanted)
    found = list(listing)
    assert listing.complete
    assert len(found) == listing.result.found
    return found, listing.result


@pytest.mark.parametrize("n", STILL_LIFES)
def test_still_lifes_in_a_square(n: int) -> None:
    problem = still_life(box=f"{n}x{n}")
    found, _ = everything(problem, raw=True)
    assert len(found) + 1 == STILL_LIFES[n]
    if n < 6:
        classes, search = everything(problem)
        codes = {finding.identity.apgcode for finding in classes}
        assert len(codes) == len(classes)
        assert codes == {finding.identity.apgcode for finding in found}
        assert len(classes) + search.skipped["copies"] == len(found)


@pytest.mark.parametrize("n", FLIP_FLOPS)
def test_flip_flops_in_a_square(n: int) -> None:
    found, _ = everything(oscillator(2, box=f"{n}x{n}", composite=True), raw=True)
    assert len(found) == 2 * FLIP_FLOPS[n]


@pytest.mark.parametrize("cells", STRICT)
def test_strict_still_lifes(cells: int) -> None:
    side, count = STRICT[cells]
    smaller = tuple(p for _, p in KNOWN if p.population < cells and p[1] == p)
    problem = still_life(box=f"{side}x{side}", population=f"={cells}")
    found, _ = everything(problem, reject=smaller)
    strict = [finding for finding in found if is_strict(finding.pattern)]
    assert len(strict) == count


def test_two_different_ships_and_one_rejected() -> None:
    problem = ship("c", box="6x6", rule="B2/S")
    search = find_all(problem)
    first, second = (finding for finding, _ in zip(search, range(2), strict=False))
    assert first.identity.apgcode != second.identity.apgcode
    again = find_all(problem, reject=(first.pattern,))
    for finding, _ in zip(again, range(1), strict=False):
        assert finding.identity.apgcode != first.identity.apgcode


@pytest.mark.parametrize("engine", ["sat", "brute"])
def test_what_is_rejected_may_be_made_of_parts(engine: str) -> None:
    """The two blocks are left out, and what has them beside something else is not."""
    two = Pattern.from_rle("2o2b2o$2o2b2o!")
    found, _ = everything(still_life(box="7x2"), reject=(two,), engine=engine)
    rest, _ = everything(still_life(box="7x2"), engine=engine)
    codes = {finding.identity.apgcode for finding in rest}
    assert codes - {finding.identity.apgcode for finding in found} == {apgcode(two)}


SMALL = {name: pattern for name, pattern in KNOWN if pattern.population <= 7}


@pytest.mark.parametrize("name", SMALL)
def test_a_rejected_object_never_comes_back(name: str) -> None:
    """Neither itself nor as a part, in any orientation and phase."""
    known = SMALL[name]
    code = apgcode(known)
    period = 2 if code.startswith("xp2") else 1
    if code.startswith("xq"):
        problem = ship("c/4d", box="5x5")
    elif code.startswith("xs"):
        problem = still_life(box="6x5", population=f"<={known.population + 4}")
    else:
        problem = oscillator(period, box="5x5", composite=True)
    turned = known.transformed(known.rule.symmetries[-1])[1]
    search = find_all(problem, reject=(turned,))
    for finding in search:
        pieces = {apgcode(piece) for piece in parts(finding.pattern)}
        assert code not in pieces | {finding.identity.apgcode}
    assert search.complete


def test_only_connected() -> None:
    problem = still_life(box="5x5", population="=8")
    found, search = everything(problem, only_connected=True)
    assert all(len(parts(finding.pattern)) == 1 for finding in found)
    assert search.skipped["composites"] > 0


def test_going_on_after_what_is_known() -> None:
    problem = still_life(box="4x4")
    all_of_them, _ = everything(problem)
    some = all_of_them[:5]
    rest, _ = everything(problem, already_found=tuple(f.history for f in some))
    assert len(rest) == len(all_of_them) - 5
    codes = {f.identity.apgcode for f in (*some, *rest)}
    assert len(codes) == len(all_of_them)


def test_agars_up_to_shifts_of_the_torus() -> None:
    found, search = everything(agar(1, box="3x3"))
    raw, _ = everything(agar(1, box="3x3"), raw=True)
    assert len(found) + search.skipped["copies"] == len(raw)
    assert len(found) < len(raw)


def test_a_time_limit_leaves_it_incomplete() -> None:
    search = at_limit(lambda limit: find_all(still_life(box="9x9"), timeout=limit), list, first=1)
    assert search.result.found > 0
    assert not search.complete
    assert "time" in search.result.reason


def test_seeds_give_variety_and_the_same_seed_the_same() -> None:
    def first(seed: int) -> Pattern:
        search = find_all(still_life(box="9x9", population=">=20"), seed=seed)
        return next(iter(search)).pattern

    assert first(1) == first(1)
    assert len({first(seed) for seed in range(4)}) > 1


def test_a_union_of_known_objects_is_not_new() -> None:
    problem = still_life(box="5x5", population="=8")
    found, search = everything(problem, reject="known")
    assert found == []
    assert search.skipped["rejected"] > 0
