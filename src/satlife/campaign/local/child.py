"""The child process of a pool: ``python -m satlife.campaign.local.child``.

It reads orders from standard input and writes results to standard output, one JSON text per line;
the first line says that it is ready.  It is expendable: the pool kills it when it takes too long.
It ends when its standard input ends, even while a solver holds the interpreter's lock, so it never
outlives its parent.
"""

from __future__ import annotations

import os
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from satlife.campaign.local.task_solver import solve_task
from satlife.campaign.messages import (
    LONGEST_WORDS,
    AnyResult,
    FailedResult,
    Task,
    UndecidedResult,
    encode,
)
from satlife.errors import SatlifeError
from satlife.sat.solvers._pysat_child import Lifeline, limit_growth, take_output

READY = b"ready\n"
"""The first line of output."""


class ChildTask(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A task for a child."""

    task: Task
    worker: str
    proof: str | None = None
    """The path for a proof."""
    leash: int | None = None
    """A file descriptor that closes when the parent dies."""


def obey(order: ChildTask) -> AnyResult:
    """Solve a task; an error is returned as a result."""
    task = order.task
    common: dict[str, Any] = {"task": task.name, "worker": order.worker, "round": task.round}
    try:
        limit_growth(task.budget.memory_bytes)
        try:
            return solve_task(
                task, order.worker, None if order.proof is None else Path(order.proof)
            )
        finally:
            limit_growth(None)
    except MemoryError:
        return UndecidedResult(reason="memory limit", budget=task.budget, **common)
    except SatlifeError as error:
        log = f"{type(error).__name__}: {error}"
    except Exception:
        log = traceback.format_exc()
    return FailedResult(log=log[-LONGEST_WORDS:], **common)


def main() -> None:
    """Solve tasks until standard input ends."""
    results = take_output()
    lifeline = None
    decoder = msgspec.json.Decoder(ChildTask)
    with os.fdopen(0, "rb", closefd=False) as orders, suppress(OSError):
        os.write(results, READY)
        while line := orders.readline():
            order = decoder.decode(line)
            lifeline = lifeline or Lifeline(order.leash)
            answer = encode(obey(order)) + b"\n"
            while answer:
                answer = answer[os.write(results, answer) :]
    # Solvers are slow to free their memory; the operating system is not.
    os._exit(0)


if __name__ == "__main__":
    main()
