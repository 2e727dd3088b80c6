"""Output that changes in place on a terminal, drawn by Rich; control characters are escaped first.

It is imported on a terminal only: Rich takes a while.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

from rich.console import Console, RenderableType
from rich.file_proxy import FileProxy
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from satlife.cli.start import AsIs, make_visible


class _Above(FileProxy):
    """A stream whose text goes above the live output."""

    def write(self, text: str) -> int:
        """Write a text; Rich would obey its control characters."""
        return super().write(make_visible(text))


class Line(Spinner):
    """A line, and perhaps some below it, after a spinner."""

    def __init__(self, text: str) -> None:
        super().__init__("dots", text=show_text(text), style="status.spinner")

    def set(self, text: str) -> None:
        """Change the text."""
        self.update(text=show_text(text))


def show_text(text: str) -> Text:
    """Return a text for Rich, without markup or control characters."""
    return Text(make_visible(text))


@contextmanager
def show_live(
    shown: RenderableType | None = None, stream: TextIO | None = None, **options: Any
) -> Iterator[Live]:
    """Show output that changes, on standard error unless another stream is given."""
    file = cast("TextIO", AsIs(sys.stderr if stream is None else stream))
    console = Console(file=file, highlight=False)
    own = {"redirect_stdout": False, "redirect_stderr": False, **options}
    with ExitStack() as stack:
        live = stack.enter_context(Live(shown, console=console, **own))
        stack.enter_context(redirect_stderr(_Above(console, sys.stderr)))
        # Text for a file stays out of the terminal.
        if sys.stdout.isatty():
            stack.enter_context(redirect_stdout(_Above(console, sys.stdout)))
        yield live
