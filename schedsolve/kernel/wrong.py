"""The error that is raised for a claim that does not hold."""

from __future__ import annotations


class WrongError(Exception):
    """A claim does not hold, or a file is not what it should be; the message says why."""


def require(holds: object, reason: str) -> None:
    """Raise WrongError with the reason, unless it holds."""
    if not holds:
        raise WrongError(reason)
