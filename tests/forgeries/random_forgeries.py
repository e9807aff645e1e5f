"""Random forgeries: evidence, schedules and proofs with a few changes, beside a random problem."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Value, value_from_json
from schedsolve.models import read_problem
from tests.evidence.catalogue import Entry, entries
from tests.evidence.truths import truths
from tests.forgeries.alterations import at, others, paths
from tests.forgeries.verdicts import accepted, bound_file, proven, refutable, replayed

LARGEST = 9
"""Nodes of a problem whose formula is looked at."""


def changed(random: Random, data: Any) -> Any:
    """The data with up to three places changed."""
    data = copy.deepcopy(data)
    for _ in range(random.randrange(4)):
        ways = list(paths(data))
        if ways:
            path = random.choice(ways)
            place, choices = at(data, path[:-1]), list(others(at(data, path)))
            number = at(data, path)
            if type(number) is int:
                choices.append(random.randrange(-3, 12))
            place[path[-1]] = random.choice(choices)
    return data


def try_forgery(random: Random) -> tuple[str, str]:
    """Forge something in the form of a random entry: what came of it, and a finding, "" for none."""
    entry = random.choice(list(entries()))
    if entry.data["schedule"] is not None and random.random() < 0.3:
        return _schedule(random, entry)
    problem, least = random.choice(truths()[entry.title])
    if "upper" in entry.data["certificate"] or problem.choice == "max":
        return "passed over", ""
    evidence = changed(random, entry.bound["evidence"])
    if not isinstance(evidence, dict) or not isinstance(evidence.get("kind"), str):
        return "refused", ""
    value = _said(random, problem, evidence, least)
    if value is None:
        return "refused", ""
    if value <= least:
        return "true", ""
    file = bound_file(problem, evidence, value)
    taken = "accepted" if accepted(file) else "would be accepted with a proof"
    return "false", f"{evidence['kind']}: {value} for {least}, {taken}: {problem.parameters} {evidence}"


def _said(random: Random, problem: Problem, evidence: dict[str, Any], least: Value) -> Value | None:
    """What the evidence proves; of a refutation, of a number of rounds that suffices."""
    if evidence["kind"] != "refutation":
        return proven(problem, evidence)
    rounds = least * problem.parameters.get("chunks", 1)
    if problem.network.node_count > LARGEST or rounds != int(rounds):
        return None
    return refutable(problem, {**evidence, "rounds": int(rounds) + random.randrange(2)})


def _schedule(random: Random, entry: Entry) -> tuple[str, str]:
    """A schedule with a few changes."""
    problem, least = read_problem(entry.data["problem"]), value_from_json(entry.data["value"])
    if problem.choice or problem.period == "min" or least is None:
        return "passed over", ""
    schedule = changed(random, entry.data["schedule"])
    value = replayed(problem, schedule)
    if value is None:
        return "refused", ""
    return ("true", "") if value >= least else ("false", f"{value} for {least}: {schedule}")
