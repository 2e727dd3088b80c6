"""Completing what is partly known: an object, or a piece of space-time."""

from __future__ import annotations

from typing import Unpack

from satlife.errors import UsageError
from satlife.life import PartialPattern, Pattern, Rule, Symmetry
from satlife.life.motion import Motion
from satlife.search.kinds.common import Bounds, bound_constraints, draw_known
from satlife.search.problem import Known, Link, Movement, Place, Problem, format_placed_box
from satlife.search.problem.constraints import Constraint, FullPeriod, PatternPeriod
from satlife.search.problem.lls_grid import Grid


def complete(
    partial: PartialPattern | Pattern | Grid,
    *,
    motion: str | Motion | None = None,
    symmetry: Symmetry | str = "C1",
    rule: Rule | str | None = None,
    composite: bool = True,
    **bounds: Unpack[Bounds],
) -> Problem:
    """Ask for a pattern that has the known cells; unknown ones (``?``) are free, all else is dead.

    One generation is completed to a still life, or with ``motion`` (p3, c/4) to an oscillator or a
    ship.  Several generations, as in a grid of Logic Life Search, follow each other by the rule.

    >>> from satlife.life import PartialPattern
    >>> complete(PartialPattern.from_rle("2o$o?$b2o!")).motion
    Movement(period=1, dx=0, dy=0, transform='identity')
    """
    links: tuple[Link, ...] = ()
    exempt: tuple[Place, ...] = ()
    if isinstance(partial, Grid):
        links, exempt, rule = partial.links, partial.exempt, rule or "B3/S23"
        partial = partial.pattern
    if isinstance(partial, Pattern):
        partial = PartialPattern.from_pattern(partial)
    if partial.box.is_empty:
        raise UsageError("there is nothing to complete: the pattern has no cells")
    generations = partial.generations
    boxes = (format_placed_box(partial.box),)
    known: tuple[Known, ...] = tuple(draw_known(partial, t) for t in range(generations))
    constraints: tuple[Constraint, ...] = bound_constraints(bounds)
    if generations > 1 and motion is None:
        return Problem(
            kind="complete",
            rule=str(rule or partial.rule),
            boxes=boxes,
            steps=generations - 1,
            symmetry=str(symmetry),
            known=known,
            links=links,
            exempt=exempt,
            constraints=constraints,
        )
    moved = motion if isinstance(motion, Motion) else Motion(motion or "p1")
    if generations > moved.period + 1:
        raise UsageError(f"{generations} generations do not fit into the period {moved.period}")
    if moved.period > 1:
        constraints += (PatternPeriod(),) if composite else (FullPeriod(),)
    return Problem(
        kind="complete",
        rule=str(rule or partial.rule),
        boxes=boxes,
        motion=Movement(period=moved.period, dx=moved.dx, dy=moved.dy),
        symmetry=str(symmetry),
        known=known,
        links=links,
        exempt=exempt,
        constraints=constraints,
    )
