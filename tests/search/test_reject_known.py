"""What is known in Life is known in another rule only where it is the same object there."""

from __future__ import annotations

from pathlib import Path

import pytest

from satlife import find_all, oscillator
from tests.cli.running import run


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
