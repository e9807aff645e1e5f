"""What a reader of a network's file assumed, and what it left out although it could carry data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Assumption:
    """One way in which the network as read may differ from the machine that its file describes.

    Attributes
    ----------
    kind
        Whether something was left out that could carry data, or a rule was assumed that the file does not
        state.
    subject
        What it is about, an identifier such as "pci-links", "switch" or "bandwidth".
    words
        What a reader is told.
    count
        Of how many things, such as links, it speaks; 1 for a rule.
    """

    kind: Literal["left-out", "assumed"]
    subject: str
    words: str
    count: int = 1

    def to_json(self) -> dict[str, Any]:
        """Return the assumption as JSON data."""
        return {"kind": self.kind, "subject": self.subject, "count": self.count, "words": self.words}


def left_out(subject: str, words: str, count: int = 1) -> Assumption:
    """Return what was left out and could carry data; with the count 0 it is none."""
    return Assumption("left-out", subject, words, int(count))


def assumed(subject: str, words: str, count: int = 1) -> Assumption:
    """Return a rule that a file does not state; with the count 0 it is none."""
    return Assumption("assumed", subject, words, int(count))


def distinct(assumptions: Iterable[Assumption]) -> tuple[Assumption, ...]:
    """Return the assumptions in their order, each once, without those whose count is 0."""
    return tuple(note for note in dict.fromkeys(assumptions) if note.count)
