"""Checking a map's folder: its patterns, its proofs, and that no rule is left out.

Nothing is trusted but the question and the regions: every pattern is run once, and every rule of
its region must give the same generations; the certificate of every region without a pattern is
checked against a rebuilt problem; and every rule is counted.  In the map of a width, a region
without a pattern has a closed set of states (:mod:`satlife.audit.width_ranges`); the
states of one region are unpacked at a time.

The folder may be a stranger's, so it is checked as a certificate is: sizes first, plain files only,
and all of it in one child process, whose time and memory are limited.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from satlife.audit.width_ranges import range_complaints
from satlife.certificates import Allowance, Judgement, NoneExists
from satlife.certificates.check.checker import FAILURES, blame, judge_confined, judge_folder
from satlife.certificates.check.judgement import KIND, MAKER
from satlife.certificates.folder import PROBLEM, read_claim, read_file, read_problem
from satlife.certificates.words.statement import list_properties
from satlife.errors import UsageError
from satlife.life import Pattern
from satlife.plain import TooLargeError
from satlife.problem import Problem
from satlife.quantities import write_count
from satlife.rulemaps import folder as files
from satlife.rulemaps.page import describe_map
from satlife.rulemaps.rulemap import Region, RuleMap
from satlife.sat.proofs import Verdict
from satlife.verifier.verify import pattern_complaints

MOST_DOUBTS = 3
"""Maximum number of undecided regions that are named."""
MISSING = f"{files.STATES} is missing; satlife map makes it again, in another folder"

Tell = Callable[[str], None]


def check_map(
    folder: str | Path, allowance: Allowance | None = None, tell: Tell | None = None
) -> Judgement:
    """Check a map, in a child process and within its allowance.

    It is valid if every rule has an answer, and every answer is proved.
    """
    place = Path(folder)
    if not files.is_map(place):
        raise UsageError(f"{place} is not the folder of a map; satlife map makes one")
    return judge_confined(f"{__name__}:judge_map", place, allowance, tell)


def judge_map(
    folder: Path,
    allowance: Allowance | None = None,
    begun: float | None = None,
    tell: Tell | None = None,
) -> Judgement:
    """Check a map in this process, without a memory limit.

    The time counts from ``begun``, that of the proofs too.
    """
    since = time.monotonic() if begun is None else begun
    judge = _Judge(folder, allowance or Allowance(), since, tell or (lambda what: None))
    try:
        return judge.judge()
    except FAILURES as error:
        return blame(error, folder)


def proof_folder(folder: Path, number: int) -> Path:
    """Return the folder of a region's certificate; regions are numbered from 1."""
    return folder / _name_proof(number)


def region_problem(problem: Problem, region: Region) -> Problem:
    """Return the question for the rules of a region."""
    return problem.with_rule(str(region.rules))


def _state(rulemap: RuleMap) -> str:
    """Return the statement of a map: how many rules have such a pattern, and its properties."""
    asked = "\n".join(list_properties(rulemap.problem))
    return f"{describe_map(rulemap)}. Such a pattern has all of these properties:\n\n{asked}"


def measure_height(problem: Problem, pattern: Pattern) -> int:
    """Return the height of a box from row 0 on that holds the generations of a ship."""
    now, bottom = pattern, 1
    for _ in range(problem.generations):
        bottom, now = max(bottom, now.box.bottom), now[1]
    return bottom


def _name_proof(number: int) -> str:
    return f"{files.PROOFS}/{number:04d}"


