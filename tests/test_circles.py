"""No file of src/satlife imports itself, not even through other files.

An import inside a function or under ``if TYPE_CHECKING`` counts like any other: it hides a circle
and does not remove it. Importing ``a.b.c`` also runs ``a`` and ``a.b``; that does not count, or
every package that gathers its files' names would be a circle. What a file imports by a name that it
computes is not seen here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.figures import Module, Package, find_circles


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import a.b", {("a.b", "")}),
        ("from a import b, c as d", {("a", "b"), ("a", "c")}),
        ("def f():\n    from a import b", {("a", "b")}),
        ("if TYPE_CHECKING:\n    import a\nelse:\n    import b", {("a", ""), ("b", "")}),
        ("try:\n    import a\nexcept ImportError:\n    a = None", {("a", "")}),
        ("from . import a\nfrom .b import c", {("p.q", "a"), ("p.q.b", "c")}),
        ("from .. import a\nfrom ..b import c", {("p", "a"), ("p.b", "c")}),
    ],
)
def test_imports_are_seen_wherever_they_stand(
    source: str, names: set[tuple[str, str]], tmp_path: Path
) -> None:
    file = tmp_path / "r.py"
    file.write_text(source)
    assert set(Module("p.q.r", file).imported_names()) == names


def test_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set(), "e": {"e"}}
    assert find_circles(graph) == [["a", "b", "c"], ["e"]]


def test_no_file_imports_in_a_circle() -> None:
    assert Package.read().circles() == []
