"""The interface of sat-life programs: a name, parameters, and the parts of the output.

A :class:`Program` is a definition: it neither prints nor reads.  ``parts(...)`` yields the output
in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satlife.errors import UsageError
from satlife.knuth.parts import LONGEST_NAME, TIME_CODES, Part
from satlife.knuth.transition import Cell

if TYPE_CHECKING:
    from satlife.sat import Formula


LARGEST_BOARD = 50
"""The limit of the originals for rows and columns; ours may be larger, with longer names."""


def has_long_name(literals: Iterable[str | bytes]) -> bool:
    """Whether a name has more characters than Knuth's solvers accept."""
    # Every name of a step also occurs with a sign.
    return max(map(len, literals), default=0) > LONGEST_NAME + len("~")


@dataclass(frozen=True)
class Argument:
    """A number on the command line."""

    name: str
    meaning: str
    least: int = 1


@dataclass(frozen=True)
class Refusal:
    """The original program's exit code and message for arguments that it refuses."""

    code: int
    message: str


def _takes_all(*_arguments: int) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Program:
    """A program of the sat-life family."""

    name: str
    parameters: tuple[Argument, ...]
    summary: str
    description: str
    example: tuple[int, ...]
    parts: Callable[..., Iterator[Part]]
    """Called with the numbers as arguments, and with the live cells if ``reads_pattern``."""
    refuses: Callable[..., Refusal | None] = _takes_all
    """Arguments that the original refuses, after it has checked their number."""
    check: Callable[..., str | None] = _takes_all
    """Why arguments that the original accepts make no sense: one sentence, or None."""
    last_time: Callable[..., int]
    """The latest time that has a name; Knuth has codes up to 83."""
    reads_pattern: bool = False
    has_edges: bool = True
    """Whether a board of one row or column leaves cells free that should be dead."""

    @property
    def usage(self) -> str:
        """The arguments, as the original's usage line shows them."""
        return " ".join(parameter.name for parameter in self.parameters)

    def __call__(self, *arguments: int, cells: Iterable[Cell] = ()) -> Formula:
        """Return the formula with its names; raise UsageError for arguments that make no sense.

        ``cells`` are the (row, column) pairs of the pattern, for the program that reads one.
        """
        # This needs NumPy; the drop-in scripts, which only print, start without it.
        from satlife.knuth.formula import build_formula  # noqa: PLC0415

        self.validate(*arguments)
        header = self.header(*arguments).removeprefix("~ ").rstrip("\n")
        return build_formula(self._parts(arguments, cells), header or self.name)

    def text(
        self,
        *arguments: int,
        cells: Iterable[Cell] = (),
        on_long_name: Callable[[], None] | None = None,
    ) -> Iterator[bytes]:
        """Yield the very bytes of the original's output, in pieces.

        Senseless arguments are taken as the original takes them, but for those it refuses.
        ``on_long_name`` is called once if a name is too long for Knuth's solvers.
        """
        if refusal := self.refuses(*arguments):
            raise UsageError(refusal.message)
        latest = self.last_time(*arguments)
        if latest >= len(TIME_CODES):
            raise UsageError(
                f"The time should be between 0 and {len(TIME_CODES) - 1} (not {latest})!"
            )
        return self._pieces(arguments, cells, on_long_name)

    def header(self, *arguments: int) -> str:
        """Return the comment line at the start of the output (sat-life has none)."""
        if self.reads_pattern:
            return ""
        return f"~ {self.name} {' '.join(map(str, arguments))}\n"

    def validate(self, *arguments: int) -> None:
        """Raise :class:`~satlife.errors.UsageError` unless the arguments make sense."""
        if len(arguments) != len(self.parameters):
            raise UsageError(f"{self.name} takes {self.usage}, got {len(arguments)} arguments")
        for parameter, value in zip(self.parameters, arguments, strict=True):
            if value < parameter.least:
                raise UsageError(
                    f"{self.name}: {parameter.name} is {parameter.meaning}, "
                    f"at least {parameter.least}; got {value}"
                )
        refusal = self.refuses(*arguments)
        if reason := refusal.message if refusal else self.check(*arguments):
            raise UsageError(f"{self.name}: {reason}")

    def caution(self, *arguments: int) -> str | None:
        """Return what is wrong with the original's clauses for these arguments, None if nothing."""
        names = [parameter.name for parameter in self.parameters[:3]]
        if not self.has_edges or names != ["m", "n", "r"]:
            return None
        m, n, r = arguments[:3]
        if min(m, n) > 1 or r < 2:
            return None
        return (
            "on a board of one row or column the original's clauses leave some dead cells free: "
            "a solution may not be a pattern of Life"
        )

    def _pieces(
        self,
        arguments: tuple[int, ...],
        cells: Iterable[Cell],
        on_long_name: Callable[[], None] | None,
    ) -> Iterator[bytes]:
        if header := self.header(*arguments):
            yield header.encode("ascii")
        # Boards of up to two digits each way have no names of nine characters.
        watch = on_long_name if max(arguments, default=0) > LARGEST_BOARD else None
        checked: bytes | str = b""
        for part in self._parts(arguments, cells):
            if watch and part.text is not checked:
                checked = part.text
                if has_long_name(checked.split()):
                    watch()
                    watch = None
            yield part.encode()

    def _parts(self, arguments: tuple[int, ...], cells: Iterable[Cell]) -> Iterator[Part]:
        return self.parts(*arguments, cells) if self.reads_pattern else self.parts(*arguments)
