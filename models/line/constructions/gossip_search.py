"""Heuristics for gossip in any network: through a centre, and by greedy exchanges along free paths."""

from __future__ import annotations

import random
import time
from contextlib import suppress
from itertools import pairwise

from schedsolve.modelkit.search import Effort
from schedsolve.modelkit.task import gossip_demand
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

from .flow_search import flow_broadcast
from .spanning_trees import one_port_tree_broadcast, tree_based_broadcast
from .tree_broadcast import LineCall, Rounds, through_centre

NOISES = (0.1, 0.5, 1.0)
"""The strength of randomness in the choice of calls, relative to what a call brings."""
CENTRE_SHARE = 0.3
"""The fraction of the time for broadcasts from a centre."""


def line_gossip(network: Network, ports: int | None, effort: Effort) -> Rounds:
    """Return a gossip whose calls are two-way, in an undirected network.

    Parameters
    ----------
    network
        A connected undirected network.
    ports
        The most calls of a round in which a node may take part; None for any number.
    effort
        The seed 0 makes the first attempt deterministic in its choices; a gossip through a spanning
        tree is built in any case.
    """
    end = time.process_time() + effort.seconds
    generator = random.Random(effort.seed)
    everyone = range(network.node_count)
    best = gossip_through_centre(network, ports)
    with suppress(InputError):
        to_all = Effort(effort.seed, CENTRE_SHARE * effort.seconds, effort.goal // 2)
        broadcast = flow_broadcast(network, [centre_of(network)], everyone, ports, to_all)
        best = min(best, through_centre(broadcast), key=len)
    noise = 0.0 if effort.seed == 0 else 0.1
    kept: Rounds = []
    while len(best) > effort.goal:
        found = _exchanges(network, ports, kept, len(best), noise, generator, end)
        if found is not None:
            best = found
        if time.process_time() > end:
            break
        noise = generator.choice(NOISES)
        kept = best[: generator.randrange(len(best))] if generator.random() < 0.5 else []
    return best


def gossip_through_centre(network: Network, ports: int | None) -> Rounds:
    """Return a gossip that accumulates everything at a centre and broadcasts it, in a breadth-first tree.

    Parameters
    ----------
    network
        A connected undirected network.
    ports
        The most calls of a round in which a node may take part; None for any number.
    """
    everyone = range(network.node_count)
    if ports is not None:
        return through_centre(one_port_tree_broadcast(network, centre_of(network), everyone))
    return through_centre(tree_based_broadcast(network, centre_of(network), everyone, Effort(seconds=0.0)))


def centre_of(network: Network) -> int:
    """Return a node of least eccentricity, among these one with the most edges."""
    return min(
        range(network.node_count),
        key=lambda v: (network.eccentricities[v] or 0, -len(network.successors[v]), v),
    )


def _exchanges(
    network: Network,
    ports: int | None,
    kept: Rounds,
    limit: int,
    noise: float,
    generator: random.Random,
    end: float,
) -> Rounds | None:
    """Return a gossip that continues the rounds `kept` with greedy exchanges.

    None if it takes `limit` rounds or more, or if the time `end` comes first.
    """
    demand = gossip_demand(network.node_count)
    held, everything = list(demand.start), demand.goal[0]
    rounds: Rounds = []
    while any(items != everything for items in held):
        if len(rounds) >= limit - 1 or time.process_time() > end:
            return None
        calls = (
            kept[len(rounds)]
            if len(rounds) < len(kept)
            else _round(network, ports, held, noise, generator, end)
        )
        before = list(held)
        for u, v, _ in calls:
            held[u] |= before[v]
            held[v] |= before[u]
        rounds.append(calls)
    return rounds


def _round(
    network: Network, ports: int | None, held: list[int], noise: float, generator: random.Random, end: float
) -> list[LineCall]:
    """Return the calls of one round, as many as are found before the time `end`.

    The nodes that know least choose first, each the call that brings the most for each edge used.
    """
    n = network.node_count
    free = set(network.edges)
    left = [n if ports is None else ports] * n
    after = list(held)
    calls: list[LineCall] = []
    waiting = sorted(
        range(n), key=lambda v: (held[v].bit_count() * (1 + noise * generator.random()), generator.random())
    )
    while waiting:
        again = []
        for u in waiting:
            if time.process_time() > end:
                return calls
            path = _best_path(network, u, free, left, held, after, noise, generator) if left[u] else None
            if path is None:
                continue
            v = path[-1]
            free -= {(min(edge), max(edge)) for edge in pairwise(path)}
            left[u] -= 1
            left[v] -= 1
            after[u] |= held[v]
            after[v] |= held[u]
            calls.append((u, v, path))
            again.append(u)
        waiting = again
    return calls


def _best_path(
    network: Network,
    u: int,
    free: set[tuple[int, int]],
    left: list[int],
    held: list[int],
    after: list[int],
    noise: float,
    generator: random.Random,
) -> tuple[int, ...] | None:
    """Return a shortest path over free edges from u to the node with the best call for u.

    That call brings the most items for each edge used. None if no call brings anything.
    """
    came_from = {u: u}
    distance = {u: 0}
    queue = [u]
    best, best_weight = -1, 0.0
    for v in queue:
        brought = (held[v] & ~after[u]).bit_count() + (held[u] & ~after[v]).bit_count()
        if brought and left[v] and v != u:
            weight = brought / distance[v] * (1 + noise * generator.random())
            if weight > best_weight:
                best, best_weight = v, weight
        for w in network.successors[v]:
            if w not in came_from and (min(v, w), max(v, w)) in free:
                came_from[w] = v
                distance[w] = distance[v] + 1
                queue.append(w)
    if best < 0:
        return None
    path = [best]
    while path[-1] != u:
        path.append(came_from[path[-1]])
    return tuple(reversed(path))
