"""Certificates: claims about problems, with proofs that anyone can check."""

from __future__ import annotations

from satlife.search.certificates.checking import Allowance, Judgement, check_certificate
from satlife.search.certificates.claims import (
    Claim,
    Complete,
    Core,
    Needed,
    NoneExists,
    Optimum,
)
from satlife.search.certificates.folder import Certificate, read_certificate
from satlife.search.certificates.making import Proving, certify
from satlife.search.certificates.statement import make_statement
from satlife.search.certificates.witnesses import known_places
from satlife.search.certificates.writing import Stage
from satlife.search.problem.drawing import draw

__all__ = [
    "Allowance",
    "Certificate",
    "Claim",
    "Complete",
    "Core",
    "Judgement",
    "Needed",
    "NoneExists",
    "Optimum",
    "Proving",
    "Stage",
    "certify",
    "check_certificate",
    "draw",
    "known_places",
    "make_statement",
    "read_certificate",
]
