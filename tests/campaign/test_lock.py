"""One runner at a time: in several processes, after a kill, and in folders that are not there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from satlife.errors import UsageError
from satlife.lock import is_held, only_runner

HOLD = """
import sys
from pathlib import Path
from satlife.lock import only_runner

with only_runner(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""

TAKE_TURNS = """
import sys
from pathlib import Path
from satlife.lock import is_held, only_runner
from satlife.errors import UsageError

path, turns = Path(sys.argv[1]), 0
while turns < 100:
    try:
        with only_runner(path):
            path.with_name("inside").touch(exist_ok=False)
            path.with_name("inside").unlink()
            turns += 1
    except UsageError as error:
        assert "another run is using this ledger" in str(error)
    is_held(path)
"""


def start(program: str, path: Path) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-c", program, str(path)]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def test_a_run_that_is_killed_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "plan.db.lock"
    with start(HOLD, path) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        assert is_held(path)
        with pytest.raises(UsageError, match=r"plan\.db\.lock is held"), only_runner(path):
            pass
        holder.kill()
    assert not is_held(path)
    with only_runner(path):
        assert is_held(path)
    assert not path.exists()


def test_runs_that_begin_as_others_end_take_turns(tmp_path: Path) -> None:
    runs = [start(TAKE_TURNS, tmp_path / "plan.db.lock") for _ in range(3)]
    assert [run.communicate() and run.returncode for run in runs] == [0, 0, 0]
    assert not list(tmp_path.iterdir())


def test_no_folder_is_made_and_no_file_by_looking(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "plan.db.lock"
    with pytest.raises(FileNotFoundError), only_runner(path):
        pass
    assert not is_held(path)
    assert not is_held(tmp_path / "plan.db.lock")
    assert not list(tmp_path.iterdir())
