"""How fast this machine is, beside the one on which estimates were fitted."""

from __future__ import annotations

import time
from typing import Final

from satlife.campaign.local.task_solver import search_inline
from satlife.campaign.messages import Task
from satlife.kinds import oscillator
from satlife.sat import Limits

REFERENCE_SECONDS: Final = 0.497
"""What the refutation below took on one processor of that machine."""


def measure_speed() -> float:
    """Return the speed of one processor here: 2 is twice as fast as where the fit was made."""
    task = Task(problem=oscillator(6, box="8x9", symmetry="D4+"))
    begun = time.process_time()
    search_inline(task, Limits(seconds=60))
    return REFERENCE_SECONDS / max(time.process_time() - begun, 1e-3)
