"""What belongs to words: a referee, bounds, and the forms of the keys of CLAIM, also by task."""

from __future__ import annotations

from typing import Any

THEOREMS = dict[str, Any]()


def states(referees: str, bounds: str, keys: dict[str, Any], tasks: dict[str, Any]) -> Any:
    """Return a decorator of a function that gives words; it notes in THEOREMS what is theirs."""
    row = referees.split(), bounds.split(), keys, tasks
    return lambda in_words: THEOREMS.update({in_words.__name__: row}) or in_words
