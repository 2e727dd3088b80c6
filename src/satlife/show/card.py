"""Cards: a picture with text, as HTML for a notebook or a page.

A card has no script, so it survives nbconvert and GitHub. Its mood in ``BADGES`` sets its sign and
colour.

>>> card = Card("found", "glider", ("spaceship c/4d",))
>>> card.to_html()[:26]
'<div class="satlife-card s'
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from satlife.life.draw.palette import DARK, LIGHT, Theme, follow_theme
from satlife.life.draw.svg import escape, let_scroll
from satlife.show.style import BADGES, Badge, Mood

_CARD: Final = ".satlife-card"
_WIDTH: Final = 720
"""The width of a card as a picture, in pixels."""
_LINE: Final = 1010
"""The characters in a line of such a card, times the size of the font."""


def _write_sheet() -> str:
    def declare(theme: Theme, ground: str, colour: Callable[[Badge], str]) -> str:
        moods = "".join(f"--{mood}:{colour(badge)};" for mood, badge in BADGES.items())
        own = f"--ink:{theme.ink};--soft:{theme.soft};--ground:{ground};color-scheme:{theme.name};"
        return own + moods

    light = declare(LIGHT, "#f6f6f3", lambda badge: badge.light)
    dark = declare(DARK, "#23252b", lambda badge: badge.dark)
    moods = "".join(
        f"{_CARD}.satlife-{mood}{{border-color:var(--{mood})}}"
        f"{_CARD}.satlife-{mood} b{{color:var(--{mood})}}"
        for mood in BADGES
    )
    return (
        f"{follow_theme(_CARD, light, dark)}{_CARD}{{color:var(--ink);background:var(--ground);"
        "border-left:4px solid;border-radius:4px;padding:10px 14px;margin:4px 0;max-width:62rem;"
        f"font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}}{moods}"
        f"{_CARD}.satlife-exhausted,{_CARD}.satlife-undecided{{border-left-style:dashed}}"
        f"{_CARD} b{{font-size:16px}}{_CARD} p{{margin:2px 0}}{_CARD} .soft{{color:var(--soft)}}"
        f"{_CARD} svg{{display:block;margin:8px 0}}"
        f"{_CARD} pre,{_CARD} code{{font-size:12px;white-space:pre-wrap;overflow-wrap:anywhere;"
        "background:none;color:inherit}"
    )


SHEET: Final = _write_sheet()


@dataclass(frozen=True)
class Card:
    """The presentation of an answer or a question."""

    mood: Mood
    title: str
    lines: tuple[str, ...] = ()
    picture: str = ""
    """SVG."""
    notes: tuple[str, ...] = ()
    """Lines of less weight."""
    details: tuple[tuple[str, str], ...] = ()
    """Texts that are folded away, each with its heading."""

    def to_html(self) -> str:
        """Write the card with its style sheet."""
        return "\n".join(self._parts())

    def _parts(self) -> Iterator[str]:
        yield f'<div class="satlife-card satlife-{self.mood}"><style>{SHEET}</style>'
        yield f"<p><b>{BADGES[self.mood].sign} {html.escape(self.title)}</b></p>"
        for line in self.lines:
            yield f"<p>{html.escape(line)}</p>"
        if self.picture:
            yield let_scroll(self.picture)
        for note in self.notes:
            yield f'<p class="soft">{html.escape(note)}</p>'
        for heading, text in self.details:
            yield (
                f"<details><summary>{html.escape(heading)}</summary>"
                f"<pre>{html.escape(text)}</pre></details>"
            )
        yield "</div>"

    def to_svg(self) -> str:
        """Draw the card as a picture to share: the sign, with the texts beside it."""
        badge, elements = BADGES[self.mood], list[str]()
        y = 50
        for size, colour, texts in (
            (22, badge.light, (self.title,)),
            (15, LIGHT.ink, self.lines),
            (12, LIGHT.soft, self.notes),
        ):
            for line in (part for text in texts for part in textwrap.wrap(text, _LINE // size)):
                family = "monospace" if size == 12 else "sans-serif"
                elements.append(
                    f'<text x="170" y="{y}" font-family="{family}" font-size="{size}" '
                    f'fill="{colour}">{escape(line)}</text>'
                )
                y += size + 8
            y += 6
        height = max(170, y)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
            f'width="{_WIDTH}" height="{height}" role="img" aria-label="{escape(self.title)}">'
            f'<rect width="{_WIDTH}" height="{height}" rx="6" fill="{LIGHT.panel}"/>'
            f'<rect width="6" height="{height}" fill="{badge.light}"/>'
            f'<rect x="30" y="30" width="110" height="110" fill="{badge.tint}" '
            f'stroke="{badge.light}" stroke-width="2"/>'
            f'<text x="85" y="106" font-family="sans-serif" font-size="60" text-anchor="middle" '
            f'fill="{badge.light}">{badge.sign}</text>{"".join(elements)}</svg>'
        )
