"""The covering relaxation: what it claims, and the bounds found with it, against exhaustive search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache
from itertools import permutations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.models.matching.bounds.covering import covering_bound
from schedsolve.models.matching.claims import covering_levels, covering_value
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from tests.models.matching.small_broadcasts import ATLAS, least_rounds, problems


def reached_by_definition(
    network: Network, sources: Collection[int], weights: Sequence[int]
) -> Callable[[int, int | None, int], int]:
    """V of `covering_value` for a node, a parent and rounds left, all assignments of callees to rounds tried
    out.
    """

    @cache
    def reached(v: int, parent: int | None, left: int) -> int:
        callees = [u for u in network.successors[v] if u != parent and u not in sources]
        orders = permutations([*callees, *[None] * left], left)
        return weights[v] + max(
            sum(reached(u, v, left - i) for i, u in enumerate(o, 1) if u is not None) for o in set(orders)
        )

    return reached


def value_by_definition(
    network: Network, sources: Collection[int], weights: Sequence[int], rounds: int
) -> int:
    """The covering value by `reached_by_definition`."""
    reached = reached_by_definition(network, sources, weights)
    return sum(reached(s, None, rounds) for s in set(sources))


def _check(network: Network, sources: Collection[int], targets: Collection[int]) -> None:
    bound = covering_bound(network, sources, targets, 0, time_limit=1)
    assert bound.rounds <= least_rounds(network, sources, targets)
    if bound.rounds:
        assert bound.weights is not None
        assert all(v in targets for v, weight in enumerate(bound.weights) if weight)
        assert covering_value(network, sources, bound.weights, bound.rounds - 1) < sum(bound.weights)


def test_bounds_hold_on_all_small_graphs() -> None:
    """On every connected graph of up to five nodes the bound is at most the optimum from every source, and
    its weights prove it.
    """
    for network in ATLAS:
        for s in range(network.node_count):
            _check(network, [s], range(network.node_count))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(problems())
def test_bounds_hold_for_multicast_with_several_sources(
    problem: tuple[Network, list[int], list[int]],
) -> None:
    """On random networks, directed or not, the bound for any sources and targets is at most the optimum, and
    its weights prove it.
    """
    _check(*problem)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(problems(), st.integers(0, 4), st.data())
def test_value_is_the_definition(
    problem: tuple[Network, list[int], list[int]], rounds: int, data: st.DataObject
) -> None:
    """The value is what comes out when all assignments are tried."""
    network, sources, _ = problem
    weights = data.draw(st.lists(st.integers(0, 9), min_size=network.node_count, max_size=network.node_count))
    assert covering_value(network, sources, weights, rounds) == value_by_definition(
        network, sources, weights, rounds
    )


@pytest.mark.parametrize(
    "limits",
    [
        {"EXACT_CALLEES": 0},
        {"EXACT_CALLEES": 0, "PARENT_CALLEES": 0},
        {"EXACT_CALLEES": 2, "PARENT_CALLEES": 3},
    ],
)
def test_estimates_only_enlarge_the_value(limits: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimated in place of maximised, and with calls back to parents, the value is never below the exact
    one.
    """
    cases = [
        (network, [v % 3 * 5 + v for v in range(network.node_count)], t)
        for network in ATLAS
        for t in range(5)
    ]
    exact = [covering_value(network, [0], weights, t) for network, weights, t in cases]
    for name, limit in limits.items():
        monkeypatch.setattr(covering_levels, name, limit)
    estimated = [covering_value(network, [0], weights, t) for network, weights, t in cases]
    assert all(small <= large for small, large in zip(exact, estimated, strict=True))
    assert exact != estimated


def test_estimates_are_above_the_definition_at_large_degrees() -> None:
    """On a wheel, whose hub has too many callees for the maximum, and on complete graphs the value is at
    least the defined one.
    """
    for graph in (nx.wheel_graph(9), nx.complete_graph(8)):
        network = Network.from_networkx(graph)
        weights = [v * v % 7 for v in range(network.node_count)]
        for t in range(4):
            assert covering_value(network, [0], weights, t) >= value_by_definition(network, [0], weights, t)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(problems(), st.data())
