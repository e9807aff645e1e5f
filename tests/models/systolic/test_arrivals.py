"""When a message arrives in periodic rounds, and which nodes need too many slots, each step by step."""

from __future__ import annotations

import random

import networkx
import pytest

from schedsolve import Network, build_problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.models.matching.rules import held_at_end, knowledge_by_round
from schedsolve.models.systolic.claims import lower_bounds
from schedsolve.models.systolic.claims.lower_bounds import too_few_slots
from schedsolve.models.systolic.rules import arrivals, replay, run_until_complete
from schedsolve.network.graph import Network as Graph


def random_network(rng: random.Random) -> Graph:
    """A connected graph on two to nine nodes, often a tree."""
    n = rng.randrange(2, 10)
    graph = networkx.random_labeled_tree(n, seed=rng.randrange(1 << 30))
    for _ in range(rng.randrange(3)):
        graph.add_edge(*rng.sample(range(n), 2))
    return Network.from_networkx(graph)


def random_slots(rng: random.Random, network: Graph, period: int, two_way: bool) -> list[tuple[Call, ...]]:
    """A matching of random calls for each slot of a period."""
    slots = []
    for _ in range(period):
        free, calls = set(range(network.node_count)), []
        for u, v in rng.sample(list(network.arcs), len(network.arcs)):
            if {u, v} <= free and rng.random() < 0.7:
                free -= {u, v}
                calls.append(Call(u, v, two_way))
        slots.append(tuple(calls))
    return slots


@pytest.mark.parametrize("seed", range(40))
def test_a_message_arrives_as_in_the_replay(seed: int) -> None:
    """Round by round, the nodes that know it are those that it has reached; so are the words of a verdict."""
    rng = random.Random(seed)
    network, period, two_way = random_network(rng), rng.randrange(1, 5), seed % 2 == 0
    rounds = period + rng.randrange(8)
    slots = random_slots(rng, network, period, two_way)
    schedule = Schedule(tuple(slots[t % period] for t in range(rounds)))
    sources = rng.sample(range(network.node_count), rng.randrange(1, min(3, network.node_count + 1)))
    problem = build_problem(
        "telephone" if two_way else "telegraph", "broadcast", network, {"source": sources, "period": period}
    )
    demand = problem.demand()
    times = arrivals(demand.start, slots, period)
    for t, held in enumerate(knowledge_by_round(demand, schedule), 1):
        assert [int(time <= t) for time in times] == held
    verdict = replay(problem, schedule)
    assert verdict.legal
    assert (verdict.violation is None) == all(held_at_end(demand, schedule))
    run = run_until_complete(problem, Schedule(tuple(slots)), rounds)
    last = max(times)
    assert (None if run is None else len(run.rounds)) == (last if last <= rounds else None)


@pytest.mark.parametrize("seed", range(40))
def test_no_node_is_passed_over_that_needs_too_many_slots(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound is that of counting the parts without each node."""
    rng = random.Random(seed)
    network, period = random_network(rng), rng.randrange(1, 7)
    task = rng.choice(["broadcast", "gossip", "multicast", "accumulation"])
    parameters: dict[str, object] = {"period": period}
    if task == "multicast":
        parameters["targets"] = rng.sample(range(network.node_count), rng.randrange(1, network.node_count))
    if task == "gossip" and rng.random() < 0.5:
        parameters["edge_colouring"] = True
    problem = build_problem(rng.choice(["telephone", "telegraph"]), task, network, parameters)
    needed = [
        lower_bounds._slots_needed(problem, v, set(network.successors[v])) for v in range(network.node_count)
    ]
    assert (too_few_slots(problem) is not None) == (max(needed) > period)
