"""The outcomes of a search: found, impossible or undecided.

An :class:`Undecided` search has reached a limit; it says nothing about whether a pattern exists.

Certificates, ledgers and messages write solutions down as rows of ``o`` and ``.``:

>>> draw_states(np.array([[0, 1], [1, 1]], np.uint8))
('.o', 'oo')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from satlife.errors import FormatError, InternalError, UsageError
from satlife.life.box import Box
from satlife.life.directions import find_turn, name_direction
from satlife.life.pattern import Pattern
from satlife.life.rule import Rule
from satlife.life.torus import Torus
from satlife.life.transforms import IDENTITY, Transform
from satlife.problem.problem import Problem
from satlife.problem.reaction import find_restored
from satlife.problem.statement import LETTERS
from satlife.problem.words import describe, entitle, name_symmetry
from satlife.quantities import write_count

if TYPE_CHECKING:
    from satlife.life.identity import Identity
    from satlife.life.rulespaces import RuleSpace
    from satlife.problem.restoration import Restored
    from satlife.show.scene import Frame, Scene


# A generation of a solution as a pattern, with all the states that its rule has.
#
# A solution says only which cells live (under a rule with B0: which differ from the background).
# That is enough: a dying cell of a Generations rule is one that lived a few generations before, and
# on a strobing background its number gives the phase.  Without a motion nothing was before
# generation 0, so that generation has the states of all cells.


History = tuple[npt.NDArray[np.uint8], ...]
"""The states of each generation's box, indexed [y, x]."""


def make_pattern(problem: Problem, history: History, t: int, by: Rule | None = None) -> Pattern:
    """Return a generation at its place; dying cells may lie outside the box of live ones.

    If the rule of the problem is open, ``by`` is the one to take.
    """
    problem = problem.with_height(len(history[0]))
    rule, boxes = by or problem.parsed.rule, problem.all_boxes
    if rule.states > 2 and problem.motion is None:
        first = Pattern(history[0], boxes[0].x, boxes[0].y, rule)
        if problem.boundary == "dead":
            return first[t]
        return Pattern(_read_ages(problem, history, t, rule), boxes[t].x, boxes[t].y, rule)
    if rule.states == 2 or problem.motion is None:
        box = boxes[t]
        return Pattern(history[t], box.x, box.y, rule, t % len(rule.phases))
    motion, layers = problem.motion, list[tuple[npt.NDArray[np.uint8], Box]]()
    for age in range(rule.states - 1):
        turns, then = divmod(t - age, motion.period)
        layers.append((history[then], boxes[then].shift(turns * motion.dx, turns * motion.dy)))
    frame = layers[0][1]
    for _, box in layers:
        frame |= box
    states = np.zeros((frame.height, frame.width), np.uint8)
    for age, (alive, box) in reversed(list(enumerate(layers))):
        top, left = box.y - frame.y, box.x - frame.x
        part = states[top : top + box.height, left : left + box.width]
        part[alive != 0] = age + 1
    return Pattern(states, frame.x, frame.y, rule)


def _read_ages(problem: Problem, history: History, t: int, rule: Rule) -> npt.NDArray[np.uint8]:
    """Return the states of a generation's box, which lies in those before, by when cells lived."""
    box = problem.all_boxes[t]
    states = np.zeros((box.height, box.width), np.uint8)
    for age in reversed(range(rule.states - 1)):
        then = max(t - age, 0)
        frame = problem.all_boxes[then]
        lived = history[then] == max(1, age + 1 - t)  # before 0, generation 0 has the states
        top, left = box.y - frame.y, box.x - frame.x
        states[lived[top : top + box.height, left : left + box.width]] = age + 1
    return states


@dataclass(frozen=True)
class Provenance:
    """How the answer was obtained."""

    engine: str
    seconds: float
    details: Mapping[str, Any] = field(default_factory=dict)
    """What the engine reports; SAT: solver, encoding, variables, clauses, conflicts, seed …"""

    @property
    def means(self) -> str:
        """What the engine used, in a few words: ``cadical, columns``; empty if it does not say."""
        used = (self.details.get(name) for name in ("solver", "encoding", "restriction"))
        return ", ".join(str(word) for word in used if word)


def _refuse_truth(answer: object) -> bool:
    raise TypeError(
        "an answer is neither true nor false; match it, or ask isinstance(answer, Found)"
    )


_MOST_SHOWN: Final = 60
"""Solutions on a contact sheet."""


def _make_card(*parts: Any, **more: Any) -> str:
    """Return an answer as a notebook shows it."""
    from satlife.show.card import Card  # noqa: PLC0415 - only when shown

    return Card(*parts, **more).to_html()


