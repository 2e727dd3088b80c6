"""Archives of certificates: the small ones of a table, of the gallery and of the widths, or all.

Formulas are left out of it: they follow from the problems, and are most of a small certificate.
Unpacking makes them again, and ``certificate.json`` has the hash of each formula's text.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import tarfile
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from atlas.table import Record, Records
from satlife.certificates import folder as files
from satlife.certificates.check.checker import judge_folder
from satlife.certificates.obligations import obligations
from satlife.sat.files.paths import hash_file, open_to_write

SMALL = 200_000
"""Bytes of a certificate, with its formulas, that is always kept."""
MOST_BYTES, MOST_SECONDS = 700_000, 8.0
"""Of the other ones that a table keeps: their size, and the time for checking all of them."""
QUICK = 1.0
"""Seconds for the check of a certificate that is kept."""
FORMULA = ".cnf.xz"


class Entry(NamedTuple):
    """A certificate that goes into an archive."""

    name: str
    """Of its folder."""
    command: str


def choose_kept(records: Records) -> Records:
    """Return the records with those marked that go into the archive: the small ones."""
    kept = {
        each.name for each in records.values() if each.answer == "certified" and each.bytes <= SMALL
    }
    size, seconds = 0, 0.0
    for each in sorted(records.values(), key=lambda each: (each.proofs, each.name)):
        if each.answer == "certified" and each.check < QUICK:
            size, seconds = size + each.proofs, seconds + each.check
            if size <= MOST_BYTES and seconds <= MOST_SECONDS:
                kept.add(each.name)
    return {name: structs.replace(each, kept=name in kept) for name, each in records.items()}


def pack(path: Path, certificates: Path, names: Iterable[str]) -> None:
    """Write an archive of certificates; the same certificates give the same bytes."""
    chosen = sorted(names)
    if not chosen:
        path.unlink(missing_ok=True)
        return
    with (
        lzma.open(path, "wb", preset=9 | lzma.PRESET_EXTREME) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name in chosen:
            for file in sorted((certificates / name).iterdir()):
                if not file.name.endswith(FORMULA):
                    entry = tarfile.TarInfo(f"{name}/{file.name}")
                    entry.size = file.stat().st_size
                    with file.open("rb") as data:
                        archive.addfile(entry, data)


def list_names(path: Path) -> set[str]:
    """Return the names of the certificates in an archive."""
    if not path.exists():
        return set()
    with tarfile.open(path) as archive:
        return {name.split("/")[0] for name in archive.getnames()}


def unpack(path: Path, certificates: Path, only: Collection[str] | None = None) -> None:
    """Unpack an archive or some of it, if there is one, and make the formulas.

    What is there stays.
    """
    certificates.mkdir(parents=True, exist_ok=True)
    names = list_names(path) if only is None else list_names(path).intersection(only)
    missing = {name for name in names if not (certificates / name).exists()}
    if not missing:
        return
    with tarfile.open(path) as archive:
        wanted = [each for each in archive if each.name.split("/")[0] in missing]
        archive.extractall(certificates, wanted, filter="data")
    for name in missing:
        add_formulas(certificates / name)


def add_formulas(folder: Path) -> None:
    """Make the formulas of a certificate that was unpacked."""
    if not (folder / files.CERTIFICATE).exists():
        return
    problem, claim = files.read_problem(folder), files.read_claim(folder)
    maps, lowest = files.read_symmetries(folder), files.read_range(folder)
    certificate, told = files.read_certificate(folder), {}
    for each in obligations(problem, claim, lambda each: maps.get(each.stored, ()), lowest):
        path = folder / f"{each.stored}{FORMULA}"
        with open_to_write(path) as file:
            file.write(files.formula_text(each.whole))
        told[path.name] = hash_file(path)  # xz of another version packs differently
    sealed = structs.replace(certificate, files=certificate.files | told)
    (folder / files.CERTIFICATE).write_bytes(files.encode_certificate(sealed))


def check(folder: Path) -> float:
    """Check a certificate as ``satlife check`` does; return the seconds, or raise an error."""
    begun = spent()
    judged = judge_folder(folder)
    if not judged.valid:
        raise SystemExit(f"{folder}: {judged}")
    return round(spent() - begun, 2)


def spent() -> float:
    """Return the processor time of this process and of those that it has waited for."""
    return sum(os.times()[:4])


def measure(folder: Path) -> dict[str, int | str]:
    """Return the sizes and the hash of a certificate, as a record has them."""
    sizes = files.list_files(folder)
    sizes.pop(files.CERTIFICATE, 0)  # its times differ from run to run
    lines = [f"{files.hash_plain(folder, name)}  {name}\n" for name in sizes]
    small = sum(size for name, size in sizes.items() if not name.endswith(FORMULA))
    digest = hashlib.sha256("".join(lines).encode()).hexdigest()
    return {"bytes": sum(sizes.values()), "proofs": small, "sha256": digest}


def is_quick(record: Record) -> bool:
    """Whether CI checks a certificate."""
    return record.kept and record.check < QUICK
