"""Which solutions of a listing are wanted, whatever engine found them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from satlife.errors import UsageError
from satlife.life import Pattern, Rule
from satlife.life.identity import apgcode
from satlife.life.parts import parts
from satlife.search.formula.classes import History
from satlife.search.problem import Problem


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which of the solutions are wanted."""

    raw: bool = False
    """Every solution by itself, copies and phases too."""
    reject: tuple[Pattern, ...] = ()
    """Objects that no solution may be, or hold as a separate part."""
    only_connected: bool = False
    """No solution made of independent parts."""
    already_found: tuple[History, ...] = ()
    """Solutions found before; the search goes on after them."""

    def check(self, problem: Problem) -> None:
        """Refuse to ask for objects where a solution is not an object."""
        if (self.reject or self.only_connected) and not (
            problem.motion is not None and problem.boundary == "dead"
        ):
            what = "reject" if self.reject else "only_connected"
            raise UsageError(f"{what} goes with still lifes, oscillators and ships only")


class Sieve:
    """Leaves out what is not wanted, and counts it."""

    def __init__(self, problem: Problem, wanted: Wanted, skipped: Counter[str]) -> None:
        wanted.check(problem)
        self._problem, self._wanted, self._skipped = problem, wanted, skipped
        self._rejected = {code for each in wanted.reject if (code := find_code(each))}

    def leaves_out(self, history: History) -> Pattern | bool:
        """Return whether the solution is left out; if for an object in it, that object."""
        if not (self._rejected or self._wanted.only_connected):
            return False
        box = self._problem.all_boxes[0]
        pieces = parts(Pattern.from_array(history[0], box.x, box.y, Rule(self._problem.rule)))
        if self._wanted.only_connected and len(pieces) > 1:
            self._skipped["composites"] += 1
            return True
        for piece in pieces:
            if find_code(piece) in self._rejected:
                self._skipped["rejected"] += 1
                return piece
        return False


def find_code(pattern: Pattern) -> str | None:
    """Return the apgcode; None for what does not come back, which no code can name."""
    try:
        return apgcode(pattern)
    except UsageError:
        return None
