"""The commands about many rules, as a person runs them."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import run


def test_the_rules_of_a_pattern() -> None:
    done = run("satlife", "rules-of", "glider", "--motion", "c/4d", "--json")
    record = json.loads(done.stdout)
    assert done.returncode == 0
    assert (record["least"], record["greatest"], record["count"]) == (
        "B3/S23",
        "B3678/S0235678",
        256,
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("rules-of", "glider", "--motion", "c/3"), b"it is a spaceship of period 4"),
        (("rules-of", "nowhere"), b"neither a pattern"),
        (("rules-of", "b2o$2o$bo!"), b"does not recur"),
    ],
)
def test_wrong_use_is_told_in_a_line(arguments: tuple[str, ...], words: bytes) -> None:
    done = run("satlife", *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count(b"\n") == 1
