"""The server's routes: questions in, jobs and their events out.

Nothing slow happens in the event loop: reading a question, drawing and the ledger have threads of
their own, and searches belong to the desk.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import anyio
import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from satlife._version import __version__
from satlife.engine import ENGINES
from satlife.errors import UsageError
from satlife.kinds import HEADINGS
from satlife.life import PartialPattern
from satlife.life.catalogue import name_any, name_partial
from satlife.life.cells import UNKNOWN
from satlife.life.formats import describe_unread
from satlife.problem.lls_grid import read_grid
from satlife.problem.sketch import show_grid
from satlife.serving import read_number
from satlife.show import Scene, find_picture_format
from satlife.show.player import write_scene
from satlife.show.style import Style
from satlife.web import orders, questions
from satlife.web.client import read_files
from satlife.web.desk import Job, JobDesk, QueueFullError
from satlife.web.guard import read_body
from satlife.web.history import History
from satlife.web.orders import Allowed, JobOrder
from satlife.web.questions import FieldError, FilledForm
from satlife.web.work import draw_certificate

T = TypeVar("T")

HEARTBEAT: Final = 15.0
"""Seconds after which a silent stream sends a comment, so that a dead client is noticed."""
PICTURES: Final = {
    "svg": "image/svg+xml",
    "gif": "image/gif",
    "png": "image/png",
    "html": "text/html",
}
MOST_SHOWN: Final = 40_000
"""Maximum cells of a pattern that is pasted, or comes with a link."""
MOST_TILED: Final = 64
"""Maximum width and height of such a torus: its copies are computed for many generations."""


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text that a person has pasted, and the question that it answers."""

    text: str
    question: FilledForm | None = None


class Addresses(NamedTuple):
    """Addresses that a page gives to others; None if they are not known."""

    share: str | None
    """The static page, which opens links."""
    docs: str | None
    """The documents, with a slash at the end."""


