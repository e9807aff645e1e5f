"""Exceptions whose message is one line for the user."""


class InputError(ValueError):
    """What the user gave cannot be used; the message is one line that says what is wrong and what would be right."""


class ClaimError(ValueError):
    """The evidence of a claim does not prove it; the message says why."""
