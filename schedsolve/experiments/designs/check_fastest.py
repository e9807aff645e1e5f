"""Checking a saved design of the least time: the network with its schedule, and every other of the class.

The class is generated again, and its number of networks and their digest are compared with the file's. A
network is excluded by one look at it, or by a result in the file, which is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from schedsolve.certify.report import CheckReport
from schedsolve.experiments.designs.levels import FASTEST_FORMAT, FastestDesigns, digest_of, form_hash
from schedsolve.experiments.designs.of_model import fastest_designs_of
from schedsolve.experiments.designs.saved_design import members_of, named_task, object_in, optional_object
from schedsolve.modelkit.result import LEAST_TIME, Status
from schedsolve.models import build_problem, read_problem
from schedsolve.network.classes.canonical_form import Rows, canonical_form
from schedsolve.network.classes.network_class import NetworkClass, network_of, rows_of
from schedsolve.runtime.errors import InputError, counted, shown
from schedsolve.runtime.files.number_reader import exact_number, whole_number
from schedsolve.runtime.limits.budget import HOW_TO_LIFT, limit_of

MOST_NETWORKS = 10_000
"""More networks than these are generated again only where the size of a file is trusted."""
KEYS = {
    "format", "model", "task", "nodes", "class", "asked", "status", "value", "lower_bound", "network",
    "result", "evidence", "runtime_seconds",
}  # fmt: skip
MOST_EDGES, MOST_GRAPHS = 10**6, 10**15

ResultCheck = Callable[[Mapping[str, Any]], CheckReport]


@dataclass(frozen=True)
class _Saved:
    """What the file says; `network` is the graph6 string."""

    model: str
    task: str
    designs: FastestDesigns
    members: NetworkClass
    edges: int | None
    status: Status
    value: Fraction | None
    lower_bound: Fraction
    network: str | None
    result: Mapping[str, Any] | None
    graphs: int
    digest: str
    results: list[Mapping[str, Any]]


def check_fastest_network(data: Mapping[str, Any], check_result: ResultCheck) -> CheckReport:
    """Check a fastest network that schedsolve saved.

    Parameters
    ----------
    data
        The JSON data of the file.
    check_result
        Checks the results that stand in it.

    Raises
    ------
    InputError
        If it is no such design.
    """
    saved = _read(data)
    named = " ".join(f"{name}={value}" for name, value in saved.members.to_json().items())
    words = f"fastest network for {saved.model} {saved.task} with {saved.members.nodes} nodes {named}"
    report = CheckReport(words.strip(), title=FASTEST_FORMAT, evidence={(FASTEST_FORMAT, "networks")})
    upper = _upper_side(saved, report, check_result)
    lower = _lower_side(saved, report, check_result)
    if saved.status is Status.OPTIMAL:
        if saved.value != saved.lower_bound:
            report.fail("an optimal design has a time equal to its lower bound")
        elif upper and lower:
            report.confirm("status optimal")
        else:
            report.doubt("status optimal", "it does not follow from what was confirmed")
    report.doubt_unexamined(f"'{entry}'" for entry in sorted(map(str, set(data) - KEYS)))
    return report


def _upper_side(saved: _Saved, report: CheckReport, check_result: ResultCheck) -> bool:
    """Confirm that the network is in the class and that its schedule takes the time."""
    if saved.value is None and saved.result is None and saved.network is None:
        return False
    if saved.value is None or saved.result is None or saved.network is None:
        report.fail("a time stands with its network and its result")
        return False
    problem = read_problem(saved.result.get("problem"))
    wrong = _unlike(saved, saved.result)
    if wrong is None and saved.edges is not None and len(problem.network.edges) > saved.edges:
        wrong = f"it has more than {counted(saved.edges, 'link')}"
    if wrong is None and network_of(rows_of(problem.network)).name.partition(":")[2] != saved.network:
        wrong = "its network is another"
    if wrong is not None:
        report.fail(f"the network's result: {wrong}")
        return False
    if exact_number(saved.result.get("value")) != saved.value or saved.result.get("schedule") is None:
        report.fail(f"the network's result has no schedule of {LEAST_TIME.quantity(saved.value)}")
        return False
    report.confirm("the network is in the class")
    return report.take("the network's result", check_result(saved.result))


def _unlike(saved: _Saved, result: Mapping[str, Any]) -> str | None:
    """Return how a result is for another problem than the design's on a network of the class, or None."""
    problem = read_problem(result.get("problem"))
    asked = build_problem(saved.model, saved.task, replace(problem.network, default_sources=()))
    if (problem.model, problem.task, problem.parameters) != (asked.model, asked.task, asked.parameters):
        return "it is for another problem"
    return saved.members.why_not(problem.network)


