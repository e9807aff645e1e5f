"""A search for short broadcast and multicast schedules of matching rounds on any network.

Round by round it takes a matching from informed to uninformed nodes that gives the most weight to the newly informed, the weight of a
node being an estimate of the rounds still needed for what lies behind it; with noise, and over and over again.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from time import monotonic

from schedsolve.errors import InputError
from schedsolve.network import Network

Calls = list[list[tuple[int, int]]]


def search_broadcast(
    network: Network, sources: Collection[int], targets: Collection[int], *, goal_rounds: int, seed: int, time_limit: float
) -> Calls:
    """A legal schedule, of goal_rounds rounds if one is found in time, else the shortest found.

    network: undirected or directed. sources, targets: nodes from 0; the sources know the message before round 1, the targets must learn
    it, other nodes may pass it on. goal_rounds: a known lower bound; the search ends when it is met. seed: of the random numbers.
    time_limit: seconds; one pass is always completed.
    Returns the rounds in order, each a list of calls (sender, receiver); nobody is informed twice, or in vain.
    Raises InputError for no sources, nodes outside the network, or a target that no source reaches.
    """
    deadline = monotonic() + time_limit
    if not sources or not all(0 <= v < network.node_count for v in (*sources, *targets)):
        raise InputError(f"broadcasting needs at least one source, and sources and targets among the nodes 0..{network.node_count - 1}")
    distances = network.distances_from(sources)
    unreached = [v for v in targets if distances[v] is None]
    if unreached:
        raise InputError(f"node {network.labels[unreached[0]]} cannot be reached from the sources")
    rng = random.Random(seed)
    best = _one_pass(network, sources, targets, rng)
    while len(best) > goal_rounds and monotonic() < deadline:
        found = _one_pass(network, sources, targets, rng)
        best = found if len(found) < len(best) else best
    return best


def _one_pass(network: Network, sources: Collection[int], targets: Collection[int], rng: random.Random) -> Calls:
    informed = set(sources)
    wanted = set(targets) - informed
    rounds: Calls = []
    while wanted:
        behind = _rounds_behind(network, informed, wanted)
        weight = {v: behind[v] + rng.random() for v in behind}
        calls = _heaviest_matching(network, informed, sorted(weight, key=lambda v: -weight[v]))
        rounds.append(calls)
        informed.update(v for _, v in calls)
        wanted.difference_update(v for _, v in calls)
    needed = set(targets)
    for calls in reversed(rounds):
        calls[:] = [(u, v) for u, v in calls if v in needed]
        needed.update(u for u, _ in calls)
    return rounds


def _rounds_behind(network: Network, informed: set[int], wanted: set[int]) -> dict[int, int]:
    """For every node next to the informed that has wanted nodes behind it the estimated number of rounds that it needs for them."""
    distance = dict.fromkeys(informed, 0)
    order = list(informed)
    for u in order:
        for v in network.successors[u]:
            if v not in distance:
                distance[v] = distance[u] + 1
                order.append(v)
    behind: dict[int, int] = {}
    for u in reversed(order[len(informed) :]):
        after = sorted([behind[v] for v in network.successors[u] if v in behind and distance[v] > distance[u]], reverse=True)
        if after or u in wanted:
            behind[u] = max([i + b for i, b in enumerate(after, 1)], default=0)
    return {v: b for v, b in behind.items() if distance[v] == 1}


def _heaviest_matching(network: Network, informed: set[int], receivers: Sequence[int]) -> list[tuple[int, int]]:
    """Calls from distinct informed nodes to as many receivers as possible, a receiver being given up only for earlier ones."""
    receiver_of: dict[int, int] = {}
    for v in receivers:
        tried: set[int] = set()
        _augment(network, informed, v, receiver_of, tried)
    return [(u, v) for u, v in receiver_of.items()]


def _augment(network: Network, informed: set[int], v: int, receiver_of: dict[int, int], tried: set[int]) -> bool:
    for u in network.predecessors[v]:
        if u in informed and u not in tried:
            tried.add(u)
            if u not in receiver_of or _augment(network, informed, receiver_of[u], receiver_of, tried):
                receiver_of[u] = v
                return True
    return False
