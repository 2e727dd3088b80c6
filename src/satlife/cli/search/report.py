"""Output of answers: their text, their destination, and the exit code."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from satlife import life, show
from satlife.cli import endings
from satlife.cli.endings import complain, one_line, say
from satlife.cli.printing import encode_record, print_bytes, print_text
from satlife.cli.start import CLOSED
from satlife.engine.rows.engine import write_partials
from satlife.errors import UsageError
from satlife.problem import Problem
from satlife.problem.outcome import Finding, Found, Outcome, Undecided, find_facing
from satlife.problem.reaction import find_restored
from satlife.problem.words import join_command
from satlife.records import answers_yes, describe_outcome, make_record, write_rle

FOREIGN = {".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff", ".pdf", ".mp4", ".webm"}
"""Formats of pictures that satlife does not draw; files with other suffixes get RLE."""
MOST_DRAWN = 100
"""Maximum number of findings on a contact sheet."""


Advise = Callable[[str], tuple[str, str]]
"""Returns the next command to try, and its purpose, after a search that ended for a reason."""


@dataclass
class Output:
    """The destination of answers, and the amount of messages."""

    as_json: bool
    quiet: bool
    file: str
    direction: str | None = None
    """The direction into which ships are turned."""
    begun: bool = False
    picture: str | None = None
    """A picture that is written at the end; the patterns then go to standard output."""
    found: list[Finding] = field(default_factory=list)
    """The findings to draw on the picture."""
    failed: bool = False
    """Whether the file could not be written, so that the result went to standard output."""
    advise: Advise = lambda reason: ("", "")

    def __post_init__(self) -> None:
        if self.file == "-":
            return
        if show.is_picture(self.file):
            self.picture, self.file = self.file, "-"

    @property
    def silent(self) -> bool:
        """Whether no progress is shown while a search runs."""
        return self.quiet or self.as_json

    def check(self) -> None:
        """Raise before a long search if its result could not be written."""
        if self.file == "-" and "standard output" in CLOSED:
            raise UsageError("standard output is closed")
        if Path(self.file).suffix.lower() in FOREIGN:
            raise UsageError(f"'{self.file}': a picture is .svg, .png, .gif or .html")
        for name in {self.file, self.picture} - {"-", None}:
            check_writable(str(name))

    @property
    def is_seen(self) -> bool:
        """Whether the result appears on a terminal, beside the messages."""
        return self.file == "-" and sys.stdout.isatty() and sys.stderr.isatty()

    def accept(self, problem: Problem) -> Problem:
        """Return the problem; raise if its ships cannot be turned into the direction."""
        if self.direction is not None:
            find_facing(problem, self.direction)
        return problem

    def turn(self, finding: Finding) -> Finding:
        """Return a ship turned into the direction, if one is wanted."""
        return finding if self.direction is None else finding.facing(self.direction)

    def keep(self, finding: Finding) -> None:
        """Keep a finding for the picture; first, since standard output may be gone."""
        if self.picture is not None and len(self.found) < MOST_DRAWN:
            self.found.append(finding)

    def show(self, finding: Finding) -> None:
        """Draw a finding on a terminal."""
        if not (self.quiet or self.as_json) and sys.stderr.isatty():
            picture = draw_for_terminal(finding)
            if picture:
                say(picture)

    @contextmanager
    def finishing(self) -> Iterator[None]:
        """Draw all finds at the end, even after Ctrl-C; exit as for wrong use if a file failed."""
        try:
            yield
        except SystemExit:
            if self.failed:
                sys.exit(endings.USAGE)
            raise
        finally:
            self.write_picture()

    def write_picture(self) -> None:
        """Write the picture, if one is wanted and there is something to draw."""
        if self.picture is None:
            return
        if not self.found:
            self.say(f"nothing was found, so {self.picture} is not written")
            return
        show.save(self.found, self.picture)

    def write(self, text: str | bytes) -> None:
        """Write a piece of the result; the second piece is appended to the first."""
        if self.file == "-":
            if isinstance(text, bytes):
                print_bytes(text)
            else:
                print_text(text)
            return
        try:
            with Path(self.file).open("ab" if self.begun else "wb") as file:
                file.write(text if isinstance(text, bytes) else text.encode())
        except OSError as error:
            why = one_line(error.strerror or str(error))
            complain(f"satlife: {self.file}: {why}; the result goes to standard output instead")
            self.file, self.failed = "-", True
            self.write(text)
        self.begun = True

    def write_json(self, record: dict[str, Any]) -> None:
        """Write a record as one line."""
        self.write(encode_record(record))

    def say_next(self, command: str, why: str) -> None:
        """Write the next command to try, if there is one, as the last line."""
        if command:
            self.say(f"next ({why}): {command}")

    def say(self, message: str) -> None:
        """Write a line on standard error, unless only the result is wanted."""
        if not (self.quiet or self.as_json):
            say(message)


def check_writable(name: str) -> None:
    """Raise before a long search if a file could not be written at its end."""
    path = Path(name)
    if path.is_dir():
        raise UsageError(f"{name} is a folder; name a file in it")
    if not path.parent.is_dir():
        raise UsageError(f"{name} cannot be written: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UsageError(f"{name} cannot be written")


def exit_code(outcome: Outcome) -> int:
    """Return the exit code of an answer: yes, no or undecided."""
    codes = {True: endings.FOUND, False: endings.IMPOSSIBLE, None: endings.UNDECIDED}
    return codes[answers_yes(outcome)]


def print_outcome(
    outcome: Outcome, output: Output, note: str = "", more: Mapping[str, Any] = {}
) -> None:
    """Print an answer: the result to the output, a message to standard error.

    Further information is a ``note`` in the message, and ``more`` in the JSON record.
    """
    command, why = output.advise(outcome.reason) if isinstance(outcome, Undecided) else ("", "")
    if isinstance(outcome, Found):
        outcome = Found(output.turn(outcome.finding))
        output.keep(outcome.finding)
    if output.as_json:
        advice = {"advice": command} if command else {}
        output.write_json({**make_record(outcome), **more, **advice})
    if isinstance(outcome, Found):
        print_rle(outcome.finding, output)
    elif not output.as_json and (left := write_partials(outcome)):
        output.write(left)
    output.say(describe_outcome(outcome))
    if note:
        output.say(note)
    output.say_next(command, why)


def print_rle(finding: Finding, output: Output) -> None:
    """Print a pattern with its comments, unless it is in a JSON record, and show it."""
    if not output.as_json:
        output.write(write_rle(finding, command_line()))
    output.show(finding)


def draw_for_terminal(finding: Finding) -> str:
    """Draw generation 0 in half blocks; return an empty text if it has no room."""
    first = finding.scene().frames[0]
    picture = life.draw_text(first.see(first.box))
    size = shutil.get_terminal_size()
    lines = picture.split("\n")
    fits = max(map(len, lines)) <= size.columns and len(lines) <= max(10, size.lines - 4)
    marks = "\n▓▓ alive only here, ▒▒ alive only in the pattern" if finding.differences else ""
    marks = "\n▓▓ the catalyst" if find_restored(finding.problem) else marks
    return picture + marks if fits else ""


def command_line() -> str:
    """Return the command as it was typed."""
    return join_command(["satlife", *sys.argv[1:]])
