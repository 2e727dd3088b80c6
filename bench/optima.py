"""Optima, counts and ships that take longer than a test may, and what incremental solving saves.

``python -m bench.optima`` prints a line for each and fails if one is wrong.  Seconds are user CPU
seconds of the solver.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from satlife import (
    Best,
    Found,
    Goal,
    Impossible,
    Problem,
    build,
    find,
    find_all,
    find_best,
    parent,
    ship,
    still_life,
)
from satlife.life import Pattern
from satlife.sat import Refuted, Satisfied, find_solver

if sys.platform != "win32":
    import resource

LIFE = "o3b3ob3ob3o$o4bo2bo3bo$o4bo2bo3bo$o4bo2b2o2b2o$o4bo2bo3bo$o4bo2bo3bo$3ob3obo3b3o!"
PULSAR = (
    "2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo4bo2$"
    "2b3o3b3o!"
)
HALF_AN_HOUR = 1800.0


def cpu() -> float:
    """User CPU seconds of all ended children."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def best(problem: Problem, goal: Goal, expected: int) -> str:
    """Prove an optimum."""
    found = find_best(problem, [goal], timeout=HALF_AN_HOUR)
    right = isinstance(found, Best) and found.values == (expected,) and found.proved
    return (
        f"{found if isinstance(found, Best) else type(found).__name__}{'' if right else ' WRONG'}"
    )


def two_ships() -> str:
    """Two different ships of speed c/3 in 16x7."""
    codes = []
    for finding in find_all(ship("c/3", box="16x7"), timeout=HALF_AN_HOUR):
        codes.append(finding.identity.apgcode)
        if len(codes) == 2:
            break
    return " and ".join(map(str, codes)) + ("" if len(set(codes)) == 2 else " WRONG")


def density_anew() -> int:
    """The densest still life in 8x8 with a fresh solver for each bound."""
    population = 0
    while True:
        problem = still_life(box="8x8", population=f">={population + 1}")
        outcome = find(problem, solver="cadical", break_symmetry=True)
        if not isinstance(outcome, Found):
            assert isinstance(outcome, Impossible)
            return population
        population = outcome.pattern.population


def density_incremental() -> int:
    """The same with one solver."""
    goal = Goal.parse("maximize", "population")
    found = find_best(still_life(box="8x8"), [goal], solver="cadical", break_symmetry=True)
    assert isinstance(found, Best)
    return found.values[0]


def enumeration_anew() -> int:
    """All still lifes of 5x5, a fresh solver for each."""
    problem = still_life(box="5x5")
    formula = build(problem).formula
    cells = range(1, build(problem).spacetime.variables + 1)
    count, blocked = 0, []
    while True:
        with find_solver("cadical").open(formula) as solver:
            for clause in blocked:
                solver.add(clause)
            answer = solver.solve()
        if not isinstance(answer, Satisfied):
            assert isinstance(answer, Refuted)
            return count
        count += 1
        blocked.append([[-v if answer.model[v] else v for v in cells]])


def enumeration_incremental() -> int:
    """The same with one solver."""
    problem = still_life(box="5x5")
    return sum(1 for _ in find_all(problem, raw=True, solver="cadical"))


def compare(anew: Callable[[], int], incremental: Callable[[], int]) -> str:
    """Time both ways of the same work."""
    begun = cpu()
    first = anew()
    between = cpu()
    second = incremental()
    one, other = between - begun, cpu() - between
    wrong = "" if first == second else " WRONG"
    return f"{one:.1f} s anew, {other:.1f} s incrementally, {other / one:.2f} of it{wrong}"


def lines() -> Iterator[tuple[str, Callable[[], str]]]:
    """Everything to show."""
    least, most = Goal.parse("minimize", "population"), Goal.parse("maximize", "population")
    yield "density optimum 8x8", lambda: compare(density_anew, density_incremental)
    yield "enumeration 5x5", lambda: compare(enumeration_anew, enumeration_incremental)
    yield "least parent of LIFE", lambda: best(parent(Pattern.from_rle(LIFE)), least, 41)
    yield "least parent of the pulsar", lambda: best(parent(Pattern.from_rle(PULSAR)), least, 44)
    yield "densest still life 10x10", lambda: best(still_life(box="10x10"), most, 54)
    yield "two ships c/3 in 16x7", two_ships


def main() -> None:
    """Print a line for each."""
    wrong = False
    for name, show in lines():
        if len(sys.argv) > 1 and not any(word in name for word in sys.argv[1:]):
            continue
        begun = cpu()
        words = show()
        wrong |= "WRONG" in words
        print(f"{name}: {words} [{cpu() - begun:.1f} s]", flush=True)  # noqa: T201 - it is for this
    sys.exit(wrong)


if __name__ == "__main__":
    main()
