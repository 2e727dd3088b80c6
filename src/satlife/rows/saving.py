"""Saving a hunt and going on with it: one file, written so that a kill at any moment is harmless.

The file is a line of JSON, which says what is searched and how far it is; then the nodes,
compressed; then the SHA-256 of all before it.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np

from satlife.errors import FormatError, UsageError
from satlife.rows.hunt import Hunt
from satlife.rows.quotient import Quotient

VERSION: Final = 3
"""Grows when a file that could be read before means something else now."""

_NUMBERS: Final = (
    "count",
    "head",
    "end",
    "level",
    "states",
    "merged",
    "dropped",
    "probed_to",
    "depth",
)


def describe(quotient: Quotient) -> dict[str, Any]:
    """Return what is searched, as numbers and words."""
    return {
        "width": quotient.width,
        "period": quotient.period,
        "step": quotient.step,
        "fold": quotient.fold,
        "glide": quotient.glide,
        "skew": quotient.skew,
        "lanes": quotient.lanes,
        "any period": quotient.any_period,
        "rule": quotient.table.hex(),
    }


def save(hunt: Hunt, path: Path) -> None:
    """Write a hunt to a file; the old file stays until the new one is whole."""
    head = {
        "format": "satlife rows",
        "version": VERSION,
        "search": describe(hunt.quotient),
        "limit": hunt.limit,
        "merge": hunt.merge,
        "fleets": hunt.fleets,
        "front": list(hunt.front),
        "found": [list(ship) for ship in hunt.found],
        **{name: int(getattr(hunt, name)) for name in _NUMBERS},
        "best": list(hunt.best),
    }
    nodes = (hunt.parents[: hunt.count].astype("<i4"), hunt.rows[: hunt.count].astype("<u2"))
    body = b"".join(
        [json.dumps(head).encode() + b"\n", zlib.compress(b"".join(a.tobytes() for a in nodes), 1)]
    )
    new = path.with_name(f"{path.name}.new")
    with new.open("wb") as file:
        file.write(body + hashlib.sha256(body).digest())
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def load(hunt: Hunt, path: Path) -> None:
    """Continue a hunt where a file has left it; the file must be of the same search."""
    text = path.read_bytes()
    body, digest = text[:-32], text[-32:]
    if hashlib.sha256(body).digest() != digest:
        raise FormatError(f"{path} is not a saved search by rows, or it is damaged")
    line, _, packed = body.partition(b"\n")
    head = json.loads(line)
    if head.get("format") != "satlife rows" or head.get("version") != VERSION:
        raise FormatError(f"{path} has another version; this satlife reads version {VERSION}")
    same = {
        "search": describe(hunt.quotient),
        "merge": hunt.merge,
        "fleets": hunt.fleets,
        "front": list(hunt.front),
    }
    for name, value in same.items():
        if head[name] != value:
            raise UsageError(f"{path} holds another search ({name} differs); give another file")
    nodes, count = zlib.decompress(packed), head["count"]
    if len(nodes) != 6 * count:
        raise FormatError(f"{path} holds {len(nodes)} bytes of nodes instead of {6 * count}")
    parents = np.frombuffer(nodes[: 4 * count], "<i4").astype(np.int32)
    hunt.restore(parents, np.frombuffer(nodes[4 * count :], "<u2").astype(np.uint16))
    hunt.limit, hunt.best = head["limit"], tuple(head["best"])
    hunt.found = [tuple(ship) for ship in head["found"]]
    for name in _NUMBERS:
        setattr(hunt, name, head[name])
