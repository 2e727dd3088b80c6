"""No file of src/satlife imports itself, not even through other files or inside a function.

An import inside a function counts like any other: it hides a circle and does not remove it.
Imports under ``if TYPE_CHECKING`` do not count, since they never run. Importing ``a.b.c`` also runs
``a`` and ``a.b``; that does not count either, or every package that gathers its files' names would
be a circle. What a file imports by a name that it computes is not seen here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from scripts.house import Graph, find_circles

SRC = Path(__file__).resolve().parent.parent / "src"


def find_modules() -> dict[str, Path]:
    """Return every module with its file."""
    modules = {}
    for path in sorted((SRC / "satlife").rglob("*.py")):
        parts = path.relative_to(SRC).with_suffix("").parts
        modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return modules


def imported_names(source: str, package: str) -> Iterator[tuple[str, str]]:
    """Yield every module that runs of the source import, each with the name taken from it."""
    nodes: list[ast.AST] = [ast.parse(source)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            nodes += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: 1 - node.level or None] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((module, alias.name) for alias in node.names)
        nodes += ast.iter_child_nodes(node)


def build_graph(modules: Mapping[str, Path]) -> Graph:
    """Return the modules that each module imports."""
    graph: dict[str, set[str]] = {}
    for name, path in modules.items():
        package = name if path.stem == "__init__" else name.rpartition(".")[0]
        graph[name] = set()
        for module, member in imported_names(path.read_text(encoding="utf-8"), package):
            inner = f"{module}.{member}"
            graph[name].add(inner if inner in modules else module)
        graph[name] &= modules.keys()
    return graph


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import a.b", {("a.b", "")}),
        ("from a import b, c as d", {("a", "b"), ("a", "c")}),
        ("def f():\n    from a import b", {("a", "b")}),
        ("if TYPE_CHECKING:\n    import a\nelse:\n    import b", {("b", "")}),
        ("import typing\nif typing.TYPE_CHECKING:\n    import a", {("typing", "")}),
        ("try:\n    import a\nexcept ImportError:\n    a = None", {("a", "")}),
        ("from . import a\nfrom .b import c", {("p.q", "a"), ("p.q.b", "c")}),
        ("from .. import a\nfrom ..b import c", {("p", "a"), ("p.b", "c")}),
    ],
)
def test_imports_are_seen_wherever_they_run(source: str, names: set[tuple[str, str]]) -> None:
    assert set(imported_names(source, "p.q")) == names


def test_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set(), "e": {"e"}}
    assert find_circles(graph) == [["a", "b", "c"], ["e"]]


def test_no_file_imports_in_a_circle() -> None:
    assert find_circles(build_graph(find_modules())) == []
