"""Widgets for notebooks: the player, and a monitor of a running search (the extra ``notebook``).

They are anywidgets: they work in Jupyter, VS Code, Colab and marimo. Where widgets are not shown,
as on GitHub, the player leaves a still picture.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from typing import Any

from satlife.errors import UsageError
from satlife.life.draw.svg import embed
from satlife.machine import how_to_install
from satlife.show.drawing import Several, make_scenes
from satlife.show.formats.svg import write_svg
from satlife.show.player import read_script, read_sheet, write_scene
from satlife.show.style import Style


def play(what: Several, *, generations: int | None = None, **style: Any) -> Any:
    """Return a player of a pattern or a finding; the keywords are those of ``Style``."""
    chosen = Style(**style)
    (scene,) = make_scenes(what, generations=generations)[:1]
    return _load_classes()[0](
        scene=write_scene(scene, chosen), still=write_svg([scene], Style(theme=chosen.theme))
    )


def make_monitor(stop: Callable[[], None]) -> Any:
    """Return a widget with a line of text, a button that stops, and at the end a result.

    The caller sets ``text``, and at the end ``html`` and ``running``.
    """
    monitor = _load_classes()[1]()
    monitor.on_msg(lambda _, message, __: stop() if message == "stop" else None)
    return monitor


def has_widgets() -> bool:
    """Whether anywidget is installed."""
    try:
        _load("anywidget")
    except UsageError:
        return False
    return True


def _load(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(f"notebooks need anywidget: {how_to_install('notebook')}") from None


@lru_cache(maxsize=1)
def _load_classes() -> tuple[Any, Any]:
    """Make the classes when they are first needed: anywidget may be missing."""
    anywidget, traitlets = _load("anywidget"), _load("traitlets")

    class Player(anywidget.AnyWidget):  # type: ignore[name-defined,misc]  # an extra
        """The player of ``player.js``."""

        _esm = read_script()
        _css = read_sheet()
        scene = traitlets.Dict().tag(sync=True)
        still = traitlets.Unicode()

        def _repr_mimebundle_(self, **options: Any) -> Any:
            bundle = super()._repr_mimebundle_(**options)
            data = bundle[0] if isinstance(bundle, tuple) else bundle
            if data is not None:
                data["text/html"] = embed(self.still)
                data["image/svg+xml"] = self.still
                data["text/plain"] = f"<player of {self.scene['caption']['title']}>"
            return bundle

    class Monitor(anywidget.AnyWidget):  # type: ignore[name-defined,misc]  # an extra
        """A line that changes, and a button."""

        _esm = files("satlife.show.player").joinpath("monitor.js").read_text(encoding="utf-8")
        _css = read_sheet()
        text = traitlets.Unicode().tag(sync=True)
        html = traitlets.Unicode().tag(sync=True)
        running = traitlets.Bool(True).tag(sync=True)

    return Player, Monitor
