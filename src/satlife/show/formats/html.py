"""HTML: the player in one file, which needs nothing else, and makes no connection."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from typing import Final

from satlife.show.formats._format import PictureFormat
from satlife.show.player import read_script, read_sheet, write_scene
from satlife.show.scene import Scene
from satlife.show.style import Style

_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en"{theme}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>{title}</title>
<style>
{sheet}
:root {{ color-scheme: {scheme} }}
body {{ margin: 0; background: light-dark(#ececea, #101114); }}
main {{ display: flex; flex-wrap: wrap; justify-content: center; gap: 16px; padding: 16px; }}
main > div {{ flex: 1 1 20rem; max-width: 44rem; }}
h1 {{ position: absolute; clip-path: inset(50%); }}
</style>
<main><h1>{title}</h1></main>
<noscript><pre>{text}</pre></noscript>
<script type="application/json" id="scenes">{scenes}</script>
<script type="module">
{script}
JSON.parse(document.getElementById("scenes").textContent).forEach((scene, n) => {{
  const card = document.createElement("div");
  document.querySelector("main").append(card);
  mount(card, scene, {{ autoplay: n === 0 }});
}});
</script>
</html>
"""
_COMMENTS: Final = re.compile(r"^ *(//[^\n]*|/\*\*.*?\*/ *)\n", re.MULTILINE | re.DOTALL)
"""Comments on lines of their own, as all but a few short ones are."""


def draw_scenes(scenes: Sequence[Scene], style: Style) -> bytes:
    """Write a page that plays the scenes; only the first one starts by itself."""
    data = json.dumps([write_scene(scene, style) for scene in scenes], separators=(",", ":"))
    return _PAGE.format(
        title=html.escape("; ".join(str(scene.caption) for scene in scenes[:3]) or "A pattern"),
        theme="" if style.theme == "auto" else f' data-theme="{style.theme}"',
        scheme="light dark" if style.theme == "auto" else style.theme,
        sheet=re.sub(r"\n +", " ", read_sheet()),
        text=html.escape("\n".join(str(scene.caption) for scene in scenes)),
        # No text in the data may end the script.
        scenes=data.replace("<", "\\u003c"),
        script=shorten_script(read_script()),
    ).encode()


def shorten_script(script: str) -> str:
    """Leave out the comments and the indentation."""
    return re.sub(r"\n +", "\n", _COMMENTS.sub("", script))


HTML = PictureFormat("html", "a player in one file", (".html", ".htm"), draw_scenes)
