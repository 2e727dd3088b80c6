"""Check what would be released, as somebody who installs it: ``just release-check``.

Builds the sdist and the wheel, renders the description that an index shows, and installs each into
a fresh environment of every Python found (3.11 to 3.14; on the PATH, or pyenv's).  There the README
is done word for word: each ``sh``, ``console`` and ``pycon`` block, in an empty folder, compared
with the output that it gives; ``satlife serve`` is asked for its page.  Only ``pip install`` takes
what was built.  ``--quick`` is for CI: this Python, and the wheel.  ``--final``, for a tag, refuses
what a person has not set yet (RELEASING.md).  Needs bash, build,
twine and ``readme-renderer[md]``.
"""

from __future__ import annotations

import argparse
import email
import http.cookiejar
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.pages import Block, blocks, matches, run_console, run_pycon  # noqa: E402 - see above

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
UNSET = "https://example.invalid/"
INSTALL = re.compile(r"pip install (\.|satlife)\s*(#.*)?\n")
SERVE = "satlife serve\n"
PATIENCE = 120
"""Seconds for one command of the README, on a busy machine."""


# What is built.


def build(folder: Path) -> tuple[Path, Path]:
    """Build the sdist, and the wheel from it; return both."""
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(command, check=False, capture_output=True, text=True)
    if built.returncode:
        sys.exit(f"{built.stdout}{built.stderr}cannot be built")
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    files = [str(sdist), str(wheel)]
    twine = [sys.executable, "-m", "twine", "--no-color", "check", "--strict", *files]
    subprocess.run(twine, check=True)
    return sdist, wheel


def find_missing(sdist: Path, wheel: Path) -> list[str]:
    """Return the files of the repository that are not in what was built."""
    if not (ROOT / ".git").exists():
        return []
    listed = subprocess.run(
        ["git", "ls-files", "src", "tests", "docs"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    with tarfile.open(sdist) as packed:
        source = {name.partition("/")[2] for name in packed.getnames()}
    with zipfile.ZipFile(wheel) as zipped:
        installed = {f"src/{name}" for name in zipped.namelist()}
    missing = [f"{name} is not in the sdist" for name in listed if name not in source]
    ours = [name for name in listed if name.startswith("src/")]
    return missing + [f"{name} is not in the wheel" for name in ours if name not in installed]


class Links(HTMLParser):
    """Collects the targets of links and images."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the address in a tag."""
        self.found += [value or "" for name, value in attrs if name in {"href", "src"}]


def find_links(description: str) -> list[str]:
    """Return the links and pictures of a description, rendered as an index does."""
    from readme_renderer import markdown  # noqa: PLC0415 - not in the fresh environments

    page = markdown.render(description)
    if page is None:
        raise SystemExit("the description cannot be rendered; is readme-renderer[md] installed?")
    links = Links()
    links.feed(page)
    return links.found


def read_description(wheel: Path) -> str:
    """Return the long description in the metadata of a wheel."""
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (each for each in packed.namelist() if each.endswith(".dist-info/METADATA"))
        return str(email.message_from_bytes(packed.read(name)).get_payload(decode=True), "utf-8")


# What a person sets.


def list_unset() -> Iterator[str]:
    """Yield what must be changed before a tag."""
    project = tomllib.loads(_read("pyproject.toml"))
    if project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"].startswith(UNSET):
        yield "the address of the repository is unset: metadata.hooks.custom in pyproject.toml"
    version = re.findall('"(.+)"', _read("src/satlife/_version.py"))[-1]
    if not re.search(
        rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d$", _read("CHANGELOG.md"), re.M
    ):
        yield f"CHANGELOG.md has no date for {version} (## {version} - YYYY-MM-DD)"
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            if "not released yet" in line or re.match(r"pip install '?\.", line):
                yield f"{page.relative_to(ROOT).as_posix()}:{number} installs from a clone: {line}"


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


# The README, by the Python of a fresh environment.


def run_readme(folder: Path) -> list[str]:
    """Do what the README says, in a folder; return what went wrong."""
    names: dict[str, Any] = {"__name__": "__main__"}
    wrong: list[str] = []
    page = list(blocks(_read("README.md")))
    for block, after in zip(page, [*page[1:], None], strict=True):
        if block.language == "pycon":
            wrong += run_pycon(block, "README.md", names)
        elif block.language == "console":
            wrong += run_console(block, folder)
        elif block.text == SERVE:
            wrong += ask_page(block, folder)
        elif block.language == "sh" and not INSTALL.fullmatch(block.text):
            given = after.text if after and after.language == "text" else None
            wrong += run_shown(block, given, folder)
    return wrong


def run_shown(block: Block, expected: str | None, folder: Path) -> list[str]:
    """Run a block of commands, and compare with the output beside it."""
    ran = subprocess.run(
        ["bash", "-e", "-c", block.text],
        check=False, cwd=folder, capture_output=True, encoding="utf-8", timeout=PATIENCE,
    )  # fmt: skip
    where = f"line {block.line}: {block.text}"
    if ran.returncode:
        return [f"{where}ended with status {ran.returncode}:\n{ran.stderr}"]
    if expected is not None and not matches(expected, ran.stdout):
        return [f"{where}expected:\n{expected}got:\n{ran.stdout}"]
    return [
        f"{where}left no picture {name}"
        for name in re.findall(r"-o (\S+\.gif)", block.text)
        if not (folder / name).read_bytes().startswith(b"GIF89a")
    ]


def ask_page(block: Block, folder: Path) -> list[str]:
    """Start the server, and ask it for its page as a browser does."""
    server = subprocess.Popen(block.text.split(), cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        browser = urllib.request.build_opener(urllib.request.ProxyHandler({}), jar)
        address = server.stdout.readline().strip()
        with browser.open(address, timeout=PATIENCE) as answer:
            page = answer.read().decode()
        named = re.findall(r'(?:src|href)="([^"#]+\.(?:js|css))"', page)
        for name in named:  # one that is missing is an error
            browser.open(urllib.request.urljoin(address, name), timeout=PATIENCE).close()
    finally:
        server.send_signal(signal.SIGINT) if os.name == "posix" else server.terminate()
        server.wait(PATIENCE)
    whole = "<title>satlife" in page and named
    return [] if whole else [f"line {block.line}: {block.text}its page is not whole:\n{page[:400]}"]


# Everything.


def find_pythons() -> dict[str, str]:
    """Return the Pythons of this machine that satlife supports: on the PATH, or pyenv's."""
    pyenv = shutil.which("pyenv")
    root = pyenv and subprocess.run([pyenv, "root"], capture_output=True, text=True, check=False)
    owned = Path(root.stdout.strip(), "versions") if root else ROOT / "no pyenv"
    found = {}
    for version in VERSIONS:
        places = [shutil.which(f"python{version}"), *owned.glob(f"{version}.*/bin/python")]
        for place in filter(None, places):  # pyenv's shims may lead nowhere
            ask = [str(place), "-c", "import venv"]
            if subprocess.run(ask, capture_output=True, check=False).returncode == 0:
                found.setdefault(version, str(place))
    return found


def try_out(python: str, built: Path) -> list[str]:
    """Install what was built into a fresh environment, and do what the README says there."""
    with TemporaryDirectory(prefix="satlife-release-") as name:
        home, folder = Path(name, "home"), Path(name, "empty folder")
        folder.mkdir()
        subprocess.run([python, "-m", "venv", str(home / "venv")], check=True)
        scripts = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
        fresh = str(scripts / "python")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "XDG_"))}
        path = os.pathsep.join([str(scripts), os.environ["PATH"]])
        places = {"HOME": str(home), "LOCALAPPDATA": str(home), "PATH": path}
        environment = {**kept, **places, "BROWSER": "true"}  # one that shows nothing
        begun = _processor()
        install = [fresh, "-m", "pip", "install", "--quiet", str(built)]
        subprocess.run(install, check=True, env=environment, cwd=folder)
        installed = _processor()
        ran = subprocess.run(
            [fresh, "-P", str(ROOT / "scripts" / "release_check.py"), "--readme"],
            check=False, env=environment, cwd=folder, capture_output=True, text=True,
        )  # fmt: skip
        took = f"pip {installed - begun:.1f} s, README {_processor() - installed:.1f} s"
        _say(f"{'failed' if ran.returncode else 'ok'} (of the processor: {took})\n")
        return [ran.stdout + ran.stderr] if ran.returncode else []


