"""``satlife doctor``: what is installed, and how to get the rest."""

from __future__ import annotations

import platform
import shutil
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

import click

from satlife._version import __version__
from satlife.cli.help import Command
from satlife.machine import how_to_install
from satlife.sat import SOLVERS, find_solver

CORE = {
    "numpy": "numpy",
    "python-sat": "pysat",
    "click": "click",
    "rich": "rich",
    "msgspec": "msgspec",
    "tomli-w": "tomli_w",
    "filelock": "filelock",
    "platformdirs": "platformdirs",
    "pillow": "PIL.Image",
    "starlette": "starlette",
    "uvicorn": "uvicorn",
}
"""The packages that satlife needs, each with the module to import."""

EXTRAS = {
    "notebook": ("players in notebooks", ("anywidget", "satlife.show.widget")),
    "cluster": (
        "campaigns on many machines",
        (
            *("nats", "prometheus_client", "psycopg"),
            *("satlife.cluster.worker", "satlife.campaign.ledger.postgres"),
        ),
    ),
    "kissat": ("the kissat binary: best single runs", ()),
    "fast": (
        "row-wise ship searches, and large certificates",
        (
            *("numba", "satlife.rows.kernels.graph", "satlife.sat.proofs.kernel"),
            "satlife.audit.fast_widths",
        ),
    ),
}
"""The purpose of each extra, and the modules to import: of its packages, and of satlife."""

CHECKERS = {
    "drat-trim": "checks DRAT proofs; Debian's package drat-trim",
    "lrat-check": "checks LRAT proofs; in Debian's package drat-trim",
    "cake_lpr": "checks LRAT proofs, itself verified; build it from its project",
}


@click.command(name="doctor", cls=Command)
def command() -> None:
    """Show which solvers, checkers and extras are installed, and how to get the rest.

    Each package is imported: it is ok, missing if it is not installed, or broken if that fails.

    \b
    Examples:
      satlife doctor
    """
    out = sys.stdout.write
    out(f"satlife {__version__}, Python {platform.python_version()}, {platform.system()}\n")
    out("\nPackages\n")
    for name, module in CORE.items():
        out(f"  {_try((module,)):<8}{name} {_version(name)}\n")
    out(f"\nExtras ({how_to_install('NAME')})\n")
    for name, (purpose, modules) in EXTRAS.items():
        state = _try(modules) if modules else _state(find_solver("kissat-binary").available)
        out(f"  {state:<8}{name}: {purpose}\n")
    out("\nSolvers\n")
    for solver in SOLVERS:
        number = f" ({found})" if solver.available and (found := solver.version()) else ""
        how = "" if solver.available else f"; {solver.how_to_get}"
        out(f"  {_state(solver.available):<8}{solver.name}: {solver.title}{number}{how}\n")
    out("\nProof checkers\n")
    for name, purpose in CHECKERS.items():
        out(f"  {_state(shutil.which(name) is not None):<8}{name}: {purpose}\n")


def _state(is_there: bool) -> str:
    return "ok" if is_there else "missing"


def _try(modules: tuple[str, ...]) -> str:
    """Return whether all of these can be imported: ok, missing, or broken if one fails."""
    for module in modules:
        try:
            import_module(module)
        except ModuleNotFoundError:
            return "missing"
        except Exception:
            return "broken"
    return "ok"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(no version)"
