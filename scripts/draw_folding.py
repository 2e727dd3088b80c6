"""The picture of a folded space-time, for the page How it works; ``draw_docs.py`` writes it."""

from __future__ import annotations

from collections.abc import Iterator

import satlife
from satlife.formula.spacetime import SpaceTime

NAME = "folding"
_STYLE = """\
text{font:13px system-ui,sans-serif;fill:#1f2328}.n{text-anchor:middle;font-size:11px}
.plane{fill:#fcfcfb;stroke:#1f2a44}.row{stroke:#c9c9c2}
.copy{fill:none;stroke:#0b5cad;stroke-width:2;stroke-dasharray:5 4}
.top{fill:#0b5cad;fill-opacity:.18}
.arrow{stroke:#0b5cad;stroke-width:2;fill:none}.head{fill:#0b5cad}.cell{stroke:#84847b}
@media(prefers-color-scheme:dark){text{fill:#eceae4}.plane{fill:#1b1d22;stroke:#e9e4d4}
.row{stroke:#4a4e58}.copy,.arrow{stroke:#7db8f5}.head,.top{fill:#7db8f5}.cell{stroke:#8b8e98}.n{fill:#1f2328}}
"""
_COLOURS = ("#f3c795", "#a8d5ba", "#b9cdf0", "#e3b5d4", "#f0e4a0", "#c7e3e8", "#d6c6f0", "#f1b8a8",
            "#cfd8a0")  # fmt: skip
_TITLE = (
    "Left: generations 0 to 2 of a ship as three planes; generation 3 is generation 0, one row "
    "higher. Right: a 6x6 box with quarter-turn symmetry; equal cells have the same number."
)


def draw() -> str:
    """Return the SVG."""
    body = "\n".join([*_draw_planes(), *_draw_classes()])
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 330" width="720" height="330" '
        f'role="img">\n<title>{_TITLE}</title>\n<style>{_STYLE}</style>\n{body}\n</svg>\n'
    )


def _draw_planes() -> Iterator[str]:
    """Draw each generation as a plane seen from the side; time runs upward."""
    for t in range(4):
        up = 18 if t == 3 else 0  # one row further
        x, y = 40 + up, 252 - 62 * t - up * 0.6
        corners = f"{x},{y} {x + 200},{y} {x + 260},{y - 36} {x + 60},{y - 36}"
        if t == 3:
            yield f'<polygon class="top" points="{corners}"/>'
            yield f'<polygon class="copy" points="{corners}"/>'
        else:
            yield f'<polygon class="plane" points="{corners}"/>'
            for k in range(1, 6):
                left, down = x + 60 * k / 6, y - 36 * k / 6
                yield f'<path class="row" d="M{left:.0f} {down:.0f}h200"/>'
        yield f'<text x="{x - 30}" y="{y:.0f}">{t}</text>'
    yield '<path class="arrow" d="M322 56C372 110 372 190 314 236"/>'
    yield '<path class="head" d="M308 244l3-13 9 8z"/>'
    yield '<text x="10" y="290">Time: generation 3 is generation 0, one row on;</text>'
    yield '<text x="10" y="308">it needs no cells of its own.</text>'


def _draw_classes() -> Iterator[str]:
    """Draw a generation with the number of the variable in each cell."""
    numbers = SpaceTime(satlife.oscillator(2, box="6x6", symmetry="C4")).generation(0).tolist()
    for y, row in enumerate(numbers):
        for x, number in enumerate(row):
            left, top = 430 + 40 * x, 22 + 40 * y
            colour = _COLOURS[(number - 1) % len(_COLOURS)]
            yield (
                f'<rect class="cell" x="{left}" y="{top}" width="40" height="40" fill="{colour}"/>'
                f'<text class="n" x="{left + 20}" y="{top + 24}">{number}</text>'
            )
    yield '<text x="430" y="290">Symmetry: cells that a quarter-turn</text>'
    yield '<text x="430" y="308">connects are one variable: 9, not 36.</text>'
