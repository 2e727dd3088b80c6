"""The documents are true: their examples run, and every command is in them.

What is run, in README.md, the other documents beside it and docs/**/*.md:

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

What satlife cannot do is written as "satlife has no `--name`", with the option that one would look
for, never as a bare "not yet": then a test sees when it has become untrue.

The blocks of a file run in their order, in one empty folder, with the scripts of this Python's
environment first on the path. Warnings are errors.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import click

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    if "_build" not in path.parts
)
CLI_PAGES = ROOT / "docs" / "reference" / "cli"

FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}|~{3,}) *(?P<info>.*?) *$")
LONGEST_SESSION = 120  # seconds


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


def run_console(block: Block, folder: Path) -> list[str]:
    """Run a console block; return what went wrong."""
    mark = "=== end of command"
    session = commands(block)
    # After each command: a mark with its status, on standard output, and the status back in $?.
    script = "".join(f'{c.text}\n(s=$?; printf "\\n{mark} %d\\n" "$s"; exit $s)\n' for c in session)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    run = subprocess.run(
        ["bash", "-c", script],
        check=False,
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "80", "PYTHONUTF8": "1"},
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


def run_page(page: str, name: str, folder: Path) -> list[str]:
    """Run the blocks of a page, in their order; return what went wrong."""
    names: dict[str, Any] = {"__name__": "__main__"}
    wrong: list[str] = []
    for block in blocks(page):
        if block.language == "pycon":
            wrong += run_pycon(block, name, names)
        elif block.language == "console" and sys.platform != "win32":  # bash there may be WSL's
            wrong += run_console(block, folder)
        elif block.language == "python":
            compile(block.text, name, "exec", dont_inherit=True)
    return wrong


@pytest.mark.parametrize("name", PAGES)
def test_examples_of(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = run_page((ROOT / name).read_text(encoding="utf-8"), name, tmp_path)
    assert not wrong, "\n".join([name, *wrong])


@pytest.mark.parametrize("name", PAGES)
def test_every_session_is_in_a_tested_block(name: str) -> None:
    # A prompt in any other block looks tested, and is not.
    page = (ROOT / name).read_text(encoding="utf-8")
    prompts = len(re.findall(r"^ *>>> ", page, re.M))
    tested = [block.text for block in blocks(page) if block.language == "pycon"]
    assert prompts == sum(len(re.findall(r"^ *>>> ", text, re.M)) for text in tested)
    for block in blocks(page):
        if block.language in {"sh", "bash", "shell", "text", ""}:
            assert not re.search(r"^\$ ", block.text, re.M), f"line {block.line}: say console"


CONVENTION = """
```console
$ echo one
one
$ printf 'two\\nthree\\nfour'; echo seen >&2
two
...
$ cat > here.txt <<'EOF'
> a line
>
> EOF
$ cat here.txt
a line

$ (exit 3)
$ echo $?
3
```

- in a list:

  ```pycon
  >>> from pathlib import Path
  >>> x = Path("here.txt").read_text()
  ```

````{note}
~~~pycon
>>> x
'a line\\n\\n'
~~~
````
"""


@pytest.mark.skipif(sys.platform == "win32", reason="bash on Windows may be WSL's")
@pytest.mark.parametrize(
    ("right", "other", "complaint"),
    [
        ("", "", None),
        ("\none\n", "\nother\n", "expected"),
        ("\none\n", "\none\ntwo\n", "expected"),
        ("$ echo $?\n3\n", "", "status 3"),
        ("$ (exit 3)\n", "$ exit 3\n", "stopped early"),
        ("\ntwo\n...\n", "\n...\ntwo\n", "expected"),
        ("'a line", "'another line", "Expected"),
    ],
)
def test_the_convention(
    right: str, other: str, complaint: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = run_page(CONVENTION.replace(right, other, 1) if right else CONVENTION, "page", tmp_path)
    if complaint is None:
        assert wrong == []
    else:
        assert complaint in "".join(wrong)


def listed_pages() -> Iterator[str]:
    """Yield the pages that the tables of contents name, as often as they do."""
    docs = ROOT / "docs"
    toctree = re.compile(r"^```\{toctree\}\n(.*?)^```", re.M | re.S)
    for page in docs.glob("**/*.md"):
        for text in toctree.findall(page.read_text(encoding="utf-8")):
            for entry in re.findall(r"^[^:\s].*$", text, re.M):
                for path in page.parent.glob(f"{entry}.md"):
                    if path != page:
                        yield path.relative_to(docs).as_posix()


def test_every_page_is_listed_once() -> None:
    """A page that is listed twice, or nowhere, sends a reader in circles."""
    pages = [page.removeprefix("docs/") for page in PAGES if page.startswith("docs/")]
    assert sorted([*listed_pages(), "index.md"]) == pages


def walk(command: click.Command, words: tuple[str, ...]) -> Iterator[tuple[str, click.Command]]:
    """The command and all commands below it, each with the words that a person types."""
    import click

    yield " ".join(words), command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=words[-1])
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None, name
            if not below.hidden:
                yield from walk(below, (*words, name))


def section(page: str, words: str) -> str | None:
    """The part of the page under the heading that is the command's words."""
    heading = re.compile(rf"^(#+) `?{re.escape(words)}(?![- ]?\w).*$", re.M)
    found = heading.search(page)
    if not found:
        return None
    end = re.compile(rf"^#{{1,{len(found[1])}}} ", re.M).search(page, found.end())
    return page[found.start() : end.start() if end else len(page)]


