"""What the page shows and says: one view, examples, plain words, watching, none, history."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from satlife.life import Pattern, identify
from tests.browser import open_browser
from tests.web.hands import Mouse
from tests.web.serving import Server, serving
from tests.web.states import WIDTHS, ask, begin_drawing, open_page, stop_all, until, wait_for

KINDS = [
    "still-life", "oscillator", "ship", "agar", "wick", "eater", "reaction", "find",
    "complete", "parent", "orphan", "forced",
]  # fmt: skip
CARDS = {"complete": "complete", "parent": "past", "orphan": "past", "forced": "past"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("page")) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    stop_all(server)
    context = browser.new_context(viewport=WIDTHS["wide"], reduced_motion="reduce")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    open_page(opened, server)
    yield opened
    context.close()
    stop_all(server)
    assert errors == []


def choose(page: Any, kind: str) -> None:
    """Choose a kind: its card, then its name."""
    page.click(f"[data-card={CARDS.get(kind, 'find')}]")
    if page.locator("#kind").input_value() != kind:
        page.select_option("#kind", kind)
    page.wait_for_selector("#shown:not([hidden]) canvas")


def values(page: Any) -> dict[str, Any]:
    """The question that the address holds."""
    shared = page.evaluate("import('/link.js').then(link => link.read(location.hash))")
    return shared["question"]["values"]


def is_in_view(page: Any, *selectors: str) -> bool:
    """Whether each is shown, and wholly in the window, without scrolling."""
    return page.evaluate(
        """selectors => selectors.every(selector => {
          const shown = [...document.querySelectorAll(selector)];
          const box = shown.find(each => each.getClientRects().length)?.getBoundingClientRect();
          return box && scrollY === 0 && box.top >= 0 && box.bottom <= innerHeight;
        })""",
        list(selectors),
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_begins_with_an_example_that_plays_and_is_found(
    page: Any, server: Server, kind: str
) -> None:
    choose(page, kind)
    assert page.locator("[aria-invalid], .error:visible").count() == 0
    until(page, "document.querySelector('#command').textContent.startsWith('satlife')")
    assert is_in_view(page, "#sentence", "#search", "#shown canvas", ".satlife-bar", "#actions > *")
    page.click("#search")
    wait_for(page, "found")
    page.wait_for_selector("#shown:not([hidden]) canvas")
    # The question, the pattern, what is said of it, and what can be done with it.
    page.evaluate("scrollTo(0, 0)")
    shown = ("#sentence", "#search", "#status", "#shown canvas", ".satlife-bar", "#actions > *")
    assert is_in_view(page, *shown), kind
    page.set_viewport_size(WIDTHS["narrow"])
    choose(page, "ship" if kind == "oscillator" else "oscillator")
    choose(page, kind)
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(50)
    assert is_in_view(page, "#sentence", "#shown canvas", "#search"), f"{kind} on a phone"


@pytest.mark.parametrize("kind", ["complete", "parent", "orphan", "eater"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_answer_appears_in_the_drawing(page: Any, kind: str, width: str) -> None:
    page.set_viewport_size(WIDTHS[width])
    choose(page, kind)
    page.keyboard.press("Escape")
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(100)
    assert is_in_view(page, "#sentence", "#search", "#board canvas")
    assert page.locator("#shown").is_hidden()
    before = values(page)
    page.keyboard.press("Control+Enter")
    wait_for(page, "found")
    page.wait_for_selector("#shown:not([hidden]) canvas")
    assert page.locator("#drawing").is_hidden()
    assert count_given(page) > 0, "what was drawn is marked"
    page.keyboard.press("Escape")
    page.wait_for_selector("#board")
    assert page.locator("#shown").is_hidden()
    assert values(page) == before
    assert page.evaluate("document.activeElement.id") == "board"


def count_given(page: Any) -> int:
    """Count the pixels of rings around what was drawn, in the first generation or the last."""
    count = """() => {
      const canvas = document.querySelector("#shown canvas"), pen = canvas.getContext("2d");
      const {data} = pen.getImageData(0, 0, canvas.width, canvas.height);
      let n = 0;
      for (let k = 0; k < data.length; k += 4)
        n += Number(data[k] === 0x0b && data[k + 1] === 0x5c && data[k + 2] === 0xad);
      return n;
    }"""
    found = page.evaluate(count)
    if page.locator("[aria-label='Step back']").count():
        page.click("[aria-label='Step back']")
        found = max(found, page.evaluate(count))
    return found


def test_a_drawing_that_was_changed_stays(page: Any) -> None:
    """Who goes on drawing while a search runs is not interrupted by its find."""
    begin_drawing(Mouse(page))
    page.locator("#board").focus()
    page.keyboard.press("1")
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/api/jobs/*/events*", hold, times=1)
    page.keyboard.press("Control+Enter")
    wait_for(page, "queued", "encoding", "solving", "found")  # whatever the answer said
    for key in ("ArrowRight", "ArrowRight", "0"):
        page.keyboard.press(key)
    held[0].continue_()
    wait_for(page, "found")
    assert page.locator("#board").is_visible()
    page.locator("#strip button").first.click()
    page.wait_for_selector("#shown:not([hidden]) canvas")


@pytest.mark.parametrize(
    ("field", "written", "read"),
    [
        ("box", "5 × 5", "5x5"),
        ("box", "“5x5”", "5x5"),
        ("box", "5 by 5", "5x5"),
        ("box", "five by five", "5x5"),
        ("period", "three", "3"),
        ("rule", "'B3/S23'", None),
        ("rule", '"B36/S23"', "B36/S23"),
    ],
)
def test_what_people_write_is_understood(
    page: Any, field: str, written: str, read: str | None
) -> None:
    choose(page, "oscillator")
    page.fill(f"#f-{field}", written)
    page.wait_for_timeout(300)
    until(page, "document.querySelector('#command').textContent.startsWith('satlife')")
    until(page, "!document.querySelector('[aria-invalid]')")
    assert values(page).get(field) == read


def test_conditions_are_sentences(page: Any) -> None:
    page.click("#more summary")
    page.click("#f-population")
    page.keyboard.insert_text('"thirty"')
    page.wait_for_selector(".condition input[aria-invalid]")
    page.locator(".condition input").fill('"30"')
    page.click("#f-population")
    row = page.locator(".condition").nth(1)
    row.locator("input").fill("20 to 36")
    row.locator("select").last.select_option(label="every generation")
    page.click("#f-off")
    row = page.locator(".condition").nth(2)
    row.locator("input").first.fill("0..3")
    row.locator("input").last.fill("0")
    until(page, "document.querySelector('#command').textContent.includes('--off')")
    command = page.locator("#command").inner_text()
    expected = "--off 0..3,0 --population '<=30' --population 20..36@every"
    assert expected in command
    # A link brings the sentences back.
    told = values(page)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert values(page) == told
    assert page.locator(".condition").count() == 3
    page.click("#more summary")
    page.locator(".condition .remove").last.click()
    until(page, "!document.querySelector('#command').textContent.includes('--off')")
    # What is wrong is told at its own sentence.
    page.locator(".condition input").first.fill("many")
    page.wait_for_selector("#f-population-error:not([hidden])")


def test_every_field_of_the_sentence_explains_itself(page: Any) -> None:
    for kind in KINDS:
        choose(page, kind)
        for field in page.locator(".words input, .words select").all():
            if field.get_attribute("id") == "kind":
                continue
            field.focus()
            summary = page.locator("#explain").inner_text()
            assert len(summary) > 20
            assert "explain" in (field.get_attribute("aria-describedby") or "")


def test_no_field_is_red_before_it_was_touched(page: Any) -> None:
    page.fill("#f-speed", "")
    page.wait_for_selector("#f-speed[aria-invalid]")  # this one was
    choose(page, "oscillator")
    assert page.locator("[aria-invalid], .error:visible, #wrong:visible").count() == 0


def test_searching_is_worth_watching(page: Any) -> None:
    """A rate, what is tried, and a picture without the controls of a player."""
    ask(Mouse(page), speed="(2,1)c/6", box="20x20")
    wait_for(page, "solving")
    until(page, "document.querySelector('#numbers').textContent.match(/conflicts\\/s|processor/)")
    assert page.locator("#watch canvas").is_visible()
    assert page.locator(".satlife-bar").count() == 0
    page.keyboard.press("Escape")
    wait_for(page, "stopped")
    assert page.locator("#watch").is_hidden()
    ask(Mouse(page), speed="c/5", box="9x*")
    wait_for(page, "solving")
    until(page, "document.querySelector('#watch figcaption').textContent.includes('partial')")
    until(page, "document.querySelector('#numbers').textContent.includes('states/s')")


def test_exact_boxes_are_a_grid_that_fills(page: Any) -> None:
    page.click("#how summary")
    page.fill("#jobs", "2")
    page.select_option("#engine", "sat")
    ask(Mouse(page), speed="c/3", box="9x10")
    until(page, "document.querySelector('#watch figcaption').textContent.includes('exact boxes')")
    until(page, "/^[1-9]/.test(document.querySelector('#watch figcaption').textContent)")


def test_none_is_a_picture_with_its_statement(page: Any) -> None:
    ask(Mouse(page), "oscillator", period="3", box="5x5")
    wait_for(page, "impossible")
    label = page.locator("#watch canvas").get_attribute("aria-label")
    assert label == "There is no p3 in 5x5"
    assert page.locator("#strip .state").first.inner_text() == "No p3 in 5x5"
    page.get_by_role("button", name="Make a certificate").click()
    wait_for(page, "certified")
    with page.expect_download() as download:
        page.get_by_role("link", name="Card to share").click()
    card = Path(download.value.path()).read_text()
    assert card.startswith("<svg")
    assert "∅" in card


NARROWED = "No such pattern exists with the symmetry D8 (all rotations and reflections)"


def test_a_symmetry_is_in_the_title_of_none(page: Any) -> None:
    ask(Mouse(page), "oscillator", symmetry="D8", period="3", box="4x4")
    wait_for(page, "impossible")
    for width in WIDTHS.values():
        page.set_viewport_size(width)
        assert page.locator("#title").inner_text() == NARROWED
        assert is_whole(page, "#title")
    page.get_by_role("button", name="Make a certificate").click()
    wait_for(page, "certified")
    assert page.locator("#title").inner_text() == f"Certified: {NARROWED.replace('N', 'n', 1)}"


def is_whole(page: Any, selector: str) -> bool:
    """Whether all of a text or of what a field shows can be read, without scrolling sideways."""
    return page.evaluate(
        """selector => {
          const field = document.querySelector(selector), width = field.offsetWidth;
          const inner = field.getBoundingClientRect();
          const outer = field.closest("section").getBoundingClientRect();
          const right = Math.min(outer.right, innerWidth);
          const inside = inner.left >= outer.left && inner.right <= right;
          field.style.maxWidth = "none";
          const free = field.offsetWidth;
          field.style.maxWidth = "";
          return inside && free === width && field.scrollWidth <= field.clientWidth;
        }""",
        selector,
    )


@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_asked_is_never_cut(page: Any, width: str) -> None:
    page.set_viewport_size(WIDTHS[width])
    choose(page, "oscillator")
    assert page.locator("#f-symmetry").input_value() == ""  # any
    # A select is as wide as its longest option, unless something narrows it.
    assert is_whole(page, "#f-symmetry")
    assert is_whole(page, "#kind")
    for field, text in (("box", "10x13,8x13*2"), ("rule", "B3678/S34678")):
        page.fill(f"#f-{field}", text)
        assert is_whole(page, f"#f-{field}"), text


def test_history_restores_the_question_as_it_was_asked(page: Any) -> None:
    ask(Mouse(page), speed="c/4d", box="5x4")
    wait_for(page, "found")
    asked = values(page)
    ask(Mouse(page), "oscillator", period="2", box="4x4")
    wait_for(page, "found")
    choose(page, "complete")
    page.click("#history summary")
    row = page.locator("#past button", has_text="satlife ship c/4d --box 5x4")
    row.first.click()
    until(page, "document.querySelector('#kind').value === 'ship'")
    until(page, "document.querySelector('.satlife-words strong')?.textContent === 'glider'")
    assert values(page) == asked
    # Nothing of the other search is left.
    actions = page.locator("#actions > *").all_inner_texts()
    assert actions == ["Copy link", "Copy RLE"]
    assert page.locator("#status").is_hidden()


def test_a_drag_costs_no_more_in_a_large_drawing(page: Any) -> None:
    """Only cells that changed are drawn again, once a frame."""
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable")

    def used() -> float:
        told = client.send("Performance.getMetrics")["metrics"]
        return {each["name"]: each["value"] for each in told}["ThreadTime"]

    def drag() -> float:
        box = page.locator("#board canvas").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2 - 100, box["y"] + 20)
        page.mouse.down()
        begun = used()
        for k in range(60):
            page.mouse.move(box["x"] + box["width"] / 2 - 100 + 3 * k, box["y"] + 20 + 4 * k)
        spent = used() - begun
        page.mouse.up()
        page.wait_for_timeout(300)
        return spent / 60

    begin_drawing(Mouse(page))
    spent: dict[str, list[float]] = {"16x16": [], "128x128": []}
    for _ in range(3):
        for size, each in spent.items():
            page.fill("#size", size)
            page.locator("#size").press("Enter")
            page.wait_for_timeout(300)
            each.append(drag())
    assert median(spent["128x128"]) < 3 * median(spent["16x16"]), spent


# ------------------------------------------------------------------ what belongs together


def open_shared(page: Any, server: Server, shared: dict[str, Any]) -> None:
    """Open a link."""
    write = "shared => import('/link.js').then(link => link.write(shared))"
    fragment = page.evaluate(write, shared)
    page.goto("about:blank")
    open_page(page, server, fragment)


def question(kind: str, **values: Any) -> dict[str, Any]:
    return {"question": {"kind": kind, "values": values}}


def copied(page: Any, button: str) -> str:
    page.get_by_role("button", name=button).last.click()
    return page.evaluate("navigator.clipboard.readText()")


def test_buttons_are_about_what_is_shown(page: Any, server: Server) -> None:
    choose(page, "oscillator")
    page.locator("#actions button", has_text="Copy RLE").click()
    assert identify(Pattern.from_rle(copied(page, "Copy RLE"))).name == "pulsar"
    for box in ("2x3", "3x2"):
        ask(Mouse(page), "oscillator", period="3", box=box)
        wait_for(page, "impossible")
        until(page, f"document.querySelector('#strip .state').textContent.includes('{box}')")
    page.locator("#strip button").nth(1).click()
    page.locator("#strip button").first.click()
    page.get_by_role("button", name="Make a certificate").click()
    wait_for(page, "certified")
    latest = server.ask("GET", "/api/jobs").json()[0]
    assert latest["question"]["values"]["box"] == "3x2"


def test_an_answer_does_not_stay_over_another_question(page: Any, server: Server) -> None:
    open_shared(page, server, question("complete", partial="3o$3o$3o!"))
    page.click("#search")
    wait_for(page, "impossible")
    assert page.locator("#watch canvas").is_visible()
    page.keyboard.press("Escape")
    assert page.locator("#board").is_visible()
    assert page.locator("#status").is_hidden()
    # The address has the find only beside the question that it answers.
    choose(page, "ship")
    page.fill("#f-speed", "c/4")
    until(page, "document.querySelector('#command').textContent.includes('c/4')")
    shared = page.evaluate("import('/link.js').then(link => link.read(location.hash))")
    assert "rle" not in shared


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("complete", {"partial": "2o2?$o3?$3?o$2?2o!", "motion": "p2", "rule": "HighLife"}),
        ("complete", {"partial": "#CXRLE Pos=5,5\nx = 2, y = 2\n2?$2?!", "on": ["5,5"]}),
        ("eater", {"incoming": "bo$2bo$3o!", "at": "-5,-5", "region": "1..6,1..6", "within": "16"}),
        ("parent", {"pattern": "x = 2, y = 2, rule = B36/S23\n2o$2o!"}),
    ],
    ids=["rule", "place", "eater", "rule of a parent"],
)
def test_a_link_keeps_its_meaning(
    page: Any, server: Server, kind: str, values: dict[str, Any]
) -> None:
    asked = server.ask("POST", "/api/check", {"kind": kind, "values": values}).json()
    open_shared(page, server, question(kind, **values))
    until(page, "document.querySelector('#command').textContent.startsWith('satlife')")
    told = server.ask("POST", "/api/check", {"kind": kind, "values": read_values(page)}).json()
    assert told["sentence"] == asked["sentence"]
    assert page.locator("#drawing-note").inner_text() == ""


def read_values(page: Any) -> dict[str, Any]:
    until(page, "import('/link.js').then(link => Boolean(link.read(location.hash)?.question))")
    return values(page)


def test_grids_that_cannot_be_drawn_are_refused(page: Any, server: Server) -> None:
    for grid in ("a,a,1\n-a,0,1\n1,1,a", "0,0\n1,1\n\n0',1\n1,1"):
        open_shared(page, server, question("complete", partial=grid))
        until(page, "!document.querySelector('#wrong').hidden")
        assert "cannot be drawn" in page.locator("#wrong").inner_text()
        assert page.locator("#command").inner_text() == "satlife complete partial.txt"


def test_a_wrong_drawing_says_so(page: Any) -> None:
    begin_drawing(Mouse(page), "past")  # which is checked at once, or a moment later
    page.click("#search")
    until(page, "document.querySelector('#drawing-note').textContent.includes('empty')")
    page.locator("#board").focus()
    page.keyboard.press("1")
    page.fill("#drawing-rule", "foo")
    page.locator("#drawing-rule").press("Enter")
    until(page, "document.querySelector('#drawing-note').textContent.includes('foo')")
    # It is still there after a look at another kind.
    page.select_option("#kind", "orphan")
    page.select_option("#kind", "parent")
    until(page, "document.querySelector('#drawing-text').value.includes('rule = foo')")
    assert page.locator("#drawing-text").input_value() == "x = 8, y = 8, rule = foo\no!"


@pytest.mark.parametrize(
    "shared",
    [
        question("ship", symmetry=5),
        question("ship", speed={"toString": 1, "valueOf": 1}),
        question("ship", foo={"toString": 1}, __proto__="x", symmetry="__proto__"),
        question("eater", incoming="~~ no", region="0..3,0..3", within="9"),
        question("eater", incoming="o!", region="900..905,0..5", within="9"),
        question("complete", partial="3q!"),
        question("nothing", box="3x3"),
        {"rle": "3o!"},
        {"rle": "x"},
        {**question("ship", speed="c/3", box="16x6"), "rle": "~"},
    ],
    ids=str,
)
def test_whatever_stands_in_a_link_the_page_works(
    page: Any, server: Server, shared: dict[str, Any]
) -> None:
    open_shared(page, server, shared)
    assert page.locator("#search").is_visible()
    assert page.locator("#strip li").count() == len(server.ask("GET", "/api/jobs").json())
    if shared.get("rle") == "3o!":
        assert page.locator(".satlife-words strong").inner_text() == "blinker"
        assert page.locator("#wrong").is_hidden()
    choose(page, "oscillator")
    until(page, "document.querySelector('#command').textContent.startsWith('satlife osc')")


def test_a_browser_that_keeps_nothing(browser: Any, server: Server) -> None:
    page = browser.new_page()
    broken = "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }})"
    page.add_init_script(broken)
    open_page(page, server)
    page.click("#theme")
    assert page.locator("#search").is_visible()
    page.close()


def test_a_kind_that_is_left_at_once_is_complete_later(page: Any) -> None:
    page.evaluate("""() => {
      for (const card of ["complete", "past"])
        document.querySelector(`[data-card=${card}]`).click();
    }""")
    page.wait_for_selector("#shown:not([hidden]) canvas")
    choose(page, "complete")
    assert page.locator(".satlife-words strong").inner_text() == "integral sign"
    page.keyboard.press("Escape")
    page.locator("#board").focus()
    page.keyboard.press("Control+z")
    assert "2o3?" in page.locator("#drawing-text").input_value()


def test_stop_goes_away_with_the_last_search(page: Any) -> None:
    ask(Mouse(page), speed="(2,1)c/6", box="20x20")
    wait_for(page, "solving")
    choose(page, "parent")
    page.keyboard.press("Escape")
    until(page, "document.querySelector('#stop').hidden")
    page.keyboard.press("Escape")
    assert page.locator("#board").is_visible()


def test_an_ancestor_of_a_link_ends_in_its_drawing(page: Any) -> None:
    choose(page, "parent")
    page.click("#search")
    wait_for(page, "found")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    page.locator("#shown").wait_for()
    assert page.locator(".satlife-words strong").inner_text() == "parent"
    assert page.locator(".satlife-bar [aria-label=Generation]").get_attribute("max") == "1"
    assert count_given(page) > 0


def test_a_second_tab_shows_the_question_that_is_searched(page: Any, server: Server) -> None:
    server.search("ship", speed="(2,1)c/6", box="20x20")
    second = page.context.new_page()
    open_page(second, server)
    wait_for(second, "solving")
    assert second.locator("#f-speed").input_value() == "(2,1)c/6"
    assert second.locator("#f-box").input_value() == "20x20"
    assert second.locator("#command").inner_text() == "satlife ship '(2,1)c/6' --box 20x20"
    # A link has its own question: the search goes on beside it, and can be stopped.
    open_shared(second, server, {**question("oscillator", period="2", box="3x3"), "rle": "3o!"})
    assert second.locator("#f-period").input_value() == "2"
    assert second.locator(".satlife-words strong").inner_text() == "blinker"
    assert second.locator("#status").is_hidden()
    assert second.locator("#stop").is_visible()
    assert second.locator("#strip li").count() > 0


RUNNING = {"id": "x", "state": "solving", "seconds": 30, "sentence": "", "goal": "find"}
TOLD = [("queued", 0), ("encoding", 0.1), ("solving", 0.5), ("found", 31)]


def test_the_elapsed_time_never_falls(page: Any) -> None:
    """After a reload all messages are told again: none of them makes the search younger."""
    seen = page.evaluate(
        """([told, messages]) => import("/job.js").then(({Job}) => {
          const seen = [], job = new Job(told, "", () => seen.push([job.state, job.seconds]));
          messages.forEach(([state, seconds], n) => job.hear("state", {state, seconds}, n + 1));
          return seen;
        })""",
        [RUNNING, TOLD],
    )
    assert [state for state, _ in seen] == ["solving", "solving", "solving", "found"]
    times = [seconds for _, seconds in seen]
    assert times[0] >= 30
    assert times == sorted(times)


def test_the_time_in_a_queue_is_not_counted(page: Any) -> None:
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    page.evaluate(
        """told => import("/job.js").then(({Job}) => (window.job = new Job(told, "", () => {})))""",
        {**RUNNING, "state": "queued", "seconds": 0},
    )
    page.clock.run_for(20_000)
    page.evaluate("job.hear('state', {state: 'encoding', seconds: 0}, 1)")
    assert page.evaluate("job.seconds") == 0
    page.clock.run_for(5_000)
    assert page.evaluate("job.seconds") == 5


def test_how_to_search_names_its_wrong_field(page: Any) -> None:
    for name, value in (("seconds", "0"), ("seconds", ""), ("seed", "1.5"), ("seconds", "99999")):
        page.evaluate("document.querySelector('#how').open = true")
        page.fill(f"#{name}", value)
        page.click("#search")
        page.wait_for_selector(f"#{name}-error:not([hidden])")
        page.fill(f"#{name}", "10")
        page.evaluate("document.querySelector('#how').open = false")


def test_a_drawing_of_more_generations_than_the_period_is_found_again(page: Any) -> None:
    place = """([rows, drawn, loop]) => import("/field.js").then(({findPlace}) => {
      const frames = rows.map((each) => ({x: 0, y: 0, w: each[0].length, h: each.length,
        cells: Uint8Array.from(each.join(""), (c) => Number(c === "o"))}));
      return findPlace(frames, loop, {cells: drawn, origin: [0, 0]}, false).map(({t, x}) => [t, x]);
    })"""
    blinker = [["...", "ooo", "..."], [".o.", ".o.", ".o."]]
    drawn = [["???", "?o?", "???"], ["???", "o?o", "???"]]
    assert page.evaluate(place, [blinker, [*drawn[:1], ["?o?"] * 3, drawn[0]], [0, 0]])
    assert page.evaluate(place, [blinker, [drawn[1]], [0, 0]]) == [[0, 0]]
    assert page.evaluate(place, [blinker, [["..."]], [0, 0]]) == [[0, 0]]
    moved = page.evaluate(place, [[["o."]], [["o?"], ["?o"]], [1, 0]])
    assert moved == [[0, 0], [0, -1]]
