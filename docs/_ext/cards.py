"""The directive ``cards``: questions that the front page answers on the spot, each with a picture.

A card is a picture, a title and a command, and leads to its question in the page that needs no
server; ``try/front.js`` asks it where the reader is.  The picture is an answer, which is checked;
of a question about a drawing, that drawing; and where there is none, the empty box.
"""

from __future__ import annotations

import html
from typing import Any, Final, NamedTuple

from docutils import nodes
from players import PAGE, link_to, read_answer, skip
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from satlife import Pattern, Problem
from satlife.errors import SatlifeError
from satlife.web.questions import read_command, read_question
from satlife.web.routes import read_cells


class Card(NamedTuple):
    """A question, and what the picture shows if that is an answer."""

    title: str
    command: str
    answer: str = ""


CARDS: Final = (
    Card("Find the glider", "satlife ship c/4d --box 4x4", "bo$2o$obo!"),
    Card("Undo this picture", "satlife parent 'b2ob2o$7o$7o$b5o$2b3o$3bo!'"),
    Card("No period 3 fits 5x5", "satlife oscillator 3 --box 5x5"),
    Card(
        "A cross of period 3",
        "satlife oscillator 3 --box 10x10 --symmetry D8",
        "2b4o$2bo2bo$3o2b3o$o6bo$o6bo$3o2b3o$2bo2bo$2b4o!",
    ),
    Card("Complete this drawing", "satlife complete '2o3?$o4?$5?$4?o$3?2o!'"),
    Card(
        "A ship in Day & Night",
        "satlife ship c/2 --box 14x9 --symmetry D2v --rule 'Day & Night'",
        "6b2o$5b4o$4b6o$5b4o$3b8o$3b8o$3bob4obo$6b2o$5bo2bo!",
    ),
    Card(
        "A snowflake that stands still",
        "satlife still-life --box 12x12 --symmetry D8",
        "bo3b2o3bo$obo2b2o2bobo$b2o6b2o$3b6o$3bo4bo$2obob2obob2o$2obob2obob2o$3bo4bo$3b6o$"
        "b2o6b2o$obo2b2o2bobo$bo3b2o3bo!",
    ),
    Card(
        "Is this a Garden of Eden?",
        "satlife orphan 'bob3obo$2bobobo2bo$ob3o2b2o$bob5obo$o2bo2b4o$4o2bo2bo$ob5obo$b2o2b3obo$"
        "o2bobobo$2bob3obo!'",
    ),
    Card("An eater, from its head", "satlife complete '2o2?$obo?$2bo?$4?!'"),
    Card("Find a spaceship that hops", "satlife ship 2c/4 --box 5x6", "2bo$b3o$2obo$3o$b2o!"),
    Card("No diagonal c/3 fits 5x5", "satlife ship c/3d --box 5x5"),
    Card(
        "An octagon of period 5",
        "satlife oscillator 5 --box 8x8 --symmetry C4",
        "3b2o$2bo2bo$bo4bo$o6bo$o6bo$bo4bo$2bo2bo$3b2o!",
    ),
    Card("Undo it twice", "satlife parent '3o$obo$3o!' --generations 2"),
    Card(
        "A ship in HighLife", "satlife ship 2c/4 --box 5x6 --rule HighLife", "2bo$b3o$2obo$3o$b2o!"
    ),
    Card(
        "A maze",
        "satlife still-life --box 12x12 --rule Maze",
        "3bo2bo2bo$b11o$b2ob2ob2ob2o$2o2bo2bo2bo$b11o$b2ob2ob2ob2o$2o2bo2bo2bo$b11o$b2ob2ob2ob2o$"
        "2o2bo2bo2bo$b11o$b2ob2ob2ob2o!",
    ),
    Card("Faster than any in Life", "satlife ship c --box 6x4 --rule Seeds", "b2o$o2bo!"),
    Card("Complete this rotor", "satlife complete '7?$?o?b3?$2?2o3?$?bob3?$7?$7?$7?!' --motion p3"),
    Card("No c/2 ship fits 5x5", "satlife ship c/2 --box 5x5"),
    Card(
        "An oscillator of Just Friends",
        "satlife oscillator 4 --box 6x6 --rule B2-a/S12",
        "o2bo$o4bo$obo$o3bo!",
    ),
    Card(
        "What becomes LIFE?",
        "satlife parent 'o3bob3ob3o$o3bobo3bo$o3bob2o2b2o$o3bobo3bo$3obobo3b3o!'",
    ),
)
"""The cards of the front page; a browser answers each within three seconds of the processor."""


def list_rows(card: Card, problem: Problem, values: dict[str, str]) -> list[str]:
    """Return what the picture of a card shows: cells that are alive, dead or unknown."""
    if card.answer:
        _, found = read_answer(card.answer, card.command, {})
        if not isinstance(found, Pattern):
            raise SatlifeError(f"the answer of {card.title!r} has unknown cells")
        return found.to_plaintext().replace("O", "o").splitlines()
    if drawn := values.get("pattern") or values.get("partial"):
        return read_cells(drawn)["cells"][0]
    box = problem.all_boxes[0]
    return ["?" * box.width] * box.height


def draw_rows(rows: list[str]) -> str:
    """Return a small picture, in the colours of the text around it; unknown cells are dots."""
    width = max(map(len, rows))
    places = [(x, y, state) for y, row in enumerate(rows) for x, state in enumerate(row)]
    alive = "".join(f"M{x} {y}h.9v.9h-.9z" for x, y, state in places if state == "o")
    unknown = "".join(f"M{x + 0.4:g} {y + 0.4:g}h.1" for x, y, state in places if state == "?")
    dots = f'<path class="unknown" d="{unknown}"/>' if unknown else ""
    return (
        f'<svg viewBox="-.5 -.5 {width + 0.9:g} {len(rows) + 0.9:g}" aria-hidden="true">'
        f'<path d="{alive}"/>{dots}</svg>'
    )


class cards(nodes.General, nodes.Element):  # noqa: N801 - a node of docutils
    """All cards."""


class Cards(SphinxDirective):
    """Show the cards of the front page."""

    def run(self) -> list[nodes.Node]:
        """Check the questions and their answers."""
        try:
            return [cards(items=[write_card(each) for each in CARDS])]
        except SatlifeError as error:
            raise self.error(f"cards: {error}") from error


def write_card(card: Card) -> str:
    """Return the HTML of a card."""
    question = read_command(card.command)
    if question is None:
        raise SatlifeError(f"no question: {card.command}")
    picture = draw_rows(list_rows(card, read_question(question), question.values))
    answer = read_answer(card.answer, card.command, {})[1] if card.answer else None
    command = " ".join(f"<span>{html.escape(word)}</span>" for word in card.command.split(" "))
    return (
        f'<li><a class="card" href="{PAGE}{link_to(question, answer)}">{picture}'
        f"<strong>{html.escape(card.title)}</strong> "
        f"<code>{command}</code></a></li>"
    )


def visit(self: Any, node: cards) -> None:
    """Write the list; ``players.js`` makes each card ask its question here."""
    self.body.append('<ul class="cards">\n' + "\n".join(node["items"]) + "\n</ul>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_node(cards, html=(visit, None), latex=(skip, None), text=(skip, None))
    app.add_directive("cards", Cards)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
