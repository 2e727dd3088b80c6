"""The drop-in scripts: Knuth's programs, with his arguments, messages and exit codes.

They need neither NumPy nor click, so that they start as fast as Python does.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import BinaryIO, NoReturn

from satlife.cli.endings import ending, say, signals_as_interrupts
from satlife.errors import FormatError, UsageError
from satlife.knuth import Program, draw_solutions, find_program

USAGE, TIME, ROWS, COLUMNS, CHARACTER = 255, 254, 253, 252, 251
LARGEST_PATTERN = 50

_LARGEST_INT = 2**31 - 1

_NUMBER = re.compile(r"[ \t\n\v\f\r]*([+-]?\d+)", re.ASCII)


def run(name: str) -> None:
    """Run the original's task with the arguments of the command line."""
    with signals_as_interrupts(), ending(name):
        program = find_program(name)
        arguments = _arguments(program)
        try:
            if refusal := program.refuses(*arguments):
                say(refusal.message)
                sys.exit(refusal.code)
            cells = read_pattern(sys.stdin.buffer) if program.reads_pattern else []
            pieces = program.text(*arguments, cells=cells, on_long_name=warn_of_long_names)
        except UsageError as error:
            say(str(error))
            sys.exit(TIME)
        write_pieces(pieces, sys.stdout.buffer)


def write_pieces(pieces: Iterable[bytes], file: BinaryIO) -> None:
    """Write piece by piece: no more than one step is held at a time."""
    for piece in pieces:
        file.write(piece)
    file.flush()


def warn_of_long_names() -> None:
    """Warn that Knuth's own solvers will not read the output."""
    say("Warning: some names have more than 8 characters; Knuth's solvers refuse them.")


def _arguments(program: Program) -> tuple[int, ...]:
    """Read numbers as sscanf's %d does: the numeric prefix counts."""
    given = sys.argv[1:]
    numbers = [match[1] for match in map(_NUMBER.match, given) if match]
    if len(given) != len(program.parameters) or len(numbers) != len(given):
        say(f"Usage: {sys.argv[0]} {program.usage}")
        sys.exit(USAGE)
    # Like any number that is too large, one beyond a C int is refused by the program.
    return tuple(int(number) if len(number) < 10 else _LARGEST_INT for number in numbers)


def read_pattern(file: BinaryIO) -> list[tuple[int, int]]:
    """Read rows of ``*`` and ``.``, with the original's limits, messages and exit codes."""
    cells = []
    for x, line in enumerate(file, 1):
        if x > LARGEST_PATTERN:
            _refuse(ROWS, f"Sorry, the pattern should have at most {LARGEST_PATTERN} rows!")
        for y, byte in enumerate(line.removesuffix(b"\n").removesuffix(b"\r"), 1):
            if y > LARGEST_PATTERN:
                text = f"Sorry, the pattern should have at most {LARGEST_PATTERN} columns!"
                _refuse(COLUMNS, text)
            if byte == ord("*"):
                cells.append((x, y))
            elif byte != ord("."):
                sys.stderr.flush()
                sys.stderr.buffer.write(b"Unexpected character `%c' found in the pattern!\n" % byte)
                sys.stderr.buffer.flush()
                sys.exit(CHARACTER)
    return cells


def _refuse(code: int, message: str) -> NoReturn:
    say(message)
    sys.exit(code)


def run_filter() -> None:
    """Draw solutions."""
    with signals_as_interrupts(), ending("sat-life-filter"):
        lines = (line.decode("latin-1") for line in sys.stdin.buffer)
        try:
            for picture in draw_solutions(lines):
                sys.stdout.write(picture)
        except FormatError as error:
            sys.stdout.flush()
            _refuse(TIME, str(error))
