"""Pages of Markdown are run: their blocks, in order, in one folder.  Needs nothing but Python.

What is run:

- A ``pycon`` block is a Python session, checked like a doctest. All blocks of a file share one
  namespace. Directives such as ``# doctest: +ELLIPSIS`` work.
- A ``console`` block is a session of bash. A line that starts with ``$ `` is a command; lines
  straight after it that start with ``> `` continue it; the lines up to the next command are its
  standard output, word for word. A line that is only ``...`` stands for any number of lines.
  Standard error is not compared (write ``2>&1`` to show it). A command that ends with a status
  other than 0 must be followed by ``$ echo $?``. A block is one shell: ``cd`` and variables last to
  its end.
- A ``python`` block must compile.
- Any other block (``sh``, ``text``, ``rle`` …) is only shown.

The blocks of a file run in their order, in one empty folder, with the scripts of this Python's
environment first on the path, or behind a folder of other scripts. Warnings are errors.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}|~{3,}) *(?P<info>.*?) *$")
LONGEST_SESSION = 600  # seconds
BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line in the file where the text starts."""

    language: str
    text: str
    line: int


def blocks(page: str, start: int = 1) -> Iterator[Block]:
    """The fenced blocks of a page of Markdown, code-block directives too."""
    fence: re.Match[str] | None = None
    body: list[str] = []
    for number, line in enumerate(page.splitlines(), start):
        match = FENCE.match(line)
        if fence is None:
            if match:
                fence, body = match, []
        elif match and match["ticks"].startswith(fence["ticks"]) and not match["info"]:
            language = fence["info"].removeprefix("{code-block}").strip()
            text = textwrap.dedent("".join(f"{text}\n" for text in body))
            start = number - len(body)
            if language.startswith("{"):  # a directive: its text may hold blocks of its own
                yield from blocks(text, start)
            else:
                yield Block(language, text, start)
            fence = None
        else:
            body.append(line)
    assert fence is None, f"a block is never closed: {fence and fence[0]}"


@dataclass(frozen=True)
class Command:
    """One command of a console block, and what it should print."""

    text: str
    expected: str
    line: int


def commands(block: Block) -> list[Command]:
    """The commands of a console block."""
    found: list[Command] = []
    for number, line in enumerate(block.text.splitlines(), start=block.line):
        if line.startswith("$ "):
            found.append(Command(line[2:], "", number))
            continue
        assert found, f"line {number}: output without a command"
        last = found[-1]
        if not last.expected and (line.startswith("> ") or line == ">"):
            found[-1] = Command(f"{last.text}\n{line[2:]}", "", last.line)
        else:
            found[-1] = Command(last.text, f"{last.expected}{line}\n", last.line)
    return found


def matches(expected: str, got: str) -> bool:
    """Whether the output is the expected one, where a line ``...`` stands for any lines."""
    lines = (
        "(?:.*\n)*" if line == "..." else re.escape(f"{line}\n") for line in expected.splitlines()
    )
    if got and not got.endswith("\n"):
        got += "\n"
    return re.fullmatch("".join(lines), got) is not None


def run_console(block: Block, folder: Path, scripts: Path = BIN) -> list[str]:
    """Run a console block; return what went wrong."""
    mark = "=== end of command"
    session = commands(block)
    # After each command: a mark with its status, on standard output, and the status back in $?.
    script = "".join(f'{c.text}\n(s=$?; printf "\\n{mark} %d\\n" "$s"; exit $s)\n' for c in session)
    path = os.pathsep.join([str(scripts), str(BIN), os.environ.get("PATH", "")])
    run = subprocess.run(
        ["bash", "-c", script],
        check=False,
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "80"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=LONGEST_SESSION,
    )
    parts = re.split(rf"\n{mark} (\d+)\n", run.stdout)
    outputs, statuses = parts[0:-1:2], parts[1::2]
    if len(statuses) != len(session):
        return [f"line {block.line}: bash stopped early:\n{run.stderr}"]
    wrong = []
    for command, output, status, following in zip(
        session, outputs, statuses, [*session[1:], None], strict=True
    ):
        told = following is not None and following.text == "echo $?"
        where = f"line {command.line}: $ {command.text}\n"
        if status != "0" and not told:
            wrong.append(f"{where}ended with status {status}:\n{output}{run.stderr}")
        elif not matches(command.expected, output):
            wrong.append(f"{where}expected:\n{command.expected}got:\n{output}\n{run.stderr}")
    return wrong


def run_pycon(block: Block, name: str, names: dict[str, Any]) -> list[str]:
    """Run a Python session in the namespace of its page; return what went wrong."""
    test = doctest.DocTestParser().get_doctest(block.text, {}, name, name, block.line - 1)
    test.globs = names  # the parser would have copied it
    wrong: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=wrong.append, clear_globs=False)
    return wrong


def run_page(page: str, name: str, folder: Path, scripts: Path = BIN) -> list[str]:
    """Run the blocks of a page, in their order; return what went wrong."""
    names: dict[str, Any] = {"__name__": "__main__"}
    wrong: list[str] = []
    for block in blocks(page):
        if block.language == "pycon":
            wrong += run_pycon(block, name, names)
        elif block.language == "console" and sys.platform != "win32":  # bash there may be WSL's
            wrong += run_console(block, folder, scripts)
        elif block.language == "python":
            compile(block.text, name, "exec", dont_inherit=True)
    return wrong
