"""The encoder's geometry, broken in every small way: no wrong answer is ever verified or certified.

A mutant of ``isometry``, ``spacetime`` or ``symmetry`` may have other solutions than the problem.
What it finds wrongly must fail the verifier; what it misses must satisfy the audit formula, so that
no certificate of its "impossible" can be made.  The truth comes from the brute force of
tests/reference.

    python -m tests.mutation.geometry            all mutants, some ten minutes
    python -m tests.mutation.geometry --every 9  every ninth
"""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import json
import os
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from types import CodeType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from satlife import Problem
from satlife.formula import isometry, spacetime
from satlife.life import symmetry as life_symmetry
from satlife.life.symmetry import SYMMETRIES
from tests.mutation.changes import mutants
from tests.reference import solutions

MODULES: tuple[ModuleType, ...] = (isometry, spacetime, life_symmetry)
SECONDS = 60
"""Beyond this a mutant runs in circles, and nobody gets a wrong answer from it."""
Histories = dict[bytes, tuple[Any, ...]]


class Task(NamedTuple):
    """A problem, and all of its solutions."""

    text: bytes
    truth: Histories


def key(history: tuple[Any, ...]) -> bytes:
    """Return what tells a history from others of its problem."""
    return b"".join(np.asarray(states, np.uint8).tobytes() for states in history)


def problems() -> Iterator[dict[str, Any]]:
    """Yield small problems in which every piece of the geometry matters."""
    for symmetry in SYMMETRIES:
        for box, rule in (("3x3-1+2", "B2/S0"), ("4x4", "B3/S23"), ("3x4", "B3/S23")):
            yield {"boxes": [box], "motion": {"period": 4 if symmetry.factor > 2 else 2},
                   "symmetry": str(symmetry), "rule": rule}  # fmt: skip
    glides = {"\\": ((1, 1), (-1, -1)), "/": ((1, -1), (-1, 1))}
    for axis, ways in glides.items():
        for dx, dy in ways:
            yield {"boxes": ["4x4"], "motion": {"period": 4, "dx": dx, "dy": dy},
                   "symmetry": f"C1:D2{axis}"}  # fmt: skip
            yield {"boxes": ["3x3+1-1"], "motion": {"period": 2, "dx": dx, "dy": dy},
                   "symmetry": f"C1:D2{axis}", "rule": "B1/S"}  # fmt: skip
    for symmetry, dx, dy in (("C1:D2|", 0, -2), ("C1:D2|", 0, 2), ("C1:D2-", 2, 0), ("D2|", 0, -1)):
        yield {"boxes": ["4x4"], "motion": {"period": 2, "dx": dx, "dy": dy},
               "symmetry": symmetry, "rule": "B2/S"}  # fmt: skip
    for turn in ("half-turn", "quarter-turn-clockwise", "quarter-turn-anticlockwise",
                 "flip-left-right", "flip-diagonal", "flip-antidiagonal"):  # fmt: skip
        for dx, dy in ((0, 0), (1, 0), (0, -1)):
            motion = {"period": 2, "dx": dx, "dy": dy, "transform": turn}
            yield {"boxes": ["3x3"], "motion": motion, "include_last": dx != 0, "rule": "B2/S1"}
            yield {"boxes": ["3x3"], "motion": motion, "boundary": "torus", "rule": "B3/S12"}
    for wrap in ((0, 0), (1, 0), (0, 1), (2, 0), (0, -1)):
        for dx, dy in ((0, 0), (1, 0), (-1, 1)):
            yield {"boxes": ["4x3"], "motion": {"period": 2, "dx": dx, "dy": dy},
                   "boundary": "torus", "wrap": wrap}  # fmt: skip
            yield {"boxes": ["3x3"], "motion": {"period": 1}, "boundary": "torus", "wrap": wrap,
                   "symmetry": "C2"}  # fmt: skip
    named = {
        "links": [{"first": [0, 0, 0], "second": [2, 1, 1]},
                  {"first": [1, 0, 1], "second": [1, 1, 0], "opposite": True}],
        "known": [{"t": 1, "y": 1, "rows": ["?o.", "..?"]}],
        "exempt": [[1, 1, 1]],
    }  # fmt: skip
    for boundary in ("dead", "free", "torus"):
        yield {"boxes": ["3x3"], "steps": 1, "boundary": boundary} | named
    yield {"boxes": ["3x3", "4x3-1+0"], "motion": {"period": 2}, "rule": "B2/S01"}
    yield {"boxes": ["3x3-1-1", "3x2"], "steps": 1, "boundary": "free", "symmetry": "D4+"}
    yield {"boxes": ["3x3"], "motion": {"period": 2, "dy": -1}, "include_last": True,
           "rule": "B2/S", "known": [{"t": 2, "x": 1, "y": 0, "rows": ["o"]}]}  # fmt: skip