def test_relabelling_does_not_change_the_value(
    problem: tuple[Network, list[int], list[int]], data: st.DataObject
) -> None:
    """Numbering the nodes in another way leaves the value as it is."""
    network, sources, _ = problem
    n = network.node_count
    weights = data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n))
    new = data.draw(st.permutations(range(n)))
    moved = Network(n, tuple((new[u], new[v]) for u, v in network.edges), network.directed)
    moved_weights = [weights[new.index(v)] for v in range(n)]
    assert covering_value(moved, [new[s] for s in sources], moved_weights, 3) == covering_value(
        network, sources, weights, 3
    )


def test_value_counts_doublings_in_a_complete_graph() -> None:
    """With weights one, t rounds in a large complete graph reach 2^t, whichever way a node's calls are
    bounded.
    """
    network = Network.from_spec("complete:40")
    assert [covering_value(network, [0], [1] * 40, t) for t in range(6)] == [1, 2, 4, 8, 16, 32]


@pytest.mark.parametrize(("spec", "bound"), [("complete:1", 0), ("complete:2", 1), ("path:2", 1)])
def test_one_and_two_nodes(spec: str, bound: int) -> None:
    """One node needs no rounds and two need one."""
    network = Network.from_spec(spec)
    assert covering_bound(network, [0], range(network.node_count), 0, time_limit=1).rounds == bound


@pytest.mark.parametrize(
    ("spec", "rounds"),
    [
        ("star:30", 29),
        ("path:30", 29),
        ("complete:33", 6),
        ("debruijn:6", 8),
        ("butterfly:4", 7),
        ("ccc:5", 11),
        ("torus:7x7", 7),
    ],
)
def test_known_bounds(spec: str, rounds: int) -> None:
    """Where distance, doubling or the covering of an odd torus, a CCC, a de Bruijn graph or a butterfly is
    strong, the bound is found.
    """
    network = Network.from_spec(spec)
    assert (
        covering_bound(
            network, [0], range(network.node_count), 6 if spec == "complete:33" else 0, time_limit=5
        ).rounds
        == rounds
    )


def test_nothing_is_claimed_beyond_the_start() -> None:
    """A start that is at least the optimum comes back without weights, and so does one that leaves no
    time.
    """
    network = Network.from_spec("hypercube:4")
    assert covering_bound(network, [0], range(16), 4, time_limit=5).weights is None
    assert covering_bound(Network.from_spec("debruijn:6"), [0], range(64), 6, time_limit=0).weights is None


def test_unreached_nodes_of_a_directed_network() -> None:
    """Arcs count in their direction only: a target that no source reaches is refused, other nodes out of
    reach do not matter.
    """
    network = Network(4, ((0, 1), (1, 2), (3, 0)), directed=True)
    assert covering_bound(network, [0], [1, 2], 0, time_limit=1).rounds == 2
    with pytest.raises(InputError, match="node 3 cannot be reached"):
        covering_bound(network, [0], range(4), 0, time_limit=1)


@pytest.mark.parametrize(
    ("sources", "weights", "rounds"),
    [([], [1, 1], 1), ([2], [1, 1], 1), ([0], [1], 1), ([0], [1, -1], 1), ([0], [1, 1], -1)],
)
def test_bad_input_of_the_value(sources: list[int], weights: list[int], rounds: int) -> None:
    """No sources, a source outside the network, missing or negative weights and negative rounds are
    refused.
    """
    with pytest.raises(InputError):
        covering_value(Network(2, ((0, 1),)), sources, weights, rounds)


@pytest.mark.parametrize(("sources", "targets"), [([], [1]), ([0], [2]), ([-1], [1])])
def test_bad_input_of_the_bound(sources: list[int], targets: list[int]) -> None:
    """No sources and nodes outside the network are refused."""
    with pytest.raises(InputError):
        covering_bound(Network(2, ((0, 1),)), sources, targets, 0, time_limit=1)
