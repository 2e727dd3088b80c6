"""The identity of a pattern that recurs, from all its phases."""

from __future__ import annotations

from typing import Final

from satlife.life.identity.activity import find_envelope, measure_activity
from satlife.life.identity.apgcode import LARGEST_BOX, encode_kind, encode_phases
from satlife.life.identity.identity import Identity, name_parts
from satlife.life.identity.names import Tally, find_object_name
from satlife.life.identity.recurrence import Recurrence, trace_phases
from satlife.life.identity.symmetries import find_mod, find_symmetry
from satlife.life.pattern import Pattern

_LARGEST_HISTORY: Final = 1 << 27  # cells of all phases, beyond which they are not kept


def identify_recurring(pattern: Pattern, found: Recurrence, reason: str) -> Identity:
    """Describe a pattern whose recurrence is known; the reason is the evidence for it."""
    symmetry = find_symmetry(pattern)
    if pattern.box.area > LARGEST_BOX and pattern.box.area * found.period > _LARGEST_HISTORY:
        return Identity(
            kind=found.kind,
            reason=reason,
            rule=pattern.rule,
            symmetry=symmetry,
            apgcode=f"ov_{encode_kind(found, pattern.population)}",
            period=found.period,
            displacement=found.displacement,
            populations=(pattern.population,),
            smallest_box=pattern.normalized.box,
            largest_box=pattern.normalized.box,
        )
    phases = trace_phases(pattern, found.period)
    code = encode_phases(phases, found)
    name = find_object_name(code, pattern.rule)
    several: tuple[Tally, ...] = ()
    if name is None:
        from satlife.life.identity.longrun.scene import find_parts  # noqa: PLC0415 - see identity

        several = find_parts(phases, found)
    boxes = sorted(
        {phase.box.shift(-phase.x, -phase.y) for phase in phases},
        key=lambda box: (box.area, box.width),
    )
    return Identity(
        kind=found.kind,
        reason=reason,
        rule=pattern.rule,
        symmetry=symmetry,
        apgcode=code,
        name=name or name_parts(several),
        parts=several,
        period=found.period,
        displacement=found.displacement,
        mod=find_mod(phases),
        populations=tuple(phase.population for phase in phases),
        smallest_box=boxes[0],
        largest_box=boxes[-1],
        envelope=find_envelope(phases).shift(pattern.x, pattern.y),
        activity=None if found.is_moving else measure_activity(phases),
    )
