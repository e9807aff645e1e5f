"""Exhaustive decisions on small networks: whether a broadcast or a gossip takes at most M rounds.

Written for many sparse graphs of a few nodes, which are given by a bit mask of successors for every node.

- More calls never hurt, so every round may be taken as a maximal set of calls that share no node.
- A set S of informed nodes at most doubles in a round; with r rounds left it must reach all n nodes, so
  2^r |S| >= n, and no node is farther than r from S.
- In a gossip each item is broadcast on its own. A round is tried only if after it every item, taken alone,
  could still reach every node in the rounds that are left; that is decided once for every set of nodes that
  may know an item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from schedsolve.network.classes.canonical_form import Rows, nodes_of, reversed_rows

Arc = tuple[int, int]
Rounds = list[list[Arc]]
"""The calls of every round, as (sender, receiver)."""


def gossip_rounds(rows: Rows, most: int, *, two_way: bool, directed: bool = False) -> Rounds | None:
    """Return the rounds of a gossip in at most `most` rounds, None if there is none.

    Parameters
    ----------
    rows
        A bit mask of successors for every node.
    most
        The number of rounds.
    two_way
        Whether calls go both ways; the network is then undirected.
    directed
        Whether the links are arcs.
    """
    if not within_distance(rows, most):
        return None
    sources = sorted(range(len(rows)), key=lambda v: rows[v].bit_count())
    for near in (reversed_rows(rows), rows) if directed else (rows,):
        alone = Broadcasts(near)
        if not all(alone.suffices(1 << v, most) for v in sources):
            return None
    arcs = [(u, v) for u, row in enumerate(rows) for v in nodes_of(row) if u < v or not two_way]
    calls = CallSets(list(_maximal_sets(arcs, len(rows))), two_way=two_way)
    return Gossips(len(rows), calls, alone.suffices).rounds(most)


def within_distance(rows: Rows, most: int) -> bool:
    """Whether no node is farther than `most` from another."""
    everyone = (1 << len(rows)) - 1
    balls = [row | 1 << v for v, row in enumerate(rows)] if most else [1 << v for v in range(len(rows))]
    for _ in range(most - 1):
        if all(ball == everyone for ball in balls):
            return True
        wider = []
        for v, row in enumerate(rows):
            ball = balls[v]
            for w in nodes_of(row):
                ball |= balls[w]
            wider.append(ball)
        balls = wider
    return all(ball == everyone for ball in balls)


class Broadcasts:
    """Broadcasts in one network."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.all = (1 << len(rows)) - 1
        self.known: dict[tuple[int, int], bool] = {}

    def suffices(self, informed: int, left: int) -> bool:
        """Whether the rounds that are left suffice."""
        if informed == self.all:
            return True
        if informed.bit_count() << left < len(self.rows):
            return False
        key = informed, left
        if key not in self.known:
            self.known[key] = self._near_enough(informed, left) and any(
                self.suffices(after, left - 1) for after, _ in self._rounds(informed)
            )
        return self.known[key]

    def rounds(self, informed: int, left: int) -> Rounds | None:
        """Return the rounds of a broadcast from the informed nodes, None if there are too few left."""
        if not self.suffices(informed, left):
            return None
        found: Rounds = []
        while informed != self.all:
            left -= 1
            informed, calls = next(
                (after, calls) for after, calls in self._rounds(informed) if self.suffices(after, left)
            )
            found.append(calls)
        return found

    def _near_enough(self, informed: int, left: int) -> bool:
        reached = informed
        for _ in range(left):
            following = reached
            for v in nodes_of(reached):
                following |= self.rows[v]
            if following == reached:
                break
            reached = following
        return reached == self.all

    def _rounds(self, informed: int) -> Iterator[tuple[int, list[Arc]]]:
        """Yield the sets after a round in which no further node could be informed, each with its calls."""
        callers = [(u, self.rows[u] & ~informed) for u in nodes_of(informed) if self.rows[u] & ~informed]
        seen: set[int] = set()

        def extend(i: int, fresh: int, calls: list[Arc]) -> Iterator[tuple[int, list[Arc]]]:
            """Yield the rounds of `calls`, which inform `fresh`, and of calls by the callers from i on."""
            if i == len(callers):
                # Only rounds to which no call can be added are kept.
                idle = {u for u, _ in callers}.difference(u for u, _ in calls)
                if fresh not in seen and not any(m & ~fresh for u, m in callers if u in idle):
                    seen.add(fresh)
                    yield informed | fresh, calls
                return
            u, near = callers[i]
            for v in nodes_of(near & ~fresh):
                yield from extend(i + 1, fresh | 1 << v, [*calls, (u, v)])
            yield from extend(i + 1, fresh, calls)

        yield from extend(0, 0, [])


