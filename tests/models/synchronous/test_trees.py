"""Cheapest trees in time, against the cheapest ways to let sets of nodes hold a chunk."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from schedsolve.models.synchronous.claims.trees import Pair, cheapest_tree
from schedsolve.runtime.errors import ClaimError

Prices = list[dict[Pair, Fraction]]


def least_price(origin: int, destinations: list[int], hops: Prices, nodes: int) -> Fraction | None:
    """The least price at which all destinations hold the chunk in the end, set of holders by set."""
    cost = {frozenset({origin}): Fraction(0)}
    for prices in hops:
        after: dict[frozenset[int], Fraction] = {}
        for held, paid in cost.items():
            ways = []
            for v in range(nodes):
                offers = [price for (u, w), price in prices.items() if u in held and w == v]
                new = [(v, min(offers))] if offers and v not in held else []
                ways.append([(None, Fraction(0)), *new])
            for chosen in product(*ways):
                holders = held | {v for v, _ in chosen if v is not None}
                total = paid + sum(price for _, price in chosen)
                after[holders] = min(total, after.get(holders, total))
        cost = after
    return min((paid for held, paid in cost.items() if held.issuperset(destinations)), default=None)


def drawn(random: Random) -> tuple[int, list[int], Prices]:
    """An origin, destinations and the prices of some hops in some steps, on four nodes."""
    pairs = [(u, v) for u, v in product(range(4), repeat=2) if u != v]
    density = random.choice((0.3, 0.6, 0.9))
    steps = [
        {
            p: Fraction(random.randrange(5), random.choice((1, 2, 3)))
            for p in pairs
            if random.random() < density
        }
        for _ in range(random.randint(1, 3))
    ]
    return 0, random.sample(range(1, 4), random.randint(1, 3)), steps


def test_random_prices() -> None:
    """The price is the least, and the tree brings the chunk everywhere at that price."""
    random, reached = Random(5), 0
    for _ in range(60):
        origin, destinations, hops = drawn(random)
        least = least_price(origin, destinations, hops, 4)
        if least is None:
            with pytest.raises(ClaimError, match="out of reach"):
                cheapest_tree(origin, destinations, hops)
            continue
        price, sends = cheapest_tree(origin, destinations, hops)
        assert price == least, (destinations, hops)
        assert sum((hops[step - 1][u, v] for step, u, v in sends), Fraction(0)) == least
        held = {origin}
        for step in range(1, len(hops) + 1):
            assert all(u in held for s, u, _ in sends if s == step)
            held |= {v for s, _, v in sends if s == step}
        assert held.issuperset(destinations)
        reached += 1
    assert reached > 30


def test_what_is_refused() -> None:
    """Too many destinations, an origin without hops, prices without a small common denominator."""
    star = [{(0, v): Fraction(v) for v in range(1, 11)}]
    assert cheapest_tree(0, range(1, 11), star)[0] == 55
    with pytest.raises(ClaimError, match="at most 10 destinations"):
        cheapest_tree(0, range(1, 12), [{}])
    without: list[Prices] = [[{}], [{(1, 2): Fraction(1)}], [{(1, 2): Fraction(1)}, {}]]
    for hops in without:
        with pytest.raises(ClaimError, match="out of reach"):
            cheapest_tree(0, [1], hops)
    primes = [Fraction(1, 10**9 + 7), Fraction(1, 10**9 + 9), Fraction(1, 998244353)]
    with pytest.raises(ClaimError, match="common denominator"):
        cheapest_tree(0, [1], [{(0, 1): price} for price in primes])


def test_large_prices_are_exact() -> None:
    """Up to the limit of the numbers that are added up, and not beyond it."""
    price = Fraction(2**60)
    assert cheapest_tree(0, [1, 2], [{(0, 1): price, (0, 2): price - 1}])[0] == 2**61 - 1
    with pytest.raises(ClaimError, match="common denominator"):
        cheapest_tree(0, [1, 2], [{(0, 1): price, (0, 2): price}])
