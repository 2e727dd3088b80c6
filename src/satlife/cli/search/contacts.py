"""Catalysts without a given contact, on the command line: each generation by itself."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any, NoReturn

from satlife.cli.endings import stopping
from satlife.cli.search.asked import Asked, open_text, sat_keywords
from satlife.cli.search.lists import exit_listing, print_finding, tell_end
from satlife.cli.search.options import PROVE, WHICH, refuse_options
from satlife.cli.search.progress import watch
from satlife.cli.search.report import exit_code, print_outcome
from satlife.engine import Search
from satlife.engine.contacts import search_contacts
from satlife.errors import UsageError
from satlife.kinds import Kind
from satlife.kinds.catalyst import draw_question, list_contacts
from satlife.problem import Problem
from satlife.problem.outcome import Found, Impossible, Listed, Outcome, Undecided

TAKEN = ("everything", "limit", "only_count", "same", "only_connected")
NEEDS_CONTACT = {
    "each generation of contact is a search of its own": (
        *(each.name for each in WHICH if each.name not in TAKEN),
        *(each.name for each in PROVE if each.name != "prove"),
        "save",
        "solver_command",
        "engine",
    ),
}
"""Why some options need a generation of contact."""


def takes_each(options: dict[str, Any]) -> bool:
    """Return whether all that is given can be asked of each generation of contact by itself."""
    harmless = (None, False, (), "sat")
    return all(options.get(name) in harmless for names in NEEDS_CONTACT.values() for name in names)


def run_contacts(kind: Kind, options: dict[str, Any]) -> NoReturn:
    """Ask for each generation of contact, and print the first find, or all."""
    refuse_options(kind, options, NEEDS_CONTACT, "--contact")
    asked = Asked.take(options)
    if asked.which.same not in (None, "catalyst", "outcome"):
        raise UsageError(f"--same {asked.which.same} is not for catalysts; use catalyst or outcome")
    which, output = asked.which, asked.output
    given = kind.read(options, open_text)
    contacts = given.pop("contact", None)
    parts = ("incoming", "region", "states", "at", "turn")
    drawing = draw_question(**{name: given[name] for name in parts if name in given})
    times = list_contacts(drawing, contacts)
    output.check()

    def make(contact: int | tuple[int, int]) -> Problem:
        return kind.function(**given, contact=contact)

    several = which.everything or which.limit or which.only_count
    most = which.limit or (None if several else 1)
    skipped, last, count = Counter[str](), None, 0
    with output.finishing(), stopping() as signals:
        with asked.reporting() as report:

            def begin(contact: int, search: Search) -> None:
                watch(search, signals)
                report.about = (f"contact in generation {contact}",)

            for step in search_contacts(
                make,
                times,
                same=which.same or "catalyst",
                only_connected=which.only_connected,
                on_start=begin,
                on_event=report.event,
                **sat_keywords(asked.how, "a search for each contact"),
            ):
                last = step
                skipped.update(step.skipped)
                if step.finding is not None:
                    count += 1
                    if several and not which.only_count:
                        print_finding(step.finding, output)
                    if count == most:
                        break
        assert last is not None  # there is a contact at least
        problem = make((times[0], times[-1]))
        if several:
            reason = f"stopped at the limit of {most}" if count == most else last.reason
            listed = Listed(
                *(problem, count, last.complete, reason, count == most),
                skipped={name: number for name, number in skipped.items() if number},
            )
            tell_end(listed, which, output)
            sys.exit(exit_listing(listed))
        outcome: Outcome
        if last.finding is not None:
            outcome = Found(last.finding)
        elif last.complete:
            outcome = Impossible(problem, last.reason, last.provenance)
        else:
            reason = f"{last.reason}; the contact in generation {last.contact} was asked for"
            outcome = Undecided(problem, reason, last.provenance)
        print_outcome(outcome, output)
    sys.exit(exit_code(outcome))
