"""README and docs can be taken in: short where they are first, tables whole, commands that can be copied."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_readme_is_read_in_a_minute() -> None:
    """A hundred lines and 5 kB; what it is, the picture and both examples come first."""
    lines = README.splitlines()
    assert len(lines) <= 100
    assert len(README.encode()) <= 5000
    assert max(map(len, lines)) <= 100
    first = next(text for text in README.split("\n\n")[1:])
    assert {"broadcast", "gossip", "allgather", "allreduce"} <= set(re.findall(r"\w+", first))
    assert lines.index("```", lines.index("```python")) < 45


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_table_is_cut(page: Path) -> None:
    """A run of lines that begin with a bar has its head and the line below it."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    runs: list[str] = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    for run in runs:
        assert re.match(r"\|.*\n\|(?:\s*:?-+:?\s*\|)+\n", run), run[:100]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_can_be_copied(page: Path) -> None:
    """No command has words beside it that are no comment, none is longer than a terminal is wide."""
    for block in re.findall(
        r"^```[a-z]*\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    ):
        for line in block.splitlines():
            if re.match(r"(\$ )?(\.venv/bin/)?(schedsolve|make|python|coqc|printf) ", line):
                assert not re.search(r"\S {2,}(?!#)\S", line), line
                assert len(line) <= 80 or re.search('"[^"]{60,}"', line), line


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "CHANGELOG.md"], ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_prose_is_wrapped(page: Path) -> None:
    """No line of prose is over 100 columns, so that a change shows as a few lines."""
    text = re.sub(r"\A---\n.*?\n---\n", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"^( *)```.*?^\1```", "", text, flags=re.MULTILINE | re.DOTALL)
    for line in text.splitlines():
        unbreakable = re.match(r" *(\||#|\$\$|    |!\[|<)", line) or " " not in line[line.find("- ") + 2 :]
        assert len(line) <= 100 or unbreakable, line
