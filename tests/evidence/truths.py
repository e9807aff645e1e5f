"""Small problems of all kinds and their least values: whatever evidence is put beside them, a bound above the
value, or a schedule below it, is false.

Besides these, the problems of the catalogue. `python -m tests.evidence` solves them and writes the values
down; a test solves them again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Value, value_from_json
from schedsolve.models import build_problem, model_of, read_problem
from schedsolve.network.graph import Network
from tests.evidence.catalogue import Entry, entries
from tests.evidence.recipes import MATCHING
from tests.soak.saved_results import posed

FILE = Path(__file__).parents[1] / "data/truths.json"

ROUNDS = """
gossip path:2
gossip path:3
gossip cycle:3
gossip cycle:8
gossip star:4
gossip grid:2x3
gossip complete:4
gossip complete:6
gossip complete:7
gossip tree:2,2
broadcast star:5 --source 0
broadcast path:5 --source 2
broadcast grid:3x3 --source 4
broadcast debruijn:3 --source 1
broadcast cycle:6 --source min
broadcast grid:2x3 --source max
accumulation debruijn:3 --root 1
accumulation star:5 --root 1
multicast grid:2x3 --source 0,1 --targets 4,5
multicast tree:2,2 --source 3 --targets 4,6
broadcast tree:3,2 --source 0
broadcast tree:2,2 --source min
""".strip().splitlines()
"""Of the matching models, both modes; with a period of 5, where that is enough, too."""
PERIODS = """
gossip path:6 --period 5
gossip path:8 --period 4
gossip path:7 --period 6
gossip path:5 --period 8
gossip star:4 --period 7
gossip cycle:5 --period 4 --edge-colouring
gossip tree:3,1 --period 6
broadcast path:6 --source 0 --period 2
broadcast cycle:6 --source min --period 2
multicast star:5 --source 1 --targets 2,3 --period 3
accumulation grid:2x3 --root 0 --period 2
gossip tree:2,2 --period 7
gossip grid:2x3 --period 6 --edge-colouring
""".strip().splitlines()
OTHERS = """
telegraph gossip debruijn:2
telegraph gossip kautz:2,1
line broadcast star:5 --source 1
line broadcast path:8 --source 3
line broadcast cycle:7 --source min
line broadcast grid:2x3 --source max
line broadcast debruijn:3 --source 0
line broadcast star:6 --source 1 --ports 2
line accumulation debruijn:3 --root 1
line multicast path:6 --source 2 --targets 0,5
line multicast grid:2x3 --source 0,1 --targets 3,4,5
line gossip path:3
line gossip path:5
line gossip star:5
line gossip complete:4
line gossip cycle:3 --ports 1
line gossip cycle:7
line gossip grid:2x3
line gossip complete:5 --ports 2
line broadcast tree:2,2 --source 1
line gossip debruijn:2
linear-cost broadcast complete:2 --extra-rounds 1
linear-cost broadcast complete:4
linear-cost broadcast complete:4 --extra-rounds 2
linear-cost broadcast complete:3 --extra-rounds 2
linear-cost broadcast complete:5 --extra-rounds 1
linear-cost broadcast complete:4 --ports 3 --extra-rounds 1
linear-cost broadcast complete:8 --extra-rounds 1
linear-cost broadcast cycle:4 --extra-rounds 1
linear-cost broadcast cycle:5
linear-cost broadcast star:4 --ports 2 --extra-rounds 1
linear-cost broadcast path:4 --extra-rounds 2
linear-cost broadcast hypercube:3
linear-cost broadcast complete:4 --ports 3 --extra-rounds 1 --weak-ports
linear-cost broadcast complete:4 --alpha 1 --tau 4
linear-cost broadcast path:3 --alpha 2 --tau 1
linear-cost broadcast cycle:4 --alpha 1 --tau 4
linear-cost broadcast complete:2 --alpha 1 --tau 1 --length 3
fat-tree broadcast fat-tree:4 --source 2
fat-tree broadcast fat-tree:4 --capacity linear
fat-tree broadcast fat-tree:8 --capacity sqrt
fat-tree broadcast fat-tree:8 --timing rounds --capacity linear
fat-tree broadcast fat-tree:2 --timing rounds
fat-tree product fat-tree:4 --timing rounds
fat-tree product fat-tree:8
fat-tree prefix fat-tree:4 --capacity linear
fat-tree prefix fat-tree:4 --timing rounds --capacity linear
fat-tree prefix fat-tree:2
fat-tree prefix fat-tree:2 --timing rounds
routing deliver fat-tree:2 --pattern shift:1
routing deliver fat-tree:8 --pattern random:5
routing deliver fat-tree:8 --pattern bit-reversal
routing deliver fat-tree:8 --pattern shift:3
synchronous broadcast path:3 --steps 3 --chunks 2 --source 0
synchronous allgather cycle:4 --steps 2 --chunks 2
synchronous alltoall cycle:4 --steps 2
synchronous allreduce cycle:4 --steps 4 --chunks 1
synchronous allreduce cycle:4 --steps 2
synchronous reduce path:3 --steps 2 --chunks 1 --root 0 --ordered
synchronous reduce path:3 --steps 2 --chunks 2 --root 0
synchronous reduce path:4 --steps 3 --chunks 2 --root 1 --ordered
synchronous broadcast leaf-spine:2,2,1 --steps 2 --source 0
synchronous alltoall path:3 --steps 2 --chunks 1
synchronous scatter path:3 --steps 2 --source 0
synchronous gather star:4 --steps 2 --root 1
synchronous allgather complete:3 --steps 1
synchronous reduce leaf-spine:2,2,1 --steps 2 --root 0 --chunks 1
synchronous broadcast leaf-spine:1,4,1 --steps 1 --source 0
synchronous reduce leaf-spine:1,4,1 --steps 1 --root 1 --chunks 2
pipelined allgather path:3
pipelined alltoall cycle:4
pipelined broadcast complete:3 --source 0
pipelined allreduce cycle:4
pipelined allreduce leaf-spine:2,2,1
pipelined reduce path:3 --root 0
pipelined reduce-scatter cycle:4
pipelined scatter grid:2x3 --source 0
pipelined gather path:3 --root 1
pipelined allreduce path:3 --ordered
pipelined broadcast leaf-spine:2,2,1 --source 0
pipelined allgather dgx1
pipelined broadcast debruijn:2 --source 1
pipelined allgather grid:2x3 --ranks 0,2,5
pipelined allreduce star:4 --ranks 1,2,3
pipelined reduce star:4 --root 1 --ranks 1,2,3
pipelined alltoall cycle:5 --ranks 0,2
pipelined allgatherv path:3 --sizes 2,0,1
pipelined alltoallv path:3 --sizes 0,1,2;0,0,0;3,0,0
synchronous allgather star:4 --ranks 1,2,3 --steps 2 --chunks 1
synchronous allreduce star:4 --ranks 1,2,3 --steps 2 --chunks 1
synchronous reduce path:3 --ranks 0,2 --root 0 --steps 2 --chunks 1
synchronous alltoall cycle:4 --ranks 0,2 --steps 2
synchronous allgatherv path:3 --sizes 2,0,1 --steps 2
synchronous alltoallv path:3 --sizes 0,1,2;0,0,0;1,0,0 --steps 2 --chunks 1
""".strip().splitlines()

STAR = Network(4, ((0, 3), (3, 0), (1, 3), (3, 1), (2, 3), (3, 2)), True, switches=frozenset({3}))
"""Three nodes round a switch."""
UNEVEN = Network(3, ((0, 1), (1, 0), (1, 2), (2, 0)), True, bandwidths=(1, 2, Fraction(1, 2), 1))
HALVES = Network(3, ((0, 1), (1, 2), (0, 2)), False, bandwidths=(Fraction(1, 2), 3, 1))
MACHINES: tuple[tuple[str, str, Network, dict[str, Any]], ...] = tuple(
    (model, task, network, {**end, **counted})
    for network in (STAR, UNEVEN, HALVES)
    for task, end in (
        ("broadcast", {"source": 0}),
        ("reduce", {"root": 1}),
        ("allgather", {}),
        ("scatter", {"source": 0}),
        ("gather", {"root": 2}),
        ("alltoall", {}),
        ("allreduce", {}),
    )
    for model, counted in (
        ("pipelined", {}),
        ("synchronous", {"steps": 3, "chunks": 1}),
        ("synchronous", {"steps": 3}),
    )
)
"""Of the models with bandwidths and switches."""
BY_HAND: Mapping[str, Value] = {
    # The one tree to the root that keeps the order is that of its two links.
    "pipelined reduce cycle:3 --root 1 --ordered": 1,
}
"""The least values of problems that `solve` does not settle."""


def problems() -> Iterator[Problem]:
    """All of them, but for those of the catalogue."""
    for model in ("telegraph", "telephone"):
        yield from (posed(f"{model} {line}") for line in ROUNDS)
        yield from (posed(f"{model} {line} --period 5") for line in ROUNDS)
        yield from (posed(f"{model} {line}") for line in PERIODS)
    yield from map(posed, OTHERS)
    for model, task, network, options in MACHINES:
        # What the steps of this one take nobody has settled.
        if network is not HALVES or task != "allreduce" or model == "pipelined" or "chunks" in options:
            yield build_problem(model, task, network, options)


@cache
def truths() -> dict[str, list[tuple[Problem, Value]]]:
    """The problems and their least values, by the title of the record."""
    found: dict[str, list[tuple[Problem, Value]]] = {}
    for line, least in BY_HAND.items():
        found.setdefault(model_of(posed(line)).title, []).append((posed(line), least))
    written = json.loads(FILE.read_text(encoding="utf-8"))
    for data in [*(entry.data for entry in entries()), *written]:
        problem, value = read_problem(data["problem"]), value_from_json(data["value"])
        known = found.setdefault(model_of(problem).title, [])
        if value is not None and (problem, value) not in known:
            known.append((problem, value))
    return found


@cache
def proven() -> dict[str, list[tuple[Problem, Mapping[str, Any], Value]]]:
    """Problems, evidence and the bound that it has proven in results that were saved, by the title of the
    record: `check` is to find the same bound for ever.
    """
    found: dict[str, list[tuple[Problem, Mapping[str, Any], Value]]] = {}
    for data in json.loads(FILE.read_text(encoding="utf-8")):
        problem = read_problem(data["problem"])
        for evidence, said in data["proven"]:
            value = value_from_json(said)
            assert value is not None
            found.setdefault(model_of(problem).title, []).append((problem, evidence, value))
    return found


def transplants(entry: Entry) -> list[tuple[Problem, Value]]:
    """The problems beside which an entry's evidence is put; only a few of kinds that hold with a period as
    they hold without one.
    """
    found = truths()[entry.title]
    return found[::6] if entry.title.endswith("--period") and entry.name in MATCHING else found
