"""Checking a proof of either form by all that is there: our own checker, and others' beside it.

The word of our own LRAT checker is always asked for.  A DRAT proof is made into an LRAT proof
first: by ``drat-trim``, or where that is missing, and the proof is small, by ourselves.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import ExitStack
from os import PathLike
from pathlib import Path

from satlife.sat.formula import Formula
from satlife.sat.proofs.drat import elaborate, is_binary
from satlife.sat.proofs.lrat import check_lrat
from satlife.sat.proofs.tools import CAKE_LPR, DRAT_TRIM, LRAT_CHECK, check_with
from satlife.sat.proofs.verdict import Verdict, open_proof

SMALL = 20_000_000
"""Bytes of a DRAT proof that our own elaboration may take on; it is not made for more."""

_HEAD = 1 << 16


def sniff_format(proof: str | PathLike[str]) -> str:
    """Say whether a proof is ``"drat"`` or ``"lrat"``: a step of LRAT has two zeros."""
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
) -> tuple[Verdict, ...]:
    """Check a proof with our own checker and those on the PATH; the first verdict is the sum.

    The proof is valid if ours says so and no other says that it is not.  ``lrat`` is where the
    LRAT proof shall lie that a DRAT proof is made into; it is there if that could be done.
    """
    begun = time.monotonic()
    verdicts: list[Verdict] = []
    with ExitStack() as stack:
        path = Path(proof)
        if sniff_format(path) == "drat":
            if lrat is None:
                folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="satlife-"))
                lrat = Path(folder, "proof.lrat")
            verdicts += _make_lrat(formula, path, Path(lrat), seconds)
            path = Path(lrat)
        if all(verdicts) or (verdicts and verdicts[-1]):
            verdicts.append(check_lrat(formula, path))
            for tool in (LRAT_CHECK, CAKE_LPR):
                if tool.is_available():
                    left = None if seconds is None else seconds - (time.monotonic() - begun)
                    verdicts.append(check_with(tool, formula, path, seconds=left))
    return (_sum(verdicts, time.monotonic() - begun), *verdicts)


def _make_lrat(formula: Formula, proof: Path, lrat: Path, seconds: float | None) -> list[Verdict]:
    """Make a DRAT proof into an LRAT proof; the last verdict says whether there is one."""
    verdicts = []
    if DRAT_TRIM.is_available():
        verdicts.append(check_with(DRAT_TRIM, formula, proof, lrat=lrat, seconds=seconds))
        if verdicts[0].decided and lrat.exists() == verdicts[0].valid:
            return verdicts
    # It is missing, or it found the formula to be refuted by its units, and wrote nothing.
    if (size := proof.stat().st_size) > SMALL:
        advice = f"satlife alone takes no DRAT proof of {size:,} bytes; {DRAT_TRIM.how_to_get}"
        return [*verdicts, Verdict(False, advice, decided=False)]
    return [*verdicts, elaborate(formula, proof, lrat, seconds=seconds)]


def _sum(verdicts: list[Verdict], seconds: float) -> Verdict:
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
