"""Executed notebooks as pages of HTML that stand alone: pictures inside, formulas as MathML, light and dark,
nothing from the network.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

STYLE = Path(__file__).resolve().with_name("page.css")
FRAMES = Path(__file__).resolve().parents[1] / "schedsolve" / "drawing" / "page" / "frames.js"
"""Makes frames of players as tall as these."""
CODE_STYLES = (("light", "default"), ("dark", "github-dark"))
"""The styles of Pygments."""
FORMULA = re.compile(
    r"(?P<code>```.*?```|`[^`]*`)|\$\$(?P<display>.+?)\$\$|\$(?P<inline>[^$\n]+)\$", re.DOTALL
)
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{style}</style>
<script>{script}</script>
</head>
<body>
<nav>{links}</nav>
<main>
{body}
</main>
</body>
</html>
"""


def notebook_page(notebook: Any, names: Sequence[str], name: str) -> str:
    """The page of an executed notebook.

    names: of all notebooks, without endings, for the links between them. name: of this one.
    """
    from nbconvert import HTMLExporter

    heading = ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            heading = (re.findall("(?m)^#+ (.+)$", cell.source) or [heading])[-1]
            cell.source = with_formulas(re.sub(r"\]\((\d\d-[\w-]+)\.ipynb\)", r"](\1.html)", cell.source))
            continue
        for output in cell.outputs:
            for kind in ("image/png", "image/svg+xml"):
                if kind in output.get("data", {}):
                    output.metadata.setdefault(kind, {})["alt"] = f"Picture: {heading}"
    body, _ = HTMLExporter(template_name="basic", anchor_link_text="").from_notebook_node(notebook)
    return _page(f"{title_of(notebook)} · schedsolve", body, names, name)


def index_page(notebooks: Mapping[str, Any]) -> str:
    """A page with the titles and the questions of the notebooks, by their names."""
    rows = []
    for name, notebook in notebooks.items():
        question = re.search(r"\*\*(.+?)\*\*", notebook.cells[0].source, re.DOTALL)
        text = escape(question[1] if question else "")
        rows.append(f'<li><a href="{name}.html">{escape(title_of(notebook))}</a><p>{text}</p></li>')
    body = f'<h1>Notebooks</h1><ul class="index">{"".join(rows)}</ul>'
    return _page("Notebooks · schedsolve", body, list(notebooks), "index")


def title_of(notebook: Any) -> str:
    """What stands in the notebook's first heading."""
    return re.findall("(?m)^# (.+)$", notebook.cells[0].source)[0]


def with_formulas(text: str) -> str:
    """Markdown with the LaTeX between dollar signs as MathML, but for what stands in code."""
    from latex2mathml.converter import convert

    def formula(match: re.Match[str]) -> str:
        if match["code"]:
            return match["code"]
        if match["display"]:
            return f'<div class="formula">{convert(match["display"].strip(), display="block")}</div>'
        return convert(match["inline"])

    return FORMULA.sub(formula, text)


def _page(title: str, body: str, names: Sequence[str], name: str) -> str:
    links = [("All notebooks", "index")] if name != "index" else []
    if name in names:
        at = names.index(name)
        links += [(f"← {names[at - 1]}", names[at - 1])] if at else []
        links += [(f"{names[at + 1]} →", names[at + 1])] if at + 1 < len(names) else []
    listed = "".join(f'<a href="{to}.html">{text}</a>' for text, to in links)
    script = FRAMES.read_text(encoding="utf-8")
    return PAGE.format(title=escape(title), style=_style(), script=script, links=listed, body=body)


def _style() -> str:
    from pygments.formatters import HtmlFormatter

    parts = [STYLE.read_text(encoding="utf-8")]
    for scheme, name in CODE_STYLES:
        rules = [
            line
            for line in HtmlFormatter(style=name).get_style_defs(".highlight").splitlines()
            if line.startswith(".highlight .")
        ]
        parts.append(f"@media (prefers-color-scheme: {scheme}) {{\n" + "\n".join(rules) + "\n}\n")
    return "".join(parts)
