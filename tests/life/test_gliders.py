"""The glider database: its lines, read by simulation, written, and asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from satlife.cli import own
from satlife.cli.group import cli
from satlife.errors import FormatError, UsageError
from satlife.life import Pattern, Rule
from satlife.life.catalogue import find_entries, find_entry, read_collection, write_line
from satlife.life.catalogue.gliders import read_line, write_ranges
from satlife.life.identity.recurrence import find_recurrence, trace_phases
from satlife.life.rulespaces import OPEN, RuleSpace, rules_of

GLIDER = "Glider:John Conway, 1970:B3/S23:B3678/S0235678:4/2:-1:-1:3:3:bo$o$3o!"
LWSS = "Lightweight Spaceship:John Conway, 1970:B3/S23:B3468/S2378:4/2:-2:0:5:4:bo2bo$o$o3bo$4o!"
"""Two lines of glider.db, as https://conwaylife.com/wiki/Gliderdb quotes them."""
SHIPS = [entry.pattern for entry in find_entries(kind="spaceship") if entry.population < 40]
WORDS = st.text("abc XYZ,.()1970-é", max_size=12).map(lambda text: " ".join(text.split()))


def test_lines_of_the_database():
    glider, lwss = map(read_line, (GLIDER, LWSS))
    assert (glider.code, glider.speed, glider.rule) == ("xq4_153", "c/4d", "B3/S23")
    assert (glider.greatest, glider.discoverer) == ("B3678/S0235678", "John Conway, 1970")
    assert (lwss.speed, lwss.greatest) == ("2c/4", "B3468/S2378")
    assert write_line(glider) == (
        "glider:John Conway, 1970:B3/S23:B3678/S0235678:4/2:-1:1:3:3:2o$obo$o!"
    )
    assert write_line(lwss) == (
        "LWSS:John Conway, 1970:B3/S23:B3468/S2378:4/2:0:2:4:5:bo$3o$ob2o$b3o$b2o!"
    )


