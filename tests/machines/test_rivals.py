"""What schedules are compared with is right: as programs, each gives what MPI's own collective gives."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from schedsolve import build_problem, solve, times
from schedsolve.machines.movement.collectives import COLLECTIVES, ROOTED
from schedsolve.machines.movement.movement import Movement
from schedsolve.machines.mpi_program import WRITTEN, mpi_program
from schedsolve.machines.rivals import ring_count, rings_on_links, rivals
from schedsolve.machines.timing import CLOCKS, DEPENDENCIES, Costs, bus_factor, timing
from schedsolve.network.named.families import family_network
from tests.machines.mpi_stand_in import expected, loaded, results

COSTS = Costs(Fraction(5, 10**6), Fraction(4, 10**11), 10**6)
WITH_RINGS = ("allgather", "reduce-scatter", "allreduce", "broadcast", "reduce")


def wanted(collective: str, spec: str) -> Movement:
    network = family_network(spec)
    return Movement(collective, network, 1, (), network.compute_nodes[1] if collective in ROOTED else None)


@pytest.mark.parametrize("spec", ["cycle:5", "leaf-spine:2,3,1", "amd4"])
@pytest.mark.parametrize("collective", COLLECTIVES)
def test_they_are_right(collective: str, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On five ranks, six behind switches and four; with a root in the middle."""
    found = rivals(wanted(collective, spec), COSTS, DEPENDENCIES)
    names = {rival.name for rival in found if rival.on_links}
    assert ("rings on the links" in names) == (collective in WITH_RINGS)
    assert ("double binary trees" in {rival.name for rival in found}) == (
        collective in ("allreduce", "broadcast", "reduce")
    )
    for rival in found:
        movement = rival.timing.movement
        module = loaded(mpi_program(movement, rival.name, "program.py"), monkeypatch)
        function = WRITTEN[collective].name
        sent, received = results(module, function, 12)
        right = expected(function, sent, movement.layout.root)
        for one, other in zip(received, right, strict=True):
            assert np.array_equal(one, other), rival.name


def test_rings_fill_the_links_of_a_dgx1() -> None:
    """Six rings: 7 (alpha + 1/6 L beta), where one of the double links takes 7 (alpha + 1/2 L beta)."""
    found = {rival.name: rival for rival in rivals(wanted("allgather", "dgx1"), COSTS, DEPENDENCIES)}
    beta = Fraction(4, 10**5)
    assert found["rings on the links"].timing.seconds == 7 * (COSTS.alpha + beta / 6)
    assert found["ring"].timing.seconds == 7 * (COSTS.alpha + beta / 2)
    assert found["rings on the links"].on_links
    assert not found["ring"].on_links


@pytest.mark.parametrize(("spec", "planes", "ranks"), [("dgx2", 6, 16), ("leaf-spine:1,4,1", 1, 4)])
def test_rings_fill_all_planes_of_switches(spec: str, planes: int, ranks: int) -> None:
    """As many rings as a rank has links: about 2 (n - 1) (alpha + L beta / (n planes))."""
    network = family_network(spec)
    assert ring_count(network) == planes
    movement = rings_on_links(Movement("allreduce", network, 1, ()))
    assert movement is not None
    beta = COSTS.beta * COSTS.size
    least = 2 * (ranks - 1) * (COSTS.alpha + beta / (ranks * planes))
    # A hop over three links, the middle one of them faster, arrives a little later than over two.
    assert least <= timing(movement, COSTS, DEPENDENCIES).seconds <= Fraction(101, 100) * least


def test_rings_of_one_way_links() -> None:
    """A reduce goes the way of the arcs too."""
    network = family_network("kautz:2,2")
    movement = rings_on_links(Movement("reduce", network, 1, (), 0))
    assert movement is not None
    assert {link for s in movement.steps for t in s.transfers for link in t.links} <= set(network.arcs)
    assert timing(movement, COSTS, DEPENDENCIES).seconds > 0


def test_places_on_the_links_are_no_worse() -> None:
    """Where the ranks of an algorithm are placed, it takes no longer than where they are not."""
    for clock in CLOCKS:
        found = {
            rival.name: rival.timing.seconds
            for rival in rivals(wanted("allgather", "torus:3x3"), COSTS, clock)
        }
        for name, seconds in found.items():
            assert found.get(f"{name} on the links", 0) <= seconds


@pytest.mark.parametrize(
    ("collective", "bytes_of_a_rank", "factor"),
    [
        ("allreduce", 10**6, Fraction(2 * 7, 8)),
        ("allgather", 8 * 10**6, Fraction(7, 8)),
        ("reduce-scatter", 8 * 10**6, Fraction(7, 8)),
        ("alltoall", 8 * 10**6, Fraction(7, 8)),
        ("gather", 8 * 10**6, Fraction(7, 8)),
        ("broadcast", 10**6, Fraction(1)),
        ("reduce", 10**6, Fraction(1)),
    ],
)
def test_bandwidths_are_those_of_nccl_tests(collective: str, bytes_of_a_rank: int, factor: Fraction) -> None:
    """The size is that of the larger buffer, and the factors those of its table."""
    movement = rivals(wanted(collective, "dgx1"), COSTS, DEPENDENCIES)[0].timing.movement
    timed = timing(movement, COSTS)
    assert timed.buffer_bytes == bytes_of_a_rank
    assert bus_factor(movement) == factor
    assert timed.algorithm_bandwidth == pytest.approx(bytes_of_a_rank / float(timed.seconds) / 1e9)
    assert timed.bus_bandwidth == pytest.approx(float(timed.algorithm_bandwidth or 0) * float(factor))


def test_the_times_have_them_by_name() -> None:
    """As `textbook` has its own; seconds are those of all."""
    result = solve(build_problem("synchronous", "allgather", "cycle:4", steps=2))
    found = times(result, alpha=1, beta=1, size=4)
    assert found.rivals["ring"].timing.seconds == found.textbook["ring"].seconds
    assert {*found.rivals, "this schedule"} == set(found.seconds)
    assert set(found.textbook) < set(found.rivals)
    assert "which counts no latency" in str(found)
    assert "latency" not in str(times(result, alpha=0, beta=1, size=4))
