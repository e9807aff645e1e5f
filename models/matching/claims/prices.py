"""What prices for items prove of one-way gossip in a network of bounded degree: a programme in integers.

Theorem 4 of docs/theorems.md. Lift a schedule to the universal covering tree; there an item has one way
only to a node, and a node knows at least as much as in the network. What matters of a node is, for every
edge, its tag (how it was last used) and its batch: the number of items known that were neither received
over the edge, nor sent over it since. A call over an edge brings the caller's batch there. Let the caller
be paid a price for it by the called, one that depends on the round, the edge's tag and the batch. However
a node acts, what it learns and earns together is at most its best gain; the payments add up to 0; so on
average a node knows at most 1 + the best gain at the end, whatever the prices are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.network.graph import Network
from schedsolve.problem import Problem

from ..rules import is_two_way

Edge = tuple[int, int]
"""The tag of an edge as one of its ends sees it, and its batch there. The tag is 0 before the first use,
then r after a call made, and -r after one received; r is the round, or 1 where the tags tell only the
direction.
"""
Node = tuple[Edge, ...]
"""The edges of a node, in increasing order."""

LARGEST_DEGREE = 12
MOST_ROUNDS = 12
MOST_MOVES = 20_000_000


@dataclass(frozen=True)
class Prices:
    """Prices for the rounds 1, ..., rounds in networks of at most a degree.

    timed: whether tags tell the round of the last use. sizes: the batches told apart, others are rounded
    up to the next of them and left as they are above all; empty when all are.
    unit: what one item is worth in the prices. table: the price for a round, a tag as the caller sees it,
    and a batch.
    """

    degree: int
    rounds: int
    timed: bool
    sizes: tuple[int, ...]
    unit: int
    table: Mapping[tuple[int, int, int], int]

    def rounded(self, batch: int) -> int:
        """The size that stands for a batch."""
        return next((size for size in self.sizes if size >= batch), batch)

    def tag(self, number: int, direction: int) -> int:
        """The tag of an edge after a call in a round, made (1) or received (-1)."""
        return direction * (number if self.timed else 1)


def prices_claim(problem: Problem, evidence: Mapping[str, Any]) -> int:
    """One more than the rounds that the prices are for, when 1 + the best gain is less than the nodes to be
    known.

    evidence: "degree", "rounds", "tags" ("direction" or "round"), "sizes", "unit", "prices" as [round, tag,
    batch, price], and "gain", the best gain in units, which has to be exactly what the prices give.
    Raises ClaimError where the prices prove nothing.
    """
    network = problem.network
    prices = _read(evidence)
    refuse_other_problems(problem, prices.degree)
    gain = best_gain(prices)
    if evidence.get("gain") != gain:
        raise ClaimError(
            f"with these prices a node gains up to {Fraction(gain, prices.unit)} items, not"
            f" {evidence.get('gain')!r:.40}/{prices.unit} as is said"
        )
    if Fraction(gain, prices.unit) + 1 >= network.node_count:
        raise ClaimError(
            f"the prices allow {1 + Fraction(gain, prices.unit)} items for a node in {prices.rounds} rounds,"
            f" and there are {network.node_count}"
        )
    return prices.rounds + 1


def greatest_degree(network: Network) -> int:
    """The most neighbours that a node has, whatever the directions."""
    return max(len({*near, *network.predecessors[v]}) for v, near in enumerate(network.successors))


def refuse_other_problems(problem: Problem, allowed: int) -> None:
    """Raise ClaimError unless it is a one-way gossip and no node has a greater degree than allowed."""
    if problem.task != "gossip" or is_two_way(problem):
        raise ClaimError("prices are for one-way gossip")
    degree = greatest_degree(problem.network)
    if degree > allowed:
        raise ClaimError(f"the prices are for degree {allowed}, and a node has degree {degree}")


def _read(evidence: Mapping[str, Any]) -> Prices:
    numbers = [evidence.get(name) for name in ("degree", "rounds", "unit")]
    sizes, tags = evidence.get("sizes"), evidence.get("tags")
    if not all(type(number) is int and number >= 1 for number in numbers) or tags not in (
        "direction",
        "round",
    ):
        raise ClaimError('prices say "degree", "rounds", "unit" and "tags", "direction" or "round"')
    if not isinstance(sizes, list) or not all(type(size) is int and size >= 1 for size in sizes):
        raise ClaimError('"sizes" of prices are whole numbers')
    degree, rounds, unit = numbers
    assert isinstance(degree, int)
    assert isinstance(rounds, int)
    assert isinstance(unit, int)
    if degree > LARGEST_DEGREE or rounds > MOST_ROUNDS:
        raise ClaimError(f"prices are looked at up to degree {LARGEST_DEGREE} and {MOST_ROUNDS} rounds")
    return Prices(degree, rounds, tags == "round", tuple(sorted(sizes)), unit, price_table(evidence))


def price_table(evidence: Mapping[str, Any]) -> dict[tuple[int, int, int], int]:
    """The price for a round, a tag as the caller sees it, and a batch. Raises ClaimError when they are not
    given so.
    """
    table = evidence.get("prices")
    if not isinstance(table, list) or not all(
        isinstance(entry, list) and len(entry) == 4 and all(type(number) is int for number in entry)
        for entry in table
    ):
        raise ClaimError("a price is given as [round, tag, batch, price]")
    return {(t, tag, batch): price for t, tag, batch, price in table}


def best_gain(prices: Prices) -> int:
    """What a node can learn and earn at most, in units. Raises ClaimError where a price is missing.

    The gain from round t on is the best of: to do nothing in round t; to sell the batch of an edge; to buy
    over an edge any batch that some node could sell over an edge with that tag.
    """
    start: Node = ((0, 1),) * prices.degree
    layers: list[set[Node]] = [{start}]
    offers: list[dict[int, list[int]]] = []
    moves = 0
    for t in range(1, prices.rounds + 1):
        offers.append(offers_by_tag(layers[-1]))
        if t < prices.rounds:
            following = set(layers[-1])
            for node in layers[-1]:
                after = [new for _, new in _moves(prices, t, node, offers[-1])]
                following.update(after)
                moves += len(after)
            if moves > MOST_MOVES:
                raise ClaimError("the prices have too many cases to look at")
            layers.append(following)
    gains = _last_gains(prices, layers[-1], offers[-1])
    for t in range(prices.rounds - 1, 0, -1):
        later = gains
        gains = {
            node: max(
                [later[node], *(gain + later[new] for gain, new in _moves(prices, t, node, offers[t - 1]))]
            )
            for node in layers[t - 1]
        }
    return gains[start]


def offers_by_tag(nodes: Iterable[Node]) -> dict[int, list[int]]:
    """For every tag, as the caller sees it, the batches that nodes could sell."""
    edges = sorted({edge for node in nodes for edge in node if edge[1]})
    return {tag: [batch for _, batch in same] for tag, same in groupby(edges, key=lambda edge: edge[0])}


def _price(prices: Prices, t: int, tag: int, batch: int) -> int:
    try:
        return prices.table[t, tag, batch]
    except KeyError:
        raise ClaimError(f"there is no price in round {t} for tag {tag} and batch {batch}") from None


def _moves(prices: Prices, t: int, node: Node, offers: Mapping[int, list[int]]) -> Iterator[tuple[int, Node]]:
    """What a node may do in round t: what it gains by it at once, and what it is then."""
    for place, (tag, batch) in enumerate(node):
        if place and node[place - 1] == (tag, batch):
            continue
        others = node[:place] + node[place + 1 :]
        if batch:
            sold = (*others, (prices.tag(t, 1), 0))
            yield _price(prices, t, tag, batch), tuple(sorted(sold))
        for bought in offers.get(-tag, ()):
            grown = [(other, prices.rounded(known + bought)) for other, known in others]
            gain = prices.unit * bought - _price(prices, t, -tag, bought)
            yield gain, tuple(sorted([*grown, (prices.tag(t, -1), batch)]))


def _last_gains(prices: Prices, nodes: set[Node], offers: Mapping[int, list[int]]) -> dict[Node, int]:
    """The best gains in the last round, in which nobody cares what a node is afterwards."""
    t = prices.rounds
    selling = {(tag, size): _price(prices, t, tag, size) for tag, sizes in offers.items() for size in sizes}
    buying = {
        -tag: max(prices.unit * size - selling[tag, size] for size in sizes) for tag, sizes in offers.items()
    }
    return {
        node: max([0, *(max(selling.get(edge, 0), buying.get(edge[0], 0)) for edge in node)])
        for node in nodes
    }
