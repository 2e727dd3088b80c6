"""Running one of our own functions in a child process, under hard limits.

A deadline that code has to check binds only the code that checks it.  Here the limits bind
everything: the child's address space is limited (on Linux; elsewhere its size is watched), and it
is killed at its time limit.  Its solvers and checkers end with it, and its temporary files are in
a folder that is removed.

>>> run_confined("math:factorial", 5)
120
>>> print(run_confined("time:sleep", 60, limits=Limits(seconds=0.1)))
time limit
"""

from __future__ import annotations

import os
import pickle
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from satlife import errors
from satlife.errors import InternalError, SatlifeError
from satlife.sat.answer import Reason, Undecided
from satlife.sat.solver import Limits
from satlife.sat.solvers.memory import outgrown, ran_out
from satlife.sat.solvers.process import Child, Ended, Packet

ORDER, NEWS, RESULT, ERROR, MEMORY = range(1, 6)
"""The kinds of packets; only the first one goes to the child."""

GRACE = 0.5
"""Seconds from the time limit to the kill, in which the function may end by itself."""
_POLL_SECONDS = 0.1
_PROGRAM = Path(__file__).with_name("_confined_child.py")


def run_confined(
    function: str,
    *arguments: Any,
    limits: Limits | None = None,
    on_news: Callable[[Any], None] | None = None,
    stop: threading.Event | None = None,
) -> Any:
    """Return the result of a function (``module:name``), or Undecided if it reached a limit.

    With ``on_news`` the function gets one more argument: a function whose calls are passed on to
    ``on_news``.  When another thread sets ``stop``, the child is killed.  Our own errors are raised
    here as they were raised there.
    """
    limits = limits or Limits()
    begun = time.monotonic()
    scratch = tempfile.mkdtemp(prefix="satlife-")
    # -P: files beside the program are not importable.
    child = Child((sys.executable, "-P", os.fspath(_PROGRAM)))
    try:
        order = {
            "path": sys.path,
            "leash": child.leash,
            "scratch": scratch,
            "memory": limits.memory_bytes,
            "function": function,
            "news": on_news is not None,
        }
        child.send(ORDER, pickle.dumps(order), pickle.dumps(arguments))
        return _await(child, limits, begun, on_news, stop or threading.Event())
    finally:
        child.close()
        _remove(scratch)


def _await(
    child: Child,
    limits: Limits,
    begun: float,
    on_news: Callable[[Any], None] | None,
    stop: threading.Event,
) -> Any:
    while not stop.is_set():
        packet = child.receive(_POLL_SECONDS)
        if isinstance(packet, Ended):
            how, words = child.last_words()
            if limits.memory_bytes is not None and ran_out(how, words):
                return Undecided(Reason.MEMORY_LIMIT)
            return Undecided(Reason.DIED, f"{how}: {words[-200:]}".removesuffix(": "))
        if isinstance(packet, Packet):
            content = pickle.loads(packet.payload)
            if packet.kind == RESULT:
                return content
            if packet.kind == MEMORY:
                return Undecided(Reason.MEMORY_LIMIT)
            if packet.kind == ERROR:
                raise _error(*content)
            if on_news:
                on_news(content)
        reached = _reached(child, limits, begun)
        if reached is not None:
            return Undecided(reached)
    return Undecided(Reason.INTERRUPTED)


def _reached(child: Child, limits: Limits, begun: float) -> Reason | None:
    """Return the limit that the child has reached, if any."""
    if outgrown(child.pid, limits.memory_bytes):
        return Reason.MEMORY_LIMIT
    late = limits.seconds is not None and time.monotonic() - begun > limits.seconds + GRACE
    return Reason.TIME_LIMIT if late else None


def _error(name: str, words: str) -> SatlifeError:
    """Return one of our errors by its name; any other error is a bug."""
    known = getattr(errors, name, None)
    if isinstance(known, type) and issubclass(known, SatlifeError):
        return known(words)
    return InternalError(f"{name}: {words}" if words else name)


def _remove(folder: str) -> None:
    """Remove the folder; a solver that is just ending may still write to it."""
    for _ in range(10):
        with suppress(OSError):
            shutil.rmtree(folder)
        if not Path(folder).exists():
            return
        time.sleep(0.02)
