"""The claims of lower bounds of the fat-tree: the function that computes the bound, by kind of evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.modelkit.evidence import EvidenceKind, Kinds, fields
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.runtime.errors import ClaimError

from ..rules import wanted_runs
from ..rules.tree import FatTree, in_rounds, tree_of
from .crossings import ROUND_CROSSINGS, crossings
from .formula import LARGEST_FORMULA, broadcast_formula, formula_size
from .halves_formula import halves_formula, halves_formula_size
from .lineages import lineages
from .lower_bounds import LOWER_BOUNDS
from .runs_formula import runs_formula, runs_formula_size

__all__ = ["EVIDENCE", "THEOREM_BOUNDS", "refutation_formula"]


def refutation_formula(problem: Problem, evidence: Mapping[str, Any]) -> tuple[int, Cnf]:
    """Return the bound that a refutation proves, and the formula that it must refute.

    Parameters
    ----------
    problem
        The problem.
    evidence
        The evidence: "rounds", the time that is claimed not to suffice, and "formula", which is
        "broadcast" (it bounds a product and a prefix too), "runs" (for these only) or "halves" (for a
        prefix by the clock).

    Raises
    ------
    ClaimError
        If the evidence is anything else.
    """
    time, kind = evidence.get("rounds"), evidence.get("formula")
    tree, rounds = tree_of(problem), in_rounds(problem)
    if type(time) is not int or not 0 <= time <= 4 * tree.height * tree.processors:
        raise ClaimError("a refutation says which time it refutes")
    kinds = {"broadcast": ["broadcast"], "product": ["broadcast", "runs"]}.get(
        problem.task, ["broadcast", "runs", *([] if rounds else ["halves"])]
    )
    if kind not in kinds:
        raise ClaimError(f"there is no formula {kind!r:.60} for a {problem.task}")
    if _size(kind, tree, time, rounds=rounds) > LARGEST_FORMULA:
        raise ClaimError(f"the formula for time {time} is too large to be built")
    if kind == "broadcast":
        broadcast = broadcast_formula(tree, time, rounds=rounds)
        cnf, names = broadcast.cnf, broadcast.names
    elif kind == "runs":
        runs = runs_formula(tree, time, wanted_runs(problem, tree.processors), rounds=rounds)
        cnf, names = runs.cnf, runs.names
    else:
        if not 2 * tree.height <= time < 6 * tree.height:
            raise ClaimError(f"the formula of halves does not speak of time {time}")
        halves = halves_formula(tree, time)
        cnf, names = halves.cnf, halves.names
    cnf.names = names
    return time + 2 - time % 2 if rounds else time + 1, cnf


def _size(kind: str, tree: FatTree, time: int, *, rounds: bool) -> int:
    """Return an estimate of the number of literals of a formula."""
    if kind == "halves":
        return halves_formula_size(tree, time)
    return (formula_size if kind == "broadcast" else runs_formula_size)(tree, time, rounds=rounds)


THEOREM_BOUNDS = (*LOWER_BOUNDS, ROUND_CROSSINGS)
"""The lower bounds that need no evidence."""
EVIDENCE: Kinds = {
    **{bound.name: EvidenceKind(fields(), bound.claim) for bound in THEOREM_BOUNDS},
    "lineages": EvidenceKind(fields("time", proofs=fields("scale", "multipliers")), lineages),
    "crossings": EvidenceKind(fields(proofs=fields("scale", "multipliers")), crossings),
    "refutation": EvidenceKind(fields("formula")),
}
