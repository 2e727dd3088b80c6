"""How functions are compiled: into code that needs neither numba nor Python when it is called."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from satlife.rows.kernels import KIT, ROOM, TASKS

ONE = np.uint64(1)
NONE = np.uint64(0)
ALL = ~np.uint64(0)

_OPTIONS: dict[str, Any] = {
    "boundscheck": False,
    "error_model": "numpy",  # there is no exception when the code is called without numba
    "_nrt": False,  # nor memory of numba's own
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
compiled: Any = njit(**_OPTIONS)


def _make_type(kind: Any) -> Any:
    """Return the type of a number, a record or a pointer."""
    if kind == "q":
        return types.int64
    found = from_dtype(np.dtype(kind))
    return found if isinstance(found, types.Record) else types.CPointer(found)


_KIT, _ROOM = (types.NamedTuple([*map(_make_type, each)], type(each)) for each in (KIT, ROOM))


GIVEN = {
    task: types.Tuple([_KIT, _ROOM, *map(_make_type, words.split())])
    for task, words in TASKS.items()
}
"""The type of the arguments of each task, a tuple."""


@intrinsic
def lowest(context: Any, bits: Any) -> Any:
    """Return the number of the lowest bit that is set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def skip(context: Any, pointer: Any, count: Any) -> Any:
    """Return the pointer to what lies a number of items further."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [arguments[1]])

    return pointer(pointer, types.int64), generate


@intrinsic
def prefetch(context: Any, pointer: Any, number: Any) -> Any:
    """Fetch an item of an array into the cache."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, place = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [place, word, word, word])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        address = builder.bitcast(builder.gep(arguments[0], [arguments[1]]), place)
        builder.call(function, [address, word(0), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(pointer, types.int64), generate


@intrinsic
def take(context: Any, words: Any, kind: Any) -> Any:
    """Return the tuple that lies at an address: addresses and numbers, of eight bytes each."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = context.get_value_type(signature.return_type).as_pointer()
        return builder.load(builder.bitcast(arguments[0], place))

    return kind.instance_type(words, kind), generate
