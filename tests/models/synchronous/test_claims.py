"""Bounds without prices, by hand: distance, steps, bandwidths, counting and parts; hops through switches."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from schedsolve import Network, build_problem
from schedsolve.modelkit.evidence import lower_claims
from schedsolve.modelkit.problem import Problem
from schedsolve.models.synchronous.claims import EVIDENCE, hops
from schedsolve.models.synchronous.claims.bandwidth import worst_rounds_per_chunk
from schedsolve.models.synchronous.claims.hops import (
    hop_costs,
    hop_distances,
    least_steps,
    neighbours,
    routes,
)
from schedsolve.models.synchronous.claims.orbits import link_orbits, orbit_representatives
from schedsolve.models.synchronous.claims.reductions import counting_evidence
from schedsolve.models.synchronous.rules.collective import collective_of
from schedsolve.models.synchronous.rules.mirror import mirrored, spreading
from schedsolve.runtime.errors import ClaimError, InputError

CLAIMS = lower_claims(EVIDENCE)

HALF = Fraction(1, 2)
UNEVEN = Network(3, ((0, 1), (1, 0), (1, 2), (2, 1)), True, bandwidths=(1, 2, 3, HALF))
"""A path, of other bandwidths one way than the other."""


def posed(task: str, network: Network, **parameters: Any) -> Problem:
    return build_problem("synchronous", task, network, {"steps": 2, **parameters})


def claimed(kind: str, problem: Problem, **evidence: Any) -> Any:
    return CLAIMS[kind](problem, {"kind": kind, **evidence})


@pytest.mark.parametrize(
    ("task", "parameters", "value"),
    [
        # Node 0 gets 2 chunks over 2, node 2 over 3, node 1 over 1 + 1/2; node 2 sends its own over 1/2.
        ("allgather", {}, Fraction(2)),
        ("allgather", {"chunks": 1}, Fraction(2)),
        ("broadcast", {"source": 0}, Fraction(1)),
        ("broadcast", {"source": 2}, Fraction(2)),
        ("broadcast", {"source": 2, "chunks": 3}, Fraction(2)),
        ("broadcast", {"source": 0, "chunks": 1}, Fraction(2)),
        # Both chunks leave node 0 over its one link; two hops and one, over all links of 6 1/2.
        ("scatter", {"source": 0}, Fraction(2)),
        ("gather", {"root": 2}, Fraction(1)),
        ("gather", {"root": 2, "steps": 3, "chunks": 2}, Fraction(3, 2)),
        ("alltoall", {}, Fraction(4)),
        ("reduce", {"root": 0}, Fraction(2)),
        ("reduce", {"root": 2}, Fraction(1)),
        ("reduce-scatter", {}, Fraction(4)),
        # Node 2 sends over 1/2 only, and node 0 is sent over 2.
        ("allreduce", {}, Fraction(2)),
        ("allreduce", {"chunks": 1, "steps": 4}, Fraction(4)),
    ],
)
def test_bandwidth(task: str, parameters: dict[str, Any], value: Fraction) -> None:
    """What one node has to get, or to send, or all links together to carry."""
    assert claimed("bandwidth", posed(task, UNEVEN, **parameters)) == value


def test_an_allreduce_is_as_fast_as_its_narrowest_end() -> None:
    """Be it where a node sends, or where it is sent."""
    for network in (UNEVEN, UNEVEN.reversed()):
        assert claimed("bandwidth", posed("allreduce", network)) == 2


def test_all_links_together() -> None:
    """Without copies every hop counts: on a ring of six all links carry more than those at a node."""
    ring = Network.from_spec("cycle:6")
    assert claimed("bandwidth", posed("alltoall", ring, steps=3)) == Fraction(6 * (1 + 1 + 2 + 2 + 3), 12)
    # Through a switch a hop crosses two links.
    star = Network(4, ((0, 3), (1, 3), (2, 3)), switches=frozenset({3}), bandwidths=(4, 4, HALF))
    assert claimed("bandwidth", posed("scatter", star, source=0)) == 2
    wide = Network(4, ((0, 3), (1, 3), (2, 3)), switches=frozenset({3}), bandwidths=(1, 1, 1))
    assert claimed("bandwidth", posed("alltoall", wide, steps=1)) == 2


def test_a_hop_through_three_switches() -> None:
    """Two hops over wide links cross fewer links than the one through switches: the least count is right."""
    links = ((0, 1), (1, 2), (0, 3), (3, 4), (4, 5), (5, 2))
    thin = Fraction(1, 10)
    network = Network(6, links, switches=frozenset({3, 4, 5}), bandwidths=(10, 10, thin, thin, thin, thin))
    assert claimed("bandwidth", posed("alltoall", network)) == 2 / (10 + thin)


def test_distance() -> None:
    """Too few steps are more than the horizon; a step lasts a round."""
    path = Network.from_spec("path:4")
    for task in ("broadcast", "reduce", "allgather", "allreduce", "alltoall"):
        more = {"source": 0} if task == "broadcast" else {"root": 0} if task == "reduce" else {}
        problem = posed(task, path, **more)
        assert claimed("distance", problem) == worst_rounds_per_chunk(problem) + 1
        with pytest.raises(ClaimError, match="no destination is more than 3 hops away, and there are 3"):
            claimed("distance", posed(task, path, steps=3, **more))
    with pytest.raises(ClaimError, match="more than 2 hops"):
        claimed("distance", posed("broadcast", path, source=1))


LEAVES = Network.from_spec("leaf-spine:2,2,1")
"""Compute nodes 0, 1 on switch 4, nodes 2, 3 on switch 5, and switch 6 between these."""


@pytest.mark.parametrize(
    ("groups", "chunks", "value"),
    [
        (None, None, Fraction(6, 4)),
        ([[0], [1], [2], [3]], None, Fraction(6, 4)),
        ([[0, 1, 4], [2, 3, 5]], None, Fraction(2, 2)),
        ([[0, 1, 4], [2, 3, 5, 6]], 1, Fraction(4)),
        ([[0, 1, 4], [2], [3]], None, Fraction(4, 3)),
        (None, 4, Fraction(6, 4)),
        (None, 3, Fraction(5, 3)),
    ],
)
def test_counting(groups: Any, chunks: int | None, value: Fraction) -> None:
    """2 (K - 1) sends between K groups, over the links into these, in rounds that are whole."""
    counted = {} if chunks is None else {"chunks": chunks}
    evidence = {} if groups is None else {"groups": groups}
    steps = 4 if chunks == 1 else 2
    assert claimed("counting", posed("allreduce", LEAVES, steps=steps, **counted), **evidence) == value


def test_counting_takes_the_narrower_side() -> None:
    """Arcs of other bandwidths one way: the sum over all groups is alike for both, but not with switches."""
    one_way = Network(
        4,
        ((0, 2), (1, 2), (2, 3), (3, 0), (3, 1)),
        True,
        switches=frozenset({2, 3}),
        bandwidths=(1, 1, 9, 5, 5),
    )
    assert claimed("counting", posed("allreduce", one_way, steps=1)) == 1
    assert claimed("counting", posed("allreduce", one_way.reversed(), steps=1)) == 1


@pytest.mark.parametrize(
    "groups",
    [
        [[0, 1, 2, 3]],
        [[0, 1], [2, 3], []],
        [[0, 1], [2, 3], [6]],
        [[0, 1], [2, 3], [4, 5, 6]],
        [[0, 1], [1, 2, 3]],
        [[0, 1], [2]],
        [[0, 1, 6], [2, 3, 6]],
        [[0, 1], [2, 9]],
        [0, 1],
        7,
        None,
    ],
)
def test_groups_that_prove_nothing(groups: Any) -> None:
    """Disjoint groups, each with a compute node, that hold all of them: a group of switches alone would count
    two sends of every chunk that nobody needs.
    """
    with pytest.raises(ClaimError, match="group"):
        claimed("counting", posed("allreduce", LEAVES), groups=groups)


def test_counting_is_for_an_allreduce() -> None:
    """Other tasks need fewer sends."""
    with pytest.raises(ClaimError, match="counted for an allreduce"):
        claimed("counting", posed("allgather", LEAVES))
    fast = Network(4, ((0, 1), (1, 2), (2, 3)), bandwidths=(9, 1, 9))
    assert counting_evidence(posed("allreduce", fast)) == {"kind": "counting", "groups": [[0, 1], [2, 3]]}
    assert counting_evidence(posed("allreduce", Network.from_spec("path:4"))) == {"kind": "counting"}


def test_parts_of_an_allreduce() -> None:
    """A broadcast from a node and a reduce to it, of as many chunks in the same steps."""
    problem = posed("allreduce", UNEVEN, steps=4)
    for task, value in (("broadcast", 2), ("reduce", 1)):
        part = {"task": task, "node": 2, "evidence": {"kind": "bandwidth"}}
        assert claimed("part", problem, **part) == value
    counted = posed("allreduce", UNEVEN, steps=4, chunks=3)
    assert claimed("part", counted, task="reduce", node=2, evidence={"kind": "bandwidth"}) == Fraction(4, 3)
    ordered = posed("allreduce", UNEVEN, steps=4, ordered=True)
    assert claimed("part", ordered, task="reduce", node=2, evidence={"kind": "bandwidth"}) == 1


@pytest.mark.parametrize(
    "part",
    [
        {"task": "allgather", "node": 0, "evidence": {"kind": "bandwidth"}},
        {"task": "broadcast", "node": 4, "evidence": {"kind": "bandwidth"}},
        {"task": "broadcast", "node": 9, "evidence": {"kind": "bandwidth"}},
        {"task": "broadcast", "node": [0], "evidence": {"kind": "bandwidth"}},
        {"task": "broadcast", "node": None, "evidence": {"kind": "bandwidth"}},
        {"task": "broadcast", "evidence": {"kind": "bandwidth"}},
        {"node": 0, "evidence": {"kind": "bandwidth"}},
        {"task": "broadcast", "node": 0, "evidence": [1]},
        {"task": "broadcast", "node": 0},
        {"task": "broadcast", "node": 0, "evidence": {"kind": "counting"}},
        {"task": "broadcast", "node": 0, "evidence": {"kind": ["bandwidth"]}},
        {"task": "broadcast", "node": 0, "evidence": {}},
    ],
)
def test_parts_that_are_none(part: dict[str, Any]) -> None:
    """Of another task, at a switch or at no node, without evidence of a known kind."""
    with pytest.raises(ClaimError, match="part of an allreduce"):
        claimed("part", posed("allreduce", LEAVES), **part)
    with pytest.raises(ClaimError, match="part of an allreduce"):
        claimed("part", posed("allgather", LEAVES), task="broadcast", node=0, evidence={"kind": "bandwidth"})


def test_prices_are_for_copies() -> None:
    """An allreduce has prices of its parts only."""
    for kind in ("prices", "tree-prices"):
        with pytest.raises(ClaimError, match="for one of its parts"):
            claimed(kind, posed("allreduce", UNEVEN), links=[[0, 1, 1, 1]])


def test_too_many_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more ways are listed than are allowed."""
    monkeypatch.setattr(hops, "MOST_ROUTES", 12)
    assert len(routes(LEAVES)) == 12
    monkeypatch.setattr(hops, "MOST_ROUTES", 11)
    with pytest.raises(InputError, match="more than 11 ways through the switches"):
        routes(LEAVES)


