"""The flow program: the least costs of rounds with given call graphs.

They let a flow of 1 through to every node, each for itself.

The nodes after every round form a network; memory is free, and the arcs of round t carry its cost each. A
broadcast sends a flow of 1 from the source at the start to every node at the end, so the least sum of costs
for which all these flows exist is a lower bound for broadcasts with these call graphs. A flow of 1 exists
when no cut is smaller (Ford and Fulkerson 1958). The variables are the costs; a cut is a row, "the arcs of
every round in it, times the round's cost, add up to 1 at least", and the rows are found one after the other.

Where round t uses all lines of coordinate order[t - 1] of Z_(k+1)^T, permuting the k values other than 0 of a
coordinate changes nothing. So only targets with coordinates 0 and 1 matter, and for each of them the nodes
fall into classes by whether a coordinate is 0, 1 or else (where the target's is 0: 0 or not): 3^T at most.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import inf, lcm
from typing import Any

from schedsolve.backends.lp import solve_lp
from schedsolve.backends.time_cuts import minimum_cuts_in_time
from schedsolve.modelkit.formulas.linear_program import LinearProgram

from .protocol import with_digit

CallGraph = Collection[tuple[int, int]]
"""The arcs (sender, receiver) of a round, on the nodes 0..N-1."""
Cut = tuple[int, ...]
"""The number of arcs of every round in a cut."""

UNIT = 10**7
"""The flow of 1 while costs are floats."""
ROWS_A_TURN = 10
LARGEST_DENOMINATOR = 10**4


@dataclass(frozen=True)
class FlowOptimum:
    """The exact optimum of the flow program.

    Attributes
    ----------
    costs
        Of the rounds.
    cuts
        The rows.
    multipliers
        Of the rows, those that are not 0; they add up to the value, and the weighted cuts to at most 1 in
        every round.
    """

    costs: tuple[Fraction, ...]
    cuts: tuple[Cut, ...]
    multipliers: dict[int, Fraction]

    @property
    def value(self) -> Fraction:
        """The sum of the costs."""
        return sum(self.costs, Fraction(0))


@dataclass(frozen=True)
class TimedNetwork:
    """Call graphs over time, node 0 being the source.

    Attributes
    ----------
    nodes
        How many.
    rounds
        How many.
    arcs
        An array of rows (round, sender, receiver).
    multiplicity
        An array that says of every arc for how many it stands.
    targets
        The nodes that a flow of 1 must reach.
    """

    nodes: int
    rounds: int
    arcs: Any
    multiplicity: Any
    targets: Sequence[int]

    @classmethod
    def of(cls, nodes: int, call_graphs: Sequence[CallGraph]) -> TimedNetwork:
        """Return the network of some call graphs, with all nodes but the source as targets."""
        import numpy as np

        arcs = [(t, u, v) for t, graph in enumerate(call_graphs, 1) for u, v in sorted(graph)]
        table = np.array(arcs, dtype=np.int64).reshape(-1, 3)
        return cls(nodes, len(call_graphs), table, np.ones(len(arcs), dtype=np.int64), range(1, nodes))

    def cuts(self, capacities: Sequence[int], targets: Iterable[int]) -> Iterator[tuple[int, Cut]]:
        """Yield for every target the maximum flow to it, and a minimum cut.

        The arcs of every round have the given capacities.
        """
        import numpy as np

        rounds, tails, heads = self.arcs.T
        amounts = self.multiplicity * np.array([0, *capacities], dtype=np.int64)[rounds]
        for flow, first in minimum_cuts_in_time(self.nodes, self.rounds, self.arcs, amounts, 0, targets):
            when = np.array(first)
            crossing = (when[tails] < rounds) & (rounds < when[heads])
            weights = self.multiplicity[crossing]
            counts = np.bincount(rounds[crossing], weights=weights, minlength=self.rounds + 1)
            yield flow, tuple(int(x) for x in counts[1:])


def coordinate_call_graphs(
    ports: int, dimension: int, order: Sequence[int]
) -> list[frozenset[tuple[int, int]]]:
    """Return the call graphs on Z_(k+1)^T that use all arcs of coordinate order[t-1], 1..T, in round t."""
    radix = ports + 1
    graphs = []
    for c in order:
        moved = (
            (u, with_digit(u, c, value, radix)) for u in range(radix**dimension) for value in range(radix)
        )
        graphs.append(frozenset((u, v) for u, v in moved if u != v))
    return graphs


def flow_costs(node_count: int, call_graphs: Sequence[CallGraph], seconds: float = inf) -> FlowOptimum | None:
    """Return the least costs of the rounds for which a flow of 1 exists to every node, in fractions.

    For up to about 32 nodes.

    None when some node cannot be reached, or when the optimum is not found in about so many seconds.

    Raises
    ------
    ValueError
        For an arc of other nodes than 0..N-1.
    """
    if any(not 0 <= v < node_count for graph in call_graphs for arc in graph for v in arc):
        raise ValueError(f"the nodes of the call graphs are numbered from 0 to {node_count - 1}")
    network = TimedNetwork.of(node_count, call_graphs)
    return _least_costs(len(call_graphs), [network], time.process_time() + seconds)


def least_flow_costs(ports: int, dimension: int, order: Sequence[int], seconds: float) -> FlowOptimum | None:
    """Return the same for call graphs that use all arcs of one coordinate, 1..T, a round.

    None when it is not found in about so many seconds, or is infinite.
    """
    patterns = [pattern for pattern in product((0, 1), repeat=dimension) if any(pattern)]
    patterns.sort(key=lambda pattern: -sum(pattern))
    networks = [_classes(ports, order, pattern) for pattern in patterns]
    return _least_costs(len(order), networks, time.process_time() + seconds)


def _classes(ports: int, order: Sequence[int], pattern: Sequence[int]) -> TimedNetwork:
    """Return the classes of the nodes for the target with these coordinates."""
    import numpy as np

    # For every coordinate the number of values in each class: 0; 1 and the others, or all others.
    values = [([1, 1, ports - 1] if ports > 1 else [1, 1]) if wanted else [1, ports] for wanted in pattern]
    sizes = np.ones(1, dtype=np.int64)
    for of_coordinate in reversed(values):
        sizes = np.outer(sizes, of_coordinate).ravel()
    every = np.arange(len(sizes), dtype=np.int64)
    steps = [1]
    for of_coordinate in values:
        steps.append(steps[-1] * len(of_coordinate))
    arcs, multiplicity = [], []
    for t, coordinate in enumerate(order, 1):
        of_coordinate, step = values[coordinate - 1], steps[coordinate - 1]
        own = every // step % len(of_coordinate)
        for value, size in enumerate(of_coordinate):
            # A class of several values has arcs within itself; they go from the class to the same class, as
            # memory does.
            others = own != value
            moved = every + (value - own) * step
            arcs.append(np.stack([np.full_like(every, t), every, moved], axis=1)[others])
            multiplicity.append((sizes * size)[others])
    target = sum(wanted * step for wanted, step in zip(pattern, steps, strict=False))
    empty = np.zeros((0, 3), dtype=np.int64)
    return TimedNetwork(
        len(sizes), len(order), np.concatenate([empty, *arcs]), np.concatenate([empty[:, 0], *multiplicity]),
        [target],
    )  # fmt: skip


def _least_costs(rounds: int, networks: Sequence[TimedNetwork], end: float) -> FlowOptimum | None:
    """Return the optimum for the targets of these networks, in fractions.

    None when it is infinite, or is not found until `end` of the processor's clock.
    """
    program = LinearProgram([1] * rounds, [1] * rounds)
    known: dict[Cut, None] = {}
    while time.process_time() < end:
        solution = solve_lp(program)
        if solution is None:
            return None
        costs = [Fraction(x).limit_denominator(LARGEST_DENOMINATOR) for x in solution.values]
        exact = sum(costs, Fraction(0)) == solution.bound
        unit = lcm(*(cost.denominator for cost in costs)) if exact else UNIT
        capacities = [
            round((cost if exact else Fraction(x)) * unit)
            for cost, x in zip(costs, solution.values, strict=True)
        ]
        small = _small_cuts(networks, capacities, unit if exact else unit * (1 - 1e-5), known, end)
        if small is None:
            return None
        fresh = [cut for cut in small if cut not in known]
        if not fresh:
            # A small cut that is a row already shows that the fractions are not those of the floats' optimum.
            return (
                FlowOptimum(tuple(costs), tuple(known), dict(solution.multipliers))
                if exact and not small
                else None
            )
        for cut in fresh:
            known[cut] = None
            program.add(dict(enumerate(cut)), ">=", 1)
    return None


def _small_cuts(
    networks: Sequence[TimedNetwork],
    capacities: Sequence[int],
    least: float,
    known: dict[Cut, None],
    end: float,
) -> list[Cut] | None:
    """Distinct cuts with less than the least flow, up to ROWS_A_TURN that are not known.

    None when the time is up.
    """
    small: dict[Cut, None] = {}
    for network in networks:
        for flow, cut in network.cuts(capacities, network.targets):
            if time.process_time() > end:
                return None
            if flow < least:
                small[cut] = None
            if len(small.keys() - known.keys()) >= ROWS_A_TURN:
                return list(small)
    return list(small)
