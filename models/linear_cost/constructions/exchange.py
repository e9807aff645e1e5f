"""The greedy broadcast and the recursive exchange.

Source: Beauquier, Delmas, Perennes (1999), Proposition 8, Lemma 9 and Proposition 10.
"""

from __future__ import annotations

from .protocol import Message, Protocol


def greedy(ports: int, node_count: int) -> Protocol:
    """Return the greedy broadcast: T rounds of cost 1 (Proposition 8).

    Every node that has the whole message sends it to k new nodes; any number of nodes.
    """
    rounds = []
    informed = 1
    while informed < node_count:
        sends = ((x, x + j * informed) for j in range(1, ports + 1) for x in range(informed))
        rounds.append(tuple((x, y, (0,)) for x, y in sends if y < node_count))
        informed *= ports + 1
    return Protocol(1, tuple(rounds))


def exchange_over(ports: int, dimension: int, base: Protocol) -> Protocol:
    """Two rounds of cost 1/(k+1) around k+1 copies of a protocol for one dimension less (Lemma 9).

    The source cuts the message into k+1 parts and gives one to each node of its line of the last coordinate;
    each part is broadcast by `base` among the nodes with the same last coordinate; then all lines of the last
    coordinate exchange their parts.

    Parameters
    ----------
    ports
        The ports of a node.
    dimension
        T, at least 1.
    base
        A broadcast in dimension T - 1.
    """
    size, part = (ports + 1) ** (dimension - 1), base.packet_count
    parts = [tuple(range(i * part, (i + 1) * part)) for i in range(ports + 1)]
    first = tuple((0, i * size, parts[i]) for i in range(1, ports + 1))
    rounds: list[tuple[Message, ...]] = [first]
    for messages in base.rounds:
        moved = [
            (u + i * size, v + i * size, tuple(p + i * part for p in packets))
            for i in range(ports + 1)
            for u, v, packets in messages
        ]
        rounds.append(tuple(moved))
    last = [
        (u + i * size, u + j * size, parts[i])
        for u in range(size)
        for i in range(ports + 1)
        for j in range(ports + 1)
        if i != j and u + j
    ]
    rounds.append(_without_first(last, first))
    return Protocol(part * (ports + 1), tuple(rounds))


def _without_first(last: list[Message], first: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return the last round's messages without those that only repeat the first round's.

    These go to nodes of the source's line.
    """
    known = {(v, packets) for _, v, packets in first}
    return tuple((u, v, packets) for u, v, packets in last if (v, packets) not in known)


def recursive_exchange(ports: int, dimension: int, extra_rounds: int) -> Protocol:
    """Return the exchange, one dimension after the other, around the greedy broadcast.

    For r <= T of cost as in Proposition 10.

    Takes T + min(r, T) rounds.
    """
    depth = min(extra_rounds, dimension)
    protocol = greedy(ports, (ports + 1) ** (dimension - depth))
    for d in range(dimension - depth + 1, dimension + 1):
        protocol = exchange_over(ports, d, protocol)
    return protocol
