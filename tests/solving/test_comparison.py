"""Comparisons of many problems: lists of problems in TOML files, and the tables as text, Markdown, CSV, HTML
and JSON.
"""

from __future__ import annotations

import csv
import json
import signal
import threading
from html.parser import HTMLParser
from pathlib import Path

import pytest

from schedsolve.commands.interrupts import one_interrupt
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.solving.comparison import compare, comparison_table, readable_table
from schedsolve.solving.problem_list import read_problem_list
from tests.command_line import Cli

INSTANCES = Path(__file__).parents[2] / "instances"
LIST = """
time_limit = 5
[[problem]]
title = "Gossip | on <rings>"
model = "telephone"
task = "gossip"
networks = ["cycle:5", "cycle:6"]
[[problem]]
model = "linear-cost"
task = "broadcast"
network = "complete:8"
extra_rounds = 3
"""


@pytest.fixture
def listed(cli: Cli) -> Cli:
    """The command line in a folder that has the list."""
    Path("list.toml").write_text(LIST)
    return cli


def test_markdown(listed: Cli) -> None:
    """A heading and a table for each group, a wide one turned round; what would end a cell is escaped;
    fractions stand as such.
    """
    assert listed("compare list.toml --output t.md").status == 0
    lines = Path("t.md").read_text().splitlines()
    assert [line for line in lines if line.startswith("## ")] == [
        r"## Gossip \| on \<rings\>",
        "## linear-cost broadcast",
    ]
    ring = next(line for line in lines if line.startswith("| cycle:5 "))
    header = next(line for line in lines if line.startswith("| network "))
    cells = dict(zip(header.split(" | "), ring.split(" | "), strict=True))
    assert (cells["lower bound"], cells["cycle-matchings"], cells["optimum"], cells["gap"]) == (
        "4",
        "4",
        "4",
        "0",
    )
    assert "| network | complete:8 |" in lines
    assert "| optimum | 3/2 |" in lines


def test_csv(listed: Cli) -> None:
    """A line for every algorithm on every problem."""
    assert listed("compare list.toml --output t.csv").status == 0
    rows = list(csv.DictReader(Path("t.csv").read_text().splitlines()))
    assert {row["network"] for row in rows} == {"cycle:5", "cycle:6", "complete:8"}
    pipelined = next(row for row in rows if row["algorithm"] == "pipelined-trees")
    assert (pipelined["value"], pipelined["algorithm_value"], pipelined["status"]) == (
        "3/2",
        "3/2",
        "optimal",
    )


def test_html(listed: Cli) -> None:
    """A page with a table for each group, titles escaped, nothing from elsewhere."""
    assert listed("compare list.toml --output t.html").status == 0
    text = Path("t.html").read_text()
    tags: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            tags.append(tag)

    Reader().feed(text)
    assert (tags.count("table"), tags.count("script"), tags.count("rings")) == (2, 0, 0)
    assert "http" not in text


def test_json(listed: Cli) -> None:
    """One object with all rows, on standard output and in a file alike."""
    printed = json.loads(listed("compare list.toml --json --output t.json").out)
    saved = json.loads(Path("t.json").read_text())
    assert (
        [row["value"] for row in printed["rows"]] == [row["value"] for row in saved["rows"]] == [4, 3, "3/2"]
    )
    assert [row["title"] for row in saved["rows"]] == ["Gossip | on <rings>"] * 2 + ["linear-cost broadcast"]
    assert all(row["theorem_bound"] == row["lower_bound"] for row in saved["rows"])


