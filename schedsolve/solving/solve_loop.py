"""The solve loop: bounds, constructions and searches that tighten both sides until they meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from math import ceil

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import Bound, Result, Status, Value
from schedsolve.modelkit.search import (
    REFUTATION,
    Effort,
    Found,
    Options,
    Progress,
    SlicedSearch,
)
from schedsolve.runtime.errors import InputError
from schedsolve.solving.best_known import BestKnown
from schedsolve.solving.clock import Clock
from schedsolve.solving.portfolio import Portfolio
from schedsolve.solving.refuting import seek_refutation
from schedsolve.solving.tasks import Task
from schedsolve.solving.warm_start import REASON

FIRST_EFFORT_SECONDS = 0.0
FIRST_EFFORT_SECONDS_PER_NODE = 0.001
"""How long a searching construction or bound may take before the deciding searches start; constructions then
run beside them.
"""
CERTIFY_SECONDS = 60.0
"""How long a refutation is tried for as a certificate."""


class SolveLoop:
    """The solve of a problem with one value to find: `prepare`, `run`, `certify`, then `result`.

    best: what is known so far. floor: an upper bound this low is as good as an optimum.
    """

    def __init__(
        self, model: Model, problem: Problem, options: Options, clock: Clock, floor: Value = 0
    ) -> None:
        self.model = model
        self.problem = problem
        self.options = options
        self.clock = clock
        self.best = BestKnown(model, problem, floor)
        self._refusals: dict[str, dict[str, None]] = {}
        self.portfolio = Portfolio(model, problem, self.best, options, clock)

    def prepare(self) -> None:
        """Compute the cheap bounds and run the quick constructions.

        Where none fits, the searching ones for one pass.
        """
        if self.options.warm_start is not None:
            problem, schedule = self.options.warm_start
            self.best.add_schedule(problem, schedule, REASON, "construction")
        self._take_steps(self._bound, self._construct, self._construct_something)

    def run(self, schedules_first: bool = False) -> None:
        """After `prepare`: search until the question is settled or a limit stops it.

        schedules_first: seek a schedule before a bound, as one that reaches the floor is likely.
        """
        steps = [self._search_bound, partial(self._construct, thorough=True)]
        self._take_steps(*(reversed(steps) if schedules_first else steps), self._search)

    def solve(self) -> Result:
        """Do all of it, and return what is known in the end."""
        if self.options.formulation_only:
            self._take_steps(self._search)
            return self.result()
        self.prepare()
        self.run()
        self.certify()
        return self.result()

    def certify(self) -> None:
        """After `run`, if certificates are wanted.

        Try for a refutation of one round less than the lower bound, or of the horizon where the bound is
        above it.

        It is tried only where no evidence proves the bound, or if a refutation is asked for by name.
        """
        needed = self._bound_to_certify
        proven = [b for b in self.best.bounds if b.side == "lower" and b.value >= needed and b.evidence]
        if self.options.certify == REFUTATION:
            proven = [b for b in proven if b.evidence and b.evidence["kind"] == REFUTATION]
        if self.options.certify and needed > 0 and not proven:
            self._take_steps(self._refute, settled=False)

    @property
    def _bound_to_certify(self) -> Value:
        """The bound that a refutation is to prove: a formula speaks of no more rounds than the horizon."""
        horizon = self.best.horizon
        return self.best.lower if horizon is None else min(self.best.lower, horizon + 1)

    def _refute(self) -> None:
        """Have the usual decisions seek a refutation, and take what they find."""
        seconds, value = min(CERTIFY_SECONDS, self.clock.left), self._bound_to_certify - 1
        question = replace(self.portfolio.question(value), certify=True, seconds=seconds)
        said = f"certifying that {self.model.objective.quantity(value)} is too little"
        answer = seek_refutation(self.model, question, lambda: self._report(said))
        if answer is not None:
            decision, found = answer
            self._add(found, decision)

    def _take_steps(self, *steps: Callable[[], None], settled: bool = True) -> None:
        """Take steps until the time is over or, unless told otherwise, the question is settled."""
        try:
            with self.clock.interrupting():
                for step in steps:
                    if not (settled and self.best.settled) and not self.clock.over:
                        step()
        except KeyboardInterrupt:
            self.clock.interrupted = True
        finally:
            self.portfolio.close()

    def _report(self, activity: str) -> None:
        self.options.report(Progress(activity, self.best.lower, self.best.upper, self.clock.elapsed))

    def _bound(self) -> None:
        self._report("bounds")
        for bound in self.model.bounds(self.problem):
            if bound.side == "lower":
                self.best.add_bound(bound)

    def _search_bound(self) -> None:
        self._report("searching a lower bound")
        for search in self.model.bound_searches:
            self.portfolio.finished[search.name, None] = f"one try of {self._first_effort:.2g} seconds"
            found = search.find(self.problem, ceil(self.best.lower), self._first_effort)
            if found:
                self.best.add_bound(found)

    @property
    def _first_effort(self) -> float:
        seconds = FIRST_EFFORT_SECONDS + FIRST_EFFORT_SECONDS_PER_NODE * self.problem.network.node_count
        return max(0.0, min(seconds, self.clock.left))

    def _construct_something(self) -> None:
        if self.best.upper is None:
            self._construct(thorough=True, seconds=0.0)

    def _construct(self, thorough: bool = False, seconds: float | None = None) -> None:
        for problem in self.portfolio.placed:
            for algorithm in self.portfolio.algorithms(thorough=thorough):
                if self.best.settled or self.clock.over:
                    return
                self._report(f"construction {algorithm.name}")
                limit = self._first_effort if seconds is None else seconds
                if thorough and self.options.backend:
                    self.portfolio.finished[algorithm.name, None] = f"one try of {limit:.2g} seconds"
                try:
                    schedule = algorithm.build(problem, Effort(self.options.seed, limit, self.best.goal))
                    self.best.add_schedule(problem, schedule, algorithm.reason, "construction")
                except InputError as error:
                    self._refusals.setdefault(str(error), {})[algorithm.name] = None

    def _search(self) -> None:
        """Run the searches of the portfolio in slices until the question is settled."""
        while not self.best.settled and not self.clock.over and (tasks := self.portfolio.next_tasks()):
            self._report(" and ".join(sorted({task.activity(self.model.objective) for task in tasks})))
            if len(tasks) == 1:
                alone = len(self.portfolio.tasks) == 1
                self._take(tasks[0], tasks[0].advance(self.clock.left, alone=alone))
            else:
                self._advance(tasks)

    def _advance(self, tasks: list[Task]) -> None:
        """Run a slice of each of several tasks side by side, of which at most one is in this process."""
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(len(tasks)) as pool:
            apart = {task: pool.submit(task.advance, self.clock.left) for task in tasks if task.apart}
            for task in sorted(tasks, key=lambda task: task.apart):
                self._take(task, apart[task].result() if task.apart else task.advance(self.clock.left))

    def _take(self, task: Task, found: Sequence[Found]) -> None:
        self.clock.elsewhere += task.elsewhere
        self._add(found, task.search)
        if task.ended:
            self.portfolio.end(task, found)

    def _add(self, found: Iterable[Found], search: SlicedSearch) -> None:
        for one in found:
            if isinstance(one, Bound):
                self.best.add_bound(one)
            else:
                self.best.add_schedule(*one, search.reason, search.by)

    def result(self) -> Result:
        """Return what is known, as a result."""
        best, status = self.best, self.best.status
        infeasible = status is Status.INFEASIBLE
        return Result(
            problem=self.problem,
            status=status,
            objective=self.model.objective,
            value=None if infeasible else best.upper,
            lower_bound=None if infeasible else best.lower,
            bounds=tuple(bound for bound in best.bounds if not infeasible or bound.side == "lower"),
            indexed=None if infeasible else best.schedule,
            runtime_seconds=self.clock.elapsed,
            node_index=None if infeasible else best.node,
            horizon=best.horizon,
            interrupted=self.clock.interrupted,
            ended=not self.clock.over,
            limits=self.limits,
        )

    @property
    def limits(self) -> dict[str, str]:
        """Which methods were not tried, or stopped at limits of their own, and why.

        Of constructions only where none built a schedule.
        """
        refused = {search.name: why for search, why in self.portfolio.refused.items()}
        if self.best.schedule is None:
            refused |= {", ".join(names): why for why, names in self._refusals.items()}
        return self.portfolio.stopped | refused
