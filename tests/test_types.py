"""A client of the package passes mypy --strict, from another folder, as it is installed here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from schedsolve.models import models
from schedsolve.models.option_types import AnyOptions, PipelinedOptions, RoundOptions, StepOptions

CLIENT = """
from fractions import Fraction

import schedsolve
from schedsolve import (
    InputError, Network, Options, Problem, Result, SchedsolveError, Schedule, Status, build_problem, check,
    compare, construct, frontier, replay, results_frame, solve, solve_many,
)


def optimum(problem: Problem) -> int | Fraction | None:
    result: Result = solve(problem, time_limit=10, certify=True, progress=True)
    assert result.status is Status.OPTIMAL
    for calls in result.schedule:
        for call in calls:
            print(call.sender, call.receiver)
    return result.value if result.decided else None


network = Network.of([("a", "b"), ("b", ("c", 1))])
problem = build_problem("telephone", "broadcast", network, source="a")
print(optimum(problem))
print(replay(problem, Schedule.two_way([[("a", "b")]], network)).violation)
print(solve(problem, Options(seed=1), warm_start=solve(problem).schedule, forbid=[(1, ("a", "b"))]))
for row in frontier("telegraph", "gossip", "path:7", "period", range(2, 9)):
    print(row.at, row.result.value, row.result.to_json())
for calls in solve(problem, certify="refutation").schedule:
    for call in calls:
        label, number = call.sender
        print(label, number, call.receiver, call.two_way)
numbers: list[int] = [call.sender for calls in solve(problem).schedule.indexed for call in calls]
for step in solve(build_problem("synchronous", "allgather", "dgx1", steps=2)).schedule:
    print(step.rounds, [send.chunks for send in step.sends])
for tree in solve(build_problem("pipelined", "allgather", "dgx1")).schedule.trees:
    print(tree.root, tree.weight, tree.paths)
for model in ("telegraph", "telephone"):
    print(solve(build_problem(model, "gossip", network)).schedule.rounds)
print([len(one.schedule) for one in solve_many(build_problem("line", "gossip", f"path:{n}") for n in (3, 4))])
print(Network.from_file("x.edges", weight="capacity"), construct(problem)[0].schedule.rounds)
print(compare([problem]).to_frame(), check(solve(problem)).complete, network.to_networkx())
try:
    results = solve_many([problem], workers=1, progress=True)
except InputError as error:
    base: SchedsolveError = error
"""
WRONG = """
from schedsolve import solve, build_problem
solve(build_problem("telephone", "gossip", "path:3"), time_limit="ten", pace=3)
solve(build_problem("telephone", "gossip", "path:3"), certify="always")
for calls in solve(build_problem("telephone", "gossip", "path:3")).schedule:
    for call in calls:
        print(call.sendr)
for step in solve(build_problem("synchronous", "allgather", "dgx1", steps=2)).schedule:
    print(step.rnds)
print(solve(build_problem("pipelined", "allgather", "dgx1")).schedule.tres)
"""


@pytest.mark.slow
def test_a_client_is_well_typed_and_a_wrong_one_is_not(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "client.py").write_text(CLIENT)
    (tmp_path / "wrong.py").write_text(WRONG)
    found = [
        subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), name],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        for name in ("client.py", "wrong.py")
    ]
    assert found[0].startswith("Success")
    assert 'incompatible type "str"' in found[1]
    for name in ("pace", "sendr", "rnds", "tres"):
        assert f'"{name}"' in found[1]
    assert "'refutation'" in found[1]


def test_options_of_models_are_typed_keywords() -> None:
    """Just the options that the models read, by `build_problem`'s overloads; variants' too."""
    read: dict[Any, set[str]] = {StepOptions: set(), PipelinedOptions: set(), RoundOptions: set()}
    for model in models().values():
        kind = {"synchronous": StepOptions, "pipelined": PipelinedOptions}.get(model.name, RoundOptions)
        read[kind] |= {parameter.name for task in model.tasks.values() for parameter in task}
    for kind, names in read.items():
        assert set(kind.__annotations__) - set(AnyOptions.__annotations__) == names
