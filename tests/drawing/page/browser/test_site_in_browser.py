"""The documentation's site, opened from disk in a headless Chromium; `make test-browser` builds it before."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.drawing.page.browser.contrast import low_contrast
from tests.drawing.page.browser.webdriver import Browser, browser

SITE = Path(__file__).parents[4] / "out" / "docs"
PAGES = sorted(p.relative_to(SITE).as_posix() for p in SITE.rglob("*.html") if p.name != "404.html")
"""All pages; 404.html is for servers, and names its files from their root."""
WIDTHS = (400, 1000, 1600)

if not PAGES:
    pytest.skip("no site: make docs", allow_module_level=True)
if not (shutil.which("chromium") and shutil.which("chromedriver")):
    pytest.skip("no chromium", allow_module_level=True)


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    """A window whose width the tests set."""
    with browser((1000, 900)) as opened:
        yield opened


def set_width(window: Browser, width: int) -> None:
    """Make the window so many pixels wide."""
    window.developer(
        "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False
    )


@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_and_is_silent(page: str, window: Browser) -> None:
    """At every width nothing sticks out at the side, and the console says nothing."""
    for width in WIDTHS:
        set_width(window, width)
        window.open(SITE / page)
        window.wait("return document.readyState === 'complete'")
        assert window.run("return document.documentElement.scrollWidth") <= width, width
        assert window.errors() == [], width


@pytest.mark.parametrize("dark", [False, True])
def test_text_is_readable(dark: bool) -> None:
    """All text of all pages reaches AA, in light and dark."""
    with browser((1600, 900), dark=dark) as window:
        weak = {}
        for page in PAGES:
            window.open(SITE / page)
            window.wait("return document.readyState === 'complete'")
            weak[page] = low_contrast(window)
    assert not {page: kinds for page, kinds in weak.items() if kinds}


WIDE_SENTENCES = """
return [...document.querySelectorAll("article table")].flatMap((table) => {
  const shown = [...table.querySelectorAll("td")].filter((cell) => cell.offsetWidth > 0);
  const cards = getComputedStyle(table.rows[table.rows.length - 1]).display === "block";
  const edge = document.documentElement.clientWidth;
  return shown.filter((cell) => {
    const box = cell.getBoundingClientRect(), text = cell.innerText.trim();
    return text.length > 30 && cell.cellIndex > 0 && (box.right > edge || (!cards && box.width < 90));
  }).map((cell) => cell.innerText);
});
"""
"""Cells of sentences that a phone cuts off or squeezes."""


@pytest.mark.parametrize("page", [page for page in PAGES if not page.startswith("drawn/")])
def test_tables_are_readable_on_a_phone(page: str, window: Browser) -> None:
    """A row of sentences is a card, each of its cells as wide as the window; only short entries scroll."""
    set_width(window, 400)
    window.open(SITE / page)
    window.wait("return document.readyState === 'complete'")
    assert window.run(WIDE_SENTENCES) == []


def test_a_card_has_its_heads(window: Browser) -> None:
    """On a phone the cells of the table of tasks say what they are, on a desk the head of the table does."""
    heads = (
        "return [...document.querySelectorAll('article table')[0].rows[1].cells].map((cell) =>"
        " getComputedStyle(cell, '::before').content)"
    )
    window.open(SITE / "matching.html")
    set_width(window, 400)
    assert window.run(heads)[1:3] == ['"at the start"', '"at the end"']
    set_width(window, 1600)
    assert set(window.run(heads)) == {"none"}


@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("page", ["index.html", "gallery.html"])
def test_players_do_not_scroll_inside(page: str, width: int, window: Browser) -> None:
    """A frame is as tall as its player, whatever has a border."""
    set_width(window, width)
    window.open(SITE / page)
    for number in range(int(window.run("return document.querySelectorAll('iframe.player').length"))):
        window.run(
            f"const frame = document.querySelectorAll('iframe.player')[{number}];"
            f" frame.id = 'frame{number}'; frame.scrollIntoView()"
        )
        with window.inside(f"#frame{number}"):
            window.wait(
                "return document.readyState === 'complete' && document.body.offsetHeight > 300"
                " && document.documentElement.scrollHeight <= window.innerHeight"
            )


def test_weak_text_is_found(window: Browser) -> None:
    """Grey on grey is no text that the test above lets pass."""
    window.open(SITE / "index.html")
    window.run("document.querySelector('h1').style.color = '#aaa'")
    assert [kind.split(" ")[0] for kind in low_contrast(window)] == ["H1"]


def test_the_search_finds(window: Browser) -> None:
    """From disk, where browsers start no worker."""
    set_width(window, 1600)
    # A headless window may lack the focus that starts the search.
    window.developer("Emulation.setFocusEmulationEnabled", enabled=True)
    window.open(SITE / "index.html")
    window.run(
        "const field = document.querySelector('.md-search__input'); field.focus();"
        " field.value = 'petersen'; field.dispatchEvent(new Event('keyup'))"
    )
    window.wait("return document.querySelectorAll('.md-search-result__item').length > 3")
    assert window.errors() == []


def test_the_player_is_as_dark_as_the_site(window: Browser) -> None:
    """A frame follows the site's switch, whatever the system prefers."""
    set_width(window, 1600)
    window.open(SITE / "gallery.html")
    dark = "return matchMedia('(prefers-color-scheme: dark)').matches"
    seen = []
    for _ in range(2):
        with window.inside("iframe.player"):
            seen.append(window.run(dark))
        window.click("form[data-md-component=palette] label:not([hidden])")
    assert seen == [False, True]


def test_no_table_is_cut() -> None:
    """A blank line would leave the rest of a table as text."""
    assert [page for page in PAGES if "<p>|" in (SITE / page).read_text(encoding="utf-8")] == []


def test_pages_say_what_they_are() -> None:
    """Search engines show titles and descriptions: each page has its own, of a length that is shown whole."""
    own = [page for page in PAGES if not page.startswith("drawn/")]
    heads = {page: (SITE / page).read_text(encoding="utf-8").partition("</head>")[0] for page in own}
    titles = [re.search("<title>(.+?)</title>", head) for head in heads.values()]
    assert all(titles)
    assert len({title[1] for title in titles if title}) == len(own)
    told = {page: re.search('<meta name="description" content="(.+?)"', head) for page, head in heads.items()}
    assert [page for page, found in told.items() if not (found and 40 <= len(found[1]) <= 160)] == []
    assert len({found[1] for found in told.values() if found}) == len(own)


class Links(HTMLParser):
    """The addresses that a page names, and the places in it that can be named."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.places = {""}
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect both."""
        for name, value in attrs:
            if name in ("href", "src") and value is not None:
                self.addresses.append(value)
            if name in ("id", "name") and value:
                self.places.add(value)


def test_links_lead_somewhere() -> None:
    """Every address that is not on the web is a file of the site, and a place in it."""
    links = {page: Links(SITE / page) for page in PAGES}
    lost = []
    for page, found in links.items():
        for address in found.addresses:
            parts = urlsplit(address)
            if parts.scheme:
                continue
            file = (SITE / page).parent / unquote(parts.path) if parts.path else SITE / page
            target = links.get(file.resolve().relative_to(SITE).as_posix())
            there = file.is_file() and (target is None or unquote(parts.fragment) in target.places)
            lost += [] if there else [(page, address)]
    assert not lost
