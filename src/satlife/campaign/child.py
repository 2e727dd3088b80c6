"""The child process of a pool: ``python -m satlife.campaign.child``.

It reads orders from its standard input and writes results to its standard output, one JSON text in
a line; the first line it writes is a sign that it is ready.  It is expendable: whoever started it
kills it when it is late.  It ends by itself when its standard input does, also in the midst of a
task, when the solver holds the interpreter's lock; so nothing is left of it when the parent dies.
"""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from satlife.campaign.messages import (
    LONGEST_WORDS,
    AnyResult,
    FailedResult,
    Task,
    UndecidedResult,
    encode,
)
from satlife.campaign.solving import solve_task
from satlife.errors import SatlifeError
from satlife.sat.solvers._pysat_child import Lifeline

if sys.platform != "win32":
    import resource
else:
    import msvcrt

READY = b"ready\n"
"""The first line."""


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a child is told to do."""

    task: Task
    worker: str
    proof: str | None = None
    """The file for a proof."""
    leash: int | None = None
    """A file whose end is the end of the parent."""


def obey(order: Order) -> AnyResult:
    """Solve a task; whatever goes wrong is a result, too."""
    task = order.task
    said: dict[str, Any] = {"task": task.name, "worker": order.worker, "round": task.round}
    try:
        confine(task.bounds.memory_bytes)
        try:
            return solve_task(
                task, order.worker, None if order.proof is None else Path(order.proof)
            )
        finally:
            confine(None)
    except MemoryError:
        return UndecidedResult(reason="memory limit", bounds=task.bounds, **said)
    except SatlifeError as error:
        words = f"{type(error).__name__}: {error}"
    except Exception:
        words = traceback.format_exc()
    return FailedResult(log=words[-LONGEST_WORDS:], **said)


def confine(memory_bytes: int | None) -> None:
    """Limit the address space to what is taken now and so many bytes (Linux only)."""
    if sys.platform == "linux":
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        soft = hard
        if memory_bytes is not None:
            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            soft = pages * os.sysconf("SC_PAGE_SIZE") + memory_bytes
            if hard != resource.RLIM_INFINITY:
                soft = min(soft, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def main() -> None:
    """Obey until the standard input ends."""
    # Solvers print to the standard output; the results must have it for themselves.
    results = os.dup(1)
    os.dup2(2, 1)
    if sys.platform == "win32":
        msvcrt.setmode(results, os.O_BINARY)
    else:
        # CaDiCaL aborts when it runs out of memory, and shall leave no core file behind.
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    lifeline = None
    decoder = msgspec.json.Decoder(Order)
    with os.fdopen(0, "rb", closefd=False) as orders, suppress(OSError):
        os.write(results, READY)
        while line := orders.readline():
            order = decoder.decode(line)
            lifeline = lifeline or Lifeline(order.leash)
            result = obey(order)
            _write(results, encode(result) + b"\n")
    # Solvers take long to free their memory; the operating system does not.
    os._exit(0)


def _write(file: int, text: bytes) -> None:
    while text:
        text = text[os.write(file, text) :]


if __name__ == "__main__":
    main()
