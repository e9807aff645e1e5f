"""The catalogue of evidence: a small result for every kind of evidence of every model.

Its certificate holds that evidence alone, and its schedule has the least value that there is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.evidence.recipes import RECIPES

FOLDER = Path(__file__).parents[1] / "data/evidence"


@dataclass(frozen=True)
class Entry:
    """A result of the catalogue: the title of its model's record, and the name of its evidence: the kind, and
    after a comma which form of it.
    """

    title: str
    name: str

    @property
    def kind(self) -> str:
        """The kind of the evidence."""
        return self.name.partition(",")[0]

    @property
    def path(self) -> Path:
        """The file."""
        return FOLDER / _plain(self.title) / f"{_plain(self.name)}.json"

    @property
    def data(self) -> dict[str, Any]:
        """The result, as it is read from the file."""
        found: dict[str, Any] = json.loads(_text(self.path))
        return found

    @property
    def bound(self) -> dict[str, Any]:
        """The bound in the certificate that the entry is about."""
        certificate = self.data["certificate"]
        found: dict[str, Any] = certificate["upper" if "upper" in certificate else "lower"][-1]
        return found


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _plain(text: str) -> str:
    return text.replace(",", "").replace("--", "").replace("  ", " ").replace(" ", "-")


def entries() -> Iterator[Entry]:
    """All of them, model by model."""
    for title, recipes in RECIPES.items():
        for name in recipes:
            yield Entry(title, name)
