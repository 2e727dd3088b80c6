"""Lines, records and bytes on standard output.

A text goes through the stream of ``cli/start``, which makes it visible.  Bytes are left alone
unless a terminal would get them.
"""

from __future__ import annotations

import codecs
import io
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class _Escapes(dict[int, str]):
    """For ``str.translate``: JSON's escape for each character that cannot be seen."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        return self.setdefault(code, letter if letter.isprintable() else json.dumps(letter)[1:-1])


_ESCAPES = _Escapes()


def encode_record(record: Any) -> bytes:
    r"""Return a record as one line of JSON without a character that a terminal would obey.

    msgspec escapes only what JSON demands; ``\x9b`` begins a control sequence, too.

    >>> encode_record({"name": "\x9b2J"})
    b'{"name":"\\u009b2J"}\n'
    """
    import msgspec  # noqa: PLC0415 - commands that print text start without it

    return msgspec.json.encode(record).decode().translate(_ESCAPES).encode() + b"\n"


def print_record(record: Any) -> None:
    """Print a record as a line of UTF-8, whatever the encoding of the terminal is."""
    print_bytes(encode_record(record))


def print_line(text: str) -> None:
    """Print a line."""
    print_text(f"{text}\n")


def print_text(text: str) -> None:
    """Print a text at once: another program may be waiting for it."""
    sys.stdout.write(text)
    sys.stdout.flush()


def print_bytes(data: bytes) -> None:
    """Print bytes that are visible already."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


class Screen(io.BufferedIOBase):
    """A terminal as the file ``-``: it shows text, with control characters made visible."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def write(self, data: ReadableBuffer) -> int:
        """Write text in UTF-8, which may end within a character."""
        sys.stdout.write(self._decoder.decode(bytes(data)))
        return memoryview(data).nbytes

    def flush(self) -> None:
        """Flush the terminal."""
        sys.stdout.flush()
