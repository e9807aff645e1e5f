"""Problems on fat-trees, and the least times of their broadcasts."""

from __future__ import annotations

import random
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.models import build_problem
from schedsolve.network.graph import Network

CLOCK = {
    "const": [2, 5, 8, 12, 17],
    "log": [2, 5, 8, 12, 16],
    "sqrt": [2, 5, 8, 12, 17],
    "two-thirds": [2, 5, 8, 12, 17],
    "linear": [2, 5, 8, 12, 16],
    "two-to-root-log": [2, 5, 8, 12, 16],
    "loglog-root": [2, 5, 8, 12, 16],
}


ROUNDS = {
    "const": [2, 6, 12, 20, 30],
    "log": [2, 6, 12, 20, 28],
    "sqrt": [2, 6, 12, 20, 30],
    "two-thirds": [2, 6, 12, 20, 30],
    "linear": [2, 6, 12, 20, 26],
    "two-to-root-log": [2, 6, 12, 20, 28],
    "loglog-root": [2, 6, 12, 20, 28],
}


def posed(task: str, n: int, **options: Any) -> Problem:
    """A problem on the fat-tree of n processors."""
    return build_problem("fat-tree", task, Network.from_spec(f"fat-tree:{n}"), options)


def random_table(height: int, rng: random.Random) -> list[int]:
    """Capacities w(1), w(2), ..., each between the one before it and twice that."""
    table = [rng.choice([1, 1, 1, 2])]
    for _ in range(height):
        table.append(rng.randint(table[-1], 2 * table[-1]))
    return table
