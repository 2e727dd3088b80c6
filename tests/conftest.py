"""What all tests share: settings of Hypothesis, an empty catalogue, the lists of slow tests."""

import os
import shlex
import shutil
import signal
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# A slow machine is not a bug: no deadline, and no complaint about slow draws. In CI the same
# examples are tried in every run.
settings.register_profile(
    "satlife",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("satlife")

# Python itself runs this one, when it starts.
collect_ignore = ["systems/sitecustomize.py"]

# Nobody's own catalogue may change what is listed.
os.environ["SATLIFE_DATA"] = str(ROOT / "tests" / "no-such-folder")

# A shell ignores Ctrl-C for what it runs in the background, and nohup ignores SIGHUP; programs that
# tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for no doctests in tests: ``--doctest-modules`` is for src."""
    found = yield
    return [each for each in found if not isinstance(each, DoctestModule)]


def read_tier(name: str) -> tuple[str, ...]:
    """Return the files, tests and cases of tests that a list names."""
    lines = (ROOT / "tests" / name).read_text(encoding="utf-8").splitlines()
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


@pytest.fixture(scope="session")
def checkers() -> Path:
    """Return the folder of drat-trim and lrat-check; without them, skip outside CI."""
    fetched = os.pathsep.join([os.environ.get("PATH", ""), str(ROOT / ".tools" / "usr" / "bin")])
    found = shutil.which("drat-trim", path=fetched)
    if found and shutil.which("lrat-check", path=str(Path(found).parent)):
        return Path(found).parent
    missing = "drat-trim and lrat-check are missing; on Debian, bash .ci/tools fetches them"
    if "CI" not in os.environ:
        pytest.skip(missing)
    pytest.fail(missing, pytrace=False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the command that repeats what failed, with the seeds of CI if they were used."""
    reports = [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")]
    if failed := sorted({report.nodeid for report in reports}):
        seeds = "CI=1 " if "CI" in os.environ else ""
        terminalreporter.write_line(f"again: {seeds}just test {shlex.join(failed)}")
