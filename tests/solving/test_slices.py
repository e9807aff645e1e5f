"""Slices are measured in CPU time, so that other programs on the machine do not shorten them."""

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from schedsolve import build_problem, solve
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.search import Improvement, Options, Question
from schedsolve.models import model_of
from schedsolve.solving.best_known import BestKnown
from schedsolve.solving.clock import Clock
from schedsolve.solving.cubes import CubedSearch
from schedsolve.solving.portfolio import Portfolio
from schedsolve.solving.searches import ImprovementRun
from schedsolve.solving.solve_loop import SolveLoop
from schedsolve.solving.tasks import Task
from schedsolve.solving.worker import ProcessRun


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
    assert task.elsewhere == (used if backend == "pulp" else 0.0)


def test_a_worker_says_how_much_it_computed() -> None:
    """The time in which it only waits does not count."""
    problem = build_problem("telephone", "gossip", "path:4")
    run = ProcessRun(Question(problem, 2), "formula")
    assert run.clock() == 0.0
    assert run.advance(10.0).ended
    used = run.clock()
    assert used > 0.0
    time.sleep(0.05)
    assert run.clock() == used
    run.close()


def test_late_searches_wait_for_computing_and_not_for_the_clock() -> None:
    """On a busy machine they begin after as much work of the others."""
    problem = build_problem("telephone", "gossip", "debruijn:4")
    model, options = model_of(problem), Options()
    clock = Clock(options)
    clock.start -= 1000.0
    best = BestKnown(model, problem, 0)
    best.add_bound(Bound("lower", 5, "a test"))
    best.horizon = 8
    portfolio = Portfolio(model, problem, best, options, clock)
    late = [decision.name for decision in portfolio.decisions if decision.after]
    portfolio.next_tasks()
    assert late
    assert not {task.search.name for task in portfolio.tasks} & {*late}
    portfolio.tasks[0].used = 1000.0
    portfolio.next_tasks()
    assert {task.search.name for task in portfolio.tasks} >= {*late}
    portfolio.close()


@pytest.mark.parametrize(
    ("share", "used", "virtual"),
    [(4.0, 0.8, 0.8), (4.0, 1.0, 1.0), (4.0, 9.0, 3.0), (1.0, 9.0, 9.0), (0.2, 0.5, 2.5)],
)
def test_a_larger_share_counts_after_the_first_second(
    monkeypatch: pytest.MonkeyPatch, share: float, used: float, virtual: float
) -> None:
    """So a small formula is refuted before searches that only find have had six times its time."""
    task = _Machine(monkeypatch).task("annealing")
    task.search = replace(task.search, share=share)
    task.used = used
    assert task.virtual_time == pytest.approx(virtual)


@pytest.mark.parametrize("share", [0.2, 10.0, 36.0])
def test_a_shared_refutation_gets_no_less_than_before(monkeypatch: pytest.MonkeyPatch, share: float) -> None:
    """Once workers share it, other searches do not come first for what it has had alone."""
    task = _Machine(monkeypatch).task("sat")
    task.search = replace(task.search, share=share)
    task.used = 50.0
    before = task.virtual_time
    task.cubes = CubedSearch(
        Question(build_problem("telegraph", "gossip", "path:3"), 2), "formula", Options()
    )
    assert task.virtual_time < before
    assert task.virtual_time <= 5.0


def test_a_time_limit_counts_what_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """By this process and by others; by the clock it is ten times as long at the most."""
    machine = _Machine(monkeypatch)
    clock = Clock(Options(time_limit=2.0))
    machine.steps = 15
    assert clock.left == pytest.approx(1.85)
    assert (clock.elapsed, clock.over) == (15.0, False)
    clock.elsewhere += 1.84
    assert not clock.over
    clock.elsewhere += 0.02
    assert clock.over
    waited = Clock(Options(time_limit=2.0))
    machine.steps += 20
    assert waited.over
    assert waited.spent == pytest.approx(0.2)


@pytest.mark.parametrize(("by_the_clock", "stopped"), [(5.0, "search exhausted"), (1000.0, "time limit")])
def test_a_solve_on_a_busy_machine(
    monkeypatch: pytest.MonkeyPatch, by_the_clock: float, stopped: str
) -> None:
    """It does all that it does on a quiet one, unless it gets next to nothing of the processor."""
    problem = build_problem("telephone", "gossip", "hypercube:3")
    model = replace(model_of(problem), searches=lambda: (counting,), bounds=lambda _: ())
    monkeypatch.setattr("schedsolve.solving.solve.model_of", lambda _: model)
    steps = 0

    def run(_: Question) -> Iterator[None]:
        nonlocal steps
        while steps < 100:
            steps += 1
            yield None

    counting = Improvement("counting", "annealing", run, names_limits=True)
    monkeypatch.setattr("time.process_time", lambda: steps / 100)
    monkeypatch.setattr("time.monotonic", lambda: by_the_clock * steps / 100)
    result = solve(problem, Options(time_limit=2.0))
    assert result.stopped == stopped
    assert (steps == 100) == (stopped == "search exhausted")


def test_a_time_limit_counts_workers() -> None:
    """The slices of processes of their own are added up."""
    problem, options = build_problem("telephone", "gossip", "path:4"), Options(workers=2, time_limit=60.0)
    model = model_of(problem)
    loop = SolveLoop(model, problem, options, Clock(options))
    decision = next(each for each in model.decisions if each.name == "formula")
    loop.portfolio.tasks = [
        Task(decision, ProcessRun(Question(problem, value), decision.name), value, apart=True)
        for value in (3, 4)
    ]
    tasks = list(loop.portfolio.tasks)
    loop._advance(tasks)
    assert all(task.used > 0.0 for task in tasks)
    assert loop.clock.elsewhere == pytest.approx(sum(task.used for task in tasks))
