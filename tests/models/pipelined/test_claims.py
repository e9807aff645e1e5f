"""Claims compute a bound from its evidence alone, and refuse evidence that proves nothing."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import networkx
import pytest

from schedsolve import Network, build_problem
from schedsolve.models.pipelined.claims.counting import counting_claim
from schedsolve.models.pipelined.claims.cuts import cut_claim
from schedsolve.models.pipelined.claims.existence import flows_claim, in_turn
from schedsolve.models.pipelined.claims.lengths import lengths_claim
from schedsolve.runtime.errors import ClaimError
from tests.models.pipelined.problems import TASKS, UNBALANCED, digraph, found, optimum, posed


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("network", ["dgx1", "leaf-spine:2,2,1", "kautz:2,1"])
def test_no_cut_and_no_lengths_prove_too_much(task: str, network: str) -> None:
    """Random cuts and random lengths stay below the optimum."""
    problem = posed(task, network)
    best = optimum(problem)
    n = problem.network.node_count
    rng = Random(1)
    for _ in range(60):
        nodes = rng.sample(range(n), rng.randint(1, n - 1))
        try:
            assert cut_claim(problem, {"nodes": nodes}) <= best
        except ClaimError:
            assert task != "alltoall" or not problem.network.switches.isdisjoint(range(n))
    if task in ("allgather", "broadcast"):
        with pytest.raises(ClaimError):
            lengths_claim(problem, {"lengths": [[0, 1, 1]]})
        return
    for _ in range(20):
        lengths = [[u, v, f"{rng.randint(0, 5)}/7"] for u, v in problem.network.arcs]
        assert lengths_claim(problem, {"lengths": lengths}) <= best


@pytest.mark.parametrize(
    ("evidence", "value"),
    [({"nodes": [0]}, "1/6"), ({"nodes": [0, 1, 2, 3]}, "2/3"), ({"nodes": list(range(7))}, "7/6")],
)
def test_cuts_of_dgx1(evidence: dict[str, Any], value: str) -> None:
    """Shards inside against the bandwidth that leaves."""
    assert cut_claim(posed("allgather", "dgx1"), evidence) == Fraction(value)


@pytest.mark.parametrize(
    "evidence", [{}, {"nodes": []}, {"nodes": [9]}, {"nodes": list(range(8))}, {"nodes": 3}, {"nodes": [[0]]}]
)
def test_what_is_no_cut(evidence: dict[str, Any]) -> None:
    """Unknown nodes, none, or all."""
    with pytest.raises(ClaimError):
        cut_claim(posed("allgather", "dgx1"), evidence)


@pytest.mark.parametrize(
    "evidence",
    [
        {},
        {"lengths": [[0, 1, -1]]},
        {"lengths": [[0, 7, 1]]},
        {"lengths": [[0, 1]]},
        {"lengths": 3},
        {"lengths": [[0, 1, "x"]]},
        {"lengths": [[0, 1, 1]], "symmetries": [[1, 0, 2, 3, 4, 5, 6, 7]]},
        {"lengths": [[0, 1, 1]], "symmetries": [[0, 1]]},
        {"lengths": [[0, 1, 1]], "symmetries": 7},
    ],
)
def test_what_are_no_lengths(evidence: dict[str, Any]) -> None:
    """Negative ones, of no link, all 0, or with symmetries that are none."""
    with pytest.raises(ClaimError):
        lengths_claim(posed("alltoall", "dgx1"), evidence)


@pytest.mark.parametrize("task", ["scatter", "gather", "alltoall"])
def test_lengths_by_shortest_ways(task: str) -> None:
    """The distances that all units go by lengths of the links, whatever they are, against the bandwidths; of
    links without a length it is 0.
    """
    random = Random(7)
    for _ in range(12):
        links = {(v, (v + 1) % 5): random.randint(1, 4) for v in range(5)}
        links |= {(u, v): random.randint(1, 4) for u, v in ((1, 0), (0, 3), (3, 1), (4, 2))}
        network = digraph(5, links, compute=4)
        lengths = {link: Fraction(random.randint(0, 6), random.choice((1, 2, 3))) for link in links}
        listed = [[u, v, str(x)] for (u, v), x in lengths.items() if x]
        graph = networkx.DiGraph()
        graph.add_weighted_edges_from((u, v, x) for (u, v), x in lengths.items())
        away = dict(networkx.all_pairs_dijkstra_path_length(graph))
        units = {
            "scatter": [(2, v) for v in range(4)],
            "gather": [(v, 2) for v in range(4)],
            "alltoall": [(u, v) for u in range(4) for v in range(4)],
        }[task]
        value = Fraction(sum(away[u][v] for u, v in units)) / sum(b * lengths[e] for e, b in links.items())
        assert lengths_claim(posed(task, network, 2), {"lengths": listed}) == value


def test_lengths_of_orbits() -> None:
    """One link of an orbit says it for all, the first that is listed; one node of an orbit for all nodes."""
    turned = [[1, 2, 3, 0]]
    for lengths, value in (
        ([[0, 1, 1], [1, 0, 1]], 2),
        ([[2, 3, 1], [1, 0, 1]], 2),
        ([[0, 1, 1], [1, 2, 9], [1, 0, 1]], 2),
        ([[0, 1, 2], [1, 0, 2]], 2),
        ([[0, 1, 1]], 0),
        ([[0, 1, 5], [1, 0, 1]], Fraction(4 * (1 + 2 + 3), 24)),
    ):
        assert (
            lengths_claim(posed("alltoall", "cycle:4"), {"lengths": lengths, "symmetries": turned}) == value
        )
    star = Network.from_spec("star:4")
    kept = {"lengths": [[0, 1, 1]], "symmetries": [[0, 2, 3, 1]]}
    assert lengths_claim(posed("scatter", star), kept) == 1
    with pytest.raises(ClaimError, match="does not keep the problem"):
        lengths_claim(posed("scatter", star, 1), kept)


def test_symmetries_that_move_the_root_are_no_use() -> None:
    """Lengths of a scatter may be repeated under automorphisms only when these keep the source."""
    evidence = {"lengths": [[0, 1, 1], [1, 0, 1]], "symmetries": [[1, 2, 3, 0]]}
    assert lengths_claim(posed("alltoall", "cycle:4"), evidence) == 2
    with pytest.raises(ClaimError):
        lengths_claim(posed("scatter", "cycle:4"), evidence)


@pytest.mark.parametrize("task", ["allgather", "broadcast"])
@pytest.mark.parametrize("network", ["dgx1", "leaf-spine:3,2,1", "kautz:2,2", "a100:2"])
def test_flows_say_when_trees_exist(task: str, network: str) -> None:
    """In the optimum they exist, in any less time not."""
    problem = posed(task, network)
    best = optimum(problem)
    assert flows_claim(problem, {"time": str(best)}) == best
    with pytest.raises(ClaimError):
        flows_claim(problem, {"time": str(best * Fraction(999, 1000))})


@pytest.mark.parametrize("sooner", [0, 1, 20, 300])
def test_every_compute_node_has_its_turn(sooner: int) -> None:
    """Once, in whatever order, also when the flows look at many nodes soon."""
    network = Network.from_spec("leaf-spine:3,4,1")
    roots = dict.fromkeys(network.compute_nodes, 1)
    looks = iter([0] * sooner + [10**6] * 100)
    order = list(in_turn(network, roots, lambda: next(looks)))
    assert sorted(order) == list(network.compute_nodes)
    assert (order == sorted(order)) == (sooner > 10)


def test_flows_far_round_a_cycle() -> None:
    """Also where the nodes come far apart from each other, in the optimum trees exist, sooner not."""
    problem = posed("allgather", "cycle:301")
    assert flows_claim(problem, {"time": "150"}) == 150
    with pytest.raises(ClaimError, match="does not get enough"):
        flows_claim(problem, {"time": "14999/100"})


@pytest.mark.parametrize("time", [None, "x", "0", "-1", "1/0"])
def test_what_is_no_time(time: str | None) -> None:
    """Flows are for a time above 0."""
    with pytest.raises(ClaimError):
        flows_claim(posed("allgather", "dgx1"), {"time": time})


def test_flows_prove_nothing_beside_an_unbalanced_switch_or_of_flows() -> None:
    """The theorem's premise is tested; and an alltoall has no trees."""
    with pytest.raises(ClaimError, match="more bandwidth on one side"):
        flows_claim(posed("broadcast", UNBALANCED), {"time": "1"})
    with pytest.raises(ClaimError):
        flows_claim(posed("alltoall", "dgx1"), {"time": "100"})


