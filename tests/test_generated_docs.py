"""What scripts write into the documentation is what they would write now."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent


def load(name: str) -> ModuleType:
    """Import a script, which is in no package."""
    spec = spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # A dataclass looks up its module while it is made.
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
    return module


def test_the_command_line_reference_is_written_anew(tmp_path: Path) -> None:
    script = load("write_cli_reference")
    folder = tmp_path / "cli"
    script.write(folder)
    (folder / "show.md").write_text("an old help", encoding="utf-8")
    (folder / "gone.md").write_text("a command that is gone", encoding="utf-8")
    same = (folder / "find.md").stat().st_mtime_ns
    script.write(folder)
    written = {page.name: page.read_text(encoding="utf-8") for page in folder.glob("*.md")}
    assert written == script.render()
    assert (folder / "find.md").stat().st_mtime_ns == same, "Sphinx reads again what has changed"


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="git lists the files")
def test_the_command_line_reference_is_not_kept() -> None:
    """It is written when the documents are built, so it cannot differ from the commands."""
    command = ["git", "ls-files", "docs/reference/cli"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert listed == ""
    assert "docs/reference/cli/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_the_reference_of_kinds_is_up_to_date() -> None:
    script = load("write_kinds")
    written = script.PAGE.read_text(encoding="utf-8")
    assert written == script.render(), "run: python scripts/write_kinds.py"


def test_the_pictures_are_up_to_date() -> None:
    script = load("draw_docs")
    drawn = dict(script.draw_all())
    assert sorted(drawn) == sorted(path.name for path in script.IMAGES.glob("*.svg"))
    for name, text in drawn.items():
        written = (script.IMAGES / name).read_text(encoding="utf-8")
        assert written == text, f"{name}: run: python scripts/draw_docs.py"


def test_every_picture_is_shown() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("**/*.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    unused = [path.name for path in (ROOT / "docs/images").glob("*") if path.name not in text]
    assert unused == []


def test_the_schema_of_problems_is_up_to_date() -> None:
    script = load("write_schema")
    written = script.FILE.read_text(encoding="utf-8")
    assert written == script.render(), "run: python scripts/write_schema.py"
