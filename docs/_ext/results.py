"""A page for every result, with an address that stays: of gallery, atlas, widths and finds.

Each has the statement or the pattern, the command that makes it, the hash of its certificate, the
question ready to open, a picture for those who link to it, and how to cite it.  The pages are
written from the data that the atlas keeps and from the players of the page of finds, into
``results/GROUP/NAME.html``; the names in the tables of the documents lead to them.
"""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from addresses import ROOT, read_address, write_bibtex
from cards import draw_rows
from PIL import Image, ImageDraw
from players import link_to, player
from sphinx.application import Sphinx

from atlas import widths
from atlas.archive import list_names
from atlas.gallery.items import GLIDERS, ORPHANS
from satlife import Pattern
from satlife.web.questions import FilledForm, read_command, read_question
from satlife.web.routes import read_cells

DATA: Final = ROOT / "atlas" / "data"
GROUPS: Final = (
    "orphans",
    "eaters",
    "outcomes",
    "oscillators",
    "rotors",
    "ships",
    "still-lifes",
)
"""The tables of the atlas that have certificates."""
FILES: Final = {**GLIDERS, **ORPHANS}
"""The files that commands read, by name."""
OPEN_HEIGHT: Final = 8
"""Rows of the picture of a question that has any height."""
HOW: Final = re.compile(r" --(?:(?:minimize|maximize|cubes|jobs) \S+|all|shrink|grow)(?= |$)")
"""Words of a command that do not belong to its question."""


class Result(NamedTuple):
    """What is published of a result."""

    group: str
    name: str
    title: str
    command: str
    page: str
    """The document that lists it, with its place there."""
    facts: dict[str, str]
    sha256: str = ""
    rle: str = ""
    """A pattern that it names."""
    question: FilledForm | None = None
    link: str = ""
    """The link to its question, if it is known already."""

    @property
    def address(self) -> str:
        """Where its page is, below the documents."""
        return f"results/{self.group}/{self.name}.html"


def ask(command: str) -> FilledForm | None:
    """Return the question of a command, as the page can open it."""
    return read_command(HOW.sub("", command), FILES)


def find_archive(group: str) -> Path:
    """Return the archive of the certificates of a group that are kept."""
    return DATA / group / "certificates.tar.xz" if group in GROUPS else DATA / f"{group}.tar.xz"


def say_kept(group: str, name: str, kept: set[str]) -> dict[str, str]:
    """Return the fact that a certificate is in the archive of its group, if it is."""
    link = f'<a href="../{group}.tar.xz">{group}.tar.xz</a>, folder {name}'
    return {"Kept in": link} if name in kept else {}


def list_atlas() -> Iterator[Result]:
    """Yield the certificates of the tables of the atlas."""
    for group in GROUPS:
        kept = list_names(find_archive(group))
        records = json.loads((DATA / group / "certificates.json").read_text(encoding="utf-8"))
        for each in records:
            if each["answer"] != "certified":
                continue
            facts = {
                "Size": f"{each['bytes']:,} bytes",
                **({"Made in": f"{each['seconds']:.1f} s"} if "seconds" in each else {}),
                "Checked in": f"{each['check']:.2f} s of the processor",
                **say_kept(group, each["name"], kept),
            }
            patterns = each.get("patterns") or [""]
            command, name = each["command"], each["name"]
            page = f"atlas/{group}.html#c-{make_slug(name)}"
            yield Result(
                group, name, each["statement"], command, page, facts, each["sha256"], patterns[0],
                ask(command),
            )  # fmt: skip


def list_gallery() -> Iterator[Result]:
    """Yield the certificates of the gallery."""
    rows = json.loads((DATA / "gallery.json").read_text(encoding="utf-8"))["rows"]
    kept = list_names(find_archive("gallery"))
    for name, row in rows.items():
        facts = {
            "Size": f"{row['folder_bytes']:,} bytes",
            "Made on": row["made"],
            "Made in": f"{row['made_cpu']:.1f} s of the processor",
            "Checked in": f"{row['checked_cpu']:.1f} s of the processor",
            **say_kept("gallery", name, kept),
        }
        shown = row.get("shown")
        rle = ""
        if shown:
            rle = Pattern.from_plaintext("\n".join(shown[0]).replace("o", "O")).to_rle()
        command = f"satlife {row['command']}"
        yield Result(
            "gallery", name, row["title"], command, "gallery.html", facts, row["sha256"], rle,
            ask(command),
        )  # fmt: skip


