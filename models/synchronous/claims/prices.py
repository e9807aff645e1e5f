"""Lower bounds by prices: what every chunk has to pay on its way, against what all links can take in a round.

Prices: every link has, in every step s, a price q >= 0 for each chunk that crosses it. A chunk's sends then
cost at least so much, whatever the schedule; the chunks of all shipments together pay at least C D, where D
sums the least costs of one chunk of each. In step s of r_s rounds the links take in at most r_s Z_s, where
Z_s sums bandwidth times price. So C D <= sum of r_s Z_s <= R max Z_s, for every C.

The least cost of a chunk:
- with one destination, the cheapest way there in S steps, by a layered shortest path;
- with several, a table for each destination splits the prices: in every step and for every hop the prices of
  all tables of a shipment add up to at most the price of the hop. The sends of a chunk contain a way to each
  destination, so that they cost at least the sum of the tables' shortest ways (weak duality of the flow
  program);
- or, with several, the cheapest tree in time that reaches all of them (`trees`).

With symmetries, a table stands for all its images: an automorphism that maps shipments to shipments turns
valid tables into valid tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any, NamedTuple

from schedsolve.modelkit.evidence import Fields, fields
from schedsolve.modelkit.problem import Problem
from schedsolve.network.automorphisms import is_automorphism
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, shown
from schedsolve.runtime.files.number_reader import exact_number

from ..rules.collective import Collective, collective_of
from ..rules.mirror import mirrored
from .hops import Pair, hop_costs, neighbours
from .orbits import shipment_images
from .trees import cheapest_tree

StepPrices = list[dict[Pair, Fraction]]
"""For every step, the first first, the prices of links or hops that are not 0."""


class Table(NamedTuple):
    """What one destination's share of the prices is: of hops, step by step."""

    shipment: int
    destination: int
    prices: StepPrices


def price_bound(problem: Problem, evidence: Mapping[str, Any]) -> Fraction:
    """Return the lower bound on the rounds per chunk that prices prove.

    They are "links" or "tables" (or both) of the evidence. Raises ClaimError when they are malformed or prove
    nothing.
    """
    return least_value(problem, *_flow_terms(problem, evidence))


def price_fields(problem: Problem, _: Mapping[str, Any]) -> Fields:
    """Return the fields of prices of flows: tables where the task, or the part of an allreduce, copies."""
    if problem.task == "allreduce" or collective_of(mirrored(problem)).copies:
        return fields("links", "symmetries", tables=fields("shipment", "to", "prices"))
    return fields("links", "symmetries")


def tree_price_bound(problem: Problem, evidence: Mapping[str, Any]) -> Fraction:
    """Return the lower bound that prices of links prove by cheapest trees.

    Raises
    ------
    ClaimError
        As `price_bound`.
    """
    return least_value(problem, *_tree_terms(problem, evidence))


def price_terms(problem: Problem, evidence: Any) -> tuple[Fraction, list[Fraction]]:
    """Return what a chunk of every shipment pays together, and what the links take in.

    The links take it in during a round of every step, by prices of either kind. Raises ClaimError when they
    are malformed.
    """
    kind = evidence.get("kind") if isinstance(evidence, Mapping) else None
    if kind not in ("prices", "tree-prices"):
        raise ClaimError("prices that exclude compositions are of the kind prices or tree-prices")
    return (_flow_terms if kind == "prices" else _tree_terms)(problem, evidence)


