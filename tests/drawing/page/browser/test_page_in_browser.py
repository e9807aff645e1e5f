"""The page that plays a schedule, in a headless Chromium; `make test-browser` runs this, and leaves
screenshots in out/.
"""

from __future__ import annotations

import json
import shlex
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from schedsolve.certify.check import check_file
from schedsolve.certify.saved_files import read_schedule
from schedsolve.commands.cli import main
from schedsolve.drawing.page.page import page_text
from schedsolve.drawing.traces.of_problem import trace_of
from schedsolve.drawing.traces.trace import Load
from tests.drawing.page.browser.player import NOW, PROBLEMS, look, now
from tests.drawing.page.browser.webdriver import Browser, browser

if not (shutil.which("chromium") and shutil.which("chromedriver")):
    pytest.skip("no chromium", allow_module_level=True)

NAMES = (
    "alpha1", "beta-router", "gamma-gateway-north", "delta22", "epsilon-switch-07",
    "zeta-long-name-of-24-chr", "etaeta", "theta-host",
    "iota-data-centre-west", "kappa9", "lambda-backbone", "muserver",
)  # fmt: skip
"""Of the nodes of a network that a user might have."""


@pytest.mark.parametrize("name", PROBLEMS)
def test_on_a_desk(name: str, pages: dict[str, Path], desktop: Browser) -> None:
    """Every page loads, draws its calls and nodes, and steps to its end, where all nodes hold what they
    must.
    """
    desktop.open(pages[name])
    assert now(desktop) == 0
    steps = int(desktop.run("return Number(document.getElementById('scrubber').max)"))
    for t in range(1, steps + 1):
        desktop.press("right")
        assert now(desktop) == t
        assert desktop.run("return document.querySelectorAll('#network .call').length > 0")
        assert desktop.run("return document.querySelectorAll('#calls-list li').length > 0")
        if t == (steps + 1) // 2:
            desktop.point("#network .node:nth-of-type(3)")
            look(desktop, f"page-{name}-desktop")
    assert desktop.run(
        "return [...document.querySelectorAll('#network .node')].every((node) =>"
        " node.classList.contains('done') || node.classList.contains('relay'))"
    )
    assert not desktop.errors()


@pytest.mark.parametrize("name", PROBLEMS)
def test_on_a_phone(name: str, pages: dict[str, Path], phone: Browser) -> None:
    """Nothing is wider than the phone, no text is tiny, and what is pressed is large enough for a finger."""
    phone.open(pages[name])
    assert phone.run("return window.innerWidth") == 360
    phone.click("#forward")
    phone.click("#forward")
    assert now(phone) == 2
    look(phone, f"page-{name}-phone")
    small = (
        "return [...document.querySelectorAll('body *')].filter((e) => e.childElementCount === 0 &&"
        " e.textContent.trim()"
    )
    small += " && !e.closest('script, svg') && parseFloat(getComputedStyle(e).fontSize) < 11).length"
    assert phone.run(small) == 0
    fingers = (
        "return [...document.querySelectorAll('.controls button')].every((b) => b.offsetWidth >= 40 &&"
        " b.offsetHeight >= 40)"
    )
    assert phone.run(fingers)


def test_playing(pages: dict[str, Path], desktop: Browser) -> None:
    """Play goes to the end by itself and stops there; pressed again it starts again; pause pauses."""
    desktop.open(pages["gossip-cycle"])
    desktop.run(
        "const speed = document.getElementById('speed'); speed.value = '10'; speed.dispatchEvent(new"
        " Event('change'))"
    )
    desktop.click("#play")
    assert desktop.run("return document.getElementById('play').getAttribute('aria-label')") == "pause"
    desktop.wait(f"{NOW} === 5")
    desktop.wait("return document.getElementById('play').getAttribute('aria-label') === 'play'")
    desktop.click("#play")
    desktop.wait(f"{NOW} >= 1 && Number(document.getElementById('scrubber').value) < 5")
    desktop.wait(f"{NOW} === 5")
    desktop.run("document.getElementById('speed').value = '0.5'")
    desktop.click("#play")
    desktop.click("#play")
    assert desktop.run("return document.getElementById('play').getAttribute('aria-label')") == "play"
    assert now(desktop) == 0


