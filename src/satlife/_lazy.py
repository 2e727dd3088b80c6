"""Packages whose names are imported when they are first used (PEP 562).

``import satlife`` then costs next to nothing, and a command imports only what it needs.  The names
stand once, in the package's ``__init__.pyi``, which type checkers read as well.
"""

from __future__ import annotations

TYPE_CHECKING = False  # spares every start the import of typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazy_names(
    package: str, file: str, more: Callable[[], Mapping[str, object]] = dict
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the ``__getattr__`` and ``__dir__`` of a package, given its name and its file.

    ``more`` returns further values by name.
    """
    homes: dict[str, str] = {}

    def home(name: str) -> str | None:
        if not homes:
            homes.update(read_stub(f"{file}i"))
        return homes.get(name)

    def get(name: str) -> object:
        from importlib import import_module  # noqa: PLC0415 - not needed by every start

        module = home(name)
        if module == package:
            return import_module(f"{package}.{name}")
        if module is not None:
            return getattr(import_module(module), name)
        if name == "__all__":
            return names()
        if not name.startswith("_") and name in (others := more()):
            return others[name]
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def names() -> list[str]:
        home("")
        return sorted({*homes, *more()})

    return get, names


def read_stub(path: str) -> dict[str, str]:
    """Return the module of each name that a stub imports; it holds nothing but such imports."""
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - pathlib costs a start more
        statements = file.read().split("from ")[1:]
    homes = {}
    for statement in statements:
        module, _, names = statement.partition(" import ")
        for name in names.strip("() \n").split(","):
            if name.strip():
                homes[name.split(" as ")[-1].strip()] = module
    return homes
