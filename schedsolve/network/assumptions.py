"""What a reader of a network's file assumed, and what it left out although it could carry data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from schedsolve.runtime.errors import InputError, counted, one_line, shown
from schedsolve.runtime.files.number_reader import whole_number

KEY = "network_assumptions"
"""The key of the assumptions in files and in what commands print as JSON."""


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

    def __str__(self) -> str:
        return one_line(f"{self.kind.replace('-', ' ')}: {self.words}")

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


def as_read(assumptions: Iterable[Assumption]) -> str:
    """Return what a verdict says at its end of the assumptions that it rests on; "" if there are none.

    ```pycon
    >>> as_read([assumed("switch", "equal cells are one switch")])
    ' for the network as read; 1 assumption, see `list networks FILE`'

    ```
    """
    count = len(distinct(assumptions))
    said = counted(count, "assumption")
    return f" for the network as read; {said}, see `list networks FILE`" if count else ""


def assumptions_to_json(assumptions: Iterable[Assumption]) -> dict[str, Any]:
    """Return the entry of a JSON object that lists the assumptions; no entry if there are none."""
    listed = [assumption.to_json() for assumption in distinct(assumptions)]
    return {KEY: listed} if listed else {}


def assumptions_from_json(data: Any) -> tuple[Assumption, ...]:
    """Return the assumptions in the list that `assumptions_to_json` wrote.

    Raises
    ------
    InputError
        If the data are anything else.
    """
    if isinstance(data, list) and data and all(map(_is_one, data)):
        return tuple(Assumption(**entry) for entry in data)
    raise InputError(
        f'"{KEY}" should be a list of {{"kind": "left-out" or "assumed", "subject": TEXT, "count": NUMBER,'
        f' "words": TEXT}}, not {shown(data)}'
    )


def _is_one(data: Any) -> bool:
    if not isinstance(data, dict) or data.keys() != Assumption.__annotations__.keys():
        return False
    texts = all(isinstance(data[key], str) and data[key] for key in ("subject", "words"))
    return texts and data["kind"] in ("left-out", "assumed") and whole_number(data["count"], 1) is not None
