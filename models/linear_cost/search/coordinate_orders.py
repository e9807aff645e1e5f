"""A search for cheap protocols that is given no construction.

Orders of the coordinates, free costs of the rounds, then packets on arcs.

For an order of the coordinates the flow program (`constructions.flow_costs`) says what the rounds should
cost; it is a bound for this order, so only orders that promise something better are kept. A common
denominator of the costs gives the number of packets and how many of them fit into a message of each round,
and a SAT solver looks for a protocol with these numbers (`constructions.packing`).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import lcm

from ..constructions.flow_costs import CallGraph, FlowOptimum, coordinate_call_graphs, least_flow_costs
from ..constructions.packing import LARGEST_FORMULA, packed_on, packing_size
from ..constructions.protocol import Protocol
from ..rules import Shape

SLICE = 0.5
"""The part of the time left that one order may take for its flow program, and again for its packing."""


def orders(dimension: int, rounds: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Orders of the coordinates 1..T over the rounds.

    The cyclic one, then ever new ones in which chance moved or replaced some entries.

    Every order is renamed so that the coordinates appear first in the order 1, 2, ..; an order that leaves
    one out reaches too few nodes.
    """
    generator = random.Random(seed)
    cyclic = [t % dimension for t in range(rounds)]
    seen: set[tuple[int, ...]] = set()
    vain = 0
    order = cyclic
    while vain < 1000:
        names: dict[int, int] = {}
        renamed = tuple(names.setdefault(c, len(names) + 1) for c in order)
        if len(names) == dimension and renamed not in seen:
            seen.add(renamed)
            vain = 0
            yield renamed
        vain += 1
        order = list(cyclic)
        for _ in range(generator.choice((1, 1, 2, 3, rounds))):
            if generator.random() < 0.5:
                order[generator.randrange(rounds)] = generator.randrange(dimension)
            else:
                order.insert(generator.randrange(rounds), order.pop(generator.randrange(rounds)))


def search(
    shape: Shape,
    below: Fraction,
    seconds: float,
    seed: int = 0,
    progress: Callable[[str], None] = lambda _: None,
) -> Iterator[tuple[Protocol, FlowOptimum]]:
    """Protocols cheaper than `below`, each cheaper than the one before, and the flow optimum of its order.

    Parameters
    ----------
    shape
        With (k+1)^T nodes and T >= 1.
    below
        Only what is less than this counts.
    seconds
        In all.
    seed
        Of the random numbers.
    progress
        Told now and then what is being tried.
    """
    end = time.process_time() + seconds
    for number, order in enumerate(orders(shape.dimension, shape.rounds, seed), 1):
        left = end - time.process_time()
        if left <= 0:
            return
        progress(f"order {number}: costs of the rounds")
        optimum = least_flow_costs(shape.ports, shape.dimension, order, left if number == 1 else SLICE * left)
        if optimum is None or optimum.value >= below:
            continue
        progress(f"order {number}: packets of cost {optimum.value}")
        graphs = [
            tuple(sorted(graph)) for graph in coordinate_call_graphs(shape.ports, shape.dimension, order)
        ]
        protocol = _packets(shape, graphs, optimum, end)
        if protocol is not None and protocol.cost < below:
            below = protocol.cost
            yield protocol, optimum


def _packets(shape: Shape, graphs: Sequence[CallGraph], optimum: FlowOptimum, end: float) -> Protocol | None:
    """Return a protocol with just the optimum's costs, by SAT."""
    for count in packet_counts(graphs, optimum):
        capacities = [int(cost * count) for cost in optimum.costs]
        seconds = SLICE * max(0.0, end - time.process_time())
        protocol = packed_on(shape.nodes, graphs, capacities, count, shape.extra_rounds, seconds)
        if protocol is not None:
            return protocol
    return None


def packet_counts(graphs: Sequence[CallGraph], optimum: FlowOptimum) -> Iterator[int]:
    """Yield packet counts for which every message is a whole number of packets.

    They are the least one and its double, if these are not too many.
    """
    least = lcm(*(cost.denominator for cost in optimum.costs))
    for count in (least, 2 * least):
        if packing_size(graphs, count) <= LARGEST_FORMULA:
            yield count
