"""The catalyst that is shown: as it is where it matters, and small elsewhere."""

from __future__ import annotations

import random

import numpy as np
import pytest

from satlife import Box, Pattern, find_all
from satlife.engine.reactions import mark_what_matters
from satlife.engine.sat.completion import complete_smallest, list_simpler
from satlife.formula.spacetime import SpaceTime
from satlife.kinds import perturbation
from satlife.problem.reaction import follow_reaction
from satlife.verifier.verify import complaints
from tests.reference.restoring import still_lifes

GLIDER = Pattern.from_rle("bo$2bo$3o!")


@pytest.mark.parametrize("seed", range(40))
def test_it_is_as_small_as_brute_force_says(seed: int) -> None:
    chance = random.Random(seed)
    width, height = chance.choice(((4, 4), (5, 4)))
    there = chance.choice(still_lifes(width, height))
    cells = {(x, y) for x in range(width) for y in range(height)}
    fixed = {place for place in cells if chance.random() < 0.3}
    mask = np.array([[(x, y) in fixed for x in range(width)] for y in range(height)])
    found = complete_smallest(Pattern.from_cells(there), Box(0, 0, width, height), mask)
    assert found is not None
    living = {(x, y) for x, y in found.coordinates.tolist()}
    assert found[1] == found
    assert living & fixed == there & fixed
    sizes = [len(each) for each in still_lifes(width, height) if each & fixed == there & fixed]
    if not there & fixed:
        sizes.append(0)
    assert len(living) >= min(sizes)
    # Only what lies farther than needed can make it smaller.
    assert len(living) == min(sizes) or not all(map(near(there & fixed), cells))


def near(core: frozenset[tuple[int, int]]):  # type: ignore[no-untyped-def]
    return lambda cell: any(max(abs(cell[0] - x), abs(cell[1] - y)) <= 1 for x, y in core)


def test_what_is_shown_reacts_in_the_same_way() -> None:
    problem = perturbation(GLIDER, region="3..16,3..16", contact=3, recover=4, hold=3)
    spacetime = SpaceTime(problem)
    found = find_all(problem, same="catalyst", limit=6)
    assert {each.pattern.population for each in found} <= set(range(60))
    for finding in found:
        matters = mark_what_matters(problem, finding.history)
        reaction = follow_reaction(problem, finding.history)
        for other in list_simpler(spacetime, finding.history):
            assert not list(complaints(problem, other))
            assert np.array_equal(mark_what_matters(problem, other), matters)
            alone = problem.steps - 1
            assert np.array_equal(other[alone][matters], finding.history[alone][matters])
            assert follow_reaction(problem, other).key == reaction.key
