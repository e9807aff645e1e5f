"""Allgather round rings: every node passes on what it got last to its successor.

The chunks of a node go round rings that visit every compute node once, which together use a link no more than
its bandwidth: N - 1 steps of one round, and as many chunks as there are rings. Where fewer steps are given,
half of them at least, every chunk goes half way round in both directions.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import cycle, islice, pairwise

from schedsolve.network.graph import Network
from schedsolve.network.rings import rings_over

from ..rules.steps import StepSchedule
from .stepwise import Steps, routes_between


@lru_cache(maxsize=8)
def rings(network: Network) -> list[tuple[int, ...]]:
    """Rings through all compute nodes, over all routes through switches, as `rings_over` finds them."""
    ways = {pair: [route.links for route in found] for pair, found in routes_between(network).items()}
    return [ring.nodes for ring in rings_over(network, ways) for _ in range(ring.times)]


def least_ring_steps(network: Network) -> int | None:
    """Return the fewest steps in which a ring can do it.

    Half way in both directions where it has them; None without a ring.
    """
    found, n = rings(network), len(network.compute_nodes)
    if not found:
        return None
    return n // 2 if _turns_round(network, found[0]) else n - 1


def _turns_round(network: Network, ring: tuple[int, ...]) -> bool:
    ways = routes_between(network)
    return all(pair[::-1] in ways for pair in pairwise((*ring, ring[0])))


def ring_allgather(network: Network, chunks: int | None, steps: int) -> StepSchedule:
    """Return the schedule in so many steps, `least_ring_steps` or more.

    A chunk for every ring unless the number is given.
    """
    nodes = network.compute_nodes
    n, place = len(nodes), {v: i for i, v in enumerate(nodes)}
    found, built = rings(network), Steps(network)
    if steps < n - 1:
        found = [ring for ring in found if _turns_round(network, ring)]
    count = chunks or len(found)
    for j, ring in enumerate(islice(cycle(found), count)):
        ahead, back = (n - 1, 0) if steps >= n - 1 else (n // 2, n - 1 - n // 2)
        for at, origin in enumerate(ring):
            chunk = place[origin] * count + j
            for step in range(1, ahead + 1):
                built.send(step, ring[(at + step - 1) % n], ring[(at + step) % n], [chunk])
            for step in range(1, back + 1):
                built.send(step, ring[(at - step + 1) % n], ring[(at - step) % n], [chunk])
    return built.schedule(count, steps)
