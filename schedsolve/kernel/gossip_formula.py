"""The formula for "M rounds suffice for a gossip", satisfiable if and only if they do."""

from __future__ import annotations

from itertools import product
from typing import Any

from .calls import Calls, break_symmetries, callers_of, share_no_node
from .clauses import Formula
from .network import Network
from .refutation import refute
from .wrong import require


class Known:
    """The next variables: known(v, i, t) says that node v holds item i after round t >= 0."""

    def __init__(self, calls: Calls, n: int, items: int) -> None:
        self.before, self.n, self.items = calls.count, n, items

    def __call__(self, v: int, i: int, t: int) -> int:
        return self.before + (t * self.n + v) * self.items + i + 1


def gossip_formula(
    network: Network, two_way: bool, rounds: int, period: Any = None, goal: bool = True
) -> tuple[Formula, Calls, Known]:
    """Return the formula, its calls, and its variables of knowledge.

    - In every round every node takes part in at most one call.
    - A node that holds an item after a round held it before, or is called in the round.
    - A node that holds an item after a round in which u calls it held it before, or u did.
    - Before round 1 a node holds its own item only; after the last round all, if that is the goal.
    """
    n = network.n
    calls = Calls(network.edges if two_way else network.arcs, rounds, period)
    known = Known(calls, n, n)
    formula = Formula(known(n - 1, n - 1, rounds))
    share_no_node(formula, calls, n)
    calling = callers_of(calls, n, two_way)
    for t, v, i in product(range(1, rounds + 1), range(n), range(n)):
        held = [-known(v, i, t), known(v, i, t - 1)]
        formula.add(*held, *(calls(a, t) for a, _ in calling[v]))
        for a, u in calling[v]:
            formula.add(*held, -calls(a, t), known(u, i, t - 1))
    for v, i in product(range(n), range(n)):
        formula.add(known(v, i, 0) if v == i else -known(v, i, 0))
        if goal:
            formula.add(known(v, i, rounds))
    return formula, calls, known


def gossip_refuted(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """proof.lrat refutes the formula for one round less, which is built from the definition."""
    require(claim["task"] == "gossip", "the formula is that of a gossip")
    rounds = int(claim["lower_bound"]) - 1
    formula, calls, _ = gossip_formula(network, claim["two_way"], rounds, claim.get("period"))
    break_symmetries(formula, calls, network, claim["evidence"]["symmetries"])
    refute(formula, files)
    return rounds + 1
