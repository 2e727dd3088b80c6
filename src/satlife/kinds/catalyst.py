"""Catalysts with an open outcome: still lifes that something hits, and that are restored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satlife.errors import UsageError
from satlife.given import check_number
from satlife.kinds._bounds import GROUP, POPULATION_ALONE
from satlife.kinds._drawing import MEANINGS, STATES, Drawing
from satlife.kinds._kind import (
    BOX_OF_CELLS,
    DRAWING,
    DRAWING_AT,
    PATTERN,
    PLACE,
    SPAN,
    TEXT,
    WINDOW,
    Kind,
    Parameter,
    file,
    number,
    pair,
)
from satlife.kinds.eater import place_input

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from satlife.kinds._catalysts import SpanLike
    from satlife.life import Box, PartialPattern, Pattern, Transform
    from satlife.problem import Known, Problem
    from satlife.problem.constraints import Still

    Cells = frozenset[tuple[int, int]]

RECOVER = 16
"""Generations of recovery, unless others are asked for."""


def perturbation(
    incoming: Pattern | Drawing | str,
    *,
    region: Pattern | Box | str | None = None,
    states: str = STATES,
    contact: SpanLike | None = None,
    recover: int = RECOVER,
    hold: int = 8,
    active: int | None = None,
    ever_active: int | None = None,
    becomes: Sequence[tuple[PartialPattern | Pattern | str, int]] | None = None,
    at: tuple[int, int] | None = None,
    turn: Transform | str = "identity",
    population: str | int | None = None,
) -> Problem:
    """Ask for a still life in the region that the input hits, and that is itself again.

    What comes out is open.  The contact is the first generation in which some cell in the 3x3
    around a live cell of the still life is not as it is without the input, or is dead and would
    live without the still life: one of ``contact``, a number or a range such as ``"3..8"``; without
    it, any in which it can be.  At most ``recover``
    generations after the last of them the still life is restored, and it stays so for ``hold``
    generations more.  Before that, at most ``active`` cells of those 3x3 are disturbed at once,
    and at most ``ever_active`` at one time or another.
    The ``region`` is a window ``4..11,4..11``, or a pattern whose live cells are the places where
    the still life may be.  Cells too far from it to matter are not asked for.

    Each pair of ``becomes`` is a drawing and a generation, which is as drawn there; cells drawn as
    ``?`` and those outside the drawing's box may be anything.  The contact is not later.

    In place of both, ``incoming`` may be a ``satlife.kinds.Drawing``, or the text of one in
    LifeHistory, whose ``states`` mean what ``Drawing.parse`` says.

    >>> from satlife import Pattern
    >>> problem = perturbation(Pattern.from_rle("3o$obo$obo!"), region="5..10,-2..5", contact=4)
    >>> problem.boxes[0], problem.boxes[4], problem.boxes[28]
    ('14x14+0-5', '56x58-20-27', '8x10+4-3')
    """
    from satlife.kinds import _catalysts
    from satlife.kinds._common import read_whole
    from satlife.life import Pattern
    from satlife.life.box import format_placed_box
    from satlife.problem import LARGEST, Link, Problem
    from satlife.problem.constraints import Restored

    drawing = draw_question(incoming, region, states=states, at=at, turn=turn)
    now, places = drawing.active, drawing.places
    home = _find_box(places)
    shown = [_draw_shown(cells, t) for cells, t in becomes or ()]
    if contact is None:
        times = list_contacts(drawing, (1, min(each.t for each in shown)) if shown else None)
        early, late = times[0], times[-1]
    else:
        early, late = _catalysts.read_span(contact, "contact")
    read_whole(early, "contact", 1)
    read_whole(recover, "recover", 1)
    read_whole(hold, "hold", 0)
    for name, most in (("active", active), ("ever_active", ever_active)):
        if most is not None:
            read_whole(most, name, 1)
    if before := [each.t for each in shown if each.t < late]:
        raise UsageError(
            f"what is drawn of generation {min(before)} is there before a contact in generation "
            f"{late}; give a contact that is not later"
        )
    last = late + recover + hold
    alone = max([last, *(each.t for each in shown)]) + 1
    boxes = _list_boxes(home, early, last, shown)
    boxes[0] |= now.box
    check_number(sum(box.area for box in boxes), LARGEST, "the cells of all generations")
    flight = [now[t] for t in range(early)]
    kept = Pattern.from_cells(drawing.kept, now.rule)
    near = frozenset[tuple[int, int]]().union(*map(_list_near, flight))
    places -= near
    if touched := drawing.living & near:
        x, y = min(touched)
        raise UsageError(
            f"the input touches the catalyst's cell at x={x}, y={y} before generation {early}"
        )

    def draw(t: int, alive: Iterable[tuple[int, int]]) -> Known:
        return _draw_open(t, boxes[t], places, alive)

    return Problem(
        kind="catalyst",
        rule=str(now.rule),
        boundary="free",
        boxes=tuple(map(format_placed_box, boxes)),
        steps=alone + 1,
        known=(
            *(draw(t, flying.coordinates.tolist()) for t, flying in enumerate(flight)),
            *(_catalysts.draw_alive(kept, t) for t in range(early, last + 1) if not kept.is_empty),
            *shown,
            *(draw(t, drawing.living) for t in (alone, alone + 1)),
        ),
        links=tuple(
            Link(first=(*place, t), second=(*place, alone))
            for t in (*range(early), alone + 1)
            for place in sorted(places)
        ),
        exempt=tuple(_catalysts.places(home.grow(2) if shown else home, alone)),
        constraints=(
            *_catalysts.catalyst_constraints(population, alone),
            Restored(
                alone=alone,
                contact=(early, late),
                free=tuple(_draw_still(now[t], home.grow(2)) for t in range(early, late + 1)),
                times=(early + 1, late + recover),
                hold=hold,
                active=active,
                ever_active=ever_active,
            ),
        ),
    )


def _list_boxes(home: Box, early: int, last: int, shown: Sequence[Known]) -> list[Box]:
    """Return the boxes: what can matter to the catalyst, or to what is drawn of a generation."""
    from satlife.life import Box

    boxes = [home.grow(3)] * (early - 1)  # farther away, all is known
    boxes += [home.grow(1 + last - t) for t in range(early - 1, last + 1)]
    for each in sorted(shown, key=lambda each: -each.t):
        drawn = Box(each.x, each.y, len(each.rows[0]), len(each.rows))
        boxes += [drawn] * (each.t + 1 - len(boxes))
        for t in range(each.t + 1):
            boxes[t] |= drawn.grow(each.t - t)
    return [*boxes, home.grow(2), home.grow(1)]


def _draw_open(t: int, box: Box, places: Cells, alive: Iterable[tuple[int, int]]) -> Known:
    """Draw what is known of a generation: all but what may be the catalyst's."""
    from satlife.problem import Known

    cells = [
        ["?" if (x, y) in places else "." for x in range(box.x, box.right)]
        for y in range(box.y, box.bottom)
    ]
    for x, y in alive:
        if (x, y) in box:
            cells[y - box.y][x - box.x] = "o"
    return Known(t=t, x=box.x, y=box.y, rows=tuple(map("".join, cells)))


