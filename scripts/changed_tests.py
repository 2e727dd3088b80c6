"""Run the fast tests in the files that concern what has changed lately.

    just test-changed

What has changed is what is not committed, and what the commits of the four hours up to HEAD touch.
A test file that has changed concerns itself; a module concerns its own doctests and the test files
that import it by name. This is for early news, not for completeness: every test runs later.
"""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scripts.figures import Module

ROOT = Path(__file__).resolve().parent.parent
MOST = 80
"""Files with tests; where there are more, nearly everything has changed, and none is run early."""


def git(*words: str) -> str:
    """Return what git prints; nothing outside a repository, or without a history."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def find_changed() -> set[str]:
    """Return the files that have changed, with their paths from the root."""
    if not (last := git("log", "-1", "--format=%ct")):
        return set()
    before = datetime.fromtimestamp(int(last), UTC) - timedelta(hours=4)
    base = git("rev-list", "-1", f"--before={before.isoformat()}", "HEAD") or "HEAD"
    changed = git("diff", "--name-only", base).splitlines()
    new = git("ls-files", "--others", "--exclude-standard").splitlines()
    return {name for name in [*changed, *new] if (ROOT / name).is_file()}


def find_tests(changed: set[str]) -> list[str]:
    """Return the files with tests of what has changed."""
    sources = {name for name in changed if name.endswith(".py")}
    modules = {
        name.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for name in sources
    }
    tests = {
        name
        for name in sources
        if name.startswith("src/") and ">>>" in (ROOT / name).read_text(encoding="utf-8")
    }
    for path in (ROOT / "tests").rglob("test_*.py"):
        name = path.relative_to(ROOT).as_posix()
        imported = Module(name, path).imported_names()
        if name in changed or any({a, f"{a}.{b}"} & modules for a, b in imported):
            tests.add(name)
    return sorted(tests)


def main() -> int:
    """Run them; return the exit code."""
    files = find_tests(find_changed())
    if not 0 < len(files) <= MOST:
        sys.stdout.write(f"what has changed concerns {len(files)} files with tests\n")
        return 0
    code = subprocess.call(["just", "test", "-m", "not slow", *files], cwd=ROOT)
    return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else code  # all of them are slow


if __name__ == "__main__":
    sys.exit(main())
