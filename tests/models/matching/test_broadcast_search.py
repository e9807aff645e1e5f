"""The search for broadcast schedules: what it returns is legal, wastes no call, and is as short as it is
known to get.
"""

from __future__ import annotations

from collections.abc import Collection

import pytest
from hypothesis import given, settings

from schedsolve.modelkit.search import Effort
from schedsolve.models.matching.constructions import broadcast_search
from schedsolve.models.matching.constructions.broadcast_search import search_broadcast
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from tests.models.matching.small_broadcasts import ATLAS, least_rounds, problems

Rounds = list[list[tuple[int, int]]]


def informed_by(network: Network, sources: Collection[int], rounds: Rounds) -> set[int]:
    """The nodes informed at the end; fails on a call that is not legal or informs nobody."""
    informed = set(sources)
    for calls in rounds:
        ends = [v for call in calls for v in call]
        assert len(ends) == len(set(ends))
        for u, v in calls:
            assert (u, v) in network.arc_set
            assert u in informed
            assert v not in informed
        informed.update(v for _, v in calls)
    return informed


def _check(network: Network, sources: Collection[int], targets: Collection[int], rounds: Rounds) -> None:
    assert set(targets) <= informed_by(network, sources, rounds)
    senders = {u for calls in rounds for u, _ in calls}
    assert all(v in targets or v in senders for calls in rounds for _, v in calls), "a call is in vain"
    assert not rounds or rounds[-1]


def test_optimum_of_all_small_graphs() -> None:
    """On every connected graph of up to five nodes the optimum is found from every source."""
    for network in ATLAS:
        everyone = range(network.node_count)
        for s in everyone:
            optimum = least_rounds(network, [s], everyone)
            found = search_broadcast(network, [s], everyone, Effort(1, 5, optimum))
            _check(network, [s], everyone, found)
            assert least(network, [s], everyone) <= len(found) == optimum


def least(network: Network, sources: Collection[int], targets: Collection[int]) -> int:
    """The bound at which the search ends."""
    return broadcast_search._least_rounds(broadcast_search._checked(network, sources, targets))


@pytest.mark.parametrize(("spec", "rounds"), [("cycle:7", 4), ("path:9", 8), ("complete:9", 4), ("ccc:3", 6)])
def test_the_search_ends_at_a_bound(spec: str, rounds: int) -> None:
    """By growth with as many calls as links allow: in cycles and in cubic networks it needs no time."""
    network = Network.from_spec(spec)
    found = search_broadcast(network, [0], range(network.node_count), Effort(1, 1e9))
    assert least(network, [0], range(network.node_count)) == len(found) == rounds


@settings(derandomize=True, deadline=None, max_examples=100)
@given(problems())
def test_the_bound_is_one(problem: tuple[Network, list[int], list[int]]) -> None:
    """On random networks, directed or not, with several sources, it is at most the optimum."""
    network, sources, targets = problem
    assert least(network, sources, targets) <= least_rounds(network, sources, targets)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(problems())
def test_multicast_with_several_sources(problem: tuple[Network, list[int], list[int]]) -> None:
    """On random networks, directed or not, the schedules are legal, waste no call and are never shorter than
    the optimum.
    """
    network, sources, targets = problem
    found = search_broadcast(network, sources, targets, Effort(2, 0.03))
    _check(network, sources, targets, found)
    assert len(found) >= least_rounds(network, sources, targets)


@pytest.mark.parametrize(
    ("spec", "rounds"),
    [
        ("hypercube:7", 7),
        ("grid:8x9", 15),
        ("torus:9x9", 9),
        ("ccc:5", 11),
        ("ccc:6", 13),
        ("shuffle-exchange:7", 13),
        ("debruijn:6", 8),
        ("butterfly:6", 10),
        ("harary:4,50", 14),
        ("complete:100", 7),
        ("random-regular:3,100,1", 9),
        ("star:30", 29),
        ("path:2000", 1999),
    ],
)
def test_known_lengths(spec: str, rounds: int) -> None:
    """Schedules as short as known, most of them optimal, are found from node 0."""
    network = Network.from_spec(spec)
    everyone = range(network.node_count)
    found = search_broadcast(network, [0], everyone, Effort(3, 20, rounds))
    _check(network, [0], everyone, found)
    assert len(found) == rounds


def test_annealing_alone_shortens_a_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without further passes the annealing takes a schedule of the butterfly from 11 rounds to 10."""
    monkeypatch.setattr(broadcast_search, "PASSES", 0)
    network = Network.from_spec("butterfly:6")
    lengths = []
    for goal in (11, 10):
        found = search_broadcast(network, [0], range(384), Effort(4, 20, goal))
        _check(network, [0], range(384), found)
        lengths.append(len(found))
    assert lengths == [11, 10]


def test_annealing_of_a_multicast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Annealed call trees with relays that are no targets stay legal and without calls in vain."""
    monkeypatch.setattr(broadcast_search, "PASSES", 0)
    network = Network.from_spec("random-regular:3,60,1")
    targets = range(0, 60, 4)
    found = search_broadcast(network, [0, 7], targets, Effort(5, 0.3))
    _check(network, [0, 7], targets, found)


def test_one_and_two_nodes() -> None:
    """One node needs no rounds, two need one call, and no targets need none."""
    assert search_broadcast(Network(1, ()), [0], [0], Effort(0, 1)) == []
    assert search_broadcast(Network(2, ((0, 1),)), [1], [0, 1], Effort(0, 1)) == [[(1, 0)]]
    assert search_broadcast(Network(2, ((0, 1),)), [1], [], Effort(0, 1)) == []


def test_same_seed_same_schedule() -> None:
    """A search that ends by meeting its goal repeats itself."""
    network = Network.from_spec("shuffle-exchange:8")
    first, second = (search_broadcast(network, [5], range(256), Effort(6, 20, 13)) for _ in range(2))
    assert first == second


def test_no_time_still_gives_a_schedule() -> None:
    """One pass is completed however little time there is."""
    network = Network.from_spec("random-regular:4,50,2")
    _check(
        network,
        [0],
        range(50),
        search_broadcast(network, [0], range(50), Effort(7, 0)),
    )


@pytest.mark.parametrize(("sources", "targets"), [([], [1]), ([0], [3]), ([1], [0])])
def test_bad_input(sources: list[int], targets: list[int]) -> None:
    """No sources, nodes outside the network and targets that no source reaches are refused."""
    network = Network(3, ((0, 1), (1, 2)), directed=True)
    with pytest.raises(InputError):
        search_broadcast(network, sources, targets, Effort(0, 1))
