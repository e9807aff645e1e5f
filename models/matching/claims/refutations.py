"""What a refutation of so many rounds must refute, by the premise that it names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.runtime.errors import ClaimError

from .busy_ends import PREMISE as BUSY_ENDS
from .busy_ends import busy_ends_refuted
from .distant_pairs import PREMISE as DISTANT_PAIRS
from .distant_pairs import distant_pairs_refuted
from .fewest_calls import PREMISE as FEWEST_CALLS
from .fewest_calls import fewest_calls_refuted
from .formula import refutation_formula
from .inner_rounds import PREMISE as INNER_ROUNDS
from .inner_rounds import inner_rounds_refuted
from .origins import PREMISE as ORIGINS
from .origins import origins_refuted

_BY_PREMISE: dict[str | None, Callable[[Problem, Mapping[str, Any]], tuple[int, Cnf]]] = {
    None: refutation_formula,
    ORIGINS: origins_refuted,
    FEWEST_CALLS: fewest_calls_refuted,
    BUSY_ENDS: busy_ends_refuted,
    INNER_ROUNDS: inner_rounds_refuted,
    DISTANT_PAIRS: distant_pairs_refuted,
}


def refuted(problem: Problem, evidence: Mapping[str, Any]) -> tuple[int, Cnf]:
    """Return what a refutation must refute: the bound that it proves, and the formula.

    Parameters
    ----------
    problem
        The problem.
    evidence
        Its "premise", if it has one, says without loss of generality what of the schedules that there may be;
        the rest is as the formula of that premise wants it.

    Raises
    ------
    ClaimError
        For a premise that there is not or that does not apply.
    """
    premise = evidence.get("premise")
    if premise is not None and not (isinstance(premise, str) and premise in _BY_PREMISE):
        raise ClaimError("a refutation names a premise that there is not")
    return _BY_PREMISE[premise](problem, evidence)
