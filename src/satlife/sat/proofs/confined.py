"""Running one of our own functions in a child process, with limits that hold for all it does.

A deadline that code must look at holds only for the code that looks.  Here limits hold for
everything: the child's address space is limited (on Linux; elsewhere we watch its size), and it is
killed when it is late.  Its solvers and checkers end with it, and its temporary files lie in a
folder of ours, which is removed.

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
from satlife.sat.solvers.process import Child, Ended, Frame

ORDER, NEWS, RESULT, ERROR, MEMORY = range(1, 6)
"""The kinds of frames; only the first goes to the child."""

GRACE = 0.5
"""Seconds after the time limit, which the function may keep by itself, until it is killed."""
_LOOK = 0.1
_PROGRAM = Path(__file__).with_name("_confined_child.py")


def run_confined(
    function: str,
    *arguments: Any,
    limits: Limits | None = None,
    on_news: Callable[[Any], None] | None = None,
) -> Any:
    """Return what a function (``module:name``) returns, or Undecided if a limit came first.

    With ``on_news`` the function is called with one argument more, a function: what that is
    called with comes to ``on_news``.  One of our errors is raised here as it was raised there.
    """
    limits = limits or Limits()
    begun = time.monotonic()
    scratch = tempfile.mkdtemp(prefix="satlife-")
    # -P: what lies beside the program is not a module for it.
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
        return _await(child, limits, begun, on_news)
    finally:
        child.close()
        _remove(scratch)


def _await(
    child: Child, limits: Limits, begun: float, on_news: Callable[[Any], None] | None
) -> Any:
    while True:
        frame = child.receive(_LOOK)
        if isinstance(frame, Ended):
            how, words = child.last_words()
            if limits.memory_bytes is not None and ran_out(how, words):
                return Undecided(Reason.MEMORY_LIMIT)
            return Undecided(Reason.DIED, f"{how}: {words[-200:]}".removesuffix(": "))
        if isinstance(frame, Frame):
            content = pickle.loads(frame.payload)
            if frame.kind == RESULT:
                return content
            if frame.kind == MEMORY:
                return Undecided(Reason.MEMORY_LIMIT)
            if frame.kind == ERROR:
                raise _error(*content)
            if on_news:
                on_news(content)
        if outgrown(child.pid, limits.memory_bytes):
            return Undecided(Reason.MEMORY_LIMIT)
        if limits.seconds is not None and time.monotonic() - begun > limits.seconds + GRACE:
            return Undecided(Reason.TIME_LIMIT)


def _error(name: str, words: str) -> SatlifeError:
    """Return one of our errors by its name; any other is a fault of ours."""
    known = getattr(errors, name, None)
    if isinstance(known, type) and issubclass(known, SatlifeError):
        return known(words)
    return InternalError(f"{name}: {words}" if words else name)


def _remove(folder: str) -> None:
    """Remove the folder; a solver that ends this moment may still write into it."""
    for _ in range(10):
        with suppress(OSError):
            shutil.rmtree(folder)
        if not Path(folder).exists():
            return
        time.sleep(0.02)
