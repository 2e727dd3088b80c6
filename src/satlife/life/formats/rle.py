r"""RLE, the community's format: a header, then runs of cells.

``b`` or ``.`` is a dead cell, ``o`` a living one, ``?`` an unknown one, ``$`` the end of a row and
``!`` the end of the pattern; a number before any of them repeats it. In a rule of more than two
states, ``A`` is state 1, ``B`` state 2 and so on to ``X``, ``pA`` … ``yO``. In LifeHistory, or a
rule such as ``HighLifeHistory``, odd states are alive and even ones dead; their marks are lost.
A torus follows the rule, as Golly writes it: ``rule = B3/S23:T4,4``.

What is read: LF, CR LF and CR; a header ``x = 3, y = 3, rule = B3/S23`` of any spacing and case, or
none; ``#`` lines anywhere: ``#r RULE`` gives the rule, and ``#CXRLE Pos=X,Y`` (Golly's),
``#P X Y`` or ``#R X Y`` the place of the top left cell. For a strobing rule, ``#CXRLE Gen=N`` gives
the parity of the generation. Anything after the ``!`` is ignored.

What is written: lines of at most 70 characters, and ``#CXRLE Pos=X,Y Gen=1`` if the place is not
(0, 0) or the generation is odd. The header's size is the box, with the dead edges of a partial
pattern.

>>> print(RLE.write(RLE.read("#P 3 0\nx = 3, y = 3\nbo$2bo$3o!")))
#CXRLE Pos=3,0
x = 3, y = 3, rule = B3/S23
bo$2bo$3o!
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from satlife.errors import FormatError, UsageError
from satlife.given import make_visible
from satlife.life.cells import (
    ALIVE,
    AREA_LIMIT,
    COORDINATE_LIMIT,
    DEAD,
    MOST_STATES,
    UNKNOWN,
    Cells,
    check_extent,
    name_states,
)
from satlife.life.formats._format import Format, Setting, fit_torus, number_lines, read_setting
from satlife.life.raster import Raster
from satlife.life.rule import LIFE

LINE_LENGTH: Final = 70
LONGEST_COMMENT: Final = 1000
"""Characters in one comment: Golly breaks lines after 20,000 bytes."""

_STATES: Final = {
    **dict.fromkeys("b.B", DEAD),
    **dict.fromkeys("oOA", ALIVE),
    "?": UNKNOWN,
}
_SIGNS: Final = name_states(MOST_STATES)
_MANY_STATES: Final = {
    **{sign: state for state, sign in enumerate(_SIGNS)},
    "b": DEAD,
    "o": ALIVE,
    "?": UNKNOWN,
}
_HISTORY_STATES: Final = 7
_EXPECTED: Final = "expected b, o, ?, $, ! or a number"

_HEADER: Final = re.compile(
    r"\s*x\s*=\s*([0-9]+)\s*,?\s*y\s*=\s*([0-9]+)\s*(?:,?\s*rule\s*=\s*(\S.*?)\s*)?,?\s*",
    re.IGNORECASE | re.ASCII,
)
_POSITION: Final = re.compile(
    r"#(?:CXRLE\b.*?\bPos\s*=|[PR]\s)\s*([+-]?[0-9]+)\s*[,\s]\s*([+-]?[0-9]+)\b.*",
    re.ASCII,
)
_RULE: Final = re.compile(r"#r\s*(\S.*?)\s*")
_GENERATION: Final = re.compile(r"#CXRLE\b.*?\bGen\s*=\s*[0-9]*([0-9])\b.*", re.ASCII)
_END: Final = re.compile(r"[^!]+!|!\s*$")
"""A ``!`` after cells, or alone; with text after it, it begins a comment of plaintext."""
_TOKEN: Final = re.compile(r"[0-9]+|[p-y][A-X]|\S")


def detect(text: str) -> bool:
    """Return whether a text has a header, or a ``$`` or ``!`` that does not begin a line."""
    lines = [line for _, line in number_lines(text) if line.strip() and line[0] != "#"]
    return bool(lines) and (
        re.match(r"\s*x\s*=", lines[0], re.IGNORECASE) is not None
        or (lines[0][0] != "!" and any("$" in line or _END.match(line) for line in lines))
    )


@dataclass
class _Reader:
    """The state of the parser."""

    x: int = 0
    y: int = 0
    position: tuple[int, int] = (0, 0)
    setting: Setting = field(default_factory=Setting)
    is_odd: bool = False
    """Whether the generation is odd."""
    width: int = 0
    height: int = 0
    """The size in the header; without one, of the whole drawing, dead cells included."""
    has_header: bool = False
    count: int | None = None
    """The pending repeat count."""
    is_cut: bool = False
    """Whether the previous line ended with that count."""
    keeps_marks: bool = False
    """Whether the states of a history stay as they are."""
    letters: set[str] = field(default_factory=set)
    runs: list[tuple[int, int, int, int]] = field(default_factory=list)
    """The runs that are not dead: x, y, length, state."""

    def read_comment(self, line: str, number: int) -> None:
        if match := _GENERATION.fullmatch(line):
            self.is_odd = int(match[1]) % 2 == 1
        if match := _POSITION.fullmatch(line):
            for group in (1, 2):
                digits = match[group].lstrip("+-0")
                if len(digits) > 9 or int(digits or 0) > COORDINATE_LIMIT:
                    message = f"{_shorten(match[group])} is too far away; to {COORDINATE_LIMIT}"
                    raise FormatError(message, line=number, column=match.start(group) + 1)
            self.position = int(match[1]), int(match[2])
        elif match := _RULE.fullmatch(line):
            self.setting = read_setting(match[1], number, match.start(1) + 1)

    def read_header(self, line: str, number: int) -> None:
        match = _HEADER.fullmatch(line)
        if not match:
            message = "the header should read like 'x = 3, y = 3, rule = B3/S23'"
            raise FormatError(message, line=number, column=1)
        for group in (1, 2):
            if len(match[group]) > 9 or int(match[group]) > COORDINATE_LIMIT:
                size = _shorten(match[group])
                message = f"a size of {size} is too large; at most {COORDINATE_LIMIT}"
                raise FormatError(message, line=number, column=match.start(group) + 1)
        self.width, self.height, self.has_header = int(match[1]), int(match[2]), True
        if self.width * self.height > AREA_LIMIT:
            size = f"{self.width}x{self.height}"
            message = f"a box of {size} is too large; at most {AREA_LIMIT} cells"
            raise FormatError(message, line=number, column=match.start(1) + 1)
        if match[3]:
            self.setting = read_setting(match[3], number, match.start(3) + 1)

    def read_token(self, token: str, number: int, column: int) -> None:
        def error_here(message: str) -> FormatError:
            return FormatError(message, line=number, column=column)

        if token[0] in "0123456789":
            if self.count is not None:
                # Like Golly, continue a number that is split by the end of a line.
                if not (self.is_cut and column == 1):
                    raise error_here("a number is cut in two by a blank")
                token = f"{self.count}{token}"
            if len(token) > 9 or not 0 < int(token) <= COORDINATE_LIMIT:
                raise error_here(f"a run of {_shorten(token)} cells; from 1 to {COORDINATE_LIMIT}")
            self.count = int(token)
            return
        length, self.count = self.count or 1, None
        if token == "$":
            self.x, self.y = 0, self.y + length
        elif token in _MANY_STATES or token in _STATES:
            try:
                state = self.read_state(token)
            except UsageError as error:
                raise error_here(str(error)) from error
            if state != DEAD:
                self.runs.append((self.x, self.y, length, state))
            self.x += length
            if not self.has_header:
                self.width, self.height = max(self.width, self.x), max(self.height, self.y + 1)
        else:
            raise error_here(f"{token!r} has no meaning here; {_EXPECTED}")
        if max(self.x, self.y) > COORDINATE_LIMIT:
            raise error_here(f"the pattern is too large; at most {COORDINATE_LIMIT} cells each way")

    def read_state(self, token: str) -> int:
        self.letters.add(token)
        rule, state = self.setting.rule, _MANY_STATES[token]
        if self.setting.history:
            if state != UNKNOWN and state >= _HISTORY_STATES:
                raise UsageError(f"{token} is state {state}, but a history has {_HISTORY_STATES}")
            return state if state == UNKNOWN or self.keeps_marks else state % 2
        # Among the letters of many states, B is not b.
        if rule.states == 2 and token in _STATES and not {"A", "B"} <= self.letters:
            return _STATES[token]
        if state >= rule.states and state != UNKNOWN:
            states = f"the rule {rule} has {rule.states} states"
            raise UsageError(f"{token} is state {state}, but {states}; name its rule in the header")
        return state

    def finish(self) -> Raster:
        width = max([self.width, *(x + length for x, _, length, _ in self.runs)])
        height = max([self.height, *(y + 1 for _, y, _, _ in self.runs)])
        check_extent(*self.position, width, height)
        states = np.zeros((height, width), dtype=np.uint8)
        for x, y, length, state in self.runs:
            states[y, x : x + length] = state
        rule, torus = self.setting.rule, self.setting.torus
        phase = int(self.is_odd and rule.is_strobing)
        return Raster(fit_torus(states, torus), *self.position, rule, phase, torus)


def _shorten(digits: str) -> str:
    return digits if len(digits) <= 12 else f"{digits[:9]}... ({len(digits)} digits)"


def parse(text: str) -> Raster:
    """Read RLE up to its ``!``."""
    return _read(text).finish()


def parse_marks(text: str) -> Raster:
    r"""Read RLE, with the states of LifeHistory as they are.

    >>> parse_marks("x = 2, y = 1, rule = LifeHistory\nAC!").states.tolist()
    [[1, 3]]
    """
    return _read(text, keeps_marks=True).finish()


def _read(text: str, keeps_marks: bool = False) -> _Reader:
    reader, is_first, number, line = _Reader(keeps_marks=keeps_marks), True, 1, ""
    for number, line in number_lines(text):
        if line.startswith("#"):
            reader.read_comment(line, number)
            continue
        if is_first and line.strip():
            is_first = False
            if line.lstrip()[0] in "xX":
                reader.read_header(line, number)
                continue
        for match in _TOKEN.finditer(line):
            if match[0] != "!":
                reader.read_token(match[0], number, match.start() + 1)
            elif reader.count is None:
                return reader
            else:
                message = f"a number before the '!'; {_EXPECTED}"
                raise FormatError(message, line=number, column=match.start() + 1)
        reader.is_cut = line[-1:].isdigit()
    message = "no '!' at the end; the text may be cut off (put '!' after the last cell)"
    raise FormatError(message, line=number, column=len(line) + 1)


def describe_loss(text: str) -> str:
    """Describe how the states of LifeHistory, or of another rule with a history, are read."""
    if "history" not in text.lower():
        return ""
    try:
        reader = _read(text)
    except UsageError:  # reported when the pattern is read
        return ""
    states = {_MANY_STATES[letter] for letter in reader.letters} - {UNKNOWN}
    name, rule = reader.setting.history, reader.setting.rule
    if not name or max(states, default=DEAD) <= ALIVE:
        return ""
    loss = f"{name} is read as {rule}: states 1, 3 and 5 as alive, the others as dead"
    kills = _HISTORY_STATES - 1 in states
    return loss + (", even those of state 6, which kill what touches them" if kills else "")


def write_comment(text: str, letter: str = "C") -> str:
    r"""Return a text as a comment, ``#C ...``; ``#N`` is the pattern's name.

    A comment never ends early: line breaks and control characters become escapes, and a long text
    continues in the next comment.

    >>> print(write_comment("satlife parent 'x = 3, y = 1\n3o!'"))
    #C satlife parent 'x = 3, y = 1\n3o!'
    """
    visible = make_visible(text)
    starts = range(0, max(1, len(visible)), LONGEST_COMMENT)
    return "\n".join(f"#{letter} {visible[start : start + LONGEST_COMMENT]}" for start in starts)


def _encode(states: Cells, letters: Mapping[int, str]) -> list[str]:
    """Return the runs, with their counts: tokens that a line break must not split."""
    tokens: list[str] = []
    ended = 0  # rows that have ended since the last run was written
    for row in states:
        edges = (
            np.flatnonzero(np.diff(row, prepend=row[:1] ^ 1)) if row.any() else np.array([], int)
        )
        lengths = np.diff(edges, append=len(row))
        for start, length in zip(edges.tolist(), lengths.tolist(), strict=True):
            state = int(row[start])
            if state == DEAD and start + length == len(row):
                continue  # dead cells at the end of a row are not written
            if ended:
                tokens.append(f"{ended}$" if ended > 1 else "$")
                ended = 0
            tokens.append(f"{length}{letters[state]}" if length > 1 else letters[state])
        ended += 1
    return [*tokens, "!"]


def draw(raster: Raster) -> str:
    """Write the place and the phase if they are not 0, the header, and the runs."""
    grid = f":{raster.torus}" if raster.torus else ""
    signs = _SIGNS if raster.rule.states > 2 else "bo"
    return _write(raster, f"{raster.rule}{grid}", signs)


def draw_history(raster: Raster) -> str:
    """Write the states of LifeHistory, or of another rule with a history.

    >>> print(draw_history(Raster(np.array([[1, 2]]))))
    x = 2, y = 1, rule = LifeHistory
    AB!
    """
    return _write(raster, f"{'Life' if raster.rule == LIFE else raster.rule}History", _SIGNS)


def _write(raster: Raster, rule: str, signs: Sequence[str]) -> str:
    height, width = raster.states.shape
    place = f" Pos={raster.x},{raster.y}" if (raster.x, raster.y) != (0, 0) else ""
    generation = f" Gen={raster.phase}" if raster.phase else ""
    lines = [f"#CXRLE{place}{generation}"] if place or generation else []
    lines += [f"x = {width}, y = {height}, rule = {rule}", ""]
    for token in _encode(raster.states, {**dict(enumerate(signs)), UNKNOWN: "?"}):
        if len(lines[-1]) + len(token) > LINE_LENGTH:
            lines.append("")
        lines[-1] += token
    return "\n".join(lines)


RLE: Final = Format(
    name="rle",
    title="RLE",
    suffixes=(".rle",),
    keeps_position=True,
    keeps_rule=True,
    keeps_unknown=True,
    keeps_states=True,
    detect=detect,
    parse=parse,
    draw=draw,
    is_pasted=True,
    keeps_torus=True,
    describe_loss=describe_loss,
)
