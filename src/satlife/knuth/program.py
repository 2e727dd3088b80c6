"""What a sat-life program is: a name, parameters, and the parts it prints.

A :class:`Program` is a definition; it neither prints nor reads.  ``parts(...)`` yields the text in
order.  A step of Life is written with the time codes ``a`` and ``b``; printed for time t it is the
same text with these two letters replaced, which is why all steps but the first cost almost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satlife.errors import UsageError
from satlife.knuth.transition import Board, Cell, transition
from satlife.knuth.xty import LONGEST_NAME, TIME_CODES, time_code

if TYPE_CHECKING:
    from satlife.sat import Formula


@dataclass(frozen=True)
class Clauses:
    """Lines of clauses as they stand, with the reason why they are there."""

    origin: str
    text: str

    def encode(self) -> bytes:
        """Return the bytes that are printed."""
        return self.text.encode("ascii")


@dataclass(frozen=True)
class Step:
    """The clauses of one step; the codes a and b in the text mean the times now and then."""

    text: bytes
    now: int
    then: int

    origin = "transition"

    def encode(self) -> bytes:
        """Return the bytes that are printed, by translating two letters."""
        codes = f"{time_code(self.now)}{time_code(self.then)}".encode("ascii")
        return self.text.translate(bytes.maketrans(b"ab", codes))


Part = Clauses | Step

LARGEST_BOARD = 50
"""The original's limit for rows and columns; ours are larger, at the price of long names."""


def has_long_name(literals: Iterable[str | bytes]) -> bool:
    """Tell whether a name has more characters than Knuth's solvers take."""
    # Every name of a step also occurs with a sign.
    return max(map(len, literals), default=0) > LONGEST_NAME + len("~")


@dataclass(frozen=True)
class Parameter:
    """A number on the command line."""

    name: str
    meaning: str
    least: int = 1


@dataclass(frozen=True)
class Refusal:
    """The original program's exit code and words for arguments that it does not take."""

    code: int
    message: str


def _takes_all(*_arguments: int) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Program:
    """A program of the sat-life family."""

    name: str
    parameters: tuple[Parameter, ...]
    summary: str
    description: str
    example: tuple[int, ...]
    parts: Callable[..., Iterator[Part]]
    """Called with the numbers (and, where ``reads_pattern``, the live cells) as arguments."""
    refuses: Callable[..., Refusal | None] = _takes_all
    """What the original refuses, after the usage check."""
    check: Callable[..., str | None] = _takes_all
    """What makes no sense though the original takes it: one sentence, or None."""
    last_time: Callable[..., int]
    """The latest time that is named; Knuth has codes up to 83."""
    reads_pattern: bool = False
    has_edges: bool = True
    """Whether a board of a single row or column leaves cells free that should be dead."""

    @property
    def usage(self) -> str:
        """The arguments, as the original's usage line shows them."""
        return " ".join(parameter.name for parameter in self.parameters)

    def __call__(self, *arguments: int, cells: Iterable[Cell] = ()) -> Formula:
        """Return the formula with its names; senseless arguments raise a ``UsageError``.

        ``cells`` are the (row, column) pairs of the pattern, for the program that reads one.
        """
        # NumPy is needed here and not for printing; the drop-in scripts start without it.
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
        """Return the comment line with which the output starts (sat-life has none)."""
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
        """Say what is wrong with the original's clauses for these arguments, if anything is."""
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


def steps(
    board: Board, count: int, *, cage: str = "", cages: int, period: int = 0
) -> Iterator[Step]:
    """Yield the steps from time 0 to time ``count``, the first ``cages`` of them caged.

    With a period the times wrap around.
    """
    if count <= 0:
        return
    lines = list(transition(board, cage))
    caged = "".join([line.text for line in lines]).encode("ascii")
    open_ = "".join([line.text for line in lines if not line.cage]).encode("ascii")
    for t in range(count):
        then = (t + 1) % period if period else t + 1
        yield Step(caged if t < cages else open_, t, then)
