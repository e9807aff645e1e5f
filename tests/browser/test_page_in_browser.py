"""The page that plays a schedule, in a headless Chromium; `make test-browser` runs this, and leaves screenshots in out/."""

from __future__ import annotations

import json
import shlex
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from webdriver import Browser, browser

from schedsolve.certify.check import check_file, read_schedule
from schedsolve.cli import main
from schedsolve.models import model_of
from schedsolve.report.page import page_text
from schedsolve.story import Load

if not (shutil.which("chromium") and shutil.which("chromedriver")):
    pytest.skip("no chromium", allow_module_level=True)

OUT = Path(__file__).parent.parent.parent / "out"
PROBLEMS = {
    "gossip-cycle": "telephone gossip cycle:7",
    "line-grid": "line broadcast grid:4x4",
    "systolic-tree": "telegraph gossip tree:2,3 --period 6",
    "linear-cost": "linear-cost broadcast complete:27 --ports 2 --extra-rounds 5",
    "broadcast-ccc": "telephone broadcast ccc:4",
}
"""What is looked at; the names are those of the screenshots."""
NOW = "return Number(document.getElementById('scrubber').value)"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page for every problem."""
    folder = tmp_path_factory.mktemp("pages")
    made = {}
    for name, line in PROBLEMS.items():
        result, made[name] = folder / f"{name}.json", folder / f"{name}.html"
        assert main(["solve", *shlex.split(line), "--output", str(result), "--quiet"]) == 0
        assert main(["draw", str(result), "-o", str(made[name])]) == 0
    return made


@pytest.fixture(scope="module")
def desktop() -> Iterator[Browser]:
    """A window on a desk."""
    with browser((1280, 800)) as window:
        yield window


@pytest.fixture(scope="module")
def phone() -> Iterator[Browser]:
    """A phone held upright."""
    with browser((360, 740), phone=True) as window:
        yield window


def now(window: Browser) -> int:
    """The round that is shown, by the scrubber; the texts agree with it."""
    t = int(window.run(NOW))
    assert window.text("#now").startswith(f"round {t} of" if t else "start")
    return t


def look(window: Browser, file: str) -> None:
    """A screenshot, after whatever fades in has done so; nothing sticks out at the side, and the console is silent."""
    time.sleep(0.4)
    window.photograph(OUT / f"{file}.png")
    assert window.run("return document.documentElement.scrollWidth <= window.innerWidth")
    assert window.errors() == []


@pytest.mark.parametrize("name", PROBLEMS)
def test_on_a_desk(name: str, pages: dict[str, Path], desktop: Browser) -> None:
    """Every page loads, draws its calls and nodes, and steps to its end, where all nodes hold what they must."""
    desktop.open(pages[name])
    assert now(desktop) == 0
    frames = int(desktop.run("return Number(document.getElementById('scrubber').max)"))
    for t in range(1, frames + 1):
        desktop.press("right")
        assert now(desktop) == t
        assert desktop.run("return document.querySelectorAll('#network .call').length > 0")
        assert desktop.run("return document.querySelectorAll('#calls-list li').length > 0")
        if t == (frames + 1) // 2:
            desktop.point("#network .node:nth-of-type(3)")
            look(desktop, f"page-{name}-desktop")
    assert desktop.run("return [...document.querySelectorAll('#network .node')].every((node) => node.classList.contains('done'))")
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
    small = "return [...document.querySelectorAll('body *')].filter((e) => e.childElementCount === 0 && e.textContent.trim()"
    small += " && !e.closest('script, svg') && parseFloat(getComputedStyle(e).fontSize) < 11).length"
    assert phone.run(small) == 0
    fingers = "return [...document.querySelectorAll('.controls button')].every((b) => b.offsetWidth >= 40 && b.offsetHeight >= 40)"
    assert phone.run(fingers)


def test_playing(pages: dict[str, Path], desktop: Browser) -> None:
    """Play goes to the end by itself and stops there; pressed again it starts anew; pause pauses."""
    desktop.open(pages["gossip-cycle"])
    desktop.run("const speed = document.getElementById('speed'); speed.value = '10'; speed.dispatchEvent(new Event('change'))")
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
    for key, t in (("right", 1), ("right", 2), ("left", 1), ("end", 5), ("right", 5), ("home", 0), ("left", 0)):
        desktop.press(key)
        assert now(desktop) == t
    desktop.press("space")
    desktop.wait(f"{NOW} >= 1")
    desktop.press("space")
    paused = now(desktop)
    time.sleep(1.5)
    assert now(desktop) == paused
    for button, t in (("last", 5), ("back", 4), ("first", 0), ("forward", 1)):
        desktop.click(f"#{button}")
        assert now(desktop) == t
    desktop.click("#first")
    off = "return [...document.querySelectorAll('.controls button:disabled')].map((b) => b.id)"
    assert desktop.run(off) == ["first", "back"]


def test_the_scrubber(pages: dict[str, Path], desktop: Browser) -> None:
    """Dragging the scrubber shows the round that it is at; with the focus on it the keys step once, not twice."""
    desktop.open(pages["gossip-cycle"])
    desktop.run("const s = document.getElementById('scrubber'); s.value = '3'; s.dispatchEvent(new Event('input')); s.focus()")
    assert now(desktop) == 3
    assert desktop.text("#calls-title") == "Round 3"
    desktop.press("right")
    assert now(desktop) == 4
    desktop.press("left", "left")
    assert now(desktop) == 2


def test_hover_focus_and_matrix(pages: dict[str, Path], desktop: Browser) -> None:
    """A node under the mouse, or with the focus, tells what it holds, since when and from whom; so does its row of the table."""
    desktop.open(pages["gossip-cycle"])
    assert "Point at a node" in desktop.text("#node")
    desktop.press("right")
    assert [name for name in desktop.text("#calls-list").split() if name.isdigit()]
    sender, receiver = desktop.run("return story.frames[0].strokes[0][0]")
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
    assert desktop.text("#network .node .count") == "11/11"


def test_full_channels_and_switches(pages: dict[str, Path], desktop: Browser, tmp_path: Path) -> None:
    """Channels with capacities are listed, the fullest first; a relay is drawn as one."""
    file = str(pages["gossip-cycle"].with_suffix(".json"))
    problem, schedule = read_schedule(file)
    told = model_of(problem).story(problem, schedule)
    loads = (Load("up from <4>", 1, 4), Load("down to 6", 2, 3))
    frames = tuple(replace(frame, loads=loads, known=(*frame.known[:-1], 0)) for frame in told.frames)
    story = replace(told, start=(*told.start[:-1], 0), goal=(*told.goal[:-1], 0), frames=frames, relays=frozenset({6}))
    page = tmp_path / "loads.html"
    page.write_text(page_text(story, check_file(file), json.loads(Path(file).read_text())), encoding="utf-8")
    desktop.open(page)
    assert desktop.text("#loads-list") == "nothing is in the channels"
    desktop.press("right")
    assert desktop.text("#loads-list") == "down to 62 / 3up from <4>1 / 4"
    assert desktop.run("return document.querySelectorAll('#network .relay').length") == 1
    look(desktop, "page-loads-desktop")


def test_dark(pages: dict[str, Path]) -> None:
    """Who prefers a dark page gets one."""
    with browser((1280, 800), dark=True) as window:
        window.open(pages["systolic-tree"])
        window.press("right", "right", "right")
        look(window, "page-systolic-tree-dark")
        assert window.run("return getComputedStyle(document.body).backgroundColor") == "rgb(21, 24, 27)"
