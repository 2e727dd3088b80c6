"""``python -m satlife`` is the command ``satlife``."""

from __future__ import annotations

from satlife.cli.app import main

if __name__ == "__main__":
    main()
