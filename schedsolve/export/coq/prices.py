"""Prices for theory/Prices.v: what it is worth to know some of p items, round by round, in a one-way gossip.

They were found by a search for whole numbers that keep the conditions of `prices_hold`, which Coq tests: they
need not be believed.
"""

from __future__ import annotations

from collections.abc import Sequence

_PRICES: dict[int, Sequence[Sequence[int]]] = {
    2: ((0, 1, 4), (0, 0, 2)),
    3: ((0, 1, 5, 8), (0, 0, 2, 4), (0, 0, 0, 2)),
    4: ((0, 3, 40, 40, 32), (0, 1, 5, 11, 16), (0, 0, 2, 4, 8), (0, 0, 0, 0, 4)),
    5: ((0, 1, 16, 16, 16, 16), (0, 0, 2, 4, 8, 8), (0, 0, 0, 2, 2, 4), (0, 0, 0, 0, 0, 2)),
    7: (
        (0, 2, 120, 120, 120, 120, 120, 48),
        (0, 1, 3, 8, 24, 24, 24, 24),
        (0, 0, 1, 3, 5, 8, 9, 12),
        (0, 0, 0, 1, 2, 3, 3, 6),
        (0, 0, 0, 0, 0, 0, 0, 3),
    ),
    8: (
        (0, 2, 120, 120, 120, 120, 120, 120, 48),
        (0, 1, 3, 6, 9, 12, 17, 20, 24),
        (0, 0, 1, 3, 4, 5, 8, 9, 12),
        (0, 0, 0, 1, 2, 2, 3, 3, 6),
        (0, 0, 0, 0, 0, 0, 0, 0, 3),
    ),
}
"""By the number p of items, for as many rounds between the first and the last as they exclude: one row before
these rounds, and one after each; in it the worth of knowing 0, 1, ..., p items.
"""


def prices_against(node_count: int, rounds: int) -> Sequence[Sequence[int]]:
    """Return prices by which so many rounds do not suffice for a one-way gossip among so many nodes.

    Nothing where the table has none.

    For fewer rounds the last rows do, as prices fall from row to row.
    """
    table = _PRICES.get((node_count + 1) // 2, ())
    return table[len(table) - (rounds - 1) :] if 2 <= rounds <= len(table) + 1 else ()
