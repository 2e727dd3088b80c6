"""What a person wants to see: files, which may hold several patterns, and named patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from satlife.cli.files import read_text
from satlife.errors import UsageError

if TYPE_CHECKING:
    from satlife.show import Scene

_NAME = re.compile(r"^#N\s+(.*?)\s*$", re.MULTILINE)


def read_scenes(source: str, rule: str | None, generations: int | None) -> Iterator[Scene]:
    """Yield the scenes of a file (``-`` for standard input), or of what a text stands for."""
    from satlife.cli.own import is_file, read_named
    from satlife.show import Scene

    if source == "-" or is_file(source):
        for text in split_patterns(read_text(source)):
            yield _read_scene(text, rule, generations)
        return
    drawn = read_named(source, rule)
    pattern = drawn.pattern() if drawn.is_complete else drawn
    yield Scene.of(pattern, generations=generations)


def _read_scene(text: str, rule: str | None, generations: int | None) -> Scene:
    from satlife.life import Pattern, read_pattern
    from satlife.search.problem.lls_grid import Grid, looks_like_grid
    from satlife.search.problem.scenes import show_grid
    from satlife.show import Scene

    if looks_like_grid(text):
        return show_grid(Grid.from_text(text)).cut(generations)
    pattern = read_pattern(text)
    if rule is not None:
        if not isinstance(pattern, Pattern):
            raise UsageError(f"{pattern.describe_unknown()}; --rule goes with a whole pattern")
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
