"""The figures of measurements: drawn from the data in studies/measured whenever the site is built.

mkdocs calls `on_files` (mkdocs.yml: hooks).
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
MEASURED = ROOT / "studies" / "measured"
sys.path.insert(0, str(ROOT))


def figures() -> dict[str, bytes]:
    """Return the figures, by their files in docs/images."""
    from studies.fat_tree_growth import draw_growth, read_rows
    from studies.routing_figures import FIGURES, picture
    from studies.routing_measurements import read_panels

    growth = BytesIO()
    draw_growth(list(read_rows(MEASURED / "fat-tree-growth.json")), growth)
    found = {"fat-tree-growth.png": growth.getvalue()}
    for name in FIGURES:
        file = f"routing-{name}"
        found[f"{file}.png"] = picture(name, read_panels(MEASURED / f"{file}.json"))
    return found


def on_files(files: Any, config: Any) -> Any:
    """Add the figures to the site."""
    from mkdocs.structure.files import File

    for name, content in figures().items():
        files.append(File.generated(config, f"images/{name}", content=content))
    return files
