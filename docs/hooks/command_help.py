"""Every command with its arguments and options, from its parser, on the page of commands.

mkdocs calls `on_page_markdown` (mkdocs.yml: hooks) for every page; the page with the mark gets them. They are
tables, which a phone shows as cards.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from schedsolve.runtime.files.escapes import in_markdown

MARK = "<!-- every command -->"


def on_page_markdown(text: str, page: Any, config: Any, files: Any) -> str:
    """The help of every command in place of the mark."""
    if MARK not in text:
        return text
    from schedsolve.commands.cli import whole_parser

    sections = [
        section for name, verb in whole_parser().verbs.items() for section in _sections(name, verb, "##")
    ]
    return text.replace(MARK, "\n".join(sections))


def _sections(name: str, parser: argparse.ArgumentParser, level: str) -> Iterator[str]:
    """A command with a table for each group of its arguments, then its subjects in the same way."""
    actions = parser._get_positional_actions()
    places = " ".join(_place(parser, action) for action in actions)
    said = _prose(parser.description or "")
    usage = f"{parser.prog} [options] {places}".strip()
    yield f"{level} {name}\n\n`{usage}`\n\n{said[:1].upper()}{said[1:]}.\n"
    tables = list(_tables(parser))
    if tables:
        yield '<details markdown="1"><summary>Arguments and options</summary>\n'
        yield from tables
        yield "</details>\n"
    if parser.epilog:
        yield f"```text\n{parser.epilog}\n```\n"
    for action in actions:
        if isinstance(action, argparse._SubParsersAction):
            for subject, its_parser in action.choices.items():
                yield from _sections(f"{name} {subject}", its_parser, f"{level}#")


def _tables(parser: argparse.ArgumentParser) -> Iterator[str]:
    """A table for each group of arguments."""
    for group in parser._action_groups:
        rows = [row for action in group._group_actions for row in _rows(parser, action)]
        if not rows:
            continue
        head = "argument" if group.title == "positional arguments" else "option"
        if group.title not in ("positional arguments", "options"):
            yield f"{_prose(group.title or '').capitalize()}:\n"
        yield "\n".join([f"| {head} | meaning |", "|---|---|", *rows, ""])


def _place(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """A positional argument as the usage shows it."""
    formatter = parser._get_formatter()
    return formatter._format_args(action, formatter._get_default_metavar_for_positional(action))


def _rows(parser: argparse.ArgumentParser, action: argparse.Action) -> Iterator[str]:
    """A row for an argument; one for each subject that it may name."""
    formatter = parser._get_formatter()
    if isinstance(action, argparse._SubParsersAction):
        for choice in action._choices_actions:
            yield f"| `{choice.dest}` | {_prose(choice.help or '')} |"
    elif action.help is not argparse.SUPPRESS and action.dest != "help":
        shown = formatter._format_action_invocation(action)
        yield f"| `{shown}` | {_prose(formatter._expand_help(action) if action.help else '')} |"


def _prose(text: str) -> str:
    """Text as Markdown, in which what stands between backticks is code."""
    parts = " ".join(text.split()).split("`")
    return "".join(f"`{part}`" if i % 2 else in_markdown(part) for i, part in enumerate(parts))