def test_flows_of_reductions() -> None:
    """Trees run backwards do for a reduce; where the order of the nodes is kept they need not."""
    network = Network.from_spec("star:4")
    for task, more in (("reduce", {"root": 1}), ("reduce-scatter", {}), ("allreduce", {})):
        free = build_problem("pipelined", task, network, more)
        ordered = build_problem("pipelined", task, network, {**more, "ordered": True})
        evidence = {"time": "3", "adding": "3", "copying": "3"}
        assert flows_claim(free, evidence) == (Fraction(3, 2) if task == "allreduce" else 3)
        with pytest.raises(ClaimError, match="need not keep the order"):
            flows_claim(ordered, evidence)
    one_way = Network(3, ((0, 1), (1, 2), (2, 0)), True, bandwidths=(1, 2, 1))
    reduce = build_problem("pipelined", "reduce", one_way, {"root": 1})
    assert flows_claim(reduce, {"time": "1"}) == 1
    with pytest.raises(ClaimError, match="does not get enough"):
        flows_claim(reduce, {"time": "99/100"})
    allreduce = build_problem("pipelined", "allreduce", one_way, {})
    assert flows_claim(allreduce, {"adding": "2", "copying": "2"}) == Fraction(4, 3)
    for spoilt in ({"adding": "19/10", "copying": "2"}, {"adding": "2", "copying": "19/10"}):
        with pytest.raises(ClaimError, match="does not get enough"):
            flows_claim(allreduce, spoilt)


LEAVES = Network.from_spec("leaf-spine:2,2,1")


@pytest.mark.parametrize(
    ("groups", "value"),
    [(None, Fraction(6, 4)), ([[0, 1, 4], [2, 3, 5]], Fraction(1)), ([[0], [1], [2, 3]], Fraction(1))],
)
def test_counting(groups: Any, value: Fraction) -> None:
    """2 (K - 1) sends of every part, over the links into the groups."""
    evidence = {} if groups is None else {"groups": groups}
    assert counting_claim(build_problem("pipelined", "allreduce", LEAVES, {}), evidence) == value


def test_counting_that_proves_nothing() -> None:
    """Groups of switches alone would be sent to for nothing; other tasks and switches that copy need less."""
    allreduce = build_problem("pipelined", "allreduce", LEAVES, {})
    for groups in ([[0, 1], [2, 3], [6]], [[0, 1], [2, 3], []], [[0, 1, 2, 3]], [[0, 1], [2]]):
        with pytest.raises(ClaimError, match="group"):
            counting_claim(allreduce, {"groups": groups})
    for task, more in (("allgather", {}), ("reduce-scatter", {}), ("allreduce", {"switches_copy": True})):
        with pytest.raises(ClaimError, match="neither copy nor add up"):
            counting_claim(build_problem("pipelined", task, LEAVES, more), {})


def test_the_bottleneck_is_named() -> None:
    """In words, with its nodes and its links."""
    bound, _ = found(posed("allgather", "mi250:1"))
    assert bound.reason == (
        "cut: 14 units must leave all nodes but 0, 1 over bandwidth 300, that of the links 4>0,"
        " 5>1, 8>0, 9>1, 10>1"
    )


@pytest.mark.parametrize("row", [[0, 0, 9], [1, 2, -1], [1, 2, "x"], [0, 2, 1]])
def test_every_length_is_of_a_link(row: list[Any]) -> None:
    """One that is of none, negative or no number spoils the others, which would prove something."""
    problem = posed("alltoall", "path:3")
    assert lengths_claim(problem, {"lengths": [[0, 1, 1]]}) == 2
    with pytest.raises(ClaimError, match="a length is of a link"):
        lengths_claim(problem, {"lengths": [[0, 1, 1], row]})


def test_nothing_between_groups_or_sides() -> None:
    """One group, one side that holds all, and one whose units are all at home prove nothing."""
    allreduce = posed("allreduce", "cycle:4")
    with pytest.raises(ClaimError, match="two groups or more"):
        counting_claim(allreduce, {"groups": [[0, 1, 2, 3]]})
    for task, nodes in (("allreduce", [0, 1, 2, 3]), ("allreduce", []), ("broadcast", [1, 2])):
        with pytest.raises(ClaimError, match="nothing must leave"):
            cut_claim(posed(task, "cycle:4"), {"nodes": nodes})


@pytest.mark.parametrize(("up", "down", "value"), [(1, 3, 1), (3, 1, 1), (1, 1, 1), (3, 3, Fraction(1, 3))])
def test_counting_takes_the_worse_direction(up: int, down: int, value: Fraction) -> None:
    """Through a switch the links that leave the groups and those that enter them carry different sums."""
    network = digraph(3, {(0, 2): up, (1, 2): up, (2, 0): down, (2, 1): down}, compute=2)
    problem = build_problem("pipelined", "allreduce", network)
    assert counting_claim(problem, {}) == value
