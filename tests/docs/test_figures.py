"""The figures that the site draws of measurements, and the table that goes with one of them."""

from __future__ import annotations

import re
from pathlib import Path
from runpy import run_path

from studies.fat_tree_growth import growth_lines, read_rows

ROOT = Path(__file__).parents[2]
HOOK = run_path(str(ROOT / "docs" / "hooks" / "figures.py"))


def test_every_picture_on_a_page_is_drawn_or_there() -> None:
    """The figures are those that pages show and the repository has not."""
    pages = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))
    shown = set(re.findall(r"\]\((?:\.\./)*images/([^)]+)\)", pages))
    drawn = HOOK["figures"]()
    assert set(drawn) == {name for name in shown if not (ROOT / "docs" / "images" / name).exists()}
    assert all(content.startswith(b"\x89PNG") for content in drawn.values())


def test_the_table_of_growth_is_that_of_its_figure() -> None:
    rows = growth_lines(read_rows(HOOK["MEASURED"] / "fat-tree-growth.json"))[2:]
    page = (ROOT / "docs" / "measurements" / "fat-tree.md").read_text(encoding="utf-8")
    assert len(rows) == 36
    assert all(re.sub(r"2\^(\d+)", r"$2^{\1}$", row) in page for row in rows)
