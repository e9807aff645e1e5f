"""Optimal broadcast, multicast and accumulation in trees under the all-port line model.

Every call comes with its path.

Source: Cohen, Broadcasting, multicasting and gossiping in trees under the all-port line model,
Algorithms 1 and 2. As there, rounds are counted from the end while a protocol is built, and the
demand of the part of the tree behind an edge is a list L: L[i] = 1 if in round i a call enters the
part, -1 if one of its nodes can call outwards, 0 if the edge is free. Every list is the least
possible one, where the earliest rounds count most; its last entry is the first call that enters.
Round i is at index i - 1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from schedsolve.network.graph import Network

from ..claims.trees import informing_round, rooted_for

LineCall = tuple[int, int, tuple[int, ...]]
"""The caller, the callee, and the nodes of the path from caller to callee, both included."""

Rounds = list[list[LineCall]]
"""A protocol: the calls of every round, from round 1."""


def tree_broadcast(network: Network, source: int) -> Rounds:
    """Return an optimal broadcast from `source` in a tree, undirected or directed away from the source.

    Raises
    ------
    InputError
        If the network is not a tree, or if the source is outside it or does not reach all nodes.

    References
    ----------
    Cohen, Theorem 1, Section 2.2.1.
    """
    return tree_multicast(network, source, range(network.node_count))


def tree_multicast(network: Network, source: int, targets: Collection[int]) -> Rounds:
    """Return an optimal multicast from `source` to `targets` in a tree, undirected or directed.

    Nodes outside the targets are informed only to make a call in a later round; no node is informed
    twice.

    Raises
    ------
    InputError
        If the network is not a tree, if a node is outside it, or if the source does not reach all
        targets.

    References
    ----------
    Cohen, Corollaries 1 and 2.
    """
    order, parent = rooted_for(network, source, targets)
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


def reversed_rounds(rounds: Rounds) -> Rounds:
    """Return the protocol run backwards in time, with every call and its path reversed."""
    return [[(callee, caller, path[::-1]) for caller, callee, path in calls] for calls in reversed(rounds)]


def through_centre(broadcast: Rounds) -> Rounds:
    """Return the gossip that accumulates everything at a broadcast's source and broadcasts it from there.

    If a single call ends the accumulation, both of its ends know everything after it, so it is the
    first call of the broadcast as well.
    """
    shared = bool(broadcast) and len(broadcast[0]) == 1
    return reversed_rounds(broadcast) + broadcast[1 if shared else 0 :]


def tree_path(caller: int, callee: int, top: int, parent: Sequence[int]) -> tuple[int, ...]:
    """Return the path from caller to callee in a tree; `top` is their lowest common ancestor."""
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


def _serve_part(
    v: int,
    parts: Sequence[Sequence[int]],
    parent: Sequence[int],
    wanted: bool,
    directed: bool,
    backwards: Rounds,
) -> list[int]:
    """Add the calls that meet at v to `backwards`, and return the demand of v's part.

    This is one step of Algorithm 1. Round i is at index i - 1 of `backwards`.

    Parameters
    ----------
    v
        The node.
    parts
        The demands of the parts of v's children. Entry i - 1 of a demand is x + 1 if x waits for a
        call in round i, -(z + 1) if z can make one, and 0 if the edge is free; so its sign is L[i].
    parent
        The parent of every node.
    wanted
        Whether v is a target.
    directed
        Whether the network is directed.
    backwards
        The calls so far, by round from the end.
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
    tau = informing_round([len(x) - len(z) for x, z in zip(callees, callers, strict=True)][:rounds], wanted)
    if tau:
        callees[tau - 1].append(v)
    backwards += [[] for _ in range(max(tau, rounds) - len(backwards))]
    pending = []
    for i in range(max(tau, rounds)):
        if i < tau - 1:
            # v serves its children itself, and one call of its own leaves the part instead of the calls that
            # they could make.
            backwards[i] += [_call(v, x, v, parent) for x in callees[i]]
            pending.append(0 if directed else -v - 1)
        else:
            backwards[i] += [_call(z, x, v, parent) for z, x in zip(callers[i], callees[i], strict=False)]
            served = min(len(callers[i]), len(callees[i]))
            # At most one node is left to be called; of the calls that could still be made, one fits through
            # the edge above v.
            free = -callers[i][-1] - 1 if callers[i][served:] else 0
            pending.append(callees[i][-1] + 1 if callees[i][served:] else free)
    return pending


def _without_vain_calls(rounds: Rounds, wanted: Collection[int]) -> Rounds:
    """Return the protocol without calls to nodes that are not wanted and make no later call themselves."""
    useful = set(wanted)
    kept: Rounds = []
    for calls in reversed(rounds):
        needed = [call for call in calls if call[1] in useful]
        useful.update(caller for caller, _, _ in needed)
        kept.append(needed)
    return kept[::-1]
