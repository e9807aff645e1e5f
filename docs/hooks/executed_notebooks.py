"""The notebooks on the site: executed by `make notebooks`, which leaves them in out/notebooks.

mkdocs calls these functions (mkdocs.yml: hooks). Without them the site is built all the same, and says so.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
EXECUTED = ROOT / "out" / "notebooks"
PLACE = "<!-- the list of notebooks -->"


def on_page_markdown(text: str, page: Any, config: Any, files: Any) -> str:
    """The list of notebooks in its place: with a link for each that is executed."""
    return text.replace(PLACE, "\n".join(map(_line, sorted((ROOT / "notebooks").glob("*.ipynb")))))


def _line(file: Path) -> str:
    """A line of the list: the notebook's title, and the first paragraph below it."""
    first = "".join(json.loads(file.read_text(encoding="utf-8"))["cells"][0]["source"])
    title, _, rest = first.lstrip("# ").partition("\n")
    if (EXECUTED / f"{file.stem}.html").is_file():
        title = f"[{title}](drawn/notebooks/{file.stem}.html)"
    question = " ".join(rest.strip().partition("\n\n")[0].replace("**", "").split())
    return f"- **{title}** (`notebooks/{file.name}`). {question}"


def on_post_build(config: Any) -> None:
    """Copy those that are executed."""
    found = sorted(EXECUTED.glob("*.html"))
    if not found:
        print("the site has no executed notebooks: make notebooks, and build it again")
        return
    site = Path(config["site_dir"], "drawn", "notebooks")
    site.mkdir(parents=True, exist_ok=True)
    for file in found:
        shutil.copy(file, site)
