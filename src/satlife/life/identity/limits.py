"""How long a pattern is watched before it is called unknown, unless one says otherwise."""

from __future__ import annotations

from typing import Final

GENERATIONS: Final = 100_000
SECONDS: Final = 10.0