def test_ways_through_switches() -> None:
    """A route passes switches, none twice, and no compute node; it costs what its links cost."""
    found = {(r.sender, r.switches, r.receiver): r.links for r in routes(LEAVES)}
    assert set(found) == {
        *(((u, (4,), v)) for u, v in ((0, 1), (1, 0))),
        *(((u, (5,), v)) for u, v in ((2, 3), (3, 2))),
        *((u, (4, 6, 5), v) for u in (0, 1) for v in (2, 3)),
        *((u, (5, 6, 4), v) for u in (2, 3) for v in (0, 1)),
    }
    assert found[0, (4, 6, 5), 3] == ((0, 4), (4, 6), (6, 5), (5, 3))
    costs: Any = hop_costs(LEAVES, {(0, 4): Fraction(2), (4, 6): Fraction(3), (5, 3): HALF})
    assert (costs[0, 1], costs[0, 2], costs[0, 3], costs[1, 2]) == (2, 5, 5 + HALF, 3)
    assert (0, 0) not in costs
    assert all(u < 4 and v < 4 for u, v in costs)
    # Of two ways the cheaper one, whichever switch is passed first.
    ring = Network(4, ((0, 2), (2, 1), (0, 3), (3, 1)), switches=frozenset({2, 3}))
    for prices in ({(0, 2): Fraction(1), (3, 1): HALF}, {(2, 1): Fraction(1), (3, 1): HALF}):
        assert hop_costs(ring, prices)[0, 1] == HALF
    # A hop ends at a compute node, and a dead end is left again.
    chain = Network(6, ((0, 3), (3, 1), (1, 4), (4, 2), (4, 5)), switches=frozenset({3, 4, 5}))
    assert set(hop_costs(chain, {})) == {(0, 1), (1, 0), (1, 2), (2, 1)}
    assert neighbours(chain) == {0: [1], 1: [0, 2], 2: [1]}
    for machine in ("a100:2", "leaf-spine:2,2,1", "dragonfly:2,1", "star:4"):
        network = Network.from_spec(machine)
        pairs = {(u, v) for u, near in neighbours(network).items() for v in near}
        assert pairs == set(hop_costs(network, {}))
    assert [route.switches for route in routes(chain)] == [(3,), (3,), (4,), (4,)]
    spur = Network(4, ((0, 1), (1, 2), (1, 3)), switches=frozenset({1, 2}))
    assert {route.links for route in routes(spur)} == {((0, 1), (1, 3)), ((3, 1), (1, 0))}
    assert hop_distances(neighbours(Network.from_spec("path:4")), 1) == {1: 0, 0: 1, 2: 1, 3: 2}


