"""Pipelined reductions: the issue's values, the best times by the formula for all partitions, and the
referee's refusals by name.
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from schedsolve import Network, Options, build_problem, construct, solve
from schedsolve.certify.check import check_data
from schedsolve.modelkit.problem import problem_id
from schedsolve.modelkit.result import Result, result_to_json
from schedsolve.models.pipelined.claims.counting import counting_claim
from schedsolve.models.pipelined.formulation.explicit import explicit_schedule
from schedsolve.models.pipelined.rules import broken_rule
from schedsolve.models.pipelined.rules.schedule import PipelinedSchedule, WeightedTree
from schedsolve.runtime.errors import ClaimError, InputError
from tests.needs import needs
from tests.reference.allreduce_strength import least_time


def solved(task: str, network: Network | str, **parameters: Any) -> Result:
    """The result, checked in every claim."""
    network = Network.from_spec(network) if isinstance(network, str) else network
    problem = build_problem("pipelined", task, network, parameters)
    result = solve(problem, Options(certify=True, time_limit=60))
    report = check_data(json.loads(json.dumps(result_to_json(result))))
    assert report.complete, report.text
    return result


@pytest.mark.parametrize(
    ("task", "network", "value"),
    [
        ("allreduce", "dgx1", Fraction(7, 24)),
        ("allreduce", "a100:2", Fraction(3, 520)),
        ("allreduce", "path:4", Fraction(1)),
        ("allreduce", "mi250:1", Fraction(7, 1200)),
        ("allreduce", "a100:40", Fraction(39, 4000)),
        ("allreduce", "path:2", Fraction(1)),
        ("reduce-scatter", "dgx1", Fraction(7, 6)),
        ("reduce-scatter", "kautz:2,2", Fraction(11, 2)),
        ("reduce", "kautz:2,2", Fraction(1, 2)),
    ],
)
def test_values(task: str, network: str, value: Fraction) -> None:
    """Optimal, with both sides; without a list of trees where there would be too many."""
    result = solved(task, network)
    assert (result.status, result.value) == ("optimal", value)


def test_switches_that_copy_and_add() -> None:
    """Another model, with a name of its own, and faster."""
    network = Network.from_spec("a100:2")
    problems = [build_problem("pipelined", "allreduce", network, p) for p in ({}, {"switches_copy": True})]
    assert problem_id(problems[0]) != problem_id(problems[1])
    assert solved("allreduce", network, switches_copy=True).value == Fraction(1, 200)
    assert solved("broadcast", "leaf-spine:2,2,1", switches_copy=True).status == "optimal"
    with pytest.raises(ClaimError, match="neither copy nor add up"):
        counting_claim(problems[1], {"kind": "counting"})


UNBALANCED = ((0, 1), (0, 3), (1, 0), (1, 3), (2, 0), (2, 1), (2, 3), (3, 0), (3, 1), (3, 2))


def test_no_trees_to_compose() -> None:
    """Without what enters unbalanced switches no allgather is left; trees of sums are found directly."""
    network = Network(4, UNBALANCED, True, switches=frozenset((2, 3)))
    assert solved("allreduce", network).value == Fraction(1, 2)
    problem = build_problem("pipelined", "allreduce", network, {})
    with pytest.raises(InputError, match="there is no list of trees"):
        construct(problem, algorithm="reduce-scatter-allgather")


def test_every_partition() -> None:
    """On undirected networks trees attain what some partition proves."""
    random = Random(22)
    for count in (2, 3, 4, 5, 5, 5, 6, 6):
        edges = {(random.randrange(v), v): random.randint(1, 3) for v in range(1, count)}
        while random.random() < 0.7:
            u, v = sorted(random.sample(range(count), 2))
            edges[u, v] = random.randint(1, 3)
        network = Network(count, tuple(edges), bandwidths=tuple(edges.values()))
        value = least_time(count, [(u, v, b) for (u, v), b in edges.items()])
        result = solved("allreduce", network)
        assert (result.status, result.value) == ("optimal", value), edges


def test_ordered_sums() -> None:
    """Sums over runs of nodes; on a path they cost nothing, on a machine they may."""
    assert solved("allreduce", "path:4", ordered=True).value == 1
    assert solved("allreduce", "dgx1", ordered=True).value == Fraction(7, 24)
    assert solved("reduce", "cycle:4", ordered=True, root=1).status == "bounded"
    assert solved("reduce", "star:4", ordered=True, root=1).schedule is None


def test_textbook_algorithms() -> None:
    """Side by side with the optimum: on a path none comes near but by one tree, on a cube some are best."""
    values = {
        network: {
            built.algorithm.name: built.value
            for built in construct(build_problem("pipelined", "allreduce", Network.from_spec(network), {}))
        }
        for network in ("path:4", "hypercube:3")
    }
    assert values["path:4"] == {
        "shortest-ways": 1,
        "tree": 1,
        "reduce-scatter-allgather": Fraction(3, 2),
        "spanning-trees": 1,
    }
    assert values["hypercube:3"]["recursive-halving-doubling"] == Fraction(7, 12)
    assert values["hypercube:3"]["rings"] == Fraction(7, 8)


PATH = Network.from_spec("path:3")
OUT = ((1, 0), (1, 2))


def refused(task: str, *trees: WeightedTree, network: Network = PATH, **parameters: Any) -> str:
    """What is wrong with trees, whatever their time."""
    problem = build_problem("pipelined", task, network, parameters)
    return str(broken_rule(problem, PipelinedSchedule(Fraction(10), trees)))


def tree(*inward: tuple[int, ...], root: int = 1, paths: tuple[tuple[int, ...], ...] = ()) -> WeightedTree:
    return WeightedTree(root, Fraction(1), paths, inward)


@pytest.mark.parametrize(
    ("trees", "words"),
    [
        ([tree((0, 1), (2, 1), paths=OUT)], "None"),
        ([tree((0, 1), paths=OUT)], "the contribution of 2 is left out"),
        ([tree((0, 1), (2, 1), (0, 1), paths=OUT)], "once more contributions that would count twice"),
        ([tree((0, 1), (2, 1), (1, 0), paths=OUT)], "is the root, and passes on contributions"),
        ([tree((1, 0), (2, 1), root=0, paths=((0, 1), (1, 2)))], "a sum from 2 that it does not pass on"),
        ([tree((0, 1), (2, 1), paths=OUT[:1])], "node 2 does not get the part"),
        ([tree((0, 2), (2, 1), paths=OUT)], "not in the network"),
        ([replace(tree((0, 1), (2, 1), paths=OUT), weight=Fraction(1, 2))], "add up to 1/2, not to 1"),
    ],
)  # fmt: skip
def test_spoilt_trees_are_refused_by_name(trees: list[WeightedTree], words: str) -> None:
    """Contributions counted twice or left out."""
    assert words in refused("allreduce", *trees)


def test_other_refusals() -> None:
    """The order of the nodes, trees of another task, a switch that does not add."""
    star = Network.from_spec("star:4")
    swapped = tree((2, 0), (1, 0), (3, 0), root=0)
    assert refused("reduce", swapped, network=star, root=0) == "None"
    assert "against the order" in refused("reduce", swapped, network=star, root=0, ordered=True)
    assert 'no "paths"' in refused("reduce", tree((0, 1), (2, 1), paths=OUT), root=1)
    assert 'no "inward"' in refused("broadcast", tree((0, 1), paths=OUT), source=1)
    hub = replace(star, switches=frozenset({0}))
    joined = tree((2, 0), (3, 0), (0, 1), root=1)
    turned = PipelinedSchedule(Fraction(10), (swapped,), symmetries=((0, 2, 1, 3),))
    for ordered in ({}, {"ordered": True}):
        problem = build_problem("pipelined", "reduce", star, {"root": 0, **ordered})
        assert ("symmetries do not keep the order" in str(broken_rule(problem, turned))) == bool(ordered)
    assert "ends at a switch" in refused("reduce", joined, network=hub, root=1)
    assert refused("reduce", joined, network=hub, root=1, switches_copy=True) == "None"
    empty = tree((0, 1), (2, 0), (3, 0), root=1)
    assert "has nothing to pass on" in refused("reduce", empty, network=hub, root=1, switches_copy=True)
    with pytest.raises(InputError, match="true or false"):
        build_problem("pipelined", "reduce", star, {"ordered": 1})


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        ({"groups": [[0], [1, 2]]}, "every compute node"),
        ({"groups": [[0, 1], [1, 2, 3]]}, "no node is in two"),
        ({"groups": [[0, 1, 2, 3]]}, "two groups or more"),
        ({"groups": 5}, "lists of the labels"),
        ({"groups": [[0], ["x"]]}, "lists of the labels"),
    ],
)
def test_groups_that_prove_nothing(evidence: dict[str, Any], words: str) -> None:
    """Groups are disjoint, hold all compute nodes, and are two at least."""
    problem = build_problem("pipelined", "allreduce", Network.from_spec("path:4"), {})
    with pytest.raises(ClaimError, match=words):
        counting_claim(problem, evidence)


@needs("machines")
@pytest.mark.parametrize(
    ("task", "network"), [("allreduce", "path:4"), ("reduce", "dgx1"), ("reduce-scatter", "a100:1")]
)
def test_in_steps(task: str, network: str) -> None:
    """The synchronous referee replays the trees cut into chunks and steps; their rounds tend to the time."""
    from schedsolve.machines.commands.steps import steps_file
    from schedsolve.machines.streams.steps import in_steps

    parameters = {"root": 0} if task == "reduce" else {}
    problem = build_problem("pipelined", task, Network.from_spec(network), parameters)
    schedule = explicit_schedule(problem)
    rates = []
    for chunks in (3, 60):
        steps = in_steps(problem, schedule, chunks)
        report = check_data(json.loads(json.dumps(steps_file(problem, steps, chunks))))
        assert report.complete, report.text
        rates.append(Fraction(sum(rounds for rounds, _ in steps), chunks))
    assert schedule.time <= rates[1] <= rates[0]
