"""A command imports only what it needs.  Imports are counted, not seconds: load changes nothing."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

CODE = """
import json, sys
sys.argv = ["satlife", *json.loads(sys.argv[1])]
from satlife.cli.app import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(json.dumps(sorted(sys.modules)))
"""


def modules_of(*words: str) -> set[str]:
    """The modules that a command has imported when it ends."""
    run = subprocess.run(
        [sys.executable, "-c", CODE, json.dumps(words)],
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    return set(json.loads(run.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "words",
    [("--help",), ("--version",), ("ship", "--help"), ("cnf", "--help"), ("list", "kinds")],
    ids=" ".join,
)
def test_what_only_tells_imports_nothing_large(words: tuple[str, ...]) -> None:
    large = {"numpy", "pysat", "msgspec", "rich", "tomllib", "hashlib", "importlib.metadata"}
    assert not modules_of(*words) & large


def test_help_of_the_page_starts_no_server() -> None:
    assert not modules_of("serve", "--help") & {"PIL", "starlette", "uvicorn"}


def test_a_plain_search_imports_what_it_needs() -> None:
    found = modules_of("ship", "c/4d", "--box", "4x4", "--quiet")
    needless = {
        "PIL",
        "email",
        "filelock",
        "importlib.metadata",
        "numba",
        "numpy.ma",
        "numpy.random",
        "platformdirs",
        "prometheus_client",
        "rich",
        "satlife.campaign",
        "satlife.knuth",
        "satlife.certificates",
        "starlette",
        "tomli_w",
        "tomllib",
        "uvicorn",
    }
    assert not found & needless
    assert len([name for name in found if name.startswith("satlife")]) <= 175


def test_linear_algebra_gets_no_threads() -> None:
    code = "import os; from satlife.cli.start import start; start('x', 'os', 'getpid');"
    code += "print(os.environ['OPENBLAS_NUM_THREADS'])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "1\n"
