"""Small ways to break a program: a condition negated, a sign lost, a statement left out."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

MUTANT = "<mutant>"
"""The file name of a mutant's code."""

Change = tuple[Callable[[], object], Callable[[], object]]

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
KEPT = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Pass)
"""Statements that are never left out: without them nothing at all would work."""


def set_attribute(node: ast.AST, name: str, value: object) -> Change:
    """Return how to change something, and how to undo that."""
    old = getattr(node, name)
    return lambda: setattr(node, name, value), lambda: setattr(node, name, old)


def set_item(items: list[Any], place: int, value: object) -> Change:
    old = items[place]
    return lambda: items.__setitem__(place, value), lambda: items.__setitem__(place, old)


def changes(node: ast.AST) -> Iterator[tuple[str, Change]]:  # noqa: PLR0912 - one branch for each kind
    """Yield the small ways to break a piece of a program."""
    for name in ("body", "orelse"):
        block = getattr(node, name, None)
        for place, statement in enumerate(block if isinstance(block, list) else ()):
            text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if not text and not isinstance(statement, KEPT):
                hole = ast.copy_location(ast.Pass(), statement)
                yield f"{show(statement)} is left out", set_item(block, place, hole)
            for one, other in ((ast.Break, ast.Continue), (ast.Continue, ast.Break)):
                if isinstance(statement, one):
                    yield f"{show(statement)} is {show(other())}", set_item(block, place, other())
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        opposite = ast.UnaryOp(ast.Not(), node.test)
        yield f"{show(node.test)} is negated", set_attribute(node, "test", opposite)
        for value in (True, False):
            yield f"{show(node.test)} is {value}", set_attribute(node, "test", ast.Constant(value))
    if isinstance(node, ast.comprehension):
        for place, test in enumerate(node.ifs):
            opposite = ast.UnaryOp(ast.Not(), test)
            yield f"{show(test)} is negated", set_item(node.ifs, place, opposite)
            yield f"{show(test)} is left out", set_item(node.ifs, place, ast.Constant(True))
    if isinstance(node, ast.Compare):
        for place, old in enumerate(node.ops):
            for new in COMPARED[type(old)]:
                yield f"{show(node)}: {new.__name__}", set_item(node.ops, place, new())
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield f"{show(node)}: {type(other).__name__}", set_attribute(node, "op", other)
        for place, value in enumerate(node.values):
            nothing = ast.Constant(isinstance(node.op, ast.And))
            yield f"without {show(value)}", set_item(node.values, place, nothing)
    if isinstance(node, ast.BinOp):
        new_op = COMPUTED.get(type(node.op))
        if new_op:
            yield f"{show(node)}: {new_op.__name__}", set_attribute(node, "op", new_op())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield f"{show(node)} without its sign", set_attribute(node, "op", ast.UAdd())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        twice = ast.UnaryOp(ast.Not(), node.operand)
        yield f"{show(node)} is negated", set_attribute(node, "operand", twice)
    if isinstance(node, ast.Constant) and type(node.value) is int:
        for value in (node.value - 1, node.value + 1):
            yield f"{node.value} becomes {value}", set_attribute(node, "value", value)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield f"{node.value} is negated", set_attribute(node, "value", not node.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, bytes):
        for wrong in sorted({b"", node.value[1:] + b"x"} - {node.value}):
            yield f"{node.value!r} becomes {wrong!r}", set_attribute(node, "value", wrong)
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            rest = [each for each in node.keywords if each is not keyword]
            yield f"{show(node.func)} without {keyword.arg}", set_attribute(node, "keywords", rest)


def show(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0]


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes, but for those of types, which do not run."""
    yield node
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from walk(child)


def mutants(module: ModuleType, functions: Iterable[str] = ()) -> Iterator[tuple[str, CodeType]]:
    """Yield every mutant of a module, or of some functions: the line, the change, the code."""
    source = Path(str(module.__file__)).read_text()
    lines, tree = source.splitlines(), ast.parse(source)
    parts = [node for node in tree.body if getattr(node, "name", "") in functions]
    whole = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    homes = {node: function.name for function in whole for node in ast.walk(function)}
    for node in [node for part in parts or [tree] for node in walk(part)]:
        for words, (change, undo) in list(changes(node)):
            change()
            code = compile(ast.fix_missing_locations(tree), MUTANT, "exec")
            undo()
            line = lines[getattr(node, "lineno", 1) - 1].strip()
            yield f"{homes.get(node, 'module')}: {line[:28].strip()} | {words}", code


def load(code: CodeType) -> Any:
    """Run a mutant's source; its classes look for their module by its name."""
    module = sys.modules["mutant"] = ModuleType("mutant")
    try:
        exec(code, vars(module))
    finally:
        del sys.modules["mutant"]
    return module