def _flow_terms(problem: Problem, evidence: Mapping[str, Any]) -> tuple[Fraction, list[Fraction]]:
    collective, steps = collective_of(problem), problem.parameters["steps"]
    images = _images(collective, evidence)
    near = neighbours(problem.network)
    if collective.copies:
        tables = _tables(collective, steps, evidence)
        paid = sum((len(images) * _cheapest_way(collective, table, near) for table in tables), Fraction(0))
        shares = _shares(collective, steps, tables, images)
        links = _link_prices(problem.network, steps, evidence) or _covering_links(problem.network, shares)
        _refuse_overspending(problem.network, links, shares)
    else:
        links = _link_prices(problem.network, steps, evidence)
        hops = [hop_costs(problem.network, prices) for prices in links]
        paid = sum(
            (
                _cheapest_way(collective, Table(number, shipment.destinations[0], hops), near)
                for number, shipment in enumerate(collective.shipments)
                if shipment.destinations
            ),
            Fraction(0),
        )
    return paid, _takings(problem.network, links)


def _tree_terms(problem: Problem, evidence: Mapping[str, Any]) -> tuple[Fraction, list[Fraction]]:
    collective, steps = collective_of(problem), problem.parameters["steps"]
    links = _link_prices(problem.network, steps, evidence)
    hops = [hop_costs(problem.network, prices) for prices in links]
    paid = sum(
        (cheapest_tree(shipment.origin, shipment.destinations, hops)[0] for shipment in collective.wanted),
        Fraction(0),
    )
    return paid, _takings(problem.network, links)


def table_shares(problem: Problem, evidence: Mapping[str, Any]) -> StepPrices:
    """For every step and hop the most that the evidence's tables of one shipment charge together."""
    collective, steps = collective_of(problem), problem.parameters["steps"]
    return _shares(collective, steps, _tables(collective, steps, evidence), _images(collective, evidence))


def least_value(problem: Problem, paid: Fraction, takings: Sequence[Fraction]) -> Fraction:
    """Return the least rounds per chunk under prices.

    A chunk of every shipment pays `paid` together, and each round of step s takes in takings[s - 1].

    With the number of chunks given, steps of whole rounds, 1 or more, have to take in enough.
    """
    most = max(takings)
    if most <= 0:
        raise ClaimError("the prices are all 0")
    chunks: int | None = problem.parameters.get("chunks")
    if chunks is None:
        return paid / most
    steps = len(takings)
    missing = chunks * paid - sum(takings)
    return Fraction(steps + max(0, ceil(missing / most)), chunks)


def exact(value: Any) -> Fraction:
    """Return a price from a file: a whole number or "p/q", 0 or more.

    Raises
    ------
    ClaimError
        For anything else.
    """
    price = exact_number(value)
    if price is None:
        raise ClaimError(f"a price is a whole number or a fraction, not {shown(value, 40)}")
    if price < 0:
        raise ClaimError(f"the price {shown(price)} is negative")
    return price


def _images(collective: Collective, evidence: Mapping[str, Any]) -> list[tuple[list[int], list[int]]]:
    """Every symmetry in the evidence, as the images of the nodes and of the shipments.

    The identity when there are none.
    """
    network = collective.network
    given = evidence.get("symmetries", [list(range(network.node_count))])
    images = []
    for image in given if isinstance(given, list) else [None]:
        if (
            not isinstance(image, list)
            or not all(type(v) is int for v in image)
            or not is_automorphism(network, image)
        ):
            raise ClaimError("a symmetry that the prices use is no automorphism of the network")
        try:
            (moved,) = shipment_images(collective, [image])
        except KeyError:
            raise ClaimError("a symmetry that the prices use does not map the task to itself") from None
        images.append((image, moved))
    return images


def _step_prices(network: Network, steps: int, rows: Any) -> StepPrices:
    """Prices given as rows [from, to, step, price], nodes by number."""
    prices: StepPrices = [{} for _ in range(steps)]
    for row in rows if isinstance(rows, list) else [None]:
        if not isinstance(row, list) or len(row) != 4 or not all(type(x) is int for x in row[:3]):
            raise ClaimError("prices are rows [from, to, step, price]")
        u, v, step, price = row
        if not (1 <= step <= steps and 0 <= u < network.node_count and 0 <= v < network.node_count):
            raise ClaimError(f"there is no link {u}-{v} in step {step} that could have a price")
        if (u, v) in prices[step - 1]:
            raise ClaimError(f"the price from {u} to {v} in step {step} is given twice")
        prices[step - 1][u, v] = exact(price)
    return prices


