r"""Texts as people copy them from a forum or a wiki: tags, scripts and prose around the pattern.

>>> print(clean("My first find:\n[code]#C by me\nbo$2bo$3o![/code]\nIs it known?"))
#
#C by me
bo$2bo$3o!
#

Lines keep their numbers, so that an error still tells where it is.
"""

from __future__ import annotations

import re
from typing import Final

from satlife.life.formats._format import number_lines

_TAG: Final = re.compile(
    r"\[/?(?:code|rle|viewer|quote|spoiler|url|size|color|pre|b|i|u)(?:=[^\[\]\n]*)?\]",
    re.IGNORECASE,
)
_SCRIPT: Final = re.compile(r"\[\[[^\[]*?\]\]")
"""What LifeViewer does with the pattern: [[ ZOOM 8 ]].  Neither runs over the next bracket: a text
of brackets alone would take minutes."""
_HEADER: Final = re.compile(r"\s*x\s*=", re.IGNORECASE)
_FOREIGN: Final = re.compile("[ac-nz]")
"""Letters that no format has in its cells, and few sentences lack."""
_SENTENCE: Final = re.compile(r".*\S\s+\S.*|.*:|[^\W\d_]+[.!?]?")
_RUNS: Final = re.compile(r"[0-9bop-yA-X.?\s]*")


def clean(text: str) -> str:
    """Return a text without what is not the pattern; all of it if nothing would be left."""
    without = _TAG.sub("", text)
    without = _SCRIPT.sub(lambda script: "\n" * script[0].count("\n"), without)
    before = [line for _, line in number_lines(text)]
    after = [line for _, line in number_lines(without)]
    if before == after and not any(map(_is_prose, after)):
        return text
    kept = [line for line in after if line.strip() and not _is_prose(line)]
    if not kept:
        return text
    # A comment, not a blank line: in plaintext that would be a row of dead cells.
    is_rle = any(
        _HEADER.match(line) or line.startswith("[M") or "$" in line or "!" in line[1:]
        for line in kept
    )
    mark = "#" if is_rle else "!"
    return "\n".join(
        mark if _is_prose(line) or (line != old and not line.strip()) else line
        for line, old in zip(after, before, strict=True)
    )


def _is_prose(line: str) -> bool:
    if line.startswith(("#", "!", "[M")) or _HEADER.match(line):
        return False
    runs, end, _ = line.partition("!")
    if "$" in line or not _FOREIGN.search(line) or (end and _RUNS.fullmatch(runs)):
        return False
    return _SENTENCE.fullmatch(line.strip()) is not None
