"""Optimal broadcast, multicast and accumulation in trees under the all-port line model, with the path of every call.

Source: Cohen, Broadcasting, multicasting and gossiping in trees under the all-port line model, Algorithms 1 and 2. As there, rounds are
counted from the end while a protocol is built, and what the part of the tree behind an edge asks for is a list L: L[i] = 1 when in round
i a call enters the part, -1 when one of its nodes can call outwards, 0 when the edge is free. Every list is the least possible one, where
the earliest rounds count most; its last entry is the first call that enters. Round i is at index i - 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from schedsolve.errors import InputError
from schedsolve.network import Network

LineCall = tuple[int, int, tuple[int, ...]]
"""The caller, the callee, and the nodes of the path from caller to callee, both included."""

Rounds = list[list[LineCall]]
"""A protocol: the calls of every round, from round 1."""


def tree_broadcast(network: Network, source: int) -> Rounds:
    """An optimal broadcast from `source` in a tree, undirected or directed away from the source (Theorem 1, Section 2.2.1).

    Raises InputError when the network is no tree, or the source is outside it or does not reach all nodes.
    """
    return tree_multicast(network, source, range(network.node_count))


def tree_multicast(network: Network, source: int, targets: Collection[int]) -> Rounds:
    """An optimal multicast from `source` to `targets` in a tree, undirected or directed (Corollaries 1 and 2).

    Nodes outside the targets are informed only to call in a later round; no node is informed twice.
    Raises InputError when the network is no tree, a node is outside it, or the source does not reach all targets.
    """
    order, parent = _rooted_for(network, source, targets)
    wanted = set(targets)
    backwards: Rounds = []
    waiting: list[list[list[int]]] = [[] for _ in parent]
    for v in reversed(order[1:]):
        pending = _serve_part(v, waiting[v], parent, v in wanted, network.directed, backwards)
        waiting[v] = []
        if pending:
            waiting[parent[v]].append(pending)
    for pending in waiting[source]:
        for i, entry in enumerate(pending):
            if entry > 0:
                backwards[i].append(_call(source, entry - 1, source, parent))
    return _without_vain_calls(backwards[::-1], wanted)


def tree_accumulation(network: Network, root: int) -> Rounds:
    """An optimal accumulation at `root` in a tree, undirected or directed towards the root: a broadcast run backwards.

    Raises InputError when the network is no tree, or the root is outside it or not within reach of all nodes.
    """
    return reversed_rounds(tree_broadcast(network.reversed(), root))


def reversed_rounds(rounds: Rounds) -> Rounds:
    """The protocol run backwards in time, every call and its path turned round."""
    return [[(callee, caller, path[::-1]) for caller, callee, path in calls] for calls in reversed(rounds)]


def tree_multicast_time(network: Network, source: int, targets: Collection[int]) -> int:
    """The least number of rounds of a multicast from `source` to `targets` in a tree, undirected or directed.

    Raises InputError as `tree_multicast` does.
    """
    order, parent = _rooted_for(network, source, targets)
    inward = _inward_lists(order, parent, set(targets), network.directed)
    return max((len(inward[v]) for v in order[1:]), default=0)


def part_times(network: Network, targets: Collection[int] | None = None) -> list[list[int]]:
    """For every node v of an undirected tree the rounds it needs for the parts behind its neighbours, in the order of `successors[v]`.

    targets: whom to inform, all nodes when not given; the times are then b(T_i^v, v), where T_i^v is v with the part behind its i-th
    neighbour. The greatest of them is the time of the broadcast or multicast from v (Remark 1).
    Takes O(n log n) for all nodes together. Raises InputError when the network is no undirected tree or a target is outside it.
    """
    if network.directed:
        raise InputError("the times of all sources at once need an undirected tree")
    wanted = set(range(network.node_count) if targets is None else targets)
    order, parent = _rooted_for(network, 0, wanted)
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
    """b(T, v) for every node v of an undirected tree: the least number of rounds of a broadcast from v.

    Raises InputError as `part_times` does.
    """
    return [max(times, default=0) for times in part_times(network)]


def broadcast_centres(network: Network) -> tuple[int, list[int]]:
    """b_min and B_min of an undirected tree: the least broadcast time, and the nodes that have it, ascending.

    Raises InputError as `part_times` does.
    """
    times = tree_broadcast_times(network)
    least = min(times)
    return least, [v for v, time in enumerate(times) if time == least]


def require_tree(network: Network) -> None:
    """Raises InputError when the network, without the directions of its arcs, is no tree."""
    reached = [0]
    seen = {0}
    for v in reached:
        near = {*network.successors[v], *network.predecessors[v]} - seen
        seen |= near
        reached += near
    if len(network.edges) != network.node_count - 1 or len(reached) != network.node_count:
        raise InputError("the network is no tree; a tree of n nodes has n - 1 edges that connect them all")


def rooted(network: Network, root: int) -> tuple[list[int], list[int]]:
    """The nodes that `root` reaches in a tree, parents before children, and every node's parent (-1 when it has none)."""
    parent = [-1] * network.node_count
    order = [root]
    for v in order:
        for w in network.successors[v]:
            if w != parent[v]:
                parent[w] = v
                order.append(w)
    return order, parent


