"""Collectives in the steady state whose units are flows, over links of given bandwidths.

The compute nodes are the nodes that are not switches. In an alltoall every compute node sends a
unit to every other, in a scatter the source does; in a gather the root gets a unit from every
other. A flow leaves 1 unit at every other compute node, and the same total enters at its
source; for a gather all is reversed. Other nodes pass on what they get. In a time T a link of
bandwidth b carries at most b T, of all flows together.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

from .network import Network, turned_round
from .steady_loads import orbit_firsts, require_carried
from .wrong import require


def flows_in_words(claim: dict[str, Any]) -> tuple[str, str]:
    """Return the quantity that the claim is about, and the rules."""
    ends = f" of node {claim['sources'][0]}" if claim.get("sources") else ""
    quantity = f"the least time of a unit of {claim['task']}{ends}, in the steady state,"
    return quantity, "Units are flows; in a time T a link of bandwidth b carries at most b T."


def replay_flows(claim: dict[str, Any], network: Network, schedule: Any) -> Fraction:
    """Check a schedule against the rules and the task, and return its time."""
    compute = [v for v in range(network.n) if v not in network.switches]
    images, time = schedule.get("symmetries", []), Fraction(schedule["time"])
    firsts = orbit_firsts(network, images)[0]
    listed = [flow["node"] for flow in schedule["flows"]]
    stood_for = [v for v in range(network.n) if firsts[v] in {firsts[node] for node in listed}]
    once = len({firsts[node] for node in listed}) == len(listed)
    require(once and stood_for == sorted(ends_of(claim, compute)), "the flows are of other nodes")
    loads: dict[Any, Fraction] = defaultdict(Fraction)
    sign = -1 if claim["task"] == "gather" else 1
    for flow in schedule["flows"]:
        wanted = {v: Fraction(v in compute) for v in range(network.n)}
        wanted[flow["node"]] = Fraction(1 - len(compute))
        for u, v, text in flow["links"]:
            amount = Fraction(text)
            require((u, v) in network.bandwidth and amount > 0, f"{u} {v} {amount} is no flow")
            loads[flow["node"], (u, v)] += amount
            wanted[u] += sign * amount
            wanted[v] -= sign * amount
        require(not any(wanted.values()), f"the flow of node {flow['node']} leaves something over")
    require_carried(network, loads, images, time)
    return time


def ends_of(claim: dict[str, Any], compute: list[int]) -> list[int]:
    """Return the nodes that each have a flow."""
    require(claim["task"] in ("alltoall", "scatter", "gather"), "no task of flows")
    return compute if claim["task"] == "alltoall" else claim["sources"]


def lengths_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> Fraction:
    """Every unit goes at least the distance of its ends, by the lengths in evidence.json.

    In a time T links carry at most T times the sum of bandwidth times length.
    """
    lengths = {(u, v): Fraction(x) for u, v, x in claim["evidence"]["lengths"]}
    require(min(lengths.values()) >= 0, "a length is negative")
    compute = [v for v in range(network.n) if v not in network.switches]
    capacity = sum(network.bandwidth[link] * x for link, x in lengths.items())
    if claim["task"] == "gather":
        network, lengths = turned_round(network), {(v, u): x for (u, v), x in lengths.items()}
    to_go = Fraction(0)
    for start in ends_of(claim, compute):
        far: dict[int, Fraction] = {}
        queue = [(Fraction(0), start)]
        while queue:
            distance, u = heappop(queue)
            if u not in far:
                far[u] = distance
                for v in network.heads[u]:
                    heappush(queue, (distance + lengths.get((u, v), 0), v))
        to_go += sum(far[v] for v in compute)
    return to_go / capacity
