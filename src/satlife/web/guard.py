"""Access control: only this machine's browser, from our own page, with the token.

- The Host must be ours: a name that a foreign site lets point to 127.0.0.1 is refused (400).
- The Origin of a request, if it has one, must be ours (403).
- The printed address has a token, which is exchanged for a cookie that no script can read and no
  other site can send.  Programs may send the token as ``Authorization: Bearer``.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final, TypeVar

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request, cookie_parser
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from satlife.errors import FormatError
from satlife.problem.documents import decode_json
from satlife.serving import read_bytes

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

PUBLIC: Final = frozenset({"/favicon.svg", "/favicon.ico", "/again.js"})

_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}

_SHUT: Final = """<!DOCTYPE html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>satlife</title>
<script src="/again.js"></script>
<main><h1>This address needs its token</h1>
<p>Open the address that <code>satlife serve</code> has printed. It changes with every start.</p>
</main></html>
"""


class Guard:
    """An ASGI application that protects another one."""

    def __init__(self, app: App, *, port: int, token: str | None = None) -> None:
        self.app = app
        self.token = token or secrets.token_urlsafe(24)
        self._session = secrets.token_urlsafe(24)
        # Cookies ignore ports: two servers must not overwrite each other's.
        self._cookie = f"satlife-{port}"
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] != "http":
            return

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message.setdefault("headers", []))
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._refuse(scope)
        await (answer or self.app)(scope, receive, send_with_headers)

    def _refuse(self, scope: Scope) -> Response | None:
        """Return a refusal; None if the request may pass."""
        headers = Headers(scope=scope)
        if (foreign := self._refuse_foreign(headers)) or scope["path"] in PUBLIC:
            return foreign
        given = QueryParams(scope.get("query_string", b"")).get("token")
        if given is not None and scope["path"] == "/" and self._equals(given, self.token):
            response = RedirectResponse("/", 303)
            response.set_cookie(
                self._cookie, self._session, httponly=True, samesite="strict", path="/"
            )
            return response
        if self._has_access(headers):
            return None
        if scope["path"] == "/":
            return HTMLResponse(_SHUT, 401, {"cache-control": "no-store"})
        return _refusal(401, "open the address that satlife serve has printed")

    def _refuse_foreign(self, headers: Headers) -> Response | None:
        if headers.get("host", "").lower() not in self._hosts:
            return _refusal(400, "this server answers to 127.0.0.1 only")
        origin = headers.get("origin")
        ours = {f"http://{host}" for host in self._hosts}
        crossing = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        if origin is not None and (crossing or origin.lower() not in ours):
            return _refusal(403, "this server answers to its own page only")
        return None

    def _has_access(self, headers: Headers) -> bool:
        cookie = cookie_parser(headers.get("cookie", "")).get(self._cookie, "")
        if self._equals(cookie, self._session):
            return True
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self._equals(given, self.token)

    @staticmethod
    def _equals(given: str, wanted: str) -> bool:
        return secrets.compare_digest(given.encode(), wanted.encode())


def _refusal(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": message}, status, {"cache-control": "no-store"})


# Reading request bodies: JSON only, of bounded size, in bounded time.


T = TypeVar("T")


async def read_body(request: Request, kind: type[T], *, most: int, patience: float) -> T:
    """Read a body; an invalid one raises an error with its status code."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(415, "send JSON, with the content type application/json")
    body = await read_bytes(request, most=most, patience=patience)
    try:
        return decode_json(body, kind, "a request")
    except FormatError as error:
        raise HTTPException(400, str(error)) from None
