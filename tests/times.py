"""Where the time of the tests goes: a plugin that measures each of them, and tables.

    just test-times times.jsonl         run what CI runs, and print the tables
    python -m tests.times times.jsonl   print them again

A line of the file is a test: seconds by the clock, of the processor in this process and in programs
that have ended, how much of that was importing, and how many programs were started. Unix only.
"""

from __future__ import annotations

import builtins
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PLAIN_IMPORT = builtins.__import__
PLAIN_POPEN = subprocess.Popen.__init__


STARTING = 0.25
"""Seconds of the processor that a program of ours takes before it begins, which is importing."""


class Meter:
    """Sums since the process began."""

    def __init__(self) -> None:
        self.importing = 0.0
        self.programs = 0
        self._depth = 0
        self._main = threading.get_ident()

    def install(self) -> None:
        def timed_import(*args: Any, **kwargs: Any) -> Any:
            if self._depth or threading.get_ident() != self._main:
                return PLAIN_IMPORT(*args, **kwargs)
            self._depth += 1
            start = time.thread_time()
            try:
                return PLAIN_IMPORT(*args, **kwargs)
            finally:
                self.importing += time.thread_time() - start
                self._depth -= 1

        def counted(popen: Any, *args: Any, **kwargs: Any) -> None:
            self.programs += 1
            PLAIN_POPEN(popen, *args, **kwargs)

        builtins.__import__ = timed_import
        subprocess.Popen.__init__ = counted  # type: ignore[method-assign]

    def read(self) -> dict[str, float]:
        import resource  # not on Windows

        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return {
            "clock": time.perf_counter(),
            "own": time.process_time(),
            "children": children.ru_utime + children.ru_stime,
            "importing": self.importing,
            "programs": self.programs,
        }


METER = Meter()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the name of the file."""
    parser.addoption("--times", help="append what each test took to this file")


def pytest_configure(config: pytest.Config) -> None:
    """Count imports and programs from now on."""
    METER.install()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    """Write a line for a test, its fixtures included."""
    before = METER.read()
    result = yield
    after = METER.read()
    line: dict[str, Any] = {key: round(after[key] - before[key], 4) for key in before}
    line |= {"test": item.nodeid, "browser": "browser" in getattr(item, "fixturenames", ())}
    with Path(item.config.getoption("--times")).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    return result


def share_out(line: dict[str, Any]) -> Counter[str]:
    """Divide the time of a test among its causes."""
    starting = min(STARTING * line["programs"], line["children"])
    working = line["own"] + line["children"] - line["importing"] - starting
    causes = Counter(importing=line["importing"], starting=starting)
    causes["browser" if line["browser"] else "working"] = working
    causes["waiting"] = max(0.0, line["clock"] - line["own"] - line["children"])
    return causes + Counter(tests=1, clock=line["clock"])


def main(file: str, most: int = 30) -> None:
    """Print a table by folder and cause, and the slowest tests."""
    lines = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]
    folders: dict[str, Counter[str]] = {}
    for line in lines:
        parts = Path(line["test"].partition("::")[0]).parts
        folder = "/".join(parts[: 2 if len(parts) > 2 and parts[0] == "tests" else 1])
        for name in (folder, "all"):
            folders[name] = folders.get(name, Counter()) + share_out(line)
    columns = ("tests", "clock", "importing", "starting", "working", "browser", "waiting")
    table = [["", *columns]]
    for name, sums in sorted(folders.items(), key=lambda each: -each[1]["clock"]):
        table.append([name, *(f"{sums[column]:,.0f}" for column in columns)])
    table += [[], [f"the {most} slowest", "clock", "processor"]]
    for line in sorted(lines, key=lambda line: -line["clock"])[:most]:
        table.append(
            [line["test"], f"{line['clock']:.1f}", f"{line['own'] + line['children']:.1f}"]
        )
    rows = (f"| {' | '.join(row)} |" if row else "" for row in table)
    sys.stdout.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
