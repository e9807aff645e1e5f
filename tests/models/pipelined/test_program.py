"""The linear program for other solvers: its optimum, solved by another one, becomes a schedule."""

from __future__ import annotations

from itertools import combinations, permutations, product
from random import Random
from typing import Any

import pytest

from schedsolve.errors import InputError
from schedsolve.formulas.linear_program import LinearProgram
from schedsolve.modelkit.formulation import FormulationRequest, IntegerFormulation
from schedsolve.models import build_problem
from schedsolve.models.pipelined.formulation.program import integer_formulation
from schedsolve.models.pipelined.rules import replay
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from tests.command_line import Cli, json_of
from tests.models.pipelined.problems import optimum, posed
from tests.reference.machines_ways import Machine, machine
from tests.reference.pipelined_oracle import least_time


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


@pytest.mark.parametrize("seed", range(30))
def test_trees_and_sums_against_the_oracle(seed: int) -> None:
    """Copies and sums on random small machines, one in two with a switch, which need not be balanced."""
    rng = Random(seed)
    compute, switches = rng.choice(((3, 0), (3, 1), (2, 2), (4, 0)))
    nodes, directed = compute + switches, rng.random() < 0.6
    pairs = permutations(range(nodes), 2) if directed else combinations(range(nodes), 2)
    links = [(u, v, rng.randint(1, 2)) for u, v in pairs if rng.random() < 0.7]
    of = machine(nodes, range(compute, nodes), links, directed=directed)
    bandwidths = tuple(b for _, _, b in links)
    network = Network(
        nodes,
        tuple((u, v) for u, v, _ in links),
        directed,
        bandwidths=bandwidths,
        switches=frozenset(range(compute, nodes)),
    )
    for task in ("allgather", "broadcast", "reduce", "reduce-scatter", "allreduce"):
        end = {"broadcast": {"source": 0}, "reduce": {"root": 0}}.get(task, {})
        expected = least_time(task, of, 0 if end else None)
        if expected is None:
            with pytest.raises(InputError, match="no way"):
                build_problem("pipelined", task, network, end)
            continue
        if task == "allgather":
            check_sizes_too(network, of, rng)
        made, values = least(build_problem("pipelined", task, network, end))
        assert values["time"] == pytest.approx(float(expected))
        solved, schedule = made.decode(values.__getitem__)
        assert replay(solved, schedule).violation is None
        assert schedule.time == expected


def check_sizes_too(network: Network, of: Machine, rng: Random) -> None:
    """An allgatherv with random sizes, one above 0."""
    sizes = [rng.randint(0, 2) for _ in network.compute_nodes]
    sizes[rng.randrange(len(sizes))] = 1
    made, values = least(build_problem("pipelined", "allgatherv", network, {"sizes": sizes}))
    solved, schedule = made.decode(values.__getitem__)
    assert replay(solved, schedule).violation is None
    assert schedule.time == least_time("allgatherv", of, sizes=sizes)


@pytest.mark.parametrize(
    ("task", "network", "parameters", "words"),
    [
        ("broadcast", "leaf-spine:2,2,1", {"source": 0, "switches_copy": True}, "Steiner trees"),
        ("allreduce", "path:4", {"ordered": True}, "keep an order"),
        ("allgather", "path:4", {"ranks": "0,3"}, "only relay"),
    ],
)
def test_what_has_no_program(task: str, network: str, parameters: dict[str, Any], words: str) -> None:
    """Each is refused with what is in the way."""
    problem = build_problem("pipelined", task, network, parameters)
    with pytest.raises(InputError, match=words):
        integer_formulation(FormulationRequest(problem, None))


def test_on_the_command_line(cli: Cli) -> None:
    """Written as MPS and LP; PuLP decides values, and never claims more than it decided."""
    assert "bandwidth times the time" in cli("formulate pipelined alltoall dgx1 -o program.mps").out
    assert cli("formulate pipelined gather path:4 --root 1 -o program.lp").status == 0
    assert "Of every root's flow" in cli("formulate pipelined broadcast dgx1 -o program.lp").out
    assert "through switches" in cli("formulate pipelined allreduce leaf-spine:2,2,1 -o program.lp").out
    data = json_of(cli("solve pipelined alltoall path:3 --backend pulp --json --time-limit 30"), 0)
    assert (data["status"], data["value"]) == ("optimal", 2)
