# ruff: noqa: T201 - a script prints
"""A user's script with the whole public API of ``satlife``; mypy --strict reads it, and it runs."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Generator
from pathlib import Path

import numpy as np
import numpy.typing as npt

import satlife
from satlife import (
    Area,
    Arrival,
    Best,
    Box,
    Built,
    Changes,
    Constraint,
    Decay,
    Difference,
    Encoding,
    Engine,
    Finding,
    Finished,
    Formula,
    Found,
    FullPeriod,
    GaveUp,
    Goal,
    Grid,
    Growth,
    Gutter,
    Height,
    Impossible,
    Improved,
    Judgement,
    Kind,
    Known,
    Lacks,
    Limits,
    Link,
    Listed,
    Listing,
    Motion,
    NotEmpty,
    Outcome,
    PartialPattern,
    Pattern,
    PatternPeriod,
    Population,
    Problem,
    Progress,
    Proved,
    Restored,
    Rotor,
    Rule,
    RuleSpace,
    SatlifeError,
    Search,
    Started,
    Stator,
    Symmetry,
    Transform,
    Undecided,
    Width,
)
from satlife.engine import Run

GLIDER = satlife.read("bo$2bo$3o!")


class Soup(Engine):
    """An engine of one's own: random fillings."""

    name, title = "soup", "random fillings"
    takes = ("timeout", "seed")

    def solutions(
        self, problem: Problem, run: Run
    ) -> Generator[tuple[npt.NDArray[np.uint8], ...], None, str]:
        """Yield still lifes."""
        box: Box = problem.all_boxes[0]
        chance = np.random.default_rng(run.options.seed)
        for _ in range(10_000):
            run.check()
            states = chance.integers(0, 2, (box.height, box.width), np.uint8)
            soup = Pattern.from_array(states, box.x, box.y, problem.rule)
            if soup[1] == soup and not soup.is_empty:
                yield (states,)
        raise GaveUp("10,000 soups")


def ask() -> list[Problem]:
    """Ask one question of each kind, with values and with texts."""
    return [
        satlife.still_life(box=Box(0, 0, 3, 3), population=">=4"),
        satlife.oscillator(2, box=(3, 3), symmetry=Symmetry("D4+"), rule=Rule("B3/S23")),
        satlife.ship(Motion.parse("c/4d"), box="4x4", population=5),
        satlife.parent(GLIDER, generations=1),
        satlife.orphan(GLIDER),
        satlife.forced(GLIDER, generations=2),
        satlife.complete(satlife.read("2o$o?$b2o!", partial=True)),
        satlife.agar(1, box="2x2", wrap=(1, 0)),
        satlife.wick(2, box="4x3"),
        satlife.eater(GLIDER, region="4..11,4..11", within=8, population="<=7"),
        satlife.reaction(GLIDER, GLIDER[4], within=4, region=Box(8, 0, 4, 4)),
        satlife.perturbation(GLIDER, region="4..7,4..7", contact="9..12", population="<=7"),
    ]


def ask_field_by_field() -> Problem:
    """Ask for a blinker with the parts of a problem, and with every sort of constraint."""
    numbers: list[Constraint] = [
        Area(most=9),
        Decay(most=9),
        Changes(most=99),
        Growth(most=9),
        Height(most=3),
        Population(most=3),
        Rotor(most=4),
        Stator(most=1),
        Width(most=3),
    ]
    problem = Problem(
        boxes=("3x3",),
        steps=2,
        motion=Motion(period=2),
        known=(Known(t=0, rows=("???", "?o?", "???")),),
        links=(Link(first=(0, 0, 0), second=(2, 2, 0)),),
        constraints=(NotEmpty(), FullPeriod(), *numbers),
    )
    assert {PatternPeriod, Gutter, Difference, Lacks, Arrival, Restored}
    assert satlife.Bounds.__doc__
    assert Grid.from_text("0,a,0\n")
    assert satlife.problem_schema()
    return problem


