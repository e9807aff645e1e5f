"""What a model tells the rest of schedsolve about itself: its record, and the parts of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from schedsolve.modelkit.evidence import Claim, Kinds, existence_claims, lower_claims
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound, Objective, Value
from schedsolve.modelkit.search import Algorithm, BoundSearch, Decision, Improvement, Search
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError

if TYPE_CHECKING:
    from schedsolve.modelkit.form import ScheduleForm
    from schedsolve.modelkit.formulas.cnf import Cnf
    from schedsolve.modelkit.formulation import Formulations


def _no_refutation(problem: Problem, *_: Any) -> NoReturn:
    raise ClaimError(f"no bound of {problem.model} is proven by a refutation")


@dataclass(frozen=True)
class Replay:
    """What a referee finds.

    Attributes
    ----------
    value
        The schedule's value in the model's objective.
    violation
        The first broken rule, or which node lacks which item at the end; None for a legal, complete schedule.
    legal
        Whether every rule is kept, even if a node lacks an item at the end.
    notes
        What else a reader should see confirmed, one line each.
    """

    value: Value
    violation: str | None = None
    legal: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Premise:
    """What the parameters of a problem say of an optimum, such as "T = 4".

    That it is at most so much, and at least so much.

    A file proves both by the problem's evidence, {"schedule": ..., "lower": [bounds, ...]}.

    Attributes
    ----------
    claim
        In words.
    enough
        A problem that has a schedule if, and only if, the optimum is at most what is said.
    too_few
        A problem with a horizon that has none if, and only if, it is at least that.
    """

    claim: str
    enough: Problem
    too_few: Problem


@dataclass(frozen=True)
class Parameter:
    """A parameter of a task: an option of the command line and a key in problem files.

    Attributes
    ----------
    name
        The key; as an option with hyphens for underscores.
    metavar
        What the option takes; None for a switch, which is true or absent.
    read
        Turns text or JSON into the canonical JSON value for a network; raises InputError.
    default
        The canonical value when none is given; None when the parameter may be absent. Raises InputError when
        it must be given.
    from_text
        Turns the text of an option into what `read` takes, where that may be the name of a file; values in
        files name none.
    """

    name: str
    metavar: str | None
    help: str
    read: Callable[[Any, Network], Any]
    default: Callable[[Network], Any]
    from_text: Callable[[str], Any] = str

    @property
    def option(self) -> str:
        """The option of the command line."""
        return f"--{self.name.replace('_', '-')}"


@dataclass(frozen=True)
class Model:
    """The record of a document model: everything the command line and `solve` need to know of it.

    Attributes
    ----------
    variant
        The parameter that a problem of this record has; None in the record that is for all problems of its
        name without it.
    tasks
        The parameters of every task, by the task's name.
    machines
        Whether the model has a use for bandwidths and switches; others are posed on plain graphs.
    complete
        Returns a problem with the parameters written out that follow from others, before `check`. Its second
        argument says whether the problem is read from a file: those that take work to find are written out
        only in a problem that is asked for the first time. Raises UnsettledError if they are not found.
    check
        Raises InputError for a problem that the model cannot pose.
    premise
        What the parameters say of an optimum, where `check` of the model does not compute it; None when they
        say nothing of the kind.
    replay
        The referee.
    form
        Of its schedules.
    bounds
        The lower bounds that are cheap to compute.
    evidence
        The kinds of evidence, of lower bounds and that schedules exist: what each proves, and its fields.
    refutation
        For evidence of the kind "refutation", the bound that it proves and the formula that its proof must
        refute.
    searches
        Gives all that finds schedules and bounds: `algorithms`, `decisions`, `improvements` and
        `bound_searches`, each kind in the order in which it is tried. It is called when one is asked for, as
        what it imports is the slowest to load.
    promising_nodes
        Nodes that are likely to be the best source or root of a problem that leaves it open.
    horizon
        A value that is enough whenever any value is, with the proof in its docstring: a lower bound above it
        proves that there is no schedule. None when every problem that `check` lets pass has one.
    next_value
        The least value above a given one that a schedule can have; 1 more unless the model says otherwise.
    load_formulations
        Gives how problems are written down for other solvers, as an integer program, as a formula and for
        CP-SAT; None where they are not.
    """

    name: str
    summary: str
    source: str
    objective: Objective
    tasks: Mapping[str, Sequence[Parameter]]
    check: Callable[[Problem], None]
    replay: Callable[[Problem, Any], Replay]
    form: ScheduleForm
    bounds: Callable[[Problem], Iterable[Bound]]
    evidence: Kinds
    searches: Callable[[], Iterable[Search]]
    refutation: Callable[[Problem, Mapping[str, Any]], tuple[Value, Cnf]] = _no_refutation
    promising_nodes: Callable[[Problem], Sequence[int]] = lambda _: (0,)
    horizon: Callable[[Problem], int | None] = lambda _: None
    next_value: Callable[[Problem, int], Value] = lambda _, value: value + 1
    complete: Callable[[Problem, bool], Problem] = lambda problem, _: problem
    variant: str | None = None
    machines: bool = False
    load_formulations: Callable[[], Formulations] | None = None
    premise: Callable[[Problem], Premise | None] = lambda _: None

    @property
    def title(self) -> str:
        """The name, with the option that asks for this variant of the model."""
        return self.name if self.variant is None else f"{self.name} --{self.variant}"

    @cached_property
    def claims(self) -> Mapping[str, Claim]:
        """What computes the lower bound that evidence proves, by its kind."""
        return lower_claims(self.evidence)

    @cached_property
    def existence(self) -> Mapping[str, Claim]:
        """What computes a value of which evidence proves that a schedule exists, by its kind."""
        return existence_claims(self.evidence)

    @cached_property
    def formulations(self) -> Formulations | None:
        """How problems are written down for other solvers, loaded on demand; None if they are not."""
        return None if self.load_formulations is None else self.load_formulations()

    @cached_property
    def _all_searches(self) -> tuple[Search, ...]:
        return tuple(self.searches())

    @cached_property
    def algorithms(self) -> tuple[Algorithm, ...]:
        """The constructions."""
        return tuple(search for search in self._all_searches if isinstance(search, Algorithm))

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """The searches that decide whether a value suffices."""
        return tuple(search for search in self._all_searches if isinstance(search, Decision))

    @cached_property
    def improvements(self) -> tuple[Improvement, ...]:
        """The searches that improve a side without deciding values."""
        return tuple(search for search in self._all_searches if isinstance(search, Improvement))

    @cached_property
    def bound_searches(self) -> tuple[BoundSearch, ...]:
        """The searches for a lower bound."""
        return tuple(search for search in self._all_searches if isinstance(search, BoundSearch))
