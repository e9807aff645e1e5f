"""What tests in a browser ask of the page: the round that is shown, and a look at it."""

from __future__ import annotations

from pathlib import Path

from tests.drawing.page.browser.webdriver import Browser

OUT = Path(__file__).parents[4] / "out"


PROBLEMS = {
    "gossip-cycle": "telephone gossip cycle:7",
    "line-grid": "line broadcast grid:4x4",
    "systolic-tree": "telegraph gossip tree:2,3 --period 6",
    "linear-cost": "linear-cost broadcast complete:27 --ports 2 --extra-rounds 5",
    "broadcast-ccc": "telephone broadcast ccc:4",
    "steps-dgx1": "synchronous allgather dgx1 --steps 2",
    "steps-switches": "synchronous allgather leaf-spine:2,2,1 --steps 2",
}
"""What is looked at; the names are those of the screenshots."""
NOW = "return Number(document.getElementById('scrubber').value)"


def now(window: Browser) -> int:
    """The round that is shown, by the scrubber; the texts agree with it."""
    t = int(window.run(NOW))
    said = window.text("#now")
    assert said.startswith((f"round {t} of", f"step {t} of") if t else "start")
    return t


def look(window: Browser, file: str) -> None:
    """A screenshot, after whatever fades in has done so; nothing sticks out at the side, and the console is
    silent.
    """
    window.wait("return document.getAnimations().every((animation) => animation.playState !== 'running')")
    window.photograph(OUT / f"{file}.png")
    assert window.run("return document.documentElement.scrollWidth <= window.innerWidth")
    assert window.errors() == []