def test_keys_and_buttons(pages: dict[str, Path], desktop: Browser) -> None:
    """Arrows step, home and end jump, space plays, and so do the buttons; those that lead nowhere are off."""
    desktop.open(pages["gossip-cycle"])
    for key, t in (
        ("right", 1),
        ("right", 2),
        ("left", 1),
        ("end", 5),
        ("right", 5),
        ("home", 0),
        ("left", 0),
    ):
        desktop.press(key)
        desktop.wait(f"{NOW} === {t}")
    desktop.press("space")
    desktop.wait(f"{NOW} >= 1")
    desktop.press("space")
    paused = now(desktop)
    time.sleep(1.5)
    assert now(desktop) == paused
    for button, t in (("last", 5), ("back", 4), ("first", 0), ("forward", 1)):
        desktop.click(f"#{button}")
        desktop.wait(f"{NOW} === {t}")
    desktop.click("#first")
    off = "return [...document.querySelectorAll('.controls button:disabled')].map((b) => b.id)"
    assert desktop.run(off) == ["first", "back"]


def test_the_scrubber(pages: dict[str, Path], desktop: Browser) -> None:
    """Dragging the scrubber shows the round that it is at; with the focus on it the keys step once, not
    twice.
    """
    desktop.open(pages["gossip-cycle"])
    desktop.run(
        "const s = document.getElementById('scrubber'); s.value = '3'; s.dispatchEvent(new Event('input'));"
        " s.focus()"
    )
    assert now(desktop) == 3
    assert desktop.text("#calls-title") == "Round 3"
    desktop.press("right")
    assert now(desktop) == 4
    desktop.press("left", "left")
    assert now(desktop) == 2


def test_hover_focus_and_matrix(pages: dict[str, Path], desktop: Browser) -> None:
    """A node under the mouse, or with the focus, tells what it holds, since when and from whom; so does its
    row of the table.
    """
    desktop.open(pages["gossip-cycle"])
    assert "Point at a node" in desktop.text("#node")
    desktop.press("right")
    assert [name for name in desktop.text("#calls-list").split() if name.isdigit()]
    sender, receiver = desktop.run("return trace.steps[0].transfers[0][0]")
    desktop.point(f"#network .node:nth-of-type({receiver + 2}) .dot")
    told = desktop.text("#node")
    assert f"Node {receiver}" in told
    assert "holds 2 of 7 items" in told
    assert f"round 1, from {sender}: item of {sender}" in told
    desktop.point("h1")
    assert "Point at a node" in desktop.text("#node")
    desktop.run("document.getElementById('scrubber').focus()")
    desktop.press("tab")
    assert "Node 0" in desktop.text("#node")
    desktop.press("down", "down")
    assert "Node 2" in desktop.text("#node")
    desktop.press("up", "right")
    assert "Node 1" in desktop.text("#node")
    assert now(desktop) == 2
    assert "holds" in desktop.run("return document.activeElement.getAttribute('aria-label')")
    desktop.point("#matrix")
    assert "Node 3" in desktop.text("#node")


def test_a_click_through(pages: dict[str, Path], desktop: Browser) -> None:
    """Play, a step, a node, and a chunk in the table, all clicked; what is chosen stays from step to step."""
    desktop.open(pages["steps-dgx1"])
    desktop.click("#play")
    desktop.wait(f"{NOW} >= 1")
    desktop.click("#first")
    assert now(desktop) == 0
    desktop.click("#forward")
    assert now(desktop) == 1
    desktop.click("#network .node:nth-of-type(6)")
    chosen = desktop.text("#node h2")
    desktop.click("#forward")
    assert now(desktop) == 2
    assert desktop.text("#node h2") == chosen
    assert "chunk" in desktop.text("#node")
    desktop.click("#matrix")
    assert desktop.text("#node h2") != chosen
    assert desktop.text("#node h2").startswith("Node ")
    desktop.click("#back")
    assert now(desktop) == 1
    assert not desktop.errors()


def test_a_tap_chooses_a_node(pages: dict[str, Path], phone: Browser) -> None:
    """On a phone a node that is tapped stays chosen, round after round, until it is tapped again."""
    phone.open(pages["gossip-cycle"])
    phone.point("#network .node:nth-of-type(4) .dot", tap=True)
    assert "Node 2" in phone.text("#node")
    phone.run("document.activeElement.blur()")
    phone.click("#forward")
    assert "Node 2After round 1" in phone.text("#node")
    phone.point("#network .node:nth-of-type(4) .dot", tap=True)
    phone.run("document.activeElement.blur()")
    assert "Point at a node" in phone.text("#node")


