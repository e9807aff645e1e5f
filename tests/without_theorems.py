"""Theorems put aside, where a test is about what a search proves."""

from __future__ import annotations

import pytest


def without_knowledge_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Theorems 5 and 7 of docs/theorems.md say nothing in this process."""
    monkeypatch.setattr("schedsolve.models.matching.claims.lower_bounds.least_rounds", lambda _: 0)
