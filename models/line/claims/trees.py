"""Exact values in trees under the all-port line model: least broadcast, multicast and gossip times.

Source: Cohen, Broadcasting, multicasting and gossiping in trees under the all-port line model. As there,
rounds are counted from the end, and the demand of the part of the tree behind an edge is a list L: L[i] =
1 if in round i a call enters the part, -1 if one of its nodes can call outwards, 0 if the edge is free.
Every list is the least possible one, where the earliest rounds count most; its last entry is the first
call that enters. Round i is at index i - 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from schedsolve.network.graph import Network
from schedsolve.network.named.trees import order_from
from schedsolve.runtime.errors import InputError


def tree_multicast_time(network: Network, source: int, targets: Collection[int]) -> int:
    """Return the least number of rounds of a multicast from `source` to `targets` in a tree.

    The tree may be undirected or directed.

    Raises
    ------
    InputError
        As `rooted_for` does.
    """
    order, parent = rooted_for(network, source, targets)
    inward = _inward_lists(order, parent, set(targets), network.directed)
    return max((len(inward[v]) for v in order[1:]), default=0)


def part_times(network: Network, targets: Collection[int] | None = None) -> list[list[int]]:
    """Return for every node v its times for the parts behind its neighbours, ordered as successors[v].

    The times are b(T_i^v, v), where T_i^v is v with the part behind its i-th neighbour. The greatest of them
    is the time of the broadcast or multicast from v (Remark 1). Takes O(n log n) for all nodes together.

    Parameters
    ----------
    network
        An undirected tree.
    targets
        The nodes to inform; None for all.

    Raises
    ------
    InputError
        If the network is not an undirected tree, or if a target is outside it.
    """
    if network.directed:
        raise InputError("the times of all sources at once need an undirected tree")
    wanted = set(range(network.node_count) if targets is None else targets)
    order, parent = rooted_for(network, 0, wanted)
    inward = _inward_lists(order, parent, wanted, directed=False)
    outward: list[list[int]] = [[] for _ in parent]
    times: list[list[int]] = []
    for v in order:
        children = [w for w in network.successors[v] if w != parent[v]]
        rho = _sums([outward[v], *(inward[w] for w in children)])
        for w in children:
            outward[w] = _crossings(_without(rho, inward[w]), v in wanted, directed=False)
    for v, near in enumerate(network.successors):
        times.append([len(outward[v] if w == parent[v] else inward[w]) for w in near])
    return times


def tree_broadcast_times(network: Network) -> list[int]:
    """Return for every node v of an undirected tree b(T, v), the least time of a broadcast from v.

    Raises
    ------
    InputError
        As `part_times` does.
    """
    return [max(times, default=0) for times in part_times(network)]


def broadcast_centres(network: Network) -> tuple[int, list[int]]:
    """Return b_min and B_min of an undirected tree.

    They are the least broadcast time, and the nodes that have it, in ascending order.

    Raises
    ------
    InputError
        As `part_times` does.
    """
    times = tree_broadcast_times(network)
    least = min(times)
    return least, [v for v, time in enumerate(times) if time == least]


def gossip_centre(network: Network) -> int:
    """Return a node x of least broadcast time b_min with the least b(T_2^x, x) >= b_min - 1 (Lemma 3).

    b(T_2^x, x) is the second greatest of x's times for the parts behind its neighbours; it is 0 if x has only
    one neighbour.

    Raises
    ------
    InputError
        If the network is not an undirected tree.
    """
    times = [_two_greatest(each) for each in part_times(network)]
    least = min(first for first, _ in times)
    return min(
        (second, v) for v, (first, second) in enumerate(times) if first == least and second >= least - 1
    )[1]


def gossip_vertex_bounds(network: Network) -> list[int]:
    """Return for every node x of an undirected tree a lower bound on the rounds of a gossip.

    It is b(T_1^x, x) + b(T_2^x, x) - 1, where T_1^x and T_2^x are x with the parts behind the two neighbours
    for which x needs the most rounds (proof of Lemma 4). One round before x's time for the second part, some
    of its items is not known outside; from there it has to reach the first part. If x has only one neighbour,
    the bound is b(T, x).

    Raises
    ------
    InputError
        If the network is not an undirected tree.
    """
    bounds = []
    for each in part_times(network):
        first, second = _two_greatest(each)
        bounds.append(first + max(second, 1) - 1 if first else 0)
    return bounds


def gossip_edge_bound(network: Network) -> int:
    """Return the least number of rounds of a gossip in an undirected tree; 0 for a single node.

    It is the greatest t(u, v) + t(v, u) - 1 of an edge, t(u, v) being u's time for the part behind v.

    Proof. Lower bound, by the argument of Lemma 4 with an edge in place of a node:

    1. One round before round t(u, v), some item of v's side is known on that side only, and from v it
       takes t(v, u) more rounds to reach all of u's side.

    Upper bound: let x be the `gossip_centre`, t(x, v) = b_min its greatest time and r its second;
    `tree_gossip` takes b_min + r rounds. Some edge gives this value:

    2. If t(v, x) > r, the edge x-v does. Now let t(v, x) <= r.
    3. A part takes no fewer rounds than a smaller part in it, so t(v, x) = r, and v's other times
       t(v, w) are at most b_min. Hence b(T, v) = b_min.
    4. Then v has a neighbour w with t(v, w) = b_min, and r as its second time. If r = b_min - 1: some
       t(v, w) is b_min, since v's greatest time is no less; if there were two, t(x, v) would be b_min
       + 1. If r = b_min: v's second time is at least t(x, v) - 1 = b_min - 1, so by the choice of x
       it is r.
    5. So steps 2 to 4 apply to v and w in place of x and v, and so on, always away from x. In a
       finite tree this ends, at an edge that gives b_min + r.

    Raises
    ------
    InputError
        If the network is not an undirected tree.
    """
    times = part_times(network)
    behind = [
        dict(zip(near, each, strict=True)) for near, each in zip(network.successors, times, strict=True)
    ]
    return max((behind[u][v] + behind[v][u] - 1 for u, v in network.edges), default=0)


def is_tree_shaped(network: Network) -> bool:
    """Return whether the network, without the directions of its arcs, is a tree."""
    if not network.directed:
        return network.is_tree
    reached = [0]
    seen = {0}
    for v in reached:
        near = {*network.successors[v], *network.predecessors[v]} - seen
        seen |= near
        reached += near
    return len(network.edges) == network.node_count - 1 and len(reached) == network.node_count


def require_tree(network: Network) -> None:
    """Refuse a network that, without the directions of its arcs, is not a tree.

    Raises
    ------
    InputError
        If it is not a tree.
    """
    if not is_tree_shaped(network):
        raise InputError("the network is not a tree; a tree of n nodes has n - 1 edges that connect them all")


def rooted_for(network: Network, source: int, targets: Collection[int]) -> tuple[list[int], list[int]]:
    """Return the nodes, parents first, and their parents, in a tree rooted at the source (`order_from`).

    Raises
    ------
    InputError
        If the network is not a tree, if a node is outside it, or if the source does not reach all targets.
    """
    require_tree(network)
    network.distances_to([source], targets)
    return order_from(network, source)


def informing_round(rho: Sequence[int], wanted: bool) -> int:
    """Return the round tau_v, counted from the end, in which Algorithms 1 and 2 inform a node v.

    It is 0 if v need not be informed.

    Parameters
    ----------
    rho
        For every round the number of calls into the parts behind v's children minus those out of them.
    wanted
        Whether v is a target.
    """
    tau = 0
    for i in range(len(rho), 0, -1):
        if rho[i - 1] < -1:
            return i
        if rho[i - 1] > 1:
            return tau or len(rho) + 1
        if rho[i - 1] < 1:
            tau = i
    return (tau or len(rho) + 1) if wanted else 0


def _crossings(rho: list[int], wanted: bool, directed: bool) -> list[int]:
    """Return the list L of the part with v on top; `rho` is the sum of its children's lists."""
    tau = informing_round(rho, wanted)
    if not tau:
        return rho
    at_tau = max(-1, rho[tau - 1] + 1) if tau <= len(rho) else 1
    return [0 if directed else -1] * (tau - 1) + [at_tau] + rho[tau:]


