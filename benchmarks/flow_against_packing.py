"""Flow against packing in the linear cost model: where do call graphs through which a flow of 1 gets to every
node, each for itself, cost less than a broadcast?

`python -m benchmarks.flow_against_packing graphs:2..4 [--ports 1,2] [--extra-rounds 0..2]`

The least cost of the flows is that of the integer program of `schedsolve formulate linear-cost`, by CBC, in
floats; the least cost of a broadcast is exact. A row is shown where they differ, and counts at the end. The
source is the best of all nodes' for both, every node in turn.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from fractions import Fraction

from schedsolve import Network, build_problem, solve
from schedsolve.backends.pulp import solve_program
from schedsolve.modelkit.formulation import FormulationRequest
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Status
from schedsolve.models.linear_cost.integer_program import integer_formulation
from schedsolve.network.classes.sets import networks_of

TOLERANCE = 1e-6
LARGEST_DENOMINATOR = 1000


def flow_cost(problem: Problem) -> Fraction:
    """The least cost with which a flow of 1 gets to every node, as the fraction next to what the solver says.

    Raises RuntimeError when it comes to no end.
    """
    program = integer_formulation(FormulationRequest(problem, None, minimise=True)).program
    answer = solve_program(program)
    if answer.status != "optimal":
        raise RuntimeError(f"the program of {problem.network.name} was not solved: {answer.status}")
    total = sum(size for name, size in answer.values.items() if name.startswith("cost_t"))
    return Fraction(total).limit_denominator(LARGEST_DENOMINATOR)


def problems(network: Network, ports: list[int], extra: list[int]) -> Iterator[Problem]:
    """Broadcasts from every node with so many ports and extra rounds."""
    for k in ports:
        for source in range(network.node_count):
            for r in extra:
                yield build_problem(
                    "linear-cost", "broadcast", network, source=source, ports=k, extra_rounds=r
                )


def main() -> None:
    """Compare, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("networks", nargs="+", help="sets and families, such as graphs:2..4")
    parser.add_argument("--ports", default="1,2", help="numbers of ports (default: 1,2)")
    parser.add_argument("--extra-rounds", default="0..2", help="A..B (default: 0..2)")
    arguments = parser.parse_args()
    first, _, last = arguments.extra_rounds.partition("..")
    extra = list(range(int(first), int(last or first) + 1))
    ports = [int(k) for k in arguments.ports.split(",")]
    compared = different = 0
    for spec in arguments.networks:
        for network in networks_of(spec):
            for problem in problems(network, ports, extra):
                flow, result = flow_cost(problem), solve(problem)
                compared += 1
                if result.status is not Status.OPTIMAL or abs(flow - Fraction(result.value or 0)) > TOLERANCE:
                    different += 1
                    asked = " ".join(f"{name} {value}" for name, value in problem.parameters.items())
                    print(f"{network.name} {asked}: flow {flow}, broadcast {result.value}", flush=True)
    print(f"{compared} problems: {different} differ")


if __name__ == "__main__":
    main()
