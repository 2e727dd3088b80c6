"""What a family of DIMACS programs understands: its options, and what its progress lines tell."""

from __future__ import annotations

from dataclasses import dataclass

from satlife.sat.solver import Abilities, ProofFormat


@dataclass(frozen=True, slots=True)
class ProofOption:
    """How a program is told to write a proof."""

    format: ProofFormat
    words: tuple[str, ...]
    """The words ahead of the proof's path; ``{}`` stands for the formula's file."""
    since: int = 0
    """The first major version that can."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The options of a family of programs; ``{}`` in a word stands for the number."""

    conflicts: tuple[str, ...] = ()
    """Limits the conflicts."""
    seed: tuple[str, ...] = ()
    conflicts_word: int | None = None
    """Which word of a progress line, ``c X 0.01 …``, is the number of conflicts."""
    proof: ProofOption | None = None

    def abilities(self, *, takes_file: bool) -> Abilities:
        """Return what a solver of this dialect can do.

        A command that says itself where the formula's file stands leaves no place for a proof.
        """
        return Abilities(
            incremental=False,
            statistics=self.conflicts_word is not None,
            conflict_limit=bool(self.conflicts),
            progress=self.conflicts_word is not None,
            seed=bool(self.seed),
            proof=None if self.proof is None or takes_file else self.proof.format,
        )


UNKNOWN = Dialect()
"""Of a program that is not known here: it is given no options, and tells nothing."""
