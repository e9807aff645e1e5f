"""Small problems of every model, and their certified results as saved files."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.solving.solve import solve

Data = Any

LINES = (
    "telephone gossip grid:3x3",
    "telephone gossip petersen",
    "telephone gossip complete:7",
    "telephone gossip path:3",
    "telephone gossip cycle:6 --rounds 2",
    "telephone gossip cycle:6 --rounds 4",
    "telephone broadcast ccc:3 --source 0",
    "telephone broadcast ccc:4 --source 0",
    "telephone broadcast grid:3x3 --source max",
    "telephone broadcast grid:3x3 --source min",
    "telephone accumulation tree:3,2 --root 1",
    "telephone multicast grid:3x3 --source 0 --targets 5,8",
    "telegraph gossip complete:5",
    "telegraph gossip cycle:8",
    "telegraph gossip path:5",
    "telegraph gossip path:2",
    "telegraph gossip petersen --rounds 4",
    "telegraph broadcast cycle:7 --source 2",
    "telegraph accumulation path:4 --root min",
    "telegraph gossip path:5 --period 1",
    "telegraph gossip star:5 --period 1",
    "telegraph gossip path:8 --period 4",
    "telegraph gossip path:9 --period 3",
    "telegraph gossip path:7 --period 4 --edge-colouring",
    "telegraph gossip tree:2,2 --period 5",
    "telephone gossip cycle:5 --period 3",
    "telephone gossip star:5 --period 3",
    "telephone gossip tree:2,2 --period min",
    "telephone broadcast grid:3x3 --period 2",
    "telephone multicast grid:2x3 --period 2 --source 0 --targets 5",
    "telephone accumulation path:5 --period 2 --root 0",
    "line broadcast tree:2,3 --source 0",
    "line broadcast cycle:10 --source min",
    "line broadcast cycle:10 --rounds 2",
    "line broadcast grid:3x3 --source max",
    "line accumulation random-tree:12,1 --root 5",
    "line multicast grid:3x3 --source 0 --targets 2,6,8",
    "line gossip path:6",
    "line gossip cycle:6 --ports 1",
    "line gossip circulant:15,1,2",
    "line gossip path:3 --ports 1",
    "linear-cost broadcast complete:4 --extra-rounds 1",
    "linear-cost broadcast complete:8 --extra-rounds 2",
    "linear-cost broadcast complete:9 --ports 2 --extra-rounds 1",
    "linear-cost broadcast complete:12 --extra-rounds 1",
    "linear-cost broadcast cycle:5 --extra-rounds 1",
    "linear-cost broadcast complete:8 --alpha 1 --tau 3",
    "linear-cost broadcast hypercube:3 --extra-rounds 1",
    "pipelined allgather hypercube:3",
    "fat-tree broadcast fat-tree:8",
    "fat-tree broadcast fat-tree:2",
    "fat-tree broadcast fat-tree:16 --capacity linear",
    "fat-tree broadcast fat-tree:16 --capacity linear --timing rounds --source 9",
    "fat-tree broadcast fat-tree:8 --timing rounds",
    "fat-tree product fat-tree:8 --capacity sqrt",
    "fat-tree prefix fat-tree:4",
    "fat-tree prefix fat-tree:4 --timing rounds --capacity linear",
    "routing deliver fat-tree:8 --pattern random:4",
    "routing deliver fat-tree:16 --pattern transpose",
    "routing deliver fat-tree:8 --pattern bit-reversal",
    "pipelined allgather dgx1",
    "pipelined broadcast leaf-spine:2,2,1 --source 0",
    "pipelined alltoall cycle:5",
    "pipelined scatter grid:2x3 --source 0",
    "pipelined gather path:3 --root 1",
    "synchronous broadcast path:3 --steps 2 --chunks 1",
    "synchronous allgather dgx1 --steps 2",
    "synchronous alltoall leaf-spine:2,2,1 --steps 1",
    "synchronous broadcast hypercube:3 --steps 4 --chunks 7 --rounds 5",
    "synchronous broadcast path:4 --steps 3 --chunks 2 --rounds 5",
    "synchronous allgather cycle:5 --steps 1",
    "synchronous allreduce cycle:5 --steps 2",
    "synchronous allreduce cycle:4 --steps 2",
    "synchronous allreduce path:3 --steps 2 --chunks 2",
    "pipelined allreduce path:4",
    "linear-cost broadcast cycle:7 --extra-rounds 1",
    "telegraph gossip tree:2,3 --period 6",
)


def posed(line: str) -> Problem:
    """The problem that stands on a line: model, task, network, options."""
    model, task, network, *rest = line.split()
    options: dict[str, Any] = {}
    while rest:
        name = rest.pop(0).removeprefix("--").replace("-", "_")
        options[name] = rest.pop(0) if rest and not rest[0].startswith("--") else True
    return build_problem(model, task, Network.from_spec(network), options)


@cache
def _saved(line: str) -> str:
    options = Options(certify=True, time_limit=10)
    return json.dumps(result_to_json(solve(posed(line), options)))


def saved(line: str) -> Data:
    """The certified result of the problem on a line, as it is read from its file."""
    return json.loads(_saved(line))
