"""The directive ``player``: a picture of a pattern that the reader can play, and its command.

```{player} 8bo$b2ob3ob3o$b2o4bo2b2ob2o$o2bob2o3bo2b2o$12bo2bo!
:command: satlife ship c/3 --box 16x6
```

The pattern is RLE, an apgcode, or a name in the catalogue; a whole RLE file, with its rule, may be
the directive's content.  The page has a picture, which needs no
script; ``players.js`` puts satlife's player in its place when the reader asks for it.

"Open in the page" leads to the question of the command and to the pattern.  Files that the
command reads are those that the sessions of the same page write, or of the page that ``:files:``
names; where the command also minimises or lists, ``:question:`` has the command of the question.
A pattern without a question, or that does not solve it, stops the build.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri

from satlife import PartialPattern, Pattern, Problem
from satlife.errors import SatlifeError
from satlife.life.catalogue import name_any
from satlife.show import Scene, draw
from satlife.show.formats.html import shorten_script
from satlife.show.player import read_script, read_sheet, write_scene
from satlife.show.style import Style
from satlife.verifier.verify import pattern_complaints
from satlife.web.questions import FilledForm, read_command, read_question

PAGE = "try/index.html"
"""The page that "open in the page" opens: the one that needs no server, among these documents."""
HINT = "Play it, and change the question: searches run in your browser"
FOLDER = "_static/players"
MOST_PHASES = 10
"""Of more generations, the picture has the first only."""


class player(nodes.General, nodes.Element):  # noqa: N801 - a node of docutils
    """A pattern, its picture, and the command that found it."""


class Player(SphinxDirective):
    """Show a pattern that can be played."""

    optional_arguments = 1
    has_content = True
    final_argument_whitespace = True
    option_spec = {  # noqa: RUF012 - as docutils declares it
        "command": directives.unchanged,
        "question": directives.unchanged,
        "files": directives.unchanged,
        "title": directives.unchanged,
        "view": directives.unchanged,
        "generations": directives.positive_int,
        "play": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """Draw the picture, and return what the page shows."""
        command = self.options.get("command", "")
        try:
            page = self.env.doc2path(self.options.get("files", self.env.docname))
            self.env.note_dependency(page)
            question, pattern = read_answer(
                "\n".join([*self.arguments, *self.content]),
                self.options.get("question", command),
                read_files(Path(page).read_text(encoding="utf-8")),
            )
            scene = Scene.of(pattern, generations=self.options.get("generations"))
        except SatlifeError as error:
            raise self.error(f"player: {error}") from error
        style = {"caption": False, "map": self.options.get("view")}
        shown = scene if len(scene.frames) <= MOST_PHASES else scene.cut(1)
        picture = draw(shown, "svg", animate="play" in self.options, **style)
        name = f"{hashlib.sha256(picture).hexdigest()[:12]}.svg"
        folder = Path(self.env.app.outdir) / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(picture)
        told = write_scene(scene, Style(map=self.options.get("view")))
        if title := self.options.get("title"):
            told["caption"]["title"] = title
        return [
            player(
                scene=json.dumps(told, separators=(",", ":")),
                picture=f"{FOLDER}/{name}",
                size=" ".join(re.findall(r'(?:width|height)="\d+"', picture[:400].decode())[:2]),
                said=", ".join(filter(None, (told["caption"]["title"], *scene.caption.facts))),
                command=command,
                link=link_to(question, pattern),
                play="play" in self.options,
            )
        ]


_WRITTEN = re.compile(r"^\$ cat > (\S+) <<'EOF'\n((?:> .*\n)*?)> EOF$", re.M).findall
_PRINTED = re.compile(r"^\$ printf '([^']*)' > (\S+)$", re.M).findall


def read_files(text: str) -> dict[str, str]:
    """Return the files that the sessions of a page write, by name."""
    written = {name: re.sub("^> ", "", lines, flags=re.M) for name, lines in _WRITTEN(text)}
    printed = {name: line.replace("\\n", "\n") for line, name in _PRINTED(text)}
    return printed | written


def read_answer(
    pattern: str, command: str, files: dict[str, str]
) -> tuple[FilledForm, Pattern | PartialPattern]:
    """Return the question of a command, and the pattern that answers it, at its place."""
    found, question = name_any(pattern), read_command(command, files)
    if question is None:
        raise SatlifeError("no question: its command is no search, or reads another file")
    if isinstance(found, Pattern):
        found = place_answer(read_question(question), found)
    return question, found


def place_answer(problem: Problem, pattern: Pattern) -> Pattern:
    """Return the pattern where it solves the problem in its box; raise an error if nowhere."""
    if problem.boundary != "dead" or problem.has_open_height or problem.has_open_rule:
        return pattern
    if problem.exempt:  # a generation that does not follow from the pattern
        return pattern
    home, box = problem.all_boxes[0], pattern.box
    placed = [
        pattern.shift(x - box.x, y - box.y)
        for y in range(home.y, home.bottom - box.height + 1)
        for x in range(home.x, home.right - box.width + 1)
    ]
    for each in [pattern, *placed]:
        if not list(pattern_complaints(problem, each)):
            return each
    raise SatlifeError(f"{pattern.to_rle()!r} does not solve the problem of its command")


def link_to(question: FilledForm, pattern: Pattern | PartialPattern | None) -> str:
    """Return the fragment that ``web/client/link.js`` reads."""
    asked = {"kind": question.kind, "values": question.values}
    shared: dict[str, Any] = {"rle": pattern.to_rle()} if pattern is not None else {}
    shared["question"] = asked
    text = json.dumps(shared, separators=(",", ":")).encode()
    return f"#{base64.urlsafe_b64encode(text).decode().rstrip('=')}"


def write_question(
    _name: str, _raw: str, text: str, _line: int, inliner: Any, *_more: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Return a command that leads to its question, as the role ``ask`` shows it."""
    question = read_command(text)
    if question is None:
        raise SatlifeError(f"no question: {text}")
    up = "../" * inliner.document.settings.env.docname.count("/")
    address = f"{up}{PAGE}{link_to(question, None)}"
    return [nodes.reference("", "", nodes.literal(text, text), refuri=address)], []


