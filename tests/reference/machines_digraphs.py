"""All small strongly connected digraphs with bandwidths."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations, permutations, product

Link = tuple[int, int]


def strong_digraphs(node_count: int, largest: int) -> Iterator[dict[Link, int]]:
    """Strongly connected digraphs with bandwidths 1..largest, at least one of every kind up to
    renumbering.
    """
    pairs = list(permutations(range(node_count), 2))
    orders = list(permutations(range(node_count)))
    place = {pair: i for i, pair in enumerate(pairs)}
    moves = [[place[order[u], order[v]] for u, v in pairs] for order in orders]
    for word in product(range(largest + 1), repeat=len(pairs)):
        if all(word <= tuple(word[i] for i in move) for move in moves):
            links = {pair: b for pair, b in zip(pairs, word, strict=True) if b}
            if is_strong(node_count, links):
                yield links


def is_strong(node_count: int, links: Collection[Link]) -> bool:
    """Whether every set of nodes that is not all of them has a leaving link."""
    return all(
        any(u in nodes and v not in nodes for u, v in links)
        for count in range(1, node_count)
        for nodes in combinations(range(node_count), count)
    )
