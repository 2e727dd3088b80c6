"""Running a search from the command line: one solution, or whatever else the options ask for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn, cast

from satlife.cli.endings import stopping
from satlife.cli.quantities import name_seconds
from satlife.cli.search.asked import Asked, Which, build_problem
from satlife.cli.search.options import WHICH, refuse_options, spell_option
from satlife.cli.search.progress import listen
from satlife.cli.search.report import exit_code, print_outcome
from satlife.engine import Options, find_engine, start
from satlife.engine.rows.engine import name_missing
from satlife.engine.sat.engine import SAT
from satlife.engine.session import pick_engine
from satlife.engine.turns import TURNS
from satlife.errors import UsageError
from satlife.kinds import Kind, kind_of
from satlife.problem import Problem
from satlife.problem.outcome import Outcome
from satlife.problem.words import join_command, name_asked_box

SMALLEST = "1x1"
"""The box from which a search grows if none is given."""
GROWTH_SECONDS = 600.0
"""Its time limit, if none is given either."""
NEEDS_BOX = {
    "without one there is no end to what could be listed": (
        *("everything", "limit", "raw", "same", "journal", "only_count"),
    ),
    "without one nothing could be proved the best": ("minimize", "maximize"),
    "a certificate is about one box": ("prove", "cubes", "proof_size"),
    "a file keeps the search in one box": ("save",),
    "it turns the pattern about the centre of one": ("transform",),
    "it names places in one": ("on", "off", "background", "difference"),
}
"""Why some options need a box."""
NOT_SMALLEST = {
    "growing boxes end with the first find": ("reject", "only_connected"),
    "only the engine sat goes from box to box": ("engine",),
    "without one, the area found is the least": ("area",),
}
"""Why others cannot be combined with --smallest if there is no box."""
ONLY_SMALLEST = {
    "a search for a first pattern chooses for itself how": (
        *("engine", "solver", "solver_command", "encoding", "break_symmetry", "restrictions"),
        *("random_seed", "partials", "extend"),
    ),
}
"""Why others go with --smallest alone if there is no box."""


def run_kind(kind: Kind, options: dict[str, Any]) -> NoReturn:
    """Run the search of a kind's command.

    Without a box, the catalogue answers, or a search for a first pattern; or the smallest box is
    searched for.
    """
    fresh, smallest = options.pop("fresh", False), options.pop("smallest", False)
    boxless = kind.embeds and options["box"] is None
    if smallest and options["grow"] not in (None, "area"):
        raise UsageError(f"--smallest is --grow area; it cannot be combined with {options['grow']}")
    if smallest:
        options["grow"] = "area"
    if kind.grows_region and options["region"] is None:
        from satlife.cli.search.regions import run_regions  # noqa: PLC0415 - few searches do

        limit = options["timeout"]
        run_regions(kind, options | {"timeout": GROWTH_SECONDS if limit is None else limit})
    if kind.tries_contacts:
        from satlife.cli.search.contacts import run_contacts, takes_each  # noqa: PLC0415 - as above

        if not options["prove"] and (options["contact"] is None or takes_each(options)):
            run_contacts(kind, options)
        for name, option in (("leaves", "--leaves"), ("leaves_no", "--not")):
            if options[name] is not None:
                raise UsageError(
                    f"{option} follows every reaction that is found; it cannot be combined with "
                    "--prove or another search than that for each generation of contact"
                )
    if boxless:
        _check_boxless(kind, options)
    if boxless and options["grow"]:
        limit = options["timeout"]
        options["timeout"] = GROWTH_SECONDS if limit is None else limit
    asked = Asked.take(options)

    def make(**changes: Any) -> Problem:
        return asked.output.accept(build_problem(kind, options | changes))

    if boxless and not asked.which.grow:
        from satlife.cli.search.first import run_first  # noqa: PLC0415 - most searches have a box

        asked.output.check()
        asked.output.advise = partial(_advise, make, asked, True)
        with asked.output.finishing():
            run_first(make, options.get("speed"), asked, fresh=fresh)
    run(make, asked, grows=boxless, fresh=fresh)


def _check_boxless(kind: Kind, options: dict[str, Any]) -> None:
    """Raise if something needs a box, or is refused by this search without one."""
    if options["grow"] not in (None, "area"):
        raise UsageError(f"--grow {options['grow']} needs --box: the first one")
    more, instead = (NOT_SMALLEST, "") if options["grow"] else (ONLY_SMALLEST, " or --smallest")
    harmless = (None, False, (), 0, "identity", "sat" if options["grow"] else None)
    refuse_options(kind, options, NEEDS_BOX, "--box", harmless)
    refuse_options(kind, options, more, f"--box{instead}", harmless)


def run(
    make: Callable[..., Problem], asked: Asked, *, grows: bool = False, fresh: bool = True
) -> NoReturn:
    """Run the search that the options ask for."""
    asked.output.check()
    asked.output.advise = partial(_advise, make, asked, grows)
    if asked.output.picture and asked.which.only_count:
        raise UsageError(f"--count prints a number; there is no {asked.output.picture} of it")
    with asked.output.finishing():
        _run(make, asked, grows, fresh)


def _run(make: Callable[..., Problem], asked: Asked, grows: bool, fresh: bool) -> NoReturn:
    """Find one, the best, all, the smallest box, or a proof."""
    which, problem = asked.which, None if grows else make()
    if problem is not None:
        check_options(problem, which)
    if not asked.proof.wanted:
        _check_engine(problem, asked)
    if problem is not None and asked.proof.wanted:
        from satlife.cli.search.proofs import run_proof  # noqa: PLC0415 - most searches want one

        run_proof(problem, asked)
    if problem is None or which.best or which.grow or which.several:
        from satlife.cli.search.lists import run_best, run_growth, run_listing  # noqa: PLC0415 - most searches want one

        if problem is None or which.grow:
            first = SMALLEST if problem is None else name_asked_box(problem)
            run_growth(make, first, asked, known=grows and not fresh)
        if which.best:
            run_best(problem, asked)
        run_listing(problem, asked)
    run_search(problem, asked)


def _check_engine(problem: Problem | None, asked: Asked) -> None:
    """Raise, in the words of the command line, if the engine does not take an option."""
    how = {name: value for name, value in asked.how.items() if name != "engine"}
    if problem is None or asked.which.grow:
        engine = find_engine("sat")
    else:
        engine = pick_engine(asked.how["engine"], problem)
    engine.check_options(Options.of(**how), spell_option)
    if problem is not None and engine is SAT and asked.how["engine"] is None:
        why = TURNS.refuses(problem)
        if why is not None and why == name_missing():
            asked.output.say(f"by SAT alone, which may be slower: {why}")


def _advise(
    make: Callable[..., Problem], asked: Asked, grows: bool, reason: str
) -> tuple[str, str]:
    """Return the command that may help most, and what it brings."""
    from satlife.advice import advise  # noqa: PLC0415 - most searches end before
    from satlife.machine import count_processors  # noqa: PLC0415 - the same

    how = {name: value for name, value in asked.how.items() if name != "engine"}
    which, grown = asked.which, bool(asked.which.grow)
    alone = not (which.several or which.best or asked.proof.wanted or asked.how["engine"])
    given = advise(
        make,
        Options.of(**how),
        processors=count_processors(),
        reason=reason,
        single=alone and (grows or not grown),
        grows=grown or grows,
    )
    advice = None if reason and "limit" not in reason else next(given, None)
    if advice is None:
        return "", ""
    cost = "" if advice.seconds is None else f", about {name_seconds(max(0.1, advice.seconds))}"
    return join_command(change_words(sys.argv[1:], advice.changes)), f"{advice.why}{cost}"


def change_words(words: Sequence[str], changes: Mapping[str, str]) -> list[str]:
    """Return the words of a command with some options changed or added.

    >>> change_words(["ship", "c/3", "--box=9x9", "-q"], {"box": "9x*", "jobs": "2"})
    ['satlife', 'ship', 'c/3', '--box', '9x*', '-q', '--jobs', '2']
    """
    options = {f"--{name}": value for name, value in changes.items()}
    end = list(words).index("--") if "--" in words else len(words)
    changed, rest = ["satlife"], iter(words[:end])
    for word in rest:
        name = word.partition("=")[0]
        if name in options:
            changed += [name, options.pop(name)]
            if name == word:
                next(rest, None)
        else:
            changed.append(word)
    return [*changed, *(word for option in options.items() for word in option), *words[end:]]


def check_options(problem: Problem, which: Which) -> None:
    """Raise if options make no sense together, or not with this kind of search."""
    given = [option.opts[-1] for option in WHICH if option.name and getattr(which, option.name)]
    goal = [name for name in given if name in ("--minimize", "--maximize")]
    if kind_of(problem).yes == "impossible" and given:
        raise UsageError(
            f"{problem.kind} asks for a yes or a no; {given[0]} cannot be combined with it"
        )
    alone = "--grow" if "--grow" in given else goal[0] if goal else None
    if alone and (others := [name for name in given if name not in (alone, *goal)]):
        raise UsageError(f"{alone} cannot be combined with {others[0]}")
    if which.same and not (which.everything or which.limit or which.only_count):
        raise UsageError("--same needs --all, --count or --limit")
    if which.grow and (len(problem.boxes) > 1 or problem.motion is None):
        raise UsageError("--grow starts from one box for all phases")
    recurring = problem.motion is not None and problem.boundary == "dead"
    if "--reject" in given and not recurring:
        raise UsageError("--reject goes only with still lifes, oscillators and ships")
    if "--only-connected" in given and not (recurring or kind_of(problem).catalyst):
        raise UsageError(
            "--only-connected goes only with still lifes, oscillators, ships, eaters and reactions"
        )


def run_search(problem: Problem, asked: Asked) -> NoReturn:
    """Search for one solution, print the answer, and exit with its code."""
    with stopping() as signals:
        with (
            asked.reporting() as report,
            start(problem, **asked.how) as search,
        ):
            listen(search, report.event, signals)
            outcome = cast("Outcome", search.result())
        print_outcome(outcome, asked.output)
    sys.exit(exit_code(outcome))
