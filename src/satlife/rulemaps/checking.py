"""Checking a map's folder: its patterns, its proofs, and that no rule is left out.

Nothing is believed but the question and what the regions say: every pattern is simulated in the
least and the greatest rule of its region, the certificate of every region without a pattern is
checked against a problem that is made anew, and the regions are counted exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from satlife.errors import SatlifeError
from satlife.rulemaps.cover import Fates, count_covered, find_common
from satlife.rulemaps.folder import PROOFS, read_map
from satlife.rulemaps.page import describe_map
from satlife.rulemaps.rulemap import Region, RuleMap, locate
from satlife.sat.proofs import Verdict
from satlife.search.certificates import (
    Allowance,
    Judgement,
    NoneExists,
    check_certificate,
)
from satlife.search.certificates.folder import read_claim, read_problem
from satlife.search.checking.verify import complaints
from satlife.search.problem import Problem

Tell = Callable[[str], None]


def check_map(
    folder: str | Path, allowance: Allowance | None = None, tell: Tell | None = None
) -> Judgement:
    """Check a map; it is valid if every rule has an answer, and every answer is proved."""
    place = Path(folder)
    try:
        rulemap = read_map(place)
        return _judge(rulemap, place, allowance, tell or (lambda what: None))
    except SatlifeError as error:
        return Judgement((str(error),))


def proof_folder(folder: Path, number: int) -> Path:
    """Return where the certificate of a region is; regions are numbered from 1."""
    return folder / PROOFS / f"{number:04d}"


def region_problem(problem: Problem, region: Region) -> Problem:
    """Return the question for the rules of a region."""
    return msgspec.structs.replace(problem, rule=str(region.rules))


def _judge(rulemap: RuleMap, folder: Path, allowance: Allowance | None, tell: Tell) -> Judgement:
    wrong, doubts = list(_cover_complaints(rulemap)), list[str]()
    verdicts: list[tuple[str, Verdict]] = []
    left = rulemap.space.size - count_covered(_fates(rulemap, rulemap.regions), _entries(rulemap))
    if left:
        doubts.append(f"{left:,} rules are in none of the regions")
    for number, region in enumerate(rulemap.regions, 1):
        tell(f"checking region {number} of {len(rulemap.regions)}")
        if region.pattern is not None:
            wrong += (f"region {number}: {words}" for words in _pattern_complaints(rulemap, region))
            continue
        proof = proof_folder(folder, number)
        if not proof.is_dir():
            doubts.append(f"region {number} ({region.rules}) has no proof")
            continue
        problem = region_problem(rulemap.problem, region)
        if read_problem(proof).name != problem.name or read_claim(proof) != NoneExists():
            wrong.append(f"region {number}: its certificate is of something else")
            continue
        judgement = check_certificate(proof, allowance)
        wrong += (f"region {number}: {words}" for words in judgement.complaints)
        doubts += (f"region {number}: {words}" for words in judgement.doubts)
        verdicts += ((f"region {number}, {name}", verdict) for name, verdict in judgement.verdicts)
    statement = "" if wrong else f"{describe_map(rulemap)}."
    return Judgement(tuple(wrong), tuple(doubts[:3]), statement, tuple(verdicts))


def _entries(rulemap: RuleMap) -> int:
    return len(rulemap.space.places)


def _fates(rulemap: RuleMap, regions: tuple[Region, ...]) -> list[Fates]:
    """Return regions as fates of the free entries."""
    places = (locate(rulemap.space, region.rules) for region in regions)
    return [tuple(None if isinstance(fate, slice) else fate for fate in each) for each in places]


def _cover_complaints(rulemap: RuleMap) -> Iterator[str]:
    """Yield what rules are said to be both found and impossible."""
    found = tuple(region for region in rulemap.regions if region.pattern is not None)
    others = tuple(region for region in rulemap.regions if region.pattern is None)
    if find_common(_fates(rulemap, found), _fates(rulemap, others)):
        yield "a rule is said to be found and impossible"


def _pattern_complaints(rulemap: RuleMap, region: Region) -> Iterator[str]:
    """Yield why a pattern is not a solution in the least or the greatest rule of its region."""
    if region.pattern is None:
        return
    for rule in dict.fromkeys((region.rules.least, region.rules.greatest)):
        problem = msgspec.structs.replace(rulemap.problem, rule=str(rule))
        history, now = [], region.pattern.with_rule(rule)
        for t, box in enumerate(problem.all_boxes):
            if not box.contains_box(now.box):
                yield f"by {rule}, generation {t} of the pattern is not in its box"
                break
            history.append(now.in_box(box))
            now = now[1]
        else:
            yield from (f"by {rule}, {words}" for words in complaints(problem, tuple(history)))
