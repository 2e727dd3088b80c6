"""The documents are true: their examples run, and every command is in them.

Run are README.md, the other documents beside it and docs/**/*.md; tests/pages.py says how.

What satlife cannot do is written as "satlife has no `--name`", with the option that one would look
for, never as a bare "not yet": then a test sees when it has become untrue.
"""

from __future__ import annotations

import posixpath
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import pytest

from tests.forked import find_scripts
from tests.pages import blocks, run_page

if TYPE_CHECKING:
    import click

ROOT = Path(__file__).resolve().parent.parent
CLI_PAGES = ROOT / "docs" / "reference" / "cli"
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    if not {"_build", "try"} & set(path.parts)  # built ones, and the solver's own
    if path.parent != CLI_PAGES  # written when the documents are built
)


@cache
def render_cli_pages() -> dict[str, str]:
    """Return the pages of all commands, as they are written when the documents are built."""
    from scripts.write_cli_reference import FOLDER, render

    assert FOLDER == CLI_PAGES
    return {f"docs/reference/cli/{name}": text for name, text in sorted(render().items())}


@pytest.mark.parametrize("name", PAGES)
def test_examples_of(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = run_page((ROOT / name).read_text(encoding="utf-8"), name, tmp_path, find_scripts())
    assert not wrong, "\n".join([name, *wrong])


def test_examples_of_the_pages_of_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in render_cli_pages().items():
        wrong = run_page(text, name, tmp_path, find_scripts())
        assert not wrong, "\n".join([name, *wrong])


@pytest.mark.parametrize("name", PAGES)
def test_every_session_is_in_a_tested_block(name: str) -> None:
    check_sessions((ROOT / name).read_text(encoding="utf-8"))


def test_every_session_in_the_pages_of_commands_is_in_a_tested_block() -> None:
    for page in render_cli_pages().values():
        check_sessions(page)


def check_sessions(page: str) -> None:
    """Check a page: a prompt in any other block looks tested, and is not."""
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
    pages = {name: (ROOT / name).read_text(encoding="utf-8") for name in PAGES if "/" in name}
    pages |= render_cli_pages()
    toctree = re.compile(r"^```\{toctree\}\n(.*?)^```", re.M | re.S)
    for page, content in pages.items():
        for text in toctree.findall(content):
            for entry in re.findall(r"^[^:\s].*$", text, re.M):
                pattern = posixpath.normpath(f"{posixpath.dirname(page)}/{entry}.md")
                for path in map(PurePosixPath, pages):
                    # "match" alone would compare only the last parts.
                    is_whole = len(path.parts) == pattern.count("/") + 1
                    if path.match(pattern) and is_whole and str(path) != page:
                        yield str(path)


def test_every_page_is_listed_once() -> None:
    """A page that is listed twice, or nowhere, sends a reader in circles."""
    pages = [page for page in [*PAGES, *render_cli_pages()] if page.startswith("docs/")]
    assert sorted([*listed_pages(), "docs/index.md"]) == sorted(pages)


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
    return "\n".join(render_cli_pages().values())


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
    assert options_called_missing(lls) == []


def test_pages_agree_on_the_widest_rows() -> None:
    from satlife.rows.quotient import TABLED, WIDEST

    told = {}
    for name in ("hunt", "slow-search"):
        text = (ROOT / "docs" / "how-to" / f"{name}.md").read_text(encoding="utf-8")
        found = re.search(r"(\d+) free cells, with a glide (\d+)", re.sub(r"\s+", " ", text))
        assert found, name
        told[name] = tuple(map(int, found.groups()))
    assert told == dict.fromkeys(told, (WIDEST, TABLED))
