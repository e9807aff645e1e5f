"""The clauses of theory/SettledRounds.v, in its order.

They say that the first or the last round of a one-way gossip is settled: no call can be added to it, nor two
calls take the place of one, and no two calls become a larger round if their receivers are exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from schedsolve.network.graph import Network

Link = tuple[int, int]


def settled_clauses(network: Network, round_: int) -> Iterator[list[int]]:
    """Yield the clauses over the variables of the calls, which are those of the plain formula.

    Parameters
    ----------
    network
        The network, whose arcs in order are the links of the formula.
    round_
        Which round is settled.
    """
    links = sorted(network.arcs)
    before = (round_ - 1) * len(links)
    touching = [
        [before + a for a, link in enumerate(links, 1) if v in link] for v in range(network.node_count)
    ]

    def takes_part(u: int, v: int) -> list[int]:
        return sorted({*touching[u], *touching[v]})

    for u, v in links:
        yield takes_part(u, v)
    for a, (u, v) in _detours(links):
        yield [-(before + a), *takes_part(u, v)]
    for a, b in _larger_exchanged(links):
        yield [-(before + a), -(before + b)]


def _detours(links: Sequence[Link]) -> Iterator[tuple[int, Link]]:
    """Yield the links (p, q), as their places, with nodes u and v where u may call q, and p may call v."""
    for a, (p, q) in enumerate(links, 1):
        for u in (x for x, y in links if y == q and x != p):
            yield from ((a, (u, v)) for x, v in links if x == p and v not in (q, u))


def _larger_exchanged(links: Sequence[Link]) -> Iterator[tuple[int, int]]:
    """Yield places a < b such that exchanging the receivers gives two links, one of them before a."""
    place = {link: a for a, link in enumerate(links, 1)}
    for a, (u, v) in enumerate(links, 1):
        for b, (x, y) in enumerate(links[a:], a + 1):
            exchanged = [place[link] for link in ((u, y), (x, v)) if link in place]
            if u != x and v != y and len(exchanged) == 2 and min(exchanged) < a:
                yield a, b
