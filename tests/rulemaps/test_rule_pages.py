"""The pages of the maps in the atlas."""

from __future__ import annotations

import numpy as np
import pytest

from satlife.rulemaps.rulemap import FOUND
from scripts.atlas.tables.rules import FOLDER, Map, read_maps

PAIRS = [
    (box, width)
    for box in read_maps()
    for width in read_maps()
    if (box.motion, (True, box.size[1])) == (width.motion, width.size) and box != width
]


def test_every_map_has_a_page_and_every_page_a_map() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == {each.name for each in read_maps()}


@pytest.mark.parametrize(("box", "width"), PAIRS, ids=[box.name for box, _ in PAIRS])
def test_a_rule_with_a_ship_in_a_box_has_one_in_its_width(box: Map, width: Map) -> None:
    # SAT found the one, the search by rows the other.
    assert not np.any((box.made.answers == FOUND) & (width.made.answers != FOUND))
