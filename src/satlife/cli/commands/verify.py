"""``satlife verify``: does a pattern solve a problem?"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_
from typing import NoReturn

import click

from satlife.cli import endings
from satlife.cli.endings import say
from satlife.cli.files import read_problem
from satlife.cli.help import Command
from satlife.cli.own import read_source
from satlife.errors import UsageError
from satlife.life import PartialPattern, Pattern, Torus
from satlife.life.catalogue import name_any
from satlife.life.cells import Cells
from satlife.problem import Problem
from satlife.verifier.verify import complaints, pattern_complaints


@click.command(name="verify", cls=Command)
@click.argument("source", metavar="PATTERN")
@click.option("--spec", required=True, metavar="FILE", help="The problem, TOML or JSON.")
def command(source: str, spec: str) -> None:
    """Check by simulation that a pattern solves a problem.

    PATTERN is a file, - for standard input, RLE text, an apgcode, or a name in the catalogue. It is
    generation 0, at its place in the box (RLE: #CXRLE Pos=x,y).  In a box of open height, such as
    15x*, only its column matters; on a torus it is the whole tile (RLE: rule = B3/S23:T4,4).  Exit
    codes: 0 it solves the problem; 1 it does not, with the reason.

    \b
    Examples:
      satlife cnf ship c/3 --box 16x6 --problem -o ship.toml
      satlife verify ship.rle --spec ship.toml
    """
    problem = read_problem(spec)
    pattern = name_any(read_source(source))
    if problem.boundary == "free" or problem.exempt:
        raise UsageError("a problem with a free outside or exempt cells cannot be verified")
    if problem.boundary == "torus":
        _answer(complaints(problem, _run_on_torus(problem, pattern)))
    if not isinstance(pattern, Pattern):
        why = pattern.torus.describe_refusal() if pattern.torus else pattern.describe_unknown()
        raise UsageError(f"{why}; only a whole pattern can be verified")
    if problem.has_open_height:
        _answer(_open_complaints(problem, pattern))
    _answer(pattern_complaints(problem, pattern))


def _answer(complaints: Iterable[str]) -> NoReturn:
    """Print whether a pattern solves the problem, and exit."""
    for complaint in complaints:
        say(f"no: {complaint}")
        sys.exit(endings.IMPOSSIBLE)
    say("yes: it solves the problem")
    sys.exit(endings.FOUND)


def _run_on_torus(problem: Problem, pattern: Pattern | PartialPattern) -> tuple[Cells, ...]:
    """Return the generations of a tile on the torus that the problem asks for."""
    box, (down, right) = problem.all_boxes[0], problem.wrap
    if problem.has_open_rule or (down and right):
        raise UsageError("on a torus a tile is verified in one rule, and with one twist at most")
    torus = Torus(box.width, box.height, down, right)
    if isinstance(pattern, Pattern) or not _is_whole_of(torus, pattern):
        raise UsageError(
            f"the problem is on a torus: give its whole tile, with ':{torus}' after the rule"
        )
    if not pattern.is_complete:
        raise UsageError(f"{pattern.describe_unknown()}; only a whole tile can be verified")
    history = [pattern.states[0]]
    for _ in problem.all_boxes[1:]:
        history.append(torus.step(history[-1], problem.parsed.rule))
    return tuple(history)


def _is_whole_of(torus: Torus, tile: PartialPattern) -> bool:
    """Whether a tile fills the torus; a tube closes there by its belt of dead cells."""
    given = tile.torus
    if given is None or (tile.box.width, tile.box.height) != (torus.width, torus.height):
        return False
    if not given.is_closed:
        return not (torus.down or torus.right)
    twist = (given.down % torus.height, given.right % torus.width)
    return twist == (torus.down, torus.right)


def _open_complaints(problem: Problem, pattern: Pattern) -> Iterator[str]:
    """Yield why a pattern does not solve a problem of any height."""
    run = pattern if problem.has_open_rule else pattern.with_rule(problem.rule)
    generations = [run[t] for t in range(problem.generations)]
    frame = reduce(or_, (each.box for each in generations))
    top, left = frame.y, frame.x if problem.has_slanted_width else 0
    height = max(frame.height, frame.width if problem.has_slanted_width else 1, 1)
    if problem.known:  # they count rows from the top of the box
        top, height = 0, max(1, frame.bottom)
    closed, pattern = problem.with_height(height), pattern.shift(-left, -top)
    yield from pattern_complaints(closed, pattern)
    if problem.has_slanted_width:
        seen = closed.all_boxes[0].shift(left, top)
        yield from complaints(problem, tuple(each.in_box(seen) for each in generations))