def look_closer(problem: Problem) -> None:
    """Solve a problem, look at its formula, its words and its numbers, and verify the pattern."""
    options = satlife.Options(seed=1)
    outcome: Outcome = satlife.find(problem, seed=options.seed)
    assert isinstance(outcome, Found)
    assert satlife.answers_yes(outcome)
    satlife.verify(problem, outcome.finding.history)
    assert issubclass(satlife.VerificationError, Exception)
    assert satlife.evaluate(problem, outcome.finding.history, Population()) == 3
    assert satlife.describe(problem)
    encoding: Encoding = satlife.ENCODINGS[0]
    kind: Kind = satlife.KINDS[0]
    print(encoding.name, kind.name, satlife.ENGINES[0].name, satlife.MEASURES[0].name)
    assert satlife.build(problem).formula.clauses
    assert str(Goal.parse("minimize", "population"))
    assert list(satlife.grow(lambda box: satlife.still_life(box=box), "2x2"))
    assert satlife.find_known(lambda box: satlife.ship("c/4d", box=box)) is not None
    assert callable(satlife.find_first)
    assert callable(satlife.catalyst)
    assert callable(satlife.find_arrivals)
    assert callable(satlife.can_arrive)


def answer(problem: Problem) -> str:
    """Find one solution, with a match over the three answers."""
    match satlife.find(problem, timeout=60, jobs=1, seed=1):
        case Found(finding):
            found: Finding = finding
            return f"found {found.pattern.population}"
        case Impossible(reason=reason):
            return f"impossible: {reason}"
        case Undecided(reason=reason):
            return f"undecided: {reason}"


def hold(problem: Problem) -> Search:
    """Start a search, listen to all of its events, and stop it from another thread."""
    heard: set[str] = set()
    with satlife.start(problem) as search:
        threading.Timer(0.5, search.stop).start()
        for event in search:
            if isinstance(event, Started | Built | Progress | Improved | Found | Finished):
                heard.add(type(event).__name__)
    assert {"Started", "Finished"} <= heard
    return search


def list_and_improve() -> None:
    """List all solutions, and find the best."""
    listing: Listing = satlife.find_all(satlife.still_life(box="3x3"))
    assert sorted(finding.pattern.population for finding in listing) == [4, 4, 5, 6]
    listed: Listed = listing.result
    assert listed.complete
    best = satlife.find_best(satlife.still_life(box="4x4"), maximize="population")
    assert isinstance(best, Best)
    assert best.values == (8,)


def certify(folder: Path) -> None:
    """Prove an impossibility and check the certificate."""
    proved = satlife.prove(satlife.oscillator(3, box="3x3"), folder)
    assert isinstance(proved, Proved)
    judgement: Judgement = satlife.check(proved.folder)
    assert judgement.valid


def main() -> None:
    """Use every public name."""
    print([answer(problem) for problem in ask()])
    hold(satlife.oscillator(8, box="14x14"))
    list_and_improve()
    with tempfile.TemporaryDirectory() as place:
        certify(Path(place, "p3"))
        satlife.save(GLIDER, Path(place, "glider.svg"))
        assert Path(place, "glider.svg").stat().st_size
    assert callable(satlife.play)  # it needs a notebook
    soup = satlife.find(satlife.still_life(box="3x3"), engine=Soup(), seed=1)
    assert isinstance(soup, Found)
    assert satlife.identify(GLIDER).name == "glider"
    assert satlife.rules_of(GLIDER) == RuleSpace("B3[678]/S[0]23[5678]")
    assert GLIDER.transformed(Transform("half-turn")).population == 5
    assert isinstance(PartialPattern.from_pattern(GLIDER), PartialPattern)
    limits, formula = Limits(seconds=1.0), Formula
    assert (limits.seconds, formula.__name__) == (1.0, "Formula")
    try:
        satlife.ship("c/4d", box="four")
    except SatlifeError as error:
        print(error)
    look_closer(ask_field_by_field())
    rooms = [satlife.errors, satlife.knuth, satlife.life, satlife.sat, satlife.show]
    rooms += [satlife.problem, satlife.kinds, satlife.engine, satlife.formula]
    rooms += [satlife.certificates, satlife.records]
    print(satlife.__version__, [room.__name__ for room in rooms])


if __name__ == "__main__":
    main()