def _link_prices(network: Network, steps: int, evidence: Mapping[str, Any]) -> StepPrices:
    """Return the prices of links in the evidence; none when it has no "links"."""
    if "links" not in evidence:
        return []
    prices = _step_prices(network, steps, evidence["links"])
    for step in prices:
        for link in step:
            if link not in network.arc_set:
                raise ClaimError(f"there is no link from {link[0]} to {link[1]} that could have a price")
    return prices


def _tables(collective: Collective, steps: int, evidence: Mapping[str, Any]) -> list[Table]:
    tables = []
    given = evidence.get("tables")
    for entry in given if isinstance(given, list) else [None]:
        if not isinstance(entry, Mapping):
            raise ClaimError('tables are a list of {"shipment": number, "to": node, "prices": [...]}')
        number, to = entry.get("shipment"), entry.get("to")
        if (
            type(number) is not int
            or not 0 <= number < len(collective.shipments)
            or to not in collective.shipments[number].destinations
        ):
            raise ClaimError(f"no shipment {number!r:.20} goes to {to!r:.20}")
        tables.append(Table(number, to, _step_prices(collective.network, steps, entry.get("prices"))))
    return tables


def _cheapest_way(collective: Collective, table: Table, near: Mapping[int, Sequence[int]]) -> Fraction:
    """Return the least price of a way from a shipment's origin to the destination, at most one hop a step.

    near: the nodes that one hop reaches from every node.
    """
    origin = collective.shipments[table.shipment].origin
    cost: dict[int, Fraction] = {origin: Fraction(0)}
    for prices in table.prices:
        after = dict(cost)
        for u, before in cost.items():
            for v in near[u]:
                reached = before + prices.get((u, v), 0)
                if v not in after or reached < after[v]:
                    after[v] = reached
        cost = after
    if table.destination not in cost:
        raise ClaimError("a destination is out of reach, whatever the prices")
    return cost[table.destination]


def _shares(
    collective: Collective,
    steps: int,
    tables: Sequence[Table],
    images: Sequence[tuple[list[int], list[int]]],
) -> StepPrices:
    """For every step and hop the most that the tables of one shipment charge together."""
    charged: dict[tuple[int, int, Pair], Fraction] = defaultdict(Fraction)
    for image, moved in images:
        for table in tables:
            for step, prices in enumerate(table.prices):
                for (u, v), price in prices.items():
                    charged[moved[table.shipment], step, (image[u], image[v])] += price
    shares: StepPrices = [{} for _ in range(steps)]
    for (_, step, hop), price in charged.items():
        shares[step][hop] = max(price, shares[step].get(hop, Fraction(0)))
    return shares


def _covering_links(network: Network, shares: StepPrices) -> StepPrices:
    """Prices of links that cover the shares, in a network without switches."""
    if network.switches:
        raise ClaimError("in a network with switches the evidence has to give the prices of links")
    return shares


def _refuse_overspending(network: Network, links: StepPrices, shares: StepPrices) -> None:
    for step, (prices, share) in enumerate(zip(links, shares, strict=True), 1):
        costs = hop_costs(network, prices)
        for hop, price in share.items():
            if price > costs.get(hop, Fraction(0)):
                raise ClaimError(
                    f"step {step}: the tables of a shipment charge {shown(price)} from {hop[0]} to {hop[1]},"
                    " more than the links there cost"
                )


def _takings(network: Network, links: StepPrices) -> list[Fraction]:
    """Return what all links together take in during one round of every step, each used to its bandwidth."""
    return [
        sum((price * network.bandwidth_of[link] for link, price in prices.items()), Fraction(0))
        for prices in links
    ]
