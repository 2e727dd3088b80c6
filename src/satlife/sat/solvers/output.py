r"""What a DIMACS program prints, and what that means.

>>> output = Output(Dialect(), variables=2)
>>> for line in (b"s SATISFIABLE\n", b"v 1 -2 0\n"):
...     output.take(line)
>>> output.answer(10, "", Limits()).model
<Model: 1 of 2 variables true>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from satlife.sat.answer import Answer, Model, Reason, Refuted, Satisfied, Undecided
from satlife.sat.files.tokens import TokenError, parse_integers
from satlife.sat.formula import IntArray
from satlife.sat.solver import Limits
from satlife.sat.solvers.dialect import Dialect
from satlife.sat.solvers.held import describe_exit
from satlife.sat.solvers.memory import ran_out

_STATISTIC = re.compile(rb"c (conflicts|decisions|propagations|restarts): +([0-9]+)\s")
_CHUNK = 1 << 21
"""Bytes of a model parsed at once."""
_SPARE = 1 << 26
"""Bytes that a model may take beyond 32 for each variable."""


class Output:
    """Collects what a program prints, line by line."""

    def __init__(self, dialect: Dialect, variables: int) -> None:
        self.statistics: dict[str, int] = {}
        self._progress_word = dialect.conflicts_word
        self._variables = variables
        self._room = _SPARE + 32 * variables
        self._values: list[bytes] = []
        self._status = self._remark = ""
        self._kind, self._line_ended = b"", True

    def take(self, piece: bytes) -> int | str | None:
        """Take a line, or a piece of a long one; return the conflicts so far, or what is wrong."""
        fresh, self._line_ended = self._line_ended, piece.endswith(b"\n")
        if fresh:
            self._kind = piece[:1] if piece[1:2] in b" \t\r\n" else b""
        if self._kind == b"v":
            self._values.append(piece[1:] if fresh else piece)
            self._room -= len(piece)
            return "it prints more than a model" if self._room < 0 else None
        if self._kind == b"c":
            return self._take_comment(piece) if fresh and self._progress_word else None
        words = piece[:200].decode("utf-8", "replace").strip()
        if self._kind == b"s" and fresh:
            if self._status not in ("", words[1:].strip()):
                return f"it says both {self._status} and {words[1:].strip()}"
            self._status = words[1:].strip()
        elif words:
            self._remark = words
        return None

    def _take_comment(self, line: bytes) -> int | None:
        if match := _STATISTIC.match(line):
            self.statistics[match[1].decode()] = int(match[2])
        elif line[2:3].strip() and line[3:4] == b" ":
            words = line.split(None, 10)
            if len(words) > 10 and words[2].replace(b".", b"").isdigit():
                number = words[self._progress_word or 0]
                return int(number) if number.isdigit() else None
        return None

    def answer(self, code: int | None, complaints: str, limits: Limits) -> Answer:
        """Return the answer, from the ``s`` and ``v`` lines, the exit code and the complaints."""
        how = "still running" if code is None else describe_exit(code)
        last = complaints.splitlines()[-1][:200] if complaints else self._remark
        epitaph = f"{how}: {last}" if last else how
        proper = {"SATISFIABLE": 10, "UNSATISFIABLE": 20, "UNKNOWN": 0, "INDETERMINATE": 15}
        limited = limits.memory_bytes is not None and code not in proper.values()
        if limited and ran_out(how, complaints):
            return Undecided(Reason.MEMORY_LIMIT)
        if not self._status:
            gave_up = Reason.GAVE_UP if code == 0 else Reason.DIED
            return Undecided(gave_up, f"it printed no answer; {epitaph}")
        # Launchers often exit with 0 whatever the solver said; that contradicts nothing.
        if self._status not in proper or code not in (proper[self._status], 0, None):
            return Undecided(Reason.DIED, f"it says {self._status}; {epitaph}")
        if self._status == "SATISFIABLE":
            return self._model()
        if self._status == "UNSATISFIABLE":
            return Refuted()
        return Undecided(Reason.GAVE_UP if limits.conflicts is None else Reason.CONFLICT_LIMIT)

    def _model(self) -> Answer:
        if not self._values:
            return Undecided(Reason.GAVE_UP, "it says SATISFIABLE but prints no model")
        try:
            literals = np.concatenate([*_integers(b"".join(self._values)), np.zeros(0, np.int32)])
        except TokenError as error:
            return Undecided(Reason.DIED, f"its model cannot be read: {error}")
        if np.count_nonzero(literals == 0) != 1 or literals[-1] != 0:
            return Undecided(Reason.DIED, "its model does not end with a 0")
        model = Model.from_literals(literals, self._variables)
        false = -literals[(literals < 0) & (literals >= -self._variables)]
        if model.truth[false].any():
            return Undecided(Reason.DIED, "a variable of its model is both true and false")
        return Satisfied(model)


def _integers(text: bytes) -> Iterator[IntArray]:
    """Yield the numbers of a text, piece by piece."""
    start = 0
    while start < len(text):
        stop = start + _CHUNK
        while stop < len(text) and not text[stop : stop + 1].isspace():
            stop += 1
        yield parse_integers(text[start:stop]).values
        start = stop
