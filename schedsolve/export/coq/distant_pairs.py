"""The variables of theory/DistantPairs.v, which have the numbers of the plain formula."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from schedsolve.export.hints import HintedLemma
from schedsolve.network.graph import Network

Pair = tuple[int, int]


def renumbered(
    lemmas: Sequence[HintedLemma], network: Network, links: int, rounds: int, pairs: Sequence[Pair]
) -> list[HintedLemma]:
    """Return lemmas about the formula of pairs with the numbers of theory/DistantPairs.v.

    Parameters
    ----------
    lemmas
        With the variables of the package: first the calls, then who holds an item, where that is asked.
    network, rounds, pairs
        As in the formula.
    links
        Which it has a variable of in every round.
    """
    number: list[int] = [0, *range(1, rounds * links + 1), *_held(network, rounds * links, rounds, pairs)]

    def moved(literal: int) -> int:
        return number[literal] if literal > 0 else -number[-literal]

    return [HintedLemma(x.number, tuple(map(moved, x.clause)), x.hints) for x in lemmas]


def _held(network: Network, calls: int, rounds: int, pairs: Sequence[Pair]) -> Iterator[int]:
    """Yield the plain formula's numbers of who holds an item when, in the order of the formula of pairs."""
    n, turned = network.node_count, network.reversed() if network.directed else network
    for i in dict.fromkeys(i for i, _ in pairs):
        here = network.distances_from([i])
        there = turned.distances_from([j for k, j in pairs if k == i])
        for v, (d, r) in enumerate(zip(here, there, strict=True)):
            if d and r is not None:
                yield from (calls + (t * n + v) * n + i + 1 for t in range(d, rounds - r + 1))
