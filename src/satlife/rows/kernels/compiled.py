"""How functions are compiled and kept: numba's cache, which here watches every file of the package.

By itself it watches only the file of the function that it has compiled, and a change in a function
that this one calls would go unnoticed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

ONE = np.uint64(1)
NONE = np.uint64(0)
ALL = ~np.uint64(0)

FILES = sorted(Path(__file__).parent.glob("*.py"))
_STAMP = hashlib.sha256(b"".join(file.read_bytes() for file in FILES)).hexdigest()


def _can_keep() -> bool:
    """Return whether numba finds a folder for what it compiles; it raises where it does not."""
    try:
        njit(cache=True)(_can_keep)
    except RuntimeError:
        return False
    return True


KEEPS = _can_keep()
"""Whether what is compiled is there in the next run too."""


def compiled(function: Callable[..., Any]) -> Any:
    """Return a function that numba compiles; it is kept until one of the files changes."""
    dispatcher = njit(cache=KEEPS, nogil=True, boundscheck=False)(function)
    # numba has no public way to say on what else a function depends; a test looks whether this
    # one still works.
    kept = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if kept is not None:
        kept._source_stamp = _STAMP
    return dispatcher


@intrinsic
def lowest(context: Any, bits: Any) -> Any:
    """Return the number of the lowest bit that is set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate
