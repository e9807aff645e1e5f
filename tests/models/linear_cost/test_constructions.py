"""The constructions of the linear cost model: their formulas, replayed with code of their own, and where they
fit.
"""

from __future__ import annotations

import gzip
import json
from fractions import Fraction
from pathlib import Path

import pytest

from schedsolve.modelkit.problem import Problem
from schedsolve.models import build_problem, models
from schedsolve.models.linear_cost.constructions.exchange import exchange_over, greedy, recursive_exchange
from schedsolve.models.linear_cost.constructions.pipelined import pipelined_trees, unequal_costs
from schedsolve.models.linear_cost.constructions.pipelines import breadth_first_tree
from schedsolve.models.linear_cost.constructions.plans import best_plan, plans
from schedsolve.models.linear_cost.constructions.protocol import (
    Protocol,
    digit,
    with_digit,
    without_vain_packets,
)
from schedsolve.models.linear_cost.constructions.scatter_allgather import (
    exchange_and_serve,
    scatter_allgather,
)
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.constructions import Construction, construct
from tests.reference.linear_cost_replay import second_replay

INSTANCES = Path(__file__).parents[3] / "instances"
PERFECT = [(k, dimension) for k in range(1, 6) for dimension in range(1, 7) if (k + 1) ** dimension <= 100]


def cost_of(protocol: Protocol, ports: int, nodes: int) -> Fraction:
    """The cost of a protocol, replayed on the complete network by code that shares nothing with the
    package.
    """
    seen = second_replay(nodes, None, ports, protocol.packet_count, protocol.rounds)
    assert seen.is_complete(protocol.packet_count)
    cost = sum(seen.costs, Fraction(0))
    assert cost == protocol.cost
    return cost


def posed(network: str, **options: object) -> Problem:
    return build_problem("linear-cost", "broadcast", Network.from_spec(network), options)


@pytest.mark.parametrize("ports", [1, 2, 3, 7])
def test_greedy(ports: int) -> None:
    """The whole message goes to everyone in the least number of rounds, for any number of nodes."""
    for nodes in range(1, 70):
        least = next(t for t in range(9) if (ports + 1) ** t >= nodes)
        protocol = greedy(ports, nodes)
        assert (len(protocol.rounds), protocol.packet_count) == (least, 1)
        assert cost_of(protocol, ports, nodes) == least


@pytest.mark.parametrize(("ports", "dimension"), PERFECT)
def test_recursive_exchange(ports: int, dimension: int) -> None:
    """T + r rounds of the cost in Proposition 10, for all r <= T; more rounds are of no use to it."""
    for extra in range(dimension + 1):
        protocol = recursive_exchange(ports, dimension, extra)
        fewer = Fraction(1, (ports + 1) ** extra)
        assert len(protocol.rounds) == dimension + extra
        assert cost_of(protocol, ports, (ports + 1) ** dimension) == (dimension - extra) * fewer + Fraction(
            2, ports
        ) * (1 - fewer)
    assert recursive_exchange(ports, dimension, dimension + 5) == recursive_exchange(
        ports, dimension, dimension
    )


@pytest.mark.parametrize(("ports", "dimension"), PERFECT)
def test_pipelined_trees(ports: int, dimension: int) -> None:
    """T + r rounds of kr + 1 packets, one in every message, for all r >= T - 1."""
    for extra in range(max(1, dimension - 1), dimension + 8):
        protocol = pipelined_trees(ports, dimension, extra)
        assert (len(protocol.rounds), protocol.packet_count) == (dimension + extra, ports * extra + 1)
        assert cost_of(protocol, ports, (ports + 1) ** dimension) == Fraction(
            dimension + extra, ports * extra + 1
        )


@pytest.mark.parametrize(
    ("ports", "dimension"), [pair for pair in PERFECT if pair[1] >= 2] + [(1, 8), (2, 5), (6, 2), (8, 2)]
)
def test_unequal_costs(ports: int, dimension: int) -> None:
    """2T + 3 rounds, three of them large, of cost H(k, T), which is below the conjectured value exactly when
    kT > 3k + 3.
    """
    protocol = unequal_costs(ports, dimension)
    extra = dimension + 3
    cost = Fraction(2 * dimension + 3 * ports + 3, ports * extra + 2 * ports**2 + 1)
    assert len(protocol.rounds) == dimension + extra
    assert cost_of(protocol, ports, (ports + 1) ** dimension) == cost
    sizes = [max(len(packets) for _, _, packets in messages) for messages in protocol.rounds]
    assert [t for t, size in enumerate(sizes, 1) if size > 1] == [1, dimension + 2, 2 * dimension + 3]
    assert (cost < Fraction(dimension + extra, ports * extra + 1)) == (ports * dimension > 3 * ports + 3)


@pytest.mark.parametrize(
    ("ports", "dimension", "found", "conjectured"), [(2, 5, "19/25", "13/17"), (1, 7, "20/13", "17/11")]
)
def test_the_smallest_counterexamples(ports: int, dimension: int, found: str, conjectured: str) -> None:
    """Two protocols that cost less than Conjecture 31 says is possible."""
    assert (
        cost_of(unequal_costs(ports, dimension), ports, (ports + 1) ** dimension)
        == Fraction(found)
        < Fraction(conjectured)
    )
    assert Fraction(2 * dimension + 3, ports * (dimension + 3) + 1) == Fraction(conjectured)
    assert best_plan(ports, dimension, dimension + 3).name == "unequal-costs"


def test_exchanges_around_a_protocol() -> None:
    """Lemma 9: two rounds more, of cost 1/(k+1) each, and the others cost 1/(k+1) of what they did."""
    for ports, dimension, base in (
        (1, 3, pipelined_trees(1, 2, 4)),
        (2, 3, unequal_costs(2, 2)),
        (3, 2, greedy(3, 4)),
        (2, 1, greedy(2, 1)),
    ):
        protocol = exchange_over(ports, dimension, base)
        assert len(protocol.rounds) == len(base.rounds) + 2
        assert cost_of(protocol, ports, (ports + 1) ** dimension) == (2 + base.cost) / (ports + 1)


@pytest.mark.parametrize(("ports", "dimension"), [pair for pair in PERFECT if pair[1] <= 5])
def test_the_best_combination(ports: int, dimension: int) -> None:
    """The plan's formula is the cost of what is built, in T + r rounds at most; nothing else is cheaper; more
    rounds never cost more.
    """
    before = None
    for extra in range(dimension + 6):
        plan = best_plan(ports, dimension, extra)
        protocol = plan.build()
        assert cost_of(protocol, ports, (ports + 1) ** dimension) == plan.cost
        assert len(protocol.rounds) <= dimension + extra
        assert plan.cost <= min(single.cost for single in plans(ports, dimension, extra))
        single = [recursive_exchange(ports, dimension, extra), greedy(ports, (ports + 1) ** dimension)]
        single += [pipelined_trees(ports, dimension, r) for r in range(max(1, dimension - 1), extra + 1)]
        single += [unequal_costs(ports, dimension)] if dimension > 1 and extra >= dimension + 3 else []
        assert plan.cost <= min(protocol.cost for protocol in single)
        assert before is None or plan.cost <= before
        before = plan.cost


COMPLETE = [
    (1, 4, 0),
    (1, 8, 1),
    (1, 8, 2),
    (1, 16, 7),
    (2, 9, 0),
    (2, 9, 5),
    (2, 27, 6),
    (3, 16, 3),
    (3, 64, 2),
]


