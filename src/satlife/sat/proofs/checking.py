"""Checking a proof in either format by all available checkers: our own, and others.

Our own LRAT checker always takes part.  A DRAT proof is first turned into an LRAT proof: by
``drat-trim``, or, where that is missing and the proof is small, by our own code.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from satlife.sat.formula import Formula
from satlife.sat.proofs.drat import elaborate, is_binary
from satlife.sat.proofs.timed import check_in_time
from satlife.sat.proofs.tools import CAKE_LPR, DRAT_TRIM, LRAT_CHECK, Tool, check_with
from satlife.sat.proofs.verdict import Verdict, open_proof

SMALL = 20_000_000
"""Bytes of a DRAT proof; our own elaboration is too slow for more."""
SLOW_WITHOUT = (
    "without drat-trim a DRAT proof takes minutes where drat-trim takes seconds: "
    f"{DRAT_TRIM.how_to_get}, or let cadical write the proof, which needs no drat-trim"
)

_HEAD = 1 << 16


def sniff_format(proof: str | PathLike[str]) -> str:
    """Return the format of a proof, ``"drat"`` or ``"lrat"``: a step of LRAT has two zeros."""
    with open_proof(proof) as file:
        head = file.read(_HEAD)
    if is_binary(head):
        return "drat"
    steps = (line.split() for line in head.split(b"\n") if line[:1] != b"c")
    return "lrat" if any(s[1:2] == [b"d"] or s.count(b"0") > 1 for s in steps) else "drat"


def check_proof(
    formula: Formula,
    proof: str | PathLike[str],
    *,
    lrat: str | PathLike[str] | None = None,
    seconds: float | None = None,
    memory_bytes: int | None = None,
    on_checker: Callable[[str], None] | None = None,
) -> tuple[Verdict, ...]:
    """Check a proof with our own checker and those on the PATH; the first verdict sums them up.

    The proof is valid if our checker accepts it and no other one rejects it.  ``lrat`` is a path
    for the LRAT proof into which a DRAT proof is turned; the file is there if that worked.  The
    time is for all checkers together, the memory for each of the programs.  ``on_checker`` is
    called with the name of each checker before it starts.
    """
    begun = time.monotonic()
    deadline = None if seconds is None else begun + seconds
    work = _Checking(formula, deadline, memory_bytes, on_checker)
    verdicts: list[Verdict] = []
    with ExitStack() as stack:
        path = Path(proof)
        if sniff_format(path) == "drat":
            if lrat is None:
                folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="satlife-"))
                lrat = Path(folder, "proof.lrat")
            verdicts += work.make_lrat(path, Path(lrat))
            path = Path(lrat)
        if all(verdicts) or (verdicts and verdicts[-1]):
            verdicts.append(work.ask_ourselves(path))
            if verdicts[-1]:
                verdicts += work.ask_others(lambda: path)
    return (sum_up(verdicts, time.monotonic() - begun), *verdicts)


def ask_others(
    formula: Formula,
    lrat: Callable[[], Path],
    *,
    seconds: float | None = None,
    memory_bytes: int | None = None,
) -> list[Verdict]:
    """Check an LRAT proof with the programs on the PATH; ``lrat`` is called if there are any."""
    deadline = None if seconds is None else time.monotonic() + seconds
    return _Checking(formula, deadline, memory_bytes, None).ask_others(lrat)


@dataclass(frozen=True)
class _Checking:
    """A formula, and the limits on checking."""

    formula: Formula
    deadline: float | None
    memory_bytes: int | None
    on_checker: Callable[[str], None] | None

    def make_lrat(self, proof: Path, lrat: Path) -> list[Verdict]:
        """Turn a DRAT proof into an LRAT proof; the last verdict says whether that worked."""
        verdicts = []
        if DRAT_TRIM.is_available():
            verdicts.append(self._ask(DRAT_TRIM, proof, lrat))
            if verdicts[0].decided and lrat.exists() == verdicts[0].valid:
                return verdicts
        # It is missing, or it wrote nothing, since units alone refute the formula.
        if (size := proof.stat().st_size) > SMALL:
            advice = f"this DRAT proof of {size:,} bytes needs drat-trim; {DRAT_TRIM.how_to_get}"
            return [*verdicts, Verdict(False, advice, decided=False)]
        self._say("satlife, step by step (drat-trim is missing)" if not verdicts else "satlife")
        made = elaborate(self.formula, proof, lrat, seconds=self._left())
        if not made and not made.decided and not verdicts:
            words = f"{made.reason}; {SLOW_WITHOUT}"
            made = Verdict(False, words, decided=False, seconds=made.seconds)
        return [*verdicts, made]

    def ask_ourselves(self, lrat: Path) -> Verdict:
        """Check an LRAT proof with our own checker."""
        self._say("satlife")
        return check_in_time(self.formula, lrat, self._left())

    def ask_others(self, lrat: Callable[[], Path]) -> list[Verdict]:
        """Check an LRAT proof with the programs that are installed."""
        tools = [tool for tool in (LRAT_CHECK, CAKE_LPR) if tool.is_available()]
        path = lrat() if tools else Path()
        return [self._ask(tool, path) for tool in tools]

    def _ask(self, tool: Tool, proof: Path, lrat: Path | None = None) -> Verdict:
        self._say(tool.name)
        left, room = self._left(), self.memory_bytes
        return check_with(tool, self.formula, proof, lrat=lrat, seconds=left, memory_bytes=room)

    def _left(self) -> float | None:
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def _say(self, name: str) -> None:
        if self.on_checker:
            self.on_checker(name)


def sum_up(verdicts: list[Verdict], seconds: float) -> Verdict:
    """Return one verdict for several on the same proof."""
    wrong = [v for v in verdicts if v.decided and not v.valid]
    ours = [v for v in verdicts if v.checker == "satlife"]
    if wrong:
        return Verdict(False, f"{wrong[0].checker}: {wrong[0].reason}", seconds=seconds)
    if ours and all(ours):
        return Verdict(True, seconds=seconds, checker=", ".join(_names(verdicts)))
    reason = (ours or verdicts)[-1].reason
    return Verdict(False, reason, decided=False, seconds=seconds)


def _names(verdicts: list[Verdict]) -> dict[str, None]:
    return dict.fromkeys(verdict.checker for verdict in verdicts if verdict.valid)
