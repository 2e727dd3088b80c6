"""Checking certificates: nothing in the folder is trusted but the problem and the claim.

The formulas and the statement are rebuilt from them; the proofs must refute exactly these formulas,
and the patterns shown must pass the simulator.  Everything else in the folder must agree, or is
listed in the verdict as unread.

A stranger's folder may try to exhaust the machine.  So the cheap comparisons come first, a formula
is built only if its estimated size is within limits, proofs are checked while they are unpacked,
and all of it happens in a child process with limited time and memory.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from satlife.audit.formula import Map
from satlife.certificates import folder as files
from satlife.certificates.check.judgement import KIND, MAKER, Allowance, Judgement
from satlife.certificates.check.states import FILES as WIDTH_FILES
from satlife.certificates.check.states import STATES, judge_states, state_width
from satlife.certificates.claims import Claim, estimate_claim, estimate_range
from satlife.certificates.folder import Certificate, OtherVersionError, Part
from satlife.certificates.obligations import (
    Obligation,
    divide,
    list_leaves,
    obligations,
    witness_complaints,
)
from satlife.certificates.words.statement import make_statement
from satlife.errors import FormatError, SatlifeError, UsageError
from satlife.plain import TooLargeError
from satlife.problem import Problem
from satlife.sat import Limits, Undecided
from satlife.sat.formula import Formula
from satlife.sat.proofs import Verdict, ask_others, check_in_time, sum_up
from satlife.sat.solvers.confined import run_confined

# The user's own file of proofs already found valid, so that a check can resume.
#
# Each line is the hash of a formula and that of the file of its proof; or that of a set of states,
# and a place up to which it is closed. A certificate never contains such a file, and one in a
# stranger's folder is not trusted.


_HEAD: Final = "satlife checked 1"
_LINE: Final = re.compile("[0-9a-f]{64} [0-9a-f]{64}")
_PLACE: Final = re.compile("[0-9a-f]{64} up to ([0-9a-f]{2})*")
_PLACES_EVERY: Final = 5.0
"""Seconds between two places of a check that are written."""


class CheckedProofs:
    """The proofs found valid; with a path, each is saved there at once."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._known: set[str] = set()
        self._places: dict[str, bytes] = {}
        if path is None:
            return
        try:
            lines = path.read_text("ascii").split("\n") if path.exists() else []
            if not lines:
                path.write_text(f"{_HEAD}\n", "ascii")
        except UnicodeDecodeError:
            lines = [""]
        except OSError as error:
            raise UsageError(f"{path} cannot be used to save a check: {error.strerror}") from None
        if lines and lines[0] != _HEAD:
            raise FormatError(f"{path} is not a check that was saved; name another file")
        # A check that was killed may have left half a line.
        self._known = {line for line in lines[1:] if _LINE.fullmatch(line)}
        places = (line.split(" up to ") for line in lines[1:] if _PLACE.fullmatch(line))
        self._places = {name: bytes.fromhex(place) for name, place in places}

    def knows(self, formula: str, proof: str) -> bool:
        """Whether the proof was found valid for the formula, both given by their hashes."""
        return f"{formula} {proof}" in self._known

    def add(self, formula: str, proof: str) -> None:
        """Record that the proof is valid for the formula."""
        with self._lock:
            self._known.add(f"{formula} {proof}")
            self._write(f"{formula} {proof}")

    def find_place(self, name: str) -> bytes:
        """Return the place in a set of states up to which it was found closed."""
        return self._places.get(name, b"")

    def add_place(self, name: str, place: bytes) -> None:
        """Record that a set of states is closed up to a place."""
        self._write(f"{name} up to {place.hex()}")

    def _write(self, line: str) -> None:
        if self.path is not None:
            with self.path.open("a", encoding="ascii") as file:
                file.write(f"\n{line}\n")


_SENSELESS = (ArithmeticError, LookupError, TypeError, ValueError, RecursionError)
"""Errors that a forged claim may cause: a missing generation, a number too large."""
FAILURES: Final = (SatlifeError, OSError, *_SENSELESS)
"""The errors that end the check of a folder; :func:`blame` interprets them."""

Tell = Callable[[str], None]
"""Callback for progress messages."""


