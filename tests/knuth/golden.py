"""Recorded runs of Knuth's own programs: what they print, byte for byte, and how they refuse."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data" / "knuth"


def load(name: str) -> Any:
    return json.loads((DATA / name).read_text("ascii"))


RUNS = load("runs.json")
PATTERNS = load("patterns.json")
ERRORS = load("errors.json")
EXTENSION = load("extension.json")


def label(case: dict[str, Any]) -> str:
    parts = [case["program"].removeprefix("sat-life"), *case["args"]]
    if case["stdin"] in PATTERNS:
        parts.append(case["stdin"])
    return " ".join(parts) or "sat-life"


def cells(text: str) -> list[tuple[int, int]]:
    rows = enumerate(text.split("\n"), 1)
    return [(x, y) for x, row in rows for y, character in enumerate(row, 1) if character == "*"]


def script(name: str) -> str:
    """The drop-in script as it is installed."""
    return str(Path(sys.executable).parent / name)
