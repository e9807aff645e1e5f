"""What a lower bound of the fat-tree claims: for every kind of evidence, the function that computes the bound
it proves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.formulas.cnf import Cnf
from schedsolve.problem import Problem

from ..rules import wanted_runs
from ..rules.tree import in_rounds, tree_of
from .formula import LARGEST_FORMULA, broadcast_formula, formula_size
from .lineages import lineages
from .lower_bounds import LOWER_BOUNDS
from .runs_formula import runs_formula, runs_formula_size

__all__ = ["CLAIMS", "refutation_formula"]


def refutation_formula(problem: Problem, evidence: Mapping[str, Any]) -> tuple[int, Cnf]:
    """What a refutation must refute: the bound that it proves, and the formula that "it takes at most so
    long" comes to.

    evidence: "rounds", the time that is claimed not to suffice, and "formula": "broadcast", which bounds a
    product and a prefix too, or "runs", for these only. Raises ClaimError when they are none.
    """
    time, kind = evidence.get("rounds"), evidence.get("formula")
    tree, rounds = tree_of(problem), in_rounds(problem)
    if type(time) is not int or not 0 <= time <= 4 * tree.height * tree.processors:
        raise ClaimError("a refutation says which time it refutes")
    if kind not in ("broadcast", "runs") or (kind == "runs" and problem.task == "broadcast"):
        raise ClaimError(f"there is no formula {kind!r:.60} for a {problem.task}")
    size = formula_size if kind == "broadcast" else runs_formula_size
    if size(tree, time, rounds=rounds) > LARGEST_FORMULA:
        raise ClaimError(f"the formula for time {time} is too large to be built")
    if kind == "broadcast":
        broadcast = broadcast_formula(tree, time, rounds=rounds)
        cnf, names = broadcast.cnf, broadcast.names
    else:
        runs = runs_formula(tree, time, wanted_runs(problem, tree.processors), rounds=rounds)
        cnf, names = runs.cnf, runs.names
    cnf.names = names
    return time + 2 - time % 2 if rounds else time + 1, cnf


CLAIMS: dict[str, Callable[[Problem, Mapping[str, Any]], int]] = {
    **{bound.name: bound.claim for bound in LOWER_BOUNDS},
    "lineages": lineages,
}