def _draw_scenes(scenes: Sequence[Scene], **style: Any) -> str:
    from satlife.show.drawing import draw  # noqa: PLC0415 - only when shown

    return draw(scenes, **style).decode()


def _describe_effort(provenance: Provenance | None) -> str:
    if provenance is None:
        return ""
    means = f" ({provenance.means})" if provenance.means else ""
    return f"By {provenance.engine}{means}, in {provenance.seconds:.1f} s."


@dataclass(frozen=True, eq=False, repr=False)
class Finding:
    """A pattern that solves a problem; it has passed the simulator's check."""

    problem: Problem
    history: History = field(repr=False)
    provenance: Provenance = field(repr=False)
    rules: RuleSpace | None = field(default=None, repr=False)
    """If the rule is open: all rules of the set in which the pattern is a solution."""
    turn: Transform = field(default=IDENTITY, repr=False)
    """How the pattern is turned from the solution: :meth:`facing` returns ships that are."""

    @property
    def rule(self) -> Rule:
        """The rule; if it is open, the least in which the pattern is a solution."""
        return self.problem.parsed.rule if self.rules is None else self.rules.least

    def __repr__(self) -> str:
        return f"<Finding {self.pattern!r}, by {self.provenance.engine}>"

    def generation(self, t: int) -> Pattern:
        """Return a generation as it is in the solution, at its place in the box."""
        pattern = make_pattern(self.problem, self.history, t, self.rule)
        if self.turn == IDENTITY:
            return pattern
        box = self.problem.with_height(len(self.history[0])).all_boxes[0]
        turned = box.transformed(self.turn)  # its corner stays where it was
        return pattern.transformed(self.turn).shift(box.x - turned.x, box.y - turned.y)

    def facing(self, direction: str) -> Finding:
        """Return the ship turned into a direction: ``E``, ``SW``, or ``ENE`` for oblique speeds.

        The problem and its solution stay as they are; the patterns are turned, and simulated again.
        """
        turned = replace(self, turn=find_facing(self.problem, direction))
        motion = self.problem.motion
        assert motion is not None  # or find_facing had refused
        pattern, (dx, dy) = turned.pattern, turned.turn.apply_to_point(*motion.displacement)
        if pattern[motion.period] != pattern.shift(dx, dy):
            raise InternalError(f"a ship of {self.rule} does not go {direction} after a turn")
        return turned

    @property
    def direction(self) -> str:
        """The direction in which a ship goes; empty for what does not move."""
        motion = self.problem.motion
        return "" if motion is None else name_direction(motion, self.turn)

    @cached_property
    def pattern(self) -> Pattern:
        """Generation 0."""
        return self.generation(0)

    @cached_property
    def identity(self) -> Identity:
        """What it is: apgcode, period, symmetry, name."""
        from satlife.life.identity import identify  # noqa: PLC0415 - only when asked for

        return identify(self.pattern)

    def scene(self) -> Scene:
        """Return its generations, to be drawn by :mod:`satlife.show`."""
        from satlife.show.caption import Caption, describe_rule  # noqa: PLC0415 - only when shown
        from satlife.show.scene import TILED, Frame, Scene  # noqa: PLC0415 - only when shown

        problem, rule = self.problem, self.rule
        if problem.motion is not None and problem.boundary == "dead":
            return Scene.of(self.pattern)
        if problem.boundary == "torus":
            torus = Torus(problem.all_boxes[0].width, problem.all_boxes[0].height, *problem.wrap)
            frames = tuple(map(Frame.at_origin, (torus.tile(c, TILED) for c in self.history)))
            where = f"on a torus of {problem.boxes[0]}"
        elif (asked := find_restored(problem)) is not None:
            frames = tuple(self._show_reaction(asked))
            where = f"generations 0 to {len(frames) - 1}"
        else:
            shown = (self._mark_differences(), *self.history[1:])
            frames = tuple(map(Frame, shown, problem.all_boxes))
            where = f"generations 0 to {len(frames) - 1}"
        other = write_count(len(self.differences), "cell")
        differs = (f"differs from the last generation in {other}",) if self.differences else ()
        facts = (*differs, f"{self.pattern.population} cells", where, describe_rule(rule))
        margin = 0 if problem.boundary == "torus" else 1
        return Scene(frames, Caption(entitle(problem), facts), rule, margin=margin)

    @property
    def differences(self) -> list[tuple[int, int]]:
        """The cells in which an ancestor differs from a patch that was to force itself."""
        if self.problem.kind != "forced":
            return []
        box, last = self.problem.all_boxes[0], self.problem.steps
        patch = [known for known in self.problem.known if known.t == last]
        cells = [(*place, state) for known in patch for place, state in known.cells.items()]
        inside = [(x - box.x, y - box.y, state == "o") for x, y, state in cells]
        return [(x + box.x, y + box.y) for x, y, alive in inside if self.history[0][y, x] != alive]

    def _mark_differences(self) -> npt.NDArray[np.uint8]:
        """Return generation 0, with other states where it differs: 2 if alive, 3 if dead."""
        box, marked = self.problem.all_boxes[0], self.history[0].copy()
        for x, y in self.differences:
            marked[y - box.y, x - box.x] = 3 - marked[y - box.y, x - box.x]
        return marked

    def _show_reaction(self, asked: Restored) -> Iterator[Frame]:
        """Yield what happens on the plane; the catalyst's cells are in state 2, or 3 if dead."""
        from satlife.show.scene import Frame  # noqa: PLC0415 - only when shown

        alone, now = self.generation(asked.alone), self.pattern
        for _ in range(asked.times[1] + asked.hold + 1):
            box = alone.box | now.box
            cells, is_own = now.in_box(box), alone.in_box(box) == 1
            yield Frame(np.where(is_own, 3 - cells, cells), box)
            now = now[1]

    def play(self) -> Any:
        """Return a player for notebooks (the extra ``notebook``)."""
        from satlife.show.widget import play  # noqa: PLC0415 - an extra

        return play(self)

    def _repr_html_(self, *lines: str) -> str:
        """Return a card, with ``lines`` above its facts."""
        scene = self.scene()
        facts = " · ".join(filter(None, [*scene.caption.facts, scene.caption.code]))
        return _make_card(
            "found",
            scene.caption.title,
            (*lines, facts),
            _draw_scenes([scene], caption=False),
            (f"Verified by simulation. {_describe_effort(self.provenance)}",),
            (("RLE", self.pattern.to_rle()),),
        )


