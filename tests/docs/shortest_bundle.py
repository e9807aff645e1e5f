"""`python -m tests.docs.shortest_bundle`: the program that docs/bundles.md prints whole, made again."""

from __future__ import annotations

from pathlib import Path

from tests.export.bundles import bundle

PAGE = Path(__file__).parents[2] / "docs/bundles.md"
LINE = "routing deliver fat-tree:8 --pattern bit-reversal"
BEGIN, END = "<!-- verify.py, whole -->\n\n```python\n", "```\n\n<!-- its end -->"


def made() -> str:
    """The program."""
    return bundle(LINE)["verify.py"].decode()


def printed() -> str:
    """The program as it stands on the page."""
    text = PAGE.read_text(encoding="utf-8")
    start = text.index(BEGIN) + len(BEGIN)
    return text[start : text.index(END, start)]


def main() -> None:
    """Write the program into the page."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(text.replace(BEGIN + printed() + END, BEGIN + made() + END), encoding="utf-8")


if __name__ == "__main__":
    main()
