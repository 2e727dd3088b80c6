"""The browser's files: plain HTML, CSS and ES modules, with the player's own files."""

from __future__ import annotations

import gzip
import hashlib
from importlib.resources import files
from typing import Final, NamedTuple

from satlife.show.player import read_script, read_sheet

_TYPES: Final = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
}


class File(NamedTuple):
    """A file, plain and compressed."""

    content: bytes
    packed: bytes
    media_type: str
    mark: str
    """Changes with the content."""


def read_files() -> dict[str, File]:
    """Return every file of the page, by its name."""
    here = files(__name__)
    texts = {
        each.name: each.read_bytes()
        for each in here.iterdir()
        if each.name.rpartition(".")[2] in _TYPES
    }
    texts |= {"player.js": read_script().encode(), "player.css": read_sheet().encode()}
    return {name: _make(name, content) for name, content in texts.items()}


def _make(name: str, content: bytes) -> File:
    mark = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    return File(content, gzip.compress(content, 9, mtime=0), _TYPES[name.rpartition(".")[2]], mark)
