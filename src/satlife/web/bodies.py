"""Reading what a browser sends: JSON only, of bounded size, in bounded time."""

from __future__ import annotations

import asyncio
from typing import TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from satlife.errors import FormatError
from satlife.search.problem.documents import decode_json

T = TypeVar("T")


async def read_body(request: Request, kind: type[T], *, most: int, patience: float) -> T:
    """Read a body; what is wrong with it is an answer with its status code."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(415, "send JSON, with the content type application/json")
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > most:
        raise HTTPException(413, f"a request has at most {most:,} bytes")
    body = bytearray()
    try:
        async with asyncio.timeout(patience):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise HTTPException(413, f"a request has at most {most:,} bytes")
    except TimeoutError:
        raise HTTPException(408, "the request took too long to arrive") from None
    except ClientDisconnect:
        raise HTTPException(400, "the request ended early") from None
    try:
        return decode_json(bytes(body), kind, "a request")
    except FormatError as error:
        raise HTTPException(400, str(error)) from None
