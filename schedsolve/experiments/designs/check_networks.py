"""Checking that no network of a class takes less time than the one of a saved design.

The class is generated again, and its number of networks and their digest are compared with the file's. A
network is excluded by one look at it, or by a result in the file, which is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from schedsolve.certify.report import CheckReport
from schedsolve.experiments.designs.levels import digest_of, form_hash
from schedsolve.experiments.designs.saved_design import SavedDesign
from schedsolve.experiments.designs.wanted import Wanted
from schedsolve.modelkit.result import LEAST_TIME
from schedsolve.models import read_problem
from schedsolve.network.classes.canonical_form import Rows, canonical_form
from schedsolve.network.classes.network_class import network_of, rows_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import counted
from schedsolve.runtime.files.number_reader import exact_number
from schedsolve.runtime.limits.budget import HOW_TO_LIFT, limit_of

MOST_NETWORKS = 10_000
"""More networks than these are generated again only where the size of a file is trusted."""

ResultCheck = Callable[[Mapping[str, Any]], CheckReport]


def unlike(
    wanted: Wanted, result: Mapping[str, Any], network: Network | None = None, limit: int | None = None
) -> str | None:
    """Return how a result is for another problem than what is wanted, None if it is not.

    Parameters
    ----------
    wanted
        What is wanted.
    result
        A result in a design's file.
    network
        Its network; None for any of the class.
    limit
        The number of rounds or steps; None for none.
    """
    problem = read_problem(result.get("problem"))
    if network is not None and problem.network != network:
        return "another network"
    asked = wanted.problem(network or replace(problem.network, default_sources=()), limit)
    if (problem.model, problem.task, problem.parameters) != (asked.model, asked.task, asked.parameters):
        return "another task, or other parameters"
    return wanted.members.why_not(problem.network) if network is None else None


def every_network_takes(saved: SavedDesign, report: CheckReport, check_result: ResultCheck) -> bool:
    """Confirm that every network of the class takes the time that is the lower bound; return whether so.

    Parameters
    ----------
    saved
        The design.
    report
        Where it is noted.
    check_result
        Checks the results that stand in it.
    """
    wanted, bound = saved.wanted, saved.time or Fraction(0)
    claim = f"{LEAST_TIME.quantity(bound)} at least in every network of the class"
    counted_out = bound <= wanted.designs.bound(wanted.task, wanted.members, wanted.edges)
    if counted_out:
        report.confirm(f"{claim}: by counting units and distances")
        if (saved.graphs, saved.digest, saved.results) == (0, digest_of(0), ()):
            return True
    if saved.graphs > MOST_NETWORKS and limit_of("values") is not None:
        report.doubt(claim, f"{saved.graphs} networks are not generated again ({HOW_TO_LIFT})")
        return counted_out
    excluded = _excluded_by_results(saved, bound, report, check_result)
    graphs, hashes, left = 0, 0, 0
    for edges in wanted.edge_counts:
        for rows in wanted.members.members(edges):
            graphs, hashes = graphs + 1, hashes + form_hash(rows)
            look = wanted.designs.look(wanted.problem(network_of(rows)))
            left += look < bound and rows not in excluded
    if (graphs, digest_of(hashes)) != (saved.graphs, saved.digest):
        report.fail(
            f"the class has {counted(graphs, 'network')}, digest {digest_of(hashes)}; the file says otherwise"
        )
        return False
    if left and not counted_out:
        report.doubt(claim, f"nothing excludes {left} of {graphs}")
        return False
    report.confirm(f"{claim}, {graphs}")
    return True


def _excluded_by_results(
    saved: SavedDesign, least: Fraction, report: CheckReport, check_result: ResultCheck
) -> set[Rows]:
    """Return the canonical forms of the networks that results of the file show to take so much."""
    excluded = set()
    for number, result in enumerate(saved.results, 1):
        bound, wrong = exact_number(result.get("lower_bound")), unlike(saved.wanted, result)
        if wrong is not None or bound is None or bound < least:
            why = wrong or f"it does not say {LEAST_TIME.quantity(least)} at least"
            report.fail(f"result {number} of the others: {why}")
        elif report.take(f"result {number} of the others", check_result(result)):
            rows = rows_of(read_problem(result.get("problem")).network)
            excluded.add(canonical_form(rows).rows)
    return excluded
