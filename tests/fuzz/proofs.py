"""The plain formula, certificates and the other solvers, compared with the brute force."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from satlife import Found, Impossible, Options, build, find
from satlife.audit.formula import TURNS, Map, audit_formula
from satlife.audit.invariance import Invariance
from satlife.audit.symmetries import require_least, show
from satlife.certificates import NoneExists, Proving, certify, check_certificate
from satlife.certificates.make.refute import decode_audit
from satlife.engine.sat.attempt import decode
from satlife.formula.spacetime import SpaceTime
from satlife.sat import Satisfied, find_solver
from satlife.sat.solvers import SOLVERS
from satlife.sat.solvers.pysat import InlineSolver
from tests.fuzz.checks import (
    CLASSED,
    Case,
    Check,
    Differs,
    check_classes,
    check_found,
    check_grow,
    check_optimum,
    check_raw,
    check_reference,
    check_verifier,
    compare_listing,
    compare_outcome,
    draw,
    key,
)
from tests.fuzz.hunted import check_hunted
from tests.fuzz.northward import check_rows
from tests.fuzz.wanted import check_wanted


def check_audit(case: Case, chance: random.Random) -> None:
    """The plain formula has the solutions as its models."""
    formula = audit_formula(case.problem)
    assert formula.names is not None
    numbers = {name.decode(): v for v, name in enumerate(formula.names.tolist(), 1)}
    cells = [
        numbers[f"x{x}y{y}t{t}"]
        for t, box in enumerate(case.problem.all_boxes)
        for y in range(box.y, box.bottom)
        for x in range(box.x, box.right)
    ]
    # Where generation 0 has the states of dying cells, generations before it say them.
    ages = range(1, case.problem.states - 1) if case.problem.shows_dying else ()
    first = cells[: case.problem.all_boxes[0].area]
    names = [formula.name(cell).rpartition("t")[0] for cell in first]
    past = [[numbers[f"{name}t{-age}"] for name in names] for age in ages]

    def read(truth: npt.NDArray[np.bool_]) -> bytes:
        states = truth[cells].astype(np.uint8)
        for age, plane in enumerate(past, 1):
            states[: len(first)] += ((age + 1) * truth[plane]).astype(np.uint8)
        return states.tobytes()

    with InlineSolver(find_solver("glucose")).open(formula) as solver:
        if len(case.found) > 60 or chance.random() < 0.5:
            if isinstance(solver.solve(), Satisfied) != bool(case.found):
                raise Differs(f"the plain formula is wrong: there are {len(case.found)} solutions")
            return
        models = islice(
            solver.models([*cells, *(cell for plane in past for cell in plane)]),
            3 * len(case.found) + 3,
        )
        seen = Counter(read(np.asarray(model.truth)) for model in models)
    compare_listing(case, "the plain formula", seen, True)


def check_broken(case: Case, chance: random.Random) -> None:
    """Breaking symmetry leaves something of every class."""
    if len(case.found) > CLASSED:
        return
    spacetime = SpaceTime(case.problem)
    if spacetime.clash:
        return
    built = build(spacetime, break_symmetry=True)
    with InlineSolver(find_solver("glucose")).open(built.formula) as solver:
        models = solver.models(range(1, spacetime.variables + 1))
        left = {key(decode(spacetime, model)) for model in islice(models, len(case.found) + 1)}
    if wrong := left - set(case.keys):
        raise Differs(f"breaking symmetry adds {len(wrong)} solutions")
    seen = {case.class_of[each] for each in left}
    for i, part in enumerate(case.classes):
        if i not in seen:
            raise Differs(f"breaking symmetry loses\n{draw(part[0])}")


def check_least(case: Case, chance: random.Random) -> None:
    """With any symmetries that are allowed, the plain formula keeps a solution, and adds none."""
    formula, said = audit_formula(case.problem), Invariance(case.problem)
    period = case.problem.motion.period if case.problem.motion else 1
    reach = chance.choice((0, 1))
    every = [
        Map(turn, dx, dy, dt)
        for turn in TURNS
        for dx in range(reach + 1)
        for dy in range(reach + 1)
        for dt in range(period + 1)
    ]
    drawn = chance.sample(every, min(len(every), 16))
    kept = [g for g in drawn if said.keeps(show(said, g))]
    formula = require_least(formula, said, kept)
    with InlineSolver(find_solver("glucose")).open(formula) as solver:
        answer = solver.solve()
    if isinstance(answer, Satisfied) != bool(case.found):
        raise Differs(f"{len(case.found)} solutions, and with {kept}: {answer}")
    if isinstance(answer, Satisfied) and len(case.found) <= CLASSED:
        left = key(decode_audit(case.problem, formula, answer.model))
        if left not in case.keys:
            raise Differs(f"with {kept} there is one that is not a solution")


def check_certificates(case: Case, chance: random.Random) -> None:
    """What is impossible gets a certificate that is valid; nothing else gets one.

    Some are trees, and some do without symmetry.
    """
    options = Options(break_symmetry=chance.choice((None, False)), jobs=chance.choice((1, 2)))
    proving = Proving(options=options, cubes=chance.choice((0, 2, 3, 5)))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "certificate"
        outcome = certify(case.problem, NoneExists(), folder, proving)
        compare_outcome(case, outcome, "the prover")
        if isinstance(outcome, Found):
            if folder.exists():
                raise Differs("there is a certificate, and a solution")
            return
        judgement = check_certificate(folder)
        if not judgement.valid:
            raise Differs(f"its certificate is {judgement}")


def check_solvers(case: Case, chance: random.Random) -> None:
    """Other solvers, in processes of their own, say the same."""
    for solver in chance.sample([each for each in SOLVERS if each.available], 2):
        compare_outcome(case, find(case.problem, solver=solver.name), solver.name)


def check_race(case: Case, chance: random.Random) -> None:
    """Two jobs say the same."""
    outcome = find(case.problem, jobs=2)
    if not isinstance(outcome, Found | Impossible):
        raise Differs(f"two jobs did not decide: {outcome}")
    compare_outcome(case, outcome, "two jobs")


CHECKS: dict[str, tuple[Check, float]] = {
    "reference": (check_reference, 0.1),
    "found": (check_found, 1.0),
    "hunted": (check_hunted, 0.3),
    "raw": (check_raw, 0.5),
    "classes": (check_classes, 0.7),
    "optimum": (check_optimum, 0.3),
    "broken": (check_broken, 0.4),
    "audit": (check_audit, 0.25),
    "verifier": (check_verifier, 0.5),
    "grow": (check_grow, 0.1),
    "wanted": (check_wanted, 0.5),
    "least": (check_least, 0.25),
    "certificates": (check_certificates, 0.004),
    "solvers": (check_solvers, 0.008),
    "race": (check_race, 0.004),
    "rows": (check_rows, 0.04),
}
"""Every check, and the share of the problems that it is made on."""
