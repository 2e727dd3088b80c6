# `just` lints and runs the fast tests; `just check` runs all that a change must pass, as CI does; `just
# --list` names the rest. Recipes run in the active environment, on Linux, macOS and Windows.

set windows-shell := ["powershell.exe", "-NoLogo", "-NoProfile", "-Command"]

python3 := if os_family() == "windows" { "python" } else { "python3" }
bin := if os_family() == "windows" { "Scripts" } else { "bin" }

# Lint and the fast tests: what to run while you work
default: lint test

# Make the environment .venv and install satlife with its tools
install:
    {{ python3 }} -m venv .venv
    .venv/{{ bin }}/python -m pip install --editable ".[dev]"

# All that CI runs, in its order and its environment .venv, on this working copy: bash .ci/run
check *words:
    bash .ci/run {{ words }}

# Style, types and layers
lint:
    python -m ruff check
    python -m ruff format --check
    python -m mypy
    lint-imports

# The types of the page's scripts; needs Node, which nothing else does
types:
    npx --yes --package typescript@5 tsc --project tsconfig.json

# Repair what can be repaired by machine
fix:
    python -m ruff check --fix
    python -m ruff format

# "$@" keeps words such as -m "not slow" whole, {{ words }} does not; PowerShell has no "$@", so there
# blanks need quotes of their own.  Without a path, pytest takes src and tests, as pyproject.toml says.
pytest := "python -m pytest -rfEs --dist worksteal --doctest-modules"

# The fast tests and the doctests of src/, in two minutes; extra words go to pytest, and choose among all tests
[positional-arguments]
[unix]
test *words:
    {{ pytest }} -n 2 {{ if words == "" { "-m 'not slow'" } else { '"$@"' } }}

# The fast tests and the doctests of src/, in two minutes; extra words go to pytest, and choose among all tests
[windows]
test *words:
    {{ pytest }} -n 2 {{ if words == "" { "-m 'not slow'" } else { words } }}

# The fast tests of what has changed in the last hours: early news
test-changed:
    python -m scripts.changed_tests

# What CI runs: all tests but those of tests/long.txt; three at a time, for many of them wait
test-ci:
    {{ pytest }} -n 3 -m "not long"

# Every test, for an hour: those of tests/slow.txt and tests/long.txt too
[positional-arguments]
[unix]
test-all *words:
    {{ pytest }} -n 3 "$@"

# Every test, for an hour: those of tests/slow.txt and tests/long.txt too
[windows]
test-all *words:
    {{ pytest }} -n 3 {{ words }}

# The fast tests under another Python, say 3.13, in an environment .venv-3.13 of its own
test-under version *words:
    {{ if os_family() == "windows" { "py -" + version } else { "python" + version } }} -m venv .venv-{{ version }}
    .venv-{{ version }}/{{ bin }}/python -m pip install --quiet --no-compile --editable ".[dev]"
    .venv-{{ version }}/{{ bin }}/python -m pytest -n 2 -m "not slow" {{ if words == "" { "tests" } else { words } }}

# Run what CI runs and write to a file where the time goes; print tables by folder, by cause and the slowest
test-times file:
    {{ pytest }} -n 3 -m "not long" -p tests.times --times {{ file }}
    python -m tests.times {{ file }}

# Compile the search by rows once, not once in each process that tests it
compile:
    python -c "from satlife.rows import compilation as c, kernels; [c.keep(kind, c.build(kind)) for kind in kernels.KINDS if not c.is_compiled(kind)]"

# Random problems and plans against brute force, for 5 minutes; --minutes, --sort, --seed, --jobs
fuzz *words:
    python -m tests.fuzz {{ words }}

# Forge certificates, maps and ledgers, 2000 of them: nothing false may be taken; --count, --seed, --jobs
forge *words:
    python -m tests.forge {{ words }}

# Break the encoder's geometry in every small way, for half an hour: nothing wrong may be certified
mutate *words:
    python -m tests.mutation.geometry {{ words }}

# Break encoder, verifier, audit and checker in twelve small ways, for half an hour: CI's early tests must notice
breaks *words:
    python -m tests.mutation.answers {{ words }}

# The documentation, into docs/_build/html; a warning is an error
docs:
    python -m sphinx -W -n -b html docs docs/_build/html

# The same, and what axe, the search and a phone's screen show of it, with Chromium; of a build from nothing
docs-check:
    python -m sphinx -E -a -W -n -b html docs docs/_build/html
    python scripts/check_axe.py docs/_build/html
    python scripts/check_search.py docs/_build/html
    python scripts/check_narrow.py docs/_build/html

# The links of the documents to other sites, with their pages
docs-links:
    python scripts/list_links.py

# Photographs of all built pages, light and dark, wide and narrow, for a person to look at
docs-look folder:
    python scripts/look_at_docs.py docs/_build/html {{ folder }}

# The sdist and the wheel, into dist/; the README is done with the wheel, by this Python
wheel *words:
    python scripts/release_check.py --quick {{ words }}

# The same with the sdist too, by every Python found, in ten minutes; says what a person sets: RELEASING.md
release-check *words:
    python scripts/release_check.py {{ words }}

# What a person types beside what an expert would type, for half an hour; --rounds, --limit
front-door *words:
    python -m bench.front_door {{ words }}

# The table of default choices against every single choice, for hours, going on where it stopped; --jobs, --report
choices *words:
    python -m bench.choices {{ words }}

# Measure speed on the fixed tasks, for an hour; writes docs/benchmarks.md; extra words go to it
bench *words:
    python -m bench.run {{ words }}
    python -m bench.optima

# What proofs cost beside plain answers, for ten minutes; prints a table
bench-proofs *names:
    python -m bench.proofs {{ names }}

# Figures beside LLS, lifesrc and qfind, which you have built in a folder; half an hour, writes docs/benchmarks.md
bench-peers folder *words:
    python -m bench.peers {{ folder }} {{ words }}
    python -m bench.report

# The page without a server beside the native solver, for three minutes; prints tables; words choose targets
time-try *words:
    python scripts/time_try.py {{ words }}

# By how much commands overrun --timeout, for five minutes; prints a table, and fails for nothing
overrun *words:
    python -m bench.overrun {{ words }}

# One job against two, on a quiet machine with two processors; prints tables
bench-divide *names:
    python -m bench.divide {{ names }}

# One refutation on 8 workers over NATS, as a tree of cases; prints a table (nats-server on the PATH)
bench-trees *names:
    python -m bench.trees cluster {{ names }}

# Make published data: tables, gallery, formulas, widths; without a name, list all; atlas/README.md says more
atlas *words:
    python -m atlas {{ words }}

# Kill parts of a large campaign for half an hour, and see that nothing is lost
soak *words:
    python -m bench.soak {{ words }}

# Stop parts, fill disks, set the clock, kill a cluster's leader: ten minutes; names of scenes choose
chaos *words:
    python -m bench.chaos {{ words }}

# Attack a campaign in every way that a volunteer can, and see what it costs the honest ones
attacks *words:
    python -m bench.attacks {{ words }}

# Measure the ledgers with a million rows, and the overhead of campaigns
bench-campaign:
    python -m bench.ledger
    python -m bench.campaign
    python -m bench.campaign_scale schedule
    python -m bench.campaign_scale recorder
    python -m bench.campaign_ledger fill --ledger dist/million.db --tasks 1000000
    python -m bench.campaign_ledger measure --ledger dist/million.db
    python -m bench.traffic
    python -m bench.bad_memory

# A small part of it, in under 3 minutes; prints the page and changes nothing in docs/
bench-quick:
    python -m bench.run --quick
