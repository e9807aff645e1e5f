"""Reductions in steps: the issue's values, the referee's refusals by name, and bad questions."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Any

import pytest

from schedsolve import Network, Options, build_problem, construct, solve
from schedsolve.certify.check import check_data
from schedsolve.modelkit.result import Result, result_to_json
from schedsolve.models.synchronous.rules import Send, Step, StepSchedule, replay
from schedsolve.runtime.errors import InputError


def solved(task: str, network: str, **parameters: Any) -> Result:
    """The certified result, checked in every claim."""
    problem = build_problem("synchronous", task, Network.from_spec(network), parameters)
    result = solve(problem, Options(certify=True, time_limit=60))
    report = check_data(json.loads(json.dumps(result_to_json(result))))
    assert report.complete, report.text
    return result


@pytest.mark.parametrize(
    ("task", "network", "steps", "value"),
    [
        ("reduce", "dgx1", 2, Fraction(1)),
        ("reduce", "hypercube:3", 3, Fraction(1)),
        ("reduce-scatter", "dgx1", 2, Fraction(3, 2)),
        ("reduce-scatter", "kautz:2,2", 3, Fraction(7)),
        ("allreduce", "hypercube:2", 2, Fraction(1)),
    ],
)
def test_values(task: str, network: str, steps: int, value: Fraction) -> None:
    """Reduce and reduce-scatter take what broadcast and allgather take on the reversed network."""
    result = solved(task, network, steps=steps)
    assert (result.status, result.value) == ("optimal", value)


def test_composed_allreduce() -> None:
    """dgx1: (1, 2, 2) twice is (8, 4, 4), and nothing with 4 steps takes fewer rounds."""
    result = solved("allreduce", "dgx1", steps=4, chunks=8, rounds=4)
    assert result.status == "feasible"
    assert solved("allreduce", "dgx1", steps=4, chunks=8).value == Fraction(1, 2)


def test_allreduce_on_a_ring_of_five() -> None:
    """Two steps do not do for any number of chunks and rounds, three do."""
    assert solved("allreduce", "cycle:5", steps=1).status == "infeasible"
    assert solved("allreduce", "cycle:5", steps=2).status == "infeasible"
    assert solved("allreduce", "cycle:5", steps=3, chunks=1).value == 3


PATH = Network.from_spec("path:3")


def replayed(task: str, steps: list[list[Send]], network: Network = PATH, **parameters: Any) -> str | None:
    """What is wrong with the steps, each of 2 rounds, for one chunk a unit."""
    problem = build_problem("synchronous", task, network, {"steps": len(steps), "chunks": 1, **parameters})
    violation: str | None = replay(problem, StepSchedule(tuple(Step(2, tuple(s)) for s in steps))).violation
    return violation


def add(u: int, v: int, *chunks: int) -> Send:
    return Send(u, v, chunks or (0,), (), True)


def test_legal_sums() -> None:
    """Sums on the way, places taken, and a result that is copied."""
    assert replayed("reduce", [[add(2, 1)], [add(1, 0)]], root=0) is None
    assert replayed("reduce", [[add(1, 0)], [Send(2, 1, (0,))], [add(1, 0)]], root=0) is None
    assert replayed("allreduce", [[add(0, 1), add(2, 1)], [Send(1, 0, (0,)), Send(1, 2, (0,))]]) is None
    middle = [add(1, 0, 0), add(1, 2, 2), add(0, 1, 1), add(2, 1, 1)]
    assert replayed("reduce-scatter", [[add(2, 1, 0), add(0, 1, 2)], middle]) is None


@pytest.mark.parametrize(
    ("task", "steps", "words"),
    [
        ("reduce", [[add(2, 1)], [add(1, 0)], [add(1, 0)]], "step 3: .* contribution of node 1 twice"),
        ("allreduce", [[add(0, 1), add(1, 0)], [add(1, 0)]], "step 2: .* the contribution of node 0 twice"),
        ("reduce", [[add(1, 0)], [add(2, 1)]], "chunk 0 without the contribution of node 2"),
        ("reduce", [[Send(2, 1, (0,))], [add(1, 0)]], "without the contribution of node 1"),
        ("allreduce", [[add(2, 1)], [add(1, 0)]], "node 1 has chunk 0 without the contribution of node 0"),
        ("reduce", [[add(2, 1), add(2, 1)]], "sent from 2 to 1 twice"),
        ("reduce", [[add(2, 1), Send(0, 1, (0,))]], "takes the place of what just"),
        ("reduce", [[add(2, 0)]], "no link from 2 to 0"),
        ("reduce", [[add(2, 1, 1)]], "there is no chunk 1"),
        ("broadcast", [[add(0, 1)], [Send(1, 2, (0,))]], "adds, in no reduction"),
    ],
)  # fmt: skip
def test_spoilt_sums_are_refused_by_name(task: str, steps: list[list[Send]], words: str) -> None:
    """Contributions counted twice, left out or lost."""
    violation = replayed(task, steps)
    assert re.search(words, str(violation))


def test_the_order_of_the_nodes() -> None:
    """Two operands that are swapped are refused in an ordered reduction, and do nowhere else."""
    star = Network.from_spec("star:4")
    right, swapped = [[add(1, 0), add(2, 0), add(3, 0)]], [[add(2, 0), add(1, 0), add(3, 0)]]
    assert replayed("reduce", right, star, root=0, ordered=True) is None
    assert replayed("reduce", swapped, star, root=0) is None
    violation = replayed("reduce", swapped, star, root=0, ordered=True)
    assert "against the order of the nodes" in str(violation)
    result = solved("reduce", "cycle:4", steps=2, root=1, ordered=True, chunks=2)
    assert result.status == "optimal"


def test_constructions_run_backwards() -> None:
    """What spreads backwards adds up, and what an ordered reduction cannot use says so."""
    network = Network.from_spec("torus:3x3")
    for name, task in (("shortest-ways", "reduce"), ("breadth-first", "reduce-scatter")):
        (built,) = construct(build_problem("synchronous", task, network, {"steps": 2}), name)
        assert built.value >= 1
        with pytest.raises(InputError, match="order"):
            construct(build_problem("synchronous", task, network, {"steps": 2, "ordered": True}), name)


def test_textbook_allreduces() -> None:
    """Rings, halving and doubling, trees: in an even number of steps, and shared out."""
    cube = Network.from_spec("hypercube:3")
    built = construct(build_problem("synchronous", "allreduce", cube, {"steps": 14}))
    values = {one.algorithm.name: one.value for one in built}
    assert values["rings-allreduce"] == Fraction(7, 8)
    assert values["recursive-halving-doubling"] == values["reduce-scatter-allgather"] == Fraction(7, 12)
    problem = build_problem("synchronous", "allreduce", cube, {"steps": 6, "chunks": 3})
    with pytest.raises(InputError, match="shared out"):
        construct(problem, "rings-allreduce")


def test_bad_questions() -> None:
    """No way for contributions, and an operation that is neither."""
    network = Network(3, ((0, 1), (1, 2)), True)
    with pytest.raises(InputError, match="no path from node 1 to 0; reduce needs one"):
        build_problem("synchronous", "reduce", network, {"steps": 2, "root": 0})
    with pytest.raises(InputError, match="true or false"):
        build_problem("synchronous", "reduce", network, {"steps": 2, "root": 2, "ordered": "yes"})


def test_parts_at_the_narrowest_nodes() -> None:
    """Of eight nodes with all links and two at their ends, the broadcast from an end says most."""
    links = [(u, v) for v in range(8) for u in range(v)]
    network = Network(10, (*links, (0, 8), (7, 9)))
    result = solve(build_problem("synchronous", "allreduce", network, {"steps": 4}), time_limit=60)
    assert (result.status, result.value) == ("optimal", 2)
    assert any("the broadcast at 8 in 4 steps" in bound.reason for bound in result.bounds)
