"""Exceptions whose message is one line for the user."""

from __future__ import annotations

import re
from collections.abc import Iterable
from numbers import Number

LONGEST_ECHO = 80
"""Characters that an error shows of what somebody gave."""


def one_line(text: str) -> str:
    """The text with every character that is not printable, line breaks among them, spelled as Python does it
    in a string: `\\n`, `\\x1b`, `\\u202e`.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shown(value: object, most: int = LONGEST_ECHO) -> str:
    """A value that somebody gave, or that follows from it, as an error echoes it: on one line, and cut after
    so many characters.
    """
    try:
        text = str(value) if isinstance(value, Number) else repr(value)
    except (RecursionError, ValueError):
        text = "a very long number" if isinstance(value, Number) else f"a {type(value).__name__}"
    return cut(text, most)


def cut(text: str, most: int = LONGEST_ECHO) -> str:
    """The text, cut after so many characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def echoing_little(message: str, given: Iterable[str]) -> str:
    """The message, as one line in which no given text and no word is longer than 80 characters."""
    for text in (part for whole in given for part in (whole, whole.strip())):
        if len(text) > LONGEST_ECHO:
            message = message.replace(text, cut(text))
    return one_line(
        re.sub(rf"\S{{{LONGEST_ECHO + 4},}}", lambda word: f"{word[0][:38]}...{word[0][-38:]}", message)
    )


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """The known word nearest to the one given, in words to put after a complaint; "" when none is near."""
    from difflib import get_close_matches

    near = get_close_matches(given, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]}?" if near else ""


class InputError(ValueError):
    """What the user gave cannot be used; the message is one line that says what is wrong and what would be
    right.
    """


class ClaimError(ValueError):
    """The evidence of a claim does not prove it; the message says why."""


class RetiredEvidenceError(ClaimError):
    """Evidence of a kind that only earlier versions read; the message names the last one."""


class UnsettledError(InputError):
    """What has to be known first is not settled; the message is one line that says what is known of it."""
