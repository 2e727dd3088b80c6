"""Drawings as questions: where the input is, where a catalyst may be, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from satlife.errors import UsageError

if TYPE_CHECKING:
    from satlife.life import Pattern

    Cells = frozenset[tuple[int, int]]

STATES: Final = "0=dead,1=active,2=region,3=alive,4=dead,5=kept"
"""What the states of LifeHistory mean in a drawing, unless others are given."""
MEANINGS: Final = {
    "active": "the input",
    "region": "where the catalyst may be",
    "alive": "its live cells",
    "kept": "those that never die",
    "dead": "not its cells, whatever happens there",
}


@dataclass(frozen=True)
class Drawing:
    r"""What is known of a catalyst before it is searched for.

    >>> drawing = Drawing.parse("x = 5, y = 2, rule = LifeHistory\nA2.2B$A2.CB!")
    >>> sorted(drawing.active.coordinates.tolist()), drawing.alive
    ([[0, 0], [0, 1]], frozenset({(3, 1)}))
    """

    active: Pattern
    """The input in generation 0."""
    region: Cells
    """Where the catalyst may be."""
    alive: Cells = frozenset()
    """Live cells of the catalyst; they may die, and are alive again when it is restored."""
    kept: Cells = frozenset()
    """Live cells of the catalyst that never die."""

    @property
    def living(self) -> Cells:
        """All cells that the catalyst is known to have."""
        return self.alive | self.kept

    @property
    def places(self) -> Cells:
        """All cells that it may have; elsewhere it is dead."""
        return self.region | self.living

    @classmethod
    def parse(cls, text: str, states: str = STATES) -> Drawing:
        """Read a drawing in LifeHistory; ``states`` such as ``3=region,6=dead`` change meanings."""
        from satlife.life import Pattern
        from satlife.life.formats import read_marks

        raster, meanings = read_marks(text), read_states(states)
        if not raster.is_complete:
            raise UsageError(f"{raster.describe_unknown()}; the region has a state of its own")
        if raster.torus is not None:
            raise UsageError(raster.torus.describe_refusal())
        drawn: dict[str, set[tuple[int, int]]] = {name: set() for name in MEANINGS}
        for y, row in enumerate(raster.states.tolist(), raster.y):
            for x, state in enumerate(row, raster.x):
                if state not in meanings:
                    raise UsageError(
                        f"the drawing has a cell in state {state} at x={x}, y={y}, which has no "
                        f"meaning; give it one: states {state}=dead"
                    )
                drawn[meanings[state]].add((x, y))
        return cls(
            Pattern.from_cells(drawn["active"], raster.rule),
            *(frozenset(drawn[name]) for name in ("region", "alive", "kept")),
        )


def read_states(text: str) -> dict[int, str]:
    """Read what states mean; those that are not named keep their meaning.

    >>> read_states("5=alive, 6=dead")
    {0: 'dead', 1: 'active', 2: 'region', 3: 'alive', 4: 'dead', 5: 'alive', 6: 'dead'}
    """
    meanings = {}
    for part in f"{STATES},{text}".split(","):
        state, _, meaning = (each.strip() for each in part.partition("="))
        if state not in tuple("0123456") or meaning not in MEANINGS:
            raise UsageError(
                f"{part!r} is not STATE=MEANING, such as 4=alive; the states are 0 to 6, the "
                f"meanings {', '.join(MEANINGS)}"
            )
        meanings[int(state)] = meaning
    return meanings
