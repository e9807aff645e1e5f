"""The network: nodes 0, 1, ..., n - 1 and links between two of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from .wrong import require


class Network(NamedTuple):
    """A network; `arcs` are the directions in which links can be used, each with a `bandwidth`.

    `edges` has every link once, `heads[v]` the nodes that v can send to; `switches` only forward.
    """

    n: int
    directed: bool
    edges: list[tuple[int, int]]
    arcs: list[tuple[int, int]]
    heads: list[list[int]]
    bandwidth: dict[tuple[int, int], Fraction]
    switches: frozenset[int]


def read_network(claim: dict[str, Any], text: str) -> Network:
    """Return the network of a file: a line "u v" or "u v bandwidth" per link, "u" per node."""
    lines = [line.partition("#")[0].split() for line in text.splitlines()]
    named = {int(v) for words in lines for v in words[:2]}
    right = named == set(range(claim["nodes"])) and max(map(len, lines)) <= 3
    require(right, "network.edges has other nodes, or a line that is no link")
    rows = [words for words in lines if len(words) > 1]
    links = [(int(u), int(v), Fraction(*(width or "1"))) for u, v, *width in rows]
    return network_of(claim["nodes"], links, claim["directed"], claim.get("switches", ()))


def network_of(n: int, links: Any, directed: bool, switches: Any = ()) -> Network:
    """Return the network of n nodes with links (u, v, bandwidth)."""
    bandwidth: dict[tuple[int, int], Fraction] = {}
    for u, v, width in links:
        for arc in [(u, v)] if directed else [(u, v), (v, u)]:
            right = u != v and u in range(n) and v in range(n) and arc not in bandwidth
            require(right and width > 0, f"{u} {v} {width} is no link, or one given twice")
            bandwidth[arc] = Fraction(width)
    arcs = sorted(bandwidth)
    edges = [(u, v) for u, v in arcs if directed or u < v]
    heads: list[list[int]] = [[] for _ in range(n)]
    for u, v in arcs:
        heads[u].append(v)
    return Network(n, directed, edges, arcs, heads, bandwidth, frozenset(switches))


def turned_round(network: Network) -> Network:
    """Return the network with all its arcs reversed."""
    links = [(v, u, network.bandwidth[u, v]) for u, v in network.edges]
    return network_of(network.n, links, network.directed, network.switches)
