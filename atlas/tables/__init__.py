"""The tables of the atlas: a file each, and a line here."""

from __future__ import annotations

from atlas.table import Table
from atlas.tables import (
    eaters,
    formulas,
    orphans,
    oscillators,
    outcomes,
    rotors,
    rules,
    ships,
    still_lifes,
)

TABLES: tuple[Table, ...] = (
    oscillators.TABLE,
    ships.TABLE,
    still_lifes.TABLE,
    rotors.TABLE,
    eaters.TABLE,
    outcomes.TABLE,
    orphans.TABLE,
    rules.TABLE,
    formulas.TABLE,
)
