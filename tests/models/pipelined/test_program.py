"""The linear program for other solvers: its optimum, solved by another one, becomes a schedule."""

from __future__ import annotations

from itertools import product

import pytest

from schedsolve.errors import InputError
from schedsolve.formulas.linear_program import LinearProgram
from schedsolve.modelkit.formulation import FormulationRequest, IntegerFormulation
from schedsolve.models.pipelined.formulation.program import integer_formulation
from schedsolve.models.pipelined.rules import replay
from schedsolve.problem import Problem
from tests.command_line import Cli, json_of, refused
from tests.models.pipelined.problems import optimum, posed


def least(problem: Problem) -> tuple[IntegerFormulation, dict[str, float]]:
    """The program, and the values of an optimum by name."""
    from schedsolve.backends.lp import float_solution

    made = integer_formulation(FormulationRequest(problem, None, minimise=True))
    names = [x.name for x in made.program.variables]
    program = LinearProgram(
        [made.program.costs.get(i, 0) for i in range(len(names))],
        [x.upper for x in made.program.variables],
        [row for _, row in made.program.rows],
    )
    solution = float_solution(program, 60)
    assert solution is not None
    return made, dict(zip(names, solution.values, strict=True))


@pytest.mark.parametrize(
    ("task", "network"),
    [
        *product(("alltoall", "scatter", "gather"), ("dgx1", "path:4", "leaf-spine:2,2,1", "kautz:2,1")),
        *product(("allgather", "broadcast"), ("dgx1", "path:4", "petersen", "kautz:2,1", "path:2")),
    ],
)
def test_another_solver_finds_the_optimum(task: str, network: str) -> None:
    """Any solver of linear programs does; what it says is rounded, of allgather and broadcast packed into
    trees, and replayed.
    """
    problem = posed(task, network)
    made, values = least(problem)
    solved, schedule = made.decode(values.__getitem__)
    assert replay(solved, schedule).violation is None
    assert schedule.time == optimum(problem)
    with pytest.raises(ValueError, match="get everywhere"):
        made.decode(dict.fromkeys(values, 0.0).__getitem__)


def test_trees_through_switches_have_none() -> None:
    """Switches do not copy, which flows below what a link carries do not say."""
    with pytest.raises(InputError, match="through switches"):
        integer_formulation(FormulationRequest(posed("allgather", "a100:1"), None))


def test_on_the_command_line(cli: Cli) -> None:
    """Written as MPS and LP; PuLP decides values, and never claims more than it decided."""
    assert "bandwidth times the time" in cli("formulate pipelined alltoall dgx1 -o program.mps").out
    assert cli("formulate pipelined gather path:4 --root 1 -o program.lp").status == 0
    assert "Of every root's flow" in cli("formulate pipelined broadcast dgx1 -o program.lp").out
    refused(cli("formulate pipelined allgather a100:2 -o program.lp"))
    data = json_of(cli("solve pipelined alltoall path:3 --backend pulp --json --time-limit 30"), 0)
    assert (data["status"], data["value"]) == ("optimal", 2)
