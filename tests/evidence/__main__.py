"""`python -m tests.evidence`: makes the results of the catalogue again that are missing or that `check` does
not verify any more; `--all` makes all of them again, and solves the problems of `.truths`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from schedsolve.certify.check import check_data
from schedsolve.modelkit.problem import Problem, problem_to_json
from schedsolve.modelkit.result import Bound, Result, Status, Value, result_to_json, value_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import model_of
from schedsolve.runtime.errors import ClaimError, InputError
from schedsolve.solving.solve import solve
from tests.evidence.catalogue import Entry, entries
from tests.evidence.recipes import RECIPES, Recipe
from tests.evidence.truths import FILE, problems
from tests.soak.saved_results import posed

LONGEST = 600
"""Characters of evidence that is written beside the truths."""


def _proven(problem: Problem, evidence: Mapping[str, Any]) -> Value:
    model = model_of(problem)
    if evidence["kind"] == "refutation":
        return model.refutation(problem, evidence)[0]
    claims = {**model.claims, **model.existence}
    return claims[evidence["kind"]](problem, evidence)


def _evidence(entry: Entry, recipe: Recipe, result: Result) -> Mapping[str, Any]:
    """The evidence that the recipe builds, or that the result holds; a theorem needs nothing but its name."""
    if recipe.build is not None:
        return recipe.build(result.problem)
    held = [b.evidence for b in result.bounds if b.evidence and b.evidence["kind"] == entry.kind]
    only = recipe.only or {}
    fitting = [found for found in held if all(found.get(key) == only[key] for key in only)]
    return max(fitting or [{"kind": entry.kind}], key=lambda found: _proven(result.problem, found))


def made(entry: Entry) -> dict[str, Any]:
    """The result, solved and with this evidence alone. Raises AssertionError when `check` does not verify
    it.
    """
    recipe = RECIPES[entry.title][entry.name]
    problem = posed(recipe.line)
    assert model_of(problem).title == entry.title
    result = solve(problem, Options(certify=True, time_limit=10))
    assert result.status in (Status.OPTIMAL, Status.INFEASIBLE)
    evidence = _evidence(entry, recipe, result)
    bound = Bound("lower", _proven(problem, evidence), f"evidence: {entry.name}", evidence)
    if not recipe.schedule:
        best = Bound("upper", bound.value, bound.reason, evidence)
        lower = next(b for b in result.bounds if b.side == "lower" and b.value == result.value and b.evidence)
        result = replace(result, indexed=None, bounds=(lower, best))
    elif result.status is Status.INFEASIBLE:
        result = replace(result, bounds=(bound,))
    else:
        status = Status.OPTIMAL if bound.value == result.value else Status.BOUNDED
        upper = next(b for b in result.bounds if b.side == "upper" and b.value == result.value)
        result = replace(result, status=status, lower_bound=bound.value, bounds=(bound, upper))
    data: dict[str, Any] = json.loads(json.dumps(result_to_json(replace(result, runtime_seconds=0.0))))
    report = check_data(data)
    assert report.complete, report.text
    return data


def solved() -> list[dict[str, Any]]:
    """The problems of `.truths`, with their least values and what short evidence proves of them."""
    found = []
    for problem in problems():
        result = solve(problem, Options(certify=True, time_limit=10))
        assert result.status in (Status.OPTIMAL, Status.INFEASIBLE), problem
        proven = _proven_by(result)
        said = {"problem": problem_to_json(problem), "value": value_to_json(result.value)}
        found.append({**said, "proven": [[dict(evidence), value_to_json(v)] for evidence, v in proven]})
    return found


def _proven_by(result: Result) -> Iterator[tuple[Mapping[str, Any], Value]]:
    """Short evidence, and the bounds that it proves: what the result holds, and theorems that need none."""
    model = model_of(result.problem)
    held = [b.evidence for b in result.bounds if b.side == "lower" and b.evidence]
    named = [{"kind": kind} for kind in model.claims if all(kind != one["kind"] for one in held)]
    for evidence in [*held, *named]:
        if evidence["kind"] != "refutation" and len(json.dumps(evidence)) < LONGEST:
            with suppress(ClaimError, InputError, KeyError):
                yield evidence, _proven(result.problem, evidence)


def _stands(entry: Entry) -> bool:
    """Whether its file is there and `check` verifies all of it."""
    with suppress(OSError, ValueError, InputError):
        return check_data(entry.data).complete
    return False


def main() -> None:
    """Make them."""
    parser = argparse.ArgumentParser(prog="python -m tests.evidence", description=__doc__)
    parser.add_argument("--all", action="store_true")
    given = parser.parse_args()
    if given.all or not FILE.exists():
        FILE.write_text(json.dumps(solved()) + "\n", encoding="utf-8")
    for entry in entries():
        if given.all or not _stands(entry):
            entry.path.parent.mkdir(parents=True, exist_ok=True)
            entry.path.write_text(json.dumps(made(entry)) + "\n", encoding="utf-8")
            print(entry.title, entry.name)


if __name__ == "__main__":
    main()
