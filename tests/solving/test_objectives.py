"""What a program minimises is the value that its head names, or as many times that as the head says."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from schedsolve.backends.pulp import PulpSearch
from schedsolve.models import build_problem, model_of
from schedsolve.solving.formulation_files import formulation
from schedsolve.solving.solve import solve

ASKED = [
    ("telephone", "gossip", "cycle:4", {}),
    ("linear-cost", "broadcast", "complete:4", {"extra_rounds": 1}),
    ("fat-tree", "broadcast", "fat-tree:4", {}),
    ("routing", "deliver", "fat-tree:4", {"pattern": "all-to-one"}),
    ("synchronous", "allgather", "cycle:4", {"steps": 2, "chunks": 2}),
    ("synchronous", "allgather", "cycle:4", {"steps": 2, "chunks": 1}),
    ("synchronous", "alltoall", "complete:3", {"steps": 1, "chunks": 3}),
    ("synchronous", "allreduce", "cycle:3", {"steps": 2, "chunks": 2}),
    ("synchronous", "reduce", "complete:3", {"steps": 2, "chunks": 2, "root": 1}),
    ("pipelined", "alltoall", "cycle:3", {}),
    ("pipelined", "allreduce", "path:4", {}),
    ("pipelined", "reduce-scatter", "leaf-spine:2,1,1", {}),
]


@pytest.mark.parametrize(("model", "task", "network", "parameters"), ASKED)
def test_the_objective_is_the_value(model: str, task: str, network: str, parameters: dict[str, Any]) -> None:
    """The costs of a solution that CBC calls optimal sum to the scale times the value of `solve`."""
    problem = build_problem(model, task, network, parameters)
    asked = formulation(problem, packets=2 if model == "linear-cost" else None)
    program, scale = asked.integer.program, asked.integer.scale
    reached: list[float] = []

    def decode(value: Any) -> Any:
        reached.append(sum(float(a) * value(program.variables[x].name) for x, a in program.costs.items()))
        return asked.integer.decode(value)

    search = PulpSearch(lambda: asked.integer.__class__(program, decode, ""), 60, None)
    assert search.advance(60)
    placed, schedule = search.found()
    search.close()
    value = model_of(placed).replay(placed, schedule).value
    assert value == solve(problem).value
    assert Fraction(reached[-1]).limit_denominator(1000) == scale * value
    assert (f"the objective is {scale} times that" in asked.question(False)) is (scale > 1)
