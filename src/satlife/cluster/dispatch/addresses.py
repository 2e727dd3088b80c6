"""Where a request comes from: the address that limits are counted for, and whom to ask about it.

A user of IPv6 has a whole network of addresses, so its /64 counts as one.  IPv4 addresses look the
same however the socket names them.
"""

from __future__ import annotations

import ipaddress
from typing import Final

from satlife.errors import UsageError

UNKNOWN: Final = ""
"""What is no address at all."""


def name_address(text: str) -> str:
    """Return the name under which an address is counted; it is short, whatever the text.

    >>> name_address("192.0.2.1"), name_address("::ffff:192.0.2.1"), name_address("x" * 9000)
    ('192.0.2.1', '192.0.2.1', '')
    >>> name_address("2001:db8::1") == name_address("2001:db8::2")
    True
    """
    address = _read(text)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(address), 64), strict=False))
    return UNKNOWN if address is None else str(address)


class Proxies:
    """The proxies in front of us, which say for whom they ask.

    >>> proxies = Proxies("127.0.0.1, 10.0.0.0/8")
    >>> proxies.find_client("127.0.0.1", "192.0.2.66, 192.0.2.1, 10.0.0.2")
    '192.0.2.1'
    >>> proxies.find_client("192.0.2.1", "10.0.0.2")
    '192.0.2.1'
    """

    def __init__(self, text: str) -> None:
        """Read addresses and networks, separated by commas; ``*`` is whoever connects to us."""
        self._is_anybody = text == "*"
        try:
            self._networks = [
                ipaddress.ip_network(each.strip())
                for each in (() if self._is_anybody else text.split(","))
            ]
        except ValueError:
            raise UsageError(
                f"{text!r} is not the address of a proxy; write 10.0.0.1, a network as 10.0.0.0/8, "
                "several with commas between them, or *"
            ) from None

    def has(self, peer: str) -> bool:
        """Whether whoever connects to us from this address is a proxy."""
        return self._is_anybody or self._is_listed(peer)

    def find_client(self, peer: str, forwarded: str) -> str:
        """Return the name of the address that a request comes from, given ``X-Forwarded-For``.

        Every proxy adds to the right what it has seen, and a client may begin with anything.  So
        the last address counts that is not that of a proxy; of ``*``, only the last proxy is known.
        """
        client = peer
        if self.has(peer):
            for hop in reversed(forwarded.split(",")):
                if _read(hop) is None:
                    break
                client = hop
                if not self._is_listed(hop):
                    break
        return name_address(client)

    def _is_listed(self, text: str) -> bool:
        address = _read(text)
        return address is not None and any(address in network for network in self._networks)


HERE: Final = Proxies("127.0.0.1")
"""A proxy on this machine."""


def _read(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text.strip())
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
