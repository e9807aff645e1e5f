"""The page of commands has every command with every option, in tables."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from schedsolve.commands.cli import whole_parser

HOOK = Path(__file__).parents[2] / "docs/hooks/command_help.py"


@pytest.fixture(scope="module")
def page() -> str:
    """The page as mkdocs gets it."""
    spec = spec_from_file_location("command_help", HOOK)
    assert spec is not None
    assert spec.loader is not None
    hook: ModuleType = module_from_spec(spec)
    spec.loader.exec_module(hook)
    text = hook.on_page_markdown(f"before\n\n{hook.MARK}\n", None, None, None)
    assert isinstance(text, str)
    assert hook.MARK not in text
    return text


def test_every_option_of_every_command_has_a_row(page: str) -> None:
    """Of the subjects of `explore` too."""
    parts = re.split(r"^#{2,3} (\S.*)\n", page, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    for name, verb in whole_parser().verbs.items():
        rows = set(
            re.findall(r"--[a-z][a-z-]*", " ".join(re.findall(r"^\| `([^`]*)`", sections[name], re.M)))
        )
        asked = set(re.findall(r"(?<![a-z])--[a-z][a-z-]*", verb.format_usage())) - {"--help", "--no-certify"}
        assert asked <= rows, name
    for name in ("explore periods", "explore f", "simulate"):
        assert "| `--json` |" in sections[name]


def test_no_row_is_cut(page: str) -> None:
    """Bars in an option stand in its code; elsewhere they are escaped."""
    for row in re.findall(r"^\|.*", page, re.MULTILINE):
        assert len(re.findall(r"(?<!\\)\|", re.sub(r"`[^`]*`", "", row))) == 3, row
