"""Making certificates: a child process fills a temporary folder, which is then renamed.

The child runs :mod:`.writer`.  This module sets its limits of time and memory, and leaves nothing
behind if it fails.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from satlife.certificates.claims import Claim
from satlife.certificates.make.refute import choose_prover
from satlife.certificates.make.writer import Order, Stage
from satlife.engine.engine import Options
from satlife.errors import InternalError, UsageError
from satlife.problem import Problem
from satlife.problem.outcome import Found, Impossible, Outcome, Undecided
from satlife.sat import Reason
from satlife.sat import Undecided as NoAnswer
from satlife.sat.solvers.confined import run_confined

MOST_BYTES = 4_000_000_000
"""Default size limit of a proof, in bytes."""


class Stop(threading.Event):
    """A stop with its reason."""

    why = "interrupted"

    def ask(self, why: str) -> None:
        """Set the event and its reason."""
        self.why = why
        self.set()


def say_why(answer: NoAnswer, stop: threading.Event | None) -> str:
    """Return why there is no answer: the reason of the stop, if it was stopped."""
    if isinstance(stop, Stop) and answer.reason is Reason.INTERRUPTED:
        return stop.why
    return str(answer)


@dataclass(frozen=True, kw_only=True)
class Proving:
    """Options of a proof, which never change the claim."""

    options: Options = field(default_factory=Options)
    """Its limits cover all steps: building, solving, trimming, checking, packing."""
    cubes: int = 0
    """Number of leaves into which the proof is divided; 0 to choose it by the number of jobs."""
    most_bytes: int = MOST_BYTES
    command: str = ""
    extra: dict[str, bytes] = field(default_factory=dict)
    """Additional files for the folder, by name."""
    on_stage: Callable[[Stage], None] | None = None
    """Callback for the current stage, at each change and every second."""
    stop: threading.Event | None = None
    """Set by another thread to give up; a ``Stop`` says why."""


def certify(
    problem: Problem, claim: Claim, folder: Path, proving: Proving | None = None
) -> Outcome:
    """Prove a claim and write its certificate to the folder, which must be new or empty.

    Impossible: the certificate is written.  Found (only for the claim that there is no solution):
    there is one.  Undecided: a limit was reached.  In the last two cases nothing is left behind.
    """
    proving = proving or Proving()
    deadline, limits = proving.options.deadline(), proving.options.limits()
    solver = choose_prover(proving.options)
    stage, remark = Stage("starting"), ""

    def hear(news: Stage) -> None:
        nonlocal stage, remark
        stage, remark = news, remark or news.remark
        if proving.on_stage:
            proving.on_stage(news)

    with new_folder(folder) as work:
        order = Order(
            problem=problem,
            claim=claim,
            folder=work.absolute(),
            solver=solver,
            limits=limits,
            deadline=deadline,
            begun=time.monotonic(),
            jobs=proving.options.jobs,
            cubes=proving.cubes,
            least=proving.options.break_symmetry is not False,
            most_bytes=proving.most_bytes,
            command=proving.command,
            extra=proving.extra,
        )
        function = "satlife.certificates.make.writer:fill_folder"
        outcome = run_confined(function, order, limits=order.left, on_news=hear, stop=proving.stop)
        match outcome:
            case NoAnswer():
                advice = f"; {remark}" if remark and stage.what.startswith("checking") else ""
                why = say_why(outcome, proving.stop)
                return Undecided(problem, f"{why}, while {stage.what}{advice}")
            case Impossible():
                rename(work, folder)
                reason = f"proved, certificate in {folder}"
                return replace(outcome, reason=reason, certificate=folder)
            case Found() | Undecided():
                return outcome
    raise InternalError(f"a certificate cannot end as {outcome!r}")


def check_folder(folder: Path) -> None:
    """Raise if a folder is in use or cannot be created; meant to be called before a long search."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists and is not empty; name a new folder for the certificate")
    above = next(each for each in folder.absolute().parents if each.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise UsageError(f"{folder} cannot be made in {above}")


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Create a temporary folder beside the final one; it is removed unless it is renamed."""
    check_folder(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=".satlife-", dir=folder.parent))
    try:
        yield work
    finally:
        # A solver that is being killed may write a last file.
        for _ in range(10):
            shutil.rmtree(work, ignore_errors=True)
            if not work.exists():
                break
            time.sleep(0.02)


def rename(work: Path, folder: Path) -> None:
    """Rename the folder, and give it the permissions of any new folder."""
    if folder.exists():
        folder.rmdir()
    folder.mkdir()  # as the umask says; a temporary folder is for its owner alone
    shutil.copymode(folder, work)
    folder.rmdir()
    work.replace(folder)
