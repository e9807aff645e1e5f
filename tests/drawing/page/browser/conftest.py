"""Pages of a few solved problems, and windows to look at them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from schedsolve.commands.cli import main
from tests.drawing.page.browser.player import PROBLEMS
from tests.drawing.page.browser.webdriver import Browser, browser


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
