"""The entry points of the drop-in scripts ``sat-life-grid`` …; ``dropins`` implements them."""

from __future__ import annotations

from satlife.cli.start import start

TYPE_CHECKING = False  # spares every start the import of typing
if TYPE_CHECKING:
    from collections.abc import Callable


def _script(name: str) -> Callable[[], None]:
    return lambda: start(name, "satlife.cli.dropins", "run", name)


def sat_life_filter() -> None:
    """Draw solutions."""
    start("sat-life-filter", "satlife.cli.dropins", "run_filter")


sat_life = _script("sat-life")
sat_life_grid = _script("sat-life-grid")
sat_life_grid90 = _script("sat-life-grid90")
sat_life_grid90_cycle = _script("sat-life-grid90-cycle")
sat_life_grid_spaceships = _script("sat-life-grid-spaceships")
sat_life_grid_cycle = _script("sat-life-grid-cycle")
sat_life_grid_eater = _script("sat-life-grid-eater")
sat_life_grid_spaceships_sym = _script("sat-life-grid-spaceships-sym")
sat_life_gridquad = _script("sat-life-gridquad")
sat_life_gridquad_cycle = _script("sat-life-gridquad-cycle")
sat_life_torus = _script("sat-life-torus")
sat_life_torus_cycle = _script("sat-life-torus-cycle")
sat_life_upper = _script("sat-life-upper")