def _draw_shown(cells: PartialPattern | Pattern | str, t: int) -> Known:
    """Return a drawing as known cells of a generation."""
    from msgspec import structs

    from satlife.kinds._common import draw_known, read_cells, read_whole
    from satlife.life import PartialPattern, Pattern

    read_whole(t, "becomes", 1)
    read = read_cells(cells, BOX_OF_CELLS, (Pattern, PartialPattern), "becomes")
    known = draw_known(read)
    if not known.cells:
        raise UsageError(f"nothing is drawn of generation {t}: all of its cells are unknown")
    return structs.replace(known, t=t)


MOST_PLACES = 10_000
"""Maximum number of cells of a region; formulas of larger ones would not be solved."""
LONGEST_WAY, LONGEST_STAY = 1024, 64
"""Generations for which an input is followed on its way to the region, and then there."""


def draw_question(
    incoming: Pattern | Drawing | str,
    region: Pattern | Box | str | None = None,
    *,
    states: str = STATES,
    at: tuple[int, int] | None = None,
    turn: Transform | str = "identity",
) -> Drawing:
    """Return the input in generation 0, the cells where the catalyst may be, and those it has.

    Unless it is moved or turned, the input lies where its file says.
    """
    from satlife.kinds._catalysts import as_window
    from satlife.kinds._common import read_cells
    from satlife.life import Pattern
    from satlife.life.formats import describe_loss

    if isinstance(incoming, str) and describe_loss(incoming):
        incoming, states = Drawing.parse(incoming, states), STATES
    if states != STATES:
        raise UsageError("only a drawing in LifeHistory has states with other meanings")
    if isinstance(incoming, Drawing):
        if region is not None or at is not None or turn != "identity":
            raise UsageError(
                "a drawing shows where the region and the input are; leave out region, at and turn"
            )
        drawing = incoming
    elif region is None:
        raise UsageError(
            "the region is missing: give it, or a drawing in LifeHistory in place of the input"
        )
    else:
        if at is None and turn == "identity":
            now: Pattern = read_cells(incoming, PATTERN, Pattern, "incoming")
        else:
            now = place_input(incoming, at=at or (0, 0), turn=turn)
        if isinstance(region, Pattern):
            places = frozenset((x, y) for x, y in region.coordinates.tolist())
        else:
            home = as_window(region, "region")
            check_number(home.area, MOST_PLACES, "the cells of the region")
            places = frozenset(
                (x, y) for y in range(home.y, home.bottom) for x in range(home.x, home.right)
            )
        drawing = Drawing(now, places)
    if drawing.active.is_empty or not drawing.places:
        empty = "the input" if drawing.active.is_empty else "the region"
        raise UsageError(f"{empty} is empty: nothing can meet a catalyst")
    if drawing.active.rule.states > 2:
        raise UsageError(f"no catalyst is restored in {drawing.active.rule}: it has dying cells")
    return drawing


