"""What a cut claims, computed straight from the definition."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from schedsolve.modelkit.form import is_label
from schedsolve.modelkit.problem import Problem
from schedsolve.runtime.errors import ClaimError

from ..rules.demand import bandwidth_across, units_across


def cut_claim(problem: Problem, evidence: Mapping[str, Any]) -> Fraction:
    """Return the time that a cut proves.

    The units that must leave its nodes, divided by the bandwidth that leaves them. Each unit that some rank
    outside wants from inside crosses a link that leaves, whatever switches and relays copy or add up.

    Parameters
    ----------
    problem
        The problem.
    evidence
        "nodes", the labels of the nodes.

    Raises
    ------
    ClaimError
        If nothing must leave them.
    """
    labels = evidence.get("nodes")
    number = {label: v for v, label in enumerate(problem.network.labels)}
    if not isinstance(labels, list) or not all(is_label(label) and label in number for label in labels):
        raise ClaimError("a cut is given by the labels of its nodes")
    nodes = {number[label] for label in labels}
    units = units_across(problem, nodes)
    if not units:
        raise ClaimError("nothing must leave the nodes of the cut")
    bandwidth = bandwidth_across(problem.network, nodes)
    if not bandwidth:
        raise ClaimError("nothing can leave the nodes of the cut")
    return units / bandwidth
