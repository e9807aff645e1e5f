"""The page of a store's networks in a headless Chromium: its conditions, order, pictures and dialog."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from schedsolve.commands.cli import main
from schedsolve.experiments.sweeps.hypotheses import hypothesis_table, verdict_on
from schedsolve.solving.store import Store
from tests.drawing.page.browser.player import look
from tests.drawing.page.browser.webdriver import Browser, browser

if not (shutil.which("chromium") and shutil.which("chromedriver")):
    pytest.skip("no chromium", allow_module_level=True)

CONDITIONS = (
    "telephone_gossip >= 2*broadcast_min - 1",
    "telephone_gossip >= ceil(log2(n)) + 1 and not tree",
    "broadcast_min < broadcast_max <= diameter + 1 or n == 2",
    "girth == None and leaves in (2, 3)",
    "not (telephone_gossip <= 2*diameter)",
    "degrees == '1*4 4' or (m - n) // 2 == 1 and -m % 3 == 1",
    "vertex_transitive and max(n, m) > 2**2",
    "n/3 == 5/3 and min(diameter, radius) != 1",
)
"""True or false of every network, whose values are all known."""
NAMES = "return [...document.querySelectorAll('{} .name')].map((span) => span.textContent)"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gossip and broadcast on all graphs with up to five nodes."""
    folder = tmp_path_factory.mktemp("networks")
    (folder / "list.toml").write_text(
        '[[problem]]\nmodel = "telephone"\ntask = "gossip"\nnetworks = ["graphs:2..5"]\n'
        '[[problem]]\nmodel = "telephone"\ntask = "broadcast"\nsource = ["min", "max"]\n'
        'networks = ["graphs:2..5"]\n'
    )
    assert main(["sweep", str(folder / "list.toml"), "--store", str(folder / "some.db")]) == 0
    assert main(["draw", str(folder / "some.db"), "-o", str(folder / "some.html")]) == 0
    return folder / "some.db"


@pytest.fixture(scope="module")
def dark_phone() -> Iterator[Browser]:
    """A phone held upright, its colours dark."""
    with browser((360, 740), phone=True, dark=True) as window:
        yield window


def ask(window: Browser, condition: str) -> None:
    """Type a condition."""
    window.run(
        "const f = document.getElementById('where'); f.value = arguments[0];"
        " f.dispatchEvent(new Event('input'))",
        condition,
    )


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_means_what_a_claim_means(condition: str, store: Path, desktop: Browser) -> None:
    """The networks left out are the counterexamples of the claim."""
    with Store(str(store)) as opened:
        table = hypothesis_table(opened)
        fails = {found.network for found in verdict_on(table, f"({condition}) == True").counterexamples}
        at = table.columns.index("network")
        every = {row[at] for row in table.rows}
    assert 0 < len(fails) < len(every) == 30
    desktop.open(store.with_suffix(".html"))
    ask(desktop, condition)
    assert {f"graph6:{name}" for name in desktop.run(NAMES.format("#rows"))} == every - fails
    assert desktop.text("#count") == f"{30 - len(fails)} of 30 networks"


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("n >", "before the end"),
        ("pigeon > 3", "there is no column pigeon"),
        ("n == 3 4", "4 is one word too many"),
    ],
)
def test_a_bad_condition(condition: str, words: str, store: Path, desktop: Browser) -> None:
    """Is complained of in a line; what was shown stays."""
    desktop.open(store.with_suffix(".html"))
    ask(desktop, "n == 4")
    ask(desktop, condition)
    assert words in desktop.text("#count")
    assert len(desktop.run(NAMES.format("#rows"))) == 6
    assert desktop.errors() == []


def test_on_a_desk(store: Path, desktop: Browser) -> None:
    """A click on a head sorts, another one the other way round; the address brings all of it back; a row
    opens with its commands, and the arrows go on.
    """
    page = store.with_suffix(".html")
    desktop.open(page)
    assert len(desktop.run(NAMES.format("#rows"))) == 30
    head = "#heads th:nth-child(6) button"
    assert desktop.text(head) == "telephone_gossip"
    desktop.click(head)
    desktop.click(head)
    first = desktop.run(NAMES.format("#rows"))
    assert desktop.text("#rows tr:first-child td:nth-child(6)") == "7"
    ask(desktop, "n == 5")
    address = desktop.run("return location.hash")
    desktop.open(page)
    desktop.run("location.hash = arguments[0]", address)
    desktop.wait("return document.getElementById('count').textContent === '21 of 30 networks'")
    assert desktop.run(NAMES.format("#rows")) == [name for name in first if name.startswith("D")]
    desktop.click("#rows tr:first-child .open")
    assert "schedsolve solve telephone gossip 'graph6:D?{'" in desktop.text("#network-tasks")
    desktop.press("right")
    assert desktop.text("#network-name") == f"graph6:{desktop.run(NAMES.format('#rows'))[1]}"
    look(desktop, "networks-desktop")
    desktop.press("escape")


def test_on_a_phone(store: Path, dark_phone: Browser) -> None:
    """Nothing sticks out, as a table and as pictures, and with one network open."""
    dark_phone.open(store.with_suffix(".html"))
    look(dark_phone, "networks-phone-table")
    dark_phone.click("#as-pictures")
    look(dark_phone, "networks-phone-pictures")
    dark_phone.click("#picture-view .open:nth-child(7)")
    look(dark_phone, "networks-phone-one")
