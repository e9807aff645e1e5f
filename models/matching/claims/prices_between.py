"""What prices prove of one-way gossip of bounded degree when its first and its last round are left out.

Theorem 6 of docs/theorems.md. By `.origins` at least p = ceil(n/2) items have to come to p destinations in
the M - 2 rounds between; take just p of both. Lift to the covering tree as in `.market`: every edge has its
tag and its batch, the number of these items that are new over it. A call is paid for by the called, by a
price that depends on the round, the tag and the batch. A node is one of four kinds: it starts with one of
the items or with none; and it is a destination, that knows p items in the end, or it may do as it likes.
The payments add up to 0. So if the most that each kind can earn adds up to less than 0, there is no gossip,
whatever nodes are both origins and destinations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.runtime.errors import ClaimError

from .market import (
    LARGEST_DEGREE,
    MOST_ROUNDS,
    NEVER,
    Earned,
    Market,
    Offers,
    State,
    earnings,
    price_table,
    refuse_other_problems,
)

Kind = tuple[bool, bool]
"""Whether a node starts with an item, and whether it has to know all in the end."""


def prices_between_claim(problem: Problem, evidence: Mapping[str, Any]) -> int:
    """One more than the rounds that the prices are for, when nodes of all kinds together earn less than 0.

    Parameters
    ----------
    problem
        The problem.
    evidence
        "degree", "rounds" (of the whole gossip), "wanted" (p), "tags" ("direction" or "round") and "prices"
        as [round, tag, batch, price], where round 1 is the first of those between.

    Raises
    ------
    ClaimError
        Where the prices prove nothing.
    """
    market, n = _read(evidence), problem.network.node_count
    refuse_other_problems(problem, market.degree)
    if 2 * market.wanted > n + 1:
        raise ClaimError(f"the prices are for at least {2 * market.wanted - 1} nodes, and there are {n}")
    if not refutes(market, n):
        raise ClaimError(f"the prices allow {market.rounds + 2} rounds")
    return market.rounds + 3


def refutes(market: Market, n: int) -> bool:
    """Whether n nodes of all kinds together earn less than 0, however many are both origin and destination.

    Their number decides linearly, so the least and the greatest are looked at.
    """
    earned, wanted = most_earned(market), market.wanted
    for both in (max(0, 2 * wanted - n), wanted):
        counts = {(True, True): both, (True, False): wanted - both, (False, True): wanted - both}
        counts[False, False] = n - 2 * wanted + both
        if sum(count * earned[kind] for kind, count in counts.items()) >= 0:
            return False
    return True


def most_earned(market: Market) -> dict[Kind, int]:
    """Return the most that a node of each kind can earn.

    Less than 0 by far where a destination cannot come to know all.

    Raises
    ------
    ClaimError
        Where a price is missing.
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
    return Market(degree, rounds - 2, wanted, tags == "round", price_table(evidence))
