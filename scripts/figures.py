"""Print figures of the package: its size, its parts, and which class names are used twice.

    python -m scripts.figures

The figures are something to look at, and none has a limit. ``tests/test_circles.py`` uses the graph
of imports.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

SRC = Path(__file__).resolve().parent.parent / "src"

Graph = Mapping[str, set[str]]


@dataclass(frozen=True)
class Module:
    """A file of Python: its dotted name, its text and its tree."""

    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        """The source."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """The parsed source."""
        return ast.parse(self.text)

    @property
    def lines(self) -> int:
        """Number of lines, blank ones included."""
        return len(self.text.splitlines())

    @property
    def package(self) -> str:
        """The package that relative imports start from."""
        return self.name if self.path.stem == "__init__" else self.name.rpartition(".")[0]

    def imports(self) -> Iterator[ast.Import | ast.ImportFrom]:
        """Yield every import, wherever it stands."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield node

    def inner_imports(self) -> set[ast.AST]:
        """Return the imports inside functions."""
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        bodies = (node for node in ast.walk(self.tree) if isinstance(node, functions))
        return {
            node
            for body in bodies
            for node in ast.walk(body)
            if isinstance(node, ast.Import | ast.ImportFrom)
        }

    def imported_names(self) -> Iterator[tuple[str, str]]:
        """Yield every module that is imported, each with the name taken from it."""
        for node in self.imports():
            if isinstance(node, ast.Import):
                yield from ((alias.name, "") for alias in node.names)
            else:
                above = self.package.split(".")[: 1 - node.level or None] if node.level else []
                module = ".".join([*above, *([node.module] if node.module else [])])
                yield from ((module, alias.name) for alias in node.names)


@dataclass(frozen=True)
class Package:
    """All modules of the package, by their names."""

    modules: Mapping[str, Module]

    @classmethod
    def read(cls, source: Path = SRC) -> Package:
        """Read the package ``satlife`` below a folder."""
        found = {}
        for path in sorted((source / "satlife").rglob("*.py")):
            parts = path.relative_to(source).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = Module(name, path)
        return cls(found)

    @cached_property
    def lines(self) -> int:
        """Lines of Python."""
        return sum(module.lines for module in self.modules.values())

    @cached_property
    def import_share(self) -> float:
        """Share of the lines that import, in percent."""
        taken = sum(
            (node.end_lineno or node.lineno) - node.lineno + 1
            for module in self.modules.values()
            for node in module.imports()
        )
        return 100 * taken / self.lines

    @cached_property
    def inner_imports(self) -> int:
        """Number of imports inside functions."""
        return sum(len(module.inner_imports()) for module in self.modules.values())

    @cached_property
    def graph(self) -> Graph:
        """The modules that each module imports, for type checking too.

        Importing ``a.b.c`` also runs ``a`` and ``a.b``; that does not count, or every package that
        gathers its files' names would be a circle.
        """
        graph: dict[str, set[str]] = {}
        for name, module in self.modules.items():
            pairs = ((source, f"{source}.{member}") for source, member in module.imported_names())
            graph[name] = {inner if inner in self.modules else outer for outer, inner in pairs}
            graph[name] &= self.modules.keys()
        return graph

    def circles(self) -> list[list[str]]:
        """Return the sets of modules that all reach each other."""
        return find_circles(self.graph)

    def ambiguous_classes(self) -> dict[str, int]:
        """Return the public class names that several modules define, with their number."""
        names = Counter(
            node.name
            for module in self.modules.values()
            for node in module.tree.body
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        )
        return {name: count for name, count in sorted(names.items()) if count > 1}

    def shares(self) -> dict[str, float]:
        """Return the share of each package below it in the lines, in percent."""
        lines: Counter[str] = Counter()
        for name, module in self.modules.items():
            parts = name.split(".")
            if len(parts) > 2 or module.path.stem == "__init__":
                lines[parts[1] if len(parts) > 1 else ""] += module.lines
        return {name: 100 * count / self.lines for name, count in lines.most_common() if name}


def find_circles(graph: Graph) -> list[list[str]]:
    """Return the sets of names that can all reach each other, if there is more than one."""
    reach = {name: reachable(graph, name) for name in graph}
    circles = {
        frozenset(other for other in reach[name] if name in reach[other])
        for name in graph
        if name in reach[name]
    }
    return sorted(sorted(circle) for circle in circles)


def reachable(graph: Graph, start: str) -> set[str]:
    """Return what a name leads to, directly or not."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for name in graph[waiting.pop()] - seen:
            seen.add(name)
            waiting.append(name)
    return seen


def main() -> None:
    """Print all figures, and the names behind some of them."""
    package = Package.read()
    figures: dict[str, float] = {
        "files": len(package.modules),
        "lines": package.lines,
        "imports, % of lines": round(package.import_share, 1),
        "imports inside functions": package.inner_imports,
    }
    lines = [f"{name:36}{value:>10,}" for name, value in figures.items()]
    shares = (f"{name} {share:.1f}%" for name, share in package.shares().items())
    lines += ["", f"shares: {', '.join(shares)}"]
    lines += [f"class names with several meanings: {', '.join(package.ambiguous_classes())}"]
    lines += [f"circle: {', '.join(circle)}" for circle in package.circles()]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
