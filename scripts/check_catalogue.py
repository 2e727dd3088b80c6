"""Check satlife.life.identity against a catalogue of objects that other programs identified.

The catalogue is not part of the project. The environment variable ``SATLIFE_CATALOGUE`` names its
file: JSON with ``entries`` (objects that recur, in the form of tests/data/identity/identity.json)
and ``not_periodic`` (patterns that do not). Exit 0: all agree, or the variable is not set; 1: not.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from satlife.errors import RuleError
from satlife.life import Pattern, Rule
from satlife.life.identity import Identity, apgcode, find_object_name, from_apgcode, identify

VARIABLE = "SATLIFE_CATALOGUE"


def compare(entry: dict[str, Any]) -> Iterator[str]:
    """Yield all that satlife sees differently in an object that recurs."""
    pattern = Pattern.from_rle(entry["rle"])
    found = identify(pattern)
    code = entry.get("apgcode_default_limits", entry["apgcode"])
    for what, got, expected in (
        ("apgcode", found.apgcode, code),
        ("unlimited apgcode", apgcode(pattern, unlimited=True), entry["apgcode"]),
        ("period", found.period, entry["period"]),
        ("displacement", found.displacement, tuple(entry["displacement"])),
        ("populations", list(found.populations), entry.get("populations", [entry["population"]])),
        ("symmetry", found.symmetry, entry["symmetry"]),
        ("mod", found.mod, entry["mod"]),
        ("envelope", str(found.envelope), "x".join(map(str, entry["envelope"]))),
        *boxes(found, entry),
        *activity(found, entry),
    ):
        if got != expected:
            yield f"{what} is {got}, expected {expected}"
    if not entry["apgcode"].startswith("ov_"):
        again = apgcode(from_apgcode(entry["apgcode"], pattern.rule), unlimited=True)
        if again != entry["apgcode"]:
            yield f"its code, read and written, becomes {again}"
    for variant in entry.get("variants", []):
        other = identify(Pattern.from_rle(variant["rle"]))
        if other.apgcode != code or other.displacement != tuple(variant["displacement"]):
            yield f"its variant {variant['transform']} is {other}"
    name = find_object_name(entry["apgcode"], pattern.rule)
    if name and entry["name"] and name.casefold() != entry["name"].casefold():
        yield f"its name is {name}, expected {entry['name']}"


def boxes(found: Identity, entry: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    """Yield the areas of the smallest and the largest box, found and expected."""
    areas = [width * height for width, height in entry.get("bboxes", [entry["bbox"]])]
    if found.smallest_box and found.largest_box:
        yield "smallest box", found.smallest_box.area, min(areas)
        yield "largest box", found.largest_box.area, max(areas)


def activity(found: Identity, entry: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    """Yield the sizes of stator, rotor and cells of full period, found and expected."""
    if "rotor_cells" in entry:
        got = found.activity
        yield "stator", got and got.stator, entry["stator_cells"]
        yield "rotor", got and got.rotor, entry["rotor_cells"]
        yield "full period", got and got.full_period_cells, entry["full_period_cells"]


def compare_lost(entry: dict[str, Any]) -> Iterator[str]:
    """Yield all that satlife sees differently in a pattern that does not recur."""
    found = identify(Pattern.from_rle(entry["rle"]), generations=entry["generations_checked"])
    if found.recurrence is not None:
        yield f"it does not recur, but satlife says {found}"
    dies_at = entry["dies_at"]
    if (found.kind == "dies") != (dies_at is not None):
        yield f"it is {found.kind}: {found.reason}"
    if dies_at is not None and found.reason != f"dies in generation {dies_at}":
        yield f"it {found.reason}, expected generation {dies_at}"


def is_supported(rule: str) -> bool:
    """Return whether satlife runs a rule."""
    try:
        Rule(rule)
    except RuleError:
        return False
    return True


def main() -> int:
    """Check the catalogue; say what differs and how many were checked."""
    path = os.environ.get(VARIABLE)
    if not path:
        sys.stdout.write(f"{VARIABLE} is not set: nothing was checked\n")
        return 0
    start = time.perf_counter()
    catalogue = json.loads(Path(path).read_text(encoding="utf-8"))
    checked = skipped = wrong = named = 0
    for key, check in (("entries", compare), ("not_periodic", compare_lost)):
        for entry in catalogue.get(key, []):
            if not is_supported(entry["rule"]):
                skipped += 1
                continue
            checked += 1
            named += find_object_name(entry.get("apgcode", ""), entry["rule"]) is not None
            differences = list(check(entry))
            wrong += bool(differences)
            for difference in differences:
                sys.stdout.write(f"{entry['name'] or entry['apgcode']}: {difference}\n")
    seconds = time.perf_counter() - start
    sys.stdout.write(
        f"{checked} objects checked, {wrong} wrong, {skipped} skipped (rule not supported), "
        f"{named} with a name, {seconds:.1f} s\n"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
