"""The work of a job: it searches, or makes a certificate, and reports its progress.

Every job ends in one of the desk's final states; its errors are reported in the job itself.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
import time
import zipfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, cast

from satlife.certificates.check.states import STATES, state_width
from satlife.certificates.claims import NoneExists
from satlife.certificates.folder import CERTIFICATE, STATEMENT, hash_bytes
from satlife.certificates.make.maker import Proving, certify
from satlife.certificates.make.width_folder import MOST_STATES, certify_width, goes_by_rows
from satlife.certificates.make.writer import Stage
from satlife.certificates.proof_search import claim_none
from satlife.certificates.words.statement import make_statement
from satlife.engine import Options, Search, Wanted, pick_engine, start
from satlife.engine.engine import Built, Event, Finished, Improved, Progress, Result
from satlife.engine.first import find_first
from satlife.engine.goals import Best, name_goals
from satlife.engine.rows.closed_sets import refuse_width
from satlife.errors import UsageError
from satlife.kinds import kind_of
from satlife.problem import Problem
from satlife.problem.outcome import Finding, Found, Impossible, Listed, Outcome, Undecided
from satlife.problem.sketch import make_sketch
from satlife.problem.words import describe_short, name_symmetry
from satlife.records import describe_finding, say_none, write_rle
from satlife.show.caption import Caption
from satlife.show.card import Card
from satlife.show.player import write_scene
from satlife.web.desk import Job
from satlife.web.orders import Allowed
from satlife.web.questions import find_answer, is_boxless, list_makes

INTERVAL: Final = 0.4
"""Seconds between two messages of progress."""

MOST_SKETCHED: Final = 4_000
"""Maximum number of cells, in all generations, of a question that is drawn."""

_CERTIFIED: Final = (
    "A proof was written, and a checker that shares nothing with the search has accepted it. "
    "Check it yourself: unpack it and run satlife check."
)

_CERTIFIED_WIDTH: Final = (
    "The states that the search met were written down, and a checker that shares nothing with the "
    "search has found that no ship leads out of them. Check it yourself: unpack it and run satlife "
    "check."
)
_BASIS: Final = {
    "impossible": "So far this is the solver's word; a certificate can be checked by anyone.",
    "exhausted": "Nobody has checked this; a certificate can be checked by anyone.",
}
"""What an answer of "none" rests on."""

_LOG: Final = logging.getLogger(__name__)

Record = Callable[[Job, Finding | Impossible | Undecided], None]
"""Writes an answer into the history."""


class JobRunner:
    """Runs jobs, each in the thread that calls it."""

    def __init__(self, allowed: Allowed, folder: Path, record: Record) -> None:
        self.allowed, self.folder, self.record = allowed, folder, record

    def __call__(self, job: Job) -> None:
        """Run a job to its end."""
        try:
            if job.order.request.goal == "certificate":
                self._certify(job)
            else:
                self._search(job)
        except UsageError as error:
            _end(job, "failed", "This cannot be searched for", f"{_begin(str(error))}.")
        except MemoryError:
            _end(job, "undecided", "Undecided: out of memory", "Try a smaller box.")
        except Exception as error:
            _LOG.exception("a search has failed")
            words = f"{type(error).__name__}: {error}"
            _end(job, "failed", "The search has failed", f"{words}. Other searches go on.")

    def _answer_without_box(self, job: Job) -> None:
        """Answer by an object of the catalogue or, if there is none, by a search."""
        request = job.order.request
        known = find_answer(request.question, self.allowed.check)
        if known is None or request.goal == "fresh":
            self._search_first(job)
            return
        job.post("state", state="solving", engine="catalogue", numbers={})
        self._report_found(job, known.finding)
        details = known.finding.provenance.details
        words = f"{put_name_first(known.finding)}. “Another” searches for one."
        _end(job, "found", f"Known: {details['name'] or details['apgcode']}", words)

    def _search_first(self, job: Job) -> None:
        """Search for a first pattern wherever it is likeliest."""

        def follow(search: Search) -> None:
            stops.enter_context(job.stopped_by(search.stop))
            about = {"box": search.problem.boxes[0], "symmetry": search.problem.symmetry}
            job.post("state", state="solving", engine=search.engine.name, numbers=about)

        request = job.order.request
        with ExitStack() as stops:
            outcome = find_first(
                list_makes(request.question, self.allowed.check),
                on_start=follow,
                timeout=request.seconds,
                memory=self.allowed.memory_bytes,
            )
        if isinstance(outcome, Found):
            self._report_found(job, outcome.finding)
        self._finish(job, outcome)

    def _search(self, job: Job) -> None:
        if is_boxless(job.order.request.question):
            self._answer_without_box(job)
            return
        with self._start(job) as search, job.stopped_by(search.stop):
            sketch = draw_sketch(job.order.problem)
            job.post("state", state="encoding", engine=search.engine.name, sketch=sketch)
            last = 0.0
            for event in search:
                match event:
                    case Built(engine=engine, details=details):
                        job.post("state", state="solving", engine=engine, numbers=_plain(details))
                    case Progress() if time.monotonic() - last > INTERVAL:
                        last = time.monotonic()
                        self._report_progress(job, event)
                    case Found(finding):
                        self._report_found(job, finding)
                    case Improved(best):
                        self._report_found(job, best.finding)
                    case Finished(result):
                        self._finish(job, result)
                    case _:
                        pass

    def _start(self, job: Job) -> Search:
        request, problem = job.order.request, job.order.problem
        engine = pick_engine(request.engine or None, problem)
        several = request.goal != "find"
        wishes = {
            "timeout": request.seconds,
            "memory": self.allowed.memory_bytes,
            "jobs": 1 if several else request.jobs,
            "seed": request.seed,
        }
        options: Any = {
            name: value
            for name, value in wishes.items()
            if name in engine.takes and value != getattr(Options(), name)
        }
        if request.goal == "all":
            finds = self.allowed.finds
            return start(problem, engine=engine, wanted=Wanted(), limit=finds, **options)
        goals = name_goals(problem, "population", ()) if request.goal == "smallest" else ()
        return start(problem, engine=engine, goals=goals, **options)

    def _report_progress(self, job: Job, event: Progress) -> None:
        details = _plain(event.details)
        partial = details.pop("partial", "")
        job.post(
            "progress",
            seconds=round(event.seconds, 2),
            racer=event.racer,
            numbers=details,
            partial=str(partial)[:20_000],
        )

    def _report_found(self, job: Job, finding: Finding) -> None:
        if len(job.scenes) >= self.allowed.finds:  # better and better ones
            del job.scenes[0]
        scene = finding.scene()
        job.scenes.append(scene)
        job.post("found", number=len(job.scenes) - 1, **show_finding(finding, job.order.command))
        self.record(job, finding)

    def _finish(self, job: Job, result: Result) -> None:
        match result:
            case Found(finding):
                _end(job, "found", _title(result), put_name_first(finding))
            case Impossible():
                self._report_none(job, result)
            case Undecided(reason=reason):
                self._report_undecided(job, result, reason)
            case Best(proved=proved, values=values, reason=reason):
                words = f"{values[0]} cells: " + (
                    "proved to be the fewest." if proved else f"the fewest so far ({reason})."
                )
                _end(job, "found", "The smallest" if proved else "The smallest so far", words)
            case Listed(found=found, complete=complete, reason=reason):
                self._report_listed(job, result, found, complete, reason)

    def _report_listed(
        self, job: Job, result: Listed, found: int, complete: bool, reason: str
    ) -> None:
        if complete and not found and result.word == "all":
            self._report_none(job, Impossible(job.order.problem, reason, result.provenance))
        elif found:
            ending = "that is all of them" if complete else f"there may be more: {reason}"
            _end(job, "found", f"{found} found", f"{found} found; {ending}.")
        else:
            self._report_undecided(job, Undecided(job.order.problem, reason), reason)

    def _report_none(self, job: Job, outcome: Impossible) -> None:
        self.record(job, outcome)
        problem, kind = outcome.problem, kind_of(outcome.problem)
        hint = kind.hint(problem)
        basis = _BASIS[outcome.word]
        if problem.has_open_height and outcome.word == "exhausted" and refuse_width(problem):
            basis = "Nobody has checked this, and there is no certificate of it."
        words = f"{_begin(outcome.reason)}. {basis}" + (f" {_begin(hint)}." if hint else "")
        title = "The search found nothing"
        if outcome.word == "impossible":
            title = _begin(say_none(outcome)) or "No such pattern exists"
        title += name_symmetry(problem)
        _end(job, outcome.word, title, words, statement=_state(problem))

    def _report_undecided(self, job: Job, outcome: Undecided, reason: str) -> None:
        if job.stopping.is_set():
            _end(job, "stopped", "Stopped", "Neither found nor refuted.")
            return
        self.record(job, outcome)
        words = "Neither found nor refuted: whether such a pattern exists is not known."
        _end(job, "undecided", f"Undecided: {reason}", words)

    def _certify(self, job: Job) -> None:
        request, problem = job.order.request, job.order.problem
        job.post("state", state="encoding", engine="sat", sketch=draw_sketch(problem))
        begun = time.monotonic()

        def on_stage(stage: Stage) -> None:
            state = "checking" if stage.what.startswith("checking") else "solving"
            if job.state != state:
                job.post("state", state=state, engine="sat", numbers={})
            job.post(
                "progress",
                seconds=round(time.monotonic() - begun, 2),
                racer=" ".join(filter(None, [stage.what, stage.detail])),
                numbers={},
                partial="",
            )

        place = Path(tempfile.mkdtemp(dir=self.folder))
        folder = place / f"certificate-{problem.name[:12]}"
        limits = Options(timeout=request.seconds, memory=self.allowed.memory_bytes).starting_now()
        proving = Proving(
            options=limits,
            most_bytes=self.allowed.proof_bytes,
            command=job.order.command,
            on_stage=on_stage,
            stop=job.stopping,
        )
        try:
            outcome, words = self._certify_by_rows(job, folder, limits), _CERTIFIED_WIDTH
            if outcome is None:
                outcome, words = self._certify_none(job, folder, proving), _CERTIFIED
            match outcome:
                case Impossible():
                    packed = self.folder / job.id
                    job.certificate = Path(
                        shutil.make_archive(str(packed), "zip", place, folder.name)
                    )
                    self.record(job, outcome)
                    size = job.certificate.stat().st_size
                    title = f"Certified: no such pattern exists{name_symmetry(problem)}"
                    statement = read_statement(job.certificate)
                    _end(job, "certified", title, words, statement=statement, bytes=size)
                case Found(finding):
                    self._report_found(job, finding)
                    _end(job, "found", _title(outcome), put_name_first(finding))
                case Undecided(reason=reason):
                    self._report_undecided(job, outcome, reason)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _certify_none(self, job: Job, folder: Path, proving: Proving) -> Outcome:
        def ask(supposed: Problem) -> Outcome:
            timeout = job.order.request.seconds
            with start(supposed, timeout=timeout) as search, job.stopped_by(search.stop):
                return cast("Outcome", search.result())

        claimed = claim_none(job.order.problem, ask)
        if isinstance(claimed, Undecided):
            return claimed
        return certify(*claimed, folder, proving)

    def _certify_by_rows(
        self, job: Job, folder: Path, options: Options
    ) -> Found | Impossible | Undecided | None:
        """Search again by rows, and keep every state; None if it is for SAT to decide."""
        problem = job.order.problem
        if not (problem.has_open_height or goes_by_rows(problem, options)):
            return None

        def on_event(event: Event) -> None:
            match event:
                case Built(engine=engine, details=details):
                    job.post("state", state="solving", engine=engine, numbers=_plain(details))
                case Progress():
                    self._report_progress(job, event)
                case _:
                    pass
            if job.stopping.is_set():
                raise _StoppedError

        most = None if problem.has_open_height else MOST_STATES
        try:
            outcome = certify_width(problem, folder, options, on_event, most_states=most)
        except _StoppedError:
            return Undecided(problem, "stopped")
        return None if isinstance(outcome, Undecided) and most else outcome


class _StoppedError(Exception):
    """The job was stopped."""


def show_finding(finding: Finding, command: str) -> dict[str, Any]:
    """Return a finding as a browser shows it."""
    return {
        "words": put_name_first(finding),
        "rle": write_rle(finding, command),
        "scene": write_scene(finding.scene()),
        "by": finding.provenance.means or finding.provenance.engine,
        "seconds": round(finding.provenance.seconds, 2),
    }


def put_name_first(finding: Finding) -> str:
    """Describe a finding; its code, if it has one, comes last."""
    code, _, words = describe_finding(finding).partition(": ")
    return f"{words} ({code})" if words and " " not in code else describe_finding(finding)


def read_statement(packed: Path) -> str:
    """Return the statement of a certificate that was packed."""
    with zipfile.ZipFile(packed) as archive:
        name = next(each for each in archive.namelist() if Path(each).name == STATEMENT)
        return archive.read(name).decode()


def draw_certificate(job: Job) -> str:
    """Return a picture that says what a job's certificate proves, and how to check it."""
    assert job.certificate is not None
    with zipfile.ZipFile(job.certificate) as packed:
        names = {Path(name).name: name for name in packed.namelist()}
        seal = CERTIFICATE if CERTIFICATE in names else STATES
        digest = hash_bytes(packed.read(names[seal]))
        size = sum(each.file_size for each in packed.infolist() if each.filename.endswith(".xz"))
    problem = job.order.problem
    title = read_statement(job.certificate).partition("\n")[0].removeprefix("# ")
    lines = title, "Proved, and checked."
    check = f"satlife check certificate-{problem.name[:12]}"
    notes = f"proof   {size:,} bytes", f"SHA-256 of {seal}", digest, f"check it yourself: {check}"
    return Card("impossible", f"No {describe_short(problem)}", lines, notes=notes).to_svg()


def _state(problem: Problem) -> str:
    """Return the full statement, or nothing where no certificate could say it."""
    if problem.has_open_height:
        return state_width(problem)
    try:
        return make_statement(problem, NoneExists())
    except UsageError:
        return ""


def draw_sketch(problem: Problem) -> dict[str, Any] | None:
    """Return the boxes and the known cells, to be shown until there is a better picture."""
    if problem.has_open_height or sum(box.area for box in problem.all_boxes) > MOST_SKETCHED:
        return None
    sketch = make_sketch(problem)
    caption = Caption("What is asked", (f"generations 0 to {len(sketch.frames) - 1}",))
    return write_scene(sketch.entitle(caption))


def _title(outcome: Found) -> str:
    problem = outcome.finding.problem
    return _begin(kind_of(problem).found_words(problem)) or "Found"


def _begin(words: str) -> str:
    """Return words that begin with a capital letter."""
    return words[:1].upper() + words[1:]


def _end(job: Job, state: str, title: str, words: str, **more: Any) -> None:
    job.post("state", state=state, title=title, words=words, **more)


def _plain(details: Any) -> dict[str, Any]:
    """Return the details that JSON can represent."""
    return {
        name: value
        for name, value in details.items()
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    }
