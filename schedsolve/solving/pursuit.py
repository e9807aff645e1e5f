"""The pursuit of one optimum: bounds, constructions and searches that tighten both sides until they meet."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil
from typing import Any

from schedsolve.backends.sat import SatSearch
from schedsolve.errors import InputError
from schedsolve.limits.deadline import deadline
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.search import (
    Clock,
    Effort,
    GivenUpError,
    Improvement,
    Options,
    Progress,
    Question,
    Strategy,
)
from schedsolve.problem import Problem
from schedsolve.result import Bound, Maker, Result, Status, Value
from schedsolve.solving.cubes import CubedSearch
from schedsolve.solving.searches import SLICE_SECONDS, ImprovementRun, Task
from schedsolve.solving.verdict import is_settled, verdict
from schedsolve.solving.ways import Ways
from schedsolve.solving.worker import ProcessSearch

FIRST_EFFORT_SECONDS = 0.02
FIRST_EFFORT_SECONDS_PER_NODE = 0.001
"""How long a searching construction or bound may take before the deciding searches start; constructions go on
beside them.
"""
LAST_EFFORT_SECONDS = 60.0
"""How long searching constructions go on when nothing else is left, and without a time limit searches that
cannot refute.
"""
SHORT_CERTIFY_SECONDS, LONG_CERTIFY_SECONDS = 1.0, 60.0
"""How long a refutation is tried for as a certificate, when something else proves the bound, and when nothing
does.
"""
GRACE_SECONDS = 0.3
"""How long after the time limit a step that does not look at the clock itself is interrupted."""
HARD_SECONDS = 5.0
"""How long a refutation runs before it is split into cubes, where several workers can share it."""
CUBES_SHARE = 10.0
"""The share of the time, relative to a search, of a refutation that others work on."""
WIDE_GAP = 4
"""Rounds between the bounds beyond which a number of rounds half-way is decided too."""


@dataclass
class Pursuit:
    """What is known while a problem with one value to find is solved; `floor`: an upper bound this low is as
    good as an optimum.
    """

    model: Model
    problem: Problem
    options: Options
    clock: Clock
    floor: Value = 0
    lower: Value = 0
    upper: Value | None = None
    schedule: Any = None
    node: int | None = None
    bounds: list[Bound] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    ended: set[tuple[str, Value | None]] = field(default_factory=set)

    @cached_property
    def horizon(self) -> int | None:
        """The number of rounds within which whatever can be done at all can be done; None when everything
        can.
        """
        return self.model.horizon(self.problem)

    @cached_property
    def _ways(self) -> Ways:
        return Ways(self.model, self.problem, self.options)

    @property
    def hopeless(self) -> bool:
        """Whether no number of rounds suffices, proven."""
        return self.horizon is not None and self.lower > self.horizon

    def prepare(self) -> None:
        """Compute the cheap bounds and run the quick constructions; where none fits, the searching ones for
        one pass.
        """
        self._take_steps(self._bound, self._construct, self._construct_something)

    def pursue(self) -> None:
        """After `prepare`: work until it is settled or a limit stops it."""
        self._take_steps(self._search_bound, self._construct_thoroughly, self._decide)

    def certify(self) -> None:
        """After `pursue`, when certificates are wanted: try for a refutation of one round less than the lower
        bound, or of the horizon where the bound is above it.

        It is tried for longer when nothing else proves the bound.
        """
        needed = self._bound_to_certify
        proven = [b for b in self.bounds if b.side == "lower" and b.value >= needed and b.evidence]
        refuted = any(bound.by == "search" for bound in proven)
        if self.options.certify and needed > 0 and not refuted:
            seconds = SHORT_CERTIFY_SECONDS if proven else LONG_CERTIFY_SECONDS
            self._take_steps(lambda: self._refute(seconds), settled=False)

    @property
    def _bound_to_certify(self) -> Value:
        """The bound that a refutation is to prove: a formula speaks of no more rounds than the horizon."""
        return self.lower if self.horizon is None else min(self.lower, self.horizon + 1)

    def _refute(self, seconds: float) -> None:
        seconds, needed = min(seconds, self.clock.left), self._bound_to_certify
        end = time.monotonic() + seconds
        for strategy in self.model.strategies:
            usual = strategy.refutes and strategy.by_default
            search = strategy.start(self._question(needed - 1, seconds=seconds)) if usual else None
            if search is None:
                continue
            answer = None
            with suppress(GivenUpError):
                while answer is None and time.monotonic() < end:
                    self._report(f"certifying that {self.model.objective.quantity(needed - 1)} is too little")
                    answer = search.advance(SLICE_SECONDS)
            if answer is False:
                why, evidence = self._refuted(strategy, needed - 1), search.evidence()
                self.take_bound(Bound("lower", needed, why, evidence, by="search"))
            search.close()
            if answer is False:
                return

    def _take_steps(self, *steps: Callable[[], None], settled: bool = True) -> None:
        """Take steps until the time is over or, unless told otherwise, the question is settled."""
        try:
            with deadline(max(0.0, self.clock.left) + GRACE_SECONDS):
                for step in steps:
                    if not (settled and self.settled) and not self.clock.over:
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
        return self.hopeless or is_settled(self.problem.asked, self.lower, self.upper, self.floor)

    def _report(self, activity: str) -> None:
        self.options.progress(Progress(activity, self.lower, self.upper, self.clock.elapsed))

    def take_bound(self, bound: Bound) -> None:
        """Take note of a bound; the evidence of an upper one stands in for a schedule."""
        self.bounds.append(bound)
        if bound.side == "lower":
            self.lower = max(self.lower, bound.value)
        elif self.upper is None or bound.value < self.upper:
            self.upper, self.schedule, self.node = bound.value, None, None

    def offer(self, problem: Problem, schedule: Any, reason: str, by: Maker = "construction") -> None:
        """Take a schedule for the problem with its source given, if the referee accepts it and it is better
        than what there is.
        """
        schedule = schedule.without_empty_end()
        seen = self.model.replay(problem, schedule)
        if seen.violation:
            raise AssertionError(f"{reason} built an illegal schedule: {seen.violation}")
        if self.upper is None or seen.value < self.upper:
            self.upper, self.schedule = seen.value, schedule
            self.node = problem.sources[0] if self.problem.choice else None
            self.bounds.append(Bound("upper", seen.value, reason, by=by))

    def _bound(self) -> None:
        self._report("bounds")
        for bound in self.model.bounds(self.problem):
            if bound.side == "lower":
                self.take_bound(bound)

    def _search_bound(self) -> None:
        self._report("searching a lower bound")
        found = self.model.searched_bound(self.problem, self.lower, self._first_effort)
        if found:
            self.take_bound(found)

    @property
    def _first_effort(self) -> float:
        seconds = FIRST_EFFORT_SECONDS + FIRST_EFFORT_SECONDS_PER_NODE * self.problem.network.node_count
        return max(0.0, min(seconds, self.clock.left))

    @property
    def _goal(self) -> int:
        """The value that would settle the question, rounded up."""
        return ceil(max(self.lower, self.floor, self.problem.asked or 0))

    def _construct_something(self) -> None:
        if self.upper is None:
            self._construct(thorough=True, seconds=0.0)

    def _construct(self, thorough: bool = False, seconds: float | None = None) -> None:
        for problem in self._ways.placed:
            for algorithm in self._ways.algorithms(thorough=thorough):
                if self.settled or self.clock.over:
                    return
                self._report(f"construction {algorithm.name}")
                effort = Effort(
                    self.options.seed, self._first_effort if seconds is None else seconds, self._goal
                )
                with suppress(InputError):
                    self.offer(
                        problem,
                        algorithm.build(problem, effort),
                        f"construction {algorithm.name}: {algorithm.source}",
                    )

    def _construct_thoroughly(self) -> None:
        self._construct(thorough=True)

    def _question(self, value: Value, *, seconds: float | None = None) -> Question:
        """Whether a value suffices; seconds: for a search whose proof is wanted, how long it may take."""
        kept, left = self.options.certify or seconds is not None, seconds or self.clock.left
        return Question(self.problem, value, kept, left, self.options.seed, self.upper)

    def _decide(self) -> None:
        """Run searches and improvements in slices, always those that had least time, until the question is
        settled.
        """
        while not self.settled and not self.clock.over:
            self._renew_tasks()
            serious = any(self._ways.is_serious(task.way) for task in self.tasks)
            if not self.tasks or (not serious and all(t.used > LAST_EFFORT_SECONDS for t in self.tasks)):
                return
            self._split_hard_refutation()
            chosen = self._next_tasks()
            self._report(" and ".join(sorted({self._activity(task) for task in chosen})))
            if len(chosen) == 1:
                self._take_answer(chosen[0], chosen[0].advance(self.clock.left))
                continue
            with ThreadPoolExecutor(len(chosen)) as pool:
                answers = pool.map(lambda task: task.advance(self.clock.left), chosen)
                for task, answer in zip(chosen, answers, strict=True):
                    self._take_answer(task, answer)

    def _next_tasks(self) -> list[Task]:
        """The tasks that had least time, as many as there are workers; one that has workers of its own is
        waited for alone, and others run beside these.
        """
        waiting = sorted(self.tasks, key=lambda task: task.served)
        if isinstance(waiting[0].search, CubedSearch):
            return waiting[:1]
        return [t for t in waiting if not isinstance(t.search, CubedSearch)][: self.options.workers]

    def _split_hard_refutation(self) -> None:
        """Share the refutation that has run for long, of the least value if there are several, among many
        workers, cube by cube; one at a time.
        """
        if not self.options.shares or any(isinstance(task.search, CubedSearch) for task in self.tasks):
            return
        hard = [task for task in self.tasks if task.splits and task.used >= HARD_SECONDS]
        if hard:
            task = min(hard, key=lambda task: task.value or 0)
            task.search.close()
            task.search = CubedSearch(self._question(task.value or 0), task.way.name, self.options)
            task.share = CUBES_SHARE

    def _activity(self, task: Task) -> str:
        if isinstance(task.search, CubedSearch):
            return f"{task.search.activity}, deciding {self.model.objective.quantity(task.value or 0)}"
        return (
            task.way.name if task.value is None else f"deciding {self.model.objective.quantity(task.value)}"
        )

    def _take_answer(self, task: Task, answer: bool | None) -> None:
        way, search = task.way, task.search
        if isinstance(way, Improvement):
            for found in search.findings() if answer else ():
                if isinstance(found, Bound):
                    self.take_bound(found)
                else:
                    problem, schedule = found
                    self.offer(problem, schedule, way.reason, "search")
            if answer is False or task.lost:
                self._drop(task)
            return
        if answer is None and not task.lost:
            return
        if answer:
            by: Maker = "construction" if way.backend == "construction" else "search"
            problem, schedule = search.found()
            self.offer(problem, schedule, way.reason, by)
        elif answer is False and way.refutes:
            assert isinstance(task.value, int)
            proven, why = self.model.next_value(self.problem, task.value), self._refuted(way, task.value)
            self.take_bound(Bound("lower", proven, why, search.evidence(), by="search"))
        self._drop(task)

    def _drop(self, task: Task) -> None:
        """End a search; it is not started again for the same value."""
        task.search.close()
        self.tasks.remove(task)
        self.ended.add((task.way.name, task.value))

    @property
    def _open_questions(self) -> set[int]:
        """The values to decide: the one asked for, or those next to the bounds and, between bounds far apart,
        one half-way.

        Before the first schedule, where there may be none, the greatest that can make a difference.
        """
        asked, lower = self.problem.rounds, ceil(self.lower)
        if asked is not None:
            return {asked if self.horizon is None else min(asked, self.horizon)}
        if self.upper is None:
            return {lower, lower if self.horizon is None else self.horizon}
        upper = ceil(self.upper)
        return {lower, upper - 1} | ({(lower + upper) // 2} if upper - lower > WIDE_GAP else set())

    def _leaps(self, way: Strategy) -> set[int]:
        """The values put to a strategy that cannot refute: the greatest open one, and, of a search, one
        half-way down to those that it failed at, as long as it is not at work on such a one.
        """
        top = max(self._open_questions)
        if way.backend == "construction" or self.upper is None or self.problem.rounds is not None:
            return {top}
        low = max(
            [ceil(self.lower), *(v + 1 for name, v in self.ended if name == way.name and v and v < top)]
        )
        leaping = any(task.way is way and task.value is not None and task.value < top for task in self.tasks)
        return {top} if leaping or top - low < WIDE_GAP else {top, (low + top) // 2}

    def _is_open(self, value: Value | None) -> bool:
        """Whether it is not known if a value suffices."""
        return value is None or (self.lower <= value and (self.upper is None or value < self.upper))

    def _renew_tasks(self) -> None:
        """Drop searches that the bounds have overtaken; start those for the values next to the bounds, and
        the improvements.
        """
        for task in [task for task in self.tasks if not self._is_open(task.value)]:
            self._drop(task)
        under_way = {(task.way.name, task.value) for task in self.tasks} | self.ended
        for improvement in self._ways.improvements:
            if (improvement.name, None) not in under_way:
                asked = self._question(self.lower)
                aside = self.options.workers > 1 and improvement in self.model.improvements
                run = ProcessSearch(asked, improvement.name) if aside else ImprovementRun(improvement, asked)
                self.tasks.append(Task(improvement, None, run))
        wanted = self._open_questions if self._ways.strategies else set()
        asked_of = {way.name: wanted if way.refutes else self._leaps(way) for way in self._ways.strategies}
        for value in sorted(set().union(*asked_of.values())):
            for strategy in self._ways.strategies:
                if (strategy.name, value) in under_way or value not in asked_of[strategy.name]:
                    continue
                if self.clock.elapsed < strategy.after:
                    continue
                search = strategy.start(self._question(value))
                if search is None:
                    self.ended.add((strategy.name, value))
                    continue
                splits = strategy.refutes and isinstance(search, SatSearch)
                if self.options.workers > 1 and strategy in self.model.strategies:
                    search = ProcessSearch(self._question(value), strategy.name)
                self.tasks.append(Task(strategy, value, search, splits=splits))

    def _refuted(self, strategy: Strategy, value: Value) -> str:
        said = self.model.objective.suffices(value, negated=True)
        return f"refuted by search: {said} ({strategy.name}, {strategy.backend})"

    def result(self) -> Result:
        """What is known, as a result."""
        status = Status.INFEASIBLE if self.hopeless else verdict(self.problem.asked, self.lower, self.upper)
        gone = status is Status.INFEASIBLE
        return Result(
            problem=self.problem,
            status=status,
            objective=self.model.objective,
            value=None if gone else self.upper,
            lower_bound=None if gone else self.lower,
            bounds=tuple(bound for bound in self.bounds if not gone or bound.side == "lower"),
            schedule=None if gone else self.schedule,
            runtime_seconds=self.clock.elapsed,
            node=None if gone else self.node,
            horizon=self.horizon,
            interrupted=self.clock.interrupted,
            exhausted=not self.clock.over,
            untried=tuple(f"{i.name} ({why})" for i, why in self._ways.refused.items()),
        )
