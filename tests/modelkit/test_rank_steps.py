"""The textbook's collectives do what they say, as a referee of a few lines sees it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from schedsolve.modelkit import rank_steps as of
from schedsolve.modelkit.rank_steps import RankSteps, backwards, hops, in_waves, mirrored, placed

Held = list[dict[int, set[int]]]
"""For each rank and each of its units, whose contributions are in it."""


def run(steps: RankSteps, held: Held) -> Held:
    """Nobody sends what he lacks, or adds a contribution twice."""
    for step in steps:
        for v, x, part, adds in [(v, x, set(held[u][x]), adds) for u, v, xs, adds in step for x in xs]:
            assert not (adds and part & held[v][x])
            held[v][x] = part | held[v][x] if adds else part
    return held


def each(n: int) -> Held:
    return [{r: {0}} for r in range(n)]


def at_root(n: int, units: int) -> Held:
    return [{x: {0} for x in range(units)}, *({} for _ in range(n - 1))]


@pytest.mark.parametrize("make", [of.ring, of.bruck, of.doubling, lambda n: of.doubling(n, 1)])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 8, 9, 16])
def test_allgathers_and_reduce_scatters(n: int, make: Callable[[int], RankSteps]) -> None:
    """Where a rank's place is moved or mirrored too; backwards the sums come together."""
    if n & (n - 1) and make not in (of.ring, of.bruck):
        return
    everything = {x: {0} for x in range(n)}
    for steps in (make(n), mirrored(n, make(n)), placed(make(n), [*range(1, n), 0])):
        assert run(steps, each(n)) == [everything] * n
        assert [len(pairs) for pairs in hops(steps).values()] == [n - 1] * (n if n > 1 else 0)
        summed = run(backwards(steps), [{x: {r} for x in range(n)} for r in range(n)])
        assert [summed[r][r] for r in range(n)] == [set(range(n))] * n


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 8, 9, 16])
def test_the_others(n: int) -> None:
    for make in (of.pairwise_alltoall, of.bruck_alltoall):
        got = run(make(n), [{r * n + k: {0} for k in range(n)} for r in range(n)])
        assert all(r * n + k in got[k] for r in range(n) for k in range(n))
    for scatter in (of.tree_scatter, of.direct_scatter):
        assert all(r in held for r, held in enumerate(run(scatter(n), at_root(n, n))))
        assert len(run(backwards(scatter(n), adds=False), each(n))[0]) == n
    assert run(of.tree_broadcast(n), at_root(n, 1)) == [{0: {0}}] * n
    assert run(in_waves(of.tree_broadcast(n), 3), at_root(n, 3)) == [{x: {0} for x in range(3)}] * n
    assert len(in_waves(of.tree_broadcast(n), 3)) == of.doublings(n) + 2
    assert run(of.scatter_and_ring(n), at_root(n, n))[n - 1] == {x: {0} for x in range(n)}
    summed = run(of.ring_reduce_scatter(n), [{x: {r} for x in range(n)} for r in range(n)])
    assert [summed[r][r] for r in range(n)] == [set(range(n))] * n
    if not n & (n - 1):
        assert run(of.doubling_allreduce(n), [{0: {r}} for r in range(n)]) == [{0: set(range(n))}] * n
