"""How many nodes take part in the first round of a one-way gossip, and in its last.

In full ends all nodes take part but one at most; in short ends fewer do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from .formula import RoundsFormula
from .knowledge_sizes import may_come
from .prices_outer import Outer

Sets = Collection[frozenset[int]]


def ends_are_full(node_count: int, rounds: int, excluded: Collection[Outer] = ()) -> bool:
    """Return whether it is proven that every such gossip has full ends.

    In the first and in the last round of every one-way gossip in `rounds` rounds, at least two, all nodes
    take part but one at most.

    Where it is not so, p + 1 nodes do not call in the first round and p are not called in the last, or p and
    p + 1, with p = ceil(n/2). Theorem 7 may leave no room for that (its counting is the same for both, as it
    can be run backwards), or else Theorem 8 (`_short_ends_are_excluded`).

    excluded: pairs (c, c') as `.prices_outer` proves them for the network and so many rounds.
    """
    most = (node_count + 1) // 2
    if not may_come(most + 1, most, 2 * most, rounds):
        return True
    return node_count % 2 == 0 and _short_ends_are_excluded(most, excluded)


def calls_left(calls: int, spare: int, p: int) -> set[int]:
    """Return how many of so many calls among p + `spare` nodes are left when `spare` nodes are left out.

    Each is a number for some choice of these nodes. To lose j calls, one node of each or both are left out;
    the others that are left out take part in no call.
    """
    idle = p + spare - 2 * calls
    return {calls - j for j in range(min(spare, calls) + 1) if spare <= idle + 2 * j}


def _short_ends_are_excluded(p: int, excluded: Collection[Outer]) -> bool:
    """Return whether short ends are excluded by the outer calls (Theorem 8).

    Of 2p nodes no more than p can then be idle or called in the first round, and no more than p idle or
    calling in the last.

    Let k calls of the last round but one go from one to another of p + 1 nodes that are not called in the
    last. Leave one of the p + 1 out: the p others have k such calls among them if it takes part in none, else
    k - 1. So for some k, and c of any p nodes that do not call in the first round, no pair that comes up is
    excluded, if there are p + 1 such nodes. The same of the first round, with pairs turned round.
    """
    both = {(c, d) for c, d in excluded if (d, c) in excluded}
    for k in range((p + 1) // 2 + 1):
        inner = calls_left(k, 1, p)
        if any(both.isdisjoint((c, d) for d in inner) for c in range(p // 2 + 1)):
            return False
    return True


@dataclass(frozen=True)
class End:
    """The nodes that take part in the first round or in the last.

    Attributes
    ----------
    spare
        By how many the senders, or the receivers, are fewer than floor(n/2).
    unless
        A literal that holds if they are not so many; none where they always are.
    """

    spare: int
    unless: tuple[int, ...] = ()


def take_part(f: RoundsFormula, t: int, members: Sequence[int], short: Sets) -> list[End]:
    """Say who takes part in round t, the first or the last, and return the cases, by how many do.

    Floor(n/2) nodes send or are called, and all but one at most take part; or else those that send or are
    called are one of some smaller sets.

    Parameters
    ----------
    f
        The formula, to which the clauses are added.
    t
        The round.
    members
        For every node the variable of its sending in the first round, or being called in the last.
    short
        The smaller sets.
    """
    half = f.network.node_count // 2
    cases = _short_or_full(f, members, short) if short else [End(0)]
    full = cases[0]
    _leave_one_out(f, t, full.unless)
    *_, enough, too_many = f.cnf.counted(members, half + 1)
    f.cnf.extend([[enough, *full.unless], [-too_many]])
    return cases


def _short_or_full(f: RoundsFormula, members: Sequence[int], short: Sets) -> list[End]:
    half = f.network.node_count // 2
    sizes = {spare: f.cnf.new() for spare in sorted({0, *(half - len(nodes) for nodes in short)})}
    f.cnf.add(*sizes.values())
    chosen: dict[int, list[int]] = {spare: [] for spare in sizes}
    for nodes in short:
        choice = f.cnf.new()
        chosen[half - len(nodes)].append(choice)
        f.cnf.extend([-choice, x if v in nodes else -x] for v, x in enumerate(members))
    for spare, size in sizes.items():
        if spare:
            f.cnf.add(-size, *chosen[spare])
    return [End(spare, (-size,)) for spare, size in sizes.items()]


def pairs_excluded(spare: int, other: int, p: int, excluded: Collection[Outer]) -> Iterator[Outer]:
    """Yield the numbers of outer calls that are excluded among p + `spare` nodes, and p + `other` in the end.

    Some p of these nodes would have numbers that are excluded.
    """
    for c, d in product(range((p + spare) // 2 + 1), range((p + other) // 2 + 1)):
        if any(pair in excluded for pair in product(calls_left(c, spare, p), calls_left(d, other, p))):
            yield c, d


def _leave_one_out(f: RoundsFormula, t: int, unless: Sequence[int]) -> None:
    """All nodes but one at most take part in round t, all if n is even, unless one of the literals holds."""
    n = f.network.node_count
    calls = [[f.call(a, t) for a, link in enumerate(f.links) if v in link] for v in range(n)]
    if n % 2 == 0:
        f.cnf.extend([*unless, *one] for one in calls)
    else:
        f.cnf.extend([*unless, *one, *other] for one, other in combinations(calls, 2))
