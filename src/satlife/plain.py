r"""Files that somebody else may have made: plain ones only, and unpacked within a limit.

A pipe or a device in the place of a file would block a program or fill its memory, and a small
packed file can unpack to a disk full.  Whatever reads files reads them here:

>>> import gzip, tempfile
>>> folder = tempfile.TemporaryDirectory()
>>> path = Path(folder.name, "bomb.rle.gz")
>>> _ = path.write_bytes(gzip.compress(bytes(60_000_000)))
>>> read_whole(path)
Traceback (most recent call last):
satlife.plain.TooLargeError: bomb.rle.gz is larger than the limit of 50,000,000 bytes
>>> folder.cleanup()
"""

from __future__ import annotations

import bz2
import errno
import io
import lzma
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from satlife.errors import FormatError, UsageError

LARGEST_TEXT = 50_000_000
"""Maximum bytes, unpacked, of a file that is read as a whole; formulas and proofs are not."""

MOST_TIMES = 200
"""How many times its packed size a larger file may have; a longer one was made to fill a disk."""

MOST_MEMORY = 1 << 28
"""Memory limit for unpacking, in bytes; the best preset of xz needs at most 65 MiB."""

_PLAIN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
_DAMAGE = (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError)
"""What the three unpackers raise for a damaged stream."""


class TooLargeError(UsageError):
    """A file may be valid, but reading it would exceed the limits."""


class _Unpacker(Protocol):
    """What lzma's, bz2's and gzip's unpackers have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gzip:
    """zlib's unpacker for gzip, which keeps what it has not read yet."""

    def __init__(self) -> None:
        self._unpacker = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._unpacker.eof

    @property
    def needs_input(self) -> bool:
        return not self._unpacker.unconsumed_tail and not self.eof

    @property
    def unused_data(self) -> bytes:
        return self._unpacker.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._unpacker.decompress(self._unpacker.unconsumed_tail + data, max_length)


_UNPACKERS: dict[str, Callable[[], _Unpacker]] = {
    ".gz": _Gzip,
    ".xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY),
    ".bz2": bz2.BZ2Decompressor,
}
PACKINGS = tuple(_UNPACKERS)
"""The suffixes of packed files."""


# Opening.


@contextmanager
def open_plain(folder: Path, name: str) -> Iterator[io.BufferedReader]:
    """Open a plain file of a folder for reading, without following links."""
    if Path(name).name != name:
        raise FormatError(f"{name} is not a file of this folder")
    try:
        number = os.open(folder / name, _PLAIN | _NO_LINKS)
    except FileNotFoundError:
        raise FormatError(f"{name} is missing") from None
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENXIO}:  # it is a link, or a socket
            raise FormatError(f"{name} is not a plain file") from None
        raise
    if stat.S_ISDIR(os.fstat(number).st_mode):
        os.close(number)
        raise FormatError(f"{name} is not a plain file")
    with _own(number, name) as file:
        yield file


@contextmanager
def open_named(path: Path) -> Iterator[io.BufferedReader]:
    """Open a plain file that a person or a plan names; links are followed, pipes are refused."""
    try:
        number = os.open(path, _PLAIN)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise FormatError(f"{path} is not a plain file") from None
        raise
    with _own(number, str(path)) as file:
        yield file


def _own(number: int, name: str) -> io.BufferedReader:
    found = os.fstat(number).st_mode
    if stat.S_ISREG(found):
        return os.fdopen(number, "rb")
    os.close(number)
    if stat.S_ISDIR(found):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    raise FormatError(f"{name} is not a plain file")


@contextmanager
def open_unpacked(path: Path, *, only_plain: bool = False) -> Iterator[io.BufferedReader]:
    """Open a file, unpacked if its name says that it is packed.

    A packed file may have :data:`LARGEST_TEXT` bytes, or :data:`MOST_TIMES` its packed size if
    that is more.  A pipe may be read, as a shell's ``<(...)`` is one, unless ``only_plain``; a
    device may not.
    """
    opened = open_named(path) if only_plain else _open_pipe(path)
    with opened as file:
        if path.suffix.lower() not in _UNPACKERS:
            yield file
            return
        most = max(LARGEST_TEXT, MOST_TIMES * os.fstat(file.fileno()).st_size)
        yield Unpacked(file, path.name, most)