def visit(self: Any, node: player) -> None:
    """Write the figure; the script looks for its class."""
    page = self.builder.get_target_uri(self.builder.current_docname)
    picture = relative_uri(page, node["picture"])
    link = relative_uri(page, PAGE) + node["link"]
    command = f"<code>{html.escape(node['command'])}</code> " if node["command"] else ""
    self.body.append(
        f'<figure class="player"{" data-play" if node["play"] else ""} '
        f'data-scene="{html.escape(node["scene"])}">'
        f'<img src="{picture}" alt="{html.escape(node["said"])}" {node["size"]} loading="lazy">'
        f'<figcaption>{command}<a class="reference internal" href="{link}" '
        f'title="{HINT}">Open in the page</a></figcaption></figure>\n'
    )
    raise nodes.SkipNode


def skip(self: Any, node: player) -> None:
    """Leave it out where nothing can be shown."""
    raise nodes.SkipNode


def write_files(app: Sphinx) -> None:
    """Write the player's script, with ours, and its style sheet, for all pages."""
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    # A page that is opened from disk may not import modules.
    script = shorten_script(read_script()).replace("export default {", "const widget = {")
    script = script.replace("\nexport ", "\n")
    ours = Path(__file__).with_name("players.js").read_text(encoding="utf-8")
    (folder / "players.js").write_text(f"(() => {{\n{script}\n{ours}}})();\n", encoding="utf-8")
    (folder / "players.css").write_text(read_sheet(), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, int]:
    """Register the directive and its files."""
    app.add_node(player, html=(visit, None), latex=(skip, None), text=(skip, None))
    app.add_directive("player", Player)
    app.add_role("ask", write_question)
    app.connect("builder-inited", write_files)
    app.add_js_file("players.js", loading_method="defer")
    app.add_css_file("players.css")
    return {"env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
