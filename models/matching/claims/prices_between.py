"""What prices prove of one-way gossip of bounded degree when its first and its last round are left out.

Theorem 6 of docs/theorems.md. By `.origins` at least p = ceil(n/2) items have to come to p destinations in
the M - 2 rounds between; take just p of both. Lift to the covering tree as in `.prices`: every edge has its
tag and its batch, the number of these items that are new over it. A call is paid for by the called, by a
price that depends on the round, the tag and the batch. A node is one of four kinds: it starts with one of
the items or with none; and it is a destination, that knows p items in the end, or it may do as it likes.
The payments add up to 0. So if the most that each kind can earn adds up to less than 0, there is no gossip,
whatever nodes are both origins and destinations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.problem import Problem

from .prices import (
    LARGEST_DEGREE,
    MOST_MOVES,
    MOST_ROUNDS,
    Node,
    offers_by_tag,
    price_table,
    refuse_other_problems,
)

State = tuple[int, Node]
"""How many items a node knows, `wanted` standing for more too, and its edges."""
Kind = tuple[bool, bool]
"""Whether a node starts with an item, and whether it has to know all in the end."""
Key = tuple[int, int, int]
"""What a price depends on: the round, the tag as the caller sees it, and the batch."""
Offers = Mapping[int, list[int]]
"""For every tag as the caller sees it the batches that some node could sell."""
Earned = tuple[int, ...]
"""The most that is earned, by what is asked of a node in the end."""

NEVER = -(10**18)
"""Less than anybody can earn: what a destination earns that ends without all items."""
LARGEST_PRICE = 10**9


@dataclass(frozen=True)
class Market:
    """Prices for the rounds between the first and the last of a gossip.

    rounds: how many rounds there are between. wanted: the number of items that a destination needs. timed:
    whether tags tell the round of an edge's last use. table: the prices; larger batches count as `wanted`.
    """

    degree: int
    rounds: int
    wanted: int
    timed: bool
    table: Mapping[Key, int]

    def start(self, knows: bool) -> State:
        """A node at the start."""
        own = 1 if knows else 0
        return own, ((0, own),) * self.degree

    def price(self, key: Key) -> int:
        """A price. Raises ClaimError where there is none."""
        try:
            return self.table[key]
        except KeyError:
            raise ClaimError("there is no price in round {} for tag {} and batch {}".format(*key)) from None

    def deals(self, t: int, state: State, offers: Offers) -> Iterator[tuple[int, Key, State]]:
        """What a node may do in round t: 1 if it is paid, -1 if it pays; for what; and what it is then.

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


def prices_between_claim(problem: Problem, evidence: Mapping[str, Any]) -> int:
    """One more than the rounds that the prices are for, when nodes of all kinds together earn less than 0.

    evidence: "degree", "rounds" (of the whole gossip), "wanted" (p), "tags" ("direction" or "round") and
    "prices" as [round, tag, batch, price], where round 1 is the first of those between. Raises ClaimError
    where the prices prove nothing.
    """
    market, n = _read(evidence), problem.network.node_count
    refuse_other_problems(problem, market.degree)
    if 2 * market.wanted > n + 1:
        raise ClaimError(f"the prices are for at least {2 * market.wanted - 1} nodes, and there are {n}")
    if not refutes(market, n):
        raise ClaimError(f"the prices allow {market.rounds + 2} rounds")
    return market.rounds + 3


def refutes(market: Market, n: int) -> bool:
    """Whether n nodes of all kinds together earn less than 0, however many are both origin and destination:
    their number decides linearly, so the least and the greatest are looked at.
    """
    earned, wanted = most_earned(market), market.wanted
    for both in (max(0, 2 * wanted - n), wanted):
        counts = {(True, True): both, (True, False): wanted - both, (False, True): wanted - both}
        counts[False, False] = n - 2 * wanted + both
        if sum(count * earned[kind] for kind, count in counts.items()) >= 0:
            return False
    return True


def most_earned(market: Market) -> dict[Kind, int]:
    """The most that a node of each kind can earn; less than 0 by far where a destination cannot come to know
    all. Raises ClaimError where a price is missing.
    """

    def last(state: State, offers: Offers) -> Iterator[Earned]:
        yield _at_the_end(market, state)
        for sign, key, new in market.deals(market.rounds, state, offers):
            free, bound = _at_the_end(market, new)
            paid = sign * market.price(key)
            yield paid + free, paid + bound

    earned = earnings(market, (market.start(False), market.start(True)), last)
    return {
        (knows, needs): earned[market.start(knows)][needs]
        for knows in (True, False)
        for needs in (True, False)
    }


def earnings(
    market: Market, first: Collection[State], last: Callable[[State, Offers], Iterable[Earned]]
) -> dict[State, Earned]:
    """The most that a node can earn that starts as one of the states `first`, as a vector by what is asked of
    it in the end. Raises ClaimError where a price is missing, or there is too much to look at.

    last: what may be earned in the last round and after it, for the state before and the batches on offer.

    The programme: from round t on a node earns the best of what it may do in round t together with what it
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
    """The most of all choices, for each thing that may be asked in the end."""
    return tuple(map(max, zip(*choices, strict=True)))


def _states(market: Market, first: Collection[State]) -> tuple[list[set[State]], list[Offers]]:
    """What a node can be before each round, and the batches it can be offered."""
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


def _at_the_end(market: Market, state: State) -> Earned:
    return 0, 0 if state[0] >= market.wanted else NEVER


def _read(evidence: Mapping[str, Any]) -> Market:
    degree, rounds, wanted = (evidence.get(name) for name in ("degree", "rounds", "wanted"))
    tags = evidence.get("tags")
    if (
        not (type(degree) is int and type(rounds) is int and type(wanted) is int)
        or min(degree, rounds - 2, wanted) < 1
        or tags not in ("direction", "round")
    ):
        raise ClaimError('prices between say "degree", "rounds", "wanted" and "tags", "direction" or "round"')
    if degree > LARGEST_DEGREE or rounds > MOST_ROUNDS:
        raise ClaimError(f"prices are looked at up to degree {LARGEST_DEGREE} and {MOST_ROUNDS} rounds")
    table = price_table(evidence)
    if any(abs(price) > LARGEST_PRICE for price in table.values()):
        raise ClaimError(f"prices are at most {LARGEST_PRICE}")
    return Market(degree, rounds - 2, wanted, tags == "round", table)