def tree_path(caller: int, callee: int, top: int, parent: Sequence[int]) -> tuple[int, ...]:
    """The path from caller to callee in a tree in which they meet at `top`, an ancestor of both."""
    upwards = [caller]
    while upwards[-1] != top:
        upwards.append(parent[upwards[-1]])
    downwards = []
    while callee != top:
        downwards.append(callee)
        callee = parent[callee]
    return (*upwards, *reversed(downwards))


def _call(caller: int, callee: int, top: int, parent: Sequence[int]) -> LineCall:
    return caller, callee, tree_path(caller, callee, top, parent)


def _rooted_for(network: Network, source: int, targets: Collection[int]) -> tuple[list[int], list[int]]:
    require_tree(network)
    network.distances_to([source], targets)
    return rooted(network, source)


def _serve_part(
    v: int, parts: Sequence[Sequence[int]], parent: Sequence[int], wanted: bool, directed: bool, backwards: Rounds
) -> list[int]:
    """One step of Algorithm 1: adds the calls that meet at v to `backwards` (round i at index i - 1), and returns what v's part asks for.

    parts: the same of v's children. Entry i - 1 is x + 1 when x waits for a call in round i, -(z + 1) when z can make one, and 0 when the
    edge is free; so its sign is L[i]. wanted: whether v is a target.
    """
    rounds = max(map(len, parts), default=0)
    callees: list[list[int]] = [[] for _ in range(rounds + 1)]
    callers: list[list[int]] = [[] for _ in range(rounds + 1)]
    for part in parts:
        for i, entry in enumerate(part):
            if entry > 0:
                callees[i].append(entry - 1)
            elif entry < 0:
                callers[i].append(-entry - 1)
    tau = _informing_round([len(x) - len(z) for x, z in zip(callees, callers, strict=True)][:rounds], wanted)
    if tau:
        callees[tau - 1].append(v)
    backwards += [[] for _ in range(max(tau, rounds) - len(backwards))]
    pending = []
    for i in range(max(tau, rounds)):
        if i < tau - 1:
            # v serves its children itself, and one call of its own leaves in place of any that they could make.
            backwards[i] += [_call(v, x, v, parent) for x in callees[i]]
            pending.append(0 if directed else -v - 1)
        else:
            backwards[i] += [_call(z, x, v, parent) for z, x in zip(callers[i], callees[i], strict=False)]
            served = min(len(callers[i]), len(callees[i]))
            # At most one is left to be called; of the calls that could still be made, one fits through the edge above v.
            pending.append(callees[i][-1] + 1 if callees[i][served:] else -callers[i][-1] - 1 if callers[i][served:] else 0)
    return pending


def _informing_round(rho: Sequence[int], wanted: bool) -> int:
    """The round tau_v, counted from the end, in which Algorithms 1 and 2 inform a node v; 0 when v need not be informed.

    rho: for every round the calls into the parts behind v's children less those out of them. wanted: whether v is a target.
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
    """The list L of the part with v on top, from the sums of its children's lists. wanted: whether v is a target."""
    tau = _informing_round(rho, wanted)
    if not tau:
        return rho
    at_tau = max(-1, rho[tau - 1] + 1) if tau <= len(rho) else 1
    return [0 if directed else -1] * (tau - 1) + [at_tau] + rho[tau:]


def _inward_lists(order: Sequence[int], parent: Sequence[int], wanted: Collection[int], directed: bool) -> list[list[int]]:
    """For every node but the root the list L of the part behind the edge to its parent; empty for the root."""
    parts: list[list[list[int]]] = [[] for _ in parent]
    inward: list[list[int]] = [[] for _ in parent]
    for v in reversed(order[1:]):
        inward[v] = _crossings(_sums(parts[v]), v in wanted, directed)
        parts[parent[v]].append(inward[v])
    return inward


def _sums(lists: Collection[Sequence[int]]) -> list[int]:
    """The sums of the lists' entries, index by index; a list is 0 beyond its end."""
    sums = [0] * max(map(len, lists), default=0)
    for entries in lists:
        for i, entry in enumerate(entries):
            sums[i] += entry
    return sums


def _without(sums: Sequence[int], entries: Iterable[int]) -> list[int]:
    """The sums less one of the lists they were made of, up to the longest list that is left."""
    rest = list(sums)
    for i, entry in enumerate(entries):
        rest[i] -= entry
    # Every list ends with a 1, so the last round of the longest one has a positive sum.
    while rest and not rest[-1]:
        rest.pop()
    return rest


def _without_vain_calls(rounds: Rounds, wanted: Collection[int]) -> Rounds:
    """The protocol without the calls to nodes that are not wanted and make no call later themselves."""
    useful = set(wanted)
    kept: Rounds = []
    for calls in reversed(rounds):
        needed = [call for call in calls if call[1] in useful]
        useful.update(caller for caller, _, _ in needed)
        kept.append(needed)
    return kept[::-1]
