"""How a model is solved: the searches that its record lists, what they are asked, and what limits them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from math import inf
from numbers import Real
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound, Maker, Result, Value
from schedsolve.runtime.display.progress import ProgressLine
from schedsolve.runtime.errors import InputError, SchedsolveError, did_you_mean, shown
from schedsolve.runtime.files.number_reader import plain_integer

if TYPE_CHECKING:
    from schedsolve.modelkit.formulas.cubes import CubeStore
    from schedsolve.modelkit.schedule import AnySchedule, Schedule


REFUTATION: Literal["refutation"] = "refutation"
"""The value of `certify` that asks for a refutation."""
Certify = bool | Literal["refutation"]


@dataclass(frozen=True)
class Progress:
    """What a solve is doing, for display.

    Attributes
    ----------
    upper
        None before the first schedule.
    """

    activity: str
    lower: Value
    upper: Value | None
    elapsed: float


@dataclass(frozen=True)
class Options:
    """How to solve.

    Attributes
    ----------
    time_limit
        In seconds of CPU time, those of workers added up; None for no limit. By the clock a solve ends after
        ten times as long at the latest.
    workers
        The number of searches that run at a time, in processes of their own if more than one.
    backend
        Only use searches of this backend ("sat", "cpsat", ...).
    seed
        For the random number generators.
    certify
        Whether to keep what a checker needs to verify the lower bound; "refutation" asks for one even
        where other evidence proves it.
    progress
        Called now and then; True shows it in a line on standard error.
    dask
        The address of a Dask scheduler, or "local", whose workers share hard refutations, in place of
        processes of this machine.
    cubes
        Keeps what is done of hard refutations.
    warm_start
        A schedule that is an upper bound from the start: a result, a schedule, or a file of one.
    formulation_only
        Whether the backend, cpsat or pulp, answers by the integer program alone, without constructions
        and without other bounds.
    """

    time_limit: float | None = None
    workers: int = 1
    backend: str | None = None
    seed: int = 0
    certify: Certify = False
    progress: Callable[[Progress], None] | bool = False
    dask: str | None = None
    cubes: CubeStore | None = None
    warm_start: Any = None
    formulation_only: bool = False

    def report(self, progress: Progress) -> None:
        """Show progress, if that is asked for."""
        if not isinstance(self.progress, bool):
            self.progress(progress)

    def checked(self) -> Options:
        """Return the options.

        Raises
        ------
        InputError
            If a field has another kind of value.
        """
        limit, workers, seed = self.time_limit, plain_integer(self.workers), plain_integer(self.seed)
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, Real) or not limit >= 0):
            raise InputError(f"time_limit is a number of seconds, or None for no limit; not {shown(limit)}")
        if type(workers) is not int or workers < 1:
            raise InputError(f"workers is a number of 1 or more, not {shown(workers)}")
        if type(seed) is not int:
            raise InputError(f"a seed is a whole number, not {shown(seed)}")
        if not isinstance(self.certify, bool) and self.certify != REFUTATION:
            raise InputError(f"certify takes True, False or '{REFUTATION}', not {shown(self.certify)}")
        if not isinstance(self.backend, str | None):
            raise InputError(f"a backend is a name such as 'cpsat', not {shown(self.backend)}")
        if not isinstance(self.progress, bool) and not callable(self.progress):
            raise InputError(f"progress takes True, False or a function, not {shown(self.progress)}")
        return replace(self, workers=workers, seed=seed)

    def watched(self) -> Options:
        """Return the options with the function that shows progress in place of True."""
        return replace(self, progress=ProgressLine()) if self.progress is True else self

    @property
    def shares(self) -> bool:
        """Whether there are several workers, who can share a refutation."""
        return self.workers > 1 or self.dask is not None


class AskedOfEach(TypedDict, total=False):
    """The fields of `Options`, as keywords, that hold for each of many problems."""

    time_limit: float | None
    backend: str | None
    seed: int
    certify: Certify


class Asked(AskedOfEach, total=False):
    """The fields of `Options` as keywords."""

    workers: int
    progress: Callable[[Progress], None] | bool
    dask: str | None
    cubes: CubeStore | None
    warm_start: AnySchedule | Result | str | PathLike[str] | None
    formulation_only: bool


def asked_options(options: Options | None, keywords: Mapping[str, Any]) -> Options:
    """Return the options with the fields that keywords name, checked.

    Raises
    ------
    InputError
        For an unknown keyword, and as `Options.checked` does.
    """
    if not isinstance(options, Options | None):
        raise InputError(f"options are an Options, or keywords such as time_limit=60; not {shown(options)}")
    known = [each.name for each in fields(Options)]
    for name in keywords:
        if name not in known:
            raise InputError(
                f"there is no option {name}; the options are {', '.join(known)}{did_you_mean(name, known)}"
            )
    return replace(options or Options(), **keywords).checked()


@dataclass(frozen=True)
class Effort:
    """How hard an algorithm may try: a seed, seconds, and the value at which it can stop."""

    seed: int = 0
    seconds: float = 2.0
    goal: int = 0


class GivenUpError(SchedsolveError):
    """A search finds out that it will not decide its question."""


class RunningSearch(Protocol):
    """A `Decision` at work, in slices, so that many searches share a core and stop at any limit."""

    def advance(self, seconds: float) -> bool | None:
        """Search for about `seconds`.

        Return True if it found a schedule, False if there is none, None if it has not decided yet.

        Raises
        ------
        GivenUpError
            If it will not decide.
        """

    def found(self) -> tuple[Problem, Schedule]:
        """Return the problem with its source or root given, and the schedule found.

        It is known after `advance` returned True.
        """

    def evidence(self) -> Mapping[str, Any] | None:
        """Return, after `advance` returned False, what proves it to a checker; None if it keeps nothing."""

    def close(self) -> None:
        """Free the memory; the search is not used any more."""


@dataclass(frozen=True)
class Question:
    """What a search is asked: whether a value suffices; or, of an improvement, to come below or above it.

    Attributes
    ----------
    problem
        Its source or root may be open ("min").
    value
        The value in question.
    certify
        Whether to keep what proves a refutation to a checker.
    seconds
        The time left.
    seed
        For the random number generator.
    best
        The value of the best schedule so far; None without one.
    """

    problem: Problem
    value: Any
    certify: bool = False
    seconds: float = inf
    seed: int = 0
    best: Any = None


@dataclass(frozen=True)
class Search:
    """How a model finds schedules or bounds, as its record lists it.

    An `Algorithm` constructs, a `Decision` decides values, an `Improvement` improves a side, a `BoundSearch`
    finds a lower bound.

    Attributes
    ----------
    name
        In results, in progress and in `--algorithm`.
    """

    name: str


@dataclass(frozen=True)
class Algorithm(Search):
    """A construction from the literature.

    Attributes
    ----------
    source
        Where it is published.
    tasks
        The names of the tasks that it is for.
    refuse
        Returns why the algorithm cannot run on a problem, in one line; None if it can.
    build
        Returns a schedule that solves the problem. Raises InputError if it turns out that it cannot.
    thorough
        Whether it searches for as long as it may, rather than constructing.
    patient
        Whether it takes many times that long, so that a solve leaves it to the time beside its other
        searches.
    rival
        Whether it is only there to be compared with the optimum: `construct` and `compare` run it, a solve
        does not.
    """

    source: str
    tasks: frozenset[str]
    refuse: Callable[[Problem], str | None]
    build: Callable[[Problem, Effort], Any]
    thorough: bool = False
    patient: bool = False
    rival: bool = False

    @property
    def reason(self) -> str:
        """How a schedule that it builds is said to have come about."""
        return f"construction {self.name}: {self.source}"


@dataclass(frozen=True)
class BoundSearch(Search):
    """A lower bound that takes a search; a solve tries it once, before the searches that run in slices.

    Attributes
    ----------
    find
        For a problem, the best lower bound so far, and a number of seconds, returns a bound above it; None if
        it finds none.
    """

    find: Callable[[Problem, int, float], Bound | None]


@dataclass(frozen=True)
class SlicedSearch(Search):
    """A search that runs in slices, so that many share the time.

    Attributes
    ----------
    backend
        What it searches with ("sat", "cpsat", "lp", ...).
    share
        Its part of the time, relative to that of other searches.
    names_limits
        Whether it says (`runtime.limits.own_limits`) each limit of its own at which it leaves something
        out; then, where it has said none, it has ended by itself.
    """

    backend: str
    share: float = field(default=1.0, kw_only=True)
    names_limits: bool = field(default=False, kw_only=True)

    @property
    def reason(self) -> str:
        """How a schedule that it finds is said to have come about."""
        if self.by == "construction":
            return f"construction {self.name}"
        return f"found by search ({self.name}, {self.backend})"

    @property
    def by(self) -> Maker:
        """What kind of search finds its schedules."""
        return "construction" if self.backend == "construction" else "search"


@dataclass(frozen=True)
class Decision(SlicedSearch):
    """A search that decides whether a value suffices.

    Attributes
    ----------
    refutes
        Whether its "no" counts; a search among special schedules only can just find them.
    start
        Returns a running search for a question; None if it does not apply or, which it says by `met`, would
        take too long to begin.
    splits
        Whether what it starts is always a `schedsolve.backends.sat.SatSearch`, whose formula can be split
        into cubes.
    after
        Seconds of CPU time that the other searches take before it begins.
    finds
        Whether it can find a schedule; what can only refute is asked for the least value that is open.
    """

    refutes: bool
    start: Callable[[Question], RunningSearch | None]
    splits: bool = field(default=False, kw_only=True)
    after: float = field(default=0.0, kw_only=True)
    finds: bool = field(default=True, kw_only=True)


Found = Bound | tuple[Problem, Any]
"""What a search finds: a lower bound with its evidence; an upper bound whose evidence shows that schedules
exist; or a schedule and the problem that it solves, its source given.
"""
Finding = Found | None
"""What an improvement yields; None for nothing yet."""


@dataclass(frozen=True)
class Improvement(SlicedSearch):
    """A search that improves a side and does not decide single values.

    Attributes
    ----------
    run
        For a question (its value is the best lower bound so far) yields one finding after the other, and None
        at least every now and then, so that other searches get their turn; it ends when nothing is left.
    refuse
        Returns why it is not tried on a problem, in a few words; None if it is.
    """

    run: Callable[[Question], Iterator[Finding]]
    refuse: Callable[[Problem], str | None] = field(default=lambda _: None, kw_only=True)
