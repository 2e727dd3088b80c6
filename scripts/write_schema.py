"""Write docs/schema/problem.schema.json, the JSON Schema of problem files.

``python scripts/write_schema.py``; a test fails when the file is not what this writes.
"""

from __future__ import annotations

import json
from pathlib import Path

from satlife import problem_schema

FILE = Path(__file__).resolve().parent.parent / "docs" / "schema" / "problem.schema.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""Editors look at it to know how to read the rest."""


def render() -> str:
    """Return the file's text: sorted, so that it does not depend on the order of definitions."""
    schema = {"$schema": DIALECT, "title": "A satlife problem", **problem_schema()}
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


def main() -> None:
    """Write the file."""
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(render(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
