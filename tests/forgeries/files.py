"""Whole files that claim something false, made of a result of the catalogue."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from schedsolve.modelkit.problem import problem_id, problem_to_json
from schedsolve.modelkit.result import value_from_json, value_to_json
from schedsolve.models import read_problem
from schedsolve.runtime.errors import InputError
from tests.evidence.catalogue import Entry, entries
from tests.forgeries.verdicts import bound_file, next_value

Data = dict[str, Any]


def forged(entry: Entry) -> Iterator[tuple[str, Data]]:
    """Their names and the files."""
    data, evidence = entry.data, entry.bound["evidence"]
    problem, value = read_problem(data["problem"]), value_from_json(data["value"])
    yield from _of_premise(data)
    if value is None:
        yield from _of_infeasible(entry)
        return
    above = next_value(problem, value)
    yield "next value, evidence as it is", bound_file(problem, evidence, above)
    yield "next value, nothing beside it", {**bound_file(problem, {}, above), "certificate": None}
    empty = bound_file(problem, {}, above)
    empty["certificate"]["lower"] = []
    yield "next value, an empty certificate", empty
    yield "next value, evidence of no kind", bound_file(problem, {"kind": "other"}, above)
    yield "next value, evidence that is an upper bound", _upper(bound_file(problem, evidence, above))
    if type(evidence.get("rounds")) is int:
        yield "rounds one more", bound_file(problem, {**evidence, "rounds": evidence["rounds"] + 1}, above)
    foreign = bound_file(problem, evidence, value_from_json(entry.bound["value"]) or 0)
    foreign["certificate"]["problem_id"] = "0" * 64
    yield "the certificate of another problem", foreign
    for other in entries():
        if other.title == entry.title and other != entry:
            yield f"evidence {other.name}", bound_file(problem, other.bound["evidence"], above)
            break
    if data["status"] == "bounded":
        yield "a bound below the value called optimal", {**data, "status": "optimal"}
    yield "no bound called optimal", {**_all_values(data, data["value"]), "lower_bound": None}
    yield "called optimal, one more", _all_values(data, value_to_json(above))
    yield "a lower bound above the value", {**data, "lower_bound": value_to_json(above)}
    if "upper" not in data["certificate"]:
        yield "a value and no schedule", {**data, "schedule": None}
    yield "infeasible", {**data, "status": "infeasible", "value": None, "lower_bound": None, "schedule": None}
    if (problem.model not in ("pipelined", "synchronous") and "rounds" in data.get("schedule", {})) or {}:
        yield from _faster(data)


def _of_premise(data: Data) -> Iterator[tuple[str, Data]]:
    """Another T than that of the network, with the evidence as it is, with some of it, and without."""
    evidence = data["problem"].get("evidence")
    if evidence is None:
        return
    without = {key: {k: v for k, v in evidence.items() if k != key} for key in evidence}
    empty = {**evidence["schedule"], "rounds": []}
    others = [
        evidence,
        *without.values(),
        {},
        None,
        {**evidence, "schedule": empty},
        {**evidence, "schedule": data["schedule"]},
        {**evidence, "lower": []},
        {**evidence, "lower": [{**evidence["lower"][0], "side": "upper"}]},
    ]
    for more, shift in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
        for said in others if (more, shift) != (0, 0) else others[1:]:
            yield f"{more} more extra rounds, {shift} in all", _posed(data, more, shift, said)


def _posed(data: Data, more: int, shift: int, evidence: Any) -> Data:
    """The file with other numbers of rounds and other evidence for them."""
    changed = copy.deepcopy(data)
    parameters = changed["problem"]["parameters"]
    parameters["extra_rounds"] += more
    parameters["total_rounds"] += shift
    changed["problem"]["evidence"] = evidence
    if evidence is None:
        del changed["problem"]["evidence"]
    changed["total_rounds"] = parameters["total_rounds"]
    with suppress(InputError):
        changed["certificate"]["problem_id"] = problem_id(read_problem(changed["problem"]))
    return changed


def _upper(data: Data) -> Data:
    data["certificate"]["lower"][0]["side"] = "upper"
    return data


def _all_values(data: Data, value: Any) -> Data:
    changed = copy.deepcopy(data)
    for bound in [*changed["bounds"], *changed["certificate"].get("lower", [])]:
        bound["value"] = value
    return {**changed, "value": value, "lower_bound": value, "status": "optimal"}


def _faster(data: Data) -> Iterator[tuple[str, Data]]:
    """One round less than it takes."""
    if type(data["value"]) is not int:
        return
    less = _all_values(data, data["value"] - 1)
    yield "one round less, the schedule as it is", less
    rounds = data["schedule"]["rounds"]
    yield "the last round dropped", {**less, "schedule": {**data["schedule"], "rounds": rounds[:-1]}}
    joined = [*rounds[:-2], rounds[-2] + rounds[-1]] if len(rounds) > 1 else []
    yield "the last two rounds in one", {**less, "schedule": {**data["schedule"], "rounds": joined}}


def _of_infeasible(entry: Entry) -> Iterator[tuple[str, Data]]:
    """A result that says that nothing suffices, of a problem that was made easy."""
    data = entry.data
    for name, value in (("period", 9), ("steps", 9)):
        if name in data["problem"]["parameters"]:
            easier = copy.deepcopy(data)
            easier["problem"]["parameters"][name] = value
            problem = read_problem(easier["problem"])
            easier["problem"] = problem_to_json(problem)
            easier["certificate"]["problem_id"] = problem_id(problem)
            yield f"infeasible with a {name} of {value}", easier
    yield "no certificate", {**data, "certificate": None}
    yield "another certificate", {**data, "certificate": {**data["certificate"], "lower": []}}
    yield "optimal", {**data, "status": "optimal", "value": 1, "lower_bound": 1}
    yield "bounded", {**data, "status": "bounded", "lower_bound": entry.bound["value"]}
    for more in (1, 2, -1):
        bound = {**entry.bound, "value": entry.bound["value"] + more}
        lower = {**data["certificate"], "lower": [bound]}
        yield (
            f"{more} more",
            {**data, "bounds": [{**data["bounds"][0], "value": bound["value"]}], "certificate": lower},
        )
    for key in ("kind", "rounds", "proof", "sha256"):
        if key in entry.bound["evidence"]:
            bound = {
                **entry.bound,
                "evidence": {k: v for k, v in entry.bound["evidence"].items() if k != key},
            }
            yield f"no {key}", {**data, "certificate": {**data["certificate"], "lower": [bound]}}
