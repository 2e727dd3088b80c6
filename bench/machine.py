"""What the benchmark ran on, in words that name no computer and no folder."""

from __future__ import annotations

import platform
import re
from importlib import metadata
from pathlib import Path
from typing import Any

from satlife._version import __version__
from satlife.machine import count_processors
from satlife.sat import find_solver


def describe_machine() -> dict[str, Any]:
    """Return processors, memory, Python and versions."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _find(Path("/proc/cpuinfo"), r"model name\s*:\s*(.+)") or "unknown",
        "cores": count_processors(),
        "memory_gib": round(int(_find(Path("/proc/meminfo"), r"MemTotal:\s*(\d+)") or 0) / 2**20),
        "python": platform.python_version(),
        "versions": {
            "satlife": __version__,
            "numpy": metadata.version("numpy"),
            "python-sat": metadata.version("python-sat"),
            "kissat-binary": find_solver("kissat-binary").version(),
        },
    }


def _find(path: Path, pattern: str) -> str | None:
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    match = re.search(pattern, text)
    return match[1].strip() if match else None