@pytest.mark.parametrize(
    "line",
    [
        "::B3/S23:B3/S23:4:0:2:4:5:3o$o2bo$o$o$bobo!",  # dy upward
        "::B3/S23:B3/S23:4:0:-2:4:5:3o$o2bo$o$o$bobo!",  # and downward
        "::b3s23:23/3:4:0:2:0:0:3ob$o2bo$o$o$bobo!",  # any notation; the size is not looked at
        "Blinker::B3/S2:B345678/S02345678:2/2:0:0:3:1:3o!",
        "::B2/S3H:B2/S356H:5:-1:0:7:7:obo$4bo$bo2bo$bobo$2bo2bo$6bo$3bobo!",
        "Frog::12/34/3:12678/345678/3:5:0:-1:4:3:A2.A$A2.A$.2A!",
        "::B2c3aei4ajnr5acn/S2-ci3-ck4in5jkq6c7c:B2c3aei4ajnr5acn/S2-ci3-ck4in5jkq6c7c:1:0:0:2:2:2o$2o!",
    ],
)
def test_other_lines_that_are_right(line: str):
    entry = read_line(line)
    assert read_line(write_line(entry)) == entry


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Glider:B3/S23:B3/S23:4:-1:-1:3:3:bo$o$3o!", "9 fields instead of 10; a line is name:"),
        (f"{GLIDER}:", "11 fields instead of 10"),
        ("::B3/S23:B3/S23:0:-1:-1:3:3:bo$o$3o!", "period '0' is not valid: expected 4, or 4/2"),
        ("::B3/S23:B3/S23:4/3:-1:-1:3:3:bo$o$3o!", "period '4/3' is not"),
        ("::B3/S23:B3/S23:٤:-1:-1:3:3:bo$o$3o!", "period '٤' is not"),
        ("::B3/S23:B3/S23:4:one:-1:3:3:bo$o$3o!", "dx 'one' is not valid: expected a number"),
        ("::B3/S23:B3/S23:4:-1:-1:x:3:bo$o$3o!", "width 'x' is not"),
        ("::B36/S23:B3/S23:4:-1:-1:3:3:bo$o$3o!", "rule min B36/S23 has transitions that rule max"),
        ("::B3/S23:B3/S23H:4:-1:-1:3:3:bo$o$3o!", "rule min B3/S23 has transitions that rule max"),
        ("::12/34/3:12/34/4:5:0:-1:4:3:A2.A$A2.A$.2A!", "rule min 12/34/3 has transitions"),
        ("::B9/S23:B3/S23:4:-1:-1:3:3:bo$o$3o!", "rule min: "),
        ("::B3/S23::4:-1:-1:3:3:bo$o$3o!", "rule max: "),
        ("::B03/S23:B03/S23:4:-1:-1:3:3:bo$o$3o!", "rule min B03/S23 has B0; rules with B0 have"),
        ("::B3/S23:B03/S23:4:-1:-1:3:3:bo$o$3o!", "rule max B03/S23 has B0"),
        ("::B3/S23:B3/S23:4:-1:-1:3:3:bo$oz$3o!", "rle: column 5: 'z' has no meaning here"),
        ("::B3/S23:B3/S23:4:-1:-1:3:3:bo$o$3o", "rle: column 8: no '!' at the end"),
        ("::B3/S23:B3/S23:4:-1:-1:3:3:999999999o!", "rle: column 1: a run of 999999999 cells"),
        ("::B3/S23:B3/S23:4:-1:-1:3:3:bo$?$3o!", "rle: "),
        ("::B3/S23:B3/S23:4:-1:-1:3:3:!", "rle: there is no live cell"),
        ("::B3/S23:B3/S23:5:-1:-1:3:3:bo$o$3o!", "the object has period 4, not 5, in B3/S23"),
        ("::B3/S23:B3/S23:3:-1:-1:3:3:bo$o$3o!", "the object does not recur within 3 generations"),
        ("::B3/S23:B3/S23:4:1:-1:3:3:bo$o$3o!", "moves -1 to the right and -1 up in B3/S23, not 1"),
        ("::B3/S23:B3/S23:4:-1:-2:3:3:bo$o$3o!", "moves -1 to the right and -1 up in B3/S23, not"),
        ("::B3/S23:B3/S23:4:-1:-1:3:3:bo!", "the object dies in generation 1 in B3/S23"),
        ("::B3/S23:B34/S23:4:-1:-1:3:3:bo$o$3o!", "the same generations in B34/S23 as in B3/S23"),
    ],
)  # fmt: skip
def test_a_wrong_line_says_why(line: str, reason: str):
    with pytest.raises(FormatError) as error:
        read_line(line)
    assert reason in str(error.value)
    read = read_collection(f"# glider.db\n\n{line}\n{LWSS}\n", "ships.db")
    assert [entry.name for entry in read.entries] == ["LWSS"]
    assert [why.partition(": ")[0] for why in read.skipped] == ["line 3"]


def test_a_database_is_told_from_other_files():
    named = LWSS.replace("Lightweight Spaceship", "xq4_6frc")
    assert [entry.speed for entry in read_collection(named).entries] == ["2c/4"]
    assert read_collection("nonsense\n", "'my ships.db'").skipped[0].startswith("line 1: 1 field i")
    assert [entry.name for entry in read_collection("xs4_33\n", "codes.db").entries] == ["block"]
    assert read_collection("\ufeff# none\r\n\r\n", "ships.db").entries == ()


def test_both_ends_of_a_range_are_not_enough():
    """An oscillator at both ends, by other generations, need not be one between them."""
    drawn, least, greatest = "4o$4o$4o!", "B37/S3468", "B347/S3468"
    brick = Pattern.from_rle(drawn)
    for rule in (least, greatest):
        assert read_line(f"::{rule}:{rule}:4:0:0:4:3:{drawn}").words == "oscillator p4"
    between = [brick.with_rule(f"B34{letter}7/S3468") for letter in "aceijknqrtwyz"]
    found = [find_recurrence(each, generations=4) for each in between]
    assert None in found
    with pytest.raises(FormatError, match="same generations in B347/S3468 as in B37/S3468"):
        read_line(f"::{least}:{greatest}:4:0:0:4:3:{drawn}")


