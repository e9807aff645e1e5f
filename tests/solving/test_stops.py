"""Why a solve ended undecided: only where each method has ended by itself is the search exhausted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from schedsolve import build_problem, check, load_result, save_result, solve
from schedsolve.modelkit.result import Result
from schedsolve.modelkit.search import Decision, Finding, GivenUpError, Improvement, Question, Search
from schedsolve.models import model_of
from schedsolve.runtime.limits.own_limits import met
from schedsolve.solving.tasks import UNNAMED


def improvement(*limits: float, **more: Any) -> Improvement:
    """A method that ends, and has met these limits deep inside."""

    def run(_: Question) -> Iterator[Finding]:
        yield None
        for limit in limits:
            met("tries", limit)

    return Improvement("method", "lp", run, **more)


class GivingUp:
    """A decision at work that gives up."""

    def advance(self, _: float) -> bool | None:
        raise GivenUpError

    found = evidence = advance

    def close(self) -> None:
        """Nothing to do."""


def decision(start: Callable[[Question], Any], **more: Any) -> Decision:
    return Decision("method", "sat", True, start, **more)


METHODS: dict[str, tuple[Search, dict[str, str]]] = {
    "ended by itself": (improvement(names_limits=True), {}),
    "claims nothing": (improvement(), {"method": UNNAMED}),
    "at a limit": (improvement(3, 7, names_limits=True), {"method": "7 tries"}),
    "refused": (improvement(refuse=lambda _: "too long", names_limits=True), {"method": "too long"}),
    "does not apply": (decision(lambda _: None), {}),
    "too large": (decision(lambda _: met("literals", 10)), {"method": "10 literals"}),
    "gave up": (decision(lambda _: GivingUp()), {"method": UNNAMED}),
    "gave up by itself": (decision(lambda _: GivingUp(), names_limits=True), {}),
}


def solved(method: Search, monkeypatch: pytest.MonkeyPatch, task: str = "gossip", **options: Any) -> Result:
    """The result where no bound, no construction and no other method is."""
    problem = build_problem("telephone", task, "path:5", options)
    model = replace(model_of(problem), searches=lambda: (method,), bounds=lambda _: ())
    monkeypatch.setattr("schedsolve.solving.solve.model_of", lambda _: model)
    return solve(problem)


@pytest.mark.parametrize("case", METHODS)
def test_a_limit_of_a_method_is_named(case: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In words, in files, and as they are read again; and nothing is said to be exhausted then."""
    method, limits = METHODS[case]
    result = solved(method, monkeypatch)
    assert result.limits == limits
    assert result.stopped == ("limits of methods" if limits else "search exhausted")
    assert ("search exhausted" in str(result)) == (not limits)
    assert all(f"{name} ({why})" in str(result) for name, why in limits.items())
    data = result.to_json()
    assert data.get("limits", {}) == limits
    save_result(result, tmp_path / "r.json")
    again = load_result(tmp_path / "r.json")
    assert (again.stopped, again.limits) == (result.stopped, limits)
    assert "not examined" not in check(tmp_path / "r.json").text


@pytest.mark.parametrize("options", [{"source": "max"}, {"period": "min"}])
def test_solves_of_several_problems(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """For the worst source and the least period as well."""
    result = solved(METHODS["at a limit"][0], monkeypatch, "broadcast", **options)
    assert (result.stopped, result.limits) == ("limits of methods", {"method": "7 tries"})


def test_files_of_earlier_versions_do_not_say_it(tmp_path: Path) -> None:
    """What they called nothing left to try may have been a limit; forged data claim nothing."""
    data = solve(build_problem("telephone", "gossip", "path:3")).to_json()
    for more in ({}, {"limits": 3}, {"limits": {"x": 1}}):
        old = data | {"status": "bounded", "lower_bound": 1, "stopped": "nothing left to try"} | more
        (tmp_path / "old.json").write_text(json.dumps(old))
        assert load_result(tmp_path / "old.json").stopped == "limits of methods"


def test_a_program_that_is_too_large_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the method that does not solve it, and only by that."""
    monkeypatch.setattr("schedsolve.models.pipelined.formulation.alltoall.LARGEST_PROGRAM", 10)
    result = solve(build_problem("pipelined", "alltoall", "small-world:4,12,0.3"))
    assert result.limits == {"flows and lengths": "10 variables"}
