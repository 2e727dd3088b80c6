"""The public names: what type checkers read is what Python gives, and all of it has a docstring."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import satlife
from satlife import Options
from satlife.engine import Keywords
from satlife.kinds import KINDS
from satlife.problem.constraints import CONSTRAINTS

LAZY = ("satlife", "satlife.life", "satlife.sat")
"""Packages whose names are imported when they are first used."""


@pytest.mark.parametrize("package", LAZY)
def test_type_checkers_see_what_python_gives(package: str) -> None:
    module = importlib.import_module(package)
    stub = Path(f"{module.__file__}i").read_text(encoding="utf-8")
    nodes = ast.parse(stub).body
    assert all(isinstance(node, ast.ImportFrom) for node in nodes)
    names = [name for node in nodes if isinstance(node, ast.ImportFrom) for name in node.names]
    assert all(name.asname == name.name for name in names), "write X as X, or it is not exported"
    assert {name.name for name in names} == set(module.__all__)
    assert dir(module) == sorted(module.__all__)


@pytest.mark.parametrize("package", LAZY)
def test_every_name_is_there_and_explained(package: str) -> None:
    module = importlib.import_module(package)
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.isclass(value) or inspect.isroutine(value):
            assert inspect.getdoc(value), f"{package}.{name} has no docstring"
    with pytest.raises(AttributeError, match="has no attribute 'oscilator'"):
        _ = module.oscilator


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_is_a_function_of_the_api(kind) -> None:
    name = kind.name.replace("-", "_")
    # satlife.catalyst has long been something else: what stays in a reaction that was found.
    assert getattr(satlife, {"catalyst": "perturbation"}.get(name, name)) is kind.function


def test_the_keywords_of_a_search_are_its_options() -> None:
    fields = {field.name for field in dataclasses.fields(Options)}
    assert set(Keywords.__annotations__) == fields


def test_the_help_of_satlife_is_a_table_of_contents() -> None:
    contents = satlife.__doc__ or ""
    missing = {name for name in satlife.__all__ if not re.search(rf"\b{name}\b", contents)}
    # Constraints have a table of contents of their own.
    assert "help(satlife.problem.constraints)" in contents
    assert missing == {"__version__", *(each.__name__ for each in CONSTRAINTS)}


SCRIPT = Path(__file__).parent / "data" / "user_script.py"


def test_the_users_script_names_the_whole_api() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    assert [name for name in satlife.__all__ if not re.search(rf"\b{name}\b", text)] == []


def test_the_users_script_runs() -> None:
    run = subprocess.run(
        [sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert "'found 5'" in run.stdout


def test_the_users_script_passes_mypy_strict() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(SCRIPT)],
        capture_output=True,
        text=True,
        check=False,
        cwd=SCRIPT.parents[2],
        timeout=600,
    )
    assert run.returncode == 0, run.stdout


def test_a_mistake_in_a_users_script_is_seen_by_mypy(tmp_path: Path) -> None:
    script = tmp_path / "wrong.py"
    script.write_text(
        "import satlife\n"
        "satlife.find(satlife.ship('c/3', box=(9, 9)), timeot=3)\n"
        "satlife.oscilator(3, box='9x9')\n"
    )
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(script)],
        capture_output=True,
        text=True,
        check=False,
        cwd=SCRIPT.parents[2],
        timeout=600,
    )
    assert 'Unexpected keyword argument "timeot"' in run.stdout
    assert 'Module has no attribute "oscilator"' in run.stdout
