"""The three ways of docs/background: every name in them exists, and is called in that order."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from click.testing import CliRunner

import satlife
from satlife.campaign.local import child
from satlife.campaign.local.pool import FinishedTask, Pool
from satlife.certificates.check.checker import check_certificate
from satlife.cli.group import cli

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "background"
PAGES = sorted(FOLDER.glob("way-of-*.md"))
NAME = re.compile(r"`(satlife(?:\.\w+)+)`")
STEP = re.compile(r"^\d+\. `(satlife[\w.]+)`", re.M)


def find(name: str) -> object:
    """Import what a dotted name names: the longest module, then attributes."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        try:
            found: object = import_module(".".join(parts[:size]))
        except ModuleNotFoundError:
            continue
        for part in parts[size:]:
            found = getattr(found, part)
        return found
    raise AssertionError(name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_name_exists(page: Path) -> None:
    names = NAME.findall(page.read_text(encoding="utf-8"))
    assert len(names) >= 15
    for name in names:
        assert find(name) is not None


def read_steps(page: str, *headings: str) -> list[str]:
    """The names of the numbered steps; below some headings, if any are given."""
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", text, flags=re.M)
    below = dict(zip(parts[1::2], parts[2::2], strict=True))
    return STEP.findall("".join(below[heading] for heading in headings or below))


@contextmanager
def recording() -> Iterator[list[str]]:
    """The names of our functions, in the order of their first calls, in all threads."""
    called: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.startswith("satlife."):
            name = re.sub(r"\.__(?:post_)?init__$", "", frame.f_code.co_qualname)
            called.setdefault(f"{module}.{name}")

    names: list[str] = []
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield names
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        names += called


def compare(called: list[str], steps: list[str]) -> None:
    """The steps must be among the calls, in their order."""
    assert [step for step in steps if step not in called] == []
    assert sorted(steps, key=called.index) == steps


def run_here(function: str, *arguments: Any, on_news: Callable[..., None], **_: Any) -> Any:
    """What a child process would do, in this one, where its calls are seen."""
    module, _, name = function.partition(":")
    return getattr(import_module(module), name)(*arguments, on_news)


class PoolHere(Pool):
    """A pool that solves in this process."""

    def _feed(self) -> None:
        """Start no child."""

    def poll(self, timeout: float) -> list[FinishedTask]:
        finished = []
        for task, token in self._waiting:
            proof = self._proof_file()
            result = child.obey(child.ChildTask(task=task, worker=self.worker, proof=str(proof)))
            finished.append(FinishedTask(token, result, proof if proof.exists() else None))
        self._waiting.clear()
        return finished


def test_the_way_of_a_question() -> None:
    with recording() as called:
        done = CliRunner().invoke(cli, ["oscillator", "2", "--box", "4x4"])
    assert done.exit_code == 0
    compare(called, read_steps("way-of-a-question"))


def test_the_way_of_a_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = tmp_path / "plan.toml"
    search = '[[search]]\nkind = "oscillator"\nperiods = 3\nboxes = "3x3"\n'
    plan.write_text(f"prove = true\n{search}", encoding="utf-8")
    monkeypatch.setattr("satlife.campaign.local.runner.Pool", PoolHere)
    with recording() as called:
        done = CliRunner().invoke(cli, ["campaign", "run", str(plan), "--jobs", "1"])
    assert done.exit_code == 0, done.output
    steps = read_steps("way-of-a-task")
    steps.remove("satlife.campaign.local.pool.Pool.poll")  # PoolHere has its own
    compare(called, steps)


def test_the_way_of_a_claim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "proof"
    for module in ("make.maker", "check.checker"):
        monkeypatch.setattr(find(f"satlife.certificates.{module}"), "run_confined", run_here)
    with recording() as called:
        satlife.prove(satlife.oscillator(3, box="3x3"), folder)
    compare(called, read_steps("way-of-a-claim", "Making it"))
    with recording() as called:
        assert check_certificate(folder).valid
    compare(called, read_steps("way-of-a-claim", "Checking it"))
