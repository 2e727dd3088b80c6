"""Bounds: the number of solutions is that of brute force, and what is counted is what is there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import msgspec
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from satlife import (
    ENCODINGS,
    Encoding,
    Found,
    Impossible,
    Problem,
    agar,
    build,
    describe,
    find,
    oscillator,
    parent,
    ship,
    still_life,
    verify,
)
from satlife.engine.sat.attempt import decode
from satlife.errors import UsageError
from satlife.formula.constraints import ADDERS
from satlife.formula.measures import EXTENTS, MEASURES, TERMS, Measure, find_measure
from satlife.formula.spacetime import SpaceTime
from satlife.life import PartialPattern, Pattern
from satlife.problem.bounds import merge_bounds, parse_bound
from satlife.problem.constraints import (
    BOUNDS,
    CONSTRAINTS,
    Area,
    Bound,
    Changes,
    Decay,
    Difference,
    Growth,
    Height,
    NotEmpty,
    Population,
    Rotor,
    Stator,
    Width,
)
from satlife.sat import FormulaBuilder, Model
from satlife.sat.logic import TRUE
from satlife.verifier.constraints import HOLDS, VALUES, evaluate
from tests.cli.running import run
from tests.search.brute import count_solutions
from tests.search.test_brute_force import problems

States = tuple[npt.NDArray[np.uint8], ...]
MOST = 150
DRAWINGS = ("o", "oo|oo", ".o.|o?o", "?", "ooo", "..|..")
LARGEST = {Rotor: 8, Stator: 6, Width: 5, Height: 5, Area: 13}


@st.composite
def bounds(draw: st.DrawFn, problem: Problem) -> Bound:
    """A bound that makes sense for the problem; many cut its solutions in two."""
    kinds = [Population, Population, Rotor, Stator, Difference]
    if problem.boundary == "dead":
        kinds += [Width, Height, Area]
    kind = draw(st.sampled_from(kinds))
    least = draw(st.integers(0, LARGEST.get(kind, 8)))
    most = draw(st.none() | st.integers(0, LARGEST.get(kind, 8)))
    numbers = {"least": draw(st.sampled_from([0, least])), "most": most}
    if kind is Population:
        own = st.integers(0, problem.generations - 1)
        generation = draw(own | st.sampled_from(["every", "least", "most"]))
        return Population(**numbers, generation=generation)
    if kind is Difference:
        box = problem.all_boxes[0]
        far = 0 if problem.boundary == "torus" else 1
        rows = [row[: box.width] for row in draw(st.sampled_from(DRAWINGS)).split("|")]
        return Difference(
            **numbers,
            rows=tuple(rows[: box.height]),
            x=box.x + draw(st.integers(-far, box.width - len(rows[0]) + far)),
            y=box.y + draw(st.integers(-far, max(0, box.height - len(rows)) + far)),
            generation=draw(st.integers(0, problem.generations - 1)),
        )
    return kind(**numbers)


@st.composite
def bounded(draw: st.DrawFn) -> Problem:
    problem = draw(problems())
    assume(problem.boundary != "free")
    more = draw(st.lists(bounds(problem), min_size=1, max_size=2))
    return msgspec.structs.replace(problem, constraints=(*problem.constraints, *more))


def solutions(problem: Problem, encoding: Encoding, broken: bool) -> Iterator[States]:
    """All solutions, checked; in this process, for speed."""
    built = build(problem, encoding, break_symmetry=broken)
    spacetime = built.spacetime
    with Solver("g4", bootstrap_with=[list(clause) for clause in built.formula]) as solver:
        while solver.solve():
            truth = as_truth(solver, built.formula.variables)
            history = decode(spacetime, Model(truth))
            verify(problem, history)
            yield history
            cells = range(1, spacetime.variables + 1)
            solver.add_clause([-cell if truth[cell] else cell for cell in cells])


def as_truth(solver: Solver, variables: int) -> npt.NDArray[np.bool_]:
    truth = np.zeros(variables + 1, bool)
    truth[[literal for literal in solver.get_model() or [] if literal > 0]] = True
    return truth


@settings(max_examples=250, suppress_health_check=list(HealthCheck), deadline=None)
@given(bounded(), st.sampled_from(ENCODINGS))
def test_the_number_of_solutions_is_that_of_brute_force(
    problem: Problem, encoding: Encoding
) -> None:
    expected = count_solutions(problem)
    found = sum(1 for _ in islice(solutions(problem, encoding, broken=False), MOST))
    assert found == min(expected, MOST)
    assert any(True for _ in solutions(problem, encoding, broken=True)) is (expected > 0)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_pattern_has_its_extent(data: st.DataObject) -> None:
    """Larger boxes without a rule; unit propagation alone gives every output."""
    width, height = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 7))
    problem = Problem(boxes=(f"{width}x{height}",))
    spacetime = SpaceTime(problem)
    builder = FormulaBuilder(spacetime.variables)
    measures = [Measure(what) for what in (Width(), Height(), Area(), Population())]
    counts = [measure.count(spacetime, builder) for measure in measures]
    lines = st.lists(st.integers(0, 1), min_size=width, max_size=width)
    states = np.array(data.draw(st.lists(lines, min_size=height, max_size=height)), np.uint8)
    states[:, data.draw(st.integers(0, width)) :] = 0
    cells = np.where(states, spacetime.generation(0), -spacetime.generation(0)).ravel().tolist()
    with Solver("g4", bootstrap_with=[list(clause) for clause in builder.build()]) as solver:
        consistent, propagated = solver.propagate(cells)
    assert consistent
    for measure, count in zip(measures, counts, strict=True):
        number = evaluate(problem, (states,), measure.what)
        truth = [literal in propagated for literal in count.outputs.tolist()]
        falsity = [-literal in propagated for literal in count.outputs.tolist()]
        assert truth == [k < number for k in range(len(truth))], measure
        assert falsity == [k >= number for k in range(len(truth))], measure


@settings(max_examples=100, suppress_health_check=list(HealthCheck), deadline=None)
@given(problems(), st.data())
def test_outputs_are_true_if_and_only_if_the_number_is_reached(
    problem: Problem, data: st.DataObject
) -> None:
    assume(problem.boundary != "free")
    spacetime = SpaceTime(problem)
    assume(not spacetime.clash)
    what = data.draw(bounds(problem).filter(lambda b: getattr(b, "generation", 0) != "every"))
    cap = data.draw(st.none() | st.integers(0, 9))
    measure = Measure(what)
    counts = []
    built = build(
        spacetime, also=lambda space, builder: counts.append(measure.count(space, builder, cap))
    )
    (count,) = counts
    cells = range(1, spacetime.variables + 1)
    with Solver("g4", bootstrap_with=[list(clause) for clause in built.formula]) as solver:
        for _ in range(20):
            if not solver.solve():
                break
            truth = as_truth(solver, built.formula.variables)
            number = evaluate(problem, decode(spacetime, Model(truth)), measure.what)
            assumptions = [cell if truth[cell] else -cell for cell in cells]
            top = len(count.outputs)
            assert count.lowest <= number
            assert count.highest is None or number <= count.highest
            for k in range(top + 2 if count.highest is not None else top + 1):
                literal = count.at_least(k)
                wrong = -literal if number >= k else literal
                # The opposite of the truth is refuted, not only avoided.
                assert wrong == -TRUE or not solver.solve([*assumptions, wrong]), (what, k)
            solver.add_clause([-literal for literal in assumptions])


@given(bounded())
@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
def test_json_round_trip_and_words(problem: Problem) -> None:
    again = Problem.from_json(problem.to_json())
    assert again == problem
    assert again.to_json() == problem.to_json()
    assert Problem.from_toml(problem.to_toml()).name == problem.name
    assert describe(problem).endswith(str(problem.constraints[-1]))


def test_defaults_are_not_written() -> None:
    problem = oscillator(2, box="3x3", rotor="<=4", population=("..9@every", ">=1"))
    assert b'[{"type":"full-period"},{"most":4,"type":"rotor"},' in problem.to_json()
    assert b'{"generation":"every","most":9,"type":"population"}' in problem.to_json()


WORDS = [
    (Population.parse("<=20"), "at most 20 cells in generation 0"),
    (Population.parse(">=3@2"), "at least 3 cells in generation 2"),
    (Population.parse("=9@every"), "exactly 9 cells in every generation"),
    (Population.parse("3..@least"), "at least 3 cells in the least populated generation"),
    (Population.parse("3..5@1"), "at least 3 and at most 5 cells in generation 1"),
    (Population.parse("..5 @ most"), "at most 5 cells in the most populated generation"),
    (Rotor.parse("<=12"), "at most 12 cells in the rotor"),
    (Stator.parse("0"), "exactly 0 cells in the stator"),
    (Width.parse(">7"), "a width of at least 8"),
    (Height.parse("7.."), "a height of at least 7"),
    (Area.parse("<50"), "an area of at most 49"),
    (
        Difference.of(Pattern.from_rle("3o!"), "<=2@1"),
        "at most 2 cells of generation 1 are not as in a drawing of 3 live cells",
    ),
]


@pytest.mark.parametrize(("bound", "words"), WORDS)
def test_bounds_are_words(bound: Bound, words: str) -> None:
    assert str(bound) == words


@pytest.mark.parametrize(
    ("read", "words"),
    [
        (lambda: parse_bound("about 9"), "not a bound; write >=36, <=20, =9 or 20..36"),
        (lambda: parse_bound(".."), "not a bound"),
        (lambda: parse_bound("<0"), "no number here is negative"),
        (lambda: parse_bound("9..4"), "the range 9..4 is empty; write the lower number first"),
        (
            lambda: still_life(box="4x4", population=(1, 2)),
            "at least 2 and at most 1 live cells .* for a range write '1..2'",
        ),
        (lambda: still_life(box="4x4", population=(">=5", "<=4")), "at least 5 and at most 4"),
        (lambda: still_life(box="4x4", width=["<=2", ">=3"]), "at least 3 and at most 2 width"),
        (lambda: Population.parse("<=9@first"), "write a number, every, least, most or sum"),
        (lambda: Difference.of(Pattern.from_rle("o!"), "<=9@every"), "of one generation"),
        (lambda: Difference(rows=("ox",)), "a drawn cell is o, . or \\?, got 'x'"),
        (lambda: Population(most=-1), "not negative"),
        (lambda: Population(generation=-1), "generations count from 0"),
        (lambda: find_measure("populaton"), "did you mean population\\?"),
        (lambda: find_measure("beauty"), "use one of population, population@least"),
        (lambda: find_measure("population@every"), "population@least or population@most"),
        (lambda: find(agar(2, box="4x4", width="<=3")), "a pattern on a torus has no width"),
        (lambda: find(parent(Pattern.from_rle("o!"), population="9@7")), "generation 7.* 0 to 1"),
    ],
)
def test_wrong_bounds(read, words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UsageError, match=words):
        read()


def test_a_bound_that_there_is_not_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="unexpected keyword 'girth'"):
        oscillator(2, box="3x3", girth="<=3")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "bounds",
    [
        {"population": ">=17"},
        {"population": ">=999999999"},
        {"population": "<=0"},
        {"population": ">=17@every"},
        {"rotor": ">=1"},
        {"stator": ">=17"},
        {"width": ">=5"},
        {"height": "0"},
        {"area": ">=17"},
        {"area": "7"},
        {"difference": Difference.of(Pattern.from_rle("o!").shift(9, 9), "=0")},
    ],
)
def test_what_no_box_can_hold_is_impossible_and_no_error(bounds) -> None:  # type: ignore[no-untyped-def]
    assert isinstance(find(still_life(box="4x4", **bounds)), Impossible)


def test_bounds_on_one_number_become_one() -> None:
    both = still_life(box="4x4", population=(">=4", "<=6", "<=8"))
    assert both.name == still_life(box="4x4", population="4..6").name
    assert still_life(box="4x4", population=">=0") == still_life(box="4x4")
    assert merge_bounds([Width(most=3), Height(most=3)]) == (Width(most=3), Height(most=3))


def test_a_drawing_has_one_form() -> None:
    spread = Difference(rows=("....", "..o?", "...."), x=1, y=1)
    assert (spread.x, spread.y, spread.rows) == (3, 2, ("o?",))
    assert Difference(rows=("...", ".."), x=7) == Difference(rows=())
    assert Difference.of(PartialPattern.from_rle("o?$bo!")).rows == ("o?", ".o")


def test_the_tables_agree() -> None:
    assert set(ADDERS) == set(HOLDS) == set(CONSTRAINTS)
    assert set(VALUES) == set(BOUNDS) == set(TERMS) | set(EXTENTS) | {Growth, Decay, Changes}
    assert {type(measure.what) for measure in MEASURES} == set(BOUNDS) - {Difference}
    for measure in MEASURES:
        assert find_measure(measure.name) == measure
        assert measure.words
        assert measure.bound(2, 3).holds(2)
    assert find_measure("population@3").bound(most=9) == Population(most=9, generation=3)
    assert find_measure("population@0") == find_measure("population")


def test_a_known_cell_and_its_opposite_are_counted_once() -> None:
    """Of two linked cells that are opposite one lives: nothing is left to count."""
    from satlife import Link

    problem = Problem(
        boxes=("2x1",), links=(Link(first=(0, 0, 0), second=(1, 0, 0), opposite=True),)
    )
    spacetime = SpaceTime(problem)
    builder = FormulaBuilder(spacetime.variables)
    count = Measure(Population()).count(spacetime, builder)
    assert (count.outputs.tolist(), builder.build().clauses) == ([TRUE], 0)


def test_known_figures() -> None:
    """The blinker's rotor, the glider's envelope, and what is near a block."""
    blinker = find(oscillator(2, box="5x5", rotor="<=4", stator="1"))
    assert isinstance(blinker, Found)
    assert blinker.finding.identity.name == "blinker"
    for bounds, fits in (({"area": "<=11"}, False), ({"area": "<=12"}, True)):
        found = find(ship("c/4d", box="5x5", population="<=5@every", **bounds))  # type: ignore[arg-type]
        assert isinstance(found, Found) is fits
    near = Difference.of(Pattern.from_rle("2o$2o!"), "2..3")
    changed = find(still_life(box="3x3", difference=near))
    assert isinstance(changed, Found)
    assert changed.finding.identity.name in ("boat", "ship")


def test_not_empty_stays_what_it_was() -> None:
    assert NotEmpty() in still_life(box="3x3", population="<=3").constraints


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--rotor", "..4", "--stator", "1", "--population", "<=3@every"), 0, b"blinker"),
        (("--width", "9.."), 1, b"a width of at least 9"),
        (("--area", "small"), 2, b"'small' is not a bound"),
        (("--difference", "none.rle", "<=3"), 2, b"none.rle"),
    ],
)
def test_on_the_command_line(options: tuple[str, ...], code: int, said: bytes) -> None:
    done = run("satlife", "oscillator", "2", "--box", "5x5", *options)
    assert (done.returncode, said in done.stderr) == (code, True)
