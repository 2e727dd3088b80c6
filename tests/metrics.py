"""The names of our metrics, as docs/how-to/operating.md lists them."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "how-to" / "operating.md"
_ROW = re.compile(r"^\| `(\w+)`")


def _names(heading: str) -> set[str]:
    section = PAGE.read_text(encoding="utf-8").partition(f"### {heading}\n")[2]
    assert section, f"{PAGE.name} has no section {heading}"
    rows = section.partition("\n#")[0].splitlines()
    return {match[1] for row in rows if (match := _ROW.match(row))}


def recorder_metrics() -> set[str]:
    """Those that a recorder has from its first minute on."""
    return _names("Of a recorder")


def worker_metrics() -> set[str]:
    """Those of a worker."""
    return _names("Of a worker")


def all_metrics() -> set[str]:
    """Every metric that the page names."""
    text = PAGE.read_text(encoding="utf-8")
    return set(re.findall(r"`((?:satlife|process)_\w+)`", text))
