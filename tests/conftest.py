"""What all tests share: settings of Hypothesis, an empty catalogue, the list of slow tests."""

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

# Nobody's own catalogue may change what is listed.
os.environ["SATLIFE_DATA"] = str(Path(__file__).parent / "no-such-folder")

# A shell ignores Ctrl-C for what it runs in the background, and nohup ignores SIGHUP; programs that
# tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

SLOW = tuple(
    line
    for line in (Path(__file__).parent / "slow.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)
"""The slow tier, by files and tests."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what ``slow.txt`` lists, so that ``-m "not slow"`` leaves it out."""
    for item in items:
        file, _, test = item.nodeid.partition("::")
        name = test.partition("[")[0]
        if file in SLOW or f"{file}::{name}" in SLOW:
            item.add_marker("slow")
