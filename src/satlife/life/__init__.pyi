from satlife.life.box import (
    Box as Box,
)
from satlife.life.cells import (
    ALIVE as ALIVE,
    DEAD as DEAD,
    UNKNOWN as UNKNOWN,
)
from satlife.life.draw import (
    draw_svg as draw_svg,
    draw_text as draw_text,
)
from satlife.life.formats import (
    FORMATS as FORMATS,
    Format as Format,
    detect_format as detect_format,
    find_format as find_format,
)
from satlife.life.identity import (
    Identity as Identity,
    apgcode as apgcode,
    from_apgcode as from_apgcode,
)
from satlife.life.motion import (
    Motion as Motion,
)
from satlife.life.partial import (
    PartialPattern as PartialPattern,
    read_pattern as read_pattern,
)
from satlife.life.pattern import (
    Pattern as Pattern,
)
from satlife.life.raster import (
    Raster as Raster,
)
from satlife.life.reader import (
    identify as identify,
)
from satlife.life.rule import (
    Rule as Rule,
)
from satlife.life.rules import (
    RULE_FAMILIES as RULE_FAMILIES,
    RuleDefinition as RuleDefinition,
    RuleFamily as RuleFamily,
    find_rule_family as find_rule_family,
)
from satlife.life.simulate import (
    advance as advance,
)
from satlife.life.symmetry import (
    SYMMETRIES as SYMMETRIES,
    Symmetry as Symmetry,
)
from satlife.life.torus import (
    Torus as Torus,
)
from satlife.life.transforms import (
    TRANSFORMS as TRANSFORMS,
    Transform as Transform,
)
