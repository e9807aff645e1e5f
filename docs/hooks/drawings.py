"""What the documentation's site has beyond its pages' text: what the commands on them draw, shown below them.

mkdocs calls these functions (mkdocs.yml: hooks). A page with `drawn: true` at its head gets, below every
block of commands, the pages and pictures that these write; all its commands run once, when the site is built.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import tempfile
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

from schedsolve.drawing.page.inline import text_of

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```\w*\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
GOES_ON = re.compile(r" \\\n +")
COMMAND = re.compile(r"^(?:\$ )?(cat > \S+ <<'END'\n(?:.*\n)*?END|schedsolve .*)$", re.MULTILINE)
DRAWN = re.compile(r"(?:-o|--output|--plot) (?P<name>[\w-]+\.(?:html|svg))\b")
BAD_INPUT = 2
WIDE = 560
"""Points; a picture of so many or fewer is readable on a phone."""

commands: dict[str, list[str]] = {}
"""The commands of every page, in their order, by the page's name."""


def on_page_markdown(text: str, page: Any, config: Any, files: Any) -> str:
    """Below every block of commands, the files that they draw."""
    if not page.meta.get("drawn"):
        return text
    own = commands[_folder(page)] = []

    def with_drawings(block: re.Match[str]) -> str:
        found = COMMAND.findall(GOES_ON.sub(" ", block[1]))
        own.extend(found)
        names = [drawn["name"] for command in found for drawn in DRAWN.finditer(command)]
        return block[0] + "".join(f"\n{_shown(f'drawn/{_folder(page)}/{name}')}\n" for name in names)

    return BLOCK.sub(with_drawings, text)


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Frames of players that are as tall as these."""
    return f"<script>{text_of('frames.js')}</script>{html}" if page.meta.get("drawn") else html


def _mark_wide_pictures(page: Path, drawn: Path) -> None:
    """Say which pictures are too wide for a phone, now that they are drawn."""
    html = page.read_text(encoding="utf-8")
    for picture in drawn.glob("*.svg"):
        width = re.search(r'<svg[^>]* width="([\d.]+)', picture.read_text(encoding="utf-8"))
        if width and float(width[1]) > WIDE:
            link = f'<p class="drawn"><a href="drawn/{drawn.name}/{picture.name}">'
            html = html.replace(link, link.replace('"drawn"', '"drawn wide"'))
    page.write_text(html, encoding="utf-8")


def _folder(page: Any) -> str:
    return Path(page.file.src_uri).stem


def _shown(address: str) -> str:
    """A picture, or a page in a frame."""
    name = Path(address).stem
    if address.endswith(".svg"):
        return f'<p class="drawn"><a href="{address}"><img src="{address}" alt="{name}"></a></p>'
    return (
        f'<iframe class="player" src="{address}" title="the player: {name}" loading="lazy"></iframe>\n\n'
        f'<p class="alone"><a href="{address}">Open it alone</a></p>'
    )


def on_post_build(config: Any) -> None:
    """Run the commands, and put what they draw into the site.

    Raises RuntimeError when a command complains.
    """
    for page, lines in commands.items():
        site = Path(config["site_dir"], "drawn", page)
        site.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            os.symlink(ROOT / "instances", "instances")
            for line in lines:
                _run(line)
                for drawn in DRAWN.finditer(line):
                    (site / drawn["name"]).write_bytes(Path(drawn["name"]).read_bytes())
        _mark_wide_pictures(site.parents[1] / f"{page}.html", site)


def _run(line: str) -> None:
    from schedsolve.commands.cli import main

    if line.startswith("cat >"):
        subprocess.run(line, shell=True, check=True)
        return
    said = io.StringIO()
    with redirect_stdout(said):
        status = main(shlex.split(line, comments=True)[1:])
    if status == BAD_INPUT:
        raise RuntimeError(f"{line}: exit status {status}\n{said.getvalue()}")