def check_certificate(
    folder: Path, allowance: Allowance | None = None, tell: Tell | None = None
) -> Judgement:
    """Check a certificate's folder, in a child process and within its allowance."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; a certificate is one")
    told_by = (files.CERTIFICATE, files.PROBLEM, STATES)
    if not any(os.path.lexists(folder / name) for name in told_by):
        raise UsageError(f"{folder} is neither a certificate nor a map; --prove writes one")
    return judge_confined(f"{__name__}:judge_folder", folder, allowance, tell)


def judge_confined(
    judge: str, folder: Path, allowance: Allowance | None = None, tell: Tell | None = None
) -> Judgement:
    """Have a function (``module:name``) judge a folder, in a child process with these limits."""
    allowance = allowance or Allowance()
    CheckedProofs(allowance.save)  # raises if the file is unusable; that is not the folder's fault
    doing = ["starting"]

    def hear(what: str) -> None:
        doing[0] = what
        if tell:
            tell(what)

    judged = run_confined(
        judge,
        folder.absolute(),
        allowance,
        time.monotonic(),
        limits=Limits(seconds=allowance.seconds, memory_bytes=allowance.memory_bytes),
        on_news=hear,
    )
    if isinstance(judged, Undecided):
        return Judgement((), (f"{judged}, while {doing[0]}",))
    assert isinstance(judged, Judgement)
    return judged


def judge_folder(
    folder: Path,
    allowance: Allowance | None = None,
    begun: float | None = None,
    tell: Tell | None = None,
) -> Judgement:
    """Check a certificate's folder in this process, without a memory limit.

    The time counts from ``begun``, by ``time.monotonic()``, which all processes share.
    """
    since = time.monotonic() if begun is None else begun
    judge = _Judge(folder, allowance or Allowance(), since, tell or (lambda what: None))
    try:
        return judge.judge()
    except FAILURES as error:
        blamed = blame(error, folder)
        wrong = (*judge.complaints, *blamed.complaints)
        return Judgement(wrong, blamed.doubts, judge.statement)


def blame(error: Exception, folder: Path) -> Judgement:
    """Return the judgement that an error implies for the folder: not valid, or not decided."""
    if isinstance(error, OtherVersionError | TooLargeError):
        return Judgement((), (str(error),))
    if isinstance(error, OSError):
        words = f"{error.filename or folder} cannot be read: {error.strerror or error}"
        return Judgement((), (words,))
    if isinstance(error, SatlifeError):
        return Judgement((str(error),))
    return Judgement((f"the claim makes no sense: {type(error).__name__}: {error}",))


class _Judge:
    """The check of a folder, and its state."""

    def __init__(self, folder: Path, allowance: Allowance, begun: float, tell: Tell) -> None:
        self.folder = folder
        self.allowance = allowance
        self.tell = tell
        self.begun = begun
        self.complaints: list[str] = []
        self.statement = ""
        self._lock = threading.Lock()
        self._read = {files.PROBLEM, files.CLAIM, files.STATEMENT}
        """The files that were read, or soon will be."""
        self._maps: dict[str, tuple[Map, ...]] = {}
        self._texts: dict[str, tuple[bytes, str]] = {}
        """The text of each formula by the name of its file, and the complaint about the file."""

    def _judge_width(self, sizes: dict[str, int]) -> Judgement:
        """Check the states of a width without ships; the statement is rebuilt."""
        problem = files.read_problem(self.folder)
        self.statement = state_width(problem)
        if sum(sizes.values()) > self.allowance.most_bytes:
            raise TooLargeError(f"the files have {sum(sizes.values()):,} bytes")
        self.tell("checking the states")
        checked, due = CheckedProofs(self.allowance.save), time.monotonic() + _PLACES_EVERY
        text = f"{files.AUDIT} {files.hash_plain(self.folder, STATES)}".encode() + problem.to_json()
        name = files.hash_bytes(text)

        def reach(place: bytes) -> None:
            nonlocal due
            if time.monotonic() > due:
                checked.add_place(name, place)
                due = time.monotonic() + _PLACES_EVERY

        most, begin = self.allowance.most_bytes, checked.find_place(name)
        wrong = judge_states(self.folder, problem, most, begin, reach)
        if files.read_file(self.folder, files.STATEMENT) != self.statement.encode():
            wrong.append(f"{files.STATEMENT} says something else")
        unread = tuple(name for name in sizes if name not in WIDTH_FILES)
        return Judgement(tuple(wrong), statement=self.statement, unread=unread, hearsay=(KIND,))

    def judge(self) -> Judgement:
        """Check from cheap to expensive; the first step with complaints is the last."""
        self.tell("comparing the files")
        sizes = files.list_files(self.folder)
        if STATES in sizes:
            return self._judge_width(sizes)
        certificate = files.read_certificate(self.folder)
        self.complaints += self._file_complaints(certificate, sizes)
        if self.complaints:
            return Judgement(tuple(self.complaints))
        self.tell("reading the claim")
        problem, claim = files.read_problem(self.folder), files.read_claim(self.folder)
        self._check_size(problem, claim)
        self.statement = make_statement(problem, claim)
        self.complaints += self._claim_complaints(certificate, problem, claim)
        if self.complaints:
            return Judgement(tuple(self.complaints), statement=self.statement)
        verdicts = tuple(self._check_parts(certificate, problem, claim))
        self.complaints += (f"{name}: {v.reason}" for name, v in verdicts if not v and v.decided)
        doubts = tuple(f"{name}: {v.reason}" for name, v in verdicts if not v and not v.decided)
        idle = self._maps.keys() - self._texts.keys()
        self.complaints += (
            f"{files.SYMMETRIES}: there is no formula {name[:40]!r}" for name in idle
        )
        late = (f"steps after the empty clause of {name}" for name, v in verdicts if not v.ends)
        unread = (*sorted(certificate.files.keys() - self._read), *late)
        hearsay = (MAKER, KIND)
        return Judgement(tuple(self.complaints), doubts, self.statement, verdicts, unread, hearsay)

    def _check_size(self, problem: Problem, claim: Claim) -> None:
        """Raise if the formulas are too large to be built."""
        most, lowest = self.allowance.most_clauses, files.read_range(self.folder)
        if (clauses := estimate_claim(problem, claim)) > most:
            raise TooLargeError(
                f"the problem asks for about {clauses:,} clauses; the limit is {most:,}"
            )
        if lowest is not None and estimate_range(problem, lowest, most) > most:
            raise TooLargeError(f"the boxes of the range ask for more than {most:,} clauses")

    def _file_complaints(self, certificate: Certificate, sizes: dict[str, int]) -> Iterator[str]:
        """Yield the disagreements among the files: names, then sizes, then hashes."""
        listed = set(certificate.files)
        missing = sorted(listed - sizes.keys())
        missing += sorted({part.proof for part in certificate.parts} - listed - set(missing))
        yield from (f"{name} is missing" for name in missing)
        for name in sorted(sizes.keys() - listed - {files.CERTIFICATE}):
            yield f"{name} is not among the files that {files.CERTIFICATE} lists"
        if files.CERTIFICATE in listed:
            yield f"{files.CERTIFICATE} lists itself"
        if missing:
            return
        most = self.allowance.most_bytes
        if (total := sum(sizes.values())) > most:
            raise TooLargeError(f"the files have {total:,} bytes; the limit is {most:,}")
        for part in certificate.parts:
            if part.proof_bytes > most:
                raise TooLargeError(
                    f"{part.proof} unpacks to {part.proof_bytes:,} bytes; the limit is {most:,}"
                )
        for name, digest in certificate.files.items():
            if files.hash_plain(self.folder, name) != digest:
                yield f"{name} is not the file that {files.CERTIFICATE} lists"

    def _claim_complaints(
        self, certificate: Certificate, problem: Problem, claim: Claim
    ) -> Iterator[str]:
        """Yield the complaints that need no formula."""
        if certificate.problem != problem.name:
            yield f"{files.CERTIFICATE} is that of another problem"
        if files.read_file(self.folder, files.STATEMENT) != self.statement.encode():
            yield f"{files.STATEMENT} does not say what {files.PROBLEM} and {files.CLAIM} say"
        self.tell("simulating the patterns")
        yield from witness_complaints(problem, claim)

    def _check_parts(
        self, certificate: Certificate, problem: Problem, claim: Claim
    ) -> Iterator[tuple[str, Verdict]]:
        """Check the proof of every part that the claim needs; other parts do not count."""
        listed = {part.name: part for part in certificate.parts}
        checked = CheckedProofs(self.allowance.save)
        done = 0

        def check(obligation: Obligation) -> tuple[str, Verdict]:
            nonlocal done
            part = listed.pop(obligation.name, None)
            if part is None:
                return obligation.name, Verdict(False, "there is no proof of it")
            self._read.add(part.proof)
            wrong = self._formula_complaint(part, obligation)
            if wrong:
                return obligation.name, Verdict(False, wrong)
            proof = certificate.files[part.proof]
            if checked.knows(part.formula, proof):
                verdict = Verdict(True, checker="satlife, before")
            else:
                verdict = self._check(part, obligation)
                if verdict:
                    checked.add(part.formula, proof)
            done += 1
            self.tell(f"checking the proofs ({done} of {len(certificate.parts)})")
            return obligation.name, verdict

        self.tell("building the formula")
        obligations = self._obligations(problem, claim)
        if len(certificate.parts) == 1 or self.allowance.jobs == 1:
            yield from map(check, obligations)
        else:
            with ThreadPoolExecutor(self.allowance.jobs) as threads:
                yield from threads.map(check, obligations)
        for name in listed:
            yield name, Verdict(False, "the claim has no such part")

    def _obligations(self, problem: Problem, claim: Claim) -> Iterator[Obligation]:
        maps, tree = files.read_symmetries(self.folder), files.read_tree(self.folder)
        lowest = files.read_range(self.folder)
        self._read |= {files.SYMMETRIES, files.TREE, files.RANGE}
        self._maps = maps
        made = obligations(problem, claim, lambda each: maps.get(each.stored, ()), lowest)
        if lowest is None:
            return made if tree is None else list_leaves(made, tree)
        if tree is not None:
            raise FormatError(f"beside {files.RANGE}, each box has its own tree, not {files.TREE}")
        return self._divide_boxes(made)

    def _divide_boxes(self, made: Iterator[Obligation]) -> Iterator[Obligation]:
        """Yield the boxes of a range, or their leaves."""
        for box in made:
            tree = files.read_tree(self.folder, box.name)
            self._read.add(files.name_tree(box.name))
            yield from [box] if tree is None else divide(box, tree, f"{box.name}-")

    def _formula_complaint(self, part: Part, obligation: Obligation) -> str:
        """Return the complaint about the stored formula, if any; each file is read once."""
        with self._lock:
            if obligation.stored not in self._texts:
                text = files.formula_text(obligation.whole)
                self._texts[obligation.stored] = text, self._compare(obligation.stored, text)
            text, wrong = self._texts[obligation.stored]
        case = obligation.case
        found = files.hash_bytes(text) if case is None else files.hash_leaf(text, case)
        if found != part.formula:
            return "the formula that the problem gives is another"
        size = obligation.formula.variables, obligation.formula.clauses
        if (part.title, part.variables, part.clauses) != (obligation.title, *size):
            return f"{files.CERTIFICATE} gives it another title or size"
        return wrong

    def _compare(self, stored: str, text: bytes) -> str:
        name = f"{stored}.cnf.xz"
        self._read.add(name)
        try:
            with files.open_packed(self.folder, name, len(text)) as file:
                same = file.read(len(text)) == text
                file.finish()
        except FormatError as error:
            return str(error)
        return "" if same else f"{name} is not the formula that the problem gives"

    def _check(self, part: Part, obligation: Obligation) -> Verdict:
        """Check a proof against the rebuilt formula; several at once in child processes."""
        left, memory = self._left(), self.allowance.memory_bytes
        if self.allowance.jobs == 1:
            return check_part(self.folder, part, obligation.formula, left, memory)
        limits = Limits(seconds=left, memory_bytes=memory)
        function = f"{__name__}:check_part"
        order = (self.folder, part, obligation.formula, left, memory)
        found = run_confined(function, *order, limits=limits)
        return found if isinstance(found, Verdict) else Verdict(False, str(found), decided=False)

    def _left(self) -> float | None:
        seconds = self.allowance.seconds
        return None if seconds is None else max(0.0, self.begun + seconds - time.monotonic())


def check_part(
    folder: Path, part: Part, formula: Formula, seconds: float | None, memory_bytes: int | None
) -> Verdict:
    """Check the proof of a part against its formula."""
    return check_packed(folder, part.proof, part.proof_bytes, formula, seconds, memory_bytes)


def check_packed(
    folder: Path,
    name: str,
    size: int,
    formula: Formula,
    seconds: float | None,
    memory_bytes: int | None,
    *,
    exact: bool = True,
) -> Verdict:
    """Check an LRAT proof while it is unpacked; only a valid one is ever unpacked to the disk.

    It must have ``size`` bytes, or, unless ``exact``, at most so many.
    """
    start = time.monotonic()

    def unpack(path: Path) -> Path:
        with (
            files.open_packed(folder, name, size, exact=exact) as proof,
            path.open("wb") as file,
        ):
            shutil.copyfileobj(proof, file, 1 << 20)
        return path

    def left() -> float | None:
        return None if seconds is None else max(0.0, start + seconds - time.monotonic())

    try:
        with files.open_packed(folder, name, size, exact=exact) as proof:
            ours = check_in_time(formula, proof, left())
            if not ours:
                return ours
            proof.finish()
        with tempfile.TemporaryDirectory(prefix="satlife-") as place:
            path = Path(place, "proof.lrat")
            others = ask_others(
                formula, lambda: unpack(path), seconds=left(), memory_bytes=memory_bytes
            )
    except FormatError as error:
        return Verdict(False, f"the proof cannot be read: {error}")
    return sum_up([ours, *others], time.monotonic() - start)
