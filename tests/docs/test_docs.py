"""What the documentation says of the code holds."""

from __future__ import annotations

import json
import re
from pathlib import Path

from schedsolve.models import MODULES
from tests.docs.shortest_bundle import LINE, made, printed
from tests.docs.trusted_files import KERNELS, LIST, by_kind, listed, table, table_for_names, traced
from tests.export.bundles import ACCEPTED, OTHERS, bundle

ROOT = Path(__file__).parents[2]


def test_the_trusted_files_are_those_that_run() -> None:
    """The list that `check` reads, and the table of docs/trusted-files.md, name every file of which a check
    runs a function, for every kind of evidence, and no other; the proof kernels stay below 300 lines.
    """
    found = traced()
    remedy = "make them again with: python -m tests.docs.trusted_files"
    assert json.loads(LIST.read_text(encoding="utf-8")) == by_kind(found), remedy
    assert listed() == [table(found), table_for_names(found)], remedy
    assert sum(len((ROOT / kernel).read_text(encoding="utf-8").splitlines()) for kernel in KERNELS) < 300


def test_the_trusted_files_reach_every_referee() -> None:
    """The referee and the claims of every model are among them; a record where a check runs code of it."""
    rows = re.findall(r"^\| `models/(\w+)/(\w+)", listed()[0], re.MULTILINE)
    for model in (entry.module for entry in MODULES):
        assert {(model, "rules"), (model, "claims")} <= set(rows)
        # A check runs no code of the pipelined record, which only names functions of its parts.
        assert model == "pipelined" or (model, "__init__") in rows


def test_the_shortest_program_is_printed() -> None:
    """docs/bundles.md prints a bundle's verify.py whole, and none of those of the tests is shorter."""
    assert printed() == made(), "make it again with: python -m tests.docs.shortest_bundle"
    lengths = [len(bundle(line)["verify.py"].splitlines()) for line in (*ACCEPTED, *OTHERS)]
    assert len(made().splitlines()) <= min(lengths), LINE


def test_relative_links_lead_somewhere() -> None:
    """Every relative link of README and docs names a file; pictures have their own test."""
    drawn = r"(?:\.\./)*images/"
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(rf"\]\((?!http|{drawn})([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_gallery_has_every_model() -> None:
    """A schedule of each, solved and drawn as a page."""
    text = re.sub(r" \\\n +", " ", (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8"))
    block = r"^schedsolve solve (\S+) (.*) --output (\S+)\.json\nschedsolve draw \3\.json -o \3\.html$"
    solved = re.findall(block, text, re.MULTILINE)
    shown = {(name, "period" if "--period" in options else None) for name, options, _ in solved}
    assert all(shown & {(name, entry.variant) for name in entry.names} for entry in MODULES)


def test_lists_are_lists_on_the_site() -> None:
    """A list stands behind a blank line: else the site runs it into the paragraph before."""
    for page in (ROOT / "docs").rglob("*.md"):
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for paragraph in re.split(r"\n\s*\n", text):
            lines = paragraph.strip("\n").split("\n")
            assert re.match(r"\s*[-*|#] ?", lines[0]) or not any(re.match(r"[-*] ", x) for x in lines), (
                page.name,
                lines[0],
            )


def test_no_formula_turns_into_a_list() -> None:
    """A line that begins with a plus sign is an item of a list where the pages are read on GitHub."""
    for page in (ROOT / "docs").rglob("*.md"):
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        assert not re.findall(r"^ *\+ .*", text, re.MULTILINE), page.name


def test_every_page_begins_with_its_description() -> None:
    """Between lines of three hyphens, for search engines; joined to one line, the site would print it."""
    for page in (ROOT / "docs").rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        head = re.match(r"---\n((?:\w+: .+\n(?:  .+\n)*)+)---\n+(?:<.*\n|\n)*# ", text)
        assert head is not None, page.name
        assert re.search(r"^description: ", head[1], re.MULTILINE), page.name
