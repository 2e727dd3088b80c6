"""Eaters that may go on beyond their region: nothing is asked at its border."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from satlife import Found, Impossible, Pattern, Problem, eater, find, prove
from satlife.certificates import check_certificate
from satlife.errors import UsageError
from satlife.kinds._catalysts import draw_alive
from satlife.records import can_arrive, describe_finding, make_record, write_rle
from satlife.verifier.verify import complaints

GLIDER = Pattern.from_rle("bo$2bo$3o!")
PHASES = (GLIDER, GLIDER[1].normalized)


def ask(glider: Pattern, within: int, approach: int = 1) -> Problem:
    """Ask for a patch that absorbs a glider."""
    return eater(glider, region="-7..9,-7..9", approach=approach, within=within, open_border=True)


@pytest.mark.parametrize("glider", PHASES)
@pytest.mark.parametrize("within", [2, 3, 4])
def test_no_still_life_absorbs_a_glider_in_three_generations(glider: Pattern, within: int) -> None:
    assert isinstance(find(ask(glider, within)), Impossible)


@pytest.mark.parametrize("glider", PHASES)
def test_patches_absorb_it_in_four(glider: Pattern) -> None:
    outcome = find(ask(glider, 5))
    assert isinstance(outcome, Found)
    finding = outcome.finding
    assert not list(complaints(finding.problem, finding.history))
    alone = finding.generation(6)
    assert finding.generation(0) == alone | glider
    # Inside, the patch is still, and nothing else is left of the glider.
    inner = alone.box.grow(-1) & finding.problem.all_boxes[5]
    assert alone[1].crop(inner) == alone.crop(inner)
    assert (alone | glider)[5].crop(inner.grow(-1)) == alone.crop(inner.grow(-1))
    assert describe_finding(finding).startswith("a patch of -7..9,-7..9: ")
    assert "identity" not in make_record(outcome)["catalyst"]
    assert can_arrive(finding) is None
    assert "xs" not in write_rle(finding)


def test_eater_1_is_a_patch() -> None:
    """What absorbs a glider in a region does so with an open border, too."""
    kept = find(eater(GLIDER, region="4..7,4..7", within=8, population="<=7"))
    assert isinstance(kept, Found)
    asked = eater(GLIDER, region="-4..14,-4..14", approach=2, within=8, open_border=True)
    drawn = draw_alive(kept.finding.generation(8), 9)
    assert isinstance(find(replace(asked, known=(*asked.known, drawn))), Found)


def test_that_there_is_none_is_proved(tmp_path: Path) -> None:
    prove(ask(GLIDER, 3), tmp_path / "none")
    assert check_certificate(tmp_path / "none").valid


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"lanes": "0..1"}, "leave lanes, times, field and period out"),
        ({"field": "-9..9,-9..9"}, "leave lanes, times, field and period out"),
        ({"period": 2}, "leave lanes, times, field and period out"),
        ({"within": 10}, "is too small: after 10 generations"),
        ({"region": "1..9,-7..9"}, "use a larger region"),
    ],
)
def test_what_has_no_open_border_is_refused(more: dict[str, object], why: str) -> None:
    given: dict[str, object] = {"region": "-7..9,-7..9", "approach": 1, "within": 4}
    with pytest.raises(UsageError, match=why):
        eater(GLIDER, open_border=True, **(given | more))  # type: ignore[arg-type]