def test_mirrored_problems() -> None:
    """A reduce is a broadcast on the reversed network; an allreduce brings everything everywhere."""
    reduce = posed("reduce", UNEVEN, root=2, ordered=True, chunks=2)
    mirror = mirrored(reduce)
    assert (mirror.task, dict(mirror.parameters)) == ("broadcast", {"steps": 2, "chunks": 2, "source": 2})
    assert mirror.network.bandwidth_of[2, 1] == UNEVEN.bandwidth_of[1, 2]
    allreduce = posed("allreduce", UNEVEN, ordered=True)
    assert mirrored(allreduce) is allreduce
    assert (spreading(allreduce).task, dict(spreading(allreduce).parameters)) == ("allgather", {"steps": 2})
    assert spreading(reduce) == mirror
    one_way = Network(3, ((0, 1), (1, 2), (2, 0)), True)
    assert least_steps(collective_of(spreading(posed("reduce", one_way, root=1)))) == 2


def test_orbits() -> None:
    """Shipments and links that rotations of a cycle map to each other; shipments that nobody waits for."""
    cycle = Network.from_spec("cycle:4")
    rotations = [tuple((v + k) % 4 for v in range(4)) for k in range(4)]
    collective = collective_of(posed("alltoall", cycle))
    assert list(orbit_representatives(collective, rotations)) == [1, 2, 3]
    assert len(list(orbit_representatives(collective, rotations[:1]))) == 12
    assert len(set(link_orbits(cycle.arcs, rotations).values())) == 2
    assert json.dumps(sorted(set(link_orbits(cycle.arcs, rotations).values()))) == "[[0, 1], [0, 3]]"


@pytest.mark.parametrize(("up", "down", "value"), [(1, 3, 1), (3, 1, 1), (1, 1, 1), (3, 3, Fraction(1, 3))])
def test_counting_takes_the_worse_direction(up: int, down: int, value: Fraction) -> None:
    """Through a switch the links that leave the groups and those that enter them carry different sums."""
    links, switches = ((0, 2), (1, 2), (2, 0), (2, 1)), frozenset({2})
    network = Network(3, links, True, bandwidths=(up, up, down, down), switches=switches)
    assert claimed("counting", posed("allreduce", network)) == value
