"""The page that needs no server, on a server that only has files."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from scripts.build_try import build


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files, and says nothing of it."""

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serve_files(folder: Path) -> Iterator[str]:
    """Serve a folder, and yield its address."""
    serve = partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def static_page(folder: Path, where: str = "some/where") -> Iterator[str]:
    """Build the page in a folder below a folder, serve that, and yield the page's address."""
    if not (folder / where / "index.html").exists():
        build(folder / where)
    with serve_files(folder) as address:
        yield f"{address}{where}/"
