"""Scenes: the generations of one pattern, with a caption; every picture is of scenes.

A scene is made of a pattern, of a partial one, or of arrays of states. Other values that can be
shown have a method ``scene()``. A scene knows nothing of pixels and files.

>>> scene = Scene.of(Pattern.from_rle("bo$2bo$3o!"))
>>> len(scene.frames), scene.loop, scene.caption.title
(4, Recurrence(period=4, displacement=(1, 1)), 'glider')
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np

from satlife.errors import UsageError
from satlife.life.box import EMPTY_BOX, Box, look_through
from satlife.life.cells import Cells, freeze
from satlife.life.draw.palette import as_picture, count_states
from satlife.life.identity import Identity, Recurrence, identify
from satlife.life.identity.recurrence import GENERATIONS
from satlife.life.identity.tiles import identify_tile
from satlife.life.partial import PartialPattern
from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE, Rule
from satlife.life.torus import GROWTH, Torus
from satlife.show.caption import Caption, describe_partial, describe_pattern, describe_tile

WORK: Final = 20_000_000
"""Approximate limit on the cells that are computed to identify a pattern."""
PATIENCE: Final = 2.0
"""Limit on the seconds that this may take."""
LONGEST: Final = 240
"""By default, generations that are shown at most of a pattern that does not recur."""
TILED: Final = 16
"""Cells that copies of a torus fill at least, in each direction."""
MOST: Final = 10_000
"""The limit on the generations of a scene."""


@dataclass(frozen=True, eq=False)
class Frame:
    """The states of one generation's cells, indexed [y, x], at their place on the plane."""

    cells: Cells
    box: Box

    @classmethod
    def of(cls, pattern: Pattern) -> Frame:
        """Take a pattern's cells."""
        return cls(pattern.cells, pattern.box)

    @classmethod
    def at_origin(cls, cells: Cells) -> Frame:
        """Take an array of states, whose top left is the cell (0, 0)."""
        return cls(cells, Box(0, 0, cells.shape[1], cells.shape[0]))

    def see(self, box: Box) -> Cells:
        """Return the states of a box's cells; outside of the frame they are dead."""
        return look_through(box, self.cells, self.box)


@runtime_checkable
class HasScene(Protocol):
    """A value that can be shown, such as a finding."""

    def scene(self) -> Scene:
        """Return it as a scene."""


@dataclass(frozen=True, eq=False)
class Scene:
    """Generations in their order, with a caption."""

    frames: tuple[Frame, ...] = field(repr=False)
    caption: Caption = field(default_factory=Caption)
    rule: Rule = LIFE
    loop: Recurrence | None = None
    """If it recurs: the period, and how far it moves. The frames then are its phases."""
    simulated: bool = False
    """Whether each frame follows from the one before by the rule, on the unbounded plane."""
    phase: int = 0
    """The index of the rule's phase of the first frame; see :attr:`satlife.life.Rule.phases`."""
    margin: int = 1
    """The width of the dead border in the picture; 0 around a part of a full plane."""

    def __post_init__(self) -> None:
        if not self.frames:
            raise UsageError("a scene needs at least one generation")

    @classmethod
    def of(cls, what: Showable, *, generations: int | None = None, name: str = "") -> Scene:
        """Make a scene of a pattern, a partial pattern, arrays of states, or a finding.

        Without ``generations`` a pattern is shown for one period; one that does not recur, until
        its fate is clear.
        """
        if isinstance(what, Scene):
            return what.cut(generations)
        if isinstance(what, Pattern):
            return _follow(what, generations, name)
        if isinstance(what, PartialPattern) and what.torus and what.is_complete:
            return _follow_tile(what, what.torus, generations, name)
        if isinstance(what, PartialPattern):
            frames = tuple(Frame(cells, what.box) for cells in what.states)
            return cls(frames, describe_partial(what, name), what.rule).cut(generations)
        if isinstance(what, HasScene):
            return what.scene().cut(generations)
        return _of_arrays(what, name).cut(generations)

    def cut(self, generations: int | None) -> Self:
        """Keep the first generations only."""
        if generations is None or generations >= len(self.frames):
            return self
        if generations < 1:
            raise UsageError(f"a scene shows at least 1 generation, got {generations}")
        return replace(self, frames=self.frames[:generations], loop=None)

    def entitle(self, caption: Caption) -> Self:
        """Return the same scene with another caption."""
        return replace(self, caption=caption)

    @cached_property
    def box(self) -> Box:
        """The least box that holds all frames."""
        return join_boxes(frame.box for frame in self.frames)

    @cached_property
    def states(self) -> int:
        """The number of states of its cells, not counting unknown and don't care."""
        return max(self.rule.states, *(count_states(frame.cells) for frame in self.frames))

    @property
    def is_moving(self) -> bool:
        """Whether it is a spaceship, which a camera can follow."""
        return self.loop is not None and self.loop.is_moving

    @property
    def pattern(self) -> Pattern | None:
        """The first generation as a pattern, if all of its cells are dead or alive."""
        first = self.frames[0]
        if (first.cells >= self.rule.states).any():
            return None
        return Pattern(first.cells, first.box.x, first.box.y, self.rule, self.phase)


