"""The page of a map, in a real browser: it finds a rule by any of its notations."""

from __future__ import annotations

from typing import Any

import pytest

import satlife
from satlife.rulemaps import make_map
from satlife.rulemaps.page import write_page
from tests.browser import open_browser


def look_up(page: Any, rule: str) -> str:
    """Type a rule; return the answer in a word."""
    page.fill("#rule", rule)
    words = page.inner_text("#told").split("\n\n")
    return str(words[min(1, len(words) - 1)].partition(":")[0].partition(".")[0])


@pytest.mark.parametrize("rules", ["B3[4cz]/S2-i[2i]3", "B[2]3/S[2][3]"])
def test_the_page_finds_every_rule_that_the_map_has(rules: str) -> None:
    made = make_map(satlife.oscillator(2, box="3x3", rule=rules))
    with open_browser() as browser:
        page = browser.new_page()
        page.set_content(write_page(made))
        # It begins with a rule that has an answer to look at.
        assert "Found." in page.inner_text("#told")
        said = page.locator("#told canvas").get_attribute("aria-label")
        assert said in {
            f"The pattern, {w} by {h} cells" for w, h in ((3, 1), (1, 3), (3, 3), (2, 3), (3, 2))
        }
        for rule in made.space.rules():
            region = made.look_up(rule)
            assert region is not None
            expected = "Impossible" if region.pattern is None else "Found"
            assert look_up(page, str(rule)) == expected, rule
        for other in ("B36/S23", "B3-q/S23", "B3x/S23", "B9/S23", "B3/S2-", "Life", "Bq3/S23"):
            assert look_up(page, other) == f"Not one of the rules {made.space}", other
