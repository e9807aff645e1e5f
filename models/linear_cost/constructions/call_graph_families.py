"""Call graphs for many nodes, fixed beforehand.

The dimensions of a Knödel graph in turn, circulants, cliques, and the colours of any network's links in turn.

Every call graph is a list of links, each of which is used both ways, on the nodes 0..N-1.

References
----------
W. Knödel, New gossips and telephones (1975), for the matchings; A. Bar-Noy, S. Kipnis, B. Schieber, Optimal
multiple message broadcasting in telephone-like communication systems (2000), who broadcast r + 1 packets in T
+ r rounds among any even number of nodes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from schedsolve.network.graph import Network

Link = tuple[int, int]
Matching = tuple[Link, ...]


def knoedel_matching(nodes: int, dimension: int) -> Matching:
    """Return the links of one dimension, from 0, of the Knödel graph on an even number of nodes.

    J of the first half with j + 2^dimension - 1 of the second.
    """
    half = nodes // 2
    return tuple((j, half + (j + 2**dimension - 1) % half) for j in range(half))


def knoedel_call_graphs(nodes: int, ports: int, rounds: int, start: int) -> list[Matching]:
    """Return as many dimensions of the Knödel graph in every round as there are ports.

    The number of nodes is even, and the dimensions come in turn from `start` on.
    """
    dimensions = max(1, nodes.bit_length() - 1)
    width = min(ports, dimensions)
    graphs = []
    for t in range(rounds):
        links = {
            link
            for i in range(width)
            for link in knoedel_matching(nodes, (start + t * width + i) % dimensions)
        }
        graphs.append(tuple(sorted(links)))
    return graphs


def replaced_call_graphs(nodes: int, ports: int, rounds: int, seed: int) -> list[Matching]:
    """For an odd number of nodes.

    Knödel's matchings of all but the last, which takes the place of another node than the source, 0, by
    chance in every round.
    """
    generator, last = random.Random(seed), nodes - 1
    graphs = []
    for links in knoedel_call_graphs(nodes - 1, ports, rounds, seed):
        away = generator.randrange(1, last)
        graphs.append(tuple((last if u == away else u, last if v == away else v) for u, v in links))
    return graphs


def clique_call_graphs(nodes: int, ports: int, rounds: int, start: int) -> list[Matching]:
    """For a multiple of k + 1 nodes, in every round cliques of k + 1.

    One node of every residue, at distances that are multiples of powers of k + 1 in turn from `start` on.
    """
    radix = ports + 1
    part = nodes // radix
    powers = 1
    while radix**powers < nodes:
        powers += 1
    graphs = []
    for t in range(rounds):
        step = (radix ** ((start + t) % powers) - 1) // ports
        cliques = ([i * part + (j + i * step) % part for i in range(radix)] for j in range(part))
        graphs.append(tuple(link for clique in cliques for link in combinations(clique, 2)))
    return graphs


def coloured_call_graphs(network: Network, ports: int, rounds: int, seed: int) -> list[Matching]:
    """Return the colours of a colouring of the links, as many in a round as there are ports, in turn.

    With a seed other than 0 in an order by chance in every turn.
    """
    generator = random.Random(seed)
    colours = edge_colours(network, seed)
    graphs: list[Matching] = []
    waiting: list[Matching] = []
    for _ in range(rounds):
        chosen: list[Matching] = []
        while len(chosen) < min(ports, len(colours)):
            if not waiting:
                waiting = [c for c in colours if c not in chosen]
                if seed:
                    generator.shuffle(waiting)
            chosen.append(waiting.pop(0))
        graphs.append(tuple(sorted(link for colour in chosen for link in colour)))
    return graphs


def edge_colours(network: Network, seed: int = 0) -> list[Matching]:
    """Return the links in classes no two of whose links share a node.

    At most one class more than the greatest degree.

    References
    ----------
    J. Misra, D. Gries, A constructive proof of Vizing's theorem (1992).
    """
    generator = random.Random(seed)
    links = list(network.edges)
    if seed:
        generator.shuffle(links)
    most = max((len(s) for s in network.successors), default=0) + 1
    at: list[dict[int, int]] = [{} for _ in range(network.node_count)]

    def free(v: int) -> int:
        return next(c for c in range(most) if c not in at[v])

    def colour_of(u: int, v: int) -> int:
        return next(c for c, w in at[u].items() if w == v)

    def paint(u: int, v: int, c: int) -> None:
        at[u][c], at[v][c] = v, u

    def unpaint(u: int, v: int) -> None:
        c = colour_of(u, v)
        del at[u][c], at[v][c]

    for u, v in links:
        both = next((c for c in range(most - 1) if c not in at[u] and c not in at[v]), None)
        if both is not None:
            paint(u, v, both)
            continue
        fan = _fan_at(at, u, v)
        c, d = free(u), free(fan[-1])
        # Exchange the colours c and d on the path from u, so that d becomes free at u.
        path, x, colour = [u], u, d
        while colour in at[x]:
            x = at[x][colour]
            path.append(x)
            colour = c if colour == d else d
        steps = list(pairwise(path))
        old = [colour_of(a, b) for a, b in steps]
        for a, b in steps:
            unpaint(a, b)
        for (a, b), was in zip(steps, old, strict=True):
            paint(a, b, c if was == d else d)
        end = _fan_end(at, u, fan, d)
        given = [colour_of(u, w) for w in fan[1 : end + 1]]
        for w in fan[1 : end + 1]:
            unpaint(u, w)
        for w, later in zip(fan, given, strict=False):
            paint(u, w, later)
        paint(u, fan[end], d)
    classes: dict[int, list[Link]] = {}
    for u, v in network.edges:
        classes.setdefault(colour_of(u, v), []).append((u, v))
    return [tuple(sorted(links)) for _, links in sorted(classes.items())]


def _fan_at(at: Sequence[dict[int, int]], u: int, v: int) -> list[int]:
    """Return a maximal fan of u from v on: the color of each neighbor's link is free at the one before."""
    fan: list[int] = [v]
    while True:
        following = next((w for c, w in at[u].items() if w not in fan and c not in at[fan[-1]]), None)
        if following is None:
            return fan
        fan.append(following)


def _fan_end(at: Sequence[dict[int, int]], u: int, fan: Sequence[int], d: int) -> int:
    """Return the end of the part of the fan that is still one after the exchange.

    It is the last node at which d is free.
    """
    for end in range(len(fan)):
        if end:
            c = next((c for c, w in at[u].items() if w == fan[end]), None)
            if c is None or c in at[fan[end - 1]]:
                break
        if d not in at[fan[end]]:
            return end
    raise AssertionError("the fan has no end at which the colour is free")


def both_ways(links: Sequence[Link]) -> Iterator[Link]:
    """Yield the arcs of links."""
    for u, v in links:
        yield u, v
        yield v, u
