"""Every exception that satlife raises on purpose.

``SatlifeError`` is the root, so that one ``except`` catches them all::

    SatlifeError
    ├── UsageError            a value that a person gave is wrong (command line: exit 2)
    │   ├── RuleError         not a rule, or one that is not supported
    │   ├── FormatError       a file that cannot be read; knows its line and column
    │   └── SolverError       no such solver, or it cannot do what was asked
    └── InternalError         satlife itself is wrong (command line: exit 4)

"No such pattern exists" and "gave up" are answers, not errors: see
``satlife.sat.Refuted`` and ``satlife.sat.Undecided``.
"""

from __future__ import annotations


class SatlifeError(Exception):
    """The root of all of satlife's exceptions."""


class UsageError(SatlifeError, ValueError):
    """A value that a person gave is wrong; the message says what would be right."""


class RuleError(UsageError):
    """Not a rule, or a rule that is not supported (yet)."""


class FormatError(UsageError):
    """A text that is not in the format it should be in.

    >>> str(FormatError("a run of 12 cells does not fit", line=3, column=7))
    'line 3, column 7: a run of 12 cells does not fit'
    """

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        self.message = message
        self.line = line
        self.column = column
        where = {"line": line, "column": column}
        places = [f"{name} {number}" for name, number in where.items() if number is not None]
        super().__init__(f"{', '.join(places)}: {message}" if places else message)

    def moved(self, lines: int) -> FormatError:
        """Return the same error with its line moved down, for a text inside another."""
        line = None if self.line is None else self.line + lines
        return FormatError(self.message, line=line, column=self.column)


class SolverError(UsageError):
    """No such solver, or a solver that cannot do what was asked of it."""


class InternalError(SatlifeError):
    """satlife itself is wrong: a model that fails verification, two solvers that disagree."""
