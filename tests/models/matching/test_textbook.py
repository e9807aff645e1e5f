"""The textbook rivals of the matching models: what each builds, and on which networks."""

from __future__ import annotations

from typing import Any

import pytest

from schedsolve.models import build_problem
from schedsolve.models.matching.constructions.textbook import flooding, lattice_of, rank_doubling
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.constructions import construct
from tests.models.matching.problems import MODES

RIVALS = {"dimension-order", "dimension-by-dimension", "rank-doubling", "flooding"}


def rivals(model: str, task: str, network: Network | str, **options: Any) -> dict[str, int]:
    """Return the values of the textbook algorithms, replayed by the referee."""
    built = construct(build_problem(model, task, network, options), seconds=0.01)
    return {c.algorithm.name: int(c.value) for c in built if c.algorithm.name in RIVALS}


@pytest.mark.parametrize(
    ("network", "expected"),
    [
        ("torus:4x4", {"dimension-order": 4, "rank-doubling": 4, "flooding": 4}),
        ("torus:3x4x5", {"dimension-order": 7, "rank-doubling": 7, "flooding": 7}),
        ("grid:3x5", {"dimension-order": 6, "rank-doubling": 6, "flooding": 6}),
        ("hypercube:4", {"rank-doubling": 4, "flooding": 4}),
        ("star:6", {"rank-doubling": 5, "flooding": 5}),
        ("debruijn:5", {"rank-doubling": 9, "flooding": 8}),
        ("complete:8", {"flooding": 3}),
    ],
)
def test_broadcasts(network: str, expected: dict[str, int]) -> None:
    """The rivals of a broadcast from node 0, and of the accumulation that is one run backwards."""
    for model in MODES:
        assert rivals(model, "broadcast", network, source=0) == expected
        assert rivals(model, "accumulation", network, root=0) == expected


def test_multicasts() -> None:
    """Only the targets have ranks, and no call is made that leads to none of them."""
    problem = build_problem("telephone", "multicast", "torus:4x5", {"source": 7, "targets": [0, 13, 19]})
    for c in construct(problem, seconds=0.01):
        if c.algorithm.name not in RIVALS:
            continue
        informed = [call.receiver for calls in c.indexed.rounds for call in calls]
        callers = {call.sender for calls in c.indexed.rounds for call in calls}
        assert set(informed) <= {0, 13, 19} | callers, c.algorithm.name
    assert rivals("telephone", "multicast", "star:6", source=3, targets=[1, 5]) == {
        "rank-doubling": 3,
        "flooding": 5,
    }


@pytest.mark.parametrize(
    ("network", "two_way", "one_way"),
    [("torus:3x3", 6, 8), ("torus:4x6", 5, 10), ("grid:3x4", 6, 8), ("torus:3x3x4", 8, 12)],
)
def test_gossips(network: str, two_way: int, one_way: int) -> None:
    """A gossip takes the rounds of its lines, summed over the dimensions."""
    assert rivals("telephone", "gossip", network) == {"dimension-by-dimension": two_way}
    assert rivals("telegraph", "gossip", network) == {"dimension-by-dimension": one_way}


def test_every_source_of_a_lattice() -> None:
    """From any node of a torus the shorter ways take as long; in a grid the distance is a lower bound."""
    torus = [rivals("telephone", "broadcast", "torus:5x6", source=v)["dimension-order"] for v in range(30)]
    assert set(torus) == {torus[0]}
    grid = Network.from_spec("grid:3x4")
    for v in range(12):
        far = max(d or 0 for d in grid.distances_from([v]))
        assert far <= rivals("telephone", "broadcast", grid, source=v)["dimension-order"] <= far + 2


def test_flooding_goes_by_degree_and_by_age() -> None:
    """Node 0 calls the neighbour of greatest degree first; who was informed first chooses first."""
    network = Network.of([(0, 1), (0, 2), (2, 3), (2, 4), (1, 3)])
    assert flooding(network, [0], range(5)) == [[(0, 2)], [(0, 1), (2, 3)], [(2, 4)]]
    assert flooding(network, [1, 2], [3]) == [[(1, 0), (2, 3)]]


def test_ranks_are_reached_over_shortest_paths() -> None:
    """On a path rank 2 is reached through rank 1, and a hop waits until its ends are idle."""
    path = Network.from_spec("path:4")
    assert rank_doubling(path, 0, range(4)) == [[(0, 1)], [(1, 2)], [(2, 3)]]
    assert rank_doubling(path, 1, range(4)) == [[(1, 2)], [(2, 3), (1, 0)]]
    assert rank_doubling(path, 2, [0]) == [[(2, 1)], [(1, 0)]]
    arms = Network.of([(0, 1), (0, 2), (0, 3)], directed=True)
    with pytest.raises(InputError, match="no path from node 1 to node 3"):
        rank_doubling(arms, 0, range(4))
    assert rivals("telegraph", "broadcast", arms, source=0) == {"flooding": 3}


def test_lattices_are_told_by_their_edges() -> None:
    """Grids and tori of every size are found, and nothing else is one."""
    for sides in [(3, 3), (3, 4), (4, 3), (5, 7), (3, 3, 3), (3, 4, 5), (4, 3, 4), (3, 3, 3, 4)]:
        found = lattice_of(Network.from_spec("torus:" + "x".join(map(str, sides))))
        assert found is not None
        assert (found.sides, found.cyclic) == (sides, True)
    for rows in range(2, 6):
        for columns in range(2, 6):
            found = lattice_of(Network.from_spec(f"grid:{rows}x{columns}"))
            assert found is not None
            assert (found.sides, found.cyclic) == ((rows, columns), False)
    torus = Network.from_spec("torus:3x4")
    renumbered = Network(12, tuple(((u * 5) % 12, (v * 5) % 12) for u, v in torus.edges))
    for other in ["path:6", "cycle:12", "ccc:3", "hypercube:4", "circulant:12,1,4", "complete:5", "star:4"]:
        assert lattice_of(Network.from_spec(other)) is None, other
    assert lattice_of(renumbered) is None
