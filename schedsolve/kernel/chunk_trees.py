"""Bounds on collectives in steps by prices of links and trees to several destinations.

The sends of a chunk cost at least as much as the cheapest tree in time to all its destinations.
The cost for a node and a set of destinations is the least price at which a chunk that is at the
node before a step reaches all of the set by the end. In the step the node keeps the chunk, and
sends it over any of its hops; each destination is then reached through one of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from .chunk_bounds import as_copies, bandwidth_bound, hop_costs
from .chunk_prices import by_step, price_bound, rounds_per_chunk
from .chunk_steps import shipments
from .network import Network
from .wrong import require


def tree_price_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> Fraction:
    """Every chunk pays the prices in evidence.json on a tree; a round takes in a limited sum."""
    copied, network = as_copies(claim, network)
    links = by_step(claim["steps"], claim["evidence"]["links"])
    hops = [hop_costs(network, prices) for prices in links]
    trees = [cheapest_tree(v, ends, hops) for v, ends in shipments(copied, network) if ends]
    return rounds_per_chunk(claim, network, sum(trees, Fraction(0)), links)


def cheapest_tree(origin: int, ends: list[int], hops: Any) -> Fraction:
    """Return the least price of sends that reach all the ends, by the prices of hops per step."""
    sets, far = range(1 << len(ends)), float("inf")
    nodes = {origin, *ends, *(v for prices in hops for hop in prices for v in hop)}
    alone = {v: 1 << i for i, v in enumerate(ends)}
    after: dict[int, list[Any]] = {
        v: [0 if not wanted or wanted == alone.get(v) else far for wanted in sets] for v in nodes
    }
    for prices in reversed(hops):
        before = dict(after)
        for (u, v), price in prices.items():
            sent = [0, *(cost + price for cost in after[v][1:])]
            kept = before[u]
            before[u] = [min(kept[a ^ b] + sent[b] for b in parts(a)) for a in sets]
        after = before
    require(after[origin][-1] < far, "a destination is out of reach, whatever the prices")
    return Fraction(after[origin][-1])


def parts(wanted: int) -> Iterator[int]:
    """Yield the subsets of a set, given as the bits of a number."""
    part = wanted
    while part:
        yield part
        part = (part - 1) & wanted
    yield 0


def part_of(claim: dict[str, Any]) -> dict[str, Any]:
    """Return the claim for the part of an allreduce that evidence.json names.

    Its sends contain a broadcast from any compute node, of its contribution, and a reduce to any.
    """
    part = claim["evidence"]
    named = claim["task"] == "allreduce" and part["task"] in ("broadcast", "reduce")
    require(named, "only an allreduce has such a part")
    return {**claim, "task": part["task"], "sources": [part["node"]], "evidence": part["evidence"]}


def part_by_prices(claim: dict[str, Any], network: Network, files: dict[str, str]) -> Fraction:
    """Part of the allreduce pays the prices in evidence.json on its routes."""
    return price_bound(part_of(claim), network, files)


def part_by_trees(claim: dict[str, Any], network: Network, files: dict[str, str]) -> Fraction:
    """Part of the allreduce pays the prices in evidence.json on its trees."""
    return tree_price_bound(part_of(claim), network, files)


def part_by_bandwidth(claim: dict[str, Any], network: Network, files: dict[str, str]) -> Fraction:
    """Part of the allreduce must be sent over the links at a node."""
    return bandwidth_bound(part_of(claim), network, files)
