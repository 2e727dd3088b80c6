"""The names of objects, by their apgcodes, and the well-known objects of Conway's Life.

>>> find_object_name("xp2_7"), find_object_name("xs4_33", "HighLife"), find_object_name("xs9_0")
('blinker', 'block', None)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from satlife.life.identity.apgcode import encode_phases, from_apgcode
from satlife.life.identity.recurrence import find_recurrence, trace_phases
from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE, Rule, RuleLike, as_rule
from satlife.life.transforms import TRANSFORMS

# The tests compute every code from the pattern that it describes, and compare the names, where they
# have them, with those of other programs. To add an object: its code, and its name as the
# community writes it inside a sentence.

OBJECTS: Final[Mapping[str, str]] = {
    # still lifes
    "xs4_33": "block",
    "xs4_252": "tub",
    "xs5_253": "boat",
    "xs6_39c": "aircraft carrier",
    "xs6_25a4": "barge",
    "xs6_696": "beehive",
    "xs6_356": "ship",
    "xs6_bd": "snake",
    "xs7_178c": "eater 1",
    "xs7_2596": "loaf",
    "xs7_25ac": "long boat",
    "xs7_3lo": "long snake",
    "xs8_rr": "bi-block",
    "xs8_312ko": "canoe",
    "xs8_32qk": "hook with tail",
    "xs8_25ak8": "long barge",
    "xs8_35ac": "long ship",
    "xs8_69ic": "mango",
    "xs8_6996": "pond",
    "xs8_3pm": "shillelagh",
    "xs8_178k8": "tub with tail",
    "xs8_31248c": "very long snake",
    "xs9_178kc": "cis-boat with tail",
    "xs9_4aar": "hat",
    "xs9_31ego": "integral sign",
    "xs9_g0g853z11": "long canoe",
    "xs9_178426": "long hook with tail",
    "xs9_312453": "long shillelagh",
    "xs9_31248go": "long^3 snake",
    "xs9_178ko": "trans-boat with tail",
    "xs9_25a84c": "tub with long tail",
    "xs9_25ako": "very long boat",
    "xs10_g8o652z01": "boat-tie",
    "xs10_69ar": "loop",
    "xs11_g0s453z11": "elevener",
    "xs12_4alla4": "honeycomb",
    "xs12_g8o653z11": "ship-tie",
    "xs12_raar": "table on table",
    "xs14_69bqic": "paperclip",
    "xs15_354cgc453": "moose antlers",
    "xs16_699606996": "pond on pond",
    "xs18_rhe0ehr": "dead spark coil",
    "xs24_y1696z2552wgw2552zy1343": "honey farm",
    # oscillators
    "xp2_7": "blinker",
    "xp2_318c": "beacon",
    "xp2_2a54": "clock",
    "xp2_7e": "toad",
    "xp2_31ago": "bipole",
    "xp2_g0k053z11": "tripole",
    "xp2_882030kgz010602": "phoenix 1",
    "xp2_j5g29jz11w11": "quad",
    "xp2_rhewehr": "spark coil",
    "xp3_4hh186z07": "caterer",
    "xp3_695qc8zx33": "jam",
    "xp3_0gs46364sgz13e8ogo8e31zy11": "star",
    "xp3_s471174sz11744711": "cross",
    "xp3_wggc2l2cggz25a8i2d2i8a52zy012521": "diamond ring",
    "xp3_co9nas0san9oczgoldlo0oldlogz1047210127401": "pulsar",
    "xp4_ssj3744zw3": "mazing",
    "xp4_37bkic": "mold",
    "xp4_hv4a4vh": "monogram",
    "xp5_y2g0k413zwo0a02z32": "pseudo-barberpole",
    "xp5_idiidiz01w1": "octagon 2",
    "xp5_3pmwmp3zx11": "fumarole",
    "xp6_ccb7w66z066": "unix",
    "xp6_g80e55e08gz120ekke021": "A for all",
    "xp7_0g88b5oz1255kk3033zy011": "burloaferimeter",
    "xp8_gk2gb3z11": "figure eight",
    "xp8_g3jgz1ut": "blocker",
    "xp8_2erore2z07x7": "smiley",
    "xp8_4b23021eaz57840c4d2": "Kok's galaxy",
    "xp9_32acxca23zy0cuczggkcxckggz1y51": "worker bee",
    "xp9_32acxca23zy04r4zy04r4zo8a6x6a8o": "snacker",
    "xp10_c846l3wszy03wca6213": "24P10",
    "xp12_032acy0oge2z0g8ow77ggz23y21226": "dinner table",
    "xp14_j9d0d9j": "tumbler",
    "xp15_4r4z4r4": "pentadecathlon",
    "xp16_g8cgx7964z1110gy08kkczw1347y01": "Achim's p16",
    "xp22_31e8w444x8e13zy2nnzwo8wjjgx8oz321y6123": "46P22",
    "xp30_w33z8kqrqk8zzzw33": "queen bee shuttle",
    "xp46_033y133zzzckgsxsgkczz0cc": "twin bees shuttle",
    # spaceships
    "xq2_32mmgozg0igke72z1n2q1z0qgm1z31i2bsogzggqq261z1": "64P2H1V0",
    "xq3_16614e8o4aa82cc2": "25P3H1V0.1",
    "xq3_061ugzw1cdcz33roz01": "edge-repair spaceship 1",
    "xq3_mhqkzarahh0heezdhb5": "dart",
    "xq3_3u0228mc53bgzof0882d6koq1": "turtle",
    "xq4_153": "glider",
    "xq4_6frc": "LWSS",
    "xq4_27dee6": "MWSS",
    "xq4_27deee6": "HWSS",
    "xq4_go217z1b6koox84szy323": "crab",
    "xq4_go217z1rmkg4szon7z21": "B29",
    "xq4_720c22z0gotvhz0eso0hozx120640c": "37P4H1V0",
    "xq4_8444sx5889ezhwh4rrez24447xk22ie": "hivenudger",
    "xq4_2ffo0cscpc0cpcsc0off2zx464y5464": "46P4H1V0",
    "xq4_gx18nj88gz662p6401w1eck0gzy0112e68y16jv8zy51675c6": "big glider",
    "xq5_88xgxtih8z11dmhmdw111": "30P5H2V0",
    "xq5_0sg3pnxnp3gsz4s01tve0evt10s4": "44P5H2V0",
    "xq5_ybu2919966zy6gsw25cc03zy2g223zs31l1hg76z1661": "58P5H1V1",
    "xq5_ug1hmgc865da808ad568cgmh1guz124w6yb6w421": "spider",
    "xq6_eaqqrexcswscxerqqaezy2c330a66a033czy331y213": "56P6H1V0",
    (
        "xq6_yyocxukcy6gocs20h0a38bac2qq73uszyjo4w8y0e4mo0vu0o606s6444u08clav0h03g440qq1333333x11"
        "zy9ecec2ik032i210sw3f0hy011w70401011033547442zy0emj896he1e1kif6q2gc50ew9qb30dzgo403gg066"
        "m32w11z34407q441n6zy311"
    ): "Sir Robin",
    "xq7_3nw17862z6952": "loafer",
    "xq7_7dfxg88gxfd7zw123u2222u321": "weekender",
    "xq9_8k64a2151u0u1512a46k8zy43gbg3zy24b3x3b4": "55P9H3V0",
    "xq10_o5995ozes88sezw33": "copperhead",
    "xq12_fh1i0i1hfzw8sms8zxfjf": "Schick engine",
    "xq16_gcbgzvgg826frc": "Coe ship",
}
"""The names by their codes: still lifes, oscillators, spaceships."""


_PERIOD = re.compile(r"x(s|[pq][0-9]+_)")
"""What the codes of one period begin with."""


def find_object_name(code: str, rule: RuleLike = LIFE) -> str | None:
    """Find the name of the object with this apgcode; ``None`` if the table has none.

    The names are of objects of Conway's Life. One that lives just as well by another rule, all
    its generations the same, keeps its name there.
    """
    asked = as_rule(rule)
    if asked.states > 2 or asked.table[0] or len(asked.symmetries) < len(TRANSFORMS):
        match = _PERIOD.match(code)
        return _name_codes(match[0], asked).get(code) if match else None
    # By a rule as symmetric as Life, the same generations have the same code.
    name = OBJECTS.get(code)
    lives = name is not None and (asked == LIFE or _live_alike(_trace(from_apgcode(code)), asked))
    return name if lives else None


@lru_cache(maxsize=256)
def _name_codes(prefix: str, rule: Rule) -> Mapping[str, str]:
    """Return the names of the objects of one period, by their codes in another rule."""
    # A rule that is not symmetric may tell an object from its mirror image: both have the name.
    transforms = TRANSFORMS if len(rule.symmetries) < len(TRANSFORMS) else TRANSFORMS[:1]
    names = {}
    for code, name in OBJECTS.items():
        for transform in transforms if code.startswith(prefix) else ():
            phases = _trace(from_apgcode(code).transformed(transform))
            recurrence = find_recurrence(phases[0], generations=len(phases))
            if recurrence is not None and _live_alike(phases, rule):
                moved = [phase.with_rule(rule) for phase in phases]
                names[encode_phases(moved, recurrence)] = name
    return names


def _trace(pattern: Pattern) -> Sequence[Pattern]:
    """Return the generations of a period."""
    recurrence = find_recurrence(pattern)
    return () if recurrence is None else trace_phases(pattern, recurrence.period)


def _live_alike(phases: Sequence[Pattern], rule: Rule) -> bool:
    """Return whether the generations follow each other by another rule, too."""
    return rule == LIFE or all(
        now.with_rule(rule)[1] == later.with_rule(rule)
        for now, later in pairwise((*phases, phases[-1][1]))
    )
