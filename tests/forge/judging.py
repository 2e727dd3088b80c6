"""What satlife says of a folder: in this process, and by the command.

Here alone the names of satlife's checks are used.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from unittest.mock import patch

from satlife.campaign.core.events import Status
from satlife.campaign.ledger import Ledger, open_ledger
from satlife.campaign.plan import Plan
from satlife.campaign.strict_merge import merge_strictly
from satlife.certificates import Allowance, claims, obligations
from satlife.certificates.check.checker import judge_folder
from satlife.certificates.check.states import STATES
from satlife.errors import SatlifeError
from satlife.rulemaps import map_check
from tests.forge.truth import (
    decide,
    is_certificate_true,
    is_map_true,
    is_width_true,
    key,
    read_history,
    solve,
    with_table,
)
from tests.reference.rules import read_rules

ALLOWANCE = Allowance(seconds=60, most_clauses=60_000)
"""More than any base needs."""


@dataclass(frozen=True)
class Verdict:
    """What is said of a folder, and why."""

    word: str
    reason: str = ""
    ending: str = ""
    """What the command must say, if not the word."""
    lies: tuple[str, ...] = ()
    """What a ledger believes although it is not so."""

    @property
    def command(self) -> str:
        """What the command must say."""
        return self.ending or self.word


def judge_certificate(place: Path) -> Verdict:
    """Judge a certificate, of a problem or of a width, in this process."""
    judged = judge_folder(place, ALLOWANCE)
    return Verdict(judged.word, str(judged))


def judge_map(place: Path) -> Verdict:
    """Judge a map in this process."""
    judged = map_check.judge_map(place, ALLOWANCE)
    return Verdict(judged.word, str(judged))


def judge_export(place: Path) -> Verdict:
    """Judge an export by what it makes a new ledger of the same plan believe.

    It is valid if that is anything, not decided if it is nothing but claims.
    """
    plan = Plan.from_toml((place / "plan.toml").read_text(encoding="utf-8"))
    with open_ledger(":memory:") as ledger:
        ledger.begin(plan.name, plan.to_toml())
        try:
            merged = merge_strictly(ledger, (place / "export.jsonl").read_bytes().splitlines(True))
        except SatlifeError as error:
            return Verdict("not valid", str(error), "wrong")
        counts = ledger.counts()
        known = (Status.FOUND, Status.IMPOSSIBLE)
        answered = {name for name, _, state in ledger.rows() if state.status in known}
        lies = find_lies(ledger, plan)
    believed = counts.found + counts.certified + (counts.impossible if plan.prove else 0)
    word = "valid" if believed else "not decided" if counts.impossible else "not valid"
    is_whole = not (merged.refused or merged.alarms or merged.unproved - answered)
    ending = "taken in" if is_whole else "refused"
    return Verdict(word, "; ".join([*lies, *merged.refused]), ending, tuple(lies))


def find_lies(ledger: Ledger, plan: Plan) -> list[str]:
    """Return what a ledger believes although it is not so."""
    lies = []
    for name, task, state in ledger.rows():
        problem = task.problem.to_json().decode()
        none = decide(problem, {"type": "none"})
        is_proved = state.certified or (plan.prove and state.status is Status.IMPOSSIBLE)
        is_proved &= not task.cells  # of a case, the brute force knows only the whole
        if (state.status is Status.FOUND and none) or (is_proved and none is False):
            lies.append(f"{name[:12]} is {state.status}, but it is not")
    for find in ledger.findings():
        task = ledger.task(find.name)
        problem = (task or find).problem.to_json().decode()
        by_all = [problem]
        if task and task.every:  # every rule of a set
            tables = read_rules(task.problem.rule).tables
            by_all = [with_table(problem, table) for table in tables]
        shown = key(read_history(problem, map(list, find.generations)))
        if any(shown not in map(key, solve(each)) for each in by_all):
            lies.append(f"{find.identity} is a solution of {find.name[:12]}, but it is not")
    return lies


def command_word(place: Path, kind: str) -> str:
    """Return what the command says of a folder."""
    words = ["check", str(place), "--quiet", "--clauses", str(ALLOWANCE.most_clauses)]
    if kind == "export":
        ledger = place.parent / "ledger.db"
        ledger.unlink(missing_ok=True)
        merging = ["campaign", "merge", str(place / "plan.toml"), str(place / "export.jsonl")]
        words = [*merging, "--ledger", str(ledger)]
    program = [sys.executable, "-m", "satlife", *words]
    ended = subprocess.run(program, capture_output=True, text=True, check=False)
    if kind == "export":
        return {0: "taken in", 3: "refused", 2: "wrong"}.get(ended.returncode, ended.stderr)
    codes = {0: "valid", 4: "not valid", 3: "not decided"}
    return codes.get(ended.returncode, f"{ended.returncode}: {ended.stderr}")


@contextmanager
def remembering() -> Iterator[None]:
    """Build the formula of a problem once, though it is judged and forged many times."""
    with (
        patch.object(obligations, "audit_formula", _BUILT),
        patch.object(claims, "estimate_clauses", _ESTIMATED),
    ):
        yield


_BUILT = lru_cache(maxsize=512)(obligations.audit_formula)
_ESTIMATED = lru_cache(maxsize=4096)(claims.estimate_clauses)


JUDGES: dict[str, Callable[[Path], Verdict]] = {
    "map": judge_map,
    "width-map": judge_map,
    "export": judge_export,
}
TRUTHS: dict[str, Callable[[Path], bool | None]] = {
    "width": is_width_true,
    "map": is_map_true,
    "width-map": is_map_true,
}


def judge(place: Path, kind: str) -> Verdict:
    """Return what satlife says of a folder."""
    return JUDGES.get(kind, judge_certificate)(place)


def is_true(place: Path, kind: str, verdict: Verdict) -> bool | None:
    """Return whether what a folder says is true; None if the brute force does not know."""
    if kind == "export":
        return not verdict.lies
    if kind not in JUDGES and (place / STATES).is_file():
        kind = "width"
    return TRUTHS.get(kind, is_certificate_true)(place)
