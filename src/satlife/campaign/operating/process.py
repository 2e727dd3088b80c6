"""What the operating system knows of this process, under the names that Prometheus uses for it."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from satlife._version import __version__
from satlife.campaign.operating.exposition import Metric, Sample, counter, gauge

_STARTED: Final = time.time()


def process_metrics() -> list[Metric]:
    """Return processor time, memory, open files and the version; memory and files on Linux only."""
    times = os.times()
    found = [
        Metric("satlife_info", "gauge", "The version.", (Sample(1, (("version", __version__),)),)),
        counter(
            "process_cpu_seconds_total",
            "Processor time, without children.",
            times.user + times.system,
        ),
        gauge("process_start_time_seconds", "When it started, since 1970.", _STARTED),
    ]
    with suppress(OSError, ValueError, AttributeError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        size = pages * os.sysconf("SC_PAGE_SIZE")
        found.append(gauge("process_resident_memory_bytes", "Memory in use.", size))
        files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208  # only their number
        found.append(gauge("process_open_fds", "Open files.", files))
    return found