def list_contacts(drawing: Drawing, among: tuple[int, int] | None = None) -> list[int]:
    """Return the generations in which an input can first disturb something in these places.

    Those ``among`` the first and the last that are given; it is an error if there are none.

    >>> from satlife import Pattern
    >>> glider = Pattern.from_rle("bo$2bo$3o!")
    >>> list_contacts(Drawing(glider, frozenset({(6, 6), (7, 7)})))
    [9, 10, 11, 12, 13, 14, 15, 16]
    """
    if among and among[0] > among[1]:
        first, last = among
        raise UsageError(f"there are no contacts {first}..{last}; write the lower number first")
    now, contacts, left = drawing.active, list[int](), drawing.places
    seen: set[Pattern] = set()
    for t in range(1, (among[1] if among else LONGEST_WAY) + 1):
        if contacts and t - contacts[0] >= LONGEST_STAY and not among:
            break
        near = _list_near(now)
        left -= near
        # What recurs meets nothing new.
        if not left or now.is_empty or near & drawing.living or now in seen:
            break
        seen.add(now)
        if left & {(x + i, y + j) for x, y in near for i in (-1, 0, 1) for j in (-1, 0, 1)}:
            contacts.append(t)
        now = now[1]
    if not contacts:
        touches = drawing.living & _list_near(drawing.active)
        never = "never comes near the region"
        if among:
            never = f"does not come near the region by generation {among[1]}"
        raise UsageError(f"the input {'touches the catalyst from the start' if touches else never}")
    if among is None:
        return contacts
    first, last = among
    wanted = [t for t in contacts if first <= t <= last]
    if not wanted:
        when = f"generation {first}" if first == last else f"generations {first} to {last}"
        raise UsageError(
            f"the input cannot first meet a catalyst there in {when}; the possible generations are "
            f"{contacts[0]} to {contacts[-1]}"
        )
    return wanted


def _draw_still(pattern: Pattern, box: Box) -> Still:
    """Draw the live cells of a pattern in a box."""
    from satlife.problem.constraints import Still

    rows = tuple("".join(".o"[cell] for cell in row) for row in pattern.in_box(box).tolist())
    return Still(x=box.x, y=box.y, rows=rows)


def _find_box(places: Cells) -> Box:
    from satlife.life import Box

    columns, rows = zip(*places, strict=True)
    left, top = min(columns), min(rows)
    return Box(left, top, max(columns) + 1 - left, max(rows) + 1 - top)


def _list_near(pattern: Pattern) -> Cells:
    """Return the live cells and their neighbours."""
    near = (-1, 0, 1)
    return frozenset(
        (x + i, y + j) for x, y in pattern.coordinates.tolist() for i in near for j in near
    )


