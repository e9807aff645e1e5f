"""Bounds on collectives in steps by prices of links.

In every step s every link has a price for each chunk that crosses it. In any schedule the sends
of a chunk cost at least some least cost, and the C chunks of all shipments together at least C
D, where D is the sum of the least costs of one chunk of each. In step s of r_s rounds the links
take in at most r_s Z_s, where Z_s is the sum of bandwidth times price. So C D <= sum of r_s Z_s
<= R max Z_s for the R rounds of all steps.

A chunk with several destinations has a table of prices for each: in every step and for every
hop, the prices of all tables of a shipment add up to at most that of the hop. The sends of a
chunk contain a route to each destination, so they cost at least the sum of the tables' cheapest
routes. An automorphism that maps shipments to shipments maps tables to tables.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import ceil
from typing import Any

from .calls import is_automorphism
from .chunk_bounds import as_copies, hop_costs
from .chunk_steps import shipments
from .network import Network
from .wrong import require


def price_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> Fraction:
    """Every chunk pays the prices in evidence.json on its route; a round takes in a limited sum."""
    copied, network = as_copies(claim, network)
    wanted, evidence, steps = shipments(copied, network), claim["evidence"], claim["steps"]
    links = by_step(steps, evidence.get("links", []))
    if any(len(ends) > 1 for _, ends in wanted):
        paid, shares = tables_of(network, wanted, steps, evidence)
        require("links" in evidence or not network.switches, "there are no prices of links")
        links = links if "links" in evidence else shares
        for prices, share in zip(links, shares):
            costs = hop_costs(network, prices)
            for hop, price in share.items():
                require(price <= costs.get(hop, -1), f"the tables charge too much from {hop}")
    else:
        hops = [hop_costs(network, prices) for prices in links]
        paid = sum(
            (cheapest_way(hops, hops, o, v) for o, ends in wanted for v in ends), Fraction(0)
        )
    return rounds_per_chunk(claim, network, paid, links)


def rounds_per_chunk(
    claim: dict[str, Any], network: Network, paid: Fraction, links: Any
) -> Fraction:
    """Return the least rounds per chunk if one chunk of every shipment together pays `paid`."""
    require(all(link in network.bandwidth for p in links for link in p), "a price is of no link")
    takings = [sum((network.bandwidth[a] * x for a, x in p.items()), Fraction(0)) for p in links]
    require(max(takings) > 0, "the prices are all 0")
    chunks = claim.get("chunks")
    if not chunks:
        return paid / max(takings)
    missing = ceil((chunks * paid - sum(takings)) / max(takings))
    return Fraction(claim["steps"] + max(0, missing), chunks)


def by_step(steps: int, rows: Any) -> list[dict[tuple[int, int], Fraction]]:
    """Return the prices of every step, from rows [from, to, step, price]."""
    prices: list[dict[tuple[int, int], Fraction]] = [{} for _ in range(steps)]
    for u, v, step, price in rows:
        require(1 <= step <= steps and (u, v) not in prices[step - 1], "a price is out of place")
        require(Fraction(price) >= 0, "a price is negative")
        prices[step - 1][u, v] = Fraction(price)
    return prices


def tables_of(network: Network, wanted: Any, steps: int, evidence: Any) -> tuple[Fraction, Any]:
    """Return what one chunk of every shipment pays by the tables, and the charges by step and hop.

    A charge is the most that the tables of one shipment and their images charge together.
    """
    images = evidence.get("symmetries") or [list(range(network.n))]
    number = {(origin, frozenset(ends)): i for i, (origin, ends) in enumerate(wanted)}
    hops = hop_costs(network, {})
    paid, charged = Fraction(0), defaultdict[Any, Fraction](Fraction)
    for image in images:
        require(is_automorphism(network, image), "a symmetry is no automorphism of the network")
        moved = [number[image[o], frozenset(image[v] for v in ends)] for o, ends in wanted]
        for table in evidence["tables"]:
            (origin, ends), prices = wanted[table["shipment"]], by_step(steps, table["prices"])
            require(table["to"] in ends, "a table is for another node than the shipment's")
            paid += cheapest_way([hops] * steps, prices, origin, table["to"])
            for step, u, v in ((s, *hop) for s in range(steps) for hop in prices[s]):
                charged[moved[table["shipment"]], step, image[u], image[v]] += prices[step][u, v]
    shares: list[dict[tuple[int, int], Fraction]] = [{} for _ in range(steps)]
    for (_, step, u, v), price in charged.items():
        shares[step][u, v] = max(price, shares[step].get((u, v), Fraction(0)))
    return paid, shares


def cheapest_way(hops: Any, prices: Any, origin: int, destination: int) -> Fraction:
    """Return the least price of a route to the destination, with at most one hop per step."""
    cost = {origin: Fraction(0)}
    for step, near in enumerate(hops):
        after = dict(cost)
        for u, v in near:
            if u in cost:
                reached = cost[u] + prices[step].get((u, v), 0)
                after[v] = min(reached, after.get(v, reached))
        cost = after
    return cost[destination]
