"""Compiled code: built by numba once, kept as an object file, and called without numba.

numba takes seconds to compile, and half a second to load what it has compiled.  So its code is kept
as a file, one for each kind of search, and LLVM loads that at once.  Compiling cannot be
interrupted: whoever has a time limit, or a person who may press Ctrl-C, lets another process call
:func:`build`, and gives the code to :func:`keep`.
"""

from __future__ import annotations

import ctypes
import hashlib
from contextlib import suppress
from functools import cache, cached_property
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import llvmlite.binding as llvm
import numpy as np
from platformdirs import user_cache_path

from satlife.errors import InternalError
from satlife.machine import replacing
from satlife.rows import kernels

ENTRY: Final = "satlife_rows"
"""The name of the compiled function: it gets the number of a task, and where its arguments lie."""
_HELD: Final[dict[str, bytes]] = {}
"""Code of this process; there may be no place to keep it for others."""
_TASKS: Final = {
    task: (number, [None if x == "q" else np.dtype(x) for x in words.split()])
    for number, (task, words) in enumerate(kernels.TASKS.items())
}


class Kit(kernels.Tables):
    """The tables of one search, and where they lie."""

    @cached_property
    def places(self) -> list[int]:
        """Where the tables lie in memory."""
        return list(map(_locate, self, map(np.dtype, kernels.KIT)))


def is_compiled(kind: str) -> bool:
    """Return whether there is code for a kind of search; it is read if there is a file."""
    with suppress(OSError):
        text = b"" if kind in _HELD else _find(kind).read_bytes()
        if text and hashlib.sha256(text[32:]).digest() == text[:32]:
            _HELD[kind] = text[32:]
    return kind in _HELD


def build(kind: str) -> bytes:
    """Compile the code for a kind of search, which takes seconds."""
    from satlife.rows.kernels.graph import compile_kind  # noqa: PLC0415 - needs numba, half a second

    module = llvm.parse_assembly(compile_kind(kind))
    public = [each for each in module.functions if each.linkage is llvm.Linkage.external]
    entry, *foreign = (each for each in public if not each.name.startswith("llvm."))
    if foreign:  # what is not in the file would be missing when it is loaded
        raise InternalError(f"the compiled search calls {foreign[0].name}")
    entry.name = ENTRY
    return bytes(_make_machine().emit_object(module))


def keep(kind: str, code: bytes) -> None:
    """Keep code for this process and, if there is a place, for later ones."""
    _HELD[kind] = code
    path = _find(kind)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as new:
            new.write_bytes(hashlib.sha256(code).digest() + code)


def call(task: str, kit: Kit, *given: Any) -> list[int]:
    """Do a task (see :data:`~satlife.rows.kernels.TASKS`); return the numbers that it answers."""
    number, types = _TASKS[task]
    sizes = kernels.measure_room(kit.quotient)
    room = np.empty(sum(sizes), np.int64)
    words = list(kit.places)
    words += accumulate((8 * size for size in sizes[:-1]), initial=room.ctypes.data)
    words += [_locate(*each) for each in zip(given, types, strict=True)]
    function, _ = _load(kernels.KINDS[kit.quotient.kind])
    # numba's convention: where to put a result and an exception; there is neither.
    function((ctypes.c_void_p * 2)(), None, number, (ctypes.c_int64 * len(words))(*words))
    return [int(each) for each in room[-sizes[-1] :]]


def _locate(value: Any, kind: np.dtype[Any] | None) -> int:
    """Return a number, or the address of an array, which must be as the compiled code sees it."""
    if kind is None:
        return int(value)
    if value.dtype != kind or not value.flags.c_contiguous:
        raise TypeError(f"the search by rows needs an array of {kind}, not {value.dtype}")
    return int(value.ctypes.data)


def _find(kind: str) -> Path:
    """Return where code is kept: it depends on the kernels, on numba and on the processor."""
    files = sorted(Path(kernels.__file__).parent.glob("*.py"))
    target = (version("numba"), llvm.get_process_triple(), *_describe_processor())
    parts = [file.read_bytes() for file in files] + [each.encode() for each in target]
    stamp = hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
    return user_cache_path("satlife", appauthor=False) / "rows" / f"{kind}-{stamp}.o"


def _describe_processor() -> tuple[str, str]:
    with suppress(RuntimeError):  # LLVM does not know the features of every processor
        return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    return llvm.get_host_cpu_name(), ""


def _make_machine() -> Any:
    """Return this processor, as numba asks LLVM for it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    reloc = "static" if target.name.startswith("x86") else "default"
    cpu, features = _describe_processor()
    return target.create_target_machine(cpu=cpu, features=features, opt=3, reloc=reloc, jit=True)


@cache
def _load(kind: str) -> tuple[Any, Any]:
    """Return the compiled function, and what keeps it in memory."""
    if not is_compiled(kind):
        keep(kind, build(kind))
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _make_machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(_HELD[kind]))
    engine.finalize_object()
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    shape = ctypes.CFUNCTYPE(ctypes.c_int32, pointer, pointer, number, pointer)
    return shape(engine.get_function_address(ENTRY)), engine
