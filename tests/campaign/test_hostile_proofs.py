"""What others send to be merged: files that block, lead elsewhere, or fill a disk or the memory."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from satlife.campaign import proofs
from satlife.campaign.ledger import Merged, merge, open_ledger, read_lines, transfer
from satlife.campaign.messages import Budget, Task
from satlife.campaign.plan import Plan
from satlife.campaign.proofs import KeptProofs
from satlife.certificates.make.join import CaseProof, join
from satlife.certificates.make.refute import refute
from satlife.certificates.make.width_folder import write_width
from satlife.errors import FormatError
from satlife.kinds import oscillator, ship
from satlife.life.motion import Motion
from satlife.plain import MOST_TIMES
from satlife.problem.outcome import Impossible
from tests.cli.running import run

TASK = Task(problem=oscillator(3, box="3x3"))
PLAN = '[[search]]\nkind = "oscillator"\nperiods = 3\nboxes = "3x3"\n'
HUGE = 40_000_000

needs_files = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> KeptProofs:
    folder = tmp_path_factory.mktemp("good")
    assert isinstance(refute(TASK.asked, folder / "proof"), Impossible)
    kept = KeptProofs(folder / "kept")
    kept.keep(TASK.name, folder / "proof")
    return kept


@pytest.fixture
def kept(tmp_path: Path) -> KeptProofs:
    made = KeptProofs(tmp_path / "kept")
    made.path(TASK.name).parent.mkdir(parents=True)
    return made


def test_the_limits_are_those_that_are_promised() -> None:
    text = (Path(__file__).parents[2] / "docs/campaign-security.md").read_text(encoding="utf-8")
    assert f"no more than {transfer._LONGEST_LINE:,} bytes of a line" in text
    assert f"no more than {transfer._PAGE_BYTES:,} of all lines" in text
    assert f"at most {proofs.SMALL // 10**6} MB is unpacked at once" in text
    assert f"to at most {proofs.LARGEST // 10**9} GB; states" in text
    assert f"at most {MOST_TIMES} times their packed size" in text
    limits = proofs.LIMITS
    assert (limits.seconds, limits.memory_bytes) == (3600, 4 << 30)


def put_pipe(path: Path) -> None:
    os.mkfifo(path)


def put_link(path: Path) -> None:
    path.symlink_to("/dev/zero")


def put_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        here = Path.cwd()
        os.chdir(path.parent)  # the address of a socket is short
        try:
            one.bind(path.name)
        finally:
            os.chdir(here)


@needs_files
@pytest.mark.parametrize("put", [put_pipe, put_link, put_socket, Path.mkdir])
def test_only_a_plain_file_is_a_proof(put: Callable[[Path], None], kept: KeptProofs) -> None:
    put(kept.path(TASK.name))
    checked = kept.check(TASK)
    assert not checked.is_valid
    assert checked.reason == f"{kept.path(TASK.name).name} is not a plain file"


@needs_files
def test_a_link_to_a_valid_proof_is_not_followed(good: KeptProofs, kept: KeptProofs) -> None:
    assert good.check(TASK).is_valid
    kept.path(TASK.name).symlink_to(good.path(TASK.name))
    assert kept.check(TASK).reason == f"{kept.path(TASK.name).name} is not a plain file"


@needs_files
def test_a_certificate_is_made_of_plain_files(
    good: KeptProofs, kept: KeptProofs, tmp_path: Path
) -> None:
    link = kept.path(TASK.name)
    link.symlink_to(good.path(TASK.name))
    with pytest.raises(FormatError, match="is not a plain file"):
        join(TASK.problem, [CaseProof((), link)], tmp_path / "certificate")
    with pytest.raises(FormatError, match="is not a plain file"):
        write_width(ship(Motion.parse("c/3"), box="3x*"), link, tmp_path / "width")


def pack(kept: KeptProofs, text: bytes, size: int) -> int:
    """Repeat a text to a size; return how many bytes it is packed."""
    with lzma.open(kept.path(TASK.name), "wb", preset=0) as file:
        block = text * max(1, 1_000_000 // len(text))
        for _ in range(size // len(block)):
            file.write(block)
    return kept.path(TASK.name).stat().st_size


def watch_disk(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the proofs that are checked from the disk of this process."""
    sizes: list[int] = []
    unpack = proofs._unpack

    def look(path: Path, target: Path, most: int) -> None:
        try:
            unpack(path, target, most)
        finally:
            sizes.append(target.stat().st_size if target.exists() else 0)

    monkeypatch.setattr(proofs, "_unpack", look)
    return sizes


