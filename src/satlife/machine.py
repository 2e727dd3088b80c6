"""The machine: its processors, its files, and how satlife came onto it."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

_ROOM = 1 << 30
"""Bytes of memory without which numba is not loaded: what is not compiled needs less."""


def count_processors() -> int:
    """Return the number of processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def replacing(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """Offer an empty file to write, which replaces ``path`` when it is whole and on the disk.

    >>> import tempfile
    >>> from contextlib import suppress
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name, "glider.rle")
    >>> with replacing(path) as new:
    ...     _ = new.write_text("bo$2bo$3o!"), path.exists()
    >>> with suppress(ValueError), replacing(path) as new:
    ...     raise ValueError(new.write_text("bo$2b"))
    >>> [each.name for each in path.parent.iterdir()], path.read_text(), folder.cleanup()
    (['glider.rle'], 'bo$2bo$3o!', None)
    """
    new = path.with_name(f".{os.getpid()}-{threading.get_ident()}-{path.name}")
    new.unlink(missing_ok=True)  # of a process that died
    try:
        os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
        yield new
        with new.open("rb+") as file:
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def how_to_install(extra: str) -> str:
    """Return the command that adds an extra to satlife, from where satlife was installed.

    The source is recorded as PEP 610 defines it. Double quotes work in sh, cmd and PowerShell.
    """
    from importlib.metadata import distributions  # noqa: PLC0415 - slow
    from urllib.request import url2pathname  # noqa: PLC0415 - slow

    def read(name: str) -> str:  # of what is run from its sources, there is nothing to read
        return next((each.read_text(name) or "" for each in distributions(name="satlife")), "")

    pip = "uv pip" if read("INSTALLER").strip() == "uv" else "pip"
    origin = json.loads(read("direct_url.json") or "{}")
    url, editable = origin.get("url", ""), origin.get("dir_info", {}).get("editable")
    if repository := origin.get("vcs_info"):
        revision = repository.get("requested_revision")
        url = url.replace("file:///", "file://localhost/")  # older versions of pip want a host
        url = f"{repository['vcs']}+{url}" + (f"@{revision}" if revision else "")
    if url.startswith("file://"):
        source = f"{url2pathname(url.removeprefix('file://'))}[{extra}]"
    else:
        source = f"satlife[{extra}] @ {url}" if url else f"satlife[{extra}]"
    return f'{pip} install {"-e " if editable else ""}"{source}"'


def load_compiled(module: str) -> Any:
    """Import a module that numba compiles; None without numba, memory or a folder to keep it in."""
    import mmap  # noqa: PLC0415 - only for large checks

    try:
        mmap.mmap(-1, _ROOM).close()
        return import_module(module)
    except (ImportError, OSError, RuntimeError):
        return None
