"""What the documentation's site has beyond its pages' text: what the commands on them draw, shown below them.

mkdocs calls these functions (mkdocs.yml: hooks). A page with `drawn: true` at its head gets, below every
block of commands, the pages and pictures that these write; they run once, when the site is built.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import tempfile
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```\w*\n(?P<lines>(?:schedsolve .*\n)+)```\n", re.MULTILINE)
FILE = re.compile(r"(?:-o|--output|--plot) (?P<name>[\w-]+\.(?:html|svg))\b")
DRAWN = "drawn"
"""The folder of the site for what the commands write."""
OPEN_STATUS = (0, 3)
"""Of a command that did what it says, whether or not everything is settled."""

commands: list[str] = []
"""The commands to run when the pages are written, in their order."""


def on_pre_build(config: Any) -> None:
    """Forget the commands of the build before."""
    commands.clear()


def on_page_markdown(text: str, page: Any, config: Any, files: Any) -> str:
    """Below every block of commands, the files that they draw."""
    return BLOCK.sub(_with_drawings, text) if page.meta.get("drawn") else text


def _with_drawings(block: re.Match[str]) -> str:
    shown = [re.split(r"\s{2,}", line)[0] for line in block["lines"].splitlines()]
    commands.extend(line.removeprefix("schedsolve ") for line in shown)
    names = [found["name"] for line in shown for found in FILE.finditer(line)]
    return block[0] + "".join(f"\n{_shown(name)}\n" for name in names)


def _shown(name: str) -> str:
    """A picture, or a page in a frame."""
    address, stem = f"{DRAWN}/{name}", Path(name).stem
    if name.endswith(".svg"):
        return f'<p class="drawn"><img src="{address}" alt="{stem}"></p>'
    return (
        f'<iframe class="player" src="{address}" title="the player: {stem}" loading="lazy"></iframe>\n\n'
        f'<p class="alone"><a href="{address}">Open it alone</a></p>'
    )


def on_post_build(config: Any) -> None:
    """Run the commands, and put what they draw into the site.

    Raises RuntimeError when a command fails.
    """
    from schedsolve.cli import main

    site = Path(config["site_dir"]) / DRAWN
    site.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        os.symlink(ROOT / "instances", "instances")
        for command in commands:
            said = io.StringIO()
            with redirect_stdout(said):
                status = main(shlex.split(command))
            if status not in OPEN_STATUS:
                raise RuntimeError(f"{command}: exit status {status}\n{said.getvalue()}")
            for found in FILE.finditer(command):
                (site / found["name"]).write_bytes(Path(found["name"]).read_bytes())
