"""The structure of src/ and of the files around it: which names may be used where.

The layers themselves are in .importlinter; here is what import-linter cannot express.
"""

from __future__ import annotations

import ast
import configparser
import importlib
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src" / "satlife"
SOURCES = sorted(path.relative_to(SRC).as_posix() for path in SRC.rglob("*.py"))
PUBLIC = ("satlife", "satlife.life", "satlife.sat", "satlife.show", "satlife.knuth")

LONGEST_FILE, LONGEST_BODY = 900, 80
"""Lines: files are as long as their idea; a function is read at a glance, its docstring apart."""

SHORTEST = 60
"""Seconds by the clock; no test may demand that something takes less (tests/patience.py)."""

# Only cli talks to the person, and only these start processes. A file that must break one of the
# rules stands below with what it uses and the reason.
TALKERS = ("cli/", "__main__.py")
STARTERS = ("sat/solvers/", "sat/proofs/", "campaign/", "cluster/")
EXCEPTIONS: dict[tuple[str, str], str] = {
    (
        "sat/solvers/_confined_child.py",
        "sys.stdin",
    ): "a program of its own: the pipe from its parent",
    ("sat/solvers/_pysat_prover.py", "sys.argv"): "a program of its own, started as a script",
    ("sat/solvers/_pysat_prover.py", "sys.stdout"): "a program of its own, started as a script",
    ("sat/solvers/_pysat_child.py", "sys.stdin"): "a program of its own: the pipe from its parent",
    ("sat/solvers/process.py", "os.environ"): "hands the environment on, and reads nothing in it",
}

TALK = {
    "exit",
    "input",
    "os.environ",
    "os.environb",
    "os.getenv",
    "os.getenvb",
    "os.putenv",
    "print",
    "quit",
    "sys.argv",
    "sys.exit",
    "sys.stderr",
    "sys.stdin",
    "sys.stdout",
    "SystemExit",
}
START = {
    "asyncio.create_subprocess_exec",
    "asyncio.create_subprocess_shell",
    "concurrent.futures.ProcessPoolExecutor",
    "concurrent.futures.process",
    "multiprocessing",
    "os.execv",
    "os.execve",
    "os.execvp",
    "os.fork",
    "os.popen",
    "os.posix_spawn",
    "os.spawnv",
    "os.startfile",
    "os.system",
    "pty",
    "subprocess",
}


def used_names(source: str) -> Iterator[str]:
    """Every name that the source uses, dotted and with its import aliases undone."""
    tree = ast.parse(source)
    aliases: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name
                if name.asname:
                    aliases[name.asname] = name.name
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for name in node.names:
                yield f"{node.module}.{name.name}"
                aliases[name.asname or name.name] = f"{node.module}.{name.name}"

    def dotted(node: ast.expr) -> str | None:
        if isinstance(node, ast.Name):
            return aliases.get(node.id, node.id)
        if isinstance(node, ast.Attribute) and (owner := dotted(node.value)):
            return f"{owner}.{node.attr}"
        return None

    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and (used := dotted(node)):
            yield used


def breaches(source: str, forbidden: set[str]) -> set[str]:
    """The forbidden names that the source uses, themselves or something inside them."""
    used = set(used_names(source))
    return {name for name in forbidden if any(f"{u}.".startswith(f"{name}.") for u in used)}


def read(source: str) -> str:
    return (SRC / source).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("print('a glider')", {"print"}),
        ("import sys as system\nsystem.stdout.write('x')", {"sys.stdout"}),
        ("from os import environ as e\ne['HOME']", {"os.environ"}),
        ("raise SystemExit(2)", {"SystemExit"}),
        ("import os\nos.path.exists('x')\n'print'\nself.print", set()),
        ("import subprocess", {"subprocess"}),
        ("from multiprocessing.connection import wait", {"multiprocessing"}),
        ("from concurrent.futures import process", {"concurrent.futures.process"}),
        ("from satlife.sat import multiprocessing_notes", set()),
    ],
)
def test_breaches_are_seen_through_aliases(source: str, found: set[str]) -> None:
    assert breaches(source, TALK | START) == found


def find_breaches(packages: tuple[str, ...], forbidden: set[str]) -> set[tuple[str, str]]:
    """What the files outside of some packages use although they may not."""
    outside = (source for source in SOURCES if not source.startswith(packages))
    found = {(source, name) for source in outside for name in breaches(read(source), forbidden)}
    return found - EXCEPTIONS.keys()


def test_only_cli_prints_exits_and_reads_the_environment() -> None:
    assert find_breaches(TALKERS, TALK) == set()


def test_only_solvers_proofs_and_campaigns_start_processes() -> None:
    assert find_breaches(STARTERS, START) == set()


