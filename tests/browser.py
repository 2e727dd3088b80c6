"""A real browser for tests: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

NAMES = ("chromium-headless-shell", "chromium", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
"""The first one has no windows to draw, and takes half the processor time of the others."""

PATIENCE = 120_000
"""Milliseconds that a page may take on a busy machine."""


@dataclass(frozen=True)
class Browser:
    """A browser whose pages are waited for with patience."""

    real: Any

    def new_context(self, **settings: Any) -> Any:
        context = self.real.new_context(**settings)
        context.set_default_timeout(PATIENCE)
        return context

    def new_page(self, **settings: Any) -> Any:
        page = self.real.new_page(**settings)
        page.set_default_timeout(PATIENCE)
        return page


@contextmanager
def open_browser() -> Iterator[Browser]:
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
        yield Browser(browser)
        browser.close()


def ask_axe(page: Any) -> list[dict[str, Any]]:
    """Return the violations that axe finds; its script is put into a page once, and passes stay."""
    from axe_playwright_python.base import AXE_SCRIPT

    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return page.evaluate("axe.run({ resultTypes: ['violations'] }).then(told => told.violations)")
