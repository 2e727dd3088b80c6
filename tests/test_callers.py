"""Every file of bench and scripts is named by a recipe, a page, CI, a test or another file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("bench", "scripts")
    for path in (ROOT / folder).glob("*.py")
    if path.stem != "__init__"
)


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Everything that may call a program, decisions excepted: they tell what was once measured."""
    callers = [ROOT / "justfile", ROOT / "docs" / "SOURCES.txt", *(ROOT / ".ci").iterdir()]
    callers += [*ROOT.glob("*.md"), *ROOT.glob("examples/**/*.md")]
    callers += [path for path in ROOT.glob("docs/**/*.md") if path.parent.name != "decisions"]
    for folder in ("atlas", "bench", "docs", "scripts", "tests"):
        callers += (ROOT / folder).rglob("*.py")
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in callers}


@pytest.mark.parametrize("name", FILES)
def test_a_program_is_named_by_something_else(name: str, texts: dict[str, str]) -> None:
    folder, stem = Path(name).parent.name, Path(name).stem
    called = re.compile(
        rf"\b{folder}[./]{stem}\b"
        rf"|from {folder} import [^#\n]*\b{stem}\b"
        rf"|^import {stem}$"
        rf'|"{stem}\.py"',
        re.MULTILINE,
    )
    assert any(called.search(text) for caller, text in texts.items() if caller != name)
