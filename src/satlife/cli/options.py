"""Options of a search that only one engine takes."""

from __future__ import annotations

from typing import Any

from satlife.errors import UsageError


def sat_options(how: dict[str, Any], wanted: str) -> dict[str, Any]:
    """Return the options without the engine, which must be SAT for what is wanted."""
    if how["engine"] not in (None, "sat"):
        raise UsageError(f"{wanted} goes with the engine sat, not with {how['engine']}")
    return {name: value for name, value in how.items() if name != "engine"}