def find_facing(problem: Problem, direction: str) -> Transform:
    """Return the turn that lets the ships of a problem go in a direction; raise if none does.

    >>> from satlife.life.motion import Motion
    >>> find_facing(Problem(boxes=("5x5",), motion=Motion.parse("c/3")), "S")
    Transform('half-turn')
    """
    motion = problem.motion
    if motion is None or motion.is_still or not motion.only_shifts or problem.boundary != "dead":
        raise UsageError("only a ship has a direction, and only if it is not turned on its way")
    return find_turn(motion, direction, problem.parsed.rule)


class Found(Struct, frozen=True):
    """There is a pattern, and here it is."""

    __bool__ = _refuse_truth

    finding: Finding

    def __repr__(self) -> str:
        return f"Found({self.pattern!r})"

    @property
    def pattern(self) -> Pattern:
        """The pattern found."""
        return self.finding.pattern

    def scene(self) -> Scene:
        """Return its generations, to be drawn by :mod:`satlife.show`."""
        return self.finding.scene()

    def play(self) -> Any:
        """Return a player for notebooks (the extra ``notebook``)."""
        return self.finding.play()

    def _repr_html_(self) -> str:
        return self.finding._repr_html_()


@dataclass(frozen=True)
class Impossible:
    """There is no such pattern."""

    __bool__ = _refuse_truth

    problem: Problem = field(repr=False)
    reason: str
    """Why: a contradiction in the problem itself, or a solver's refutation."""
    provenance: Provenance | None = field(default=None, repr=False)
    certificate: Path | None = field(default=None, repr=False)
    """The folder with the proof, if one was asked for."""
    vacuous: bool = False
    """Whether what the question supposes is impossible too: an orphan forces nothing."""

    def __repr__(self) -> str:
        return f"Impossible(reason={self.reason!r}{', vacuous=True' if self.vacuous else ''})"

    @property
    def word(self) -> str:
        """``impossible``; or ``exhausted``: refuted by an unchecked search by rows."""
        return "impossible" if self.certificate or not _is_unchecked(self) else "exhausted"

    def _repr_html_(self) -> str:
        kept = f"Certificate: {self.certificate}." if self.certificate else ""
        exhausted = self.word == "exhausted"
        asked = describe(self.problem)
        notes = (f"Reason: {self.reason}.", _describe_effort(self.provenance), kept)
        return _make_card(
            self.word,
            ("Search exhausted" if exhausted else "No such pattern exists")
            + name_symmetry(self.problem),
            (
                f"The search ended without finding {asked}. This result has not been checked."
                if exhausted
                else f"There is no {asked.removeprefix('a ')}.",
            ),
            notes=tuple(filter(None, notes)),
        )


