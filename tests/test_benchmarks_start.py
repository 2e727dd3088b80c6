"""Every benchmark that a page or a recipe names starts: in small, or else at least to its help."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
SMALL = {
    "attacks": ["hoarding --rounds 1 --part 0.5"],
    "campaign": ["--tasks 8 --rounds 1 --naps 4"],
    "campaign_ledger": [
        "fill --ledger FOLDER/a.db --tasks 400 --boxes 3x3",
        "restart --ledger FOLDER/a.db",
    ],
    "campaign_scale": [
        "schedule --seconds 0.1",
        "recorder --tasks 200",
        "dispatcher --tasks 100 --workers 4",
        "cancel --tasks 100",
    ],
    "divide": ["none"],
    "ledger": ["--tasks 8000 --rounds 1 --ledgers sqlite"],
    "optima": ["none"],
    "traffic": ["--tasks 60 --watch 1"],
}
"""Benchmarks that can be run in small, with the words for it."""
HELPFUL = {"bad_memory", "chaos", "choices", "front_door", "overrun", "peers", "proofs", "roomy"}
HELPFUL |= {"run", "soak", "trees"}
"""Those that take minutes, and have a help."""
ELSEWHERE = {"report", "tables"}
"""Those without options: :mod:`tests.test_bench` renders the report; the other is imported."""


def list_cited() -> set[str]:
    """The benchmarks in the pages, and in the recipes of the justfile, which the pages name."""
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), ROOT / "justfile"]
    texts = (page.read_text(encoding="utf-8") for page in pages)
    return {name for text in texts for name in re.findall(r"python -m bench\.(\w+)", text)}


def test_the_lists_are_complete() -> None:
    assert list_cited() == SMALL.keys() | HELPFUL | ELSEWHERE


@pytest.mark.parametrize("name", SMALL)
def test_it_runs_in_small(name: str, tmp_path: Path) -> None:
    for words in SMALL[name]:
        program = [sys.executable, "-m", f"bench.{name}"]
        program += words.replace("FOLDER", str(tmp_path)).split()
        done = subprocess.run(
            program, check=False, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
        )
        # One may end with the number of goals that a slow machine misses, never with a traceback.
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == 0 or "MISSED" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("name", sorted(HELPFUL))
def test_it_has_a_help(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = importlib.import_module(f"bench.{name}")
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    with pytest.raises(SystemExit) as ended:
        module.main()
    assert ended.value.code == 0
    assert "usage:" in capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(ELSEWHERE))
def test_it_can_be_imported(name: str) -> None:
    assert callable(importlib.import_module(f"bench.{name}").main)
