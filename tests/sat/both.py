"""The LRAT checker, and beside it the one with the compiled kernel, which must say the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from satlife.sat import Formula
from satlife.sat.proofs import Verdict, lrat, rup


def check_lrat(formula: Formula, proof: Path) -> Verdict:
    plain = lrat.check_lrat(formula, proof)
    with patch.object(rup, "_BLOCK", 1024):
        large = rup.check_in_time(formula, proof, pays=1)
    assert replace(large, seconds=0.0) == replace(plain, seconds=0.0)
    return plain