def write_plainly(pattern: Pattern, rules: RuleSpace, words: tuple[str, str]) -> list[str]:
    found = find_recurrence(pattern)
    assert found is not None
    (dx, dy), box = found.displacement, pattern.box
    rle = "".join(pattern.normalized.to_rle().splitlines()[1:])
    numbers = (found.period, dx, -dy, box.width, box.height)
    return [*words, str(rules.least), str(rules.greatest), *map(str, numbers), rle]


@st.composite
def ships(draw: st.DrawFn) -> tuple[Pattern, RuleSpace]:
    """Draw a ship, turned and in some phase, in a part of the rules in which it works."""
    ship = draw(st.sampled_from(SHIPS))
    rules = rules_of(ship, family=draw(st.sampled_from(["outer-totalistic", "isotropic"])))
    fates = st.sampled_from([None, None, True, False])
    size = len(rules.places)
    rules = rules.fill(draw(st.lists(fates, min_size=size, max_size=size)))
    ship = ship.transformed(draw(st.sampled_from(ship.rule.symmetries)))
    return ship[draw(st.integers(0, 3))].with_rule(rules.least), rules


@given(ships(), WORDS, WORDS)
@settings(max_examples=40, deadline=None)
def test_reading_undoes_writing(drawn: tuple[Pattern, RuleSpace], name: str, discoverer: str):
    ship, rules = drawn
    first = read_line(":".join(write_plainly(ship, rules, (name, discoverer))))
    line = write_line(first)
    assert (first.rule, first.greatest) == (str(rules.least), str(rules.greatest))
    assert first.discoverer == discoverer
    again = read_line(line)
    assert again == first
    assert write_line(again) == line
    found = find_recurrence(ship)
    assert found is not None
    assert (first.period, first.speed) == (found.period, found.speed)
    phases = {phase.normalized for phase in trace_phases(ship, found.period)}
    turned = [first.pattern.transformed(turn).normalized for turn in ship.rule.symmetries]
    assert phases & set(turned)
    named = write_ranges([(ship, rules), (ship[1], rules)]).splitlines()
    assert [each.split(":")[2:] for each in named] == [line.split(":")[2:]]


@given(ships(), st.data())
@settings(max_examples=40, deadline=None)
def test_a_forged_line_is_refused(drawn: tuple[Pattern, RuleSpace], data: st.DataObject):
    ship, rules = drawn
    fields = write_plainly(ship, rules, ("", ""))
    read_line(":".join(fields))
    place = data.draw(st.sampled_from(["rule max", "period", "dx", "dy"]))
    if place == "rule max":  # with something that the ship must not have
        whole = rules_of(ship, family=rules.family)
        if whole.classes is not rules.classes:
            return
        entries = rules.entries.copy()
        entries[entries == OPEN] = 1
        never = [n for n, fate in enumerate(whole.entries.tolist()) if fate == 0 and n > 0]
        entries[data.draw(st.sampled_from(never))] = 1
        fields[3] = str(RuleSpace.from_entries(rules.classes, entries))
    elif place == "period":
        fields[4] = str(int(fields[4]) + data.draw(st.integers(1, 9)))
    else:
        number = 5 if place == "dx" else 6
        fields[number] = str(abs(int(fields[number])) + data.draw(st.integers(1, 9)))
    with pytest.raises(FormatError):
        read_line(":".join(fields))


