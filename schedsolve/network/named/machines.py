"""Machines and direct-connect networks: links with bandwidths, switches and arcs.

Each function maps the parameters of a family such as `dragonfly:4,2` (`schedsolve.network.named.families`) to
its network, with the family's numbering and without a name, and raises InputError with the one condition
that the parameters violate.

Sources: the link matrices of the machines are public facts (NVIDIA DGX-1, DGX-2, DGX A100, DGX H100 and
NVL72, a ring of four AMD accelerators, AMD MI250 and MI300X boxes); Kautz digraphs: Kautz (1968), generalized
by Imase and Itoh (1983); dragonflies: Kim, Dally, Scott, Abts (ISCA 2008), routers only; Jellyfish: Singla,
Hong, Popa, Godfrey (NSDI 2012).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product

from schedsolve.network.bandwidths import Bandwidth, merged_links
from schedsolve.network.graph import Edges, Network
from schedsolve.network.hardware import Hardware
from schedsolve.network.named.random_graphs import random_regular
from schedsolve.network.sizes import at_least, check_size
from schedsolve.runtime.errors import InputError

Link = tuple[int, int, Bandwidth]

_DGX1_DOUBLE = ((0, 1), (0, 4), (1, 3), (2, 3), (2, 6), (4, 5), (5, 7), (6, 7))
_DGX1_SINGLE = ((0, 2), (0, 3), (1, 2), (1, 5), (3, 7), (4, 6), (4, 7), (5, 6))
_MI250_QUADRUPLE = tuple((v, v + 1) for v in range(0, 16, 2))
_MI250_DOUBLE = ((0, 4), (3, 7), (8, 12), (11, 15))
_MI250_SINGLE = (
    *((0, 8), (1, 5), (1, 9), (1, 10), (2, 6), (2, 9), (2, 10), (3, 11)),
    *((4, 6), (5, 6), (5, 7), (9, 13), (10, 14), (12, 14), (13, 14), (13, 15)),
)


def _machine(
    node_count: int,
    links: Iterable[Link],
    switches: Iterable[int] = (),
    *,
    gigabytes: int = 0,
    boxes: int = 1,
) -> Network:
    """Return an undirected machine, whose bandwidth 1 is so many GB/s if known; parallel links add up."""
    edges, bandwidths = merged_links(links, directed=False)
    hardware = Hardware(Fraction(gigabytes), boxes=boxes) if gigabytes else None
    return Network(node_count, edges, bandwidths=bandwidths, switches=frozenset(switches), hardware=hardware)


def _weighted(pairs: Edges, bandwidth: Bandwidth) -> list[Link]:
    return [(u, v, bandwidth) for u, v in pairs]


def dgx1() -> Network:
    """Return an NVIDIA DGX-1: 8 accelerators with double and single links."""
    return _machine(8, _weighted(_DGX1_DOUBLE, 2) + _weighted(_DGX1_SINGLE, 1), gigabytes=25)


def dgx2() -> Network:
    """Return an NVIDIA DGX-2: two boards of 8 accelerators and 6 switches; bandwidth 1 is one NVLink.

    Every accelerator has a link to each switch of its board, and 8 links join a switch to its counterpart
    on the other board. Nodes 0..15 are the accelerators, 16..27 the switches, board by board.
    """
    links: list[Link] = [(v, 16 + v // 8 * 6 + k, 1) for v in range(16) for k in range(6)]
    links += [(16 + k, 22 + k, 8) for k in range(6)]
    return _machine(28, links, range(16, 28), gigabytes=25)


def nvl72() -> Network:
    """Return an NVIDIA NVL72: 72 accelerators with a link to each of 18 switches, nodes 72..89.

    Bandwidth 1 is one NVLink.
    """
    links: list[Link] = [(v, switch, 1) for v in range(72) for switch in range(72, 90)]
    return _machine(90, links, range(72, 90), gigabytes=50)


def mi300x() -> Network:
    """Return eight AMD MI300X accelerators, every two joined by a link; bandwidth 1 is one xGMI link."""
    return _machine(8, _weighted(combinations(range(8), 2), 1), gigabytes=64)


def amd4() -> Network:
    """Return four AMD accelerators in a ring."""
    return _machine(4, _weighted(((0, 1), (0, 2), (1, 3), (2, 3)), 1))


def _boxes(count: int, in_box: int, network_switches: int, between: int) -> Network:
    """Return boxes of nodes, each with a switch, joined by switches that share the nodes of every box."""
    at_least(1, K=count)
    check_size(9 * count + 2, 16 * count)
    nodes = range(8 * count)
    links = [(v, 8 * count + v // 8, in_box) for v in nodes]
    if count > 1:
        links += [(v, 9 * count + v % network_switches, between) for v in nodes]
    n = 9 * count + (network_switches if count > 1 else 0)
    return _machine(n, links, range(8 * count, n), gigabytes=1, boxes=count)


def a100(count: int) -> Network:
    """Return boxes of 8 accelerators at 300 to the box's switch, and at 25 to one of two network switches."""
    return _boxes(count, 300, 2, 25)


def h100(count: int) -> Network:
    """Return boxes of 8 accelerators at 450 to the box's switch, and at 50 to the network switch."""
    return _boxes(count, 450, 1, 50)