@dataclass(frozen=True)
class _Judge:
    """The check of a map's folder."""

    folder: Path
    allowance: Allowance
    begun: float
    tell: Tell
    sizes: dict[str, int] = field(default_factory=dict)
    """Sizes of the folder's contents."""

    def judge(self) -> Judgement:
        """Check from cheap to expensive; the first wrong region is the last."""
        self.tell("comparing the files")
        self.sizes.update(files.list_map(self.folder))
        total, most = sum(self.sizes.values()), self.allowance.most_bytes
        if total > most:
            raise TooLargeError(f"the files have {total:,} bytes; the limit is {most:,}")
        self.tell("reading the regions")
        if read_file(self.folder, files.REGIONS)[-1:] not in (b"", b"\n"):
            return Judgement((f"{files.REGIONS} ends in the middle of a line",))
        rulemap = files.read_map(self.folder)
        statement = _state(rulemap)  # raises if a rule has both answers
        unread, doubts = self._find_unread(rulemap), list[str]()
        verdicts: list[tuple[str, Verdict]] = []
        if left := rulemap.counts["undecided"]:
            doubts.append(f"the regions leave {write_count(left, 'rule')} out")
        size, named = self.sizes.get(files.STATES), files.count_bytes(rulemap)
        if size is not None and size != named:
            return Judgement((f"{files.STATES} has {size:,} bytes, and its regions {named:,}",))
        start = 0
        for number, region in enumerate(rulemap.regions, 1):
            self.tell(f"checking region {number} of {len(rulemap.regions)}")
            if rulemap.problem.has_open_height:
                judged = self._judge_width(rulemap.problem, region, start)
                start += region.closed.size if region.closed else 0
            else:
                judged = self._judge_region(rulemap.problem, region, number)
            where = f"region {number}"
            if judged.complaints:
                return Judgement(tuple(f"{where}: {words}" for words in judged.complaints))
            doubts += (w if w == MISSING else f"{where}: {w}" for w in judged.doubts)
            verdicts += ((f"{where}, {name}", verdict) for name, verdict in judged.verdicts)
            unread += (f"{_name_proof(number)}/{name}" for name in judged.unread)
        shown = tuple(dict.fromkeys(doubts))[:MOST_DOUBTS]
        hearsay = (f"seconds in {files.SUMMARY}", KIND, MAKER)
        return Judgement((), shown, statement, tuple(verdicts), tuple(unread), hearsay)

    def _judge_region(self, whole: Problem, region: Region, number: int) -> Judgement:
        problem, proof = region_problem(whole, region), proof_folder(self.folder, number)
        if region.closed is not None:
            return Judgement(("states say nothing of a box with a height",))
        if region.pattern is not None:
            return self._judge_pattern(problem, region, region.pattern)
        if _name_proof(number) not in self.sizes:
            return Judgement((), (f"{region.rules} has no proof",))
        try:
            if read_problem(proof).name != problem.name or read_claim(proof) != NoneExists():
                return Judgement(("its certificate is of something else",))
        except FAILURES as error:
            return blame(error, proof)
        return judge_folder(proof, self.allowance, self.begun)

    def _judge_width(self, whole: Problem, region: Region, start: int) -> Judgement:
        """Check a region of ships of any length; the bytes of its states begin at ``start``."""
        problem = region_problem(whole, region)
        if region.pattern is not None:
            height = measure_height(whole, region.pattern)
            return self._judge_pattern(problem.with_height(height), region, region.pattern)
        if region.closed is None:
            return Judgement((), (f"{region.rules} has no states",))
        if files.STATES not in self.sizes:
            return Judgement((), (MISSING,))
        try:
            states = files.read_states(self.folder, region.closed, start)
            return Judgement(tuple(range_complaints(problem, *states)))
        except FAILURES as error:
            return blame(error, self.folder)

    def _judge_pattern(self, problem: Problem, region: Region, pattern: Pattern) -> Judgement:
        if pattern.rule not in region.rules:
            return Judgement((f"its pattern is in {pattern.rule}, another rule",))
        return Judgement(tuple(pattern_complaints(problem, pattern, every=True)))

    def _find_unread(self, rulemap: RuleMap) -> list[str]:
        """Return the files that no region needs and that are not derived from the regions."""
        regions = enumerate(rulemap.regions, 1)
        proofs = {_name_proof(number) for number, region in regions if region.pattern is None}
        proofs = {files.STATES} if rulemap.problem.has_open_height else proofs
        others = sorted(self.sizes.keys() - proofs - {PROBLEM, files.REGIONS})
        return [
            name
            for name in others
            if not files.is_as_made(rulemap, self.folder, name, self.sizes[name])
        ]
