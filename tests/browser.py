"""A real browser for tests: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


@contextmanager
def open_browser() -> Iterator[Any]:
    """Start Chromium; where it or Playwright is missing the test is skipped, but not in CI."""
    must = "CI" in os.environ and sys.platform == "linux"
    if not must and CHROMIUM is None:
        pytest.skip("there is no chromium here")
    if not must:
        pytest.importorskip("playwright")
    from playwright.sync_api import sync_playwright

    # Chromium has no sandbox for root.
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"] if is_root else []
        )
        yield browser
        browser.close()
