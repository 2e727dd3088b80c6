"""The page's server over real HTTP: questions, jobs, events, history, certificates."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from satlife.errors import UsageError
from satlife.kinds import KINDS
from satlife.life import Pattern, identify
from satlife.web.questions import EXAMPLES, FilledForm, read_question, recall_question
from satlife.web.server import find_addresses
from tests.patience import PATIENCE
from tests.web.serving import Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("serve")) as opened:
        yield opened


SLOW = {"speed": "(2,1)c/6", "box": "20x20"}
"""Nobody answers this within a test."""


def test_the_start_names_every_kind_and_engine(server):
    start = server.ask("GET", "/api/start").json()
    assert [kind["name"] for kind in start["kinds"]] == [*(kind.name for kind in KINDS), "find"]
    assert [engine["name"] for engine in start["engines"]] == [
        *("turns", "sat", "brute", "rows", "strips")
    ]
    assert all(kind["example"]["scene"]["frames"] for kind in start["kinds"])


def test_an_oscillator_of_any_height_is_searched(server):
    fumarole = server.end(server.search("oscillator", period="5", box="8x*", symmetry="D2v"))
    assert (fumarole["state"], fumarole["words"].partition(",")[0]) == ("found", "fumarole")
    none = server.end(server.search("oscillator", period="3", box="4x*"))
    assert (none["state"], "no certificate of it" in none["words"]) == ("exhausted", True)
    wide = server.end(server.search("oscillator", period="3", box="9x*"))
    assert (wide["state"], "too wide" in wide["words"]) == ("failed", True)


def test_a_pattern_is_shown_as_a_scene(server):
    for kind in server.ask("GET", "/api/start").json()["kinds"]:
        told = server.ask("POST", "/api/scene", {"text": kind["example"]["rle"]})
        assert told.json()["frames"] == kind["example"]["scene"]["frames"], kind["name"]
    large = server.ask("POST", "/api/scene", {"text": "x = 3, y = 3, rule = B3/S23:T0,900\n3o!"})
    assert "too large" in large.json()["error"]


def test_a_ship_is_found_and_drawn(server):
    job = server.search("ship", speed="c/4d", box="4x4")
    events = server.events(job)
    assert [number for number, _, _ in events] == sorted({number for number, _, _ in events})
    states = [told["state"] for _, kind, told in events if kind == "state"]
    assert (states[0], states[-1]) == ("queued", "found")
    (found,) = [told for _, kind, told in events if kind == "found"]
    assert identify(Pattern.from_rle(found["rle"])).name == "glider"
    assert found["words"] == "glider, spaceship c/4d, 5 cells, 3x3, C1 (xq4_153)"
    assert server.ask("GET", f"/api/jobs/{job}").json()["short"] == "c/4d in 4x4"
    assert found["scene"]["loop"] == [-1, -1]
    for suffix, head in (("gif", b"GIF89a"), ("svg", b"<svg"), ("png", b"\x89PNG")):
        picture = server.ask("GET", f"/api/jobs/{job}/picture/0.{suffix}")
        assert picture.status == 200
        assert picture.body.startswith(head)
    assert server.ask("GET", f"/api/jobs/{job}/picture/1.svg").status == 404


def test_without_a_box_a_known_object_answers(server):
    job = server.search("oscillator", period="14")
    *_, end = [told for _, kind, told in server.events(job) if kind == "state"]
    assert (end["state"], end["title"]) == ("found", "Known: tumbler")
    assert end["words"].endswith("(xp14_j9d0d9j). “Another” searches for one.")
    (found,) = [told for _, kind, told in server.events(job) if kind == "found"]
    assert found["by"] == "catalogue"
    assert "#C Taken from the catalogue and verified by satlife oscillator 14" in found["rle"]
    question = {"kind": "oscillator", "values": {"period": "14"}}
    told = server.ask("POST", "/api/jobs", {"question": question, "goal": "all"})
    assert (told.status, told.json()["field"]) == (422, "box")


def search_first(server, kind, **values):
    """Search without a box for a pattern that need not be known; return what was told."""
    question = {"kind": kind, "values": values}
    told = server.ask("POST", "/api/jobs", {"question": question, "goal": "fresh"}).json()
    return told, server.events(told["id"])


def test_without_a_box_another_is_searched_for(server):
    told, events = search_first(server, "oscillator", period="3")
    assert (told["goal"], told["boxless"]) == ("fresh", True)
    (found,) = [told for _, kind, told in events if kind == "found"]
    assert found["by"] != "catalogue"
    assert identify(Pattern.from_rle(found["rle"])).period == 3
    assert next(told["engine"] for _, kind, told in events if "engine" in told) == "hunters"


def test_a_speed_without_a_box_is_tried_with_all_its_periods(server):
    job = server.search("ship", speed="c/2")
    (found,) = [told for _, kind, told in server.events(job) if kind == "found"]
    assert identify(Pattern.from_rle(found["rle"])).period == 2
    _, events = search_first(server, "ship", speed="c")
    *_, end = [told for _, kind, told in events if kind == "state"]
    assert end["state"] == "impossible"


def test_a_search_without_a_box_can_be_stopped(server):
    question = {"kind": "ship", "values": {"speed": "c/9"}}
    told = server.ask("POST", "/api/jobs", {"question": question, "goal": "fresh"}).json()
    assert server.ask("DELETE", f"/api/jobs/{told['id']}").status == 200
    *_, end = [told for _, kind, told in server.events(told["id"]) if kind == "state"]
    assert end["state"] == "stopped"


def test_events_can_be_resumed(server):
    job = server.search("still-life", goal="all", box="3x3")
    events = server.events(job)
    for number, _, _ in events[:-1]:
        assert server.events(job, number) == [each for each in events if each[0] > number]
    # A browser that knows the last one is told not to come again.
    last = server.ask("GET", f"/api/jobs/{job}/events", Last_Event_ID=str(events[-1][0]))
    assert last.status == 204
    assert server.ask("GET", f"/api/jobs/{job}/events", Last_Event_ID="x").status == 400


def test_all_and_the_smallest(server):
    listed = server.events(server.search("still-life", goal="all", box="3x3"))
    cells = [
        Pattern.from_rle(told["rle"]).population for _, kind, told in listed if kind == "found"
    ]
    assert sorted(cells) == [4, 4, 5, 6]
    assert listed[-1][2]["words"] == "4 found; that is all of them."
    best = server.end(server.search("oscillator", goal="smallest", period="2", box="4x4"))
    assert (best["state"], best["words"]) == ("found", "3 cells: proved to be the fewest.")


def test_none_is_certified_and_checked(server, tmp_path):
    none = server.end(server.search("oscillator", period="3", box="3x3"))
    assert (none["state"], none["title"]) == ("impossible", "No such pattern exists")
    assert none["statement"].startswith("# There is no oscillator of period 3 in 3×3")
    job = server.search("oscillator", goal="certificate", period="3", box="3x3")
    assert server.end(job)["state"] == "certified"
    packed = server.ask("GET", f"/api/jobs/{job}/certificate.zip")
    assert packed.headers["content-type"] == "application/zip"
    zipfile.ZipFile(io.BytesIO(packed.body)).extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    card = server.ask("GET", f"/api/jobs/{job}/certificate.svg")
    assert card.headers["content-type"].startswith("image/svg+xml")
    words = [text.text for text in ElementTree.fromstring(card.body) if text.text]
    assert words[:2] == ["∅", "No p3 in 3x3"]
    assert hashlib.sha256((folder / "certificate.json").read_bytes()).hexdigest() in words
    assert f"check it yourself: satlife check {folder.name}" in words
    checked = subprocess.run(
        [sys.executable, "-m", "satlife", "check", str(folder)], capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
    (asked,) = [
        row
        for row in server.ask("GET", "/api/history").json()
        if row["command"] == "satlife oscillator 3 --box 3x3"
    ]
    assert asked["state"] == "certified"


def test_the_card_of_a_width(server):
    job = server.search("ship", goal="certificate", speed="c/3", box="3x*")
    assert server.end(job)["state"] == "certified"
    card = server.ask("GET", f"/api/jobs/{job}/certificate.svg").body.decode()
    assert "No c/3, 3 wide" in card
    assert "SHA-256 of states.runs" in card
    none = server.search("still-life", box="2x2")
    server.end(none)
    assert server.ask("GET", f"/api/jobs/{none}/certificate.svg").status == 404


def test_an_orphan_says_so(server):
    told = server.end(server.search("orphan", pattern="o!"))
    assert (told["state"], told["title"]) == ("found", "No, not an orphan: this is a parent")


def test_a_unique_parent_is_told_and_certified(server):
    dot, block = "x = 1, y = 1, rule = B8/S\no!", "2o$2o!"
    told = server.end(server.search("parent", pattern=dot, unique=True))
    assert told["title"] == "Yes, unique: whatever becomes this has the same cells in its place"
    job = server.search("parent", goal="certificate", pattern=dot, unique=True)
    told = server.end(job)
    assert told["state"] == "certified"
    assert told["statement"].startswith("# A patch of 1 cell fixes its past\n")
    card = server.ask("GET", f"/api/jobs/{job}/certificate.svg").body.decode()
    assert "A patch of 1 cell fixes its past" in card
    for goal in ("find", "certificate"):
        told = server.end(server.search("parent", goal=goal, pattern=block, unique=True))
        assert told["title"] == "No, not unique: this becomes it, and so does another one"
    pair = "x = 2, y = 1, rule = B8/S\n2o!"
    told = server.end(server.search("parent", goal="certificate", pattern=pair, unique=True))
    assert told["statement"].startswith("# An orphan of 2 cells: nothing becomes this\n")


def test_finite_patterns_and_ancestors(server):
    told = server.end(server.search("orphan", pattern="o!", finite=True))
    assert told["title"] == "No, not an orphan: this is a parent"
    dot = "x = 1, y = 1, rule = B8/S\no!"
    told = server.end(server.search("orphan", pattern=dot, generations="2"))
    assert told["title"] == "Yes, without ancestors: nothing becomes this in 2 generations"


def list_found(server: Server) -> list[str]:
    """The codes of what the history has on the plane."""
    rows = server.ask("GET", "/api/history").json()
    found = [row["rle"] for row in rows if row["rle"] and ":T" not in row["rle"]]
    return [identify(Pattern.from_rle(rle)).apgcode for rle in found]


def test_a_set_of_rules(server):
    rule = "B3[4]/S2[3]"
    events = server.events(server.search("ship", speed="c/4d", box="4x4", rule=rule))
    assert events[-1][2]["state"] == "found"
    assert "xq4_153" in list_found(server)


def test_every_kind_answers(server):
    glider = "bo$2bo$3o!"
    values = {
        "still-life": {"box": "4x4"},
        "oscillator": {"period": "2", "box": "4x4"},
        "ship": {"speed": "c/4d", "box": "4x4"},
        "parent": {"pattern": "3o!"},
        "orphan": {"pattern": "3o!"},
        "forced": {"pattern": "3o!"},
        "complete": {"partial": "oo?$?o?$???!"},
        "agar": {"period": "2", "box": "4x4"},
        "wick": {"period": "2", "box": "4x4"},
        "eater": {
            "incoming": glider, "region": "4..9,4..9", "within": "4", "approach": "0",
            "field": "-2..12,-2..12", "population": "<=9",
        },
        "reaction": {},
        "catalyst": {
            "incoming": glider, "region": "6..10,6..10", "contact": "11", "recover": "8",
            "hold": "4",
        },
    }  # fmt: skip
    assert set(values) == {kind.name for kind in KINDS}
    for kind, given in values.items():
        told = server.ask("POST", "/api/check", {"kind": kind, "values": given})
        if not given:
            assert told.status == 422
            assert told.json()["field"]
            continue
        assert told.status == 200, (kind, told.body)
        if kind != "eater":
            assert server.end(server.search(kind, **given))["state"] == "found", kind
    spec = 'boxes = ["4x4"]\n[motion]\nperiod = 4\ndx = -1\ndy = -1\n'
    assert server.end(server.search("find", spec=spec))["state"] == "found"


@pytest.mark.parametrize(
    ("kind", "values", "field", "words"),
    [
        ("ship", {"speed": "fast", "box": "4x4"}, "speed", "fast"),
        ("agar", {"period": "2"}, "box", "missing"),
        ("ship", {"speed": "c/3", "box": "4x4", "rule": "B9/S1"}, "rule", "B9"),
        ("ship", {"speed": "c/3", "box": "4x4", "symmetry": "D9"}, "symmetry", "D9"),
        ("complete", {"partial": "3q!"}, "partial", "Line 1"),
        ("complete", {"partial": "/etc/passwd"}, "partial", ""),
        ("parent", {"pattern": "3o!", "generations": "x"}, "generations", "whole number"),
        ("find", {"spec": "boxes = ["}, "spec", "TOML"),
        ("find", {"spec": '{"boxes": 3}'}, "spec", "boxes"),
        ("ship", {"speed": "c/3", "box": "10000x10000"}, "box", "too many"),
        ("oscillator", {"period": "2", "box": "1000x1000"}, "box", "too many here"),
        ("oscillator", {"period": "5000", "box": "2x2"}, "period", "too many here"),
        ("ship", {"speed": "c/3", "box": "16x6", "symmetry": "C4"}, "symmetry", "square"),
        ("ship", {"speed": "c/3", "box": "16x6", "symmetry": "D2-"}, "symmetry", "north"),
        ("ship", {"speed": "p3", "box": "16x6"}, "speed", "oscillator"),
        ("ship", {"speed": "p3", "box": "0x0"}, "speed", "ask for an"),
        ("complete", {"partial": "3o!", "margin": -1}, "margin", "at least 0"),
        ("wick", {"period": "2", "box": "4x*"}, "box", "no height"),
        ("wick", {"period": 3.5, "box": "4x4"}, "period", "Expected"),
    ],
)
def test_what_is_wrong_is_told_at_its_field(server, kind, values, field, words):
    told = server.ask("POST", "/api/check", {"kind": kind, "values": values})
    assert told.status == 422
    assert told.json()["field"] == field
    assert words in told.json()["error"]
    content = {"question": {"kind": kind, "values": values}}
    assert server.ask("POST", "/api/jobs", content).status == 422


def test_mirror_cells_and_contradictions_are_seen_before_anything_is_solved(server):
    def look(partial: str, **values: str) -> dict[str, object]:
        given = {"kind": "complete", "values": {"partial": partial, **values}}
        return server.ask("POST", "/api/check", given).json()["seen"]

    assert look("o?$??!", symmetry="D2v")["cells"] == [["oo", "??"]]
    assert look("o?$??!")["wrong"] == []
    # The middle cell lives with four living neighbours, and so cannot be still.
    assert look("bo$3o$bo!")["wrong"]
    assert "contradicts" in str(look("ob$??!", symmetry="D2v")["clash"])


def test_pasted_patterns(server):
    def read(text: str) -> dict[str, object]:
        return server.ask("POST", "/api/read", {"text": text}).json()

    assert read("x = 3, y = 2, rule = B36/S23\no?b$3o!")["cells"] == [["o?.", "ooo"]]
    assert read("1,*\n0,0'\n\n1,1\n*,0\n")["cells"] == [["o?", ".."], ["oo", "?."]]
    assert read("glider")["width"] == 3
    assert "error" in read("")
    assert "too large" in str(read("x = 300, y = 300\n300$300bo!")["error"])


def test_a_search_is_stopped_soon(server):
    job = server.search("ship", **SLOW)
    deadline = time.monotonic() + 60
    while server.ask("GET", f"/api/jobs/{job}").json()["state"] != "solving":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    begun = time.monotonic()
    server.ask("DELETE", f"/api/jobs/{job}")
    assert server.end(job)["state"] == "stopped"
    assert time.monotonic() - begun < PATIENCE


def test_a_limit_of_time_is_undecided_and_never_none(server):
    told = server.end(server.search("ship", seconds=1, **SLOW))
    assert told["state"] == "undecided"
    assert "time limit" in told["title"]


def test_the_history_is_exported_and_merged(server, tmp_path):
    server.end(server.search("still-life", box="2x2"))
    lines = server.ask("GET", "/api/history/export").body
    assert lines.startswith(b'{"format":"satlife-ledger"')
    with serving(tmp_path) as other:
        assert b'{\\"kind\\":\\"still-life\\"' in lines
        strange = lines.decode().replace(r"{\"kind\":\"still-life\"", r"{\"kind\":\"strange\"")
        merged = other.ask("POST", "/api/history/import", {"text": strange})
        assert merged.json()["new"] >= 2
        asked = other.ask("GET", "/api/history").json()
        assert {"kind": "still-life", "values": {"box": "2x2"}} in [
            row["question"] for row in asked
        ]
        again = other.ask("POST", "/api/history/import", {"text": strange})
        assert again.json() == {"new": 0, "refused": []}
        assert "xs4_33" in list_found(other)
        bad = other.ask("POST", "/api/history/import", {"text": '{"format": "x"}'})
        assert bad.status == 422


def test_a_killed_server_keeps_its_history(tmp_path: Path):
    with serving(tmp_path) as first:
        first.end(first.search("ship", speed="c/4d", box="4x4"))
        first.process.kill()
        first.process.wait()
    with serving(tmp_path) as second:
        history = second.ask("GET", "/api/history").json()
        assert [row["state"] for row in history] == ["found"]
        assert list_found(second) == ["xq4_153"]
        # The old token is worth nothing.
        assert second.ask("GET", "/api/start", Authorization=f"Bearer {first.token}").status == 401


def test_the_history_recalls_each_question_and_its_find(tmp_path):
    asked = {kind: FilledForm(kind, example.values) for kind, example in EXAMPLES.items()}
    with serving(tmp_path) as server:
        jobs = [server.search(kind, **question.values) for kind, question in asked.items()]
        found = {
            kind: [told["rle"] for _, event, told in server.events(job) if event == "found"]
            for kind, job in zip(asked, jobs, strict=True)
        }
        rows = {row["kind"]: row for row in server.ask("GET", "/api/history").json()}
    assert rows.keys() == asked.keys()
    for kind, row in rows.items():
        question = msgspec.convert(row["question"], FilledForm)
        assert question == asked[kind]
        problem = read_question(question)
        assert problem.name == row["name"]
        assert read_question(recall_question(problem)).name == problem.name
        (rle,) = found[kind]
        assert row["rle"] == "".join(
            line + "\n" for line in rle.splitlines() if "verified by" not in line
        )


def test_links_lead_to_a_page_for_everybody(server, tmp_path):
    start = server.ask("GET", "/api/start").json()
    assert (start["share"], start["docs"]) == (None, None)
    with serving(tmp_path, "--share-at", "https://life.example/satlife/try/") as shared:
        start = shared.ask("GET", "/api/start").json()
    assert start["share"] == "https://life.example/satlife/try/"
    assert start["docs"] == "https://life.example/satlife/"
    assert find_addresses("https://life.example/page") == ("https://life.example/page", None)
    for wrong in ("life.example", "javascript:alert(1)", "https://life.example/#a"):
        with pytest.raises(UsageError, match="not the address"):
            find_addresses(wrong)


def test_the_package_says_where_its_documents_are(monkeypatch):
    told = Message()
    told["Project-URL"] = "Try, https://life.example/docs/try/"
    monkeypatch.setattr("satlife.web.server.metadata", lambda name: told)
    assert find_addresses("") == ("https://life.example/docs/try/", "https://life.example/docs/")
