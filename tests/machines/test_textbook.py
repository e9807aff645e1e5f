"""The textbook's algorithms are right: as programs, each gives what MPI's own collective gives."""

from __future__ import annotations

import numpy as np
import pytest

from schedsolve.machines.movement.collectives import COLLECTIVES, ROOTED
from schedsolve.machines.movement.movement import Movement
from schedsolve.machines.mpi_program import WRITTEN, mpi_program
from schedsolve.machines.textbook import ring, textbook
from schedsolve.network.named.families import family_network
from tests.machines.mpi_stand_in import expected, loaded, results

ALWAYS = {
    "allgather": ["ring", "Bruck"],
    "alltoall": ["pairwise", "Bruck"],
    "reduce-scatter": ["ring"],
    "allreduce": ["ring", "binomial tree"],
    "broadcast": ["binomial tree", "scatter and ring"],
    "reduce": ["binomial tree"],
    "scatter": ["direct", "binomial tree"],
    "gather": ["direct", "binomial tree"],
}


@pytest.mark.parametrize("spec", ["path:2", "cycle:5", "star:6", "leaf-spine:2,4,2"])
@pytest.mark.parametrize("collective", COLLECTIVES)
def test_they_are_right(collective: str, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On two ranks, on numbers of them that are no power of two, and on eight; with a root in the middle."""
    network = family_network(spec)
    root = network.compute_nodes[1] if collective in ROOTED else None
    made = dict(textbook(Movement(collective, network, 1, (), root)))
    assert set(ALWAYS[collective]) <= set(made)
    ranks = len(network.compute_nodes)
    powers = {"recursive doubling", "recursive halving", "halving and doubling"} & set(made)
    assert bool(powers) == (collective in ("allgather", "reduce-scatter", "allreduce") and ranks in (2, 8))
    for name, movement in made.items():
        module = loaded(mpi_program(movement, name, "program.py"), monkeypatch)
        function = WRITTEN[collective].name
        sent, received = results(module, function, 24)
        wanted = expected(function, sent, movement.layout.root)
        for one, other in zip(received, wanted, strict=True):
            assert np.array_equal(one, other), name


def test_rings_follow_links() -> None:
    """A ring of the double links of a DGX-1; in a star none is found."""
    network = family_network("dgx1")
    order = ring(network)
    pairs = zip(order, order[1:] + order[:1], strict=True)
    assert sorted(order) == list(range(8))
    assert all(network.bandwidth_of[pair] == 2 for pair in pairs)
    assert ring(family_network("star:5")) == list(range(5))
