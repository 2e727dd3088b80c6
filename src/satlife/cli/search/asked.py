"""The options of a command that searches, apart from the problem itself."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from satlife.cli.endings import is_quiet
from satlife.cli.quantities import set_deadline
from satlife.cli.search.options import HOW, PROVE, WHICH
from satlife.cli.search.progress import Report, reporting
from satlife.cli.search.report import Output
from satlife.deadline import Deadline
from satlife.engine import find_engine
from satlife.engine.wanted import Same
from satlife.errors import UsageError
from satlife.formula.encodings import find_encoding
from satlife.kinds import Kind
from satlife.kinds._kind import PATTERN
from satlife.problem import Problem
from satlife.sat.solvers import command_solver, find_solver


class Which(Struct, frozen=True):
    """Which solutions; the fields are the options of :data:`~satlife.cli.search.options.WHICH`."""

    everything: bool = False
    limit: int | None = None
    only_count: bool = False
    raw: bool = False
    same: Same | None = None
    journal: str | None = None
    reject: tuple[str, ...] = ()
    only_connected: bool = False
    leaves: str | None = None
    leaves_no: str | None = None
    minimize: str | None = None
    maximize: str | None = None
    grow: str | None = None

    @property
    def several(self) -> bool:
        """Whether more than one solution is wanted, or another one than the first."""
        return bool(
            self.everything
            or self.limit
            or self.only_count
            or self.raw
            or self.same
            or self.journal
            or self.reject
            or self.only_connected
        )

    @property
    def best(self) -> bool:
        """Whether the best solution is wanted."""
        return bool(self.minimize or self.maximize)


class Proof(Struct, frozen=True):
    """Which certificate; the fields are the options about certificates."""

    prove: str | None
    cubes: int | None
    proof_size: int | None
    shrink: bool = False
    complete: bool = False
    margin: int | None = None

    @property
    def wanted(self) -> bool:
        """Whether a proof is wanted, or another search after an answer."""
        return self != Proof(None, None, None)

    @property
    def folder(self) -> Path:
        """The folder of the certificate, if one is wanted."""
        if self.prove is None:
            raise AssertionError("only --prove writes a certificate")
        return Path(self.prove)


class Asked(Struct, frozen=True):
    """All options of a command, apart from the problem."""

    which: Which
    proof: Proof
    output: Output
    how: dict[str, Any]
    """Keywords of :func:`satlife.start`; the time is one deadline for the whole command."""
    deadline: Deadline

    def reporting(self) -> AbstractContextManager[Report]:
        """Choose how to report the progress of this search."""
        return reporting(self.output.silent, self.deadline, self.output.advise)

    @classmethod
    def take(cls, options: dict[str, Any]) -> Asked:
        """Take everything but the kind's own parameters out of a command's options."""
        deadline = set_deadline(options["timeout"])
        options["timeout"] = None if deadline.seconds is None else deadline
        return cls(
            which=Which(**take(WHICH, options)),
            proof=Proof(**take(PROVE, options), **_take_given(options)),
            output=Output(
                options.pop("as_json"),
                is_quiet(),
                options.pop("output"),
                direction=options.pop("direction", None),
            ),
            how=take_how(options),
            deadline=deadline,
        )


def _take_given(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options that only some kinds have; the margin of others is their own."""
    names = ("shrink", "complete", "margin") if "complete" in options else ("shrink",)
    return {name: options.pop(name) for name in names if name in options}


def take(table: tuple[click.Option, ...], options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of a table out of a command's options, those that the command has."""
    return {each.name: options.pop(each.name) for each in table if each.name in options}


def take_how(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of HOW out of a command's options, as keywords of ``satlife.start``.

    A wrong name is refused now, not after a long search.
    """
    how = take(HOW, options)
    how["seed"] = how.pop("random_seed")
    if command := how.pop("solver_command"):
        how["solver"] = command_solver(command)
    elif how["solver"]:
        find_solver(how["solver"])
    if how["encoding"]:
        find_encoding(how["encoding"])
    if how["engine"]:
        find_engine(how["engine"])
    if how.get("extend"):
        how["extend"] = PATTERN.read(how["extend"], open_text)
    return how


def sat_keywords(how: dict[str, Any], wanted: str) -> dict[str, Any]:
    """Return the keywords without the engine, which must be SAT for what is wanted."""
    if how["engine"] not in (None, "sat"):
        raise UsageError(f"{wanted} is an option of the engine sat, not of {how['engine']}")
    return {name: value for name, value in how.items() if name != "engine"}


def build_problem(kind: Kind, options: dict[str, Any]) -> Problem:
    """Build the problem of a command's arguments and options."""
    return kind.build(options, open_text)


def open_text(source: str) -> str:
    """Return the text of a pattern that a person named; most searches name none."""
    from satlife.cli.own import open_source  # noqa: PLC0415 - most searches name no pattern

    return open_source(source)
