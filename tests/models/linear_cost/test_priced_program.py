"""The integer program in which the number of rounds is free, against brute force, and by command."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from schedsolve import Network, build_problem, formulation, replay
from schedsolve.backends.pulp import solve_program
from schedsolve.modelkit.problem import Problem
from schedsolve.runtime.errors import InputError
from tests.command_line import Cli, json_of, refused
from tests.reference.linear_cost_brute_force import least_time

TIMES = [
    ("path:3", "1/2", "1", 1),
    ("complete:3", "1", "1", 1),
    ("complete:3", "2/5", "1", 2),
    ("complete:3", "1/2", "1", 1),
    ("cycle:4", "1/2", "1", 1),
    ("star:4", "2", "0", 1),
]


def priced(network: str, alpha: str, tau: str) -> Problem:
    """The problem from node 0, with one port."""
    return build_problem("linear-cost", "broadcast", network, {"alpha": alpha, "tau": tau})


def answer(problem: Problem, packets: int | None, most: Fraction | None = None) -> tuple[Fraction, Fraction]:
    """What CBC says of the program: the objective over the scale, and the time of the schedule."""
    made = formulation(problem, most, packets=packets, minimise=True).integer
    found = solve_program(made.program, 60)
    assert found.status == "optimal"
    names = made.program.variables
    reached = sum(a * found.values[names[x].name] for x, a in made.program.costs.items())
    time = Fraction(0)
    if packets:
        seen = replay(*made.decode(found.values.__getitem__))
        assert seen.violation is None
        time = Fraction(seen.value)
    return Fraction(reached).limit_denominator(10**4) / made.scale, time


@pytest.mark.parametrize(("network", "alpha", "tau", "packets"), TIMES)
def test_against_brute_force(network: str, alpha: str, tau: str, packets: int) -> None:
    """With the right number of packets the least time of all; never less; flows give no more."""
    graph = Network.from_spec(network)
    expected = least_time(graph.node_count, tuple(graph.edges), 0, 1, Fraction(alpha), Fraction(tau), most=5)
    assert expected is not None
    problem = priced(network, alpha, tau)
    for count in (1, 2):
        said, time = answer(problem, count)
        assert said == time
        assert time >= expected[0]
        assert count != packets or time == expected[0]
    assert answer(problem, None)[0] <= expected[0]


def test_limits() -> None:
    """A time below the least is refused by the program; prices that allow many rounds are refused before."""
    problem = priced("complete:3", "2/5", "1")
    made = formulation(problem, Fraction(13, 5), packets=2).integer
    assert solve_program(made.program, 60).status == "infeasible"
    with pytest.raises(InputError, match="1000 rounds"):
        formulation(priced("complete:3", "1/1000000", "1")).integer  # noqa: B018


def test_by_command(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of all kinds; CP-SAT and CBC alone find the schedule, with two packets at the most, and claim no
    lower bound.
    """
    monkeypatch.setattr("schedsolve.solving.integer_programs.count", lambda first: range(first, 3))
    asked = "linear-cost broadcast complete:3 --alpha 2/5 --tau 1"
    for ending in ("lp", "mps", "opb", "cnf", "pbtxt"):
        assert cli(f"formulate {asked} --packets 2 -o a.{ending}").status == 0
    assert "the objective is 10 times that" in Path("a.lp").read_text()
    assert "--packets P" in refused(cli(f"formulate {asked} -o a.cnf"))
    for backend in ("cpsat", "pulp"):
        run = cli(f"solve {asked} --backend {backend} --formulation-only --json")
        result = json_of(run, 3)
        assert (result["value"], result["lower_bound"], result["total_rounds"]) == ("27/10", 0, 3)
