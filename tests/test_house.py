"""The rules of the house: what may stand where, in all of src/, and in the files around it.

The layers themselves are in .importlinter; here is what import-linter cannot express.
"""

from __future__ import annotations

import ast
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

# Style 1: one idea per file. A file past the limit stands here with the reason why it is not split.
LONGEST = 400
LONG_FILES: dict[str, str] = {}

# Only cli talks to the person, and only these start processes. A file that must break one of the
# rules stands below with what it uses and the reason.
TALKERS = ("cli/", "__main__.py")
STARTERS = ("sat/solvers/", "sat/proofs/", "campaign/")
EXCEPTIONS: dict[tuple[str, str], str] = {
    (
        "sat/solvers/_confined_child.py",
        "sys.stdin",
    ): "a program of its own: the pipe from its parent",
    ("sat/solvers/_pysat_prover.py", "sys.argv"): "a program of its own, started as a script",
    ("sat/solvers/_pysat_prover.py", "sys.stdout"): "a program of its own, started as a script",
    ("sat/solvers/_pysat_child.py", "sys.stdin"): "a program of its own: the pipe from its parent",
    ("sat/solvers/held.py", "os.environ"): "hands the environment on, and reads nothing in it",
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


@pytest.mark.parametrize("source", SOURCES)
def test_only_cli_prints_exits_and_reads_the_environment(source: str) -> None:
    if source.startswith(TALKERS):
        return
    found = breaches(read(source), TALK)
    assert {name for name in found if (source, name) not in EXCEPTIONS} == set()


@pytest.mark.parametrize("source", SOURCES)
def test_only_solvers_proofs_and_campaign_start_processes(source: str) -> None:
    if source.startswith(STARTERS):
        return
    found = breaches(read(source), START)
    assert {name for name in found if (source, name) not in EXCEPTIONS} == set()


def test_exceptions_are_still_needed() -> None:
    needless = {
        (source, name)
        for source, name in EXCEPTIONS
        if source not in SOURCES or name not in breaches(read(source), TALK | START)
    }
    assert needless == set()


@pytest.mark.parametrize("source", SOURCES)
def test_files_are_short_or_say_why_not(source: str) -> None:
    lines = len(read(source).splitlines())
    assert (lines > LONGEST) == (source in LONG_FILES), f"{source} has {lines} lines"


CHECKERS = ("checking.verify", "certificates.audit")
"""What stands beside the encoder, and must not go wrong together with it."""
READERS = {
    "satlife.search.problem",
    *(
        f"satlife.search.problem.{name}"
        for name in ("problem", "asks", "arrival", "background", "constraints", "trimming")
    ),
    *(f"satlife.search.problem.{name}" for name in ("fitting", "documents", "open_rule", "slow")),
}
"""What the encoder and the checkers of ``search`` share: the problem, and what reads it."""
TRUSTED = {
    "search/certificates/audit.py": 300,
    "search/certificates/audit_constraints.py": 200,
    "search/certificates/plain_clauses.py": 100,
    "search/certificates/rule_clauses.py": 70,
    "search/certificates/invariance.py": 140,
    "search/certificates/tree.py": 60,
    "search/certificates/widths.py": 200,
    "rulemaps/cover.py": 60,
    "sat/proofs/lrat.py": 250,
}
"""What certificates rest on, each with the lines that a reader is asked to read at most."""


def within_search(graph: grimp.ImportGraph, *modules: str) -> set[str]:
    """The modules of search that these reach, themselves too."""
    reached = set().union(*(graph.find_upstream_modules(module) for module in modules), modules)
    return {module for module in reached if module.startswith("satlife.search.")}


@pytest.mark.parametrize("checker", CHECKERS)
def test_verifier_and_audit_share_only_the_problem_with_the_encoder(checker: str) -> None:
    """Each has its own geometry: what is wrong in one of them cannot be wrong in another."""
    graph = grimp.build_graph("satlife", cache_dir=None)
    # A problem draws itself for a notebook; nobody computes with that picture.
    problem = "satlife.search.problem"
    graph.remove_import(importer=f"{problem}.problem", imported=f"{problem}.cards")
    formula = "satlife.search.formula"
    encoder = within_search(graph, f"{formula}.build", f"{formula}.symmetry_breaking")
    assert {f"{formula}.{name}" for name in ("isometry", "spacetime", "measures")} <= encoder
    assert within_search(graph, f"satlife.search.{checker}") & encoder <= READERS
    others = {f"satlife.search.{name}" for name in CHECKERS if name != checker}
    assert not within_search(graph, f"satlife.search.{checker}") & others
    used = set(used_names(read(f"search/{checker.replace('.', '/')}.py")))
    geometry = ("satlife.life.symmetry", "satlife.life.Symmetry", "satlife.search.problem.fitting")
    geometry += ("satlife.search.problem.background",)
    assert not {name for name in used if name.startswith(geometry)}


@pytest.mark.parametrize("source", TRUSTED)
def test_what_certificates_rest_on_is_short(source: str) -> None:
    lines = len(read(source).splitlines())
    assert lines <= TRUSTED[source], f"{source} has {lines} lines"


def test_the_audit_and_its_gates_are_plain_python() -> None:
    for name in ("audit", "audit_constraints"):
        assert "numpy" not in read(f"search/certificates/{name}.py")
    nodes = ast.parse(read("search/certificates/plain_clauses.py")).body
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
    from tests.conftest import SLOW

    assert sorted(set(SLOW)) == list(SLOW)
    for entry in SLOW:
        file, _, name = entry.partition("::")
        text = (ROOT / file).read_text(encoding="utf-8")
        assert not name or f"def {name}(" in text, f"tests/slow.txt: no {entry}"
