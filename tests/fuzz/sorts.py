"""The sorts of things that are drawn: how one is drawn and read, and what is compared."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, Protocol

from tests.fuzz.ancestral import Ancestral, check_ancestral, draw_ancestral
from tests.fuzz.campaigns import (
    Campaign,
    check_campaign,
    check_divided,
    check_merged,
    check_proved,
    draw_rejecting,
)
from tests.fuzz.catalysts import Drawn, check_catalysts, check_forgeries, draw_catalyst
from tests.fuzz.checks import Case, Check
from tests.fuzz.conditioned import ConditionedWidth, check_conditioned, draw_conditioned
from tests.fuzz.drawing import draw_raw, draw_restored, write
from tests.fuzz.forcing import Forcing, check_forcing, draw_forcing
from tests.fuzz.killed import Hunted, check_killed, draw_strip
from tests.fuzz.kindred import NAMES, draw_kind
from tests.fuzz.lasting import Lasting, check_lasting, draw_lasting
from tests.fuzz.mapped import Mapped, check_mapped, draw_mapped
from tests.fuzz.northward import Boxed, check_boxed, draw_boxed
from tests.fuzz.objects import draw_object
from tests.fuzz.plans import draw_divided, draw_merged, draw_plan, draw_proved
from tests.fuzz.proofs import CHECKS
from tests.fuzz.proved_widths import check_widths, draw_width
from tests.fuzz.slanted import check_slanted, draw_diagonal, draw_oblique, read_slanted
from tests.fuzz.wanted import Wanted, check_wanted, draw_connected, draw_rejected
from tests.fuzz.worded import (
    Worded,
    check_background,
    check_reaction,
    draw_background,
    draw_reaction,
)

Checks = Mapping[str, tuple[Check, float]]
"""Every check, and the share of the draws that it is made on."""


class Subject(Protocol):
    """What was drawn, and what the brute force knows of it."""

    @property
    def seed(self) -> str: ...
    @property
    def is_satisfiable(self) -> bool: ...
    @property
    def families(self) -> list[str]:
        """The families of its rules."""

    @property
    def detail(self) -> str:
        """What else is counted of it."""


class Sort(NamedTuple):
    """A sort of problems, or of plans."""

    name: str
    weight: float
    """How often it is drawn; all weights together are 100."""
    draw: Callable[[random.Random], str]
    """Return the text of one; what cannot be, or is too large, is raised, and drawn again."""
    read: Callable[[str, str], Subject] = Case.read
    """Return what a text and a seed stand for."""
    checks: Checks = CHECKS
    is_raw: bool = False
    """Whether draws may have no meaning; then satlife must refuse the same as the reference."""
    is_lucky: bool = True
    """Whether most draws have a solution; otherwise those without one are mostly drawn again."""


def _draw_kind(chance: random.Random) -> str:
    return draw_kind(chance, chance.choice(NAMES)).to_json().decode()


def _with(name: str, check: Check) -> Checks:
    """Return a check of a sort's own, and the usual ones that are quick."""
    quick = ("reference", "found", "raw", "classes", "broken", "audit", "verifier", "least")
    return {name: (check, 1.0), **{each: CHECKS[each] for each in quick}}


def _alone(name: str, check: Check) -> Checks:
    return {name: (check, 1.0)}


SORTS = (
    Sort("planted", 3, lambda chance: write(draw_raw(chance, "planted")), is_raw=True),
    Sort("kind", 8, _draw_kind),
    Sort("object", 5, lambda chance: write(draw_object(chance)), is_raw=True),
    Sort("wild", 2, lambda chance: write(draw_raw(chance, "wild")), is_raw=True),
    Sort(
        *("restored", 3, lambda chance: write(draw_restored(chance)), Case.read, CHECKS),
        is_raw=True,
        is_lucky=False,
    ),
    Sort(
        *("catalyst", 2, draw_catalyst, Drawn.read),
        {"catalysts": (check_catalysts, 1.0), "forgeries": (check_forgeries, 0.2)},
    ),
    Sort("ancestry", 3, draw_ancestral, Ancestral.of, _alone("ancestry", check_ancestral)),
    Sort("forced", 2, draw_forcing, Forcing.of, _alone("forced", check_forcing)),
    *(
        Sort(name, weight, draw, read, checks, is_lucky=False)
        for name, weight, draw, read, checks in (
            ("campaign", 5, draw_plan, Campaign.of, _alone("campaign", check_campaign)),
            ("campaign-split", 5, draw_divided, Campaign.of, _alone("split", check_divided)),
            ("campaign-prove", 5, draw_proved, Campaign.of, _alone("prove", check_proved)),
            ("campaign-reject", 5, draw_rejecting, Campaign.of, _alone("reject", check_campaign)),
            ("campaign-merge", 2, draw_merged, Campaign.of, _alone("merge", check_merged)),
            ("reaction", 7, draw_reaction, Worded.read, _with("reaction", check_reaction)),
            ("background", 7, draw_background, Worded.read, _with("background", check_background)),
            ("reject-count", 7, draw_rejected, Wanted.read, _alone("rejected", check_wanted)),
            ("connected-count", 7, draw_connected, Wanted.read, _alone("connected", check_wanted)),
            ("ships-boxed", 2, draw_boxed, Boxed.of, _alone("turns", check_boxed)),
            ("rows-killed", 5, draw_strip, Hunted.of, _alone("killed", check_killed)),
            ("rows-proved", 3, draw_width, Hunted.of, _alone("widths", check_widths)),
            (
                *("rows-conditions", 4, draw_conditioned),
                *(ConditionedWidth.of, _alone("conditions", check_conditioned)),
            ),
            ("rows-oscillators", 2, draw_lasting, Lasting.of, _alone("lasting", check_lasting)),
            ("rows-diagonal", 1, draw_diagonal, read_slanted, _alone("diagonal", check_slanted)),
            ("rows-oblique", 1, draw_oblique, read_slanted, _alone("oblique", check_slanted)),
            ("rows-map", 4, draw_mapped, Mapped.of, _alone("mapped", check_mapped)),
        )
    ),
)


def find_sorts(names: Iterable[str]) -> tuple[Sort, ...]:
    """Return the sorts of these names; all if there are none."""
    chosen = set(names)
    if unknown := chosen - {sort.name for sort in SORTS}:
        known = ", ".join(sort.name for sort in SORTS)
        raise ValueError(f"no sort {min(unknown)}; there are {known}")
    return tuple(sort for sort in SORTS if not chosen or sort.name in chosen)


def find_check(name: str) -> Check:
    """Return the check of a name."""
    return next(sort.checks[name][0] for sort in SORTS if name in sort.checks)