def list_finds(players: list[Any]) -> Iterator[Result]:
    """Yield the finds: the players of a page, in their order."""
    seen: set[str] = set()
    for node in players:
        told = json.loads(node["scene"])
        title = told["caption"]["title"]
        name = make_slug(title)
        while name in seen:
            name += "-2"
        seen.add(name)
        facts = {"It is": ", ".join([*told["caption"]["facts"], told["caption"]["code"]])}
        yield Result(
            "finds", name, title, node["command"], "finds.html", facts, rle=told["rle"],
            link=node["link"],
        )  # fmt: skip


def make_slug(name: str) -> str:
    """Return a name as an address has it."""
    return "".join(each if each.isalnum() or each in "-_." else "-" for each in name.lower())


def list_widths() -> Iterator[Result]:
    """Yield the certified widths without ships; the widest of each sort has the others."""
    kept = list_names(find_archive("widths"))
    for question, answer in widths.list_certified(widths.read_answers()):
        check, symmetry = answer.check, question.symmetry
        which = "" if symmetry == "none" else f" ({symmetry})"
        title = f"No ship of speed {question.speed} is {question.width} cells wide{which}"
        facts = {
            "States": f"{answer.states:,}",
            "Size": f"{check['bytes']:,} bytes",
            "Searched in": f"{answer.seconds:.2f} s",
            "Checked in": f"{check['seconds']:.2f} s",
            **say_kept("widths", question.name, kept),
        }
        yield Result(
            "widths", question.name, title, question.command, "widths.html", facts,
            check["hash"], "", ask(question.command),
        )  # fmt: skip


# Pictures.


def list_rows(result: Result) -> list[str]:
    """Return the cells of the picture: the pattern, or what is asked."""
    if result.rle:
        return read_cells(result.rle)["cells"][0]
    question = result.question
    if question is None:
        return ["???"] * 3
    for name in ("pattern", "partial", "incoming"):
        if drawn := question.values.get(name):
            return read_cells(drawn)["cells"][0]
    if match := re.fullmatch(r"(\d+)x\*", str(question.values.get("box"))):
        return ["?" * int(match[1])] * OPEN_HEIGHT
    box = read_question(question).all_boxes[0]
    return ["?" * box.width] * box.height