def main() -> None:
    """Check everything; end with status 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="this Python and the wheel only")
    parser.add_argument("--final", action="store_true", help="refuse what a person has not set")
    parser.add_argument("--readme", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.readme:
        wrong = run_readme(Path.cwd())
        sys.exit("\n".join(wrong) if wrong else 0)
    unset = list(list_unset())
    if given.final and unset:
        sys.exit("\n".join([*unset, "a person sets these before a tag: RELEASING.md"]))
    sdist, wheel = build(ROOT / "dist")
    wrong = find_missing(sdist, wheel)
    for file in (sdist, wheel):
        _say(f"{file.name}: {file.stat().st_size / 1e6:.1f} MB\n")
    links = find_links(read_description(wheel))
    wrong += [
        f"the description has a relative link: {link}"
        for link in links
        if not re.match("https?:|#", link)
    ]
    _say(f"description: rendered, {len(links)} links and pictures\n")
    here = sys.version.split()[0]
    pythons = {here: sys.executable} if given.quick else find_pythons()
    for version, python in pythons.items():
        for kind, built in {"wheel": wheel, "sdist": sdist}.items():
            if kind == "wheel" or not given.quick:
                _say(f"Python {version}, {kind}: ")
                wrong += try_out(python, built)
    for missing in () if given.quick else [each for each in VERSIONS if each not in pythons]:
        _say(f"Python {missing}: not found here\n")
    for words in unset:
        _say(f"to be set by a person: {words}\n")
    if wrong:
        sys.exit("\n".join([*wrong, "not ready for a release"]))
    _say("nothing is wrong" + ("; see above for what a person sets\n" if unset else "\n"))


def _say(words: str) -> None:
    sys.stdout.write(words)
    sys.stdout.flush()


def _processor() -> float:
    used = os.times()
    return used.children_user + used.children_system


if __name__ == "__main__":
    main()
