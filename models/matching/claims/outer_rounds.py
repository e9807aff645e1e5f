"""How few rounds a one-way gossip may take, in any network: the first two and the last two taken apart.

Theorem 7 of docs/theorems.md. Of p = ceil(n/2) items, each known to its own node alone after round 1, those
are forgotten whose node calls in round 2 another such node: c of them. Then p - c items start from 2p - 3c
nodes at most, one at a node. Run backwards, the last two rounds do the same with a number c' of their own. So

- the ways in which the items travel in the M - 4 rounds between are counted by matrices of norm phi at most,
  hence phi^(M-4) >= (p - c)(p - c') / sqrt((2p - 3c)(2p - 3c')), which is at least 4p/9;
- half-way let x be the numbers of items that nodes know, and y the numbers of destinations that can be
  reached from them, both enumerated as in `.knowledge_sizes`. Every item comes to every destination over some
  node, so sum x y >= (p - c)(p - c').

An odd network is given one node more, which only helps.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from operator import mul

from . import knowledge_sizes
from .knowledge_sizes import Sizes, after_a_round, not_less

LARGEST_NETWORK = 60
MOST_SIZES = 400
"""The most outcomes of one round that are looked at; where there are more, nothing is said."""


@cache
def least_rounds(n: int) -> int:
    """A lower bound on the rounds of a one-way gossip among n >= 2 nodes, by Theorem 5 and Theorem 7."""
    wanted, rounds = (n + 1) // 2, knowledge_sizes.least_rounds(n)
    while rounds >= 4 and not _may_suffice(wanted, rounds):
        rounds += 1
    return rounds


def _may_suffice(wanted: int, rounds: int) -> bool:
    """Whether Theorem 7 allows so many rounds, at least four, for 2 * wanted nodes; True also where there is
    too much to look at.

    Where Even and Monien's gossip in complete networks takes no more, there is nothing to look for.
    """
    if not _at_most_phi(Fraction(4 * wanted, 9), rounds - 4):
        return False
    if 2 * wanted > LARGEST_NETWORK or wanted <= _fibonacci(rounds - 1)[1]:
        return True
    return _may_meet(wanted, rounds - 4)


def _may_meet(wanted: int, between: int) -> bool:
    """Whether for some c, c' numbers that come up half-way from the start fit others that come up half-way
    from the end, and also with c and c' exchanged: the gossip run backwards.
    """
    partners = {
        c: [d for d in range(wanted // 2 + 1) if _norm_allows(wanted, c, d, between)]
        for c in range(wanted // 2 + 1)
    }
    halves: dict[int, tuple[list[Sizes], list[Sizes]]] = {}
    for c in (c for c, allowed in partners.items() if allowed):
        least = min(_spread(wanted, d) for d in partners[c])
        half = _half_way(wanted, c, between, least)
        if half is None:
            return True
        halves[c] = half
    return any(
        _fit(halves[c], halves[d], (wanted - c) * (wanted - d))
        and _fit(halves[d], halves[c], (wanted - c) * (wanted - d))
        for c, allowed in partners.items()
        for d in allowed
        if c <= d
    )


def _fit(start: tuple[list[Sizes], list[Sizes]], end: tuple[list[Sizes], list[Sizes]], pairs: int) -> bool:
    """Whether items and destinations can meet in so many pairs; they do best when who knows most also reaches
    most.
    """
    return any(sum(map(mul, x, y)) >= pairs for x, y in product(start[1], end[0]))


def _half_way(wanted: int, c: int, between: int, least: Fraction) -> tuple[list[Sizes], list[Sizes]] | None:
    """The numbers after between/2 rounds, rounded down and rounded up, none at most another and all of a norm
    that a partner with spread `least` allows; None where there is too much to look at.
    """
    reached: list[Sizes] = [(1,) * (2 * wanted - 3 * c) + (0,) * (3 * c)]
    stages = [reached]
    for left in range(between - 1, between // 2 - 1, -1):
        found: set[Sizes] = set()
        for sizes in reached:
            for after in after_a_round(sizes, wanted - c):
                found.add(after)
                if len(found) > MOST_SIZES:
                    return None
        reached = not_less(sizes for sizes in found if _is_enough(sizes, (wanted - c) ** 2 * least, left))
        stages.append(reached)
    return stages[between // 2], stages[-1]


def _is_enough(sizes: Sequence[int], needed: Fraction, left: int) -> bool:
    """Whether phi^left times the norm of the numbers is at least the root of what is needed."""
    square = sum(size * size for size in sizes)
    return square > 0 and _at_most_phi(needed / square, 2 * left)


def _norm_allows(wanted: int, c: int, d: int, between: int) -> bool:
    return _at_most_phi(_spread(wanted, c) * _spread(wanted, d), 2 * between)


def _spread(wanted: int, c: int) -> Fraction:
    """The square of the number of items by the number of nodes that know them after round 2; and the same of
    destinations and the nodes from which they are reached in the last two rounds.
    """
    return Fraction((wanted - c) ** 2, 2 * wanted - 3 * c)


def _at_most_phi(value: Fraction, power: int) -> bool:
    """Whether a number is at most phi^power = F_power phi + F_(power-1), exactly."""
    before, now = _fibonacci(power)
    above = 2 * value - 2 * before - now
    return above <= 0 or above * above <= 5 * now * now


def _fibonacci(k: int) -> tuple[int, int]:
    """F_(k-1) and F_k."""
    before, now = 1, 0
    for _ in range(k):
        before, now = now, before + now
    return before, now
