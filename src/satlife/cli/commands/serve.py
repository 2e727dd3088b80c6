"""``satlife serve``: the page, for this machine's browser."""

from __future__ import annotations

import threading
import webbrowser

import click

from satlife.cli.endings import say
from satlife.cli.own import find_file
from satlife.errors import UsageError


@click.command(name="serve")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N",
    help="The port of 127.0.0.1.  [default: 8642, or a free one]",
)  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Only print the address; open no browser.")
@click.option(
    "--ledger", metavar="FILE",
    help="Where finds and history are kept.  [default: page.db in satlife's data folder]",
)  # fmt: skip
def command(port: int | None, no_browser: bool, ledger: str | None) -> None:
    """Open a page in your browser: draw, search, watch, share.

    The page is served to this machine only.  Its address has a token that changes with every start;
    searches go on while no page is open.  Ctrl-C ends the server and its searches.  Needs the extra
    web: pip install 'satlife[web]'.

    \b
    Examples:
      satlife serve
      satlife serve --port 9000 --no-browser
    """
    try:
        import starlette  # noqa: F401, PLC0415 - named first, since uvicorn may come with something else
        import uvicorn  # noqa: F401, PLC0415
    except ImportError:
        raise UsageError("the page needs the extra web: pip install 'satlife[web]'") from None
    from satlife.web.server import open_socket, serve  # noqa: PLC0415 - an extra

    if ledger is None:
        place = find_file().with_name("page.db")
        place.parent.mkdir(parents=True, exist_ok=True)
        ledger = str(place)
    listener = open_socket(port)

    def tell(address: str) -> None:
        click.echo(address)
        say("satlife: open this address in a browser on this machine; Ctrl-C ends the server")
        if not no_browser:
            # Some browsers are started in this process's terminal and take a while.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    serve(listener, ledger, on_ready=tell)
