"""Links and neighbours of large complete networks, against tuples that list them."""

from __future__ import annotations

import pickle
from itertools import combinations, permutations

import pytest

from schedsolve import Network
from schedsolve.network.all_pairs import MOST_LISTED, AllOthers, AllPairs
from schedsolve.runtime.errors import InputError

LARGE = MOST_LISTED + 1


@pytest.mark.parametrize("n", range(1, 9))
def test_pairs_are_those_listed(n: int) -> None:
    """Length, order, members and slices, with and without both orders of a pair."""
    for pairs, listed in (
        (AllPairs(n), tuple(combinations(range(n), 2))),
        (AllPairs(n, ordered=True), tuple(permutations(range(n), 2))),
    ):
        assert (len(pairs), tuple(pairs)) == (len(listed), listed)
        assert [pairs[i] for i in range(-len(listed), len(listed))] == [*listed, *listed]
        assert pairs[1:-1:2] == listed[1:-1:2]
        with pytest.raises(IndexError):
            pairs[len(listed)]
        around = [(u, v) for u in range(-1, n + 1) for v in range(-1, n + 1)]
        assert [pair in pairs for pair in around] == [pair in listed for pair in around]


@pytest.mark.parametrize("n", range(1, 7))
def test_others_are_those_listed(n: int) -> None:
    """The same of the nodes but one."""
    for v in range(n):
        others, listed = AllOthers(n, v), (*range(v), *range(v + 1, n))
        assert (len(others), tuple(others)) == (len(listed), listed)
        assert [others[i] for i in range(-len(listed), len(listed))] == [*listed, *listed]
        assert others[::-2] == listed[::-2]
        assert [w in others for w in range(-1, n + 1)] == [w in listed for w in range(-1, n + 1)]


@pytest.mark.parametrize("directed", [False, True])
def test_complete_networks_are_equal_however_they_are_given(directed: bool) -> None:
    """By edges in any order or as they are stored; what is derived from the edges is the same."""
    pairs = tuple((permutations if directed else combinations)(range(LARGE), 2))
    network = Network(LARGE, pairs[::-1], directed)
    assert network == Network(LARGE, AllPairs(LARGE, directed), directed)
    assert isinstance(network.edges, AllPairs)
    assert tuple(network.edges) == pairs
    assert tuple(network.arcs) == tuple(permutations(range(LARGE), 2))
    assert [tuple(near) for near in network.successors[:3]] == [
        tuple(w for w in range(LARGE) if w != v) for v in range(3)
    ]
    assert [network.has_arc(0, v) for v in (-1, 0, 1, LARGE - 1, LARGE)] == [False, False, True, True, False]
    assert pickle.loads(pickle.dumps(network)) == network
    assert hash(network) == hash(Network(LARGE, pairs, directed))


def test_a_network_with_a_link_less_is_not_complete() -> None:
    """Its edges are listed; so are those of a small complete network, and a link too many is refused."""
    pairs = tuple(combinations(range(LARGE), 2))
    assert isinstance(Network(LARGE, pairs[1:]).edges, tuple)
    assert isinstance(Network.from_spec(f"complete:{MOST_LISTED}").edges, tuple)
    with pytest.raises(InputError, match="is given twice"):
        Network(LARGE, (*pairs[1:], pairs[1]))


def test_bandwidths_are_those_of_the_edges() -> None:
    """The edges of a network with bandwidths are stored in order, and the bandwidths with them."""
    pairs = tuple(combinations(range(LARGE), 2))
    widths = tuple(1 + (u + v) % 3 for u, v in pairs)
    network = Network(LARGE, pairs[::-1], bandwidths=widths[::-1])
    assert isinstance(network.edges, AllPairs)
    assert network.bandwidths == widths
    assert network.bandwidth_of[5, 3] == 1 + 8 % 3
