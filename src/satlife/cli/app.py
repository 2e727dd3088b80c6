"""The entry point of ``satlife``; the commands are in ``group``."""

from __future__ import annotations

from satlife.cli.start import start


def main() -> None:
    """Run the command ``satlife``."""
    start("satlife", "satlife.cli.group", "run")
