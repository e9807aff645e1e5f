"""Random protocols of the linear cost model."""

from __future__ import annotations

import random
from itertools import permutations

from schedsolve.models.linear_cost.constructions.protocol import Protocol


def random_protocol(rng: random.Random) -> tuple[int, int, bool, Protocol]:
    """Ports, nodes, whether the ports are weak, and a complete broadcast in as many rounds as chance
    needed.
    """
    ports, nodes, count, weak = rng.randint(1, 3), rng.randint(2, 9), rng.randint(1, 6), rng.random() < 0.5
    owned = [set(range(count)), *(set[int]() for _ in range(nodes - 1))]
    rounds: list[tuple[tuple[int, int, tuple[int, ...]], ...]] = []
    eager = rng.choice([0.3, 0.9, 1.0])
    while any(len(packets) < count for packets in owned):
        sends, used = [], [set[tuple[int, str]]() for _ in range(nodes)]
        capacity = rng.randint(1, count)
        for u, v in rng.sample(list(permutations(range(nodes), 2)), nodes * (nodes - 1)):
            lacking = sorted(owned[u] - owned[v])
            ends = [(u, (v, "out" if weak else "")), (v, (u, "in" if weak else ""))]
            full = any(len({x for x in used[a] | {link} if x[1] == link[1]}) > ports for a, link in ends)
            if lacking and not full and rng.random() < eager:
                for a, link in ends:
                    used[a].add(link)
                sends.append((u, v, tuple(rng.sample(lacking, min(capacity, len(lacking))))))
        for _, v, packets in sends:
            owned[v].update(packets)
        rounds.append(tuple(sends))
    return ports, nodes, weak, Protocol(count, tuple(rounds))