def test_packets_are_counted(pages: dict[str, Path], desktop: Browser) -> None:
    """The linear cost model shows packets at the nodes and the largest message of the round."""
    desktop.open(pages["linear-cost"])
    desktop.press("right")
    assert "the largest message has 1 of 11 packets" in desktop.text("#calls-note")
    assert desktop.text("#network .count") == "11/11"


def test_full_channels_and_switches(pages: dict[str, Path], desktop: Browser, tmp_path: Path) -> None:
    """Channels with capacities are listed, the fullest first; a relay is drawn as one."""
    file = str(pages["gossip-cycle"].with_suffix(".json"))
    problem, schedule = read_schedule(file)
    told = trace_of(problem, schedule)
    loads = (Load("up from <4>", 1, 4), Load("down to 6", 2, 3))
    steps = tuple(replace(step, loads=loads, known=(*step.known[:-1], 0)) for step in told.steps)
    trace = replace(
        told, start=(*told.start[:-1], 0), goal=(*told.goal[:-1], 0), steps=steps, relays=frozenset({6})
    )
    page = tmp_path / "loads.html"
    page.write_text(
        page_text(trace, schedule, check_file(file), json.loads(Path(file).read_text())), encoding="utf-8"
    )
    desktop.open(page)
    assert desktop.text("#loads-list") == "nothing is in the channels"
    desktop.press("right")
    assert desktop.text("#loads-list") == "down to 62 / 3up from <4>1 / 4"
    assert desktop.run("return document.querySelectorAll('#network .relay').length") == 1
    look(desktop, "page-loads-desktop")


def drawn(line: str, folder: Path) -> Path:
    """The page of a solved problem."""
    result, page = folder / "result.json", folder / "page.html"
    assert main(["solve", *shlex.split(line), "--output", str(result), "--quiet"]) == 0
    assert main(["draw", str(result), "-o", str(page)]) == 0
    return page


def test_a_clock(desktop: Browser, tmp_path: Path) -> None:
    """By the clock everything that is numbered bears the time, and channels are as full as in the step that
    ends then.
    """
    desktop.open(drawn("fat-tree broadcast fat-tree:8", tmp_path))
    bars = "return [...document.querySelectorAll('#progress text')].map((text) => text.textContent)"
    assert desktop.run(bars) == ["start", *map(str, range(9))]
    desktop.press("right", "right", "right", "right", "right")
    assert desktop.text("#now") == "time 4 of 8"
    assert (
        desktop.run("return document.getElementById('scrubber').getAttribute('aria-valuetext')")
        == "time 4 of 8"
    )
    assert desktop.text("#loads-title") == "Fullest channels in step 4"
    marked = (
        "const middle = (e) => { const box = e.getBoundingClientRect(); return (box.left + box.right) / 2; };"
    )
    marked += " const mark = middle(document.querySelector('#progress .current'));"
    marked += (
        " return [...document.querySelectorAll('#progress text')].find((text) => Math.abs(middle(text) -"
        " mark) < 4).textContent"
    )
    assert desktop.run(marked) == "4"
    look(desktop, "page-clock-desktop")
    desktop.press("end")
    assert desktop.text("#now") == "time 8 of 8"
    assert desktop.run(marked) == "8"
    desktop.point("#network .node:nth-of-type(4) .dot")
    assert "At time 8: holds the message, since time " in desktop.text("#node")


def test_routers_know_nothing(desktop: Browser, tmp_path: Path) -> None:
    """Relays have no row; who must get some of the messages is ringed, and told what it holds and what it
    lacks.
    """
    desktop.open(drawn("routing deliver fat-tree:8 --pattern random:3", tmp_path))
    assert desktop.run("return holders") == list(range(8))
    assert desktop.run(
        "return document.getElementById('matrix').clientHeight === matrix.top + 8 * matrix.cell"
    )
    counts = "return [...document.querySelectorAll('#network .count')].map((text) => text.textContent)"
    assert desktop.run(counts) == [
        "1, lacks 1",
        "1, lacks 3",
        "1",
        "1",
        "1, lacks 1",
        "1",
        "1, lacks 2",
        "1, lacks 1",
        *[""] * 7,
    ]
    assert desktop.run("return document.querySelectorAll('#network .wanted').length") == 5
    desktop.point("#network .node:nth-of-type(2) .dot")
    assert "At the start: holds 1 item; it lacks what it must hold: 1>0." in desktop.text("#node")
    desktop.press("end")
    assert desktop.run(counts) == ["2", "4", "1", "1", "2", "1", "3", "2", *[""] * 7]
    assert "holds 2 items, among them all that it must, since round" in desktop.text("#node")
    look(desktop, "page-routing-desktop")


