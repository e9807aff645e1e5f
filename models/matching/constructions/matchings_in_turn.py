"""Two-way gossip by the matchings of an edge colouring, made in turn, round after round.

In a d-regular network whose edges have d colours, everybody has a call in every round, and what a node learns
it passes on in the next d - 1 rounds to all its other neighbours. So every item spreads as fast as the degree
allows until it meets itself; greedy rounds leave nodes idle from the first.

References
----------
Liestman, Richards, Network communication in edge-colored graphs: gossiping (1993). The colouring is by
exchanges along Kempe chains, as in Vizing's proof; an edge that finds no colour is left out.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from schedsolve.network.graph import Network

Pair = tuple[int, int]

IDLE = -1
"""In a colouring: the node has no neighbour by this colour."""
PASSES = 20
"""How often the edges that are left are tried again, after random exchanges."""

MOST_COLOURED = 100_000
"""The most that the links times the greatest degree may be for a colouring, which takes some tenths of a
second.
"""


def is_colourable(network: Network) -> bool:
    """Return whether `matchings` is for a network: undirected, and not too large."""
    degree = max((len(out) for out in network.successors), default=0)
    return not network.directed and len(network.edges) * degree <= MOST_COLOURED


def matchings(network: Network, generator: random.Random) -> list[list[Pair]]:
    """Return disjoint matchings, as many as the greatest degree, that hold all or nearly all edges."""
    n = network.node_count
    degree = max((len(out) for out in network.successors), default=0)
    partner = [[IDLE] * degree for _ in range(n)]
    left = list(network.edges)
    generator.shuffle(left)
    for _ in range(PASSES):
        left = [(u, v) for u, v in left if not _coloured(partner, u, v, generator)]
        if not left or degree < 2:
            break
        for _ in left:
            one, other = generator.sample(range(degree), 2)
            _exchange(partner, generator.randrange(n), one, other)
    return [[(u, row[c]) for u, row in enumerate(partner) if row[c] > u] for c in range(degree)]


def _coloured(partner: list[list[int]], u: int, v: int, generator: random.Random) -> bool:
    """Give an edge a colour that both ends lack, if need be after an exchange; return whether it got one."""
    lacking, others = ([c for c, x in enumerate(partner[end]) if x == IDLE] for end in (u, v))
    if not (lacking and others):
        return False
    common = [c for c in lacking if c in others]
    if common:
        colour = generator.choice(common)
    else:
        colour, other = generator.choice(lacking), generator.choice(others)
        _exchange(partner, v, colour, other)
        if partner[u][colour] != IDLE:
            # The chain from v ended in u.
            return False
    partner[u][colour], partner[v][colour] = v, u
    return True


def _exchange(partner: list[list[int]], v: int, one: int, other: int) -> None:
    """Exchange two colours along the chain of these through a node."""
    chain = [v]
    seen = {v}
    for x in chain:
        for y in (partner[x][one], partner[x][other]):
            if y != IDLE and y not in seen:
                seen.add(y)
                chain.append(y)
    for x in chain:
        partner[x][one], partner[x][other] = partner[x][other], partner[x][one]


def in_turn(network: Network, classes: Sequence[list[Pair]], limit: int) -> list[list[Pair]]:
    """Return the rounds of a two-way gossip by matchings in turn.

    It is empty when it would take more than `limit` rounds.
    """
    n = network.node_count
    held = [1 << v for v in range(n)]
    rounds: list[list[Pair]] = []
    while any(items != (1 << n) - 1 for items in held):
        if len(rounds) >= limit or not classes:
            return []
        rounds.append(classes[len(rounds) % len(classes)])
        for u, v in rounds[-1]:
            held[u] = held[v] = held[u] | held[v]
    return rounds
