"""The textbook's collectives, laid on routes between the compute nodes.

Their steps (`schedsolve.modelkit.rank_steps`) are those of the places 0..N-1 of the compute nodes; they fit
where nodes that exchange have a route between them.

- Rings visit every compute node once, and together use a link no more than its bandwidth: N - 1 steps of one
  round, and as many chunks as there are rings. Where fewer steps are given, half of them at least, every
  chunk goes half way round in both directions.
- Recursive doubling: chunk j takes the bits in turn from j on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.rank_steps import (
    RankSteps,
    at_once,
    backwards,
    bruck,
    bruck_alltoall,
    doubling,
    doublings,
    mirrored,
    placed,
    ring,
    tree_broadcast,
    tree_scatter,
)
from schedsolve.network.graph import Network
from schedsolve.network.rings import rings_over

from ..claims.hops import Pair
from ..rules.steps import StepSchedule
from .stepwise import Steps, fitting_chunks, routes_between


@lru_cache(maxsize=8)
def rings(network: Network) -> list[tuple[int, ...]]:
    """Rings through the places of all compute nodes, over all routes through switches."""
    ways = {pair: [route.links for route in found] for pair, found in routes_between(network).items()}
    place = {v: i for i, v in enumerate(network.compute_nodes)}
    found = rings_over(network, ways)
    return [tuple(place[v] for v in one.nodes) for one in found for _ in range(one.times)]


def least_ring_steps(network: Network) -> int | None:
    """Return the fewest steps in which a ring can do it.

    Half way in both directions where it has them; None without a ring.
    """
    found, n = rings(network), len(network.compute_nodes)
    if not found:
        return None
    return n // 2 if _turns_round(network, found[0]) else n - 1


def _turns_round(network: Network, order: Sequence[int]) -> bool:
    ways, nodes = routes_between(network), network.compute_nodes
    return all((nodes[v], nodes[u]) in ways for u, v in pairwise((*order, order[0])))


def ring_steps(problem: Problem) -> list[RankSteps]:
    """Return the steps of an allgather round every ring that can be gone round in the steps given."""
    network, n = problem.network, len(problem.network.compute_nodes)
    if problem.parameters["steps"] >= n - 1:
        return [placed(ring(n), order) for order in rings(network)]
    both = at_once(ring(n)[: n // 2], mirrored(n, ring(n))[: n - 1 - n // 2])
    return [placed(both, order) for order in rings(network) if _turns_round(network, order)]


def refuse_no_power(problem: Problem) -> str | None:
    """Why nothing is doubled; None when it can be."""
    n = len(problem.network.compute_nodes)
    return "it is for 2, 4, 8, ... compute nodes" if n & (n - 1) else None


def doubling_steps(problem: Problem) -> list[RankSteps]:
    """Return the steps of recursive doubling from every bit on."""
    n = len(problem.network.compute_nodes)
    return [doubling(n, first) for first in range(doublings(n))]


def bruck_steps(problem: Problem) -> list[RankSteps]:
    """Return the steps of Bruck's algorithm for an allgather or an alltoall."""
    return [(bruck if problem.task == "allgather" else bruck_alltoall)(len(problem.network.compute_nodes))]


def tree_steps(problem: Problem) -> list[RankSteps]:
    """Return the steps of a broadcast, scatter or gather along a binomial tree."""
    nodes = problem.network.compute_nodes
    n, start = len(nodes), nodes.index(problem.sources[0])
    order = [*range(start, n), *range(start)]
    if problem.task == "broadcast":
        return [placed(tree_broadcast(n), order, int)]
    steps = placed(tree_scatter(n), order)
    return [steps if problem.task == "scatter" else backwards(steps, adds=False)]


def _pairs(network: Network, steps: RankSteps) -> Iterator[Pair]:
    nodes = network.compute_nodes
    return ((nodes[u], nodes[v]) for step in steps for u, v, *_ in step)


def missing_pair(network: Network, steps: RankSteps) -> str | None:
    """Why an algorithm does not fit: the first pair without a route; None when all have one."""
    ways = routes_between(network)
    pair = next((pair for pair in _pairs(network, steps) if pair not in ways), None)
    if pair is None:
        return None
    return f"there is no route from {network.labels[pair[0]]} to {network.labels[pair[1]]} in one step"


def laid_out(problem: Problem, variants: Sequence[RankSteps], fitting: int | None = None) -> StepSchedule:
    """Return the schedule in which the chunks of a unit take the variants in turn.

    Parameters
    ----------
    problem, variants
        The problem, and the steps of each variant.
    fitting
        The chunks of each variant where the problem gives no number; as many as fit in a round unless given.
    """
    network, nodes = problem.network, problem.network.compute_nodes
    fitting = fitting or fitting_chunks(network, _pairs(network, variants[0]))
    chunks, built = problem.parameters.get("chunks") or len(variants) * fitting, Steps(network)
    for j in range(chunks):
        for at, step in enumerate(variants[j % len(variants)], 1):
            for u, v, units, _ in step:
                built.send(at, nodes[u], nodes[v], [x * chunks + j for x in units])
    return built.schedule(chunks, problem.parameters["steps"])
