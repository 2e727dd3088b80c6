"""The folder of a certificate: its files, and the contents of ``certificate.json``.

===================  ==============================================================
``statement.md``     what is claimed, in words
``problem.json``     what was searched for
``claim.json``       what is claimed: none, the best, all; with the patterns it shows
``formula.cnf.xz``   the audit formula (several, if several must be refuted)
``symmetries.json``  the maps by which the solutions of each formula are the least, if any
``tree.txt``         the tree of cases, if it was divided; then each leaf has its proof
``range.txt``        the lowest box of a proof by exact boxes, if it is one; then each box has its
                     formula and proof, or its tree (``box-9x13.tree.txt``)
``proof.lrat.xz``    the proof (one for each formula or leaf)
``certificate.json`` hashes, versions, solver, command, times, the checkers' verdicts
===================  ==============================================================
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import msgspec

from satlife._version import __version__
from satlife.audit.formula import Map
from satlife.audit.tree import Case
from satlife.certificates.claims import Claim, decode_claim, encode_claim
from satlife.errors import FormatError, UsageError
from satlife.plain import LARGEST_TEXT, MOST_TIMES, TooLargeError, Unpacked, open_plain
from satlife.problem import Problem
from satlife.problem.documents import decode_json
from satlife.sat.files import dimacs
from satlife.sat.files.paths import hash_file
from satlife.sat.formula import Formula

FORMAT = 2
"""Format version; increased when older versions cannot check the new folders."""

AUDIT = 4
"""Audit version; increased when the audit formula or statement of some problem changes."""

STATEMENT, PROBLEM, CLAIM = "statement.md", "problem.json", "claim.json"
SYMMETRIES, CERTIFICATE = "symmetries.json", "certificate.json"
TREE, RANGE = "tree.txt", "range.txt"

MOST_FILES = 500_000


class Check(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The verdict of a checker when the certificate was made."""

    checker: str
    valid: bool
    seconds: float
    reason: str = ""


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One refutation."""

    name: str
    title: str
    formula: str
    """The hash of the formula's text; for a leaf, of the text and the decisions as ``a 1 -2 0``."""
    variables: int
    clauses: int
    proof: str
    """The name of the proof's file."""
    proof_bytes: int
    """Size of the proof, unpacked."""
    solve_seconds: float
    checks: tuple[Check, ...]


class Certificate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The contents of ``certificate.json``."""

    format: int = FORMAT
    audit: int = AUDIT
    satlife: str = __version__
    made: str
    """The date, as 2026-11-15."""
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
        """Total size of all proofs, unpacked."""
        return sum(part.proof_bytes for part in self.parts)


def read_certificate(folder: Path) -> Certificate:
    """Read ``certificate.json``; another version is reported before any other error."""
    text = read_json(folder, CERTIFICATE)
    try:
        versions = decode_json(text, _Versions, "a certificate")
        if (versions.format, versions.audit) != (FORMAT, AUDIT):
            raise OtherVersionError(
                f"this certificate is of satlife {versions.satlife} (format {versions.format}, "
                f"formulas {versions.audit}); satlife {__version__} checks format {FORMAT}, "
                f"formulas {AUDIT}: check it with satlife {versions.satlife}"
            )
        certificate = decode_json(text, Certificate, "a certificate")
    except FormatError as error:
        raise FormatError(f"{CERTIFICATE}: {error}") from None
    names: set[str] = set()
    for part in certificate.parts:
        if part.name in names:
            raise FormatError(f"{CERTIFICATE}: the part {part.name!r} is listed twice")
        if part.proof != f"{part.name}.lrat.xz":
            raise FormatError(f"{CERTIFICATE}: the proof of {part.name!r} is not in its file")
        names.add(part.name)
    return certificate


class OtherVersionError(UsageError):
    """The certificate is of another version."""


class _Versions(msgspec.Struct, frozen=True):
    format: int
    audit: int
    satlife: str


def encode_certificate(certificate: Certificate) -> bytes:
    """Write ``certificate.json``."""
    return msgspec.json.format(msgspec.json.encode(certificate), indent=1) + b"\n"


def read_problem(folder: Path) -> Problem:
    """Read ``problem.json``."""
    return Problem.from_json(read_json(folder, PROBLEM))


def read_claim(folder: Path) -> Claim:
    """Read ``claim.json``."""
    return decode_claim(read_json(folder, CLAIM))


def read_symmetries(folder: Path) -> dict[str, tuple[Map, ...]]:
    """Read ``symmetries.json``, if there is one: the maps for each formula, by its name."""
    if not (folder / SYMMETRIES).is_file():
        return {}
    kind: Any = dict[str, tuple[Map, ...]]
    maps = decode_json(read_json(folder, SYMMETRIES), kind, SYMMETRIES)
    return cast("dict[str, tuple[Map, ...]]", maps)


def write_symmetries(folder: Path, maps: dict[str, tuple[Map, ...]]) -> None:
    """Write ``symmetries.json``."""
    text = msgspec.json.format(msgspec.json.encode(maps, order="sorted"), indent=1)
    (folder / SYMMETRIES).write_bytes(text + b"\n")


def read_tree(folder: Path, box: str = "") -> str | None:
    """Read ``tree.txt``, or the tree of a box of a range, if there is one."""
    return _read_text(folder, name_tree(box))


def name_tree(box: str = "") -> str:
    """Return the name of the file of a tree; ``box`` is the name of a box of a range."""
    return f"{box}.{TREE}" if box else TREE


def read_range(folder: Path) -> str | None:
    """Read ``range.txt``, if there is one."""
    return _read_text(folder, RANGE)


def _read_text(folder: Path, name: str) -> str | None:
    if not (folder / name).is_file():
        return None
    return read_file(folder, name).decode("ascii", "replace")


def write_claim(folder: Path, claim: Claim) -> None:
    """Write ``claim.json``."""
    (folder / CLAIM).write_bytes(encode_claim(claim))


def formula_text(formula: Formula) -> bytes:
    """Return the text of a formula; the same problem always gives the same bytes."""
    file = io.BytesIO()
    dimacs.write(formula, file)
    return file.getvalue()


def hash_bytes(data: bytes) -> str:
    """Return the SHA-256, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def hash_leaf(text: bytes, case: Case) -> str:
    """Return the hash of a formula's text and of the decisions of a leaf."""
    return hash_bytes(text + " ".join(map(str, ("a", *case, 0))).encode() + b"\n")


