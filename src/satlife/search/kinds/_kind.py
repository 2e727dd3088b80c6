"""A kind of search: everything that is said of it, in one value.

The commands ``satlife KIND`` and ``satlife cnf KIND``, ``satlife list kinds``, plans, statements,
the reference page and the function in ``import satlife`` are derived from it.  A declaration
imports neither NumPy nor click, so that ``satlife --help`` stays fast; the function imports what it
needs when it is called.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from satlife.search.kinds._parameter import OpenText, Parameter

if TYPE_CHECKING:
    from satlife.search.problem import Problem

Axis = Literal["none", "periods", "speeds"]


def _describe(problem: Problem) -> str:
    from satlife.search.problem.describe import describe

    return describe(problem).removeprefix("a ")


def _give_no_hint(problem: Problem) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of search."""

    name: str
    """The name of the command, and of its problems' ``kind``."""
    noun: str
    """What a solution is called."""
    function: Callable[..., Problem]
    """Builds the problem; its keywords are the parameters."""
    parameters: tuple[Parameter, ...]
    """In the order of the command's help; defaults come from the function's signature."""
    summary: str
    """One line, for lists."""
    text: str
    """What the command does, for its help."""
    examples: tuple[str, ...]
    """Commands, without the word ``satlife``."""
    yes: Literal["found", "impossible"] = "found"
    """The answer that means yes, and with which a command ends with exit code 0."""
    found_words: str = ""
    """What is said of a pattern that was found, if not what it is."""
    impossible_words: str = ""
    """What is said when there is none, if not that there is none."""
    asked: Callable[[Problem], str] = _describe
    """What there is none of, in the words of the person who asked."""
    hint: Callable[[Problem], str] = _give_no_hint
    """What may help after an impossibility; often nothing."""
    axis: Axis | None = None
    """The motions over which a plan can range; None if plans cannot ask for this kind."""
    embeds: bool = False
    """Whether a solution in a box is one in a larger box, too, as campaigns may conclude."""
    catalyst: bool = False
    """Whether a solution is a catalyst, alone in the generation that must not be empty."""
    shrinks: bool = False
    """Whether the given cells can be reduced to those that are needed (``--shrink``)."""

    def __post_init__(self) -> None:
        given = inspect.signature(self.function).parameters
        object.__setattr__(
            self, "parameters", tuple(_fill_in(each, given) for each in self.parameters)
        )

    @property
    def a_noun(self) -> str:
        """The noun with its article."""
        return f"{'an' if self.noun[0] in 'aeiou' else 'a'} {self.noun}"

    @property
    def help(self) -> str:
        """The text and the examples, with click's mark for lines that are not wrapped."""
        lines = "\n".join(f"  satlife {example}" for example in self.examples)
        return f"{self.text}\n\n\b\nExamples:\n{lines}"

    def takes(self, name: str) -> bool:
        """Return whether there is a parameter of that name."""
        return any(each.name == name for each in self.parameters)

    def build(self, given: Mapping[str, Any], open_text: OpenText) -> Problem:
        """Build the problem of parameters as a person wrote them, by name.

        What is None or an empty tuple was not given, and has its default.
        """
        return self.function(
            **{
                each.name: each.read(given[each.name], open_text)
                for each in self.parameters
                if given.get(each.name) not in (None, ())
            }
        )

    def catalyst_generation(self, problem: Problem) -> int | None:
        """Return the generation in which the catalyst is alone; None if there is no catalyst."""
        from satlife.search.problem.constraints import NotEmpty

        if not self.catalyst:
            return None
        return next((each.t for each in problem.constraints if isinstance(each, NotEmpty)), None)


def _fill_in(parameter: Parameter, given: Mapping[str, inspect.Parameter]) -> Parameter:
    """Return the parameter with the default of the function's keyword."""
    keyword = given.get(parameter.name)
    if keyword is None:  # one of **bounds
        return parameter
    required = keyword.default is inspect.Parameter.empty
    return replace(parameter, required=required, default=None if required else keyword.default)
