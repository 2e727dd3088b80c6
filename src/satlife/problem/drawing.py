"""Solutions as rows of ``o`` and ``.``: how certificates, ledgers and messages write them down.

>>> draw_states(np.array([[0, 1], [1, 1]], np.uint8))
('.o', 'oo')
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from satlife.errors import FormatError
from satlife.problem.outcome import Finding
from satlife.problem.problem import Problem
from satlife.problem.rules import LETTERS, find_states, shows_dying
from satlife.quantities import write_count

Drawing = tuple[str, ...]
"""The rows of a generation's box."""

History = tuple[npt.NDArray[np.uint8], ...]
"""The states of each generation's box."""


def draw(finding: Finding) -> tuple[Drawing, ...]:
    """Draw the generations of a solution."""
    return tuple(draw_states(states) for states in finding.history)


def draw_states(states: npt.NDArray[np.uint8]) -> Drawing:
    """Draw the states of a box."""
    return tuple("".join(LETTERS[state] for state in row) for row in states.tolist())


def read_drawing(rows: Drawing, width: int, height: int, states: int = 2) -> npt.NDArray[np.uint8]:
    """Read the drawing of a box; what does not fit it is a :class:`FormatError`."""
    if len(rows) != height or any(len(row) != width for row in rows):
        raise FormatError(f"the rows do not fill a box of {width}x{height}")
    if not set().union(*rows) <= set(LETTERS[:states]):
        raise FormatError(f"a drawing has other characters than {', '.join(LETTERS[:states])}")
    drawn = np.array([[LETTERS.index(state) for state in row] for row in rows], np.uint8)
    return drawn.reshape(height, width)


def read_history(problem: Problem, drawings: tuple[Drawing, ...]) -> History:
    """Read the drawings of all generations; whether they are a solution is not asked.

    Where the height is open, that of the first one counts.
    """
    if len(drawings) != problem.generations:
        raise FormatError(
            f"{write_count(len(drawings), 'generation')} instead of {problem.generations}"
        )
    if problem.has_open_height:
        if not drawings[0]:
            raise FormatError("the rows of a box are missing")
        problem = problem.with_height(len(drawings[0]))
    first = find_states(problem) if shows_dying(problem) else 2
    boxes = enumerate(zip(drawings, problem.all_boxes, strict=True))
    return tuple(
        read_drawing(rows, box.width, box.height, 2 if t else first) for t, (rows, box) in boxes
    )
