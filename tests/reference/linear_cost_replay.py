"""A replay of linear-cost broadcasts, written from the definition with sets of packets and of pairs; no code
of the package is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

Sends = Sequence[tuple[int, int, Sequence[int]]]


class Seen(NamedTuple):
    """What the second replay saw: whether every rule is kept, what everyone owns at the end, and the cost of
    every round.
    """

    legal: bool
    owned: dict[int, set[int]]
    costs: list[Fraction]

    def is_complete(self, packet_count: int) -> bool:
        return self.legal and all(packets == set(range(packet_count)) for packets in self.owned.values())


def second_replay(
    nodes: int,
    links: Collection[frozenset[int]] | None,
    ports: int,
    count: int,
    rounds: Iterable[Sends],
    *,
    weak: bool = False,
) -> Seen:
    """A replay from node 0, written again from the definition with sets of packets and of pairs; links: None
    for a complete network.
    """
    owned = {v: set(range(count)) if v == 0 else set[int]() for v in range(nodes)}
    costs, legal = [], True
    for sends in rounds:
        costs.append(Fraction(max([len(packets) for _, _, packets in sends], default=0), count))
        pairs = [(u, v) for u, v, _ in sends]
        legal &= len(set(pairs)) == len(pairs) and all(u != v for u, v in pairs)
        legal &= links is None or all(frozenset(pair) in links for pair in pairs)
        out, into = Counter(u for u, _ in pairs), Counter(v for _, v in pairs)
        partners = Counter(v for link in {frozenset(pair) for pair in pairs} for v in link)
        legal &= (
            max([*out.values(), *into.values(), *(() if weak else partners.values())], default=0) <= ports
        )
        legal &= all(
            packets and len(set(packets)) == len(packets) and owned[u].issuperset(packets)
            for u, _, packets in sends
        )
        for v, fresh in [(v, packets) for _, v, packets in sends]:
            owned[v].update(fresh)
    return Seen(legal, owned, costs)
