"""The formula for "M rounds suffice for one message", satisfiable if and only if they do."""

from __future__ import annotations

from typing import Any

from .calls import Calls, break_symmetries
from .clauses import Formula
from .gossip_formula import Known
from .network import Network
from .refutation import refute
from .tasks import as_broadcast, targets_of


def message_formula(
    claim: dict[str, Any], network: Network, rounds: int
) -> tuple[Formula, Calls, Known]:
    """Return the formula of a broadcast or multicast in rounds whose calls share no node.

    A call that informs no node can be omitted. So all calls inform a node, and one-way and two-way
    rounds are equivalent.

    - Before round 1 just the sources are informed, or if the source is open at most one node.
    - A call goes from a node informed before the round to one not informed, which is informed then.
    - In every round every node calls at most one node and is called by at most one.
    - A node informed after a round was informed before, or is called in the round.
    - A node informed once stays informed. After the last round every target is informed.
    """
    n = network.n
    calls = Calls(network.arcs, rounds)
    known = Known(calls, n, 1)
    formula = Formula(known(n - 1, 0, rounds))
    for t in range(1, rounds + 1):
        before, after = ([known(v, 0, s) for v in range(n)] for s in (t - 1, t))
        for a, (u, v) in enumerate(network.arcs):
            formula.add(-calls(a, t), before[u])
            formula.add(-calls(a, t), -before[v])
            formula.add(-calls(a, t), after[v])
        for v in range(n):
            called = [calls(a, t) for a, arc in enumerate(network.arcs) if arc[1] == v]
            formula.at_most_one(called)
            formula.at_most_one([calls(a, t) for a, arc in enumerate(network.arcs) if arc[0] == v])
            formula.add(-after[v], before[v], *called)
            formula.add(-before[v], after[v])
    if claim.get("open"):
        formula.at_most_one([known(v, 0, 0) for v in range(n)])
    else:
        for v in range(n):
            formula.add(known(v, 0, 0) if v in claim["sources"] else -known(v, 0, 0))
    for v in targets_of(claim, n):
        formula.add(known(v, 0, rounds))
    return formula, calls, known


def kept_nodes(claim: dict[str, Any], n: int) -> list[Any]:
    """Return the sets of nodes that an automorphism must keep to map schedules to schedules."""
    return [() if claim.get("open") else claim["sources"], targets_of(claim, n)]


def message_refuted(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """proof.lrat refutes the formula for one round less, which is built from the definition."""
    rounds, network = int(claim["lower_bound"]) - 1, as_broadcast(claim, network)
    formula, calls, _ = message_formula(claim, network, rounds)
    break_symmetries(
        formula, calls, network, claim["evidence"]["symmetries"], kept_nodes(claim, network.n)
    )
    refute(formula, files)
    return rounds + 1
