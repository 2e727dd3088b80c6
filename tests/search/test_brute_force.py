"""Every answer, and every number of answers, equals brute force: problems made at random."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from satlife import (
    ENCODINGS,
    Found,
    Impossible,
    Known,
    Problem,
    agar,
    complete,
    find,
    find_all,
    orphan,
    oscillator,
    parent,
    ship,
    still_life,
)
from satlife.life import PartialPattern, Pattern
from tests.search.brute import SPATIAL, count_solutions

RULES = st.sampled_from(["B3/S23"] * 3 + ["B36/S23", "B2/S", "B34/S34", "B35/S236", "B1357/S1357"])
BOXES = st.sampled_from(["1x1", "2x2", "3x3", "4x3", "3x4", "2x6", "5x2", "1x9", "2x5", "11x1"])
SQUARES = st.sampled_from(["2x2", "3x3"])
BOUNDS = st.none() | st.builds(
    lambda sign, n: f"{sign}{n}", st.sampled_from(["<=", ">=", "="]), st.integers(0, 8)
)
KINDS = ("still", "oscillator", "ship", "agar", "parent", "orphan", "complete")
SPEEDS = st.sampled_from(["c", "c/2", "c/3", "2c/4", "c/4d", "c/2d", "(2,1)c/4", "c/1d"])
MOST = 300


@st.composite
def problems(draw: st.DrawFn) -> Problem:  # noqa: PLR0911 - one return for each kind
    symmetry = draw(st.sampled_from(["C1"] * 4 + list(SPATIAL)))
    box = draw(SQUARES if symmetry in ("C4", "D2\\", "D8") else BOXES)
    rule, bound, composite = draw(RULES), draw(BOUNDS), draw(st.booleans())
    common = {"rule": rule, "box": box, "population": bound}
    kind = draw(
        st.sampled_from(["still", "oscillator", "ship", "agar", "parent", "orphan", "complete"])
    )
    if kind == "still":
        return still_life(symmetry=symmetry, **common)
    if kind == "oscillator":
        period = draw(st.integers(2, 4))
        problem = oscillator(period, symmetry=symmetry, composite=composite, **common)
        return with_known(draw, problem)
    if kind == "ship":
        speed = draw(
            st.sampled_from(["c", "c/2", "c/3", "2c/4", "c/4d", "c/2d", "(2,1)c/4", "c/1d"])
        )
        last = draw(st.booleans())
        return with_known(draw, ship(speed, include_last=last, composite=composite, **common))
    if kind == "agar":
        period = draw(st.integers(1, 3))
        return agar(period, symmetry=symmetry, composite=composite, **common)
    cells = st.lists(st.lists(st.integers(0, 1), min_size=2, max_size=2), min_size=1, max_size=2)
    target = Pattern.from_array(draw(cells), rule=rule)
    if kind == "parent" and not target.is_empty:
        return parent(target, generations=1, population=bound)
    if kind == "orphan" and not target.is_empty:
        return orphan(target)
    states = st.sampled_from([0, 1, 255, 255])
    rows = draw(st.lists(st.lists(states, min_size=3, max_size=3), min_size=1, max_size=4))
    motion = draw(st.sampled_from([None, "p2", "c/4d"]))
    return complete(PartialPattern(rows, rule=rule), motion=motion, population=bound)


def with_known(draw: st.DrawFn, problem: Problem) -> Problem:
    """Some cells of some generation known."""
    if draw(st.booleans()):
        return problem
    box = problem.all_boxes[0]
    row = st.text("?.o?", min_size=1, max_size=box.width)
    known = Known(
        t=draw(st.integers(0, problem.steps)),
        rows=tuple(draw(st.lists(row, min_size=1, max_size=box.height))),
    )
    import msgspec

    return msgspec.structs.replace(problem, known=(known,))


@settings(max_examples=200, suppress_health_check=list(HealthCheck))
@given(problems(), st.sampled_from(ENCODINGS), st.sampled_from(["cadical", "glucose"]))
def test_the_number_of_solutions_is_that_of_brute_force(problem, encoding, solver) -> None:  # type: ignore[no-untyped-def]
    expected = count_solutions(problem)
    how = {"encoding": encoding.name, "solver": solver, "break_symmetry": False}
    if expected > MOST:
        assert isinstance(find(problem, **how), Found)
    else:
        assert sum(1 for _ in find_all(problem, raw=True, **how)) == expected
    broken = find(problem, encoding=encoding.name, solver=solver, break_symmetry=True)
    assert isinstance(broken, Found if expected else Impossible)
