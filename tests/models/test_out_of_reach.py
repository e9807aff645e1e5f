"""Who cannot reach whom is said of a network in which a task has no way, by every model and task."""

from __future__ import annotations

import re
from pathlib import Path

import networkx as nx
import pytest

from tests.command_line import Cli

ARCS, PARTS = "a b\nb c\n", "a b\nc d\n"
STEPS, LINEAR = "--steps 4", "--extra-rounds 1"
QUESTIONS = [
    *(f"{m} {t}" for m in ("telegraph", "line") for t in ("broadcast --source c", "accumulation --root a")),
    *(f"{m} multicast --source c --targets a" for m in ("telegraph", "line")),
    *(f"telegraph {t}" for t in ("gossip", "broadcast --source min", "accumulation --root max")),
    *("telegraph gossip --period 4", "telegraph broadcast --period min --source c", "telephone gossip"),
    *("line gossip", "line broadcast --source c --ports 1", f"linear-cost broadcast {LINEAR}"),
    *("linear-cost broadcast --alpha 1 --tau 1", "pipelined allgatherv --sizes 1,1,1"),
    *(
        f"{model} {task} {steps}"
        for model, steps in (("pipelined", ""), ("synchronous", STEPS))
        for task in (
            *("allgather", "alltoall", "allreduce", "reduce-scatter", "broadcast --source c"),
            *("scatter --source c", "gather --root a", "reduce --root a"),
        )
    ),
]
SAID = re.compile(r"node (\w)(?: or node \w)* cannot reach node (\w)|from node (\w) to (?:node )?(\w)")
TWO_WAY = "undirected network"
"""What models say of arcs that have no use for them."""


@pytest.mark.parametrize("arcs", [True, False])
@pytest.mark.parametrize("question", QUESTIONS)
def test_who_cannot_reach_whom(question: str, arcs: bool, cli: Cli) -> None:
    """In one line, with status 2; a weakly connected network is not said to be disconnected."""
    if not arcs and "--sizes" in question:
        question = question.replace("1,1,1", "1,1,1,1")
    Path("n.edges").write_text(ARCS if arcs else PARTS, encoding="utf-8")
    model, task, *rest = question.split()
    run = cli(" ".join(["solve", model, task, "n.edges", *rest, *["--directed"] * arcs]))
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
    if arcs and TWO_WAY in run.err:
        assert model in ("telephone", "line", "linear-cost")
        return
    graph = nx.DiGraph([("a", "b"), ("b", "c")]) if arcs else nx.Graph([("a", "b"), ("c", "d")])
    found = SAID.search(run.err)
    assert found, run.err
    start, end = [name for name in found.groups() if name]
    assert not nx.has_path(graph, start, end), run.err
    assert not (arcs and "disconnected" in run.err), run.err