def mi250(count: int) -> Network:
    """Return boxes of 16 accelerators; of two or more, each accelerator has 16 to a network switch."""
    at_least(1, K=count)
    check_size(16 * count + 1, 44 * count)
    box = _weighted(_MI250_QUADRUPLE, 200) + _weighted(_MI250_DOUBLE, 100) + _weighted(_MI250_SINGLE, 50)
    links = [(16 * k + u, 16 * k + v, bandwidth) for k in range(count) for u, v, bandwidth in box]
    if count == 1:
        return _machine(16, links, gigabytes=1)
    switch = 16 * count
    links += [(v, switch, 16) for v in range(switch)]
    return _machine(switch + 1, links, [switch], gigabytes=1, boxes=count)


def leaf_spine(leaves: int, hosts: int, uplink: int) -> Network:
    """Return leaf switches with hosts at bandwidth 1, and one spine switch adjacent to every leaf."""
    at_least(1, L=leaves, P=hosts, U=uplink)
    check_size(leaves * (hosts + 1) + 1, leaves * (hosts + 1))
    first, spine = leaves * hosts, leaves * (hosts + 1)
    links = [(v, first + v // hosts, 1) for v in range(first)]
    links += [(first + leaf, spine, uplink) for leaf in range(leaves)]
    return _machine(spine + 1, links, range(first, spine + 1))


def jellyfish(switches: int, ports: int, hosts: int, seed: int = 0) -> Network:
    """Return a Jellyfish: a connected random regular graph of switches, each with some hosts.

    The hosts are the nodes 0..S*H-1, H of each switch in turn, followed by the S switches; every link has
    bandwidth 1.

    Parameters
    ----------
    switches
        The number S of switches.
    ports
        The number P of ports of a switch; P - H of them lead to other switches.
    hosts
        The number H of hosts of a switch.
    seed
        The seed of the graph of switches, that of `random-regular:P-H,S,SEED`.
    """
    at_least(1, S=switches, H=hosts)
    at_least(hosts, P=ports)
    at_least(0, SEED=seed)
    degree, first = ports - hosts, switches * hosts
    if degree >= switches:
        raise InputError(f"P-H must be less than S, and {degree} is not less than {switches}")
    if degree * switches % 2:
        raise InputError(f"S*(P-H) must be even, and {switches}*{degree} is odd")
    if degree < 2 and switches > degree + 1:
        raise InputError(f"{switches} switches with {degree} ports to others are not connected")
    check_size(first + switches, first + degree * switches // 2)
    between = random_regular(degree, switches, seed)[1]
    links: list[Link] = [(v, first + v // hosts, 1) for v in range(first)]
    links += [(first + u, first + v, 1) for u, v in between]
    return _machine(first + switches, links, range(first, first + switches))


def dragonfly(group_size: int, global_links: int) -> Network:
    """Return the routers of a dragonfly: complete groups, with one link between any two groups."""
    a, h = group_size, global_links
    at_least(1, a=a, h=h)
    groups = a * h + 1
    check_size(groups * a, groups * a * (a + h))
    edges = {
        (group * a + i, group * a + j) for group in range(groups) for i in range(a) for j in range(i + 1, a)
    }
    for group in range(groups):
        for p in range(a * h):
            other = (group + p + 1) % groups
            ends = group * a + p // h, other * a + (groups - 2 - p) // h
            edges.add((min(ends), max(ends)))
    return Network(groups * a, tuple(edges))


def circulant(node_count: int, *jumps: int) -> Network:
    """Return nodes on a circle, each adjacent to the nodes one of the jumps away."""
    n = node_count
    at_least(2, N=n)
    for jump in jumps:
        if not 1 <= jump <= n // 2:
            raise InputError(f"a jump must be from 1 to N/2, that is to {n // 2}, not {jump}")
    if len(set(jumps)) < len(jumps):
        raise InputError("a jump is given twice")
    check_size(n, n * len(jumps))
    pairs = ((v, (v + jump) % n) for v in range(n) for jump in jumps)
    return Network(n, tuple({(min(pair), max(pair)) for pair in pairs}))


def torus(*sides: int) -> Network:
    """Return a grid of any dimension whose lines are cycles; the last coordinate varies fastest."""
    at_least(3, **dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", sides, strict=False)))
    n = 1
    for side in sides:
        n *= side
        check_size(n, n * len(sides))
    edges, below = [], n
    for side in sides:
        line, below = below, below // side
        edges += [(v, v + below if v % line < line - below else v + below - line) for v in range(n)]
    return Network(n, tuple(edges))


def kautz(degree: int, diameter: int) -> Network:
    """Return the Kautz digraph: words without equal adjacent letters, with arcs to their successors.

    The words are numbered in lexicographic order.
    """
    d, length = degree, diameter + 1
    at_least(1, d=d)
    at_least(0, D=diameter)
    check_size(length, length)
    n = d + 1
    for _ in range(diameter):
        n *= d
        check_size(n, n * d)
    words: list[tuple[int, ...]] = [()]
    for _ in range(length):
        words = [(*word, a) for word, a in product(words, range(d + 1)) if not word or word[-1] != a]
    number = {word: i for i, word in enumerate(words)}
    arcs = ((number[word], number[(*word[1:], a)]) for word in words for a in range(d + 1) if a != word[-1])
    return Network(n, tuple(arc for arc in arcs if arc[0] != arc[1]), directed=True)


def generalised_kautz(degree: int, node_count: int) -> Network:
    """Return the arcs u -> (-d u - a) mod n for a = 1..d, without loops; parallel arcs add up."""
    d, n = degree, node_count
    at_least(1, d=d)
    at_least(2, n=n)
    check_size(n, n * d)
    pairs = ((u, (-d * u - a) % n) for u in range(n) for a in range(1, d + 1))
    arcs, bandwidths = merged_links(((u, v, 1) for u, v in pairs if u != v), directed=True)
    return Network(n, arcs, directed=True, bandwidths=bandwidths)
