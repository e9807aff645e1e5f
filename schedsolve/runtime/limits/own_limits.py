"""Limits of a method's own, as it meets them: a time slice, a size, a number of tries.

Who leaves something out for such a limit says so by `met`, however deep it lies; who runs methods notes it.
"""

from __future__ import annotations

from contextvars import ContextVar

Limits = dict[str, float]
"""The limits met, by what they count."""
_noted: ContextVar[Limits] = ContextVar("limits met")


def met(what: str, most: float) -> None:
    """Say that the method at work left something out, as it takes at most so many of something."""
    _noted.get({})[what] = most


def note_in(limits: Limits) -> None:
    """Note there what limits are met in this context from now on."""
    _noted.set(limits)
