"""What a command that searches was asked for, apart from the problem itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from satlife.cli.quantities import set_deadline
from satlife.cli.search.options import PROVE, WHICH, take, take_how
from satlife.cli.search.report import Output
from satlife.deadline import Deadline


@dataclass(frozen=True)
class Which:
    """Which solutions; the fields are the options of :data:`~satlife.cli.search.options.WHICH`."""

    everything: bool
    limit: int | None
    only_count: bool
    raw: bool
    same: Literal["object", "rotor"] | None
    journal: str | None
    reject: tuple[str, ...]
    only_connected: bool
    minimize: str | None
    maximize: str | None
    grow: str | None

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
        """Whether the best one is wanted."""
        return bool(self.minimize or self.maximize)


@dataclass(frozen=True)
class Proof:
    """Which certificate; the fields are the options that speak of one."""

    prove: str | None
    cubes: int | None
    proof_size: int | None
    shrink: bool

    @property
    def wanted(self) -> bool:
        """Whether anything is to be proved."""
        return self != Proof(None, None, None, shrink=False)

    @property
    def folder(self) -> Path:
        """Where the certificate goes, if one is wanted."""
        if self.prove is None:
            raise AssertionError("only --prove writes a certificate")
        return Path(self.prove)


@dataclass(frozen=True)
class Asked:
    """Everything that a command was asked for, beside the problem."""

    which: Which
    proof: Proof
    output: Output
    how: dict[str, Any]
    """Keywords of :func:`satlife.start`; the time is one deadline for the whole command."""
    deadline: Deadline

    @classmethod
    def take(cls, options: dict[str, Any]) -> Asked:
        """Take everything but the kind's own parameters out of a command's options."""
        deadline = set_deadline(options["timeout"])
        options["timeout"] = None if deadline.seconds is None else deadline
        return cls(
            which=Which(**take(WHICH, options)),
            proof=Proof(**take(PROVE, options), shrink=options.pop("shrink", False)),
            output=Output(options.pop("as_json"), options.pop("quiet"), options.pop("output")),
            how=take_how(options),
            deadline=deadline,
        )
