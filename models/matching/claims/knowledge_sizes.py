"""How few rounds a one-way gossip may take, in any network: the first two and the last two taken apart.

Theorems 5 and 7 of docs/theorems.md. By `.origins` at least p = ceil(n/2) items have to come to p nodes
within M - 2 rounds, at whose start p nodes know one of them and the others none. The ways in which they
travel are counted by matrices of norm phi at most, as in `golden_ratio`, so phi^(M-2) >= p: Theorem 5.

Theorem 7 takes one round more off each end. Of P nodes that do not call in round 1 each item is known to its
own node alone after it; those are forgotten whose node calls in round 2 another of the P: c of them. Then
P - c items start from P - c + min(P - 2c, n - P) nodes at most, one at a node. Run backwards, the last two
rounds do the same for Q nodes that are not called in the last, with a number c' of their own. So

- by the norm of the M - 4 rounds between, with P = Q = p, phi^(M-4) >= (p - c)(p - c') / sqrt((2p - 3c)(2p -
  3c')), at least 4p/9;
- half-way let x be the numbers of items that nodes know, and y the numbers of destinations that can be
  reached from them. Every item comes to every destination over some node, so sum x y >= (P - c)(Q - c').

All that the rounds can make of the numbers, sorted, is enumerated: whoever knew b items and is called by a
node that knows a knows a + b at most, and all that are left if that is more. Less is never better, and of two
nodes that talk the one that knows more calls; so in every round all nodes are paired. An odd network is given
one node more, which only helps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from operator import mul

Sizes = tuple[int, ...]
"""How many of the items that are left the nodes know, in decreasing order."""

LARGEST_NETWORK = 60
MOST_SIZES = 400
"""The most outcomes of one round that are looked at; where there are more, nothing is said."""


def golden_rounds(n: int) -> int:
    """Return the least M with phi^M >= n, phi = (1 + sqrt 5)/2."""
    rounds = 0
    while not _at_most_phi(Fraction(n, 1), rounds):
        rounds += 1
    return rounds


@dataclass(frozen=True)
class Start:
    """What round 2 makes of `wanted` nodes that did not call in round 1, of `nodes` in all.

    Or round M - 1 of those that are not called in round M, run backwards.

    Attributes
    ----------
    inner
        How many of its calls go from one of them to another.
    """

    wanted: int
    nodes: int
    inner: int

    @property
    def left(self) -> int:
        """The items that are not forgotten."""
        return self.wanted - self.inner

    @property
    def holders(self) -> int:
        """How many nodes know one of these items after round 2, at most; none knows two.

        Those in no inner call, wanted - 2 * inner, may each call a node outside.
        """
        return self.left + min(self.wanted - 2 * self.inner, self.nodes - self.wanted)

    @property
    def spread(self) -> Fraction:
        """The square of the number of items by the number of nodes that know them."""
        return Fraction(self.left**2, self.holders)


@cache
def least_rounds(n: int) -> int:
    """Return a lower bound on the rounds of a one-way gossip among n >= 2 nodes, by Theorems 5 and 7."""
    wanted, rounds = (n + 1) // 2, 2
    while not may_come(wanted, wanted, 2 * wanted, rounds):
        rounds += 1
    return rounds


def may_come(items: int, destinations: int, nodes: int, rounds: int) -> bool:
    """Return whether counting allows a one-way gossip with these idle nodes.

    By Theorem 7, or before four rounds the norm of Theorem 5, for `rounds` rounds, at least two, in whose
    first round `items` nodes do not call and in whose last one `destinations` nodes are not called; True also
    where there is too much to look at.

    nodes: how many there are, an even number. Where Even and Monien's gossip in complete networks takes no
    more rounds for twice the items and twice the destinations, there is nothing to look for.
    """
    if rounds < 4:
        return _at_most_phi(Fraction(items * destinations, 1), 2 * (rounds - 2))
    if not _at_most_phi(Fraction(16 * items * destinations, 81), 2 * (rounds - 4)):
        return False
    if nodes > LARGEST_NETWORK or max(items, destinations) <= _fibonacci(rounds - 1)[1]:
        return True
    return _may_meet(items, destinations, nodes, rounds - 4)


def _may_meet(items: int, destinations: int, nodes: int, between: int) -> bool:
    """Return whether numbers from the start fit numbers from the end half-way.

    For some c, c'; the middle of an odd number of rounds is tried on either side.
    """
    pairs = [
        (first, last)
        for first in _starts(items, nodes)
        for last in _starts(destinations, nodes)
        if _at_most_phi(first.spread * last.spread, 2 * between)
    ]
    halves: dict[Start, tuple[list[Sizes], list[Sizes]]] = {}
    for one in dict.fromkeys(end for pair in pairs for end in pair):
        partners = [other for pair in pairs for end, other in (pair, pair[::-1]) if end == one]
        half = _half_way(one, between, min(other.spread for other in partners))
        if half is None:
            return True
        halves[one] = half
    return any(
        _fit(halves[first], halves[last], first.left * last.left)
        and _fit(halves[last], halves[first], first.left * last.left)
        for first, last in pairs
    )


def _starts(wanted: int, nodes: int) -> list[Start]:
    return [Start(wanted, nodes, inner) for inner in range(wanted // 2 + 1)]


def _fit(start: tuple[list[Sizes], list[Sizes]], end: tuple[list[Sizes], list[Sizes]], pairs: int) -> bool:
    """Whether items and destinations can meet in so many pairs.

    They do best when who knows most also reaches most.
    """
    return any(sum(map(mul, x, y)) >= pairs for x, y in product(start[1], end[0]))


def _half_way(start: Start, between: int, least: Fraction) -> tuple[list[Sizes], list[Sizes]] | None:
    """Return the numbers after between/2 rounds, rounded down and rounded up.

    None is at most another, and all have a norm that a partner with spread `least` allows; None where there
    is too much to look at.
    """
    reached: list[Sizes] = [(1,) * start.holders + (0,) * (start.nodes - start.holders)]
    stages = [reached]
    for left in range(between - 1, between // 2 - 1, -1):
        found: set[Sizes] = set()
        for sizes in reached:
            for after in _after_a_round(sizes, start.left):
                found.add(after)
                if len(found) > MOST_SIZES:
                    return None
        reached = _not_less(sizes for sizes in found if _is_enough(sizes, start.left**2 * least, left))
        stages.append(reached)
    return stages[between // 2], stages[-1]


def _after_a_round(sizes: Sizes, most: int) -> Iterator[Sizes]:
    """Return what a round makes of the numbers of an even number of nodes, for all ways to pair them.

    More than `most` nobody can know.
    """
    counts: dict[int, int] = {}
    for size in sizes:
        counts[size] = counts.get(size, 0) + 1
    return _paired(tuple(counts.items()), most, ())


def _paired(counts: tuple[tuple[int, int], ...], most_known: int, after: Sizes) -> Iterator[Sizes]:
    """Yield how many items nodes may know after a round in which they are paired, in decreasing order.

    Parameters
    ----------
    counts
        The numbers of items that unpaired nodes know, falling, each with how many of the nodes know so many.
    most_known
        The most items that a node can know.
    after
        The numbers that the paired nodes know after the round.
    """
    if not counts:
        yield tuple(sorted(after, reverse=True))
        return
    (known, nodes), rest = counts[0], counts[1:]
    for partners, left in _partners(rest, nodes):
        alike = (nodes - len(partners)) // 2
        made = (known, min(most_known, 2 * known)) * alike
        for other in partners:
            made += (known, min(most_known, known + other))
        yield from _paired(left, most_known, after + made)


def _partners(
    counts: tuple[tuple[int, int], ...], most: int
) -> Iterator[tuple[Sizes, tuple[tuple[int, int], ...]]]:
    """Yield the ways to take up to `most` nodes, of the parity of `most`, and the nodes left."""
    if not counts:
        if most % 2 == 0:
            yield (), ()
        return
    (known, nodes), rest = counts[0], counts[1:]
    for taken in range(min(most, nodes) + 1):
        stay = ((known, nodes - taken),) if taken < nodes else ()
        for others, left in _partners(rest, most - taken):
            yield (known,) * taken + others, stay + left


def _not_less(found: Iterable[Sizes]) -> list[Sizes]:
    """Of these, those that are nowhere at most another of them."""
    kept: list[Sizes] = []
    for sizes in sorted(found, key=lambda sizes: (-sum(sizes), sizes)):
        if not any(all(a <= b for a, b in zip(sizes, other, strict=True)) for other in kept):
            kept.append(sizes)
    return kept


def _is_enough(sizes: Sequence[int], needed: Fraction, left: int) -> bool:
    """Whether phi^left times the norm of the numbers is at least the root of what is needed."""
    square = sum(size * size for size in sizes)
    return square > 0 and _at_most_phi(needed / square, 2 * left)


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
