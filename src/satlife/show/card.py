"""Cards: a picture with words, as HTML for a notebook or a page; no script, so it can be kept.

A card survives nbconvert and GitHub. Colour is never the only sign: a mood has its own mark too.

>>> card = Card("found", "glider", ("spaceship c/4d",))
>>> card.to_html()[:26]
'<div class="satlife-card s'
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Mood: TypeAlias = Literal["found", "impossible", "exhausted", "undecided", "question"]

MARKS: Final[dict[Mood, str]] = {
    "found": "✓",
    "impossible": "✕",
    "exhausted": "∅",
    "undecided": "?",
    "question": "⌕",
}
_COLOURS: Final[dict[Mood, tuple[str, str]]] = {
    "found": ("#1c6e43", "#6cc796"),
    "impossible": ("#8d2f25", "#f0978c"),
    "exhausted": ("#6a3d8f", "#c9a3ea"),
    "undecided": ("#7a5600", "#e7bd4f"),
    "question": ("#2b5797", "#8db9f2"),
}
"""Of the mark and the edge, on light and on dark pages."""

_DARK: Final = '[data-theme="dark"],[data-jp-theme-light="false"],.vscode-dark'
_LIGHT: Final = '[data-theme="light"],[data-jp-theme-light="true"],.vscode-light'


def _write_sheet() -> str:
    light, dark = (
        f"--ink:{ink};--soft:{soft};--ground:{ground};"
        + "".join(f"--{mood}:{colours[k]};" for mood, colours in _COLOURS.items())
        for k, (ink, soft, ground) in enumerate(
            [("#1f2328", "#5f5f58", "#f6f6f3"), ("#eceae4", "#a9acb5", "#23252b")]
        )
    )
    card = ".satlife-card"
    moods = "".join(
        f"{card}.satlife-{mood}{{border-color:var(--{mood})}}"
        f"{card}.satlife-{mood} b{{color:var(--{mood})}}"
        for mood in MARKS
    )
    return (
        f"{card}{{{light}color:var(--ink);background:var(--ground);border-left:4px solid;"
        "border-radius:4px;padding:10px 14px;margin:4px 0;max-width:60rem;"
        "font:14px/1.5 system-ui,sans-serif;overflow-x:auto}"
        f"@media(prefers-color-scheme:dark){{{card}{{{dark}}}}}"
        f":is({_LIGHT}) {card}{{{light}}}:is({_DARK}) {card}{{{dark}}}{moods}"
        f"{card} b{{font-size:16px}}{card} p{{margin:2px 0}}{card} .soft{{color:var(--soft)}}"
        f"{card} svg{{display:block;margin:8px 0;max-width:100%;height:auto}}"
        f"{card} pre,{card} code{{font-size:12px;white-space:pre-wrap;overflow-wrap:anywhere;"
        "background:none;color:inherit}"
    )


SHEET: Final = _write_sheet()


@dataclass(frozen=True)
class Card:
    """What is shown of an answer or a question."""

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
        yield f"<p><b>{MARKS[self.mood]} {html.escape(self.title)}</b></p>"
        for line in self.lines:
            yield f"<p>{html.escape(line)}</p>"
        if self.picture:
            yield self.picture
        for note in self.notes:
            yield f'<p class="soft">{html.escape(note)}</p>'
        for heading, text in self.details:
            yield (
                f"<details><summary>{html.escape(heading)}</summary>"
                f"<pre>{html.escape(text)}</pre></details>"
            )
        yield "</div>"
