"""Exceptions whose message is one line for the user."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from numbers import Number

LONGEST_ECHO = 80
"""The most characters of user input that an error message shows."""


def one_line(text: str) -> str:
    r"""Return the text on one line, with unprintable characters escaped as in Python: `\n`, `\x1b`."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shown(value: object, most: int = LONGEST_ECHO) -> str:
    """Return a user's value as an error message shows it: on one line, and cut after `most` characters."""
    try:
        text = str(value) if isinstance(value, Number) else repr(value)
    except (RecursionError, ValueError):
        text = "a very long number" if isinstance(value, Number) else f"a {type(value).__name__}"
    return cut(text, most)


def cut(text: str, most: int = LONGEST_ECHO) -> str:
    """Return the text, cut after `most` characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def counted(count: object, one: str, many: str = "") -> str:
    """Return such as "1 round" or "2 rounds"; many: the plural where it does not end in s."""
    return f"{count} {one if str(count) == '1' else many or one + 's'}"


def echoing_little(message: str, given: Iterable[str]) -> str:
    """Return the message on one line, with every given text and every word cut to 80 characters."""
    for text in (part for whole in given for part in (whole, whole.strip())):
        if len(text) > LONGEST_ECHO:
            message = message.replace(text, cut(text))
    return one_line(
        re.sub(rf"\S{{{LONGEST_ECHO + 4},}}", lambda word: f"{word[0][:38]}...{word[0][-38:]}", message)
    )


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return a suggestion for a misspelled word, or "" if no known word is similar."""
    from difflib import get_close_matches

    near = get_close_matches(given, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]}?" if near else ""


class SchedsolveError(Exception):
    """The base of all exceptions that schedsolve raises."""


class InputError(SchedsolveError, ValueError):
    """The input is not usable; the message says in one line what is wrong and what would be right.

    The message names options as the command line does, `--extra-rounds`, while that runs; else as keywords,
    `extra_rounds`.
    """

    def __init__(self, message: object = "") -> None:
        text = str(message)
        super().__init__(text if _command_line.runs else _OPTION.sub(_as_keyword, text))


class _CommandLine:
    """Whether the command line runs in this process."""

    runs = False


_command_line = _CommandLine()
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?![\w-])")


def _as_keyword(option: re.Match[str]) -> str:
    return option[1].replace("-", "_")


@contextmanager
def on_command_line() -> Iterator[None]:
    """Let errors name options as the command line does, within this context."""
    before, _command_line.runs = _command_line.runs, True
    try:
        yield
    finally:
        _command_line.runs = before


class WorkError(SchedsolveError, RuntimeError):
    """A part of the work that processes share could not be done; the message says why."""


class ClaimError(SchedsolveError, ValueError):
    """The evidence of a claim does not prove it; the message says why."""


class RetiredEvidenceError(ClaimError):
    """Evidence of a kind that only earlier versions read; the message names the last of them."""


class UnsettledError(InputError):
    """A prerequisite is not settled; the message says in one line what is known of it."""
