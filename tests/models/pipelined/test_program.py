"""The linear program for other solvers: its optimum, solved by another one, becomes a schedule."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod
from random import Random
from typing import Any

import pytest

from schedsolve.backends.cpsat import CpSearch, declare_program
from schedsolve.modelkit.formulas.linear_program import LinearProgram
from schedsolve.modelkit.formulation import FormulationRequest, IntegerFormulation
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import Question
from schedsolve.models import build_problem, model_of
from schedsolve.models import replay as replay_any
from schedsolve.models.pipelined.formulation.program import integer_formulation
from schedsolve.models.pipelined.rules import replay
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.integer_programs import program_improvements
from tests.command_line import Cli, json_of
from tests.models.pipelined.problems import optimum, posed
from tests.reference.machines_ways import Machine, machine, unpacked
from tests.reference.pipelined_oracle import inward, least_time, outward


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


def random_machine(rng: Random) -> tuple[Machine, Network]:
    """A small machine, one in two with a switch, which need not be balanced; the same as a network."""
    compute, switches = rng.choice(((3, 0), (3, 1), (2, 2), (4, 0)))
    nodes, directed = compute + switches, rng.random() < 0.6
    pairs = permutations(range(nodes), 2) if directed else combinations(range(nodes), 2)
    links = [(u, v, rng.randint(1, 2)) for u, v in pairs if rng.random() < 0.7]
    of = machine(nodes, range(compute, nodes), links, directed=directed)
    network = Network(
        nodes,
        tuple((u, v) for u, v, _ in links),
        directed,
        bandwidths=tuple(b for _, _, b in links),
        switches=frozenset(range(compute, nodes)),
    )
    return of, network


TREES_AND_SUMS = ("allgather", "broadcast", "reduce", "reduce-scatter", "allreduce")


def end_of(task: str) -> dict[str, Any]:
    """The node at one end of a task that has one."""
    ends: dict[str, dict[str, Any]] = {"broadcast": {"source": 0}, "reduce": {"root": 0}}
    return ends.get(task, {})


@pytest.mark.parametrize("seed", range(30))
def test_trees_and_sums_against_the_oracle(seed: int) -> None:
    """Copies and sums on random small machines."""
    rng = Random(seed)
    of, network = random_machine(rng)
    for task in TREES_AND_SUMS:
        end = end_of(task)
        expected = least_time(task, of, 0 if end else None)
        if expected is None:
            with pytest.raises(InputError, match="no way"):
                build_problem("pipelined", task, network, end)
            continue
        if task == "allgather":
            check_sizes_too(network, of, rng)
        assert_least(build_problem("pipelined", task, network, end), expected)


def assert_least(problem: Problem, expected: Fraction) -> None:
    """The program's least value, and the schedule of its solution, is what is expected."""
    made, values = least(problem)
    assert values["time"] == pytest.approx(float(expected))
    solved, schedule = made.decode(values.__getitem__)
    assert replay(solved, schedule).violation is None
    assert schedule.time == expected


@pytest.mark.parametrize("seed", range(20))
def test_listed_trees_against_the_oracle(seed: int) -> None:
    """Where switches copy, nodes only relay, or sums keep the order of the nodes."""
    rng = Random(seed)
    of, network = random_machine(rng)
    for task in TREES_AND_SUMS:
        node = 0 if end_of(task) else None
        for name in ("switches_copy", "ranks", "ordered"):
            asked: dict[str, Any] = {name: True}
            ranked = of
            if name == "ranks":
                members = tuple(network.compute_nodes[:2])
                asked, ranked = {name: ",".join(map(str, members))}, of._replace(ranks=members)
            if name == "ordered" and task in ("allgather", "broadcast"):
                continue
            expected = least_time(
                task, ranked, node, ordered=name == "ordered", copying=name == "switches_copy"
            )
            if expected is not None:
                assert_least(build_problem("pipelined", task, network, end_of(task) | asked), expected)


