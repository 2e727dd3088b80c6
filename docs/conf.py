"""Sphinx settings. `just docs` builds the pages; warnings are errors, references are checked."""

import re
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from satlife._version import __version__
from satlife.rulemaps import read_map
from satlife.rulemaps.page import write_page

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]

from addresses import read_address  # noqa: E402 - after the path

project = "satlife"
author = "The satlife developers"
copyright = f"2026, {author}"
release = __version__
version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "players",
    "cards",
    "addresses",
    "results",
    "folds",
]
exclude_patterns = ["_build", "_ext", "try"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}
autodoc_typehints = "signature"
python_use_unqualified_type_names = True

nitpicky = True
# Types from other projects have no link: the build must not need the network.
nitpick_ignore_regex = [
    (r"py:.*", r"(collections(\.abc)?|types|typing|pathlib|os|abc|enum|io|fractions)\..*"),
    (r"py:.*", r"(functools|threading)\..*"),
    (r"py:.*", r"(numpy|np|npt|numpy\.typing)(\..*)?"),
    (r"py:.*", r"(click|rich|pysat|msgspec)(\..*)?"),
    (r"py:class", r"(bool|bytes|dict|float|frozenset|int|list|object|set|str|tuple|type)"),
    (r"py:(class|exc)", r"(Exception|ValueError|TypeError|KeyError|OSError|RuntimeError)"),
    # Our own, but not public: signatures may name them, the reference does not explain them.
    (r"py:mod", r"satlife\..*"),
    (r"py:class", r"satlife\..*\._\w+\..*"),
    (r"py:class", r"satlife\.closable\.Closing"),
    (r"py:class", r"satlife\.life\.(draw\.palette\.Theme|draw\.palette\.HasCells|rule\.Phase)"),
    (r"py:class", r"Growth|LinearGrowth|Settlement|satlife\.show\.maps\.Mark"),
    (r"py:class", r"satlife\.problem\.(arrivals\.Still|(bounds|conditions)\._\w+)"),
    (r"py:class", r"satlife\.sat\.solvers\.scripted\.OpenScripted"),
    (r"py:class", r"satlife\.knuth\.program\.(Clauses|Refusal|Step)"),
    (r"py:class", r"(Axis|BackgroundLike|BoxLike|Cell|Cells|IntArray|NameArray|OpenText|SpanLike)"),
    (r"py:class", r"BoundLike|Drawing|History"),
    # Names that autodoc cannot resolve, because the module imports them for type checking only.
    (r"py:class", r"(Path|Iterable|Iterator|Sequence|Mapping|Callable|NDArray|optional)"),
]

html_theme = "furo"
html_title = "satlife"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_extra_path = ["extra"]
html_favicon = "../src/satlife/web/client/favicon.svg"
html_search_scorer = str(HERE / "_ext" / "scorer.js")
html_theme_options = {"top_of_page_buttons": []}
# A block without a language is text.
highlight_language = "none"


def improve_accessibility(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Set the heading level of captions, and let the keyboard scroll what may be too wide.

    The empty corner of a table is no header; an option does not break after its hyphens.
    """
    for part in ("body", "furo_navigation_tree"):
        if part in context:
            context[part] = (
                context[part]
                .replace('role="heading">', 'role="heading" aria-level="2">')
                .replace('<span class="pre">--', '<span class="pre option">--')
                .replace("<pre>", '<pre tabindex="0">')
                .replace('<th class="head"><p></p></th>', "<td></td>")
                .replace('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper')
            )


def leave_out_of_search(app: Sphinx, _doctree: object) -> None:
    """Keep the decisions out of the search: they are for those who change satlife."""
    if (page := app.env.current_document.docname).startswith("decisions/"):
        app.env.metadata[page]["nosearch"] = "yes"


def add_card(
    _app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Describe the page for those who link to it: title, first sentence, picture."""
    body = context.get("body", "")
    first = re.search(r"<p>(.*?)</p>", body, re.DOTALL)
    words = " ".join(re.sub(r"<[^>]+>", "", first[1]).split()) if first else ""
    title = context.get("title", project)
    tags = {"og:title": title, "og:site_name": project, "og:type": "article"}
    if words:
        tags["og:description"] = words if len(words) <= 200 else f"{words[:199]}…"
    if address := read_address("documentation"):
        tags["og:url"] = f"{address}/{page}.html"
        tags["og:image"] = f"{address}/_static/card.png"
    # The title and the text are HTML already.
    context["metatags"] = context.get("metatags", "") + "".join(
        f'<meta property="{name}" content="{value.replace(chr(34), "&quot;")}">\n'
        for name, value in tags.items()
    )


def name_landmarks(app: Sphinx, error: Exception | None) -> None:
    """Label Furo's two sidebars, so that screen readers can tell them apart; name the search."""
    if error is not None or app.builder.name != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for name, label in (("sidebar-drawer", "All pages"), ("toc-drawer", "This page")):
            text = text.replace(
                f'<aside class="{name}', f'<aside aria-label="{label}" class="{name}'
            )
        # Pages that were not written anew have these already.
        top = r'(?<!"Top">)<a href="#" class="back-to-top.*?</a>'
        text = re.sub(top, r'<nav aria-label="Top">\g<0></nav>', text, count=1, flags=re.DOTALL)
        if page.name == "search.html" and "<h1>" not in text:
            text = text.replace("<noscript>", "<h1>Search</h1>\n<noscript>", 1)
        page.write_text(text, encoding="utf-8")


def write_map_pages(app: Sphinx) -> None:
    """Write the page of each map of rules, which is made from its regions and not kept."""
    for regions in Path(app.srcdir).glob("extra/maps/*/regions.jsonl"):
        page = regions.with_name("index.html")
        made = write_page(read_map(regions.parent))
        if not page.exists() or page.read_text(encoding="utf-8") != made:
            page.write_text(made, encoding="utf-8")


def write_cli_pages(app: Sphinx) -> None:
    """Write a page for each command from its help; they are not kept."""
    from scripts.write_cli_reference import write  # noqa: PLC0415 - needs the path above

    write(Path(app.srcdir) / "reference" / "cli")


def build_page(app: Sphinx, error: Exception | None) -> None:
    """Build the page that searches without a server, beside the documents that lead to it."""
    if error is None and app.builder.name == "html":
        from scripts.build_try import build  # noqa: PLC0415 - needs the path above

        build(Path(app.outdir) / "try")


def setup(app: Sphinx) -> None:
    """Register what this page adds to Sphinx; Furo must have had its turn."""
    app.connect("builder-inited", write_map_pages)
    app.connect("builder-inited", write_cli_pages)
    app.connect("doctree-read", leave_out_of_search)
    app.connect("html-page-context", add_card)
    app.connect("html-page-context", improve_accessibility, priority=900)
    app.connect("build-finished", name_landmarks)
    app.connect("build-finished", build_page)
