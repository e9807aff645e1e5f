"""Every command that README and docs show runs, and every session that they show prints what they say."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from schedsolve.commands.cli import main

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "models" / "TEMPLATE.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
LONG = {
    "explore f --ports 2 --dimension 6 --extra-rounds 6..17 --plot bounds.svg",
    "results instances/atlas/atlas.csv --conjecture telephone_gossip",
    "results instances/atlas/atlas.csv --conjecture telegraph_gossip",
    "results instances/atlas/atlas.csv --conjecture telephone_gossip --hunt 3 -o found",
    "explore f --ports 1 --dimension 6 --extra-rounds 4..20",
    "explore f --ports 2 --dimension 5 --extra-rounds 8 --search",
    "explore f --ports 3 --dimension 4 --extra-rounds 7..19",
    "draw torus.json -o torus.svg --view bottleneck",
    "frontier telegraph gossip tree:3,3 --period 8..14 --time-limit 60 --json",
    "solve fat-tree broadcast fat-tree:64 --capacity sqrt --source 9",
    "solve linear-cost broadcast complete:100 --extra-rounds 5",
    "solve linear-cost broadcast instances/two-cliques.edges --ports 2 --total-rounds 3",
    "solve telegraph gossip path:100000 --period 40 --quiet",
}
"""Searches that take long; the tests of their models run the like by default, and know what they find."""
PLACEHOLDER = re.compile(r"\b[A-Z][A-Z0-9]*\b(?!\.)|\.\.\.|[\[\]|<>]")
QUOTED = re.compile("'[^']*'|\"[^\"]*\"")
FILE = r"^(?:\$ )?cat > \S+ <<'END'\n(?:.*\n)*?END$"
PROGRAM = re.compile(r"^(\$ )?(\.venv/bin/)?schedsolve ")


def blocks(page: Path) -> Iterator[list[str]]:
    """The lines of every fenced block of a page; a line that goes on, and a file that is written, are one."""
    for block in re.findall(
        r"^```[a-z]*\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    ):
        yield re.findall(rf"{FILE}|^.*$", re.sub(r" \\\n +", " ", block), re.MULTILINE)


def in_short(command: str) -> list[str]:
    """The words of a command, with a fifth of a second in the place of a longer time limit."""
    words = shlex.split(command)
    for place, word in enumerate(words[1:], 1):
        if words[place - 1] == "--time-limit":
            words[place] = str(min(float(word), 0.2))
    return words


def typed(line: str) -> str:
    """A command of the program without its name, and without what the page says beside it but for an exit
    status.
    """
    return re.split(r"\s{2,}|\s#(?! exit)", PROGRAM.sub("", line))[0].strip()


def shown() -> Iterator[tuple[str, list[list[str]]]]:
    """For every page with commands, the commands of every block that shows some, in order; those with
    placeholders are left out.
    """
    for page in PAGES:
        found = []
        for lines in blocks(page):
            commands = [
                line.removeprefix("$ ") if re.match(FILE, line) else typed(line)
                for line in lines
                if PROGRAM.match(line) or re.match(FILE, line)
            ]
            found.append(
                [
                    c
                    for c in commands
                    if c.startswith("cat >")
                    or not PLACEHOLDER.search(QUOTED.sub("", re.sub(r"--?[a-z-]+", "", c)))
                ]
            )
        if any(found):
            yield (
                page.relative_to(ROOT).as_posix().removeprefix("docs/"),
                [commands for commands in found if commands],
            )


@pytest.mark.usefixtures("short_constructions")
@pytest.mark.parametrize(
    ("page", "sessions"), [pytest.param(page, sessions, id=page) for page, sessions in shown()]
)
def test_commands_run(
    page: str, sessions: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They end with 0, with 3 where a search stops at its limit, which comes early here, or as the page says;
    those of a page share a folder.
    """
    (tmp_path / "instances").symlink_to(ROOT / "instances")
    monkeypatch.chdir(tmp_path)
    ran = set[str]()
    for command in (command for session in sessions for command in session if command not in LONG):
        # Without a file, the same command does the same.
        if command in ran and not re.search(r"\.[a-z]", command):
            continue
        ran.add(command)
        if command.startswith("cat >"):
            subprocess.run(command, shell=True, check=True)
            continue
        arguments, _, expected = command.partition("# exit status ")
        assert main(in_short(arguments)) in ((int(expected),) if expected else (0, 3)), (page, command)


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted(LONG))
def test_long_commands_run(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So do those that take long."""
    (tmp_path / "instances").symlink_to(ROOT / "instances")
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(command)) in (0, 3)


def test_long_commands_are_shown() -> None:
    """Each of them is on some page."""
    assert {command for _, sessions in shown() for session in sessions for command in session} >= LONG


def test_some_commands_are_found() -> None:
    """The test above is not empty."""
    pages = dict(shown())
    assert {
        "README.md",
        "systolic.md",
        "line.md",
        "linear-cost.md",
        "conjecture-31.md",
        "certificates.md",
    } <= set(pages)
    assert sum(len(session) for sessions in pages.values() for session in sessions) > 30
