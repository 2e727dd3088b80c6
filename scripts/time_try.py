"""Time the page without a server beside the native solver: ``python scripts/time_try.py``.

Each target is asked with several seeds.  A seed shuffles the formula; the page's worker solves it
in Chromium, then PySAT's CaDiCaL solves the very same clauses in a process of its own.  Prints a
table of medians, and one of the first answer of a page that was just opened.

All seconds of the first table are of the processor: other programs do not count, and a busy
machine hardly changes the ratio.  The page's are those of all threads of its process (Chromium
tells them to its debugger), from the order to the answer: the worker's start, the compiler of the
solver's WebAssembly, the encoder, the solver, and the check of the find.  The native ones are the
solver's alone, with the time that it takes to hand the clauses over.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import satlife  # noqa: E402 - after the path
from satlife import PartialPattern, Problem  # noqa: E402
from tests.browser import open_browser  # noqa: E402
from tests.web.static import static_page  # noqa: E402

SEEDS: Final = (6, 7, 8, 9, 10)
"""The options of the page's solver were chosen with others, 1 to 5."""
RATIO: Final = 4
"""How many times the native solver's seconds the page may take."""
SHORT: Final = 0.3
"""Seconds below which the ratio does not matter."""
SOUP: Final = "5o$bo2bo$4o$bobo$3o!"

TARGETS: Final[dict[str, Problem]] = {
    "glider: c/4d in 4x4": satlife.ship("c/4d", box="4x4"),
    "p3 in 7x7": satlife.oscillator(3, box="7x7"),
    "c/3 in 16x6": satlife.ship("c/3", box="16x6"),
    "octagon 2: p5 in 8x8, C4": satlife.oscillator(5, box="8x8", symmetry="C4"),
    "parent of 5x5": satlife.parent(PartialPattern.from_rle(f"x = 5, y = 5\n{SOUP}")),
    "no p3 in 5x5": satlife.oscillator(3, box="5x5"),
}

SOLVE: Final = """async ([problem, seed]) => {
  const worker = new Worker("./worker.js", {type: "module"});
  const told = await new Promise((resolve, reject) => {
    worker.onerror = reject;
    worker.onmessage = ({data}) => data.kind === "end" && resolve(data);
    worker.postMessage({problem, seconds: 300, seed});
  });
  worker.terminate();
  return told.answer;
}"""
EXPORT: Final = """async ([problem, seed]) => {
  const {encode} = await import("./encoder.js");
  const tables = await (await fetch("./tables.json")).json();
  return [...encode(problem, tables, seed).literals];
}"""
NATIVE: Final = """
import json, sys, time
from pysat.solvers import Cadical195
literals = json.load(sys.stdin)
begun = time.process_time()
solver, clause = Cadical195(), []
for literal in literals:
    if literal:
        clause.append(literal)
    else:
        solver.add_clause(clause)
        clause = []
found = solver.solve()
json.dump(["found" if found else "none", time.process_time() - begun], sys.stdout)
"""
FIRST: Final = """() => new Promise((resolve) => {
  const status = document.querySelector("#status"), seen = {begun: performance.now()};
  new MutationObserver(() => {
    seen[status.dataset.state] = performance.now();
    if (["found", "failed"].includes(status.dataset.state)) resolve(seen);
  }).observe(status, {attributeFilter: ["data-state"]});
  document.querySelector("#search").click();
})"""


@dataclass(frozen=True)
class Run:
    """One answer of the page and of the native solver, in seconds of the processor."""

    page: float
    native: float


@contextmanager
def count_seconds(browser: Any) -> Iterator[list[float]]:
    """Yield a list that holds, afterwards, the seconds of the processor that pages have used."""
    session = browser.real.new_browser_cdp_session()

    def used() -> dict[int, float]:
        told = session.send("SystemInfo.getProcessInfo")["processInfo"]
        return {each["id"]: each["cpuTime"] for each in told if each["type"] == "renderer"}

    before, seconds = used(), list[float]()
    yield seconds
    seconds.append(sum(after - before.get(number, 0) for number, after in used().items()))
    session.detach()


def solve_natively(literals: list[int]) -> tuple[str, float]:
    """Return the answer of PySAT's CaDiCaL, and its seconds."""
    done = subprocess.run(
        [sys.executable, "-c", NATIVE],
        input=json.dumps(literals),
        check=True,
        capture_output=True,
        text=True,
    )
    answer, seconds = json.loads(done.stdout)
    return answer, seconds


def run_both(browser: Any, page: Any, problem: Problem, seed: int) -> Run:
    """Solve a shuffled problem in the page, and natively."""
    order = [msgspec.json.decode(problem.to_json()), seed]
    literals = page.evaluate(EXPORT, order)
    with count_seconds(browser) as seconds:
        told = page.evaluate(SOLVE, order)
    answer, native = solve_natively(literals)
    if answer != told:
        raise SystemExit(f"the page says {told}, the native solver {answer}: {order}")
    return Run(seconds[0], native)


def compare(browser: Any, address: str, names: list[str]) -> None:
    """Print the table of medians."""
    page = browser.new_page()
    page.goto(address + "tables.json")
    write("target", "native s", "page s", "ratio", "goal")
    write("---", "--:", "--:", "--:", "---")
    for name, problem in TARGETS.items():
        if names and not any(each in name for each in names):
            continue
        runs = [run_both(browser, page, problem, seed) for seed in SEEDS]
        natives, pages = [run.native for run in runs], [run.page for run in runs]
        native, mine = statistics.median(natives), statistics.median(pages)
        goal = "met" if mine <= max(SHORT, RATIO * native) else "missed"
        write(name, describe(natives), describe(pages), f"{mine / native:.1f}", goal)
    page.close()


def time_first(browser: Any, address: str) -> None:
    """Print how long a fresh page takes to its first answer, a glider, by the clock."""
    rows = []
    for _ in SEEDS:
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("html[data-ready]")
        loaded = page.evaluate("performance.now()")
        page.fill("#f-speed", "c/4d")
        page.fill("#f-box", "4x4")
        with count_seconds(browser) as seconds:
            seen = page.evaluate(FIRST)
        steps = [seen["solving"] - seen["begun"], seen["found"] - seen["solving"]]
        rows.append([loaded / 1000, *(each / 1000 for each in steps), sum(steps) / 1000, *seconds])
        context.close()
    words = ("page s", "solver and clauses s", "search s", "answer s", "of the processor s")
    sys.stdout.write("\n")
    write(*words)
    write(*("--:" for _ in words))
    write(*(describe(list(column)) for column in zip(*rows, strict=True)))


def write(*cells: str) -> None:
    """Print a row of a table."""
    sys.stdout.write(f"| {' | '.join(cells)} |\n")
    sys.stdout.flush()


def describe(seconds: list[float]) -> str:
    """Return a median, and the range."""
    return f"{statistics.median(seconds):.2f} ({min(seconds):.2f}–{max(seconds):.2f})"


def main(names: list[str]) -> None:
    """Build the page and time it; words choose the targets whose names hold one of them."""
    with (
        TemporaryDirectory() as folder,
        static_page(Path(folder)) as address,
        open_browser() as browser,
    ):
        compare(browser, address, names)
        time_first(browser, address)


if __name__ == "__main__":
    main(sys.argv[1:])
