"""A hint names a command that works for how satlife was installed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from satlife.machine import how_to_install

FOLDER = Path.cwd().anchor + str(Path("home", "a b", "satlife"))
SOURCE = Path(FOLDER).as_uri()
GIT = "https://example.org/satlife.git"


@pytest.mark.parametrize(
    ("origin", "installer", "command"),
    [
        (None, "pip", 'pip install "satlife[fast]"'),
        (None, "uv", 'uv pip install "satlife[fast]"'),
        ({"url": SOURCE, "dir_info": {}}, "pip", f'pip install "{FOLDER}[fast]"'),
        (
            {"url": SOURCE, "dir_info": {"editable": True}},
            "pip",
            f'pip install -e "{FOLDER}[fast]"',
        ),
        (
            {"url": f"{SOURCE}.whl", "archive_info": {}},
            "pip",
            f'pip install "{FOLDER}.whl[fast]"',
        ),
        (
            {"url": f"{GIT}.zip", "archive_info": {}},
            "pip",
            f'pip install "satlife[fast] @ {GIT}.zip"',
        ),
        (
            {"url": GIT, "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            "pip",
            f'pip install "satlife[fast] @ git+{GIT}"',
        ),
        (
            {
                "url": SOURCE,
                "vcs_info": {"vcs": "git", "commit_id": "abc", "requested_revision": "v1"},
            },
            "pip",
            f'pip install "satlife[fast] @ git+{SOURCE.replace(":///", "://localhost/")}@v1"',
        ),
    ],
)
def test_from_where_it_was_installed(
    origin: dict[str, Any] | None,
    installer: str,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "satlife-0.1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.4\nName: satlife\nVersion: 0.1.0\n")
    (folder / "INSTALLER").write_text(f"{installer}\n")
    if origin is not None:
        (folder / "direct_url.json").write_text(json.dumps(origin))
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert how_to_install("fast") == command


def test_where_nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    assert how_to_install("all") == 'pip install "satlife[all]"'
