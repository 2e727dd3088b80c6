"""The statement of a certificate: its claim in words, with every assumption.

The statement is derived from the problem and the claim alone, so that it can be rebuilt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from satlife.audit.images import class_words, is_determined
from satlife.certificates import claims
from satlife.certificates.words.properties import (
    box_size,
    count_rules,
    limits,
    name_drawings,
    name_solutions,
    properties,
)
from satlife.errors import UsageError
from satlife.life import Pattern
from satlife.life.identity import apgcode
from satlife.life.identity.parts import is_strict
from satlife.life.rulespaces import RuleSpace, read_rules
from satlife.problem import Problem
from satlife.problem.constraints import list_phrases
from satlife.problem.outcome import Drawing, read_drawing
from satlife.problem.words import count_words


def make_statement(problem: Problem, claim: claims.Claim) -> str:
    """Return the statement, as Markdown."""
    title, words = _TITLES[type(claim)](problem, claim)
    lines = [f"# {title}", "", words, "", *list_properties(problem)]
    lines += _draw(_found_drawings(problem, claim))
    lines += ["", "## What is not said", ""]
    lines += [f"- {text}" for text in limits(problem)]
    lines += ["", _HOW_TO_CHECK.format(name=problem.name)]
    return "\n".join(lines)


def list_properties(problem: Problem) -> list[str]:
    """Return the lines of all required properties of a pattern, with the drawn cells."""
    asked = dict.fromkeys(properties(problem))
    numbered = [f"{number}. {text}" for number, text in enumerate(asked, 1)]
    return [*numbered, *_draw(_asked_drawings(problem))]


def _draw(drawings: Iterator[tuple[str, Drawing]]) -> list[str]:
    return [
        line
        for heading, drawing in drawings
        for line in ("", heading, "", "```text", *drawing, "```")
    ]


def _none_title(problem: Problem, claim: claims.NoneExists) -> tuple[str, str]:
    if claims.is_orphan_question(problem):
        cells = count_words(len(claims.known_places(problem)), "cell")
        title, time = f"An orphan of {cells}: nothing becomes this", "one step"
        if problem.steps > 1:
            time = f"{problem.steps} steps"
            title = f"No ancestor of {cells}: nothing becomes this in {time}"
        return (
            title,
            f"{_no_pattern(problem)} becomes, in {time}, a pattern with the {cells} drawn "
            "below. That is, there is no pattern with all of these properties:",
        )
    if claims.is_forced_question(problem):
        return _forced_title(problem, claim)
    return (
        f"There is no {name_solutions(problem)} {place_words(problem)}",
        f"{_no_pattern(problem)} has all of these properties:",
    )


def _forced_title(problem: Problem, claim: claims.NoneExists | claims.Forced) -> tuple[str, str]:
    """Return the words of a question about forced cells; nothing may be forced if none is found."""
    cells = count_words(len(claims.known_places(problem)), "cell")
    steps = "one step" if problem.steps == 1 else f"{problem.steps} steps"
    alone = claims.forces_itself(problem)
    title = f"A patch of {cells} {'forces itself' if alone else 'fixes its past'}"
    becomes = f"becomes, in {steps}, a pattern with the {cells} drawn below"
    words = (
        f"Every pattern of {problem.rule} that {becomes} has "
        f"{'these cells already, in the same place' if alone else 'the cells of drawing 1'}."
    )
    if isinstance(claim, claims.Forced):
        words += " There is such a pattern: the one drawn last, with dead cells around it."
        words += _needed_words(problem, claim)
    else:
        title += ", if anything becomes it"
        words += " (Whether there is such a pattern is not said.)"
    return title, f"{words} That is, there is no pattern with all of these properties:"


def _needed_words(problem: Problem, claim: claims.Forced) -> str:
    if not claim.needed:
        return ""
    single = len(claim.needed) < len(claims.known_places(problem))
    kept = " but the only live one, which is kept in any case" if single else ""
    drawn = "them" if claims.forces_itself(problem) else "drawing 1"
    return (
        f" No single cell can be left out{kept}: for each of the {len(claim.needed)} a pattern is "
        f"kept in `claim.json` that becomes all the others, and differs from {drawn} in one of "
        "their places."
    )


def _no_pattern(problem: Problem) -> str:
    """Return the beginning of a sentence about the patterns of one rule, or of several."""
    rules = read_rules(problem.rule)
    if isinstance(rules, RuleSpace):
        return f"No pattern of any of the {count_rules(rules)} of {rules}"
    return f"No pattern of {problem.rule}"


def _core_title(problem: Problem, claim: claims.Core) -> tuple[str, str]:
    title, words = _none_title(problem, claims.NoneExists())
    more = (
        f"No cell can be left out: for each of the {len(claim.needed)} a pattern is kept in "
        "`claim.json` that becomes all the others."
    )
    return title, f"{more} {words}"


def _best_title(problem: Problem, claim: claims.BestClaim) -> tuple[str, str]:
    goals = claims.read_goals(claim)
    title = ", ".join(
        f"{'largest' if g.maximize else 'least'} {g.measure.name} {v}" for g, v in goals
    )
    first, *rest = (
        f"none has {'more' if goal.maximize else 'fewer'} {goal.measure.words} than {value}"
        for goal, value in goals
    )
    among = "".join(f"; among those that have as many, {words}" for words in rest)
    return (
        f"{title.capitalize()}: {name_solutions(problem)} {place_words(problem)}",
        f"Among the patterns of {problem.rule} with the properties below, {first}{among}. The one "
        "drawn below reaches these numbers. The properties are:",
    )


def _all_title(problem: Problem, claim: claims.Complete) -> tuple[str, str]:
    number = count_words(len(claim.found), "pattern")
    single = len(claim.found) == 1
    one = "the pattern drawn below" if single else f"one of the {number} drawn below"
    words = class_words(problem) if claim.images else ""
    images = f", or that one {words}" if words else ""
    return (
        f"All: {name_solutions(problem)} {place_words(problem)}: {number}",
        f"Every pattern of {problem.rule} with the properties below is "
        f"{one}{images}.{_strict_words(problem, claim)} The properties are:",
    )


def _reactions_title(problem: Problem, claim: claims.Reactions) -> tuple[str, str]:
    number = count_words(len(claim.found), "catalyst")
    return (
        f"All reactions: {name_solutions(problem)} {place_words(problem)}: {number}",
        f"Every catalyst in {problem.rule} with the properties below agrees with one of the "
        f"{number} drawn below on every cell that is at most two cells away from one that, in some "
        "generation before that of the catalyst alone, is not as it is there. What a cell becomes "
        "depends on the 3x3 around it, so both do the same. The properties are:",
    )


def _strict_words(problem: Problem, claim: claims.Complete) -> str:
    """Return the number of strict still lifes in words, if the list is of still lifes."""
    patterns = [_first_pattern(problem, found[0]) for found in claim.found]
    if not name_solutions(problem).startswith("still life") or not _is_plain(problem):
        return ""
    living = [pattern for pattern in patterns if not pattern.is_empty]
    strict = sum(map(is_strict, living))
    if not living:
        return ""
    empty = " One is empty." if len(living) < len(patterns) else ""
    if strict == len(living):
        return f"{empty} All {'others ' if empty else ''}are strict still lifes."
    verb = "is a strict still life" if strict == 1 else "are strict still lifes"
    others = len(living) - strict
    made = "1 is" if others == 1 else f"{others} are"
    return f"{empty} {strict} {verb}; {made} made of two or more still lifes side by side."


def _first_pattern(problem: Problem, rows: Drawing) -> Pattern:
    box = problem.all_boxes[0]
    states = read_drawing(rows, box.width, box.height)
    return Pattern.from_array(states, box.x, box.y, problem.parsed.rule)


def _is_plain(problem: Problem) -> bool:
    """Whether a solution is a pattern of the plane that its generation 0 determines."""
    is_dead = problem.boundary == "dead" and not problem.exempt
    return is_dead and problem.motion is not None and not problem.has_open_rule


def place_words(problem: Problem) -> str:
    """Return the place and all other requirements in words, some only by their number."""
    rule = "" if problem.rule == "B3/S23" else f" of {problem.rule}"
    symmetry = "" if problem.symmetry == "C1" else f" with symmetry {problem.symmetry}"
    where = "on a torus of" if problem.boundary == "torus" else "in"
    sizes = [box_size(problem.all_boxes[0])]
    if len(problem.boxes) > 1:
        runs = ((box, len(list(same))) for box, same in groupby(problem.all_boxes))
        sizes = [
            f"{box_size(box)}{box.x:+d}{box.y:+d}{f' ({n} times)' if n > 1 else ''}"
            for box, n in runs
        ]
    given = len(claims.known_places(problem))
    more = list_phrases(problem.constraints)
    more += ["a background that repeats"] if problem.background else []
    more += ["generation p in the box"] if problem.include_last else []
    more += [f"a twist of {problem.wrap}"] if any(problem.wrap) else []
    more += [f"{count_words(given, 'given cell')}"] if given else []
    more += [f"{count_words(len(problem.links), 'link')}"] if problem.links else []
    more += [f"{count_words(len(problem.exempt), 'exempt cell')}"] if problem.exempt else []
    asked = f" with {', '.join(more)}" if more else ""
    return f"{where} {', '.join(sizes)}{symmetry}{rule}{asked}"


def _asked_drawings(problem: Problem) -> Iterator[tuple[str, Drawing]]:
    if problem.background:
        yield (
            "The tile of the background in generation 0; its top left cell is (0, 0), and copies "
            "of it lie side by side:",
            problem.background,
        )
    for known in problem.known:
        corner = f"; the top left cell is ({known.x}, {known.y})"
        yield f"Given cells of generation {known.t}{corner}:", known.rows
    for name, constraint in sorted(name_drawings(problem), key=lambda named: named[1].drawn_as):
        for what, x, y, rows in constraint.pictures():
            yield f"{name.capitalize()}, {what}; the top left cell is ({x}, {y}):", rows


def _found_drawings(problem: Problem, claim: claims.Claim) -> Iterator[tuple[str, Drawing]]:
    match claim:
        case claims.BestClaim(found=found):
            yield "The best, generation 0:", found[0]
        case claims.Forced(parent=parent):
            box = problem.all_boxes[0]
            yield f"Such a pattern; the top left cell is ({box.x}, {box.y}):", parent
        case claims.Reactions(found=several):
            alone = problem.generations - 2
            for number, found in enumerate(several, 1):
                yield f"Catalyst {number}, generation 0, with what meets it:", found[0]
                yield f"Catalyst {number}, alone in generation {alone}:", found[alone]
        case claims.Complete(found=several):
            shown = 1 if is_determined(problem) else problem.generations
            for number, found in enumerate(several, 1):
                for t, rows in enumerate(found[:shown]):
                    code = "" if t else _code(problem, rows)
                    yield f"Pattern {number}{code}, generation {t}:", rows


def _code(problem: Problem, rows: Drawing) -> str:
    if not _is_plain(problem):
        return ""
    try:
        return f" ({apgcode(_first_pattern(problem, rows))})"
    except UsageError:
        return ""


_TITLES: dict[type, Callable[[Problem, Any], tuple[str, str]]] = {
    claims.NoneExists: _none_title,
    claims.Core: _core_title,
    claims.Forced: _forced_title,
    claims.BestClaim: _best_title,
    claims.Complete: _all_title,
    claims.Reactions: _reactions_title,
}

_HOW_TO_CHECK = """\
## How to check it

`satlife check` on this folder makes the formula anew from `problem.json`, compares it, checks the
proof, and makes this statement anew. Without satlife: unpack the formula and the proof with `xz -d`
and give both to `lrat-check`, `cake_lpr` or, if it is a DRAT proof, `drat-trim`; that the formula
says what stands above can be read from its comments. Clauses "generation 0 is not greater than" an
image of it may be there too: of all such patterns the least is sought, because its images under the
symmetries of the problem are such patterns as well. If there is a `tree.txt`, it lists the nodes of
a tree, each before its two parts: a cell, alive in the first part, dead in the second; or a leaf.
The formula of leaf N is that in `formula.cnf` and, as unit clauses, the cells on the way to it. If
there is a `range.txt`, it names the lowest box of a range. Each box from that one to the box stated
above then has its own formula, which asks for the patterns that fit into no smaller box of the
range, and its own proof or tree.

Problem {name}
"""
