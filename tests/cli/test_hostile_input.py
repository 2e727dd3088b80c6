"""Input that is far too large, too deep or not text: one clear line, and the code 2."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.patience import PATIENCE

DIGITS = "9" * 5000
FAR = "99999999999999999999"
DEEP = 50_000

FILES = {
    "glider.rle": b"bo$2bo$3o!\n",
    "far.rle": b"#CXRLE Pos=99999999999999999999,0\nbo$2bo$3o!\n",
    "deep.json": b'{"boxes": ' + b"[" * DEEP,
    "unknown.json": b'{"a": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "deep.toml": b"boxes = " + b"[" * DEEP,
    "digits.toml": b'boxes = ["3x3"]\nsteps = ' + DIGITS.encode(),
    "hexadecimal.toml": b'boxes = ["3x3"]\nsteps = 0x' + b"F" * 9000,
    "far.json": b'{"boxes": ["3x3+99999999999999999999+0"]}',
    "link.json": b'{"boxes": ["3x3"], "links": [{"first": [0, 0, 0], "second": [%b, 0, 0]}]}'
    % FAR.encode(),
    "exempt.json": b'{"boxes": ["3x3"], "exempt": [[0, %b, 0]]}' % FAR.encode(),
    "known.json": b'{"boxes": ["3x3"], "known": [{"t": 0, "x": %b, "rows": ["o"]}]}' % FAR.encode(),
    "motion.json": b'{"boxes": ["3x3"], "motion": {"period": %b}}' % FAR.encode(),
    "nul.toml": b'problems = ["a\\u0000b.toml"]\n',
    "glob.toml": b'problems = ["*\\u0000*"]\n',
    "deep-plan.toml": b"search = " + b"[" * DEEP,
    "digits-plan.toml": b'[[search]]\nkind = "oscillator"\nboxes = "3x3"\nperiods = '
    + DIGITS.encode(),
    "limit-plan.toml": b'[limits]\nmemory = "%b"\n[[search]]\nkind = "still-life"\nboxes = "3x3"\n'
    % DIGITS.encode(),
    "empty.cnf": b"",
    "blank.cnf": b"\n\n",
    "comment.cnf": b"c no clauses\n",
    "deep.cnf": b"c satlife problem " + b"[" * DEEP + b"\np cnf 1 1\n1 0\n",
    "folder/certificate.json": b'{"a": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "wild.rle": b"#\x1b[2J\n\x1b[2J!\n",
}

COMMANDS = {
    "box": ("ship", "c/4d", "--box", f"3x3+{FAR}+0"),
    "box-digits": ("ship", "c/4d", "--box", f"3x3+{DIGITS}+0"),
    "size-digits": ("ship", "c/4d", "--box", f"{DIGITS}x3"),
    "profile": ("oscillator", "2", "--box", "3x3*999999999"),
    "profile-digits": ("oscillator", "2", "--box", f"3x3*{DIGITS}"),
    "period-digits": ("oscillator", DIGITS, "--box", "3x3"),
    "bound": ("still-life", "--box", "3x3", "--population", f"<={DIGITS}"),
    "generation": ("still-life", "--box", "3x3", "--population", f"<=3@{DIGITS}"),
    "wrap": ("agar", "2", "--box", "3x3", "--wrap", f"{DIGITS},0"),
    "wrap-far": ("agar", "2", "--box", "3x3", "--wrap", f"{FAR},0"),
    "at": ("eater", "--input", "glider.rle", "--region", "4..9,4..9", "--within", "8",
           "--at", f"{DIGITS},0"),
    "region": ("eater", "--input", "glider.rle", "--region", f"4..{FAR},4..9", "--within", "8"),
    "region-large": ("eater", "--input", "glider.rle", "--region", "0..999999,0..999999",
                     "--within", "8"),
    "field": ("eater", "--input", "glider.rle", "--region", "4..9,4..9", "--within", "8",
              "--field", f"{DIGITS}..{DIGITS},0..9"),
    "within": ("eater", "--input", "glider.rle", "--region", "4..9,4..9", "--within", "999999999"),
    "period": ("reaction", "--before", "glider.rle", "--after", "glider.rle",
               "--region", "4..9,4..9", "--within", "8", "--period", "999999999"),
    "back": ("parent", "glider.rle", "--generations", "999999999"),
    "margin": ("parent", "glider.rle", "--margin", "999999999"),
    "memory": ("still-life", "--box", "3x3", "--memory", DIGITS),
    "timeout": ("still-life", "--box", "3x3", "--timeout", DIGITS),
    "rle": ("identify", "far.rle"),
    "wild": ("identify", "wild.rle"),
    **{
        f"{name}-{suffix}": ("find", "--spec", f"{name}.{suffix}")
        for name, suffix in (
            ("deep", "json"), ("unknown", "json"), ("deep", "toml"), ("digits", "toml"),
            ("hexadecimal", "toml"), ("far", "json"), ("link", "json"), ("exempt", "json"),
            ("known", "json"), ("motion", "json"),
        )
    },
    **{
        name: ("campaign", "plan", f"{name}.toml", "--dry-run")
        for name in ("nul", "glob", "deep-plan", "digits-plan", "limit-plan")
    },
    "journal": ("still-life", "--box", "3x3", "--all", "--continue", "deep.json"),
    "empty": ("solve", "empty.cnf"),
    "blank": ("solve", "blank.cnf"),
    "comment": ("solve", "comment.cnf"),
    "decode": ("decode", "deep.cnf", "empty.cnf"),
    "reject": ("still-life", "--box", "3x3", "--all", "--reject", f"xp{DIGITS}_7"),
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("hostile")
    for name, data in FILES.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(data)
    return place


@pytest.mark.parametrize("name", COMMANDS)
def test_hostile_input_is_told_in_one_line(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    begun = time.monotonic()
    done = run("satlife", *COMMANDS[name], timeout=60)
    errors = done.stderr.decode()
    assert done.returncode == 2, errors[-500:]
    assert time.monotonic() - begun < PATIENCE
    assert "Traceback" not in errors
    assert "internal error" not in errors
    assert len(errors.splitlines()[-1]) < 600 or "Invalid value" in errors
    assert "\x1b" not in errors


def test_a_certificate_that_is_nested_too_deeply_is_not_valid(folder: Path) -> None:
    done = run("satlife", "check", str(folder / "folder"))
    assert done.returncode == 4
    assert done.stdout.endswith(b"certificate.json is nested too deeply\n")
    assert done.stderr == b""


def test_a_search_pattern_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "block.lls").write_bytes(
        b"\xef\xbb\xbf0,0,0,0\r\n0,1,a,0\r\n0,1,1,0\r\n0,0,0,0\r\n"
    )
    done = run("satlife", "complete", str(tmp_path / "block.lls"))
    assert done.returncode == 0, done.stderr
    assert b"xs4_33" in done.stderr


@pytest.mark.parametrize("script", ["sat-life-grid", "sat-life-torus"])
def test_a_number_of_thousands_of_digits_is_refused_by_the_scripts(script: str) -> None:
    done = run(script, "3", "3", DIGITS)
    assert done.returncode > 4
    assert b"internal error" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_what_is_wrong_in_a_problem_file_is_told_with_its_name(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('[[search]]\nkind = "still-life"\nboxes = "3x3"\n')
    for command in (
        ("find", "--spec", str(plan)),
        ("verify", str(plan), "--spec", str(plan)),
    ):
        done = run("satlife", *command)
        assert done.returncode == 2
        assert b"plan.toml: not a problem: " in done.stderr
    done = run("satlife", "find", "--spec", "-", stdin=b"{}")
    assert b"standard input: not a problem: " in done.stderr


def test_a_missing_file_to_reject_is_named() -> None:
    done = run("satlife", "still-life", "--box", "3x3", "--all", "--reject", "no-such.rle")
    assert done.returncode == 2
    assert b"there is no file 'no-such.rle' to reject" in done.stderr
