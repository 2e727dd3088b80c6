"""Proofs as objects in JetStream's object store, readable by any tool that knows the format.

We do not use the object store of nats-py: its ``put`` reads and purges, which a worker may not do,
and its ``get`` trusts the sizes that a worker wrote and waits forever for a missing part.  Here an
object is written once, under an unguessable name, and never replaced.

Format: the parts under ``$O.bucket.C.nuid``, then their description under ``$O.bucket.M.name``
(ADR-20 of the NATS architecture).
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from functools import partial
from pathlib import Path

import msgspec
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from satlife.cluster.queue.streams import proof_bucket, proof_stream
from satlife.errors import FormatError, UsageError
from satlife.problem.documents import decode_json

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


class Upload:
    """An object that is being stored, part by part, by publishing only."""

    def __init__(self, js: JetStreamContext, campaign: str, name: str) -> None:
        self.campaign, self.name = campaign, name
        self.size = self.parts = 0
        self._js = js
        self._digest = hashlib.sha256()

    async def add(self, part: bytes) -> None:
        """Store the next part."""
        await self._js.publish(_parts(self.campaign, self.name), part)
        self._digest.update(part)
        self.size += len(part)
        self.parts += 1

    async def end(self) -> str:
        """Store the description; return the SHA-256 in hexadecimal."""
        description = Description(
            name=self.name,
            bucket=proof_bucket(self.campaign),
            nuid=self.name,
            size=self.size,
            chunks=self.parts,
            digest=f"SHA-256={base64.urlsafe_b64encode(self._digest.digest()).decode()}",
        )
        await self._js.publish(_meta(self.campaign, self.name), msgspec.json.encode(description))
        return self._digest.hexdigest()


def name_upload(user: str, task: str) -> str:
    """Return a new name for a proof, unguessable, with its user.

    >>> name_upload("alice", "5fef" * 16)[:-16]
    'alice-5fef5fef5fef-'
    """
    return f"{user.replace('_', '-')}-{task[:12]}-{secrets.token_hex(8)}"


def read_upload(name: str) -> str:
    """Return the user of a proof.

    >>> read_upload("alice-b-5fef5fef5fef-0011223344556677")
    'alice-b'
    """
    return name.rsplit("-", 2)[0]


async def put_proof(js: JetStreamContext, campaign: str, name: str, path: Path) -> str:
    """Store a file; return its SHA-256 in hexadecimal."""
    upload = Upload(js, campaign, name)
    with path.open("rb") as file:
        while part := file.read(PART):
            await upload.add(part)
    return await upload.end()


async def get_proof(
    js: JetStreamContext,
    campaign: str,
    name: str,
    path: Path,
    most: int = LARGEST_PROOF,
    *,
    direct: bool = False,
) -> str:
    """Write an object of at most ``most`` bytes to a file; return its SHA-256.

    Raise FormatError if it is missing, incomplete, too large or not as described.  With ``direct``
    any server of a cluster answers, also one that lags behind; other accounts have no other way.
    """
    stream, subject, parts = proof_stream(campaign), _meta(campaign, name), _parts(campaign, name)
    get = partial(js.get_msg, stream, direct=direct, next=True)
    try:
        text = (await get(seq=1, subject=subject)).data
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
                part = await get(seq=sequence, subject=parts)
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


async def remove_proof(js: JetStreamContext, campaign: str, name: str) -> None:
    """Remove an object, complete or not."""
    for subject in (_parts(campaign, name), _meta(campaign, name)):
        await js.purge_stream(proof_stream(campaign), subject=subject)


async def list_proofs(js: JetStreamContext, campaign: str) -> dict[str, int]:
    """Return the stored objects, complete or not, with their numbers of parts."""
    begin = f"$O.{proof_bucket(campaign)}.C."
    info = await js.stream_info(proof_stream(campaign), subjects_filter=f"{begin}>")
    return {
        subject.removeprefix(begin): count for subject, count in (info.state.subjects or {}).items()
    }


def _parts(campaign: str, name: str) -> str:
    return f"$O.{proof_bucket(campaign)}.C.{check_name(name)}"


def _meta(campaign: str, name: str) -> str:
    encoded = base64.urlsafe_b64encode(check_name(name).encode()).decode()
    return f"$O.{proof_bucket(campaign)}.M.{encoded}"


def check_name(name: str) -> str:
    """Return the name of a proof; raise an error if it is invalid."""
    # The name comes from a worker; a subject must not become a wildcard.
    if not name.isascii() or not name.replace("-", "").isalnum() or len(name) > LONGEST_NAME:
        raise UsageError(f"{name[:80]!r} is not the name of a proof")
    return name
