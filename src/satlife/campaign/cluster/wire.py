"""Messages of bounded size as JSON, for all who speak with each other by request and reply."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from satlife.campaign.messages import LARGEST_MESSAGE
from satlife.errors import FormatError
from satlife.search.problem.documents import decode_json

M = TypeVar("M", bound=msgspec.Struct)


def read(text: bytes, kind: type[M], what: str) -> M:
    """Read a message; raise :class:`~satlife.errors.FormatError` if it is not one."""
    if len(text) > LARGEST_MESSAGE:
        raise FormatError(f"not {what}: {len(text):,} bytes; the limit is {LARGEST_MESSAGE:,}")
    return decode_json(text, kind, what)


def write(message: msgspec.Struct) -> bytes:
    """Return a message as JSON."""
    return msgspec.json.encode(message)
