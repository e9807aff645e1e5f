"""Refutations shared as cubes, with jobs that are done in this process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import Any, ClassVar

import pytest

from schedsolve.backends.sat import SatSearch
from schedsolve.certify.cubes import replay_in_cubes
from schedsolve.modelkit.formulas.cubes import proofs_by_cube
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import Options, Question
from schedsolve.models import build_problem, model_of
from schedsolve.models.matching.formulation import inner_rounds
from schedsolve.network.graph import Network
from schedsolve.runtime.executors.jobs import Done, Executor, Job, outcome
from schedsolve.solving import cubes
from schedsolve.solving.cubes import CubedSearch
from tests.without_theorems import without_knowledge_sizes


class Here(Executor):
    """Does one job after the other in this process, as they are asked for; counts them, and keeps the proofs
    of cubes.
    """

    done = 0
    proofs: ClassVar[dict[Any, str]] = {}

    def __init__(self, workers: int | None = None, _: str | None = None) -> None:
        self.jobs: list[Job] = []
        self.workers = workers or 2

    @property
    def width(self) -> int:
        """As many as are asked for."""
        return self.workers

    def submit(self, key: Any, function: Any, *arguments: Any) -> None:
        """Add a job."""
        self.jobs.append(Job(key, function, arguments))

    def completed(self, seconds: float = inf) -> Iterator[Done]:
        """The jobs, one by one; just one where somebody waits so many seconds only."""
        while self.jobs:
            Here.done += 1
            job = self.jobs.pop(0)
            done = outcome(job)
            if done.error is None and done.value.proof is not None:
                Here.proofs[job.arguments[3]] = done.value.proof["proof"]
            yield done
            if seconds < inf:
                return

    def close(self) -> None:
        """Forget the others."""
        self.jobs.clear()


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> type[Here]:
    """No processes are started; every refutation, by the plain formula, is shared at once, in few parts."""
    without_knowledge_sizes(monkeypatch)
    monkeypatch.setattr("schedsolve.models.matching.formulation.sat.ends_are_full", lambda *_: False)
    monkeypatch.setattr("schedsolve.models.matching.formulation.origins.LARGEST_NETWORK", 1)
    monkeypatch.setattr(cubes, "FIRST_PARTS", 8)
    monkeypatch.setattr(cubes, "PARTS", 2)
    monkeypatch.setattr(cubes, "executor", Here)
    # They refute most of the problems here at once.
    monkeypatch.setattr(inner_rounds, "LEAST_ROUNDS", 99)
    monkeypatch.setattr("schedsolve.solving.portfolio.HARD_SECONDS", 0.0)
    monkeypatch.setattr("schedsolve.solving.tasks.SLICE_SECONDS", 0.0)
    monkeypatch.setattr(Here, "done", 0)
    monkeypatch.setattr(Here, "proofs", {})
    return Here


def posed(line: str) -> Problem:
    """A problem as it is typed."""
    model, task, network, *options = line.split()
    names = [name.removeprefix("--") for name in options[::2]]
    return build_problem(
        model, task, Network.from_spec(network), dict(zip(names, options[1::2], strict=True))
    )


HARD = "telegraph gossip complete:6"
"""Four rounds are refuted in some hundred lemmas."""


def shared(problem: Problem, value: int, options: Options | None = None) -> CubedSearch:
    """The question whether a value suffices, shared by the first decision that splits and has a formula.

    Those that split are those that refute by a `SatSearch`.
    """
    question = Question(problem, value, certify=True)
    started = [(d, d.start(question)) for d in model_of(problem).decisions if d.refutes]
    assert all(d.splits == isinstance(search, SatSearch) for d, search in started if search)
    name = next(d.name for d, search in started if isinstance(search, SatSearch))
    return CubedSearch(question, name, options or Options(workers=2))


def finished(search: CubedSearch) -> bool:
    """The verdict, at the end."""
    answer = None
    while answer is None:
        answer = search.advance(60)
    return answer


def replayed(problem: Problem, evidence: Mapping[str, Any] | None) -> tuple[Any, int]:
    """The bound that a refutation proves to the checker, and its lemmas."""
    assert evidence is not None
    proven, formula = model_of(problem).refutation(problem, evidence)
    return proven, replay_in_cubes(formula.clauses, formula.variable_count, proofs_by_cube(evidence))
