"""Exceptions whose message is one line for the user."""


def one_line(text: str) -> str:
    """The text with every character that is not printable, line breaks among them, replaced by a question
    mark.
    """
    return "".join(c if c.isprintable() else "?" for c in text)


class InputError(ValueError):
    """What the user gave cannot be used; the message is one line that says what is wrong and what would be
    right.
    """


class ClaimError(ValueError):
    """The evidence of a claim does not prove it; the message says why."""
