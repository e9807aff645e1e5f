"""`schedsolve completion`: the shell completes commands, models, options and files."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from schedsolve.commands.options import EXIT_DONE, add_verb
from schedsolve.runtime.errors import InputError

SHELLS = ("bash", "zsh", "fish")
FILES = ("network", "file", "files", "output")
"""The arguments that are, or may be, files."""


def add_completion(whole: argparse.ArgumentParser, commands: Any) -> None:
    """Add the verb to the command line.

    Parameters
    ----------
    whole
        The parser of all verbs.
    commands
        Its verbs.
    """
    text = "a script by which the shell completes commands and options"
    parser = add_verb(commands, "completion", partial(_print_completion, whole, commands), text)
    parser.description = f'{text}: eval "$(schedsolve completion bash)"'
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))


def _print_completion(whole: argparse.ArgumentParser, commands: Any, arguments: argparse.Namespace) -> int:
    try:
        import shtab
    except ImportError:
        raise InputError("completion needs the package shtab: pip install shtab") from None
    from schedsolve.models import model_names

    for verb in commands.choices.values():
        for action in verb._actions:
            if action.dest == "model":
                action.choices = model_names()
            if action.dest in FILES:
                action.complete = shtab.FILE
    print(shtab.complete(whole, arguments.shell))
    return EXIT_DONE
