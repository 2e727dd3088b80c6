"""The first and last moments of a command, when nothing else of ours is there to catch Ctrl-C.

Only modules that Python has loaded already are imported here: importing a command's own modules
takes most of its start, and Ctrl-C must not end that with a traceback.
"""

from __future__ import annotations

import os
import sys


def start(name: str, module: str, function: str, *arguments: str) -> None:
    """Import a function and call it, with all three standard streams open."""
    try:
        _open_streams()
        __import__(module)
        getattr(sys.modules[module], function)(*arguments)
    except KeyboardInterrupt:
        # Nothing is open yet, or everything is closed already.
        try:
            os.write(2, f"{name}: interrupted\n".encode())
        finally:
            os._exit(130)


def _open_streams() -> None:
    """Open what the caller has closed (``>&-``), or the next file would get its number.

    Reading standard input, or writing standard output, is then the error that it should be;
    what is written on standard error is lost, as the caller wished.
    """
    for stream, access, mode, words in (
        ("stdin", os.O_WRONLY, "r", "standard input"),
        ("stdout", os.O_RDONLY, "w", "standard output"),
        ("stderr", os.O_WRONLY, "w", ""),
    ):
        if getattr(sys, stream) is None:
            number = os.open(os.devnull, access)  # the lowest that is free: its own
            file = os.fdopen(number, mode, encoding="utf-8", closefd=False)
            setattr(sys, stream, file)
            CLOSED.extend([words] if words else [])


CLOSED: list[str] = []
"""The standard streams that were closed when we began."""
