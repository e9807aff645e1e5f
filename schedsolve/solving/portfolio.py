"""Which searches run on a problem, and which of them gets the next slice of the time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil
from typing import TypeVar

from schedsolve.backends.sat import SatSearch
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import Bound, Value
from schedsolve.modelkit.search import (
    Algorithm,
    Decision,
    Found,
    Improvement,
    Options,
    Question,
    SlicedSearch,
)
from schedsolve.runtime.limits.own_limits import Limits, note_in
from schedsolve.solving.best_known import BestKnown
from schedsolve.solving.clock import Clock
from schedsolve.solving.integer_programs import program_decisions, program_improvements
from schedsolve.solving.searches import DecisionRun, ImprovementRun, RepeatedConstruction
from schedsolve.solving.tasks import EVEN_SECONDS, Task, in_words

Some = TypeVar("Some", bound=SlicedSearch)
CONSTRUCTION_SHARE = 0.2
"""The share of the time, relative to a deciding search, that a searching construction gets beside it."""
LAST_EFFORT_SECONDS = 60.0
"""The seconds of each searching construction if nothing else is left, and of searches that cannot refute if
there is no time limit.
"""
HARD_SECONDS = 5.0
"""The seconds of a search after which, with several workers, it is shared or goes on in a process of its own.

A refutation that can be split into cubes is shared; of the others a process begins again. Sooner, the start
of the processes would take longer than it saves.
"""
WIDE_GAP = 8
"""Rounds between the bounds beyond which a number of rounds half-way is decided too.

