"""The results of a campaign as one HTML page, without scripts or other files.

It shows an animation of every find with its RLE, and for every question a chart of its boxes; they
are linked to each other.  Animations stand still for readers who prefer reduced motion.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

from satlife.campaign.core.events import Status
from satlife.campaign.results import (
    Cell,
    Find,
    InBox,
    QuestionRow,
    Results,
    box_words,
    describe_question,
    where_words,
)
from satlife.campaign.work import WorkStatus
from satlife.life.box import Box
from satlife.life.draw import draw_svg
from satlife.show.caption import Caption
from satlife.show.formats.svg import write_svg
from satlife.show.style import BADGES, Style

# The part of a campaign's page about the work: users, rates, stuck tasks, refusals.


Table = tuple[str, Sequence[str], Sequence[Sequence[str]]]
"""A caption, a header and rows."""


def draw_work(work: WorkStatus) -> Iterator[str]:
    """Yield a heading and tables; nothing if the campaign is over or runs on one machine alone."""
    if not (work.oldest or work.report):
        return
    yield "<h2>Work</h2>"
    if work.report is not None:
        yield f'<p class="soft">As the recorder saw it at {_time(work.report.time)}.</p>'
    for caption, head, rows in (_users(work), _oldest(work), _refused(work)):
        if rows:
            yield from _table(caption, head, rows)


def _users(work: WorkStatus) -> Table:
    head = ("user", "workers", "answers per second, lately", "answers", "last")
    rows = [
        (each.user, f"{each.workers:,}", f"{each.rate:.2f}", f"{each.answers:,}", _time(each.last))
        for each in work.users
    ]
    return "Who works", head, rows


def _oldest(work: WorkStatus) -> Table:
    head = ("question", "box", "is", "since", "failed attempts")
    rows = [
        (
            describe_question(each.row.task.problem, each.row.task.selection),
            where_words(each.row.task),
            each.row.state.status.value,
            _duration(each.seconds),
            f"{each.row.state.deaths:,}",
        )
        for each in work.oldest
    ]
    return "What waits longest", head, rows


def _refused(work: WorkStatus) -> Table:
    head = ("user", "messages", "why, the last time", "when")
    rows = [(each.user, f"{each.count:,}", each.words, _time(each.last)) for each in work.refused]
    return "What was refused", head, rows


def _table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f'<table class="work"><caption>{html.escape(caption)}</caption>'
    cells = "".join(f'<th scope="col">{html.escape(word)}</th>' for word in head)
    yield f"<thead><tr>{cells}</tr></thead><tbody>"
    for first, *rest in rows:
        cells = "".join(f"<td>{html.escape(word)}</td>" for word in rest)
        yield f'<tr><th scope="row">{html.escape(first)}</th>{cells}</tr>'
    yield "</tbody></table>"


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _duration(seconds: float) -> str:
    """Return a duration as text.

    >>> [_duration(s) for s in (5, 90, 7300, 200_000)]
    ['5 s', '90 s', '122 min', '56 h']
    """
    for limit, size, unit in ((120, 1, "s"), (7500, 60, "min")):
        if seconds < limit:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds / 3600:.0f} h"


_MOST_CELLS: Final = 20_000
"""Maximum cells of all phases of an animation; a larger find is drawn in one phase."""
_MOST_FRAMES: Final = 120
"""Maximum number of generations of an animation."""
_PICTURE: Final = 280
"""Maximum width of a picture, in pixels."""
_LARGEST_CHART: Final = 40

_MARKS: Final = {
    Status.FOUND: ("found", "●"),
    Status.IMPOSSIBLE: ("impossible", BADGES["impossible"].sign),
    Status.UNDECIDED: ("undecided", "?"),
    Status.FAILED: ("failed", "!"),
    Status.QUEUED: ("open", ""),
    Status.LEASED: ("open", "…"),
    Status.DROPPED: ("dropped", ""),
    Status.SPLIT: ("open", "÷"),
}
_WHOLE: Final = {InBox.FOUND: Status.FOUND, InBox.NONE: Status.IMPOSSIBLE}
_CERTIFIED: Final = "§"
_EXACT: Final = "="

_STYLE: Final = """
:root{--paper:#fff;--ink:#1f2328;--soft:#667;--line:#dcdcd6;--found:#2c7a4b;--none:#e3d7ed;
--sure:#c9d6ea;--maybe:#f2d98b;--bad:#e2a099}
@media(prefers-color-scheme:dark){:root{--paper:#14161a;--ink:#e8e6e0;--soft:#9a9da6;--line:#33363d;
--found:#2b7a4b;--none:#372050;--sure:#2b3f5c;--maybe:#6b5a1e;--bad:#7a342d}}
body{margin:2rem auto;max-width:72rem;padding:0 1rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}
h1{margin:0}h2{margin:2.5rem 0 .8rem}.soft{color:var(--soft)}
.numbers{display:flex;flex-wrap:wrap;gap:.5rem 2rem;padding:0;list-style:none}
.numbers b{font-size:1.5rem;margin-right:.35rem}
.finds{display:grid;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr));gap:1rem}
.find{border:1px solid var(--line);border-radius:8px;padding:1rem;overflow:hidden}
.find h3{margin:.6rem 0 0;font-size:1.05rem}.find p{margin:.1rem 0;overflow-wrap:anywhere}
.find svg{max-width:100%;height:auto;display:block}
.find pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8rem}
.charts{display:flex;flex-wrap:wrap;align-items:flex-start;gap:1.5rem 2.5rem}
table{border-collapse:separate;border-spacing:2px;font-size:.75rem;font-variant-numeric:tabular-nums}
caption{text-align:left;white-space:nowrap;font-weight:600;font-size:.95rem;padding-bottom:.3rem}
th{color:var(--soft);font-weight:400;padding:0 .25rem}.axis{font-style:italic}
a{color:inherit}td a{display:block;text-decoration:none}:target{outline:3px solid var(--found)}
.work td,.work th{width:auto;height:auto;text-align:left;padding:.15rem .8rem .15rem 0}
td{width:1.5rem;height:1.5rem;text-align:center;border-radius:3px}
.found{background:var(--found);color:#fff}.impossible{background:var(--none)}
.certified{background:var(--sure)}.undecided{background:var(--maybe)}.failed{background:var(--bad)}
.open{box-shadow:inset 0 0 0 1px var(--line)}.implied.found{
background:color-mix(in srgb,var(--found) 25%,var(--paper));color:var(--ink)}.implied.impossible{
background:color-mix(in srgb,var(--none) 50%,var(--paper))}
.legend span{display:inline-block;padding:.1rem .6rem;margin:0 .4rem .4rem 0;border-radius:3px}
"""


def draw_page(results: Results, title: str, work: WorkStatus | None = None) -> str:
    """Return the whole page; with ``work``, it shows users, stuck tasks and refusals."""
    anchors = {row.words: f"question-{i}" for i, row in enumerate(results.questions, 1)}
    places: dict[str, dict[str, str]] = {}
    for number, find in enumerate(results.finds, 1):
        boxes = places.setdefault(find.question, {})
        boxes.setdefault(box_words(find.problem), f"find-{number}")
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width,initial-scale=1">',
            f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>",
            f"<body>\n<main>\n<h1>{html.escape(title)}</h1>",
            *_numbers(results),
            *draw_work(work or WorkStatus()),
            "<h2>Found</h2>",
            *_finds(results.finds, anchors),
            "<h2>Questions and boxes</h2>",
            _legend(any(question.impossible_exactly for question in results.questions)),
            '<div class="charts">',
            *(
                _chart(row, anchors[row.words], places.get(row.words, {}))
                for row in results.questions
            ),
            "</div>\n</main>\n</body>\n</html>\n",
        ]
    )


def _numbers(results: Results) -> Iterator[str]:
    counts = results.counts
    numbers = {
        "different objects": counts.findings,
        "searches found": counts.found,
        "impossible": counts.impossible,
        "of these with a checked proof": sum(each.certified for each in results.questions),
        "undecided": counts.undecided,
        "failed": counts.failed,
        "open": results.open,
    }
    yield '<ul class="numbers">'
    for label, number in numbers.items():
        yield f"<li><b>{number:,}</b>{label}</li>"
    yield "</ul>"
    yield (
        '<p class="soft">Every pattern here has been checked by simulation. An impossibility is '
        "the claim of a solver unless it is marked as proved; "
        f"{counts.implied:,} answers follow from answers in other boxes.</p>"
    )


def _finds(finds: Sequence[Find], questions: Mapping[str, str]) -> Iterator[str]:
    if not finds:
        yield '<p class="soft">Nothing yet.</p>'
        return
    yield '<div class="finds">'
    for number, find in enumerate(finds, 1):
        yield _card(find, number, questions)
    yield "</div>"


def _card(find: Find, number: int, questions: Mapping[str, str]) -> str:
    question, box = find.question, box_words(find.problem)
    asked = html.escape(question)
    if question in questions:
        asked = f'<a href="#{questions[question]}">{asked}</a>'
    known = ""
    if link := link_object(find.row.identity):
        known = f' · <a href="{html.escape(link)}" rel="noreferrer">at Catagolue</a>'
    return (
        f'<article class="find" id="find-{number}">\n{_picture(find)}\n'
        f"<h3>{html.escape(find.heading)}</h3>\n"
        f"<p>{html.escape(find.words)}</p>\n"
        f'<p class="soft">{asked} in {html.escape(box)}{known}</p>\n'
        f"<details><summary>RLE</summary><pre>{html.escape(find.to_rle())}</pre></details>\n"
        "</article>"
    )


def link_object(identity: str) -> str | None:
    """Return the address of an object in Catagolue, the census of objects, if it can be there.

    >>> link_object("xq4_153"), link_object("00ff")
    ('https://catagolue.hatsya.com/object/xq4_153/b3s23', None)
    """
    code, _, rule = identity.partition("/")
    if not code.startswith("x"):
        return None
    return f"https://catagolue.hatsya.com/object/{quote(code)}/{quote(rule or 'b3s23')}"


def _picture(find: Find) -> str:
    """Return an animation without a script; of a large find, its first phase."""
    if sum(phase.box.area for phase in find.phases) <= _MOST_CELLS:
        scene = replace(find.scene(), caption=Caption(find.heading))
        if len(scene.frames) <= _MOST_FRAMES:
            cell = max(3, min(14, _PICTURE // (scene.box.width + 2)))
            return write_svg([scene], Style(animate=True, caption=False, cell=cell))
    first = find.phases[0]
    size = max(2, min(14, _PICTURE // (first.box.width + 3)))
    title = f"{find.words}; 1 of {len(find.phases)} phases"
    return draw_svg([first], first.box.grow(1), grid=False, cell_size=size, title=title)


def _legend(has_exact: bool) -> str:
    marks = [
        ("found", "● found"),
        ("certified", f"{_CERTIFIED} impossible, with a checked proof"),
        ("impossible", f"{BADGES['impossible'].sign} impossible"),
        ("undecided", "? undecided"),
        ("failed", "! failed"),
        ("open", "open"),
        ("implied found", "pale: follows from another box"),
    ]
    if has_exact:
        marks.append(
            ("open exact", f"{_EXACT} impossible with exactly this size, and less is open")
        )
    spans = (f'<span class="{kind}">{label}</span>' for kind, label in marks)
    return f'<p class="legend">{"".join(spans)}</p>'


def _chart(question: QuestionRow, anchor: str, links: Mapping[str, str]) -> str:
    """Return a chart with widths across and heights down; boxes that do not fit become a list."""
    head = f'<table id="{anchor}"><caption>{html.escape(question.words)}</caption>'
    plain = {
        text: Box.parse(text)
        for text in question.cells
        if text.replace("x", "", 1).isdecimal()  # neither a profile nor a box of any height
    }
    widths = sorted({box.width for box in plain.values()})
    heights = sorted({box.height for box in plain.values()})
    too_large = max(len(widths), len(heights)) > _LARGEST_CHART
    if len(plain) < len(question.cells) or too_large or len(plain) < 2:
        rows = (f'<tr><th scope="row">{html.escape(text)}</th>{_td(cell, text, links)}</tr>'
                for text, cell in list(question.cells.items())[: _LARGEST_CHART**2])  # fmt: skip
        return f"{head}{''.join(rows)}</table>"
    across = "".join(f'<th scope="col">{width}</th>' for width in widths)
    lines = [
        f'<tr><td></td><th class="axis" scope="colgroup" colspan="{len(widths)}">width</th></tr>',
        f'<tr><th class="axis" scope="col">height</th>{across}</tr>',
    ]
    for height in heights:
        texts = [f"{width}x{height}" for width in widths]
        cells = "".join(
            _td(question.cells[text], text, links) if text in question.cells else "<td></td>"
            for text in texts
        )
        lines.append(f'<tr><th scope="row">{height}</th>{cells}</tr>')
    return f"{head}{''.join(lines)}</table>"


def _td(cell: Cell, box: str, links: Mapping[str, str]) -> str:
    kind, mark = _MARKS[_WHOLE.get(cell.in_box, cell.status)]
    answer = kind
    if cell.is_only_exact:
        proved = ", with a checked proof" if cell.certified else ""
        kind, mark = "open exact", _EXACT
        answer = f"{cell.exact} is impossible{proved}; less is open"
    elif cell.in_box_certified:
        kind, mark, answer = "certified", _CERTIFIED, "impossible, with a checked proof"
    if cell.implied:
        kind, answer = f"{kind} implied", f"{answer}, follows from another box"
    title = f"{html.escape(box)}: {answer}"
    if box in links and cell.in_box is InBox.FOUND:
        mark = f'<a href="#{links[box]}" aria-label="{title}">{mark}</a>'
    return f'<td class="{kind}" title="{title}">{mark}</td>'
