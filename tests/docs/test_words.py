"""Home-made words that were replaced by the field's terms stay out of code, help and documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORDS = [
    line
    for line in Path(__file__).with_name("words.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
TEXTS = {
    file: file.read_text(encoding="utf-8")
    for folder, pattern in (
        ("schedsolve", "*.py"),
        ("schedsolve", "*.js"),
        ("models", "*.py"),
        ("models", "*.md"),
        ("studies", "*.py"),
        ("docs", "*.md"),
        (".", "README.md"),
        (".", "CONTRIBUTING.md"),
    )
    for file in ((ROOT / folder).glob(pattern) if folder == "." else (ROOT / folder).rglob(pattern))
    if not any(parent.is_symlink() for parent in file.parents)
}


def test_the_texts_are_found() -> None:
    """A list of files that is empty would pass every test."""
    assert len(TEXTS) > 400
    assert len(WORDS) > 10


@pytest.mark.parametrize("word", WORDS)
def test_the_word_stays_out(word: str) -> None:
    """Neither code nor documentation has it."""
    found = [
        f"{file.relative_to(ROOT)}: {line.strip()}"
        for file, text in TEXTS.items()
        if re.search(word, text)
        for line in text.splitlines()
        if re.search(word, line)
    ]
    assert not found, "\n".join(found)
