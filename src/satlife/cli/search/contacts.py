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
from satlife.engine.contacts import ContactStep, list_recoveries, search_contacts
from satlife.errors import UsageError
from satlife.kinds import Kind
from satlife.kinds.catalyst import RECOVER, draw_question, list_contacts
from satlife.life.identity import identify
from satlife.problem import Problem
from satlife.problem.outcome import Found, Impossible, Listed, Outcome, Undecided
from satlife.quantities import write_count

TAKEN = ("everything", "limit", "only_count", "same", "only_connected", "leaves", "leaves_no")
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
    leaves, leaves_no = (
        None if word is None else read_object(word) for word in (which.leaves, which.leaves_no)
    )
    given = kind.read(options, open_text)
    contacts, recover = given.pop("contact", None), given.pop("recover", RECOVER)
    parts = ("incoming", "region", "states", "at", "turn")
    drawing = draw_question(**{name: given[name] for name in parts if name in given})
    if contacts is None and (drawn := given.get("becomes")):
        contacts = 1, min(t for _, t in drawn)
    times = list_contacts(drawing, contacts)
    output.check()

    def make(contact: int | tuple[int, int], recover: int = recover) -> Problem:
        return kind.function(**given, contact=contact, recover=recover)

    problem = make((times[0], times[-1]))
    several = which.everything or which.limit or which.only_count
    recoveries = [recover] if several else list_recoveries(recover)
    most = which.limit or (None if several else 1)
    skipped, last, count = Counter[str](), None, 0
    with output.finishing(), stopping() as signals:
        output.say(f"without a catalyst: {identify(drawing.active).reason}")
        with asked.reporting() as report:

            def begin(contact: int, search: Search) -> None:
                watch(search, signals)
                report.about = (f"contact in generation {contact}",)

            for step in search_contacts(
                make,
                times,
                recoveries,
                same=which.same or "catalyst",
                only_connected=which.only_connected,
                leaves=leaves,
                leaves_no=leaves_no,
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
        doubt = _doubt(skipped["leftovers"]) if last.complete else ""
        if several or (skipped["composites"] and last.finding is None):
            reason = f"stopped at the limit of {most}" if count == most else doubt or last.reason
            listed = Listed(
                *(problem, count, last.complete and not doubt, reason, count == most),
                skipped={name: number for name, number in skipped.items() if number},
            )
            tell_end(listed, which, output)
            sys.exit(exit_listing(listed))
        outcome = _conclude(last, problem, doubt)
        print_outcome(outcome, output)
    sys.exit(exit_code(outcome))


def _doubt(others: int) -> str:
    """Return why reactions that left something else do not settle what was asked.

    What is left in the end may depend on cells that did not matter before.
    """
    if not others:
        return ""
    count = write_count(others, "reaction")
    more = "but with other cells that did not matter could leave what was"
    return f"{count} left something else than was asked for, {more}"


def _conclude(last: ContactStep, problem: Problem, doubt: str) -> Outcome:
    """Return the answer after the last step; a doubt is a reason why there may still be one."""
    if last.finding is not None:
        return Found(last.finding)
    if not last.complete:
        reason = f"{last.reason}; the contact in generation {last.contact} was asked for"
        return Undecided(problem, reason, last.provenance)
    if doubt:
        return Undecided(problem, doubt)
    return Impossible(problem, last.reason, last.provenance)


def read_object(word: str) -> str:
    """Return the apgcode of an object that is left; empty for nothing.

    >>> read_object("glider"), read_object("nothing")
    ('xq4_153', '')
    """
    from satlife.life.catalogue import name_pattern  # noqa: PLC0415 - few ask for one

    if word == "nothing":
        return ""
    code = identify(name_pattern(word)).apgcode
    if code is None:
        raise UsageError(f"a reaction leaves objects, or nothing; {word} is not an object")
    return code
