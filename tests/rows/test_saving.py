"""Saved hunts: killed at any moment, they end as if nothing had happened."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from satlife.errors import FormatError, UsageError
from satlife.life import Rule
from satlife.rows import is_available
from satlife.rows.conditions import Given, Limits
from satlife.rows.quotient import Fold, Quotient

if not is_available():
    pytest.skip("numba is missing", allow_module_level=True)

from satlife.rows.hunt import Hunt, load, save

LIFE = Rule("B3/S23").table.tobytes()


def quotient(width: int, period: int, step: int, fold: Fold) -> Quotient:
    return Quotient(width, period, step, LIFE, fold)


EXHAUST = quotient(4, 10, 1, "even")
FIND = quotient(7, 4, 1, "odd")


@pytest.mark.parametrize("limit", [10**9, 3000])
@pytest.mark.parametrize("search", [EXHAUST, FIND], ids=["exhaust", "find"])
def test_a_hunt_saved_after_every_piece_ends_as_one_that_was_not(
    search: Quotient, limit: int, tmp_path: Path
) -> None:
    whole = Hunt(search, limit=limit)
    ships = next(whole.ships(), None)
    file, generator = tmp_path / "hunt", random.Random(limit)
    hunt, found, rounds = Hunt(search, limit=limit), None, 0
    while found is None and hunt.head < hunt.count:
        rounds += 1
        for done, pieces in enumerate(hunt.work()):
            found = pieces[0] if pieces else None
            if found or (done > generator.randrange(60) and rounds < 40):
                break
        save(hunt, file)
        if found is None:
            hunt = Hunt(search, limit=limit)
            load(hunt, file)
    assert found == ships
    assert rounds > 2
    if ships is None:
        assert (hunt.states, hunt.level) == (whole.states, whole.level)
        assert hunt.best == whole.best


def test_what_is_damaged_or_of_another_search_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "hunt"
    hunt = Hunt(FIND)
    next(hunt.work())
    save(hunt, file)
    with pytest.raises(UsageError, match="another search"):
        load(Hunt(EXHAUST), file)
    text = file.read_bytes()
    for damaged in (text[:-1], text[:100], b"", text[:50] + b"x" + text[51:]):
        file.write_bytes(damaged)
        with pytest.raises(FormatError, match="damaged"):
            load(Hunt(FIND), file)


CHILD = """
    import sys
    from pathlib import Path
    from satlife.life import Rule
    from satlife.rows.hunt import Hunt
    from satlife.rows.quotient import Quotient
    from satlife.rows.hunt import load, save

    width, period, fold, limit = sys.argv[2:]
    life = Rule("B3/S23").table.tobytes()
    file = Path(sys.argv[1])
    hunt = Hunt(Quotient(int(width), int(period), 1, life, fold), limit=int(limit))
    if file.exists():
        load(hunt, file)
    for ships in hunt.work():
        save(hunt, file)
        print("saved", flush=True)
        if ships:
            break
    print(hunt.states, hunt.level, hunt.found)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize(
    ("search", "limit"), [(EXHAUST, 3000), (FIND, 3000)], ids=["exhaust", "find"]
)
def test_kills_at_random_moments_change_nothing(
    search: Quotient, limit: int, tmp_path: Path
) -> None:
    """Five kills, while it searches or saves."""
    whole = Hunt(search, limit=limit)
    for ships in whole.work():
        if ships:
            break
    shape = map(str, (search.width, search.period, search.fold, limit))
    command = [sys.executable, "-c", textwrap.dedent(CHILD), str(tmp_path / "hunt"), *shape]
    generator, kills = random.Random(5), 0
    for _ in range(5):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            for _ in range(generator.randint(1, 6)):
                child.stdout.readline()  # it works now, however slow the machine is
            time.sleep(generator.uniform(0, 0.02))
            child.send_signal(signal.SIGKILL)
        kills += child.returncode == -signal.SIGKILL
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    last = done.stdout.splitlines()[-1]
    assert last == f"{whole.states} {whole.level} {whole.found}"
    assert kills


CONDITIONS = {
    "limits": {"limits": Limits(one=150)},
    "given": {"given": (Given(), Given(1, 1), Given(1, 1))},
    "both": {"limits": Limits(each=40), "given": (Given(), Given(2, 2))},
}


@pytest.mark.parametrize("limit", [10**9, 300])
@pytest.mark.parametrize("conditions", CONDITIONS.values(), ids=CONDITIONS)
def test_a_hunt_with_conditions_goes_on_with_them(
    conditions: dict[str, Any], limit: int, tmp_path: Path
) -> None:
    search, file = quotient(6, 3, 1, "even"), tmp_path / "hunt"
    whole = Hunt(search, limit=limit, **conditions)
    ship = next(whole.ships(), None)
    hunt, found = Hunt(search, limit=limit, **conditions), None
    while found is None and hunt.head < hunt.count:
        for pieces in hunt.work():
            found = pieces[0] if pieces else None
            break
        save(hunt, file)
        if found is None:
            hunt = Hunt(search, limit=limit, **conditions)
            load(hunt, file)
    assert found == ship
    assert (hunt.states, hunt.level) == (whole.states, whole.level)
    with pytest.raises(UsageError, match="another search"):
        load(Hunt(search, limit=limit), file)
