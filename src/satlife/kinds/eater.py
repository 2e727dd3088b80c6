"""Eaters: still lifes, or oscillators, that absorb what flies into them and are unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satlife.errors import UsageError
from satlife.given import check_type
from satlife.kinds._bounds import POPULATION_ALONE
from satlife.kinds._kind import (
    APPROACH,
    FLAG,
    PATTERN,
    SPAN,
    TEXT,
    WINDOW,
    Kind,
    Parameter,
    around_catalyst,
    pair,
)

if TYPE_CHECKING:
    from satlife.kinds._catalysts import SpanLike
    from satlife.life import Box, Pattern, Transform
    from satlife.problem import Known, Problem


def eater(
    incoming: Pattern | str,
    *,
    region: Box | str,
    within: int,
    at: tuple[int, int] = (0, 0),
    turn: Transform | str = "identity",
    lanes: SpanLike | None = None,
    times: SpanLike | None = None,
    approach: int | str = 0,
    field: Box | str | None = None,
    period: int = 1,
    population: str | int | None = None,
    open_border: bool = False,
) -> Problem:
    """Ask for an object in the region that absorbs what comes in and is itself again.

    Generation 0 is the eater and the input, without a cell in common; generation ``within`` is the
    eater alone.  It is a still life, or has the period (or a divisor of it).  The input is turned
    or mirrored first, by a :class:`~satlife.life.transforms.Transform` or its name; ``at`` is where
    the top left of its box then lies.  ``region`` and ``field`` are windows ``4..11,4..11``
    (columns, rows, the last ones included): the eater lies in the region, and nothing ever leaves
    the field.  Without a field, it holds what the input reaches by itself.

    An input that touches the eater from the start could never have come there.  In the first
    ``approach`` generations nothing happens: the input flies on beside the eater.  If it is
    ``"far"``, a ship is first moved back until it is clear of the region, by as few generations as
    possible; they are the approach, and ``within`` counts from the place where it is given.

    Of a ship, the lane and the time of arrival may be left to the search.  In lane 2 of ``lanes``
    it flies two cells further right than it is given (further down, if it flies left or right).  At
    time 3 of ``times`` it is where it is given in generation 3.

    With ``open_border``, the eater may go on beyond the region, which then holds everything, and
    nothing is asked at its border.  So if there is none, there is none on the whole plane.  A
    solution is a *patch*, which may be a part of no still life at all.

    >>> from satlife import Pattern
    >>> glider = Pattern.from_rle("bo$2bo$3o!")
    >>> problem = eater(glider, region="4..11,4..11", within=8, population="<=7")
    >>> problem.steps, len(problem.links), problem.boxes[8]
    (9, 315, '8x8+4+4')
    """
    from satlife.kinds import _catalysts
    from satlife.kinds._common import read_whole
    from satlife.life.identity.flight import follow_ship
    from satlife.problem import Problem

    start = place_input(incoming, at=at, turn=turn)
    home = _catalysts.as_window(region, "region")
    read_whole(within, "within", 1)
    read_whole(period, "period", 1)
    across, when = _catalysts.read_span(lanes, "lanes"), _catalysts.read_span(times, "times")
    is_open = not ((lanes is None and times is None) or start.is_empty)
    if approach == "far":
        quiet = _catalysts.count_approach(start, home, across, when)
        within += quiet
        when = when[0] + quiet, when[1] + quiet
        if not is_open and (flight := follow_ship(start)):
            start = flight[-quiet]
    elif isinstance(approach, str):
        raise UsageError(f"approach is a number of generations, or far, got {approach!r}")
    else:
        quiet = read_whole(approach, "approach", 0)
    if not quiet < within:
        raise UsageError(f"the approach takes 0 to {within - 1} generations, got {quiet}")
    if open_border:
        if is_open or field is not None or period != 1:
            raise UsageError(
                "an open border is for a still life and one input; leave lanes, times, field and "
                "period out"
            )
        return _ask_for_patch(start, home, quiet, within, population)
    first = within + -within % period  # the generation with the same phase as generation 0
    alone = [within + (first - within + t) % period for t in range(quiet + 1)]
    known: list[Known] = []
    arrivals = []
    inputs, flights, late = [start], [start], 0
    if is_open:
        arrivals.append(_catalysts.make_arrival(start, across, when, alone))
        inputs = _catalysts.list_inputs(arrivals[0], start.rule)
        # Those of the latest time fly through all that others do; other lanes lie between.
        flights, late = [inputs[0], inputs[across[1] - across[0]]], when[1] - when[0]
    arena = _catalysts.check_field(field, home, within, period, inputs, flights, late)
    links = [*_catalysts.same_cells(home, within, within + period)]
    for t, phase in enumerate([] if arrivals else alone):
        flying = start[t]
        known += [_catalysts.draw_alive(flying, t), _catalysts.draw_dead(flying, phase)]
        links += _catalysts.same_cells(arena, t, phase, flying)
    return Problem(
        kind="eater",
        rule=str(start.rule),
        boxes=_catalysts.placed_boxes(arena, within, home, period + 1),
        steps=within + period,
        known=tuple(known),
        links=tuple(links),
        constraints=(*_catalysts.catalyst_constraints(population, first), *arrivals),
    )


def _ask_for_patch(
    start: Pattern, home: Box, quiet: int, within: int, population: str | int | None
) -> Problem:
    """Ask for an eater that may go on beyond its region, with nothing asked at the border.

    Generation ``within`` + 1 is the eater alone, in the whole region.  After the approach the boxes
    shrink by a cell in each generation, so that each holds the cells that follow.
    """
    from satlife.kinds import _catalysts
    from satlife.life.box import format_placed_box, format_window
    from satlife.problem import Problem

    alone = within + 1
    if min(home.width, home.height) <= 2 * (within - quiet):
        raise UsageError(
            f"{format_window(home)} is too small: after {within} generations nothing is left of it"
        )
    boxes = [home] * (quiet + 1) + [home.grow(quiet - t) for t in range(quiet + 1, within + 1)]
    for t, box in enumerate(boxes):
        if not box.contains_box(start[t].box):
            raise UsageError(
                f"in generation {t} the input alone leaves what is known of {format_window(home)}; "
                "use a larger region"
            )
    known: list[Known] = []
    links = [
        *_catalysts.same_cells(boxes[within], within, alone),
        *_catalysts.same_cells(home.grow(-1), alone, alone + 1),
    ]
    for t in range(quiet + 1):
        flying = start[t]
        known += [_catalysts.draw_alive(flying, t), _catalysts.draw_dead(flying, alone)]
        links += _catalysts.same_cells(home, t, alone, flying)
    return Problem(
        kind="eater",
        rule=str(start.rule),
        boundary="free",
        boxes=tuple(map(format_placed_box, (*boxes, home, home.grow(-1)))),
        steps=alone + 1,
        known=tuple(known),
        links=tuple(links),
        exempt=tuple(_catalysts.places(home, alone)),
        constraints=_catalysts.catalyst_constraints(population, alone),
    )


def place_input(
    incoming: Pattern | str,
    *,
    at: tuple[int, int] = (0, 0),
    turn: Transform | str = "identity",
) -> Pattern:
    """Return the input turned, with the top left of its box at a place.

    >>> place_input("bo$2bo$3o!", at=(4, 4), turn="half-turn").box
    Box(x=4, y=4, width=3, height=3)
    """
    from satlife.kinds._common import read_cells, read_pair
    from satlife.life import Pattern, Transform

    guest: Pattern = read_cells(incoming, PATTERN, Pattern, "incoming")
    check_type(turn, (str, Transform), "turn", "a transform, or its name, such as 'half-turn'")
    turned = guest.transformed(turn if isinstance(turn, Transform) else Transform(turn))
    return turned.normalized.shift(*read_pair(at, "at", "two whole numbers, (x, y)"))


def _asked(problem: Problem) -> str:
    from satlife.kinds._catalysts import describe_arrivals, describe_region, list_arrivals
    from satlife.life.box import format_window

    if problem.boundary == "free":
        window = format_window(problem.all_boxes[0])
        return (
            f"still life on the plane that is as it was in generation {problem.steps - 2}, "
            f"whatever it is outside {window}"
        )
    alone = EATER.catalyst_generation(problem)
    coming = "".join(f", for {describe_arrivals(each)}" for each in list_arrivals(problem))
    words = f"eater {describe_region(problem)} that is alone and itself again in generation {alone}"
    return f"{words}{coming}"


def _hint(problem: Problem) -> str:
    from satlife.kinds._catalysts import hint_at_flight

    if problem.boundary == "free":
        return ""
    return hint_at_flight(problem, EATER.catalyst_generation(problem) or problem.steps)


def _note(problem: Problem) -> str:
    from satlife.kinds._catalysts import note_death

    return note_death(problem)


EATER = Kind(
    name="eater",
    noun="eater",
    function=eater,
    parameters=(
        Parameter(
            name="incoming",
            reader=PATTERN,
            option="--input",
            metavar="PATTERN",
            help="The pattern to absorb.",
        ),
        Parameter(
            name="at",
            reader=pair("X,Y", "0,0"),
            metavar="X,Y",
            help="The top left of its box.",
        ),
        Parameter(
            name="turn",
            reader=TEXT,
            metavar="TRANSFORM",
            help="Turn or mirror it first: half-turn, quarter-turn-clockwise, flip-left-right, "
            "flip-diagonal …",
            label="Turn or mirror what comes in",
            heading="Symmetry",
        ),
        Parameter(
            name="lanes",
            reader=SPAN,
            metavar="A..B",
            help="Let the search choose the lane: how many cells further right than at X,Y a ship "
            "comes (further down, if it flies left or right).",
            label="Lanes that the search may choose",
            heading="Time and lane",
        ),
        Parameter(
            name="times",
            reader=SPAN,
            metavar="A..B",
            help="Let the search choose when a ship is at X,Y.",
            label="Times that the search may choose",
            heading="Time and lane",
        ),
        Parameter(
            name="approach",
            reader=APPROACH,
            metavar="N|far",
            help="Generations at the start in which it only flies on; far moves a ship back "
            "until it is clear of the region, so that it really arrives.",
            label="Generations in which it only flies on",
            heading="Time and lane",
        ),
        *around_catalyst(
            Parameter(
                name="region",
                reader=TEXT,
                metavar=WINDOW,
                help="Columns and rows where the eater may be.",
            )
        ),
        Parameter(
            name="open_border",
            reader=FLAG,
            option="--open",
            help="Let it go on beyond the region, so that none there means none on the plane; "
            "what is found is a patch.",
        ),
        POPULATION_ALONE,
    ),
    summary="Find an object that absorbs an input.",
    text="Find a still life (or an oscillator) in the region that absorbs PATTERN: in "
    "generation T it is alone, and as it was.\n\nThe pattern printed is generation 0, with both; "
    "the eater alone is named beside it, and so are the lane and the time, if you gave several.",
    examples=(
        "eater --input glider",
        "eater --input glider --turn half-turn --region 4..11,4..11 --within 8",
        "eater --input glider.rle --region 0..9,0..9 --within 12 --period 2",
        "eater --input glider.rle --turn half-turn --at 10,10 --region 0..7,0..7 --within 12",
        "eater --input glider.rle --region 6..9,6..9 --lanes -4..4 --times 0..3 --within 20",
    ),
    asked=_asked,
    hint=_hint,
    note=_note,
    catalyst=True,
    grows_region=True,
)