def make_tasks() -> list[Task]:
    """Return the problems that fit, with their solutions."""
    tasks = []
    for fields in problems():
        try:
            text = Problem.from_json(json.dumps(fields)).to_json()
        except Exception:
            continue  # this symmetry does not fit this box
        truth = {key(each): each for each in solutions(text)}
        if 1 < len(truth) <= 400:
            tasks.append(Task(text, truth))
    return tasks


# --- in the child ---------------------------------------------------------------------------------


class _Loader(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Load one module from a mutant's code."""

    def __init__(self, name: str, code: CodeType) -> None:
        self.name, self.code = name, code

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name == self.name:
            return importlib.machinery.ModuleSpec(name, self, origin="mutant")
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, vars(module))


def judge(name: str, code: CodeType, tasks: list[Task]) -> Counter[str]:
    """Import satlife anew with the mutant in it, and see what becomes of every problem."""
    for loaded in [each for each in sys.modules if each.split(".")[0] == "satlife"]:
        del sys.modules[loaded]
    sys.meta_path.insert(0, _Loader(name, code))
    seen: Counter[str] = Counter()
    try:
        from satlife import Problem as Read
        from satlife.audit.formula import audit_formula
        from satlife.verifier.verify import complaints
    except Exception:
        return Counter(["does not load"])
    for text, truth in tasks:
        try:
            problem = Read.from_json(text)
            if problem.to_json() != text:
                raise AssertionError("another problem is read")
            found = encoder_solutions(problem, 3 * len(truth) + 20)
        except Exception as error:
            seen[f"loud: {type(error).__name__}"] += 1
            continue
        for history in (found[each] for each in found.keys() - truth.keys()):
            is_seen = any(complaints(problem, history))
            seen["wrong find, caught by the verifier" if is_seen else "WRONG FIND VERIFIED"] += 1
        missing = [truth[each] for each in truth.keys() - found.keys()]
        if missing:
            admits = admitted(problem, audit_formula(problem), missing[:3])
            seen["missed, admitted by the audit" if admits else "WRONG NONE CERTIFIED"] += 1
    return seen or Counter(["no difference"])


def encoder_solutions(problem: Any, most: int) -> Histories:
    """Return what the encoder takes for solutions, verified or not."""
    from pysat.solvers import Solver

    from satlife.engine.sat.attempt import decode
    from satlife.formula.build import build

    built = build(problem, "direct")
    if built.spacetime.clash:
        return {}
    from satlife.sat import Model

    found: Histories = {}
    cells = range(1, built.spacetime.variables + 1)
    with Solver("g4", bootstrap_with=[list(clause) for clause in built.formula]) as solver:
        while len(found) < most and solver.solve():
            true = set(solver.get_model())
            literals = [v if v in true else -v for v in range(1, built.formula.variables + 1)]
            model = Model.from_literals(literals, built.formula.variables)
            history = decode(built.spacetime, model)
            found[key(history)] = history
            solver.add_clause([-literals[cell - 1] for cell in cells])
            if not cells:
                break
    return found


def admitted(problem: Any, formula: Any, histories: list[tuple[Any, ...]]) -> bool:
    """Return whether the audit formula has these solutions."""
    from pysat.solvers import Solver

    with Solver("g4", bootstrap_with=[list(clause) for clause in formula]) as solver:
        return all(
            solver.solve(
                [
                    formula.variable(f"x{box.x + i}y{box.y + j}t{t}") * (1 if alive else -1)
                    for t, box in enumerate(problem.all_boxes)
                    for (j, i), alive in np.ndenumerate(history[t])
                ]
            )
            for history in histories
        )


# --- in the parent --------------------------------------------------------------------------------


def try_mutant(name: str, code: CodeType, tasks: list[Task]) -> Counter[str]:
    """Judge a mutant in a copy of this process."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(SECONDS)
        try:
            seen = judge(name, code, tasks)
        except BaseException:
            seen = Counter([f"BROKEN HARNESS: {traceback.format_exc()}"])
        os.write(write, json.dumps(seen).encode()[:60_000])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return Counter(json.loads(text)) if text else Counter(["runs in circles"])


def run(every: int, first: int = 0) -> tuple[Counter[str], list[str]]:
    """Try every so-many-th mutant; return what was seen, and the mutants that went wrong."""
    tasks = make_tasks()
    total: Counter[str] = Counter()
    wrong: list[str] = []
    everything = (
        (module.__name__, words, code) for module in MODULES for words, code in mutants(module)
    )
    for name, words, code in islice(everything, first, None, every):
        seen = try_mutant(name, code, tasks)
        kinds = {kind for kind in seen if kind.isupper() or kind.startswith("BROKEN")}
        total.update({"mutants": 1, **dict.fromkeys(seen, 1)})
        if kinds:
            wrong.append(f"{name}: {words}: {dict(seen)}")
    return total, wrong


def main() -> int:
    """Run, and print how many mutants were caught by what; 1 if one was not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    words = parser.parse_args()
    total, wrong = run(words.every, words.first)
    for kind, number in total.most_common():
        print(f"{number:6} {kind}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