class Routes:
    """The routes of the server."""

    def __init__(
        self, desk: JobDesk, history: History, allowed: Allowed, addresses: Addresses
    ) -> None:
        self.desk, self.history, self.allowed, self.addresses = desk, history, allowed, addresses
        self.streams = 0
        """Connections that listen to events."""
        self._threads = anyio.CapacityLimiter(3)
        self._files = read_files()

    def make_app(self) -> Starlette:
        """Return the application."""
        api: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
            ("GET", "/api/start", self.start),
            ("POST", "/api/check", self.check),
            ("POST", "/api/offers", self.offers),
            ("POST", "/api/read", self.read),
            ("POST", "/api/scene", self.scene),
            ("GET", "/api/jobs", self.list_jobs),
            ("POST", "/api/jobs", self.submit),
            ("GET", "/api/jobs/{id}", self.show_job),
            ("DELETE", "/api/jobs/{id}", self.stop),
            ("GET", "/api/jobs/{id}/events", self.events),
            ("GET", "/api/jobs/{id}/certificate.zip", self.certificate),
            ("GET", "/api/jobs/{id}/certificate.svg", self.certificate_card),
            ("GET", "/api/jobs/{id}/picture/{number}.{suffix}", self.picture),
            ("GET", "/api/history", self.show_history),
            ("GET", "/api/history/export", self.export),
            ("POST", "/api/history/import", self.import_history),
        ]
        routes = [Route(path, action, methods=[method]) for method, path, action in api]
        routes += [Route("/{name:path}", self.file, methods=["GET"])]
        return Starlette(
            routes=routes,
            exception_handlers={
                HTTPException: _answer_http_error,
                UsageError: _answer_usage_error,
                Exception: _answer_bug,
            },
        )

    async def file(self, request: Request) -> Response:
        """Return a file of the page."""
        found = self._files.get(request.path_params["name"] or "index.html")
        if found is None:
            raise HTTPException(404, "there is no such page")
        headers = {"cache-control": "no-cache", "etag": found.mark, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == found.mark:
            return Response(status_code=304, headers=headers)
        content = found.content
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"], content = "gzip", found.packed
        return Response(content, media_type=found.media_type, headers=headers)

    async def start(self, request: Request) -> Response:
        """Return the data that the page needs to begin."""
        return _pack(
            request,
            {
                "version": __version__,
                "can": ("pictures", "goals", "certificates", "ledger", "engines"),
                **self.addresses._asdict(),
                "kinds": await self._in_thread(questions.describe_forms),
                "looks": questions.describe_looks(),
                "headings": HEADINGS,
                "engines": [{"name": each.name, "title": each.title} for each in ENGINES],
                "symmetries": questions.SYMMETRIES,
                "spellings": questions.SPELLED,
                "limits": msgspec.to_builtins(self.allowed),
                "jobs": [job.describe() for job in self.desk.jobs()],
            },
        )

    async def check(self, request: Request) -> Response:
        """Return the meaning of a question, or its error."""
        question = await self._body(request, FilledForm)

        def describe() -> dict[str, Any]:
            problem = questions.read_question(question, self.allowed.check)
            order = JobOrder(
                request=orders.Request(question=question),
                problem=problem,
                command=questions.write_command(question),
            )
            return {**order.describe(), "seen": questions.look_at(problem)}

        return _answer(await self._in_thread(describe))

    async def offers(self, request: Request) -> Response:
        """Return what may help a search that takes long."""
        question = await self._body(request, FilledForm)
        listed = partial(questions.list_offers, question, self.allowed.check, self.allowed.running)
        return _answer(await self._in_thread(listed))

    async def read(self, request: Request) -> Response:
        """Read a pasted pattern: RLE with ``?``, plaintext, or a grid of Logic Life Search."""
        given = await self._body(request, Text)
        return _answer(await self._in_thread(partial(read_cells, given.text)))

    async def scene(self, request: Request) -> Response:
        """Return a pattern as a scene for the player, with its identity."""
        given = await self._body(request, Text)

        def show() -> dict[str, Any]:
            pattern = name_any(given.text)
            box, tiled = pattern.box, isinstance(pattern, PartialPattern) and pattern.torus
            if box.area > MOST_SHOWN or (tiled and max(box.width, box.height) > MOST_TILED):
                raise UsageError(f"the pattern is {box}; that is too large for a page")
            return write_scene(questions.show_answer(pattern, given.question))

        return _answer(await self._in_thread(show))

    async def list_jobs(self, request: Request) -> Response:
        """Return all jobs, the latest first."""
        return _answer([job.describe() for job in self.desk.jobs()])

    async def submit(self, request: Request) -> Response:
        """Start a search."""
        given = await self._body(request, orders.Request)
        order = await self._in_thread(partial(JobOrder.of, given, self.allowed))
        job = self.desk.submit(order)
        return _answer(job.describe(), 202)

    async def show_job(self, request: Request) -> Response:
        """Return a short description of a job."""
        return _answer(self._job(request).describe())

    async def stop(self, request: Request) -> Response:
        """Stop a job."""
        job = self._job(request)
        await self._in_thread(partial(self.desk.stop, job))
        return _answer(job.describe())

    async def events(self, request: Request) -> Response:
        """Stream the messages of a job, those after ``Last-Event-ID`` if that is given."""
        job = self._job(request)
        last = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
        if (after := read_number(last)) is None:
            raise HTTPException(400, "an event's id is a whole number")
        if job.is_over and not job.after(after):
            return Response(status_code=204)  # so the browser does not ask again
        if self.streams >= self.allowed.streams:
            raise HTTPException(503, "too many pages listen already; close some")
        return _Listener(self, self._stream(job, after))

    async def _stream(self, job: Job, last: int) -> AsyncIterator[bytes]:
        wake, loop = asyncio.Event(), asyncio.get_running_loop()

        def alert() -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(wake.set)

        with job.listening(alert):
            yield b"retry: 1000\n\n"
            while True:
                wake.clear()
                over = job.is_over
                for message in job.after(last):
                    last = message.number
                    content = msgspec.json.encode(message.content).decode()
                    head = f"id: {message.number}\nevent: {message.kind}\n"
                    yield f"{head}data: {content}\n\n".encode()
                if over:
                    return
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        await wake.wait()
                except TimeoutError:
                    yield b": still here\n\n"

    async def certificate(self, request: Request) -> Response:
        """Return the certificate of a job, as a zip file."""
        job = self._job(request)
        name = f"certificate-{job.order.problem.name[:12]}.zip"
        return FileResponse(_certificate(job), filename=name, media_type="application/zip")

    async def certificate_card(self, request: Request) -> Response:
        """Return a picture of what the certificate of a job says."""
        job = self._job(request)
        _certificate(job)
        drawn = await self._in_thread(partial(draw_certificate, job))
        name = f"certificate-{job.order.problem.name[:12]}.svg"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(drawn, media_type=PICTURES["svg"], headers=headers)

    async def picture(self, request: Request) -> Response:
        """Return a picture of a job's findings."""
        job, suffix = self._job(request), request.path_params["suffix"]
        number = read_number(request.path_params["number"])
        if suffix not in PICTURES or number is None or number >= len(job.scenes):
            raise HTTPException(404, "there is no such picture")
        scene, style = job.scenes[number], Style(animate=suffix == "svg")
        drawn = await self._in_thread(lambda: find_picture_format(suffix).draw([scene], style))
        name = f"satlife-{job.order.problem.name[:8]}-{number}.{suffix}"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(drawn, media_type=PICTURES[suffix], headers=headers)

    async def show_history(self, request: Request) -> Response:
        """Return the last questions of the ledger, with their finds."""
        return _answer(await self._in_thread(partial(self.history.last, 50)))

    async def export(self, request: Request) -> Response:
        """Return the ledger as JSON Lines."""
        headers = {"content-disposition": 'attachment; filename="satlife-history.jsonl"'}
        lines = self.history.export()
        return StreamingResponse(lines, media_type="application/jsonl", headers=headers)

    async def import_history(self, request: Request) -> Response:
        """Merge an exported ledger."""
        given = await self._body(request, Text, most=self.allowed.import_bytes)
        return _answer(await self._in_thread(partial(self.history.merge, given.text)))

    def _job(self, request: Request) -> Job:
        job = self.desk.find(request.path_params["id"])
        if job is None:
            raise HTTPException(404, "this search is not here any more")
        return job

    async def _body(self, request: Request, kind: type[T], most: int | None = None) -> T:
        most = most or self.allowed.body_bytes
        return await read_body(request, kind, most=most, patience=self.allowed.patience)

    async def _in_thread(self, function: Callable[[], T]) -> T:
        """Call a function in a thread; few at a time."""
        return await anyio.to_thread.run_sync(function, limiter=self._threads)


class _Listener(StreamingResponse):
    """A stream of events, counted from its acceptance: the first event may come much later."""

    def __init__(self, routes: Routes, events: AsyncIterator[bytes]) -> None:
        headers = {"cache-control": "no-store"}
        super().__init__(events, media_type="text/event-stream", headers=headers)
        self._routes = routes
        routes.streams += 1

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events until the client or the job ends."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._routes.streams -= 1


def _certificate(job: Job) -> Path:
    if job.certificate is None or not job.certificate.is_file():
        raise HTTPException(404, "this search has no certificate")
    return job.certificate


def read_cells(text: str) -> dict[str, Any]:
    """Return the cells of a pasted text: ``o``, ``.``, ``?``, and ``*`` for don't care."""
    if not text.strip():
        raise UsageError("paste a pattern: RLE, plaintext, or a grid of Logic Life Search")
    if grid := read_grid(text):
        states = grid.pattern.states
        if grid.links or any(t and states[t, y, x] != UNKNOWN for x, y, t in grid.exempt):
            raise UsageError(
                "cells with names, and known cells that need not follow, cannot be drawn here; "
                "satlife complete takes them"
            )
        scene, rule, unread = show_grid(grid), "", ""
    else:
        cells: PartialPattern = name_partial(text)
        scene, rule = Scene.of(cells), str(cells.rule) if "rule" in text.lower() else ""
        unread = describe_unread(text)
    box = scene.box
    if box.area * len(scene.frames) > MOST_SHOWN:
        raise UsageError(f"the pattern is {box}; that is too large to draw here")
    letters = {0: ".", 1: "o", 254: "*", 255: "?"}
    return {
        "x": box.x,
        "y": box.y,
        "width": box.width,
        "height": box.height,
        "rule": rule,
        **({"unread": unread} if unread else {}),
        "cells": [
            ["".join(letters.get(state, "?") for state in row) for row in frame.see(box).tolist()]
            for frame in scene.frames
        ],
    }


def _answer(content: Any, status: int = 200) -> Response:
    return Response(
        msgspec.json.encode(content),
        status,
        {"cache-control": "no-store"},
        media_type="application/json",
    )


def _pack(request: Request, content: Any) -> Response:
    """Answer with a large text, compressed if the browser accepts that."""
    answer = _answer(content)
    if "gzip" in request.headers.get("accept-encoding", ""):
        packed = gzip.compress(bytes(answer.body), 6)
        headers = {"cache-control": "no-store", "content-encoding": "gzip"}
        return Response(packed, headers=headers, media_type="application/json")
    return answer


def _answer_http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    message = error.detail if isinstance(error, HTTPException) else str(error)
    return JSONResponse({"error": message}, status, {"cache-control": "no-store"})


def _answer_usage_error(request: Request, error: Exception) -> Response:
    name = error.name if isinstance(error, FieldError) else ""
    status = 429 if isinstance(error, QueueFullError) else 422
    message = str(error)
    return _answer({"error": message[:1].upper() + message[1:], "field": name}, status)


def _answer_bug(request: Request, error: Exception) -> Response:
    return _answer({"error": f"satlife has a bug: {type(error).__name__}: {error}"[:400]}, 500)
