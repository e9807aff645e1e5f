"""Disjoint groups of nodes, each with compute nodes, and the bandwidth between them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from schedsolve.network.graph import Network
from schedsolve.network.partition import Partition
from schedsolve.runtime.errors import ClaimError, InputError

Groups = Sequence[Collection[int]]


def groups_of(network: Network, evidence: Mapping[str, Any]) -> list[frozenset[int]]:
    """Return the "groups" of evidence, lists of labels; without them, every compute node by itself.

    Raises
    ------
    ClaimError
        If the groups overlap or omit a compute node, or if fewer than two groups have compute nodes.
    """
    if "groups" not in evidence:
        return [frozenset({v}) for v in network.compute_nodes]
    try:
        groups = [frozenset(network.node(label) for label in group) for group in evidence["groups"]]
    except (InputError, TypeError):
        raise ClaimError("groups are lists of the labels of their nodes") from None
    grouped = [v for group in groups for v in group]
    if len(set(grouped)) < len(grouped) or not set(grouped).issuperset(network.compute_nodes):
        raise ClaimError("every compute node is in one group, and no node is in two")
    if len(groups) < 2 or any(group <= network.switches for group in groups):
        raise ClaimError("there are two groups or more, and each has a compute node")
    return groups


def bandwidth_between(network: Network, groups: Groups, *, inward: bool) -> Fraction:
    """Return the total bandwidth of the links that enter a group (inward), or that leave one."""
    links = links_between(network, groups, inward=inward)
    return sum((Fraction(network.bandwidth_of[link]) for link in links), Fraction(0))


def links_between(network: Network, groups: Groups, *, inward: bool = True) -> list[tuple[int, int]]:
    """Return the links that enter a group from outside it (inward), or that leave one."""
    group_of = {v: i for i, nodes in enumerate(groups) for v in nodes}
    found = []
    for link in network.arcs:
        near, far = (group_of.get(link[end]) for end in (inward, not inward))
        if near is not None and near != far:
            found.append(link)
    return found


def joined_groups(network: Network, links: Iterable[tuple[int, int]]) -> list[frozenset[int]]:
    """Return the connected components of the links, ignoring direction, that have compute nodes."""
    parts = Partition(range(network.node_count), links)
    members: dict[int, set[int]] = {}
    for v in range(network.node_count):
        members.setdefault(parts.first(v), set()).add(v)
    return [frozenset(nodes) for nodes in members.values() if not nodes <= network.switches]


def groups_by_weight(
    network: Network, weights: Mapping[tuple[int, int], float | Fraction]
) -> Iterator[list[frozenset[int]]]:
    """Yield the groups that the heaviest links join, for every weight of a link, the heaviest first.

    Before these, every compute node by itself is yielded; a single group of all nodes is not.
    """
    yield [frozenset({v}) for v in network.compute_nodes]
    for least in sorted(set(weights.values()), reverse=True):
        groups = joined_groups(network, (link for link, weight in weights.items() if weight >= least))
        if len(groups) < 2:
            return
        yield groups
