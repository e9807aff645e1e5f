"""The player's address, which is a link to what is shown, and players in frames of other pages."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from schedsolve.drawing.page.inline import text_of
from tests.drawing.page.browser.player import NOW, now
from tests.drawing.page.browser.webdriver import Browser

if not (shutil.which("chromium") and shutil.which("chromedriver")):
    pytest.skip("no chromium", allow_module_level=True)


def test_a_link_to_a_moment(pages: dict[str, Path], desktop: Browser) -> None:
    """Clicks on the buttons and on a node are in the address, and an address brings them back."""
    page = pages["gossip-cycle"]
    desktop.open(page)
    assert desktop.run("return location.hash") == ""
    desktop.click("#forward")
    desktop.click("#forward")
    desktop.click("#network .node:nth-of-type(3)")
    assert now(desktop) == 2
    moment = desktop.run("return location.hash")
    assert moment.startswith("#step=2&node=")
    chosen = desktop.text("#node h2")
    desktop.click("#first")
    assert desktop.run("return location.hash").startswith("#step=0&")
    desktop.run("location.hash = arguments[0]", moment)
    desktop.wait(f"{NOW} === 2")
    assert desktop.text("#node h2") == chosen
    desktop.run("location.hash = '#step=99&node=nobody'")
    desktop.wait(f"{NOW} > 2")
    assert now(desktop) == int(desktop.run("return Number(document.getElementById('scrubber').max)"))
    assert not desktop.errors()


def test_play_ends_at_the_end(pages: dict[str, Path], desktop: Browser) -> None:
    """A click on play shows one round after the other; the address then names the last."""
    desktop.open(pages["gossip-cycle"])
    desktop.run("document.getElementById('speed').value = '10'")
    desktop.click("#play")
    desktop.wait("return document.getElementById('last').disabled")
    last = now(desktop)
    desktop.wait("return location.hash !== ''")
    assert desktop.run("return location.hash") == f"#step={last}"
    desktop.click("#progress")
    assert now(desktop) < last


def test_a_frame_is_as_tall_as_its_player(pages: dict[str, Path], tmp_path: Path, desktop: Browser) -> None:
    """With the few lines for pages that frame players, nothing scrolls inside the frame."""
    outer = tmp_path / "outer.html"
    outer.write_text(
        f"<script>{text_of('frames.js')}</script>"
        f'<iframe class="player" src="{pages["gossip-cycle"].as_uri()}" style="width: 60rem"></iframe>',
        encoding="utf-8",
    )
    desktop.open(outer)
    desktop.wait("return parseInt(document.querySelector('iframe').style.height) > 300")
    with desktop.inside("iframe"):
        desktop.wait("return document.documentElement.scrollHeight <= window.innerHeight")
