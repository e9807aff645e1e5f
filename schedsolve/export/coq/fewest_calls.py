"""The clauses of theory/FewestCalls.v, in its order.

They say what one-way gossips with the fewest calls have in common (`fewest calls` of docs/certificates.md),
or those with the fewest calls between the first round and the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from schedsolve.network.graph import Network


def waiting_clauses(network: Network, rounds: int, spared: int = 0) -> Iterator[list[int]]:
    """Yield the clauses over the variables of the calls, which are those of the plain formula.

    - Whoever calls a node that has not called before does not call again before it is called.
    - Whoever is called by a node that is not called later was not called since it last called.

    Parameters
    ----------
    network
        The network, whose arcs in order are the links of the formula.
    rounds
        How many rounds there are.
    spared
        How many at either end have calls that need not be few: 0 or 1.
    """
    links = sorted(network.arcs)
    leaving = [[a for a, link in enumerate(links) if link[0] == v] for v in range(network.node_count)]
    entering = [[a for a, link in enumerate(links) if link[1] == v] for v in range(network.node_count)]

    def called(times: Iterable[int], among: list[int]) -> list[int]:
        return [t * len(links) + a + 1 for t in times for a in among]

    for t in range(rounds):
        for a, (u, v) in enumerate(links):
            call = -(t * len(links) + a + 1)
            unless = called(range(t), leaving[v])
            for later in range(t + 1, rounds - spared):
                between = called(range(t + 1, later), entering[u])
                yield from ([call, -b, *unless, *between] for b in called([later], leaving[u]))
            unless = called(range(t + 1, rounds), entering[u])
            for earlier in range(spared, t):
                between = called(range(earlier + 1, t), leaving[v])
                yield from ([call, -b, *unless, *between] for b in called([earlier], entering[v]))
