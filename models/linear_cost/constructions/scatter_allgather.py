"""Scatter and allgather among any number of nodes of a complete network.

With ports that count links, the largest (k+1)^d nodes exchange recursively, and the others get the whole
message in a last round. With weak ports all nodes take part: every node gets a packet of its own, and then
the nodes pass on all that they have to the k nodes at ever larger distances before them.

Sources: Beauquier, Delmas, Perennes (1999), Lemma 9, for the exchange; J. Bruck, C.-T. Ho, S. Kipnis, E.
Upfal, D. Weathersby, Efficient algorithms for all-to-all communications in multiport message-passing systems
(1997), for the allgather.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from .exchange import recursive_exchange
from .protocol import Message, Protocol, without_vain_packets

MOST_PARTS = 512
"""Packets up to which an exchange cuts the message for the others' sake."""


def exchange_and_serve(ports: int, nodes: int, extra_rounds: int) -> Protocol:
    """Return a recursive exchange, and one more round that serves all other nodes.

    The exchange is among (k+1)^(T-1) nodes with so many extra rounds, or fewer; the other nodes get the whole
    message in one more round. That makes T + r rounds, and a cost of 1 more than the exchange.

    nodes: more than (k+1)^(T-1), at most (k+1)^T.
    """
    core, dimension = 1, 0
    while core * (ports + 1) < nodes:
        core, dimension = core * (ports + 1), dimension + 1
    depth = min(extra_rounds, dimension)
    while (ports + 1) ** depth > MOST_PARTS:
        depth -= 1
    protocol = recursive_exchange(ports, dimension, depth)
    everything = tuple(range(protocol.packet_count))
    served = tuple(((v - core) // ports, v, everything) for v in range(core, nodes))
    return Protocol(protocol.packet_count, (*protocol.rounds, served))


def scatter_allgather(ports: int, nodes: int) -> Protocol:
    """With weak ports: a packet for every node, scattered in T rounds and gathered by all in T more.

    The cost is at most about 2/k.
    """
    rounds = [*_scatter([(0, nodes)], ports), *_allgather(nodes, ports)]
    return without_vain_packets(nodes, nodes, rounds)


def _scatter(held: Sequence[tuple[int, int]], ports: int) -> Iterator[list[Message]]:
    """Who holds the packets first..last-1 keeps a part of k + 1 and gives the others to their first nodes."""
    while any(last - first > 1 for first, last in held):
        messages: list[Message] = []
        after: list[tuple[int, int]] = []
        for first, last in held:
            # Rounded up, so that the part that is kept, the first, has a packet at least.
            ends = [first + -((first - last) * i // (ports + 1)) for i in range(ports + 2)]
            parts = [(a, b) for a, b in pairwise(ends) if a < b]
            messages += [(first, a, tuple(range(a, b))) for a, b in parts[1:]]
            after += parts
        held = after
        yield messages


def _allgather(nodes: int, ports: int) -> Iterator[list[Message]]:
    """Yield the rounds of an allgather by doubling intervals of packets.

    Node v has the packets of v, .., v + m - 1, modulo N, and gets those that follow from k nodes, as many
    from each as there are, in the last round about as many as from the others.
    """
    m = 1
    while m < nodes:
        wanted = min(nodes - m, ports * m)
        ends = [m + wanted * j // ports for j in range(ports + 1)]
        yield [
            ((v + a) % nodes, v, tuple((v + i) % nodes for i in range(a, b)))
            for v in range(nodes)
            for a, b in pairwise(ends)
            if a < b
        ]
        m += wanted