@pytest.mark.usefixtures("short_constructions")
def test_open_problems_end_with_3(cli: Cli) -> None:
    """The time limit of the file holds, and one on the command line instead of it."""
    Path("hard.toml").write_text(
        'time_limit = 60\n[[problem]]\nmodel = "telegraph"\ntask = "gossip"\nnetwork ='
        ' "random-regular:3,30,1"\n'
    )
    seen = cli("compare hard.toml --time-limit 0.2")
    assert (seen.status, seen.err) == (3, "")
    assert ".." in seen.out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[problem]", "not a valid TOML file"),
        ("", "tables [[problem]]"),
        ("problem = 3", "tables [[problem]]"),
        ("colour = 1\n[[problem]]\nmodel='telephone'\ntask='gossip'\nnetwork='path:2'", "tables [[problem]]"),
        (
            "time_limit = 0\n[[problem]]\nmodel='telephone'\ntask='gossip'\nnetwork='path:2'",
            "time_limit is a number",
        ),
        ("[[problem]]\nmodel='telephone'\nnetwork='path:2'", "problem 1: it needs model"),
        ("[[problem]]\nmodel='telephone'\ntask='gossip'", "problem 1: it needs network"),
        (
            "[[problem]]\nmodel='telephone'\ntask='gossip'\nnetwork='path:2'\nnetworks=['path:3']",
            "problem 1: it needs network",
        ),
        ("[[problem]]\nmodel='pigeon'\ntask='gossip'\nnetwork='path:2'", "unknown model 'pigeon'"),
        ("[[problem]]\nmodel='telephone'\ntask='gossip'\nnetwork='cycle:2'", "cycle:2"),
        ("[[problem]]\nmodel='telephone'\ntask='gossip'\nnetwork='none.edges'", "none.edges"),
        ("[[problem]]\nmodel='telephone'\ntask='gossip'\nnetwork='path:2'\nports=1", "--ports means nothing"),
        ("[[problem]]\nmodel='telephone'\ntask='gossip'\nnetwork='path:2'\ntitle=3", "title a text"),
    ],
)
def test_bad_lists(cli: Cli, text: str, words: str) -> None:
    """One line that names the file and the problem, and exit status 2."""
    Path("bad.toml").write_text(text)
    seen = cli("compare bad.toml")
    assert (seen.status, seen.out, seen.err.count("\n")) == (2, "", 1)
    assert words in seen.err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("compare telephone", "compare takes MODEL TASK NETWORK"),
        ("compare telephone gossip", "compare takes MODEL TASK NETWORK"),
        ("compare none.toml", "cannot read none.toml"),
        ("compare list.toml gossip", "stand in the file"),
        ("compare list.toml --period 3", "stand in the file"),
        ("compare list.toml --output t.txt", "ends in .md, .csv, .html or .json"),
        ("compare list.toml --output nowhere/t.md", "there is no folder"),
    ],
)
def test_bad_commands(listed: Cli, line: str, words: str) -> None:
    """The same for a command line that does not fit."""
    seen = listed(line)
    assert (seen.status, seen.out, seen.err.count("\n")) == (2, "", 1)
    assert words in seen.err


def test_networks_are_found_beside_the_list(cli: Cli) -> None:
    """A network file is looked for in the folder of the list, not in the one that the command runs in."""
    Path("deep").mkdir()
    Path("deep/mine.edges").write_text("a b\nb c\n")
    Path("deep/list.toml").write_text(
        '[[problem]]\nmodel = "telephone"\ntask = "gossip"\nnetwork = "mine.edges"\n'
    )
    assert cli("compare deep/list.toml").status == 0


def test_the_shipped_list_has_every_model() -> None:
    """instances/comparison.toml can be posed, and compares all six models."""
    listed = read_problem_list(str(INSTANCES / "comparison.toml"))
    models = {problem.model for group in listed.groups for problem in group.problems}
    assert models == {"telegraph", "telephone", "line", "linear-cost", "fat-tree", "routing"}


def test_only_the_first_interrupt_counts() -> None:
    """It ends the work; a second one does not disturb what comes after; later Ctrl-C means what it did
    before.
    """
    before = signal.getsignal(signal.SIGINT)
    steps = []

    def work() -> None:
        with one_interrupt():
            try:
                signal.raise_signal(signal.SIGINT)
            finally:
                signal.raise_signal(signal.SIGINT)
                steps.append("closed")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert steps == ["closed"]
    assert signal.getsignal(signal.SIGINT) is before


def test_interrupts_are_left_alone_in_other_threads() -> None:
    """A thread may not set signal handlers, so nothing is done there."""
    ran = []

    def work() -> None:
        with one_interrupt():
            ran.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ran == [True]


def test_wide_tables_are_turned_round() -> None:
    """With more algorithms than networks there is a column for each network; narrow tables stay."""
    problems = [
        build_problem("fat-tree", "broadcast", Network.from_spec(spec), {})
        for spec in ("fat-tree:2", "fat-tree:4")
    ]
    compared = compare(problems, Options(time_limit=20))
    header, rows = readable_table(compared)
    assert header == ["network", "fat-tree:2", "fat-tree:4"]
    assert ["optimum", "2", "5"] in rows
    assert ["network", *(row[0] for row in rows)] == comparison_table(compared)[0]
    narrow = compare([build_problem("telephone", "broadcast", Network.from_spec("path:3"), {})])
    assert readable_table(narrow) == comparison_table(narrow)
