"""T, the least number of rounds of a broadcast by K ports.

What a file says of it, and the plain formula for "R rounds suffice".

A file with "extra_rounds", r, and "total_rounds", R, says that T = R - r. All that `check` verifies of a
schedule or of a bound is about R rounds; what the file says of r extra rounds follows with T, and each way of
being wrong about T makes another claim false. Let C(r) be the least cost with r extra rounds. More rounds
never hurt, so C is not increasing.

- With R - r > T the file has a cost in more than T + r rounds: a schedule in R rounds shows C(R - T) <= v,
  while C(r) may be greater. The lower bounds stay true. So "at most v", and with it "optimal", needs that a
  broadcast takes R - r rounds at most: the calls of one.
- With R - r < T it has a cost in fewer: a bound w on all schedules in R rounds shows C(R - T) >= w, while
  C(r) may be less, and "infeasible" is false for every r >= 0. The schedules stay true. So "at least w",
  "optimal" and "infeasible" need that R - r - 1 rounds are too few: a bound beyond what is possible in so
  many.

The file says T itself as well, so both are asked for, of results and of schedules. On a complete network and
on a tree `staircase.certain_rounds` is T, and such a problem is refused when it says another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Premise
from schedsolve.modelkit.refutation import refuse_large_formula, refuted_rounds
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError

from ..rules import rounds_allowed, shape_of


def is_computed(network: Network) -> bool:
    """Whether `staircase.certain_rounds` is T of the network, from each of its nodes."""
    return network.is_complete or network.is_tree


def premise(problem: Problem) -> Premise | None:
    """Return what a problem says of T where it is not recomputed; None where it says nothing."""
    total, extra = (problem.parameters.get(name) for name in ("total_rounds", "extra_rounds"))
    if total is None or extra is None or is_computed(problem.network):
        return None
    least = total - extra
    return Premise(f"T = {least}", in_rounds(problem, least), in_rounds(problem, least - 1))


def in_rounds(problem: Problem, rounds: int) -> Problem:
    """Return the problem with so many rounds, of which nothing says how they compare with T."""
    return problem.with_parameters(extra_rounds=None, total_rounds=rounds)


@dataclass(frozen=True)
class RoundsFormula:
    """A formula that has a model if, and only if, there is a broadcast in so many rounds.

    knows[v, t]: "v is informed after round t". called[u, v, t]: "u informs v in round t".
    """

    cnf: Cnf
    knows: Mapping[tuple[int, int], int]
    called: Mapping[tuple[int, int, int], int]

    def names(self) -> dict[int, str]:
        """Return the names of the variables."""
        named = {x: f"node_{v}_informed_t{t}" for (v, t), x in self.knows.items()}
        return named | {x: f"call_{u}_{v}_t{t}" for (u, v, t), x in self.called.items()}


def rounds_formula(network: Network, source: int, ports: int, rounds: int) -> RoundsFormula:
    """Return the plain formula for "a broadcast takes `rounds` rounds at most".

    The network is connected, and nodes have `ports` ports.

    - Who informs a node in a round was informed before it.
    - Who is informed after a round was so before, or is informed in it; it stays so.
    - Nobody informs more than K nodes in a round.
    - All are informed in the end, and nobody before his distance from the source.

    Of any broadcast follow one packet, and let u inform v where it brings v that packet for the first time
    (of several senders one): all of this holds, in both readings of the ports, as a node sends to K others at
    most in either. From a model comes a broadcast of the whole message: keep for every node the first call
    that informs it. In its round it neither sends nor receives anything else, later it sends to K nodes at
    most, so that it keeps the strict reading.
    """
    cnf = Cnf()
    distance = [d or 0 for d in network.distances_from([source])]
    knows = {(v, t): cnf.new() for v in range(network.node_count) for t in range(rounds + 1)}
    called: dict[tuple[int, int, int], int] = {}
    for u, v in network.arcs:
        for t in range(distance[u] + 1, rounds + 1):
            if v != source:
                called[u, v, t] = x = cnf.new()
                cnf.add(-x, knows[u, t - 1])
    for v in range(network.node_count):
        cnf.add(knows[v, rounds])
        for t in range(min(distance[v], rounds + 1)):
            cnf.add(-knows[v, t])
        for t in range(1, rounds + 1):
            cnf.add(-knows[v, t - 1], knows[v, t])
            coming = [called[u, v, t] for u in network.predecessors[v] if (u, v, t) in called]
            if v != source:
                cnf.add(-knows[v, t], knows[v, t - 1], *coming)
            going = [called[v, w, t] for w in network.successors[v] if (v, w, t) in called]
            if len(going) > ports:
                cnf.at_most(going, ports)
    return RoundsFormula(cnf, knows, called)


def formula_size(network: Network, ports: int, rounds: int) -> int:
    """About how many literals the plain formula has."""
    pairs = sum(min(len(out), 3 * ports) * len(out) for out in network.successors)
    return (rounds + 1) * (4 * len(network.arcs) + 5 * network.node_count + 2 * pairs)


def refuted(problem: Problem, evidence: Mapping[str, Any]) -> tuple[int, Cnf]:
    """Return what a refutation must refute.

    The bound that it proves, R + 1, more than any schedule in R rounds costs, and the formula.

    Parameters
    ----------
    problem
        The problem.
    evidence
        "rounds", which are those of the problem.

    Raises
    ------
    ClaimError
        For other ones.
    """
    rounds = refuted_rounds(evidence)
    if rounds != rounds_allowed(problem):
        raise ClaimError(f"a refutation is for the {rounds_allowed(problem)} rounds of the problem")
    ports = shape_of(problem).ports
    refuse_large_formula(formula_size(problem.network, ports, rounds), rounds)
    formula = rounds_formula(problem.network, problem.sources[0], ports, rounds)
    formula.cnf.names = formula.names
    return rounds + 1, formula.cnf
