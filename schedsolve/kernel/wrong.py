"""The error that is raised for a claim that does not hold, or for data that are out of form."""

from __future__ import annotations

from typing import Any


class WrongError(Exception):
    """A claim does not hold, or a file is not what it should be; the message says why."""


def require(holds: object, reason: str) -> None:
    """Raise WrongError with the reason, unless it holds."""
    if not holds:
        raise WrongError(reason)


def require_form(data: Any, form: Any) -> None:
    """Raise WrongError unless JSON data have a form: one type or several, int for 0, 1, ...

    Or a list of forms, [form, ...] for any number; or a dict of those of the keys, of which those
    with "?" may be missing, and others are not there.
    """
    kind: Any = type(form) if isinstance(form, (dict, list)) else form
    right = isinstance(data, kind) and (kind is bool or type(data) is not bool)
    parts: list[Any] = []
    if right and isinstance(form, dict):
        forms = {key.rstrip("?"): each for key, each in form.items()}
        odd = sorted(set(data) - set(forms) | (set(form) & set(forms)) - set(data))
        require(not odd, f"{', '.join(odd)}: a key that is missing, or does not belong there")
        parts = [(each, forms[key]) for key, each in data.items()]
    elif right and isinstance(form, list):
        wanted = form[:1] * len(data) if form[1:] == [...] else form
        right, parts = len(wanted) == len(data), list(zip(data, wanted))
    require(right and str(data)[:1] != "-", f"{data!r:.80} is out of place")
    for part, of in parts:
        require_form(part, of)