def read_cli_pages() -> str:
    """Return the pages of all commands as one text."""
    return "\n".join(page.read_text(encoding="utf-8") for page in sorted(CLI_PAGES.glob("*.md")))


def test_every_command_is_documented() -> None:
    """Under a heading of its own, or by its name under the heading of its group; options too."""
    import click

    from satlife.cli.group import cli

    page = read_cli_pages()
    missing = []
    for words, command in walk(cli, ("satlife",)):
        group, _, name = words.rpartition(" ")
        text = section(page, words)
        if text is None and group.count(" "):
            text = section(page, group)
            if text and not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text):
                text = None
        if text is None:
            missing.append(f"`{words}`")
            continue
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                long = max(option.opts, key=len)
                if not re.search(rf"(?<![\w-]){long}(?![\w-])", text):
                    missing.append(f"{long} of `{words}`")
    assert not missing, "docs/reference/cli/ lacks " + ", ".join(missing)


def test_every_documented_command_exists() -> None:
    from satlife.cli.group import cli

    page = read_cli_pages()
    known = {words for words, _ in walk(cli, ("satlife",))}
    told = set(re.findall(r"^#+ `?(satlife(?: [a-z][\w-]*)*)", page, re.M))
    assert told <= known


def test_every_script_is_documented() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pages = (ROOT / "docs" / "knuth").glob("*.md")
    text = "\n".join([read_cli_pages(), *(page.read_text(encoding="utf-8") for page in pages)])
    missing = [s for s in project["scripts"] if not re.search(rf"(?<![\w-]){s}(?![\w-])", text)]
    assert missing == []


HAS_NO = re.compile(r"satlife has no ((?:`--[a-z][a-z-]*`(?:, | or | and )?)+)")
NOT_YET = re.compile(r"\bnot yet\b(?! *[a-z])", re.I)


def options_called_missing(page: str) -> list[str]:
    """Return the options that a page says satlife does not have, in its order."""
    return [option for told in HAS_NO.findall(page) for option in re.findall(r"--[a-z-]+", told)]


def all_options() -> set[str]:
    from satlife.cli.group import cli

    commands = [command for _, command in walk(cli, ("satlife",))]
    return {
        name for each in commands for option in each.params for name in option.opts if "--" in name
    }


@pytest.mark.parametrize("name", [name for name in PAGES if name.startswith("docs/how-to/")])
def test_what_is_called_missing_is_missing(name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    here = sorted(all_options() & set(options_called_missing(page)))
    assert not here, f"{name} calls {', '.join(here)} missing, and satlife has it"
    bare = [line for line in page.splitlines() if NOT_YET.search(line)]
    assert not bare, f"{name}: say satlife has no `--name`, which can be checked: {bare[0]}"


def test_a_page_that_has_grown_old_is_seen() -> None:
    old = "satlife has no `--without`, `--sideways` or `--growth`. It has `--rotor`."
    assert options_called_missing(old) == ["--without", "--sideways", "--growth"]
    assert all_options() & set(options_called_missing(old)) == {"--without", "--growth"}
    assert NOT_YET.search("| `-a` | forbidden symmetries | not yet |")
    assert NOT_YET.search("growth and decay: not yet; rotor")
    assert not NOT_YET.search("proofs that are stored and not yet checked")
    lls = (ROOT / "docs" / "how-to" / "coming-from-lls.md").read_text(encoding="utf-8")
    assert options_called_missing(lls) == ["--max-change"]


def test_pages_agree_on_the_widest_rows() -> None:
    from satlife.rows.quotient import TABLED, WIDEST

    told = {}
    for name in ("hunt", "slow-search"):
        text = (ROOT / "docs" / "how-to" / f"{name}.md").read_text(encoding="utf-8")
        found = re.search(r"(\d+) free cells, with a glide (\d+)", re.sub(r"\s+", " ", text))
        assert found, name
        told[name] = tuple(map(int, found.groups()))
    assert told == dict.fromkeys(told, (WIDEST, TABLED))
