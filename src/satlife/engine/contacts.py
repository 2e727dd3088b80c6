"""Catalysts, one generation of contact after the other: each is a small question of its own.

Until the contact, everything is known but the catalyst, and it cannot lie where the input has been.
So asking for each generation by itself is less work than asking for all of them at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Unpack

from satlife.engine.engine import Event, Keywords, Options
from satlife.engine.sat.engine import SatEngine
from satlife.engine.session import Search
from satlife.engine.wanted import Same, Wanted
from satlife.errors import UsageError
from satlife.problem import Problem
from satlife.problem.outcome import Finding, Found, Listed, Provenance
from satlife.problem.reaction import Reaction, follow_reaction


@dataclass(frozen=True)
class ContactStep:
    """One generation of contact: a find, or the end of the search for others."""

    contact: int
    problem: Problem
    finding: Finding | None = None
    reaction: Reaction | None = None
    complete: bool = False
    """Whether there is no other catalyst with this contact."""
    reason: str = ""
    """Why the search ended."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """How many solutions were left out, by reason."""
    provenance: Provenance | None = None


def search_contacts(
    make: Callable[[int], Problem],
    contacts: Sequence[int],
    *,
    same: Same = "catalyst",
    only_connected: bool = False,
    on_start: Callable[[int, Search], None] = lambda contact, search: None,
    on_event: Callable[[Event], None] = lambda event: None,
    **options: Unpack[Keywords],
) -> Iterator[ContactStep]:
    """Yield every catalyst, by its contact, and the end of each search.

    With the ``same`` outcome, only the first catalyst for what comes out, when all that were asked
    for have held.  The options are those of ``satlife.find``; the time is one for all.
    """
    if same not in ("catalyst", "outcome"):
        raise UsageError(f"catalysts count as one by catalyst or outcome, not by {same}")
    how = Options.of(**options).starting_now()
    SatEngine().check_options(how)
    seen = set()
    last = make(contacts[-1]).steps
    for contact in contacts:
        problem = make(contact)
        left_out = Counter[str]()
        wanted = Wanted(same="catalyst", only_connected=only_connected)
        with Search(problem, SatEngine(), how, wanted=wanted) as search:
            on_start(contact, search)
            for event in search:
                on_event(event)
                if not isinstance(event, Found):
                    continue
                reaction = follow_reaction(problem, event.finding.history, last)
                if same == "outcome" and reaction.key in seen:
                    left_out["outcomes"] += 1
                    continue
                seen.add(reaction.key)
                yield ContactStep(contact, problem, event.finding, reaction)
            listed = search.result()
        assert isinstance(listed, Listed)
        yield ContactStep(
            *(contact, problem),
            complete=listed.complete,
            reason=listed.reason,
            skipped=left_out + Counter(listed.skipped),
            provenance=listed.provenance,
        )
        if not listed.complete:
            return