@pytest.mark.parametrize(("ports", "nodes", "extra"), COMPLETE)
def test_every_algorithm_from_every_kind_of_source(ports: int, nodes: int, extra: int) -> None:
    """From the first, a middle and the last node of a complete network the same algorithms fit, at the same
    costs.
    """
    costs = []
    for source in (0, nodes // 2 + 1, nodes - 1):
        built = of_the_paper(posed(f"complete:{nodes}", source=source, ports=ports, extra_rounds=extra))
        for construction in built:
            first = {call.sender for call in construction.schedule.rounds[0]}
            assert first == {source}
            image = {source: 0, 0: source}
            moved = [
                [(image.get(u, u), image.get(v, v), call.payload) for call in calls for u, v in (call[:2],)]
                for calls in construction.schedule.rounds
            ]
            count = construction.schedule.head["packet_count"]
            assert count is not None
            seen = second_replay(nodes, None, ports, count, moved)
            assert seen.is_complete(count)
            assert sum(seen.costs) == construction.value
        costs.append({construction.algorithm.name: construction.value for construction in built})
    assert costs[0] == costs[1] == costs[2]
    assert {"greedy", "recursive-exchange"} <= set(costs[0])


def test_the_hypercube_has_all_links_that_are_needed() -> None:
    """With one port every construction uses the links of a hypercube only, from any source."""
    for source in (0, 5, 15):
        built = {
            c.algorithm.name: c.value
            for c in of_the_paper(posed("hypercube:4", source=source, extra_rounds=7))
        }
        assert built == {
            "greedy": 4,
            "recursive-exchange": Fraction(15, 8),
            "pipelined-trees": Fraction(11, 8),
            "unequal-costs": Fraction(7, 5),
        }


NAMES = ("greedy", "recursive-exchange", "pipelined-trees", "unequal-costs")
ON_COORDINATES = [a for a in models()["linear-cost"].algorithms if a.name in NAMES]


def of_the_paper(problem: Problem) -> list[Construction]:
    """What the algorithms on coordinates build."""
    return [
        c
        for a in ON_COORDINATES
        if a.refuse(problem) is None
        for c in construct_where_it_fits(problem, a.name)
    ]


def construct_where_it_fits(problem: Problem, name: str) -> list[Construction]:
    """The construction, none when the network lacks links for it."""
    try:
        return construct(problem, name)
    except InputError:
        return []


@pytest.mark.parametrize("nodes", [3, 5, 6, 7, 11, 25])
def test_numbers_of_nodes_that_are_no_power(nodes: int) -> None:
    """Only the greedy broadcast works there, unless the ports reach all others; the others say what they
    need.
    """
    for ports, source in ((1, 0), (1, nodes - 1), (4, 1)):
        problem = posed(f"complete:{nodes}", source=source, ports=ports, extra_rounds=9)
        perfect = nodes in (3, 5, 25) and ports == 4
        names = [c.algorithm.name for c in of_the_paper(problem)]
        assert (names == ["greedy"]) != perfect
        for algorithm in ON_COORDINATES:
            if not perfect and algorithm.name != "greedy":
                with pytest.raises(
                    InputError, match=r"it needs (\(k\+1\)\^T nodes, such as [0-9]+|T >= 2 and)"
                ):
                    construct(problem, algorithm.name)


def test_refusals_where_an_algorithm_does_not_fit() -> None:
    """Too few extra rounds, a network without the links, and a name that is none."""
    few = posed("complete:16", extra_rounds=2)
    assert {c.algorithm.name for c in of_the_paper(few)} == {"greedy", "recursive-exchange"}
    for name, words in (
        ("pipelined-trees", r"at least T - 1 extra rounds"),
        ("unequal-costs", r"at least T \+ 3 extra rounds"),
    ):
        with pytest.raises(InputError, match=words):
            construct(few, name)
    with pytest.raises(InputError, match=r"at least T - 1 extra rounds, and one"):
        construct(posed("complete:2"), "pipelined-trees")
    for algorithm in ON_COORDINATES:
        with pytest.raises(InputError, match=r"needs the link .*, which the network does not have"):
            construct(posed("path:8", source=3, extra_rounds=9), algorithm.name)
    with pytest.raises(InputError, match="unknown algorithm 'trees'"):
        construct(few, "trees")


def test_a_protocol_too_long_to_write_down_is_refused() -> None:
    """On a star of a hundred thousand nodes with many extra rounds nothing is built."""
    problem = posed("star:100000", ports=1, extra_rounds=200)
    for algorithm in models()["linear-cost"].algorithms:
        assert algorithm.refuse(problem) is not None


def test_a_single_node() -> None:
    """All that fits costs nothing."""
    built = construct(posed("complete:1", extra_rounds=2))
    assert {c.algorithm.name for c in built} >= {"greedy"}
    assert {c.value for c in built} == {0}


def test_coordinates() -> None:
    """The digits of a node give it back, and a changed digit is the only one that changed."""
    for radix in (2, 3, 5):
        for x in range(radix**3):
            digits = [digit(x, i, radix) for i in (1, 2, 3)]
            assert sum(value * radix**i for i, value in enumerate(digits)) == x
            for i in (1, 2, 3):
                other = with_digit(x, i, radix - 1, radix)
                assert [digit(other, j, radix) for j in (1, 2, 3)] == [
                    *digits[: i - 1],
                    radix - 1,
                    *digits[i:],
                ]


def test_vain_packets() -> None:
    """What the receiver owns, or gets in the same round from a node named before, is left out; the rest stays
    complete.
    """
    rounds = [[(0, 1, (0, 1)), (0, 2, (1,))], [(1, 2, (0, 1)), (0, 2, (0,)), (1, 0, (1,))]]
    assert without_vain_packets(3, 2, rounds) == Protocol(
        2, (((0, 1, (0, 1)), (0, 2, (1,))), ((1, 2, (0,)),))
    )


@pytest.mark.parametrize(
    ("name", "cost"), [("unequal-costs-2-5-8", Fraction(19, 25)), ("unequal-costs-1-7-10", Fraction(20, 13))]
)
def test_the_saved_counterexamples(name: str, cost: Fraction) -> None:
    """The files in instances/ replay with code of their own, on the complete network, at the cost that they
    claim.
    """
    data = json.loads(gzip.decompress((INSTANCES / f"{name}.json.gz").read_bytes()))
    ports, count = data["problem"]["parameters"]["ports"], data["schedule"]["packet_count"]
    nodes = int(data["problem"]["network"].removeprefix("complete:"))
    rounds = [
        [(call["from"], call["to"], call["packets"]) for call in calls]
        for calls in data["schedule"]["rounds"]
    ]
    seen = second_replay(nodes, None, ports, count, rounds)
    assert seen.is_complete(count)
    assert sum(seen.costs) == cost == Fraction(data["value"])
    dimension = next(t for t in range(9) if (ports + 1) ** t == nodes)
    assert len(rounds) == dimension + data["problem"]["parameters"]["extra_rounds"]


@pytest.mark.parametrize("ports", [1, 2, 3, 5])
def test_scatter_and_allgather(ports: int) -> None:
    """Among any number of nodes the exchange serves the others at a cost of 1 more; with weak ports a scatter
    and an allgather take two rounds for every one of a broadcast and cost little more than 2/k.
    """
    for nodes in (3, 4, 5, 7, 10, 11, 23, 30, 37):
        if nodes <= ports + 1:
            continue
        least = next(t for t in range(9) if (ports + 1) ** t >= nodes)
        for extra in range(least + 1):
            protocol = exchange_and_serve(ports, nodes, extra)
            seen = second_replay(nodes, None, ports, protocol.packet_count, protocol.rounds)
            assert seen.is_complete(protocol.packet_count)
            assert len(protocol.rounds) == least + min(extra, least - 1)
            depth = min(extra, least - 1)
            exchange = recursive_exchange(ports, least - 1, depth).cost
            assert sum(seen.costs) == exchange + 1
        protocol = scatter_allgather(ports, nodes)
        seen = second_replay(nodes, None, ports, nodes, protocol.rounds, weak=True)
        assert seen.is_complete(nodes)
        assert len(protocol.rounds) <= 2 * least
        assert sum(seen.costs) <= Fraction(2, ports) + Fraction(2 * least, nodes)


@pytest.mark.parametrize("most_children", [1, 2, 3])
def test_short_trees_span_every_network(most_children: int) -> None:
    """Also where nodes must have more children than is wanted, several levels down."""
    for seed in range(60):
        network = Network.from_spec(f"random-tree:{2 + seed % 12},{seed}")
        for source in range(network.node_count):
            tree = breadth_first_tree(network, source, most_children)
            assert sorted(tree.order) == list(range(network.node_count))
            assert all(
                v == source or tree.order.index(tree.parent[v]) < tree.order.index(v) for v in tree.order
            )
