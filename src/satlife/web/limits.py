"""What a browser may ask of this machine."""

from __future__ import annotations

from dataclasses import dataclass, field

from satlife.errors import UsageError
from satlife.machine import count_processors
from satlife.search.problem import Problem


@dataclass(frozen=True, kw_only=True)
class Allowed:
    """The limits of a server; each has a sensible value for one person's machine."""

    cells: int = 60_000
    """Cells of all generations together."""
    generations: int = 300
    body_bytes: int = 262_144
    """Bytes of a request, but for an import."""
    import_bytes: int = 4_000_000
    seconds: float = 3600.0
    """The longest time that a search may ask for."""
    memory_bytes: int = 2 << 30
    """Memory of a solver."""
    proof_bytes: int = 200_000_000
    running: int = field(default_factory=lambda: max(1, count_processors() - 1))
    """Searches that run at the same time."""
    waiting: int = 16
    """Searches that wait in the queue."""
    kept: int = 40
    """Searches that are over and still shown; older ones are in the history only."""
    finds: int = 200
    """Patterns that one search lists."""
    streams: int = 40
    """Connections that listen to events."""
    patience: float = 10.0
    """Seconds for a client to send a request."""

    def check(self, problem: Problem) -> Problem:
        """Return the problem, or raise if it is too large for a page."""
        if problem.generations > self.generations:
            raise UsageError(
                f"{problem.generations} generations are too many here; {self.generations} is the "
                "most. The command line takes more"
            )
        cells = (
            problem.width * problem.generations
            if problem.has_open_height
            else sum(box.area for box in problem.all_boxes)
        )
        if cells > self.cells:
            raise UsageError(
                f"{cells:,} cells are too many here; {self.cells:,} is the most. "
                "The command line takes more"
            )
        return problem