@dataclass(frozen=True)
class Undecided:
    """Neither found nor refuted within the limits."""

    __bool__ = _refuse_truth

    problem: Problem = field(repr=False)
    reason: str
    provenance: Provenance | None = field(default=None, repr=False)

    def _repr_html_(self) -> str:
        return _make_card(
            "undecided",
            f"Undecided: {self.reason}",
            (
                "Neither found nor refuted: whether such a pattern exists is not known.",
                f"Asked for: {describe(self.problem)}.",
            ),
            notes=(_describe_effort(self.provenance),),
        )


@dataclass(frozen=True)
class Listed:
    """The result of a listing of all solutions."""

    __bool__ = _refuse_truth

    problem: Problem = field(repr=False)
    found: int
    """How many were found, without those found before."""
    complete: bool
    """Whether there are no others."""
    reason: str
    """Why it ended."""
    reached_limit: bool = False
    """Whether it ended because as many were found as were wanted."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """How many solutions were left out, by reason."""
    provenance: Provenance | None = field(default=None, repr=False)

    @property
    def word(self) -> str:
        """``all``, ``unfinished``, or ``exhausted``: complete by an unchecked search by rows."""
        if not self.complete:
            return "unfinished"
        return "exhausted" if _is_unchecked(self) else "all"

    def _repr_html_(self, findings: Sequence[Finding] = ()) -> str:
        """Show a card, with a contact sheet of the findings."""
        if not self.found:
            none = Impossible if self.complete else Undecided
            return none(self.problem, self.reason, self.provenance)._repr_html_()
        count = write_count(self.found, "solution")
        mood, end = {
            "all": ("found", ", and there are no others"),
            "exhausted": ("exhausted", "; the search ended, but has not been checked"),
            "unfinished": ("undecided", f" so far: {self.reason}"),
        }[self.word]
        if self.reached_limit:
            mood, end = "found", f": {self.reason}"
        shown = findings[:_MOST_SHOWN]
        left = len(findings) - len(shown)
        more = [f"The first {len(shown)} are shown, and {left} are not."] if left else []
        return _make_card(
            mood,
            f"{count}{end}",
            (f"Asked for: {describe(self.problem)}.",),
            _draw_scenes([each.scene() for each in shown]) if shown else "",
            (*more, _describe_effort(self.provenance)),
            (("RLE", "\n".join(each.pattern.to_rle() for each in shown)),) if shown else (),
        )


def _is_unchecked(answer: Impossible | Listed) -> bool:
    """Whether the answer rests on a search by rows alone."""
    return bool(answer.provenance and answer.provenance.details.get("exhausted"))


Outcome = Found | Impossible | Undecided


Drawing = tuple[str, ...]
"""The rows of a generation's box."""


def draw(finding: Finding) -> tuple[Drawing, ...]:
    """Draw the generations of a solution."""
    return tuple(draw_states(states) for states in finding.history)


def draw_states(states: npt.NDArray[np.uint8]) -> Drawing:
    """Draw the states of a box."""
    return tuple("".join(LETTERS[state] for state in row) for row in states.tolist())


def read_drawing(rows: Drawing, width: int, height: int, states: int = 2) -> npt.NDArray[np.uint8]:
    """Read the drawing of a box; what does not fit it is a :class:`FormatError`."""
    if len(rows) != height or any(len(row) != width for row in rows):
        raise FormatError(f"the rows do not fill a box of {width}x{height}")
    if not set().union(*rows) <= set(LETTERS[:states]):
        raise FormatError(f"a drawing has other characters than {', '.join(LETTERS[:states])}")
    drawn = np.array([[LETTERS.index(state) for state in row] for row in rows], np.uint8)
    return drawn.reshape(height, width)


def read_history(problem: Problem, drawings: tuple[Drawing, ...]) -> History:
    """Read the drawings of all generations; whether they are a solution is not asked.

    Where the height is open, that of the first one counts.
    """
    if len(drawings) != problem.generations:
        raise FormatError(
            f"{write_count(len(drawings), 'generation')} instead of {problem.generations}"
        )
    if problem.has_open_height:
        if not drawings[0]:
            raise FormatError("the rows of a box are missing")
        problem = problem.with_height(len(drawings[0]))
    first = problem.states if problem.shows_dying else 2
    boxes = enumerate(zip(drawings, problem.all_boxes, strict=True))
    return tuple(
        read_drawing(rows, box.width, box.height, 2 if t else first) for t, (rows, box) in boxes
    )
