"""Who cannot reach whom is said of a network in which a task has no way, by every model and task."""

from __future__ import annotations

import re
from pathlib import Path

import networkx as nx
import pytest

from tests.command_line import Cli

ARCS, PARTS = ("a b", "b c"), ("a b", "c d")
TASKS = "broadcast --source c|accumulation --root a|multicast --source c --targets a|gossip"
OPEN = "telegraph broadcast --source min|telegraph accumulation --root max|telegraph gossip --period 4"
COLLECTIVES = (
    "allgather|alltoall|allreduce|broadcast --source c|scatter --source c|gather --root a|reduce --root a"
)
QUESTIONS = [
    *(f"{model} {task}" for model in ("telegraph", "line") for task in TASKS.split("|")),
    *(f"pipelined {task}" for task in COLLECTIVES.split("|")),
    *(f"synchronous {task} --steps 4" for task in COLLECTIVES.split("|")),
    *(*OPEN.split("|"), "telegraph broadcast --source c --period min"),
]
SAID = re.compile(r"node (\w)(?: or node \w)* cannot reach node (\w)|from node (\w) to (?:node )?(\w)")


@pytest.mark.parametrize("lines", [ARCS, PARTS], ids=["arcs", "parts"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_who_cannot_reach_whom(question: str, lines: tuple[str, ...], cli: Cli) -> None:
    """In one line, with status 2; a weakly connected network is not said to be disconnected."""
    Path("n.edges").write_text("\n".join(lines), encoding="utf-8")
    model, task, *rest = question.split()
    run = cli(" ".join(["solve", model, task, "n.edges", *rest, *["--directed"] * (lines == ARCS)]))
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
    if (model, task, lines) == ("line", "gossip", ARCS):
        assert "undirected network" in run.err
        return
    found = SAID.search(run.err)
    assert found, run.err
    graph = nx.parse_edgelist(lines, create_using=nx.DiGraph if lines == ARCS else nx.Graph)
    assert not nx.has_path(graph, *filter(None, found.groups())), run.err
    assert lines == PARTS or "disconnected" not in run.err
