"""Break what answers rest on, in twelve small ways, and see that CI's early tests fail each time.

    just breaks            all of them, some twenty minutes
    just breaks verifier   those in which a word occurs

Each break is made in a copy of the working tree, in which `just test-changed` is run, as `.ci/run`
does before all other tests. Prints a table; the exit code is 1 if a break goes unnoticed.
"""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Break(NamedTuple):
    """A piece of the source, and the wrong one in its place."""

    what: str
    file: str
    right: str
    wrong: str


SPACETIME, VERIFY = "formula/spacetime.py", "verifier/verify.py"
AUDIT, LRAT = "audit/formula.py", "sat/proofs/lrat.py"
BREAKS = (
    Break("encoder: cells may be born outside", SPACETIME, "(now | then).grow(1)", "(now | then)"),
    Break(
        "encoder: moved the wrong way",
        SPACETIME,
        "self._motion.inverse if turns > 0 else self._motion",
        "self._motion if turns > 0 else self._motion.inverse",
    ),
    Break(
        "encoder: a torus twisted the wrong way",
        SPACETIME,
        "x - y // box.height * right",
        "x + y // box.height * right",
    ),
    Break(
        "verifier: the first constraint is not checked",
        VERIFY,
        "for constraint in problem.constraints:",
        "for constraint in problem.constraints[1:]:",
    ),
    Break(
        "verifier: symmetries are not checked",
        VERIFY,
        "    yield from _symmetry_complaints(problem, life)\n",
        "",
    ),
    Break(
        "verifier: the last step is not checked",
        VERIFY,
        "exempt = set(problem.exempt)\n    for t in range(problem.steps):",
        "exempt = set(problem.exempt)\n    for t in range(problem.steps - 1):",
    ),
    Break(
        "audit: cells may be born outside",
        AUDIT,
        "grow(0 if self.torus else 1)",
        "grow(0)",
    ),
    Break(
        "audit: moved back in the wrong direction",
        AUDIT,
        "self.at(*self.carry_back(g, x, y), t - g.dt)",
        "self.at(*self.carry_back(g, x, y), t + g.dt)",
    ),
    Break(
        "audit: bounds are off by one",
        "audit/gates.py",
        "self.tally(number, literals)[number]",
        "self.tally(number, literals)[number - 1]",
    ),
    Break("checker: a hint need not be unit", LRAT, "elif rest:", "elif len(rest) > 2:"),
    Break("checker: RAT leaves clauses out", LRAT, "named != wanted", "len(named) > len(wanted)"),
    Break("checker: deleted clauses are used", LRAT, "given or self.gone[name]:", "given:"),
)


def copy_tree(copy: Path) -> None:
    """Make a repository of the files that git knows, of one commit: nothing in it has changed."""
    git = ("git", "-c", "user.name=tests", "-c", "user.email=tests@example.invalid")
    known = subprocess.run([*git, "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in known.stdout.decode().split("\0")[:-1]:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    for words in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "-m", "a copy"]):
        subprocess.run([*git, *words], cwd=copy, check=True)


def run_tests(copy: Path) -> list[str]:
    """Return the tests of what has changed that fail."""
    path = os.pathsep.join([str(ROOT / ".tools" / "usr" / "bin"), os.environ["PATH"]])
    environment = {**os.environ, "CI": "1", "PATH": path, "PYTHONPATH": str(copy / "src")}
    command = ["just", "test-changed"]
    done = subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert re.search(r"^=+ .*(passed|failed)", done.stdout, re.MULTILINE), done.stdout + done.stderr
    return re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)


def try_break(each: Break, copy: Path) -> list[str]:
    """Return the tests that fail with a break."""
    path = copy / "src" / "satlife" / each.file
    whole = path.read_text(encoding="utf-8")
    assert whole.count(each.right) == 1, each
    path.write_text(whole.replace(each.right, each.wrong), encoding="utf-8")
    try:
        return run_tests(copy)
    finally:
        path.write_text(whole, encoding="utf-8")


def try_nothing(files: set[str], copy: Path) -> list[str]:
    """Return the tests that fail with a comment more in the files: there should be none."""
    for file in files:
        path = copy / "src" / "satlife" / file
        path.write_text(path.read_text(encoding="utf-8") + "# a comment\n", encoding="utf-8")
    failed = run_tests(copy)
    subprocess.run(["git", "checkout", "--quiet", "."], cwd=copy, check=True)
    return failed


def main(word: str = "") -> int:
    """Try every break; return the exit code."""
    chosen = [each for each in BREAKS if word in each.what]
    folder = Path(tempfile.mkdtemp(prefix="satlife-breaks-"))
    unnoticed = 0
    try:
        copy_tree(copy := folder / "tree")
        if failed := try_nothing({each.file for each in chosen}, copy):
            print(f"{len(failed)} tests fail where nothing is broken: {failed[0]}")
            return 1
        for each in chosen:
            begun = time.monotonic()
            failed = try_break(each, copy)
            unnoticed += not failed
            answer = f"{len(failed)} tests fail, {failed[0]}" if failed else "NOT NOTICED"
            print(f"| {each.what} | {answer} | {time.monotonic() - begun:.0f} s |", flush=True)
    finally:
        shutil.rmtree(folder)
    return bool(unnoticed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
