"""What a node can earn when calls are paid for: the market that Theorems 6 and 8 of docs/theorems.md share.

Lift a schedule to the universal covering tree; there an item has one way only to a node, and a node knows at
least as much as in the network. What matters of a node is, for every edge, its tag (how it was last used) and
its batch: the number of items known that were neither received over the edge, nor sent over it since. A call
over an edge brings the caller's batch there. Let the called pay the caller a price for it, one that depends
on the round, the edge's tag and the batch. The payments add up to 0.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError

from ..rules import is_two_way

Edge = tuple[int, int]
"""The tag of an edge as one of its ends sees it, and its batch there. The tag is 0 before the first use,
then r after a call made, and -r after one received; r is the round, or 1 where the tags tell only the
direction.
"""
Node = tuple[Edge, ...]
"""The edges of a node, in increasing order."""
State = tuple[int, Node]
"""How many items a node knows, `wanted` standing for more too, and its edges."""
Key = tuple[int, int, int]
"""What a price depends on: the round, the tag as the caller sees it, and the batch."""
Offers = Mapping[int, list[int]]
"""For every tag as the caller sees it the batches that some node could sell."""
Earned = tuple[int, ...]
"""The most that is earned, by what is asked of a node in the end."""

LARGEST_DEGREE = 12
MOST_ROUNDS = 12
MOST_MOVES = 20_000_000
LARGEST_PRICE = 10**9
NEVER = -(10**18)
"""Less than anybody can earn: what a destination earns that ends without all items."""


def greatest_degree(network: Network) -> int:
    """Return the most neighbours that a node has, whatever the directions."""
    return max(len({*near, *network.predecessors[v]}) for v, near in enumerate(network.successors))


def refuse_other_problems(problem: Problem, allowed: int) -> None:
    """Raise ClaimError unless it is a one-way gossip and no node has a greater degree than allowed."""
    if problem.task != "gossip" or is_two_way(problem):
        raise ClaimError("prices are for one-way gossip")
    degree = greatest_degree(problem.network)
    if degree > allowed:
        raise ClaimError(f"the prices are for degree {allowed}, and a node has degree {degree}")


def price_table(evidence: Mapping[str, Any]) -> dict[Key, int]:
    """Return the prices of evidence, "prices" as [round, tag, batch, price].

    Raises
    ------
    ClaimError
        If they are not given so, or too large.
    """
    table = evidence.get("prices")
    if not isinstance(table, list) or not all(
        isinstance(entry, list) and len(entry) == 4 and all(type(number) is int for number in entry)
        for entry in table
    ):
        raise ClaimError("a price is given as [round, tag, batch, price]")
    if any(abs(price) > LARGEST_PRICE for *_, price in table):
        raise ClaimError(f"prices are at most {LARGEST_PRICE}")
    return {(t, tag, batch): price for t, tag, batch, price in table}


@dataclass(frozen=True)
class Market:
    """Prices for some rounds within a gossip.

    Attributes
    ----------
    rounds
        How many rounds they are.
    wanted
        The number of items that a destination needs.
    timed
        Whether tags tell the round of an edge's last use.
    table
        The prices; larger batches count as `wanted`.
    """

    degree: int
    rounds: int
    wanted: int
    timed: bool
    table: Mapping[Key, int]

    def start(self, knows: bool) -> State:
        """Return a node at the start."""
        own = 1 if knows else 0
        return own, ((0, own),) * self.degree

    def price(self, key: Key) -> int:
        """Return a price.

        Raises
        ------
        ClaimError
            Where there is none.
        """
        try:
            return self.table[key]
        except KeyError:
            raise ClaimError("there is no price in round {} for tag {} and batch {}".format(*key)) from None

    def deals(self, t: int, state: State, offers: Offers) -> Iterator[tuple[int, Key, State]]:
        """Yield what a node may do in round t: 1 if it is paid, -1 if it pays; for what; and what it is then.

        It sells the batch of an edge, or buys over an edge any batch that some node could sell there.
        """
        known, edges = state
        number = t if self.timed else 1
        for place, (tag, batch) in enumerate(edges):
            if place and edges[place - 1] == (tag, batch):
                continue
            others = edges[:place] + edges[place + 1 :]
            if batch:
                yield 1, (t, tag, batch), (known, tuple(sorted([*others, (number, 0)])))
            for bought in offers.get(-tag, ()):
                grown = [(other, min(self.wanted, new + bought)) for other, new in others]
                after = min(self.wanted, known + bought), tuple(sorted([*grown, (-number, batch)]))
                yield -1, (t, -tag, bought), after


def earnings(
    market: Market, first: Collection[State], last: Callable[[State, Offers], Iterable[Earned]]
) -> dict[State, Earned]:
    """Return the most that a node can earn that starts as one of the states `first`.

    It is a vector by what is asked of the node in the end. Raises ClaimError where a price is missing, or
    there is too much to look at.

    last: what may be earned in the last round and after it, for the state before and the batches on offer.

    The program: from round t on a node earns the best of what it may do in round t together with what it
    earns afterwards.
    """
    layers, offers = _states(market, first)
    later = {state: best(last(state, offers[-1])) for state in layers[-1]}
    for t in range(market.rounds - 1, 0, -1):
        now = {}
        for state in layers[t - 1]:
            choices = [later[state]]
            for sign, key, new in market.deals(t, state, offers[t - 1]):
                paid = sign * market.price(key)
                choices.append(tuple(paid + earned for earned in later[new]))
            now[state] = best(choices)
        later = now
    return later


def best(choices: Iterable[Earned]) -> Earned:
    """Return the most of all choices, for each thing that may be asked in the end."""
    return tuple(map(max, zip(*choices, strict=True)))


def offers_by_tag(nodes: Iterable[Node]) -> dict[int, list[int]]:
    """For every tag, as the caller sees it, the batches that nodes could sell."""
    edges = sorted({edge for node in nodes for edge in node if edge[1]})
    return {tag: [batch for _, batch in same] for tag, same in groupby(edges, key=lambda edge: edge[0])}


def _states(market: Market, first: Collection[State]) -> tuple[list[set[State]], list[Offers]]:
    """Return what a node can be before each round, and the batches it can be offered."""
    layers, offers, moves = [set(first)], list[Offers](), 0
    for t in range(1, market.rounds + 1):
        offers.append(offers_by_tag(edges for _, edges in layers[-1]))
        if t < market.rounds:
            following = set(layers[-1])
            for state in layers[-1]:
                after = [new for *_, new in market.deals(t, state, offers[-1])]
                following.update(after)
                moves += len(after)
                if moves > MOST_MOVES:
                    raise ClaimError("the prices have too many cases to look at")
            layers.append(following)
    return layers, offers