def list_files(folder: Path) -> dict[str, int]:
    """Return the files and their sizes; refuse anything but plain files, without opening it."""
    sizes: dict[str, int] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            found = entry.stat(follow_symlinks=False)
            if not stat.S_ISREG(found.st_mode):
                raise FormatError(f"{entry.name} is not a plain file")
            if len(sizes) == MOST_FILES:
                raise TooLargeError(f"there are more than {MOST_FILES:,} files")
            sizes[entry.name] = found.st_size
    return dict(sorted(sizes.items()))


@contextmanager
def open_packed(folder: Path, name: str, size: int, *, exact: bool = True) -> Iterator[Unpacked]:
    """Open an ``.xz`` file of the folder that must unpack to ``size`` bytes; no more are read.

    Unless ``exact``, the size is only an upper limit, and a larger file is not decided.
    """
    with open_plain(folder, name) as file:
        yield Unpacked(file, name, size, exact=exact, single=True)


@contextmanager
def open_proof(path: Path, most: int | None = None) -> Iterator[io.BufferedReader]:
    """Open a plain file with a proof, packed if its name ends in ``.xz``.

    At most ``most`` bytes of a packed one are read, and at most :data:`MOST_TIMES` its size.
    """
    with open_plain(path.parent, path.name) as file:
        if path.suffix != ".xz":
            yield file
            return
        times = MOST_TIMES * os.fstat(file.fileno()).st_size
    limit = times if most is None else min(most, times)
    with open_packed(path.parent, path.name, limit, exact=False) as packed:
        yield packed


def hash_plain(folder: Path, name: str) -> str:
    """Return the SHA-256 of a file of the folder."""
    with open_plain(folder, name) as file:
        return hash_file(file)


def read_json(folder: Path, name: str) -> bytes:
    """Read a JSON file; refuse a duplicate key in an object.

    Parsers differ in which of the two values they use.
    """
    text = read_file(folder, name)
    check_keys(text, name)
    return text


def check_keys(text: bytes, name: str) -> None:
    """Raise :class:`FormatError` if a text is not JSON, or has a duplicate key in an object."""

    def look(pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise FormatError(f"{name}: the key {key!r} stands there twice")
            seen.add(key)

    try:
        json.loads(text, object_pairs_hook=look, parse_int=str, parse_float=str)
    except RecursionError:
        raise FormatError(f"{name} is nested too deeply") from None
    except FormatError:
        raise
    except ValueError as error:
        raise FormatError(f"{name} is not JSON: {error}") from None


def read_file(folder: Path, name: str) -> bytes:
    """Read one of the small files; raise :class:`FormatError` if it is missing."""
    with open_plain(folder, name) as file:
        if os.fstat(file.fileno()).st_size > LARGEST_TEXT:
            raise TooLargeError(f"{name} is larger than {LARGEST_TEXT:,} bytes")
        return file.read(LARGEST_TEXT)
