"""The room's face: its names, and what importing it costs."""

import subprocess
import sys

import satlife.life


def test_every_public_name_is_listed_and_documented():
    names = satlife.life.__all__
    assert len(names) == len(set(names))
    for name in names:
        thing = getattr(satlife.life, name)
        if callable(thing):
            assert thing.__doc__


def test_importing_is_light_and_knows_nothing_of_sat():
    program = "import sys, satlife.life; print(*sorted(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    modules = set(run.stdout.split())
    heavy = {"rich", "msgspec", "click", "pysat", "satlife.sat", "satlife.cli", "satlife.knuth"}
    assert not heavy & modules
