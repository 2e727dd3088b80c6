"""What a question may cost in all its boxes: those that are tried if nothing is found.

>>> from satlife.campaign.plan.axes import read_boxes
>>> group = Group(0, Question("oscillator", "B3/S23", "p2"), read_boxes(["4x6", "6x4", "5x5"]))
>>> [str(box) for box in find_turned(group)]
['6x4']
"""

from __future__ import annotations

import math

from satlife.campaign.plan.dominance import embeds
from satlife.campaign.plan.question import Group, Question
from satlife.life.box import Box


def total_cost(
    group: Group, limit: float | None = None, *, prove: bool = False, speed: float = 1.0
) -> float:
    """Estimate the seconds of a question's tasks on one processor, if all are impossible.

    A box that is another one turned is not tried, and no task takes longer than the limit.
    ``speed`` is that of the machine, compared with the one on which the fit was made.
    """
    most = math.inf if limit is None else limit
    turned = find_turned(group)
    return sum(
        min(group.cost(index, prove=prove) / speed, most)
        for index in range(len(group))
        if not turned or group.boxes[index] not in turned
    )


def find_turned(group: Group) -> frozenset[Box]:
    """Return the boxes whose answers follow from the same box turned, which is there, too."""
    there = set(group.boxes)
    pairs = [
        (box, other)
        for box in group.boxes
        if box.width > box.height and (other := Box(0, 0, box.height, box.width)) in there
    ]
    # Whether a turn takes solutions to solutions does not depend on the size.
    if not pairs or not isinstance(group.asked, Question) or not embeds(group.asked, *pairs[0]):
        return frozenset()
    return frozenset(box for box, _ in pairs)
