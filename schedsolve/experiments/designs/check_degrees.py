"""Checking designs over a range of degrees: each of them, and the results of the networks to compare with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from schedsolve.certify.report import CheckReport
from schedsolve.experiments.designs.levels import DEGREES_FORMAT, DESIGN_FORMAT, FASTEST_FORMAT
from schedsolve.experiments.designs.saved_design import SavedDesign, members_of, read_design
from schedsolve.modelkit.result import Status
from schedsolve.models import read_problem
from schedsolve.network.classes.network_class import MOST_NODES, NetworkClass
from schedsolve.runtime.errors import InputError, counted, shown
from schedsolve.runtime.files.number_reader import whole_number

DEGREES = ("max_degree", "regular", "circulant")


def check_degrees(data: Mapping[str, Any], check: Callable[[Mapping[str, Any]], CheckReport]) -> CheckReport:
    """Check a file of designs over a range of degrees.

    Parameters
    ----------
    data
        The JSON data of the file.
    check
        Checks a design or a result.

    Raises
    ------
    InputError
        If the file is not of that format, or a row is wrong.
    """
    evidence = {(DEGREES_FORMAT, "designs")}
    report = CheckReport("designs over a range of degrees", title=DEGREES_FORMAT, evidence=evidence)
    rows = data.get("rows")
    if not isinstance(rows, list) or not 0 < len(rows) <= MOST_NODES:
        raise InputError(f'"rows" of designs by degree is a list of 1 to {MOST_NODES} rows')
    confirmed: dict[int, SavedDesign] = {}
    first: tuple[Any, ...] | None = None
    for row in rows:
        if not isinstance(row, Mapping) or set(row) - {"circulants"} != {"degree", "design", "compared"}:
            raise InputError(f"a row of designs by degree has degree, design and compared, not {shown(row)}")
        degree, compared = whole_number(row["degree"], 1, MOST_NODES), row["compared"]
        if degree is None or not isinstance(compared, list):
            raise InputError("a row of designs by degree has a degree, a design, and a list of results")
        design = _design(report, row["design"], degree)
        first = first or _asked(design)
        alike = _asked(design) == first
        if report.take(f"degree {degree}", check(design), whole=True) and design["format"] == DESIGN_FORMAT:
            confirmed[degree] = read_design(design)
        if "circulants" in row:
            circulants = _design(report, row["circulants"], degree)
            if not members_of(circulants).circulant:
                report.fail(f"degree {degree}: the design is not one of circulants")
            alike = alike and _asked(circulants) == first
            report.take(f"degree {degree}, circulants", check(circulants), whole=True)
        if not alike:
            report.doubt(f"degree {degree}", "a design is for another problem than that of the first row")
        for number, result in enumerate(compared, 1):
            if not isinstance(result, Mapping) or "problem" not in result:
                raise InputError("what designs by degree are compared with are results")
            if not _is_like(result, _asked(design), degree):
                report.fail(f"degree {degree}, network {number} to compare with: it is for another problem")
            report.take(f"degree {degree}, network {number} to compare with", check(result))
    if "least_degree" in data:
        _least_degree(report, data["least_degree"], confirmed)
    unexamined = set(data) - {"format", "rows", "least_degree"}
    report.doubt_unexamined(f"'{entry}'" for entry in sorted(map(str, unexamined)))
    return report


def _design(report: CheckReport, design: Any, degree: int) -> Mapping[str, Any]:
    """Return a design of a row, which is for a degree."""
    if not isinstance(design, Mapping) or design.get("format") not in (DESIGN_FORMAT, FASTEST_FORMAT):
        found = design.get("format") if isinstance(design, Mapping) else design
        raise InputError(f"a row of designs by degree has a design, not {shown(found)}")
    if members_of(design).largest_degree != degree:
        report.fail(f"degree {degree}: the design is for another degree")
    return design


def _asked(design: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what a design is for but the degree: its task, nodes, source and ports, and other properties."""
    given = {name: design[name] for name in ("source", "ports") if name in design}
    kind = {name: value for name, value in design["class"].items() if name not in DEGREES}
    return design["model"], design["task"], design["nodes"], given, kind


def _is_like(result: Mapping[str, Any], asked: tuple[Any, ...], degree: int) -> bool:
    """Whether a result is for what designs are for, on a plain network of a degree."""
    problem = read_problem(result["problem"])
    network = problem.network
    given = {name: value for name, value in problem.parameters.items() if name != "steps"}
    near = max(map(len, (*network.successors, *network.predecessors)))
    same = (problem.model, problem.task, network.node_count, given) == asked[:4]
    return same and network.is_plain and near <= degree


def _least_degree(report: CheckReport, claimed: Any, confirmed: Mapping[int, SavedDesign]) -> None:
    """Confirm that a degree is the least with which the task takes as few rounds as in any network.

    The design of this degree takes no more rounds than the complete network, which no network is faster than.
    That of the degree before says that no network of its class takes so few, and its class has all networks
    of smaller degree too.
    """
    degree = whole_number(claimed, 1, MOST_NODES)
    if degree is None:
        raise InputError(f'"least_degree" is a number from 1 to {MOST_NODES}, not {shown(claimed)}')
    claim, best, below = f"least degree {degree}", confirmed.get(degree), confirmed.get(degree - 1)
    rounds = None if best is None else best.reached
    complete = None if best is None or best.complete is None else best.complete.get("lower_bound")
    if best is None or rounds is None or rounds != complete or best.status is Status.INFEASIBLE:
        report.doubt(claim, "no network of this degree takes as few rounds as the complete network")
    elif degree == 1 or not replace(best.members, max_degree=degree - 1).edge_counts():
        report.confirm(f"{claim}: no network of a smaller degree is connected")
    elif below is not None and _excludes(below, best, degree - 1):
        report.confirm(f"{claim}, for {counted(rounds, 'round')}")
    else:
        report.doubt(claim, f"nothing excludes {rounds} rounds with degree {degree - 1}")


def _excludes(below: SavedDesign, best: SavedDesign, degree: int) -> bool:
    """Whether a design says that no network of a smaller degree takes the rounds of the best one."""
    members: NetworkClass = replace(best.members, max_degree=degree)
    same = below.members == members and _task(below) == _task(best)
    none = below.status is Status.INFEASIBLE and below.asked_edges is None
    return same and none and below.asked_limit == best.reached


def _task(saved: SavedDesign) -> tuple[Any, ...]:
    """Return what decides which networks take so many rounds: model, task, source and further parameters."""
    return saved.model, saved.task, saved.choice, dict(saved.designs.parameters)
