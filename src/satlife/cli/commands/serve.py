"""``satlife serve``: the page, for this machine's browser."""

from __future__ import annotations

import threading
import webbrowser
from contextlib import closing

import click

from satlife.cli.endings import say
from satlife.cli.help import Command
from satlife.cli.own import find_file
from satlife.cli.printing import print_line


@click.command(name="serve", cls=Command)
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N",
    help="The port of 127.0.0.1.  [default: 8642, or a free one]",
)  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Only print the address; open no browser.")
@click.option(
    "--ledger", metavar="FILE",
    help="The file of finds and history.  [default: page.db in satlife's data folder]",
)  # fmt: skip
@click.option(
    "--share-at", metavar="URL", default="", envvar="SATLIFE_SHARE_AT",
    help="The page that links lead to, for readers without satlife.  [SATLIFE_SHARE_AT]",
)  # fmt: skip
def command(port: int | None, no_browser: bool, ledger: str | None, share_at: str) -> None:
    """Open a page in your browser: draw, search, watch, share.

    The page is served to this machine only.  Its address has a token that changes with every start;
    searches go on while no page is open.  Ctrl-C ends the server and its searches.

    \b
    Examples:
      satlife serve
      satlife serve --port 9000 --no-browser
    """
    from satlife.web.ledger import LedgerHistory  # noqa: PLC0415 - --help needs no server
    from satlife.web.server import find_addresses, open_socket, serve  # noqa: PLC0415 - the same

    if ledger is None:
        place = find_file().with_name("page.db")
        place.parent.mkdir(parents=True, exist_ok=True)
        ledger = str(place)
    addresses, listener = find_addresses(share_at), open_socket(port)

    def announce(address: str) -> None:
        print_line(address)
        say("satlife: open this address in a browser on this machine; Ctrl-C ends the server")
        if not no_browser:
            # Some browsers are started in this process's terminal and take a while.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    with closing(LedgerHistory(ledger)) as history:
        serve(listener, history, addresses, on_ready=announce)
