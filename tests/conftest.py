"""What all tests share: settings of Hypothesis, an empty catalogue, the lists of slow tests."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A slow machine is not a bug: no deadline, and no complaint about slow draws. In CI the same
# examples are tried in every run.
settings.register_profile(
    "house",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("house")

# Python itself runs this one, when it starts.
collect_ignore = ["systems/sitecustomize.py"]

# Nobody's own catalogue may change what is listed.
os.environ["SATLIFE_DATA"] = str(Path(__file__).parent / "no-such-folder")

# A shell ignores Ctrl-C for what it runs in the background, and nohup ignores SIGHUP; programs that
# tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def read_tier(name: str) -> tuple[str, ...]:
    """Return the files, tests and cases of tests that a list names."""
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


SLOW, LONG = read_tier("slow.txt"), read_tier("long.txt")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what the lists name, so that ``-m "not slow"`` and ``-m "not long"`` leave it out."""
    for item in items:
        names = {item.nodeid, item.nodeid.partition("[")[0], item.nodeid.partition("::")[0]}
        if not names.isdisjoint(LONG):
            item.add_marker("long")
        if not names.isdisjoint(SLOW + LONG):
            item.add_marker("slow")
