"""The flow programme for any call graphs: which costs of the rounds let a flow of 1 through to every node,
each for itself.

As `coordinate_flow`, but without symmetry, so for up to about 32 nodes. The nodes after every round form a
network; memory is free, and the arcs of round t carry its cost each. The least sum of costs is a lower bound
for broadcasts with these call graphs.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import inf
from typing import Any

from schedsolve.backends.max_flow import minimum_cut

from ..constructions.protocol import with_digit
from .cuts import UNLIMITED, FlowOptimum, least_costs

CallGraph = Collection[tuple[int, int]]
"""The arcs (sender, receiver) of a round, on the nodes 0..N-1."""


def coordinate_call_graphs(
    ports: int, dimension: int, order: Sequence[int]
) -> list[frozenset[tuple[int, int]]]:
    """The call graphs on Z_(k+1)^T that use all arcs of coordinate order[t-1], 1..T, in round t."""
    radix = ports + 1
    graphs = []
    for c in order:
        moved = (
            (u, with_digit(u, c, value, radix)) for u in range(radix**dimension) for value in range(radix)
        )
        graphs.append(frozenset((u, v) for u, v in moved if u != v))
    return graphs


def coordinate_symmetries(ports: int, dimension: int) -> Iterator[tuple[int, ...]]:
    """The permutations of the nodes of Z_(k+1)^T that permute the values other than 0 of every coordinate;
    (k!)^T in all.
    """
    radix = ports + 1
    for choice in product(permutations(range(1, radix)), repeat=dimension):
        image = [0]
        for i, values in enumerate(choice):
            image = [x + value * radix**i for value in (0, *values) for x in image]
        yield tuple(image)


def flow_costs(node_count: int, call_graphs: Sequence[CallGraph], seconds: float = inf) -> FlowOptimum | None:
    """The least costs of the rounds for which a flow of 1 exists to every node; a lower bound for broadcasts
    with these call graphs.

    - Every cut over time between the source at the start and a node at the end carries at least 1, round t's
      arcs carrying its cost each.
    - Minimise the sum of the costs.

    The cuts are rows, found one after the other by maximum flows. Gives the optimum in fractions; None when
    some node cannot be reached, or when the optimum is not found in about so many seconds. Raises ValueError
    for an arc of other nodes than 0..N-1.
    """
    if any(not 0 <= v < node_count for graph in call_graphs for arc in graph for v in arc):
        raise ValueError(f"the nodes of the call graphs are numbered from 0 to {node_count - 1}")
    network = TimeExpansion(node_count, call_graphs)
    return least_costs(
        len(call_graphs), [_Node(network, node) for node in range(1, node_count)], time.monotonic() + seconds
    )


@dataclass(frozen=True)
class _Node:
    """A node at the end, as a target."""

    network: TimeExpansion
    node: int

    def cut(self, capacities: Sequence[int]) -> tuple[int, tuple[int, ...]]:
        return self.network.cut(capacities, self.node)


class TimeExpansion:
    """The nodes after every round, as a network with capacities; node v after round t has the number t N +
    v.
    """

    def __init__(self, node_count: int, call_graphs: Sequence[CallGraph]) -> None:
        import numpy as np

        self.node_count = node_count
        self.rounds = len(call_graphs)
        memory = [
            (t * self.node_count + v, (t + 1) * self.node_count + v, 0)
            for t in range(self.rounds)
            for v in range(self.node_count)
        ]
        calls = [
            (t * self.node_count + u, (t + 1) * self.node_count + v, t + 1)
            for t, g in enumerate(call_graphs)
            for u, v in sorted(g)
        ]
        self.arcs: Any = np.array(memory + calls, dtype=np.int64).reshape(-1, 3)

    def cut(self, capacities: Sequence[int], node: int) -> tuple[int, tuple[int, ...]]:
        """The maximum flow to the node with these capacities of the rounds' arcs, and a minimum cut's number
        of arcs by round.
        """
        import numpy as np

        tails, heads, rounds = self.arcs.T
        weights = np.array([UNLIMITED, *capacities], dtype=np.int64)[rounds]
        flow, near = minimum_cut(tails, heads, weights, 0, self.rounds * self.node_count + node)
        side = np.zeros((self.rounds + 1) * self.node_count, dtype=bool)
        side[list(near)] = True
        counts = np.bincount(rounds[side[tails] & ~side[heads] & (rounds > 0)], minlength=self.rounds + 1)
        return flow, tuple(int(x) for x in counts[1:])
