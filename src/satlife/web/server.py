"""The server itself: a socket on 127.0.0.1, the desk, and uvicorn around it."""

from __future__ import annotations

import socket
import tempfile
import threading
from collections.abc import Callable
from importlib.metadata import metadata
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import uvicorn

from satlife.errors import UsageError
from satlife.serving import PatientProtocol
from satlife.web.desk import JobDesk
from satlife.web.guard import Guard
from satlife.web.history import History
from satlife.web.orders import Allowed
from satlife.web.questions import describe_forms
from satlife.web.routes import Addresses, Routes
from satlife.web.work import JobRunner

HOST: Final = "127.0.0.1"
PORT: Final = 8642
"""The default port, if it is free."""
CONNECTIONS: Final = 200


def open_socket(port: int | None) -> socket.socket:
    """Listen on a port of this machine; None is the usual one, or any if that is taken."""
    for each in (PORT, 0) if port is None else (port,):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, each))
            listener.listen(128)
        except OSError as error:
            listener.close()
            if port is not None:
                raise UsageError(
                    f"port {port} cannot be used: {error.strerror}; leave --port out for a free one"
                ) from None
            continue
        return listener
    raise UsageError("no port of 127.0.0.1 is free")


def find_addresses(share_at: str) -> Addresses:
    """Return where others find the page and the documents; by default as the package says."""
    if not share_at:
        urls = dict(url.split(", ", 1) for url in metadata("satlife").get_all("Project-URL") or ())
        share_at = urls.get("Try", "")
    elif urlsplit(share_at).scheme not in ("http", "https") or set(share_at) & set("?# "):
        raise UsageError(f"{share_at!r} is not the address of a page; write https://host/try/")
    docs = share_at.removesuffix("try/") if share_at.endswith("/try/") else ""
    return Addresses(share_at or None, docs or None)


def serve(
    listener: socket.socket,
    history: History,
    addresses: Addresses,
    *,
    on_ready: Callable[[str], None],
    allowed: Allowed | None = None,
) -> None:
    """Serve the page until a signal ends it; ``on_ready`` gets the address, with the token."""
    allowed = allowed or Allowed()
    port = listener.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="satlife-serve-") as folder:
        desk = JobDesk(allowed, JobRunner(allowed, Path(folder), history.record))
        guard = Guard(Routes(desk, history, allowed, addresses).make_app(), port=port)
        config = uvicorn.Config(
            guard,
            http=PatientProtocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            limit_concurrency=CONNECTIONS,
            timeout_keep_alive=20,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=32_768,
        )
        try:
            threading.Thread(target=describe_forms, daemon=True).start()  # no page waits for it
            on_ready(f"http://{HOST}:{port}/?token={guard.token}")
            uvicorn.Server(config).run(sockets=[listener])
        finally:
            desk.close()
