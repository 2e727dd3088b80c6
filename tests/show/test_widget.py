"""The widgets of notebooks, without a notebook: what they hold, and what a message does."""

from __future__ import annotations

import re
import sys
from base64 import b64decode

import pytest

import satlife
from satlife import Pattern
from satlife.errors import UsageError
from satlife.machine import how_to_install
from tests.patience import PATIENCE, wait_until

pytest.importorskip("anywidget")

GLIDER = Pattern.from_rle("bo$2bo$3o!")


def test_play_holds_the_scene_and_a_still_picture():
    widget = satlife.play(GLIDER, rate=8)
    assert widget.scene["caption"]["title"] == "glider"
    assert widget.scene["rate"] == 8
    data, _ = widget._repr_mimebundle_()
    assert data["image/svg+xml"].startswith("<svg")
    image = data["text/html"]  # where no widget is shown; sites let images pass
    assert image.startswith("<img ")
    assert b64decode(image.split("base64,")[1][:-3]).decode() == data["image/svg+xml"]
    assert "application/vnd.jupyter.widget-view+json" in data


def test_a_finding_plays_itself():
    found = satlife.find(satlife.ship("c/4d", box="4x4"))
    assert found.play().scene["length"] == 4


def test_a_search_is_watched_to_its_end():
    from satlife.show.monitor import watch

    with satlife.start(satlife.ship("c/4d", box="4x4")) as search:
        widget = watch(search)
        assert search.wait(60)
        names = [type(event).__name__ for event in search]
    assert names[-1] == "Finished", "the events are still there for others"
    assert wait_until(lambda: not widget.running)
    assert "glider" in widget.html


def test_the_button_stops_a_search():
    from satlife.show.monitor import watch

    with satlife.start(satlife.oscillator(7, box="14x14")) as search:
        widget = watch(search)
        assert widget.text.startswith("Searching: 0 s")
        widget._handle_custom_msg("stop", [])
        assert search.wait(PATIENCE)
        assert wait_until(lambda: not widget.running)
    assert "Undecided" in widget.html


def test_the_numbers_of_a_search_are_told():
    from satlife.show.monitor import describe_progress

    with satlife.start(satlife.ship("c/4d", box="4x4")) as search:
        search.wait(60)
        assert "variables" in describe_progress(search)


def test_without_anywidget_there_is_a_hint(monkeypatch):
    from satlife.show import widget

    monkeypatch.setitem(sys.modules, "anywidget", None)
    widget._load_classes.cache_clear()
    try:
        with pytest.raises(UsageError, match=re.escape(how_to_install("notebook"))):
            satlife.play(GLIDER)
        with satlife.start(satlife.ship("c/4d", box="4x4")) as search:
            assert search._repr_mimebundle_() == {"text/plain": repr(search)}
    finally:
        widget._load_classes.cache_clear()
