"""Optima of the matching models against closed forms and known values."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import product
from math import ceil, isqrt
from random import Random
from typing import Any

import pytest
from networkx.algorithms.broadcasting import tree_broadcast_center, tree_broadcast_time

from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import Effort
from schedsolve.models import get_model
from schedsolve.models.matching.constructions import algorithms
from schedsolve.models.matching.constructions.useful_calls import only_useful_calls
from schedsolve.models.matching.formulation.sat import sat_search
from schedsolve.models.matching.rules import FORM
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.constructions import construct
from schedsolve.solving.solve import solve
from tests.models.decisions import wrong_decisions
from tests.models.matching.problems import MODES, posed, solved

FORMULAS: dict[tuple[str, str, str], tuple[Callable[[int], int], Collection[int]]] = {
    ("telegraph", "gossip", "path"): (lambda n: 2 * ceil(n / 2) if n > 1 else 0, range(1, 26)),
    ("telephone", "gossip", "path"): (lambda n: n - 1 if n % 2 == 0 else n if n > 1 else 0, range(1, 26)),
    ("telephone", "broadcast", "path"): (lambda n: n - 1, range(1, 26)),
    ("telegraph", "accumulation", "path"): (lambda n: n - 1, range(1, 26)),
    ("telegraph", "gossip", "cycle"): (lambda n: n // 2 + isqrt(2 * n - 1), range(4, 21, 2)),
    ("telephone", "gossip", "cycle"): (lambda n: n // 2 if n % 2 == 0 else (n + 3) // 2, range(3, 30)),
    ("telegraph", "broadcast", "cycle"): (lambda n: ceil(n / 2), range(3, 30)),
    ("telephone", "accumulation", "cycle"): (lambda n: ceil(n / 2), range(3, 30)),
    ("telegraph", "gossip", "complete"): (lambda n: [0, 2, 4, 4, 5, 5, 6][n - 1], range(1, 8)),
    ("telephone", "gossip", "complete"): (
        lambda n: (n - 1).bit_length() + (n % 2 if n > 1 else 0),
        range(1, 34),
    ),
    ("telegraph", "broadcast", "complete"): (lambda n: (n - 1).bit_length(), range(1, 34)),
    ("telegraph", "gossip", "hypercube"): (lambda d: 2 * d, range(4)),
    ("telephone", "gossip", "hypercube"): (lambda d: d, range(7)),
    ("telephone", "broadcast", "hypercube"): (lambda d: d, range(7)),
    ("telegraph", "accumulation", "hypercube"): (lambda d: d, range(7)),
    ("telegraph", "gossip", "star"): (lambda n: 2 * (n - 1), range(1, 14)),
    ("telephone", "gossip", "star"): (lambda n: max(0, 2 * (n - 1) - 1), range(1, 14)),
    ("telegraph", "broadcast", "star"): (lambda n: n - 1, range(1, 14)),
}


@pytest.mark.parametrize(("model", "task", "family"), FORMULAS, ids=map(" ".join, FORMULAS))
def test_closed_forms(model: str, task: str, family: str) -> None:
    """The optimum of paths, cycles, complete graphs, hypercubes and stars, over a range of sizes, is what the
    literature says.
    """
    formula, sizes = FORMULAS[model, task, family]
    assert [solved(model, task, f"{family}:{size}") for size in sizes] == [formula(size) for size in sizes]


@pytest.mark.parametrize("task", ["broadcast", "multicast", "accumulation"])
def test_a_complete_network_is_served_by_doubling(task: str) -> None:
    """From k sources it takes ceil(log2((k + targets) / k)) rounds, for all small sizes."""
    algorithm = next(a for a in get_model("telephone").algorithms if a.name == "complete-broadcast")
    for n, sources in product(range(1, 12), range(1, 4)):
        if sources > n or (task == "accumulation" and sources > 1):
            continue
        options: dict[str, Any] = {"root": 0} if task == "accumulation" else {"source": list(range(sources))}
        if task == "multicast":
            options["targets"] = list(range(n // 2, n))
        problem = posed("telephone", task, f"complete:{n}", **options)
        assert algorithm.refuse(problem) is None
        seen = get_model("telephone").replay(problem, algorithm.build(problem, Effort(0, 0.0, 0)))
        wanted = len({*problem.sources, *problem.targets})
        assert (seen.violation, seen.value) == (None, max(0, (ceil(wanted / sources) - 1).bit_length())), n


@pytest.mark.parametrize(("model", "sizes"), [("telegraph", (4, 6, 8, 10)), ("telephone", range(3, 12))])
def test_search_confirms_the_theorem_on_cycles(model: str, sizes: Collection[int]) -> None:
    """The searches, which use no theorem, confirm the values of gossip in cycles."""
    formula = FORMULAS[model, "gossip", "cycle"][0]
    for n in sizes:
        assert list(wrong_decisions(sat_search, posed(model, "gossip", f"cycle:{n}"), formula(n))) == [], n


@pytest.mark.parametrize("model", MODES)
def test_search_confirms_the_theorem_on_trees(model: str) -> None:
    """The searches, which use no theorem, confirm r = 2 min b and r_2 = 2 min b - 1 on trees."""
    for n, seed in [(n, seed) for n in range(2, 9) for seed in range(4)]:
        problem = posed(model, "gossip", f"random-tree:{n},{seed}")
        least = 1 if n == 2 else tree_broadcast_center(problem.network.to_networkx())[0]
        assert list(wrong_decisions(sat_search, problem, 2 * least - (model == "telephone"))) == [], (n, seed)


@pytest.mark.parametrize("n", [3, 4, 7, 12, 20, 33, 47, 60])
@pytest.mark.parametrize("seed", [0, 1])
def test_trees_against_networkx(n: int, seed: int) -> None:
    """In random trees the broadcast times, their least and their greatest, the centres and the gossip times
    are those of networkx.
    """
    network = Network.from_spec(f"random-tree:{n},{seed}")
    tree = network.to_networkx()
    least, centre = tree_broadcast_center(tree)
    best = solve(posed("telephone", "broadcast", network, source="min"))
    assert (best.value, best.lower_bound) == (least, least)
    assert best.node in centre
    assert solved("telegraph", "accumulation", network, root="min") == least
    assert solved("telephone", "broadcast", network, source="max") == tree_broadcast_time(tree)
    for v in range(0, n, 3):
        assert solved("telegraph", "broadcast", network, source=v) == tree_broadcast_time(tree, v)
    assert solved("telegraph", "gossip", network) == 2 * least
    assert solved("telephone", "gossip", network) == 2 * least - 1


KNOWN = {
    "telephone gossip complete:9": 5,
    "telegraph gossip path:21": 22,
    "telephone gossip tree:2,4": 15,
    "telephone broadcast ccc:7": 16,
    "telephone broadcast petersen": 4,
}


@pytest.mark.parametrize("line", KNOWN)
def test_known_values(line: str) -> None:
    """Values known from the literature. (One-way gossip in the Petersen graph takes longest; it is solved
    through the command line.)
    """
    model, task, network = line.split()
    assert solved(model, task, network) == KNOWN[line]


def test_accumulation_is_broadcast_run_backwards() -> None:
    """On the cube-connected cycles of dimension 3 an accumulation at node 0 takes as long as a broadcast from
    it.
    """
    assert (
        solved("telegraph", "accumulation", "ccc:3", root=0)
        == solved("telegraph", "broadcast", "ccc:3", source=0)
        == 6
    )


@pytest.mark.parametrize("model", MODES)
def test_one_and_two_nodes(model: str) -> None:
    """A single node has nothing to do; two nodes need one call, and two for a gossip whose calls go one
    way.
    """
    asked: list[tuple[str, dict[str, Any]]] = [("broadcast", {"source": x}) for x in (0, "min", "max")]
    asked += [("accumulation", {"root": x}) for x in (0, "min", "max")]
    asked += [("multicast", {"source": 0, "targets": 0}), ("gossip", {})]
    for task, options in asked:
        assert solved(model, task, "path:1", **options) == 0
        expected = 0 if task == "multicast" else 2 if task == "gossip" and model == "telegraph" else 1
        assert solved(model, task, "path:2", **options) == expected
    assert solved(model, "multicast", "path:2", source=0, targets=1) == 1
    assert solved(model, "broadcast", "path:2", source=[0, 1]) == 0


@pytest.mark.parametrize("model", MODES)
def test_gossip_through_one_node_of_a_complete_network(model: str) -> None:
    """There and back in 2 ceil(log2 n) rounds, in one less by telephone, for all small sizes."""
    algorithm = next(a for a in get_model(model).algorithms if a.name == "accumulate-then-broadcast")
    for n in range(2, 40):
        problem = posed(model, "gossip", f"complete:{n}")
        seen = get_model(model).replay(problem, algorithm.build(problem, Effort(0, 0.0, 0)))
        assert (seen.violation, seen.value) == (None, 2 * (n - 1).bit_length() - (model == "telephone")), n


@pytest.mark.parametrize("model", MODES)
def test_gossip_in_a_tree_has_the_fewest_calls(model: str) -> None:
    """One each way on each edge, two-way one less; it is complete, so each is needed."""
    for n in range(1, 12):
        problem = posed(model, "gossip", f"random-tree:{n},{n}")
        (built,) = construct(problem, "accumulate-then-broadcast")
        assert built.indexed.call_count == max(0, 2 * (n - 1) - (model == "telephone"))
        assert get_model(model).replay(problem, built.indexed).violation is None
        assert all(list(calls) == sorted(calls) for calls in built.indexed.rounds)


@pytest.mark.parametrize("seed", range(10))
def test_of_a_single_message_all_calls_left_are_needed(seed: int) -> None:
    """Without any call that is left of random rounds, the message does not get to all nodes."""
    rng = Random(seed)
    problem = posed("telephone", "multicast", "complete:7", source=0, targets=[2, 4, 5, 6])
    pairs = [rng.sample(range(7), 6) for _ in range(20)]
    rounds = [[(x[0], x[1]), (x[2], x[3]), (x[4], x[5])] for x in pairs]
    left = only_useful_calls(problem, Schedule.two_way(rounds))
    replay = get_model("telephone").replay
    assert replay(problem, left).violation is None
    for t, calls in enumerate(left.rounds):
        for call in calls:
            fewer = tuple(c for c in calls if c is not call)
            less = Schedule((*left.rounds[:t], fewer, *left.rounds[t + 1 :]))
            assert replay(problem, less).violation is not None


def test_what_would_take_too_long_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search whose one attempt is too long, and schedules of too many calls, are refused in a line."""
    problem = posed("telephone", "gossip", "path:8")
    monkeypatch.setattr(algorithms, "MOST_WEIGHED", 7 * 7)
    assert {c.algorithm.name for c in construct(problem)} >= {"gossip-search", "path-matchings"}
    monkeypatch.setattr(algorithms, "MOST_WEIGHED", 7 * 7 - 1)
    monkeypatch.setattr(algorithms, "MOST_REPEATED", 15)
    assert [c.algorithm.name for c in construct(problem)] == ["accumulate-then-broadcast"]
    for name, why in (("gossip-search", "more than 48 calls"), ("path-matchings", "more than the 15 calls")):
        with pytest.raises(InputError, match=why):
            construct(problem, name)


def test_long_gossips_of_two_rounds_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even cycles and paths repeat two rounds, written once; odd cycles have a limit of their own."""
    for network, rounds in (("cycle:400", 200), ("path:301", 301)):
        problem = posed("telephone", "gossip", network)
        monkeypatch.setattr(algorithms, "MOST_CALLS", 10_000)
        (found,) = construct(problem, "cycle-matchings" if rounds == 200 else "path-matchings")
        assert (found.value, len(set(map(id, found.indexed.rounds)))) == (rounds, 2)
        written = found.indexed.to_json(problem.network.labels)
        assert (len(written["rounds"]), written["total_rounds"]) == (2, rounds)
        assert FORM.read(written, problem.network) == found.indexed
    monkeypatch.setattr(algorithms, "MOST_WRITTEN", 9)
    with pytest.raises(InputError, match="more than the 9 calls"):
        construct(posed("telephone", "gossip", "cycle:7"), "cycle-matchings")
