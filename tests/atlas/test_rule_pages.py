"""The pages of the maps in the atlas."""

from __future__ import annotations

import numpy as np

from atlas.tables.rules import FOLDER, read_maps
from satlife.rulemaps.rulemap import FOUND


def test_every_map_has_a_page_and_every_page_a_map() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == {each.name for each in read_maps()}


def test_a_rule_with_a_ship_in_a_box_has_one_in_its_width() -> None:
    # SAT found the one, the search by rows the other.
    pairs = [
        (box, width)
        for box in read_maps()
        for width in read_maps()
        if (box.motion, (True, box.size[1])) == (width.motion, width.size) and box != width
    ]
    assert len(pairs) == 5
    for box, width in pairs:
        missing = (box.made.answers == FOUND) & (width.made.answers != FOUND)
        assert not np.any(missing), (box.name, width.name)