@pytest.mark.parametrize(
    "text",
    [b"1 1 2 0 1 2 0\n", b"1 0\n", b"a\x02\x00", b"\x00", b" ", b"c comment\n"],
    ids=["lrat", "drat", "binary", "zeros", "blanks", "comments"],
)
def test_a_small_file_does_not_fill_the_disk(
    text: bytes, kept: KeptProofs, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = pack(kept, text, HUGE)
    assert packed < HUGE // 1000
    sizes = watch_disk(monkeypatch)
    place = kept.path(TASK.name).absolute()
    checked = kept.check(TASK)
    again = proofs.check_packed_file(place, TASK.asked, (), HUGE * 2, 60.0, None)
    assert not checked.is_valid
    assert not again.is_valid
    assert max(sizes) <= 200 * packed < HUGE


def test_a_proof_in_lrat_is_checked_while_it_is_unpacked(
    good: KeptProofs, kept: KeptProofs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However small the limit of what may be unpacked, it is valid, with the same hash."""
    place = good.path(TASK.name).absolute()
    whole = good.check(TASK)
    sizes = watch_disk(monkeypatch)
    assert proofs.check_packed_file(place, TASK.asked, (), 10**6, 60.0, None) == whole
    assert sizes == []
    monkeypatch.setattr(proofs, "SMALL", 10)
    assert good.check(TASK) == whole
    small = good.check(TASK, Budget(proof_bytes=20))
    assert (small.is_valid, small.is_decided) == (False, False)
    assert small.reason.endswith("is larger than the limit of 20 bytes")


def test_a_merge_refuses_a_pipe_among_the_proofs(kept: KeptProofs, tmp_path: Path) -> None:
    plan, export = tmp_path / "plan.toml", tmp_path / "theirs.jsonl"
    plan.write_text(PLAN)
    place = str(tmp_path / "a.db")
    assert run("satlife", "campaign", "run", str(plan), "--ledger", place).returncode == 0
    done = run("satlife", "campaign", "export", str(plan), "--ledger", place)
    export.write_bytes(done.stdout)
    (task,) = (Plan.from_toml(PLAN).task(group, 0) for group in Plan.from_toml(PLAN).groups())
    if sys.platform != "win32":
        os.mkfifo(kept.path(task.name))
    else:
        kept.path(task.name).mkdir()
    words = ("merge", str(plan), str(export), "--ledger", place, "--proofs", str(kept.folder))
    done = run("satlife", "campaign", *words)
    assert done.returncode != 0
    assert b"is not a plain file" in done.stderr


class Endless(io.RawIOBase):
    """A line that never ends, and how much of it was read."""

    size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        view[:] = b"x" * len(view)
        self.size += len(view)
        return len(view)


def take(file: io.BufferedIOBase) -> Merged:
    with open_ledger(":memory:") as ledger:
        return merge(ledger, read_lines(file))  # type: ignore[arg-type]


def test_a_line_without_an_end_is_not_read_to_its_end() -> None:
    endless = Endless()
    with pytest.raises(FormatError, match=r"line 1: more than 2,000,000 bytes, the limit"):
        take(io.BufferedReader(endless))
    assert endless.size < 3_000_000


def test_a_packed_line_is_not_unpacked_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    with gzip.open(path, "wb") as file:
        file.write(b'{"format":"satlife-ledger","version":1}\n')
        for _ in range(20):
            file.write(b" " * 1_000_000)
    with gzip.open(path) as packed, pytest.raises(FormatError, match="line 2: more than 2,000,000"):
        take(packed)


def test_few_lines_are_held_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 500 lines may be as long as the longest; together they are a gigabyte."""
    read: list[int] = []

    def lines() -> object:
        yield b'{"format":"satlife-ledger","version":1}\n'
        for number in range(500):
            read.append(number)
            yield b" " * 1_999_999

    with open_ledger(":memory:") as ledger, pytest.raises(FormatError, match="not an event"):
        merge(ledger, lines())  # type: ignore[arg-type]
    assert len(read) < 20
