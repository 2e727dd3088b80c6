"""Messages from the recorder to all workers: stop these tasks, or all of them.

They are not stored: a worker that misses one does needless work, and nothing goes wrong.  The
recorder therefore sends each of them more than once.
"""

from __future__ import annotations

import msgspec

from satlife.errors import FormatError
from satlife.search.problem.documents import decode_json

LARGEST_CONTROL = 500_000


class Control(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tasks whose answers are no longer needed."""

    withdraw: tuple[str, ...] = ()
    """Names of problems."""
    over: bool = False
    """Whether the whole campaign is over."""


def encode_control(control: Control) -> bytes:
    """Return it as JSON."""
    return msgspec.json.encode(control)


def decode_control(text: bytes) -> Control:
    """Read it; what is wrong with it is a :class:`~satlife.errors.FormatError`."""
    if len(text) > LARGEST_CONTROL:
        raise FormatError(f"not a control message: {len(text):,} bytes")
    return decode_json(text, Control, "a control message")
