"""A pattern that moves on the terminal."""

from __future__ import annotations

import shutil
import sys
import time
from itertools import count
from typing import TYPE_CHECKING

from satlife.errors import UsageError

if TYPE_CHECKING:
    from satlife.show import Scene, Style

_HIDE, _SHOW = "\x1b[?25l", "\x1b[?25h"
"""The cursor."""


def play_scene(scene: Scene, style: Style) -> None:
    """Draw one generation over the other until Ctrl-C, which is how it is meant to end."""
    from satlife.life import draw_text
    from satlife.show.layout import Camera

    camera = Camera.on(scene)
    rows = (camera.box.height + 3) // 2
    size = shutil.get_terminal_size()
    if camera.box.width >= size.columns or rows + 2 >= size.lines:
        raise UsageError(
            f"the terminal has no room for {camera.box.width}x{camera.box.height} cells; "
            "write -o FILE.gif or -o FILE.html instead"
        )
    pause = 1 / style.choose_rate(len(scene.frames))
    sys.stdout.write(f"{_HIDE}{scene.caption}\n" + "\n" * rows)
    try:
        for t in count():
            cells, _, _ = camera.see(scene, t % len(scene.frames))
            lines = draw_text(cells).split("\n")
            lines += [""] * (rows - len(lines))
            picture = "".join(f"\x1b[2K{line}\n" for line in lines[:rows])
            sys.stdout.write(f"\x1b[{rows}A{picture}")
            sys.stdout.flush()
            time.sleep(pause)
    except KeyboardInterrupt:
        pass
    finally:
        sys.stdout.write(_SHOW)
        sys.stdout.flush()
