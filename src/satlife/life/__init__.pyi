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
from satlife.life.reader import (
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
