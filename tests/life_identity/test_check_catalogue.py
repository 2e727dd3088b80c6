"""The script that checks a catalogue: it passes on true objects, and sees a wrong one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.life_identity.golden import ALL

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_catalogue.py"
LOST = {"name": "dot", "rule": "B3/S23", "rle": "o!", "generations_checked": 3, "dies_at": 1}


def run(path: Path | None) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if k != "SATLIFE_CATALOGUE"}
    if path:
        environment["SATLIFE_CATALOGUE"] = str(path)
    return subprocess.run(
        [sys.executable, str(SCRIPT)], check=False, capture_output=True, text=True, env=environment
    )


def write(path: Path, **changes: object) -> Path:
    entries = [dict(entry) for entry in ALL[:5]]
    entries[2] |= changes
    path.write_text(json.dumps({"entries": entries, "not_periodic": [LOST]}), encoding="utf-8")
    return path


def test_without_a_catalogue_it_says_so():
    done = run(None)
    assert (done.returncode, done.stdout) == (
        0,
        "SATLIFE_CATALOGUE is not set: nothing was checked\n",
    )


def test_a_true_catalogue(tmp_path: Path):
    done = run(write(tmp_path / "true.json"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("6 objects checked, 0 wrong, 0 skipped")


def test_a_wrong_catalogue(tmp_path: Path):
    changes = {"apgcode": "xs9_4aaq", "symmetry": "C1", "name": "cap", "rule": "B3/S23"}
    for key, value in changes.items():
        done = run(write(tmp_path / f"{key}.json", **{key: value}))
        assert done.returncode == (key != "rule"), key
        assert ("its name is" in done.stdout) == (key == "name")
