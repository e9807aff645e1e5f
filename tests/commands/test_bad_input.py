"""Every kind of bad input gets one line and exit status 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import Cli, refused
from tests.needs import needs


@pytest.mark.parametrize("command", ["compare", "construct"])
def test_deciding_is_for_solve(cli: Cli, command: str) -> None:
    """Algorithms decide no numbers of rounds, and say so."""
    assert "unknown arguments: --rounds" in refused(cli(f"{command} telegraph gossip knodel:3,8 --rounds 8"))


FILES = {
    "parts.edges": "a b\nc d",
    "loop.edges": "a b\nb b",
    "none.edges": "# nothing",
    "words.edges": "a b c",
    "arcs.edges": "a b\nb a",
}


FILES |= {
    "lies.mbt": "2 1 1\n1 2\n9",
    "bad.col": "p edge 2 1\ne 1 3",
    "list.json": "[]",
    "bad.graphml": "<graphml",
    "x.g6": "\x01",
}


REFUSED = {
    "disconnected": "gossip parts.edges | broadcast parts.edges --source a",
    "directed": "gossip arcs.edges --directed | gossip path:3 --directed",
    "self-loop": "gossip loop.edges",
    "empty": "gossip none.edges",
    ".edges: line 1": "gossip words.edges",
    "outside the nodes": "gossip lies.mbt | gossip bad.col",
    "network": "gossip list.json | gossip sphere:3 | gossip cycle3",
    "GraphML": "gossip bad.graphml",
    "graph6": "gossip x.g6 | gossip graph6:",
    "No such file": "gossip missing.edges",
    "at least": "gossip path:0 | gossip path:-3 | gossip cycle:2 | gossip torus:2x5",
    "it takes N": "gossip path | gossip cycle:3,4",
    "not an integer": "gossip path:x | gossip path:1.5 | gossip 'path:3\n'",
    "too large": "gossip complete:99999 | gossip path:99999999999",
    "its nodes are 0..2": (
        "broadcast path:3 --source 3 | broadcast path:3 --source -1 | multicast path:3 --targets 5"
    ),
    "is not a node": "broadcast path:3 --source '' | broadcast path:3 --source '0\n1'",
    "twice": "broadcast path:3 --source 0,0",
    "takes one node": "accumulation path:3 --root 0,1",
    "a multicast needs": "multicast path:3 | multicast path:3 --targets 1 --source min",
    "means nothing": "gossip path:3 --source 0 | broadcast path:3 --root 0 | accumulation path:3 --targets 1",
    " or more": (
        "gossip path:3 --workers 0 | gossip path:3 --workers -1 | gossip path:3 --rounds 1.5 | gossip path:3"
        " --seed x"
    ),
    "than any schedule": f"gossip path:3 --rounds 9999999999 | gossip path:3 --rounds {'9' * 5000}",
    "above 0": (
        "gossip path:3 --time-limit -1 | gossip path:3 --time-limit soon | gossip path:3 --time-limit nan"
    ),
    "cpsat, pulp": "gossip path:3 --backend abacus | gossip path:3 --backend 'a\nb'",
    "cannot write": (
        "gossip path:3 --output missing/x.json | gossip path:3 --output . | gossip path:3 --output ''"
    ),
    "arguments": "gossip path:3 --colour red | gossip",
    "one argument too many": "gossip path:3 cycle:4",
    "its tasks are": "gosip path:3 | 'gossip\n' path:3",
}


REFUSED_COMMANDS = {
    "COMMAND": " ",
    "unknown command 'sovle'": "sovle telephone gossip path:3",
    "telegraph, telephone": "solve semaphore gossip path:3",
    "algorithm": (
        "construct telephone gossip path:3 --algorithm magic | construct telephone broadcast path:3"
        " --source max"
    ),
    "knodel": (
        "construct telephone gossip path:3 --algorithm knodel | construct telephone broadcast path:3"
        " --algorithm knodel"
    ),
    "unknown network": "compare telephone gossip path:3 sphere:1",
    "FILE": "check",
    "cannot be read": "check missing.json | check .",
}


LINES = [(f"solve telephone {line}", word) for word, lines in REFUSED.items() for line in lines.split(" | ")]


LINES += [(line, word) for word, lines in REFUSED_COMMANDS.items() for line in lines.split(" | ")]


@pytest.mark.parametrize(("line", "word"), LINES, ids=[line[:60] for line, _ in LINES])
def test_bad_input(cli: Cli, line: str, word: str) -> None:
    """Whatever cannot be used gets one line on standard error that names the trouble, nothing on standard
    output, and exit status 2.
    """
    for name, text in FILES.items():
        Path(name).write_text(text)
    assert word in refused(cli(line))


LONG = "x" * 5000


@pytest.mark.parametrize(
    "line",
    [
        f"solve {LONG} gossip cycle:5",
        f"solve telephone {LONG} cycle:5",
        f"solve telephone gossip {LONG}",
        f"solve telephone gossip cycle:{LONG}",
        f"solve telephone gossip {LONG}.edges",
        f"solve telephone broadcast cycle:5 --source {LONG}",
        f"solve telephone broadcast cycle:5 --source '{'a b ' * 900}'",
        f"solve telephone gossip cycle:5 --backend {LONG}",
        f"solve telephone gossip cycle:5 --time-limit {LONG}",
        f"solve telephone gossip cycle:5 --output {LONG}",
        f"construct telephone gossip cycle:5 --algorithm {LONG}",
        f"check {LONG}",
        f"{LONG}",
        f"solve telephone gossip cycle:5 --{LONG}",
    ],
)
def test_errors_echo_little(cli: Cli, line: str) -> None:
    """An error shows at most 80 characters of what was given."""
    seen = cli(line)
    assert (seen.status, seen.out) == (2, "")
    assert len(seen.err) < 700
    assert "x" * 85 not in seen.err
    assert "a b " * 21 not in seen.err


@needs("drawing")
@pytest.mark.parametrize("ending", ["svg", "html"])
def test_draw_names_the_file_that_it_cannot_read(cli: Cli, ending: str) -> None:
    assert "MISSING.json: cannot be read" in refused(cli(f"draw MISSING.json -o x.{ending}"))
