"""The player's colours stand out from one another, in light and dark, by the ratios of WCAG 2.2 AA: 4.5 for
text, 3 for the parts of pictures that mean something.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CSS = (Path(__file__).parents[3] / "schedsolve" / "drawing" / "page" / "colours.css").read_text(
    encoding="utf-8"
)
STROKES = [f"c{i}" for i in range(8)]
TEXTS = [
    *(
        (colour, "ground")
        for colour in ("ink", "quiet", "accent", "call", "ok", "unsure", "failed", *STROKES)
    ),
    *((colour, "panel") for colour in ("ink", "quiet", "ok", "unsure", "failed")),
    ("on-node", "none"),
    ("on-node", "partly"),
    ("on-done", "done"),
]
"""A text's colour, and what it stands on."""
PARTS = [("rim", "ground"), ("rim", "panel"), ("accent", "panel"), ("done", "ground"), ("done", "none")]


def colours(theme: str) -> dict[str, str]:
    """The style's variables in a theme."""
    light, dark = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light))
    return found | dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", dark)) if theme == "dark" else found


def luminance(colour: str) -> float:
    """Relative luminance."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """From 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_ratio() -> None:
    """The examples of the standard: black on white, and the weakest grey that passes."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert 4.5 < contrast("#767676", "#ffffff") < 4.6


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_and_parts(theme: str) -> None:
    """Every pair that the player shows."""
    known = colours(theme)
    weak = [
        (colour, ground, round(contrast(known[colour], known[ground]), 2))
        for pairs, least in ((TEXTS, 4.5), (PARTS, 3.0))
        for colour, ground in pairs
        if contrast(known[colour], known[ground]) < least
    ]
    assert not weak
