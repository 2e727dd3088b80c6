"""The limits of a plan: how long, and how large, a task may grow before it is given up."""

from __future__ import annotations

import msgspec

from satlife.campaign.messages import Budget
from satlife.errors import UsageError
from satlife.quantities import SIZE, TIME


class Limits(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """``[limits]``: when to give a task up; it can be tried again later, for longer."""

    timeout: float | str | None = None
    memory: float | str | None = None
    proof: float | str | None = None
    """The largest size of a proof."""

    def budget(self) -> Budget:
        """Return them as numbers."""
        read: list[float | None] = []
        for key, quantity in (("timeout", TIME), ("memory", SIZE), ("proof", SIZE)):
            value = getattr(self, key)
            try:
                read.append(None if value is None else quantity.parse(value))
            except UsageError as error:
                raise UsageError(f"limits: {key}: {error}") from None
        sizes = [None if value is None else int(value) for value in read[1:]]
        return Budget(seconds=read[0], memory_bytes=sizes[0], proof_bytes=sizes[1])