@pytest.mark.parametrize("seed", range(12))
def test_packets_against_all_choices_of_trees(seed: int) -> None:
    """The least time of one or two packets, among all ways to give each packet a tree."""
    rng = Random(seed)
    of, network = random_machine(rng)
    ordered, copying = rng.random() < 0.3, rng.random() < 0.5
    for task, packets in product(TREES_AND_SUMS, (1, 2)):
        asked: dict[str, Any] = {"switches_copy": True} if copying else {}
        asked |= {"ordered": True} if ordered and task not in ("allgather", "broadcast") else {}
        expected = least_time_of_packets(task, of, packets, ordered=ordered, copying=copying)
        if expected is None:
            continue
        problem = build_problem("pipelined", task, network, end_of(task) | asked)
        made = integer_formulation(FormulationRequest(problem, None, packets=packets))
        for below in (Fraction(0), Fraction(1, made.scale)):
            request = FormulationRequest(problem, expected - below, packets=packets)
            search = CpSearch(declare_program(integer_formulation(request)))
            assert search.advance(20) is (below == 0)
            if not below:
                seen = replay_any(*search.found())
                assert (seen.violation, seen.value) == (None, expected)


def least_time_of_packets(
    task: str, of: Machine, packets: int, *, ordered: bool, copying: bool
) -> Fraction | None:
    """By going through all choices; None when there are none, or too many."""
    roots = of.members if not end_of(task) else (0,)
    coming = {r: inward(of, r, ordered, copying) for r in of.compute}
    going = {r: outward(of, r, copying) for r in of.compute}
    if task == "allreduce":
        both = sorted({one + other for r in of.compute for one, other in product(coming[r], going[r])})
        groups = [both] * packets
    else:
        trees = coming if task in ("reduce", "reduce-scatter") else going
        groups = [trees[r] for r in roots for _ in range(packets)]
    if not all(groups) or prod(map(len, groups)) > 3000:
        return None
    bandwidths = list(of.links.values())
    return min(
        max(
            Fraction(count) / bandwidth / packets
            for count, bandwidth in zip(unpacked(sum(choice), len(bandwidths)), bandwidths, strict=True)
        )
        for choice in product(*groups)
    )


def check_sizes_too(network: Network, of: Machine, rng: Random) -> None:
    """An allgatherv with random sizes, one above 0."""
    sizes = [rng.randint(0, 2) for _ in network.compute_nodes]
    sizes[rng.randrange(len(sizes))] = 1
    made, values = least(build_problem("pipelined", "allgatherv", network, {"sizes": sizes}))
    solved, schedule = made.decode(values.__getitem__)
    assert replay(solved, schedule).violation is None
    assert schedule.time == least_time("allgatherv", of, sizes=sizes)


def test_too_many_trees() -> None:
    """They are refused before all are listed."""
    problem = build_problem("pipelined", "reduce", "complete:8", {"root": 0, "ordered": True})
    with pytest.raises(InputError, match="lists all trees"):
        integer_formulation(FormulationRequest(problem, None))


def test_on_the_command_line(cli: Cli) -> None:
    """Written as MPS and LP; PuLP decides values, and never claims more than it decided."""
    assert "bandwidth times the time" in cli("formulate pipelined alltoall dgx1 -o program.mps").out
    assert cli("formulate pipelined gather path:4 --root 1 -o program.lp").status == 0
    assert "Of every root's flow" in cli("formulate pipelined broadcast dgx1 -o program.lp").out
    assert "through switches" in cli("formulate pipelined allreduce leaf-spine:2,2,1 -o program.lp").out
    data = json_of(cli("solve pipelined alltoall path:3 --backend pulp --json --time-limit 30"), 0)
    assert (data["status"], data["value"]) == ("optimal", 2)


def test_cpsat_tries_numbers_of_packets() -> None:
    """An allreduce through a switch is best in three packets, which CP-SAT finds without a construction."""
    problem = posed("allreduce", "leaf-spine:3,1,1")
    (improvement,) = program_improvements(model_of(problem), "cpsat")
    question = Question(problem, Fraction(4, 3), True, 60)
    found = [finding for finding in improvement.run(question) if isinstance(finding, tuple)]
    assert replay_any(*found[-1]).value == Fraction(4, 3)
