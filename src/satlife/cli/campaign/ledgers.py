"""The location of a plan's ledger: the option ``--ledger``, and the default beside the plan."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import click

from satlife.campaign.ledger import Ledger, compare, is_file, looks_edited, open_ledger
from satlife.campaign.plan import Plan
from satlife.cli.endings import complain
from satlife.errors import SatlifeError, UsageError


def refuse_password(
    context: click.Context, parameter: click.Parameter, value: tuple[str, ...] | str | None
) -> tuple[str, ...] | str | None:
    """Refuse an address with a password on the command line, which other users can see."""
    addresses = (value,) if isinstance(value, str) else value or ()
    source = context.get_parameter_source(parameter.name or "")
    if source is click.core.ParameterSource.COMMANDLINE and any(map(_has_password, addresses)):
        variable = parameter.envvar if isinstance(parameter.envvar, str) else "a variable"
        raise UsageError(
            f"others can see a password in a command; put the address into {variable}, "
            "or the password into a file"
        )
    return value


def _has_password(address: str) -> bool:
    try:
        return urlsplit(address).password is not None
    except ValueError:
        return False


ledger_option: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--ledger",
    "where",
    metavar="FILE",
    envvar="SATLIFE_LEDGER",
    callback=refuse_password,
    help="The ledger: a file (default: the plan's name with .db), or postgresql://… "
    "[SATLIFE_LEDGER]",
)
"""The option ``--ledger``."""

keep_option: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--keep-proofs",
    "keep",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Keep the checked proofs here, for satlife campaign certificates.",
)
"""The option ``--keep-proofs``."""


def find_ledger(plan: str, where: str | None) -> str:
    """Return the place of the ledger: as given, or beside the plan.

    A ledger may be given instead of its plan.
    """
    if where is not None:
        return where
    if is_ledger(plan):
        return plan
    if not Path(plan).name:
        raise UsageError(f"'{plan}' is not a plan")
    return str(Path(plan).with_suffix(".db"))


def is_ledger(plan: str) -> bool:
    """Whether a ledger was given instead of its plan."""
    return plan.endswith((".db", ".sqlite")) or not is_file(plan)


def write_again(plan: str, where: str | None) -> str:
    """Return the plan, and the ledger if it was given, as arguments of a command."""
    arguments = ["PLAN", "--ledger", plan] if is_ledger(plan) and where is None else [plan]
    arguments += [] if where is None else ["--ledger", where]
    if sys.platform == "win32":  # its shells know no single quotes
        return " ".join(f'"{each}"' if " " in each else each for each in arguments)
    return shlex.join(arguments)


@contextmanager
def open_existing(plan: str, where: str | None) -> Iterator[Ledger]:
    """Open the ledger of a plan that has begun; raise an error if it belongs to another plan."""
    place, same = find_ledger(plan, where), write_again(plan, where)
    if is_file(place) and not Path(place).exists():
        if not is_ledger(plan) and not _is_plan(plan):
            raise UsageError(f"there is no ledger {place}, and {plan} is not a plan")
        raise UsageError(f"there is no ledger {place}; satlife campaign run {same} creates it")
    with open_ledger(place, create=False) as ledger, blaming_edits(ledger, same):
        if not is_ledger(plan) and Path(plan).exists():
            ledger.check_plan(Plan.read(plan).name)
        yield ledger


@contextmanager
def blaming_edits(ledger: Ledger, same: str) -> Iterator[None]:
    """Report an error as a fault of the ledger if it was edited, not as a bug of satlife."""
    try:
        yield
    except SatlifeError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        if not compare(ledger).differences:
            raise
        raise UsageError(
            f"{ledger.store} was edited or is damaged ({type(error).__name__}: {error}); "
            f"satlife campaign check {same} lists the differences"
        ) from error


def _is_plan(path: str) -> bool:
    try:
        Plan.read(path)
    except (OSError, ValueError, SatlifeError):
        return False
    return True


def warn_if_edited(ledger: Ledger, same: str) -> None:
    """Warn if a ledger contradicts itself."""
    if looks_edited(ledger):
        complain(
            f"EDITED: {ledger.store} contradicts itself; "
            f"satlife campaign check {same} lists the differences"
        )
