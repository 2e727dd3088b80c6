"""What the page shows before anybody has searched: a ship at c/3, and its question."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from satlife.life import Pattern
from satlife.show import Scene
from satlife.show.player import write_scene
from satlife.web.questions import Question, write_command

_FOUND: Final = "8bo$b2ob3ob3o$b2o4bo2b2ob2o$o2bob2o3bo2b2o$12bo2bo!"
"""What ``satlife ship c/3 --box 16x6`` finds; a test checks that it is an answer."""


@cache
def show_first() -> dict[str, Any]:
    """Return the question and its answer."""
    scene = Scene.of(Pattern.from_rle(_FOUND))
    question = Question("ship", {"speed": "c/3", "box": "16x6"})
    return {
        "question": {"kind": question.kind, "values": question.values},
        "command": write_command(question),
        "scene": write_scene(scene),
        "rle": Pattern.from_rle(_FOUND).to_rle(),
    }
