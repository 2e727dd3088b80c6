"""Every object of the golden file, in each of its given phases and orientations."""

from __future__ import annotations

from satlife.life import Pattern
from satlife.life.identity import apgcode, from_apgcode, identify
from satlife.life.identity.symmetries import find_symmetries
from tests.life_identity.golden import ALL, ENTRIES, Entry, code_of, each_entry

# The golden file's words for the transforms.
TRANSFORMS = {
    "identity": "identity",
    "rot90": "quarter-turn-anticlockwise",
    "rot180": "half-turn",
    "rot270": "quarter-turn-clockwise",
    "flip_x": "flip-left-right",
    "flip_y": "flip-top-bottom",
    "transpose": "flip-diagonal",
    "anti_transpose": "flip-antidiagonal",
}


def test_the_golden_file_is_whole():
    assert len(ALL) == 122
    supported = {entry["rule"] for entry in ENTRIES}
    assert {"B3/S23", "B36/S23", "B3678/S34678"} <= supported
    assert len(ENTRIES) >= 109  # more when isotropic rules are supported


@each_entry
def test_code(entry: Entry):
    pattern = Pattern.from_rle(entry["rle"])
    assert apgcode(pattern) == code_of(entry)
    assert apgcode(pattern, unlimited=True) == entry["apgcode"]


@each_entry
def test_code_is_the_same_in_other_phases_and_orientations(entry: Entry):
    for variant in entry.get("variants", []):
        found = identify(Pattern.from_rle(variant["rle"]))
        assert found.apgcode == code_of(entry)
        assert found.displacement == tuple(variant["displacement"])


@each_entry
def test_code_reads_back(entry: Entry):
    pattern = from_apgcode(entry["apgcode"], entry["rule"])
    assert apgcode(pattern, unlimited=True) == entry["apgcode"]
    assert (pattern.x, pattern.y) == (0, 0)


@each_entry
def test_identity(entry: Entry):
    found = identify(Pattern.from_rle(entry["rle"]))
    assert found.period == entry["period"]
    assert found.displacement == tuple(entry["displacement"])
    assert list(found.populations) == entry.get("populations", [entry["population"]])
    assert found.symmetry == entry["symmetry"]
    assert found.mod == entry["mod"]
    assert str(found.envelope) == "{}x{}".format(*entry["envelope"])
    boxes = [tuple(box) for box in entry.get("bboxes", [entry["bbox"]])]
    areas = [width * height for width, height in boxes]
    assert (found.smallest_box.width, found.smallest_box.height) in boxes
    assert (found.smallest_box.area, found.largest_box.area) == (min(areas), max(areas))
    if "rotor_cells" in entry:
        assert found.activity.stator == entry["stator_cells"]
        assert found.activity.rotor == entry["rotor_cells"]
        assert found.activity.full_period_cells == entry["full_period_cells"]
        assert found.is_composite == (entry["full_period_cells"] == 0)


@each_entry
def test_symmetries_are_the_same_transforms(entry: Entry):
    found = {str(transform) for transform in find_symmetries(Pattern.from_rle(entry["rle"]))}
    assert found == {TRANSFORMS[name] for name in entry["symmetry_ops"]}


@each_entry
def test_name_agrees(entry: Entry):
    found = identify(Pattern.from_rle(entry["rle"])).name
    if found and entry["name"]:
        assert found == entry["name"].lower()
    if entry["category"] == "strict_still_life_le9":
        assert found
