"""Trees between compute nodes led through switches, along the flows of a solution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise

from ..rules.demand import Link
from ..rules.schedule import Path, WeightedTree

Amount = float | Fraction
Carried = dict[tuple[int, Link], Amount]
"""By node that passes on and link, how much of all that the node passes on the link carries; fractions are
exact."""
DENOMINATOR = 60
TINY = 1e-7


def over_ways(trees: Mapping[int, list[WeightedTree]], ways: Carried) -> dict[int, list[WeightedTree]]:
    """Return the trees with paths through switches, several where a link of one takes several paths.

    Parameters
    ----------
    trees
        By root, with paths of two nodes each.
    ways
        What the links carry; a solver's floats are only about right.
    """
    totals: dict[Link, Fraction] = {}
    for tree in (tree for some in trees.values() for tree in some):
        for u, v in tree.paths:
            totals[u, v] = totals.get((u, v), Fraction(0)) + tree.weight
    left = dict(ways)
    bundles = {pair: _split_over_paths(pair, total, left) for pair, total in totals.items()}
    return {root: [part for tree in some for part in split(tree, bundles)] for root, some in trees.items()}


def _split_over_paths(pair: Link, total: Fraction, left: Carried) -> list[tuple[Path, Fraction]]:
    """Return the paths of a pair with their shares of all that goes over it."""
    found: list[tuple[Path, Fraction]] = []
    rest = total
    while rest and (path := _widest(pair, left)):
        hops = [(pair[0], link) for link in pairwise(path)]
        amount = min(left[hop] for hop in hops)
        if isinstance(amount, Fraction):
            amount = share = min(rest, amount)
        else:
            share = min(rest, Fraction(amount).limit_denominator(DENOMINATOR) or Fraction(amount))
        for hop in hops:
            left[hop] -= amount
        found.append((path, share))
        rest -= share
    if rest and not found:
        raise ValueError("the units do not get everywhere")
    if rest:
        path, share = found[-1]
        found[-1] = path, share + rest
    return found


def _widest(pair: Link, left: Carried) -> Path | None:
    """Return the path from end to end on which most is left; None when nothing is."""
    start, end = pair
    best: dict[int, Amount] = {start: float("inf")}
    before: dict[int, int] = {}
    waiting = {start}
    while waiting:
        v = max(waiting, key=lambda w: best[w])
        waiting.remove(v)
        if v == end:
            break
        for (u, (tail, head)), amount in left.items():
            if u == start and tail == v and amount > TINY and min(best[v], amount) > best.get(head, 0.0):
                best[head], before[head] = min(best[v], amount), v
                waiting.add(head)
    if end not in before:
        return None
    path = [end]
    while path[-1] != start:
        path.append(before[path[-1]])
    return tuple(reversed(path))


def split(tree: WeightedTree, bundles: Mapping[Link, list[tuple[Path, Fraction]]]) -> Iterator[WeightedTree]:
    """Yield the parts of a tree of links, over paths; what they use is taken from the ends of the bundles."""
    left = tree.weight
    while left:
        tops = [bundles[u, v] for u, v in tree.paths]
        weight = min(left, *(bundle[-1][1] for bundle in tops))
        paths = []
        for bundle in tops:
            path, share = bundle.pop()
            paths.append(path)
            if share > weight:
                bundle.append((path, share - weight))
        yield WeightedTree(tree.root, weight, tuple(paths))
        left -= weight