def _inward_lists(
    order: Sequence[int], parent: Sequence[int], wanted: Collection[int], directed: bool
) -> list[list[int]]:
    """Return for every node the list L of the part behind the edge to its parent; [] for the root."""
    parts: list[list[list[int]]] = [[] for _ in parent]
    inward: list[list[int]] = [[] for _ in parent]
    for v in reversed(order[1:]):
        inward[v] = _crossings(_sums(parts[v]), v in wanted, directed)
        parts[parent[v]].append(inward[v])
    return inward


def _sums(lists: Collection[Sequence[int]]) -> list[int]:
    """Return the sums of the lists' entries, index by index; a list is 0 beyond its end."""
    sums = [0] * max(map(len, lists), default=0)
    for entries in lists:
        for i, entry in enumerate(entries):
            sums[i] += entry
    return sums


def _without(sums: Sequence[int], entries: Iterable[int]) -> list[int]:
    """Return the sums without one of the lists added up, as long as the longest remaining list."""
    rest = list(sums)
    for i, entry in enumerate(entries):
        rest[i] -= entry
    # Every list ends with a 1, so the last round of the longest one has a positive sum.
    while rest and not rest[-1]:
        rest.pop()
    return rest


def _two_greatest(times: list[int]) -> tuple[int, int]:
    """Return the two greatest numbers of a list, with 0 for missing ones."""
    first, second = sorted([0, 0, *times])[:-3:-1]
    return first, second