def test_exceptions_are_still_needed() -> None:
    needless = {
        (source, name)
        for source, name in EXCEPTIONS
        if source not in SOURCES or name not in breaches(read(source), TALK | START)
    }
    assert needless == set()


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its head and its docstring."""
    first, *rest = node.body
    is_doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    if is_doc and not rest:
        return 0
    return (node.end_lineno or 0) - (rest[0] if is_doc else first).lineno + 1


def test_files_and_functions_are_not_too_long() -> None:
    long = []
    for source in SOURCES:
        text = read(source)
        if (lines := len(text.splitlines())) > LONGEST_FILE:
            long.append(f"{source} has {lines} lines")
        if source.startswith("rows/kernels/"):  # a call in a compiled loop costs more than a line
            continue
        long += [
            f"{source}: {node.name} has {body_lines(node)} lines"
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and body_lines(node) > LONGEST_BODY
        ]
    assert long == []


def test_the_contracts_name_all_that_searches() -> None:
    """A new package, or a new file of the page, must not reach campaigns unseen."""
    contracts = configparser.ConfigParser()
    contracts.read(ROOT / ".importlinter", encoding="utf-8")
    named = contracts["importlinter:contract:searching"]["source_modules"].split()
    found = {
        each.stem
        for each in SRC.iterdir()
        if each.suffix == ".py" or (each / "__init__.py").exists()
    }
    found -= {"__init__", "__main__", "_lazy", "_version", "campaign", "cli", "cluster", "web"}
    page = {each.stem for each in (SRC / "web").iterdir() if each.stem[0] != "_"} - {"ledger"}
    wanted = {"cli.search"} | found | {f"web.{name}" for name in page}
    assert {*named} == {f"satlife.{name}" for name in wanted}


CHECKERS = ("verifier.verify", "verifier.constraints", "verifier.generations")
CHECKERS += ("verifier.boundaries", "verifier.dying", "verifier.open_rules")
CHECKERS += ("audit.formula", "audit.constraints")
CHECKERS += ("audit.ranges", "audit.width_ranges")
"""What stands beside the encoder, and must not go wrong together with it."""
SHARED = ("satlife.problem", "satlife.life", "satlife.sat", "satlife.errors", "satlife.given")
SHARED += ("satlife.show", "satlife.quantities", "satlife.closable", "satlife.machine")
"""Packages that both the encoder and the checkers use."""
GEOMETRY = ("satlife.life.symmetry", "satlife.life.Symmetry", "satlife.problem.fit")
GEOMETRY += ("satlife.problem.background", "satlife.problem.exact")
ASKED_BY_THE_ENCODER = ("parsed.symmetry", ".check(", ".drawings", ".copies")
ASKED_BY_THE_ENCODER += (".after_turn(", ".keeps_constraints(")
"""What a problem and its constraints say of their geometry: to ask would be to share it."""
TRUSTED = {
    "audit/formula.py": 300,
    "audit/constraints.py": 240,
    "audit/gates.py": 100,
    "audit/rule_clauses.py": 70,
    "audit/invariance.py": 145,
    "audit/tree.py": 60,
    "audit/places.py": 35,
    "audit/ranges.py": 140,
    "audit/widths.py": 410,
    "audit/width_ranges.py": 208,
    "rulemaps/rulemap.py": 142,
    "sat/proofs/lrat.py": 250,
}
"""What certificates rest on, each with the lines that a reader is asked to read at most."""


@pytest.mark.parametrize("checker", CHECKERS)
def test_verifier_and_audit_share_only_the_problem_with_the_encoder(checker: str) -> None:
    """Each has its own geometry: what is wrong in one of them cannot be wrong in another."""
    graph = grimp.build_graph("satlife", cache_dir=None)
    module = f"satlife.{checker}"
    package = module.rpartition(".")[0]
    reached = {
        name
        for name in graph.find_upstream_modules(module)
        if not f"{name}.".startswith((f"{package}.", *(f"{shared}." for shared in SHARED)))
    }
    assert reached <= {"satlife._version", "satlife._lazy", "satlife"}
    source = read(f"{checker.replace('.', '/')}.py")
    assert not {name for name in used_names(source) if name.startswith(GEOMETRY)}
    assert not [words for words in ASKED_BY_THE_ENCODER if words in source]


@pytest.mark.parametrize("source", TRUSTED)
def test_what_certificates_rest_on_is_short(source: str) -> None:
    lines = len(read(source).splitlines())
    assert lines <= TRUSTED[source], f"{source} has {lines} lines"


def test_the_audit_and_its_gates_are_plain_python() -> None:
    for name in ("formula", "constraints"):
        assert "numpy" not in read(f"audit/{name}.py")
    nodes = ast.parse(read("audit/gates.py")).body
    names = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert names == {"__future__", "itertools"}


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_exist_and_have_a_docstring(name: str) -> None:
    module = importlib.import_module(name)
    assert len(set(module.__all__)) == len(module.__all__), "a name twice"
    for public in module.__all__:
        value = getattr(module, public)
        if inspect.isclass(value) or inspect.isroutine(value):
            doc = vars(value).get("__doc__") if inspect.isclass(value) else value.__doc__
            # A dataclass without a docstring is given its signature as one.
            assert doc, f"{name}.{public} has no docstring"
            assert not doc.startswith(f"{public}("), f"{name}.{public} has no docstring"


@pytest.mark.parametrize("name", PUBLIC)
def test_all_is_complete(name: str) -> None:
    module = importlib.import_module(name)
    ours = {
        public
        for public, value in vars(module).items()
        if not public.startswith("_")
        and not inspect.ismodule(value)
        and f"{getattr(value, '__module__', '')}.".startswith(f"{name}.")
    }
    assert ours <= set(module.__all__)


def test_version_is_in_one_place() -> None:
    import satlife

    assert [s for s in SOURCES if re.search(r"^__version__\b.*=", read(s), re.M)] == ["_version.py"]
    assert "version" in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dynamic"]
    for name in ("pyproject.toml", "CITATION.cff", "docs/conf.py"):
        assert satlife.__version__ not in (ROOT / name).read_text(encoding="utf-8"), name


@pytest.mark.parametrize("name", ["satlife", "satlife.cli.scripts"])
def test_import_is_light(name: str) -> None:
    heavy = ("click", "numpy", "pysat", "rich")
    code = f"import sys, {name}; print([name for name in {heavy} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_types_are_shipped() -> None:
    assert (SRC / "py.typed").is_file()


def workflows() -> list[Path]:
    return sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_ci_calls_recipes_that_exist() -> None:
    justfile = (ROOT / "justfile").read_text(encoding="utf-8")
    recipes = set(re.findall(r"^([a-z][a-z-]*)(?: [^:=]*)?:(?!=)", justfile, re.M))
    callers = [*workflows(), ROOT / ".ci" / "run", ROOT / ".pre-commit-config.yaml"]
    for caller in callers:
        called = re.findall(r"\bjust ([a-z-]+)\b", caller.read_text(encoding="utf-8"))
        assert called, f"{caller.name} calls no recipe"
        assert set(called) <= recipes, caller.name


def test_workflows_ask_for_few_rights_and_cover_every_python() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    ours = {c.rsplit(" ", 1)[1] for c in project["classifiers"] if "Python :: 3." in c}
    tested: set[str] = set()
    for path in workflows():
        flow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert flow["permissions"] == {"contents": "read"}, path.name
        for job in flow["jobs"].values():
            assert "timeout-minutes" in job, path.name
            tested |= set(job.get("strategy", {}).get("matrix", {}).get("python", []))
    assert tested == ours


def test_slow_tests_are_listed_once_and_exist() -> None:
    from tests.conftest import LONG, SLOW

    assert len(SLOW + LONG) == len({*SLOW, *LONG})
    for entry in SLOW + LONG:
        file, _, name = entry.partition("[")[0].partition("::")
        text = (ROOT / file).read_text(encoding="utf-8")
        assert not name or f"def {name.rpartition('::')[2]}(" in text, f"there is no {entry}"


@pytest.mark.skipif(sys.platform == "win32", reason="a script in place of python")
@pytest.mark.parametrize("recipe", ["test", "test-all"])
@pytest.mark.parametrize(
    "words",
    [("-m", "not slow"), ("-k", "eater or reaction"), ("tests/test_structure.py",), ("-x", "src")],
)
def test_words_reach_pytest_as_they_were_typed(
    recipe: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    python.chmod(0o755)
    just = Path(sys.executable).with_name("just")
    done = subprocess.run(
        [just, "--justfile", ROOT / "justfile", recipe, *words],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    given = done.stdout.splitlines()
    assert given[:2] == ["-m", "pytest"]
    assert "--doctest-modules" in given
    assert tuple(given[-len(words) :]) == words


WAITERS = {"communicate", "join", "request", "result", "run", "urlopen", "wait", "wait_for"}
"""Functions that wait for something which must happen; all take their limit as ``timeout``, too."""
LIMITED_FIRST = {"communicate", "join", "result", "wait"}
LIMITED_LAST = {"timeout", "wait_for"}
"""Those whose first, or last, positional argument may be the limit."""


def short_limits(tree: ast.AST) -> Iterator[int]:
    """Yield the lines where less than a minute by the clock is waited for what must happen."""
    refused = {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.With) and "pytest.raises" in ast.unparse(block.items[0])
        for node in ast.walk(block)
    }
    for node in ast.walk(tree):
        if node in refused:
            continue  # it must not happen, and who waits longer only loses time
        limits: list[ast.expr | None] = []
        clock = r"\b(monotonic|perf_counter|time\.time)\(\)"
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Lt | ast.LtE):
            if re.search(clock, ast.unparse(node.left)):
                limits = [node.comparators[-1]]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            if re.search(clock, ast.unparse(node.left)):
                limits = [node.right]
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            if name in WAITERS:
                limits = [word.value for word in node.keywords if word.arg == "timeout"]
            if name in LIMITED_FIRST:
                limits += node.args[:1]
            elif name in LIMITED_LAST:
                limits += node.args[-1:]
        values = (limit.value for limit in limits if isinstance(limit, ast.Constant))
        if any(isinstance(value, int | float) and value < SHORTEST for value in values):
            yield node.lineno


def test_no_test_fails_on_a_busy_machine() -> None:
    """Hold a clock of the test's own, measure processor time or a ratio, or be patient."""
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for line in short_limits(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


def test_without_a_path_both_folders_are_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["pytest"]["ini_options"]["testpaths"] == ["src", "tests"]