@contextmanager
def _open_pipe(path: Path) -> Iterator[io.BufferedReader]:
    with path.open("rb") as file:
        kind = os.fstat(file.fileno()).st_mode
        if stat.S_ISBLK(kind) or (stat.S_ISCHR(kind) and not file.isatty()):
            raise FormatError(f"{path} is a device, not a file")
        yield file


def read_limited(file: Any, name: str, most: int = LARGEST_TEXT) -> bytes:
    """Read an open file to its end; raise :class:`TooLargeError` if it has more bytes."""
    data = bytearray()
    while piece := file.read(min(1 << 20, most + 1 - len(data))):
        data += piece
        if len(data) > most:
            raise TooLargeError(f"{name} is larger than the limit of {most:,} bytes")
    return bytes(data)


def read_whole(path: Path, most: int = LARGEST_TEXT) -> bytes:
    """Read a plain file, and unpack it if its suffix is that of a packed one."""
    with open_unpacked(path, only_plain=True) as file:
        return read_limited(file, path.name, most)


def read_named(path: Path) -> bytes:
    """Read a plain file that satlife has written, whatever its size."""
    with open_named(path) as file:
        return file.read()


# Unpacking.


class Unpacked(io.BufferedReader):
    """A packed file while it is unpacked, to at most ``most`` bytes.

    Unless ``exact`` they are a limit; with it, they are the size that is expected.  A file may be
    several streams, as parallel packers write them, unless it must be a ``single`` one.
    """

    def __init__(
        self,
        file: io.BufferedReader,
        name: str,
        most: int,
        *,
        exact: bool = False,
        single: bool = False,
    ) -> None:
        self._stream = _Stream(file, name, most, exact, single)
        super().__init__(self._stream, 1 << 20)

    def finish(self) -> None:
        """Read the rest, and raise FormatError unless the file ends at the expected size."""
        while self.read(1 << 20):
            pass
        if self._stream.left and self._stream.exact:
            raise FormatError(f"{self._stream.name} is shorter than expected")


class _Stream(io.RawIOBase):
    """The bytes of a packed file; no more is unpacked than expected, and nothing goes unread."""

    def __init__(
        self, file: io.BufferedReader, name: str, most: int, exact: bool, single: bool
    ) -> None:
        self._file, self.name, self.exact, self._single = file, name, exact, single
        self._most = self.left = most
        self._packing = Path(name).suffix.lower()
        self._unpacker = _UNPACKERS[self._packing]()
        self._packed = b""
        """What has been read of the next stream."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = b""
        while not data:
            if self._unpacker.eof and not self._begin_next():
                return 0
            packed, self._packed = self._packed, b""
            if not packed and self._unpacker.needs_input:
                packed = self._file.read(1 << 16)
                if not packed:
                    raise FormatError(f"{self.name} is damaged: it ends in the middle")
            try:
                data = self._unpacker.decompress(packed, min(len(buffer), self.left + 1))
            except _DAMAGE as error:
                raise FormatError(f"{self.name} is damaged: {error}") from None
        self.left -= len(data)
        if self.left < 0 and self.exact:
            raise FormatError(f"{self.name} is longer than expected")
        if self.left < 0:
            raise TooLargeError(f"{self.name} is larger than the limit of {self._most:,} bytes")
        buffer[: len(data)] = data
        return len(data)

    def _begin_next(self) -> bool:
        """Return whether another stream begins; gzip and xz allow zeros between streams."""
        padding = b"" if self._single or self._packing == ".bz2" else b"\0"
        rest = self._unpacker.unused_data
        while not (rest := rest.lstrip(padding) if padding else rest):
            if not (rest := self._file.read(1 << 16)):
                return False
        magic = _MAGIC[self._packing]
        rest += self._file.read(len(magic))
        if self._single:
            raise FormatError(f"{self.name} goes on after its end")
        if not rest.startswith(magic):
            raise FormatError(f"{self.name} is damaged: it goes on after its end")
        self._unpacker, self._packed = _UNPACKERS[self._packing](), rest
        return True


_MAGIC = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ\0", ".bz2": b"BZh"}
"""With what a stream begins."""
