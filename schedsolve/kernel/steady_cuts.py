"""Bounds on collectives by what must leave sets of nodes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .network import Network
from .ranks import ranks_of, units_from
from .wrong import require


def cut_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> Fraction:
    """Units must leave the nodes of evidence.json over the bandwidth that leaves them."""
    nodes = set(claim["evidence"]["nodes"])
    units = units_leaving(claim, network, nodes)
    return units / bandwidth_leaving(network, [nodes])[0]


def units_leaving(claim: dict[str, Any], network: Network, nodes: set[int]) -> int:
    """Return how many units must leave the nodes; contributions to one result count as one."""
    ranks, task = ranks_of(claim, network), claim["task"]
    inside = len(nodes.intersection(ranks))
    outside = len(ranks) - inside
    here = [units_from(claim, ranks, v) for v in nodes.intersection(ranks)]
    from_here = nodes.issuperset(claim.get("sources") or [])
    return {
        "alltoall": inside * outside,
        "alltoallv": sum(x for units in here for w, x in units.items() if w not in nodes),
        "allgather": inside if outside else 0,
        "allgatherv": sum(max(units.values(), default=0) for units in here) if outside else 0,
        "reduce-scatter": outside if inside else 0,
        "allreduce": min(inside, outside, 1),
        "broadcast": min(outside, 1) if from_here else 0,
        "scatter": outside if from_here else 0,
        "reduce": 0 if from_here else min(inside, 1),
        "gather": 0 if from_here else inside,
    }[task]


def bandwidth_leaving(network: Network, groups: Any) -> tuple[Fraction, Fraction]:
    """Return the bandwidth of all links that leave one of the disjoint groups, and enter one."""
    group = {v: i for i, nodes in enumerate(groups) for v in nodes}
    across = [(u, v) for u, v in network.arcs if group.get(u) != group.get(v)]
    out = [network.bandwidth[u, v] for u, v in across if u in group]
    into = [network.bandwidth[u, v] for u, v in across if v in group]
    return Fraction(sum(out)), Fraction(sum(into))


def sends_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> Fraction:
    """In an allreduce every part is sent at least 2 (K - 1) times between K groups.

    A group knows what any of its nodes knows. Take the sends in the order in which they arrive. The
    first group that knows something of all K does so after at least K - 1 sends, since these
    connect it with all others. After that, each of the other groups must still be sent something.
    Nodes that are no ranks are in groups too, since they could add up and copy.
    """
    compute = [v for v in range(network.n) if v not in network.switches]
    ranks = ranks_of(claim, network)
    groups = claim["evidence"].get("groups") or [[v] for v in compute]
    members = [v for nodes in groups for v in nodes]
    require(len(set(members)) == len(members) and set(members).issuperset(compute), "no groups")
    require(all(set(nodes).intersection(ranks) for nodes in groups), "a group without ranks")
    allowed = claim["task"] == "allreduce" and not claim.get("switches_copy")
    require(allowed and len(groups) > 1, "sends are counted for an allreduce without copies")
    return 2 * (len(groups) - 1) / min(bandwidth_leaving(network, groups))
