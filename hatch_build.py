"""The description of the package on an index: the README with absolute links, and addresses.

hatchling calls this when it builds. The one place for the project's addresses is
``[tool.hatch.metadata.hooks.custom]`` in pyproject.toml; links lead to the version's tag there.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)")


class Description(MetadataHookInterface):
    """Fills in what pyproject.toml calls dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the readme and the addresses to the metadata."""
        root, repository = Path(self.root), self.config["repository"]
        version = re.findall('"(.+)"', (root / "src/satlife/_version.py").read_text())[-1]

        def lead(link: re.Match[str]) -> str:
            mark, words, path = link.groups()
            return f"{mark}[{words}]({repository}/{'raw' if mark else 'blob'}/v{version}/{path})"

        text = LINK.sub(lead, (root / "README.md").read_text(encoding="utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        pages = self.config["documentation"].rstrip("/")
        metadata["urls"] = {
            "Repository": repository,
            "Documentation": pages or f"{repository}/blob/v{version}/docs/index.md",
            **({"Try": f"{pages}/try/"} if pages else {}),
            "Changelog": f"{repository}/blob/v{version}/CHANGELOG.md",
            "Issues": f"{repository}/issues",
        }