def _asked(problem: Problem) -> str:
    from satlife.life.box import format_window
    from satlife.problem.constraints import Population, Restored
    from satlife.quantities import write_count

    (asked,) = (each for each in problem.constraints if isinstance(each, Restored))
    home = problem.all_boxes[asked.alone].grow(-2)
    (early, late), (_, last) = asked.contact, asked.times
    when = f"generation {early}" if early == late else f"one of generations {early} to {late}"
    bounds = [
        f" of {str(each).partition(' in generation')[0]}"
        for each in problem.constraints
        if isinstance(each, Population)
    ]
    drawn = {(each.x, each.y, each.rows, each.t) for each in problem.known if each.t >= early}
    kept = {
        each[:3]
        for each in drawn
        if all((*each[:3], t) in drawn for t in range(early, last + asked.hold + 1))
    }
    given = sum(
        row.count("o") for each in problem.known if each.t == asked.alone for row in each.rows
    )
    shown = sorted({each[3] for each in drawn if each[3] < asked.alone and each[:3] not in kept})
    never = sum("".join(rows).count("o") for _, _, rows in kept)
    has = [f" with {write_count(given, 'given cell')}" if given else ""]
    has += [f"{never} of them never dead"] if never else []
    if asked.active is not None:
        has.append(f"with at most {write_count(asked.active, 'active cell')} at once")
    if asked.ever_active is not None:
        has.append(f"with at most {write_count(asked.ever_active, 'cell')} ever active")
    conditions = ", ".join(has) + "," * (len(has) > 1)
    then = "".join(f", and generation {t} is as drawn" for t in shown)
    where = f"in the region {format_window(home)}"
    return (
        f"still life{''.join(bounds)}{conditions} {where} that is first disturbed in {when}, "
        f"restored by generation {last}, and then holds for {asked.hold} more{then}"
    )


CATALYST = Kind(
    name="catalyst",
    noun="catalyst",
    function=perturbation,
    parameters=(
        file("incoming", DRAWING),
        Parameter(
            name="region",
            reader=PLACE,
            metavar=f"{WINDOW}|PATTERN",
            help="Columns and rows where the catalyst may be, or a pattern of such cells.",
        ),
        Parameter(
            name="states",
            reader=TEXT,
            metavar="N=MEANING,…",
            help="What the states of a drawing mean: "
            + "; ".join(f"{name}: {words}" for name, words in MEANINGS.items())
            + ".",
        ),
        Parameter(
            name="at",
            reader=pair("X,Y", "0,0"),
            metavar="X,Y",
            help="The top left of the input's box.  [default: as in its file]",
        ),
        Parameter(
            name="turn",
            reader=TEXT,
            metavar="TRANSFORM",
            help="Turn or mirror the input first: half-turn, flip-left-right …",
            label="Turn or mirror what comes in",
            heading="Symmetry",
        ),
        Parameter(
            name="contact",
            reader=SPAN,
            metavar="A..B",
            help="The generation in which the input first disturbs it.  [default: any]",
        ),
        Parameter(
            name="recover",
            reader=number(1),
            metavar="N",
            help="Generations after the contact until it is restored, at most.",
        ),
        Parameter(
            name="hold",
            reader=number(0),
            metavar="N",
            help="Generations for which it must then stay so.",
        ),
        Parameter(
            name="active",
            reader=number(1),
            group=GROUP,
            metavar="N",
            help="Cells of it and next to it disturbed at once, at most.",
        ),
        Parameter(
            name="ever_active",
            reader=number(1),
            group=GROUP,
            metavar="N",
            help="Those disturbed at one time or another, at most.",
        ),
        Parameter(
            name="becomes",
            reader=DRAWING_AT,
            many=True,
            metavar="PATTERN T",
            help="What comes out in generation T, at the place that PATTERN's file gives; ? is any "
            "cell.",
            label="What comes out: its RLE, and below it the generation",
        ),
        POPULATION_ALONE,
    ),
    summary="Find a still life that something hits, whatever comes out.",
    text="Find a still life in the region that the input PATTERN runs into, and that is itself "
    "again some generations later.  What comes out is open: every reaction that is found is "
    "followed until it settles.\n\nIn place of --region, PATTERN may be a drawing in LifeHistory: "
    "A is the input, B where the catalyst may be, C a live cell of it, D not a cell of it, and E a "
    "live cell of it that never dies.  What is found is printed as such a drawing.\n\nEach "
    "generation in which the input may first touch it is a question of its own, and the early ones "
    "come first.  Without one, the answer is a proof that there is none.",
    examples=(
        "catalyst pi-heptomino --region 5..10,-2..5 --population '<=8'",
        "catalyst 'queen bee' --region 8..13,0..6 --contact 6..10 --recover 20",
        "catalyst glider --region 4..9,4..9 --all --same outcome",
        "catalyst drawing.rle",
    ),
    asked=_asked,
    catalyst=True,
    tries_contacts=True,
)