@given(ships(), st.data())
@settings(max_examples=40, deadline=None)
def test_a_range_is_entry_by_entry(drawn: tuple[Pattern, RuleSpace], data: st.DataObject):
    ship, rules = drawn
    entry = read_line(":".join(write_plainly(ship, rules, ("", ""))))
    bits = st.lists(st.booleans(), min_size=len(rules.places), max_size=len(rules.places))
    inside = rules.rule(data.draw(bits))
    assert entry.works_in(inside)
    found = find_recurrence(ship)
    assert found == find_recurrence(ship.with_rule(inside))
    flipped = inside.table.copy()
    flipped[data.draw(st.integers(0, 511))] ^= 1
    other = Rule.from_table(flipped)
    least, greatest = rules.least.table, rules.greatest.table
    is_inside = bool((least <= flipped).all() and (flipped <= greatest).all())
    one, two = entry.pattern, entry.pattern.with_rule(other)
    generations = ((one[n], two[n].with_rule(one.rule)) for n in range(1, entry.period + 1))
    is_alike = not flipped[0] and all(each == also for each, also in generations)
    assert entry.works_in(other) == is_alike
    assert is_alike or not is_inside


def test_objects_without_a_range_are_simulated():
    glider, gun = find_entry("glider"), find_entry("gosper glider gun")
    assert glider.works_in(Rule("HighLife"))
    assert not glider.works_in(Rule("B34/S23"))
    assert not glider.works_in(Rule("B03/S23"))
    assert gun.works_in(Rule("Life"))
    assert not gun.works_in(Rule("HighLife"))
    assert write_line(glider).startswith("glider::B3/S23:B3678/S0235678:4/2:-1:1:3:3:")
    with pytest.raises(UsageError, match="Gosper glider gun does not recur"):
        write_line(gun)


