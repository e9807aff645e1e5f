"""The sizes of families: large ones are built, those beyond the limit refused before memory is spent."""

from __future__ import annotations

import tracemalloc

import pytest

from schedsolve.network.named.families import family_network
from schedsolve.network.sizes import SIZE_LIMIT, check_size
from schedsolve.runtime.errors import InputError

ABSURD = """
    path:10000001 cycle:10000001 complete:5000 star:999999999999999999 tree:2,24 tree:1,999999999999999999
    tree:999999999999999999,999999999999999999 grid:4000x4000 torus:3000x3000 hypercube:20
    hypercube:999999999999999999 ccc:20 butterfly:19 debruijn:23 shuffle-exchange:999999999999999999
    harary:100000,1000000 knodel:20,2000000
    random-regular:4000,10000 random-tree:10000001 fat-tree:8388608 torus:3000x3000x3000 circulant:9999999,1,2
    small-world:4,9999999,0 jellyfish:999998,99,40
    kautz:9,9 genkautz:99999,99999 dragonfly:999,999 leaf-spine:9999,9999,1 a100:9999999 mi250:9999999
"""


@pytest.mark.parametrize("spec", ABSURD.split())
def test_absurd_sizes_are_refused_at_once(spec: str) -> None:
    """A network beyond the limit is refused before any memory is spent on it."""
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="too large"):
            family_network(spec)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_size_limit_is_inclusive() -> None:
    """Networks of exactly the limit pass."""
    check_size(SIZE_LIMIT, SIZE_LIMIT)
    with pytest.raises(InputError):
        check_size(1, SIZE_LIMIT + 1)


@pytest.mark.parametrize(
    ("spec", "nodes", "edges"),
    [("ccc:8", 2048, 3072), ("torus:31x31", 961, 1922), ("path:100000", 100_000, 99_999)],
)
def test_large_networks(spec: str, nodes: int, edges: int) -> None:
    """The sizes that searches and simulations use are built."""
    network = family_network(spec)
    assert (network.node_count, len(network.edges)) == (nodes, edges)
