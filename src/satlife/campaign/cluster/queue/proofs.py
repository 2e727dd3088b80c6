"""Proofs as objects in JetStream's object store, readable by any tool that knows the format.

We do not use the object store of nats-py: its ``put`` reads and purges, which a worker may not do,
and its ``get`` trusts the sizes that a worker wrote and waits forever for a missing part.  Here an
object is written once, under a name that nobody can guess, and never replaced.

Format: the parts under ``$O.bucket.C.nuid``, then their description under ``$O.bucket.M.name``
(ADR-20 of the NATS architecture).
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from satlife.campaign.cluster.queue.names import PROOF_STREAM, PROOFS
from satlife.errors import FormatError, UsageError
from satlife.search.problem.documents import decode_json

if TYPE_CHECKING:
    from nats.js import JetStreamContext

PART = 128 * 1024
LARGEST_PROOF = 500_000_000
LONGEST_NAME = 200


class Description(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The description of an object in that format; fields that we do not need are skipped."""

    name: str
    bucket: str
    nuid: str
    size: int
    chunks: int
    digest: str


async def put_proof(js: JetStreamContext, name: str, path: Path) -> str:
    """Store a file, by publishing only; return its SHA-256 in hexadecimal."""
    digest = hashlib.sha256()
    chunks = 0
    with path.open("rb") as file:
        while part := file.read(PART):
            digest.update(part)
            await js.publish(_parts(name), part)
            chunks += 1
    description = Description(
        name=name,
        bucket=PROOFS,
        nuid=name,
        size=path.stat().st_size,
        chunks=chunks,
        digest=f"SHA-256={base64.urlsafe_b64encode(digest.digest()).decode()}",
    )
    await js.publish(_meta(name), msgspec.json.encode(description))
    return digest.hexdigest()


async def get_proof(js: JetStreamContext, name: str, path: Path, most: int = LARGEST_PROOF) -> str:
    """Write an object of at most ``most`` bytes to a file; return its SHA-256.

    Raise FormatError if it is missing, incomplete, too large or not as described.
    """
    from nats.js.errors import NotFoundError  # noqa: PLC0415  # an extra

    subject = _meta(name)
    try:
        text = (await js.get_last_msg(PROOF_STREAM, subject)).data
        about = decode_json(text or b"", Description, f"a description of the proof {name}")
    except NotFoundError:
        raise FormatError(f"there is no proof {name}") from None
    if about.size > most:
        raise FormatError(f"the proof {name} has {about.size:,} bytes; the limit is {most:,}")
    digest = hashlib.sha256()
    size = 0
    sequence = 1
    with path.open("wb") as file:
        for _ in range(about.chunks):
            try:
                part = await js.get_msg(PROOF_STREAM, sequence, _parts(name), next=True)
            except NotFoundError:
                raise FormatError(f"the proof {name} is incomplete") from None
            data = part.data or b""
            size += len(data)
            # Checked before writing: the description may lie.
            if size > about.size or not data:
                raise FormatError(f"the proof {name} is not as long as its description says")
            digest.update(data)
            file.write(data)
            sequence = (part.seq or 0) + 1
    if size != about.size:
        raise FormatError(f"the proof {name} is not as long as its description says")
    return digest.hexdigest()


async def remove_proof(js: JetStreamContext, name: str) -> None:
    """Remove an object, complete or not."""
    await js.purge_stream(PROOF_STREAM, subject=_parts(name))
    await js.purge_stream(PROOF_STREAM, subject=_meta(name))


def _parts(name: str) -> str:
    return f"$O.{PROOFS}.C.{_check(name)}"


def _meta(name: str) -> str:
    return f"$O.{PROOFS}.M.{base64.urlsafe_b64encode(_check(name).encode()).decode()}"


def _check(name: str) -> str:
    # The name comes from a worker; a subject must not become a wildcard.
    if not name.isascii() or not name.replace("-", "").isalnum() or len(name) > LONGEST_NAME:
        raise UsageError(f"{name[:80]!r} is not the name of a proof")
    return name
