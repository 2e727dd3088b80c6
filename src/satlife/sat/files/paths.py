"""Opening files by path, compressed or not according to their suffix.

>>> compression_of(Path("p4.cnf.gz"))
'.gz'
"""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from satlife.plain import PACKINGS


def compression_of(path: Path) -> str:
    """Return the suffix of a compressed file, ``""`` if the file is not compressed."""
    return path.suffix.lower() if path.suffix.lower() in PACKINGS else ""


def content_suffix(path: Path) -> str:
    """Return the suffix of the content.

    >>> content_suffix(Path("p4.cnf.gz"))
    '.cnf'
    """
    return Path(path.stem).suffix.lower() if compression_of(path) else path.suffix.lower()


def hash_file(source: Path | BufferedReader) -> str:
    """Return the SHA-256 of a file of any size, in hexadecimal."""
    if isinstance(source, Path):
        with source.open("rb") as file:
            return hash_file(file)
    import hashlib  # noqa: PLC0415 - slow to import, and rarely needed

    return hashlib.file_digest(source, "sha256").hexdigest()


@contextmanager
def open_to_write(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing; equal contents give equal bytes, even when compressed."""
    suffix = compression_of(path)
    with path.open("wb") as raw:
        if suffix == ".gz":
            # The header holds neither a name nor a time.
            with gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
                yield cast("BinaryIO", file)
        elif suffix == ".xz":
            # Preset 1 would save a twelfth of the bytes of a proof, and take half as long again.
            with lzma.LZMAFile(raw, "wb", preset=0) as xz:
                yield cast("BinaryIO", xz)
        elif suffix == ".bz2":
            with bz2.BZ2File(raw, "wb") as bz:
                yield cast("BinaryIO", bz)
        else:
            yield raw
