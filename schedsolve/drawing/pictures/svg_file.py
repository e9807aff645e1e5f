"""Compact SVG files: short numbers, repeated styles as classes, no unused names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from hashlib import sha256

LEAST_REPEATED = 4


def small_svg(svg: str) -> str:
    """Return the same picture in fewer characters.

    Attributes have two decimals, a style that occurs often is stated once, and comments and unused names are
    removed.
    """
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.S)
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg))
    svg = _in_tags(svg, r' id="([^"]*)"', lambda m: m[0] if m[1] in used else "")
    svg = re.sub(r"<(?!\?|!|image)[^<>]*>", lambda m: _short_numbers(m[0]), svg)
    svg = re.sub(r">\s*\n\s*<", ">\n<", svg)
    while (fewer := re.sub(r"<g>\n((?:<(?:path|use|text)[^<>]*/>\n?)*)</g>\n", r"\1", svg)) != svg:
        svg = fewer
    return _styles_as_classes(svg)


def _in_tags(svg: str, pattern: str, changed: Callable[[re.Match[str]], str]) -> str:
    """Return the SVG with the matches of a pattern replaced in tags; the text between tags is kept."""
    return re.sub("<[^<>]*>", lambda tag: re.sub(pattern, changed, tag[0]), svg)


def _short_numbers(tag: str) -> str:
    """Return a tag on one line with at most two decimals in its numbers; transformations keep more."""
    tag = re.sub(r"\s*\n\s*", " ", tag)
    if "matrix(" in tag or "scale(" in tag:
        return tag
    return re.sub(r"(\d+\.\d{2})\d+", lambda m: m[1].rstrip("0").rstrip("."), tag)


def _styles_as_classes(svg: str) -> str:
    """Return the SVG with classes for repeated styles.

    A class is named after its style, so that two pictures in one page agree on it.
    """
    counts = Counter(re.findall(r' style="([^"]*)"', svg))
    names = {
        style: "s" + sha256(style.encode()).hexdigest()[:6]
        for style, count in counts.items()
        if count >= LEAST_REPEATED
    }
    svg = _in_tags(svg, r' style="([^"]*)"', lambda m: f' class="{names[m[1]]}"' if m[1] in names else m[0])
    rules = "".join(f".{name}{{{style}}}" for style, name in names.items())
    return svg.replace("</style>", f"{rules}</style>", 1)
