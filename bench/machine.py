"""What the benchmark ran on, in words that name no computer and no folder."""

from __future__ import annotations

import os
import platform
import re
from importlib import metadata
from pathlib import Path
from typing import Any

from satlife._version import __version__
from satlife.sat import survey_solvers


def describe_machine() -> dict[str, Any]:
    """Tell processors, memory, Python and versions."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _find(Path("/proc/cpuinfo"), r"model name\s*:\s*(.+)") or "unknown",
        "cores": cores,
        "memory_gib": round(int(_find(Path("/proc/meminfo"), r"MemTotal:\s*(\d+)") or 0) / 2**20),
        "python": platform.python_version(),
        "versions": {
            "satlife": __version__,
            "numpy": metadata.version("numpy"),
            "python-sat": metadata.version("python-sat"),
            **{one.name: one.version() for one in survey_solvers() if _is_kissat(one.name)},
        },
    }


def _is_kissat(name: str) -> bool:
    return name == "kissat-binary"


def _find(path: Path, pattern: str) -> str | None:
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    match = re.search(pattern, text)
    return match[1].strip() if match else None
