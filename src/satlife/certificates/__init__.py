"""Certificates: claims about problems, with proofs that anyone can check."""

from __future__ import annotations

from satlife.certificates.check.checker import check_certificate
from satlife.certificates.check.judgement import Allowance, Judgement
from satlife.certificates.claims import (
    BestClaim,
    Claim,
    Complete,
    Core,
    Forced,
    Needed,
    NoneExists,
    Reactions,
    known_places,
)
from satlife.certificates.folder import Certificate, read_certificate
from satlife.certificates.make.maker import Proving, certify
from satlife.certificates.make.writer import Stage
from satlife.certificates.proof_search import Proved, check, prove
from satlife.certificates.words.statement import make_statement
from satlife.problem.outcome import draw

__all__ = [
    "Allowance",
    "BestClaim",
    "Certificate",
    "Claim",
    "Complete",
    "Core",
    "Forced",
    "Judgement",
    "Needed",
    "NoneExists",
    "Proved",
    "Proving",
    "Reactions",
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
