"""Certificates: claims about problems, with proofs that anyone can check."""

from __future__ import annotations

from satlife.search.certificates.checking import Allowance, Judgement, check_certificate
from satlife.search.certificates.claims import (
    BestClaim,
    Claim,
    Complete,
    Core,
    Needed,
    NoneExists,
)
from satlife.search.certificates.folder import Certificate, read_certificate
from satlife.search.certificates.making import Proving, certify
from satlife.search.certificates.proving import Proved, check, prove
from satlife.search.certificates.statement import make_statement
from satlife.search.certificates.witnesses import known_places
from satlife.search.certificates.writing import Stage
from satlife.search.problem.drawing import draw

__all__ = [
    "Allowance",
    "BestClaim",
    "Certificate",
    "Claim",
    "Complete",
    "Core",
    "Judgement",
    "Needed",
    "NoneExists",
    "Proved",
    "Proving",
    "Stage",
    "certify",
    "check",
    "check_certificate",
    "draw",
    "known_places",
    "make_statement",
    "prove",
    "read_certificate",
]
