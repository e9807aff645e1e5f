"""docs/statements.md: every statement of the five papers, with a function and a test that exist, and commands
that run.
"""

from __future__ import annotations

import ast
import importlib
import re
import shlex
from pathlib import Path

import pytest

from schedsolve.commands.cli import main

ROOT = Path(__file__).parents[2]
VERDICTS = {"as printed", "corrected", "refuted", "open", "settled"}


def numbered(kind: str, *numbers: object) -> list[str]:
    """Statements of a kind by their numbers."""
    return [f"{kind} {number}" for number in numbers]


PAPERS = {
    "Hromkovic": [
        *numbered("Definition", 2.1, 2.2, 2.3, 3.3, 3.4, 4.5),
        *numbered("Lemma", 2.4, 2.5, 3.5, 3.6),
        *numbered("Theorem", 2.6, 3.1, 3.2, 4.2, 4.3, 4.4, 4.6, 4.7),
        *numbered("Claim", 1, 2, "2a", "2b"),
        "Corollary 3.7",
        "Proposition 4.1",
        "Figure 1",
        *numbered("Open problem", 1, 2),
        "Remark of open problem 2",
    ],
    "Cohen": [
        *numbered("Theorem", 1, 2),
        *numbered("Corollary", 1, 2),
        *numbered("Lemma", 1, 2, 3, 4, 5),
        *numbered("Algorithm", 1, 2),
        "Remark 1",
        "Open problem",
        "Section 4",
    ],
    "Beauquier": [
        *numbered("Definition", 1, 2, 16, 18),
        *numbered("Hypothesis", 3, 6, 7),
        *numbered("Property", 4, 19),
        *numbered("Remark", 5, 13, 14, 17, 24),
        *numbered("Proposition", 8, 10, 15, 20, 22, 25),
        *numbered("Lemma", 9, 11, 26, 27),
        *numbered("Corollary", 12, 23, 29, 30),
        *numbered("Theorem", 21, 28),
        "Conjecture 31",
        "Table of section 6",
        "Section 6",
    ],
    "Bilardi": [
        *numbered("Theorem", 1, 2, 3, 6),
        *numbered("Corollary", 4, 5),
        *numbered("Equation", "(1)", "(2)", "(3)", "(4)"),
        "Equations (5) to (8)",
        *numbered("Figure", 1, 2),
        *numbered("Algorithm", 1, 2),
        "Table 1",
        *numbered("Section", 3.3, 6),
    ],
    "Strumpen": [
        "Lemma 1",
        "Corollary 1",
        "Theorem 1",
        "Figures 1 and 2",
        *numbered("Equations", "(1) and (2)", "(4) and (5)", "(6) to (8)"),
        "Equation (3)",
        *numbered("Figure", 3, 4, 5, 6, 7),
        "Section 7",
        "Conjecture of section 7",
    ],
}
ROW = re.compile(
    r"^\| (.+?) \| (.+?) \| `(\S+)` \| `(\S+)::(\w+)` \| ([^|]+) \| [^|]* \| ([^|]+) \| ([^|]+) \|$",
    re.MULTILINE,
)


def listed(author: str) -> list[tuple[str, ...]]:
    """The rows of the table of a paper."""
    page = (ROOT / "docs" / "statements.md").read_text(encoding="utf-8")
    section = next(part for part in page.split("\n## ") if part.startswith(author))
    rows = [match.groups() for match in ROW.finditer(section)]
    assert len(rows) == section.count("\n| ") - 1, "a row that is not understood"
    return rows


@pytest.mark.parametrize("author", PAPERS)
def test_no_statement_is_missing(author: str) -> None:
    """Every numbered statement stands in its paper's table once, with a verdict."""
    rows = listed(author)
    assert sorted(row[0] for row in rows) == sorted(PAPERS[author])
    assert {row[5] for row in rows} <= VERDICTS


@pytest.mark.parametrize("author", PAPERS)
def test_functions_and_tests_of_the_statements_exist(author: str) -> None:
    """The function can be imported; the file has the test."""
    for _, _, function, file, test, *_ in listed(author):
        module, name = function.rsplit(".", 1)
        beside = "schedsolve." if module.startswith("drawing.") else "schedsolve.models."
        package = "" if module.startswith("studies.") else beside
        assert hasattr(importlib.import_module(package + module), name), function
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, test


def run(command: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines that it prints; it ends with 0, or with 3 where a row of an exploration is open."""
    assert main(shlex.split(command)) in ((0, 3) if command.startswith("explore ") else (0,)), command
    return capsys.readouterr().out.splitlines()


def says(lines: list[str], told: str) -> bool:
    """Whether a line has the words, between which any amount of space is the same, and ... is anything."""
    parts = [r"\s+".join(map(re.escape, part.split())) for part in told.split("...")]
    wanted = ".*".join(rf"(?<![\w/.]){part}(?![\w/])" for part in parts)
    return any(re.search(wanted, line) for line in lines)


@pytest.mark.usefixtures("short_constructions")
@pytest.mark.parametrize("author", PAPERS)
def test_commands_of_the_statements_say_so(
    author: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every row has commands, which run in a folder of their own, and say what stands behind them."""
    answers: dict[tuple[str, ...], list[str]] = {}
    for row in listed(author):
        commands, told = (re.findall("`([^`]+)`", cell) for cell in row[6:])
        assert commands, f"{row[0]} has no command"
        assert told, f"{row[0]}: nothing says what its commands say"
        session = tuple(commands)
        if session not in answers:
            folder = tmp_path / str(len(answers))
            folder.mkdir()
            monkeypatch.chdir(folder)
            (folder / "path.edges").write_text("0 1\n1 2\n2 3\n", encoding="utf-8")
            answers[session] = [line for command in session for line in run(command, capsys)]
        for words in told:
            assert says(answers[session], words), (row[0], words, answers[session])


def test_what_a_command_says() -> None:
    """Numbers are whole words."""
    lines = ["optimal: 6 rounds, proven", "  9   1/2  12/19   0  proven"]
    assert says(lines, "optimal: 6 rounds")
    assert says(lines, "9 ... 12/19 ... proven")
    assert not says(lines, "9 ... 2/19")
    assert not says(lines, "6 round")
    assert not says(lines, "1 ... 12/19")