def test_who_must_get_the_message(desktop: Browser, tmp_path: Path) -> None:
    """The targets of a multicast are ringed, the legend says why, and the source is as complete as it can
    be.
    """
    desktop.open(drawn("telephone multicast grid:4x4 --targets 5,15", tmp_path))
    nodes = (
        "return [...document.querySelectorAll('#network .node')].flatMap((e, v) =>"
        " (e.classList.contains(arguments[0]) ? [v] : []))"
    )
    assert desktop.run(nodes, "wanted") == [5, 15]
    assert desktop.run(nodes, "done") == [0]
    assert "must get the message" in desktop.text("#key")
    look(desktop, "page-multicast-desktop")


@pytest.mark.parametrize(
    "chords", [(), ((0, 3), (1, 9), (6, 11)), tuple((i, j) for i in range(12) for j in range(i + 2, 11))]
)
def test_long_names(chords: tuple[tuple[int, int], ...], phone: Browser, tmp_path: Path) -> None:
    """On a phone long names are shortened, inside the picture and apart; a tap tells the full one."""
    edges = [*((i, (i + 1) % 12) for i in range(12)), *chords]
    network = tmp_path / "names.edges"
    network.write_text("".join(f"{NAMES[u]} {NAMES[v]}\n" for u, v in edges), encoding="utf-8")
    phone.open(drawn(f"telephone broadcast {network} --source {NAMES[0]}", tmp_path))
    boxes = (
        "return [...document.querySelectorAll('#network .count')].filter((e) => e.textContent).map((e) => {"
    )
    boxes += " const b = e.getBoundingClientRect();"
    boxes += " const p = document.getElementById('network').getBoundingClientRect();"
    boxes += (
        " return [e.textContent, b.left - p.left, b.right - p.left, b.top - p.top, b.bottom - p.top, p.width,"
        " p.height]; })"
    )

    def check() -> list[str]:
        found = phone.run(boxes)
        for i, (text, left, right, top, bottom, width, height) in enumerate(found):
            assert (left >= 0, right <= width, top >= 0, bottom <= height) == (True,) * 4, text
            assert all(
                left >= o[2] or o[1] >= right or top + 2 >= o[4] or o[3] + 2 >= bottom for o in found[:i]
            ), text
        return [text for text, *_ in found]

    shown = check()
    assert len(shown) >= 9
    assert all(len(text) <= 10 for text in shown)
    assert "alpha1" in shown
    phone.point("#network .node:nth-of-type(7) .dot", tap=True)
    full = phone.run("return trace.labels[chosenNode()]")
    assert f"Node {full}" in phone.text("#node")
    assert full in check()
    look(phone, f"page-names-{len(chords)}-phone")


def test_arrowheads(desktop: Browser, tmp_path: Path) -> None:
    """A directed network shows which way its edges lead, and says so."""
    network = tmp_path / "arcs.edges"
    network.write_text("a b\nb c\nc d\nd a\na c\nc a\n", encoding="utf-8")
    desktop.open(drawn(f"telegraph gossip {network} --directed", tmp_path))
    assert (
        desktop.run("return document.querySelector('#network .arcs').getAttribute('d').split('M').length")
        == 7
    )
    assert "directed" in desktop.text("#key")
    assert "The network is directed" in desktop.text(".remarks")
    look(desktop, "page-directed-desktop")


def test_dark(pages: dict[str, Path]) -> None:
    """Who prefers a dark page gets one."""
    with browser((1280, 800), dark=True) as window:
        window.open(pages["systolic-tree"])
        window.press("right", "right", "right")
        look(window, "page-systolic-tree-dark")
        assert window.run("return getComputedStyle(document.body).backgroundColor") == "rgb(21, 24, 27)"
