"""Patterns, rules and symmetries of cellular automata. Knows nothing of SAT.

>>> from satlife.life import Pattern
>>> Pattern.from_rle("bob$2bo$3o!")[4].box
Box(x=1, y=1, width=3, height=3)
"""

from __future__ import annotations

from satlife._lazy import lazy_names as _lazy_names

TYPE_CHECKING = False  # spares every start the import of typing
if TYPE_CHECKING:
    from satlife.life.box import (
        Box as Box,
    )
    from satlife.life.cells import (
        ALIVE as ALIVE,
    )
    from satlife.life.cells import (
        DEAD as DEAD,
    )
    from satlife.life.cells import (
        UNKNOWN as UNKNOWN,
    )
    from satlife.life.draw import (
        draw_svg as draw_svg,
    )
    from satlife.life.draw import (
        draw_text as draw_text,
    )
    from satlife.life.formats import (
        FORMATS as FORMATS,
    )
    from satlife.life.formats import (
        Format as Format,
    )
    from satlife.life.formats import (
        detect_format as detect_format,
    )
    from satlife.life.formats import (
        find_format as find_format,
    )
    from satlife.life.identity import (
        Identity as Identity,
    )
    from satlife.life.identity import (
        apgcode as apgcode,
    )
    from satlife.life.identity import (
        from_apgcode as from_apgcode,
    )
    from satlife.life.motion import (
        Motion as Motion,
    )
    from satlife.life.partial import (
        PartialPattern as PartialPattern,
    )
    from satlife.life.partial import (
        read_pattern as read_pattern,
    )
    from satlife.life.pattern import (
        Pattern as Pattern,
    )
    from satlife.life.raster import (
        Raster as Raster,
    )
    from satlife.life.reading import (
        identify as identify,
    )
    from satlife.life.rule import (
        Rule as Rule,
    )
    from satlife.life.rules import (
        RULE_FAMILIES as RULE_FAMILIES,
    )
    from satlife.life.rules import (
        RuleDefinition as RuleDefinition,
    )
    from satlife.life.rules import (
        RuleFamily as RuleFamily,
    )
    from satlife.life.rules import (
        find_rule_family as find_rule_family,
    )
    from satlife.life.simulate import (
        advance as advance,
    )
    from satlife.life.symmetry import (
        SYMMETRIES as SYMMETRIES,
    )
    from satlife.life.symmetry import (
        Symmetry as Symmetry,
    )
    from satlife.life.torus import (
        Torus as Torus,
    )
    from satlife.life.transforms import (
        TRANSFORMS as TRANSFORMS,
    )
    from satlife.life.transforms import (
        Transform as Transform,
    )

_HOMES = {
    "satlife.life.box": "Box",
    "satlife.life.cells": "ALIVE DEAD UNKNOWN",
    "satlife.life.draw": "draw_svg draw_text",
    "satlife.life.formats": "FORMATS Format detect_format find_format",
    "satlife.life.identity": "Identity apgcode from_apgcode",
    "satlife.life.motion": "Motion",
    "satlife.life.partial": "PartialPattern read_pattern",
    "satlife.life.pattern": "Pattern",
    "satlife.life.raster": "Raster",
    "satlife.life.reading": "identify",
    "satlife.life.rule": "Rule",
    "satlife.life.rules": "RULE_FAMILIES RuleDefinition RuleFamily find_rule_family",
    "satlife.life.simulate": "advance",
    "satlife.life.symmetry": "SYMMETRIES Symmetry",
    "satlife.life.torus": "Torus",
    "satlife.life.transforms": "TRANSFORMS Transform",
}
"""The names of each module, imported when they are first used."""


if not TYPE_CHECKING:
    __getattr__, __dir__ = _lazy_names(__name__, _HOMES)
