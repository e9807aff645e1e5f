"""When there is no schedule at all: the horizon, and what passes for a proof that nothing suffices."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from schedsolve import Network, Options, build_problem, solve
from schedsolve.certify.check import check_data
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Result, result_to_json
from schedsolve.models.synchronous.claims.bandwidth import worst_rounds_per_chunk
from tests.reference.reduction_search import least_rounds


def posed(task: str, network: Network | str, **parameters: Any) -> Problem:
    """A problem on a network or its text."""
    known = Network.from_spec(network) if isinstance(network, str) else network
    return build_problem("synchronous", task, known, parameters)


def verified(problem: Problem) -> Result:
    """The solved problem, whose file is verified in full."""
    result = solve(problem, Options(certify=True, time_limit=60))
    report = check_data(json.loads(json.dumps(result_to_json(result))))
    assert report.complete, report.lines
    return result


def through_one_link(nodes: int, bandwidth: Fraction = Fraction(1)) -> Network:
    """Compute nodes whose every send crosses the one link from a switch to another."""
    first, second = nodes, nodes + 1
    ends = [(v, first) for v in range(nodes)] + [(second, v) for v in range(nodes)]
    switches = frozenset((first, second))
    widths = (*[Fraction(9)] * len(ends), bandwidth)
    return Network(nodes + 2, (*ends, (first, second)), True, switches=switches, bandwidths=widths)


@pytest.mark.parametrize("task", ["broadcast", "reduce"])
@pytest.mark.parametrize(("network", "value"), [("leaf-spine:1,5,1", 4), ("leaf-spine:1,4,1", 3)])
def test_a_switch_does_not_copy(task: str, network: str, value: int) -> None:
    """In one step the source's link carries the chunk once for every other node; no more is ever needed."""
    problem = posed(task, network, steps=1)
    assert verified(problem).value == value == worst_rounds_per_chunk(problem)
    assert verified(posed(task, network, steps=1, chunks=1, rounds=value)).status == "feasible"
    assert verified(posed(task, network, steps=1, chunks=2, rounds=2 * value - 1)).status == "infeasible"


@pytest.mark.parametrize(("task", "value"), [("allgather", 9), ("alltoall", 9), ("broadcast", 5)])
def test_two_leaves(task: str, value: int) -> None:
    """Three compute nodes on each of two leaves: the link between them carries what the other leaf wants."""
    problem = posed(task, "leaf-spine:2,3,1", steps=1)
    assert verified(problem).value == value <= worst_rounds_per_chunk(problem)


@pytest.mark.parametrize(
    ("task", "more", "value"),
    [
        ("broadcast", {}, 2),
        ("allgather", {}, 6),
        ("reduce-scatter", {}, 6),
        ("allreduce", {}, 6),
        ("allreduce", {"ordered": True}, 6),
    ],
)
@pytest.mark.parametrize("bandwidth", [Fraction(1), Fraction(1, 2)])
def test_a_horizon_that_is_attained(task: str, more: dict[str, Any], value: int, bandwidth: Fraction) -> None:
    """Where all sends cross one link, one step of one chunk takes just the rounds of the horizon."""
    problem = posed(task, through_one_link(3, bandwidth), steps=1, **more)
    assert worst_rounds_per_chunk(problem) == value / bandwidth
    assert verified(problem).value == value / bandwidth


