"""What is known in Life is known in another rule only where it is the same object there."""

from __future__ import annotations

from pathlib import Path

import pytest

from satlife import find_all, oscillator, still_life
from satlife.life import Pattern, Rule
from tests.cli.running import run
from tests.reference.parting import verdicts


@pytest.mark.parametrize("rule", ["B35/S12", "B3/S12", "B36/S125"])
def test_an_object_with_the_cells_of_a_known_one_in_one_phase_is_new(rule: str) -> None:
    problem = oscillator(2, box="5x5", rule=rule)
    everything = {each.identity.apgcode for each in find_all(problem)}
    unknown = {each.identity.apgcode for each in find_all(problem, reject="known")}
    assert "xp2_15akg" in everything
    assert "xp2_15akg" in unknown


def test_an_own_object_of_three_states_does_not_disturb_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SATLIFE_DATA", str(tmp_path))
    Path("g.rle").write_text("x = 4, y = 2, rule = B2/S/3\nAA$BB!\n", encoding="utf-8")
    assert run("satlife", "catalogue", "import", "g.rle").returncode == 0
    for rule in ("B3/S23", "B2/S0"):
        words = ("ship", "c", "--box", "3x3", "--rule", rule, "--all", "--reject", "known")
        done = run("satlife", *words)
        assert done.returncode in (0, 1), done.stderr


def test_an_object_made_of_several_is_rejected_as_a_whole_only() -> None:
    """As the reference says, over all solutions; what holds it beside another part is kept."""
    problem, table = still_life(box="5x1", rule="B/S0"), Rule("B/S0").table
    for rle in ("obo!", "o!", "o2bo!", "obobo!"):
        given = Pattern.from_rle(rle).with_rule(Rule("B/S0"))
        shape = frozenset(map(tuple, given.coordinates.tolist()))
        kept = {finding.pattern for finding in find_all(problem, raw=True, reject=given)}
        everything = {finding.pattern for finding in find_all(problem, raw=True)}
        counts = {
            pattern
            for pattern in everything
            if verdicts(table, frozenset(map(tuple, pattern.coordinates.tolist())), [shape], False)
            == {True}
        }
        assert kept == counts
        assert len(everything) > len(kept)
