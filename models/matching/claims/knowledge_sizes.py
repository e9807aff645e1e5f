"""How few rounds a one-way gossip may take by the numbers of items that nodes know, in any network.

Theorem 5 of docs/theorems.md; `.outer_rounds` goes on from here. By `.origins` at least p = ceil(n/2) items
have to come to p nodes within M - 2 rounds, at whose start p nodes know one of them and the others none. Then

- the ways in which these items travel are counted by matrices of norm phi at most, as in `golden_ratio`, so
  phi^(M-2) >= p;
- whoever knew b items and is called by a node that knows a knows a + b at most, and all p if that is more. So
  all that the rounds can make of the numbers, sorted, is enumerated. Less is never better, and of two nodes
  that talk the one that knows more calls; so in every round all nodes are paired, but one if n is odd.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

Sizes = tuple[int, ...]
"""How many of the p items the nodes know, in decreasing order."""

LARGEST_NETWORK = 60
MOST_SIZES = 400
"""The most outcomes of one round that are looked at; where there are more, nothing is said."""
ABOVE_PHI = (1597, 987)
"""A fraction just above the golden ratio."""


def golden_rounds(n: int) -> int:
    """The least M with phi^M >= n, phi = (1 + sqrt 5)/2.

    Exactly: phi^M = F_M phi + F_(M-1) with Fibonacci numbers F, so the test is F_M sqrt 5 >= 2n - 2F_(M-1) -
    F_M.
    """
    rounds, before, now = 0, 1, 0
    while 2 * n - 2 * before - now > 0 and 5 * now * now < (2 * n - 2 * before - now) ** 2:
        rounds, before, now = rounds + 1, now, before + now
    return rounds


@cache
def least_rounds(n: int) -> int:
    """A lower bound on the rounds of a one-way gossip among n >= 2 nodes, by Theorem 5."""
    wanted = (n + 1) // 2
    between = golden_rounds(wanted)
    while n <= LARGEST_NETWORK and not _may_suffice(n, wanted, between):
        between += 1
    return between + 2


def _may_suffice(n: int, wanted: int, rounds: int) -> bool:
    """Whether in so many rounds, as far as numbers tell, `wanted` of n nodes can know all of as many items;
    True also where there is too much to look at.
    """
    reached: list[Sizes] = [(1,) * wanted + (0,) * (n - wanted)]
    for left in range(rounds - 1, 0, -1):
        found: set[Sizes] = set()
        for sizes in reached:
            for after in after_a_round(sizes, wanted):
                found.add(after)
                if len(found) > MOST_SIZES:
                    return True
        reached = not_less([sizes for sizes in found if _is_enough(sizes, wanted, left)])
    return any(_knowing_all(sizes, wanted, rounds > 0) >= wanted for sizes in reached)


def after_a_round(sizes: Sizes, wanted: int) -> Iterator[Sizes]:
    """What a round makes of the numbers, for all ways to pair the nodes."""
    if len(sizes) % 2 == 0:
        yield from _paired(_counted(sizes), wanted, ())
        return
    for idle in dict.fromkeys(sizes):
        rest = list(sizes)
        rest.remove(idle)
        yield from _paired(_counted(rest), wanted, (idle,))


def _counted(sizes: Iterable[int]) -> tuple[tuple[int, int], ...]:
    counts: dict[int, int] = {}
    for size in sizes:
        counts[size] = counts.get(size, 0) + 1
    return tuple(counts.items())


def _paired(counts: tuple[tuple[int, int], ...], wanted: int, after: Sizes) -> Iterator[Sizes]:
    """All that pairing the nodes makes of them, `after` those that are paired; counts: the numbers known, in
    decreasing order, with how many nodes know so much.
    """
    if not counts:
        yield tuple(sorted(after, reverse=True))
        return
    (known, nodes), rest = counts[0], counts[1:]
    for partners, left in _partners(rest, nodes):
        alike = (nodes - len(partners)) // 2
        made = (known, min(wanted, 2 * known)) * alike
        for other in partners:
            made += (known, min(wanted, known + other))
        yield from _paired(left, wanted, after + made)


def _partners(
    counts: tuple[tuple[int, int], ...], most: int
) -> Iterator[tuple[Sizes, tuple[tuple[int, int], ...]]]:
    """The ways to take up to `most` nodes, of the parity of `most`, and the nodes left."""
    if not counts:
        if most % 2 == 0:
            yield (), ()
        return
    (known, nodes), rest = counts[0], counts[1:]
    for taken in range(min(most, nodes) + 1):
        stay = ((known, nodes - taken),) if taken < nodes else ()
        for others, left in _partners(rest, most - taken):
            yield (known,) * taken + others, stay + left


def _is_enough(sizes: Sizes, wanted: int, left: int) -> bool:
    """Whether the norm allows `wanted` nodes to know all items so many rounds later: then wanted^2 is at most
    the sum over these nodes, hence at most sqrt(wanted) phi^left times the norm of the numbers now.
    """
    before, now = 1, 0
    for _ in range(2 * left):
        before, now = now, before + now
    above, below = ABOVE_PHI
    return sum(size * size for size in sizes) * (now * above + before * below) >= wanted**3 * below


def not_less(found: Iterable[Sizes]) -> list[Sizes]:
    """Of these, those that are nowhere at most another of them."""
    kept: list[Sizes] = []
    for sizes in sorted(found, key=lambda sizes: (-sum(sizes), sizes)):
        if not any(all(a <= b for a, b in zip(sizes, other, strict=True)) for other in kept):
            kept.append(sizes)
    return kept


def _knowing_all(sizes: Sizes, wanted: int, another_round: bool) -> int:
    """How many nodes can know all items after one more round, or now: greedily, who knows least that can be
    completed is called by who knows most.
    """
    complete = sum(size >= wanted for size in sizes)
    if not another_round:
        return complete
    least, most = len(sizes) - 1, 0
    while most < least and sizes[least] < wanted:
        if sizes[least] + sizes[most] >= wanted:
            complete, most = complete + 1, most + 1
        least -= 1
    return complete
