"""What satlife says of a problem, compared with what the brute force knows.

A check raises :class:`Differs`; any other exception is a failure too.  ``CHECKS`` says how often
each is made, for it is the slow ones that are made seldom.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import msgspec
import numpy as np

from satlife import (
    ENCODINGS,
    Best,
    Found,
    Goal,
    Impossible,
    Listing,
    Problem,
    find,
    find_all,
    find_best,
    grow,
)
from satlife.engine.brute import BRUTE, count_free_cells
from satlife.engine.grow import DIRECTIONS
from satlife.errors import UsageError
from satlife.formula.measures import Measure
from satlife.problem.constraints import (
    Bound,
    Changes,
    Decay,
    Difference,
    Growth,
    Height,
    Population,
    Rotor,
    Stator,
    Width,
)
from satlife.sat import find_solver
from satlife.sat.solvers.pysat import InlineSolver
from satlife.verifier.verify import complaints
from tests.fuzz.drawing import MOST, name_family
from tests.reference import (
    History,
    TooLarge,
    classes,
    is_solution,
    optimum,
    refused,
    solutions,
    solved_rules,
)

LISTED = 300
"""Solutions that are listed one by one; of more, only some are looked at."""
CLASSED = 120
"""Solutions that are divided into classes."""
INLINE = ("glucose", "minisat", "cadical195", "maplesat", "minicard", "glucose3")

LIMITATIONS = {"forced asks for a yes or a no": "what differs is one counterexample of many"}
"""The beginning of a message of a UsageError after the problem was taken, and why it is right."""


class Differs(Exception):  # noqa: N818 - it is a finding
    """satlife and the brute force do not agree."""


def key(history: Iterable[Any]) -> bytes:
    """Return what tells a history from the others of its problem."""
    return b"".join(np.asarray(states, np.uint8).tobytes() for states in history)


@dataclass(frozen=True, eq=False)
class Case:
    """A problem and what the brute force knows of it."""

    problem: Problem
    found: list[History]
    seed: str
    drawn: str = ""
    """What was drawn, if it is not the problem itself."""

    @classmethod
    def of(cls, problem: Problem, seed: str, largest: int = 2**17) -> Case:
        return cls(problem, solutions(problem.to_json(), largest), seed)

    @classmethod
    def read(cls, text: str, seed: str) -> Case:
        """Read a problem that was drawn; a few may have more solutions to try."""
        few = random.Random(f"{seed} most").random() >= 0.05
        return cls.of(Problem.from_json(text), seed, MOST if few else 16 * MOST)

    @property
    def text(self) -> bytes:
        return self.problem.to_json()

    @property
    def is_satisfiable(self) -> bool:
        return bool(self.found)

    @property
    def families(self) -> list[str]:
        return [name_family(self.problem.rule)]

    @property
    def detail(self) -> str:
        """The kind of the problem, or what is around its box."""
        return self.problem.kind if self.problem.kind != "find" else self.problem.boundary

    @cached_property
    def keys(self) -> dict[bytes, int]:
        return {key(history): i for i, history in enumerate(self.found)}

    @cached_property
    def classes(self) -> list[list[History]]:
        return classes(self.text, self.found)

    @cached_property
    def class_of(self) -> dict[bytes, int]:
        return {key(h): i for i, part in enumerate(self.classes) for h in part}

    def how(self, chance: random.Random, **more: Any) -> dict[str, Any]:
        return {"solver": InlineSolver(find_solver(chance.choice(INLINE))), **more}

    def known_to_be(self, history: History, what: str) -> None:
        if key(history) not in self.keys:
            raise Differs(f"{what} is no solution:\n{draw(history)}")


def draw(history: History) -> str:
    """Draw a history, generation beside generation."""
    height = max(len(states) for states in history)
    texts = [
        ["".join(".oBCDEFG"[s] for s in row) for row in np.asarray(h).tolist()] for h in history
    ]
    rows = (
        "  ".join(t[y] if y < len(t) else " " * len(t[0]) for t in texts) for y in range(height)
    )
    return "\n".join(rows)


# The checks


def check_reference(case: Case, chance: random.Random) -> None:
    """The brute force agrees with its own definition."""
    for history in chance.sample(case.found, min(3, len(case.found))):
        if not is_solution(case.text, history):
            raise Differs("the reference lists what is no solution")
        other = mutate(chance, history)
        if is_solution(case.text, other) != (key(other) in case.keys):
            raise Differs(f"the reference does not list what is a solution:\n{draw(other)}")


def check_found(case: Case, chance: random.Random) -> None:
    """Every encoding finds a solution if there is one, with symmetry broken and without."""
    names: list[str | None] = [None]  # a set of rules has one encoding
    if not case.problem.has_open_rule:
        rule = case.problem.parsed.rule
        names = [encoding.name for encoding in ENCODINGS if encoding.supports(rule)]
    ways = [(name, broken) for name in names for broken in (False, True)]
    for encoding, broken in ways if chance.random() < 0.1 else chance.sample(ways, 2):
        how = case.how(chance, encoding=encoding, break_symmetry=broken)
        outcome = find(case.problem, **how)
        way = f"{encoding}{', symmetry broken' if broken else ''}"
        compare_outcome(case, outcome, way)


def compare_outcome(case: Case, outcome: object, way: str) -> None:
    match outcome:
        case Found(finding):
            case.known_to_be(finding.history, f"what {way} found")
        case Impossible(reason=reason):
            if case.found:
                first = draw(case.found[0])
                raise Differs(f"{way} found nothing ({reason}); a solution is\n{first}")
        case _:
            raise Differs(f"{way} did not decide: {outcome}")


def check_raw(case: Case, chance: random.Random) -> None:
    """Raw listings have every solution once."""
    if case.problem.has_open_rule:
        return  # it is listed by rules
    listings = [
        ("--raw", iter(find_all(case.problem, raw=True, **case.how(chance)))),
    ]
    few = len(case.found) <= LISTED
    if chance.random() < 0.6 or not few:
        listings = [chance.choice(listings)]
    if BRUTE.refuses(case.problem) is None and count_free_cells(case.problem) <= 12:
        listings += [("brute", iter(find_all(case.problem, raw=True, engine="brute")))]
    for name, listing in listings:
        seen = Counter(key(f.history) for f in islice(listing, None if few else 40))
        compare_listing(case, name, seen, few)


def compare_listing(case: Case, name: str, seen: Counter[bytes], complete: bool) -> None:
    twice = [each for each, count in seen.items() if count > 1]
    wrong = [each for each in seen if each not in case.keys]
    missing = [each for each in case.keys if each not in seen] if complete else []
    if twice or wrong or missing:
        words = f"{name} lists {seen.total()} of {len(case.keys)} solutions"
        words += f": {len(twice)} twice, {len(wrong)} wrong, {len(missing)} missing"
        if missing or twice:
            words += f", such as\n{draw(case.found[case.keys[(missing or twice)[0]]])}"
        raise Differs(words)


def check_classes(case: Case, chance: random.Random) -> None:
    """Every class is listed once."""
    if case.problem.has_open_rule:
        check_ranges(case, chance)
        return
    if len(case.found) > CLASSED:
        return
    listing = find_all(case.problem, **case.how(chance))
    compare_classes(case, listing, set(range(len(case.classes))), "--all")


def check_ranges(case: Case, chance: random.Random) -> None:
    """Of a set of rules, every rule that has a solution is in one of the ranges, and no other."""
    listing = find_all(case.problem, **case.how(chance))
    listed: set[bytes] = set()
    for finding in listing:
        case.known_to_be(finding.history, "what --all lists")
        rules = {rule.table.tobytes() for rule in finding.rules.rules()} if finding.rules else set()
        if rules <= listed:
            raise Differs(f"--all lists {finding.rules}, which has no new rule")
        listed |= rules
    wanted = {table.tobytes() for table in solved_rules(case.text)}
    if not listing.complete or listed != wanted:
        raise Differs(f"--all lists {len(listed)} rules, and {len(wanted)} have a solution")


def compare_classes(
    case: Case, listing: Listing, wanted: set[int], name: str, either: Set[int] = frozenset()
) -> None:
    """Compare what is listed with the classes that are wanted; ``either`` may be listed or not."""
    seen: Counter[int] = Counter()
    for finding in listing:
        case.known_to_be(finding.history, f"what {name} lists")
        seen[case.class_of[key(finding.history)]] += 1
        if seen.total() > 2 * len(case.found) + 2:
            break
    if not listing.complete:
        raise Differs(f"{name} did not end: {listing.result}")
    problems = [f"twice\n{draw(case.classes[i][0])}" for i in seen if seen[i] > 1]
    problems += [f"left out\n{draw(case.classes[i][0])}" for i in wanted - set(seen)]
    problems += [f"not wanted\n{draw(case.classes[i][0])}" for i in set(seen) - wanted - either]
    if problems:
        number = f"{seen.total()} listed of {len(wanted)} classes"
        raise Differs(f"{name}, {number}, {len(problems)} wrong: {problems[0]}")


def check_optimum(case: Case, chance: random.Random) -> None:
    """The best is the best."""
    chosen = dict.fromkeys(_goal(case, chance) for _ in range(chance.choice((1, 1, 2))))
    goals = [(chance.random() < 0.5, bound) for bound in chosen]
    best = find_best(
        case.problem,
        [Goal(Measure(bound), maximize=more) for more, bound in goals],
        **case.how(chance, break_symmetry=chance.choice((None, True, False))),
    )
    wanted = optimum(
        case.text,
        [("maximize" if more else "minimize", as_json(bound)) for more, bound in goals],
        case.found,
    )
    words = ", ".join(f"{'most' if more else 'least'} {bound.measured}" for more, bound in goals)
    match best:
        case Best(values=values, proved=True):
            case.known_to_be(best.finding.history, "the best")
            if values != wanted:
                raise Differs(f"{words}: {values}, and should be {wanted}")
        case Impossible() if wanted is None:
            pass
        case _:
            raise Differs(f"{words}: {best}, and should be {wanted}")


def _goal(case: Case, chance: random.Random) -> Bound:
    problem = case.problem
    t = chance.randrange(problem.generations)
    which = chance.choice((t, t, "least", "most", "sum"))
    goals: list[Bound] = [Population(generation=which), Rotor(), Stator(), Growth(), Decay()]
    if problem.boundary in ("dead", "torus"):
        goals.append(Changes())
    if problem.boundary not in ("torus", "agar"):
        goals += [Width(), Height()]
    box = problem.all_boxes[t]
    goals.append(Difference(rows=("o",), x=box.x, y=box.y, generation=t))
    return chance.choice(goals)


def as_json(bound: Bound) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(bound))
    return fields


def check_verifier(case: Case, chance: random.Random) -> None:
    """The verifier takes every solution, and nothing else."""
    for history in chance.sample(case.found, min(6, len(case.found))):
        if told := list(complaints(case.problem, history)):
            raise Differs(f"the verifier refuses a solution: {told[0]}\n{draw(history)}")
        for _ in range(3):
            other = mutate(chance, history)
            if key(other) not in case.keys and not list(complaints(case.problem, other)):
                raise Differs(f"the verifier takes what is no solution:\n{draw(other)}")


def mutate(chance: random.Random, history: History) -> History:
    """Change one cell, sometimes more."""
    changed = [np.array(states, np.uint8) for states in history]
    for _ in range(chance.choice((1, 1, 1, 2))):
        states = chance.choice(changed)
        states[chance.randrange(states.shape[0]), chance.randrange(states.shape[1])] ^= 1
    return tuple(changed)


def check_grow(case: Case, chance: random.Random) -> None:
    """Growing boxes hold what the brute force says of each."""
    problem = case.problem
    if len(problem.boxes) > 1 or problem.boundary == "free":
        return
    direction = chance.choice(DIRECTIONS)
    made: list[Problem] = []

    class TooFarError(Exception):
        pass

    def make(box: str) -> Problem:
        # A larger box that satlife or the brute force does not take is where we stop.
        try:
            larger = msgspec.structs.replace(problem, boxes=(box,))
            if refused(larger.to_json()):
                raise TooFarError
            solutions(larger.to_json(), 2**12)
        except (UsageError, TooLarge):
            raise TooFarError from None
        made.append(larger)
        return larger

    start = chance.choice(("1x1", "2x1", "2x2", "2x2"))
    try:
        for step in grow(make, start, direction, **case.how(chance)):
            here = Case.of(made[-1], case.seed)
            compare_outcome(here, step.outcome, f"growing to {step.box}")
    except TooFarError:
        pass


Check = Callable[[Any, random.Random], Counter[str] | None]
"""Compare something with the brute force; return numbers to be told, if there are any."""
