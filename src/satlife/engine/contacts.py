"""Catalysts, one generation of contact after the other: each is a small question of its own.

Until the contact, everything is known but the catalyst, and it cannot lie where the input has been.
So asking for each generation by itself is less work than asking for all of them at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, product, repeat, takewhile
from operator import mul
from typing import Unpack

from satlife.engine.engine import Event, Keywords, Options
from satlife.engine.sat.engine import SatEngine
from satlife.engine.session import Search
from satlife.engine.wanted import Same, Wanted
from satlife.errors import UsageError
from satlife.life import Pattern
from satlife.life.identity.leftovers import count_leftovers
from satlife.problem import Problem
from satlife.problem.outcome import Finding, Found, Listed, Provenance
from satlife.problem.reaction import Reaction, follow_reaction, need_restored


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


FACTOR = 4
"""How much longer each recovery is that is asked for, where one catalyst is wanted."""


def list_recoveries(most: int) -> list[int]:
    """Return the times of recovery to ask for, one after the other.

    Short ones take a fraction of the time, and most catalysts have one; if there is none, they have
    cost about a quarter more.

    >>> list_recoveries(36)
    [4, 16, 36]
    """
    short = takewhile(lambda each: each < most, accumulate(repeat(FACTOR), mul))
    return [*short, most]


def search_contacts(
    make: Callable[[int, int], Problem],
    contacts: Sequence[int],
    recoveries: Sequence[int],
    *,
    same: Same = "catalyst",
    only_connected: bool = False,
    leaves: str | None = None,
    leaves_no: str | None = None,
    on_start: Callable[[int, Search], None] = lambda contact, search: None,
    on_event: Callable[[Event], None] = lambda event: None,
    **options: Unpack[Keywords],
) -> Iterator[ContactStep]:
    """Yield every catalyst, by its contact, and the end of each search.

    ``make`` returns the problem of a contact and a time of recovery.  With ``leaves``, an apgcode,
    only those after which such an object is there; with an empty text, those that leave nothing.
    With ``leaves_no``, those after which it is not, or that leave something.

    With the ``same`` outcome, only the first catalyst for what comes out, when all that were asked
    for have held.  The options are those of ``satlife.find``; the time is one for all.
    """
    if same not in ("catalyst", "outcome"):
        raise UsageError(f"catalysts count as one by catalyst or outcome, not by {same}")
    how = Options.of(**options).starting_now()
    SatEngine().check_options(how)
    seen, others = set(), set[tuple[int, Pattern]]()
    asked = need_restored(make(contacts[-1], recoveries[-1]))
    # What an outcome is compared in, whatever the contact: all that goes before then matters.
    last = asked.times[1] + asked.hold if same == "outcome" else 0
    for contact, recover in product(contacts, recoveries):
        problem = make(contact, recover)
        left_out = Counter[str]()
        wanted = Wanted(same=same, until=last, only_connected=only_connected)
        with Search(problem, SatEngine(), how, wanted=wanted) as search:
            on_start(contact, search)
            for event in search:
                on_event(event)
                if not isinstance(event, Found):
                    continue
                reaction = follow_reaction(problem, event.finding.history, last)
                if not _comes_out(event.finding, reaction, leaves, leaves_no):
                    left_out["leftovers"] += (contact, reaction.catalyst) not in others
                    others.add((contact, reaction.catalyst))
                    continue
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


def _comes_out(
    finding: Finding, reaction: Reaction, wanted: str | None, unwanted: str | None
) -> bool:
    """Return whether what is left in the end has one object, and not the other.

    An empty text is nothing at all.  What does not settle into objects is neither.
    """
    if wanted is None and unwanted is None:
        return True
    objects = count_leftovers(finding.pattern, reaction.catalyst)
    if objects is None:
        return False
    has = {code: objects[code] > 0 if code else not objects for code in (wanted, unwanted)}
    return (wanted is None or has[wanted]) and (unwanted is None or not has[unwanted])
