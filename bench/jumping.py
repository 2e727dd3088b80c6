"""``satlife`` with a clock that somebody sets: ``python -m bench.jumping FILE WORDS…``.

The file holds seconds to add to the time of day, and is read at every look at the clock.  As when a
real clock is set, time that only measures durations (``time.monotonic``) goes on undisturbed.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path


def jump(path: Path) -> None:
    """Add what the file says to the time of day, from now on."""
    real_time, real_ns = time.time, time.time_ns

    def offset() -> float:
        try:
            return float(path.read_text(encoding="ascii") or 0)
        except (OSError, ValueError):
            return 0.0

    time.time = lambda: real_time() + offset()
    time.time_ns = lambda: real_ns() + int(offset() * 1e9)


if __name__ == "__main__":
    jump(Path(sys.argv.pop(1)))
    from satlife.cli.app import main

    sys.argv[0] = "satlife"
    main()
