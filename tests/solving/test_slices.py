"""Slices are measured in CPU time, so that other programs on the machine do not shorten them."""

from collections.abc import Iterator

import pytest

from schedsolve import build_problem
from schedsolve.modelkit.search import Improvement, Question
from schedsolve.solving.searches import ImprovementRun
from schedsolve.solving.tasks import Task


class _Machine:
    """A machine on which each step takes 0.01 s of CPU time and 1 s by the clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.steps = 0
        monkeypatch.setattr("time.process_time", lambda: self.steps / 100)
        monkeypatch.setattr("time.monotonic", lambda: float(self.steps))

    def task(self, backend: str) -> Task:
        def run(_: Question) -> Iterator[None]:
            while True:
                self.steps += 1
                yield None

        improvement = Improvement("counting", backend, run)
        question = Question(build_problem("telegraph", "gossip", "path:3"), 2)
        return Task(improvement, ImprovementRun(improvement, question))


@pytest.mark.parametrize(("backend", "steps", "used"), [("annealing", 20, 0.2), ("pulp", 1, 1.0)])
def test_a_busy_machine_does_not_shorten_a_slice(
    monkeypatch: pytest.MonkeyPatch, backend: str, steps: int, used: float
) -> None:
    machine = _Machine(monkeypatch)
    task = machine.task(backend)
    assert task.advance(60.0) == ()
    assert machine.steps == steps
    assert task.used == pytest.approx(used)
