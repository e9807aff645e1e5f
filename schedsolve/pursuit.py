"""The pursuit of one optimum: bounds, constructions and searches that tighten both sides until they meet."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from schedsolve.model import Algorithm, Effort, Model, Search, Strategy
from schedsolve.problem import Problem
from schedsolve.result import Bound, Result, Status
from schedsolve.schedule import Schedule

FIRST_EFFORT_SECONDS = 1.0
"""How long searching constructions and bounds may take before the deciding searches start."""
LAST_EFFORT_SECONDS = 60.0
"""How long a searching construction goes on when no deciding search can take the problem and there is no time limit."""


@dataclass(frozen=True)
class Progress:
    """What a solve is doing, for display. upper: None before the first schedule."""

    activity: str
    lower: int
    upper: int | None
    elapsed: float


@dataclass(frozen=True)
class Options:
    """How to solve.

    time_limit: seconds, None for no limit. workers: searches run side by side. backend: only use strategies of this backend ("sat" or
    "cpsat"). seed: of the heuristics. progress: called now and then.
    """

    time_limit: float | None = None
    workers: int = 1
    backend: str | None = None
    seed: int = 0
    progress: Callable[[Progress], None] = lambda _: None


class Clock:
    """The time since the start, and whether to stop."""

    def __init__(self, options: Options) -> None:
        self.start = time.monotonic()
        self.limit = options.time_limit
        self.interrupted = False

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.start

    @property
    def left(self) -> float:
        return float("inf") if self.limit is None else self.limit - self.elapsed

    @property
    def over(self) -> bool:
        return self.interrupted or self.left <= 0


@dataclass
class _Task:
    """A search that is under way for a number of rounds."""

    strategy: Strategy
    rounds: int
    search: Search
    used: float = 0.0


@dataclass
class Pursuit:
    """What is known while a problem with one value to find is solved; `floor`: an upper bound this low is as good as an optimum."""

    model: Model
    problem: Problem
    options: Options
    clock: Clock
    floor: int = 0
    lower: int = 0
    upper: int | None = None
    schedule: Schedule | None = None
    node: int | None = None
    bounds: list[Bound] = field(default_factory=list)
    tasks: list[_Task] = field(default_factory=list)
    exhausted: set[tuple[str, int]] = field(default_factory=set)

    def prepare(self) -> None:
        """Compute the cheap bounds and run the quick constructions."""
        self._take_steps(self._bound, self._construct)

    def pursue(self) -> None:
        """After `prepare`: work until it is settled or a limit stops it."""
        self._take_steps(self._search_bound, self._construct_thoroughly, self._decide)

    def _take_steps(self, *steps: Callable[[], None]) -> None:
        try:
            for step in steps:
                if not self.settled and not self.clock.over:
                    step()
        except KeyboardInterrupt:
            self.clock.interrupted = True
        finally:
            for task in self.tasks:
                task.search.close()
            self.tasks.clear()

    @property
    def settled(self) -> bool:
        """Whether the question is answered."""
        asked = self.problem.rounds
        if asked is not None and (self.lower > asked or (self.upper is not None and self.upper <= asked)):
            return True
        return self.upper is not None and self.upper <= max(self.lower, self.floor)

    def _report(self, activity: str) -> None:
        self.options.progress(Progress(activity, self.lower, self.upper, self.clock.elapsed))

    def raise_lower(self, bound: Bound) -> None:
        """Take note of a lower bound."""
        self.bounds.append(bound)
        self.lower = max(self.lower, int(bound.value))

    def offer(self, problem: Problem, schedule: Schedule, reason: str) -> None:
        """Take a schedule for the problem with its source given, if the referee accepts it and it is better than what there is."""
        schedule = schedule.without_empty_end()
        seen = self.model.replay(problem, schedule)
        if seen.violation:
            raise AssertionError(f"{reason} built an illegal schedule: {seen.violation}")
        if self.upper is None or seen.value < self.upper:
            self.upper, self.schedule = seen.value, schedule
            self.node = problem.sources[0] if self.problem.choice else None
            self.bounds.append(Bound("upper", seen.value, reason))

    def _bound(self) -> None:
        self._report("bounds")
        for bound in self.model.bounds(self.problem):
            self.raise_lower(bound)

    def _search_bound(self) -> None:
        self._report("searching a lower bound")
        found = self.model.searched_bound(self.problem, self.lower, min(FIRST_EFFORT_SECONDS, self.clock.left))
        if found:
            self.raise_lower(found)

    def _placed(self) -> Iterator[Problem]:
        """The problem with its source given: itself, or one for each promising node."""
        if not self.problem.choice:
            yield self.problem
            return
        for node in self.model.promising_nodes(self.problem):
            yield self.problem.at_node(node)

    def _construct(self) -> None:
        self._run_algorithms([a for a in self.model.algorithms if not a.thorough], FIRST_EFFORT_SECONDS)

    def _construct_thoroughly(self) -> None:
        self._run_algorithms([a for a in self.model.algorithms if a.thorough], FIRST_EFFORT_SECONDS)

    def _run_algorithms(self, algorithms: list[Algorithm], seconds: float) -> None:
        for problem in self._placed():
            for algorithm in algorithms:
                if self.settled or self.clock.over:
                    return
                if problem.task in algorithm.tasks and algorithm.refuse(problem) is None:
                    self._report(f"construction {algorithm.name}")
                    effort = Effort(self.options.seed, max(0.0, min(seconds, self.clock.left)), max(self.lower, self.floor))
                    self.offer(problem, algorithm.build(problem, effort), f"construction {algorithm.name}: {algorithm.source}")

    def _decide(self) -> None:
        """Run the searches in slices, always those that had least time, until the question is settled."""
        with ThreadPoolExecutor(self.options.workers) as pool:
            while not self.settled and not self.clock.over:
                self._renew_tasks()
                if not self.tasks:
                    self._run_algorithms([a for a in self.model.algorithms if a.thorough], min(self.clock.left, LAST_EFFORT_SECONDS))
                    return
                chosen = sorted(self.tasks, key=lambda task: task.used)[: self.options.workers]
                self._report("deciding " + " and ".join(sorted({f"{task.rounds} rounds" for task in chosen})))
                running = [(task, pool.submit(self._advance, task)) for task in chosen]
                for task, answer in running:
                    self._take_answer(task, answer.result())

    def _advance(self, task: _Task) -> bool | None:
        start = time.monotonic()
        answer = task.search.advance(max(0.01, min(max(0.2, task.used / 2), 5.0, self.clock.left)))
        task.used += time.monotonic() - start
        return answer

    def _take_answer(self, task: _Task, answer: bool | None) -> None:
        if answer is None or task not in self.tasks:
            return
        if answer:
            self.offer(*task.search.found(), f"found by search ({task.strategy.name}, {task.strategy.backend})")
        elif task.strategy.refutes:
            reason = f"refuted by search: {task.rounds} rounds do not suffice ({task.strategy.name}, {task.strategy.backend})"
            self.raise_lower(Bound("lower", task.rounds + 1, reason))
        task.search.close()
        self.tasks.remove(task)
        if not answer and not task.strategy.refutes:
            self.exhausted.add((task.strategy.name, task.rounds))

    def _renew_tasks(self) -> None:
        """Drop searches that the bounds have overtaken; start those for the numbers of rounds next to the bounds."""
        assert self.upper is not None
        asked = self.problem.rounds
        wanted = {asked} if asked is not None else {self.lower, self.upper - 1}
        for task in [task for task in self.tasks if task.rounds not in wanted]:
            task.search.close()
            self.tasks.remove(task)
        under_way = {(task.strategy.name, task.rounds) for task in self.tasks} | self.exhausted
        for rounds in sorted(wanted):
            for strategy in self.model.strategies:
                fits = strategy.backend == self.options.backend if self.options.backend else strategy.by_default
                if fits and (strategy.name, rounds) not in under_way:
                    search = strategy.start(self.problem, rounds)
                    if search is None:
                        self.exhausted.add((strategy.name, rounds))
                    else:
                        self.tasks.append(_Task(strategy, rounds, search))

    def result(self) -> Result:
        """What is known, as a result."""
        status = verdict(self.problem.rounds, self.lower, self.upper)
        gone = status is Status.INFEASIBLE
        return Result(
            problem=self.problem,
            status=status,
            objective="rounds",
            value=None if gone else self.upper,
            lower_bound=None if gone else self.lower,
            bounds=tuple(self.bounds),
            schedule=None if gone else self.schedule,
            runtime_seconds=self.clock.elapsed,
            node=None if gone else self.node,
        )


def verdict(asked: int | None, lower: int, upper: int | None) -> Status:
    """The status that follows from a lower and an upper bound on the least value, when `asked` rounds are to be decided or none."""
    if asked is None:
        return Status.OPTIMAL if upper == lower else Status.BOUNDED
    if lower > asked:
        return Status.INFEASIBLE
    return Status.FEASIBLE if upper is not None and upper <= asked else Status.UNKNOWN
