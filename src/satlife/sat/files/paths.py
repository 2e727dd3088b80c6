"""Files by path, compressed or not: the suffix decides.

>>> compression_of(Path("p4.cnf.gz"))
'.gz'
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

from satlife.errors import FormatError

_OPENERS: dict[str, Callable[[Path], IO[bytes]]] = {
    ".gz": lambda path: cast("IO[bytes]", gzip.GzipFile(path)),
    ".xz": lambda path: cast("IO[bytes]", lzma.LZMAFile(path)),  # noqa: SIM115
    ".bz2": lambda path: cast("IO[bytes]", bz2.BZ2File(path)),
}

_DAMAGE = (gzip.BadGzipFile, EOFError, zlib.error, lzma.LZMAError)


def compression_of(path: Path) -> str:
    """Give the suffix that says how a file is compressed, ``""`` if it is not."""
    return path.suffix.lower() if path.suffix.lower() in _OPENERS else ""


def content_suffix(path: Path) -> str:
    """Give the suffix that says what is inside.

    >>> content_suffix(Path("p4.cnf.gz"))
    '.cnf'
    """
    return Path(path.stem).suffix.lower() if compression_of(path) else path.suffix.lower()


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file of any size, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def open_to_read(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading; a damaged compressed file is a :class:`FormatError`."""
    suffix = compression_of(path)
    if not suffix:
        with path.open("rb") as file:
            yield file
        return
    try:
        with _OPENERS[suffix](path) as packed:
            yield cast("BinaryIO", packed)
    except _DAMAGE as error:
        raise FormatError(f"{path.name} is damaged: {error}") from None
    except OSError as error:
        # bz2 says "Invalid data stream" by an OSError without a number.
        if error.errno is None:
            raise FormatError(f"{path.name} is damaged: {error}") from None
        raise


@contextmanager
def open_to_write(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing; the same content gives the same bytes, compressed too."""
    suffix = compression_of(path)
    with path.open("wb") as raw:
        if suffix == ".gz":
            # No name and no time in the header.
            with gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
                yield cast("BinaryIO", file)
        elif suffix == ".xz":
            with lzma.LZMAFile(raw, "wb", preset=1) as xz:
                yield cast("BinaryIO", xz)
        elif suffix == ".bz2":
            with bz2.BZ2File(raw, "wb") as bz:
                yield cast("BinaryIO", bz)
        else:
            yield raw
