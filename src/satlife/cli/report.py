"""Answers in words: what is printed, where it goes, and with which code a command ends."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from satlife.cli import ending
from satlife.cli.ending import say
from satlife.cli.start import CLOSED
from satlife.errors import UsageError

if TYPE_CHECKING:
    from satlife.search import Finding, Outcome, Problem, Provenance


@dataclass
class Output:
    """Where answers go, and how much is said."""

    as_json: bool
    quiet: bool
    file: str
    begun: bool = False

    def check(self) -> None:
        """Refuse, before a long search, a file that cannot be written after it."""
        if self.file == "-" and "standard output" in CLOSED:
            raise UsageError("standard output is closed")
        path = Path(self.file)
        if self.file != "-" and not os.access(path if path.exists() else path.parent, os.W_OK):
            raise UsageError(f"{self.file} cannot be written")

    def write(self, text: str) -> None:
        """Write a piece of the result; the second piece goes behind the first."""
        if self.file == "-":
            sys.stdout.write(text)
            sys.stdout.flush()
            return
        with Path(self.file).open("a" if self.begun else "w", encoding="utf-8") as file:
            file.write(text)
        self.begun = True

    def write_json(self, record: dict[str, Any]) -> None:
        """Write a record as one line."""
        import msgspec

        self.write(msgspec.json.encode(record).decode() + "\n")

    def say(self, message: str) -> None:
        """Say something beside the result."""
        if not (self.quiet or self.as_json):
            say(message)


def exit_code(problem: Problem, outcome: Outcome) -> int:
    """Return the exit code of an answer."""
    from satlife.search import Found, Impossible

    match outcome:
        case Found():
            code = ending.FOUND
        case Impossible():
            code = ending.IMPOSSIBLE
        case _:
            return ending.UNDECIDED
    # The question "is it an orphan?" is answered yes by an impossibility.
    return 1 - code if problem.kind == "orphan" else code


def print_outcome(outcome: Outcome, output: Output) -> None:
    """Print an answer: the result to the output, words to standard error."""
    from satlife.search import Found, Impossible, describe

    if output.as_json:
        output.write_json(as_record(outcome))
        return
    match outcome:
        case Found(finding):
            output.write(as_rle(finding))
            message = f"found: {identity_words(finding)}"
            if finding.problem.kind == "orphan":
                message = "not an orphan: this is a parent"
        case Impossible(problem, reason):
            message = f"impossible ({reason}): there is no {describe(problem)[2:]}"
            if problem.kind == "orphan":
                message = f"an orphan: nothing becomes this ({reason})"
        case undecided:
            message = f"undecided ({undecided.reason}): neither found nor refuted"
    output.say(f"{message}{_effort_words(outcome)}")


def identity_words(finding: Finding) -> str:
    """Say what was found, in a line."""
    from satlife.life import identify
    from satlife.search.kinds.reaction import catalyst, has_catalyst

    if has_catalyst(finding.problem):
        return f"{identify(catalyst(finding))}"
    if finding.problem.motion is None or finding.problem.boundary == "torus":
        return f"{finding.pattern.population} cells in {finding.pattern.box}"
    return str(finding.identity)


def _provenance(outcome: Outcome) -> Provenance | None:
    from satlife.search import Found

    return outcome.finding.provenance if isinstance(outcome, Found) else outcome.provenance


def _effort_words(outcome: Outcome) -> str:
    provenance = _provenance(outcome)
    if provenance is None:
        return ""
    told = (provenance.details.get(name) for name in ("solver", "encoding"))
    how = ", ".join(str(word) for word in told if word) or provenance.engine
    return f" [{how}, {provenance.seconds:.1f} s]"


def as_rle(finding: Finding) -> str:
    """Write a finding as RLE with its name and where it comes from."""
    from satlife.life import identify
    from satlife.search.kinds.reaction import catalyst, has_catalyst

    lines = []
    if finding.problem.motion is not None and finding.problem.boundary == "dead":
        identity = finding.identity
        lines += [f"#N {identity.name}"] if identity.name else []
        lines += [f"#C {identity}"]
    if has_catalyst(finding.problem):
        lines += [f"#C {identify(catalyst(finding))}"]
    command = shlex.join(["satlife", *sys.argv[1:]])
    lines += [f"#C Found and verified by {command}"]
    text = finding.pattern.to_rle()
    if finding.problem.boundary == "torus":
        # The whole tile: its dead margins matter.
        from satlife.life import PartialPattern

        tile = finding.problem.all_boxes[0]
        lines += [f"#C One tile of {tile} of a pattern that fills the plane"]
        text = PartialPattern.from_pattern(finding.pattern, tile).to_rle()
    return "\n".join([*lines, text]) + "\n"


def as_record(outcome: Outcome) -> dict[str, Any]:
    """Turn an outcome into what ``--json`` prints; docs/reference/json.md explains it."""
    import msgspec

    from satlife.life import identify
    from satlife.search import Found, Impossible
    from satlife.search.kinds.reaction import catalyst, has_catalyst

    provenance = _provenance(outcome)
    match outcome:
        case Found(finding):
            problem = finding.problem
            record: dict[str, Any] = {
                "answer": "found",
                "rle": finding.pattern.to_rle(),
                "population": finding.pattern.population,
            }
            if problem.motion is not None and problem.boundary == "dead":
                record["identity"] = finding.identity.to_dict()
            if has_catalyst(problem):
                alone = catalyst(finding)
                record["catalyst"] = {"rle": alone.to_rle(), "identity": identify(alone).to_dict()}
        case Impossible(problem, reason):
            record = {"answer": "impossible", "reason": reason}
            if outcome.certificate is not None:
                record["certificate"] = str(outcome.certificate)
        case undecided:
            problem = undecided.problem
            record = {"answer": "undecided", "reason": undecided.reason}
    return {
        **record,
        "name": problem.name,
        "problem": msgspec.Raw(problem.to_json()),
        "provenance": None if provenance is None else asdict(provenance),
    }
