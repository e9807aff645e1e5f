"""How a model is solved: its constructions, the strategies that decide a value, the searches they start, and
what limits them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Protocol

from schedsolve.formulas.cubes import CubeStore
from schedsolve.problem import Problem
from schedsolve.result import Bound, Value
from schedsolve.schedule import Schedule


@dataclass(frozen=True)
class Progress:
    """What a solve is doing, for display. upper: None before the first schedule."""

    activity: str
    lower: Value
    upper: Value | None
    elapsed: float


@dataclass(frozen=True)
class Options:
    """How to solve.

    time_limit: seconds, None for no limit. workers: searches run side by side, in processes of their own when
    more than one.
    dask: the address of a Dask scheduler, or "local", whose workers share hard refutations, in place of
    processes of this machine. cubes: keeps what is done of hard refutations.
    backend: only use strategies and improvements of this backend ("sat", "cpsat", ...). seed: of the
    heuristics. certify: keep what a checker needs to verify the lower bound. progress: called now and then.
    """

    time_limit: float | None = None
    workers: int = 1
    backend: str | None = None
    seed: int = 0
    certify: bool = False
    progress: Callable[[Progress], None] = lambda _: None
    dask: str | None = None
    cubes: CubeStore | None = None

    @property
    def shares(self) -> bool:
        """Whether there are several workers, who can share a refutation."""
        return self.workers > 1 or self.dask is not None


class Clock:
    """The time since the start, and whether to stop; in seconds."""

    def __init__(self, options: Options) -> None:
        self.start = time.monotonic()
        self.limit = options.time_limit
        self.interrupted = False

    @property
    def elapsed(self) -> float:
        """Since the start."""
        return time.monotonic() - self.start

    @property
    def left(self) -> float:
        """Until the time limit."""
        return float("inf") if self.limit is None else self.limit - self.elapsed

    @property
    def over(self) -> bool:
        """Whether to stop: interrupted, or the time is up."""
        return self.interrupted or self.left <= 0


@dataclass(frozen=True)
class Effort:
    """How hard an algorithm may try: a seed, seconds, and the value at which it can stop."""

    seed: int = 0
    seconds: float = 2.0
    goal: int = 0


@dataclass(frozen=True)
class Algorithm:
    """A construction with its source in the literature.

    refuse: why the algorithm cannot run on a problem, in one line; None when it can.
    build: a schedule that solves the problem. Raises InputError when it turns out that it cannot.
    thorough: whether it searches for as long as it may, rather than constructing. patient: whether it takes
    many times that long, so that a solve leaves it to the time beside its other searches.
    """

    name: str
    source: str
    tasks: frozenset[str]
    refuse: Callable[[Problem], str | None]
    build: Callable[[Problem, Effort], Any]
    thorough: bool = False
    patient: bool = False


class GivenUpError(Exception):
    """A search has seen that it will not decide its question."""


class Search(Protocol):
    """A search that can be run in slices, so that many can share a core and stop at any limit."""

    def advance(self, seconds: float) -> bool | None:
        """Work for about so many seconds; True: found a schedule, False: there is none, None: not decided
        yet. Raises GivenUpError when it will not decide.
        """

    def found(self) -> tuple[Problem, Schedule]:
        """The schedule found, after `advance` returned True, and the problem that it solves, its source or
        root given.
        """

    def evidence(self) -> Mapping[str, Any] | None:
        """After `advance` returned False: what proves it to a checker; None when it keeps nothing."""

    def close(self) -> None:
        """Give the memory back; the search is not used any more."""


@dataclass(frozen=True)
class Question:
    """What a search is asked: whether a value suffices; or, of an improvement, to come below or above it.

    problem: its source or root may be left open as "min". value: the value in question. certify: whether to
    keep what proves a refutation to a checker. seconds: the time left. seed: of what draws lots. best: the
    value of the best schedule so far; None without one.
    """

    problem: Problem
    value: Any
    certify: bool = False
    seconds: float = inf
    seed: int = 0
    best: Any = None


@dataclass(frozen=True)
class Strategy:
    """One way to decide whether a value suffices.

    refutes: whether its "no" counts; a strategy that looks among special schedules only can just find them.
    start: a search for a question; None when it does not apply or would take too long to begin.
    by_default: whether it runs when no backend is asked for.
    share: the part of the time, relative to other strategies, that it gets while it runs beside them.
    after: how many seconds of a solve pass before it is begun.
    """

    name: str
    backend: str
    refutes: bool
    start: Callable[[Question], Search | None]
    by_default: bool = True
    share: float = 1.0
    after: float = 0.0

    @property
    def reason(self) -> str:
        """How a schedule that it finds is said to have come about."""
        if self.backend == "construction":
            return f"construction {self.name}"
        return f"found by search ({self.name}, {self.backend})"


Finding = Bound | tuple[Problem, Any] | None
"""What an improvement comes up with: a lower bound with its evidence; an upper bound whose evidence shows
that schedules exist; a schedule and the problem that it
solves, its source given; or nothing yet."""


@dataclass(frozen=True)
class Improvement:
    """A way to improve a side that does not decide single values.

    run: for a question (its value is the best lower bound so far) finds one thing after the other, and
    nothing (None) at least every now and then, so that other searches get their turn; it ends when nothing is
    left. by_default, share: as of a strategy. refuse: why it is not tried on a problem, in a few words; None
    when it is.
    """

    name: str
    backend: str
    run: Callable[[Question], Iterator[Finding]]
    by_default: bool = True
    share: float = 1.0
    refuse: Callable[[Problem], str | None] = lambda _: None

    @property
    def reason(self) -> str:
        """How a schedule that it finds is said to have come about."""
        return f"found by search ({self.name}, {self.backend})"
