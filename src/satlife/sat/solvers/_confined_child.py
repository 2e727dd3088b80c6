"""The child process of ``confined.py``: it carries out one order, reports, and exits.

It is started as a script; the order names its module path.
"""

import os
import pickle
import sys
import tempfile
import threading
from io import BytesIO
from typing import Any, BinaryIO

if sys.platform != "win32":
    import resource
else:
    import msvcrt


def main() -> None:
    """Carry out the order on the standard input."""
    packets = os.dup(1)
    os.dup2(2, 1)  # printed output stays out of the packets
    if sys.platform == "win32":
        msvcrt.setmode(packets, os.O_BINARY)
    else:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with os.fdopen(packets, "wb") as reports:
        obey(sys.stdin.buffer, reports)
        reports.flush()
        os._exit(0)


def obey(commands: BinaryIO, reports: BinaryIO) -> None:
    """Call the function, and report its result."""
    # The header of a packet as in process.py, which cannot be imported yet.
    length = int.from_bytes(commands.read(12)[8:], sys.byteorder)
    orders = BytesIO(commands.read(length))
    order = pickle.load(orders)
    sys.path[:] = order["path"]
    tempfile.tempdir = order["scratch"]

    from importlib import import_module  # noqa: PLC0415

    from satlife.sat.solvers import confined  # noqa: PLC0415
    from satlife.sat.solvers._pysat_child import HEADER, MAGIC, Lifeline, limit_growth  # noqa: PLC0415
    from satlife.sat.solvers.memory import is_memory_error  # noqa: PLC0415

    lock = threading.Lock()

    def report(kind: int, content: Any = None) -> None:
        payload = pickle.dumps(content)
        with lock:  # news may come from several threads
            reports.write(HEADER.pack(MAGIC, kind, len(payload)) + payload)
            reports.flush()

    Lifeline(order["leash"])
    arguments = list(pickle.load(orders))
    if order["news"]:
        arguments.append(lambda news: report(confined.NEWS, news))
    module, _, name = order["function"].partition(":")
    function = getattr(import_module(module), name)
    threading.stack_size(
        1 << 20
    )  # threads of the default size, eight times that, would soon fill a limited space
    limit_growth(order["memory"])
    try:
        report(confined.RESULT, function(*arguments))
    except Exception as error:
        if is_memory_error(error) or is_memory_error(error.__cause__ or error.__context__):
            report(confined.MEMORY)
        else:
            report(confined.ERROR, (type(error).__name__, str(error)))


if __name__ == "__main__":
    main()
