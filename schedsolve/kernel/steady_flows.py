"""Collectives in the steady state whose units are flows, over links of given bandwidths.

The ranks are the nodes that are not switches, or those that are named. In an alltoall every
rank sends a unit to every other, in an alltoallv as many as the sizes say, in a scatter the
source does; in a gather the root gets a unit from every other. A flow leaves its units at the
other ranks, and the same total enters at its source; for a gather all is reversed. Other nodes
pass on what they get. In a time T a link of bandwidth b carries at most b T, of all flows
together.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

from .network import Network, turned_round
from .ranks import ranks_in_words, ranks_of, units_from
from .steady_loads import orbit_firsts, require_carried
from .wrong import require, require_form


def flows_in_words(claim: dict[str, Any]) -> tuple[str, str]:
    """Return the quantity that the claim is about, and the rules."""
    ends = f" of node {claim['sources'][0]}" if claim.get("sources") else ""
    ends += ranks_in_words(claim)
    quantity = f"the least time of a unit of {claim['task']}{ends}, in the steady state,"
    return quantity, "Units are flows; in a time T a link of bandwidth b carries at most b T."


def replay_flows(claim: dict[str, Any], network: Network, schedule: Any) -> Fraction:
    """Check a schedule against the rules and the task, and return its time."""
    flow_form = {"node": int, "links": [[int, int, (int, str)], ...]}
    form = {"time": (int, str), "flows": [flow_form, ...], "symmetries?": [[int, ...], ...]}
    require_form(schedule, form)
    ranks = ranks_of(claim, network)
    network = network._replace(switches=frozenset(range(network.n)).difference(ranks))
    images, time = schedule.get("symmetries", []), Fraction(schedule["time"])
    firsts = orbit_firsts(network, images)[0]
    listed = [flow["node"] for flow in schedule["flows"]]
    stood_for = [v for v in range(network.n) if firsts[v] in {firsts[node] for node in listed}]
    once = len({firsts[node] for node in listed}) == len(listed)
    require(once and stood_for == sorted(ends_of(claim, ranks)), "the flows are of other nodes")
    require(not (images and claim.get("sizes")), "symmetries do not keep sizes")
    loads: dict[Any, Fraction] = defaultdict(Fraction)
    sign = -1 if claim["task"] == "gather" else 1
    for flow in schedule["flows"]:
        units = units_from(claim, ranks, flow["node"])
        wanted = {v: Fraction(units.get(v, 0)) for v in range(network.n)}
        wanted[flow["node"]] = Fraction(-sum(units.values()))
        for u, v, text in flow["links"]:
            amount = Fraction(text)
            require((u, v) in network.bandwidth and amount > 0, f"{u} {v} {amount} is no flow")
            loads[flow["node"], (u, v)] += amount
            wanted[u] += sign * amount
            wanted[v] -= sign * amount
        require(not any(wanted.values()), f"the flow of node {flow['node']} leaves something over")
    require_carried(network, loads, images, time)
    return time


def ends_of(claim: dict[str, Any], ranks: list[int]) -> list[int]:
    """Return the nodes that each have a flow."""
    sources: list[int] = claim.get("sources", ranks)
    return [v for v in sources if units_from(claim, ranks, v)]


def lengths_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> Fraction:
    """Every unit goes at least the distance of its ends, by the lengths in evidence.json.

    In a time T links carry at most T times the sum of bandwidth times length.
    """
    lengths = {(u, v): Fraction(x) for u, v, x in claim["evidence"]["lengths"]}
    require(min(lengths.values()) >= 0, "a length is negative")
    ranks = ranks_of(claim, network)
    capacity = sum(network.bandwidth[link] * x for link, x in lengths.items())
    if claim["task"] == "gather":
        network, lengths = turned_round(network), {(v, u): x for (u, v), x in lengths.items()}
    to_go = Fraction(0)
    for start in ends_of(claim, ranks):
        far: dict[int, Fraction] = {}
        queue = [(Fraction(0), start)]
        while queue:
            distance, u = heappop(queue)
            if u not in far:
                far[u] = distance
                for v in network.heads[u]:
                    heappush(queue, (distance + lengths.get((u, v), 0), v))
        to_go += sum(x * far[v] for v, x in units_from(claim, ranks, start).items())
    return to_go / capacity