@pytest.mark.parametrize(
    ("task", "network", "parameters", "horizon"),
    [
        ("allgather", "path:4", {"steps": 3}, 3 * 4),
        ("broadcast", "path:4", {"steps": 3}, 3),
        ("reduce", "path:4", {"steps": 3, "ordered": True}, 3),
        ("allreduce", "path:4", {"steps": 6}, 6),
        ("alltoall", "path:4", {"steps": 3, "chunks": 5}, 3 * 12),
        ("allgather", "leaf-spine:1,3,1", {"steps": 2}, 2 * 3 * 2),
        ("reduce-scatter", "leaf-spine:1,3,1", {"steps": 2}, 2 * 3 * 2),
        ("reduce-scatter", "leaf-spine:1,3,1", {"steps": 2, "ordered": True}, 2 * 3 * 6),
        ("reduce", "leaf-spine:1,3,1", {"steps": 2, "ordered": True}, 2 * 6),
        ("allreduce", "leaf-spine:1,3,1", {"steps": 2}, 2 * 6),
    ],
)
def test_its_value(task: str, network: str, parameters: dict[str, Any], horizon: int) -> None:
    """Steps times units times how often a chunk can cross a link in a step."""
    assert worst_rounds_per_chunk(posed(task, network, **parameters)) == horizon


def test_a_problem_without_schedules_names_what_is_in_the_way() -> None:
    """Too far for so many steps; or refuted for one chunk over links that carry anything."""
    far = verified(posed("broadcast", "path:4", steps=2))
    assert far.status == "infeasible"
    assert [bound.evidence for bound in far.certificate] == [{"kind": "distance"}]
    # Nobody is further away than two hops, but a node has one place for a sum.
    ring = verified(posed("allreduce", "cycle:5", steps=2))
    assert ring.status == "infeasible"
    assert ring.certificate[0].evidence
    assert ring.certificate[0].evidence["any_rounds"] is True


@pytest.mark.parametrize(
    ("rounds", "words"),
    [
        *((wrong, '"any_rounds" refutes 2 rounds per chunk') for wrong in (1, 3)),
        *((wrong, "a refutation says how many rounds it refutes") for wrong in (None, "2", 2.0)),
    ],
)
def test_it_is_the_horizon_that_such_a_refutation_refutes(rounds: Any, words: str) -> None:
    """Another number of rounds in its evidence, or none, is refused in one line."""
    solved = solve(posed("allreduce", "cycle:5", steps=2), Options(certify=True))
    data = json.loads(json.dumps(result_to_json(solved)))
    evidence = data["certificate"]["lower"][-1]["evidence"]
    assert evidence["rounds"] == 2
    evidence["rounds"] = rounds
    if rounds is None:
        del evidence["rounds"]
    report = check_data(data)
    assert report.failed
    assert any(words in line for line in report.lines)


def test_a_lower_bound_at_the_horizon_is_no_infeasibility() -> None:
    """A true bound of 4, where 4 suffices, does not become a proof by the status of the file."""
    data = result_to_json(solve(posed("broadcast", "leaf-spine:1,5,1", steps=1), Options(certify=True)))
    assert (data["value"], data["lower_bound"]) == (4, 4)
    data |= {"status": "infeasible", "value": None, "lower_bound": None, "schedule": None}
    for name in ("chunks", "steps", "rounds"):
        data.pop(name)
    data["bounds"] = [bound for bound in data["bounds"] if bound["side"] == "lower"]
    report = check_data(data)
    assert report.failed
    assert any("lower bound above 4: the certificate does not prove it" in line for line in report.lines)


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("task", ["reduce", "reduce-scatter", "allreduce"])
def test_brute_force_on_a_star_of_one_switch(task: str, ordered: bool) -> None:
    """Three compute nodes on one switch with links of different widths, in one and two steps."""
    arcs = ((0, 3), (1, 3), (2, 3), (3, 0), (3, 1), (3, 2))
    widths = (Fraction(1), Fraction(2), Fraction(1, 2), Fraction(1), Fraction(3), Fraction(2))
    network = Network(4, arcs, True, switches=frozenset([3]), bandwidths=widths)
    for steps in (1, 2):
        for chunks in (1, 2) if task == "reduce" else (1,):
            more = {"ordered": True} if ordered else {}
            least = least_rounds(task, 3, arcs, chunks, steps, 0, ordered, widths)
            assert least is not None
            problem = posed(task, network, steps=steps, chunks=chunks, **more)
            assert verified(problem).value == Fraction(least, chunks) <= worst_rounds_per_chunk(problem)
