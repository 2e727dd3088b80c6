r"""Texts as people paste them: the patterns in a post of a forum, or in a file of several.

Tags, scripts and prose around the patterns are left out.

>>> post = "My finds:\n[code]#C by me\nbo$2bo$3o![/code]\n[code].O.\n..O[/code]\nAre they known?"
>>> for each in list_excerpts(post):
...     print(each)
Excerpt(text='#C by me\nbo$2bo$3o!', lines_before=1)
Excerpt(text='.O.\n..O', lines_before=3)

If there are ``[code]`` or similar tags, only their contents count; otherwise a pattern ends at the
``!`` of RLE, at prose, or where the next one begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from satlife.life.formats._format import number_lines


class Excerpt(NamedTuple):
    """A part of a text that may be a pattern."""

    text: str
    lines_before: int = 0
    """The number of lines before it, so that errors report the right line."""

    @property
    def name(self) -> str:
        """The name that a comment gives it; empty if there is none."""
        match = _NAME.search(self.text)
        return match[1] if match else ""


_BLOCK: Final = re.compile(r"\[(/?)(?:code|rle|viewer|pre)(?:=[^\[\]\n]*)?\]", re.IGNORECASE)
_TAG: Final = re.compile(
    r"\[/?(?:quote|spoiler|url|size|color|b|i|u)(?:=[^\[\]\n]*)?\]", re.IGNORECASE
)
_SCRIPT: Final = re.compile(r"\[\[[^\[]*?\]\]")
"""A LifeViewer script: [[ ZOOM 8 ]].  No expression runs over the next bracket: otherwise a text of
brackets alone would take minutes."""
_HEADER: Final = re.compile(r"\s*x\s*=", re.IGNORECASE)
_BEGINNING: Final = re.compile(r"#Life 1\.0|\[M|!\s*Name\s*:", re.IGNORECASE)
"""Lines with which a pattern begins, in formats whose patterns have no mark at their end."""
_FOREIGN: Final = re.compile("[ac-nz]")
"""Letters that no format uses for cells, and that few sentences lack."""
_SENTENCE: Final = re.compile(r".*\S\s+\S.*|.*:|[^\W\d_]+[.!?]?")
_MORE: Final = re.compile(r"[0-9bo.?$\s]*[bo$][0-9bo.?$\s]*!")
"""Another pattern after the end of one, on the same line."""
_RUNS: Final = re.compile(r"[0-9bop-yA-X.?\s]*")
_NAME: Final = re.compile(r"^(?:#N|![ \t]*Name[ \t]*:)[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
GRID_CELL: Final = re.compile(r"(-*)([0-9A-Za-z_*]+)(['’]?)")
"""A cell of a grid of Logic Life Search: see :mod:`satlife.problem.lls_grid`."""
_KNOWN_CELL: Final = re.compile(r"-*[01*]['’]?")
_SHORT_CELL: Final = re.compile(r"-*(?:[0-9a-zA-Z_*]|[a-zA-Z][0-9]+)['’]?")
"""A cell that cannot be a word of prose, which blanks separate as well."""


def list_excerpts(text: str) -> list[Excerpt]:
    """Return the patterns of a text, without their surroundings; if there is none, all of it."""
    inside, outside = list[Excerpt](), list[Excerpt]()
    for part, (lines, first, is_block) in enumerate(_list_blocks(text)):
        found = _divide("\n".join(lines), first, is_part=part > 0)
        (inside if is_block else outside).extend(found)
    return inside or outside or [Excerpt(text)]


def _list_blocks(text: str) -> list[tuple[list[str], int, bool]]:
    """Return the lines between block tags, the number before them, whether they are a block."""
    found: list[tuple[list[str], int, bool]] = [([], 0, False)]
    for number, line in number_lines(text):
        start = 0
        for tag in _BLOCK.finditer("" if line[:1] in ("#", "!") else line):
            found[-1][0].append(line[start : tag.start()])
            found.append(([], number - 1, not tag[1]))
            start = tag.end()
        found[-1][0].append(line[start:])
    return found


class _Lines:
    """The lines of a pattern, as far as they have been read."""

    def __init__(self, first: int, *, is_part: bool = True) -> None:
        self.first = first
        self.is_part = is_part
        """Whether blank lines at the top set it apart; else they are dead rows."""
        self.kept: list[str | None] = []
        """``None`` where a line was left out."""
        self.has_cells = False
        self.is_rle = False
        self.is_tree = False

    def add(self, line: str) -> None:
        """Take a line of the pattern."""
        self.kept.append(line)
        self.is_tree = self.is_tree or line.startswith("[M")
        if line.strip() and line[0] not in "#!" and not self.is_tree:
            begins = _HEADER.match(line) is not None
            self.is_rle = self.is_rle or begins or "$" in line or "!" in line
            self.has_cells = self.has_cells or not begins
        else:
            self.has_cells = self.has_cells or self.is_tree

    @property
    def is_open(self) -> bool:
        """Whether more must follow."""
        return self.is_rle or not self.has_cells

    def excerpt(self) -> Iterator[Excerpt]:
        """Yield the pattern, if there is one."""
        is_part = self.is_part or self.kept[:1] == [None]
        begins = (line is not None and (not is_part or line.strip()) for line in self.kept)
        before = next((n for n, begun in enumerate(begins) if begun), 0)
        while self.kept and self.kept[-1] is None:
            self.kept.pop()
        if self.has_cells or self.is_rle:
            is_marked = self.is_rle or self.is_tree or (self.kept[before] or "").startswith("#")
            mark = "#" if is_marked else "! left out"
            lines = (mark if line is None else line for line in self.kept[before:])
            yield Excerpt("\n".join(lines), self.first + before)


def _divide(text: str, first: int, *, is_part: bool) -> Iterator[Excerpt]:
    """Yield the patterns of a text without blocks."""
    without = _TAG.sub("", text)
    without = _SCRIPT.sub(lambda script: "\n" * script[0].count("\n"), without)
    before = [line for _, line in number_lines(text)]
    after = [line for _, line in number_lines(without)]
    lines = _Lines(first, is_part=is_part)
    for number, (old, line) in enumerate(zip(before, after, strict=True), first):
        is_prose = _is_prose(line)
        if not lines.is_open and (is_prose or _BEGINNING.match(line)):
            yield from lines.excerpt()
            lines = _Lines(number)
        is_left_out = is_prose or (line != old and not line.strip())
        if is_left_out:
            lines.kept.append(None)
        else:
            lines.add(line)
        if lines.is_rle and "!" in line and not is_left_out and line[0] != "#":
            yield from lines.excerpt()
            rest = line.partition("!")[2]
            while more := _MORE.match(rest):
                yield Excerpt(more[0], number)
                rest = rest[more.end() :]
            lines = _Lines(number + 1)
    yield from lines.excerpt()


def _is_prose(line: str) -> bool:
    if line.startswith(("#", "!", "[M")) or _HEADER.match(line):
        return False
    runs, end, _ = line.partition("!")
    if "$" in line or not _FOREIGN.search(line) or (end and _RUNS.fullmatch(runs)):
        return False
    return _SENTENCE.fullmatch(line.strip()) is not None


def looks_like_grid(text: str) -> bool:
    r"""Return whether a text may be a grid of Logic Life Search: rows of separate cells.

    Without commas, it could be a name or prose, so some of its words must be certain cells.

    >>> [looks_like_grid(text) for text in ("0,a,word", "0 a *", "eater 1", "0 word\n1 *")]
    [True, True, False, True]
    """
    if _BEGINNING.match(text.removeprefix("\ufeff").lstrip()):
        return False
    rows = []
    for _, line in number_lines(text):
        content = line.partition("#")[0].strip()
        row = re.split(r"[,\s]+", content.strip(",")) if content else []
        if not all(map(GRID_CELL.fullmatch, row)):
            return False
        rows += [row] if row else []
    if not any(len(row) > 1 for row in rows):
        return False
    cells = [cell for row in rows for cell in row]
    if "," in re.sub("#.*", "", text):
        return True
    if len(rows) > 1:
        return any(map(_KNOWN_CELL.fullmatch, cells))
    return all(map(_SHORT_CELL.fullmatch, cells))
