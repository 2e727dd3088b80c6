"""Proving by cases: a tree whose leaves are solved, trimmed, checked and packed in child processes.

The formula is split on cells of generation 0, and a leaf whose proof is too long is split further.
None of this need be trusted: the tree itself shows that the leaves cover everything, and each leaf
has its proof.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Final, NamedTuple

from msgspec import structs

from satlife.audit.tree import read_tree, write_tree
from satlife.certificates.folder import Part
from satlife.certificates.obligations import Obligation, split_off
from satlife.life.box import list_from_front
from satlife.problem import Problem
from satlife.sat import Answer, Limits, Reason, Refuted, Undecided
from satlife.sat.cubes import Case, CaseProgress, InOrder, Look, Loop, OnePile, Tried
from satlife.sat.solvers.confined import run_confined

WHOLE: Final = 30_000_000
"""Bytes of proof for an attempt at the whole formula, so that easy formulas are not split."""
LEAVES: Final = 2
"""Initial number of leaves for each job; with 4, checking c/3 in 9x13 took a fifth more time."""
BUDGET: Final = 600_000_000
"""Least budget of a leaf, in bytes of proof, after which it is split; about two minutes."""
SHARE: Final = 0.25
"""The same as a share of the proofs of all leaves so far."""


class ProvedLeaf(NamedTuple):
    """The result for a leaf."""

    answer: Answer
    size: int
    """Bytes of proof that the solver has written."""
    part: Part | str | None = None
    """If it is refuted: its part, or why its proof is unusable."""


@dataclass(kw_only=True)
class Prover:
    """Proves cases, each in a child process of its own."""

    whole: Obligation
    jobs: int
    leaves: int
    """Initial number of leaves of the tree."""
    limits: Callable[[], Limits]
    """Returns the remaining limits of the whole proof."""
    function: str
    """The function that proves a leaf in a child process, as ``module:name``."""
    order: object
    """Its first argument, before the leaf and its budget."""
    tell: Callable[[str, str], None]
    exceeded: Reason = Reason.PROOF_LIMIT
    parts: dict[Case, Part] = field(default_factory=dict)
    """The proved leaves."""
    _numbers: count[int] = field(default_factory=count)
    _stop: threading.Event = field(default_factory=threading.Event)

    def prove(self, problem: Problem) -> tuple[Answer, str, tuple[Part, ...]]:
        """Prove the whole; return the answer, and if it is refuted the tree and its leaves' parts.

        The proofs of the leaves are left in the files that the parts name.
        """
        variables = self.whole.variables
        places = list_from_front(problem.all_boxes[0], problem.motion)
        cells = [variables[f"x{x}y{y}t0"] for x, y in places]
        self.tell("dividing the formula", "")
        with InOrder(self.whole.whole, cells) as divider:
            waiting, triers = OnePile(), [self] * self.jobs
            for leaf in divider.split(Look(()), self.leaves):
                waiting.push(0, leaf)
            # The effort of a try is in bytes here, so a limit of conflicts is not for the loop.
            limits = structs.replace(self.limits(), conflicts=None)
            loop = Loop(divider, waiting, triers, limits=limits, tell=self._tell)
            answer = loop.run()
        if not isinstance(answer, Refuted):
            return answer, "", ()
        tree = write_tree(self.parts, variables)
        return answer, tree, tuple(self.parts[case] for case in read_tree(tree, variables))

    def try_case(self, look: Look, spent: float, may_end: Callable[[], bool]) -> Tried:
        """Prove a case; the effort is measured in bytes of proof, which no busy machine changes."""
        leaf = split_off(self.whole, look.case, f"case-{next(self._numbers)}")
        budget = max(BUDGET, int(SHARE * spent)) if look.free else None
        found: Undecided | ProvedLeaf = run_confined(
            self.function, self.order, leaf, budget, limits=self.limits(), stop=self._stop
        )
        if isinstance(found, Undecided):
            return Tried(found, 0)
        answer, size, part = found
        if isinstance(part, Part):
            self.parts[look.case] = part
            answer = Refuted(look.case)
        elif isinstance(answer, Refuted):
            answer = Undecided(Reason.GAVE_UP, str(part))
        return Tried(answer, size)

    def interrupt(self) -> None:
        """Kill the child processes."""
        self._stop.set()

    def close(self) -> None:
        """Do nothing: every child process has ended with its case."""

    def _tell(self, news: CaseProgress) -> None:
        self.tell("proving the leaves", f"{news.settled} of {news.settled + news.open}")
