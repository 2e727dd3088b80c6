"""What a person wants to see: files, which may hold several patterns, and named patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from satlife.show import Scene

_NAME = re.compile(r"^#N\s+(.*?)\s*$", re.MULTILINE)


def read_scenes(source: str, rule: str | None, generations: int | None) -> Iterator[Scene]:
    """Yield the scenes of a file (``-`` for standard input), or of what a text stands for."""
    from satlife.cli.own import is_file, open_source
    from satlife.life.formats import clean, find_format

    text = open_source(source)
    texts = [text]
    if source == "-" or is_file(source):
        cleaned = clean(text)
        is_tree = find_format("macrocell").detect(cleaned)
        texts = [cleaned] if is_tree else split_patterns(cleaned)
    for each in texts:
        yield _read_scene(each, rule, generations)


def _read_scene(text: str, rule: str | None, generations: int | None) -> Scene:
    from satlife.cli.own import every_entry
    from satlife.life.catalogue import name_any
    from satlife.problem.lls_grid import Grid, looks_like_grid
    from satlife.problem.sketch import show_grid
    from satlife.show import Scene

    if looks_like_grid(text):
        return show_grid(Grid.from_text(text)).cut(generations)
    pattern = name_any(text, every_entry())
    if rule is not None:
        pattern = pattern.with_rule(rule)
    name = _NAME.search(text)
    return Scene.of(pattern, generations=generations, name=name[1] if name else "")


def split_patterns(text: str) -> list[str]:
    r"""Split RLE patterns that stand one after the other, as ``--all`` prints them.

    >>> split_patterns("#N one\no!\n#N two\n2o!\n")
    ['#N one\no!\n', '#N two\n2o!\n']
    """
    texts, current = [], ""
    for line in text.splitlines(keepends=True):
        current += line
        if "!" in line.rstrip()[1:] and not line.startswith(("#", "!")):
            texts.append(current)
            current = ""
    if current.strip() or not texts:
        texts.append(current)
    return texts