Smaller gaps close sooner step by step, as a search that moves a side goes on at the next value at once.
"""
LEAST_LEAD, LONGEST_LEAD, LONGER = 0.2, 10.0, 2.0
"""A search that has moved a side after so many seconds at least goes on before others begin at the next
value, at most so many seconds, and so many times as long as it took.
"""


@dataclass
class Lead:
    """The search that moved a side last: it goes on alone for a while.

    Attributes
    ----------
    search
        Which it is.
    finds
        Whether it found a schedule, and goes on from above; else it refuted, and goes on from below.
    seconds
        The time that it has for the next value.
    """

    search: SlicedSearch
    finds: bool
    seconds: float


@dataclass
class Portfolio:
    """The algorithms and searches of a model that apply to a problem with one value to find, and the tasks.

    The searches under way, for the values next to the best known bounds.

    Attributes
    ----------
    finished
        By the names of searches that have ended and the values that they were asked for, the limits of their
        own at which they stopped; none is started again for the same value.
    """

    model: Model
    problem: Problem
    best: BestKnown
    options: Options
    clock: Clock
    tasks: list[Task] = field(default_factory=list)
    finished: dict[tuple[str, int | None], str] = field(default_factory=dict)
    _ended: dict[str, float] = field(default_factory=dict)
    """The seconds of the searches that have ended, by name."""
    _lead: Lead | None = None

    @cached_property
    def placed(self) -> list[Problem]:
        """The problem with its source given: itself, or one for each promising node."""
        if not self.problem.choice:
            return [self.problem]
        return [self.problem.at_node(node) for node in self.model.promising_nodes(self.problem)]

    def algorithms(self, *, thorough: bool, patient: bool = False) -> list[Algorithm]:
        """Return the constructions that fit the problem wherever it is placed, without mere rivals.

        Parameters
        ----------
        thorough
            The searching ones, or the others.
        patient
            With those that take much longer than others.
        """
        fitting = (
            a
            for a in self.model.algorithms
            if a.thorough == thorough
            and not a.rival
            and (patient or not a.patient)
            and self.problem.task in a.tasks
        )
        return [a for a in fitting if all(a.refuse(problem) is None for problem in self.placed)]

    @cached_property
    def improvements(self) -> list[Improvement]:
        """The model's improvements of the backend asked for; without one, its usual ones."""
        if asked := self.options.backend:
            return self._own(self.model.improvements) + program_improvements(self.model, asked)
        return [i for i in self.model.improvements if i not in self.refused]

    @cached_property
    def refused(self) -> dict[Improvement, str]:
        """The model's usual improvements that are not tried on this problem, with the reason."""
        answers = [(i, i.refuse(self.problem)) for i in self.model.improvements]
        return {improvement: why for improvement, why in answers if why is not None}

    @cached_property
    def decisions(self) -> list[Decision]:
        """The model's decisions of the backend asked for.

        Without one, its usual ones and the searching constructions.
        """
        if asked := self.options.backend:
            return self._own(self.model.decisions) + program_decisions(self.model, asked)
        repeated = [self._repeated(a) for a in self.algorithms(thorough=True, patient=True)]
        return [*self.model.decisions, *repeated]

    def _own(self, searches: Sequence[Some]) -> list[Some]:
        """Return those of the model's searches that have the backend asked for; none beside a formulation."""
        options = self.options
        return [] if options.formulation_only else [s for s in searches if s.backend == options.backend]

    def _repeated(self, algorithm: Algorithm) -> Decision:
        def start(question: Question) -> RepeatedConstruction:
            seed = self.options.seed
            return RepeatedConstruction(self.model, algorithm, self.placed, question.value, seed)

        name = f"{algorithm.name}: {algorithm.source}"
        return Decision(name, "construction", False, start, share=CONSTRUCTION_SHARE)

    def question(self, value: Value) -> Question:
        """Return the question whether a value suffices, in the time left."""
        certify, seconds = bool(self.options.certify), self.clock.left
        return Question(self.problem, value, certify, seconds, self.options.seed, self.best.upper)

    def next_tasks(self) -> list[Task]:
        """Start and end searches as the bounds ask for, and return those that get the next slice.

        Those that had least time, as many as there are workers; none if it is time to stop.

        One that has workers of its own is waited for alone, and others run beside these.
        """
        self._renew()
        if all(not self._is_serious(task) and task.used > LAST_EFFORT_SECONDS for task in self.tasks):
            for task in list(self.tasks):
                task.limits["seconds"] = LAST_EFFORT_SECONDS
                self.end(task)
            return []
        self._split_hard_refutation()
        self._set_apart()
        leading = self._leading()
        waiting = sorted(self.tasks, key=lambda task: (task is not leading, task.virtual_time))
        if waiting[0].cubes:
            return waiting[:1]
        here = next((task for task in waiting if not task.apart and not task.cubes), None)
        return [task for task in waiting if task.apart or task is here][: self.options.workers]

    @property
    def used(self) -> float:
        """The seconds of all searches so far, of CPU time, for each of the workers."""
        used = sum(self._ended.values()) + sum(task.used for task in self.tasks)
        return used / self.options.workers

    def end(self, task: Task, found: Sequence[Found] = ()) -> None:
        """End a search, which has found this at last; it is not started again for the same value."""
        task.run.close()
        name = task.search.name
        self.tasks.remove(task)
        self._ended[name] = self._ended.get(name, 0.0) + task.used
        self.finished[name, task.value] = task.stopped_at
        if found and task.search.by == "search" and task.used >= LEAST_LEAD:
            seconds = min(LONGER * task.used, LONGEST_LEAD)
            self._lead = Lead(task.search, not isinstance(found[-1], Bound), seconds)

    def close(self) -> None:
        """End all searches."""
        for task in self.tasks:
            task.run.close()
        self.tasks.clear()

    @property
    def stopped(self) -> dict[str, str]:
        """The limits of their own at which searches stopped, by name, where the question is open."""
        ended = self.finished.items()
        return {n: why for (n, value), why in ended if why and (value is None or self.best.is_open(value))}

    def _is_serious(self, task: Task) -> bool:
        """Return whether a search runs until the end of the solve.

        It can prove something, or the solve has a time limit.
        """
        return task.proves or (self.options.time_limit is not None and task.search.by == "search")

    def _split_hard_refutation(self) -> None:
        """Share the refutation that has run for long among many workers, cube by cube.

        It is that of the least value if there are several; one at a time.
        """
        if not self.options.shares or any(task.cubes for task in self.tasks):
            return
        hard = [(task, task.splits) for task in self.tasks if task.splits and task.used >= HARD_SECONDS]
        if hard:
            from schedsolve.solving.cubes import CubedSearch

            task, decision = min(hard, key=lambda pair: pair[0].value or 0)
            question, run = self.question(task.value or 0), task.run
            assert isinstance(run, DecisionRun)
            assert isinstance(run.search, SatSearch)
            task.cubes = CubedSearch(question, decision.name, self.options, run.search)
            task.run = DecisionRun(self.model, decision, question, task.cubes)

    def _set_apart(self) -> None:
        """Have long searches of the model go on in processes of their own, unless workers share one."""
        if self.options.workers == 1 or len(self.tasks) == 1 or any(task.cubes for task in self.tasks):
            return
        for task in self.tasks:
            own = task.search in (*self.model.improvements, *self.model.decisions)
            if own and not task.apart and not task.splits and task.used >= HARD_SECONDS:
                from schedsolve.solving.worker import ProcessRun

                task.run.close()
                value = self.best.lower if task.value is None else task.value
                task.run, task.apart = ProcessRun(self.question(value), task.search.name), True

    def _renew(self) -> None:
        """End the searches that the bounds have overtaken.

        Start those for the values next to the bounds, and the improvements.
        """
        for task in [t for t in self.tasks if t.value is not None and not self.best.is_open(t.value)]:
            self.end(task)
        begun = {(task.search.name, task.value) for task in self.tasks} | self.finished.keys()
        for improvement in self.improvements:
            if (improvement.name, None) not in begun:
                self._improve(improvement)
        for decision, value in list(self._wanted()):
            others_wait = self._lead is not None and self._lead.search is not decision
            waits = others_wait or self.used < decision.after
            if (decision.name, value) not in begun and not waits:
                self._decide(decision, value)
        if self._lead and self._leading() is None:
            self._lead = None
            self._renew()

    def _leading(self) -> Task | None:
        """Return the task of the search that moved a side last, for the next value, while its time lasts."""
        lead = self._lead
        if lead is None:
            return None
        next_value = (max if lead.finds else min)(self._open_values)
        return next(
            (
                task
                for task in self.tasks
                if task.search is lead.search and task.value == next_value and task.used < lead.seconds
            ),
            None,
        )

    def _improve(self, improvement: Improvement) -> None:
        """Start an improvement."""
        question = self.question(self.best.lower)
        self.tasks.append(Task(improvement, ImprovementRun(improvement, question)))

    def _decide(self, decision: Decision, value: int) -> None:
        """Start a decision, unless it does not apply."""
        question = self.question(value)
        note_in(limits := Limits())
        search = decision.start(question)
        if search is None:
            self.finished[decision.name, value] = in_words(limits)
            return
        if decision.splits and self.options.shares:
            assert isinstance(search, SatSearch)
            search.keep_variables()
        run = DecisionRun(self.model, decision, question, search)
        joined = self._virtual_time if self._used(decision.name) > EVEN_SECONDS else 0.0
        splits = decision if decision.splits else None
        self.tasks.append(Task(decision, run, value, decision.refutes, splits, joined=joined))

    @property
    def _virtual_time(self) -> float:
        """The least virtual time of the tasks."""
        return min((task.virtual_time for task in self.tasks), default=0.0)

    def _used(self, name: str) -> float:
        """Return the seconds of all searches of a name so far."""
        return self._ended.get(name, 0.0) + sum(t.used for t in self.tasks if t.search.name == name)

    def _wanted(self) -> Iterator[tuple[Decision, int]]:
        """Yield the decisions to be under way, each with its values, the least value first."""
        asked_of = [(decision, self._asked_of(decision)) for decision in self.decisions]
        for value in sorted(set().union(*(asked for _, asked in asked_of))):
            yield from ((decision, value) for decision, asked in asked_of if value in asked)

    def _asked_of(self, decision: Decision) -> set[int]:
        """Return the values that a decision is to be under way for."""
        if not decision.refutes:
            return self._leaps(decision)
        return self._open_values if decision.finds else {min(self._open_values)}

    @property
    def _open_values(self) -> set[int]:
        """Return the values to decide.

        The one asked for, or those next to the bounds and, between bounds far apart, one half-way.

        Before the first schedule, where there may be none, the largest value that can matter.
        """
        best, asked, lower = self.best, self.problem.rounds, ceil(self.best.lower)
        if asked is not None:
            return {asked if best.horizon is None else min(asked, best.horizon)}
        if best.upper is None:
            return {lower, lower if best.horizon is None else best.horizon}
        upper = ceil(best.upper)
        return {lower, upper - 1} | ({(lower + upper) // 2} if upper - lower > WIDE_GAP else set())

    def _leaps(self, decision: Decision) -> set[int]:
        """Return the values for a decision that cannot refute.

        The greatest open one, and, for a search, one half-way down to those that it failed at, as long as it
        is not at work on such a one.
        """
        top = max(self._open_values)
        if decision.by == "construction" or self.best.upper is None or self.problem.rounds is not None:
            return {top}
        failed = [value for name, value in self.finished if name == decision.name and value and value < top]
        low = max([ceil(self.best.lower), *(value + 1 for value in failed)])
        leaping = any(task.search is decision and (task.value or 0) < top for task in self.tasks)
        return {top} if leaping or top - low < WIDE_GAP else {top, (low + top) // 2}
