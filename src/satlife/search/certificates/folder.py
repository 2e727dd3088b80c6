"""The folder of a certificate: which files it holds, and what ``certificate.json`` says of them.

===================  ==============================================================
``statement.md``     what is claimed, in words
``problem.json``     what was searched for
``claim.json``       what is claimed: none, the best, all; with the patterns it shows
``formula.cnf.xz``   the audit formula (several, if several must be refuted)
``cubes.icnf``       the cases, if it was cut into cubes
``proof.lrat.xz``    the proof (one for each formula or cube)
``certificate.json`` hashes, versions, solver, command, times, the checkers' verdicts
===================  ==============================================================
"""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import msgspec

from satlife._version import __version__
from satlife.errors import FormatError, UsageError
from satlife.sat.files import dimacs
from satlife.sat.formula import Formula
from satlife.search.certificates.claims import Claim, decode_claim, encode_claim
from satlife.search.certificates.obligations import Cube
from satlife.search.documents import decode_json
from satlife.search.problem import Problem

FORMAT = 1
"""Grows when the folder changes so that older versions cannot check it."""

AUDIT = 1
"""Grows when some problem's audit formula or statement becomes another."""

STATEMENT, PROBLEM, CLAIM = "statement.md", "problem.json", "claim.json"
CUBES, CERTIFICATE = "cubes.icnf", "certificate.json"

LARGEST_TEXT = 200_000_000
"""Bytes of a file that is read as a whole; proofs are not."""


class Check(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a checker said when the certificate was made."""

    checker: str
    valid: bool
    seconds: float
    reason: str = ""


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One refutation."""

    name: str
    title: str
    formula: str
    """The hash of the formula's text."""
    variables: int
    clauses: int
    proof: str
    """The proof's file."""
    proof_bytes: int
    """Of the proof, unpacked."""
    solve_seconds: float
    checks: tuple[Check, ...]


class Certificate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ``certificate.json`` says."""

    format: int = FORMAT
    audit: int = AUDIT
    satlife: str = __version__
    made: str
    """The day, as 2026-11-15."""
    command: str
    solver: str
    problem: str
    """The problem's name."""
    seconds: float
    parts: tuple[Part, ...]
    files: dict[str, str]
    """The hash of every other file."""

    @property
    def proof_bytes(self) -> int:
        """Of all proofs, unpacked."""
        return sum(part.proof_bytes for part in self.parts)


def read_certificate(folder: Path) -> Certificate:
    """Read ``certificate.json``; that it is of another version is told first."""
    text = read_file(folder, CERTIFICATE)
    try:
        versions = decode_json(text, _Versions, "a certificate")
        if (versions.format, versions.audit) != (FORMAT, AUDIT):
            raise OtherVersionError(
                f"this certificate is of satlife {versions.satlife} (format {versions.format}, "
                f"formulas {versions.audit}); satlife {__version__} checks format {FORMAT}, "
                f"formulas {AUDIT}: check it with satlife {versions.satlife}"
            )
        return decode_json(text, Certificate, "a certificate")
    except FormatError as error:
        raise FormatError(f"{CERTIFICATE}: {error}") from None


class OtherVersionError(UsageError):
    """The certificate is none of this version's."""


class _Versions(msgspec.Struct, frozen=True):
    format: int
    audit: int
    satlife: str


def encode_certificate(certificate: Certificate) -> bytes:
    """Write ``certificate.json``."""
    return msgspec.json.format(msgspec.json.encode(certificate), indent=1) + b"\n"


def read_problem(folder: Path) -> Problem:
    """Read ``problem.json``."""
    return Problem.from_json(read_file(folder, PROBLEM))


def read_claim(folder: Path) -> Claim:
    """Read ``claim.json``."""
    return decode_claim(read_file(folder, CLAIM))


def read_cubes(folder: Path) -> tuple[Cube, ...]:
    """Read ``cubes.icnf``, if there is one: each line is ``a``, literals and 0."""
    if not (folder / CUBES).exists():
        return ()
    cubes = []
    for number, line in enumerate(
        read_file(folder, CUBES).decode("ascii", "replace").split("\n"), 1
    ):
        words = line.split()
        if not words:
            continue
        try:
            first, *literals, last = words[0], *map(int, words[1:])
        except ValueError:
            raise FormatError(f"{CUBES}: no cube: {line[:40]!r}", line=number) from None
        if first != "a" or last != 0 or 0 in literals:
            raise FormatError(f"{CUBES}: no cube: {line[:40]!r}", line=number)
        cubes.append(tuple(literals))
    return tuple(cubes)


def write_cubes(folder: Path, cubes: tuple[Cube, ...]) -> None:
    """Write ``cubes.icnf``."""
    lines = (" ".join(map(str, ("a", *cube, 0))) + "\n" for cube in cubes)
    (folder / CUBES).write_bytes("".join(lines).encode())


def write_claim(folder: Path, claim: Claim) -> None:
    """Write ``claim.json``."""
    (folder / CLAIM).write_bytes(encode_claim(claim))


def formula_text(formula: Formula) -> bytes:
    """Return the text of a formula: the same problem gives the same bytes."""
    file = io.BytesIO()
    dimacs.write(formula, file)
    return file.getvalue()


def hash_bytes(data: bytes) -> str:
    """Return the SHA-256, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def read_file(folder: Path, name: str) -> bytes:
    """Read one of the small files; one that is missing is a :class:`FormatError`."""
    path = folder / name
    if not path.is_file():
        raise FormatError(f"{name} is missing")
    if path.stat().st_size > LARGEST_TEXT:
        raise FormatError(f"{name} is larger than {LARGEST_TEXT:,} bytes")
    return path.read_bytes()