class CallSets:
    """The sets of calls that a round may consist of; a round is the number of one.

    Parameters
    ----------
    sets
        The sets: for every legal round, one that contains it.
    two_way
        Whether calls go both ways.
    """

    def __init__(self, sets: Sequence[tuple[Arc, ...]], *, two_way: bool) -> None:
        self.sets = sets
        self.every = (1 << len(sets)) - 1
        self.with_arc: dict[Arc, int] = {}
        for number, calls in enumerate(sets):
            for u, v in calls:
                for arc in ((u, v), (v, u)) if two_way else ((u, v),):
                    self.with_arc[arc] = self.with_arc.get(arc, 0) | 1 << number
        self.after = cache(self._after)

    def _after(self, knowing: int) -> dict[int, int]:
        """Return what a set of nodes that know an item becomes in a round, with a mask of the rounds."""
        groups = {knowing: self.every}
        for (u, v), numbers in self.with_arc.items():
            if knowing >> u & 1 and not knowing >> v & 1:
                refined: dict[int, int] = {}
                for after, mask in groups.items():
                    for now, part in ((after | 1 << v, mask & numbers), (after, mask & ~numbers)):
                        if part:
                            refined[now] = refined.get(now, 0) | part
                groups = refined
        return groups


class Gossips:
    """Gossips of `n` nodes whose rounds are among some sets of calls.

    `alone(knowing, left)` says whether one item can reach all nodes in the rounds that are left from a set of
    nodes that know it; a "no" is exhaustive.
    """

    def __init__(self, n: int, calls: CallSets, alone: Callable[[int, int], bool]) -> None:
        self.n = n
        self.calls, self.every, self.after = calls, calls.every, calls.after
        self.alone = alone
        self.all = (1 << n) - 1
        self.allowed = cache(self._allowed)
        self.failed: set[tuple[int, tuple[int, ...]]] = set()

    def rounds(self, most: int) -> Rounds | None:
        """Return the rounds of a gossip, None if so many do not suffice."""
        found = self._search(tuple(1 << v for v in range(self.n)), most)
        return None if found is None else [list(self.calls.sets[number]) for number in found]

    def _allowed(self, knowing: int, left: int) -> int:
        """Return the rounds after which one item alone could still reach all nodes, as a mask."""
        if knowing == self.all:
            return self.every
        if not left:
            return 0
        mask = 0
        for after, numbers in self.after(knowing).items():
            if self.alone(after, left - 1):
                mask |= numbers
        return mask

    def _search(self, knowing: tuple[int, ...], left: int) -> list[int] | None:
        """Return the numbers of the rounds that complete the gossip; `knowing[x]` know item x."""
        if all(mask == self.all for mask in knowing):
            return []
        candidates = self.every if left else 0
        for mask in knowing:
            candidates &= self.allowed(mask, left)
            if not candidates:
                return None
        tried = set()
        while candidates:
            low = candidates & -candidates
            candidates ^= low
            following = tuple(self._moved(mask, low) for mask in knowing)
            if following in tried or (left, following) in self.failed:
                continue
            tried.add(following)
            rest = self._search(following, left - 1)
            if rest is not None:
                return [low.bit_length() - 1, *rest]
            self.failed.add((left, following))
        return None

    def _moved(self, mask: int, low: int) -> int:
        return next(after for after, numbers in self.after(mask).items() if numbers & low)


def _maximal_sets(arcs: Sequence[Arc], n: int) -> Iterator[tuple[Arc, ...]]:
    """Yield the maximal sets of arcs that share no node."""

    def extend(i: int, busy: int, chosen: tuple[Arc, ...]) -> Iterator[tuple[Arc, ...]]:
        if i == len(arcs):
            if all(busy >> u & 1 or busy >> v & 1 for u, v in arcs):
                yield chosen
            return
        u, v = arcs[i]
        if not busy >> u & 1 and not busy >> v & 1:
            yield from extend(i + 1, busy | 1 << u | 1 << v, (*chosen, (u, v)))
        yield from extend(i + 1, busy, chosen)

    yield from extend(0, 0, ())