Showable: TypeAlias = Scene | Pattern | PartialPattern | HasScene | Cells | Sequence[Cells]


def join_boxes(boxes: Iterable[Box]) -> Box:
    """Return the least box that holds all of them."""
    joined = EMPTY_BOX
    for box in boxes:
        joined |= box
    return joined


def _follow(pattern: Pattern, generations: int | None, name: str) -> Scene:
    if generations is not None and not 1 <= generations <= MOST:
        raise UsageError(f"a scene shows 1 to {MOST} generations, got {generations}")
    # A large pattern is not followed for as long as a small one: it would take minutes.
    area = max(1, pattern.box.grow(2).area)
    limit = max(2, min(GENERATIONS, WORK // area))
    identity = identify(pattern, generations=limit, seconds=PATIENCE)
    count = generations or _choose_length(identity)
    loop = identity.recurrence
    frames, now = [Frame.of(pattern)], pattern
    while len(frames) < count:
        now = now[1]
        frames.append(Frame.of(now))
    whole = loop is not None and count == loop.period
    caption = describe_pattern(pattern, identity, name)
    return Scene(
        tuple(frames),
        caption,
        pattern.rule,
        loop if whole else None,
        simulated=True,
        phase=pattern.phase,
    )


def _follow_tile(tile: PartialPattern, torus: Torus, generations: int | None, name: str) -> Scene:
    """Return the copies of a tile that fill a part of the plane, for one period."""
    identity = identify_tile(tile, generations=LONGEST, seconds=PATIENCE)
    cells, x, y = tile.states[0], 0, 0
    frames = []
    for _ in range(min(MOST, generations or identity.period or LONGEST)):
        plane = torus.tile(cells, TILED)
        frames.append(Frame(plane, Box(x, y, plane.shape[1], plane.shape[0])))
        cells = torus.step(cells, tile.rule)
        x, y = x - GROWTH * (not torus.width), y - GROWTH * (not torus.height)
    caption = describe_tile(identity, name)
    return Scene(tuple(frames), caption, tile.rule, margin=int(not torus.is_closed))


def _choose_length(identity: Identity) -> int:
    """Return how many generations to show by default."""
    if identity.recurrence is not None:
        return min(identity.recurrence.period, MOST)
    if identity.growth is not None and identity.period is not None:
        return max(identity.period, min(LONGEST, 4 * identity.period))
    if identity.lifespan is None:
        return LONGEST
    settled = identity.settlement.period if identity.settlement else 1
    return min(LONGEST, identity.lifespan + settled)


def _of_arrays(what: Any, name: str) -> Scene:
    arrays = [what] if isinstance(what, np.ndarray) and what.ndim == 2 else what
    is_several = isinstance(arrays, np.ndarray | list | tuple)
    if not is_several or not all(isinstance(each, np.ndarray) for each in arrays):
        kind = type(what).__name__
        raise UsageError(f"cannot draw a {kind}; give a pattern, a finding or arrays of states")
    cells = [freeze(as_picture(each)) for each in arrays]
    frames = tuple(Frame(each, Box(0, 0, each.shape[1], each.shape[0])) for each in cells)
    return Scene(frames, Caption(name))
