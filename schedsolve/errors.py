"""The one exception that stands for bad input."""


class InputError(ValueError):
    """What the user gave cannot be used; the message is one line that says what is wrong and what would be right."""
