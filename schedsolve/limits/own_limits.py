"""Limits of a method's own, as it meets them: a time slice, a size, a number of tries.

Who leaves something out for such a limit says so by `met`, however deep it lies; who runs methods notes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Limits = dict[str, float]
"""The limits met, by what they count."""
_noted: ContextVar[Limits | None] = ContextVar("limits met", default=None)


def met(what: str, most: float) -> None:
    """Say that the method at work left something out, as it takes at most so many of something."""
    noted = _noted.get()
    if noted is not None:
        noted[what] = most


@contextmanager
def noting(noted: Limits) -> Iterator[None]:
    """Add the limits met in this context to those noted."""
    token = _noted.set(noted)
    try:
        yield
    finally:
        _noted.reset(token)
