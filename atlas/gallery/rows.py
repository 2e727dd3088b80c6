"""The rows of the gallery as they are kept: what each certificate says, costs and hashes to."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec

from bench.proofs import Cost
from satlife.certificates import folder as files
from satlife.certificates.claims import BestClaim, Claim, Complete
from satlife.problem.outcome import Drawing

FILE = Path(__file__).resolve().parents[1] / "data" / "gallery.json"
MOST_SHOWN = 12
"""Patterns of one claim that are kept to be drawn."""


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A certificate that was made and checked."""

    name: str
    command: str
    title: str
    """The heading of its statement."""
    made: str
    """The day."""
    format: int
    audit: int
    """The versions of folder and formulas, as in ``certificate.json``."""
    problem: str
    """As JSON."""
    shown: tuple[Drawing, ...] = ()
    """Generation 0 of patterns that the claim names."""
    variables: int
    clauses: int
    solve_seconds: float
    proof_bytes: int
    folder_bytes: int
    own_seconds: float
    lrat_seconds: float
    check_seconds: float
    leaves: int = 1
    """Of the tree into which the proof is divided."""
    made_cpu: float = 0.0
    """Processor seconds of the command: searching, solving, trimming, checking, packing."""
    checked_cpu: float = 0.0
    """Processor seconds of ``satlife check``."""
    sha256: str
    """Of the folder: see :func:`hash_folder`."""


class Kept(msgspec.Struct, frozen=True):
    """Everything that the page is written from."""

    rows: dict[str, Row] = {}
    costs: dict[str, Cost] = {}
    """Of the refuted tasks of the benchmark."""
    measured: str = ""
    """The day on which these were measured, and how busy the machine was."""
    rounds: int = 3
    """How often, in turns."""


def read_kept() -> Kept:
    """Read the file."""
    return msgspec.json.decode(FILE.read_bytes(), type=Kept) if FILE.exists() else Kept()


def keep_row(row: Row) -> None:
    """Put a row into the file, in place of an older one."""
    kept = read_kept()
    _write(msgspec.structs.replace(kept, rows={**kept.rows, row.name: row}))


def keep_costs(costs: Iterable[tuple[str, Cost]], rounds: int) -> None:
    """Put the table of costs into the file."""
    measured, load = dict(costs), os.getloadavg()[1]
    when = f"{time.strftime('%Y-%m-%d')}, under a load of {load:.0f}"
    _write(Kept(read_kept().rows, measured, when, rounds))


def _write(kept: Kept) -> None:
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")


def hash_folder(folder: Path) -> str:
    """Return what ``sha256sum * | sha256sum`` prints, without ``certificate.json``.

    That file holds times; all others are the same whenever the certificate is made anew.
    """
    names = sorted(path.name for path in folder.iterdir() if path.name != files.CERTIFICATE)
    lines = (f"{files.hash_plain(folder, name)}  {name}\n" for name in names)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def pick_shown(claim: Claim) -> tuple[Drawing, ...]:
    """Return patterns that a claim names, a few of many."""
    match claim:
        case BestClaim(found=found):
            return found[:1]
        case Complete(found=found):
            return tuple(history[0] for history in found[:MOST_SHOWN])
        case _:
            return ()
