"""Broadcast down one tree, a wave of chunks behind the other.

A tree of shortest ways from the source whose links are wide.

In S steps S - D + 1 waves pass down a tree of depth D.
"""

from __future__ import annotations

from schedsolve.modelkit.problem import Problem
from schedsolve.network.graph import Network

from ..claims.hops import hop_distances, neighbours
from ..rules.steps import StepSchedule
from .stepwise import Steps, fitting_chunks, routes_between, width


def tree_pipeline(problem: Problem) -> StepSchedule:
    """Return the schedule; as many chunks as pass in the steps, a round each, unless the number is given."""
    network, steps = problem.network, int(problem.parameters["steps"])
    (source,) = problem.sources
    parent, depth = _wide_tree(network, source)
    waves = steps - max(depth.values()) + 1
    wave = fitting_chunks(network, ((u, v) for v, u in parent.items()))
    chunks = problem.parameters.get("chunks") or waves * wave
    size, larger = divmod(chunks, waves)
    built, first = Steps(network), 0
    for number in range(waves):
        count = size + (number < larger)
        for v, u in parent.items():
            built.send(depth[v] + number, u, v, range(first, first + count))
        first += count
    return built.schedule(chunks, steps)


def _wide_tree(network: Network, source: int) -> tuple[dict[int, int], dict[int, int]]:
    """Return the parent of every other compute node in a wide tree, and the depths.

    The parent is a hop nearer to the source, over the widest route and with the fewest children.
    """
    depth, ways = hop_distances(neighbours(network), source), routes_between(network)
    parent: dict[int, int] = {}
    for v in sorted(depth, key=lambda v: (depth[v], v)):
        if v == source:
            continue
        nearer = [u for u in depth if depth[u] == depth[v] - 1 and (u, v) in ways]
        children = list(parent.values())
        parent[v] = min(nearer, key=lambda u: (-width(network, (u, v)), children.count(u), u))
    return parent, depth
