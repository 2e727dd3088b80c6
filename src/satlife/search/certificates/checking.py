"""Checking certificates: nothing in the folder is believed but the problem and the claim.

The formulas are made anew from them, and so is the statement; the proofs must refute these very
formulas, and the patterns shown must pass the simulator.  What else lies in the folder must agree.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from satlife.errors import FormatError, SatlifeError, UsageError
from satlife.sat.files.paths import hash_file, open_to_read
from satlife.sat.proofs import Verdict, check_proof
from satlife.search.certificates import folder as files
from satlife.search.certificates.claims import Claim
from satlife.search.certificates.folder import Certificate, OtherVersionError, Part
from satlife.search.certificates.obligations import Obligation, obligations
from satlife.search.certificates.statement import make_statement
from satlife.search.certificates.witnesses import witness_complaints
from satlife.search.problem import Problem

_SENSELESS = (ArithmeticError, LookupError, TypeError, ValueError)
"""What a forged claim may lead to: a generation that is not there, a number beyond all numbers."""


@dataclass(frozen=True)
class Judgement:
    """What a check came to: valid, not valid and why, or not decided and why."""

    complaints: tuple[str, ...]
    """What is wrong; one is enough."""
    doubts: tuple[str, ...] = ()
    """What could not be decided."""
    statement: str = ""
    """Made anew; empty if there is no problem or claim to make it of."""
    verdicts: tuple[tuple[str, Verdict], ...] = ()
    """Of each part's proof."""

    @property
    def valid(self) -> bool:
        """Whether the claim is proved."""
        return not self.complaints and not self.doubts

    @property
    def word(self) -> str:
        """``valid``, ``not valid`` or ``not decided``."""
        return "valid" if self.valid else "not valid" if self.complaints else "not decided"

    def __str__(self) -> str:
        return ": ".join(filter(None, [self.word, "; ".join(self.complaints or self.doubts)]))


def check_certificate(
    folder: Path,
    seconds: float | None = None,
    on_part: Callable[[str], None] | None = None,
) -> Judgement:
    """Check a certificate's folder; each proof may take so many seconds."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder; a certificate is one")
    statement, complaints = "", list[str]()
    try:
        certificate = files.read_certificate(folder)
        problem, claim = files.read_problem(folder), files.read_claim(folder)
        statement = make_statement(problem, claim)
        complaints += _file_complaints(folder, certificate, problem, statement)
        if wrong := tuple(witness_complaints(problem, claim)):
            return Judgement((*complaints, *wrong), statement=statement)
        verdicts = tuple(_check_parts(folder, certificate, problem, claim, seconds, on_part))
    except OtherVersionError as error:
        return Judgement((), (str(error),))
    except SatlifeError as error:
        return Judgement((*complaints, str(error)), statement=statement)
    except _SENSELESS as error:
        words = f"the claim makes no sense: {type(error).__name__}: {error}"
        return Judgement((*complaints, words), statement=statement)
    complaints += (f"{name}: {v.reason}" for name, v in verdicts if not v and v.decided)
    doubts = tuple(f"{name}: {v.reason}" for name, v in verdicts if not v and not v.decided)
    return Judgement(tuple(complaints), doubts, statement, verdicts)


def _file_complaints(
    folder: Path, certificate: Certificate, problem: Problem, statement: str
) -> Iterator[str]:
    """Yield what does not agree among the files."""
    for name, digest in certificate.files.items():
        path = folder / name
        if Path(name).name != name or not path.is_file():
            yield f"{name} is missing"
        elif hash_file(path) != digest:
            yield f"{name} is not the file that {files.CERTIFICATE} tells of"
    for path in sorted(folder.iterdir()):
        if path.name not in (*certificate.files, files.CERTIFICATE):
            yield f"{path.name} is not among the files that {files.CERTIFICATE} tells of"
    if certificate.problem != problem.name:
        yield f"{files.CERTIFICATE} is that of another problem"
    path = folder / files.STATEMENT
    if not path.is_file() or files.read_file(folder, files.STATEMENT) != statement.encode():
        yield f"{files.STATEMENT} does not say what {files.PROBLEM} and {files.CLAIM} say"


def _check_parts(
    folder: Path,
    certificate: Certificate,
    problem: Problem,
    claim: Claim,
    seconds: float | None,
    on_part: Callable[[str], None] | None,
) -> Iterator[tuple[str, Verdict]]:
    """Check the proof of every part that the claim needs; others do not help."""
    told = {part.name: part for part in certificate.parts}
    seen: set[str] = set()
    for needed in obligations(problem, claim, files.read_cubes(folder)):
        part = told.pop(needed.name, None)
        if part is None:
            yield needed.name, Verdict(False, "there is no proof of it")
            continue
        wrong = _formula_complaint(folder, part, needed, seen)
        yield needed.name, Verdict(False, wrong) if wrong else _check(folder, part, needed, seconds)
        if on_part:
            on_part(needed.name)
    for name in told:
        yield name, Verdict(False, "the claim has no such part")


def _formula_complaint(folder: Path, part: Part, needed: Obligation, seen: set[str]) -> str:
    """Say what is wrong with the stored formula, if something is; each file is read once."""
    if files.hash_bytes(files.formula_text(needed.formula)) != part.formula:
        return "the formula that the problem gives is another"
    if needed.stored in seen:
        return ""
    seen.add(needed.stored)
    name, text = f"{needed.stored}.cnf.xz", files.formula_text(needed.whole)
    if not (folder / name).is_file():
        return f"{name} is missing"
    try:
        with open_to_read(folder / name) as file:
            same = file.read(len(text) + 1) == text
    except (FormatError, OSError) as error:
        return f"{name}: {error}"
    return "" if same else f"{name} is not the formula that the problem gives"


def _check(folder: Path, part: Part, needed: Obligation, seconds: float | None) -> Verdict:
    """Unpack a proof and check it against the formula made anew."""
    if Path(part.proof).name != part.proof:
        return Verdict(False, f"{part.proof} is no file of this folder")
    with tempfile.TemporaryDirectory(prefix="satlife-") as place:
        proof = Path(place, "proof")
        if not (folder / part.proof).is_file():
            return Verdict(False, f"there is no proof of it: {part.proof} is missing")
        try:
            with open_to_read(folder / part.proof) as packed, proof.open("wb") as unpacked:
                _copy(packed, unpacked, part.proof_bytes)
        except (FormatError, OSError) as error:
            return Verdict(False, f"the proof cannot be read: {error}")
        return check_proof(needed.formula, proof, seconds=seconds)[0]


def _copy(source: BinaryIO, target: BinaryIO, size: int) -> None:
    """Copy a file that must have this size: a small file may unpack to more than a disk holds."""
    copied = 0
    while chunk := source.read(1 << 20):
        copied += len(chunk)
        if copied > size:
            break
        target.write(chunk)
    if copied != size:
        raise FormatError(f"it has not the size that {files.CERTIFICATE} tells")