def draw_preview(rows: list[str]) -> Image.Image:
    """Return the picture for those who link to a result."""
    image = Image.new("P", (600, 315), 0)
    image.putpalette([252, 252, 251, 31, 42, 68, 132, 132, 123])
    pen = ImageDraw.Draw(image)
    width = max(map(len, rows), default=1)
    cell = max(1, min(40, 560 // max(1, width), 275 // max(1, len(rows))))
    left, top = (600 - width * cell) // 2, (315 - len(rows) * cell) // 2
    for y, row in enumerate(rows):
        for x, state in enumerate(row):
            a, b = left + x * cell, top + y * cell
            if state == "o":
                pen.rectangle((a, b, a + max(0, cell - 2), b + max(0, cell - 2)), 1)
            elif state == "?":
                middle, size = cell // 2, max(0, cell // 12)
                pen.rectangle((a + middle, b + middle, a + middle + size, b + middle + size), 2)
    return image


# Pages.

PAGE: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>{title} – satlife</title>
<link rel="icon" href="../../_static/favicon.svg">
<link rel="stylesheet" href="../../_static/results.css">
{tags}</head>
<body>
<header><nav aria-label="Home">
<a href="../../index.html">satlife</a> · <a href="../../{page}">{group}</a>
</nav></header>
<main>
<h1>{title}</h1>
<figure>{picture}</figure>
<p><code>{command}</code></p>
{opened}<dl>
{facts}</dl>
<h2>Cite this entry</h2>
<pre tabindex="0">{cite}</pre>
</main>
</body>
</html>
"""


def write_page(result: Result, rows: list[str]) -> str:
    """Return the page of a result."""
    e = html.escape
    pattern = Pattern.from_rle(result.rle) if result.rle and "?" not in result.rle else None
    opened, link = "", result.link
    if result.question is not None:
        link = link_to(result.question, pattern)
    if link:
        address = f"../../try/index.html{link}"
        opened = f'<p><a class="button" href="{address}">Open this question</a></p>\n'
    facts = {e(name): value for name, value in result.facts.items()}
    if result.sha256:
        facts["SHA-256"] = f"<code>{e(result.sha256)}</code>"
        again = f"{result.command} --prove {result.name}"
        facts["Its certificate"] = (
            f"<code>{e(again)}</code>, <code>satlife check {e(result.name)}</code>"
        )
    tags = {
        "og:title": result.title,
        "og:site_name": "satlife",
        "og:type": "article",
        "og:description": result.command,
    }
    if home := read_address("documentation"):
        tags["og:url"] = f"{home}/{result.address}"
        tags["og:image"] = f"{home}/{result.address.removesuffix('.html')}.png"
    note = f"Result {result.group}/{result.name}"
    note += f", SHA-256 {result.sha256}" if result.sha256 else ""
    key = f"satlife-{result.group}-{result.name}"
    return PAGE.format(
        title=e(result.title),
        group=result.group,
        page=result.page,
        picture=draw_rows(rows),
        command=e(result.command),
        opened=opened,
        tags="".join(
            f'<meta property="{name}" content="{e(text)}">\n' for name, text in tags.items()
        ),
        facts="".join(f"<dt>{name}</dt><dd>{value}</dd>\n" for name, value in facts.items()),
        cite=e(write_bibtex(key, result.title, result.address, note)),
    )


def write_results(folder: Path, results: list[Result]) -> None:
    """Write all pages, their pictures, the archives that are kept, and a list of everything."""
    for each in results:
        page = folder / each.address
        page.parent.mkdir(parents=True, exist_ok=True)
        rows = list_rows(each)
        page.write_text(write_page(each, rows), encoding="utf-8")
        draw_preview(rows).save(page.with_suffix(".png"))
    for group in (*GROUPS, "gallery", "widths"):
        if (kept := find_archive(group)).exists():
            shutil.copy(kept, folder / "results" / f"{group}.tar.xz")
    manifest = [
        {"address": each.address, "title": each.title, "command": each.command}
        | ({"sha256": each.sha256} if each.sha256 else {})
        for each in results
    ]
    text = json.dumps(manifest, indent=1, ensure_ascii=False)
    (folder / "results" / "manifest.json").write_text(f"{text}\n", encoding="utf-8")


def list_certificates() -> list[Result]:
    """Return all results with certificates."""
    return [*list_gallery(), *list_atlas(), *list_widths()]


def link_body(page: str, body: str, results: list[Result]) -> str:
    """Return the HTML of a document whose entries lead to their pages."""
    up = "../" * page.count("/")
    for each in results:
        if not each.page.startswith(f"{page}.html"):
            continue
        start = f'<a href="{up}{each.address}"'
        if each.group == "gallery":
            body = body.replace(
                f"<td><p>{each.name}</p></td>", f"<td><p>{start}>{each.name}</a></p></td>"
            )
        elif each.group == "widths":
            body = re.sub(
                rf"<code[^>]*>(<span[^>]*>)?{each.sha256}(</span>)?</code>",
                rf"{start}>\g<0></a>",
                body,
            )
        else:
            slug = make_slug(each.name)
            body = body.replace(
                f'<span id="c-{slug}">{each.name}</span>', f'{start} id="c-{slug}">{each.name}</a>'
            )
    return body


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages beside the documents, and lead to them."""
    certificates = list_certificates()

    def lead(
        _app: Sphinx, page: str, _template: str, context: dict[str, Any], doctree: Any
    ) -> None:
        if page == "finds":
            found = list_finds(list(doctree.findall(player)))
            add = (f' <a href="{each.address}">Address</a></figcaption>' for each in found)
            context["body"] = re.sub("</figcaption>", lambda _: next(add), context["body"])
        elif "body" in context:
            context["body"] = link_body(page, context["body"], certificates)

    def write(app: Sphinx, error: Exception | None) -> None:
        if error is None and app.builder.name == "html":
            shown = list(app.env.get_doctree("finds").findall(player))
            write_results(Path(app.outdir), [*certificates, *list_finds(shown)])

    app.connect("html-page-context", lead)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
