"""Optimal gossip in undirected trees under the all-port line model, and lower bounds on its rounds.

Source: Cohen, Broadcasting, multicasting and gossiping in trees under the all-port line model, Section 3: the protocol, and lower bounds
that leave a gap of one round. Counted from the two sides of an edge (`gossip_edge_bound`) they leave none.
"""

from __future__ import annotations

from schedsolve.network import Network

from .tree_broadcast import Rounds, part_times, reversed_rounds, tree_broadcast


def tree_gossip(network: Network) -> Rounds:
    """An optimal gossip: b_min + b(T_2^x, x) rounds for x = `gossip_centre`, every call two-way (Lemma 5; `gossip_edge_bound` proves it).

    Everything is accumulated at x and broadcast from there. When a single call ends the accumulation, its two ends know everything after
    it, so that it is the first call of the broadcast too.
    Raises InputError when the network is no undirected tree.
    """
    broadcast = tree_broadcast(network, gossip_centre(network))
    shared = bool(broadcast) and len(broadcast[0]) == 1
    return reversed_rounds(broadcast) + broadcast[1 if shared else 0 :]


def gossip_centre(network: Network) -> int:
    """A node x of an undirected tree of least broadcast time b_min, of those with least b(T_2^x, x) >= b_min - 1 (Lemma 3).

    b(T_2^x, x) is the second greatest of x's times for the parts behind its neighbours; 0 when x has only one neighbour.
    Raises InputError when the network is no undirected tree.
    """
    times = [_two_greatest(each) for each in part_times(network)]
    least = min(first for first, _ in times)
    return min((second, v) for v, (first, second) in enumerate(times) if first == least and second >= least - 1)[1]


def gossip_vertex_bounds(network: Network) -> list[int]:
    """For every node x of an undirected tree the lower bound b(T_1^x, x) + b(T_2^x, x) - 1 on the rounds of a gossip (proof of Lemma 4).

    T_1^x and T_2^x are x with the parts behind the two neighbours of which x needs most rounds. One round before x's time for the second
    part, some of its items is not known outside; from there it has to reach the first part. Where x has one neighbour: b(T, x).
    Raises InputError when the network is no undirected tree.
    """
    bounds = []
    for each in part_times(network):
        first, second = _two_greatest(each)
        bounds.append(first + max(second, 1) - 1 if first else 0)
    return bounds


def gossip_edge_bound(network: Network) -> int:
    """The least number of rounds of a gossip: the greatest t(u, v) + t(v, u) - 1 of an edge, t(u, v) being u's time for the part behind v.

    No gossip takes fewer rounds, by the argument of Lemma 4 with an edge in place of a node: one round before round t(u, v) some item of
    v's side is known on that side only, and from v it takes t(v, u) more rounds to reach all of u's side.
    `tree_gossip` takes no more rounds. Let x be the `gossip_centre`, t(x, v) = b_min its greatest time and r the second, and suppose that
    t(v, x) <= r, since otherwise edge x-v gives b_min + r. A part takes no fewer rounds than a smaller one in it, so t(v, x) = r, and v's
    other times t(v, w) are at most b_min. Hence b(T, v) = b_min, and v has a neighbour w with t(v, w) = b_min and r as second time:
    - r = b_min - 1: some t(v, w) = b_min, since v's greatest time is no less; were there two, t(x, v) would be b_min + 1.
    - r = b_min: v's second time is at least t(x, v) - 1 = b_min - 1, so by the choice of x it is r.
    So the argument goes on at v and w, always away from x; it ends, in a finite tree, at an edge that gives b_min + r.
    0 for a single node. Raises InputError when the network is no undirected tree.
    """
    times = part_times(network)
    behind = [dict(zip(near, each, strict=True)) for near, each in zip(network.successors, times, strict=True)]
    return max((behind[u][v] + behind[v][u] - 1 for u, v in network.edges), default=0)


def _two_greatest(times: list[int]) -> tuple[int, int]:
    """The two greatest numbers of a list, 0 in place of those it lacks."""
    first, second = sorted([0, 0, *times])[:-3:-1]
    return first, second
