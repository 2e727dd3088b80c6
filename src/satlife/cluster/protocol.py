"""The messages between recorder, workers, checkers and dispatcher: JSON of bounded size.

Recorder and checkers: a check is a kind of task.  It holds all that its outcome needs, so nobody
remembers it: the recorder puts it into a queue and forgets the result that asked for it, and the
outcome comes back through the stream of results.  The broker lets only recorders ask, and only
checkers answer.

>>> from satlife.cluster.protocol import read, write
>>> result = ImpossibleResult(task="5fef", worker="anna")
>>> read(write(Outcome(result=result, failed="no proof")), Outcome, "an outcome").checked is None
True

Volunteers and dispatcher: requests over HTTP, each with one :class:`Reply`; the page
:doc:`/reference/volunteers` has all of them.  All messages are validated, except a part of a proof,
which is bytes.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec

from satlife.campaign.core.trust import Checked
from satlife.campaign.messages import LARGEST_MESSAGE, Budget, ImpossibleResult
from satlife.errors import FormatError
from satlife.problem import Cells, Problem
from satlife.problem.documents import decode_json

M = TypeVar("M", bound=msgspec.Struct)

LARGEST_BODY = LARGEST_MESSAGE + 1000
"""Maximum bytes of what volunteers and dispatcher say: a task or result, and what is around it."""


def read(text: bytes, kind: type[M], what: str, most: int = LARGEST_MESSAGE) -> M:
    """Read a message; raise :class:`~satlife.errors.FormatError` if it is invalid."""
    if len(text) > most:
        raise FormatError(f"not {what}: {len(text):,} bytes; the limit is {most:,}")
    return decode_json(text, kind, what)


def write(message: msgspec.Struct) -> bytes:
    """Return a message as JSON."""
    return msgspec.json.encode(message)


class CheckMessage(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A message between recorders and checkers."""

    result: ImpossibleResult
    """The claim that comes with the proof."""


class CheckRequest(CheckMessage, frozen=True, kw_only=True):
    """A proof to check."""

    problem: Problem
    """The problem that the proof is said to refute."""
    cells: Cells = ()
    """The given cells, if the task is a case."""
    proof: str
    """The name of the proof in the campaign's store."""
    limits: Budget
    """Time and memory for the check, and the size of the largest proof."""


class Outcome(CheckMessage, frozen=True, kw_only=True):
    """What came of a check."""

    worker: str = ""
    """The checker; empty if it is a recorder."""
    checked: Checked | None = None
    failed: str = ""
    """Why the proof could not be checked at all, if it could not."""


PROTOCOL = 2
"""Version, in the path of every request; it increases when an older worker would misunderstand a
message."""
PRESENCE = "satlife.dispatcher"
"""Subject on which a dispatcher answers that it is running."""
VERDICTS = "satlife.verdict"
"""Subject on which recorders publish verdicts on the answers of users."""
MOST_ANSWERS = 100
"""Maximum number of answers in a request."""


class LeaseMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message between a volunteer and the dispatcher; unknown fields are from a later version."""


class LeaseRequest(LeaseMessage, frozen=True, kw_only=True):
    """A request for tasks."""

    worker: str
    most: int
    request: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """A name of this request; sent again under it, it is given what it was given before."""


class LeaseList(LeaseMessage, frozen=True, kw_only=True):
    """Leases that are still being worked on, or (to ``back``) returned."""

    leases: tuple[str, ...]


class LeaseAnswer(LeaseMessage, frozen=True, kw_only=True):
    """The result of a lease; the proof, if there is one, has been uploaded for that lease."""

    lease: str
    result: msgspec.Raw
    uploaded: bool = False


class LeaseAnswers(LeaseMessage, frozen=True, kw_only=True):
    """Some results."""

    answers: tuple[LeaseAnswer, ...]


class Leased(LeaseMessage, frozen=True, kw_only=True):
    """A leased task."""

    lease: str
    campaign: str
    task: msgspec.Raw
    silence: float
    """Seconds of silence after which the lease is lost."""
    hold: float
    """Seconds after which the lease is lost in any case."""


class Reply(LeaseMessage, frozen=True, kw_only=True):
    """The answer to any request."""

    leases: tuple[Leased, ...] = ()
    over: tuple[str, ...] = ()
    """Leases whose answers are no longer needed or accepted."""
    refused: str = ""
    """The reason for a refusal; empty if all is well."""
    wait: float = 0.0
    """Seconds to wait before asking again; 0 after a refusal means that it is final."""
    lost: bool = False
    """Whether it is refused because the proof is missing, and must be sent again from its begin."""
    answers: tuple[Reply, ...] = ()
    """What became of each answer, in their order."""


class UserVerdict(LeaseMessage, frozen=True, kw_only=True):
    """A recorder's verdict on a user's answers."""

    user: str
    good: int = 0
    """Answers that are right: simulated, proved, or confirmed by enough users."""
    bad: int = 0
    """Messages that were refused."""
    lies: int = 0
    """Patterns and proofs that fail their check, and impossibilities that were found."""
    unchecked: int = 0
    """Seconds spent on checks of proofs that ended at their limits."""


def path(verb: str, version: int = PROTOCOL) -> str:
    """Return the path of a request.

    >>> path("lease")
    '/v2/lease'
    """
    return f"/v{version}/{verb}"


# Messages from the recorder to all workers: stop these tasks, or all of them.
#
# They are not stored: a worker that misses one does needless work, but no harm is done.  The
# recorder therefore sends each of them more than once.


LARGEST_CONTROL = 500_000


class Control(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tasks whose answers are no longer needed."""

    withdraw: tuple[str, ...] = ()
    """Names of tasks."""
    over: bool = False
    """Whether the whole campaign is over."""


def encode_control(control: Control) -> bytes:
    """Return a control message as JSON."""
    return msgspec.json.encode(control)


def decode_control(text: bytes) -> Control:
    """Read a control message; raise :class:`~satlife.errors.FormatError` if it is invalid."""
    if len(text) > LARGEST_CONTROL:
        raise FormatError(f"not a control message: {len(text):,} bytes")
    return decode_json(text, Control, "a control message")
