"""``satlife doctor``: what is installed, and how to get the rest."""

from __future__ import annotations

import platform
import shutil
import sys
from importlib.util import find_spec

import click

from satlife._version import __version__

CORE = ("numpy", "python-sat", "click", "rich", "msgspec", "tomli-w")
EXTRAS = {
    "image": ("PIL", "PNG and GIF pictures"),
    "web": ("starlette", "the local page"),
    "cluster": ("nats", "campaigns on many machines"),
    "kissat": ("sage_wheels", "the kissat binary: best single runs"),
    "ships": ("numba", "row-wise ship searches"),
}
CHECKERS = {
    "drat-trim": "checks DRAT proofs; Debian's package drat-trim",
    "lrat-check": "checks LRAT proofs; in Debian's package drat-trim",
    "cake_lpr": "checks LRAT proofs, itself verified; build it from its project",
}


@click.command(name="doctor")
def command() -> None:
    """Show which solvers, checkers and extras are installed, and how to get the rest.

    \b
    Examples:
      satlife doctor
    """
    out = sys.stdout.write
    out(f"satlife {__version__}, Python {platform.python_version()}, {platform.system()}\n")
    out("\nPackages\n")
    for name in CORE:
        out(f"  {'ok':<8}{name} {_version(name)}\n")
    out("\nExtras (pip install 'satlife[NAME]')\n")
    for name, (module, purpose) in EXTRAS.items():
        out(f"  {'ok' if find_spec(module) else 'missing':<8}{name}: {purpose}\n")
    out("\nSolvers\n")
    for line in _solver_lines():
        out(f"  {line}\n")
    out("\nProof checkers\n")
    for name, purpose in CHECKERS.items():
        out(f"  {'ok' if shutil.which(name) else 'missing':<8}{name}: {purpose}\n")


def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "(no version)"


def _solver_lines() -> list[str]:
    from satlife.sat import SOLVERS

    lines = []
    for solver in SOLVERS:
        version = f" ({found})" if solver.available and (found := solver.version()) else ""
        how = "" if solver.available else f"; {solver.how_to_get}"
        state = "ok" if solver.available else "missing"
        lines.append(f"{state:<8}{solver.name}: {solver.title}{version}{how}")
    return lines