def run(*words: str, stdin: str | None = None) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli, list(words), input=stdin)
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(own.VARIABLE, str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


NEW = ":me, 2026:B2/S3H:B2/S356H:5:-1:0:7:7:obo$4bo$bo2bo$bobo$2bo2bo$6bo$3bobo!"


def test_importing_asking_and_writing(data: Path):
    (data / "two.db").write_text(f"# mine\n\n{GLIDER}\n{NEW}\n{GLIDER}:\n")
    status, _, words = run("catalogue", "import", "two.db")
    assert (status, "two.db: line 5: 11 fields" in words) == (0, True)
    assert "2 objects read: 2 new, 0 known already; 1 not identified" in words
    assert "0 new, 2 known already" in run("catalogue", "import", "two.db")[2]
    asked = ("catalogue", "--speed", "c/5")
    assert "B2/S3H to B2/S356H" in run(*asked, "--rule", "B2/S36H")[1]
    assert run(*asked, "--rule", "B2/S34H")[0] == 1
    assert run(*asked, "--rule", "B2/S34H", "--own", "none.tsv")[0] == 1
    assert run("catalogue", "--kind", "ship", "--population", "=5")[1].count("\n") == 1  # once
    status, lines, _ = run(*asked, "--rule", "B2/S3H", "--export", "-")
    assert (status, lines.split(":")[:6]) == (0, ["", "me, 2026", "B2/S3H", "B2/S356H", "5", "0"])
    small = ("catalogue", "--kind", "ship", "--population", "<=30")
    assert run(*small, "--export", "all.db")[0] == 0
    first = (data / "all.db").read_text()
    assert run("catalogue", "import", "all.db", "--own", "new.tsv")[0] == 0
    assert run(*small, "--own", "new.tsv", "--export", "again.db")[0] == 0
    assert sorted((data / "again.db").read_text().splitlines()) == sorted(first.splitlines())


def test_a_range_hides_nothing(data: Path):
    """Outside of its range an object is simulated, as one without a range."""
    asked = ("catalogue", "--speed", "c/4d", "--population", "=5", "--rule")
    rules = ("B3-k/S23", "B36/S23", "B38/S023", "B3/S23")
    for line in ("", GLIDER, GLIDER.replace("B3678/S0235678", "B3/S23")):
        if line:
            assert run("catalogue", "import", "-", "--own", f"{len(line)}.tsv", stdin=line)[0] == 0
        for rule in rules:
            status, lines, _ = run(*asked, rule, "--own", f"{len(line)}.tsv")
            assert (status, lines.count("glider")) == (0, 1), (line, rule)
        assert run(*asked, "B34/S23", "--own", f"{len(line)}.tsv")[0] == 1


@pytest.mark.parametrize("other", ["--json", "--rle", "--show"])
def test_a_database_is_written_alone(data: Path, other: str):
    status, lines, words = run("catalogue", "glider", "--export", "-", other)
    assert (status, lines) == (2, "")
    assert f"--export writes a glider database; leave {other} out" in words


def test_two_ranges_of_one_object_are_one_pattern(data: Path):
    narrow = GLIDER.replace("B3678/S0235678", "B36/S23").replace("B3/S23", "B3-k/S23")
    assert run("catalogue", "import", "-", stdin=f"{GLIDER}\n{narrow}\n")[0] == 0
    status, lines, _ = run("catalogue", "glider", "--rle")
    assert (status, lines.count("!"), "B3/S23" in lines) == (0, 1, True)
    assert run("catalogue", "xq4_153", "--rle")[1] == lines
    assert run("catalogue", "--speed", "c/4d", "--rle")[0] == 2
    other = "Glider::B/S12:B/S12:1:0:0:2:2:2o$bo!\n"
    assert run("catalogue", "import", "-", stdin=other)[0] == 0
    assert run("catalogue", "glider", "--rle")[0] == 2  # the name is not enough


def test_the_same_speed_in_another_period_is_told(data: Path):
    status, _, words = run("catalogue", "--rule", "HighLife", "--speed", "c/4")
    assert (status, "period" in words) == (1, False)
    status, _, words = run("catalogue", "--rule", "Life", "--speed", "3c/6")
    assert (status, words) == (
        1, "the catalogue has no such object; the same speed in another period: c/2, 2c/4, 6c/12, "
        "8c/16\n",
    )  # fmt: skip


@pytest.mark.parametrize("option", ["--rule", "--speed"])
def test_nonsense_is_named(data: Path, option: str):
    status, _, words = run("catalogue", option, "nonsense")
    assert (status, words.startswith("satlife: 'nonsense' is not a ")) == (2, True)


def test_only_what_works_in_a_rule_is_imported(data: Path):
    status, _, words = run(
        "catalogue", "import", "-", "--rule", "B2/S36H", stdin=f"{GLIDER}\n{NEW}"
    )
    assert (status, "-: line 1: not known to work in B2/S36H" in words) == (0, True)
    assert "1 object read: 1 new" in words


def test_what_a_database_knows_in_a_rule_is_rejected(data: Path):
    search = ("oscillator", "2", "--box", "3x2", "--rule", "B378/S3", "--all", "--count")
    assert run(*search)[1] == "1\n"
    (data / "ant.db").write_text("Ant::B3/S3:B345678/S01345678:2/2:0:0:3:2:b2o$2o!")
    assert run("catalogue", "import", "ant.db")[0] == 0
    assert run(*search, "--reject", "known")[1] == "0\n"


def test_what_a_map_has_found_is_a_database(data: Path):
    asked = ("map", "ship", "c/2", "--box", "4x4", "--rules", "B3[4][5]/S12[3]4[6]", "-q")
    status, words, _ = run(*asked, "--export", "map.db")
    assert (status, "have a ship of speed c/2" in words) == (0, True)
    lines = (data / "map.db").read_text().splitlines()
    assert lines == ["::B3/S124:B35/S1246:2:0:1:4:3:b2o$4o$o2bo!"]
    assert [write_line(entry) for entry in map(read_line, lines)] == lines
    assert run("catalogue", "import", "map.db")[0] == 0
    assert run("catalogue", "--speed", "c/2", "--rule", "B35/S124")[0] == 0
    assert run("catalogue", "--speed", "c/2", "--rule", "B34/S124")[0] == 1
    for name in ("nowhere/map.db", "."):
        status, _, words = run(*asked, "--export", name)
        assert (status, words) == (
            2, f"satlife: --export {Path(name)}: name a file, in a folder that exists\n",
        )  # fmt: skip
