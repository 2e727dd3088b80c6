"""The objects of tests/data/identity, identified by lifelib 2.5.6 and checked with bgolly 3.3."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from satlife.errors import RuleError
from satlife.life import Rule

FILE = Path(__file__).resolve().parents[1] / "data" / "identity" / "identity.json"

Entry = dict[str, Any]


def is_supported(rule: str) -> bool:
    try:
        Rule(rule)
    except RuleError:
        return False
    return True


ALL: list[Entry] = json.loads(FILE.read_text(encoding="utf-8"))["entries"]
ENTRIES = [entry for entry in ALL if is_supported(entry["rule"])]


def code_of(entry: Entry) -> str:
    """The code with the limits on size."""
    return str(entry.get("apgcode_default_limits", entry["apgcode"]))


def label(entry: Entry) -> str:
    code = entry["apgcode"]
    return f"{entry['rule']}-{entry['name'] or (code if len(code) < 30 else code[:29] + '…')}"


each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=map(label, ENTRIES))