def _lower_side(saved: _Saved, report: CheckReport, check_result: ResultCheck) -> bool:
    """Confirm that no network of the class takes less than the lower bound."""
    claim = f"{LEAST_TIME.quantity(saved.lower_bound)} at least in every network of the class"
    counted_out = saved.lower_bound <= saved.designs.bound(saved.task, saved.members, saved.edges)
    if counted_out:
        report.confirm(f"{claim}: by counting units and distances")
        if (saved.graphs, saved.digest, saved.results) == (0, digest_of(0), []):
            return True
    if saved.graphs > MOST_NETWORKS and limit_of("values") is not None:
        report.doubt(claim, f"{saved.graphs} networks are not generated again ({HOW_TO_LIFT})")
        return counted_out
    excluded = _excluded_by_results(saved, report, check_result)
    graphs, hashes, left = 0, 0, 0
    for edges in saved.members.edge_counts(saved.edges):
        for rows in saved.members.members(edges):
            graphs, hashes = graphs + 1, hashes + form_hash(rows)
            problem = build_problem(saved.model, saved.task, network_of(rows))
            if saved.designs.least_time(problem) < saved.lower_bound and rows not in excluded:
                left += 1
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


def _excluded_by_results(saved: _Saved, report: CheckReport, check_result: ResultCheck) -> set[Rows]:
    """Return the canonical forms of the networks that results of the file show to take so much."""
    excluded = set()
    for number, result in enumerate(saved.results, 1):
        bound, wrong = exact_number(result.get("lower_bound")), _unlike(saved, result)
        if wrong is not None or bound is None or bound < saved.lower_bound:
            why = wrong or f"it does not say {LEAST_TIME.quantity(saved.lower_bound)} at least"
            report.fail(f"result {number} of the others: {why}")
        elif report.take(f"result {number} of the others", check_result(result)):
            rows = rows_of(read_problem(result.get("problem")).network)
            excluded.add(canonical_form(rows).rows)
    return excluded


def _read(data: Mapping[str, Any]) -> _Saved:
    model, task = named_task(data)
    asked, evidence = object_in(data, "asked"), object_in(data, "evidence")
    designs = fastest_designs_of(model)
    if designs is None or task not in designs.tasks:
        raise InputError(f"there are no designs for {shown(model)} {shown(task)}")
    if set(asked) != {"edges"}:
        raise InputError(f'"asked" of a fastest network has its "edges", not {shown(asked)}')
    edges = None if asked["edges"] == "any" else whole_number(asked["edges"], 0, MOST_EDGES)
    if edges is None and asked["edges"] != "any":
        raise InputError(
            f'"edges" asked of a fastest network is a number or any, not {shown(asked["edges"])}'
        )
    if set(evidence) != {"kind", "graphs", "digest", "results"}:
        raise InputError("the evidence of a fastest network has kind, graphs, digest and results")
    graphs, digest, results = (evidence[key] for key in ("graphs", "digest", "results"))
    if (
        evidence["kind"] != "networks"
        or whole_number(graphs, 0, 10**15) is None
        or not isinstance(digest, str)
    ):
        raise InputError("the evidence of a fastest network is of the kind networks, with number and digest")
    if not isinstance(results, list) or not all(isinstance(one, Mapping) for one in results):
        raise InputError("the results of other networks are a list of results")
    statuses = {one.value: one for one in (Status.OPTIMAL, Status.BOUNDED, Status.UNKNOWN)}
    status, bound = statuses.get(str(data.get("status"))), exact_number(data.get("lower_bound"))
    value, network = data.get("value"), data.get("network")
    time = None if value is None else exact_number(value)
    if status is None or bound is None or (value is not None and time is None):
        raise InputError("a fastest network has a status, a time and a lower bound")
    if not isinstance(network, str | None):
        raise InputError("the network is a graph6 string")
    members, result = members_of(data), optional_object(data, "result")
    if members.directed or not members.edge_counts(edges):
        raise InputError("no network is in the class of the fastest network")
    return _Saved(
        model, task, designs, members, edges, status, time, bound, network, result, graphs, digest, results
    )
