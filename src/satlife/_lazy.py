"""Packages whose names are imported when they are first used (PEP 562).

``import satlife`` then costs next to nothing, and a command imports only what it needs.  Type
checkers read the same names in the package's ``TYPE_CHECKING`` block; a test compares the two.
"""

from __future__ import annotations

TYPE_CHECKING = False  # spares every start the import of typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazy_names(
    package: str,
    homes: Mapping[str, str],
    more: Callable[[], Mapping[str, object]] = dict,
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return a package's ``__getattr__`` and ``__dir__``.

    ``homes`` has the names in each module, with blanks between them; those under the package's own
    name are its subpackages.  ``more`` returns further values by name.
    """
    home = {name: module for module, names in homes.items() for name in names.split()}

    def get(name: str) -> object:
        from importlib import import_module  # noqa: PLC0415 - not needed by every start

        if home.get(name) == package:
            return import_module(f"{package}.{name}")
        if name in home:
            return getattr(import_module(home[name]), name)
        if name == "__all__":
            return names()
        if not name.startswith("_") and name in (others := more()):
            return others[name]
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def names() -> list[str]:
        return sorted({*home, *more()})

    return get, names
