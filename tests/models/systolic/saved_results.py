"""Results of systolic problems as solve --output saves them, and what can be changed in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.command_line import Json

Mutation = Callable[[Json], object]


CASES = {
    "gossip": "telegraph gossip grid:2x3 --period 3",
    "path": "telephone gossip path:6 --period 3",
    "tree": "telegraph gossip tree:2,2 --period 6",
    "complete tree": "telephone gossip tree:3,2 --period 8",
    "collisions": "telegraph gossip path:9 --period 5",
    "colouring": "telephone gossip grid:2x3 --period 2 --edge-colouring",
    "broadcast": "telegraph broadcast grid:3x3 --period 2",
    "growth": "telegraph broadcast debruijn:4 --period 2",
    "best source": "telephone broadcast tree:2,2 --source min --period 3",
    "worst source": "telegraph broadcast grid:3x3 --source max --period 2",
    "accumulation": "telegraph accumulation grid:3x3 --root 4 --period 2",
    "multicast": "telephone multicast grid:3x3 --source 0,2 --targets 7,8 --period 2",
    "long period": "telephone gossip complete:5 --period 100",
    "infeasible": "telephone gossip star:5 --period 3",
    "infeasible path": "telegraph gossip path:5 --period 3",
    "infeasible, refuted": "telephone gossip petersen --period 1",
    "infeasible broadcast": "telephone broadcast tree:3,2 --period 3",
    "infeasible best": "telephone broadcast cycle:5 --source min --period 1",
    "infeasible worst": "telephone broadcast path:3 --source max --period 1",
    "below": "telegraph gossip path:7 --period 6 --rounds 9",
    "enough": "telegraph gossip path:7 --period 6 --rounds 10",
    "least period": "telephone gossip tree:2,2 --period min",
    "least period of a graph": "telegraph gossip grid:2x3 --period min",
    "least period, best root": "telegraph accumulation cycle:5 --root min --period min",
    "least period 1": "telephone gossip path:2 --period min",
    "no round": "telegraph gossip path:1 --period min",
}


def loaded(files: Path, name: str) -> Json:
    """A saved result."""
    return json.loads((files / f"{name}.json").read_text())


def change(path: str, value: Json) -> Mutation:
    """A mutation that sets the entry at a dotted path."""

    def apply(data: Json) -> None:
        *parents, last = path.split(".")
        for key in parents:
            data = data[int(key)] if isinstance(data, list) else data[key]
        data[last] = value

    return apply


def repeated_round(data: Json) -> None:
    """A call of the last round goes to the round before it."""
    rounds = data["schedule"]["rounds"]
    rounds[-2].append(rounds[-1].pop())
