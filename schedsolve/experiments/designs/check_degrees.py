"""Checking designs over a range of degrees: each of them, and the results of the networks to compare with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from schedsolve.certify.report import CheckReport
from schedsolve.experiments.designs.check_networks import ResultCheck
from schedsolve.experiments.designs.levels import DESIGN_FORMAT
from schedsolve.experiments.designs.saved_design import SavedDesign, read_design
from schedsolve.experiments.designs.wanted import Wanted
from schedsolve.modelkit.result import Status
from schedsolve.models import read_problem
from schedsolve.network.classes.network_class import MOST_NODES
from schedsolve.runtime.errors import InputError, counted, shown
from schedsolve.runtime.files.number_reader import whole_number

FORMATS = (DESIGN_FORMAT, "schedsolve-design/1", "schedsolve-fastest-design/1")
"""Of designs, the older ones too."""


def check_degrees(data: Mapping[str, Any], check: ResultCheck) -> CheckReport:
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
        If a row is wrong.
    """
    evidence = {(DESIGN_FORMAT, "designs")}
    report = CheckReport("designs over a range of degrees", title=DESIGN_FORMAT, evidence=evidence)
    rows = data["rows"]
    if not isinstance(rows, list) or not 0 < len(rows) <= MOST_NODES:
        raise InputError(f'"rows" of designs by degree is a list of 1 to {MOST_NODES} rows')
    confirmed: dict[int, SavedDesign] = {}
    first: Wanted | None = None
    for row in rows:
        if not isinstance(row, Mapping) or set(row) - {"circulants"} != {"degree", "design", "compared"}:
            raise InputError(f"a row of designs by degree has degree, design and compared, not {shown(row)}")
        degree, compared = whole_number(row["degree"], 1, MOST_NODES), row["compared"]
        if degree is None or not isinstance(compared, list):
            raise InputError("a row of designs by degree has a degree, a design, and a list of results")
        designs = {name: _design(row[name]) for name in ("design", "circulants") if name in row}
        first = first or designs["design"].wanted
        for name, saved in designs.items():
            said = f"degree {degree}{', circulants' if name == 'circulants' else ''}"
            if saved.wanted.members.largest_degree != degree:
                report.fail(f"{said}: the design is for another degree")
            if name == "circulants" and not saved.wanted.members.circulant:
                report.fail(f"{said}: the design is not one of circulants")
            if _any_degree(saved.wanted) != _any_degree(first):
                report.doubt(said, "the design is for another problem than that of the first row")
            if report.take(said, check(row[name]), whole=True) and name == "design":
                confirmed[degree] = saved
        _compared(report, compared, first, degree, check)
    if "least_degree" in data:
        _least_degree(report, data["least_degree"], confirmed)
    unexamined = set(data) - {"format", "rows", "least_degree"}
    report.doubt_unexamined(f"'{entry}'" for entry in sorted(map(str, unexamined)))
    return report


def _compared(
    report: CheckReport, compared: list[Any], asked: Wanted, degree: int, check: ResultCheck
) -> None:
    """Check the results of a row for networks to compare with."""
    for number, result in enumerate(compared, 1):
        if not isinstance(result, Mapping) or "problem" not in result:
            raise InputError("what designs by degree are compared with are results")
        name = f"degree {degree}, network {number} to compare with"
        if not _is_like(result, asked, degree):
            report.fail(f"{name}: it is for another problem")
        report.take(name, check(result))


def _design(design: Any) -> SavedDesign:
    """Return a design of a row."""
    if not isinstance(design, Mapping) or design.get("format") not in FORMATS or "rows" in design:
        found = design.get("format") if isinstance(design, Mapping) else design
        raise InputError(f"a row of designs by degree has a design, not {shown(found)}")
    return read_design(design)


def _any_degree(asked: Wanted) -> Wanted:
    """Return what is asked for but the degree and the numbers of rounds and links."""
    members = replace(asked.members, max_degree=None, regular=None, circulant=False)
    return replace(asked, members=members, limit=None, edges=None)


def _is_like(result: Mapping[str, Any], asked: Wanted, degree: int) -> bool:
    """Whether a result is for what designs are for, on a plain network of a degree."""
    problem = read_problem(result["problem"])
    network, given = problem.network, dict(problem.parameters)
    given.pop("steps", None)
    near = max(map(len, (*network.successors, *network.predecessors)))
    same = (problem.model, problem.task, network.node_count) == (asked.model, asked.task, asked.members.nodes)
    source = {"source": asked.choice} if asked.has_source else {}
    return same and given == {**source, **asked.designs.parameters} and network.is_plain and near <= degree


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
    elif degree == 1 or not replace(best.wanted.members, max_degree=degree - 1).edge_counts():
        report.confirm(f"{claim}: no network of a smaller degree is connected")
    elif below is not None and _excludes(below, best, degree - 1):
        report.confirm(f"{claim}, for {counted(rounds, 'round')}")
    else:
        report.doubt(claim, f"nothing excludes {rounds} rounds with degree {degree - 1}")


def _excludes(below: SavedDesign, best: SavedDesign, degree: int) -> bool:
    """Whether a design says that no network of a smaller degree takes the rounds of the best one."""
    asked, members = below.wanted, replace(best.wanted.members, max_degree=degree)
    same = replace(best.wanted, members=members, limit=best.reached, edges=None, any_links=asked.any_links)
    return asked == same and below.status is Status.INFEASIBLE
